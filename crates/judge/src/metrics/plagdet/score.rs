//! The measures themselves.

use std::collections::BTreeMap;

use super::{Average, Compared, PassageScores};
use crate::gold::{Id, Sides, Span, Stretch};

/// How well the passages of these pairs are located.
pub(super) fn scores(pairs: &[&Compared<'_>], sides: Sides) -> PassageScores {
    let (mut cases, mut detections) = (0, 0);
    let (mut recalls, mut precisions) = (0.0, 0.0);
    let (mut detected, mut found_in_cases) = (0, 0);
    for pair in pairs {
        cases += pair.cases().len() as u64;
        detections += pair.detections.len() as u64;
        for case in pair.cases() {
            let (share, count) = covered(case, pair.detections.keys());
            recalls += share;
            detected += u64::from(count > 0);
            found_in_cases += count;
        }
        for detection in pair.detections.keys() {
            precisions += covered(detection, pair.cases()).0;
        }
    }
    let granularity = match detected {
        0 => 1.0,
        _ => found_in_cases as f64 / detected as f64,
    };
    PassageScores {
        cases,
        detections,
        detected,
        by_passage: average((precisions, detections), (recalls, cases)),
        by_character: by_character(pairs, sides),
        granularity,
    }
}

/// What is right in detections and found of cases, of so many.
fn average((right, detections): (f64, u64), (found, cases): (f64, u64)) -> Average {
    let (precision, recall) = match (detections, cases) {
        (0, 0) => (1.0, 1.0),
        (0, _) | (_, 0) => (0.0, 0.0),
        _ => (right / detections as f64, found / cases as f64),
    };
    Average { precision, recall }
}

/// The share of the characters of a span, of both sides, that those of the others that overlap it cover, and how many
/// of them do.
fn covered<'s>(span: &Span, others: impl IntoIterator<Item = &'s Span>) -> (f64, u64) {
    let common = others.into_iter().filter_map(|other| span.common(*other));
    let common: Vec<Span> = common.collect();
    let characters =
        union(common.iter().map(|span| span.a)) + union(common.iter().map(|span| span.b));
    let share = characters as f64 / (span.a.length() + span.b.length()) as f64;
    (share, common.len() as u64)
}

/// How many characters there are in any of these.
fn union(stretches: impl IntoIterator<Item = Stretch>) -> u64 {
    let mut sorted: Vec<Stretch> = stretches.into_iter().collect();
    sorted.sort_unstable();
    let (mut characters, mut end) = (0, 0);
    for stretch in sorted {
        let begin = stretch.begin.max(end);
        if let Some(new) = Stretch::new(begin, stretch.end) {
            characters += new.length();
            end = new.end;
        }
    }
    characters
}

fn by_character(pairs: &[&Compared<'_>], sides: Sides) -> Average {
    let [mut cases, mut detections, mut both] = [(); 3].map(|()| Characters::new(sides));
    for &pair in pairs {
        for &case in pair.cases() {
            cases.add(pair, case);
            let found = pair.detections.keys();
            for common in found.filter_map(|&found| case.common(found)) {
                both.add(pair, common);
            }
        }
        for &detection in pair.detections.keys() {
            detections.add(pair, detection);
        }
    }
    let [cases, detections, both] = [cases, detections, both].map(Characters::count);
    average((both as f64, detections), (both as f64, cases))
}

/// Characters of records, each once whatever pair it is in.
struct Characters<'a> {
    sides: Sides,
    /// `true` for the records of the other corpus.
    stretches: BTreeMap<(bool, &'a Id), Vec<Stretch>>,
}

impl<'a> Characters<'a> {
    fn new(sides: Sides) -> Self {
        Characters {
            sides,
            stretches: BTreeMap::new(),
        }
    }

    fn add(&mut self, pair: &'a Compared<'_>, span: Span) {
        let other = self.sides == Sides::Distinct;
        for (record, stretch) in [((false, &pair.a), span.a), ((other, &pair.b), span.b)] {
            self.stretches.entry(record).or_default().push(stretch);
        }
    }

    fn count(self) -> u64 {
        self.stretches.into_values().map(union).sum()
    }
}
