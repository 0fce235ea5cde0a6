"""What a job over sentences found: pairs as they are quoted, clusters, and the articles that share sentences."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts
from lookalike.spark._articles import articles
from lookalike.spark._clusters import components
from lookalike.spark._collection import columns_of
from lookalike.spark._names import named
from lookalike.spark._parts import OUTLINES, QUOTED, Job
from lookalike.spark._result import Result, of_copies
from lookalike.spark._scored import Scored, beside
from lookalike.spark._sentences import ARTICLE_ORDER, Sentences
from lookalike.spark._tables import in_parts

STATEMENT = ["text", "title", "in_references"]
QUOTE = ["id", "title", "sentence", "text", "date"]


def quote(collection: Sentences, job: Job, found: Scored) -> Result:
    """The tables of the result."""
    tables = collection.tables
    scored = found.pairs.select("a", "b", "a_rank", "b_rank", "similarity")
    names = tables.save("names", named(collection.articles, ARTICLE_ORDER, collection.some_repeat).select("__article", "id", "title", "date"))
    in_clusters = tables.save("in-clusters", _in_clusters(collection, scored, found.most))
    listed = tables.save("listed", _listed(collection, scored, in_clusters))
    quotes = tables.save("quotes", _quotes(collection, names, [scored, listed], in_clusters))
    return Result(
        tables,
        pairs=lambda: tables.save("pairs", _pairs(collection, job, scored, listed, quotes)).orderBy("__a", "__b").drop("__a", "__b"),
        clusters=lambda: _clusters(in_clusters, quotes),
        articles=lambda: articles(collection, scored, names),
    )


def _in_clusters(collection: Sentences, scored: Any, most: int) -> Any:
    """The units that are linked, or have copies, with the rank of the first of all that are, `root`."""
    from pyspark.sql import functions as F

    links = scored.select(F.least("a_rank", "b_rank").alias("first"), F.greatest("a_rank", "b_rank").alias("second"))
    linked = components(links, most, collection.tables, "clusters")
    roots = linked.select(F.col("second").alias("group_rank"), F.col("first").alias("root"))
    roots = roots.union(linked.select("first", "first").distinct())
    units = collection.grouped("__article").join(roots, "group_rank", "left")
    units = units.filter(F.col("root").isNotNull() | (F.col("members") > 1))
    return units.withColumn("root", F.coalesce("root", "group_rank")).select("unit", "rank", "first", "root", "__article")


def _listed(collection: Sentences, scored: Any, in_clusters: Any) -> Any:
    """The pairs that the spec asks for, with the units that stand for theirs."""
    from pyspark.sql import functions as F

    chosen = collection.plan["pairs"]
    units = in_clusters.select("unit", "first", "__article")
    pairs = scored.select("a", "b", "similarity")
    copies = units.filter(F.col("unit") != F.col("first"))
    stars = copies.select(F.col("first").alias("a"), F.col("unit").alias("b"), F.lit(1.0).alias("similarity"))
    if chosen == "links":
        pairs = _linking(pairs, in_clusters).union(stars)
    elif chosen == "all":
        of_units, of_pairs = of_copies(collection, pairs)
        pairs = of_pairs.select("a", "b", "similarity").union(of_units.select("a", "b", "similarity"))
    else:
        pairs = pairs.union(stars)
    pairs = beside(collection.tables.save("to-list", pairs), units)
    if chosen != "links" and not collection.plan["sentences"]["within_article"]:
        is_same = F.col("a___article") == F.col("b___article")
        apart = pairs.filter(~is_same)
        # Of two sentences of one article a copy in another one is listed.
        if chosen == "auto":
            one = pairs.filter(is_same & (F.col("a_first") != F.col("b_first")))
            apart = apart.unionByName(_elsewhere(one, units))
        pairs = apart
    return pairs.limit(0) if chosen == "none" else pairs


def _linking(pairs: Any, in_clusters: Any) -> Any:
    """The first pairs that link the units of each component."""
    from pyspark.sql import functions as F

    of_component = pairs.join(in_clusters.select(F.col("unit").alias("a"), "root"), "a")
    linking = in_parts(of_component.repartition("root"), _parts.linking(), columns_of(of_component, of_component.columns))
    return linking.select("a", "b", "similarity")


def _elsewhere(pairs: Any, units: Any) -> Any:
    """For pairs of one article the first copies that stand in another: of the second, else of the first."""
    from pyspark.sql import functions as F

    own = units.filter(F.col("unit") == F.col("first")).select("first", F.col("__article").alias("own"))
    others = units.join(own, "first").filter(F.col("__article") != F.col("own"))
    others = others.groupBy("first").agg(F.min(F.struct("unit", "__article")).alias("copy"))
    found = pairs.join(others.select(F.col("first").alias("b"), F.col("copy").alias("of_b")), "b", "left")
    found = found.join(others.select(F.col("first").alias("a"), F.col("copy").alias("of_a")), "a", "left")
    copy = F.coalesce("of_b", "of_a")
    stays, first = F.when(F.col("of_b").isNotNull(), F.col("a")).otherwise(F.col("b")), F.when(F.col("of_b").isNotNull(), F.col("b")).otherwise(F.col("a"))
    found = found.filter(copy.isNotNull()).select(
        stays.alias("one"), copy["unit"].alias("two"), first.alias("two_first"), copy["__article"].alias("two_article"), "a___article", "similarity"
    )
    is_first = F.col("one") < F.col("two")

    def side(one: Any, two: Any, name: str) -> Any:
        return F.when(is_first, one).otherwise(two).alias(name)

    one, two = [F.col("one"), F.col("one"), F.col("a___article")], [F.col("two"), F.col("two_first"), F.col("two_article")]
    columns = [side(x, y, f"a{name}") for x, y, name in zip(one, two, ("", "_first", "___article"), strict=True)]
    columns += [side(y, x, f"b{name}") for x, y, name in zip(one, two, ("", "_first", "___article"), strict=True)]
    return found.select(*columns, "similarity")


def _quotes(collection: Sentences, names: Any, pairs: list[Any], in_clusters: Any) -> Any:
    """The units that are in a table, with what they say and where."""
    from pyspark.sql import functions as F

    wanted = in_clusters.select("unit")
    for some in pairs:
        wanted = wanted.union(some.select("a")).union(some.select("b"))
    units = collection.units.select("unit", "__row").join(wanted.distinct(), "unit")
    texts = collection.units_read.select("__row", "__article", "sentence", "in_references", "text")
    quotes = units.join(texts, "__row").join(names, "__article")
    date = F.when(F.col("date") != "", F.col("date"))
    return quotes.select("unit", "__article", "sentence", "in_references", "text", "id", "title", date.alias("date"))


def _pairs(collection: Sentences, job: Job, scored: Any, listed: Any, quotes: Any) -> Any:
    """The pairs with what changed, by what all similar sentences say of them."""
    from pyspark.sql import functions as F

    frames, siblings = _frames(collection, scored, quotes)
    pairs = listed
    pairs = beside(pairs, quotes.select("unit", *QUOTE, "in_references"))
    for side in ("a", "b"):
        pairs = pairs.join(frames.select(F.col("unit").alias(f"{side}_first"), F.lit(True).alias(f"{side}_frame")), f"{side}_first", "left")
    low, high = F.least("a___article", "b___article"), F.greatest("a___article", "b___article")
    pairs = pairs.withColumn("low", low).withColumn("high", high).join(siblings.withColumn("siblings", F.lit(True)), ["low", "high"], "left")
    is_frame = F.coalesce(F.col("a_frame"), F.col("b_frame"), F.lit(False)).alias("is_frame")
    are_siblings = F.coalesce(F.col("siblings"), F.lit(False)).alias("are_siblings")
    quoted = [f"{side}_{name}" for side in ("a", "b") for name in QUOTE]
    pairs = pairs.select("a", "b", "similarity", *quoted, "a_in_references", "b_in_references", is_frame, are_siblings)
    schema = columns_of(pairs, ["a", "b", "similarity", *quoted])
    pairs = in_parts(pairs, _parts.quoted(job), f"{schema}, {QUOTED}")
    sides = [F.struct(*[F.col(f"{side}_{name}").alias(name) for name in QUOTE]).alias(side) for side in ("a", "b")]
    numbers = [F.col("a").alias("__a"), F.col("b").alias("__b")]
    return pairs.select(*sides, "similarity", "edit_similarity", "kind", "confidence", "changed", *numbers)


def _frames(collection: Sentences, scored: Any, quotes: Any) -> tuple[Any, Any]:
    """The units that are frames, and the pairs of articles that say the same of different subjects elsewhere, too."""
    from pyspark.sql import functions as F

    pairs = scored.select("a", "b")
    pairs = beside(pairs, quotes.select("unit", "__article", *STATEMENT))
    kept = ["a", "b", "a___article", "b___article"]
    pairs = pairs.select(*kept, *[f"{side}_{name}" for side in ("a", "b") for name in STATEMENT])
    outlines = in_parts(pairs, _parts.outlines(), f"{columns_of(pairs, kept)}, {OUTLINES}")
    outlines = collection.tables.save("outlines", outlines)
    likes = outlines.select(F.col("a").alias("unit"), F.col("a_like_title").alias("title"), F.col("a_like_facts").alias("facts"))
    likes = likes.union(outlines.select("b", "b_like_title", "b_like_facts"))
    least = collection.plan["sentences"]["frame"]
    frames = likes.groupBy("unit").agg(F.countDistinct("title").alias("titles"), F.countDistinct("facts").alias("facts"))
    frames = frames.filter((F.col("titles") >= least) & (F.col("facts") >= least)).select("unit")
    low, high = F.least("a___article", "b___article").alias("low"), F.greatest("a___article", "b___article").alias("high")
    siblings = outlines.groupBy(low, high).agg(F.countDistinct("has_subjects").alias("both"))
    return frames, siblings.filter(F.col("both") == 2).select("low", "high")


def _clusters(in_clusters: Any, quotes: Any) -> Any:
    """The clusters by their kept member, members in order."""
    from pyspark.sql import functions as F

    members = in_clusters.select("unit", "rank", "root").join(quotes.select("unit", *QUOTE), "unit")
    listed = F.sort_array(F.collect_list(F.struct("unit", "rank", F.struct(*QUOTE).alias("quote"))))
    clusters = members.groupBy("root").agg(listed.alias("listed"), F.min(F.struct("rank", "unit", "id", "sentence")).alias("kept"))
    clusters = clusters.orderBy("kept.unit")
    size = F.size("listed").cast("long").alias("size")
    return clusters.select(F.col("kept.id").alias("cluster"), F.col("kept.sentence").alias("sentence"), size, F.col("listed.quote").alias("members"))
