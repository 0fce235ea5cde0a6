//! What is learnt from.

use std::cmp::Ordering;

use lookalike_pair::verify::Combination;
#[cfg(test)]
use lookalike_text::hash::mix64;

use super::Learnt;
use crate::Error;
use crate::metrics::Counts;
use crate::sweep::Sweep;

/// A labelled pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Example {
    /// One for each column; none where neither text has anything to compare.
    pub(crate) similarities: Vec<Option<f64>>,
    /// Whether the two are near-duplicates.
    pub(crate) same: bool,
    /// Pairs that are linked by a common text have one number in common.
    pub(crate) group: u64,
}

#[cfg(test)]
impl Example {
    /// With all its similarities, linked to pairs of the same similarities.
    pub(crate) fn new(values: &[f64], same: bool) -> Self {
        let similarities = values.iter().copied().map(Some).collect();
        let hash = |hash, value: &f64| mix64(value.to_bits().wrapping_add(hash));
        let group = values.iter().fold(0, hash);
        Example {
            similarities,
            same,
            group,
        }
    }
}

impl Example {
    /// An order of the values alone, so that rows that compare equal are interchangeable.
    fn order(&self, other: &Example) -> Ordering {
        let bits = |example: &Example| -> Vec<Option<u64>> {
            let values = example.similarities.iter();
            values.map(|value| value.map(f64::to_bits)).collect()
        };
        self.same
            .cmp(&other.same)
            .then_with(|| bits(self).cmp(&bits(other)))
            .then_with(|| self.group.cmp(&other.group))
    }
}

/// Labelled pairs with their similarities, at least one of each label.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Examples {
    /// Label 0 first; sorted, so that nothing learnt depends on the order in which they were given.
    rows: Vec<Example>,
}

impl Examples {
    /// Checks and sorts the rows, which have equally many similarities.
    ///
    /// # Errors
    /// If a similarity is not finite, or if all rows have the same label.
    pub(crate) fn new(rows: impl IntoIterator<Item = Example>) -> Result<Examples, Error> {
        let mut rows: Vec<Example> = rows.into_iter().collect();
        for (row, example) in rows.iter_mut().enumerate() {
            for value in example.similarities.iter_mut().flatten() {
                // Zero in its one form.
                *value += 0.0;
                if !value.is_finite() {
                    return Err(Error::NotFinite { row, value: *value });
                }
            }
        }
        rows.sort_by(Example::order);
        match (rows.first(), rows.last()) {
            (None, _) | (_, None) => Err(Error::NoPairs),
            (Some(first), _) if first.same => Err(Error::MissingLabel { missing: 0 }),
            (_, Some(last)) if !last.same => Err(Error::MissingLabel { missing: 1 }),
            _ => Ok(Examples { rows }),
        }
    }

    /// How many similarities each row has.
    pub(crate) fn columns(&self) -> usize {
        self.rows[0].similarities.len()
    }

    /// The rows, label 0 first.
    pub(crate) fn rows(&self) -> &[Example] {
        &self.rows
    }

    /// How many have label 1.
    pub(crate) fn positives(&self) -> usize {
        self.rows.len() - self.negatives()
    }

    /// How many have label 0.
    pub(crate) fn negatives(&self) -> usize {
        self.rows.partition_point(|example| !example.same)
    }

    /// The mean of each column over the rows that have it, 0 where none has.
    pub(crate) fn means(&self) -> Vec<f64> {
        let mean = |column: usize| {
            let values = self.rows.iter().filter_map(|row| row.similarities[column]);
            let (sum, count) =
                values.fold((0.0, 0u64), |(sum, count), value| (sum + value, count + 1));
            if count == 0 { 0.0 } else { sum / count as f64 }
        };
        (0..self.columns()).map(mean).collect()
    }

    /// Some of the rows, of either label.
    pub(crate) fn select(&self, keep: impl Fn(usize) -> bool) -> Examples {
        let rows = self.rows.iter().enumerate().filter(|(row, _)| keep(*row));
        Examples {
            rows: rows.map(|(_, example)| example.clone()).collect(),
        }
    }

    /// What is right and what is wrong in what was learnt.
    pub(crate) fn judge(&self, learnt: &Learnt) -> Result<Counts, Error> {
        Ok(self.sweep(&learnt.combination)?.at(learnt.threshold))
    }

    /// All thresholds of a combination.
    ///
    /// # Errors
    /// If a score is not finite.
    pub(crate) fn sweep(&self, combination: &Combination) -> Result<Sweep, Error> {
        let score = |row: &Example| (combination.score(&row.similarities), row.same);
        Sweep::new(self.rows.iter().map(score))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_can_be_learnt_from_is_refused() {
        let problem = |rows: Vec<Example>| Examples::new(rows).unwrap_err().to_string();
        assert!(problem(vec![]).contains("no labelled pairs"));
        assert!(problem(vec![Example::new(&[0.5], true)]).contains("no pair has label 0"));
        assert!(problem(vec![Example::new(&[0.5], false)]).contains("no pair has label 1"));
        let infinite = vec![Example::new(&[f64::INFINITY], true)];
        assert!(problem(infinite).contains("row 0 has the score inf"));
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let missing = Example {
            similarities: vec![Some(0.5), None],
            same: true,
            group: 3,
        };
        let rows = [
            missing,
            Example::new(&[0.1, 0.0], false),
            Example::new(&[0.5, 0.2], false),
            Example::new(&[0.4, -0.0], true),
        ];
        let examples = Examples::new(rows.clone()).unwrap();
        let reversed = Examples::new(rows.into_iter().rev()).unwrap();
        assert_eq!(examples, reversed);
        assert_eq!((examples.positives(), examples.negatives()), (2, 2));
    }
}
