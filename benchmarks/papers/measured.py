"""Which code each experiment measures, and whether its page is as new: a page has a number for that code, as it was when it ran."""

import hashlib
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RESULTS = HERE / "results"

SHINGLES = ["crates/sign/src/features/shingles.rs", "crates/sign/src/features/grams.rs"]
SENTENCES = SHINGLES + [
    "crates/text/src/sentences*",
    "crates/kernel/src/jobs/sentences.rs",
    "crates/sign/src/keys/minhash.rs",
    "crates/sign/src/keys/sieve.rs",
    "crates/sign/src/keys/signatures*",
    "crates/pair/src/verify/edit.rs",
    "crates/pair/src/verify/filtered.rs",
]
PASSAGES = [
    "crates/text/src/sentences*",
    "crates/kernel/src/jobs/passages.rs",
    "crates/pair/src/assemble/alignment*",
    "crates/pair/src/join/by_neighbours.rs",
    "crates/sign/src/neighbours.rs",
    "crates/sign/src/features/spotsigs.rs",
]
MESSAGES = [
    "crates/kernel/src/jobs/messages.rs",
    "crates/sign/src/weights*",
    "crates/sign/src/features/weighted_terms.rs",
    "crates/sign/src/keys/simfinder.rs",
    "crates/sign/src/keys/bigrams.rs",
    "crates/sign/src/keys/weighted.rs",
    "crates/pair/src/verify/weighted_jaccard.rs",
]
IMATCH = ["crates/sign/src/keys/imatch.rs", "crates/sign/src/features/imatch.rs", "crates/sign/src/features/terms*", "crates/sign/src/stats*"]
JOINS = SHINGLES + ["crates/pair/src/join*", "crates/sign/src/keys/prefix.rs", "crates/sign/src/keys/minhash.rs"]

# An experiment is a line here and a file beside this one.
MEASURED = {
    "exact_join": JOINS,
    "imatch_recall": IMATCH,
    "imatch_secondary": IMATCH,
    "imatch_stability": IMATCH,
    "messages_fingerprints": MESSAGES,
    "messages_growth": MESSAGES,
    "messages_precision": MESSAGES,
    "messages_transitive": MESSAGES,
    "passages_beyond_documents": PASSAGES,
    "passages_growth": PASSAGES,
    "passages_kinds": PASSAGES + ["crates/engine/src/output/document_groups.rs", "crates/engine/src/output/split_articles.rs"],
    "passages_least_sentences": PASSAGES,
    "passages_signatures": PASSAGES,
    "sentences_edit_and_jaccard": SENTENCES,
    "sentences_kinds": SENTENCES + ["crates/pair/src/assemble/kinds*", "crates/engine/src/output/sentence_frames.rs"],
    "sentences_recall": SENTENCES,
    "sentences_shingles": SENTENCES,
    "signatures": SHINGLES + IMATCH + ["crates/sign/src/features/winnow.rs", "crates/sign/src/features/spotsigs.rs"],
    "term_against_unit": JOINS,
    "thread_joins": JOINS + ["crates/kernel/src/jobs/threads.rs"],
    "thread_weights": ["crates/kernel/src/jobs/threads.rs", "crates/judge/src/learn*"],
}


def files(name, root=ROOT):
    """The files that an experiment measures, with those of folders of the same name, and the experiment itself."""
    found = {root / "benchmarks/papers" / name}
    for pattern in MEASURED[name]:
        matched = list(root.glob(pattern))
        if not matched:
            raise SystemExit(f"{name} measures {pattern}, and there is no such file; correct benchmarks/papers/measured.py")
        for path in matched:
            found.update(path.rglob("*.rs") if path.is_dir() else [path])
    return sorted(path for path in found if path.is_file())


def number(name, root=ROOT):
    """A number for all that an experiment measures: other code, another number."""
    hashed = hashlib.sha256()
    for path in files(name, root):
        content = path.read_bytes()
        hashed.update(f"{path.relative_to(root)} {len(content)}\n".encode() + content)
    return hashed.hexdigest()[:16]


def stale(name, results=RESULTS, root=ROOT):
    """Why a page is not as new as the code, or None."""
    page = results / f"{name}.md"
    if not page.exists():
        return "there is no page"
    measured = re.search(r"^- code: (\w+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    if not measured:
        return "its page does not say which code it measured"
    return None if measured[1] == number(name, root) else "the code has changed since"
