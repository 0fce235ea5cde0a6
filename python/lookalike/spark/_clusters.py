"""Clusters in rounds, until what is left fits one task, which finishes it. Pairs are directed from the smaller to the larger rank.

The rule: in the order of rank each unit not yet taken is kept and takes all later ones similar to it. In a round every unit without an
earlier neighbour is kept, what it is similar to is taken, and pairs of what is taken are done with.

Components: what is linked, also over others. A round is a large star and a small star (Kiveris et al., Connected Components in MapReduce
and Beyond, 2014).
"""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts
from lookalike.spark._tables import Tables, in_parts

LINKS = "first long, second long, similarity double"
# So many pairs fit one task: 24 bytes each.
TASK_PAIRS = 4_000_000


def taken(links: Any, most: int | None, tables: Tables, name: str) -> Any:
    """The links by which a kept unit takes another; there are so many at the most, if that is known."""
    from pyspark.sql import functions as F

    if most is not None and most <= TASK_PAIRS:
        return tables.save(f"{name}-taken", in_parts(links.repartition(1), _parts.stars(), LINKS))
    all_links = links = tables.save(f"{name}-links", links)
    gone: list[Any] = []
    while links.count() > TASK_PAIRS:
        kept = links.select("first").distinct().join(links.select(F.col("second").alias("first")).distinct(), "first", "left_anti")
        now = links.join(kept, "first", "left_semi").select("second").distinct()
        gone.append(tables.save(f"{name}-gone-{len(gone)}", now))
        links = tables.save(f"{name}-links-{len(gone)}", without(links, gone[-1]))
    last = in_parts(links.repartition(1), _parts.stars(), LINKS)
    if not gone:
        return tables.save(f"{name}-taken", last)
    # Which units are taken is known; of the kept ones that it is similar to, the first takes a unit.
    for some in gone:
        all_links = all_links.join(some.select(F.col("second").alias("first")), "first", "left_anti")
    last = tables.save(f"{name}-gone", last.select("second"))
    by_kept = all_links.join(last.select(F.col("second").alias("first")), "first", "left_anti")
    first = by_kept.groupBy("second").agg(F.min("first").alias("first"))
    return tables.save(f"{name}-taken", by_kept.join(first, ["first", "second"]).select("first", "second", "similarity"))


def without(links: Any, gone: Any) -> Any:
    """The links of which neither unit is gone."""
    from pyspark.sql import functions as F

    rest = links.join(gone, "second", "left_anti")
    return rest.join(gone.select(F.col("second").alias("first")), "first", "left_anti").select("first", "second", "similarity")


def components(links: Any, most: int | None, tables: Tables, name: str) -> Any:
    """Whatever is linked and is not the smallest of all that are, as `second`, with the smallest, as `first`; there are so many links at the
    most, if that is known."""
    from pyspark.sql import functions as F

    if most is not None and most <= TASK_PAIRS:
        return tables.save(f"{name}-components", in_parts(links.select("first", "second").repartition(1), _parts.components(), "first long, second long"))
    edges = tables.save(f"{name}-edges", links.select("first", "second").distinct())
    known = edges.agg(F.count("*"), F.sum("first"), F.sum("second")).first()
    rounds = 0
    while known[0] > TASK_PAIRS:
        rounds += 1
        edges = tables.save(f"{name}-edges-{rounds}", _small_star(_large_star(edges)))
        before, known = known, edges.agg(F.count("*"), F.sum("first"), F.sum("second")).first()
        if before == known:
            return edges
    return tables.save(f"{name}-components", in_parts(edges.repartition(1), _parts.components(), "first long, second long"))


def _large_star(edges: Any) -> Any:
    """Links what is larger than a unit and linked to it with the smallest that is, or with the unit itself."""
    from pyspark.sql import functions as F

    both = edges.union(edges.select("second", "first")).toDF("unit", "other")
    smallest = both.groupBy("unit").agg(F.least(F.min("other"), F.min("unit")).alias("first"))
    larger = both.filter(F.col("other") > F.col("unit")).join(smallest, "unit")
    return larger.select("first", F.col("other").alias("second")).distinct()


def _small_star(edges: Any) -> Any:
    """Links a unit and what is smaller and linked to it with the smallest of these."""
    from pyspark.sql import functions as F

    smallest = edges.groupBy("second").agg(F.min("first").alias("smallest"))
    smaller = edges.join(smallest, "second").filter(F.col("first") != F.col("smallest"))
    smaller = smaller.select(F.col("smallest").alias("first"), F.col("first").alias("second"))
    return smaller.union(smallest.select(F.col("smallest").alias("first"), "second")).distinct()
