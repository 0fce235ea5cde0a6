//! Which rows of a result are shown.

use std::collections::BTreeMap;

use lookalike::finished::Side;
use lookalike::kernel::rows::Id;
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

/// Keeps the first rows of a choice, however many are offered: one of each cluster before a second one of any, so that a large
/// cluster does not hide the others.
pub(super) struct First<'c> {
    choice: &'c Choice<'c>,
    /// The clusters by their members; what is in none stands for itself.
    clusters: BTreeMap<u64, u32>,
    /// The first row of each cluster that was offered.
    first_of: BTreeMap<u32, Place>,
    /// The first of the first rows of clusters.
    leading: BTreeMap<Place, PairRow>,
    /// The first of the others.
    rest: BTreeMap<Place, PairRow>,
    offered: u64,
}

/// What a row is ordered by, and its number.
type Place = (u64, u64);

/// A number for a record, or a sentence of it.
pub(super) fn member(side: &Side) -> u64 {
    let kind = match side.id {
        Id::Text(_) => 0,
        Id::Number(_) => 1,
    };
    let sentence = side.sentence.map_or(0, |sentence| 1 + u64::from(sentence));
    hash64(side.called().as_bytes(), Seed(2 * sentence + kind))
}

impl<'c> First<'c> {
    /// `clusters` has the number of the cluster of each [member] of one.
    pub(super) fn new(choice: &'c Choice<'c>, clusters: BTreeMap<u64, u32>) -> Self {
        First {
            choice,
            clusters,
            first_of: BTreeMap::new(),
            leading: BTreeMap::new(),
            rest: BTreeMap::new(),
            offered: 0,
        }
    }

    /// Takes a row that fits.
    pub(super) fn offer(&mut self, row: PairRow) {
        self.offered += 1;
        let place = (self.choice.key(&row), self.offered);
        let mut sides = row.sides.iter();
        let cluster = sides.find_map(|side| self.clusters.get(&member(side)).copied());
        let before = cluster.and_then(|cluster| self.first_of.get(&cluster).copied());
        match (cluster, before) {
            (_, Some(before)) if before < place => return self.rest(place, row),
            (Some(cluster), before) => {
                self.first_of.insert(cluster, place);
                let replaced = before.and_then(|before| self.leading.remove_entry(&before));
                if let Some((place, row)) = replaced {
                    self.rest(place, row);
                }
            }
            (None, _) => {}
        }
        self.leading.insert(place, row);
        if self.leading.len() > self.choice.most {
            self.leading.pop_last();
        }
    }

    fn rest(&mut self, place: Place, row: PairRow) {
        self.rest.insert(place, row);
        if self.rest.len() > self.choice.most {
            self.rest.pop_last();
        }
    }

    /// The rows in order, and how many were offered.
    pub(super) fn finish(self) -> (Vec<PairRow>, u64) {
        let room = self.choice.most - self.leading.len();
        let mut chosen = self.leading;
        chosen.extend(self.rest.into_iter().take(room));
        (chosen.into_values().collect(), self.offered)
    }
}
