"""The rule of clusters in rounds: in the order of rank each unit not yet taken is kept and takes all later ones similar to it.

Pairs are directed from the smaller to the larger rank. In a round every unit without an earlier neighbour is kept, what it is
similar to is taken, and pairs of what is taken are done with, until what is left fits one task, which finishes it.
"""

from __future__ import annotations

from typing import Any

from lookalike.spark import _parts
from lookalike.spark._tables import Tables, in_parts

LINKS = "first long, second long, similarity double"
# So many pairs fit one task: 24 bytes each.
TASK_PAIRS = 4_000_000


def taken(links: Any, tables: Tables, name: str) -> Any:
    """The links by which a kept unit takes another."""
    from pyspark.sql import functions as F

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
