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
        cases += pair.cases.len();
        detections += pair.detections.len();
        for &case in pair.cases {
            let (share, count) = covered(case, &pair.detections);
            recalls += share;
            detected += u64::from(count > 0);
            found_in_cases += count;
        }
        for &detection in &pair.detections {
            precisions += covered(detection, pair.cases).0;
        }
    }
    let granularity = match detected {
        0 => 1.0,
        _ => found_in_cases as f64 / detected as f64,
    };
    PassageScores {
        cases: cases as u64,
        detections: detections as u64,
        detected,
        by_passage: match (cases, detections) {
            (0, 0) => EVERYTHING,
            (0, _) | (_, 0) => NOTHING,
            _ => Average {
                precision: precisions / detections as f64,
                recall: recalls / cases as f64,
            },
        },
        by_character: by_character(pairs, sides),
        granularity,
    }
}

const EVERYTHING: Average = Average {
    precision: 1.0,
    recall: 1.0,
};

const NOTHING: Average = Average {
    precision: 0.0,
    recall: 0.0,
};

/// The share of the characters of a span, of both sides, that those of the others that overlap it cover, and how many
/// of them do.
fn covered(span: Span, others: &[Span]) -> (f64, u64) {
    let common: Vec<Span> = others.iter().filter_map(|&o| span.common(o)).collect();
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
        for &case in pair.cases {
            cases.add(pair, case);
            for common in pair.detections.iter().filter_map(|&d| case.common(d)) {
                both.add(pair, common);
            }
        }
        for &detection in &pair.detections {
            detections.add(pair, detection);
        }
    }
    let [cases, detections, both] = [cases, detections, both].map(Characters::count);
    match (cases, detections) {
        (0, 0) => EVERYTHING,
        (0, _) | (_, 0) => NOTHING,
        _ => Average {
            precision: both as f64 / detections as f64,
            recall: both as f64 / cases as f64,
        },
    }
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
