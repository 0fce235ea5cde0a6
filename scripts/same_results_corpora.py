"""The input of same-results: small corpora full of what goes wrong, in every format, and those of benchmarks/generate."""

import bz2
import csv
import gzip
import html
import json
import os
import random
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = re.compile(r"in/(([a-z]+)-(\d+))(?:\.planted)?\.(jsonl|xml)")

WORDS = {
    "en": "the of and to a in is on for with river bridge ferry harbour council engineer museum bakery concert morning winter "
    "repaired opened closed painted measured carried nineteen stations visitors windows tickets Marlow Kettlebridge Ines "
    "Dr. 1979 12 3,500 4/5/2011 free prize code call".split(),
    "zh": "的 了 在 是 我们 渡轮 港口 博物馆 面包店 图书馆 火车 桥 河 冬天 早晨 修理 开放 关闭 三百 1979年 免费 发票 微信".split(),
    "ar": "في من على إلى النهر الجسر العبارة الميناء المتحف المخبز الشتاء الصباح مفتوح مغلق المهندس ثلاثة ١٢".split(),
    "ru": "и в на с река мост паром порт музей пекарня зима утро открыт закрыт инженер саsh три".split(),
    "ja": "の は を に 港 橋 フェリー 博物館 パン屋 冬 朝 開いた 閉まった ひらがな".split(),
    "th": "แม่น้ำ สะพาน เรือ ท่าเรือ พิพิธภัณฑ์ ฤดูหนาว เช้า".split(),
    "ko": "강 다리 나룻배 항구 박물관 겨울 아침 열렸다".split(),
    "emoji": "🎉 👍🏽 ❤️ 👩‍👩‍👧 🇫🇷 so good fr\u200bee F.R.E.E s o o n !!! ｆｒｅｅ ﬁne e\u0301te".split(),
}
UNSPACED = {"zh", "ja", "th"}
STOPS = {"zh": "。", "ja": "。", "ar": "؟", "emoji": "!!"}
TEMPLATES = [
    "Dear {}, thank you for order {}. It leaves our harbour tomorrow morning and reaches you on day {} of the month.",
    "尊敬的{}，您的订单{}已经发货，预计{}日送达，请注意查收。",
]
SHORT = ["ok", "a", "好", "。", "👍", "no no", "?!", "12", "x" * 300, "fr\u200bee", "the", "في"]


def sentence(rng, language):
    # Rare words are two common ones.
    words = WORDS[language] + [a + b for a in WORDS[language] for b in WORDS[language][::4]]
    chosen = [words[int(len(words) * rng.random() ** 3)] for _ in range(rng.randint(3, 18))]
    return ("" if language in UNSPACED else " ").join(chosen) + STOPS.get(language, ".")


def text(rng):
    language = rng.choices(list(WORDS), [8, 5, 2, 2, 1, 1, 1, 2])[0]
    joint = "" if language in UNSPACED else rng.choice([" ", " ", "\n\n"])
    return joint.join(sentence(rng, language) for _ in range(rng.randint(1, 9)))


def edited(rng, original, rate):
    parts = re.findall(r"\s+|[^\s\u3040-\u9fff]+|[\u3040-\u9fff]", original)
    other = rng.choice([part.upper() for part in parts] or ["x"])
    return "".join(rng.choice(["", other, part + " " + part]) if rng.random() < rate else part for part in parts)


def mixed(rng, count):
    """Originals, edited and identical copies, variants of templates, very short and empty ones; and which are copies."""
    records, texts, copies = [], [], []
    for number in range(count):
        role, source = rng.random() if number else 0, rng.randrange(number or 1)
        if role < 0.45:
            new = text(rng)
        elif role < 0.72:
            new = edited(rng, texts[source], rng.choice([0, 0.02, 0.05, 0.1, 0.2]))
            copies.append((source, number))
        elif role < 0.90:
            fill = [rng.choice(WORDS["en"]), rng.randint(1, 99999), rng.randint(1, 30)]
            new = TEMPLATES[rng.random() < 0.2].format(*fill)
        elif role < 0.96:
            new = rng.choice(SHORT)
        else:
            new = rng.choice(["", " ", "\n\t", "\u3000"])
        texts.append(new)
        half = len(new) // 2
        record = {"id": [f"r{number}", number, f"记录 {number}", number + 0.5][number % 4], "text": new}
        record |= {"title": new[:40] if number % 9 else f"Title {number}", "body": new[40:half], "answer": new[half:]}
        record |= {"score": rng.choice([1, 2.5, -3, 10**12]), "date": f"20{rng.randint(10, 25)}-0{rng.randint(1, 9)}-11"}
        record |= {"references": "\n".join(rng.choice(texts)[:90] for _ in range(rng.randint(0, 3)))}
        for field in ("id", "score", "date", "body", "references"):
            if rng.random() < 0.1:
                del record[field]
        records.append(record)
    return records, copies


def lines(records):
    return "".join(json.dumps(record, ensure_ascii=number % 3 == 0) + "\n" for number, record in enumerate(records))


def broken(records):
    """Lines of every kind of damage between good ones."""
    bad = [b"", b"{", b"[1]", b'"x"', b"null", b'{"id": 1}', b'{"text": null}', b'{"text": 5}', b'{"text": [1]}', b'{"text": true}']
    bad += [b'{"text": "\xff\xfe"}', b'{"text": "a\\u0000b c d"}', b'{"text": "\\ud800"}', b'{"text": "x"} y', b"   "]
    bad += [b'{"id": {}, "text": "x"}', b'{"id": true, "text": "x"}', b'{"id": "", "text": "x"}', b'{"text": "a", "text": "b"}']
    bad += [b"[" * 400, b'{"title": ["x"], "body": "y", "text": "z"}', b'{"text": "cr"}\r', b"{'text': 'x'}", b"\x00"]
    all_lines = lines(records).encode().split(b"\n")
    for place, line in enumerate(bad):
        all_lines.insert(5 * place, line)
    return b"\xef\xbb\xbf" + b"\n".join(all_lines) + b'\n{"id": "last", "text": "no line end"}'


def page(record):
    body = "".join(f"<p>{html.escape(part)}</p>" for part in record["text"].split("\n\n"))
    frame = "<nav><a href='/'>Home</a> <a href='/a'>About us</a></nav>{}<footer>All rights reserved. Call 555 0177.</footer>"
    code = "<pre><code>let a = b(c);\n</code></pre>" if len(record["text"]) % 3 == 0 else ""
    return f"<html><head><title>{html.escape(record['title'])}</title></head><body>" + frame.format(
        f"<article><h1>News</h1>{body}{code}</article>"
    )


def warc(records):
    def part(kind, number, content):
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Date: 2020-01-02T03:04:05Z\r\n"
        head += f"WARC-Target-URI: http://a.example/{number}\r\nContent-Type: application/http; msgtype=response\r\n"
        return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content + b"\r\n\r\n"

    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
    kinds = ["response"] * 6 + ["request"]
    return b"".join(part(kinds[n % 7], n, http + page(record).encode()) for n, record in enumerate(records))


def posts(records):
    """A dump of Stack Exchange: questions with answers, some before their question, and other posts."""
    rows = []
    for number, record in enumerate(records):
        attribute = {name: html.escape(f"<p>{html.escape(record.get(name, ''))}</p>") for name in ("body", "answer")}
        date = f'CreationDate="2011-03-0{1 + number % 9}T10:00:00.000" Score="{number % 7}"'
        rows.append(f'<row Id="{number}" PostTypeId="1" {date} Body="{attribute["body"]}" Title="{html.escape(record["title"])}" />')
        if record["answer"]:
            answer = f'<row Id="{10**6 + number}" PostTypeId="2" ParentId="{number}" {date} Body="{attribute["answer"]}" />'
            rows.insert(0 if number % 3 == 0 else len(rows), answer)
        if number % 5 == 0:
            rows.append(f'<row Id="{2 * 10**6 + number}" PostTypeId="5" {date} Body="wiki" />')
    clean = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", "", "\n".join(rows))
    return f'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n{clean}\n</posts>\n'


def links(count):
    row = '<row Id="{}" CreationDate="2012-01-01T00:00:00.000" PostId="{}" RelatedPostId="{}" LinkTypeId="{}" />\n'
    rows = "".join(row.format(n, n, (n * 7) % count, 3 if n % 2 else 1) for n in range(1, count, 5))
    return f'<?xml version="1.0" encoding="utf-8"?>\n<postlinks>\n{rows}</postlinks>\n'


def clusters(records, copies):
    """Records that have an id, each with the number of what it was copied from in the end."""
    groups = list(range(len(records)))
    for source, number in copies:
        groups[number] = groups[source]
    return [(record, group) for record, group in zip(records, groups) if "id" in record]


def labelled(rng, count):
    """Pairs of texts, half of them near duplicates."""
    for number in range(count):
        original, label = text(rng)[:200], number % 2
        other = edited(rng, original, rng.choice([0.05, 0.3])) if label else edited(rng, text(rng)[:100] + original[:60], 0.1)
        yield original, other, label


def field_sides(original, other):
    return [{"title": side[:40], "body": side[40:]} for side in (original, other)]


PARTS = """
[[model.part]]
features = "shingles:words:1"
measure = "{}"
weight = 0.7
mean = 0.5
[[model.part]]
features = "{}"
measure = "{}"
weight = 0.3
text = {{ case = "keep" }}
"""
OF_TERMS = '[[model.part]]\nfeatures = "terms"\nmeasure = "tf-idf"\nweight = 1.5\nterms = { min-characters = 1, min-unique = 1 }\n'
PRODUCT = "[[model.product]]\nleft = 0\nright = 1\nweight = 1.25\n"
TREES = "[[model.tree]]\nsplits = [[0, 0.3], [1, 0.5]]\nleaves = [-0.5, -0.25, 0.25, 1.5]\n"
TREES += "[[model.tree]]\nsplits = [[1, 0.35]]\nleaves = [-0.125, 0.375]\n"
FLOOR = '[[model.floor]]\n{}features = "shingles:words:1"\nleast = 0.3\n'
SETS = PARTS.format("cosine", "shingles:chars:3", "jaccard")
ORDERED = PARTS.format("containment", "shingles:chars:3", "run")
FIELDS = 'job = "threads"\nthreshold = 0.4\ninput.fields = ["title", "body"]\n[model]\nkind = "{}"\n'
FLOORS = FLOOR.format('field = "title"\n') + FLOOR.format('field = "body"\n')


def by_field(parts):
    title, body = parts.split("[[model.part]]\n")[1:]
    return f'[[model.part]]\nfield = "title"\n{title}[[model.part]]\nfield = "body"\n{body}'


CONFIGS = {
    "linear": 'threshold = 0.5\n[model]\nkind = "linear"\n' + SETS,
    "mean": 'threshold = 0.6\nkeep = "longest"\n[model]\nkind = "linear"\n' + PARTS.format("edit", "shingles:chars:3", "cosine") + FLOOR.format(""),
    "logistic": 'threshold = 0.4\n[model]\nkind = "logistic"\nbias = -1.5\n' + ORDERED + OF_TERMS + PRODUCT + FLOOR.format(""),
    "trees": 'threshold = 0.5\n[model]\nkind = "trees"\nbias = -0.1\n' + ORDERED + TREES + FLOOR.format(""),
    "features": 'threshold = 0.5\nkeep = "last"\n[features]\nmethod = "terms"\n[terms]\nmin-characters = 2\nmin-unique = 2\n[verify]\nmeasure = "cosine"\n',
    "fields": FIELDS.format("linear") + by_field(SETS),
    "fields-trees": FIELDS.format("trees") + by_field(ORDERED) + TREES + FLOORS,
    "weights": 'formula = "rare"\nlength = false\nnouns = [0.6, 1.0]\nnumerals = [0.05, 0.1]\n',
    "sweep": '[[method]]\nname = "letters"\nfeatures.method = "shingles:chars:2"\n'
    '[[method]]\nfeatures.method = "shingles:words:1"\nverify.measure = "containment"\ntext.stop-words = "en"\n',
}


def write(folder):
    """Everything but what benchmarks/generate makes. Says whether there is Parquet, too."""
    rng = random.Random(2024)
    records, copies = mixed(rng, 2000)
    few = [record | {"id": str(number)} for number, record in enumerate(records[:400])]
    pairs = list(labelled(rng, 300))

    def put(name, content):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    put("mixed.jsonl", lines(records))
    put("few.jsonl", lines(records[:400]))
    put("older.jsonl", lines(records[:1300]))
    put("fresh.jsonl", lines(records[1300:]))
    put("broken.jsonl", broken(records[:150]))
    put("twice.jsonl", '{"id": 1, "text": "x"}\n{"id": 1, "text": "y"}\n')
    put("records.jsonl.gz", gzip.compress(lines(few).encode(), mtime=0))
    put("records.jsonl.bz2", bz2.compress(lines(few).encode()))
    put("lines.txt", "\n".join(re.sub(r"\s+", " ", record["text"]) for record in few))
    for number, record in enumerate(few[:120]):
        put(f"pages/{number % 4}/{number}.{'md' if number % 7 == 0 else 'txt'}", record["text"])
        put(f"site/{number % 4}/{number}.html", page(record))
    put("crawl.warc", warc(few))
    put("crawl.warc.gz", gzip.compress(warc(few), mtime=0))
    put("Posts.xml", posts(records))
    put("Posts.xml.gz", gzip.compress(posts(records).encode(), mtime=0))
    put("Posts.xml.bz2", bz2.compress(posts(records).encode()))
    put("PostLinks.xml", links(len(records)))
    wiki = (ROOT / "examples/encyclopedia.xml").read_bytes()
    put("encyclopedia.xml.gz", gzip.compress(wiki, mtime=0))
    put("encyclopedia.xml.bz2", bz2.compress(wiki))
    for name, separator in (("records.csv", ","), ("records.tsv", "\t")):
        with open(folder / name, "w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, ["id", "title", "text", "score", "date"], delimiter=separator, extrasaction="ignore")
            table.writeheader()
            table.writerows(few)
    put("records.csv.gz", gzip.compress((folder / "records.csv").read_bytes(), mtime=0))
    put("broken.csv", b'id,text\n1,"a b c\n2,x,y\n"3","q""r\xff"\n\n4\n5,"the ferry, repaired"\n')
    pages = ["light", "light-reprint", "column", "digest", "news-1", "story", "story-2", "other-23", "nobody"]
    listed = lines({"a": a, "b": b} for a in pages for b in reversed(pages))
    put("pair-list.jsonl", listed + 'bad\n{"a": 1}\n')
    put("labelled.jsonl", lines({"a": a, "b": b, "label": label} for a, b, label in pairs))
    sides = ((*field_sides(a, b), label) for a, b, label in pairs)
    put("labelled-fields.jsonl", lines({"a": a, "b": b, "label": label} for a, b, label in sides))
    others = [(a + 1, b) for a, b in copies]
    same = [(records[a].get("id"), records[b].get("id"), label) for label, of in enumerate((others, copies)) for a, b in of]
    same = [(a, b, label) for a, b, label in same if None not in (a, b) and a != b]
    put("gold.jsonl", lines({"a": a, "b": b, "label": label} for a, b, label in same))
    put("clusters.jsonl", lines({"id": record["id"], "cluster": group} for record, group in clusters(records, copies)))
    put("a.txt", "\n".join(record["text"] for record in records[:12]))
    put("b.txt", "\n".join(edited(rng, record["text"], 0.05) for record in records[3:15]))
    for name, content in CONFIGS.items():
        put(f"{name}.toml", content)
    return write_parquet(folder / "records.parquet", few)


def write_parquet(path, records):
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return False
    rows = [{name: record.get(name) for name in ("id", "title", "body", "answer", "text", "date")} for record in records]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=100)
    return True


def generate(folder, commands):
    """The corpora `in/KIND-N` that these commands name: made once, kept in benchmarks/work and linked."""
    kept = ROOT / "benchmarks/work/same-results"
    kept.mkdir(parents=True, exist_ok=True)
    program = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "benchmarks/target")) / "release/generate"
    for name, kind, count in sorted({match[:3] for command in commands for match in GENERATED.findall(command)}):
        corpus = kept / f"{name}.{'xml' if kind == 'wiki' else 'jsonl'}"
        if not corpus.with_suffix(".json").exists():
            if not program.exists():
                subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "generate"], cwd=ROOT / "benchmarks", check=True)
            command = [program, kind, "--records", count, "--out", corpus]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for path in (corpus, corpus.with_name(f"{name}.planted.jsonl")):
            (folder / path.name).symlink_to(path)
