//! What is learnt from.

use std::cmp::Ordering;

use super::{Model, present};
use crate::Error;
use crate::metrics::Counts;
use crate::sweep::{LabelledScore, Sweep};

/// A labelled pair.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// One for each column; none (or not a number) where the field is empty on both sides.
    pub similarities: Vec<Option<f64>>,
    /// Whether the two are near-duplicates.
    pub same: bool,
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
    }
}

/// Labelled pairs with named similarities, at least one of each label.
#[derive(Debug, Clone, PartialEq)]
pub struct Examples {
    names: Vec<String>,
    /// Label 0 first; sorted, so that nothing learnt depends on the order in which they were given.
    rows: Vec<Example>,
}

impl Examples {
    /// Checks and sorts the rows.
    ///
    /// # Errors
    /// If there are no columns, if a row has another number of similarities or an infinite one, or if all rows have
    /// the same label.
    pub fn new(
        names: impl IntoIterator<Item = String>,
        rows: impl IntoIterator<Item = Example>,
    ) -> Result<Examples, Error> {
        let names: Vec<String> = names.into_iter().collect();
        if names.is_empty() {
            return Err(Error::NoColumns);
        }
        let rows = rows.into_iter().enumerate();
        let mut rows = rows
            .map(|(row, example)| check(row, example, names.len()))
            .collect::<Result<Vec<_>, _>>()?;
        rows.sort_by(Example::order);
        match (rows.first(), rows.last()) {
            (None, _) | (_, None) => Err(Error::NoPairs),
            (Some(first), _) if first.same => Err(Error::no_negatives()),
            (_, Some(last)) if !last.same => Err(Error::no_positives()),
            _ => Ok(Examples { names, rows }),
        }
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows, label 0 first.
    pub fn rows(&self) -> &[Example] {
        &self.rows
    }

    /// How many have label 1.
    pub fn positives(&self) -> usize {
        self.rows.len() - self.negatives()
    }

    /// How many have label 0.
    pub fn negatives(&self) -> usize {
        self.rows.partition_point(|example| !example.same)
    }

    /// Some of the rows.
    pub(crate) fn select(&self, keep: impl Fn(usize) -> bool) -> Examples {
        let rows = self.rows.iter().enumerate().filter(|(row, _)| keep(*row));
        Examples {
            names: self.names.clone(),
            rows: rows.map(|(_, example)| example.clone()).collect(),
        }
    }

    /// What the model says, right and wrong.
    pub fn judge(&self, model: &Model) -> Counts {
        let mut table = [[0; 2]; 2];
        for example in &self.rows {
            let found = model.is_same(&example.similarities);
            table[usize::from(found)][usize::from(example.same)] += 1;
        }
        Counts {
            true_positives: table[1][1],
            false_positives: table[1][0],
            false_negatives: table[0][1],
            true_negatives: Some(table[0][0]),
        }
    }

    /// All thresholds for one way of scoring.
    ///
    /// # Errors
    /// If a score is not finite.
    pub fn sweep(&self, score: impl Fn(&[Option<f64>]) -> f64) -> Result<Sweep, Error> {
        Sweep::new(self.rows.iter().map(|example| LabelledScore {
            score: score(&example.similarities),
            same: example.same,
        }))
    }
}

/// Missing values in their one form, and zero in its one form.
fn check(row: usize, example: Example, columns: usize) -> Result<Example, Error> {
    let found = example.similarities.len();
    if found != columns {
        return Err(Error::RowLength {
            row,
            found,
            columns,
        });
    }
    let values = example.similarities.into_iter();
    let similarities: Vec<_> = values.map(|value| Some(present(value)? + 0.0)).collect();
    let infinite = similarities
        .iter()
        .flatten()
        .find(|value| value.is_infinite());
    match infinite {
        Some(&value) => Err(Error::NotFinite { row, value }),
        None => Ok(Example {
            similarities,
            same: example.same,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[f64], same: bool) -> Example {
        let similarities = values.iter().copied().map(Some).collect();
        Example { similarities, same }
    }

    fn problem(names: &[&str], rows: Vec<Example>) -> String {
        let names = names.iter().map(ToString::to_string);
        Examples::new(names, rows).unwrap_err().to_string()
    }

    #[test]
    fn what_nothing_can_be_learnt_from_is_refused() {
        assert!(problem(&[], vec![]).contains("name at least one column"));
        assert!(problem(&["题"], vec![]).contains("no labelled pairs"));
        assert!(problem(&["题"], vec![row(&[0.5], true)]).contains("no pair has label 0"));
        assert!(problem(&["题"], vec![row(&[0.5], false)]).contains("no pair has label 1"));
        let short = vec![row(&[0.5, 0.5], true), row(&[0.5], false)];
        assert!(
            problem(&["题", "文"], short)
                .contains("row 1 has 1 similarities, but there are 2 columns")
        );
        let infinite = vec![row(&[f64::INFINITY], true)];
        assert!(problem(&["题"], infinite).contains("row 0 has the score inf"));
    }

    #[test]
    fn the_order_of_the_rows_does_not_matter() {
        let rows = [
            row(&[0.5, f64::NAN], true),
            row(&[0.1, 0.0], false),
            row(&[0.5, 0.2], false),
            row(&[0.4, -0.0], true),
        ];
        let names = ["题", "文"].map(String::from);
        let examples = Examples::new(names.clone(), rows.clone()).unwrap();
        let reversed = Examples::new(names, rows.into_iter().rev()).unwrap();
        assert_eq!(examples, reversed);
        assert_eq!((examples.positives(), examples.negatives()), (2, 2));
    }
}
