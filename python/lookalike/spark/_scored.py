"""Candidate pairs scored exactly, and hot buckets in rounds."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts
from lookalike.spark._clusters import taken
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._pairs import Candidates
from lookalike.spark._parts import BUCKETS, PAIRS, SCORED, Job
from lookalike.spark._spread import spread, spread_from
from lookalike.spark._tables import in_parts

# A unit in more pairs is brought to several tasks.
HEAVY = 20_000
# So many members of a hot bucket meet its leaders in one task.
LED = 20_000
# So many rows of a few numbers are handed to all tasks at the most.
BROADCAST = 1_000_000
# In how many of the smallest hot buckets a unit is compared, and in how many of the largest.
SMALLEST = 2
LARGEST = 2


def scored(collection: Collection, job: Job, candidates: Candidates) -> Any:
    """The pairs that reach the threshold, as a table."""
    return Scoring(collection, job, candidates).all()


class Scoring:
    """Scores the pairs of a collection, round by round."""

    def __init__(self, collection: Collection, job: Job, candidates: Candidates) -> None:
        self.collection, self.job, self.tables = collection, job, collection.tables
        self.limit = job.stages.bucket_limit(collection.count)
        self.pairs, self.hot = candidates.pairs, candidates.hot

    def all(self) -> Any:
        """All rounds: the pairs of ordinary buckets and of leaders, then what these did not take."""
        from pyspark.sql import functions as F

        pairs, hot = self.proposed()
        pairs = self.tables.save("pairs-0", pairs)
        units = pairs.select(F.col("a").alias("unit")).union(pairs.select(F.col("b").alias("unit")))
        if hot is not None:
            units = units.union(hot.select("unit"))
        self.kept = self._kept(units.distinct())
        scored = [self._score(pairs, 0)]
        for round_ in range(self.collection.plan["rounds"]):
            if hot is None:
                break
            all_pairs = scored[0]
            for more in scored[1:]:
                all_pairs = all_pairs.unionByName(more)
            remaining = self._remaining(hot, all_pairs, round_)
            hot = self.tables.save(f"hot-{round_ + 1}", remaining)
            if hot.isEmpty():
                break
            pairs = self.tables.save(f"pairs-{round_ + 1}", self._led(hot).distinct())
            scored.append(self._score(pairs, round_ + 1))
        all_pairs = scored[0]
        for more in scored[1:]:
            all_pairs = all_pairs.unionByName(more)
        return self.tables.save("scored", all_pairs.dropDuplicates(["a", "b"])) if len(scored) > 1 else all_pairs

    def proposed(self) -> tuple[Any, Any | None]:
        """The pairs of the first round, and the members of hot buckets, if there are any."""
        if self.hot is None or self.limit is None:
            return self.pairs, None
        hot = self.tables.save("hot-0", self._with_ranks(self.hot))
        return (self.pairs, None) if hot.isEmpty() else (self.pairs.unionByName(self._led(hot)).distinct(), hot)

    def _with_ranks(self, hot: Any) -> Any:
        sketch = ["sketch"] if self.collection.plan["sieves"] else []
        return hot.join(self.collection.standing(*sketch), "unit")

    def _led(self, hot: Any) -> Any:
        """The pairs of the leaders of buckets with the units that are compared in these: those that have them among their
        smallest or their largest."""
        from pyspark.sql import Window
        from pyspark.sql import functions as F

        by_size = ["size", "digest_1", "digest_2", "bucket_1", "bucket_2"]
        of_unit = Window.partitionBy("unit")
        smallest = F.row_number().over(of_unit.orderBy(*[F.col(name).asc() for name in by_size]))
        largest = F.row_number().over(of_unit.orderBy(*[F.col(name).desc() for name in by_size]))
        compared = hot.withColumn("__smallest", smallest).withColumn("__largest", largest)
        compared = compared.filter((F.col("__smallest") <= SMALLEST) | (F.col("__largest") <= LARGEST))
        leads = (F.col("place") < self.collection.plan["leaders"]) | (F.col("size") <= F.lit(self.limit))
        sketch = ["sketch"] if self.collection.plan["sieves"] else []
        # The leaders meet the members of a bucket in as many tasks as it has parts.
        parts = F.explode(F.sequence(F.lit(0).cast("long"), F.floor((F.col("size") - F.lit(1)) / F.lit(LED)).cast("long")))
        leaders = hot.filter(leads).withColumn("__part", parts)
        leaders = leaders.select("bucket_1", "bucket_2", "__part", *[F.col(name).alias(f"leader_{name}") for name in ["unit", "rank", "place", *sketch]])
        compared = compared.withColumn("__part", F.floor(F.col("place") / F.lit(LED)).cast("long"))
        met = compared.join(leaders, ["bucket_1", "bucket_2", "__part"]).filter(F.col("leader_place") < F.col("place"))
        is_first = F.col("leader_unit") < F.col("unit")

        def side(name: str, of_first: bool) -> Any:
            leader, other = F.col(f"leader_{name}"), F.col(name)
            return F.when(is_first == F.lit(of_first), leader).otherwise(other)

        columns = [side("unit", True).alias("a"), side("unit", False).alias("b")]
        columns += [side("rank", True).alias("a_rank"), side("rank", False).alias("b_rank")]
        if not sketch:
            return met.select(*columns)
        columns += [side("sketch", True).alias("a_sketch"), side("sketch", False).alias("b_sketch")]
        return in_parts(met.select(*columns), _parts.sift(self.job), PAIRS)

    def _remaining(self, hot: Any, scored: Any, round_: int) -> Any:
        """What is neither taken by what is known so far nor was a leader, bucket by bucket."""
        from pyspark.sql import functions as F

        links = scored.filter(F.col("may_take"))
        links = links.select(F.least("a_rank", "b_rank").alias("first"), F.greatest("a_rank", "b_rank").alias("second"), "similarity")
        gone = taken(links, self.tables, f"round-{round_}").select(F.col("second").alias("rank")).distinct()
        left = hot.filter((F.col("size") > F.lit(self.limit)) & (F.col("place") >= self.collection.plan["leaders"]))
        left = left.join(gone, "rank", "left_anti")
        large = F.col("size") > F.lit(spread_from(self.collection, self.limit or 0))
        bucket = ["bucket_1", "bucket_2"]
        small = left.filter(~large).select(*bucket, "unit", "rank")
        again = in_parts(small.repartition(*bucket), _parts.buckets_again(), f"{BUCKETS}, bucket_1 long, bucket_2 long")
        if not left.filter(large).isEmpty():
            again = again.unionByName(spread(self.collection, left.filter(large), f"round-{round_}", bucket, once=False))
        return self._with_ranks(again)

    def _kept(self, units: Any) -> Any:
        """What the measure keeps of units."""
        from pyspark.sql import functions as F

        known = ["unit", "keep_per", *self.collection.looked_at]
        wanted = units.join(self.collection.standing("__row", "keep_per", *self.collection.looked_at), "unit")
        wanted = self.tables.save("wanted", wanted.select("__row", *known))
        # A field may have any name, but none that begins like these.
        carried = [f"__of_{name}" for name in known]
        wanted = wanted.select("__row", *[F.col(name).alias(f"__of_{name}") for name in known])
        # The texts are much more: they stay where they are.
        wanted = F.broadcast(wanted) if wanted.count() <= BROADCAST else wanted
        texts = self.collection.texts().join(wanted, "__row").drop("__row")
        schema = columns_of(texts, carried) + ", kept binary" + (", texts array<string>" if self.collection.plan["tells_differences"] else "")
        kept = in_parts(texts, _parts.keep(self.job, carried), schema)
        return self.tables.save("kept", kept.select(*[F.col(f"__of_{name}").alias(name) for name in known], *kept.columns[len(known) :]))

    def _score(self, pairs: Any, round_: int) -> Any:
        """The pairs that reach the threshold, and whether one of their units may take the other."""
        from pyspark.sql import functions as F

        both = self.collection.admitted(beside(pairs, self.kept))
        may_take = (F.col("a_keep_per") == F.col("b_keep_per")).alias("may_take")
        texts = ["a_texts", "b_texts"] if self.collection.plan["tells_differences"] else []
        both = both.select("a", "b", "a_rank", "b_rank", may_take, "a_kept", "b_kept", *texts)
        schema = SCORED.replace("b_rank long,", "b_rank long, may_take boolean,")
        return self.tables.save(f"scored-{round_}", in_parts(both, _parts.score(self.job), schema))


def beside(pairs: Any, known: Any) -> Any:
    """Pairs, of a table, with what is known of both sides, by `unit`: one that is in very many is brought to several tasks."""
    from pyspark.sql import functions as F

    heavy: dict[str, Any] = {}
    if pairs.count() > HEAVY:
        for side in ("a", "b"):
            many = pairs.groupBy(side).agg(F.count("*").alias("__pairs")).filter(F.col("__pairs") > HEAVY)
            heavy[side] = many.select(side, F.ceil(F.col("__pairs") / F.lit(HEAVY)).cast("long").alias("__parts"))
    for side, other in (("a", "b"), ("b", "a")):
        of_side = known.select(*[F.col(name).alias(side if name == "unit" else f"{side}_{name}") for name in known.columns])
        pairs = _beside(pairs, (side, other), of_side, heavy.get(side))
    return pairs


def _beside(pairs: Any, sides: tuple[str, str], known: Any, heavy: Any | None) -> Any:
    from pyspark.sql import functions as F

    side, other = sides
    if heavy is None or heavy.isEmpty():
        return pairs.join(known, side)
    one = F.coalesce(F.col("__parts"), F.lit(1))
    salted = pairs.join(F.broadcast(heavy), side, "left").withColumn("__part", F.pmod(F.col(other), one)).drop("__parts")
    each = F.explode(F.sequence(F.lit(0).cast("long"), one - F.lit(1)))
    copies = known.join(F.broadcast(heavy), side, "left").withColumn("__part", each).drop("__parts")
    return salted.join(copies, [side, "__part"]).drop("__part")
