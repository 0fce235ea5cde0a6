"""Commands of the program that answer a question."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, Unpack

from lookalike import _lookalike
from lookalike._data import Path_, line_of
from lookalike._option_types import CompareOptions, JudgeOptions, ParamsOptions, TuneOptions
from lookalike._options import arguments
from lookalike._result import Result
from lookalike._spec import Spec
from lookalike.errors import Error

Labelled: TypeAlias = "Path_ | Iterable[Mapping[str, Any]]"


def judge(
    result: Result | Path_ | None = None,
    *,
    gold: Labelled,
    corpus: Path_ | list[Path_] | None = None,
    spec: Spec | None = None,
    **options: Unpack[JudgeOptions],
) -> dict[str, Any]:
    """How good is a result, or a method, by labelled pairs or clusters?

    Args:
        result: A result, or the folder of one; without it the method of `spec` or the options is judged on the labelled pairs.
        gold: Labelled pairs of ids or texts, clusters of ids, or pairs with passages: a file with a JSON object a line, or the
            objects themselves.
        corpus: Where the texts are, if the labelled pairs are pairs of ids and there is no result.
        spec: The method to judge.
        options: The options of `lookalike judge`.

    Returns:
        `precision`, `recall`, `f1` and what they are made of.
    """
    folder = result.folder if isinstance(result, Result) else result
    with tempfile.TemporaryDirectory(prefix="lookalike-") as work:
        given = ["judge", "--json", f"--gold={lines_in(gold, work, 'gold')}", *arguments("judge", options)]
        given += config_in(spec, work)
        given += [] if corpus is None else ["--corpus", *paths(corpus)]
        given += [] if folder is None else ["--", os.fspath(folder)]
        return answer(given, work)


def tune(
    pairs: Labelled,
    *,
    corpus: Path_ | list[Path_] | None = None,
    **options: Unpack[TuneOptions],
) -> tuple[Spec, dict[str, Any]]:
    """Learns measures, weights and a threshold from labelled pairs.

    Args:
        pairs: Labelled pairs of texts, or of ids in the corpus: a file, or objects with `a`, `b` and `label`.
        corpus: The corpus that the model is for.
        options: The options of `lookalike tune`.

    Returns:
        Settings for `documents` (with `fields=` for `threads`), and how good they are on pairs that they were not learnt from.
    """
    with tempfile.TemporaryDirectory(prefix="lookalike-") as work:
        output = Path(work, "tuned.toml")
        given = ["tune", "--json", f"--out={output}", *arguments("tune", options)]
        given += [] if corpus is None else ["--corpus", *paths(corpus)]
        report = answer([*given, "--", lines_in(pairs, work, "pairs")], work)
        return Spec.load(output), report


def params(threshold: float = 0.8, **options: Unpack[ParamsOptions]) -> dict[str, Any]:
    """Which bands and rows a threshold needs, and what they find: the S-curve of a choice."""
    return answer(["params", "--json", f"--threshold={threshold!r}", *arguments("params", options)])


def compare(a: str, b: str, **options: Unpack[CompareOptions]) -> dict[str, Any]:
    """Compares two texts under every measure; with `passages=True`, what they share and where."""
    return answer(["compare", "--json", "--text", *arguments("compare", options), "--", a, b])


def answer(given: list[str], work: str | None = None) -> dict[str, Any]:
    """What a command answers. Data that was handed over in files of a folder is called by the name of its argument."""
    try:
        return dict(json.loads(_lookalike.answer(given)))
    except Error as error:
        if work is None or work not in str(error):
            raise
        folder = re.escape(work + os.sep)
        raise type(error)(re.sub(rf"{folder}(\w+)\.\w+", r"\1", str(error))) from None


def lines_in(data: Labelled, folder: str, name: str) -> str:
    """A file with the objects, a line each."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    path = Path(folder, f"{name}.jsonl")
    with path.open("wb") as file:
        for number, record in enumerate(data):
            file.write(line_of(record, number))
    return str(path)


def config_in(spec: Spec | None, folder: str) -> list[str]:
    """The argument that names the settings."""
    if spec is None:
        return []
    path = Path(folder, "spec.toml")
    spec.save(path)
    return [f"--config={path}"]


def paths(corpus: Path_ | list[Path_]) -> list[str]:
    """One path or more."""
    return [os.fspath(path) for path in (corpus if isinstance(corpus, list) else [corpus])]
