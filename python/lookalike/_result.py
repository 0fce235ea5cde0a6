"""What a run found."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookalike import _data, _lookalike
from lookalike.errors import InputError, OptionError

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

# Of long texts, so many words are shown around what differs.
WORDS_AROUND = 6
WORDS_SHOWN = 24

# A word with the space after it; an ideograph is a word.
WORDS = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]\s*|[^\s\u2e80-\u9fff\uf900-\ufaff]+\s*")


class ResultTable:
    """A table of a result. It exports `__arrow_c_stream__`, reads its rows when it is asked for them, and holds none."""

    def __init__(self, run: _lookalike.Run, name: str, stream: _lookalike.Stream) -> None:
        self._run = run
        self._name = name
        self._stream = stream

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._stream.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        return self._stream.__arrow_c_schema__()

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._stream.columns

    def __len__(self) -> int:
        lines = self._lines()
        with lines.open("rb") as file:
            return sum(piece.count(b"\n") for piece in iter(lambda: file.read(1 << 20), b""))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dicts, as the program writes them."""
        with self._lines().open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def _lines(self) -> Path:
        lines = self._run.lines(self._name)
        if lines is None:
            raise InputError(f"the result has no table {self._name} any more")
        return Path(lines)

    def to_arrow(self) -> pyarrow.Table:
        """As a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """As a `pandas.DataFrame`."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """As a `polars.DataFrame`."""
        import polars

        return polars.DataFrame(self)

    def __repr__(self) -> str:
        return f"<{self._name}: {len(self):,} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        rows = [row for row, _ in zip(self, range(10), strict=False)]
        cells = [[cell_of(row.get(column)) for column in self.columns] for row in rows]
        head = "".join(f"<th>{escape(column)}</th>" for column in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in cells)
        caption = f"<p>{escape(self._name)}: {len(self):,} rows</p>"
        return f"{caption}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def cell_of(value: Any) -> str:
    """A value of a row as a cell."""
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return escape(text if len(text) <= 80 else text[:79] + "…")


class Result:
    """What a run found: tables, a summary, and the data without what was removed.

    A result without `out=` lies in a temporary folder, which goes with the object.
    """

    def __init__(self, run: _lookalike.Run, data: Any = None, opened: tuple[_data.Opened, ...] = ()) -> None:
        self._run = run
        self._data = data
        self._opened = opened
        self._summary: dict[str, Any] = json.loads(run.summary())
        self._shown: dict[str, list[dict[str, Any]]] | None = None

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Result:
        """The result in a folder that the program, or a run with `out=`, wrote."""
        return cls(_lookalike.Run.open(folder))

    @property
    def folder(self) -> Path:
        """Where the result is: the files that the program writes."""
        return Path(self._run.folder)

    @property
    def summary(self) -> dict[str, Any]:
        """Counts, parameters, the stated recall, seconds: what the program writes as `summary.json`."""
        return self._summary

    @property
    def job(self) -> str:
        """The name of the job."""
        return str(self._summary["parameters"]["job"])

    def table(self, name: str) -> ResultTable:
        """A table by its name."""
        stream = self._run.table(name)
        if stream is None:
            there = [other for other in TABLES if self._run.lines(other) is not None]
            raise OptionError(f"{self.job} has no table {name}; it has {', '.join(there)}")
        return ResultTable(self._run, name, stream)

    @property
    def pairs(self) -> ResultTable:
        """Which two are alike, and how much."""
        return self.table("pairs")

    @property
    def clusters(self) -> ResultTable:
        """What belongs together."""
        return self.table("clusters")

    @property
    def removed(self) -> ResultTable:
        """What is removed, with what is kept for it."""
        return self.table("removed")

    @property
    def passages(self) -> ResultTable:
        """Of `passages`: where two documents have parts in common."""
        return self.table("passages")

    @property
    def articles(self) -> ResultTable:
        """Of `sentences`: which articles have sentences in common."""
        return self.table("articles")

    @property
    def templates(self) -> ResultTable:
        """Of `messages`: what the members of a cluster have in common, and in what they differ."""
        return self.table("templates")

    @property
    def suggestions(self) -> ResultTable:
        """Of `threads` with `top=`: what is most similar to each."""
        return self.table("suggestions")

    @property
    def audited(self) -> ResultTable:
        """With `audit=`: pairs that an exhaustive comparison saw and that are not listed."""
        return self.table("audited")

    @property
    def records(self) -> ResultTable:
        """The records in pairs: their order, place, length and what they are ranked by."""
        return self.table("records")

    @property
    def repeated(self) -> ResultTable:
        """Records whose id was there before, with the name they have here."""
        return self.table("repeated")

    @property
    def rejected(self) -> ResultTable:
        """What could not be used, and why."""
        return self.table("rejected")

    def deduplicated(self, data: Any = None) -> Any:
        """The data without what was removed, as the kind of thing that it is, every column kept.

        Without `data`, that which was compared. Streams and iterables that could be read once come from the copy of the run
        where there is one, as a stream; give an iterable again to have its own records.
        """
        kept = self._run.kept
        if kept is None:
            return self._without_bits(data)
        copy = self._copy() if data is None or data is self._data else None
        if copy is not None:
            return _data.like(self._data, _data.Anew(lambda: _lookalike.keep_rows(copy, kept)))
        return _data.deduplicated(self._data if data is None else data, kept)

    def annotated(self, data: Any = None) -> Any:
        """All of the data, each record with its cluster, whether it is kept, and for which it is not.

        Tables and frames get the columns `lookalike_cluster`, `_size`, `_kept`, `_of` and `_similarity`, dicts one field
        `lookalike` with the same.
        """
        if self._run.kept is None:
            return self._without_bits(data)
        copy = self._copy() if data is None or data is self._data else None
        if copy is not None:
            run = self._run
            return _data.like(self._data, _data.Anew(lambda: _data.with_columns(copy, run.annotations())))
        return _data.annotated(self._data if data is None else data, self._run.annotations(), Said(self._run))

    def _without_bits(self, data: Any) -> Any:
        """Says why it is not known which records stay."""
        if self._data is not None and _data.paths_of(self._data) is not None:
            return _data.deduplicated(self._data if data is None else data, None)  # type: ignore[arg-type]
        if "removed" not in [name for name in TABLES if self._run.lines(name) is not None]:
            raise OptionError(f"{self.job} removes nothing, so there is no data without what was removed")
        raise OptionError("which records of which data were removed is not known of a result that was opened; run again")

    def _copy(self) -> _lookalike.Stream | None:
        """The copy of data that could be read once, and was; none of data that can be read again."""
        if self._data is None or not _is_spent(self._data):
            return None
        records = self._run.records
        stream = records.stream() if records is not None else None
        if stream is None:
            raise InputError("an iterable that was read is empty now; give it again: deduplicated(data)")
        return stream

    def __repr__(self) -> str:
        counts = self._summary["counts"]
        lines = [f"<lookalike {self.job}: {headline(counts, self.job)}>"]
        for title, pairs in self._samples().items():
            for pair in pairs:
                lines.append(f"  {title} {pair['similarity']:.3f}  {pair['a']['id']!s} – {pair['b']['id']!s}")
                lines += [f"    {line}" for line in differences(pair, "[-", "-]", "{+", "+}")]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = [f"<p><b>lookalike {escape(self.job)}</b>: {escape(headline(self._summary['counts'], self.job))}</p>"]
        rows = []
        for title, pairs in self._samples().items():
            for pair in pairs:
                text = "<br>".join(differences(pair, "<del>", "</del>", "<ins>", "</ins>", escape=escape))
                ids = f"{escape(str(pair['a']['id']))} – {escape(str(pair['b']['id']))}"
                rows.append(f"<tr><td>{title}</td><td>{pair['similarity']:.3f}</td><td>{ids}</td><td>{text}</td></tr>")
        if rows:
            parts.append(f"<table><tbody>{''.join(rows)}</tbody></table>")
        return "".join(parts)

    def _samples(self) -> dict[str, list[dict[str, Any]]]:
        if self._shown is None:
            self._shown = json.loads(self._run.samples(2))
        return self._shown or {}


class Said:
    """What is said of each record, from the first on whenever it is called. In another process it is read from the same folder."""

    def __init__(self, run: _lookalike.Run) -> None:
        self._run = run

    def __call__(self) -> Iterator[dict[str, Any]]:
        return map(json.loads, self._run.said())

    def __reduce__(self) -> tuple[Any, ...]:
        return said_in, (os.fspath(self._run.folder),)


def said_in(folder: str) -> Said:
    """What is said of the records of a result in a folder."""
    return Said(_lookalike.Run.open(folder))


TABLES = "pairs clusters removed templates suggestions passages articles audited records repeated rejected".split()


def _is_spent(data: Any) -> bool:
    """Whether the data could be read once, and was."""
    if hasattr(data, "__arrow_c_stream__"):
        # A relation of DuckDB runs its query again, which may give rows in another order.
        return not (_data.is_read_again(data) or _data.is_column(data))
    return hasattr(data, "__next__")


def counted(number: int, things: str) -> str:
    """So many things."""
    return f"{number:,} {things if number != 1 else things.removesuffix('s')}"


def headline(counts: dict[str, Any], job: str) -> str:
    """A result in one line."""
    records, pairs, clusters = (counted(counts[name], name) for name in ("records", "pairs", "clusters"))
    words = f"{records}, {pairs} in {clusters}"
    if job not in {"sentences", "passages"}:
        words += f", {counts['removed']:,} removed ({100 * counts['removed_share']:.1f} %), {counts['kept']:,} kept"
    if counts["rejected"]:
        words += f", {counts['rejected']:,} rejected"
    return words


def differences(pair: dict[str, Any], *marks: str, escape: Any = str) -> list[str]:
    """What differs between the texts of a pair, in one line; none where they are not known."""
    a, b = pair["a"]["text"], pair["b"]["text"]
    if a is None or b is None:
        return []
    before, after = WORDS.findall(a), WORDS.findall(b)
    # Of long texts only the first words are compared, which takes the square of their number.
    before, after = before[:2000], after[:2000]
    pieces: list[str] = []
    shown = 0
    for tag, i, j, k, m in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            words = before[i:j]
            if len(words) > 2 * WORDS_AROUND:
                words = [*words[:WORDS_AROUND], "… ", *words[-WORDS_AROUND:]]
            pieces += [escape(word) for word in words]
            continue
        if i < j:
            pieces.append(f"{marks[0]}{escape(''.join(before[i:j][:WORDS_SHOWN]).strip())}{marks[1]} ")
        if k < m:
            pieces.append(f"{marks[2]}{escape(''.join(after[k:m][:WORDS_SHOWN]).strip())}{marks[3]} ")
        shown += 1
        if shown == 4:
            pieces.append("…")
            break
    return [" ".join("".join(pieces).split())]
