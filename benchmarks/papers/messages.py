"""What the experiments on messages share: the collections, and running `lookalike messages` on them.

Identical texts are left out but for the first, as the paper did where it chose its settings: every method finds them.
"""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import experiment

THRESHOLD = 0.65
# The weights of the paper's equation 2, in which frequent words of a class weigh more, and the program's own.
FORMULAS = {"paper's weights": ("--formula", "paper"), "default weights": ()}
NAMES = {
    "english": "UCI SMS spam collection",
    "chinese": "Chinese SMS (templated)",
    "titles": "THUCNews titles",
    "packages": "Debian package descriptions",
}


@dataclass
class Collection:
    name: str
    path: Path
    records: list  # a text's id in the file is its place here


@dataclass
class Found:
    pairs: dict  # (place, place): similarity, None where it was assumed
    summary: dict

    @property
    def compared(self):
        return self.summary["counts"]["candidate_pairs"]


def options(about, wanted):
    parser = experiment.options(about, data=False)
    for option in wanted:
        parser.add_argument(f"--{option}", type=Path, required=True, help=f"{NAMES[option]}: JSONL, see README.md")
    return parser


def collections(given, wanted, program):
    for option in wanted:
        yield read(NAMES[option], getattr(given, option), program.scratch / f"{option}.jsonl")


def read(name, source, path):
    opened = gzip.open(source, "rt", encoding="utf-8") if source.suffix == ".gz" else open(source, encoding="utf-8")
    with opened as lines:
        distinct = {}
        for record in map(json.loads, lines):
            distinct.setdefault(record["text"], record)
    records = list(distinct.values())
    texts = ({"id": place, "text": record["text"]} for place, record in enumerate(records))
    return Collection(name, experiment.write_jsonl(path, texts), records)


def find(program, collection, *settings):
    """With all pairs listed no bucket is too large for the program to compare all of it."""
    out = program.scratch / "out"
    program.run("messages", collection.path, "--out", out, "--quiet", "--pairs", "all", "--restart", *settings)
    with open(out / "pairs.jsonl", encoding="utf-8") as lines:
        pairs = {(p["a"], p["b"]): p["similarity"] for p in map(json.loads, lines)}
    return Found(pairs, json.loads((out / "summary.json").read_text()))
