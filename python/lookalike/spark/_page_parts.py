"""What runs in the tasks of `passages`: the stages of the kernel over the batches of a part."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow

from lookalike import _lookalike
from lookalike.spark._parts import Batches, Job, Work, rows_of, whole


def page_texts(job: Job, carried: list[str]) -> Work:
    """The whole texts of records."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.page_texts(job.stages, whole([batch]), carried))

    return work


def split_pages(job: Job, carried: list[str]) -> Work:
    """The sentences of pages."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.split_pages(job.stages, whole([batch]), carried))

    return work


def page_bands() -> Work:
    """What near-identical documents are found by."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.page_bands(whole([batch])))

    return work


def near_identical() -> Work:
    """Documents that are near-identical to an earlier one, by all of each band."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.near_identical(rows))

    return work


def frames(job: Job, documents: int) -> Work:
    """The sentences that frame the documents of a collection of so many."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.frames(job.stages, rows, documents))

    return work


def worth_aligning(job: Job) -> Work:
    """The documents that are worth aligning, by all dots of each pair."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.worth_aligning(job.stages, rows))

    return work


def sampled_words(job: Job, documents: int, words: int) -> Work:
    """The words of the documents of a sample."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.sampled_words(job.stages, whole([batch]), documents, words))

    return work


def common_words() -> Work:
    """The words that say too little, by all that a sample has."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield pyarrow.record_batch({"words": pyarrow.array([_lookalike.common_words(rows)], pyarrow.binary())})

    return work


def neighbour_keys(job: Job, common: bytes) -> Work:
    """The keys of neighbouring words, but for common ones."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.neighbour_keys(job.stages, whole([batch]), common))

    return work


def shared_keys() -> Work:
    """The keys that documents share, by all of each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.shared_keys(rows))

    return work


def near_pairs(job: Job) -> Work:
    """The documents that share enough keys near each other, by all of each first one."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.near_pairs(job.stages, rows))

    return work


def aligned(job: Job) -> Work:
    """What pairs of pages share."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.aligned(job.stages, whole([batch])))

    return work


def parts_of() -> Work:
    """The parts of documents that hold several."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.parts_of(whole([batch])))

    return work


def made_up() -> Work:
    """The pages that others make up."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.made_up(whole([batch])))

    return work


def pages_in_line() -> Work:
    """The pages of articles in the order in which they are read, by all links of each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is not None:
            yield rows_of(_lookalike.pages_in_line(rows))

    return work


def stories() -> Work:
    """The articles that are told in order."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.stories(whole([batch])))

    return work


def least_framed(job: Job, documents: int) -> int | None:
    """In how many of so many documents a frame at both their edges stands at least; none if only a limit tells."""
    return _lookalike.least_framed(job.stages, documents)
