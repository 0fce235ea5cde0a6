"""The kernels find by batches what a run finds, and can be sent elsewhere."""

from __future__ import annotations

import functools
import itertools
import pickle
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import lookalike
from lookalike import kernels

pyarrow = pytest.importorskip("pyarrow")
EXAMPLES = Path(__file__).parents[2] / "examples"

Records = list[dict[str, Any]]


def joined(batches: list[Any], texts: dict[Any, Any], spec: lookalike.Spec, known: Any) -> list[tuple[Any, Any, float]]:
    """What an engine does: bring together by key, compare each pair once."""
    by_key = defaultdict(list)
    for batch in batches:
        for row in pyarrow.table(kernels.signatures(batch, spec, known)).to_pylist():
            by_key[row["key"]].append(row["id"])
    order = {name: place for place, name in enumerate(texts)}
    found = {pair for group in by_key.values() for pair in itertools.combinations(sorted(set(group), key=order.__getitem__), 2)}
    pairs = sorted(found, key=lambda pair: (order[pair[0]], order[pair[1]]))
    table = pyarrow.table(
        {
            "id_a": [a for a, _ in pairs],
            "id_b": [b for _, b in pairs],
            "a": [texts[a] for a, _ in pairs],
            "b": [texts[b] for _, b in pairs],
        }
    )
    scored = pyarrow.table(kernels.verify(table, spec, known)).to_pylist()
    return [(row["id_a"], row["id_b"], row["similarity"]) for row in scored if row["similarity"] is not None]


def test_documents_by_batches_are_documents_of_a_run(records: Records) -> None:
    spec = lookalike.Spec("documents", threshold=0.7, keys="minhash", pairs="all")
    expected = [(row["a"], row["b"], row["similarity"]) for row in lookalike.documents(records, spec=spec).pairs]
    batches = pyarrow.Table.from_pylist(records).to_batches(max_chunksize=13)
    texts = {record["id"]: record["text"] for record in records}
    assert len(expected) > 20
    assert joined(batches, texts, spec, None) == expected


def test_messages_by_batches_are_messages_of_a_run() -> None:
    lines = (EXAMPLES / "messages.txt").read_text(encoding="utf-8").splitlines()
    records = [{"id": number, "text": line} for number, line in enumerate(lines) if line.strip()]
    spec = lookalike.Spec("messages", pairs="all")
    expected = [(row["a"], row["b"], row["similarity"]) for row in lookalike.messages(records, spec=spec).pairs]
    batches = pyarrow.Table.from_pylist(records).to_batches(max_chunksize=7)
    known = functools.reduce(kernels.merge, (kernels.statistics(batch, spec) for batch in batches))
    texts = {record["id"]: record["text"] for record in records}
    found = joined(batches, texts, spec, known)
    assert len(expected) > 10 and set(found) >= set(expected) and found == [pair for pair in found if pair[2] >= 0.65]


def test_statistics_are_the_same_in_any_order(records: Records) -> None:
    spec = lookalike.Spec("documents", keys="imatch", idf=(0.0, 1.0))
    batches = pyarrow.Table.from_pylist(records).to_batches(max_chunksize=40)
    parts = [kernels.statistics(batch, spec) for batch in batches]
    forwards = functools.reduce(kernels.merge, parts)
    backwards = functools.reduce(kernels.merge, reversed(parts))
    whole = kernels.statistics(pyarrow.Table.from_pylist(records), spec)
    assert pyarrow.table(forwards) == pyarrow.table(backwards) == pyarrow.table(whole)
    assert len(kernels.signatures(batches[0], spec, whole)) > 0
    with pytest.raises(lookalike.OptionError, match="statistics"):
        kernels.signatures(batches[0], spec)


def test_threads_are_compared_field_by_field() -> None:
    spec = lookalike.Spec("threads", fields=["title", "answer"])
    thread = {"title": "How do I renew my card?", "answer": "Bring it to the desk and pay for another year."}
    other = {"title": "How can I renew my card?", "answer": "Bring it to the desk and pay for one more year."}
    scored = pyarrow.table(kernels.verify(pyarrow.Table.from_pylist([{"a": thread, "b": other}, {"a": thread, "b": thread}]), spec))
    [first, second] = scored.column("similarity").to_pylist()
    result = lookalike.threads([{"id": 1, **thread}, {"id": 2, **other}], spec=spec)
    assert [row["similarity"] for row in result.pairs] == [first] and second == 1.0


def test_passages_are_located() -> None:
    quoted = "The ferry leaves the old harbour at nine. The crossing takes forty minutes. Dogs travel free on all days."
    pairs = pyarrow.table({"n": [1, 2], "a": [quoted, quoted], "b": [f"渡轮。 It is raining. {quoted} Nobody came.", "Nothing at all."]})
    rows = pyarrow.table(kernels.align(pairs, lookalike.Spec("passages"))).to_pylist()
    assert [row["n"] for row in rows] == [1, 2] and rows[1] == {"n": 2, "relation": None, "passages": []}
    [passage] = rows[0]["passages"]
    text = pairs.column("b")[0].as_py()
    assert text[passage["b_begin"] : passage["b_end"]].startswith("The ferry leaves") and passage["similarity"] > 0.99


def test_all_can_be_pickled_and_called_in_threads(records: Records) -> None:
    spec = pickle.loads(pickle.dumps(lookalike.Spec("documents", keys="minhash")))
    sign = pickle.loads(pickle.dumps(functools.partial(kernels.signatures, spec=spec)))
    batches = pyarrow.Table.from_pylist(records).to_batches(max_chunksize=20)
    with ThreadPoolExecutor(4) as pool:
        signed = list(pool.map(sign, batches))
    assert [pyarrow.table(pickle.loads(pickle.dumps(batch))) for batch in signed] == [pyarrow.table(sign(batch)) for batch in batches]


def test_wrong_batches_are_told() -> None:
    spec = lookalike.Spec("documents", keys="minhash")
    with pytest.raises(lookalike.OptionError, match="columns a and b"):
        kernels.verify(pyarrow.table({"x": ["text"]}), spec)
    with pytest.raises(lookalike.InputError, match="a list is no batch"):
        kernels.signatures(["text"], spec)
    with pytest.raises(lookalike.InputError, match='"text"'):
        kernels.signatures(pyarrow.table({"x": ["text"]}), spec)
    with pytest.raises(lookalike.OptionError, match='keys="prefix"|keys='):
        kernels.signatures(pyarrow.table({"text": ["text"]}), lookalike.Spec("documents", keys="prefix"))


def test_what_is_null_matches_nothing() -> None:
    spec = lookalike.Spec("threads", fields=["title", "answer"])
    thread = {"title": "How do I renew my card?", "answer": "Bring it to the desk and pay for another year."}
    pairs = pyarrow.Table.from_pylist([{"a": thread, "b": None}, {"a": thread, "b": thread}, {"a": None, "b": None}])
    assert pyarrow.table(kernels.verify(pairs, spec)).column("similarity").to_pylist() == [None, 1.0, None]
    texts = pyarrow.table({"a": ["one text", None], "b": ["one text", "one text"]})
    whole = lookalike.Spec("documents", keys="minhash")
    assert pyarrow.table(kernels.verify(texts, whole)).column("similarity").to_pylist() == [1.0, None]


def test_counts_that_are_too_large_stay_at_the_largest() -> None:
    largest = 2**63 - 1
    row = {"kind": "documents", "term": "", "documents": largest, "occurrences": largest}
    merged = kernels.merge(pyarrow.Table.from_pylist([row, row, row]), pyarrow.Table.from_pylist([row]))
    assert pyarrow.table(merged).column("documents").to_pylist() == [largest]
