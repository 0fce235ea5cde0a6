"""Every pair of texts of an edit similarity of at least LEAST: edit_pairs.py TEXTS LEAST OUT

TEXTS has a JSON string a line, OUT a list [line, line, similarity] a line. Needs rapidfuzz, which compares, and numpy, which
keeps it from comparing what cannot be similar: an edit changes the length by at most one, and of the pairs of neighbouring
characters that the longer text has it takes away at most two. Nothing is estimated, so no pair is missed.
"""

import json
import sys
from collections import Counter
from itertools import pairwise

import numpy
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

ROWS = 256
COLUMNS = 4096


def count_neighbours(texts):
    """A row a text, in which two neighbouring characters, together with how often they occurred before, count in the column
    of their hash. The product of two rows is at least the number of neighbours that both texts have."""
    counts = numpy.zeros((len(texts), COLUMNS), dtype=numpy.float32)
    for row, text in zip(counts, texts):
        before = Counter()
        for neighbours in pairwise(text):
            row[hash((neighbours, before[neighbours])) % COLUMNS] += 1
            before[neighbours] += 1
    return counts


def similar_pairs(texts, least):
    """Pairs (i, j, similarity) of texts that are sorted by length."""
    lengths = numpy.array([len(text) for text in texts])
    counts = count_neighbours(texts)
    for begin in range(0, len(texts), ROWS):
        rows = slice(begin, min(begin + ROWS, len(texts)))
        # What is exactly as similar as asked is not lost to rounding.
        end = int(numpy.searchsorted(lengths, lengths[rows.stop - 1] / least + 1e-6, "right"))
        columns = slice(begin, end)
        edits = numpy.floor((1 - least) * lengths[columns] + 1e-6)
        common = counts[rows] @ counts[columns].T
        i, j = numpy.nonzero(numpy.triu(common >= lengths[columns] - 1 - 2 * edits, 1))
        scores = process.cpdist(
            [texts[begin + a] for a in i],
            [texts[begin + b] for b in j],
            scorer=Levenshtein.normalized_similarity,
            score_cutoff=least,
            dtype=numpy.float64,
        )
        for place in numpy.flatnonzero(scores >= least):
            yield begin + int(i[place]), begin + int(j[place]), float(scores[place])


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        texts = [json.loads(line) for line in lines]
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    with open(sys.argv[3], "w", encoding="utf-8") as out:
        for i, j, similarity in similar_pairs([texts[place] for place in order], float(sys.argv[2])):
            out.write(json.dumps([order[i], order[j], similarity]) + "\n")


if __name__ == "__main__":
    main()
