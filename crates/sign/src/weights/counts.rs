//! In how many texts does each term occur?

use lookalike_text::hash::{self, Table};

use super::Weighed;
use super::rules::Span;
use super::term::Term;

/// Terms with their counts.
#[derive(Debug, Default)]
pub struct TermTable {
    counts: Table<Slot>,
    /// The classes of terms that occur once and are not in the table, a bit each.
    lone: u16,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    /// 0 in an empty slot.
    term: u64,
    count: u32,
    weight: u32,
}

impl hash::Slot for Slot {
    // There are many terms, so room counts more than here and there another look.
    const TAKEN_QUARTERS: usize = 3;

    #[inline]
    fn is_free(&self) -> bool {
        self.term == 0
    }
}

/// Bits of the hash that neither the form nor the number of the table has.
#[inline]
fn hash(term: u64) -> u64 {
    term >> 12
}

impl TermTable {
    /// Counts a term once more.
    #[inline]
    pub fn count(&mut self, term: u64) {
        self.add(term, 1);
    }

    /// Counts a term so many times.
    #[inline]
    pub fn add(&mut self, term: u64, times: u32) {
        self.counts.make_room(|slot| hash(slot.term));
        let new = Slot {
            term,
            ..Slot::default()
        };
        let is_it = |slot: &Slot| slot.term == term;
        let (slot, _) = self.counts.get_or_put(hash(term), is_it, new);
        slot.count = slot.count.saturating_add(times);
    }

    /// Takes note of a term that is known to occur once; it is not stored.
    #[inline]
    pub fn pass_over(&mut self, term: u64) {
        self.lone |= 1 << Term::from(term).class_place();
    }

    /// Adds the counts of another table.
    pub fn merge(&mut self, mut other: TermTable) {
        if other.counts.len() > self.counts.len() {
            std::mem::swap(self, &mut other);
        }
        self.lone |= other.lone;
        for slot in other.counts.iter() {
            self.add(slot.term, slot.count);
        }
    }

    fn get(&self, term: u64) -> Option<&Slot> {
        self.counts.get(hash(term), |slot| slot.term == term)
    }

    /// What it takes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.counts.memory_bytes()
    }
}

/// The counts of all terms, in tables that were filled side by side.
#[derive(Debug, Default)]
pub struct TermCounts {
    tables: Vec<TermTable>,
}

impl TermCounts {
    /// The counts of these tables, where a term is in the one that [`TermCounts::table_of`] says.
    #[must_use]
    pub fn new(tables: Vec<TermTable>) -> Self {
        TermCounts { tables }
    }

    /// The table, of so many, that counts a term.
    #[inline]
    #[must_use]
    pub fn table_of(term: u64, tables: usize) -> usize {
        (((term >> 32) * tables as u64) >> 32) as usize
    }

    /// How many texts have a term; 0 for one that is in no table.
    #[must_use]
    pub fn frequency(&self, term: u64) -> u32 {
        self.slot(term).map_or(0, |slot| slot.count)
    }

    #[inline]
    pub(super) fn get(&self, term: u64) -> Option<Weighed> {
        self.slot(term).map(|slot| Weighed {
            weight: slot.weight,
            frequency: slot.count,
        })
    }

    #[inline]
    fn slot(&self, term: u64) -> Option<&Slot> {
        let table = TermCounts::table_of(term, self.tables.len());
        self.tables.get(table)?.get(term)
    }

    pub(super) fn set_weights(&mut self, weigh: impl Fn(u64, u32) -> u32) {
        let tables = self.tables.iter_mut();
        for slot in tables.flat_map(|table| table.counts.iter_mut()) {
            slot.weight = weigh(slot.term, slot.count);
        }
    }

    /// The least and the most frequent term of each class.
    pub(super) fn spans(&self) -> Vec<Span> {
        let mut spans = vec![Span::default(); 1 << 4];
        for table in &self.tables {
            for slot in table.counts.iter() {
                spans[Term::from(slot.term).class_place()].include(slot.count);
            }
            for (place, span) in spans.iter_mut().enumerate() {
                if table.lone >> place & 1 == 1 {
                    span.include(1);
                }
            }
        }
        spans
    }

    pub(super) fn terms(&self) -> usize {
        self.tables.iter().map(|table| table.counts.len()).sum()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.tables.iter().map(TermTable::memory_bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use lookalike_text::hash::mix64;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_term_has_its_count_however_many_tables_there_are(
            terms in prop::collection::vec(0u64..200, 0..3000),
            tables in 1usize..5,
        ) {
            let terms: Vec<u64> = terms.into_iter().map(|term| mix64(term) | 1).collect();
            let mut parts: Vec<TermTable> = (0..tables).map(|_| TermTable::default()).collect();
            let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
            for &term in &terms {
                parts[TermCounts::table_of(term, tables)].count(term);
                *expected.entry(term).or_default() += 1;
            }
            let counts = TermCounts::new(parts);
            for (&term, &count) in &expected {
                prop_assert_eq!(counts.frequency(term), count);
            }
            prop_assert_eq!(counts.frequency(mix64(1000) | 1), 0);
        }
    }
}
