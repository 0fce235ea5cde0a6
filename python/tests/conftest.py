"""Data that the tests share: made here, so that they need no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

WORDS = (
    "river mill paper stone bridge garden winter market letter window harbour teacher morning forest copper lantern "
    "orchard village engine silver meadow thunder blanket journey kitchen painter sailor ribbon castle pepper"
).split()


def sentence(seed: int, length: int = 40) -> str:
    """So many words that follow from a number."""
    state, words = seed * 2654435761 + 1, []
    for _ in range(length):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        words.append(WORDS[(state >> 33) % len(WORDS)])
    return " ".join(words)


def make_records() -> list[dict[str, Any]]:
    """120 documents; of every sixth there is a copy with one other word, of every tenth an exact one."""
    records = [{"id": f"doc-{number}", "text": sentence(number), "source": "a", "stars": number % 5} for number in range(90)]
    for number in range(0, 90, 6):
        words = sentence(number).split()
        words[-1] = "changed"
        records.append({"id": f"near-{number}", "text": " ".join(words), "source": "b", "stars": 9})
    for number in range(0, 90, 10):
        records.append({"id": f"same-{number}", "text": sentence(number), "source": "c", "stars": 1})
    records.append({"id": "题一", "text": "这条河岸路全长百余公里，大部分路段平坦，适合第一次长途骑行的人。出城的前十公里车多。", "source": "d", "stars": 0})
    records.append({"id": "题二", "text": "这条河岸路全长百余公里，大部分路段平坦，适合第一次长途骑行的人。出城的前十公里车多！", "source": "d", "stars": 0})
    records.append({"id": "empty", "text": "", "source": "d", "stars": 0})
    return records


@pytest.fixture(scope="session")
def records() -> list[dict[str, Any]]:
    return make_records()


@pytest.fixture(scope="session")
def corpus(records: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def pairs_of_program(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the program finds in the corpus."""
    from lookalike import _lookalike

    out = tmp_path_factory.mktemp("program") / "out"
    assert _lookalike.main(["lookalike", "documents", str(corpus), "--out", str(out), "--quiet", "--threshold", "0.7"]) == 0
    with (out / "pairs.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Path]:
    """A folder for temporary files, which is empty again when a test is done with its results."""
    folder = tmp_path / "work"
    folder.mkdir()
    yield folder
