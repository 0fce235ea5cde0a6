"""The jobs as plans over Spark DataFrames, where one machine ends: same spec, same results.

```python
from lookalike import spark as lookalike_spark

result = lookalike_spark.documents(frame, threshold=0.8)   # a DataFrame with the columns id and text
result.kept.write.parquet("s3a://bucket/clean")            # the rows that stay
result.removed.show()                                      # id, kept, similarity
```

Spark 3.5 and 4, and what speaks its Connect protocol (Sail). The package must be installed on the executors; `docs/spark.md` tells how.
A DataFrame has no order: that of a column decides, by default the id, which of two rows comes first.
"""

from __future__ import annotations

from typing import Any

from lookalike._spec import Spec
from lookalike.spark._job import run
from lookalike.spark._result import Result

__all__ = ["Result", "documents", "messages", "passages", "sentences", "threads"]


def documents(
    frame: Any,
    spec: Spec | None = None,
    *,
    order: str | None = None,
    work: str | None = None,
    one_task: int | None = None,
    **options: Any,
) -> Result:
    """Finds the rows whose texts are near-duplicates of each other.

    Args:
        frame: a DataFrame with the texts and an id.
        spec: the settings; or `options`, as `lookalike.documents` has them.
        order: the column that says which row comes first, where it is not the id.
        work: a folder that driver and executors can write to, for what lies between the stages and for the result.
        one_task: so many bytes of text are compared in one task by the local engine, with the same result; 64 MiB if nothing is said, 0 for none.
    """
    return run(frame, _spec("documents", spec, options), order, work, one_task)


def messages(
    frame: Any,
    spec: Spec | None = None,
    *,
    order: str | None = None,
    work: str | None = None,
    one_task: int | None = None,
    **options: Any,
) -> Result:
    """Finds the short texts that are the same but for a few words that matter little; arguments as `documents` has them."""
    return run(frame, _spec("messages", spec, options), order, work, one_task)


def threads(
    frame: Any,
    spec: Spec | None = None,
    *,
    order: str | None = None,
    work: str | None = None,
    one_task: int | None = None,
    **options: Any,
) -> Result:
    """Finds the threads that are alike field by field; arguments as `documents` has them."""
    return run(frame, _spec("threads", spec, options), order, work, one_task)


def sentences(
    frame: Any,
    spec: Spec | None = None,
    *,
    order: str | None = None,
    work: str | None = None,
    one_task: int | None = None,
    **options: Any,
) -> Result:
    """Finds the sentences that were copied from one article to another, and what changed; arguments as `documents` has them."""
    return run(frame, _spec("sentences", spec, options), order, work, one_task)


def passages(
    frame: Any,
    spec: Spec | None = None,
    *,
    order: str | None = None,
    work: str | None = None,
    one_task: int | None = None,
    **options: Any,
) -> Result:
    """Finds the parts of documents that are in other documents, too, and where; arguments as `documents` has them."""
    return run(frame, _spec("passages", spec, options), order, work, one_task)


def _spec(job: str, spec: Spec | None, options: dict[str, Any]) -> Spec:
    from lookalike.errors import OptionError

    if spec is None:
        return Spec(job, **options)
    if options:
        raise OptionError("settings are given twice, as a spec and as options: give one of them")
    if spec.job != job:
        raise OptionError(f"these are settings of {spec.job}, not of {job}")
    return spec
