"""The options of the commands, with the names of the program. `lookalike documents --help` says what each does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from lookalike._data import Data
from lookalike._progress import Watcher
from lookalike._spec import Spec

Name = str | Sequence[str]
File = str | os.PathLike[str]
Size = int | str


class CallOptions(TypedDict, total=False):
    """What every call takes beside the options of the program."""

    spec: Spec | None
    against: Data | None
    out: File | None
    progress: bool | Watcher | None


class ResourceOptions(TypedDict, total=False):
    """What never changes the result."""

    threads: int | None
    memory: Size | None
    work_dir: File | None
    checkpoint_every: int | None


class OutputOptions(TypedDict, total=False):
    """What is written."""

    deduplicated: File | None
    annotate: File | None
    output_format: Literal["jsonl", "csv", "parquet"] | None
    with_text: bool | None
    no_report: bool | None
    anonymous: bool | None
    report_limit: int | None
    force: bool | None
    restart: bool | None


class RunOptions(TypedDict, total=False):
    """What is compared with what, and what is kept."""

    within: bool | None
    audit: int | None
    strict: bool | None
    lenient: bool | None
    keep: str | None
    keep_per: str | None
    exclusive: bool | None
    remove: Literal["duplicates", "contained"] | None
    clusters: Literal["stars", "components"] | None
    pairs: Literal["auto", "all", "links", "none"] | None
    limit: int | None
    seed: int | None
    seed_file: File | None
    seed_env: str | None


class InputOptions(TypedDict, total=False):
    """What is read."""

    id_field: str | None
    source_field: str | None
    ids: Literal["field", "number"] | None
    format: str | None
    max_record: Size | None
    max_expansion: int | None
    namespaces: str | int | Sequence[int] | None
    main_content: bool | None
    whole_page: bool | None
    code_blocks: Literal["keep", "drop"] | None


class TextOptions(TypedDict, total=False):
    """What counts as the same text."""

    unicode: Literal["nfkc", "nfc", "as-is"] | None
    case: Literal["fold", "keep"] | None
    punctuation: Literal["drop", "keep"] | None
    whitespace: Literal["collapse", "keep", "drop"] | None
    characters: Literal["code-point", "grapheme"] | None
    numbers: Literal["as-written", "canonical"] | None
    dates: Literal["day-first", "month-first"] | None
    stop_words: Name | None
    stemming: str | None
    chinese: Literal["characters", "words"] | None
    look_alikes: Literal["as-written", "mixed", "all"] | None
    spaced_letters: Literal["as-written", "join"] | None
    zero_width: Literal["separate", "remove"] | None
    emoji: Literal["keep", "drop"] | None
    repeats: Literal["as-written", "punctuation", "letters"] | None
    digits: Literal["as-written", "codes", "all"] | None
    han: Literal["as-written", "simplified"] | None


class SearchOptions(TypedDict, total=False):
    """How candidates are found."""

    keys: str | None
    recall: float | None
    bands: int | None
    rows: int | None
    bucket_limit: int | None
    join: Literal["auto", "term", "unit", "bucket"] | None
    posting_cap: int | None


class MethodOptions(SearchOptions, total=False):
    """How whole texts are described and compared."""

    text_field: Name | None
    features: str | None
    measure: str | None
    unverified: bool | None
    lexicon: File | None
    idf: tuple[float, float] | str | None
    antecedents: Literal["lists", "corpus"] | None


class JobOptions(CallOptions, ResourceOptions, OutputOptions, RunOptions, InputOptions, TextOptions, total=False):
    """What all jobs have in common."""


class DocumentOptions(JobOptions, MethodOptions, total=False):
    """Options of `documents`."""

    preset: str | None


class ThreadOptions(JobOptions, SearchOptions, total=False):
    """Options of `threads`."""

    fields: Name | None
    preset: str | None
    weights: Sequence[float] | None
    features: str | Mapping[str, str] | None
    measure: str | Mapping[str, str] | None
    empty_in_both: Literal["left-out", "different"] | None
    empty_in_one: Literal["left-out", "different"] | None
    more_field: str | None
    min_similarity: Mapping[str, float] | str | None
    remove_kinds: Name | None
    top: int | None


class SentenceOptions(JobOptions, MethodOptions, total=False):
    """Options of `sentences`."""

    preset: str | None
    edit_similarity: float | None
    kinds: Name | None
    within_article: bool | None
    history: bool | None
    window: int | None
    min_characters: int | None
    max_characters: int | None
    title_field: str | None
    date_field: str | None
    reference_field: str | None


class AlignmentOptions(TypedDict, total=False):
    """What a passage of two documents is."""

    align: Literal["words", "sentences"] | None
    min_sentences: int | None
    min_words: int | None
    gap: int | None


class PassageOptions(JobOptions, MethodOptions, AlignmentOptions, total=False):
    """Options of `passages`."""

    preset: str | None
    pair_list: File | None
    search: Literal["quick", "deep"] | None
    common_limit: int | None
    no_text: bool | None


class MessageOptions(JobOptions, MethodOptions, total=False):
    """Options of `messages`."""

    preset: str | None
    weights: File | None
    formula: Literal["rare", "paper"] | None
    transitive: bool | None
    remove_kinds: Name | None


class PairOptions(InputOptions, TextOptions, MethodOptions, total=False):
    """What decides how alike two texts are."""

    threshold: float | None
    seed: int | None
    seed_file: File | None
    seed_env: str | None
    threads: int | None


class JudgeOptions(PairOptions, total=False):
    """Options of `judge`."""

    fields: Name | None
    preset: str | None
    listed: bool | None
    complete: bool | None
    sweep: bool | File | None
    thresholds: Sequence[float] | None
    errors: File | None


class TuneOptions(InputOptions, TextOptions, total=False):
    """Options of `tune`."""

    text_field: Name | None
    fields: Name | None
    model: Literal["auto", "linear", "logistic", "trees"] | None
    precision: float | None
    prevalence: float | None
    starts: int | None
    features: str | None
    measure: str | None
    folds: int | None
    seed: int | None
    threads: int | None


class ParamsOptions(TypedDict, total=False):
    """Options of `params`."""

    recall: float | None
    keys: str | None
    bands: int | None
    rows: int | None


class CompareOptions(TextOptions, AlignmentOptions, total=False):
    """Options of `compare`."""

    features: str | None
    job: Literal["messages"] | None
    lexicon: File | None
    weights: File | None
    passages: bool | None
    threshold: float | None
