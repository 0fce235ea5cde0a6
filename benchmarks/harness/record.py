"""The table, and the dated record of a run: machine, corpus, commands, figures."""

import datetime
import os
import platform
from pathlib import Path

HEAD = ("", "seconds", "× floor", "CPU s", "peak MB", "recall", "at threshold", "+0.1", "precision", "pairs", "note")
FLAGS = ("avx2", "avx512f", "bmi2", "neon", "asimd", "sve")


def row(name, run, floor_seconds, quality=None, note=""):
    cells = [name, f"{run.seconds:.2f}", f"{run.seconds / floor_seconds:.1f}", f"{run.cpu_seconds:.1f}"]
    cells.append(f"{run.peak_bytes / 1e6:.0f}")
    if quality is None:
        cells += ["–"] * 5
    else:
        shares = (quality.recall, quality.recall_at_threshold, quality.recall_far_above, quality.precision)
        cells += [f"{share:.4f}" for share in shares] + [str(quality.found)]
    return cells + [note]


def empty_row(name, note):
    return [name] + ["–"] * (len(HEAD) - 2) + [note]


def table(rows):
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows]) + "\n"


def machine():
    model, flags = platform.processor() or platform.machine(), []
    for line in read("/proc/cpuinfo"):
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
        if line.startswith(("flags", "Features")):
            flags = [flag for flag in FLAGS if flag in line.split()]
    memory = next((int(line.split()[1]) // 2**20 for line in read("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return f"{os.cpu_count()} cores, {model}, {' '.join(flags)}, {memory} GB, {platform.system()}"


def busy():
    return f"{os.getloadavg()[0]:.1f} processes wanted a core during the minute before"


def read(path):
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def write(folder, name, sections):
    """Never overwrites: a second record of one day and name gets a number."""
    folder.mkdir(exist_ok=True)
    stem = f"{datetime.date.today()}-{name}"
    path, number = folder / f"{stem}.md", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.md", number + 1
    path.write_text("\n".join(sections), encoding="utf-8")
    return path
