"""rensa: RMinHash and its LSH; candidates are kept if the signatures' estimate reaches the threshold."""

import sys

# This file has the name of the package it imports.
sys.path = [folder for folder in sys.path if not folder.endswith("peers")] + [sys.path[0]]

from rensa import RMinHash, RMinHashLSH  # noqa: E402

import corpus  # noqa: E402

options = corpus.options()
ids, signatures = [], []
batch = []


def sign():
    signatures.extend(RMinHash.from_token_sets(batch, corpus.HASHES, 42))
    batch.clear()


for name, text in corpus.read(options.file):
    ids.append(name)
    batch.append(corpus.shingles(text, options.words))
    if len(batch) == 2000:
        sign()
sign()

index = RMinHashLSH(threshold=options.threshold, num_perm=corpus.HASHES, num_bands=corpus.BANDS)
index.insert_many(signatures)


def similar():
    for place, signature in enumerate(signatures):
        for other in index.query(signature):
            if other > place and signature.jaccard(signatures[other]) >= options.threshold:
                yield place, other


corpus.write_pairs(options.out, ids, similar())
