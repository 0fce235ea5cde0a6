"""Many runs in one process keep its memory."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

import lookalike


def resident() -> int:
    """The resident size of this process, in bytes."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the resident size is read from /proc")
def test_a_thousand_runs_keep_their_memory(records: list[dict[str, Any]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(records)
    sizes = []
    for number in range(1000):
        data = [table, records, iter(records), table.to_reader()][number % 4]
        result = lookalike.documents(data, 0.7, threads=2, progress=False)
        result.pairs.to_arrow()
        repr(result)
        del result
        if number % 100 == 99:
            gc.collect()
            sizes.append(resident())
    # What is kept once, as code and pools of memory, is there after the first hundreds.
    assert sizes[-1] - sizes[2] < 20_000_000, sizes
