"""The sentences of the records of a job: units that are stored with a handle each, as records are."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts, _tables
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._parts import SENTENCES, Job
from lookalike.spark._records import Records
from lookalike.spark._scored import beside
from lookalike.spark._tables import in_parts

# What orders articles: the column that is to, and where values of it are the same, what they say and their handles.
ARTICLE_ORDER = ["__order", "__tie", "__article"]


def article_names() -> list[Any]:
    """What orders articles."""
    from pyspark.sql import functions as F

    return [F.col("__order"), F.col("__tie"), F.col("__row").alias("__article")]


class Sentences(Collection):
    """Articles and their sentences, which are the units."""

    order = [*ARTICLE_ORDER, "place"]
    ties: list[str] = []
    carried = ["__row", *order, "in_references"]
    admits_all = False

    def __init__(self, records: Records, job: Job) -> None:
        from pyspark.sql import functions as F

        super().__init__(records)
        known, names = self.plan["sentences"], article_names()
        articles = self.records.select(*self.read, *names)
        split = in_parts(articles, _parts.split(job, ARTICLE_ORDER), f"{columns_of(articles, ARTICLE_ORDER)}, {SENTENCES}")
        self.units_read = self.tables.save("sentences", split.withColumn("__row", F.monotonically_increasing_id()))
        self.read = ["text", "__keep_value", "__keep_per"]
        self.count = self.units_read.count()
        titles = [records.said(known["title_field"], "title"), records.said(known["date_field"], "date")]
        self.articles = self.records.select(*names, F.col("__id").alias("id"), *titles)

    def admitted(self, pairs: Any) -> Any:
        """Those of two articles, and of one where its sentences are compared with each other and do not overlap; or where a copy
        in another article may stand for one of them."""
        from pyspark.sql import functions as F

        columns, known = pairs.columns, self.plan["sentences"]
        looked_at = self.standing("__article", "members").drop("rank")
        if self.count > _tables.BROADCAST:
            # A leader is in very many pairs.
            pairs = beside(self.tables.save("to-admit", pairs), looked_at)
        else:
            for side in ("a", "b"):
                of_side = looked_at.select(*[F.col(name).alias(side if name == "unit" else f"{side}_{name}") for name in looked_at.columns])
                pairs = pairs.join(F.broadcast(of_side), side)
        is_same = F.col("a___article") == F.col("b___article")
        if known["within_article"]:
            pairs = pairs.filter(~(is_same & (F.col("b") - F.col("a") < known["window"])))
        else:
            pairs = pairs.filter(~is_same | (F.col("a_members") > 1) | (F.col("b_members") > 1))
        return pairs.select(*columns)
