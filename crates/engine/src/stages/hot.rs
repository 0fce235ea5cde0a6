//! Hot buckets: those too large to compare in full.
//!
//! A hot bucket is compared with its leaders, its first units in the order of rank. What none of the units kept so far
//! takes is a smaller bucket, which gets another round with leaders of its own.

use lookalike_pair::Pair;
use lookalike_pair::join::{BucketRule, compare_bucket};
use lookalike_pair::spill::{SavedSpool, Spool};
use lookalike_text::UnitId;
use serde::{Deserialize, Serialize};

use super::Context;
use crate::Error;
use crate::bits::Bits;

/// Buckets with their units in the order of rank.
pub(crate) struct HotBuckets {
    /// Each as its length and its units.
    units: Spool<u32>,
    count: u64,
    /// How many of their pairs the first round left out, each counted once a bucket.
    left_out: u64,
}

/// The files of a checkpoint.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedHotBuckets {
    units: SavedSpool,
    count: u64,
    left_out: u64,
}

impl SavedHotBuckets {
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.units.files()
    }
}

impl HotBuckets {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        HotBuckets {
            units: Spool::new("hot", context.folder, context.budget.percent(4)),
            count: 0,
            left_out: 0,
        }
    }

    pub(crate) fn restore(self, saved: SavedHotBuckets) -> Result<Self, Error> {
        Ok(HotBuckets {
            units: self.units.restore(saved.units)?,
            count: saved.count,
            left_out: saved.left_out,
        })
    }

    pub(crate) fn save(&mut self) -> Result<SavedHotBuckets, Error> {
        Ok(SavedHotBuckets {
            units: self.units.save()?,
            count: self.count,
            left_out: self.left_out,
        })
    }

    pub(crate) fn push(&mut self, units: &[UnitId]) -> Result<(), Error> {
        self.count += 1;
        self.units.append(&[units.len() as u32])?;
        let numbers: Vec<u32> = units.iter().map(|unit| unit.get()).collect();
        self.units.append(&numbers)?;
        Ok(())
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn leave_out(&mut self, pairs: u64) {
        self.left_out = self.left_out.saturating_add(pairs);
    }

    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }

    /// All units that are in a bucket.
    pub(crate) fn units(&self, of: usize) -> Result<Bits, Error> {
        let mut all = Bits::new(of);
        self.for_each(|units| {
            units.iter().for_each(|unit| all.insert(unit.get()));
            Ok(())
        })?;
        Ok(all)
    }

    /// Emits the pairs of the next round among the units that are not `taken`, and returns the buckets that are still
    /// hot in it.
    pub(crate) fn next_round(
        &self,
        context: &Context<'_>,
        rule: BucketRule,
        taken: &Bits,
        emit: &mut impl FnMut(Pair),
    ) -> Result<HotBuckets, Error> {
        let mut still_hot = HotBuckets::new(context);
        self.for_each(|units| {
            // The leaders were compared with all others.
            let others = units.iter().copied().skip(rule.leaders);
            let remaining: Vec<UnitId> =
                others.filter(|unit| !taken.contains(unit.get())).collect();
            compare_bucket(&remaining, rule, emit);
            if remaining.len() > rule.limit {
                still_hot.push(&remaining)?;
            }
            Ok(())
        })?;
        Ok(still_hot)
    }

    fn for_each(&self, mut each: impl FnMut(&[UnitId]) -> Result<(), Error>) -> Result<(), Error> {
        let mut at = 0;
        let (mut numbers, mut units) = (Vec::new(), Vec::new());
        while at < self.units.len() {
            let mut length = [0u32];
            self.units.read_at(&mut length, at)?;
            numbers.resize(length[0] as usize, 0);
            self.units.read_at(&mut numbers, at + 1)?;
            at += 1 + numbers.len() as u64;
            units.clear();
            units.extend(numbers.iter().map(|&number| UnitId::from(number)));
            each(&units)?;
        }
        Ok(())
    }
}
