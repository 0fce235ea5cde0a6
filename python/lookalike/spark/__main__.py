"""`python -m lookalike.spark JOB --input … --out …`: a job over what Spark reads, and its tables as what Spark writes."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from lookalike._spec import Spec
from lookalike.errors import Error
from lookalike.spark import documents, messages, passages, sentences, threads

JOBS = {"documents": documents, "messages": messages, "passages": passages, "sentences": sentences, "threads": threads}


def main(arguments: list[str] | None = None) -> int:
    """Runs it; what is no option of its own is one of the job, as the program has it."""
    parser = argparse.ArgumentParser(prog="python -m lookalike.spark", description=__doc__, allow_abbrev=False)
    parser.add_argument("job", choices=sorted(JOBS))
    parser.add_argument("--input", required=True, nargs="+", help="paths that Spark reads, or the name of a table with --format table")
    parser.add_argument("--out", required=True, help="a folder, for the tables pairs, clusters and others")
    parser.add_argument("--format", default="parquet", help="how the input is stored: parquet, json, delta, iceberg, table (default: parquet)")
    parser.add_argument("--output-format", default="parquet", help="how the tables are stored (default: parquet)")
    parser.add_argument("--remote", help="a Spark Connect server, as sc://host:port, in place of the cluster of spark-submit")
    parser.add_argument("--order", help="the column that says which row comes first (default: the id)")
    parser.add_argument("--work", help="a folder for what lies between the stages, on storage that all executors reach")
    parser.add_argument("--one-task", type=int, metavar="BYTES", help="so many bytes of text are compared in one task (default: 67108864; 0: never)")
    parser.add_argument("--config", help="a file with the settings of the job")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the job, as in --set threshold=0.7")
    chosen = parser.parse_args(arguments)
    from pyspark.errors import PySparkException

    try:
        spec = Spec.load(chosen.config) if chosen.config else Spec(chosen.job, **dict(map(_setting, chosen.set)))
        session = _session(chosen.remote)
        reader = session.read
        frame = reader.table(*chosen.input) if chosen.format == "table" else reader.format(chosen.format).load(chosen.input)
        with JOBS[chosen.job](frame, spec, order=chosen.order, work=chosen.work, one_task=chosen.one_task) as result:
            result.write(chosen.out, chosen.output_format)
            print(f"written to {chosen.out}; the largest cluster has {result.largest_cluster()} members", file=sys.stderr)
    except (Error, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, ValueError) else 1
    except PySparkException as error:
        # Of a plan that cannot be made, what is wrong is said first, and after it the whole plan.
        print(f"error: {str(error).strip().splitlines()[0]}", file=sys.stderr)
        return 1
    return 0


def _setting(text: str) -> tuple[str, Any]:
    name, is_there, value = text.partition("=")
    if not is_there:
        raise ValueError(f"--set takes a name and a value, as in threshold=0.7, not {text}")
    parsed: Any = value
    for kind in (int, float):
        try:
            parsed = kind(value)
            break
        except ValueError:
            continue
    if value in ("true", "false"):
        parsed = value == "true"
    return name.replace("-", "_"), parsed.split(",") if isinstance(parsed, str) and "," in parsed else parsed


def _session(remote: str | None) -> Any:
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder.appName("lookalike")
    return builder.remote(remote).getOrCreate() if remote else builder.getOrCreate()


if __name__ == "__main__":
    sys.exit(main())
