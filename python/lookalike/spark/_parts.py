"""What runs in the tasks: the stages of the kernel over the batches of a part. Pickled with all it needs."""

from __future__ import annotations

import sys
import zipimport
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pyarrow
import pyarrow.compute as pc

from lookalike import _lookalike
from lookalike._lookalike import Batch
from lookalike._spec import Spec
from lookalike.errors import Error

Batches = Iterable[pyarrow.RecordBatch]
Work = Callable[[Batches], Iterator[pyarrow.RecordBatch]]

SIGNED = (
    "digest_1 long, digest_2 long, rank_value long, keep_per long, keys array<long>, sketch binary, sizes array<long>, class int, "
    "sampled array<long>"
)
PAIRS = "a long, b long, a_rank long, b_rank long"
BUCKETS = "digest_1 long, digest_2 long, size long, place long, unit long"
# In what records differ; of threads how similar each field is, and which of the two has more.
DETAILS = "kind string, changed array<array<string>>, fields array<double>, more string"
SCORED = f"{PAIRS}, may_take boolean, similarity double, held boolean, {DETAILS}"
SENTENCES = "place long, sentence long, in_references boolean, text string, __keep_value long, __keep_per long"
PAGE_SENTENCES = "place long, text string, length long, words long, __keep_value long, __keep_per long"
ALIGNED = (
    "a long, b long, relation string, joint string, goes_on boolean, shift long, own_a long, own_b long, covered_a double, covered_b double, "
    "similarity double, places array<long>, similarities array<double>, a_texts array<string>, b_texts array<string>"
)
OUTLINES = "a_like_title long, a_like_facts long, b_like_title long, b_like_facts long, has_subjects boolean"
QUOTED = "edit_similarity double, kind string, confidence double, changed array<array<string>>"
CHOSEN = "floors array<array<double>>, features array<long>"
SAMPLED = "unit long, digest_1 long, digest_2 long, sizes array<long>, sampled array<long>"
# So many pairs, or units with their leaders, are compared at once.
AT_ONCE = 1000
PREFIXES = "__row long, probe long, marks binary, features array<long>, places array<long>"


@dataclass(frozen=True)
class Job:
    """The settings of a job with what must be known of the collection."""

    spec: Spec
    statistics: bytes | None = None
    # Whether a single field is running text, where its first records tell.
    running_text: bool | None = None

    @property
    def stages(self) -> _lookalike.Stages:
        """The kernel, made once a process."""
        return _stages(self.spec, self.statistics, self.running_text)

    def plan(self) -> str:
        """What is known of the plan, as JSON."""
        with self.spec._config() as config:
            return _lookalike.Stages.plan([self.spec.job, *config, "--", "batch"], self.running_text)


@lru_cache(maxsize=2)
def _stages(spec: Spec, statistics: bytes | None, running_text: bool | None) -> _lookalike.Stages:
    known = None if statistics is None else pyarrow.ipc.open_stream(statistics).read_all()
    with spec._config() as config:
        return _lookalike.Stages([spec.job, *config, "--", "batch"], known, running_text)


def in_task(work: Work) -> Work:
    """Work as a task runs it.

    Before each task Spark makes Python look for changed modules, and an archive of modules is then read anew for every package in it: a
    tenth of a second, of Spark's own. What is not remembered is not read, and looked up again if it is ever needed.
    """

    def run(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for path, finder in list(sys.path_importer_cache.items()):
            if isinstance(finder, zipimport.zipimporter):
                sys.path_importer_cache.pop(path, None)
        return work(batches)

    return run


def statistics(job: Job) -> Work:
    """How often what occurs."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        from lookalike import kernels

        for batch in batches:
            yield rows_of(kernels.statistics(whole([batch]), job.spec))

    return work


def sign(job: Job, carried: list[str], keys: bool, sample_bits: int | None) -> Work:
    """What records are found by: a row each."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(job.stages.sign(whole([batch]), carried, keys, sample_bits))

    return work


def split(job: Job, carried: list[str]) -> Work:
    """The sentences of records."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.split(job.stages, whole([batch]), carried))

    return work


def keep(job: Job, carried: dict[str, str]) -> Work:
    """What the measure keeps of records, beside columns that are carried to it under other names."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            kept = rows_of(job.stages.keep(whole([batch]), list(carried)))
            yield kept.rename_columns([carried.get(name, name) for name in kept.schema.names])

    return work


def followed_by(work: Work, other: Work) -> Work:
    """Work and then other work over what it makes, in one task: its rows do not leave the process."""

    def both(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        return other(work(batches))

    return both


def score(job: Job) -> Work:
    """The pairs that reach the threshold: of each pair of a part two rows, with what is known of either unit."""
    import numpy

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is None:
            return
        unit, a, b = (rows.column(name).to_numpy() for name in ("unit", "a", "b"))
        order = numpy.lexsort([unit != a, b, a])
        for begin in range(0, len(order), 2 * AT_ONCE):
            one, two = (rows.take(pyarrow.array(order[begin + side : begin + 2 * AT_ONCE : 2])) for side in (0, 1))
            if not (one.column("unit").equals(one.column("a")) and two.column("unit").equals(one.column("b"))):
                raise Error("a pair without one of its units; please report this")
            yield from _scored(job, one.select(["a", "b", "a_rank", "b_rank"]), one, two)

    return work


def _scored(job: Job, pairs: pyarrow.Table, one: pyarrow.Table, two: pyarrow.Table) -> Iterator[pyarrow.RecordBatch]:
    """Scores pairs, by what is known of both units."""
    pairs = pairs.append_column("may_take", pc.equal(one.column("keep_per"), two.column("keep_per")))
    for name in ("kept", "texts"):
        if name in one.schema.names:
            pairs = pairs.append_column(f"a_{name}", one.column(name)).append_column(f"b_{name}", two.column(name))
    if pairs.num_rows > 0:
        yield rows_of(job.stages.score(pairs.combine_chunks()))


def score_led(job: Job, leaders: bytes) -> Work:
    """The pairs of units with some leaders, of which all is known here, that reach the threshold."""
    import numpy

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = pyarrow.ipc.open_stream(leaders).read_all().sort_by("unit")
        names = [name for name in ("unit", "rank", "keep_per", "kept", "texts") if name in known.schema.names]
        known = known.select(names)
        numbers = known.column("unit").to_numpy()
        for batch in batches:
            for begin in range(0, batch.num_rows, AT_ONCE):
                units = batch.slice(begin, AT_ONCE)
                lists = units.column("leaders")
                met = lists.flatten().to_numpy()
                unit = numpy.repeat(numpy.arange(units.num_rows), pc.list_value_length(lists).to_numpy())
                own = pyarrow.Table.from_batches([units.select(names)]).cast(known.schema)
                both = pyarrow.concat_tables([own, known]).combine_chunks()
                leader = own.num_rows + numpy.searchsorted(numbers, met)
                is_first = met < own.column("unit").to_numpy()[unit]
                a, b = (both.take(pyarrow.array(numpy.where(is_first == first, leader, unit))) for first in (True, False))
                pairs = {f"{side}{name}": of.column(column) for name, column in (("", "unit"), ("_rank", "rank")) for side, of in (("a", a), ("b", b))}
                yield from _scored(job, pyarrow.table(pairs), a, b)

    return work


def buckets_again() -> Work:
    """What is left of buckets, with its digests and places."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (members := whole(batches)) is not None:
            yield rows_of(_lookalike.buckets_again(members))

    return work


def unit_digests() -> Work:
    """Units with what they add to the digests of their buckets."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.unit_digests(whole([batch])))

    return work


def sift(job: Job) -> Work:
    """The pairs that are worth a comparison, without the sketches that tell."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            table = whole([batch])
            admitted = table.filter(pyarrow.array(_lookalike.sifted(job.stages, table), pyarrow.bool_()))
            yield from admitted.drop_columns(["a_sketch", "b_sketch"]).to_batches()

    return work


def sampled(probes: int) -> Work:
    """The units of a part that have a sampled feature; and, in a row without a unit, how many features and how many units with any there
    are, probe by probe (`sizes`), and each class with how many units are of it (`sampled`)."""
    import numpy

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        sums, classes = numpy.zeros((2, probes), numpy.int64), numpy.zeros(256, numpy.int64)
        columns = ["unit", "digest_1", "digest_2", "sizes", "sampled"]
        for batch in batches:
            sizes = batch.column("sizes").flatten().to_numpy(zero_copy_only=False).reshape(-1, probes)
            sums += numpy.stack([sizes.sum(axis=0), (sizes > 0).sum(axis=0)])
            classes += numpy.bincount(batch.column("class").to_numpy(zero_copy_only=False), minlength=256)
            is_there = pc.and_(pc.greater(pc.list_value_length(batch.column("sampled")), 0), pc.is_valid(batch.column("digest_1")))
            yield batch.select(columns).filter(is_there)
        there = numpy.flatnonzero(classes)
        counted = numpy.stack([there, classes[there]], axis=1)
        lists, none = pyarrow.list_(pyarrow.int64()), pyarrow.nulls(1, pyarrow.int64())
        yield pyarrow.record_batch([none, none, none, pyarrow.array([sums.ravel()], lists), pyarrow.array([counted.ravel()], lists)], columns)

    return work


def floors(job: Job, probes: int) -> Work:
    """The floors by which pairs are found, null if keys find them, and how many features there are, probe by probe: one row."""
    import numpy

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (rows := whole(batches)) is None:
            return
        is_sum = pc.is_null(rows.column("unit"))
        of_parts, units = rows.filter(is_sum), rows.filter(pc.invert(is_sum))
        features, described = numpy.array(of_parts.column("sizes").to_pylist()).sum(axis=0).reshape(2, probes).tolist()
        classes: dict[int, int] = {}
        for counted in of_parts.column("sampled").to_pylist():
            for of_class, count in zip(counted[::2], counted[1::2], strict=True):
                classes[of_class] = classes.get(of_class, 0) + count
        # Of identical units the first stands for all.
        unit, *digests = (units.column(name).to_numpy() for name in ("unit", "digest_1", "digest_2"))
        order = numpy.lexsort([unit, *digests])
        is_first = numpy.ones(len(order), bool)
        is_first[1:] = numpy.any([digest[order[1:]] != digest[order[:-1]] for digest in digests], axis=0)
        standing = units.take(pyarrow.array(order[is_first])).select(["unit", "sizes", "sampled"])
        chosen = _lookalike.floors(job.stages, standing, features, described, sorted(classes.items()))
        floats = pyarrow.list_(pyarrow.list_(pyarrow.float64()))
        yield pyarrow.record_batch({"floors": pyarrow.array([chosen], floats), "features": pyarrow.array([features], pyarrow.list_(pyarrow.int64()))})

    return work


def count_features(job: Job, slots: int, block: int) -> Work:
    """About how often each feature occurs, a row a block of slots."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        counts = _lookalike.FeatureCounts(slots)
        for batch in batches:
            counts.count(job.stages, whole([batch]))
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
    """The rarest features of records, a row for each probe of each, with marks of all of them."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        known = _lookalike.FeatureCounts.of_bytes(counts)
        for batch in batches:
            yield rows_of(_lookalike.prefixes(job.stages, whole([batch]), known, floors))

    return work


def prefix_pairs(job: Job, floors: list[list[float]]) -> Work:
    """The pairs of the rarest features of a part."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (postings := whole(batches)) is not None:
            yield rows_of(_lookalike.prefix_pairs(job.stages, postings, floors))

    return work


def stars() -> Work:
    """The pairs that take, of whole components."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := whole(batches)) is not None:
            yield rows_of(_lookalike.stars(pairs))

    return work


def components() -> Work:
    """What is linked by the pairs of a part, each with the first of all that are."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := whole(batches)) is not None:
            yield rows_of(_lookalike.components(pairs))

    return work


def linking() -> Work:
    """The pairs that link what was not linked, of whole components."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        if (pairs := whole(batches)) is not None:
            yield rows_of(_lookalike.linking(pairs))

    return work


def outlines() -> Work:
    """What pairs of sentences say of others."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.outlines(whole([batch])))

    return work


def quoted(job: Job) -> Work:
    """The pairs of sentences with their kinds and what changed."""

    def work(batches: Batches) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            yield rows_of(_lookalike.quoted(job.stages, whole([batch])))

    return work


def rows_of(batch: Batch) -> pyarrow.RecordBatch:
    """What a stage of the kernel returned."""
    return pyarrow.record_batch(batch)


def whole(batches: Batches) -> Any:
    """All batches of a part as a table; none if there are none."""
    batches = list(batches)
    return pyarrow.Table.from_batches(batches) if batches else None
