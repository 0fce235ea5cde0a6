"""What the experiments with sentences share: running `lookalike sentences`, and which sentences it sees."""

import gzip
import json
import unicodedata
from dataclasses import dataclass

import experiment


@dataclass
class Pair:
    a: str
    b: str
    similarity: float
    edit_similarity: float

    def texts(self):
        return tuple(sorted((self.a, self.b)))


@dataclass
class Found:
    pairs: list
    summary: dict

    def sentences(self):
        return self.summary["sentences"]["sentences"]


def find(program, corpora, *arguments):
    out = program.scratch / "out"
    program.run("sentences", *corpora, "--out", out, "--quiet", *arguments)
    with open(out / "pairs.jsonl", encoding="utf-8") as lines:
        pairs = [read_pair(json.loads(line)) for line in lines]
    return Found(pairs, json.loads((out / "summary.json").read_text()))


def read_pair(line):
    return Pair(line["a"]["text"], line["b"]["text"], line["similarity"], line["edit_similarity"])


def normalise(text):
    """As the program compares texts by default: without invisible characters, and with one apostrophe."""
    seen = "".join(character for character in text if unicodedata.category(character) != "Cf")
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
    return " ".join(folded.replace("’", "'").split())


def read_articles(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def distinct_sentences(program, articles):
    """The sentences of articles as the program cuts them, one of each. With every article there twice, each sentence is in a
    pair."""
    twice = (
        {"id": f"{side} {place}", "text": article["text"]}
        for side in ("one", "other")
        for place, article in enumerate(articles)
    )
    corpus = experiment.write_jsonl(program.scratch / "twice.jsonl", twice)
    found = find(program, [corpus], "--threshold", 1, "--edit-similarity", 1)
    distinct = {}
    for pair in found.pairs:
        for text in (pair.a, pair.b):
            distinct.setdefault(normalise(text), text)
    return list(distinct.values())
