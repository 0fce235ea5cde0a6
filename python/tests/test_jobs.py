"""The five jobs, their options, and what can be wrong with these."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import lookalike
from lookalike import _option_types, _options

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_every_option_of_the_program_has_a_type() -> None:
    types = {
        "documents": _option_types.DocumentOptions,
        "threads": _option_types.ThreadOptions,
        "sentences": _option_types.SentenceOptions,
        "passages": _option_types.PassageOptions,
        "messages": _option_types.MessageOptions,
        "judge": _option_types.JudgeOptions,
        "tune": _option_types.TuneOptions,
        "params": _option_types.ParamsOptions,
        "compare": _option_types.CompareOptions,
    }
    # What is an argument of its own, or asked for in any case.
    own = {
        **dict.fromkeys(("documents", "threads", "sentences", "passages", "messages"), {"threshold"}),
        "judge": {"gold", "corpus"},
        "tune": {"corpus"},
        "params": {"threshold"},
        "compare": {"text", "no_diff", "ascii", "format", "text_field", "id_field", "main_content", "whole_page"},
    }
    for command, options in types.items():
        typed = set(get_type_hints(options)) - set(get_type_hints(_option_types.CallOptions))
        assert typed == set(_options.known(command)) - own.get(command, set()), command


def test_threads() -> None:
    result = lookalike.threads(EXAMPLES / "threads.jsonl", top=2)
    first = next(iter(result.pairs))
    assert (first["a"], first["b"]) == ("q-01", "q-46") and set(first["fields"]) == {"title", "body", "answer"}
    assert len(next(iter(result.suggestions))["similar"]) <= 2
    table = result.pairs.to_arrow()
    assert table.num_rows == len(result.pairs)
    assert str(table.schema.field("fields").type) == "map<string, double>"


def test_sentences() -> None:
    result = lookalike.sentences(EXAMPLES / "encyclopedia.xml", kinds="factual-drift")
    assert {row["kind"] for row in result.pairs} == {"factual-drift"}
    assert "text" in str(result.pairs.to_arrow().schema.field("a").type)
    assert len(result.articles) > 0
    with pytest.raises(lookalike.OptionError, match="removes nothing"):
        lookalike.sentences(["Some sentence that is long enough to be one."]).deduplicated()


def test_passages() -> None:
    result = lookalike.passages(EXAMPLES / "pages.jsonl")
    first = next(iter(result.passages))
    assert first["a"]["begin"] < first["a"]["end"] and first["similarity"] == 1
    with pytest.raises(lookalike.OptionError, match="passages has no table removed"):
        _ = result.removed


def test_messages() -> None:
    result = lookalike.messages(EXAMPLES / "messages.txt", remove_kinds="all")
    assert result.summary["counts"]["clusters"] > 0 and len(result.templates) > 0


def test_ids_that_are_numbers_are_numbers() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    text = "One and the same text in all of the records, word for word."
    numbers = lookalike.documents(pyarrow.table({"id": [7, 8], "text": [text, text]}))
    assert numbers.pairs.to_arrow().column("a").to_pylist() == [7]
    mixed = lookalike.documents([{"id": 7, "text": text}, {"id": "八", "text": text}])
    assert mixed.pairs.to_arrow().column("a").to_pylist() == ["7"]
    assert [row["a"] for row in mixed.pairs] == [7]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 1.5}, r"threshold 1.5 is not"),
        ({"treshold": 0.5}, r"did you mean threshold=\?"),
        ({"keys": "magic"}, r"unknown keys \"magic\""),
        ({"measure": "edit"}, r'use keys="every"'),
        ({"strict": 1}, r"strict= is True or False"),
        ({"threads": 0}, r"threads="),
        ({"memory": "lots"}, r"memory="),
        ({"case": "upper"}, r"case="),
        ({"quiet": True}, r"no option quiet="),
        ({"strict": True, "lenient": True}, r"lenient="),
        ({"deduplicated": "x.jsonl"}, r"result.deduplicated\(\)"),
    ],
)
def test_wrong_options_are_told_in_the_words_of_python(options: dict[str, Any], message: str) -> None:
    with pytest.raises(lookalike.OptionError, match=message) as raised:
        lookalike.documents(["one text"], **options)
    assert "--" not in str(raised.value)
    assert isinstance(raised.value, ValueError) and isinstance(raised.value, lookalike.Error)


def test_errors_of_the_input_name_it(tmp_path: Path) -> None:
    with pytest.raises(lookalike.InputError, match="nowhere"):
        lookalike.documents("nowhere.jsonl")
    with pytest.raises(lookalike.InputError, match=r'data has no field "body", which text_field= names'):
        lookalike.documents([{"text": "a text"}], text_field="body")
    with pytest.raises(lookalike.InputError, match="more than half"):
        lookalike.documents([{"text": 1}, {"text": 2}])
    with pytest.raises(lookalike.OutputError):
        blocked = tmp_path / "file"
        blocked.write_text("in the way")
        lookalike.documents(["a text"], out=blocked)
    with pytest.raises(lookalike.ResourceError, match="memory="):
        lookalike.documents(["a text"], memory="1MB")


def test_rejected_records_are_listed_and_match_nothing() -> None:
    data = [{"id": 1, "text": "A text that can be read."}, {"id": 2, "text": None}, {"id": 3, "text": "Another one, quite different."}]
    result = lookalike.documents(data)
    assert [(row["source"], row["line"]) for row in result.rejected] == [("data", 2)]
    # As in the cleaned corpus of the program: what can be read stays.
    assert [record["id"] for record in result.deduplicated()] == [1, 2, 3]
    with pytest.raises(lookalike.InputError, match="strict=True"):
        lookalike.documents(data, strict=True)


def test_a_spec_is_kept_as_toml(tmp_path: Path, corpus: Path, pairs_of_program: list[dict[str, Any]]) -> None:
    spec = lookalike.Spec("documents", threshold=0.7)
    spec.save(tmp_path / "spec.toml")
    loaded = lookalike.Spec.load(tmp_path / "spec.toml")
    assert loaded == spec and loaded.job == "documents" and "threshold = 0.7" in loaded.to_toml()
    for given in (spec, loaded):
        assert list(lookalike.documents(corpus, spec=given).pairs) == pairs_of_program
        assert len(lookalike.documents(corpus, 0.99, spec=given).pairs) < len(pairs_of_program)
    with pytest.raises(lookalike.OptionError, match="lookalike.documents"):
        lookalike.threads(corpus, spec=spec)
    with pytest.raises(lookalike.OptionError):
        lookalike.Spec("documents", threshold=2)
    with pytest.raises(lookalike.OptionError):
        lookalike.Spec.from_toml("no = [toml")
    with pytest.raises(lookalike.OptionError, match="configuration spec.toml is not valid: .*line 1"):
        lookalike.Spec.from_toml("tresh = 1")
    with pytest.raises(lookalike.InputError, match="nowhere.toml"):
        lookalike.Spec.load("nowhere.toml")
    for job in ("docs", 3):
        with pytest.raises(lookalike.OptionError, match="the jobs are: documents, "):
            lookalike.Spec(job)  # type: ignore[arg-type]
    with pytest.raises(lookalike.OptionError, match="Spec.load"):
        lookalike.documents(corpus, spec="spec.toml")  # type: ignore[arg-type]
    from_program = tmp_path / "program.toml"
    from_program.write_text('threshold = 0.7\n[keys]\nmethod = "minhash"\n')
    assert '"minhash"' in lookalike.Spec.load(from_program).to_toml()


def test_a_folder_is_what_the_program_writes(tmp_path: Path, corpus: Path, records: list[dict[str, Any]]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    out = tmp_path / "out"
    clean = tmp_path / "clean.jsonl"
    of_files = lookalike.documents(corpus, 0.7, out=out, deduplicated=clean)
    assert of_files.folder == out and (out / "report.html").exists()
    assert len(clean.read_text(encoding="utf-8").splitlines()) == of_files.summary["counts"]["kept"]
    again = lookalike.Result.open(out)
    assert list(again.pairs) == list(of_files.pairs) and "records" in repr(again)
    with pytest.raises(lookalike.OptionError, match="deduplicated="):
        of_files.deduplicated()
    table = pyarrow.Table.from_pylist(records)
    of_table = lookalike.documents(table, 0.7, out=tmp_path / "table", output_format="parquet")
    assert (tmp_path / "table" / "pairs.parquet").exists() and (tmp_path / "table" / "report.html").exists()
    assert [row["b"] for row in of_table.pairs] == [row["b"] for row in of_files.pairs]
    assert of_table.pairs.to_arrow() == of_files.pairs.to_arrow()


def test_questions(tmp_path: Path, corpus: Path) -> None:
    result = lookalike.documents(corpus, 0.7)
    gold = [{"a": row["a"], "b": row["b"], "label": 1} for row in result.pairs]
    # Pairs among copies count as found, and are not in this gold.
    complete = lookalike.judge(result, gold=gold)
    assert complete["recall"] == 1.0 and 0.8 < complete["precision"] < 1.0
    verdict = lookalike.judge(result, gold=gold, listed=True)
    assert verdict["recall"] == 1.0 and verdict["precision"] is None
    compared = lookalike.compare("the cat sat on the mat", "the cat sat on a mat", features="shingles:words:2")
    assert 0 < compared["jaccard"] < 1 if "jaccard" in compared else compared
    curve = lookalike.params(0.7, recall=0.99)
    assert curve["recall"] >= 0.99
    with pytest.raises(lookalike.OptionError, match="bands and rows go together"):
        lookalike.params(0.7, bands=3)
    with pytest.raises(lookalike.InputError):
        lookalike.judge(result, gold=tmp_path / "nowhere.jsonl")
    with pytest.raises(lookalike.InputError, match="^gold, line 1: no pair"):
        lookalike.judge(gold=[{"x": 1}])


def test_tuned_settings_are_a_spec() -> None:
    pairs = []
    for number in range(60):
        a = f"how do I change the battery of my lamp number {number} in the hall"
        pairs.append({"a": a, "b": a.replace("change", "replace"), "label": 1})
        pairs.append({"a": a, "b": f"where is the museum of trains, street {number}, open on sundays", "label": 0})
    spec, report = lookalike.tune(pairs, folds=2, seed=1)
    assert spec.job == "documents" and 0 < report["threshold"] <= 1
    verdict = lookalike.judge(gold=pairs, spec=spec)
    assert verdict["f1"] > 0.9


def test_the_repr_shows_the_strongest_and_the_weakest_pairs(records: list[dict[str, Any]]) -> None:
    result = lookalike.documents(records, 0.7)
    shown = repr(result)
    assert shown.startswith("<lookalike documents: 117 records, ") and "{+changed+}" in shown and "weakest" in shown
    html = result._repr_html_()
    assert "<ins>changed</ins>" in html and "<script" not in html
    assert repr(result.pairs).startswith("<pairs: ")
    assert "<table>" in result.pairs._repr_html_()


def test_html_of_data_is_text() -> None:
    text = "<script>alert(1)</script> and " + "some more words " * 10
    html = lookalike.documents([{"id": "<b>", "text": text}, {"id": "c", "text": text + "more"}], 0.5)._repr_html_()
    assert "<script" not in html and "<b>lookalike" in html and "&lt;b&gt;" in html


def test_summary_is_that_of_the_program(corpus: Path) -> None:
    summary = lookalike.documents(corpus, 0.7, audit=20).summary
    assert summary["counts"]["records"] == 117 and summary["audit"] and json.dumps(summary)
