"""What all peer scripts share: their options, reading the corpus, cutting shingles, writing pairs."""

import argparse
import json
import re

HASHES, BANDS, ROWS = 128, 16, 8


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--words", type=int, required=True, help="words in a shingle")
    parser.add_argument("--threshold", type=float, required=True)
    parser.add_argument("--out", required=True, help="the pairs found, JSONL {a, b}")
    parser.add_argument("--work", help="a folder for temporary files")
    return parser.parse_args()


def read(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield record["id"], record["text"]


def shingles(text, size, words=re.compile("[a-z0-9]+").findall):
    found = words(text.lower())
    if len(found) < size:
        return [" ".join(found)] if found else []
    return list(map(" ".join, zip(*(found[start:] for start in range(size)))))


def write_pairs(path, ids, pairs):
    """`pairs` are places in the input."""
    with open(path, "w", encoding="utf-8") as out:
        for one, other in pairs:
            out.write(f'{{"a":"{ids[min(one, other)]}","b":"{ids[max(one, other)]}"}}\n')


def pairs_of_clusters(cluster_of):
    """All pairs inside each cluster, for tools that tell clusters only; `cluster_of` maps places to clusters."""
    members = {}
    for place, cluster in cluster_of.items():
        members.setdefault(cluster, []).append(place)
    for group in members.values():
        for at, one in enumerate(group):
            for other in group[at + 1 :]:
                yield one, other
