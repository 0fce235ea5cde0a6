"""Runs one command and says how long it took and how much memory it held."""

import os
import statistics
import subprocess
import time
from dataclasses import dataclass


@dataclass
class Run:
    seconds: float
    cpu_seconds: float
    peak_bytes: int
    code: int
    output: str


def run_once(command, log, limit=None):
    """Wall-clock seconds from start to exit; the largest resident size of the process or any of its children."""
    with open(log, "w+", encoding="utf-8") as out:
        start = time.perf_counter()
        child = subprocess.Popen([str(part) for part in command], stdout=out, stderr=subprocess.STDOUT)
        code, usage = wait(child, start, limit)
        seconds = time.perf_counter() - start
        out.seek(0)
        output = out.read()
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, code, output)


def wait(child, start, limit):
    # wait4 and not Popen.wait: only it tells the resource usage of this one child.
    while limit is not None:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.perf_counter() - start > limit:
            child.terminate()
            limit = None
        time.sleep(0.05)
    else:
        _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, usage


def run_median(command, log, times):
    """The run of median duration, with the largest memory of all runs, and all durations."""
    runs = []
    for _ in range(times):
        runs.append(run_once(command, log))
        if runs[-1].code != 0:
            return runs[-1], []
    middle = min(runs, key=lambda run: abs(run.seconds - statistics.median(r.seconds for r in runs)))
    middle.peak_bytes = max(run.peak_bytes for run in runs)
    return middle, sorted(run.seconds for run in runs)
