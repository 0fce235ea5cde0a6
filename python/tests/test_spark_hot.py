"""Hot buckets that are handed to all tasks: whom a unit meets there, beside a search of all buckets."""

from __future__ import annotations

import random
from typing import Any

import lookalike
import pyarrow
import pytest
from lookalike.spark import _hot
from lookalike.spark._parts import Job
from lookalike.spark._tables import as_bytes

LIMIT, LEADERS = 4, 2
COLUMNS = ["key", "digest_1", "digest_2", "size", "place", "unit", "rank", "sketch"]


@pytest.mark.parametrize("seed", range(50))
def test_a_unit_meets_the_leaders_of_its_smallest_and_largest_buckets(seed: int) -> None:
    chance = random.Random(seed)
    units = chance.randint(5, 40)
    keys = [[chance.randint(-6, 6) << 59 for _ in range(chance.randint(0, 8))] for _ in range(units)]
    ranks = chance.sample(range(units), units)
    buckets: dict[tuple[int, int, int], list[int]] = {}
    rows: list[tuple[Any, ...]] = []
    for key in sorted({key for of_unit in keys for key in of_unit}):
        members = sorted((unit for unit in range(units) if key in keys[unit]), key=lambda unit: ranks[unit])
        digest = hash(frozenset(members))
        if len(members) > LIMIT:
            buckets[len(members), digest, -digest] = members
            rows += [(key, digest, -digest, len(members), place, unit, ranks[unit], b"") for place, unit in enumerate(members[:LEADERS])]
    if not rows:
        return
    chance.shuffle(rows)
    handed = as_bytes(pyarrow.table({name: [row[place] for row in rows] for place, name in enumerate(COLUMNS)}))
    met, left = set(), set()
    for unit in range(units):
        own = [bucket for bucket in sorted(buckets) if unit in buckets[bucket]]
        for bucket in {*own[:2], *own[-2:]}:
            met |= {(unit, leader) for leader in buckets[bucket][:LEADERS] if ranks[leader] < ranks[unit]}
        left |= {(digest, other, size, unit, ranks[unit]) for size, digest, other in own if unit not in buckets[size, digest, other][:LEADERS]}
    part = chance.sample(range(units), units)
    batches = [batch_of(part[: units // 2], ranks, keys), batch_of(part[units // 2 :], ranks, keys)]
    job = Job(lookalike.Spec("documents"))
    lists = [row for batch in _hot.met_leaders(job, handed, ["unit"])(batches) for row in batch.to_pylist()]
    assert sorted((row["unit"], leader) for row in lists for leader in row["leaders"]) == sorted(met)
    pairs = [row for batch in _hot.led_pairs(job, handed)(batches) for row in batch.to_pylist()]
    assert sorted((row["unit"], row["leader"]) for row in pairs) == sorted(met)
    assert all(row["a"] < row["b"] and [ranks[row["a"]], ranks[row["b"]]] == [row["a_rank"], row["b_rank"]] for row in pairs)
    assert sorted(tuple(row.values()) for batch in _hot.members(handed)(batches) for row in batch.to_pylist()) == sorted(left)


def batch_of(units: list[int], ranks: list[int], keys: list[list[int]]) -> pyarrow.RecordBatch:
    """Units as a task has them."""
    numbers, lists = pyarrow.int64(), pyarrow.list_(pyarrow.int64())
    columns = {"unit": pyarrow.array(units, numbers), "rank": pyarrow.array([ranks[unit] for unit in units], numbers)}
    return pyarrow.record_batch({**columns, "keys": pyarrow.array([keys[unit] for unit in units], lists)})
