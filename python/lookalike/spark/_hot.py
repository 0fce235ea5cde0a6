"""Hot buckets that are few enough to be handed to all tasks: a unit finds by its keys in which it is, and whom it meets there.

Of each bucket a key is known that all its members have, its digest and size, and its leaders, a row each. So its members are never rows
of a shuffle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy
import pyarrow
import pyarrow.compute as pc

from lookalike import _lookalike
from lookalike.spark._parts import PAIRS, Batches, Job, Work, rows_of, whole

# A leader of a bucket: at most so many are handed to all tasks.
HOT = "key long, digest_1 long, digest_2 long, size long, place long, unit long, rank long, sketch binary"
MOST_HOT = 200_000
# In how many of the smallest hot buckets a unit is compared, and in how many of the largest.
SMALLEST = 2
LARGEST = 2


def bucket_pairs(job: Job, units: int, leaders: int | None) -> Work:
    """The pairs of the postings of a part, and the members of its hot buckets, or only so many of each."""
    names = [name.partition(" ")[0] for name in f"{PAIRS}, {HOT}".split(", ")]

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (postings := whole(batches)) is None:
            return
        for found in _lookalike.bucket_pairs(job.stages, postings, units, leaders):
            rows = rows_of(found)
            columns = {name: rows.column(name) for name in rows.schema.names}
            if "size" in columns:
                halves = [columns[name].to_numpy() for name in ("sketch_low", "sketch_high")]
                columns["sketch"] = pyarrow.array([both.tobytes() for both in numpy.stack(halves, axis=1)], pyarrow.binary())
            nothing = {name: pyarrow.binary() if name == "sketch" else pyarrow.int64() for name in names}
            yield pyarrow.record_batch({name: columns.get(name, pyarrow.nulls(rows.num_rows, kind)) for name, kind in nothing.items()})

    return work


class Buckets:
    """Hot buckets in the order of their keys, with their leaders; of those with the same members one."""

    def __init__(self, rows: bytes) -> None:
        table = pyarrow.ipc.open_stream(rows).read_all().combine_chunks()
        of: dict[str, Any] = {name: table.column(name).to_numpy() for name in table.schema.names if name != "sketch"}
        digests = ["digest_1", "digest_2"]
        order = numpy.lexsort([of[name] for name in ("place", "key", "digest_2", "digest_1")])
        of = {name: values[order] for name, values in of.items()}
        is_new = _changes([of[name] for name in [*digests, "key"]])
        begins = numpy.flatnonzero(is_new)
        # Keys that all variants of a text have make the same bucket again and again.
        is_first = _changes([of[name][begins] for name in digests])
        counts = numpy.diff(numpy.append(begins, len(order)))
        begins, counts = begins[is_first], counts[is_first]
        by_key = numpy.argsort(of["key"][begins])
        self.begins, self.counts = begins[by_key], counts[by_key]
        self.keys, self.sizes = of["key"][self.begins], of["size"][self.begins]
        self.digests = [of[name][self.begins] for name in digests]
        self.places = numpy.empty(len(self.keys), numpy.int64)
        self.places[numpy.lexsort([*reversed(self.digests), self.sizes])] = numpy.arange(len(self.keys))
        self.units, self.ranks = of["unit"], of["rank"]
        self.sketches = table.column("sketch").combine_chunks().take(pyarrow.array(order))

    def of_units(self, keys: pyarrow.ListArray) -> tuple[Any, Any]:
        """Which of some units, by their keys, are in which buckets; those of a unit from the smallest to the largest."""
        values = keys.flatten().to_numpy()
        row = numpy.repeat(numpy.arange(len(keys)), pc.list_value_length(keys).to_numpy())
        place = numpy.minimum(numpy.searchsorted(self.keys, values), len(self.keys) - 1)
        is_there = self.keys[place] == values
        row, bucket = row[is_there], place[is_there]
        order = numpy.lexsort([self.places[bucket], row])
        row, bucket = row[order], bucket[order]
        is_new = _changes([row, bucket])
        return row[is_new], bucket[is_new]

    def leaders(self, keys: pyarrow.ListArray, ranks: Any) -> tuple[Any, Any]:
        """Which of some units meet which leaders: those of their smallest and their largest buckets that come before them."""
        row, bucket = self.of_units(keys)
        begins = numpy.flatnonzero(_changes([row]))
        counts = numpy.diff(numpy.append(begins, len(row)))
        place = numpy.arange(len(row)) - numpy.repeat(begins, counts)
        is_met = (place < SMALLEST) | (place >= numpy.repeat(counts, counts) - LARGEST)
        row, bucket = row[is_met], bucket[is_met]
        each = self.counts[bucket]
        row, first = numpy.repeat(row, each), numpy.repeat(self.begins[bucket], each)
        leader = first + numpy.arange(len(row)) - numpy.repeat(numpy.cumsum(each) - each, each)
        is_before = self.ranks[leader] < ranks[row]
        row, leader = row[is_before], leader[is_before]
        order = numpy.lexsort([self.units[leader], row])
        row, leader = row[order], leader[order]
        is_new = _changes([row, self.units[leader]])
        return row[is_new], leader[is_new]


def _changes(columns: list[Any]) -> Any:
    """Which rows differ from the one before."""
    is_new = numpy.ones(len(columns[0]), bool)
    is_new[1:] = numpy.any([column[1:] != column[:-1] for column in columns], axis=0)
    return is_new


@lru_cache(maxsize=1)
def _buckets(rows: bytes) -> Buckets:
    return Buckets(rows)


def _met(job: Job, known: Buckets, batch: pyarrow.RecordBatch) -> tuple[Any, Any]:
    """Which units of a batch meet which leaders, if that is worth a comparison."""
    row, leader = known.leaders(batch.column("keys"), batch.column("rank").to_numpy())
    if "sketch" in batch.schema.names and len(row) > 0:
        own = batch.column("sketch").take(pyarrow.array(row))
        other = known.sketches.take(pyarrow.array(leader))
        is_first = pyarrow.array(known.units[leader] < batch.column("unit").to_numpy()[row])
        sketches = pyarrow.table({"a_sketch": pc.if_else(is_first, other, own), "b_sketch": pc.if_else(is_first, own, other)})
        is_admitted = numpy.array(_lookalike.sifted(job.stages, sketches.combine_chunks()), bool)
        row, leader = row[is_admitted], leader[is_admitted]
    return row, leader


def met_leaders(job: Job, rows: bytes, carried: list[str]) -> Work:
    """Units with the leaders that they meet."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = _buckets(rows)
        for batch in batches:
            row, leader = _met(job, known, batch)
            begins = numpy.flatnonzero(_changes([row]))
            offsets = pyarrow.array(numpy.append(begins, len(row)).astype("int32"))
            lists = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(known.units[leader]))
            units = batch.select(carried).take(pyarrow.array(row[begins]))
            yield pyarrow.record_batch([*units.columns, lists], [*carried, "leaders"])

    return work


def led_pairs(job: Job, rows: bytes) -> Work:
    """The pairs of units with the leaders that they meet."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = _buckets(rows)
        for batch in batches:
            row, leader = _met(job, known, batch)
            unit, rank = (batch.column(name).to_numpy()[row] for name in ("unit", "rank"))
            is_first = known.units[leader] < unit
            columns = {}
            for name, own, other in (("", unit, known.units[leader]), ("_rank", rank, known.ranks[leader])):
                columns[f"a{name}"], columns[f"b{name}"] = numpy.where(is_first, other, own), numpy.where(is_first, own, other)
            columns = {name: columns[name] for name in ("a", "b", "a_rank", "b_rank")}
            yield pyarrow.record_batch({**columns, "unit": unit, "leader": known.units[leader]})

    return work


def members(rows: bytes) -> Work:
    """Units by the buckets that they are in, but for their leaders."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = _buckets(rows)
        place = numpy.repeat(numpy.arange(len(known.keys)), known.counts)
        first = numpy.repeat(known.begins - numpy.cumsum(known.counts) + known.counts, known.counts)
        led = (place << 32) | known.units[first + numpy.arange(len(place))]
        for batch in batches:
            row, bucket = known.of_units(batch.column("keys"))
            unit, rank = (batch.column(name).to_numpy()[row] for name in ("unit", "rank"))
            columns = {"bucket_1": known.digests[0][bucket], "bucket_2": known.digests[1][bucket], "size": known.sizes[bucket], "unit": unit, "rank": rank}
            yield pyarrow.record_batch(columns).filter(pyarrow.array(~numpy.isin((bucket << 32) | unit, led)))

    return work


def leading_units(rows: bytes) -> list[int]:
    """The units that lead any bucket."""
    return [int(unit) for unit in numpy.unique(Buckets(rows).units)]
