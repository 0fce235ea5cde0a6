"""What data can be, and how it is read: names of files, Arrow tables and frames, data sets, iterables.

Data that can be read again is read in place. Streams and iterables, which can be read once, are copied to a file in
`work_dir` first.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

from lookalike import _lookalike
from lookalike.errors import InputError, OptionError, OutputError, ResourceError


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that speaks the Arrow PyCapsule protocol."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Path_: TypeAlias = str | os.PathLike[str]
Data: TypeAlias = Path_ | Sequence[Path_] | ArrowStream | Iterable[Mapping[str, Any]] | Iterable[str]

# Kinds of Arrow data that are in memory, or in mapped files, and give the same rows as often as they are asked.
READ_AGAIN = frozenset(
    "pyarrow.Table pyarrow.RecordBatch pandas.DataFrame polars.DataFrame datasets.Dataset arro3.Table arro3.RecordBatch "
    "lookalike.Stream lookalike.ResultTable lookalike.Batch".split()
)

# How names of files that a list of names may have end.
SUFFIXES = (
    ".jsonl .ndjson .json .csv .tsv .parquet .pq .txt .md .html .htm .warc .xml .eml .mbox .gz .zst .bz2 .lz4".split()
)


class Opened:
    """Data as a run reads it: names of files, or records."""

    def __init__(self, paths: list[str] | None = None, records: _lookalike.Records | None = None) -> None:
        self.paths = paths
        self.records = records


def opened(data: Any, name: str, *, work_dir: Path_ | None, is_resumable: bool) -> Opened:
    """Looks at what the data is."""
    paths = paths_of(data)
    if paths is not None:
        return Opened(paths=paths)
    kind = library_of(data)
    if kind == "datasets":
        data = of_data_set(data)
    elif kind == "polars" and type(data).__name__ == "LazyFrame":
        raise InputError("a polars LazyFrame is not read; call .collect(), or .sink_parquet() and name the file")
    elif kind == "pandas" and type(data).__name__ == "DataFrame":
        data = of_pandas(data) if has_pyarrow() else records_of_frame(data)
    elif kind == "ray":
        raise InputError("a Ray data set is in many places; write it to Parquet and name the folder")
    if hasattr(data, "__arrow_c_stream__") and not is_column(data):
        if is_read_again(data):
            return Opened(records=_lookalike.Records.in_place(data, name, is_resumable))
        return Opened(records=_lookalike.Records.spooled(data, name, folder_of(work_dir)))
    if kind == "pyarrow" and is_column(data):
        data = (value.as_py() for value in data)
    if isinstance(data, Iterable) and not isinstance(data, (bytes, bytearray, Mapping)):
        return of_records(data, name, work_dir)
    raise InputError(
        f"data of type {type(data).__name__} is not read; give a path, a table or frame that speaks Arrow, a data set, "
        "or an iterable of dicts or strings"
    )


def paths_of(data: Any) -> list[str] | None:
    """The names, if the data is names of files."""
    if isinstance(data, (str, os.PathLike)):
        return [os.fspath(data)]
    if not isinstance(data, (list, tuple)) or not data:
        return None
    if all(isinstance(name, os.PathLike) for name in data):
        return [os.fspath(name) for name in data]
    if not all(isinstance(name, (str, os.PathLike)) for name in data):
        return None
    names = [os.fspath(name) for name in data]
    are_there = [os.path.exists(name) for name in names]
    if all(are_there) or all(looks_like_path(name) for name in names):
        return names
    if any(are_there):
        missing = names[are_there.index(False)]
        raise InputError(
            f"some of these strings are files, and {missing!r} is none; give pathlib.Path objects if they are all paths, or an "
            "iterator, iter([…]), if they are texts"
        )
    return None


def looks_like_path(text: str) -> bool:
    """Whether a string that names no file is more likely a slip in the name of one than a text."""
    return not any(character.isspace() for character in text) and text.lower().endswith(tuple(SUFFIXES))


def library_of(data: Any) -> str:
    """The package that a type is from."""
    return type(data).__module__.partition(".")[0]


def is_read_again(data: Any) -> bool:
    """Whether the data gives the same rows as often as it is asked."""
    return f"{library_of(data)}.{type(data).__name__}" in READ_AGAIN


def is_column(data: Any) -> bool:
    """Whether it is one column, which is an iterable of texts."""
    return type(data).__name__ in {"Series", "ChunkedArray", "Array", "StringArray", "LargeStringArray"}


def folder_of(work_dir: Path_ | None) -> str:
    """The folder for temporary files."""
    return os.fspath(work_dir) if work_dir is not None else tempfile.gettempdir()


def of_data_set(data: Any) -> Any:
    """A Hugging Face data set as Arrow data or an iterable of records."""
    name = type(data).__name__
    if name in {"DatasetDict", "IterableDatasetDict"}:
        splits = ", ".join(map(repr, data))
        raise InputError(f"this is a {name} with the splits {splits}; choose one of them, as in data[{next(iter(data))!r}]")
    if name != "Dataset":
        return data
    if data._indices is None:
        return data.data.table
    # Rows that were chosen or shuffled are copied in their order.
    import pyarrow

    batches = data.with_format("arrow").iter(batch_size=1000)
    pieces = (piece for table in batches for piece in table.to_batches())
    return pyarrow.RecordBatchReader.from_batches(data.data.schema, pieces)


def of_pandas(frame: Any) -> Any:
    """A frame without columns that Arrow has no form for, as those of Python objects."""
    import pyarrow

    columns, names = [], []
    for place, name in enumerate(frame.columns):
        try:
            columns.append(pyarrow.array(frame.iloc[:, place], from_pandas=True))
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, pyarrow.ArrowNotImplementedError):
            continue
        names.append(str(name))
    return pyarrow.table(columns, names=names)


def has_pyarrow() -> bool:
    """Whether pandas can give its columns as Arrow data."""
    import importlib.util

    return importlib.util.find_spec("pyarrow") is not None


def records_of_frame(frame: Any) -> Iterator[dict[str, Any]]:
    """The rows of a frame, one by one."""
    names = [str(name) for name in frame.columns]
    for row in frame.itertuples(index=False, name=None):
        yield dict(zip(names, row, strict=True))


def of_records(data: Iterable[Any], name: str, work_dir: Path_ | None) -> Opened:
    """An iterable of dicts or strings, copied to a file as lines of JSON."""
    parent = folder_of(work_dir)
    try:
        os.makedirs(parent, exist_ok=True)
        folder = tempfile.mkdtemp(prefix="lookalike-", dir=parent)
    except OSError as error:
        raise OutputError(f"cannot write a copy of the data to {parent}: {error.strerror}; name another folder with work_dir=") from error
    path = Path(folder, f"{name}.jsonl")
    result = Opened(records=_lookalike.Records.lines(path, name))
    # It goes when nobody needs it any more.
    weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    # Without a buffer of its own: what cannot be written is told here, and not when it is closed.
    with path.open("wb", buffering=0) as file:
        for piece in in_pieces(line_of(record, number) for number, record in enumerate(data)):
            left = memoryview(piece)
            while left:
                try:
                    left = left[file.write(left) :]
                except OSError as error:
                    problem = f"cannot write a copy of the data to {parent}: {error.strerror}"
                    raise ResourceError(f"{problem}; make room, or name another folder with work_dir=") from error
    return result


def in_pieces(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines, many at a time."""
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= 1 << 20:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


def line_of(record: Any, number: int) -> bytes:
    """A record as a line of JSON. What has no form in JSON is null."""
    if record is None or isinstance(record, str):
        record = {"text": record}
    elif not isinstance(record, Mapping):
        raise InputError(f"record {number + 1} is a {type(record).__name__}; records are dicts or strings")
    try:
        text = json.dumps(dict(record), ensure_ascii=False, allow_nan=False, default=plain, skipkeys=True)
    except ValueError:
        # What is not a number is null.
        text = json.dumps(without_nan(dict(record)), ensure_ascii=False, default=plain, skipkeys=True)
    # Half of a surrogate pair is no text: the record is rejected when it is read.
    return text.encode("utf-8", "surrogatepass") + b"\n"


def without_nan(value: Any) -> Any:
    """A value in which infinities and what is not a number are null, as JSON has it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: without_nan(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(inner) for inner in value]
    return value


def plain(value: Any) -> Any:
    """A value of another library as one of Python's own."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    return None


def deduplicated(data: Any, kept: _lookalike.Kept) -> Any:
    """The data without the records that do not stay, as the kind of thing that it is."""
    if paths_of(data) is not None:
        raise OptionError('of files, the clean corpus is written by the run: pass deduplicated="clean.jsonl" to it')
    library, kind = library_of(data), type(data).__name__
    check_size(data, kept)
    if library == "pandas":
        return data[mask_of(kept)]
    if library == "polars":
        import polars

        return data.filter(polars.Series("kept", kept))
    if library == "pyarrow" and kind != "RecordBatchReader":
        import pyarrow

        return data.filter(pyarrow.array(kept))
    if library == "datasets" and kind == "Dataset":
        import numpy

        return data.select(numpy.flatnonzero(mask_of(kept)))
    if library == "datasets":
        return data_set_of(chosen, data.features, data=data, kept=kept)
    if library == "numpy":
        return data[mask_of(kept)]
    if hasattr(data, "__arrow_c_stream__"):
        return like(data, _lookalike.keep_rows(data, kept))
    if isinstance(data, (list, tuple)):
        return type(data)([record for number, record in enumerate(data) if kept[number]])
    return chosen(data, kept)


def chosen(data: Iterable[Any], kept: _lookalike.Kept) -> Iterator[Any]:
    """The records that stay, one by one."""
    for number, record in enumerate(data):
        if number >= len(kept):
            raise InputError(f"there are more than {len(kept)} records, which were compared; is it the same data?")
        if kept[number]:
            yield record


def data_set_of(records: Callable[..., Iterator[Any]], features: Any = None, **given: Any) -> Any:
    """An iterable data set of records that are made as they are read. It is in one piece, so that whoever reads it goes through
    all of the data in its order, by which it is known what is said of which record."""
    import datasets

    return datasets.IterableDataset.from_generator(records, features, given)


def annotated(data: Any, annotations: _lookalike.Stream, lines: Callable[[], Iterator[dict[str, Any]]]) -> Any:
    """The data with what is said of each record: as columns, or in dicts as one field."""
    if paths_of(data) is not None:
        raise OptionError('of files, the annotated corpus is written by the run: pass annotate="annotated.jsonl" to it')
    library, kind = library_of(data), type(data).__name__
    if library == "pandas":
        import pandas
        import pyarrow

        found = pyarrow.table(annotations).to_pandas()
        found = found.rename(columns=prefixed).set_index(data.index)
        return pandas.concat([data, found], axis=1)
    if library == "polars":
        import polars

        found = polars.DataFrame(annotations)
        return data.hstack(found.rename({name: prefixed(name) for name in found.columns}))
    if library == "pyarrow" and kind in {"Table", "RecordBatch"}:
        import pyarrow

        found = pyarrow.table(annotations)
        table = data if kind == "Table" else pyarrow.Table.from_batches([data])
        for name in found.column_names:
            table = table.append_column(prefixed(name), found[name])
        return table if kind == "Table" else table.combine_chunks().to_batches()[0]
    if library == "datasets" and kind == "Dataset":
        import datasets
        import pyarrow

        found = pyarrow.table(annotations).rename_columns([prefixed(name) for name in annotations.columns])
        return datasets.concatenate_datasets([data, datasets.Dataset(datasets.table.InMemoryTable(found))], axis=1)
    if library == "datasets":
        return data_set_of(told, data=data, annotations=lines)
    if hasattr(data, "__arrow_c_stream__"):
        return like(data, with_columns(data, annotations))
    records = told(data, lines)
    return type(data)(records) if isinstance(data, (list, tuple)) else records


def told(data: Iterable[Any], annotations: Callable[[], Iterator[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """The records with what is said of each, one by one."""
    for record, said in zip(data, annotations(), strict=True):
        yield with_annotation(record, said)


def with_annotation(record: Any, said: dict[str, Any]) -> dict[str, Any]:
    """A record with a field more, as the program's `--annotate` has it."""
    return {**(record if isinstance(record, Mapping) else {"text": record}), "lookalike": said}


def with_columns(data: Any, annotations: _lookalike.Stream) -> _lookalike.Stream:
    """A stream with what is said of each row."""
    return _lookalike.add_columns(data, annotations, prefixed(""))


def prefixed(name: str) -> str:
    """The name of a column that is added."""
    return f"lookalike_{name}"


class Anew:
    """A stream that is made whenever it is asked for."""

    def __init__(self, make: Callable[[], _lookalike.Stream]) -> None:
        self._make = make

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._make().__arrow_c_stream__(requested_schema)


def like(data: Any, stream: Any) -> Any:
    """A stream as the kind of thing that the data is, where that is known; else as it is."""
    library, kind = library_of(data), type(data).__name__
    if library in {"duckdb", "_duckdb"}:
        import duckdb

        # A relation reads what it is made of as often as it is used.
        if isinstance(stream, Anew):
            return duckdb.from_arrow(stream)
        import pyarrow

        return duckdb.from_arrow(pyarrow.table(stream))
    if library == "pyarrow" and kind == "RecordBatchReader":
        import pyarrow

        return pyarrow.RecordBatchReader.from_stream(stream)
    return stream


def mask_of(kept: _lookalike.Kept) -> Any:
    """Which records stay, for numpy and pandas."""
    import numpy

    return numpy.frombuffer(kept.mask(), dtype=bool)


def check_size(data: Any, kept: _lookalike.Kept) -> None:
    """Refuses other data than was compared, as far as that can be told."""
    if hasattr(data, "__len__") and len(data) != len(kept):
        raise InputError(f"there are {len(data)} records, and {len(kept)} were compared; is it the same data?")
