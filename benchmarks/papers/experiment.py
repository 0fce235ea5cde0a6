"""What all experiments share: their options, running the program, and the record: a Markdown page beside a plot."""

import argparse
import datetime
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCHMARKS = HERE.parent
WORK = BENCHMARKS / "work"
RESULTS = HERE / "results"
sys.path.insert(0, str(BENCHMARKS))
sys.path.insert(0, str(HERE))

import measured  # noqa: E402
from harness import measure, record  # noqa: E402


def options(about, data=True, articles=False):
    """A parser with what every experiment takes; `--data` only where it reads public data sets, `--input` where it reads
    articles."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if articles:
        parser.add_argument("--input", type=Path, required=True, nargs="+", help="articles: JSONL, see README.md")
    elif data:
        parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets; see README.md")
    else:
        parser.add_argument("--data", type=Path, help="ignored: all texts of this experiment are generated")
    built = Path(os.environ.get("CARGO_TARGET_DIR", BENCHMARKS.parent / "target")) / "release" / "lookalike"
    parser.add_argument("--lookalike", type=Path, default=built, help="the program; default: the release build")
    return parser


@dataclass
class Found:
    """What one run of a job wrote and took."""

    pairs: list
    summary: dict
    seconds: float
    cpu_seconds: float

    def ids(self):
        return {(a, b) for a, b, _ in self.pairs}


class Program:
    """The program, and a temporary folder for what it writes."""

    def __init__(self, path):
        self.path = Path(path).resolve()
        self.folder = tempfile.TemporaryDirectory(prefix="lookalike-papers-")
        self.scratch = Path(self.folder.name)

    def run(self, *arguments):
        run = measure.run_once([self.path, *arguments], self.scratch / "log")
        if run.code not in (0, 3):
            sys.exit(f"lookalike {' '.join(map(str, arguments))}\nexit code {run.code}: {run.output}")
        return run

    def documents(self, corpus, *arguments, read_pairs=True, job="documents"):
        out = self.scratch / "out"
        run = self.run(job, corpus, "--out", out, "--quiet", *arguments)
        pairs = []
        if read_pairs:
            with open(out / "pairs.jsonl", encoding="utf-8") as lines:
                pairs = [(p["a"], p["b"], p.get("similarity")) for p in map(json.loads, lines)]
        return Found(pairs, json.loads((out / "summary.json").read_text()), run.seconds, run.cpu_seconds)

    def lexicon(self, corpus, name):
        path = self.scratch / name
        self.run("lexicon", "build", corpus, "--output", path, "--quiet")
        return path


def write_jsonl(path, records):
    with open(path, "w", encoding="utf-8") as out:
        for fields in records:
            out.write(json.dumps(fields, ensure_ascii=False) + "\n")
    return path


def table(head, rows):
    """The first column is left-aligned, figures are right-aligned."""
    lines = ["| " + " | ".join(head) + " |", "|---|" + "---:|" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def write(name, sections, plot=None):
    """`results/NAME.md`, which shows `results/NAME.svg`. An earlier record is replaced: git has it."""
    RESULTS.mkdir(exist_ok=True)
    # Paths of this machine are left out.
    shown = ["…" if "/" in part else part for part in sys.argv[1:]]
    asked = " ".join([f"benchmarks/papers/{name}"] + shown)
    head = [
        f"# {name}\n",
        f"- run: {datetime.date.today()}, `{asked}`",
        f"- code: {measured.number(name)}",
        f"- machine: {record.machine()}\n",
    ]
    if plot:
        (RESULTS / f"{name}.svg").write_text(plot, encoding="utf-8")
        head.append(f"![{name}]({name}.svg)\n")
    page = "\n".join(head + sections)
    (RESULTS / f"{name}.md").write_text(page, encoding="utf-8")
    print(page)


def say(message):
    print(message, file=sys.stderr, flush=True)
