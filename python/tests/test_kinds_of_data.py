"""The same records, whatever they come as, give the same pairs; what is deduplicated is what was given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lookalike
from lookalike import _data

Records = list[dict[str, Any]]


def found(result: lookalike.Result) -> Records:
    return list(result.pairs)


def kept_ids(records: Records, result: lookalike.Result) -> list[str]:
    removed = {row["id"] for row in result.removed}
    return [record["id"] for record in records if record["id"] not in removed]


@pytest.fixture(scope="module")
def expected(records: Records, corpus: Path) -> list[str]:
    ids = kept_ids(records, lookalike.documents(corpus, 0.7))
    assert 80 < len(ids) < len(records)
    return ids


def test_a_path_and_a_list_of_paths_are_files(corpus: Path, pairs_of_program: Records) -> None:
    assert found(lookalike.documents(corpus, 0.7)) == pairs_of_program
    assert found(lookalike.documents([str(corpus)], 0.7)) == pairs_of_program
    assert found(lookalike.documents([corpus], 0.7)) == pairs_of_program


def test_a_list_of_dicts(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    result = lookalike.documents(records, 0.7)
    assert found(result) == pairs_of_program
    clean = result.deduplicated()
    assert isinstance(clean, list)
    assert [record["id"] for record in clean] == expected
    assert clean[0] is records[0]


def test_a_generator_is_copied_to_the_work_folder(records: Records, pairs_of_program: Records, expected: list[str], work: Path) -> None:
    result = lookalike.documents((record for record in records), 0.7, work_dir=work)
    assert found(result) == pairs_of_program
    assert list(work.iterdir())
    assert [record["id"] for record in result.deduplicated(iter(records))] == expected
    with pytest.raises(lookalike.InputError, match=r"deduplicated\(data\)"):
        result.deduplicated()
    del result
    assert not list(work.iterdir())


def test_texts_without_ids_are_numbered(records: Records, pairs_of_program: Records) -> None:
    texts = [record["text"] for record in records]
    result = lookalike.documents(texts, 0.7)
    places = {record["id"]: number for number, record in enumerate(records, 1)}
    assert [(row["a"], row["b"]) for row in result.pairs] == [(places[row["a"]], places[row["b"]]) for row in pairs_of_program]
    assert result.deduplicated()[0] == texts[0]


def test_pandas(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(records, index=range(1000, 1000 + len(records)))
    frame["object"] = [object() for _ in records]
    result = lookalike.documents(frame, 0.7)
    assert found(result) == pairs_of_program
    clean = result.deduplicated(frame)
    assert isinstance(clean, pandas.DataFrame)
    assert list(clean["id"]) == expected and list(clean.columns) == list(frame.columns)
    assert clean.index[0] == 1000
    annotated = result.annotated()
    assert list(annotated.columns)[-5:] == [f"lookalike_{name}" for name in ("cluster", "size", "kept", "of", "similarity")]
    assert list(annotated[annotated.lookalike_kept]["id"])[: len(expected)] == expected
    assert annotated.loc[annotated.id == "same-0", "lookalike_of"].item() == "doc-0"


def test_pandas_without_pyarrow(records: Records, pairs_of_program: Records, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.setattr(_data, "has_pyarrow", lambda: False)
    frame = pandas.DataFrame(records)
    frame["score"] = [float("nan") if number % 2 else number for number in range(len(records))]
    result = lookalike.documents(frame, 0.7)
    assert found(result) == pairs_of_program
    assert list(result.deduplicated()["id"]) == expected


def test_what_is_not_a_number_is_null(records: Records, pairs_of_program: Records) -> None:
    odd = [{**record, "score": float("nan"), "more": [float("inf"), {"x": float("-inf")}]} for record in records]
    result = lookalike.documents(odd, 0.7)
    assert found(result) == pairs_of_program
    assert result.deduplicated()[0] is odd[0]


def test_polars(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(records).with_columns(polars.col("source").cast(polars.Categorical))
    result = lookalike.documents(frame, 0.7, keep_per=None)
    assert found(result) == pairs_of_program
    clean = result.deduplicated()
    assert isinstance(clean, polars.DataFrame) and clean["id"].to_list() == expected
    assert result.annotated()["lookalike_kept"].sum() >= len(expected)
    by_source = lookalike.documents(frame, 0.7, keep_per="source")
    assert len(by_source.removed) < len(result.removed)
    with pytest.raises(lookalike.InputError, match="collect"):
        lookalike.documents(frame.lazy())


def test_pyarrow(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(records)
    result = lookalike.documents(table, 0.7)
    assert found(result) == pairs_of_program
    assert result.deduplicated(table).column("id").to_pylist() == expected
    assert result.annotated().num_columns == table.num_columns + 5
    batch = table.combine_chunks().to_batches()[0]
    assert lookalike.documents(batch, 0.7).deduplicated().column("id").to_pylist() == expected
    with pytest.raises(lookalike.InputError, match="were compared"):
        result.deduplicated(table.slice(1))


def test_a_stream_is_read_once_and_comes_from_its_copy(records: Records, pairs_of_program: Records, expected: list[str], work: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(records)
    reader = pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=7))
    result = lookalike.documents(reader, 0.7, work_dir=work)
    assert found(result) == pairs_of_program
    clean = result.deduplicated()
    assert isinstance(clean, pyarrow.RecordBatchReader)
    assert clean.read_all().column("id").to_pylist() == expected
    again = result.deduplicated(reader)
    assert again.read_all().column("id").to_pylist() == expected
    annotated = result.annotated()
    assert isinstance(annotated, pyarrow.RecordBatchReader)
    rows = annotated.read_all()
    assert rows.schema.names == [*table.schema.names, *(f"lookalike_{name}" for name in ("cluster", "size", "kept", "of", "similarity"))]
    assert rows.select(table.schema.names) == table
    assert rows.filter(rows["lookalike_kept"]).column("id").to_pylist() == expected


def test_other_streams_are_copied(records: Records, pairs_of_program: Records, expected: list[str], work: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")

    class Table:
        """Another library's, which has a name that is known of others."""

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return pyarrow.Table.from_pylist(records).__arrow_c_stream__(requested_schema)

    result = lookalike.documents(Table(), 0.7, work_dir=work)
    assert found(result) == pairs_of_program
    clean = result.deduplicated()
    for _ in range(2):
        assert pyarrow.table(clean).column("id").to_pylist() == expected


def test_a_stream_that_fails_is_told(work: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"text": pyarrow.string()})

    def batches() -> Iterator[Any]:
        yield pyarrow.record_batch({"text": ["a text"]}, schema)
        raise ValueError("the cable is cut")

    with pytest.raises(lookalike.InputError, match="data cannot be read as an Arrow stream: .*ValueError: the cable is cut"):
        lookalike.documents(pyarrow.RecordBatchReader.from_batches(schema, batches()), work_dir=work)
    assert not list(work.iterdir())


def test_duckdb(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.Table.from_pylist(records)
    relation = duckdb.from_arrow(table)
    result = lookalike.documents(relation, 0.7)
    assert found(result) == pairs_of_program
    for clean in (result.deduplicated(), result.deduplicated(relation)):
        assert isinstance(clean, duckdb.DuckDBPyRelation)
        # It is read as often as it is used.
        assert [row[0] for row in clean.fetchall()] == expected
        assert clean.count("*").fetchall() == [(len(expected),)]
    annotated = result.annotated()
    assert isinstance(annotated, duckdb.DuckDBPyRelation)
    assert [row[0] for row in annotated.filter("lookalike_kept").fetchall()] == expected
    assert annotated.columns[: len(records[0])] == list(records[0])
    assert duckdb.from_arrow(result.pairs.to_arrow()).count("*").fetchall() == [(len(pairs_of_program),)]


def test_data_sets(records: Records, pairs_of_program: Records, expected: list[str]) -> None:
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_list(records)
    result = lookalike.documents(data, 0.7)
    assert found(result) == pairs_of_program
    clean = result.deduplicated(data)
    assert isinstance(clean, datasets.Dataset) and clean["id"][:] == expected
    assert "lookalike_kept" in result.annotated().column_names
    chosen = data.select(range(len(data)))
    assert found(lookalike.documents(chosen.shuffle(seed=1), 0.7)) != pairs_of_program
    lazy = data.to_iterable_dataset()
    streamed = lookalike.documents(lazy, 0.7)
    assert found(streamed) == pairs_of_program
    assert [record["id"] for record in streamed.deduplicated(lazy)] == expected
    # Its pieces may be read by several processes, or in another order: what is removed are the same records.
    pieces = data.to_iterable_dataset(num_shards=4)
    clean = lookalike.documents(pieces, 0.7).deduplicated(pieces)
    assert isinstance(clean, datasets.IterableDataset) and clean.features == data.features
    for epoch in range(2):
        assert [record["id"] for record in clean] == expected
        shuffled = clean.shuffle(seed=epoch, buffer_size=10)
        assert sorted(record["id"] for record in shuffled) == sorted(expected)
    annotated = streamed.annotated(lazy)
    for _ in range(2):
        assert [record["id"] for record in annotated if record["lookalike"]["kept"]] == expected
    with pytest.raises(lookalike.InputError, match="'train'"):
        lookalike.documents(datasets.DatasetDict(train=data))


def test_another_corpus_may_be_of_another_kind(records: Records, corpus: Path) -> None:
    new = [{"id": "new", "text": records[3]["text"]}, {"id": "other", "text": "Nothing like it is there at all, in no place."}]
    for against in (corpus, records):
        result = lookalike.documents(new, against=against)
        assert [(row["a"], row["b"]) for row in result.pairs] == [("new", "doc-3")]
        assert [record["id"] for record in result.deduplicated()] == ["other"]


def test_what_is_no_data_is_refused() -> None:
    for data in (7, b"bytes", {"a": 1}, [1, 2]):
        with pytest.raises(lookalike.InputError):
            lookalike.documents(data)  # type: ignore[arg-type]


def test_strings_that_look_like_files_are_files() -> None:
    with pytest.raises(lookalike.InputError, match="corpsu"):
        lookalike.documents(["corpsu.jsonl"])


def test_no_records_are_no_pairs() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": pyarrow.array([], pyarrow.int64()), "text": pyarrow.array([], pyarrow.string())})
    result = lookalike.documents(table)
    assert list(result.pairs) == [] and result.pairs.to_arrow().num_rows == 0
    assert result.deduplicated().num_rows == 0
