"""The index on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lookalike

EXAMPLES = Path(__file__).parents[2] / "examples"


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
    with pytest.raises(lookalike.InputError, match="Index.create creates one"):
        lookalike.Index.open(tmp_path)
    with pytest.raises(lookalike.InputError, match="cannot read nowhere"):
        lookalike.Index.create(tmp_path / "x", lexicon="nowhere")
    with pytest.raises(lookalike.OptionError, match="sample="):
        lookalike.Index.create(tmp_path / "x", job="messages")


def test_an_index_of_messages_counts_words_in_a_sample(tmp_path: Path) -> None:
    texts = (EXAMPLES / "messages.txt").read_text(encoding="utf-8").splitlines()
    for number, sample in enumerate((texts, EXAMPLES / "messages.txt")):
        with lookalike.Index.create(tmp_path / str(number), job="messages", sample=sample) as index:
            index.add([{"id": number, "text": text} for number, text in enumerate(texts)])
            matches = index.check(texts[0])
            assert matches[0] == {**matches[0], "id": 0, "similarity": 1.0}


def test_wrong_questions_are_told(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    with lookalike.Index.create(tmp_path / "index") as index:
        index.add(records)
        for text, options, error in (
            (7, {}, lookalike.InputError),
            (None, {}, lookalike.InputError),
            ({"body": "text"}, {}, lookalike.InputError),
            ("text", {"top": -1}, lookalike.OptionError),
        ):
            with pytest.raises(error):
                index.check(text, **options)
        with pytest.raises(lookalike.OptionError, match="expires"):
            index.add(records, expires=-1)
        assert index.remove("doc-3") == 1 and index.remove(["doc-3"]) == 0
