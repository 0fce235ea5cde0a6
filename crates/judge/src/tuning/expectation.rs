//! What does a threshold come to in a corpus, where near-duplicates are rare?
//!
//! Labelled pairs are mostly chosen because they look alike, and half of them are near-duplicates. In a corpus nearly all
//! pairs are not, and a method that is right about nine of ten labelled pairs may be wrong about nine of ten that it finds.
//! So the labelled pairs say which share of near-duplicates a threshold finds, and the pairs of sampled records with their nearest
//! [neighbours](super::background) how many pairs it finds with a record in all. With the share of records that have a
//! near-duplicate, the prevalence, the two say how many of the pairs found are right. Where nobody says how many have one, it is
//! concluded from the pairs that score best, of which the labelled ones say how many are right.

use crate::sweep::round_between;

/// What is wanted of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// The best F1 on the labelled pairs.
    Labelled,
    /// The best F1 in a corpus.
    Corpus,
    /// In a corpus, as many near-duplicates as can be found with this share of the pairs found being right.
    Precision(f64),
}

/// How it is known which share of the records have a near-duplicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrevalenceFrom {
    /// Somebody says so.
    Given,
    /// The labels are about the corpus: those of its records that they call near-duplicates.
    Counted,
    /// Concluded from the pairs that score best.
    Estimated,
}

/// What a threshold comes to in a corpus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expectation {
    /// The share of the records that have a near-duplicate,
    pub prevalence: f64,
    /// and how that is known.
    pub prevalence_from: PrevalenceFrom,
    /// The share of right pairs among those found.
    pub precision: f64,
    /// The share of near-duplicates that are found.
    pub recall: f64,
    /// The share of the records that a run removes.
    pub removed: f64,
    /// The records of the corpus.
    pub records: u64,
}

impl Expectation {
    fn f1(&self) -> f64 {
        if self.recall == 0.0 {
            return 0.0;
        }
        2.0 * self.precision * self.recall / (self.precision + self.recall)
    }
}

/// The pairs of sampled records of a corpus.
#[derive(Debug, Clone)]
pub(super) struct Sampled {
    /// The scores of each sampled record with its neighbours.
    pub(super) neighbours: Vec<Vec<f64>>,
    /// For each text that was searched so many records.
    pub(super) records_a_text: f64,
    /// The share of records that are copies of others.
    pub(super) copies: f64,
    pub(super) records: u64,
}

impl Sampled {
    /// With how many others a record reaches a threshold, and the share of records removed.
    fn found(&self, threshold: f64) -> (f64, f64) {
        let (mut all, mut removed) = (0.0, 0.0);
        for record in &self.neighbours {
            let found = record.iter().filter(|&&score| score >= threshold);
            let found = found.count() as f64 * self.records_a_text;
            all += found;
            // A record with so many like it is one of them and as likely kept as any other.
            removed += found / (found + 1.0);
        }
        let sampled = self.neighbours.len().max(1) as f64;
        let removed = self.copies + (1.0 - self.copies) * removed / sampled;
        (all / sampled, removed)
    }
}

/// What is known of a model and a corpus.
#[derive(Debug, Clone)]
pub(super) struct Scores {
    /// Of labelled near-duplicates that the model was not learnt from, falling.
    near_duplicates: Vec<f64>,
    sampled: Sampled,
    prevalence: (f64, PrevalenceFrom),
}

impl Scores {
    /// The labelled pairs come with scores of a model that has not seen them; some are near-duplicates.
    pub(super) fn new(
        sampled: Sampled,
        labelled: &[(f64, bool)],
        prevalence: Option<(f64, PrevalenceFrom)>,
    ) -> Self {
        let same = labelled.iter().filter(|(_, same)| *same);
        let mut near_duplicates: Vec<f64> = same.map(|(score, _)| *score).collect();
        near_duplicates.sort_by(|one, two| two.total_cmp(one));
        let concluded = || {
            let share = conclude(&near_duplicates, labelled, &sampled);
            (share, PrevalenceFrom::Estimated)
        };
        Scores {
            prevalence: prevalence.unwrap_or_else(concluded),
            near_duplicates,
            sampled,
        }
    }

    pub(super) fn at(&self, threshold: f64) -> Expectation {
        let found = self
            .near_duplicates
            .partition_point(|&score| score >= threshold);
        let recall = found as f64 / self.near_duplicates.len().max(1) as f64;
        let (all, removed) = self.sampled.found(threshold);
        let (prevalence, prevalence_from) = self.prevalence;
        let right = prevalence * recall;
        Expectation {
            prevalence,
            prevalence_from,
            precision: if all > right { right / all } else { 1.0 },
            recall,
            removed,
            records: self.sampled.records,
        }
    }

    /// The threshold that meets the goal, the highest of equally good ones; where no threshold has the precision that is
    /// wanted, the one that comes nearest to it.
    pub(super) fn threshold(&self, goal: Goal) -> f64 {
        let mut scores = self.near_duplicates.clone();
        scores.dedup();
        let value = |threshold: f64| {
            let expected = self.at(threshold);
            match goal {
                Goal::Precision(wanted) if expected.precision >= wanted => 1.0 + expected.recall,
                Goal::Precision(_) => expected.precision,
                Goal::Corpus | Goal::Labelled => expected.f1(),
            }
        };
        let mut best = (f64::NEG_INFINITY, 0);
        for (place, &threshold) in scores.iter().enumerate() {
            let value = value(threshold);
            if value > best.0 {
                best = (value, place);
            }
        }
        let threshold = scores[best.1];
        let neighbours = self.sampled.neighbours.iter().flatten().copied();
        let below = neighbours.chain(scores).filter(|&score| score < threshold);
        let below = below.fold(0.0, f64::max);
        round_between(below, threshold)
    }
}

/// The share of records with a near-duplicate, by the pairs that score best.
fn conclude(near_duplicates: &[f64], labelled: &[(f64, bool)], sampled: &Sampled) -> f64 {
    /// The share of the labelled near-duplicates that score best.
    const BEST: f64 = 0.05;
    /// So few have one at the least.
    const LEAST: f64 = 0.001;
    let place = (BEST * near_duplicates.len() as f64) as usize;
    let Some(&threshold) = near_duplicates.get(place) else {
        return LEAST;
    };
    let share = |is_counted: fn(&(f64, bool)) -> bool| {
        let best = labelled.iter().filter(|(score, _)| *score >= threshold);
        best.filter(|pair| is_counted(pair)).count() as f64
    };
    let right = share(|(_, same)| *same) / share(|_| true);
    let recall = share(|(_, same)| *same) / near_duplicates.len() as f64;
    let (all, _) = sampled.found(threshold);
    (all * right / recall).clamp(LEAST, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Labelled near-duplicates score from 0.01 to 1, others up to 0.5. Of a hundred records ten have a neighbour at 0.6, four
    /// others one at 0.99, and all have one at 0.1.
    fn scores(prevalence: Option<f64>, records_a_text: f64) -> Scores {
        let labelled = (1..=200).map(|number| {
            let same = number % 2 == 0;
            (f64::from(number) / if same { 200.0 } else { 400.0 }, same)
        });
        let neighbours = |record: usize| match record {
            0..10 => vec![0.6, 0.1],
            10..14 => vec![0.99, 0.1],
            _ => vec![0.1],
        };
        let sampled = Sampled {
            neighbours: (0..100).map(neighbours).collect(),
            records_a_text,
            copies: 0.0,
            records: 100,
        };
        let prevalence = prevalence.map(|share| (share, PrevalenceFrom::Given));
        Scores::new(sampled, &labelled.collect::<Vec<_>>(), prevalence)
    }

    #[test]
    fn the_rarer_near_duplicates_are_the_higher_the_threshold() {
        let threshold = |prevalence, goal| scores(Some(prevalence), 1.0).threshold(goal);
        assert!(threshold(0.9, Goal::Corpus) <= 0.6);
        assert!(threshold(0.01, Goal::Corpus) > 0.6);
        assert!(threshold(0.1, Goal::Precision(0.8)) > 0.6);
        assert!(threshold(0.4, Goal::Precision(0.8)) <= 0.6);
    }

    #[test]
    fn what_is_expected_is_what_it_is_by_hand() {
        let expected = scores(Some(0.1), 1.0).at(0.6);
        assert_eq!(expected.recall, 0.41);
        assert!(
            (expected.precision - 0.041 / 0.14).abs() < 1e-12,
            "{expected:?}"
        );
        assert!((expected.removed - 0.07).abs() < 1e-12, "{expected:?}");
        let larger = scores(Some(0.1), 9.0).at(0.6);
        assert!((larger.removed - 0.14 * 0.9).abs() < 1e-12, "{larger:?}");
        assert!(
            (larger.precision - 0.041 / 1.26).abs() < 1e-12,
            "{larger:?}"
        );
    }

    #[test]
    fn the_prevalence_is_concluded_from_the_pairs_that_score_best() {
        // Six of a hundred labelled near-duplicates score 0.95 or more, and all that do are right; 4 of 100 records have one.
        let expected = scores(None, 1.0).at(0.95);
        assert!(
            (expected.prevalence - 0.04 / 0.06).abs() < 1e-12,
            "{expected:?}"
        );
        assert_eq!(expected.precision, 1.0);
    }

    #[test]
    fn a_precision_out_of_reach_comes_as_near_as_it_can() {
        let scores = scores(Some(0.01), 1.0);
        let threshold = scores.threshold(Goal::Precision(0.99));
        let best = scores.at(threshold).precision;
        for score in &scores.near_duplicates {
            assert!(scores.at(*score).precision <= best);
        }
    }
}
