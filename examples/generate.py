#!/usr/bin/env python3
"""Writes articles.jsonl, the example corpus, planted.jsonl, the near duplicates put into it, encyclopedia.xml, pages.jsonl and
messages.txt.

Articles are composed from the hand-written sentences in sentences/; the near duplicates are edited copies whose
similarity (Jaccard of 5-word shingles, one Han character counting as a word) is steered into a wanted range.

The pages of encyclopedia.xml are in encyclopedia.py, those of pages.jsonl that have something in common in pages.py,
the messages in messages.py.

    python3 examples/generate.py            writes the files
    python3 examples/generate.py --check    exits with 1 if the committed files differ from what it would write
"""

import argparse
import datetime
import functools
import json
import random
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import encyclopedia  # noqa: E402
import messages  # noqa: E402
import pages  # noqa: E402

HERE = Path(__file__).resolve().parent
SEED = 20240229

# How many near duplicates of each kind: (English, Chinese).
SINGLE_COPIES = {
    "identical": (8, 3),
    "punctuation": (7, 3),
    "sentence": (9, 3),
    "added": (7, 2),
    "dropped": (7, 2),
    "reworded": (7, 3),
    "just_above": (7, 2),
    "just_below": (7, 2),
    "rewritten": (5, 2),
}
# The kinds of the copies of one article, for articles that were copied more than once.
REPEATED_COPIES = {
    "en": [
        ("identical", "punctuation", "sentence", "added", "identical"),
        ("punctuation", "sentence", "reworded", "dropped"),
        ("identical", "identical", "identical"),
        ("sentence", "sentence", "just_above"),
        ("identical", "just_below"),
        ("added", "dropped"),
        ("punctuation", "reworded", "added"),
        ("identical", "reworded"),
        ("punctuation", "added", "identical"),
    ],
    "zh": [("identical", "punctuation", "sentence", "added"), ("sentence", "reworded"), ("identical", "just_below")],
}
# The similarity that a copy of a kind must have to its original.
RANGES = {
    "identical": (1.0, 1.0),
    "punctuation": (1.0, 1.0),
    "sentence": (0.70, 0.98),
    "added": (0.80, 0.95),
    "dropped": (0.76, 0.95),
    "reworded": (0.83, 0.92),
    "just_above": (0.80, 0.82),
    "just_below": (0.775, 0.799),
    "rewritten": (0.45, 0.70),
}
ARTICLES_PER_TOPIC = {"en": 8, "zh": 5}
LARGEST_CHANCE_SIMILARITY = 0.5
NOTICES_PER_TEMPLATE = 6
UNRELATED_PAGES = {"en": 9, "zh": 3}
MOST_WORDS_CHANGED = 20

SLOTS = {
    "en": {
        "place": "Aldermoor,Brackwell,Castle Wyke,Dunmarsh,Elverton,Fennick,Greyhaven,Holloway Cross,Ilsbury,"
        "Kettlebridge,Larkfield,Marlstone,Netherby,Oxcombe,Pennhurst,Quarley",
        "river": "Arle,Brindle,Corve,Dallow,Esker,Tamsin,Wend,Yarrel",
        "person": "Agnes Holt,Bela Novak,Clara Winters,Dinesh Rao,Edith Marlow,Farid Aziz,Greta Lind,Hugo Barnes,"
        "Ines Duarte,Jonas Keller,Kofi Mensah,Lena Fischer,Marta Kowalska,Noor Haddad,Oskar Lund",
        "month": "January,February,March,April,May,June,July,August,September,October,November,December",
        "weekday": "Monday,Tuesday,Wednesday,Thursday,Friday,Saturday",
        "hour": "half past seven,eight,half past eight,nine,half past nine,ten",
    },
    "zh": {
        "place": "青石镇,临江,白鹭洲,柳溪,石桥头,云山,东渡,南塘,桐岭,清河",
        "river": "清江,柳溪河,沅水,东河",
        "person": "陈建国,李秀兰,王晓梅,张德明,刘芳,周文斌,赵丽华,孙志强",
        "month": "一月,二月,三月,四月,五月,六月,九月,十月,十一月",
        "weekday": "周一,周二,周三,周四,周五,周六",
        "pollutant": "臭氧,细颗粒物,二氧化氮",
    },
}
SITES = ["courier.example", "valley-news.example", "notice-board.example", "daily-post.example", "archive.example"]


class Chance:
    """Draws from random.random() alone: the one method whose sequence is the same in every version of Python."""

    def __init__(self, seed):
        self.source = random.Random(seed)

    def below(self, limit):
        return int(self.source.random() * limit)

    def pick(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items):
        items = list(items)
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


@functools.cache
def shingles(text, size=5):
    words = re.findall(r"[\u4e00-\u9fff]|[^\W_\u4e00-\u9fff]+(?:'[^\W_]+)*", text.lower())
    if len(words) < size:
        return {tuple(words)} if words else set()
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def similarity(one, other):
    one, other = shingles(one), shingles(other)
    return len(one & other) / len(one | other) if one | other else 0.0


def read_sections(name):
    sections = []
    for line in (HERE / "sentences" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            sections.append((line[2:], []))
        elif line:
            sections[-1][1].append(line)
    return sections


def read_synonyms():
    return {
        lang: [tuple(part.strip() for part in line.split(" = ")) for line in lines]
        for lang, lines in read_sections("synonyms.txt")
    }


def fill(text, lang, chance, fixed):
    """Replaces the slots. Names stay the same within one article (`fixed`), numbers and dates are drawn each time."""

    def value(match):
        slot, _, span = match.group(1).partition(":")
        if slot == "n":
            low, high = map(int, span.split("-"))
            return str(low + chance.below(high - low + 1))
        if slot == "year":
            return str(1690 + chance.below(270))
        if slot in ("month", "weekday", "hour", "pollutant"):
            return chance.pick(SLOTS[lang][slot].split(","))
        if slot not in fixed:
            taken = set(fixed.values())
            source = SLOTS[lang]["place" if slot == "place2" else slot].split(",")
            fixed[slot] = chance.pick([name for name in source if name not in taken])
        return fixed[slot]

    return re.sub(r"\{([^}]+)\}", value, text)


class Article:
    def __init__(self, lang, section, title, paragraphs, spare=()):
        self.lang, self.section, self.title = lang, section, title
        self.paragraphs = paragraphs  # lists of sentences
        self.spare = list(spare)  # sentences of the same topic that were not used

    def text(self):
        joint = " " if self.lang == "en" else ""
        return "\n\n".join(joint.join(sentences) for sentences in self.paragraphs)


def compose(lang, section, lines, chance):
    marked = {mark: [line[2:] for line in lines if line.startswith(mark)] for mark in ">-<"}
    titles = [line[len("title: ") :] for line in lines if line.startswith("title: ")]
    fixed = {}

    def filled(line):
        return fill(line, lang, chance, fixed)

    middle = marked["-"]
    used = sorted(chance.shuffled(range(len(middle)))[: 6 + chance.below(4)])
    sentences = [filled(chance.pick(marked[">"]))] + [filled(middle[at]) for at in used]
    sentences.append(filled(chance.pick(marked["<"])))
    spare = [filled(middle[at]) for at in range(len(middle)) if at not in used]
    cuts = [0, 3 + chance.below(2), 6 + chance.below(2), len(sentences)]
    paragraphs = [sentences[start:end] for start, end in zip(cuts, cuts[1:]) if start < end]
    return Article(lang, section, filled(chance.pick(titles)), paragraphs, spare)


def compose_all(lang, chance):
    articles = []
    for section, lines in read_sections(f"{lang}.txt"):
        siblings = []
        while len(siblings) < ARTICLES_PER_TOPIC[lang]:
            article = compose(lang, section, lines, chance)
            if all(similarity(article.text(), other.text()) < LARGEST_CHANCE_SIMILARITY for other in siblings):
                siblings.append(article)
        articles += siblings
    return articles


def with_other_punctuation(article, chance):
    """Other case, dashes, quotation marks and line breaks: the words stay the same."""
    marks = chance.pick([[(",", " –"), (".", "!")], [(", ", "; ")], [(".", " ...")]])
    if article.lang == "zh":
        marks = chance.pick([[("，", ","), ("。", ".")], [("，", "；")], [("。", "！")]])
    shout = article.lang == "en" and chance.below(2) == 0
    for sentences in article.paragraphs:
        for at, sentence in enumerate(sentences):
            for old, new in marks:
                sentence = sentence.replace(old, new)
            sentences[at] = sentence.upper() if shout and at == 0 else sentence
    article.paragraphs = [sum(article.paragraphs, [])]


def with_another_sentence(article, chance):
    sentences = chance.pick([paragraph for paragraph in article.paragraphs if len(paragraph) > 1])
    sentences[1 + chance.below(len(sentences) - 1)] = chance.pick(article.spare)


def with_a_sentence_added(article, chance):
    article.paragraphs.append(chance.shuffled(article.spare)[: 1 + chance.below(2)])


def with_sentences_dropped(article, chance):
    for _ in range(1 + chance.below(2)):
        sentences = chance.pick([paragraph for paragraph in article.paragraphs if len(paragraph) > 1])
        del sentences[-1]


def with_a_word_changed(article, chance, synonyms):
    """Replaces one phrase by another of the same meaning; False if no place is left."""
    places = [
        (sentences, at, old, new)
        for sentences in article.paragraphs
        for at in range(len(sentences))
        for old, new in synonyms
        if old in sentences[at] and new not in sentences[at] and re.search(bounded(old, article.lang), sentences[at])
    ]
    if not places:
        return False
    sentences, at, old, new = chance.pick(places)
    sentences[at] = re.sub(bounded(old, article.lang), new, sentences[at], count=1)
    return True


def bounded(phrase, lang):
    if lang == "zh":
        return re.escape(phrase)
    start = "" if phrase.startswith(",") else r"(?<![\w-])"
    return start + re.escape(phrase) + r"(?![\w-])"


def edited_once(article, kind, chance, synonyms):
    copy = Article(article.lang, article.section, article.title, [list(p) for p in article.paragraphs], article.spare)
    simple = {
        "punctuation": with_other_punctuation,
        "sentence": with_another_sentence,
        "added": with_a_sentence_added,
        "dropped": with_sentences_dropped,
    }
    if kind in simple:
        simple[kind](copy, chance)
    elif kind != "identical":
        if kind == "rewritten":
            with_another_sentence(copy, chance)
            with_sentences_dropped(copy, chance)
        goal = RANGES[kind][1]
        for _ in range(MOST_WORDS_CHANGED):
            if similarity(article.text(), copy.text()) <= goal or not with_a_word_changed(copy, chance, synonyms):
                break
    return copy


def edited(article, kind, chance, synonyms):
    low, high = RANGES[kind]
    for _ in range(40):
        copy = edited_once(article, kind, chance, synonyms)
        if low <= similarity(article.text(), copy.text()) <= high:
            return copy
    return None


def plant_copies(articles, lang, chance, synonyms):
    """Pairs of (original, copy, kind) for the plans above."""
    column = 0 if lang == "en" else 1
    plans = list(REPEATED_COPIES[lang])
    plans += [(kind,) for kind, counts in SINGLE_COPIES.items() for _ in range(counts[column])]
    originals = chance.shuffled(articles)
    planted = []
    for plan in plans:
        for original in originals:
            copies = [edited(original, kind, chance, synonyms) for kind in plan]
            if None not in copies:
                break
        else:
            sys.exit(f"no article ({lang}) can be copied as {', '.join(plan)}: widen RANGES or add synonyms")
        originals.remove(original)
        planted += [(original, copy, kind) for copy, kind in zip(copies, plan)]
    return planted


def short_texts_and_notices(chance):
    for lang, lines in read_sections("short.txt"):
        fixed = {}
        for line in lines:
            yield Article(lang, "notes", "Notice" if lang == "en" else "通知", [[fill(line, lang, chance, fixed)]])
    yield Article("en", "notes", "Untitled", [])
    for lang, (title, body) in read_sections("notices.txt"):
        fixed = {}
        for _ in range(NOTICES_PER_TEMPLATE):
            heading = fill(title[len("title: ") :], lang, chance, fixed)
            yield Article(lang, "reports", heading, [[fill(body, lang, chance, fixed)]])


def generate():
    chance = Chance(SEED)
    synonyms = read_synonyms()
    originals, planted = [], []
    for lang in ("en", "zh"):
        articles = compose_all(lang, chance)
        originals += articles
        planted += plant_copies(articles, lang, chance, synonyms[lang])
    originals += short_texts_and_notices(chance)

    first_day = datetime.date(2023, 1, 2)
    ids, lines = {}, []
    everything = chance.shuffled(originals + [copy for _, copy, _ in planted])
    for number, article in enumerate(everything, 1):
        ids[article] = f"ex-{number:04}"
        record = {
            "id": ids[article],
            "title": article.title,
            "lang": article.lang,
            "section": article.section,
            "url": f"https://{chance.pick(SITES)}/{article.lang}/{number:04}",
            "date": str(first_day + datetime.timedelta(days=chance.below(700))),
            "text": article.text(),
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    pairs = sorted(
        (*sorted((ids[original], ids[copy])), kind, round(similarity(original.text(), copy.text()), 4))
        for original, copy, kind in planted
    )
    names = ("a", "b", "change", "similarity")
    gold = [json.dumps(dict(zip(names, pair))) for pair in pairs]
    return {
        "articles.jsonl": "\n".join(lines) + "\n",
        "planted.jsonl": "\n".join(gold) + "\n",
        "encyclopedia.xml": encyclopedia.dump(Chance(SEED).shuffled),
        "pages.jsonl": "\n".join(all_pages()) + "\n",
        "messages.txt": "\n".join(messages.written()) + "\n",
    }


def all_pages():
    """The pages that share something, among others, each of another topic, that do not."""
    chance = Chance(SEED)
    records = list(pages.written())
    for lang, count in UNRELATED_PAGES.items():
        for section, lines in read_sections(f"{lang}.txt")[:count]:
            article = compose(lang, section, lines, chance)
            records.append((f"other-{len(records):02}", article.title, lang, article.text()))
    names = ("id", "title", "lang", "text")
    return [json.dumps(dict(zip(names, record)), ensure_ascii=False) for record in chance.shuffled(records)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files that are there, write nothing")
    check = parser.parse_args().check
    for name, content in generate().items():
        path = HERE / name
        if not check:
            path.write_text(content, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != content:
            sys.exit(f"examples/{name} is not what examples/generate.py writes; run it without --check and commit")


if __name__ == "__main__":
    main()
