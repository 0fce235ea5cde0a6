"""The sentences of the records of a job: units that are stored with a handle each, as records are."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._parts import SENTENCES, Job
from lookalike.spark._tables import Tables, in_parts

# What orders articles: the column that is to, and where values of it are the same, what they say and their handles.
ARTICLE_ORDER = ["__order", "__tie", "__article"]


def article_names(read: list[str]) -> list[Any]:
    """What orders articles of which these fields are read."""
    from pyspark.sql import functions as F

    said = [F.col(name).cast("string") for name in read]
    return [F.col("__order"), F.xxhash64(*said).alias("__tie"), F.col("__row").alias("__article")]


class Sentences(Collection):
    """Articles and their sentences, which are the units."""

    order = [*ARTICLE_ORDER, "place"]
    ties: list[str] = []
    carried = ["__row", *order, "in_references"]

    def __init__(self, frame: Any, job: Job, plan: dict[str, Any], tables: Tables, order: str | None) -> None:
        from pyspark.sql import functions as F

        super().__init__(frame, plan, tables, order)
        known = plan["sentences"]
        if known["reference_field"] in frame.columns:
            self.read = list(dict.fromkeys([*self.read, known["reference_field"]]))
        names = article_names(self.read)
        articles = self.records.select(*self.read, *names)
        split = in_parts(articles, _parts.split(job, ARTICLE_ORDER), f"{columns_of(articles, ARTICLE_ORDER)}, {SENTENCES}")
        self.units_read = tables.save("sentences", split.withColumn("__row", F.monotonically_increasing_id()))
        self.read = ["text", "__keep_value", "__keep_per"]
        self.count = self.units_read.count()
        titles = [self._named(known["title_field"], "title"), self._named(known["date_field"], "date")]
        self.articles = self.records.select(*names, F.col("__id").alias("id"), *titles)

    def _named(self, field: str, name: str) -> Any:
        """What a field says as text, where it is text or a number."""
        from pyspark.sql import functions as F

        types = {column.name: column.dataType.typeName() for column in self.records.schema.fields}
        is_written = types.get(field) in ("string", "varchar", "char", "byte", "short", "integer", "long", "float", "double", "decimal")
        return (F.col(field).cast("string") if is_written else F.lit(None).cast("string")).alias(name)

    def admitted(self, pairs: Any) -> Any:
        """Those of two articles, and of one where its sentences are compared with each other and do not overlap; or where a copy
        in another article may stand for one of them."""
        from pyspark.sql import functions as F

        columns, known = pairs.columns, self.plan["sentences"]
        for side in ("a", "b"):
            looked_at = self.standing("__article", "members").selectExpr(f"unit AS {side}", f"__article AS {side}_article", f"members AS {side}_members")
            pairs = pairs.join(looked_at, side)
        is_same = F.col("a_article") == F.col("b_article")
        if known["within_article"]:
            pairs = pairs.filter(~(is_same & (F.col("b") - F.col("a") < known["window"])))
        else:
            pairs = pairs.filter(~is_same | (F.col("a_members") > 1) | (F.col("b_members") > 1))
        return pairs.select(*columns)
