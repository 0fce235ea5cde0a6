"""From pairs of sentences to pairs of documents worth aligning, and the sentences that are boilerplate.

A sentence and one that may be similar, or is the same, are a dot of two documents: these are worth aligning if two dots are near each
other, or one is long. Near-identical documents count as one where it is asked in how many a sentence stands, and where it stands in more
than the limit because it was reprinted, only the first of them meets others.
"""

from __future__ import annotations

from typing import Any

from lookalike.spark import _page_parts
from lookalike.spark._clusters import components
from lookalike.spark._pages import Pages
from lookalike.spark._parts import Job
from lookalike.spark._tables import in_parts

SENTENCE = ["unit", "length", "sketch"]


class Gathered:
    """`common` has the `first` of sentences that are boilerplate, `leaders` the documents for which an earlier one stands, with this;
    `pairs` are the documents that are worth aligning, `a` and `b`."""

    def __init__(self, pages: Pages, job: Job, pairs: Any) -> None:
        self.pages, self.job, self.tables = pages, job, pages.tables
        self.limit: int = pages.plan["passages"]["common_limit"]
        self.all_meet = pages.plan["pairs"] == "all"
        self._count_documents()
        self.common = self.tables.save("common", self._common())
        meeting, led = self._meeting()
        dots = self._identical(meeting).unionByName(self._similar(meeting, pairs))
        if led is not None:
            dots = dots.unionByName(led)
        self.pairs = in_parts(dots.repartition("a", "b"), _page_parts.worth_aligning(job), "a long, b long")

    def marked(self) -> Any:
        """The texts of documents that have any, with the places of sentences that are boilerplate."""
        from pyspark.sql import functions as F

        sentences = self.pages.sentences
        places = sentences.join(self.common, "first").groupBy("record").agg(F.collect_list("place").alias("common"))
        texts = self.pages.pages.select("record", "text").filter(F.col("text").isNotNull())
        # A list that is null takes Spark 4.0 about 25 µs on its way to Python.
        none = F.array().cast("array<bigint>")
        return texts.join(places, "record", "left").withColumn("common", F.coalesce("common", none))

    def _count_documents(self) -> None:
        """Finds the documents that have a sentence that occurs again, and in how many it does."""
        from pyspark.sql import functions as F

        copies = self.pages.sentences.filter(F.col("members") > 1)
        own = copies.groupBy("first", "record").agg(F.min(F.struct(*SENTENCE)).alias("own"))
        self.documents = self.tables.save("documents", own.select("first", "record", *[F.col(f"own.{name}").alias(name) for name in SENTENCE]))
        counts = self.documents.groupBy("first").agg(F.count("*").alias("documents"))
        self.counts = self.tables.save("documents-counted", counts.filter(F.col("documents") > 1))
        large = self.counts.filter(F.col("documents") > self.limit)
        self.leaders = None if large.isEmpty() else self._leaders(self._having(large), "common")

    def _having(self, sentences: Any) -> Any:
        """The documents that have any of these sentences."""
        return self.documents.join(sentences.select("first"), "first", "left_semi").select("record").distinct()

    def _leaders(self, records: Any, name: str) -> Any:
        """Those of the documents that are near-identical to an earlier one, `record`, with the first of these, `leader`."""
        from pyspark.sql import functions as F

        sentences = self.pages.sentences
        lengths = sentences.filter(F.col("unit") == F.col("first")).select("first", F.col("length").alias("of_first"))
        sets = sentences.select("record", "first").join(records, "record", "left_semi").distinct().join(lengths, "first")
        sets = sets.groupBy("record").agg(F.sort_array(F.collect_list(F.struct("first", "of_first"))).alias("set"))
        sets = sets.select("record", F.col("set.first").alias("firsts"), F.col("set.of_first").alias("lengths"))
        sets = self.tables.save(f"{name}-sets", sets)
        bands = self.tables.save(f"{name}-bands", in_parts(sets, _page_parts.page_bands(), "band long, record long"))
        shared = bands.groupBy("band").agg(F.count("*").alias("records")).filter(F.col("records") > 1).select("band")
        of_bands = bands.join(shared, "band").join(sets, "record")
        links = in_parts(of_bands.repartition("band"), _page_parts.near_identical(), "first long, second long")
        links = links.groupBy("second").agg(F.min("first").alias("first"))
        linked = components(links, None, self.tables, f"{name}-leaders")
        return linked.select(F.col("second").alias("record"), F.col("first").alias("leader"))

    def _led(self, documents: Any, leaders: Any) -> Any:
        """Documents with those that stand for them."""
        from pyspark.sql import functions as F

        return documents.join(leaders, "record", "left").withColumn("leader", F.coalesce("leader", "record"))

    def _common(self) -> Any:
        """Sentences in more documents than the limit, and those of a frame."""
        from pyspark.sql import functions as F

        common = self._frames()
        if self.leaders is not None:
            led = self._led(self.documents.join(self._large(), "first"), self.leaders)
            led = led.groupBy("first").agg(F.countDistinct("leader").alias("leaders"))
            common = common.union(led.filter(F.col("leaders") > self.limit).select("first"))
        return common.distinct()

    def _large(self) -> Any:
        from pyspark.sql import functions as F

        return self.counts.filter(F.col("documents") > self.limit).select("first")

    def _frames(self) -> Any:
        """What frames the documents of a small collection: few enough for one task."""
        from pyspark.sql import functions as F

        sentences = self.pages.sentences
        documents = sentences.select("record").distinct().count()
        least = _page_parts.least_framed(self.job, documents)
        none = self.counts.select("first").limit(0)
        if least is None:
            return none
        wide = self.counts.filter(F.col("documents") >= least)
        if wide.isEmpty():
            return none
        records = self.tables.save("framed", self._having(wide))
        leaders = self._leaders(records, "framed")
        wide = self._led(self.documents.join(wide.select("first"), "first"), leaders)
        wide = wide.groupBy("first").agg(F.countDistinct("leader").alias("wide")).filter(F.col("wide") >= least)
        rows = self._led(sentences.join(records, "record", "left_semi"), leaders).join(wide, "first", "left")
        rows = rows.select("record", "leader", "unit", "first", "length", "wide")
        return in_parts(rows.repartition(1), _page_parts.frames(self.job, documents), "first long")

    def _meeting(self) -> tuple[Any, Any | None]:
        """The documents that meet others by a sentence that they have in common; and, where others stand for some, the dots of both."""
        from pyspark.sql import functions as F

        rest = self.documents.join(self.common, "first", "left_anti")
        is_all = self.pages.sentences.groupBy("record").agg((F.min("first") == F.max("first")).alias("is_all"))
        if self.leaders is None or self.all_meet:
            return rest.join(is_all, "record"), None
        large = self._large()
        few = rest.join(large, "first", "left_anti")
        many = self._led(rest.join(large, "first", "left_semi"), self.leaders)
        own = F.max(F.when(F.col("record") == F.col("leader"), F.struct(*SENTENCE))).alias("own")
        leading = many.groupBy("first", "leader").agg(own)
        leading = leading.select("first", F.col("leader").alias("record"), *[F.col(f"own.{name}").alias(name) for name in SENTENCE])
        meeting = few.select(*leading.columns).unionByName(leading).join(is_all, "record")
        a = leading.join(is_all, "record").withColumnRenamed("record", "leader")
        b = many.filter(F.col("record") != F.col("leader")).join(is_all, "record")
        return meeting, _dots(_side(a, "a", "leader", ["first", "leader"]).join(_side(b, "b", "record", ["first", "leader"]), ["first", "leader"]), True)

    def _identical(self, meeting: Any) -> Any:
        """The dots of documents that have a sentence word for word."""
        from pyspark.sql import functions as F

        both = _side(meeting, "a", "record", ["first"]).join(_side(meeting, "b", "record", ["first"]), "first")
        return _dots(both.filter(F.col("a") < F.col("b")), True)

    def _similar(self, meeting: Any, pairs: Any) -> Any:
        """The dots of documents that have one or the other of two sentences that may be similar."""
        from pyspark.sql import functions as F

        lone = self.pages.sentences.filter(F.col("members") == 1).withColumn("is_all", F.lit(False))
        columns = ["first", "record", *SENTENCE, "is_all"]
        known = lone.select(*columns).unionByName(meeting.select(*columns))
        one, two = _side(known, "x", "record", ["first"]), _side(known, "y", "record", ["first"])
        met = pairs.select(F.col("a").alias("low"), F.col("b").alias("high")).join(one.withColumnRenamed("first", "low"), "low")
        met = met.join(two.withColumnRenamed("first", "high"), "high").filter(F.col("x") != F.col("y"))
        in_order = F.col("x") < F.col("y")

        def side(name: str, side: str, other: str) -> Any:
            return F.when(in_order, F.col(name.format(side))).otherwise(F.col(name.format(other)))

        names = ["{}", "of_{}", "{}_length", "{}_sketch", "{}_is_all"]
        columns = [side(name, "x", "y").alias(name.format("a")) for name in names]
        columns += [side(name, "y", "x").alias(name.format("b")) for name in names]
        return _dots(met.select(*columns), False)


def _side(documents: Any, side: str, record: str, kept: list[str]) -> Any:
    """Documents with a sentence of theirs, as one side of dots."""
    from pyspark.sql import functions as F

    known = [F.col("unit").alias(f"of_{side}"), *[F.col(name).alias(f"{side}_{name}") for name in ("length", "sketch", "is_all")]]
    return documents.select(*kept, F.col(record).alias(side), *known)


def _dots(both: Any, same: bool) -> Any:
    """Two documents by the sentences of a dot, which are the same or may be similar."""
    from pyspark.sql import functions as F

    is_identical = (F.lit(same) & F.col("of_a").isNotNull() & F.col("of_b").isNotNull()).alias("is_identical")
    is_all = (F.col("a_is_all") & F.col("b_is_all")).alias("is_all")
    return both.select("a", "b", "of_a", "of_b", "a_length", "b_length", "a_sketch", "b_sketch", is_identical, is_all)
