"""What runs in the tasks: the stages of the kernel over the batches of a part. Pickled with all it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow

from lookalike import _lookalike
from lookalike._lookalike import Batch
from lookalike._spec import Spec

Batches = Iterable[pyarrow.RecordBatch]
Work = Callable[[Batches], Iterator[pyarrow.RecordBatch]]

SIGNED = (
    "digest_1 long, digest_2 long, rank_value long, keep_per long, keys array<long>, sketch binary, sizes array<long>, class int, "
    "sampled array<long>"
)
PAIRS = "a long, b long, a_rank long, b_rank long"
BUCKETS = "digest_1 long, digest_2 long, size long, place long, unit long"
SCORED = f"{PAIRS}, similarity double, held boolean, kind string, changed array<array<string>>"
SENTENCES = "place long, sentence long, in_references boolean, text string, __keep_value long, __keep_per long"
PAGE_SENTENCES = "place long, text string, length long, words long, __keep_value long, __keep_per long"
ALIGNED = (
    "a long, b long, relation string, joint string, goes_on boolean, shift long, own_a long, own_b long, covered_a double, covered_b double, "
    "similarity double, places array<long>, similarities array<double>, a_texts array<string>, b_texts array<string>"
)
OUTLINES = "a_like_title long, a_like_facts long, b_like_title long, b_like_facts long, has_subjects boolean"
QUOTED = "edit_similarity double, kind string, confidence double, changed array<array<string>>"
PREFIXES = "__row long, probe long, size long, class long, features array<long>, places array<long>"


@dataclass(frozen=True)
class Job:
    """The settings of a job with what must be known of the collection."""

    spec: Spec
    statistics: bytes | None = None

    @property
    def stages(self) -> _lookalike.Stages:
        """The kernel, made once a process."""
        return _stages(self.spec, self.statistics)

    def plan(self) -> str:
        """What is known of the plan, as JSON."""
        with self.spec._config() as config:
            return _lookalike.Stages.plan([self.spec.job, *config, "--", "batch"])


@lru_cache(maxsize=2)
def _stages(spec: Spec, statistics: bytes | None) -> _lookalike.Stages:
    known = None if statistics is None else pyarrow.ipc.open_stream(statistics).read_all()
    with spec._config() as config:
        return _lookalike.Stages([spec.job, *config, "--", "batch"], known)


def statistics(job: Job) -> Work:
    """How often what occurs."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        from lookalike import kernels

        for batch in batches:
            yield _rows(kernels.statistics(_whole([batch]), job.spec))

    return work


def sign(job: Job, carried: list[str], keys: bool, sample_bits: int | None) -> Work:
    """What records are found by: a row each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(job.stages.sign(_whole([batch]), carried, keys, sample_bits))

    return work


def split(job: Job, carried: list[str]) -> Work:
    """The sentences of records."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.split(job.stages, _whole([batch]), carried))

    return work


def keep(job: Job, carried: list[str]) -> Work:
    """What the measure keeps of records."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(job.stages.keep(_whole([batch]), carried))

    return work


def score(job: Job) -> Work:
    """The pairs that reach the threshold."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(job.stages.score(_whole([batch])))

    return work


def bucket_pairs(job: Job, units: int) -> Work:
    """The pairs of the postings of a part, and the members of its hot buckets."""
    names = ["a", "b", "a_rank", "b_rank", "digest_1", "digest_2", "size", "place", "unit"]

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (postings := _whole(batches)) is None:
            return
        for found in _lookalike.bucket_pairs(job.stages, postings, units):
            rows = _rows(found)
            nothing = pyarrow.nulls(rows.num_rows, pyarrow.int64())
            there = set(rows.schema.names)
            yield pyarrow.record_batch({name: rows.column(name) if name in there else nothing for name in names})

    return work


def buckets_again() -> Work:
    """What is left of buckets, with its digests and places."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (members := _whole(batches)) is not None:
            yield _rows(_lookalike.buckets_again(members))

    return work


def unit_digests() -> Work:
    """Units with what they add to the digests of their buckets."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.unit_digests(_whole([batch])))

    return work


def sift(job: Job) -> Work:
    """The pairs that are worth a comparison, without the sketches that tell."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            table = _whole([batch])
            admitted = table.filter(pyarrow.array(_lookalike.sifted(job.stages, table), pyarrow.bool_()))
            yield from admitted.drop_columns(["a_sketch", "b_sketch"]).to_batches()

    return work


def floors(job: Job, features: list[int], described: list[int], classes: list[tuple[int, int]]) -> Work:
    """The floors by which pairs are found, in one row; null if keys find them."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        lists = pyarrow.list_(pyarrow.int64())
        nothing = pyarrow.schema({"unit": pyarrow.int64(), "sizes": lists, "sampled": lists}).empty_table()
        there = _whole(batches)
        sampled = nothing if there is None else there
        chosen = _lookalike.floors(job.stages, sampled, features, described, classes)
        yield pyarrow.record_batch({"floors": pyarrow.array([chosen], pyarrow.list_(pyarrow.list_(pyarrow.float64())))})

    return work


def count_features(job: Job, slots: int, block: int) -> Work:
    """About how often each feature occurs, a row a block of slots."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        counts = _lookalike.FeatureCounts(slots)
        for batch in batches:
            counts.count(job.stages, _whole([batch]))
        counted = counts.to_bytes()
        for begin in range(0, slots, block):
            yield pyarrow.record_batch({"block": pyarrow.array([begin // block], pyarrow.int64()), "counts": [counted[begin : begin + block]]})

    return work


def add_counts() -> Work:
    """The counts of each block of a part, added up."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        sums: dict[int, bytes] = {}
        for batch in batches:
            for block, counts in zip(batch.column("block").to_pylist(), batch.column("counts").to_pylist(), strict=True):
                sums[block] = _lookalike.add_counts(sums[block], counts) if block in sums else counts
        yield pyarrow.record_batch(
            {"block": pyarrow.array(list(sums), pyarrow.int64()), "counts": pyarrow.array(list(sums.values()), pyarrow.binary())}
        )

    return work


def prefixes(job: Job, counts: bytes, floors: list[list[float]]) -> Work:
    """The rarest features of records, a row for each probe of each."""
    import numpy

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = _lookalike.FeatureCounts.of_bytes(counts)
        for batch in batches:
            rows = _rows(_lookalike.prefixes(job.stages, _whole([batch]), known, floors))
            row, probe = (rows.column(name).to_numpy() for name in ("__row", "probe"))
            # Those of one probe of a record follow each other.
            is_new = numpy.ones(len(row), bool)
            is_new[1:] = (row[1:] != row[:-1]) | (probe[1:] != probe[:-1])
            begins = numpy.flatnonzero(is_new)
            offsets = pyarrow.array(numpy.append(begins, len(row)).astype("int32"))
            first = {name: rows.column(name).take(pyarrow.array(begins)) for name in ("__row", "probe", "size", "class")}
            lists = {f"{name}s": pyarrow.ListArray.from_arrays(offsets, rows.column(name)) for name in ("feature", "place")}
            yield pyarrow.record_batch({**first, **lists})

    return work


def prefix_pairs(job: Job, floors: list[list[float]]) -> Work:
    """The pairs of the rarest features of a part."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (postings := _whole(batches)) is not None:
            yield _rows(_lookalike.prefix_pairs(job.stages, postings, floors))

    return work


def stars() -> Work:
    """The pairs that take, of whole components."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := _whole(batches)) is not None:
            yield _rows(_lookalike.stars(pairs))

    return work


def components() -> Work:
    """What is linked by the pairs of a part, each with the first of all that are."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := _whole(batches)) is not None:
            yield _rows(_lookalike.components(pairs))

    return work


def linking() -> Work:
    """The pairs that link what was not linked, of whole components."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := _whole(batches)) is not None:
            yield _rows(_lookalike.linking(pairs))

    return work


def outlines() -> Work:
    """What pairs of sentences say of others."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.outlines(_whole([batch])))

    return work


def quoted(job: Job) -> Work:
    """The pairs of sentences with their kinds and what changed."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.quoted(job.stages, _whole([batch])))

    return work


def page_texts(job: Job, carried: list[str]) -> Work:
    """The whole texts of records."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.page_texts(job.stages, _whole([batch]), carried))

    return work


def split_pages(job: Job, carried: list[str]) -> Work:
    """The sentences of pages."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.split_pages(job.stages, _whole([batch]), carried))

    return work


def page_bands() -> Work:
    """What near-identical documents are found by."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.page_bands(_whole([batch])))

    return work


def near_identical() -> Work:
    """Documents that are near-identical to an earlier one, by all of each band."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.near_identical(rows))

    return work


def frames(job: Job, documents: int) -> Work:
    """The sentences that frame the documents of a collection of so many."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.frames(job.stages, rows, documents))

    return work


def worth_aligning(job: Job) -> Work:
    """The documents that are worth aligning, by all dots of each pair."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.worth_aligning(job.stages, rows))

    return work


def sampled_words(job: Job, documents: int, words: int) -> Work:
    """The words of the documents of a sample."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.sampled_words(job.stages, _whole([batch]), documents, words))

    return work


def common_words() -> Work:
    """The words that say too little, by all that a sample has."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield pyarrow.record_batch({"words": pyarrow.array([_lookalike.common_words(rows)], pyarrow.binary())})

    return work


def neighbour_keys(job: Job, common: bytes) -> Work:
    """The keys of neighbouring words, but for common ones."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.neighbour_keys(job.stages, _whole([batch]), common))

    return work


def shared_keys() -> Work:
    """The keys that documents share, by all of each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.shared_keys(rows))

    return work


def near_pairs(job: Job) -> Work:
    """The documents that share enough keys near each other, by all of each first one."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.near_pairs(job.stages, rows))

    return work


def aligned(job: Job) -> Work:
    """What pairs of pages share."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.aligned(job.stages, _whole([batch])))

    return work


def parts_of() -> Work:
    """The parts of documents that hold several."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.parts_of(_whole([batch])))

    return work


def made_up() -> Work:
    """The pages that others make up."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.made_up(_whole([batch])))

    return work


def pages_in_line() -> Work:
    """The pages of articles in the order in which they are read, by all links of each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := _whole(batches)) is not None:
            yield _rows(_lookalike.pages_in_line(rows))

    return work


def stories() -> Work:
    """The articles that are told in order."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield _rows(_lookalike.stories(_whole([batch])))

    return work


def least_framed(job: Job, documents: int) -> int | None:
    """In how many of so many documents a frame at both their edges stands at least; none if only a limit tells."""
    return _lookalike.least_framed(job.stages, documents)


def _rows(batch: Batch) -> pyarrow.RecordBatch:
    return pyarrow.record_batch(batch)


def _whole(batches: Batches) -> Any:
    """All batches of a part as a table; none if there are none."""
    batches = list(batches)
    return pyarrow.Table.from_batches(batches) if batches else None
