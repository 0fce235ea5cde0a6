"""Candidate pairs: of units that share a key, or one of their rarest features."""

from __future__ import annotations

from typing import Any

from lookalike.errors import OptionError
from lookalike.spark import _hot, _parts
from lookalike.spark._choice import Choice
from lookalike.spark._collection import Collection
from lookalike.spark._parts import PAIRS, PREFIXES, Job
from lookalike.spark._spread import common_keys, spread
from lookalike.spark._tables import arrow_table, as_bytes, handed_to_all, in_parts

# The table by which rare features are told: at most so many bytes, which are broadcast, in blocks of so many.
MOST_SLOTS = 1 << 24
BLOCK = 1 << 20


class Candidates:
    """Pairs of units that may be similar, and buckets too large to compare in full: as they are handed to all tasks, or where they are too
    many, a row a member."""

    def __init__(self, pairs: Any, handed: bytes | None = None, hot: Any | None = None) -> None:
        self.pairs, self.handed, self.hot = pairs, handed, hot


def candidates(collection: Collection, job: Job) -> Candidates:
    """Finds them as a whole run does: exactly where that is cheap, else by keys."""
    choice = collection.choice
    return by_keys(collection, job) if choice is None or choice.floors is None else by_prefixes(collection, job, choice)


def by_keys(collection: Collection, job: Job) -> Candidates:
    """The pairs that share a key."""
    from pyspark.sql import functions as F

    postings = collection.standing("keys", "sketch")
    sketch = [F.col("sketch")] if collection.plan["sieves"] else []
    postings = postings.select(F.explode("keys").alias("key"), "unit", "rank", *sketch)
    limit = job.stages.bucket_limit(collection.count)
    common = None if limit is None else common_keys(collection, postings, limit)
    others = postings if common is None else postings.join(F.broadcast(common), "key", "left_anti")
    leaders = collection.plan["leaders"]
    found = _found(collection, job, others, leaders)
    pairs = found.filter(F.col("a").isNotNull()).select("a", "b", "a_rank", "b_rank").distinct()
    columns = [name.partition(" ")[0] for name in _hot.HOT.split(", ")]
    hot = found.filter(F.col("a").isNull()).select(*columns)
    if common is not None:
        members = spread(collection, postings.join(F.broadcast(common), "key"), "common", ["key"], once=True)
        known = collection.standing("sketch")
        hot = hot.unionByName(members.filter(F.col("place") < leaders).join(known, "unit").select(*columns))
    few = arrow_table(hot.limit(_hot.MOST_HOT + 1))
    if few.num_rows <= _hot.MOST_HOT:
        return Candidates(pairs, as_bytes(few) if few.num_rows > 0 else None)
    hot = _found(collection, job, others, None).filter(F.col("a").isNull()).select("digest_1", "digest_2", "size", "place", "unit")
    if common is not None:
        hot = hot.unionByName(members.drop("key"))
    # Keys that all variants of a text have make the same bucket again and again.
    hot = hot.dropDuplicates(["digest_1", "digest_2", "place"])
    return Candidates(pairs, hot=hot.withColumn("bucket_1", F.col("digest_1")).withColumn("bucket_2", F.col("digest_2")))


def _found(collection: Collection, job: Job, postings: Any, leaders: int | None) -> Any:
    """The pairs that share a key, and of each hot bucket so many members, or all."""
    found = in_parts(postings.repartition("key"), _hot.bucket_pairs(job, collection.count, leaders), f"{PAIRS}, {_hot.HOT}")
    return collection.tables.save("found" if leaders is not None else "found-again", found)


def by_prefixes(collection: Collection, job: Job, choice: Choice) -> Candidates:
    """The pairs that share one of their rarest features: all that are similar are among them."""
    from pyspark.sql import functions as F

    floors = choice.floors or []
    counts = _feature_counts(collection, job, sum(choice.features))
    rarest = in_parts(collection.texts(), _parts.prefixes(job, counts, floors), PREFIXES)
    postings = rarest.join(handed_to_all(collection.standing("__row"), collection.count), "__row").select("*", F.posexplode("features").alias("at", "feature"))
    place = F.element_at("places", F.col("at") + F.lit(1)).alias("place")
    postings = postings.select("unit", "rank", "probe", "feature", place, "marks")
    pairs = in_parts(postings.repartition("probe", "feature"), _parts.prefix_pairs(job, floors), PAIRS)
    return Candidates(pairs.distinct())


def _feature_counts(collection: Collection, job: Job, features: int) -> bytes:
    """About how often each of so many features occurs, a byte a slot."""
    if features > MOST_SLOTS and collection.candidates_decide:
        raise OptionError(f"there are {features} features, and keys=prefix takes at most {MOST_SLOTS} here; leave it out, or use keys=minhash")
    slots = min(MOST_SLOTS, max(1 << 10, 1 << (features - 1).bit_length()))
    block = min(slots, BLOCK)
    counted = in_parts(collection.counted_texts(), _parts.count_features(job, slots, block), "block long, counts binary")
    summed = in_parts(counted.repartition("block"), _parts.add_counts(), "block long, counts binary")
    return b"".join(bytes(row["counts"]) for row in sorted(summed.collect(), key=lambda row: row["block"]))
