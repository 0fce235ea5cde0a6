//! Similarities in few steps: all that a tree can ask of a column is whether it reaches one of its cuts.
//!
//! The cuts have about equally many pairs between them and few digits. That there are few makes growing fast, and keeps
//! trees from telling single pairs by the last digits of a similarity.

use lookalike_pair::verify::filled;

use super::{Example, Examples};
use crate::sweep::round_between;

/// The most cuts of a column.
pub(super) const MOST_CUTS: usize = 32;

/// Similarities in few steps: all that a tree can ask of a column is whether it reaches one of its cuts.
#[derive(Debug)]
pub(super) struct Bins {
    /// What a missing similarity counts as, for each column.
    pub(super) means: Vec<f64>,
    /// The similarities of each row, those missing filled in.
    pub(super) filled: Vec<Vec<f64>>,
    /// Rising, for each column; none where it is constant.
    pub(super) cuts: Vec<Vec<f64>>,
    /// How many of the cuts each row reaches, for each column.
    pub(super) reached: Vec<Vec<u8>>,
    /// Whether the two of each row are near-duplicates.
    pub(super) labels: Vec<bool>,
}

impl Bins {
    pub(super) fn new(examples: &Examples) -> Bins {
        let rows = examples.rows();
        let means = examples.means();
        let fill = |row: &Example| filled(&row.similarities, &means);
        let filled: Vec<Vec<f64>> = rows.iter().map(fill).collect();
        let column = |column| {
            let values = filled.iter().map(|row: &Vec<f64>| row[column]);
            let cuts = cuts(values.clone().collect());
            let reached = |value: f64| cuts.partition_point(|&cut| cut <= value) as u8;
            let reached = values.map(reached).collect();
            (cuts, reached)
        };
        let (cuts, reached) = (0..examples.columns()).map(column).unzip();
        Bins {
            labels: rows.iter().map(|row| row.same).collect(),
            means,
            filled,
            cuts,
            reached,
        }
    }
}

fn cuts(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    let places = (1..=MOST_CUTS).map(|part| part * values.len() / (MOST_CUTS + 1));
    let cut = |place: usize| {
        let value = values[place];
        let below = values
            .partition_point(|&other| other < value)
            .checked_sub(1)?;
        Some(round_between(values[below], value))
    };
    let mut cuts: Vec<f64> = places.filter_map(cut).collect();
    cuts.dedup();
    cuts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_have_equally_many_values_between_them() {
        let values: Vec<f64> = (0..330).map(|value| f64::from(value) / 330.0).collect();
        let cuts = cuts(values.clone());
        assert_eq!(cuts.len(), MOST_CUTS);
        let reached = |cut: f64| values.iter().filter(|&&value| value >= cut).count();
        for (place, &cut) in cuts.iter().enumerate() {
            assert_eq!(reached(cut), 330 - 10 * (place + 1), "{cut}");
        }
    }

    #[test]
    fn few_values_have_a_cut_between_any_two_and_a_constant_has_none() {
        let values = [[0.0; 50], [0.5; 50], [1.0; 50]].concat();
        assert_eq!(cuts(values), [0.25, 0.75]);
        assert!(cuts(vec![0.3; 9]).is_empty());
        assert_eq!(cuts(vec![0.1, 0.9]), [0.5]);
    }
}
