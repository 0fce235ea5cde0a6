"""Finds texts that say the same thing with small changes, and proves every pair it reports.

```python
import lookalike

result = lookalike.documents(frame, threshold=0.8)
result.pairs.to_pandas()
clean = result.deduplicated()
```
"""

from lookalike import kernels
from lookalike._data import ArrowStream, Data
from lookalike._index import Index
from lookalike._jobs import documents, messages, passages, sentences, threads
from lookalike._lookalike import __version__
from lookalike._progress import Progress
from lookalike._questions import compare, judge, params, tune
from lookalike._result import Result, ResultTable
from lookalike._spec import Spec
from lookalike.errors import Error, InputError, InternalError, OptionError, OutputError, ResourceError

__all__ = [
    "ArrowStream",
    "Data",
    "Error",
    "Index",
    "InputError",
    "InternalError",
    "OptionError",
    "OutputError",
    "Progress",
    "ResourceError",
    "Result",
    "ResultTable",
    "Spec",
    "__version__",
    "compare",
    "documents",
    "judge",
    "kernels",
    "messages",
    "params",
    "passages",
    "sentences",
    "threads",
    "tune",
]
