"""The pages of a job and their sentences: texts numbered in their order, sentences that are stored with a handle each, as records are."""

from __future__ import annotations

from typing import Any

from lookalike.spark import _page_parts
from lookalike.spark._collection import Collection, columns_of
from lookalike.spark._numbers import Ranges
from lookalike.spark._parts import PAGE_SENTENCES, Job
from lookalike.spark._records import Records
from lookalike.spark._sentences import ARTICLE_ORDER, article_names
from lookalike.spark._tables import in_parts


class Pages(Collection):
    """Pages and their sentences, which are the units: `pages` has `record`, the number of each, its `text` and its id; `sentences`
    has `unit`, `record`, `place`, `first` (of those that are identical) and how many these are, `members`."""

    order = ["record", "place"]
    ties: list[str] = []
    carried = ["__row", "record", "place", "length", "words"]
    # What is found by candidates is not compared by the same measure again: they have to be those of a local run.
    candidates_decide = True

    def __init__(self, records: Records, job: Job) -> None:
        from pyspark.sql import functions as F

        super().__init__(records)
        documents = self.records.select(*self.read, *article_names(), "__id")
        carried = [*ARTICLE_ORDER, "__id"]
        texts = in_parts(documents, _page_parts.page_texts(job, carried), f"{columns_of(documents, carried)}, text string")
        ranges = Ranges(documents, ARTICLE_ORDER, self.count)
        self.pages = ranges.number(self.tables.save("pages", ranges.numbered(texts)), "record")
        split = in_parts(self.pages.select("record", "text"), _page_parts.split_pages(job, ["record"]), f"record long, {PAGE_SENTENCES}")
        self.units_read = self.tables.save("sentences", split.withColumn("__row", F.monotonically_increasing_id()))
        self.read = ["text", "__keep_value", "__keep_per"]
        self.count = self.units_read.count()

    def counted_texts(self) -> Any:
        return self.texts().join(self.standing("__row").select("__row"), "__row")

    def sign(self, job: Job) -> None:
        from pyspark.sql import functions as F

        super().sign(job)
        units = self.units.join(self.copied.select("digest_1", "digest_2", "first", "members"), ["digest_1", "digest_2"], "left")
        first, members = F.coalesce("first", "unit").alias("first"), F.coalesce(F.col("members"), F.lit(1)).alias("members")
        columns = ["unit", "record", "place", "length", "words", "sketch"]
        self.sentences = self.tables.save("all-sentences", units.select(*columns, first, members))
