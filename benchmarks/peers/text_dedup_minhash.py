"""text-dedup: its MinHash command with two processes. It tells clusters only: all pairs of a cluster count as found."""

import os
import shutil
import sys

import corpus

options = corpus.options()
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_HOME"] = os.path.join(options.work, "cache")

from text_dedup import minhash  # noqa: E402

output = os.path.join(options.work, "deduplicated")
sys.argv = ["minhash", "--path", "json", "--data_files", options.file, "--split", "train", "--column", "text"]
sys.argv += ["--cache_dir", os.path.join(options.work, "cache"), "--output", output]
sys.argv += ["--ngram", str(options.words), "--num_perm", str(corpus.HASHES), "--threshold", str(options.threshold)]
sys.argv += ["--hash_func", "xxh3", "--num_proc", str(os.cpu_count())]
minhash.main(standalone_mode=False)

ids = [name for name, _ in corpus.read(options.file)]
clusters = {place: minhash.uf.find(place) for place in list(minhash.uf.parent)}
corpus.write_pairs(options.out, ids, corpus.pairs_of_clusters(clusters))
shutil.rmtree(options.work, ignore_errors=True)
