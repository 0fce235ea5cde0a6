"""Jobs on Spark, run by `test_spark.py` in a process of its own: what they find is compared with what the local engine finds."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GUIDE = ROOT / "docs" / "spark.md"


@dataclass
class Case:
    """A job over records."""

    name: str
    job: str
    records: list[dict[str, Any]]
    options: dict[str, Any] = field(default_factory=dict)
    partitions: int = 4
    order: str = "id"
    # Whether every limit is so small that it is passed.
    narrow: bool = False
    # Whether it is run on a cluster, too, where starting anything takes long.
    on_cluster: bool = False
    # Whether a worker is killed meanwhile: of all on a cluster, this one is always run.
    killed: bool = False


def cases() -> list[Case]:
    """All of them; small ones, each for something of its own."""
    from conftest import make_records, sentence

    records = make_records()
    template = [{"id": f"t{number:03}", "text": f"{sentence(5, 60)} number {number * 7919 % 1000} {sentence(number % 9, 3)}"} for number in range(90)]
    other = [{"id": f"u{number:03}", "text": f"{sentence(77, 45)} {sentence(number % 4, 2 + number % 5)} {number % 13}"} for number in range(60)]
    variants = [*template, *other, *({"id": record["id"], "text": record["text"]} for record in records)]
    lines = (EXAMPLES / "messages.txt").read_text(encoding="utf-8").splitlines()
    messages = [{"id": number, "text": line} for number, line in enumerate(lines) if line.strip()]
    with (EXAMPLES / "threads.jsonl").open(encoding="utf-8") as file:
        threads = [json.loads(line) for line in file]
    # Copies of some, of which the one that says more comes later than what it is compared with.
    copied = [*threads, *({**thread, "id": f"{chr(33 + number)}-{thread['id']}"} for number, thread in enumerate(threads[::3]))]
    questions = [{"id": thread["id"], "title": thread["title"]} for thread in threads]
    articles = encyclopedia()
    again = [{**record, "id": f"doc-{number % 30}", "number": number} for number, record in enumerate(records)]
    return [
        Case("documents", "documents", records, {"threshold": 0.7}, on_cluster=True),
        Case("one-part", "documents", records, {"threshold": 0.7}, partitions=1),
        Case("killed", "documents", variants, {"keys": "minhash", "bucket_limit": 8, "threshold": 0.6}, on_cluster=True, killed=True),
        Case("leaders", "documents", variants, {"keys": "minhash", "bucket_limit": 8, "threshold": 0.85, "keep": "longest"}, partitions=3, narrow=True),
        Case("best", "documents", records, {"keep": "stars", "keep_per": "source", "pairs": "links", "threshold": 0.6}),
        Case("lexicon", "documents", records, {"keys": "imatch:3", "idf": (0.0, 1.0), "threshold": 0.6, "pairs": "all"}),
        Case("repeated", "documents", again, {"keep": "last"}, order="number"),
        # What is the same in what orders is ordered by what it says.
        Case("tied", "documents", [{**record, "day": number % 3} for number, record in enumerate(again)], {"threshold": 0.6}, order="day"),
        Case("nothing-to-read", "documents", [*records, *({"id": f"none-{number}", "text": None} for number in range(5))], {"pairs": "none"}),
        Case("messages", "messages", messages, on_cluster=True),
        Case("threads", "threads", threads, {"fields": ["title", "body", "answer"]}, on_cluster=True),
        Case("threads-all", "threads", copied, {"fields": ["title", "body", "answer"], "pairs": "all"}, partitions=2),
        Case("threads-links", "threads", copied, {"fields": ["title", "body", "answer"], "pairs": "links", "keep": "longest"}, partitions=3),
        Case("questions", "threads", questions, {"fields": ["title"]}, partitions=2),
        Case("running-text", "threads", records, {"fields": ["text"], "keep": "last", "pairs": "links"}),
        Case("messages-links", "messages", [*messages, *({**message, "id": 5000 - message["id"]} for message in messages[::2])], {"pairs": "all", "keep": "longest"}),
        Case("sentences", "sentences", articles, on_cluster=True),
        Case("sentences-by-keys", "sentences", articles, {"keys": "minhash", "pairs": "links", "keep": "longest"}, partitions=3, narrow=True),
        Case("passages", "passages", pages(), on_cluster=True),
        Case("passages-in-one-part", "passages", example_pages(), partitions=1),
        # Sentences in more than three documents are boilerplate, unless these are reprints of one.
        Case("passages-by-keys", "passages", pages(), {"keys": "minhash", "common_limit": 3, "bucket_limit": 4, "no_text": True}, partitions=7, narrow=True),
        Case("quick-passages", "passages", pages(), {"search": "quick", "pairs": "all", "min_sentences": 1, "common_limit": 3}, partitions=2),
        Case("runs", "sentences", articles, {"window": 2, "within_article": True, "pairs": "all", "kinds": ["copy-edit", "identical"]}),
    ]


def say(seed: int, sentences: int, about: str = "") -> list[str]:
    """So many sentences of words that follow from a number."""
    state, said = seed * 2654435761 + 1, []
    for _ in range(sentences):
        words = []
        for _ in range(12):
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            number = (state >> 33) % 1500
            words.append("".join("bcdfghjklmnprstvwz"[number // 18**place % 18] + "aeiou"[number // 5**place % 5] for place in range(3)))
        said.append(f"{about}{' '.join(words)}.".capitalize())
    return said


def changed(sentences: list[str], every: int) -> list[str]:
    """Every so many words of a text replaced by others."""
    words = " ".join(sentences).split(" ")
    others = " ".join(say(99, len(words) // 10 + 1)).replace(".", "").split(" ")
    return [" ".join(other if place % every == 0 and not word.endswith(".") else word for place, (word, other) in enumerate(zip(words, others, strict=False)))]


def pages() -> list[dict[str, Any]]:
    """Pages of which some quote others, word for word or changed, hold others, are reprints in other frames, or are parts of an article."""
    texts = [say(number, 12 + number % 9) for number in range(30)]
    texts += [[*texts[number][:6], *say(100 + number, 4), *texts[number + 1][5:9]] for number in range(0, 12, 3)]
    texts += [[*say(200 + number, 3), *changed(texts[number][2:11], 4), *say(300 + number, 2)] for number in range(12, 20)]
    # Reprints, each in a frame of its own, and pages that quote what was reprinted.
    texts += [[*say(400 + number, 1), *texts[20], *say(410 + number, 1)] for number in range(6)]
    texts += [[*say(420 + number, 8), *texts[20][3:7]] for number in range(2)]
    # The menu and the footer of a site.
    texts += [["Home, contact, about us and the shop of the harbour.", *say(500 + number, 8), "All rights reserved by the harbour office of the town."] for number in range(6)]
    texts += [[*texts[21], *say(600, 3), *texts[22], *say(601, 2), *texts[23]], texts[24], list(texts[25]), [*texts[26][:1], *texts[26][2:]]]
    article = say(700, 40, "Zinmo and the lamp of Korvel in the harbour ")
    texts += [article[begin:end] for begin, end in ((28, 40), (0, 20), (0, 13), (20, 40), (13, 28))]
    story = say(701, 24, "Orvelle and the glass mill by the weir ")
    texts += [story, story[:8], story[8:16], story[16:]]
    texts += [[], ["Only this."], ["Only this."], ["这条河岸路全长百余公里，大部分路段平坦，适合第一次长途骑行的人。出城的前十公里车多，路面有坑。"]]
    texts += [["有人说：这条河岸路全长百余公里，大部分路段平坦，适合第一次长途骑行的人。出城的前十公里车多，路面有坑。别的不知道。"]]
    return [{"id": f"page-{number * 37 % 1000:03}", "text": " ".join(text)} for number, text in enumerate(texts)]


def example_pages() -> list[dict[str, Any]]:
    with (EXAMPLES / "pages.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def encyclopedia() -> list[dict[str, Any]]:
    """The articles of the example, with what they cite apart; one of them twice."""
    pages = ElementTree.parse(EXAMPLES / "encyclopedia.xml").getroot()
    namespace = pages.tag.removesuffix("mediawiki")
    articles = []
    for number, page in enumerate(pages.iter(f"{namespace}page")):
        lines = (page.findtext(f".//{namespace}text") or "").splitlines()
        said = "\n".join(line for line in lines if not line.startswith("*"))
        cited = "\n".join(line for line in lines if line.startswith("*"))
        date = page.findtext(f".//{namespace}timestamp")
        articles.append({"id": number, "title": page.findtext(f"{namespace}title"), "text": said, "references": cited, "date": date})
    return [*articles, {**articles[7], "id": len(articles), "title": None, "date": None}]


def rows(frame: Any) -> list[list[Any]]:
    """The rows of a frame, as they can be compared."""
    return [list(row.asDict(recursive=True).values()) for row in frame.collect()]


def run(session: Any, case: Case, folder: Path) -> dict[str, Any]:
    """What a job finds as a plan over frames, and in one task."""
    from lookalike.spark import _clusters, _hot, _numbers, _scored, _spread, _tables

    _hot.MOST_HOT = 1 if case.narrow else 200_000
    _spread.SPREAD, _tables.BROADCAST, _scored.MOST_LEADERS = (20, 10, 1) if case.narrow else (1_000_000, 1_000_000, 10_000)
    _clusters.TASK_PAIRS, _scored.HEAVY, _scored.LED, _numbers.RANGE_ROWS = (10, 4, 7, 25) if case.narrow else (4_000_000, 20_000, 20_000, 250_000)
    path = folder / f"{case.name}.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in reversed(case.records)), encoding="utf-8")
    frame = session.read.json(str(path)).repartition(case.partitions)
    found = tables(frame, case, folder, one_task=0)
    # What a worker is lost in has tables between its stages.
    return found if case.killed else {**found, "one task": tables(frame, case, folder, one_task=None)}


def tables(frame: Any, case: Case, folder: Path, one_task: int | None) -> dict[str, Any]:
    """The tables of a result, and their types."""
    from lookalike import Spec, spark

    job, spec = getattr(spark, case.job), Spec(case.job, **case.options)
    with job(frame, spec, order=case.order, work=str(folder / "work" / case.name), one_task=one_task) as result:
        found: dict[str, Any] = {"largest": result.largest_cluster(), "types": {}}
        for name in ("pairs", "clusters", "removed", "articles", "passages"):
            if (table := getattr(result, name)) is not None:
                found[name] = rows(table)
                found["types"][name] = table.schema.simpleString()
        if result.kept is not None:
            found["kept"] = sorted(str(row[0]) for row in result.kept.select(case.order).collect())
        return found


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A standalone cluster on loopback: a master and two workers."""
    import pyspark

    start = Path(pyspark.__file__).parent / "bin" / "spark-class"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"spark://127.0.0.1:{port}"
    package = "org.apache.spark.deploy"
    log = (folder / "cluster.log").open("wb")

    def launch(*arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "256m", "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.Popen([str(start), *arguments], env=environment, stdout=log, stderr=log, start_new_session=True)

    started = [launch(f"{package}.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
    wait_for(port)
    for number in range(2):
        place = ["--work-dir", str(folder / f"worker-{number}"), "--webui-port", "0", "--host", "127.0.0.1"]
        started.append(launch(f"{package}.worker.Worker", "--cores", "2", "--memory", "1g", *place, address))
    try:
        yield address, started[1:]
    finally:
        for process in started:
            kill(process)
        log.close()


def wait_for(port: int) -> None:
    """Waits until something listens."""
    end = time.monotonic() + 300
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens at port {port}")


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends a process with all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def kill_meanwhile(worker: subprocess.Popen[bytes], work: Path) -> threading.Thread:
    """Kills a worker once a job has signed its records."""

    def watch() -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end and not list(work.glob("*/signed")):
            time.sleep(0.02)
        kill(worker)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def save(folder: Path, found: dict[str, Any]) -> None:
    (folder / "found.json").write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")


def on_cluster(folder: Path, chosen: list[Case]) -> None:
    """All that are run on a cluster, and, where there is more than one, the command of the guide."""
    from pyspark.sql import SparkSession

    found = {}
    with cluster(folder) as (address, workers):
        settings = {
            "spark.executor.memory": "600m",
            "spark.executor.cores": "1",
            "spark.sql.shuffle.partitions": "3",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.local.dir": str(folder / "local"),
            "spark.sql.warehouse.dir": str(folder / "warehouse"),
        }
        builder: Any = SparkSession.builder.master(address).appName("lookalike tests")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        # What kills a worker comes last: the others have both.
        for case in sorted((case for case in chosen if case.on_cluster), key=lambda case: case.killed):
            begin = time.monotonic()
            watch = kill_meanwhile(workers[1], folder / "work" / case.name) if case.killed else None
            found[case.name] = run(session, case, folder)
            save(folder, found)
            if watch is not None:
                watch.join()
                assert workers[1].poll() is not None
            print(f"{case.name}: {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)
        session.stop()
        if len(chosen) == 1:
            return
        command = guide("spark-submit", folder).replace("spark://host:7077", address).replace("python -c", f"{sys.executable} -c")
        submit = Path(sys.executable).parent / "spark-submit"
        # As whoever runs the cluster would set it.
        defaults = folder / "conf" / "spark-defaults.conf"
        defaults.parent.mkdir()
        defaults.write_text("".join(f"{name} {value}\n" for name, value in settings.items()), encoding="utf-8")
        environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_CONF_DIR": str(defaults.parent)}
        begin = time.monotonic()
        subprocess.run(["bash", "-c", command.replace("spark-submit", str(submit), 1)], check=True, env=environment, cwd=folder, timeout=500)
        print(f"guide: {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)
        found["guide"] = removed_of(folder)
        save(folder, found)


def guide(program: str, folder: Path) -> str:
    """A command of the guide, over the first case."""
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(cases()[0].records), folder / "pages.parquet")
    lines = GUIDE.read_text(encoding="utf-8").splitlines()
    [command] = [line for line in lines if line.startswith(program)]
    return command.replace("pages.parquet", str(folder / "pages.parquet")).replace("--out result", f"--out {folder / 'result'}")


def removed_of(folder: Path) -> list[list[Any]]:
    """What the command of the guide removed."""
    return removed_in(folder / "result" / "removed")


def removed_in(table: Path) -> list[list[Any]]:
    import pyarrow.parquet

    return sorted([row["id"], row["kept"], row["similarity"]] for row in pyarrow.parquet.read_table(table).to_pylist())


def guide_in_session(session: Any, folder: Path) -> dict[str, Any]:
    """What the lines of the guide find and keep in the first case, in a session."""
    import pyarrow.parquet

    bucket = folder / "bucket"
    (bucket / "pages").mkdir(parents=True)
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(cases()[0].records), bucket / "pages" / "part.parquet")
    _, _, rest = GUIDE.read_text(encoding="utf-8").partition("```python\n")
    exec(rest.partition("```")[0].replace("s3a://bucket", str(bucket)), {"spark": session})
    kept = pyarrow.parquet.read_table(bucket / "clean").column("id").to_pylist()
    return {"removed": removed_in(bucket / "removed"), "kept": sorted(kept)}


def on_sail(folder: Path, chosen: list[Case]) -> None:
    from pysail.spark import SparkConnectServer

    server = SparkConnectServer()
    server.start()
    remotely(folder, chosen, f"sc://127.0.0.1:{server.listening_address[1]}")
    server.stop()


def remotely(folder: Path, chosen: list[Case], address: str) -> None:
    """All of some cases by Connect, and the command of the guide."""
    from lookalike.spark.__main__ import main
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder
    session = builder.remote(address).getOrCreate()
    found = in_session(session, folder, chosen)
    command = guide("python -m lookalike.spark", folder).replace("sc://localhost:50051", address)
    assert main(shlex.split(command)[3:]) == 0
    found["guide"] = removed_of(folder)
    found["guide in session"] = guide_in_session(session, folder)
    save(folder, found)
    session.stop()


def in_session(session: Any, folder: Path, chosen: list[Case]) -> dict[str, Any]:
    """What cases find, one after the other."""
    found: dict[str, Any] = {}
    for case in chosen:
        begin = time.monotonic()
        found[case.name] = run(session, case, folder)
        save(folder, found)
        print(f"{case.name}: {time.monotonic() - begin:.1f} s", file=sys.stderr, flush=True)
    return found


def local_settings(folder: Path) -> dict[str, str]:
    """Of Spark on this machine alone."""
    return {
        "spark.master": "local[2]",
        "spark.sql.shuffle.partitions": "3",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        # Other tests may take the time that it needs to say that it is alive.
        "spark.network.timeout": "1200s",
        "spark.executor.heartbeatInterval": "120s",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }


def on_connect(folder: Path, chosen: list[Case]) -> None:
    """On a Connect server of Spark itself."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {**local_settings(folder), "spark.connect.grpc.binding.port": str(port), "spark.connect.grpc.binding.address": "127.0.0.1"}
    command = [str(Path(sys.executable).parent / "spark-submit"), "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"]
    command += [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with (folder / "connect.log").open("wb") as log:
        server = subprocess.Popen([*command, "spark-internal"], env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            wait_for(port)
            remotely(folder, chosen, f"sc://127.0.0.1:{port}")
        finally:
            kill(server)


def on_one_machine(folder: Path, chosen: list[Case]) -> None:
    """In a session of whichever Spark there is."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder: Any = SparkSession.builder
    for name, value in local_settings(folder).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    in_session(session, folder, chosen)
    session.stop()


if __name__ == "__main__":
    engine, place, *names = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parent))
    wanted = [case for case in cases() if not names or case.name in names]
    if not names and engine == "cluster":
        wanted = [case for case in wanted if case.killed]
    if not names and engine in ("connect", "older"):
        wanted = [case for case in wanted if case.on_cluster]
    engines = {"cluster": on_cluster, "long-cluster": on_cluster, "connect": on_connect, "older": on_one_machine, "sail": on_sail}
    engines[engine](Path(place), wanted)
