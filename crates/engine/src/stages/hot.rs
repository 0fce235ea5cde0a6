//! Hot buckets: those too large to compare in full.
//!
//! A hot bucket is compared with its leaders, its first units in the order of rank. A unit can be in many of them, as are the
//! variants of a template: it is compared in some of the smallest, which tell most, and in some of the largest, whose leaders
//! take most. What none of the units kept so far takes is a smaller bucket, which gets another round with leaders of its own.

use lookalike_pair::Pair;
use lookalike_pair::join::{BucketRule, bucket_digest, pairs_among, with_leaders};
use lookalike_pair::spill::Spill;
use lookalike_text::UnitId;

use super::Context;
use crate::Error;
use crate::bits::Bits;
use crate::column::{Column, ListColumn};

/// In how many of the smallest buckets a unit is compared, and in how many of the largest.
const SMALLEST: u8 = 2;
const LARGEST: u8 = 2;

/// Buckets with their units in the order of rank.
pub(crate) struct HotBuckets(ListColumn<UnitId>);

/// Where a bucket is, after what orders buckets.
type Place = (usize, u128, u64);

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
        self.for_each(|_, units| {
            units.iter().for_each(|&unit| all.insert(unit));
            Ok(())
        })?;
        Ok(all)
    }

    /// Emits the pairs of a round, of so many units in all, and returns how many pairs at the most it leaves out. A bucket
    /// that is not above the limit, as there are after the first round, is led by all its units.
    pub(crate) fn compare(
        &self,
        rule: BucketRule,
        of: usize,
        emit: &mut impl FnMut(Pair),
    ) -> Result<u64, Error> {
        let mut places: Vec<Place> = Vec::new();
        let mut left_out: u64 = 0;
        self.for_each(|begin, units| {
            places.push((units.len(), bucket_digest(units), begin));
            left_out = left_out.saturating_add(pairs_among(units.len()));
            Ok(())
        })?;
        // In an order that follows from the buckets alone.
        places.sort_unstable();
        let mut compare = |place: &Place, times: &mut Vec<u8>, most: u8| {
            let units = self.read(place)?;
            let takes_part: Vec<bool> = units
                .iter()
                .map(|unit| {
                    let times = &mut times[unit.index()];
                    *times += u8::from(*times < most + 1);
                    *times <= most
                })
                .collect();
            let leaders = if units.len() > rule.limit {
                rule.leaders
            } else {
                units.len()
            };
            Ok::<_, Error>(with_leaders(&units, leaders, &takes_part, emit))
        };
        let mut times = vec![0; of];
        for place in &places {
            left_out = left_out.saturating_sub(compare(place, &mut times, SMALLEST)?);
        }
        times.fill(0);
        // Some of these pairs are the same again, so they do not count.
        for place in places.iter().rev() {
            compare(place, &mut times, LARGEST)?;
        }
        Ok(left_out)
    }

    /// The buckets of the next round: what is neither `taken` nor was a leader.
    pub(crate) fn remaining(
        &self,
        context: &Context<'_>,
        rule: BucketRule,
        taken: &Bits<UnitId>,
    ) -> Result<HotBuckets, Error> {
        let mut remaining = HotBuckets::new(context);
        self.for_each(|_, units| {
            let others = units.iter().copied().skip(rule.leaders);
            let others: Vec<UnitId> = others.filter(|&unit| !taken.contains(unit)).collect();
            if units.len() > rule.limit && others.len() > 1 {
                remaining.push(&others)?;
            }
            Ok(())
        })?;
        Ok(remaining)
    }

    fn read(&self, &(size, _, begin): &Place) -> Result<Vec<UnitId>, Error> {
        let mut units = vec![UnitId::NONE; size];
        self.0.items.read_at(&mut units, begin)?;
        Ok(units)
    }

    /// Tells where each bucket begins, and its units.
    fn for_each(
        &self,
        mut each: impl FnMut(u64, &[UnitId]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (mut begin, mut units) = (0, Vec::new());
        for size in self.0.sizes.read_all()? {
            units.resize(size as usize, UnitId::NONE);
            self.0.items.read_at(&mut units, begin)?;
            each(begin, &units)?;
            begin += u64::from(size);
        }
        Ok(())
    }
}
