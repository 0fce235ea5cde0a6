//! The messages job against the rule in its plainest form: weights by definition, every two messages compared.

use std::collections::{BTreeMap, BTreeSet};

use super::support::lines;
use lookalike::pair::assemble::Difference;
use lookalike::sign::weights::{Formula, WeightRules};
use lookalike::text::{TextOptions, Tokenizer, WordClass};
use lookalike::{Keep, Pairs, Request, RunOptions, Spec, Summary, Unobserved, jobs, run};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Of several classes and lengths, so that weights differ; few, so that random messages are alike.
const WORDS: [&str; 14] = [
    "win", "cash", "quickly", "the", "you", "42", "prize", "call", "now", "and", "7", "hello",
    "银行", "优惠",
];

fn message() -> impl Strategy<Value = String> {
    prop::collection::vec(0..WORDS.len(), 0..12).prop_map(|words| {
        let said: Vec<&str> = words.iter().map(|&word| WORDS[word]).collect();
        said.join(" ")
    })
}

fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut tokenizer = Tokenizer::new(TextOptions::default().for_messages());
    tokenizer.words(text, &mut |word: &str, _: std::ops::Range<usize>| {
        found.insert(word.to_string());
    });
    found
}

/// The ends of an interval and whether the length counts, read from the table as users see it.
fn table(formula: Formula) -> (BTreeMap<String, [f64; 2]>, bool) {
    let printed = toml::to_string(&WeightRules::of(formula)).unwrap();
    let table: toml::Table = printed.parse().unwrap();
    let intervals = table.iter().filter_map(|(name, value)| {
        let ends = value.as_array()?;
        Some((name.clone(), [ends[0].as_float()?, ends[1].as_float()?]))
    });
    (intervals.collect(), table["length"].as_bool().unwrap())
}

/// Equations 1 and 2 of the paper, or the same with rare words on top.
fn weights(messages: &[BTreeSet<String>], formula: Formula) -> BTreeMap<String, f64> {
    let mut frequencies: BTreeMap<&String, f64> = BTreeMap::new();
    for word in messages.iter().flatten() {
        *frequencies.entry(word).or_default() += 1.0;
    }
    let (intervals, length_counts) = table(formula);
    let weight = |(word, frequency): (&&String, &f64)| {
        let class = WordClass::of(word);
        let of_class: Vec<f64> = frequencies
            .iter()
            .filter(|(other, _)| WordClass::of(other) == class)
            .map(|(_, &frequency)| frequency)
            .collect();
        let least = of_class.iter().copied().fold(f64::INFINITY, f64::min);
        let most = of_class.iter().copied().fold(0.0, f64::max);
        let share = match formula {
            _ if least == most => 0.5,
            Formula::Paper => (frequency - least) / (most - least),
            Formula::Rare => (most - frequency) / (most - least),
        };
        let [a, b] = intervals[class.name()];
        let length = if length_counts {
            word.chars().count()
        } else {
            1
        };
        (word.to_string(), (a + (b - a) * share) * length as f64)
    };
    frequencies.iter().map(weight).collect()
}

type Found = BTreeMap<(u64, u64), f64>;

fn expected(messages: &[String], formula: Formula, threshold: f64) -> Found {
    let sets: Vec<BTreeSet<String>> = messages.iter().map(|text| words(text)).collect();
    let weights = weights(&sets, formula);
    let weight =
        |set: &mut dyn Iterator<Item = &String>| set.map(|word| weights[word]).sum::<f64>();
    let mut found = Found::new();
    for (j, b) in sets.iter().enumerate() {
        for (i, a) in sets[..j].iter().enumerate() {
            let all = weight(&mut a.union(b));
            let similarity = weight(&mut a.intersection(b)) / all;
            if all > 0.0 && similarity >= threshold {
                found.insert((i as u64, j as u64), similarity);
            }
        }
    }
    found
}

struct Outcome {
    summary: Summary,
    pairs: Vec<Value>,
    removed: Vec<Value>,
    bytes: Vec<Vec<u8>>,
}

impl Outcome {
    /// The pairs that were compared.
    fn compared(&self) -> Found {
        let compared = self
            .pairs
            .iter()
            .filter(|line| line["similarity"].is_number());
        compared
            .map(|line| (ends(line), line["similarity"].as_f64().unwrap()))
            .collect()
    }
}

fn ends(line: &Value) -> (u64, u64) {
    (line["a"].as_u64().unwrap(), line["b"].as_u64().unwrap())
}

fn run_on(messages: &[String], spec: &Spec, (threads, memory): (usize, u64)) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("messages.jsonl");
    let record = |(id, text): (usize, &String)| json!({"id": id, "text": text}).to_string() + "\n";
    let records = messages.iter().enumerate().map(record);
    std::fs::write(&input, records.collect::<String>()).unwrap();
    let mut options = RunOptions::new(folder.path().join("out"));
    options.threads = threads;
    options.memory = memory;
    let request = Request::new(spec.clone(), [input.to_str().unwrap()]);
    let summary = run(&request, &options, &Unobserved).unwrap();
    let names = ["pairs.jsonl", "clusters.jsonl", "removed.jsonl"];
    Outcome {
        summary,
        pairs: lines(&options.out, "pairs.jsonl"),
        removed: lines(&options.out, "removed.jsonl"),
        bytes: names
            .map(|name| std::fs::read(options.out.join(name)).unwrap())
            .to_vec(),
    }
}

fn spec(keys: &str, pairs: Pairs) -> Spec {
    let mut spec = Spec::of_job(jobs::MESSAGES);
    spec.keys.method = keys.to_string();
    spec.pairs = pairs;
    // The clusters of all pairs.
    spec.remove_kinds = Some(Difference::ALL.to_vec());
    spec
}

const PLENTY: u64 = 2_000_000_000;

/// Equal but for what rounding a weight to 2⁻¹⁶ does; pairs at the very threshold may be on either side of it.
fn assert_same(found: &Found, expected: &Found, threshold: f64) {
    let near = |similarity: f64| (similarity - threshold).abs() < 1e-4;
    for (pair, similarity) in expected {
        match found.get(pair) {
            Some(other) => assert!(
                (similarity - other).abs() < 1e-4,
                "{pair:?} {similarity} {other}"
            ),
            None => assert!(near(*similarity), "{pair:?} {similarity} is missing"),
        }
    }
    for (pair, similarity) in found {
        assert!(
            expected.contains_key(pair) || near(*similarity),
            "{pair:?} {similarity} is too many"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_pair_is_found_with_its_similarity(
        messages in prop::collection::vec(message(), 0..25),
        threshold in prop_oneof![Just(0.65), 0.2f64..1.0],
        paper in any::<bool>(),
    ) {
        let formula = if paper { Formula::Paper } else { Formula::Rare };
        let expected = expected(&messages, formula, threshold);
        for keys in ["auto", "every"] {
            let mut spec = spec(keys, Pairs::All);
            spec.threshold = Some(threshold);
            spec.weights = Some(WeightRules::of(formula));
            let outcome = run_on(&messages, &spec, (2, PLENTY));
            assert_same(&outcome.compared(), &expected, threshold);
        }
        // Fingerprints find some of these, and nothing else.
        for keys in ["simfinder:3", "simfinder:2:4", "bigrams"] {
            let mut spec = spec(keys, Pairs::All);
            spec.threshold = Some(threshold);
            spec.weights = Some(WeightRules::of(formula));
            let found = run_on(&messages, &spec, (2, PLENTY)).compared();
            let missed = expected.iter().filter(|(pair, _)| !found.contains_key(*pair));
            let missed: BTreeSet<_> = missed.map(|(pair, _)| *pair).collect();
            let of_found = expected.iter().filter(|(pair, _)| !missed.contains(*pair));
            assert_same(&found, &of_found.map(|(pair, value)| (*pair, *value)).collect(), threshold);
        }
    }

    #[test]
    fn threads_and_memory_cannot_be_seen(
        messages in prop::collection::vec(message(), 0..25),
        transitive in any::<bool>(),
        last in any::<bool>(),
    ) {
        let mut spec = spec("auto", Pairs::Auto);
        spec.verify.transitive = transitive;
        spec.keep = if last { Keep::Last } else { Keep::First };
        let one = run_on(&messages, &spec, (1, PLENTY));
        let other = run_on(&messages, &spec, (3, 140_000_000));
        prop_assert_eq!(one.bytes, other.bytes);
        prop_assert_eq!(one.summary.counts, other.summary.counts);
    }

    #[test]
    fn what_is_assumed_removes_nothing_and_misses_nothing(
        messages in prop::collection::vec(message(), 0..30),
        keep in prop_oneof![Just(Keep::First), Just(Keep::Last), Just(Keep::Longest)],
    ) {
        let mut spec = spec("auto", Pairs::Auto);
        spec.threshold = Some(0.5);
        spec.keep = keep;
        let all = run_on(&messages, &spec, (2, PLENTY));
        spec.verify.transitive = true;
        let fewer = run_on(&messages, &spec, (2, PLENTY));
        prop_assert_eq!(&all.removed, &fewer.removed);
        let (compared, found) = (all.compared(), fewer.compared());
        let assumed: BTreeSet<_> = fewer.pairs.iter()
            .filter(|line| line["similarity"].is_null())
            .map(ends)
            .collect();
        for (pair, similarity) in &found {
            prop_assert_eq!(compared.get(pair), Some(similarity));
        }
        for pair in compared.keys() {
            prop_assert!(found.contains_key(pair) || assumed.contains(pair));
        }
        let counts = (all.summary.counts, fewer.summary.counts);
        prop_assert_eq!(counts.0.assumed_pairs, 0);
        prop_assert_eq!(counts.0.candidate_pairs, counts.1.candidate_pairs + counts.1.assumed_pairs);
        prop_assert_eq!(assumed.len() as u64, counts.1.assumed_pairs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_hot_buckets_list_is_true_and_every_removal_proved(
        messages in prop::collection::vec(message(), 20..70),
        limit in 2usize..6,
        keep in prop_oneof![Just(Keep::First), Just(Keep::Last)],
    ) {
        let threshold = 0.5;
        let mut spec = spec("auto", Pairs::Auto);
        spec.threshold = Some(threshold);
        spec.keep = keep;
        (spec.keys.bucket_limit, spec.keys.bucket_leaders) = (Some(limit), 1);
        let expected = expected(&messages, Formula::Rare, threshold - 1e-4);
        let outcome = run_on(&messages, &spec, (2, PLENTY));
        for (pair, similarity) in outcome.compared() {
            let right = expected.get(&pair);
            prop_assert!(right.is_some_and(|right| (right - similarity).abs() < 1e-4), "{:?} {}", pair, similarity);
        }
        for line in &outcome.removed {
            let (id, kept) = (line["id"].as_u64().unwrap(), line["kept"].as_u64().unwrap());
            prop_assert!(expected.contains_key(&(id.min(kept), id.max(kept))));
        }
        spec.verify.transitive = true;
        let fewer = run_on(&messages, &spec, (2, PLENTY));
        prop_assert_eq!(&outcome.removed, &fewer.removed);
    }
}

fn texts(messages: &[&str]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

#[test]
fn identical_messages_match_different_single_words_do_not_and_empty_ones_match_nothing() {
    let messages = texts(&[
        "hello", "goodbye", "hello", "", "", "HELLO!", "你好", "再见", "你好",
    ]);
    for keys in ["auto", "every", "simfinder:3", "bigrams"] {
        let outcome = run_on(&messages, &spec(keys, Pairs::All), (2, PLENTY));
        let pairs: Vec<_> = outcome.compared().into_keys().collect();
        assert_eq!(pairs, [(0, 2), (0, 5), (2, 5), (6, 8)], "{keys}");
    }
}

#[test]
fn plain_jaccard_is_an_option() {
    let messages = texts(&["free ringtones for you now", "free ringtones for me now"]);
    let mut spec = spec("auto", Pairs::All);
    spec.verify.measure = Some("jaccard".to_string());
    let outcome = run_on(&messages, &spec, (1, PLENTY));
    assert_eq!(outcome.compared(), Found::from([((0, 1), 4.0 / 6.0)]));
    spec.verify.measure = None;
    let weighted = run_on(&messages, &spec, (1, PLENTY)).compared();
    assert!(
        weighted[&(0, 1)] > 0.8,
        "pronouns matter little: {weighted:?}"
    );
}

/// A frame of eight words with a name and a number: variants of one template, more than a bucket may have.
#[test]
fn a_template_of_many_variants_is_linked_without_comparing_all() {
    let messages: Vec<String> = (0..6000)
        .map(|n| {
            format!(
                "dear customer x{n} your parcel {n} waits at the central depot since monday evening"
            )
        })
        .collect();
    let outcome = run_on(&messages, &spec("auto", Pairs::Auto), (2, PLENTY));
    let counts = outcome.summary.counts;
    assert_eq!((counts.clusters, counts.removed), (1, 5999));
    assert!(
        counts.candidate_pairs < 200_000,
        "{}",
        counts.candidate_pairs
    );
    assert!(outcome.summary.hot_buckets.pairs_not_compared > 0);
}

#[test]
fn choices_that_do_not_go_together_are_refused_with_the_remedy() {
    let refused = |change: fn(&mut Spec)| {
        let mut spec = Spec::of_job(jobs::MESSAGES);
        change(&mut spec);
        spec.plan().unwrap_err().to_string()
    };
    let message = refused(|spec| {
        spec.verify.measure = Some("tf-idf".to_string());
        spec.keys.method = "every".to_string();
    });
    assert!(message.contains("`features=terms`"), "{message}");
    let message = refused(|spec| {
        spec.features.method = Some("shingles:words:2".to_string());
        spec.keys.method = "simfinder:3".to_string();
    });
    assert!(message.contains("`features=weighted-terms`"), "{message}");
    let message = refused(|spec| {
        spec.verify.transitive = true;
        spec.keys.method = "every".to_string();
    });
    assert!(message.contains("`keys=auto`"), "{message}");
    let message = refused(|spec| {
        spec.verify.transitive = true;
        spec.job = jobs::THREADS;
    });
    assert!(message.contains("messages or documents"), "{message}");
}
