"""The PyPI package SetSimilaritySearch on a corpus: prints the seconds of each step, writes the pairs.

Run by `exact_join`, in an environment that has the package.
"""

import json
import re
import sys
import time

from SetSimilaritySearch import all_pairs


def shingles(text, size, words=re.compile("[a-z0-9]+").findall):
    found = words(text.lower())
    return {hash(shingle) for shingle in zip(*(found[start:] for start in range(size)))}


def main():
    path, records, words, threshold, out = sys.argv[1:]
    start = time.perf_counter()
    ids, sets = [], []
    with open(path, encoding="utf-8") as lines:
        for line, _ in zip(lines, range(int(records))):
            fields = json.loads(line)
            ids.append(fields["id"])
            sets.append(shingles(fields["text"], int(words)))
    cut = time.perf_counter()
    pairs = list(all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=float(threshold)))
    joined = time.perf_counter()
    with open(out, "w", encoding="utf-8") as pairs_out:
        for one, other, similarity in pairs:
            a, b = sorted((int(one), int(other)))
            pairs_out.write(json.dumps({"a": ids[a], "b": ids[b], "similarity": float(similarity)}) + "\n")
    print(json.dumps({"cut": cut - start, "join": joined - cut, "pairs": len(pairs)}))


if __name__ == "__main__":
    main()
