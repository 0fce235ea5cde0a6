"""Buckets so large that their members do not pass through one task: their sizes, digests and the places of their units are sums.

A key that very many units have is found in a sample of these and then counted. One that the sample misses is a bucket as any other, in
one task: that takes longer, and comes to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lookalike.spark import _parts
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._numbers import Ranges
from lookalike.spark._tables import in_parts

# The members of a bucket of more units are spread over tasks.
SPREAD = 1_000_000
# About so many members of the smallest such bucket are in a sample, and at least this share of them in nearly every one.
SAMPLED = 64
SHARE = 0.25
TOP_BIT = -(1 << 63)


def spread_from(collection: Collection, limit: int) -> int:
    """Above how many units a bucket is spread: it is hot without a look at its units."""
    return max(SPREAD, limit * int(collection.plan["worth_looking"]) if collection.plan["sieves"] else limit)


def common_keys(collection: Collection, postings: Any, limit: int) -> Any | None:
    """The keys that very many units have: at most a hundred-thousandth of all postings, so they can be handed to all tasks."""
    from pyspark.sql import functions as F

    many = spread_from(collection, limit)
    if collection.count <= many:
        return None
    one_of = max(1, many // SAMPLED)
    sample = postings.filter(F.pmod(F.xxhash64("unit"), F.lit(one_of)) == 0).groupBy("key").agg(F.count("*").alias("units"))
    seen = sample.filter(F.col("units") >= F.lit(SHARE * many / one_of)).select("key")
    counted = postings.join(F.broadcast(seen), "key").groupBy("key").agg(F.count("*").alias("units"))
    keys = collection.tables.save("common-keys", counted.filter(F.col("units") > F.lit(many)).select("key"))
    return None if keys.isEmpty() else keys


def spread(collection: Collection, members: Any, name: str, bucket: Sequence[str], once: bool) -> Any:
    """The members of buckets, told apart by some columns, with their digests, sizes and places in the order of rank; of those with the same
    members perhaps one only."""
    from pyspark.sql import functions as F

    members = members.select(*bucket, "unit", "rank")
    members = collection.tables.save(f"{name}-members", in_parts(members, _parts.unit_digests(), f"{columns_of(members, members.columns)}, digest_1 long, digest_2 long"))
    sums = members.groupBy(*bucket).agg(
        F.bit_xor("digest_1").bitwiseXOR(F.lit(TOP_BIT)).alias("digest_1"),
        F.bit_xor("digest_2").bitwiseXOR(F.lit(TOP_BIT)).alias("digest_2"),
        F.count("*").alias("size"),
    )
    sums = sums.filter(F.col("size") > 1)
    if once:
        sums = sums.groupBy("digest_1", "digest_2", "size").agg(F.min(F.struct(*bucket)).alias("bucket"))
        sums = sums.select(*[F.col(f"bucket.{column}").alias(column) for column in bucket], "digest_1", "digest_2", "size")
    sums = collection.tables.save(f"{name}-sums", sums)
    members = members.select(*bucket, "unit", "rank").join(F.broadcast(sums.select(*bucket)), list(bucket), "left_semi")
    ranges = Ranges(members, [*bucket, "rank"], members.count())
    numbered = ranges.number(collection.tables.save(f"{name}-numbered", ranges.numbered(members)), "number")
    begins = numbered.groupBy(*bucket).agg(F.min("number").alias("begin"))
    known = F.broadcast(sums.join(begins, list(bucket)))
    placed = numbered.join(known, list(bucket)).withColumn("place", F.col("number") - F.col("begin"))
    return placed.select(*bucket, "digest_1", "digest_2", "size", "place", "unit")
