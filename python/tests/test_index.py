"""The index on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lookalike


def test_what_was_added_is_found_again(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    folder = tmp_path / "seen"
    with lookalike.Index.create(folder, threshold=0.7) as index:
        added = index.add(records, label="first")
        assert added["added"] == len(index) > 100 and "doc-3" in index
        [best, *_] = index.check(records[3]["text"].replace("river", "stream", 1))
        assert best["id"] == "doc-3" and 0.7 <= best["similarity"] < 1 and best["label"] == "first"
        assert index.check({"text": records[3]["text"]}, top=1)[0]["similarity"] == 1.0
        assert index.check(records[3]["text"], label="other") == []
        assert "explanation" in index.explain(records[3]["text"])[0]
        assert index.remove(["doc-3"]) == 1 and "doc-3" not in index
        assert index.remove(label="first") == len(records) - 1 - (len(records) - added["added"]) and len(index) == 0
        with pytest.raises(lookalike.Error):
            lookalike.Index.open(folder)
    with lookalike.Index.open(folder) as again:
        assert len(again) == 0 and "threshold = 0.7" in again.settings
    with pytest.raises(lookalike.OptionError, match="closed"):
        again.check("a text")


def test_indexes_are_merged(tmp_path: Path, records: list[dict[str, Any]], corpus: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with lookalike.Index.create(tmp_path / "a", threshold=0.7) as a:
        a.add(pyarrow.Table.from_pylist(records[:50]))
    with lookalike.Index.create(tmp_path / "b", threshold=0.7) as b:
        b.add(corpus)
        b.merge(tmp_path / "a")
        assert len(b) >= 50 and b.stats() and b.compact() is not None


def test_wrong_folders_are_told(tmp_path: Path) -> None:
    with pytest.raises(lookalike.Error, match="nowhere"):
        lookalike.Index.open(tmp_path / "nowhere")
    with pytest.raises(lookalike.OptionError):
        lookalike.Index.create(tmp_path / "x", lookalike.Spec(), threshold=0.5)
