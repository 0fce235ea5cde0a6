"""Candidate pairs scored exactly, and hot buckets in rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lookalike.spark import _hot, _parts
from lookalike.spark._clusters import taken
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._pairs import Candidates
from lookalike.spark._parts import BUCKETS, PAIRS, SCORED, Job, Work
from lookalike.spark._spread import spread, spread_from
from lookalike.spark._tables import arrow_table, as_bytes, handed_to_all, in_parts

PAIR = ["a", "b", "a_rank", "b_rank"]
# A unit in more pairs is brought to several tasks.
HEAVY = 20_000
# So many members of a hot bucket meet its leaders in one task.
LED = 20_000
# So many leaders, of which so much is kept, are handed to all tasks at the most.
MOST_LEADERS = 10_000
MOST_LEADERS_BYTES = 1 << 24


@dataclass(frozen=True)
class Scored:
    """The pairs that reach the threshold, as a table, how many they are at the most, and what scores others in which the first comes last, or
    is the second itself."""

    pairs: Any
    most: int
    again: Callable[[Any], Any]


def scored(collection: Collection, job: Job, candidates: Candidates) -> Scored:
    """Scores candidate pairs."""
    return Scoring(collection, job, candidates).all()


def details(plan: dict[str, Any]) -> list[str]:
    """What is said of pairs beside their similarity."""
    return (["fields", "more"] if plan["compares_fields"] else []) + (["kind", "changed"] if plan["tells_differences"] else [])


class Scoring:
    """Scores the pairs of a collection, round by round."""

    def __init__(self, collection: Collection, job: Job, candidates: Candidates) -> None:
        self.collection, self.job, self.tables = collection, job, collection.tables
        self.limit = job.stages.bucket_limit(collection.count)
        self.sketch = ["sketch"] if collection.plan["sieves"] else []
        self.pairs = candidates.pairs
        self.hot = None if candidates.hot is None or self.limit is None else self.tables.save("hot-0", self._with_ranks(candidates.hot))
        self.handed = None if self.limit is None else candidates.handed
        # The tables of scored pairs, and how many pairs were compared for them.
        self.scored: list[Any] = []
        self.compared = 0

    def all(self) -> Scored:
        """All rounds: the pairs of ordinary buckets and of leaders, then what these did not take."""
        self._compare("pairs", self.pairs)
        hot, rounds = self.hot, self.collection.plan["rounds"]
        for round_ in range(rounds + 1):
            is_handed = round_ == 0 and self.handed is not None
            if not is_handed and (hot is None or hot.isEmpty()):
                break
            if is_handed and self.collection.admits_all:
                self._compare_handed(f"led-{round_}")
            else:
                self._compare_led(self._led_pairs() if is_handed else self._led(hot), f"led-{round_}")
            if round_ < rounds:
                hot = self.tables.save(f"hot-{round_ + 1}", self._remaining(None if is_handed else hot, round_))
        if len(self.scored) == 1:
            return Scored(self.scored[0], self.compared, self._again)
        # Not in Python: a list that is null takes Spark 4.0 about 25 µs on its way there.
        once = self._all_scored().dropDuplicates(["a", "b"])
        return Scored(self.tables.save("scored", once), self.compared, self._again)

    def proposed(self) -> Any:
        """The pairs of the first round."""
        if self.handed is None and self.hot is None:
            return self.pairs
        led = self._led_pairs() if self.handed is not None else self._led(self.hot)
        return self.pairs.unionByName(led.drop("unit", "leader")).distinct()

    def _all_scored(self) -> Any:
        """The pairs that reach the threshold, by what was compared so far; some of them perhaps twice."""
        first, *others = self.scored
        for more in others:
            first = first.unionByName(more)
        return first

    def _with_ranks(self, hot: Any) -> Any:
        return hot.join(self.collection.standing(*self.sketch), "unit")

    def _led_pairs(self) -> Any:
        """The pairs of units with the leaders of the buckets that are handed to all tasks."""
        units = self.collection.standing("keys", *self.sketch)
        return in_parts(units, _hot.led_pairs(self.job, self.handed or b""), f"{PAIRS}, unit long, leader long")

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
        compared = compared.filter((F.col("__smallest") <= _hot.SMALLEST) | (F.col("__largest") <= _hot.LARGEST))
        leads = (F.col("place") < self.collection.plan["leaders"]) | (F.col("size") <= F.lit(self.limit))
        # The leaders meet the members of a bucket in as many tasks as it has parts.
        parts = F.explode(F.sequence(F.lit(0).cast("long"), F.floor((F.col("size") - F.lit(1)) / F.lit(LED)).cast("long")))
        leaders = hot.filter(leads).withColumn("__part", parts)
        leaders = leaders.select("bucket_1", "bucket_2", "__part", *[F.col(name).alias(f"leader_{name}") for name in ["unit", "rank", "place", *self.sketch]])
        compared = compared.withColumn("__part", F.floor(F.col("place") / F.lit(LED)).cast("long"))
        met = compared.join(leaders, ["bucket_1", "bucket_2", "__part"]).filter(F.col("leader_place") < F.col("place"))
        is_first = F.col("leader_unit") < F.col("unit")

        def side(name: str, of_first: bool) -> Any:
            leader, other = F.col(f"leader_{name}"), F.col(name)
            return F.when(is_first == F.lit(of_first), leader).otherwise(other)

        columns = [side("unit", True).alias("a"), side("unit", False).alias("b")]
        columns += [side("rank", True).alias("a_rank"), side("rank", False).alias("b_rank"), F.col("unit"), F.col("leader_unit").alias("leader")]
        if not self.sketch:
            return met.select(*columns)
        columns += [side("sketch", True).alias("a_sketch"), side("sketch", False).alias("b_sketch")]
        return in_parts(met.select(*columns), _parts.sift(self.job), f"{PAIRS}, unit long, leader long")

    def _remaining(self, hot: Any | None, round_: int) -> Any:
        """What is neither taken by what is known so far nor was a leader, bucket by bucket; of those that are handed to all tasks if none
        are given."""
        from pyspark.sql import functions as F

        links = self._all_scored().filter("may_take").selectExpr("least(a_rank, b_rank) AS first", "greatest(a_rank, b_rank) AS second", "similarity")
        gone = taken(links, self.compared, self.tables, f"round-{round_}").select(F.col("second").alias("rank")).distinct()
        gone = handed_to_all(gone, self.compared)
        if hot is None:
            left = self.collection.standing("keys").join(gone, "rank", "left_anti").select("unit", "rank", "keys")
            left = in_parts(left, _hot.members(self.handed or b""), "bucket_1 long, bucket_2 long, size long, unit long, rank long")
        else:
            left = hot.filter((F.col("size") > F.lit(self.limit)) & (F.col("place") >= self.collection.plan["leaders"]))
            left = left.join(gone, "rank", "left_anti")
        spread_over = spread_from(self.collection, self.limit or 0)
        large, bucket = F.col("size") > F.lit(spread_over), ["bucket_1", "bucket_2"]
        small = left.filter(~large).select(*bucket, "unit", "rank")
        again = in_parts(small.repartition(*bucket), _parts.buckets_again(), f"{BUCKETS}, bucket_1 long, bucket_2 long")
        if self.collection.count > spread_over and not left.filter(large).isEmpty():
            again = again.unionByName(spread(self.collection, left.filter(large), f"round-{round_}", bucket, once=False))
        return self._with_ranks(again)

    def _kept(self, wanted: Any, most: int, then: Work | None = None) -> Any:
        """What the measure keeps of units, beside what is known of them: `unit` and other columns of at most so many rows. Or the scored pairs
        that are made of that where it is found out."""
        from pyspark.sql import functions as F

        if "__row" not in wanted.columns:
            wanted = wanted.join(self.collection.standing("__row", "keep_per").drop("rank"), "unit")
        known = [name for name in wanted.columns if name != "__row"]
        # A field may have any name, but none that begins like these.
        carried = {f"__of_{name}": name for name in known}
        types = columns_of(wanted, known) + ", kept binary" + (", texts array<string>" if self.collection.plan["tells_differences"] else "")
        wanted = wanted.select("__row", *[F.col(name).alias(f"__of_{name}") for name in known])
        # The texts are much more: they stay where they are.
        texts = self.collection.texts().join(handed_to_all(wanted, most), "__row").drop("__row")
        keep = _parts.keep(self.job, carried)
        return in_parts(texts, keep, types) if then is None else in_parts(texts, _parts.followed_by(keep, then), SCORED)

    def _compare(self, name: str, pairs: Any) -> None:
        """Scores pairs."""
        pairs = self.tables.save(name, self.collection.admitted(pairs))
        count = pairs.count()
        self._add(name, self._by_pair(pairs, count), count)

    def _again(self, pairs: Any) -> Any:
        """Scores pairs, `a` and `b`, in which the first comes last, or is the second itself."""
        pairs = self.tables.save("again", pairs.selectExpr("a", "b", "0L AS a_rank", "0L AS b_rank"))
        return self._by_pair(pairs, pairs.count())

    def _by_pair(self, pairs: Any, count: int) -> Any:
        """Scores so many pairs of a table. What is kept of a unit is found out where its text is, once for all of its pairs, and sent to where
        each of these is compared."""
        from pyspark.sql import functions as F

        sides = pairs.select(F.col("a").alias("unit"), *PAIR).union(pairs.select(F.col("b").alias("unit"), *PAIR))
        by = ["unit"]
        if count > HEAVY:
            many = sides.groupBy("unit").agg(F.ceil(F.count("*") / F.lit(HEAVY)).cast("long").alias("__parts")).filter("__parts > 1")
            sides = sides.join(F.broadcast(many), "unit", "left").withColumn("__part", F.expr("pmod(a + b, coalesce(__parts, 1L))"))
            by = ["unit", "__part"]
        wanted = sides.groupBy(*by).agg(F.collect_list(F.struct(*PAIR)).alias("pairs")).select("unit", "pairs")
        kept = self._kept(wanted, 2 * count)
        each = kept.withColumn("pair", F.explode("pairs")).drop("pairs").select("pair.*", "*").drop("pair")
        return in_parts(each.repartition("a", "b"), _parts.score(self.job), SCORED)

    def _compare_handed(self, name: str) -> None:
        """Scores the pairs of hot buckets that are handed to all tasks."""
        from pyspark.sql import functions as F

        carried = ["unit", "rank", "__row", "keep_per"]
        units = self.collection.standing("__row", "keep_per", "keys", *self.sketch)
        schema = f"{columns_of(units, carried)}, leaders array<long>"
        wanted = self.tables.save(name, in_parts(units, _hot.met_leaders(self.job, self.handed or b"", carried), schema))
        counted = wanted.agg(F.count("*").alias("units"), F.sum(F.size("leaders")).alias("pairs")).first()
        if counted["units"] == 0:
            return None
        leading = _hot.leading_units(self.handed or b"")
        leaders = None
        if len(leading) <= MOST_LEADERS:
            known = self.tables.session.createDataFrame([(unit,) for unit in leading], "unit long")
            leaders = self._leaders(known, len(leading), name)
        if leaders is None:
            return self._compare(f"{name}-pairs", self._led_pairs().select(*PAIR))
        self._add(name, self._kept(wanted, counted["units"], _parts.score_led(self.job, leaders)), counted["pairs"])

    def _compare_led(self, led: Any, name: str) -> None:
        """Scores pairs of units with their leaders. Leaders are few: they are handed to all tasks, and every other unit meets its own where
        its text is."""
        from pyspark.sql import functions as F

        led = self.tables.save(name, self.collection.admitted(led))
        counted = led.agg(F.count("*").alias("pairs"), F.countDistinct("leader").alias("leaders")).first()
        if counted["pairs"] == 0:
            return None
        leaders = None
        if counted["leaders"] <= MOST_LEADERS:
            leaders = self._leaders(led.select(F.col("leader").alias("unit")).distinct(), counted["leaders"], name)
        if leaders is None:
            return self._compare(f"{name}-pairs", led.select(*PAIR).distinct())
        wanted = led.groupBy("unit").agg(F.collect_set("leader").alias("leaders")).join(self.collection.standing(), "unit")
        most = min(counted["pairs"], self.collection.count)
        self._add(name, self._kept(wanted, most, _parts.score_led(self.job, leaders)), counted["pairs"])

    def _leaders(self, leaders: Any, count: int, name: str) -> bytes | None:
        """What is known of leaders, so many; none if that is too much to be handed to all tasks."""
        from pyspark.sql import functions as F

        leaders = self.collection.standing("__row", "keep_per").join(F.broadcast(leaders), "unit")
        leaders = self.tables.save(f"{name}-by", self._kept(leaders, count))
        size = F.length("kept")
        if "texts" in leaders.columns:
            size = size + F.length(F.concat_ws("", "texts"))
        size = leaders.agg(F.sum(size).alias("bytes")).first()["bytes"]
        return as_bytes(arrow_table(leaders)) if size <= MOST_LEADERS_BYTES else None

    def _add(self, name: str, scored: Any, count: int) -> None:
        said = scored.select(*PAIR, "may_take", "similarity", "held", *details(self.collection.plan))
        self.scored.append(self.tables.save(f"{name}-scored", said))
        self.compared += count


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
