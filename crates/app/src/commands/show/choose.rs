//! Which rows of a result are shown.

use std::collections::BinaryHeap;

use lookalike::text::Seed;
use lookalike::text::hash::hash64;

use super::stored::PairRow;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice<'c> {
    pub(super) most: usize,
    pub(super) order: Order,
    pub(super) id: Option<&'c str>,
    pub(super) kind: Option<&'c str>,
}

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Order {
    AsListed,
    /// What has no confidence as it is listed.
    MostCertain,
    LeastSimilar,
    Near(f64),
    Sampled,
}

impl Choice<'_> {
    /// Whether a row is one of those asked for.
    pub(super) fn fits(&self, row: &PairRow) -> bool {
        let has_id = |id: &str| row.sides.iter().any(|side| side.called() == id);
        self.id.is_none_or(has_id)
            && self
                .kind
                .is_none_or(|kind| row.kind.as_deref() == Some(kind))
    }

    /// The place of a row: smaller ones come first, and equal ones as they are listed.
    fn key(&self, row: &PairRow) -> u64 {
        // Similarities are not negative, so that their bits order as they do.
        let similarity = row.similarity.unwrap_or(0.0);
        match self.order {
            Order::AsListed => 0,
            Order::MostCertain => (1.0 - row.confidence.unwrap_or(1.0)).max(0.0).to_bits(),
            Order::LeastSimilar => similarity.to_bits(),
            Order::Near(near) => (similarity - near).abs().to_bits(),
            Order::Sampled => hash64(row.line.as_bytes(), Seed(1)),
        }
    }
}

/// Keeps the first rows of a choice, however many are offered.
pub(super) struct First<'c> {
    choice: &'c Choice<'c>,
    kept: BinaryHeap<(u64, u64, RowInHeap)>,
    offered: u64,
}

/// A row that does not take part in the order.
struct RowInHeap(PairRow);

impl PartialEq for RowInHeap {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for RowInHeap {}
impl PartialOrd for RowInHeap {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for RowInHeap {
    fn cmp(&self, _: &Self) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl<'c> First<'c> {
    pub(super) fn new(choice: &'c Choice<'c>) -> Self {
        First {
            choice,
            kept: BinaryHeap::new(),
            offered: 0,
        }
    }

    /// Takes a row that fits.
    pub(super) fn offer(&mut self, row: PairRow) {
        self.offered += 1;
        self.kept
            .push((self.choice.key(&row), self.offered, RowInHeap(row)));
        if self.kept.len() > self.choice.most {
            self.kept.pop();
        }
    }

    /// The rows in order, and how many were offered.
    pub(super) fn finish(self) -> (Vec<PairRow>, u64) {
        let kept = self.kept.into_sorted_vec();
        (
            kept.into_iter().map(|(_, _, row)| row.0).collect(),
            self.offered,
        )
    }
}
