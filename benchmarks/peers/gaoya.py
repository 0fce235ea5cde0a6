"""gaoya: MinHashStringIndex with its own word analyser, bulk insert and bulk query on all cores."""

import sys

# This file has the name of the package it imports.
sys.path = [folder for folder in sys.path if not folder.endswith("peers")] + [sys.path[0]]

from gaoya.minhash import MinHashStringIndex  # noqa: E402

import corpus  # noqa: E402

options = corpus.options()
ids, texts = map(list, zip(*corpus.read(options.file)))
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=options.threshold,
    num_bands=corpus.BANDS,
    band_size=corpus.ROWS,
    analyzer="word",
    lowercase=True,
    ngram_range=(options.words, options.words),
    id_container="smallvec",
)
index.par_bulk_insert_docs(list(range(len(texts))), texts)


def similar(batch=10_000):
    for start in range(0, len(texts), batch):
        for place, found in enumerate(index.par_bulk_query(texts[start : start + batch]), start):
            for other in found:
                if other > place:
                    yield place, other


corpus.write_pairs(options.out, ids, similar())
