"""Pairs of documents that share neighbouring words near each other, such as those whose sentences were all changed."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _page_parts
from lookalike.spark._gathered import Gathered
from lookalike.spark._pages import Pages
from lookalike.spark._parts import Job
from lookalike.spark._tables import in_parts


def near(pages: Pages, job: Job, gathered: Gathered) -> Any:
    """The pairs. Words that too many documents have are left out, and neighbours in too many; of near-identical documents only the
    first is looked up, and boilerplate not at all."""
    from pyspark.sql import functions as F

    counted = pages.sentences.agg(F.countDistinct("record").alias("documents"), F.sum("words").alias("words")).first()
    documents, looked_up = counted["documents"], gathered.marked()
    if gathered.leaders is not None and not gathered.all_meet:
        documents -= gathered.leaders.count()
        looked_up = looked_up.join(gathered.leaders.select("record"), "record", "left_anti")
    sampled = in_parts(looked_up.select("record", "text"), _page_parts.sampled_words(job, documents, counted["words"] or 0), "words binary")
    # As many words as a sample of a bounded size can have.
    [common] = in_parts(sampled.repartition(1), _page_parts.common_words(), "words binary").collect() or [{"words": b""}]
    keys = in_parts(looked_up, _page_parts.neighbour_keys(job, bytes(common["words"])), "key long, record long, place long")
    shared = in_parts(keys.repartition("key"), _page_parts.shared_keys(), "a long, key long, place long, later binary")
    return in_parts(shared.repartition("a"), _page_parts.near_pairs(job), "a long, b long")
