"""The records of a job, signed, numbered in their order, identical ones found."""

from __future__ import annotations

from typing import Any

from lookalike.errors import InputError
from lookalike.spark import _parts
from lookalike.spark._choice import Choice, chosen
from lookalike.spark._numbers import Ranges
from lookalike.spark._parts import SIGNED, Job
from lookalike.spark._records import ORDER, Records
from lookalike.spark._tables import arrow_table, as_bytes, in_parts

# So many terms of the statistics are handed to the executors at the most, with the documents that have them.
MOST_TERMS = 20_000_000
# So many records are looked at to estimate how many features there are.
LOOKED_AT = 200
# A sample of features is taken somewhat too large, since it is not known before how many there are.
SPARE_BITS = 2


class Collection:
    """The records of a job and what is known of them."""

    # What orders units, and in what they are the same where that leaves some equal.
    order = ["__order"]
    ties = ["__tie", "__row"]
    # What is known of a unit from the beginning.
    carried = [*ORDER, "__id"]
    # Whether all pairs that are found are compared.
    admits_all = True
    # Whether what is found depends on which pairs are candidates, and not only on how similar these are.
    candidates_decide = False

    def __init__(self, records: Records) -> None:
        self.plan, self.tables = records.plan, records.tables
        self.columns, self.read = records.columns, records.read
        self.records = self.units_read = records.frame
        self.count, self.some_repeat = records.count, records.some_repeat

    def texts(self) -> Any:
        """What the kernel reads of all units, with their handles."""
        return self.units_read.select(*self.read, "__row")

    def counted_texts(self) -> Any:
        """The texts by whose features it is told which are rare."""
        return self.texts()

    def statistics(self, job: Job) -> bytes:
        """How common words are, as the tasks need it: added up by the engine, and small enough to be handed to all."""
        from pyspark.sql import functions as F

        counted = in_parts(self.units_read.select(*self.read), _parts.statistics(job), "kind string, term string, documents long, occurrences long")
        sums = counted.groupBy("kind", "term").agg(F.sum("documents").alias("documents"), F.sum("occurrences").alias("occurrences"))
        sums = self.tables.save("statistics", sums)
        terms = sums.count()
        if terms > MOST_TERMS:
            raise InputError(
                f"there are {terms} different words, and at most {MOST_TERMS} are handed to the executors; "
                "a lexicon of a part of the collection (`lexicon=`) will do"
            )
        return as_bytes(arrow_table(sums))

    def sign(self, job: Job) -> None:
        """Signs all records and numbers them: `units` has a row each, in any order, with its number and its rank."""
        from pyspark.sql import functions as F

        has_keys = self.plan["route"] in ("buckets", "prefix-or-buckets")
        bits = self._guessed_bits(job) if self.plan["route"] != "buckets" else None
        ranges = Ranges(self.units_read, self.order, self.count, self.ties)
        self.choice: Choice | None = None
        while True:
            read = self.units_read.select(*self.read, *self.carried)
            schema = f"{columns_of(read, self.carried)}, {SIGNED}"
            signed = in_parts(read, _parts.sign(job, self.carried, has_keys, bits), schema)
            signed = self.tables.save("signed", ranges.numbered(signed))
            units = ranges.number(signed, "unit")
            if bits is None:
                break
            self.choice = chosen(units, job, self.plan["probes"])
            if bits <= self.choice.sample_bits(job):
                break
            bits = self.choice.sample_bits(job)
        self.units = self._ranked(units)
        copies = self.units.filter(F.col("digest_1").isNotNull()).groupBy("digest_1", "digest_2")
        copies = copies.agg(F.min("unit").alias("first"), F.min("rank").alias("group_rank"), F.count("*").alias("members"))
        self.copied = self.tables.save("copied", copies.filter(F.col("members") > 1))

    def grouped(self, *columns: str) -> Any:
        """The units with content, each with the first of those that are identical to it and the best rank among these."""
        from pyspark.sql import functions as F

        units = self.units.filter(F.col("digest_1").isNotNull())
        grouped = units.join(self.copied, ["digest_1", "digest_2"], "left")
        first = F.coalesce(F.col("first"), F.col("unit")).alias("first")
        rank = F.coalesce(F.col("group_rank"), F.col("rank")).alias("group_rank")
        return grouped.select("unit", "rank", first, rank, F.coalesce(F.col("members"), F.lit(1)).alias("members"), *columns)

    def standing(self, *columns: str) -> Any:
        """The units that stand for those identical to them, with the rank of the best of these; `members` is how many they are."""
        from pyspark.sql import functions as F

        of_units = [name for name in columns if name != "members"]
        standing = self.grouped(*of_units).filter(F.col("unit") == F.col("first"))
        return standing.select("unit", F.col("group_rank").alias("rank"), *columns)

    def admitted(self, pairs: Any) -> Any:
        """The pairs that are compared at all."""
        return pairs

    def _guessed_bits(self, job: Job) -> int:
        """How rare the features are that a sample is made of, by the first records and how many there are."""
        import pyarrow

        first = self.texts().limit(LOOKED_AT)
        rows = [row.asDict() for row in first.collect()]
        if not rows:
            return 0
        signed = pyarrow.table(job.stages.sign(pyarrow.Table.from_pylist(rows), [], False, None))
        sizes = signed.column("sizes").to_pylist()
        features = [sum(of[probe] for of in sizes) * self.count // len(sizes) for probe in range(self.plan["probes"])]
        bits = min(job.stages.sample_bits(number) for number in features)
        return max(0, bits - SPARE_BITS)

    def _ranked(self, units: Any) -> Any:
        """The units with their places in the order of keeping."""
        from pyspark.sql import functions as F

        if self.plan["keep"] == "first":
            return units.withColumn("rank", F.col("unit"))
        if self.plan["keep"] == "last":
            return units.withColumn("rank", -F.col("unit"))
        ranges = Ranges(units, ["-rank_value", "unit"], self.count)
        return ranges.number(self.tables.save("ranked", ranges.numbered(units)), "rank")


def columns_of(frame: Any, names: list[str]) -> str:
    """The names and types of columns, as a schema has them."""
    types = {field.name: field.dataType.simpleString() for field in frame.schema.fields}
    return ", ".join(f"{name} {types[name]}" for name in names)
