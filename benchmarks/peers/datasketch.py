"""datasketch: MinHash.bulk in one process for each core, then MinHashLSH with the parameters it picks itself."""

import multiprocessing
import sys

# This file has the name of the package it imports.
sys.path = [folder for folder in sys.path if not folder.endswith("peers")] + [sys.path[0]]

from datasketch import MinHash, MinHashLSH  # noqa: E402

import corpus  # noqa: E402

SCHEME = MinHash(num_perm=1).scheme  # its default


def sign(batch):
    words, texts = batch
    sets = [[shingle.encode() for shingle in corpus.shingles(text, words)] for text in texts]
    return [signature.hashvalues for signature in MinHash.bulk(sets, num_perm=corpus.HASHES, seed=1, scheme=SCHEME)]


def batches(texts, words, size=1000):
    for start in range(0, len(texts), size):
        yield words, texts[start : start + size]


def main():
    options = corpus.options()
    ids, texts = map(list, zip(*corpus.read(options.file)))
    with multiprocessing.Pool() as pool:
        values = [row for rows in pool.imap(sign, batches(texts, options.words)) for row in rows]
    del texts
    signatures = [MinHash(num_perm=corpus.HASHES, seed=1, scheme=SCHEME, hashvalues=row) for row in values]
    index = MinHashLSH(threshold=options.threshold, num_perm=corpus.HASHES)
    with index.insertion_session() as session:
        for place, signature in enumerate(signatures):
            session.insert(place, signature, check_duplication=False)

    def similar():
        for place, signature in enumerate(signatures):
            for other in index.query(signature):
                if other > place and signature.jaccard(signatures[other]) >= options.threshold:
                    yield place, other

    corpus.write_pairs(options.out, ids, similar())


if __name__ == "__main__":
    main()
