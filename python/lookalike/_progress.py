"""How far a run has come, for people: a line in a terminal, a bar in a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import Any

DOING = {
    "count": "counting words",
    "sign": "reading",
    "collapse": "finding identical texts",
    "weigh": "weighing words",
    "select": "choosing rare features",
    "join": "finding candidates",
    "describe": "reading the candidates again",
    "verify": "comparing",
    "differ": "telling differences",
    "gather": "gathering documents",
    "search": "looking for neighbouring words",
    "align": "locating passages",
    "assemble": "clustering",
    "suggest": "suggesting",
    "audit": "auditing",
    "write": "writing",
}


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    stage: str
    """The stage, as in the summary: `sign`, `join`, `verify`, …"""
    doing: str
    """The same in words: "reading"."""
    number: int
    """The number of the stage, from 1."""
    stages: int
    """How many stages there are, as far as that is known."""
    done: int
    """How much of the stage is done."""
    total: int
    """How much of it there is; 0 where that is not known."""
    seconds: float
    """How long the run has taken so far."""


Watcher = Callable[[Progress], object]
Told = Callable[[list[str], "str | None", int, int, list[str]], None]


def watcher(progress: bool | Watcher | None) -> tuple[Told | None, Callable[[], None]]:
    """What a run tells how far it has come, and what is called when it is over."""
    if callable(progress):
        return told(progress, print_notes=False), lambda: None
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or in_notebook())
    if not progress:
        return None, lambda: None
    shown: Any = Notebook() if in_notebook() else Terminal()
    return told(shown.show, print_notes=True), shown.close


def told(show: Watcher, print_notes: bool) -> Told:
    """Turns what a run tells into a `Progress`."""
    begun = time.monotonic()
    number = 0

    def tell(stages: list[str], stage: str | None, done: int, total: int, notes: list[str]) -> None:
        nonlocal number
        if print_notes:
            for note in notes:
                print(f"\r\x1b[K{note}" if sys.stderr.isatty() else note, file=sys.stderr)
        if stage is None:
            return
        if stage in stages[max(number - 1, 0) :]:
            number = stages.index(stage, max(number - 1, 0)) + 1
        seconds = time.monotonic() - begun
        doing = DOING.get(stage, stage)
        # How much there is may be an estimate.
        done = min(done, total) if total else done
        show(Progress(stage, doing, max(number, 1), max(len(stages), number, 1), done, total, seconds))

    return tell


def in_notebook() -> bool:
    """Whether this is a notebook, which shows HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class Terminal:
    """One line, written again and again, from a second on."""

    def __init__(self) -> None:
        self.is_shown = False

    def show(self, progress: Progress) -> None:
        if progress.seconds < 1:
            return
        share = f" {100 * progress.done // progress.total} %" if progress.total else ""
        line = f"[{progress.number}/{progress.stages}] {progress.doing}{share} ({progress.seconds:.0f} s)"
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()
        self.is_shown = True

    def close(self) -> None:
        if self.is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Notebook:
    """A bar that goes when the run is over."""

    def __init__(self) -> None:
        self.handle: Any = None

    def show(self, progress: Progress) -> None:
        if progress.seconds < 1:
            return
        ipython: Any = import_module("IPython.display")
        value = f' value="{progress.done}" max="{progress.total}"' if progress.total else ""
        words = escape(f"[{progress.number}/{progress.stages}] {progress.doing} ({progress.seconds:.0f} s)")
        page = ipython.HTML(f"<progress{value}></progress> {words}")
        if self.handle is None:
            self.handle = ipython.display(page, display_id=True)
        else:
            self.handle.update(page)

    def close(self) -> None:
        if self.handle is not None:
            ipython: Any = import_module("IPython.display")
            self.handle.update(ipython.HTML(""))
