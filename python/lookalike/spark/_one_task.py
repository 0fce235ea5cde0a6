"""A collection that fits one task: the local engine runs there, and what it finds are the tables of the result.

A plan over frames is some twenty jobs, each of which takes Spark a good part of a second, however little there is to compute. Records are
given in the order by which plans over frames number them, each with its number as id, so what is found is the same.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import pyarrow

from lookalike._spec import Spec
from lookalike.errors import Error
from lookalike.spark._names import named
from lookalike.spark._parts import Batches, Job, Work
from lookalike.spark._records import ORDER, Records
from lookalike.spark._result import Result
from lookalike.spark._tables import in_parts

# So many bytes of what is read, and so many rows, are one task, if nothing else is said.
MOST_BYTES = 64 << 20
MOST_ROWS = 1_000_000
# What the engine takes in memory there; what does not fit is in files.
MEMORY = "256MB"
# Columns of which the numbers are ids.
IDS = frozenset(["a", "b", "id", "kept", "cluster", "members"])
# What is no part of a result as frames, or decided here.
NOT_HERE = frozenset(
    "threads memory work_dir checkpoint_every deduplicated annotate output_format with_text no_report anonymous report_limit force restart audit strict".split()
)
QUOTE = "struct<id: {id}, title: string, sentence: bigint, text: string, date: string>"
PLACE = "struct<id: {id}, begin: bigint, end: bigint, first_sentence: bigint, sentences: bigint, text: string>"
CHANGED = "array<array<string>>"
ID, NUMBER, REAL, TEXT = "{id}", "bigint", "double", "string"
PAIR = {"a": ID, "b": ID, "similarity": REAL}
CLUSTER = {"cluster": ID, "size": NUMBER, "members": "array<{id}>"}


def fits(records: Records, most: int | None) -> bool:
    """Whether the records are one task; so many bytes are at the most, if that is said, and 0 is never."""
    return records.bytes <= (MOST_BYTES if most is None else most) and records.count <= MOST_ROWS and most != 0


def shapes(plan: dict[str, Any]) -> dict[str, dict[str, str]]:
    """The tables of a job, and the types of their columns."""
    if plan["split"] == "sentences":
        said = {"edit_similarity": REAL, "kind": TEXT, "confidence": REAL, "changed": CHANGED}
        return {
            "pairs": {"a": QUOTE, "b": QUOTE, "similarity": REAL, **said},
            "clusters": {"cluster": ID, "sentence": NUMBER, "size": NUMBER, "members": f"array<{QUOTE}>"},
            "articles": {"a": ID, "b": ID, "title_a": TEXT, "title_b": TEXT, "shared_sentences": NUMBER, "chain": NUMBER},
        }
    if plan["split"] == "pages":
        return {
            "pairs": {**PAIR, "covered_a": REAL, "covered_b": REAL, "relation": TEXT, "passages": NUMBER, "group": TEXT},
            "clusters": {**CLUSTER, "relation": TEXT},
            "passages": {"a": PLACE, "b": PLACE, "sentences": NUMBER, "similarity": REAL},
        }
    details = {"fields": "map<string, double>", "more": TEXT} if plan["compares_fields"] else {}
    if plan["tells_differences"]:
        details |= {"kind": TEXT, "changed": CHANGED}
    return {"pairs": {**PAIR, **details}, "clusters": CLUSTER, "removed": {"id": ID, "kept": ID, "similarity": REAL}}


def in_one_task(records: Records, job: Job) -> Result:
    """Runs a job in one task."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    plan = records.plan
    types = {field.name: field.dataType.simpleString() for field in records.frame.schema.fields}
    id_type = "string" if records.some_repeat else types["__id"]
    read = [F.col(name) for name in records.read]
    # What plans over frames take for empty where it is not there, the engine asks for.
    asked = [tomllib.loads(job.spec.to_toml()).get("input", {}).get("source-field")]
    if plan["split"] == "sentences":
        asked += [plan["sentences"][name] for name in ("title_field", "date_field", "reference_field")]
    read += [records.said(name, name) for name in dict.fromkeys(asked) if name is not None and name not in records.read]
    # A number is what sorts them: Sail leaves out an order that nothing asks for.
    number = F.row_number().over(Window.orderBy(*ORDER)).cast("long") - F.lit(1)
    named_records = named(records.frame.select(*read, *ORDER, "__id"), ORDER, records.some_repeat, "__id")
    in_order = named_records.coalesce(1).withColumn("__unit", number)
    tables = shapes(plan)
    schema = "number long, __row long, table string"
    for name, columns in tables.items():
        schema += f", {name} struct<{', '.join(f'{column}: {kind.format(id=id_type)}' for column, kind in columns.items())}>"
    work = whole_job(_deciding(job.spec), {name: list(columns) for name, columns in tables.items()}, cores(records.tables.session))
    found = records.tables.save("found", in_parts(in_order.drop("__order", "__tie"), work, schema))

    def listed(name: str) -> Any:
        return found.filter(F.col("table") == name).coalesce(1).orderBy("number").select(f"{name}.*")

    def kept() -> Any:
        gone = found.filter(F.col("table") == "removed").select("__row")
        return records.frame.join(gone, "__row", "left_anti").select(*records.columns)

    frames: dict[str, Callable[[], Any]] = {name: partial(listed, name) for name in tables}
    if "removed" in tables:
        frames["kept"] = kept
    return Result(records.tables, **frames)


def _deciding(spec: Spec) -> Spec:
    """The settings that decide what is found."""
    if not NOT_HERE & set(spec._options):
        return spec
    return Spec(spec.job, **{name: value for name, value in spec._options.items() if name not in NOT_HERE})


def cores(session: Any) -> int:
    """On how many cores the one task may compute: those that every task has; where all of Spark is one process, all that it was given, as nothing
    else of the job runs meanwhile."""
    of_task = int(session.conf.get("spark.task.cpus", "1"))
    local = re.fullmatch(r"local\[(\d+|\*)(?:,.*)?\]", session.conf.get("spark.master", "") or "")
    if local is None:
        return of_task
    return max(of_task, (os.cpu_count() or 1) if local[1] == "*" else int(local[1]))


def whole_job(spec: Spec, tables: dict[str, list[str]], threads: int) -> Work:
    """The tables of a job, with these columns, over all records, which come in their order, on so many threads."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        from lookalike._jobs import job

        given = Given(batches)
        if (reader := given.reader()) is None:
            return
        result = job(spec.job, reader, None, spec=spec, id_field="__unit", threads=threads, memory=MEMORY, progress=False)
        rows, ids = given.rows(), given.names()
        readers = {name: pyarrow.RecordBatchReader.from_stream(result.table(name)) for name in tables}
        types = {name: pyarrow.struct([_retyped(reader.schema.field(column), ids.type) for column in tables[name]]) for name, reader in readers.items()}
        for name, reader in readers.items():
            number = 0
            for batch in reader:
                size = batch.num_rows
                columns = {other: pyarrow.nulls(size, kind) for other, kind in types.items()}
                columns[name] = pyarrow.StructArray.from_arrays([_named(batch.column(column), column, ids) for column in tables[name]], fields=list(types[name]))
                handles = rows.take(batch.column("id")) if name == "removed" else pyarrow.nulls(size, pyarrow.int64())
                numbers = pyarrow.array(range(number, number + size), pyarrow.int64())
                yield pyarrow.record_batch({"number": numbers, "__row": handles, "table": pyarrow.array([name] * size), **columns})
                number += size

    return work


class Given:
    """Records as they come, numbered from 0 (`__unit`); what is known of them beside is kept."""

    def __init__(self, batches: Batches) -> None:
        self._batches = iter(batches)
        self._rows: list[pyarrow.Array] = []
        self._ids: list[pyarrow.Array] = []

    def reader(self) -> pyarrow.RecordBatchReader | None:
        """The records as a stream; none if there are none."""
        records = self._records()
        first = next(records, None)
        return None if first is None else pyarrow.RecordBatchReader.from_batches(first.schema, chain([first], records))

    def _records(self) -> Iterator[pyarrow.RecordBatch]:
        number = 0
        for batch in self._batches:
            if not batch.column("__unit").equals(pyarrow.array(range(number, number + batch.num_rows), pyarrow.int64())):
                raise Error("records are not in the order of their numbers; please report this")
            number += batch.num_rows
            self._rows.append(batch.column("__row"))
            self._ids.append(batch.column("__id"))
            yield batch.select([name for name in batch.schema.names if name not in ("__row", "__id")])

    def rows(self) -> pyarrow.Array:
        """The handles of the records, by their numbers."""
        return pyarrow.chunked_array(self._rows).combine_chunks()

    def names(self) -> pyarrow.Array:
        """The ids of the records, by their numbers."""
        return pyarrow.chunked_array(self._ids).combine_chunks()


def _retyped(field: pyarrow.Field, ids: pyarrow.DataType) -> pyarrow.Field:
    """A column with the ids of the frame in place of numbers."""
    return pyarrow.field(field.name, _retype(field.type, field.name, ids))


def _retype(kind: pyarrow.DataType, name: str, ids: pyarrow.DataType) -> pyarrow.DataType:
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct([_retyped(field, ids) for field in kind])
    if pyarrow.types.is_list(kind):
        return pyarrow.list_(_retype(kind.value_type, name, ids))
    return ids if name in IDS else kind


def _named(values: pyarrow.Array, name: str, ids: pyarrow.Array) -> pyarrow.Array:
    """The values of a column with the ids of the frame in place of numbers."""
    if pyarrow.types.is_struct(values.type):
        fields = [_named(values.field(place), field.name, ids) for place, field in enumerate(values.type)]
        return pyarrow.StructArray.from_arrays(fields, fields=list(_retype(values.type, name, ids.type)))
    if pyarrow.types.is_list(values.type) and (name in IDS):
        return pyarrow.ListArray.from_arrays(values.offsets, _named(values.values, name, ids))
    return ids.take(values) if name in IDS else values
