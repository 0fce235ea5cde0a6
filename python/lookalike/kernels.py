"""The kernel over Arrow record batches, for engines that bring texts together themselves: Spark, Ray, Daft, a loop of one's own.

All are pure functions of their arguments, which can be pickled, and safe in threads. A batch is anything that speaks Arrow
(`__arrow_c_stream__` or `__arrow_c_array__`); a `Batch` comes back, which does, too.

```python
spec = lookalike.Spec("documents", threshold=0.7, keys="minhash")
keys = kernels.signatures(batch, spec)             # units that share a key are candidates
scored = kernels.verify(candidates, spec)          # the exact similarity of each pair, null below the threshold
```

Where words are weighed (`messages`) or must be known to be rare or common (I-Match, tf-idf), statistics come first: those of
each batch, merged in any order, and handed to the others.

```python
known = functools.reduce(kernels.merge, (kernels.statistics(batch, spec) for batch in batches))
keys = kernels.signatures(batch, spec, known)
```
"""

from __future__ import annotations

from typing import Any

from lookalike import _lookalike
from lookalike._lookalike import Batch
from lookalike._spec import Spec
from lookalike.errors import InputError

__all__ = ["Batch", "align", "merge", "signatures", "statistics", "verify"]


def statistics(batch: Any, spec: Spec) -> Batch:
    """What must be known of a collection before its texts can be signed, counted in this batch of it.

    Rows of `kind`, `term`, `documents` and `occurrences`, the counts being sums: any engine can add them up by the first two
    columns, as `merge` does.
    """
    with spec._config() as config:
        return _lookalike.statistics(stream(batch), [spec.job, *config, "--", "batch"])


def merge(a: Any, b: Any) -> Batch:
    """The statistics of two batches as those of both."""
    return _lookalike.merge(stream(a), stream(b))


def signatures(batch: Any, spec: Spec, statistics: Any = None) -> Batch:
    """The keys of the texts of a batch; two that share one are candidates.

    Rows of `row` (that of the batch, from 0), `unit` and `begin` (the sentence and the byte it begins at, where the job compares
    sentences), `key`, and the `id` if the batch has one.
    """
    known = None if statistics is None else stream(statistics)
    with spec._config() as config:
        return _lookalike.signatures(stream(batch), [spec.job, *config, "--", "batch"], known)


def verify(batch: Any, spec: Spec, statistics: Any = None) -> Batch:
    """The exact similarity of pairs of texts.

    The batch has the columns `a` and `b`, each a text, or a struct of the fields that the spec names. They are replaced by
    `similarity`, which is null where it is below the threshold; other columns stay.
    """
    known = None if statistics is None else stream(statistics)
    with spec._config() as config:
        return _lookalike.verify(stream(batch), [spec.job, *config, "--", "batch"], known)


def align(batch: Any, spec: Spec, statistics: Any = None) -> Batch:
    """The passages that pairs of texts share, in characters of each.

    The batch has the columns `a` and `b`. They are replaced by `relation` (null where nothing is shared) and `passages`, a list
    of structs of `a_begin`, `a_end`, `b_begin`, `b_end` and `similarity`; other columns stay.
    """
    known = None if statistics is None else stream(statistics)
    with spec._config() as config:
        return _lookalike.align(stream(batch), [spec.job, *config, "--", "batch"], known)


def stream(batch: Any) -> Any:
    """The batch as a stream, which all kinds of Arrow data can be."""
    if hasattr(batch, "__arrow_c_stream__"):
        return batch
    if not hasattr(batch, "__arrow_c_array__"):
        raise InputError(f"a {type(batch).__name__} is no batch; give what speaks Arrow: a table or record batch of pyarrow, a frame of polars")
    import pyarrow

    return pyarrow.RecordBatchReader.from_batches(pyarrow.record_batch(batch).schema, [pyarrow.record_batch(batch)])
