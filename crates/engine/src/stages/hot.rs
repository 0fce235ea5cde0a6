//! Hot buckets: those too large to compare in full.
//!
//! A hot bucket is compared with its leaders, its first units in the order of rank. What none of the units kept so far
//! takes is a smaller bucket, which gets another round with leaders of its own.

use lookalike_pair::Pair;
use lookalike_pair::join::{BucketRule, compare_bucket};
use lookalike_pair::spill::Spill;
use lookalike_text::UnitId;

use super::Context;
use crate::Error;
use crate::bits::Bits;
use crate::column::{Column, ListColumn};

/// Buckets with their units in the order of rank.
pub(crate) struct HotBuckets(ListColumn<UnitId>);

impl HotBuckets {
    pub(crate) fn new(context: &Context<'_>) -> Self {
        HotBuckets(ListColumn {
            items: context.spool("hot", 3),
            sizes: context.spool("hot", 1),
        })
    }

    pub(crate) fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        Column::<UnitId>::spilled(&mut self.0)
    }

    pub(crate) fn push(&mut self, units: &[UnitId]) -> Result<(), Error> {
        self.0.sizes.append(&[units.len() as u32])?;
        Ok(self.0.items.append(units)?)
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.sizes.len()
    }

    /// All units that are in a bucket.
    pub(crate) fn units(&self, of: usize) -> Result<Bits<UnitId>, Error> {
        let mut all = Bits::new(of);
        self.for_each(|units| {
            units.iter().for_each(|&unit| all.insert(unit));
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
        taken: &Bits<UnitId>,
        emit: &mut impl FnMut(Pair),
    ) -> Result<HotBuckets, Error> {
        let mut still_hot = HotBuckets::new(context);
        self.for_each(|units| {
            // The leaders were compared with all others.
            let others = units.iter().copied().skip(rule.leaders);
            let remaining: Vec<UnitId> = others.filter(|&unit| !taken.contains(unit)).collect();
            compare_bucket(&remaining, rule, emit);
            if remaining.len() > rule.limit {
                still_hot.push(&remaining)?;
            }
            Ok(())
        })?;
        Ok(still_hot)
    }

    fn for_each(&self, mut each: impl FnMut(&[UnitId]) -> Result<(), Error>) -> Result<(), Error> {
        let (mut at, mut units) = (0, Vec::new());
        for size in self.0.sizes.read_all()? {
            units.resize(size as usize, UnitId::NONE);
            self.0.items.read_at(&mut units, at)?;
            at += u64::from(size);
            each(&units)?;
        }
        Ok(())
    }
}
