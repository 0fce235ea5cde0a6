"""What the experiments with passages share: running `lookalike passages`, judging it, and pages with planted passages."""

import dataclasses
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

import experiment
import sentences
from harness import passages as harness

# A page of the paper's labelled sets has 29 sentences in English and 40 in Chinese.
SENTENCES = 30
LEAST_SENTENCES = 12
BORROWERS = 0.3
RUN = (3, 10)
# In the paper's labelled sets 89 % (English) and 91 % (Chinese) of the duplicated sentences are the same.
CHANGED = 0.1


@dataclass
class Labelled:
    """A corpus with gold; only the pairs in it count."""

    name: str
    corpus: Path
    gold: Path
    settings: tuple = ()
    is_chinese: bool = False


@dataclass
class Scores:
    """By character, which is by sentence where sentences are of the same length."""

    precision: float
    recall: float
    f1: float
    plagdet: float
    elsewhere: int  # passages located in pairs of which the gold says nothing

    def cells(self):
        return [f"{self.precision:.3f}", f"{self.recall:.3f}", f"{self.f1:.3f}"]


def find(program, corpora, *settings):
    """Runs the job; the folder with its result."""
    out = program.scratch / "out"
    program.run("passages", *corpora, "--out", out, "--quiet", *settings)
    return out


def score(program, labelled, *settings):
    out = find(program, [labelled.corpus], *labelled.settings, *settings)
    judged = harness.judge(program.path, out, labelled.gold, "--listed", program.scratch / "judge.log")
    with open(out / "passages.jsonl", encoding="utf-8") as lines:
        located = sum(1 for _ in lines)
    micro = judged["micro"]
    elsewhere = located - judged["detections"]
    return Scores(micro["precision"], micro["recall"], micro["f1"], judged["plagdet"], elsewhere)


def add_inputs(parser):
    """Any of them may be left out."""
    parser.add_argument("--pan", type=Path, help="documents of PAN text alignment: JSONL, see README.md")
    parser.add_argument("--pan-gold", type=Path, help="their pairs with spans")
    parser.add_argument("--english", type=Path, help="English articles: JSONL")
    parser.add_argument("--chinese", type=Path, help="Chinese articles: JSONL")
    parser.add_argument("--pages", type=int, default=2000, help="pages with planted passages of each language; default 2000")


def labelled_sets(options, program):
    if options.pan and options.pan_gold:
        yield pan_set(options, program)
        yield joined_lines(program, pan_set(options, program))
    for name, path in (("english", options.english), ("chinese", options.chinese)):
        if path:
            yield planted_set(program, name, path, options.pages)


def pan_set(options, program):
    """Only the listed pairs are compared: the truth is known of no others."""
    with open(options.pan_gold, encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    listed = experiment.write_jsonl(program.scratch / "listed.jsonl", ({"a": p["a"], "b": p["b"]} for p in pairs))
    settings = ("--pair-list", listed)
    return Labelled("PAN 2013", options.pan.resolve(), options.pan_gold.resolve(), settings)


def joined_lines(program, labelled):
    """PAN breaks lines anywhere, and a line ends a sentence here. A space for each line end leaves all places as they are."""

    def joined(article):
        return {**article, "text": article["text"].replace("\n", " ")}

    records = map(joined, sentences.read_articles(labelled.corpus))
    corpus = experiment.write_jsonl(program.scratch / "joined.jsonl", records)
    return dataclasses.replace(labelled, name=f"{labelled.name}, lines joined", corpus=corpus)


def planted_set(program, name, path, pages):
    texts, gold = plant(pages_of(path, name == "chinese", pages), name == "chinese")
    corpus = experiment.write_jsonl(program.scratch / f"{name}.jsonl", texts)
    spans = experiment.write_jsonl(program.scratch / f"{name}.gold.jsonl", gold)
    experiment.say(f"{name}: {len(texts):,} pages, {len(gold) // 2:,} with a planted passage")
    return Labelled(name, corpus, spans, is_chinese=name == "chinese")


def pages_of(path, is_chinese, wanted):
    """Articles cut into pages of whole sentences, as lists of sentences, from all over the file."""
    ends = r"(?<=[。！？])" if is_chinese else r"(?<=[.!?]) +(?=[A-Z\"“])"
    shortest, longest = (10, 200) if is_chinese else (30, 500)
    pages = []
    for article in sentences.read_articles(path):
        found = [s.strip() for line in article["text"].split("\n") for s in re.split(ends, line)]
        found = [s for s in found if shortest <= len(s) <= longest and s[-1] in ".!?。！？"]
        pages += [found[start : start + SENTENCES] for start in range(0, len(found), SENTENCES)]
    pages = [page for page in pages if len(page) >= LEAST_SENTENCES]
    random.Random(1).shuffle(pages)
    return pages[:wanted]


def plant(pages, is_chinese):
    """Three pages in ten get a run of sentences of another page, which no other page gets."""
    dice = random.Random(2)
    borrowers = sorted(dice.sample(range(len(pages)), int(len(pages) * BORROWERS)))
    taken = set(borrowers)
    sources = [page for page in range(len(pages)) if page not in taken]
    dice.shuffle(sources)
    joint = "" if is_chinese else " "
    texts, gold = [joint.join(page) for page in pages], []
    for borrower, source in zip(borrowers, sources):
        length = dice.randint(*RUN)
        first = dice.randrange(len(pages[source]) - length + 1)
        run = [changed(s, is_chinese, dice) for s in pages[source][first : first + length]]
        at = dice.randrange(1, len(pages[borrower]))
        whole = pages[borrower][:at] + run + pages[borrower][at:]
        texts[borrower] = joint.join(whole)
        here = (borrower, span_of(whole, at, length, joint))
        there = (source, span_of(pages[source], first, length, joint))
        gold.append(gold_line(*sorted((here, there))))
    gold += strangers({(line["a"], line["b"]) for line in gold}, len(pages), dice)
    return [{"id": place, "text": text} for place, text in enumerate(texts)], gold


def strangers(listed, pages, dice):
    """As many pairs again in which nothing was planted."""
    pairs = set()
    while len(pairs) < len(listed):
        pair = tuple(sorted(dice.sample(range(pages), 2)))
        if pair not in listed:
            pairs.add(pair)
    return [{"a": a, "b": b, "spans": []} for a, b in sorted(pairs)]


def span_of(page, first, length, joint):
    begin = len(joint.join(page[:first] + [""])) if first else 0
    return begin, begin + len(joint.join(page[first : first + length]))


def gold_line(a, b):
    spans = [{"a_begin": a[1][0], "a_end": a[1][1], "b_begin": b[1][0], "b_end": b[1][1]}]
    return {"a": a[0], "b": b[0], "spans": spans}


def changed(sentence, is_chinese, dice):
    """One word in ten (at least one) is replaced by another of the sentence, or dropped, in one sentence of ten."""
    if dice.random() >= CHANGED:
        return sentence
    body, end = sentence[:-1], sentence[-1]
    words = list(body) if is_chinese else body.split(" ")
    for _ in range(max(1, len(words) // 10)):
        place = dice.randrange(len(words))
        words[place : place + 1] = [dice.choice(words)] if dice.random() < 0.5 else []
        if not words:
            return sentence
    return ("" if is_chinese else " ").join(words) + end
