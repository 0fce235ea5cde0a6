"""Which articles have sentences in common, and chains of articles that share large parts."""

from __future__ import annotations

from typing import Any

from lookalike.spark._clusters import components
from lookalike.spark._numbers import Ranges
from lookalike.spark._sentences import Sentences


def articles(collection: Sentences, scored: Any, names: Any) -> Any:
    """Pairs of articles, most shared sentences first. A sentence that is similar to others in very many places is a frame of all of
    them and says nothing of two."""
    from pyspark.sql import functions as F

    tables = collection.tables
    # An article is known by its first sentence, which has its place among all.
    sizes = collection.units.groupBy("__article").agg(F.min("unit").alias("article"), F.count("*").alias("sentences"))
    sizes = tables.save("articles", sizes.join(names, "__article"))
    shared = _shared(collection, scored)
    counted = shared.groupBy("a", "b").agg(F.countDistinct("x").alias("of_a"), F.countDistinct("y").alias("of_b"))
    counted = counted.select("a", "b", F.least("of_a", "of_b").alias("shared_sentences"))
    for side in ("a", "b"):
        known = sizes.select(F.col("__article").alias(side), *[F.col(name).alias(f"{name}_{side}") for name in ("article", "sentences", "id", "title")])
        counted = counted.join(known, side)
    counted = tables.save("articles-counted", counted)
    chains = _chains(collection, counted)
    for side in ("a", "b"):
        known = chains.select(F.col("article").alias(f"article_{side}"), F.col("chain").alias(f"chain_{side}"))
        counted = counted.join(known, f"article_{side}", "left")
    chain = F.when(F.col("chain_a") == F.col("chain_b"), F.col("chain_a")).alias("chain")
    columns = [F.col("id_a").alias("a"), F.col("id_b").alias("b"), "title_a", "title_b", "shared_sentences", chain]
    ordered = tables.save("articles-listed", counted.select(*columns, "article_a", "article_b"))
    ordered = ordered.orderBy(F.col("shared_sentences").desc(), "article_a", "article_b")
    return ordered.drop("article_a", "article_b")


def _shared(collection: Sentences, scored: Any) -> Any:
    """A sentence `x` of the article `a` and one `y` of the later article `b` that is similar, or the same."""
    from pyspark.sql import functions as F

    units = collection.grouped("__article", "in_references")
    sizes = units.filter(F.col("unit") == F.col("first")).select("unit", "members")
    both = scored.select(F.col("a").alias("unit"), F.col("b").alias("other")).union(scored.select("b", "a"))
    others = sizes.select(F.col("unit").alias("other"), F.col("members").alias("like"))
    like = both.join(others, "other").select("unit", "like")
    like = like.union(sizes.filter(F.col("members") > 1).select("unit", F.col("members") - F.lit(1)))
    like = like.groupBy("unit").agg(F.sum("like").alias("like"))
    telling = like.filter(F.col("like") <= collection.plan["sentences"]["most_articles"]).select("unit")
    telling = collection.tables.save("telling", telling)
    members = units.filter(~F.col("in_references")).join(telling.select(F.col("unit").alias("first")), "first", "left_semi")
    members = collection.tables.save("telling-members", members.select("first", "unit", "__article"))
    one = members.select(F.col("first").alias("a"), F.col("unit").alias("x"), F.col("__article").alias("x_article"))
    two = members.select(F.col("first").alias("b"), F.col("unit").alias("y"), F.col("__article").alias("y_article"))
    columns = ["x", "x_article", "y", "y_article"]
    shared = scored.select("a", "b").join(one, "a").join(two, "b").select(*columns)
    same = one.withColumnRenamed("a", "first").join(two.withColumnRenamed("b", "first"), "first")
    shared = shared.union(same.filter(F.col("x") < F.col("y")).select(*columns)).filter(F.col("x_article") != F.col("y_article"))
    in_order = F.col("x") < F.col("y")

    def chosen(name: str, other: str) -> Any:
        return F.when(in_order, F.col(name)).otherwise(F.col(other))

    return shared.select(
        chosen("x_article", "y_article").alias("a"),
        chosen("y_article", "x_article").alias("b"),
        chosen("x", "y").alias("x"),
        chosen("y", "x").alias("y"),
    )


def _chains(collection: Sentences, counted: Any) -> Any:
    """The articles of chains of three or more, linked by large parts that two share, with the number of the chain."""
    from pyspark.sql import functions as F

    known = collection.plan["sentences"]
    shorter = F.least("sentences_a", "sentences_b")
    large = (F.col("shared_sentences") >= known["large_count"]) & (F.col("shared_sentences") >= F.lit(known["large_share"]) * shorter)
    links = counted.filter(large).select(F.col("article_a").alias("first"), F.col("article_b").alias("second"))
    linked = components(links, None, collection.tables, "chains")
    members = linked.select("first", F.col("second").alias("article")).union(linked.select("first", "first").distinct())
    sizes = members.groupBy("first").agg(F.count("*").alias("size")).filter(F.col("size") > 2)
    sizes = collection.tables.save("chains", sizes)
    ranges = Ranges(sizes, ["-size", "first"], sizes.count())
    numbered = ranges.number(collection.tables.save("chains-numbered", ranges.numbered(sizes)), "chain")
    return members.join(numbered.select("first", (F.col("chain") + F.lit(1)).alias("chain")), "first").select("article", "chain")
