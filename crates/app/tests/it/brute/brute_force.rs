//! The library against the rule in its plainest form, on random little corpora in several scripts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lookalike::{Keep, Pairs, Request, RunOptions, Spec, Summary, Unobserved, run};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Few words, so that random texts are alike. One-letter words of several scripts: each is one token.
const WORDS: [&str; 8] = ["a", "b", "é", "中", "ж", "ก", "あ", "😀"];

fn texts() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let text = prop::collection::vec(0..WORDS.len(), 0..9);
    prop::collection::vec(text, 0..24)
}

fn shingles(text: &[usize], n: usize) -> BTreeSet<Vec<usize>> {
    match text.len() {
        0 => BTreeSet::new(),
        length if length < n => BTreeSet::from([text.to_vec()]),
        _ => text.windows(n).map(<[usize]>::to_vec).collect(),
    }
}

fn similarity(a: &BTreeSet<Vec<usize>>, b: &BTreeSet<Vec<usize>>) -> f64 {
    let common = a.intersection(b).count();
    let all = a.len() + b.len() - common;
    if all == 0 {
        0.0
    } else {
        common as f64 / all as f64
    }
}

/// Each record not yet taken is kept and takes all later ones that are similar to it.
fn stars(
    order: &[usize],
    similar: &BTreeMap<(usize, usize), f64>,
) -> BTreeMap<usize, (usize, f64)> {
    let mut taken = BTreeMap::new();
    for (place, &kept) in order.iter().enumerate() {
        if taken.contains_key(&kept) {
            continue;
        }
        for &later in &order[place + 1..] {
            if let Some(&similarity) = similar.get(&(kept.min(later), kept.max(later))) {
                taken.entry(later).or_insert((kept, similarity));
            }
        }
    }
    taken
}

fn spec(n: usize, threshold: f64) -> Spec {
    let mut spec = Spec {
        threshold: Some(threshold),
        pairs: Pairs::All,
        ..Spec::default()
    };
    spec.features.method = Some(format!("shingles:words:{n}"));
    // A pair of similarity 0.2 is missed once in 10^29 times.
    spec.keys.bands = Some(300);
    spec.keys.rows = Some(1);
    spec
}

fn write_input(path: &Path, texts: &[Vec<usize>]) {
    let line = |(id, text): (usize, &Vec<usize>)| {
        let words: Vec<&str> = text.iter().map(|&word| WORDS[word]).collect();
        format!("{}\n", json!({"id": id, "text": words.join(" ")}))
    };
    std::fs::write(path, texts.iter().enumerate().map(line).collect::<String>()).unwrap();
}

struct Found {
    pairs: BTreeMap<(usize, usize), f64>,
    removed: BTreeMap<usize, (usize, f64)>,
    summary: Summary,
}

/// `name`, two ids and the similarity, of every line.
fn triples(file: &Path, one: &str, two: &str) -> Vec<(usize, usize, f64)> {
    let text = std::fs::read_to_string(file).unwrap();
    let triple = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        // Read digit by digit: serde_json may be off by a bit.
        let similarity = line
            .rsplit(':')
            .next()
            .unwrap()
            .trim_end_matches('}')
            .parse()
            .unwrap();
        let id = |name: &str| value[name].as_u64().unwrap() as usize;
        (id(one), id(two), similarity)
    };
    text.lines().map(triple).collect()
}

fn find(texts: &[Vec<usize>], against: Option<&[Vec<usize>]>, spec: Spec, threads: usize) -> Found {
    let folder = tempfile::tempdir().unwrap();
    let (input, corpus, out) = (
        folder.path().join("input.jsonl"),
        folder.path().join("corpus.jsonl"),
        folder.path().join("out"),
    );
    write_input(&input, texts);
    let mut request = Request::new(spec, [input.to_string_lossy()]);
    if let Some(against) = against {
        write_input(&corpus, against);
        request.against = vec![corpus.to_string_lossy().into_owned()];
    }
    let mut options = RunOptions::new(&out);
    options.threads = threads;
    options.audit = Some(5);
    let summary = run(&request, &options, &Unobserved).unwrap();
    let pairs = triples(&out.join("pairs.jsonl"), "a", "b")
        .into_iter()
        .map(|(a, b, similarity)| ((a, b), similarity));
    let removed = triples(&out.join("removed.jsonl"), "id", "kept")
        .into_iter()
        .map(|(id, kept, similarity)| (id, (kept, similarity)));
    Found {
        pairs: pairs.collect(),
        removed: removed.collect(),
        summary,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn pairs_and_clusters_are_those_of_brute_force(
        texts in texts(),
        n in 1usize..5,
        threshold in 0.2f64..=1.0,
        keep in prop::sample::select(vec![Keep::First, Keep::Last, Keep::Longest]),
        threads in 1usize..4,
    ) {
        let sets: Vec<_> = texts.iter().map(|text| shingles(text, n)).collect();
        let mut similar = BTreeMap::new();
        for b in 0..sets.len() {
            for a in 0..b {
                let similarity = similarity(&sets[a], &sets[b]);
                if similarity >= threshold {
                    similar.insert((a, b), similarity);
                }
            }
        }
        let mut order: Vec<usize> = (0..texts.len()).collect();
        match keep {
            Keep::Last => order.reverse(),
            // One character a word and one between two.
            Keep::Longest => order.sort_by_key(|&record| std::cmp::Reverse(texts[record].len())),
            _ => {}
        }
        let found = find(&texts, None, Spec { keep, ..spec(n, threshold) }, threads);
        prop_assert_eq!(&found.pairs, &similar);
        prop_assert_eq!(found.removed, stars(&order, &similar));
        let counts = found.summary.counts;
        prop_assert_eq!(counts.empty as usize, texts.iter().filter(|text| text.is_empty()).count());
        prop_assert_eq!(counts.pairs as usize, similar.len());
        let audit = found.summary.audit.unwrap();
        prop_assert_eq!((audit.recall, audit.precision), (1.0, 1.0));
    }

    #[test]
    fn pairs_across_two_corpora_are_those_of_brute_force(
        texts in texts(),
        corpus in texts(),
        n in 1usize..4,
        threshold in 0.2f64..=1.0,
        keys in prop::sample::select(vec!["minhash", "prefix", "auto", "every"]),
    ) {
        let mut similar = BTreeMap::new();
        let mut best: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for (a, ours) in texts.iter().enumerate() {
            for (b, theirs) in corpus.iter().enumerate() {
                let similarity = similarity(&shingles(ours, n), &shingles(theirs, n));
                if similarity >= threshold {
                    similar.insert((a, b), similarity);
                    let known = best.entry(a).or_insert((b, similarity));
                    if similarity > known.1 {
                        *known = (b, similarity);
                    }
                }
            }
        }
        let mut spec = spec(n, threshold);
        spec.keys.method = keys.to_string();
        if keys != "minhash" {
            (spec.keys.bands, spec.keys.rows) = (None, None);
        }
        let found = find(&texts, Some(&corpus), spec, 2);
        prop_assert_eq!(found.pairs, similar);
        prop_assert_eq!(found.removed, best);
    }

    #[test]
    fn hot_buckets_and_few_keys_lose_pairs_but_never_proof(
        texts in texts(),
        n in 1usize..4,
        threshold in 0.2f64..=1.0,
        bucket_limit in 2usize..6,
        bands in 1u32..20,
    ) {
        let mut spec = Spec { pairs: Pairs::Auto, ..spec(n, threshold) };
        spec.keys.bucket_limit = Some(bucket_limit);
        spec.keys.bands = Some(bands);
        let found = find(&texts, None, spec, 2);
        let sets: Vec<_> = texts.iter().map(|text| shingles(text, n)).collect();
        for (&(a, b), &stated) in &found.pairs {
            prop_assert!(a < b);
            prop_assert_eq!(similarity(&sets[a], &sets[b]), stated);
            prop_assert!(stated >= threshold);
        }
        for (&id, &(kept, stated)) in &found.removed {
            prop_assert!(!found.removed.contains_key(&kept), "{} is kept for {} and removed", kept, id);
            prop_assert_eq!(similarity(&sets[id], &sets[kept]), stated);
            prop_assert!(stated >= threshold);
        }
        // Copies are found whatever the keys.
        for (b, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
            let has_copy_before = sets[..b].contains(set);
            prop_assert!(!has_copy_before || found.removed.contains_key(&b) || sets.iter().enumerate().any(|(other, copy)| copy == set && found.removed.contains_key(&other)));
        }
    }
}
