"""Threads, signals, progress, memory, the program and the compiled module."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import lookalike
from conftest import sentence


def test_progress_is_told(records: list[dict[str, Any]]) -> None:
    seen: list[lookalike.Progress] = []
    lookalike.documents(records * 30, 0.7, progress=seen.append)
    assert seen and {"write"} <= {progress.stage for progress in seen}
    assert all(1 <= progress.number <= progress.stages for progress in seen)
    assert all(progress.done <= progress.total or not progress.total for progress in seen)


def test_an_error_of_a_watcher_ends_the_run(records: list[dict[str, Any]]) -> None:
    class Enough(Exception):
        pass

    def watch(progress: lookalike.Progress) -> None:
        raise Enough

    with pytest.raises(Enough):
        lookalike.documents(({"text": sentence(number, 200)} for number in range(20_000)), progress=watch)


def test_other_threads_go_on_meanwhile() -> None:
    counted, is_done = 0, threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_done.is_set():
            counted += 1
            time.sleep(0.001)

    data = [sentence(number, 200) for number in range(10_000)]
    counter = threading.Thread(target=count)
    counter.start()
    lookalike.documents(data, threads=1)
    is_done.set()
    counter.join()
    assert counted > 20


def test_runs_in_several_threads_at_once(records: list[dict[str, Any]]) -> None:
    results: list[int] = []

    def run() -> None:
        results.append(len(lookalike.documents(records, 0.7).pairs))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and len(set(results)) == 1


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_stops_a_run_and_it_continues(tmp_path: Path) -> None:
    data = tmp_path / "data.parquet"
    pyarrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    texts = [sentence(number, 300) for number in range(30_000)]
    pyarrow.parquet.write_table(pyarrow.table({"text": texts}), data)
    code = (
        "import lookalike, sys, time, pyarrow.parquet as parquet\n"
        f"table = parquet.read_table({str(data)!r})\n"
        "print('ready', flush=True)\n"
        "try:\n"
        f"    lookalike.documents(table, out={str(tmp_path / 'out')!r}, threads=1, checkpoint_every=0)\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped', time.time(), flush=True)\n"
    )
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.4)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline().split()
        assert process.wait() == 0
    if line:
        # A run that was faster than the signal cannot be stopped.
        assert line[0] == "stopped" and float(line[1]) - sent < 5
    table = pyarrow.parquet.read_table(data)
    notes: list[str] = []
    result = lookalike.documents(table, out=tmp_path / "out", progress=lambda progress: notes.append(progress.stage))
    assert result.summary["counts"]["records"] == 30_000
    assert list(result.pairs) == list(lookalike.documents(table).pairs)


def interrupted(code: str, seconds: float, code_of_exit: int = 0) -> tuple[str, float]:
    """What a process prints last that is sent Ctrl-C so many seconds after it printed "ready", and how long that took."""
    with subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline().strip()
        assert process.wait() == code_of_exit
        taken = time.monotonic() - sent
    return line, taken


WAITING = """
import itertools, threading, time
import lookalike
text = "some words that are the same in all of the records, and the number "
def records():
    for number in itertools.count():
        if number == 10:
            print("ready", flush=True)
        yield {"id": number, "text": text + str(number)}
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("kind", ["iterable", "stream", "index"])
def test_ctrl_c_is_heard_while_data_is_read(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    calls = {
        "iterable": "lookalike.documents(records())",
        "stream": "lookalike.documents(stream())",
        "index": f"lookalike.Index.create({str(tmp_path / 'index')!r}).add(pyarrow.table({{'text': texts}}))",
    }
    code = f"""{WAITING}
import pyarrow
def stream():
    batches = map(list, itertools.batched(records(), 100)) if hasattr(itertools, "batched") else ([record] for record in records())
    schema = pyarrow.schema({{"id": pyarrow.int64(), "text": pyarrow.string()}})
    return pyarrow.RecordBatchReader.from_batches(schema, (pyarrow.RecordBatch.from_pylist(rows, schema) for rows in batches))
if {kind!r} == "index":
    texts = [text * 20 + str(number) for number in range(30_000)]
    print("ready", flush=True)
try:
    {calls[kind]}
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    said, seconds = interrupted(code, 0.5)
    assert said == "stopped" and seconds < 2


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("waits", ["pool", "thread"])
def test_ctrl_c_ends_runs_that_the_main_thread_waits_for(waits: str) -> None:
    code = f"""{WAITING}
import sys
from concurrent.futures import ThreadPoolExecutor
sys.excepthook = lambda *error: None
texts = [text * 20 + str(number) for number in range(30_000)]
def run():
    print("ready", flush=True)
    try:
        lookalike.documents(texts, 0.1, threads=1)
    except KeyboardInterrupt:
        print("stopped", flush=True)
if {waits!r} == "pool":
    with ThreadPoolExecutor() as pool:
        pool.submit(run).result()
else:
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
"""
    said, seconds = interrupted(code, 1.0, code_of_exit=-signal.SIGINT)
    # Up to Python 3.12 nobody waits for a thread any more once `join` was interrupted.
    assert said == "stopped" or (waits == "thread" and said == "")
    assert seconds < 2


def test_a_small_memory_goes_to_disk_with_the_same_result(records: list[dict[str, Any]], work: Path) -> None:
    large = lookalike.documents(records, 0.7)
    small = lookalike.documents(records, 0.7, memory="64MB", work_dir=work, threads=1)
    assert list(small.pairs) == list(large.pairs)


def test_the_program_is_in_the_package(corpus: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-P", "-m", "lookalike", "documents", str(corpus), "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and "pairs listed" in done.stdout
    wrong = subprocess.run([sys.executable, "-P", "-m", "lookalike", "documents", "--threshold", "2", str(corpus)], capture_output=True, text=True)
    assert wrong.returncode == 2 and "threshold 2 is not" in wrong.stderr
    version = subprocess.run([sys.executable, "-P", "-m", "lookalike", "--version"], capture_output=True, text=True)
    assert version.stdout.split()[-1] == lookalike.__version__


def test_importing_needs_nothing_else() -> None:
    code = "import sys, lookalike; assert not {'pandas', 'pyarrow', 'polars', 'numpy', 'datasets'} & set(sys.modules)"
    subprocess.run([sys.executable, "-P", "-c", code], check=True)


def test_exceptions_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(lookalike.OptionError("threshold= is wrong")))
    assert isinstance(error, lookalike.OptionError) and str(error) == "threshold= is wrong"


def test_results_are_freed_with_their_folder(records: list[dict[str, Any]], work: Path) -> None:
    result = lookalike.documents(iter(records), 0.7, work_dir=work)
    pairs = result.pairs
    del result
    assert len(pairs) > 0
    del pairs
    assert not list(work.iterdir())
