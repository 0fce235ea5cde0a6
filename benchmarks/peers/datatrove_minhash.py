"""datatrove: signatures, buckets and clusters with one worker for each core. All pairs of a cluster count as found."""

import os
import shutil
import struct
from pathlib import Path

import corpus
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets, MinhashDedupCluster
from datatrove.pipeline.readers import JsonlReader
from datatrove.utils.hashing import HashConfig

SHARDS = os.cpu_count()


def run(folder, name, steps, tasks):
    logs = str(folder / "logs" / name)
    LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=min(tasks, SHARDS), logging_dir=logs).run()


def cut(path, folder):
    """A worker reads whole files, so the corpus is dealt out line by line to as many files as there are workers."""
    folder.mkdir(parents=True, exist_ok=True)
    places = [[] for _ in range(SHARDS)]
    files = [open(folder / f"{shard:03}.jsonl", "w", encoding="utf-8") for shard in range(SHARDS)]
    with open(path, encoding="utf-8") as lines:
        for place, line in enumerate(lines):
            files[place % SHARDS].write(line)
            places[place % SHARDS].append(place)
    for file in files:
        file.close()
    return places


def find(parents, place):
    while parents.setdefault(place, place) != place:
        place = parents[place]
    return place


def main():
    options = corpus.options()
    work = Path(options.work)
    shutil.rmtree(work, ignore_errors=True)
    places = cut(options.file, work / "input")
    config = MinhashConfig(
        n_grams=options.words,
        num_buckets=corpus.BANDS,
        hashes_per_bucket=corpus.ROWS,
        hash_config=HashConfig(precision=64),
    )
    signatures, buckets, removed = (str(work / name) for name in ("signatures", "buckets", "removed"))
    reader = JsonlReader(str(work / "input"))
    run(work, "sign", [reader, MinhashDedupSignature(output_folder=signatures, config=config)], SHARDS)
    run(work, "join", [MinhashDedupBuckets(input_folder=signatures, output_folder=buckets, config=config)], corpus.BANDS)
    run(work, "cluster", [MinhashDedupCluster(input_folder=buckets, output_folder=removed, config=config)], 1)

    parents = {}
    for path in Path(buckets).glob("*.dups"):
        for shard, document, other_shard, other_document in struct.iter_unpack("<4I", path.read_bytes()):
            one, other = places[shard][document], places[other_shard][other_document]
            parents[find(parents, other)] = find(parents, one)
    clusters = {place: find(parents, place) for place in list(parents)}
    ids = [name for name, _ in corpus.read(options.file)]
    corpus.write_pairs(options.out, ids, corpus.pairs_of_clusters(clusters))
    shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
