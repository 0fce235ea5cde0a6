"""The five jobs."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import Any, Unpack

from lookalike import _lookalike
from lookalike._data import Data, Path_, opened
from lookalike._option_types import (
    DocumentOptions,
    MessageOptions,
    PassageOptions,
    SentenceOptions,
    ThreadOptions,
)
from lookalike._options import arguments
from lookalike._progress import Watcher, watcher
from lookalike._result import Result
from lookalike._spec import Spec
from lookalike.errors import OptionError


def documents(data: Data, threshold: float | None = None, **options: Unpack[DocumentOptions]) -> Result:
    """Finds near-duplicate documents: whole records that are alike.

    Args:
        data: A path or a list of paths; anything that speaks Arrow (`__arrow_c_stream__`: pyarrow, polars, pandas, DuckDB, …);
            a Hugging Face `Dataset` or `IterableDataset`; or an iterable of dicts or strings.
        threshold: Pairs at least this similar are duplicates; 0.8 if nothing is said.
        options: The options of the program, by the same names, and those of every call:

            - `spec`: Settings to begin with; what is given beside them wins.
            - `against`: Other data: then the data is compared with it and not with itself.
            - `out`: A folder for the result, as the program writes it, with a report. A run that was interrupted continues there.
            - `progress`: Whether to show how far the run has come, or a function that is told. By default in terminals and
              notebooks.
    """
    return job("documents", data, threshold, **options)


def threads(data: Data, threshold: float | None = None, **options: Unpack[ThreadOptions]) -> Result:
    """Finds near-duplicate threads of questions and answers, compared field by field: `fields=["title", "body", "answer"]`.

    See `documents` for the arguments.
    """
    return job("threads", data, threshold, **options)


def sentences(data: Data, threshold: float | None = None, **options: Unpack[SentenceOptions]) -> Result:
    """Finds sentences copied between articles, and what changed in the copy.

    See `documents` for the arguments.
    """
    return job("sentences", data, threshold, **options)


def passages(data: Data, threshold: float | None = None, **options: Unpack[PassageOptions]) -> Result:
    """Finds passages that documents share, and where they are in each, in characters.

    See `documents` for the arguments.
    """
    return job("passages", data, threshold, **options)


def messages(data: Data, threshold: float | None = None, **options: Unpack[MessageOptions]) -> Result:
    """Finds near-duplicate short messages: SMS, chat lines, titles.

    See `documents` for the arguments.
    """
    return job("messages", data, threshold, **options)


# What is written by runs on files alone.
OF_FILES = ("deduplicated", "annotate")


def job(
    name: str,
    data: Any,
    threshold: float | None,
    *,
    spec: Spec | None = None,
    against: Any = None,
    out: Path_ | None = None,
    progress: bool | Watcher | None = None,
    **options: Any,
) -> Result:
    """Runs a job."""
    if spec is not None and not isinstance(spec, Spec):
        raise OptionError(f"spec= is a lookalike.Spec, not {spec!r}; lookalike.Spec.load reads one from a file")
    if spec is not None and spec.job != name:
        raise OptionError(f"the spec is one of {spec.job}, not of {name}; call lookalike.{spec.job}")
    if threshold is not None:
        options["threshold"] = threshold
    with ExitStack() as stack:
        given = stack.enter_context(spec._config()) if spec is not None else []
        given = [name, *overridden(given, options), *arguments(name, options)]
        work_dir, is_resumable = options.get("work_dir"), out is not None
        read = opened(data, "data", work_dir=work_dir, is_resumable=is_resumable)
        other = None
        if against is not None:
            other = opened(against, "against", work_dir=work_dir, is_resumable=is_resumable)
            given += [f"--against={path}" for path in other.paths or ()]
        if out is not None:
            given.append(f"--out={os.fspath(out)}")
        for option in OF_FILES:
            if options.get(option) is not None and read.paths is None:
                raise OptionError(f"{option}= is for files; of other data result.{method(option)}() is the same")
        # The program needs an input, also where the records are given.
        given += ["--", *(read.paths if read.paths is not None else ["data"])]
        tell, close = watcher(progress)
        stack.callback(close)
        run = _lookalike.run(
            given,
            records=read.records,
            against=other.records if other is not None else None,
            is_temporary=out is None,
            may_number=read.records is not None and numbers(options, spec),
            progress=tell,
        )
    return Result(run, data, tuple(side for side in (read, other) if side is not None))


def method(option: str) -> str:
    """The method of a result that does the same."""
    return "deduplicated" if option == "deduplicated" else "annotated"


def numbers(options: dict[str, Any], spec: Spec | None) -> bool:
    """Whether records without ids may be numbered: where nothing is said of ids."""
    return options.get("ids") is None and options.get("id_field") is None and (spec is None or not spec.names_ids)


def overridden(config: list[str], options: dict[str, Any]) -> list[str]:
    """The settings of a spec but for those that are given."""
    names = {"--" + name.replace("_", "-") for name, value in options.items() if value is not None}
    return [argument for argument in config if argument.partition("=")[0] not in names]
