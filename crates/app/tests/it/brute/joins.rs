//! Every way to find pairs against the same cases and against brute force.

use std::collections::BTreeMap;
use std::path::Path;

use lookalike::pair::verify::measure;
use lookalike::sign::Features;
use lookalike::text::{Unit, UnitId};
use lookalike::{Join, Pairs, Request, RunOptions, Spec, Summary, Unobserved, run};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../../../../testdata/joins.toml");

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    features: String,
    measure: String,
    threshold: f64,
    texts: Vec<String>,
    pairs: Vec<(usize, usize, f64)>,
}

/// Every search that finds all pairs, and MinHash with so many bands that it misses one in 10^29 at similarity 0.2.
const SEARCHES: [(&str, Join); 5] = [
    ("prefix", Join::Auto),
    ("auto", Join::Bucket),
    ("every", Join::Term),
    ("every", Join::Unit),
    ("minhash", Join::Bucket),
];

fn spec(case: &Case, (keys, join): (&str, Join)) -> Spec {
    let mut spec = Spec {
        threshold: Some(case.threshold),
        pairs: Pairs::All,
        ..Spec::default()
    };
    spec.features.method = Some(case.features.clone());
    spec.verify.measure = Some(case.measure.clone());
    spec.keys.method = keys.to_string();
    spec.keys.join = join;
    if keys == "minhash" {
        (spec.keys.bands, spec.keys.rows) = (Some(300), Some(1));
    }
    spec
}

type Found = BTreeMap<(usize, usize), f64>;

fn find(texts: &[String], spec: Spec, threads: usize) -> Found {
    run_on(texts, spec, threads).0
}

fn run_on(texts: &[String], spec: Spec, threads: usize) -> (Found, Summary) {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.jsonl"), folder.path().join("out"));
    let line = |(id, text)| format!("{}\n", json!({"id": id, "text": text}));
    std::fs::write(
        &input,
        texts.iter().enumerate().map(line).collect::<String>(),
    )
    .unwrap();
    let mut options = RunOptions::new(&out);
    options.threads = threads;
    let request = Request::new(spec, [input.to_string_lossy()]);
    let summary = run(&request, &options, &Unobserved).unwrap();
    (read_pairs(&out.join("pairs.jsonl")), summary)
}

fn read_pairs(path: &Path) -> Found {
    let text = std::fs::read_to_string(path).unwrap();
    let pair = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let id = |name: &str| value[name].as_u64().unwrap() as usize;
        ((id("a"), id("b")), value["similarity"].as_f64().unwrap())
    };
    text.lines().map(pair).collect()
}

/// Every pair scored by the measure itself.
fn brute_force(case: &Case) -> Found {
    let plan = spec(case, ("every", Join::Unit)).plan().unwrap();
    let measure = measure(&case.measure).unwrap();
    let (mut describe, mut keeper) = (
        plan.features.unwrap().describer(&plan.background).unwrap(),
        measure.keeper(&plan.background).unwrap(),
    );
    let kept: Vec<Vec<u64>> = case
        .texts
        .iter()
        .map(|text| {
            let unit = Unit::whole(UnitId::from(0), text);
            let (mut features, mut out) = (Features::default(), Vec::new());
            describe.describe(&unit, &mut features);
            if !features.is_empty() {
                keeper.keep(&unit, &mut features, &mut out);
            }
            out
        })
        .collect();
    let mut scorer = measure.scorer(&plan.background).unwrap();
    let mut found = Found::new();
    for b in 0..kept.len() {
        for a in 0..b {
            if let Some(similarity) = scorer.score(&kept[a], &kept[b], case.threshold) {
                found.insert((a, b), similarity);
            }
        }
    }
    found
}

#[test]
fn every_search_finds_exactly_the_pairs_of_the_cases() {
    let cases: Cases = toml::from_str(CASES).unwrap();
    for case in &cases.case {
        let expected: Found = case.pairs.iter().map(|&(a, b, s)| ((a, b), s)).collect();
        assert_eq!(brute_force(case), expected, "{}", case.name);
        let mut ran = 0;
        for search in SEARCHES {
            let spec = spec(case, search);
            // Not every search can do every measure; which cannot is tested elsewhere.
            if spec.plan().is_ok() {
                assert_eq!(
                    find(&case.texts, spec, 2),
                    expected,
                    "{} by {search:?}",
                    case.name
                );
                ran += 1;
            }
        }
        assert!(ran >= 2, "{}: {ran} searches", case.name);
    }
}

#[test]
fn auto_is_exact_unless_many_records_share_their_rarest_features() {
    let different: Vec<String> = (0..300)
        .map(|i| format!("note {i} says a{i} b{i} c{i} 第{i}条 d{i} e{i}"))
        .collect();
    let (_, summary) = run_on(&different, Spec::default(), 2);
    assert!(summary.recall.exact && summary.recall.keys == "prefix");
    assert_eq!(summary.recall.at_threshold, Some(1.0));

    let words: Vec<String> = (0..60).map(|i| format!("word{i}")).collect();
    let template = words.join(" ");
    let variants: Vec<String> = (0..4000).map(|i| format!("{template} number{i}")).collect();
    for memory in [100_000_000, 2_000_000_000] {
        let spec = Spec::default();
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.jsonl");
        let line = |(id, text)| format!("{}\n", json!({"id": id, "text": text}));
        std::fs::write(
            &input,
            variants.iter().enumerate().map(line).collect::<String>(),
        )
        .unwrap();
        let mut options = RunOptions::new(folder.path().join("out"));
        options.memory = memory;
        let summary = run(
            &Request::new(spec, [input.to_string_lossy()]),
            &options,
            &Unobserved,
        )
        .unwrap();
        assert_eq!(summary.recall.keys, "minhash");
        assert!(summary.counts.pairs < 100_000, "{}", summary.counts.pairs);
        assert_eq!(summary.counts.removed, 3999);
    }
}

#[test]
fn a_digest_is_not_a_similarity_and_a_measure_makes_it_one() {
    let body = |extra: &str| {
        let words: Vec<String> = (0..40)
            .map(|i| {
                format!(
                    "begriff{}",
                    "abcdefgh".repeat(1 + i % 5) + &"xyz".repeat(i / 5)
                )
            })
            .collect();
        format!("{} {extra}", words.join(" "))
    };
    let mut texts: Vec<String> = vec![body(""), body("drei")];
    texts.extend((0..40).map(|i| {
        format!(
            "ganz andere sachen stehen hier drin {}",
            "qrstuv".repeat(1 + i)
        )
    }));
    let mut spec = Spec::default();
    spec.keys.method = "imatch:10".to_string();
    spec.imatch.idf = Some(lookalike::sign::stats::IdfRange::new(0.0, 1.0).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.jsonl");
    let line = |(id, text)| format!("{}\n", json!({"id": id, "text": text}));
    std::fs::write(
        &input,
        texts.iter().enumerate().map(line).collect::<String>(),
    )
    .unwrap();
    let pairs = |spec: Spec| {
        let out = folder.path().join("out");
        let options = RunOptions::new(&out);
        run(
            &Request::new(spec, [input.to_string_lossy()]),
            &options,
            &Unobserved,
        )
        .unwrap();
        std::fs::read_to_string(out.join("pairs.jsonl")).unwrap()
    };
    let verified = pairs(spec.clone());
    spec.verify.unverified = true;
    let unverified = pairs(spec);
    assert!(
        unverified.contains("{\"a\":0,\"b\":1,\"similarity\":null,\"verified\":false}"),
        "{unverified}"
    );
    assert!(
        verified.starts_with("{\"a\":0,\"b\":1,\"similarity\":0.9"),
        "{verified}"
    );
}

#[test]
fn words_that_all_records_have_still_tell_equal_ones() {
    let texts: Vec<String> = vec![
        "same words here".into(),
        "Same, words here!".into(),
        "here same words".into(),
    ];
    for measure in ["weighted-jaccard", "tf-idf"] {
        let mut spec = Spec {
            threshold: Some(0.9),
            ..Spec::default()
        };
        spec.features.method = Some("terms".to_string());
        spec.terms.min_unique = 1;
        spec.keys.method = "every".to_string();
        spec.verify.measure = Some(measure.to_string());
        assert_eq!(find(&texts, spec, 1).len(), 3, "{measure}");
    }
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec!["a", "b", "é", "中", "ж", "ก", "あ", "😀", "z", "q"]);
    let text = prop::collection::vec(word, 0..10).prop_map(|words| words.join(" "));
    prop::collection::vec(text, 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_search_equals_brute_force(
        texts in texts(),
        n in 1usize..4,
        measure in prop::sample::select(vec!["jaccard", "cosine", "containment", "edit", "hamming"]),
        threshold in 0.2f64..=1.0,
        threads in 1usize..4,
    ) {
        let case = Case {
            name: String::new(),
            features: format!("shingles:words:{n}"),
            measure: measure.to_string(),
            threshold,
            texts,
            pairs: Vec::new(),
        };
        let expected = brute_force(&case);
        for search in SEARCHES {
            let spec = spec(&case, search);
            // By Jaccard MinHash says nothing about the others.
            if spec.plan().is_ok() && (search.0 != "minhash" || measure == "jaccard") {
                prop_assert_eq!(&find(&case.texts, spec, threads), &expected, "{:?}", search);
            }
        }
    }

    #[test]
    fn a_posting_cap_loses_pairs_but_every_pair_is_right(
        texts in texts(), threshold in 0.2f64..=1.0, cap in 2usize..6,
    ) {
        let case = Case {
            name: String::new(),
            features: "shingles:words:1".to_string(),
            measure: "jaccard".to_string(),
            threshold,
            texts,
            pairs: Vec::new(),
        };
        let expected = brute_force(&case);
        let mut spec = spec(&case, ("every", Join::Term));
        spec.keys.posting_cap = Some(cap);
        for (pair, similarity) in find(&case.texts, spec, 2) {
            prop_assert_eq!(expected.get(&pair), Some(&similarity));
        }
    }

    #[test]
    fn fingerprints_within_the_distance_are_all_found(texts in texts(), distance in 0u32..6) {
        let case = Case {
            name: String::new(),
            features: "shingles:words:1".to_string(),
            measure: "hamming".to_string(),
            threshold: f64::from(64 - distance) / 64.0,
            texts,
            pairs: Vec::new(),
        };
        let keys = format!("simhash:64:{distance}");
        let found = find(&case.texts, spec(&case, (&keys, Join::Auto)), 2);
        prop_assert_eq!(found, brute_force(&case));
    }
}
