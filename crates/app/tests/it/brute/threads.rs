//! The threads job against the rule in its plainest form: every pair of threads, every field, the weighted mean.

use std::collections::{BTreeMap, BTreeSet};

use lookalike::kernel::TextChoices;
use lookalike::pair::verify::{Absence, Absent};
use lookalike::{FieldChoices, Join, Pairs, Request, RunOptions, Spec, Unobserved, jobs, run};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Few words, so that random texts are alike. One-letter words of several scripts: each is one token.
const WORDS: [&str; 8] = ["a", "b", "é", "中", "ж", "ก", "あ", "😀"];
const FIELDS: [&str; 3] = ["frage", "说明", "answer"];

type Text = Vec<usize>;
type Thread = [Text; 3];

fn threads() -> impl Strategy<Value = Vec<Thread>> {
    let text = || prop::collection::vec(0..WORDS.len(), 0..7);
    prop::collection::vec([text(), text(), text()], 0..20)
}

#[derive(Debug, Clone)]
struct Setting {
    n: [usize; 3],
    measures: [&'static str; 3],
    weights: [f64; 3],
    threshold: f64,
    /// How alike threads must be in each field that both have.
    least: [f64; 3],
    absent: Absence,
}

fn settings() -> impl Strategy<Value = Setting> {
    let measure = || prop::sample::select(vec!["jaccard", "cosine", "containment"]);
    let absent = || prop::sample::select(vec![Absent::LeftOut, Absent::Different]);
    (
        [1usize..4, 1usize..4, 1usize..4],
        [measure(), measure(), measure()],
        [0u32..6, 0u32..6, 1u32..6],
        0.1f64..=1.0,
        prop::array::uniform3(prop_oneof![Just(0.0), 0.0f64..=1.0]),
        (absent(), absent()),
    )
        .prop_map(
            |(n, measures, parts, threshold, least, (in_both, in_one))| {
                let sum = f64::from(parts.iter().sum::<u32>());
                Setting {
                    n,
                    measures,
                    weights: parts.map(|part| f64::from(part) / sum),
                    threshold,
                    least,
                    absent: Absence { in_both, in_one },
                }
            },
        )
}

fn shingles(text: &[usize], n: usize) -> BTreeSet<Vec<usize>> {
    match text.len() {
        0 => BTreeSet::new(),
        length if length < n => BTreeSet::from([text.to_vec()]),
        _ => text.windows(n).map(<[usize]>::to_vec).collect(),
    }
}

/// The similarity of a field; none where it does not count.
fn of_field(setting: &Setting, field: usize, a: &[usize], b: &[usize]) -> Option<f64> {
    let [x, y] = [a, b].map(|text| shingles(text, setting.n[field]));
    let rule = match (x.is_empty(), y.is_empty()) {
        (true, true) => Some(setting.absent.in_both),
        (false, false) => None,
        _ => Some(setting.absent.in_one),
    };
    if let Some(rule) = rule {
        return (rule == Absent::Different).then_some(0.0);
    }
    let common = x.intersection(&y).count() as f64;
    let (x, y) = (x.len() as f64, y.len() as f64);
    Some(match setting.measures[field] {
        "jaccard" => common / (x + y - common),
        "cosine" => common / (x * y).sqrt(),
        _ => common / x.min(y),
    })
}

/// What the answers of two threads count as at least: 0.3 if one is too short for its features and says nothing that the
/// other does not, where the questions must be alike and both have one.
fn of_short_answer(setting: &Setting, a: &Thread, b: &Thread) -> f64 {
    let is_question = |field: &usize| {
        setting.weights[*field] > 0.0 && setting.least[*field] > setting.threshold / 10.0
    };
    let Some(question) = (0..2).find(is_question) else {
        return 0.0;
    };
    let is_compared = setting.measures[2] == "containment";
    let are_there = [question, 2]
        .iter()
        .all(|&field| !a[field].is_empty() && !b[field].is_empty());
    let is_within = |short: &Text, long: &Text| {
        let shared = short.iter().filter(|word| long.contains(word));
        shingles(short, setting.n[2]).len() == 1 && shared.count() == short.len()
    };
    let is_short = is_within(&a[2], &b[2]) || is_within(&b[2], &a[2]);
    if is_compared && are_there && is_short {
        0.3
    } else {
        0.0
    }
}

fn more(a: &[usize], b: &[usize]) -> Value {
    let [x, y] = [a, b].map(|text| text.iter().collect::<BTreeSet<_>>());
    let common = x.intersection(&y).count() as f64;
    let inside = |set: &BTreeSet<&usize>| common >= 0.9 * set.len() as f64;
    match (inside(&x), inside(&y)) {
        (false, true) => json!("a"),
        (true, false) => json!("b"),
        _ => Value::Null,
    }
}

#[derive(Debug, PartialEq)]
struct Found {
    similarity: f64,
    fields: BTreeMap<String, Option<f64>>,
    more: Value,
}

fn brute_force(setting: &Setting, threads: &[Thread]) -> BTreeMap<(usize, usize), Found> {
    let mut found = BTreeMap::new();
    for (j, b) in threads.iter().enumerate() {
        for (i, a) in threads[..j].iter().enumerate() {
            let mut fields: Vec<Option<f64>> = (0..3)
                .map(|field| of_field(setting, field, &a[field], &b[field]))
                .collect();
            if let Some(answer) = &mut fields[2] {
                *answer = answer.max(of_short_answer(setting, a, b));
            }
            let is_asked = |field: &usize| !a[*field].is_empty() && !b[*field].is_empty();
            let reaches = |field: usize| fields[field].is_none_or(|s| s >= setting.least[field]);
            let reaches_least = (0..3).filter(is_asked).all(reaches);
            let (mut sum, mut total) = (0.0, 0.0);
            for (similarity, weight) in fields.iter().zip(setting.weights) {
                if let Some(similarity) = similarity {
                    sum += weight * similarity;
                    total += weight;
                }
            }
            let is_same = a == b && a.iter().any(|field| !field.is_empty());
            // By definition, whatever is missing in both.
            let similarity = if is_same { 1.0 } else { sum / total };
            // Texts of fields without weight are not looked at.
            let weighted = |thread: &Thread| {
                let mut fields = thread.iter().zip(setting.weights);
                fields.any(|(field, weight)| !field.is_empty() && weight > 0.0)
            };
            let reaches = total > 0.0 && similarity >= setting.threshold && reaches_least;
            if (is_same || reaches) && weighted(a) && weighted(b) {
                let names = FIELDS.iter().map(ToString::to_string);
                found.insert(
                    (i, j),
                    Found {
                        similarity,
                        fields: names.zip(fields).collect(),
                        more: more(&a[2], &b[2]),
                    },
                );
            }
        }
    }
    found
}

fn spec(setting: &Setting, (keys, join): (&str, Join)) -> Spec {
    let mut spec = Spec {
        threshold: Some(setting.threshold),
        pairs: Pairs::All,
        ..Spec::of_job(jobs::THREADS)
    };
    spec.keys.method = keys.to_string();
    spec.keys.join = join;
    spec.input.fields = FIELDS.map(str::to_string).to_vec();
    let by_field = |choices: [String; 3]| {
        let fields = FIELDS.map(|field| Some(field.to_string()));
        fields.into_iter().zip(choices).collect()
    };
    let choices = FieldChoices {
        features: by_field(setting.n.map(|n| format!("winnow:words:{n}:1"))),
        measures: by_field(setting.measures.map(str::to_string)),
        weights: setting.weights.to_vec(),
        least: FIELDS
            .map(|field| Some(field.to_string()))
            .into_iter()
            .zip(setting.least)
            .collect(),
        empty_in_both: Some(setting.absent.in_both),
        empty_in_one: Some(setting.absent.in_one),
        text: TextChoices::default(),
        plain_text: true,
    };
    spec.model = Some(choices.model(&spec).unwrap());
    spec
}

fn find(threads: &[Thread], spec: Spec, workers: usize) -> BTreeMap<(usize, usize), Found> {
    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (
        folder.path().join("threads.jsonl"),
        folder.path().join("out"),
    );
    let line = |(id, thread): (usize, &Thread)| {
        let text = |field: usize| {
            let words: Vec<&str> = thread[field].iter().map(|&word| WORDS[word]).collect();
            words.join(" ")
        };
        let mut record = json!({"id": id, "frage": text(0), "answer": text(2)});
        // A missing field is an empty one.
        if !thread[1].is_empty() || id == 0 {
            record["说明"] = json!(text(1));
        }
        format!("{record}\n")
    };
    std::fs::write(
        &input,
        threads.iter().enumerate().map(line).collect::<String>(),
    )
    .unwrap();
    let request = Request::new(spec, [input.to_string_lossy()]);
    let mut options = RunOptions::new(&out);
    options.threads = workers;
    options.memory = if workers == 1 {
        100_000_000
    } else {
        2_000_000_000
    };
    run(&request, &options, &Unobserved).unwrap();
    let text = std::fs::read_to_string(out.join("pairs.jsonl")).unwrap();
    let pair = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let id = |name: &str| value[name].as_u64().unwrap() as usize;
        let fields = value["fields"].as_object().unwrap();
        let fields = fields
            .iter()
            .map(|(name, value)| (name.clone(), value.as_f64()));
        let found = Found {
            similarity: value["similarity"].as_f64().unwrap(),
            fields: fields.collect(),
            more: value["more"].clone(),
        };
        ((id("a"), id("b")), found)
    };
    text.lines().map(pair).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn exactly_the_pairs_whose_weighted_mean_reaches_the_threshold_are_found(
        threads in threads(), setting in settings(), workers in 1usize..4,
    ) {
        prop_assume!(!threads.is_empty());
        let expected = brute_force(&setting, &threads);
        // Where a sum of products is within rounding of the threshold either answer is right.
        let doubtful = |pair: &(usize, usize)| {
            expected.get(pair).is_some_and(|found| close(found.similarity, setting.threshold))
        };
        let searches = [
            ("auto", Join::Auto),
            ("prefix", Join::Auto),
            ("every", Join::Term),
            ("every", Join::Unit),
        ];
        for keys in searches {
            let found = find(&threads, spec(&setting, keys), workers);
            let pairs: BTreeSet<_> = found.keys().filter(|pair| !doubtful(pair)).collect();
            let wanted: BTreeSet<_> = expected.keys().filter(|pair| !doubtful(pair)).collect();
            prop_assert_eq!(pairs, wanted, "{:?}", keys);
            for (pair, found) in &found {
                let expected = &expected[pair];
                prop_assert!(close(found.similarity, expected.similarity), "{:?} {:?}", keys, pair);
                prop_assert_eq!(&found.more, &expected.more);
                for (name, similarity) in &found.fields {
                    match (similarity, expected.fields[name]) {
                        (Some(a), Some(b)) => prop_assert!(close(*a, b), "{} {:?}", name, pair),
                        (a, b) => prop_assert_eq!(*a, b, "{} {:?}", name, pair),
                    }
                }
            }
        }
    }
}
