"""A whole job, from a frame to its result."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from lookalike._lookalike import is_running_text
from lookalike._spec import Spec
from lookalike.errors import OptionError
from lookalike.spark._collection import Collection
from lookalike.spark._one_task import fits, in_one_task
from lookalike.spark._pages import Pages
from lookalike.spark._pairs import candidates
from lookalike.spark._parts import Job
from lookalike.spark._passages import locate
from lookalike.spark._quoted import quote
from lookalike.spark._records import Records
from lookalike.spark._result import Result, assemble
from lookalike.spark._scored import scored
from lookalike.spark._sentences import Sentences
from lookalike.spark._tables import Tables

# So many records tell whether a single field is running text, as in the local engine.
LOOKED_AT = 1000


def run(frame: Any, spec: Spec, order: str | None, work: str | None, one_task: int | None) -> Result:
    """Runs a job; collections of so many bytes in one task."""
    job = Job(spec)
    plan = json.loads(job.plan())
    check(plan)
    tables = Tables(frame.sparkSession, work)
    try:
        records = Records(frame, plan, tables, order)
        return in_one_task(records, job) if fits(records, one_task) else _find(records, job)
    except BaseException:
        tables.remove()
        raise


def _find(records: Records, job: Job) -> Result:
    if records.plan["split"] == "sentences":
        sentences = Sentences(records, job)
        sentences.sign(job)
        return quote(sentences, job, scored(sentences, job, candidates(sentences, job)))
    if records.plan["split"] == "pages":
        pages = Pages(records, job)
        pages.sign(job)
        return locate(pages, job, candidates(pages, job))
    if records.plan["looks_at_field"]:
        job = dataclasses.replace(job, running_text=is_running_text(records.first(LOOKED_AT, records.plan["fields"][0])))
        records.plan = json.loads(job.plan())
    collection = Collection(records)
    if records.plan["needs_statistics"]:
        job = dataclasses.replace(job, statistics=collection.statistics(job))
    collection.sign(job)
    return assemble(collection, scored(collection, job, candidates(collection, job)))


def check(plan: dict[str, Any]) -> None:
    """Refuses what plans over frames do not do yet."""
    refused = None
    if plan["route"] in ("units", "capped-terms", "listed") or not (plan["has_bounds"] or plan["route"] == "buckets"):
        refused = "comparing every text with every other", "use keys that few texts share: keys=\"minhash\""
    elif plan["transitive"]:
        refused = "transitive", "leave it out"
    elif plan["top"] is not None:
        refused = "top", "leave it out"
    elif plan["limit"] is not None:
        refused = "limit", "limit the frame: frame.orderBy(…).limit(n)"
    elif plan["split"] == "pages" and plan["route"] == "terms":
        refused = "keys=every of passages", "leave it out"
    elif plan["split"] == "pages" and plan["keep_per"] is not None:
        refused = "keep_per of passages", "leave it out"
    elif plan["clusters"] != ("components" if plan["split"] == "sentences" else "stars"):
        refused = f"clusters={plan['clusters']}", "leave it out"
    elif plan["split"] is not None and plan["needs_statistics"]:
        refused = "counting the words of sentences", "leave out what weighs words"
    elif plan["ids"] != "field":
        refused = f"ids={plan['ids']}", "add a column of ids to the frame"
    if refused is not None:
        raise OptionError(f"{refused[0]} is not there on Spark; {refused[1]}")
