use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::gold::read_spans;

/// `[a_begin, a_end, b_begin, b_end]`
type Numbers = [u32; 4];

fn span([a_begin, a_end, b_begin, b_end]: Numbers) -> Span {
    Span {
        a: Stretch::new(a_begin, a_end).unwrap(),
        b: Stretch::new(b_begin, b_end).unwrap(),
    }
}

fn found(a: &str, b: &str, numbers: Numbers) -> Located {
    Located {
        a: a.into(),
        b: b.into(),
        span: span(numbers),
        similarity: Some(0.9),
    }
}

fn line(a: &str, b: &str, kind: &str, spans: &[Numbers]) -> String {
    let spans: Vec<String> = spans
        .iter()
        .map(|[a, b, c, d]| format!(r#"{{"a_begin":{a},"a_end":{b},"b_begin":{c},"b_end":{d}}}"#))
        .collect();
    let spans = spans.join(",");
    format!("{{\"a\":\"{a}\",\"b\":\"{b}\",\"kind\":\"{kind}\",\"spans\":[{spans}]}}\n")
}

fn gold(lines: &str) -> SpanGold {
    read_spans("gold", lines.as_bytes(), Sides::Interchangeable).unwrap()
}

/// Of one pair of records.
fn judge(cases: &[Numbers], detections: &[Numbers]) -> PassageScores {
    let gold = gold(&line("猫", "犬", "k", cases));
    let found = detections.iter().map(|&numbers| found("猫", "犬", numbers));
    let verdict = judge_passages(&gold, found, Counting::Listed);
    assert_eq!(verdict.all, verdict.kinds["k"]);
    verdict.all.scores
}

fn averages(precision: f64, recall: f64) -> Average {
    Average { precision, recall }
}

#[test]
fn what_is_located_exactly_is_perfect_and_nothing_out_of_nothing_too() {
    for spans in [&[[0, 100, 50, 150]][..], &[]] {
        let scores = judge(spans, spans);
        assert_eq!(scores.by_passage, averages(1.0, 1.0));
        assert_eq!(scores.by_character, averages(1.0, 1.0));
        assert_eq!(
            (scores.granularity, scores.plagdet(scores.by_passage)),
            (1.0, 1.0)
        );
    }
}

#[test]
fn only_cases_or_only_detections_score_nothing() {
    let span = [[0, 1, 0, 1]];
    for scores in [
        judge(&span, &[]),
        judge(&[], &span),
        judge(&span, &[[1, 2, 0, 1]]),
    ] {
        assert_eq!(scores.by_passage, averages(0.0, 0.0));
        assert_eq!(scores.by_character, averages(0.0, 0.0));
        assert_eq!(
            (scores.granularity, scores.plagdet(scores.by_passage)),
            (1.0, 0.0)
        );
    }
}

#[test]
fn averages_over_passages_and_characters_are_what_they_are_by_hand() {
    // The first case is covered by 75 of 100 characters on either side, the second not at all; the first detection is
    // right, the second by 50 of 100 on either side.
    let cases = [[0, 100, 0, 100], [200, 240, 300, 360]];
    let scores = judge(&cases, &[[25, 100, 25, 100], [50, 150, 50, 150]]);
    assert_eq!(scores.by_passage, averages(0.75, 0.375));
    // 150 of 250 characters found, and of 300 to be found.
    assert_eq!(scores.by_character, averages(0.6, 0.5));
    assert_eq!((scores.detected, scores.granularity), (1, 2.0));
    assert_eq!(scores.by_passage.f1(), 0.5);
    assert!((scores.plagdet(scores.by_passage) - 0.5 / 3f64.log2()).abs() < 1e-15);
}

#[test]
fn a_detection_must_overlap_on_both_sides() {
    let scores = judge(&[[0, 100, 0, 100]], &[[0, 100, 100, 200], [0, 50, 0, 50]]);
    assert_eq!(scores.by_passage, averages(0.5, 0.5));
    assert_eq!(scores.granularity, 1.0);
}

#[test]
fn both_sides_count_by_their_length() {
    // 10 of 10 and 30 of 90 characters.
    let scores = judge(&[[0, 10, 0, 90]], &[[0, 10, 60, 90]]);
    assert_eq!(scores.by_passage, averages(1.0, 0.4));
}

#[test]
fn a_passage_that_detects_two_counts_for_both() {
    let cases = [[0, 100, 0, 100], [100, 200, 100, 200]];
    let scores = judge(&cases, &[[0, 200, 0, 200], [0, 100, 0, 100]]);
    assert_eq!(scores.by_passage, averages(1.0, 1.0));
    assert_eq!((scores.detected, scores.granularity), (2, 1.5));
    assert!((scores.plagdet(scores.by_passage) - 1.0 / 2.5f64.log2()).abs() < 1e-15);
}

#[test]
fn the_order_of_a_pair_does_not_matter_but_between_two_corpora() {
    let lines = line("b", "a", "k", &[[0, 10, 20, 30]]);
    let swapped = || [found("a", "b", [20, 30, 0, 10])];
    let verdict = judge_passages(&gold(&lines), swapped(), Counting::Complete);
    assert_eq!(verdict.all.scores.by_passage, averages(1.0, 1.0));
    let distinct = read_spans("gold", lines.as_bytes(), Sides::Distinct).unwrap();
    let verdict = judge_passages(&distinct, swapped(), Counting::Complete);
    assert_eq!(verdict.all.scores.by_passage, averages(0.0, 0.0));
}

#[test]
fn a_character_of_two_pairs_counts_once() {
    let lines = line("a", "b", "k", &[[0, 10, 0, 10]]) + &line("b", "c", "k", &[[0, 10, 0, 10]]);
    let detections = [found("a", "b", [0, 10, 0, 10])];
    let verdict = judge_passages(&gold(&lines), detections.clone(), Counting::Listed);
    assert_eq!(verdict.all.scores.by_passage, averages(1.0, 0.5));
    assert_eq!(verdict.all.scores.by_character, averages(1.0, 20.0 / 30.0));
    // The same id on the two sides is two records there.
    let distinct = read_spans("gold", lines.as_bytes(), Sides::Distinct).unwrap();
    let verdict = judge_passages(&distinct, detections, Counting::Listed);
    assert_eq!(verdict.all.scores.by_character, averages(1.0, 0.5));
}

#[test]
fn unlisted_pairs_are_wrong_only_where_the_gold_is_complete() {
    let gold = gold(&line("a", "b", "k", &[[0, 10, 0, 10]]));
    let detections = || {
        [
            found("a", "b", [0, 10, 0, 10]),
            found("b", "c", [0, 5, 0, 5]),
        ]
    };
    let verdict = judge_passages(&gold, detections(), Counting::Listed);
    assert_eq!(verdict.all.scores.by_passage, averages(1.0, 1.0));
    assert!(verdict.mistakes.is_empty());
    let verdict = judge_passages(&gold, detections(), Counting::Complete);
    assert_eq!(verdict.all.scores.by_passage, averages(0.5, 1.0));
    assert_eq!(verdict.kinds["k"].scores.by_passage, averages(1.0, 1.0));
    assert_eq!((verdict.all.pairs, verdict.mistakes.len()), (1, 1));
}

#[test]
fn kinds_are_scored_apart_and_false_alarms_are_counted() {
    let lines = line("a", "b", "copied", &[[0, 10, 0, 10]])
        + &line("a", "c", "none", &[])
        + &line("a", "d", "none", &[]);
    let detections = [
        found("a", "b", [0, 10, 0, 10]),
        found("d", "a", [0, 10, 0, 10]),
        found("d", "a", [0, 10, 0, 10]),
    ];
    let verdict = judge_passages(&gold(&lines), detections, Counting::Listed);
    assert_eq!(verdict.all.scores.by_passage, averages(0.5, 1.0));
    assert_eq!(verdict.all.scores.detections, 2);
    assert_eq!(
        verdict.kinds["copied"].scores.by_passage,
        averages(1.0, 1.0)
    );
    assert_eq!(verdict.kinds["none"].quiet, Quiet { pairs: 2, quiet: 1 });
    assert_eq!(verdict.kinds["copied"].quiet, Quiet::default());
}

#[test]
fn mistakes_are_detections_of_nothing_and_cases_not_detected() {
    let gold = gold(&line("甲", "乙", "k", &[[0, 10, 5, 15], [20, 30, 20, 30]]));
    let detections = [
        found("甲", "乙", [22, 23, 20, 21]),
        found("甲", "乙", [40, 41, 50, 52]),
    ];
    let verdict = judge_passages(&gold, detections, Counting::Listed);
    let lines: Vec<_> = verdict
        .mistakes
        .iter()
        .map(|m| serde_json::to_string(m).unwrap())
        .collect();
    let expected = [
        r#"{"mistake":"false_positive","a":"乙","b":"甲","a_begin":50,"a_end":52,"b_begin":40,"b_end":41,"similarity":0.9}"#,
        r#"{"mistake":"false_negative","a":"乙","b":"甲","a_begin":5,"a_end":15,"b_begin":0,"b_end":10,"similarity":null}"#,
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_line_of_passages_is_a_located_passage() {
    let line = r#"{"a":{"id":12,"begin":3,"end":9,"first_sentence":0},"b":{"id":"ß","begin":0,"end":7,"first_sentence":4},"sentences":1,"similarity":1.0}"#;
    let located = |line: &str| Located::from_row(serde_json::from_str(line).unwrap());
    let passage = located(line).unwrap();
    assert_eq!((passage.a, passage.b), (12.into(), "ß".into()));
    assert_eq!(passage.span, span([3, 9, 0, 7]));
    assert_eq!(located(&line.replace('7', "0")), None);
}

/// Cases and detections of some pairs as sets of characters, and the measures as they are defined.
struct Naive {
    /// Of each pair (of record 0 to 3 on either side), cases and detections as sets of characters (side, place).
    pairs: Vec<[Vec<Passage>; 2]>,
}

struct Passage {
    records: [usize; 2],
    characters: BTreeSet<(usize, u32)>,
}

impl Passage {
    fn new(records: [usize; 2], [a, b, c, d]: Numbers) -> Self {
        let characters = (a..b)
            .map(|place| (0, place))
            .chain((c..d).map(|place| (1, place)));
        Passage {
            records,
            characters: characters.collect(),
        }
    }

    fn overlap(&self, other: &Passage) -> BTreeSet<(usize, u32)> {
        let common: BTreeSet<_> = self
            .characters
            .intersection(&other.characters)
            .copied()
            .collect();
        let on = |side| common.iter().any(|character| character.0 == side);
        if on(0) && on(1) {
            common
        } else {
            BTreeSet::new()
        }
    }

    fn share(&self, others: &[Passage]) -> f64 {
        let covered: BTreeSet<_> = others
            .iter()
            .flat_map(|other| self.overlap(other))
            .collect();
        covered.len() as f64 / self.characters.len() as f64
    }

    fn of_records<'a>(
        &self,
        characters: impl IntoIterator<Item = &'a (usize, u32)>,
    ) -> Vec<(usize, u32)> {
        let characters = characters.into_iter();
        characters
            .map(|&(side, place)| (self.records[side], place))
            .collect()
    }
}

impl Naive {
    fn macro_average(&self) -> Average {
        let shares = |of: usize, by: usize| -> Vec<f64> {
            let pairs = self.pairs.iter();
            pairs
                .flat_map(|pair| pair[of].iter().map(|passage| passage.share(&pair[by])))
                .collect()
        };
        let (recalls, precisions) = (shares(0, 1), shares(1, 0));
        let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
        match (recalls.is_empty(), precisions.is_empty()) {
            (true, true) => averages(1.0, 1.0),
            (false, false) => averages(mean(&precisions), mean(&recalls)),
            _ => averages(0.0, 0.0),
        }
    }

    fn micro_average(&self) -> Average {
        let all = |which: usize| -> BTreeSet<(usize, u32)> {
            let passages = self.pairs.iter().flat_map(|pair| &pair[which]);
            passages
                .flat_map(|passage| passage.of_records(&passage.characters))
                .collect()
        };
        let (cases, detections) = (all(0), all(1));
        let mut both = BTreeSet::new();
        for [cases, detections] in &self.pairs {
            for (case, detection) in cases
                .iter()
                .flat_map(|c| detections.iter().map(move |d| (c, d)))
            {
                both.extend(case.of_records(&case.overlap(detection)));
            }
        }
        let share = |of: &BTreeSet<(usize, u32)>| both.len() as f64 / of.len() as f64;
        match (cases.is_empty(), detections.is_empty()) {
            (true, true) => averages(1.0, 1.0),
            (false, false) => averages(share(&detections), share(&cases)),
            _ => averages(0.0, 0.0),
        }
    }

    fn granularity(&self) -> f64 {
        let mut counts = Vec::new();
        for [cases, detections] in &self.pairs {
            for case in cases {
                let hits = detections.iter().filter(|d| !case.overlap(d).is_empty());
                counts.push(hits.count());
            }
        }
        counts.retain(|&count| count > 0);
        match counts.len() {
            0 => 1.0,
            cases => counts.iter().sum::<usize>() as f64 / cases as f64,
        }
    }
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let stretch = || (0u32..30, 1u32..12);
    (stretch(), stretch()).prop_map(|((a, al), (b, bl))| [a, a + al, b, b + bl])
}

/// Every pair of four records with its cases and detections, each different.
fn pairs() -> impl Strategy<Value = Vec<([usize; 2], [Vec<Numbers>; 2])>> {
    let spans = || proptest::collection::btree_set(numbers(), 0..5);
    let lists = proptest::collection::vec((spans(), spans(), any::<bool>()), 6);
    let all = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    lists.prop_map(move |lists| {
        let lists = lists.into_iter();
        let pairs = lists.zip(all).filter(|((_, _, kept), _)| *kept);
        pairs
            .map(|((cases, detections, _), records)| {
                (
                    records,
                    [cases, detections].map(|set| set.into_iter().collect()),
                )
            })
            .collect()
    })
}

fn close(one: Average, two: Average) -> bool {
    (one.precision - two.precision).abs() < 1e-12 && (one.recall - two.recall).abs() < 1e-12
}

proptest! {
    #[test]
    fn scores_are_those_of_sets_of_characters(pairs in pairs(), turned in any::<bool>()) {
        let name = |record: usize| ["猫", "b", "c", "δ"][record];
        let turn = |[a, b, c, d]: Numbers| if turned { [c, d, a, b] } else { [a, b, c, d] };
        let (mut lines, mut detections) = (String::new(), Vec::new());
        for (records, [cases, found_here]) in &pairs {
            let [a, b] = records.map(name);
            lines += &line(a, b, "k", cases);
            let (one, two) = if turned { (b, a) } else { (a, b) };
            detections.extend(found_here.iter().map(|&numbers| found(one, two, turn(numbers))));
        }
        let naive = Naive {
            pairs: pairs
                .iter()
                .map(|&(records, ref lists)| {
                    lists.each_ref().map(|list| list.iter().map(|&n| Passage::new(records, n)).collect())
                })
                .collect(),
        };
        let verdict = judge_passages(&gold(&lines), detections, Counting::Complete);
        let scores = verdict.all.scores;
        prop_assert!(close(scores.by_passage, naive.macro_average()));
        prop_assert!(close(scores.by_character, naive.micro_average()));
        prop_assert!((scores.granularity - naive.granularity()).abs() < 1e-12);
        let f1 = naive.macro_average().f1();
        let plagdet = f1 / (1.0 + naive.granularity()).log2();
        prop_assert!((scores.plagdet(scores.by_passage) - plagdet).abs() < 1e-12);
    }
}
