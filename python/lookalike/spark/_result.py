"""What a job found, as frames."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from lookalike.spark._clusters import taken
from lookalike.spark._collection import Collection
from lookalike.spark._names import named
from lookalike.spark._tables import Tables


class Result:
    """What a job found, as DataFrames over tables in the folder of the run.

    They are there until `close` is called, or the block of a `with` ends.
    """

    def __init__(
        self, tables: Tables, pairs: Any, clusters: Any, *, removed: Any = None, kept: Any = None, articles: Any = None, passages: Any = None
    ) -> None:
        self._tables = tables
        self.pairs = pairs
        """`a`, `b` and `similarity`; where it is told in what records differ, also `kind` and `changed`. Of sentences `a` and `b` have
        `id`, `title`, `sentence`, `text` and `date`, and there are `edit_similarity` and `confidence`, too."""
        self.clusters = clusters
        """`cluster` (the id of the kept member), `size` and `members`, in their order."""
        self.removed = removed
        """`id`, `kept` (for which it is removed) and `similarity`; none of sentences."""
        self.kept = kept
        """The rows of the input that stay, with all their columns; none of sentences, as nothing is removed."""
        self.articles = articles
        """Of sentences, `a`, `b`, `title_a`, `title_b`, `shared_sentences` and `chain`, most first."""
        self.passages = passages
        """Of passages, `a` and `b` with `id`, `begin`, `end`, `first_sentence`, `sentences` and `text`; `sentences` and `similarity`. Their
        `pairs` also have `covered_a`, `covered_b`, `relation`, `passages` (how many) and `group`, their `clusters` have `relation`."""

    def write(self, folder: str, format: str = "parquet") -> None:
        """Writes the tables of the result, each to a folder of its own in this one: pairs and clusters, and removed and kept, articles, or passages."""
        for name in ("pairs", "clusters", "removed", "kept", "articles", "passages"):
            if (table := getattr(self, name)) is not None:
                table.write.mode("overwrite").format(format).save(f"{folder.rstrip('/')}/{name}")

    def largest_cluster(self) -> int:
        """How many members the largest cluster has; 0 if there is none."""
        from pyspark.sql import functions as F

        return int(self.clusters.agg(F.max("size").alias("size")).first()["size"] or 0)

    def close(self) -> None:
        """Removes the tables of the run, where that is possible from here."""
        self._tables.remove()

    def __enter__(self) -> Result:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()


def assemble(collection: Collection, scored: Any) -> Result:
    """Clusters by the one rule, and the tables of the result."""
    from pyspark.sql import functions as F

    tables = collection.tables
    names = tables.save("names", named(collection.units.select("unit", "rank", F.col("__id").alias("id")), ["unit"]))
    links = scored.filter(F.col("may_take") & ~F.col("held"))
    links = links.select(F.least("a_rank", "b_rank").alias("first"), F.greatest("a_rank", "b_rank").alias("second"), "similarity")
    takes = taken(links, tables, "clusters")
    grouped = collection.grouped("__row")
    by_other = grouped.join(takes.select(F.col("second").alias("group_rank"), F.col("first").alias("kept_rank"), "similarity"), "group_rank")
    columns = ["unit", "__row", "kept_rank", "similarity"]
    copies = grouped.filter((F.col("members") > 1) & (F.col("rank") != F.col("group_rank")))
    copies = copies.join(takes.select(F.col("second").alias("group_rank")), "group_rank", "left_anti")
    copies = copies.withColumn("kept_rank", F.col("group_rank")).withColumn("similarity", F.lit(1.0))
    removed = by_other.select(*columns).unionByName(copies.select(*columns))
    kept = names.select(F.col("rank").alias("kept_rank"), F.col("unit").alias("kept_unit"), F.col("id").alias("kept"))
    removed = removed.join(names.select("unit", "id"), "unit").join(kept, "kept_rank")
    removed = tables.save("removed", removed.select("unit", "__row", "id", "kept_unit", "kept", "similarity"))
    members = removed.select("kept_unit", "kept", "unit", "id")
    members = members.union(removed.select("kept_unit", "kept", F.col("kept_unit").alias("unit"), F.col("kept").alias("id")).distinct())
    listed = F.sort_array(F.collect_list(F.struct("unit", "id")))
    clusters = members.groupBy("kept_unit", "kept").agg(listed.alias("listed"))
    clusters = clusters.select(
        F.col("kept").alias("cluster"), F.size("listed").cast("long").alias("size"), F.col("listed.id").alias("members"), "kept_unit"
    )
    stays = collection.records.join(removed.select("__row"), "__row", "left_anti")
    return Result(
        tables,
        _listed(collection, scored, removed, names),
        clusters.orderBy("kept_unit").drop("kept_unit"),
        removed=removed.orderBy("unit").select("id", "kept", "similarity"),
        kept=stays.select(*collection.columns),
    )


def _listed(collection: Collection, scored: Any, removed: Any, names: Any) -> Any:
    """The pairs that the spec asks for, in the order of the collection."""
    from pyspark.sql import functions as F

    details = ["kind", "changed"] if collection.plan["tells_differences"] else []
    chosen = collection.plan["pairs"]
    if chosen == "links":
        both = F.col("unit") < F.col("kept_unit")
        a, b = F.when(both, F.col("unit")).otherwise(F.col("kept_unit")), F.when(both, F.col("kept_unit")).otherwise(F.col("unit"))
        pairs = removed.select(a.alias("a"), b.alias("b"), "similarity")
        if details:
            # Of copies what is said of those that stand for them.
            first = collection.grouped().select("unit", "first")
            known = scored.select(F.col("a").alias("a_first"), F.col("b").alias("b_first"), *details)
            pairs = pairs.join(first.select(F.col("unit").alias("a"), F.col("first").alias("a_first")), "a")
            pairs = pairs.join(first.select(F.col("unit").alias("b"), F.col("first").alias("b_first")), "b")
            low, high = F.least("a_first", "b_first"), F.greatest("a_first", "b_first")
            pairs = pairs.withColumn("__low", low).withColumn("__high", high).drop("a_first", "b_first")
            known = known.withColumnRenamed("a_first", "__low").withColumnRenamed("b_first", "__high")
            pairs = pairs.join(known, ["__low", "__high"], "left").drop("__low", "__high")
            pairs = pairs.withColumn("kind", F.coalesce(F.col("kind"), F.lit("same")))
            pairs = pairs.withColumn("changed", F.coalesce(F.col("changed"), F.array().cast("array<array<string>>")))
    else:
        pairs = scored.select("a", "b", "similarity", *details)
        copies = collection.grouped().filter(F.col("unit") != F.col("first"))
        copies = copies.select(F.col("first").alias("a"), F.col("unit").alias("b"), F.lit(1.0).alias("similarity"))
        if chosen == "all":
            copies, pairs = of_copies(collection, pairs)
        if details:
            copies = copies.withColumn("kind", F.lit("same")).withColumn("changed", F.array().cast("array<array<string>>"))
        pairs = pairs.unionByName(copies)
        if chosen == "none":
            pairs = pairs.limit(0)
    a = names.select(F.col("unit").alias("a"), F.col("id").alias("a_id"))
    b = names.select(F.col("unit").alias("b"), F.col("id").alias("b_id"))
    pairs = collection.tables.save("listed", pairs.join(a, "a").join(b, "b"))
    columns = [F.col("a_id").alias("a"), F.col("b_id").alias("b"), F.col("similarity"), *[F.col(name) for name in details]]
    return pairs.orderBy("a", "b").select(*columns)


def of_copies(collection: Collection, pairs: Any) -> tuple[Any, Any]:
    """All pairs of identical units, and those of all copies of similar ones."""
    from pyspark.sql import functions as F

    members = collection.grouped().select("unit", "first")
    one = members.select(F.col("unit").alias("a"), "first")
    two = members.select(F.col("unit").alias("b"), "first")
    identical = one.join(two, "first").filter(F.col("a") < F.col("b")).select("a", "b", F.lit(1.0).alias("similarity"))
    spread = pairs.withColumnRenamed("a", "a_first").withColumnRenamed("b", "b_first")
    spread = spread.join(one.withColumnRenamed("first", "a_first"), "a_first").join(two.withColumnRenamed("first", "b_first"), "b_first")
    low, high = F.least("a", "b"), F.greatest("a", "b")
    spread = spread.withColumn("__low", low).withColumn("__high", high).drop("a", "b", "a_first", "b_first")
    return identical, spread.withColumnRenamed("__low", "a").withColumnRenamed("__high", "b")
