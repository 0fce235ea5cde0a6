"""What a job found, as frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import TracebackType
from typing import Any

from lookalike.spark._clusters import taken
from lookalike.spark._collection import Collection
from lookalike.spark._names import named
from lookalike.spark._scored import Scored, details
from lookalike.spark._tables import Tables


class Result:
    """What a job found, as DataFrames over tables in the folder of the run. What none asks for is not computed.

    They are there until `close` is called, or the block of a `with` ends.
    """

    def __init__(self, tables: Tables, **frames: Callable[[], Any]) -> None:
        self._tables, self._frames = tables, frames

    @cached_property
    def pairs(self) -> Any:
        """`a`, `b` and `similarity`; where it is told in what records differ, also `kind` and `changed`; of threads, `fields`, the similarity
        by field, and `more`, which of the two has more. Of sentences `a` and `b` have
        `id`, `title`, `sentence`, `text` and `date`, and there are `edit_similarity` and `confidence`, too."""
        return self._frames["pairs"]()

    @cached_property
    def clusters(self) -> Any:
        """`cluster` (the id of the kept member), `size` and `members`, in their order."""
        return self._frames["clusters"]()

    @cached_property
    def removed(self) -> Any | None:
        """`id`, `kept` (for which it is removed) and `similarity`; none of sentences and passages."""
        return self._frame("removed")

    @cached_property
    def kept(self) -> Any | None:
        """The rows of the input that stay, with all their columns; none of sentences and passages, as nothing is removed."""
        return self._frame("kept")

    @cached_property
    def articles(self) -> Any | None:
        """Of sentences, `a`, `b`, `title_a`, `title_b`, `shared_sentences` and `chain`, most first."""
        return self._frame("articles")

    @cached_property
    def passages(self) -> Any | None:
        """Of passages, `a` and `b` with `id`, `begin`, `end`, `first_sentence`, `sentences` and `text`; `sentences` and `similarity`. Their
        `pairs` also have `covered_a`, `covered_b`, `relation`, `passages` (how many) and `group`, their `clusters` have `relation`."""
        return self._frame("passages")

    def _frame(self, name: str) -> Any | None:
        return self._frames[name]() if name in self._frames else None

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


def assemble(collection: Collection, found: Scored) -> Result:
    """The tables of the result."""
    assembly = Assembly(collection, found)
    return Result(collection.tables, pairs=assembly.listed, clusters=assembly.clusters, removed=assembly.listed_removed, kept=assembly.kept)


class Assembly:
    """Clusters by the one rule, and the tables of the result; each is made when it is asked for."""

    def __init__(self, collection: Collection, found: Scored) -> None:
        self.collection, self.tables, self.found = collection, collection.tables, found

    @cached_property
    def names(self) -> Any:
        """The ids of all units."""
        units = self.collection.units.selectExpr("unit", "rank", "__id AS id")
        names = named(units, ["unit"], self.collection.some_repeat)
        return self.tables.save("names", names) if self.collection.some_repeat else names

    @cached_property
    def removed(self) -> Any:
        """What is removed, and for what."""
        from pyspark.sql import functions as F

        links = self.found.pairs.filter("may_take AND NOT held")
        links = links.selectExpr("least(a_rank, b_rank) AS first", "greatest(a_rank, b_rank) AS second", "similarity")
        takes = taken(links, self.found.most, self.tables, "clusters").selectExpr("second AS group_rank", "first AS kept_rank", "similarity")
        removed = self.collection.grouped("__row").join(takes, "group_rank", "left")
        # Copies go for the one that takes what stands for them; if nothing does, for the best of themselves.
        is_copy = (F.col("members") > 1) & (F.col("rank") != F.col("group_rank"))
        removed = removed.filter(F.col("kept_rank").isNotNull() | is_copy)
        similarity = F.when(F.col("kept_rank").isNull(), F.lit(1.0)).otherwise(F.col("similarity")).alias("similarity")
        removed = removed.select("unit", "__row", F.coalesce("kept_rank", "group_rank").alias("kept_rank"), similarity)
        kept = self.names.selectExpr("rank AS kept_rank", "unit AS kept_unit", "id AS kept")
        removed = removed.join(self.names.select("unit", "id"), "unit").join(kept, "kept_rank")
        return self.tables.save("removed", removed.select("unit", "__row", "id", "kept_unit", "kept", "similarity"))

    def listed_removed(self) -> Any:
        """What is removed, in the order of the collection."""
        return self.removed.orderBy("unit").select("id", "kept", "similarity")

    def kept(self) -> Any:
        """The rows that stay."""
        return self.collection.records.join(self.removed.select("__row"), "__row", "left_anti").select(*self.collection.columns)

    def clusters(self) -> Any:
        """What is kept, with all that is removed for it."""
        from pyspark.sql import functions as F

        members = self.removed.select("kept_unit", "kept", "unit", "id")
        members = members.union(members.selectExpr("kept_unit", "kept", "kept_unit AS unit", "kept AS id").distinct())
        listed = F.sort_array(F.collect_list(F.struct("unit", "id")))
        clusters = members.groupBy("kept_unit", "kept").agg(listed.alias("listed")).orderBy("kept_unit")
        return clusters.selectExpr("kept AS cluster", "CAST(size(listed) AS long) AS size", "listed.id AS members")

    @cached_property
    def details(self) -> list[str]:
        """What is said of pairs beside their similarity."""
        return details(self.collection.plan)

    def listed(self) -> Any:
        """The pairs that the spec asks for, in the order of the collection."""
        from pyspark.sql import functions as F

        collection, chosen = self.collection, self.collection.plan["pairs"]
        found = self.found.pairs.select("a", "b", "similarity", *self.details)
        if chosen == "links":
            pairs = self._detailed(self._links())
        elif chosen == "all":
            copies, spread = of_copies(collection, found.select("a", "b", "similarity"))
            pairs = self._detailed(copies.unionByName(spread))
        else:
            copies = collection.grouped().filter(F.col("unit") != F.col("first"))
            copies = copies.selectExpr("first AS a", "unit AS b", "1D AS similarity", "first AS a_first", "first AS b_first")
            pairs = found.unionByName(self._detailed(copies, all_same=True))
            if chosen == "none":
                pairs = pairs.limit(0)
        if "fields" in self.details:
            names = F.array(*[F.lit(name) for name in collection.plan["fields"]])
            pairs = pairs.withColumn("fields", F.map_from_arrays(names, "fields"))
        a = self.names.select(F.col("unit").alias("a"), F.col("id").alias("a_id"))
        b = self.names.select(F.col("unit").alias("b"), F.col("id").alias("b_id"))
        pairs = pairs.join(a, "a").join(b, "b")
        columns = [F.col("a_id").alias("a"), F.col("b_id").alias("b"), F.col("similarity"), *[F.col(name) for name in self.details]]
        return pairs.orderBy("a", "b").select(*columns)

    def _links(self) -> Any:
        """What is removed with that for which it is, and what stands for both."""
        from pyspark.sql import functions as F

        pairs = self.removed.select(F.least("unit", "kept_unit").alias("a"), F.greatest("unit", "kept_unit").alias("b"), "similarity")
        if not self.details:
            return pairs
        first = self.collection.grouped().select("unit", "first")
        pairs = pairs.join(first.selectExpr("unit AS a", "first AS a_first"), "a")
        return pairs.join(first.selectExpr("unit AS b", "first AS b_first"), "b")

    def _detailed(self, pairs: Any, all_same: bool = False) -> Any:
        """Pairs, perhaps of identical units only, with what is said of those that stand for both, `a_first` and `b_first`. These are the same,
        or the other way round, where one of the pair is a copy: then they are compared once more."""
        from pyspark.sql import functions as F

        nothing = {"kind": F.lit("same"), "changed": F.array().cast("array<array<string>>")}
        if not self.details:
            return pairs.select("a", "b", "similarity")
        tells_fields = "fields" in self.details
        if all_same and not tells_fields:
            return pairs.select("a", "b", "similarity", *[value.alias(name) for name, value in nothing.items()])
        firsts = ["a_first", "b_first"]
        unknown = pairs.filter("a_first >= b_first" if tells_fields else "a_first > b_first")
        again = self.found.again(unknown.selectExpr("a_first AS a", "b_first AS b").distinct())
        known = self.found.pairs.select("a", "b", *self.details).unionByName(again.select("a", "b", *self.details))
        pairs = pairs.join(known.selectExpr("a AS a_first", "b AS b_first", *self.details), firsts, "left").drop(*firsts)
        return pairs.withColumns({name: F.coalesce(F.col(name), value) for name, value in nothing.items()})


def of_copies(collection: Collection, pairs: Any) -> tuple[Any, Any]:
    """All pairs of identical units, and those of all copies of similar ones, with what stands for both, `a_first` and `b_first`."""
    from pyspark.sql import functions as F

    members = collection.grouped().select("unit", "first")
    one = members.selectExpr("unit AS a", "first AS a_first")
    two = members.selectExpr("unit AS b", "first AS b_first")
    identical = one.join(two, F.col("a_first") == F.col("b_first")).filter(F.col("a") < F.col("b"))
    identical = identical.select("a", "b", "a_first", "b_first", F.lit(1.0).alias("similarity"))
    spread = pairs.withColumnsRenamed({"a": "a_first", "b": "b_first"}).join(one, "a_first").join(two, "b_first")
    in_order = F.col("a") < F.col("b")
    ends = [(F.when(in_order, F.col(f"a{of}")).otherwise(F.col(f"b{of}")), F.when(in_order, F.col(f"b{of}")).otherwise(F.col(f"a{of}"))) for of in ("", "_first")]
    columns = [column.alias(f"{side}{of}") for of, both in zip(("", "_first"), ends, strict=True) for side, column in zip("ab", both, strict=True)]
    return identical, spread.select(*columns, *[name for name in pairs.columns if name not in ("a", "b")])
