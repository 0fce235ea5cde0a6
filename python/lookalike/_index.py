"""The index on disk: what have we seen before?"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from lookalike import _lookalike
from lookalike._data import Data, Path_, line_of, opened
from lookalike._spec import Spec
from lookalike.errors import InputError, OptionError


class Index:
    """Texts on disk, found again by what is similar to them. One process writes at a time; `with` closes it.

    ```python
    with lookalike.Index.create("seen", threshold=0.8) as index:
        index.add(frame, label="news")
        index.check("The text of a new article …")
    ```
    """

    def __init__(self, index: _lookalike.Index, folder: Path) -> None:
        self._index = index
        self._folder = folder

    @classmethod
    def create(
        cls, folder: Path_, spec: Spec | None = None, *, lexicon: Path_ | None = None, sample: Data | None = None, **options: Any
    ) -> Self:
        """Makes an index in a folder that is not there yet.

        Args:
            folder: Where it is.
            spec: The settings that decide what is similar, for ever.
            lexicon: Where words must be known to be rare or common (`messages`, I-Match): a file that `lookalike lexicon build` wrote,
            sample: or texts like those that will be added, in which they are counted.
            options: Options of the job instead of a spec, with `job="messages"` for another than `documents`.
        """
        if spec is not None and options:
            raise OptionError("give a spec or options, not both")
        if spec is None:
            spec = Spec(**{"job": "documents", **options})
        try:
            words = Path(lexicon).read_bytes() if lexicon is not None else None
        except OSError as error:
            raise InputError(f"cannot read {lexicon}: {error.strerror}") from error
        texts = None if sample is None else opened(sample, "sample", work_dir=None, is_resumable=False)
        counted = None if texts is None else (texts.records, texts.paths or [])
        with spec._config() as config:
            made = _lookalike.Index.create(folder, [spec.job, *config, "--", "data"], words, counted)
        return cls(made, Path(folder))

    @classmethod
    def open(cls, folder: Path_) -> Self:
        """An index that is there."""
        return cls(_lookalike.Index.open(folder), Path(folder))

    def add(self, data: Data, *, label: str | None = None, expires: float | None = None, work_dir: Path_ | None = None) -> dict[str, Any]:
        """Adds records; one whose id is there already replaces it.

        Args:
            data: As of the jobs.
            label: A label of these texts, by which they can be looked up and removed.
            expires: After so many seconds they do not match any more.
            work_dir: A folder for copies of data that can be read once.

        Returns:
            How many were added, replaced, rejected.
        """
        read = opened(data, "data", work_dir=work_dir, is_resumable=False)
        if expires is not None and expires < 0:
            raise OptionError(f"expires={expires!r} is in the past; it is a number of seconds from now on")
        seconds = None if expires is None else int(expires)
        added = self._index.add(read.records, read.paths or [], label, seconds, read.records is not None)
        return dict(json.loads(added))

    def check(self, text: str | Mapping[str, Any], *, top: int = 10, label: str | None = None) -> list[dict[str, Any]]:
        """What is similar to a text, or to a dict with the fields that the settings name, the most similar first."""
        return self._matches(text, top, label, explain=False)

    def explain(self, text: str | Mapping[str, Any], *, top: int = 10, label: str | None = None) -> list[dict[str, Any]]:
        """The same, each with what matched (`explanation`)."""
        return self._matches(text, top, label, explain=True)

    def _matches(self, text: Any, top: int, label: str | None, explain: bool) -> list[dict[str, Any]]:
        if not isinstance(text, (str, Mapping)):
            raise InputError(f"a {type(text).__name__} is no text; give a string, or a dict of fields")
        if top < 0:
            raise OptionError(f"top={top!r} is not a number from 0 on")
        given = json.dumps(text) if isinstance(text, str) else line_of(text, 0).decode()
        return list(json.loads(self._index.check(given, top, label, explain))["matches"])

    def remove(self, ids: str | int | Iterable[str | int] = (), *, label: str | None = None) -> int:
        """Removes records by their ids, or all under a label; returns how many."""
        names = [ids] if isinstance(ids, (str, int)) else ids
        removed = self._index.remove([json.dumps(name) for name in names])
        return removed + (self._index.remove_label(label) if label is not None else 0)

    def merge(self, other: Index | Path_) -> dict[str, Any]:
        """Adds all of another index with the same settings."""
        if isinstance(other, Index):
            raise OptionError("an index that is open to be written cannot be read by another; close it and give its folder")
        return dict(json.loads(self._index.merge(os.fspath(other))))

    def compact(self) -> dict[str, Any]:
        """Gives back the room of what was removed or is expired."""
        return dict(json.loads(self._index.compact()))

    def stats(self) -> dict[str, Any]:
        """How many texts there are, and how large it is."""
        return dict(json.loads(self._index.stats()))

    @property
    def folder(self) -> Path:
        """Where it is."""
        return self._folder

    @property
    def settings(self) -> str:
        """The settings that it was made with, as TOML."""
        return self._index.settings()

    def close(self) -> None:
        """Frees the index for others. What was added is there."""
        self._index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._index)

    def __contains__(self, name: str | int) -> bool:
        return self._index.contains(json.dumps(name))

    def __repr__(self) -> str:
        return f"<Index {str(self._folder)!r}>"
