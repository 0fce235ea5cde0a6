"""Jobs on a cluster of Spark, of which a worker is killed meanwhile, by Connect, on an older Spark and on Sail: the same as on one machine."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import lookalike
import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
from spark_cases import Case, cases  # noqa: E402

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="pyspark is not installed")


def expected(case: Case) -> dict[str, Any]:
    """What the local engine finds in the records in their order."""
    records = sorted(case.records, key=lambda record: record[case.order])
    result = getattr(lookalike, case.job)(records, spec=lookalike.Spec(case.job, **case.options))
    if case.job == "sentences":
        return expected_sentences(result)
    if case.job == "passages":
        return expected_passages(result)
    details = {"documents": [], "messages": ["kind", "changed"], "threads": ["fields", "more", "kind", "changed"]}[case.job]
    return {
        "pairs": [[row["a"], row["b"], row["similarity"], *(row[name] for name in details)] for row in result.pairs],
        "removed": [[row["id"], row["kept"], row["similarity"]] for row in result.removed],
        "clusters": [[row["cluster"], row["size"], row["members"]] for row in result.clusters],
        "kept": sorted(str(record[case.order]) for record in result.deduplicated(records)),
    }


def expected_sentences(result: Any) -> dict[str, Any]:
    def quoted(side: dict[str, Any]) -> dict[str, Any]:
        return {name: side.get(name) for name in ("id", "title", "sentence", "text", "date")}

    of_pair = ("similarity", "edit_similarity", "kind", "confidence", "changed")
    of_articles = ("a", "b", "title_a", "title_b", "shared_sentences", "chain")
    return {
        "pairs": [[quoted(row["a"]), quoted(row["b"]), *(row[name] for name in of_pair)] for row in result.pairs],
        "clusters": [[row["cluster"], row["sentence"], row["size"], [quoted(member) for member in row["members"]]] for row in result.clusters],
        "articles": [[row.get(name) for name in of_articles] for row in result.articles],
    }


def expected_passages(result: Any) -> dict[str, Any]:
    def placed(side: dict[str, Any]) -> dict[str, Any]:
        return {name: side.get(name) for name in ("id", "begin", "end", "first_sentence", "sentences", "text")}

    of_pair = ("a", "b", "similarity", "covered_a", "covered_b", "relation", "passages", "group")
    return {
        "pairs": [[row.get(name) for name in of_pair] for row in result.pairs],
        "clusters": [[row["cluster"], row["size"], row["members"], row["relation"]] for row in result.clusters],
        "passages": [[placed(row["a"]), placed(row["b"]), row["sentences"], row["similarity"]] for row in result.passages],
    }


# The oldest Spark that is supported, which needs older packages.
OLDER = ["pyspark==3.5.6", "pandas<3", "numpy<2", "pyarrow<20", "pytest==9.2.0"]
# What has an order that only Spark knows: of these, both ways to run them are compared.
OF_ROUTES = ["tied"]
LONG = [pytest.param(name, marks=pytest.mark.soak) for name in ("long-cluster", "connect", "older")]


def older_python(folder: Path) -> tuple[Path, dict[str, str]]:
    """A Python with an older Spark, and what it needs to find this package."""
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--no-compile", *OLDER], check=True)
    (folder / "packages").mkdir()
    (folder / "packages" / "lookalike").symlink_to(Path(lookalike.__file__).parent)
    return python, {**os.environ, "PYTHONPATH": str(folder / "packages"), "SPARK_LOCAL_IP": "127.0.0.1"}


@pytest.fixture(scope="module", params=["sail", "cluster", *LONG])
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    engine = request.param
    if engine == "sail" and importlib.util.find_spec("pysail") is None:
        pytest.skip("pysail is not installed")
    if engine != "sail" and shutil.which("java") is None:
        pytest.skip("java is not installed")
    folder = tmp_path_factory.mktemp(engine)
    python, environment = older_python(folder) if engine == "older" else (Path(sys.executable), None)
    command = [str(python), "-P", str(HERE / "spark_cases.py"), engine, str(folder)]
    # Elsewhere: the workers of Spark 3.5 look for packages in the current folder first, and here is the source of this one.
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr[-8000:]
    found: dict[str, Any] = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_an_engine_finds_what_one_machine_finds(case: Case, found: dict[str, Any]) -> None:
    if case.name not in found:
        pytest.skip("takes long on a cluster")
    tables = {name: rows for name, rows in found[case.name].items() if name != "one task"}
    if "one task" in found[case.name]:
        assert found[case.name]["one task"] == tables, "in one task as in many"
    if case.name in OF_ROUTES:
        return
    wanted = json.loads(json.dumps(expected(case)))
    assert wanted["clusters"], "a case in which nothing is alike shows little"
    assert tables["largest"] == max(cluster[2 if case.job == "sentences" else 1] for cluster in wanted["clusters"])
    for table, rows in wanted.items():
        assert tables[table] == rows, table


def test_the_commands_of_the_guide_do_what_they_say(found: dict[str, Any]) -> None:
    if "guide" not in found:
        pytest.skip("takes long on a cluster")
    case = cases()[0]
    assert found["guide"] in (sorted(expected(case)["removed"]), sorted(expected(Case("", "documents", case.records))["removed"]))


def test_the_lines_of_the_guide_do_what_they_say(found: dict[str, Any]) -> None:
    if "guide in session" not in found:
        pytest.skip("of sessions by Connect")
    wanted = expected(Case("", "documents", cases()[0].records, {"threshold": 0.8}))
    assert wanted["removed"]
    assert found["guide in session"] == {"removed": sorted(wanted["removed"]), "kept": wanted["kept"]}


def test_what_is_not_there_is_refused() -> None:
    from lookalike.spark._job import check
    from lookalike.spark._parts import Job

    for job, options, problem in [
        ("documents", {"keys": "every", "join": "unit"}, "every text"),
        ("documents", {"transitive": True}, "transitive"),
        ("documents", {"limit": 3}, "limit"),
        ("passages", {"keys": "every"}, "keys=every of passages"),
        ("passages", {"keep_per": "source"}, "keep_per of passages"),
        ("passages", {"preset": "paper-imatch"}, "counting the words of sentences"),
    ]:
        with pytest.raises(lookalike.OptionError, match=problem):
            check(json.loads(Job(lookalike.Spec(job, **options)).plan()))


@pytest.mark.parametrize(
    ("master", "of_task", "cores"),
    [("spark://host:7077", None, 1), ("spark://host:7077", "4", 4), (None, None, 1), ("local", None, 1), ("local[3]", None, 3), ("local[2,4]", "1", 2)],
)
def test_one_task_computes_on_the_cores_that_it_has(master: str | None, of_task: str | None, cores: int) -> None:
    from types import SimpleNamespace

    from lookalike.spark import _one_task

    known = {name: value for name, value in (("spark.master", master), ("spark.task.cpus", of_task)) if value is not None}
    assert _one_task.cores(SimpleNamespace(conf=SimpleNamespace(get=known.get))) == cores


def test_what_is_wrong_with_the_input_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import pyarrow.parquet

    pysail = pytest.importorskip("pysail.spark")
    from lookalike.spark.__main__ import main

    server = pysail.SparkConnectServer()
    server.start()
    remote = f"sc://127.0.0.1:{server.listening_address[1]}"
    path, work = tmp_path / "pages.parquet", tmp_path / "work"
    pyarrow.parquet.write_table(pyarrow.table({"id": ["a", "b", None], "text": ["one", "two", "three"]}), path)
    common = ["--out", str(tmp_path / "out"), "--remote", remote, "--work", str(work)]
    for arguments, status, problem in [
        (["--input", str(path)], 1, "1 row has no id"),
        (["--input", str(path), "--set", "text_field=body"], 1, 'no column "body"; name one of id, text'),
        (["--input", str(tmp_path / "nothing.parquet")], 1, "is there anything at that place?"),
        (["--input", str(path), "--set", "treshold=0.7"], 2, "did you mean threshold=?"),
    ]:
        assert main(["documents", *arguments, *common]) == status
        assert problem in capsys.readouterr().err
    assert not any(work.iterdir()), "nothing is left of runs that failed"
    server.stop()
