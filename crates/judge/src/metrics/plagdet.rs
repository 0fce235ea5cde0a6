//! Located passages against the right ones, as PAN scores text alignment.
//!
//! A *case* is a passage of the gold, a *detection* one of the answer. A detection detects a case if they are of the same
//! pair of records and overlap on both sides. With macro averages every passage counts the same: the recall of a case is
//! the share of its characters, of both sides, that the detections of it cover; the precision of a detection the share
//! of its characters that the cases it detects cover. With micro averages every character counts the same: of all
//! characters in cases, and of all in detections, the share where a case and a detection of it overlap; a character that is in
//! several counts once. Granularity is the mean number of detections of a detected case, plagdet is F1 / log2(1 +
//! granularity). (Potthast, Stein, Barrón-Cedeño and Rosso, 2010, An Evaluation Framework for Plagiarism Detection.)
//!
//! As there, precision and recall are 1 if there are neither cases nor detections, and 0 if there are only either.

mod score;

use std::collections::BTreeMap;

use lookalike_kernel::rows::PassageRow;
use serde::Serialize;

use self::score::scores;
use crate::gold::{Counting, Id, Sides, Span, SpanGold, SpanPair, Stretch};

/// A passage of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The record that has one side of it.
    pub a: Id,
    /// The record that has the other.
    pub b: Id,
    /// Where.
    pub span: Span,
    /// How alike they are said to be, if at all.
    pub similarity: Option<f64>,
}

impl Located {
    /// What a row says; none if it is empty on a side.
    pub fn from_row(row: PassageRow<'_>) -> Option<Self> {
        let span = Span {
            a: Stretch::new(row.a.begin, row.a.end)?,
            b: Stretch::new(row.b.begin, row.b.end)?,
        };
        Some(Located {
            a: row.a.id,
            b: row.b.id,
            span,
            similarity: Some(row.similarity),
        })
    }
}

/// Precision and recall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Of the detections.
    pub precision: f64,
    /// Of the cases.
    pub recall: f64,
}

impl Average {
    /// The harmonic mean, 0 if both are.
    pub fn f1(&self) -> f64 {
        let sum = self.precision + self.recall;
        if sum == 0.0 {
            0.0
        } else {
            2.0 * self.precision * self.recall / sum
        }
    }
}

/// How well passages are located.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageScores {
    /// Passages there are to find.
    pub cases: u64,
    /// Passages found.
    pub detections: u64,
    /// How many of the cases are detected.
    pub detected: u64,
    /// Every passage counts the same.
    pub by_passage: Average,
    /// Every character counts the same.
    pub by_character: Average,
    /// Detections a detected case; 1 if there is none.
    pub granularity: f64,
}

impl PassageScores {
    /// F1 of an average, the lower the more pieces a case is found in.
    pub fn plagdet(&self, average: Average) -> f64 {
        average.f1() / libm::log2(1.0 + self.granularity)
    }
}

/// How many pairs without a passage in common have none in the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Quiet {
    /// Pairs without a case.
    pub pairs: u64,
    /// Those of them without a detection.
    pub quiet: u64,
}

/// What is said of some pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PassageSummary {
    /// Pairs in the gold.
    pub pairs: u64,
    /// How well passages are located.
    pub scores: PassageScores,
    /// False alarms.
    pub quiet: Quiet,
}

/// What may be wrong with a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageMistakeKind {
    /// Detects nothing.
    FalsePositive,
    /// Is not detected.
    FalseNegative,
    /// Is of a pair that the gold does not list, where only those it lists count: nobody knows whether it is right.
    Unlisted,
}

/// A case that is not detected, or a detection that detects nothing, as far as is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PassageMistake {
    /// What is wrong.
    pub mistake: PassageMistakeKind,
    /// One record.
    pub a: Id,
    /// The other.
    pub b: Id,
    // Where it is, in the words of the gold.
    a_begin: u32,
    a_end: u32,
    b_begin: u32,
    b_end: u32,
    /// The similarity in the answer; none for what is missing from it.
    pub similarity: Option<f64>,
}

/// What [`judge_passages`] says.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageVerdict {
    /// About everything that counts.
    pub all: PassageSummary,
    /// About the pairs of each kind.
    pub kinds: BTreeMap<String, PassageSummary>,
    /// Detections that detect nothing, then cases not detected, each in the order of ids and places.
    pub mistakes: Vec<PassageMistake>,
    /// Detections in pairs that the gold does not list, where these do not count,
    pub unlisted: Vec<PassageMistake>,
    /// and how many pairs these are.
    pub unlisted_pairs: u64,
}

/// Compares the passages found with the right ones. The same passage found twice counts once. What is found in pairs that
/// the gold does not list is wrong, or does not count and is told apart.
pub fn judge_passages(
    gold: &SpanGold,
    found: impl IntoIterator<Item = Located>,
    counting: Counting,
) -> PassageVerdict {
    let pairs = compared(gold, found);
    let counts = |pair: &Compared| pair.listed.is_some() || counting == Counting::Complete;
    let (pairs, unlisted): (Vec<_>, Vec<_>) = pairs.into_iter().partition(counts);
    let all: Vec<&Compared> = pairs.iter().collect();
    let mut by_kind: BTreeMap<String, Vec<&Compared>> = BTreeMap::new();
    for pair in &pairs {
        if let Some(kind) = pair.listed.and_then(|listed| listed.kind.clone()) {
            by_kind.entry(kind).or_default().push(pair);
        }
    }
    let kinds = by_kind.into_iter();
    PassageVerdict {
        all: summary(&all, gold.sides()),
        kinds: kinds
            .map(|(kind, pairs)| (kind, summary(&pairs, gold.sides())))
            .collect(),
        mistakes: mistakes(&pairs),
        unlisted: unlisted.iter().flat_map(Compared::all_unlisted).collect(),
        unlisted_pairs: unlisted.len() as u64,
    }
}

/// Two records with the passages they have and those they are said to have, each once, sorted.
struct Compared<'a> {
    a: Id,
    b: Id,
    /// What the gold says of them, if anything.
    listed: Option<&'a SpanPair>,
    /// With their similarities.
    detections: BTreeMap<Span, Option<f64>>,
}

impl Compared<'_> {
    fn cases(&self) -> &[Span] {
        self.listed.map_or(&[], |listed| &listed.spans)
    }

    fn all_unlisted(&self) -> impl Iterator<Item = PassageMistake> {
        let detections = self.detections.iter();
        detections
            .map(|(span, &similarity)| self.mistake(PassageMistakeKind::Unlisted, span, similarity))
    }

    fn mistake(
        &self,
        mistake: PassageMistakeKind,
        span: &Span,
        similarity: Option<f64>,
    ) -> PassageMistake {
        PassageMistake {
            mistake,
            a: self.a.clone(),
            b: self.b.clone(),
            a_begin: span.a.begin,
            a_end: span.a.end,
            b_begin: span.b.begin,
            b_end: span.b.end,
            similarity,
        }
    }
}

/// In the order of their ids.
fn compared(gold: &SpanGold, found: impl IntoIterator<Item = Located>) -> Vec<Compared<'_>> {
    let pair = |(a, b): &(Id, Id), listed| Compared {
        a: a.clone(),
        b: b.clone(),
        listed,
        detections: BTreeMap::new(),
    };
    let listed = gold
        .pairs()
        .map(|(key, listed)| (key.clone(), pair(key, Some(listed))));
    let mut pairs: BTreeMap<(Id, Id), Compared<'_>> = listed.collect();
    for mut passage in found {
        let (key, swapped) = gold.sides().key(passage.a, passage.b);
        if swapped {
            passage.span.swap();
        }
        let pair = pairs.entry(key).or_insert_with_key(|key| pair(key, None));
        pair.detections.insert(passage.span, passage.similarity);
    }
    pairs.into_values().collect()
}

fn summary(pairs: &[&Compared<'_>], sides: Sides) -> PassageSummary {
    let listed = pairs.iter().filter(|pair| pair.listed.is_some());
    let mut quiet = Quiet::default();
    for pair in listed.clone().filter(|pair| pair.cases().is_empty()) {
        quiet.pairs += 1;
        quiet.quiet += u64::from(pair.detections.is_empty());
    }
    PassageSummary {
        pairs: listed.count() as u64,
        scores: scores(pairs, sides),
        quiet,
    }
}

fn mistakes(pairs: &[Compared<'_>]) -> Vec<PassageMistake> {
    let (mut wrong, mut missed) = (Vec::new(), Vec::new());
    let meet = |one: &Span, two: &Span| one.common(*two).is_some();
    for pair in pairs {
        for (span, &similarity) in &pair.detections {
            if !pair.cases().iter().any(|case| meet(span, case)) {
                wrong.push(pair.mistake(PassageMistakeKind::FalsePositive, span, similarity));
            }
        }
        for span in pair.cases() {
            if !pair.detections.keys().any(|found| meet(span, found)) {
                missed.push(pair.mistake(PassageMistakeKind::FalseNegative, span, None));
            }
        }
    }
    wrong.append(&mut missed);
    wrong
}

#[cfg(test)]
mod tests;
