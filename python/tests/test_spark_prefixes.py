"""The exact search of Spark by the rarest features: what is brought together, beside the pairs that there are."""

from __future__ import annotations

import random
from typing import Any

import lookalike
import pyarrow
import pytest
from lookalike.spark import _parts
from lookalike.spark._parts import Job

FIELDS = ["title", "body", "answer"]
NEVER = float("inf")


def words(chance: random.Random, of: int, least: int, most: int) -> list[str]:
    return [f"word{chance.randrange(of)}x" for _ in range(chance.randint(least, most))]


def threads(chance: random.Random, lacking: bool) -> list[dict[str, Any]]:
    """Threads whose titles have words in common, of which some are alike and some lack a field or have a short answer."""
    made: list[dict[str, Any]] = []
    for number in range(150):
        thread = {"title": words(chance, 90, 3, 9), "body": words(chance, 4000, 20, 50), "answer": words(chance, 4000, 20, 60)}
        if number % 3 == 2:
            thread = {name: said.split(" ") for name, said in chance.choice(made).items() if name != "id"}
            for said in thread.values():
                for _ in range(chance.randint(0, 1 + len(said) // 4)):
                    said[chance.randrange(len(said))] = f"other{number}x"
        if lacking and number % 7 == 0:
            thread[chance.choice(FIELDS)] = words(chance, 4000, 0, 3)
        made.append({"id": number, **{name: " ".join(said) for name, said in thread.items()}})
    return made


def brought_together(job: Job, records: list[dict[str, Any]], floors: list[list[float]]) -> set[tuple[int, int]]:
    """The pairs that a part of all prefixes proposes."""
    texts = pyarrow.Table.from_pylist([{**{name: record[name] for name in FIELDS}, "__row": record["id"]} for record in records])
    [batch] = texts.combine_chunks().to_batches()
    [counted] = _parts.count_features(job, 1 << 16, 1 << 16)([batch])
    rows = [row for found in _parts.prefixes(job, counted.column("counts")[0].as_py(), floors)([batch]) for row in found.to_pylist()]
    postings = [
        {"unit": row["__row"], "rank": row["__row"], "probe": row["probe"], "feature": feature, "place": place, "marks": row["marks"]}
        for row in rows
        for feature, place in zip(row["features"], row["places"], strict=True)
    ]
    part = pyarrow.RecordBatch.from_pylist(postings)
    return {(row["a"], row["b"]) for found in _parts.prefix_pairs(job, floors)([part]) for row in found.to_pylist()}


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    ("floors", "lacking"),
    [([[0.5], [0.5], [0.5]], True), ([[0.5], [NEVER], [NEVER]], False), ([[NEVER], [NEVER], [0.25]], False)],
    ids=["mean", "title", "answer"],
)
def test_threads_that_share_a_rare_word_are_brought_together_if_they_can_be_alike(floors: list[list[float]], lacking: bool, seed: int) -> None:
    records = threads(random.Random(seed), lacking)
    spec = lookalike.Spec("threads", fields=FIELDS, pairs="all", keys="prefix")
    alike = {tuple(sorted((row["a"], row["b"]))) for row in lookalike.threads(records, spec=spec).pairs}
    found = brought_together(Job(spec), records, floors)
    assert alike
    assert alike <= found
    # Of some 11,000 pairs about 4,000 have a word of the title in common.
    assert len(found) < len(alike) + 100
