//! The sentences job against the rule in its plainest form: every two sentences of two articles, both similarities.

use std::collections::{BTreeMap, BTreeSet};

use super::support::lines;
use lookalike::{Clusters, Pairs, Request, RunOptions, Spec, Unobserved, jobs, run};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Few words, so that random sentences are alike; every letter is one character, and none an ideograph.
const WORDS: [&str; 7] = ["alpha", "beta", "gamma", "дельта", "épsilon", "zeta", "eta"];

/// A sentence is a run of words with a full stop and begins with a capital.
fn sentence() -> impl Strategy<Value = String> {
    prop::collection::vec(0..WORDS.len(), 3..9).prop_map(|words| {
        let said: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
        format!("The {} ended.", said.join(" "))
    })
}

fn articles() -> impl Strategy<Value = Vec<Vec<String>>> {
    prop::collection::vec(prop::collection::vec(sentence(), 0..6), 0..8)
}

fn shingles(text: &str, n: usize) -> BTreeSet<Vec<char>> {
    let characters: Vec<char> = text.to_lowercase().chars().collect();
    match characters.len() {
        length if length < n => BTreeSet::from([characters]),
        _ => characters.windows(n).map(<[char]>::to_vec).collect(),
    }
}

fn jaccard(a: &str, b: &str) -> f64 {
    let (x, y) = (shingles(a, 5), shingles(b, 5));
    let common = x.intersection(&y).count() as f64;
    common / (x.len() as f64 + y.len() as f64 - common)
}

/// The table of Wagner and Fischer.
fn edit_similarity(a: &str, b: &str) -> f64 {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|text| text.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    let longer = a.len().max(b.len());
    (longer - row[b.len()]) as f64 / longer as f64
}

/// (article, number) of both sentences, and both similarities.
type Found = BTreeMap<((u64, u64), (u64, u64)), (f64, f64)>;

/// Every pair of sentences of two articles, what an article repeats counting once; or also those of one.
fn expected(articles: &[Vec<String>], least: (f64, f64), within: bool) -> Found {
    let mut all: Vec<((u64, u64), &String)> = Vec::new();
    for (article, sentences) in articles.iter().enumerate() {
        for (number, said) in sentences.iter().enumerate() {
            if within || !sentences[..number].contains(said) {
                all.push(((article as u64, number as u64), said));
            }
        }
    }
    let mut found = Found::new();
    for (place, (a, x)) in all.iter().enumerate() {
        for (b, y) in &all[place + 1..] {
            let similarities = (jaccard(x, y), edit_similarity(x, y));
            let is_short = x.chars().count().max(y.chars().count()) < 40;
            let edit = if is_short { least.1.max(0.85) } else { least.1 };
            if (within || a.0 != b.0) && similarities.0 >= least.0 && similarities.1 >= edit {
                found.insert((*a, *b), similarities);
            }
        }
    }
    found
}

fn place(side: &Value) -> (u64, u64) {
    let number = |name: &str| side[name].as_u64().unwrap();
    (number("id"), number("sentence"))
}

struct Outcome {
    found: Found,
    clusters: Vec<Value>,
    articles: Vec<Value>,
    bytes: Vec<Vec<u8>>,
}

fn found(articles: &[Vec<String>], spec: &Spec, (threads, memory): (usize, u64)) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("articles.jsonl");
    let records = articles.iter().enumerate().map(|(id, sentences)| {
        json!({"id": id, "title": format!("Article {id}"), "text": sentences.join(" ")}).to_string()
            + "\n"
    });
    std::fs::write(&input, records.collect::<String>()).unwrap();
    let mut options = RunOptions::new(folder.path().join("out"));
    options.threads = threads;
    options.memory = memory;
    let request = Request::new(spec.clone(), [input.to_str().unwrap()]);
    run(&request, &options, &Unobserved).unwrap();
    let pairs = lines(&options.out, "pairs.jsonl");
    let pair = |line: &Value| {
        let number = |name: &str| line[name].as_f64().unwrap();
        let similarities = (number("similarity"), number("edit_similarity"));
        ((place(&line["a"]), place(&line["b"])), similarities)
    };
    let names = ["pairs.jsonl", "clusters.jsonl", "articles.jsonl"];
    Outcome {
        found: pairs.iter().map(pair).collect(),
        clusters: lines(&options.out, "clusters.jsonl"),
        articles: lines(&options.out, "articles.jsonl"),
        bytes: names
            .map(|name| std::fs::read(options.out.join(name)).unwrap())
            .to_vec(),
    }
}

fn spec(keys: &str, pairs: Pairs, within: bool) -> Spec {
    let mut spec = Spec::of_job(jobs::SENTENCES);
    spec.keys.method = keys.to_string();
    spec.pairs = pairs;
    spec.sentences.within_article = within;
    spec.sentences.split.least_characters = 1;
    spec
}

/// How many sentences of two articles have a similar one in the other, counted where there are fewer.
fn shared(pairs: &Found) -> BTreeMap<(u64, u64), u64> {
    let mut sentences: BTreeMap<(u64, u64), [BTreeSet<u64>; 2]> = BTreeMap::new();
    for (a, b) in pairs.keys().filter(|(a, b)| a.0 != b.0) {
        let [of_a, of_b] = sentences.entry((a.0, b.0)).or_default();
        of_a.insert(a.1);
        of_b.insert(b.1);
    }
    sentences
        .into_iter()
        .map(|(articles, [a, b])| (articles, a.len().min(b.len()) as u64))
        .collect()
}

/// What is kept of a sentence is its text, which says nothing about the size of its set of shingles.
#[test]
fn a_sentence_that_repeats_its_words_is_compared_with_shorter_ones() {
    let articles = [
        "The gamma alpha alpha дельта alpha alpha gamma beta ended.",
        "The alpha gamma beta ended.",
    ]
    .map(|said| vec![said.to_owned()]);
    let least = (0.4, 0.3);
    let mut spec = spec("every", Pairs::All, false);
    spec.threshold = Some(least.0);
    spec.sentences.edit_similarity = least.1;
    let expected = expected(&articles, least, false);
    assert_eq!(expected.len(), 1);
    assert_eq!(found(&articles, &spec, (1, 100_000_000)).found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_pair_of_similar_sentences_is_found(
        articles in articles(),
        least in (0.2f64..1.0, 0.3f64..1.0),
        within in any::<bool>(),
        keys in prop::sample::select(vec!["auto", "prefix", "every"]),
        resources in (1usize..4, prop::sample::select(vec![100_000_000u64, 2_000_000_000])),
    ) {
        let mut spec = spec(keys, Pairs::All, within);
        spec.threshold = Some(least.0);
        spec.sentences.edit_similarity = least.1;
        let outcome = found(&articles, &spec, resources);
        let expected = expected(&articles, least, within);
        prop_assert_eq!(&outcome.found, &expected);
        let counted: BTreeMap<(u64, u64), u64> = outcome
            .articles
            .iter()
            .map(|line| {
                let number = |name: &str| line[name].as_u64().unwrap();
                ((number("a"), number("b")), number("shared_sentences"))
            })
            .collect();
        prop_assert_eq!(counted, shared(&expected));
    }

    #[test]
    fn members_are_similar_to_the_kept_sentence_and_in_one_cluster_only(articles in articles()) {
        let mut spec = spec("auto", Pairs::Auto, false);
        spec.clusters = Some(Clusters::Stars);
        let outcome = found(&articles, &spec, (2, 2_000_000_000));
        let similar = expected(&articles, (0.4, 0.75), true);
        let mut seen = BTreeSet::new();
        for cluster in &outcome.clusters {
            let members: Vec<(u64, u64)> =
                cluster["members"].as_array().unwrap().iter().map(place).collect();
            let kept = (cluster["cluster"].as_u64().unwrap(), cluster["sentence"].as_u64().unwrap());
            prop_assert_eq!(cluster["size"].as_u64().unwrap() as usize, members.len());
            prop_assert!(members.contains(&kept));
            for member in members {
                prop_assert!(seen.insert(member));
                let pair = (kept.min(member), kept.max(member));
                prop_assert!(member == kept || similar.contains_key(&pair));
            }
        }
        let again = found(&articles, &spec, (1, 100_000_000));
        prop_assert_eq!(outcome.bytes, again.bytes);
    }

    /// A cluster is what similar pairs link, and nothing else.
    #[test]
    fn sentences_of_a_pair_are_in_one_cluster_and_members_are_linked(articles in articles()) {
        let outcome = found(&articles, &spec("auto", Pairs::All, false), (2, 2_000_000_000));
        let similar = expected(&articles, (0.4, 0.75), true);
        let mut cluster_of: BTreeMap<(u64, u64), usize> = BTreeMap::new();
        for (number, cluster) in outcome.clusters.iter().enumerate() {
            let members: BTreeSet<(u64, u64)> =
                cluster["members"].as_array().unwrap().iter().map(place).collect();
            let mut linked: BTreeSet<(u64, u64)> = members.first().copied().into_iter().collect();
            for _ in &members {
                let of = similar.keys().filter(|(a, b)| linked.contains(a) || linked.contains(b));
                let more: Vec<_> = of.flat_map(|(a, b)| [*a, *b]).collect();
                linked.extend(more.into_iter().filter(|member| members.contains(member)));
            }
            prop_assert_eq!(&linked, &members);
            for member in members {
                prop_assert!(cluster_of.insert(member, number).is_none());
            }
        }
        for (a, b) in outcome.found.keys() {
            prop_assert!(cluster_of.contains_key(a));
            prop_assert_eq!(cluster_of.get(a), cluster_of.get(b));
        }
    }

    /// Listed as by default, every similar sentence of another article is in some pair.
    #[test]
    fn what_is_similar_to_something_elsewhere_is_listed(articles in articles()) {
        let outcome = found(&articles, &spec("auto", Pairs::Auto, false), (2, 2_000_000_000));
        let expected = expected(&articles, (0.4, 0.75), false);
        let listed: BTreeSet<(u64, u64)> = outcome.found.keys().flat_map(|(a, b)| [*a, *b]).collect();
        let similar: BTreeSet<(u64, u64)> = expected.keys().flat_map(|(a, b)| [*a, *b]).collect();
        prop_assert_eq!(listed, similar);
        prop_assert!(outcome.found.keys().all(|pair| expected.contains_key(pair)));
    }
}
