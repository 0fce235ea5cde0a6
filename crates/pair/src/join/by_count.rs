//! The exact join for low floors: what prefixes have in common is counted, and units are compared that can reach a floor
//! by it.
//!
//! Of two units that reach a floor, the prefixes share not one feature but most of what the units share: what is not
//! counted can only be in what follows one of the prefixes, and that is short. In: the prefixes of all units. Out: candidate
//! pairs, among them all that reach a floor. An index of the prefixes of some units is held in memory, and all later units
//! are looked up in it.

use crate::workers::a_thread_each;

use lookalike_sign::Pages;
use lookalike_text::UnitId;

use super::PrefixRule;
use crate::Pair;

/// When two units that share features are compared.
pub struct CountRule<'r> {
    /// What prefixes are long enough for.
    rule: PrefixRule<'r>,
    /// How many features of each unit follow its prefix.
    after_prefix: Vec<u32>,
    /// How many follow what an index has of it.
    after_indexed: Vec<u32>,
    order: BySize,
    /// For units of each size: below which rank the partners are that few common features in the prefixes are enough for.
    enough_below: Vec<[u32; FEW]>,
}

/// One common feature, two, three: most pairs have no more.
const FEW: usize = 3;

/// Units that reach a floor have one more than that in common with what is indexed of the smaller one, or all that it has. An
/// index has the smaller units of pairs only, which need less of a prefix, and what is left out of it is most common.
const LEAST_COUNTED: usize = FEW + 1;

/// How many features of a unit of this size follow what is indexed of it.
fn after_indexed(rule: &PrefixRule<'_>, floor: f64, size: usize) -> usize {
    let after_prefix = size.saturating_sub(rule.prefix_at(floor, size));
    if floor > 1.0 || size == 0 {
        return after_prefix;
    }
    let needed = rule.bounds.least_with_larger(size, floor);
    after_prefix.max(needed.min(size).saturating_sub(LEAST_COUNTED))
}

/// The units in the order of their sizes.
struct BySize {
    /// The rank of each unit.
    ranks: Vec<u32>,
    /// The unit of each rank.
    units: Vec<u32>,
    /// The first rank of each size, and the end.
    begins: Vec<u32>,
}

impl BySize {
    fn new(sizes: &[u32]) -> Self {
        let most = sizes.iter().max().map_or(0, |&size| size as usize);
        let mut begins = vec![0u32; most + 2];
        sizes
            .iter()
            .for_each(|&size| begins[size as usize + 1] += 1);
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let (mut next, mut units) = (begins.clone(), vec![0; sizes.len()]);
        let rank = |(unit, &size): (usize, &u32)| {
            let next = &mut next[size as usize];
            units[*next as usize] = unit as u32;
            *next += 1;
            *next - 1
        };
        let ranks = sizes.iter().enumerate().map(rank).collect();
        BySize {
            ranks,
            units,
            begins,
        }
    }
}

/// Two units and how many features they have in common at the most.
pub struct Counted {
    /// The units.
    pub pair: Pair,
    /// As counted, and all that was not.
    pub most_common: usize,
}

impl<'r> CountRule<'r> {
    /// For prefixes of this rule.
    pub fn new(rule: PrefixRule<'r>) -> Self {
        let after = |(unit, &size): (usize, &u32)| {
            let prefix = rule.prefix(UnitId::from(unit as u32), size as usize);
            size.saturating_sub(prefix as u32)
        };
        let indexed = |(unit, &size): (usize, &u32)| {
            after_indexed(&rule, rule.floors.of(unit as u32), size as usize) as u32
        };
        let order = BySize::new(rule.sizes);
        let sizes = order.begins.len() - 1;
        CountRule {
            rule,
            after_prefix: rule.sizes.iter().enumerate().map(after).collect(),
            after_indexed: rule.sizes.iter().enumerate().map(indexed).collect(),
            enough_below: (0..sizes)
                .map(|size| enough_below(rule, &order, size))
                .collect(),
            order,
        }
    }

    /// The place of a unit in the order in which an index has them: by size.
    pub fn rank(&self, unit: UnitId) -> u32 {
        self.order.ranks[unit.index()]
    }

    /// What an index needs of the prefix of a unit, which is given without what no other unit has.
    pub fn indexed<'p>(&self, unit: UnitId, prefix: &'p [u32]) -> &'p [u32] {
        let more = self.after_indexed[unit.index()] - self.after_prefix[unit.index()];
        &prefix[..prefix.len().saturating_sub(more as usize)]
    }

    /// The units in that order.
    pub fn in_order(&self) -> &[u32] {
        &self.order.units
    }

    /// Emits the pairs of a unit with the units of an index that are smaller, or as large and earlier.
    pub fn candidates(
        &self,
        (unit, prefix): (UnitId, &[u32]),
        index: &PrefixIndex,
        (counter, emit): (&mut Counter, &mut impl FnMut(Counted)),
    ) {
        let Counter {
            counts,
            touched,
            looked_up,
        } = counter;
        let rank = self.rank(unit);
        if rank <= index.first {
            return;
        }
        counts.resize(index.units, 0);
        // All places first: they are far apart in memory, and finding one need not wait for another.
        looked_up.clear();
        looked_up.extend(prefix.iter().map(|&feature| index.look_up(feature)));
        for &(feature, place) in looked_up.iter() {
            for holder in index.holders(feature, place) {
                if holder >= rank {
                    break;
                }
                let count = &mut counts[(holder - index.first) as usize];
                if *count == 0 {
                    touched.push(holder);
                }
                *count = count.saturating_add(1);
            }
        }
        let size = self.rule.sizes[unit.index()] as usize;
        let enough_below = &self.enough_below[size];
        for other in touched.drain(..) {
            let counted = std::mem::take(&mut counts[(other - index.first) as usize]);
            // As high as is counted: there may be any number.
            let counted = match counted {
                u16::MAX => size,
                counted => usize::from(counted),
            };
            // The cheap test first: most have a feature or two in common.
            if counted <= FEW && other >= enough_below[counted - 1] {
                continue;
            }
            let other = self.order.units[other as usize];
            emit_if(self, (unit, UnitId::from(other)), counted, emit);
        }
    }
}

/// Emits a pair whose prefixes have so many features in common, if it can reach a floor.
fn emit_if(
    rule: &CountRule<'_>,
    (unit, other): (UnitId, UnitId),
    counted: usize,
    emit: &mut impl FnMut(Counted),
) {
    let size = |unit: UnitId| rule.rule.sizes[unit.index()] as usize;
    let (size, other_size) = (size(unit), size(other));
    let after = rule.after_prefix[unit.index()] as usize;
    let other_after = rule.after_indexed[other.index()] as usize;
    // A common feature that was not counted comes after the prefix that ends first in the order of all features.
    let most_common = counted + after.max(other_after);
    let most_common = most_common.min(size).min(other_size);
    let floors = &rule.rule.floors;
    let floor = floors.of(unit.get()).min(floors.of(other.get()));
    let least = rule.rule.bounds.least_common(size, other_size, floor);
    if most_common >= least
        && let Some(pair) = Pair::new(unit, other)
    {
        emit(Counted { pair, most_common });
    }
}

/// Below which rank the partners of a unit of this size are that one common feature may be enough for, two, three.
fn enough_below(rule: PrefixRule<'_>, order: &BySize, size: usize) -> [u32; FEW] {
    /// Of larger units there are few, and their partners are looked at one by one.
    const LARGE: usize = 2000;
    let is_of_none = order.begins[size] == order.begins[size + 1];
    if size > LARGE || is_of_none {
        return [u32::MAX; FEW];
    }
    let (lowest, highest) = (rule.floors.lowest(), rule.floors.highest());
    // As much as can follow a prefix, whatever the floor.
    let own = size.saturating_sub(rule.prefix_at(highest, size));
    std::array::from_fn(|few| {
        let enough = |other: &usize| {
            let after = own.max(after_indexed(&rule, highest, *other));
            few + 1 + after >= rule.bounds.least_common(size, *other, lowest)
        };
        let largest = (0..=size).rev().find(enough);
        largest.map_or(0, |largest| order.begins[largest + 1])
    })
}

/// What a worker counts in.
#[derive(Debug, Default)]
pub struct Counter {
    /// How many features the unit looked up has in common with each unit of the index.
    counts: Vec<u16>,
    touched: Vec<u32>,
    looked_up: Vec<(u32, BucketRange)>,
}

/// Where in an index the bucket of a feature is.
#[derive(Debug, Clone, Copy)]
struct BucketRange {
    shard: u32,
    begin: u32,
    end: u32,
}

/// Which of some units have a feature in their prefix?
#[derive(Debug)]
pub struct PrefixIndex {
    first: u32,
    units: usize,
    /// Each has the features of a part of the hashes.
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    /// Where the entries of a bucket of features begin, and the end of the last.
    begins: Pages<u32>,
    /// Features in the upper half, units in the lower; sorted.
    entries: Pages<u64>,
    buckets: u64,
}

/// How many entries a bucket has, about.
const BUCKET: usize = 8;

impl Shard {
    /// The bucket of a feature, whose shard is known, by the bits below those that choose the shard.
    fn bucket(feature: u32, (shards, buckets): (u64, u64)) -> usize {
        let within = (u64::from(feature) * shards) & u64::from(u32::MAX);
        ((within * buckets) >> 32) as usize
    }

    fn build(number: usize, (shards, entries): (usize, usize), all: AllPrefixes<'_>) -> Self {
        let buckets = (entries / shards / BUCKET).max(1) as u64;
        let place = |feature| Self::bucket(feature, (shards as u64, buckets));
        let is_own = |feature: &&u32| shard_of(**feature, shards) == number;
        let mut begins = Pages::zeroed(buckets as usize + 1);
        let of_bucket = begins.get_mut();
        all(&mut |_, prefix| {
            for &feature in prefix.iter().filter(is_own) {
                of_bucket[place(feature)] += 1;
            }
        });
        let mut end = 0;
        for begin in of_bucket.iter_mut() {
            end += std::mem::replace(begin, end);
        }
        let mut entries = Pages::zeroed(end as usize);
        let sorted = entries.get_mut();
        all(&mut |unit, prefix| {
            for &feature in prefix.iter().filter(is_own) {
                let at = &mut of_bucket[place(feature)];
                sorted[*at as usize] = u64::from(feature) << 32 | u64::from(unit);
                *at += 1;
            }
        });
        // Each begin has moved on to the end of its bucket, which is where the next one begins.
        of_bucket.rotate_right(1);
        of_bucket[0] = 0;
        for ends in of_bucket.windows(2) {
            sorted[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        Shard {
            begins,
            entries,
            buckets,
        }
    }
}

/// Passes on every unit with its prefix.
type AllPrefixes<'f> = &'f (dyn Fn(&mut dyn FnMut(u32, &[u32])) + Sync);

fn shard_of(feature: u32, shards: usize) -> usize {
    ((u64::from(feature) * shards as u64) >> 32) as usize
}

impl PrefixIndex {
    /// Bytes an entry takes, about.
    pub const ENTRY_BYTES: usize = 9;

    /// An index of `units` units from `first` on with so many entries in all, at most `u32::MAX`, built by some threads:
    /// `all` passes on every unit with its prefix, as often as it is asked.
    pub fn build(
        (first, units): (u32, usize),
        (entries, threads): (usize, usize),
        all: AllPrefixes<'_>,
    ) -> Self {
        let shards = threads.max(1);
        let build = |number| Shard::build(number, (shards, entries), all);
        PrefixIndex {
            first,
            units,
            shards: a_thread_each(0..shards, build),
        }
    }

    fn look_up(&self, feature: u32) -> (u32, BucketRange) {
        let number = shard_of(feature, self.shards.len());
        let shard = &self.shards[number];
        let bucket = Shard::bucket(feature, (self.shards.len() as u64, shard.buckets));
        let begins = shard.begins.get();
        let range = BucketRange {
            shard: number as u32,
            begin: begins[bucket],
            end: begins[bucket + 1],
        };
        (feature, range)
    }

    /// The units with a feature, ascending.
    fn holders(&self, feature: u32, range: BucketRange) -> impl Iterator<Item = u32> {
        let entries = self.shards[range.shard as usize].entries.get();
        let bucket = &entries[range.begin as usize..range.end as usize];
        let begin = bucket.partition_point(|&entry| (entry >> 32) < u64::from(feature));
        let of_feature = bucket[begin..]
            .iter()
            .take_while(move |&&entry| entry >> 32 == u64::from(feature));
        of_feature.map(|&entry| entry as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Floors;
    use super::*;
    use crate::verify::measure;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_pair_that_reaches_a_floor_is_a_candidate(
            sets in prop::collection::vec(prop::collection::btree_set(0u32..80, 0..60), 2..14),
            floors in prop::collection::vec(prop_oneof![0.05f64..=1.0, Just(f64::INFINITY)], 3),
            threads in 1usize..4,
            block in 1usize..14,
        ) {
            // Spread over the hashes, with some of them in one bucket.
            let feature = |f: u32| f.wrapping_mul(0x9E37_79B1) & !0x7;
            for name in ["jaccard", "cosine", "containment"] {
                let measure = measure(name).unwrap();
                let sizes: Vec<u32> = sets.iter().map(|set| set.len() as u32).collect();
                let classes: Vec<u8> = (0..sets.len() as u8).map(|unit| unit % 3).collect();
                let rule = PrefixRule {
                    bounds: measure.bounds().unwrap(),
                    floors: Floors::new(&floors, &classes),
                    sizes: &sizes,
                };
                let rule = CountRule::new(rule);
                let prefixes: Vec<Vec<u32>> = sets.iter().enumerate().map(|(unit, set)| {
                    let mut all: Vec<u32> = set.iter().map(|&f| feature(f)).collect();
                    all.sort_unstable();
                    all.truncate(rule.rule.prefix(UnitId::from(unit as u32), set.len()));
                    all
                }).collect();
                let mut found = BTreeMap::new();
                for begin in (0..sets.len()).step_by(block) {
                    let indexed = &rule.in_order()[begin..(begin + block).min(sets.len())];
                    let entries = indexed.iter().map(|&unit| prefixes[unit as usize].len()).sum();
                    let index = PrefixIndex::build(
                        (begin as u32, indexed.len()),
                        (entries, threads),
                        &|each: &mut dyn FnMut(u32, &[u32])| {
                            for &unit in indexed {
                                let id = UnitId::from(unit);
                                each(rule.rank(id), rule.indexed(id, &prefixes[unit as usize]));
                            }
                        },
                    );
                    let mut counter = Counter::default();
                    for (unit, prefix) in prefixes.iter().enumerate() {
                        rule.candidates(
                            (UnitId::from(unit as u32), prefix),
                            &index,
                            (&mut counter, &mut |Counted { pair, most_common }| {
                                let pair = (pair.lo().get(), pair.hi().get());
                                assert!(found.insert(pair, most_common).is_none(), "twice");
                            }),
                        );
                    }
                }
                for (j, b) in sets.iter().enumerate() {
                    for (i, a) in sets[..j].iter().enumerate() {
                        let common = a.intersection(b).count();
                        if common == 0 {
                            continue;
                        }
                        let floor = rule.rule.floors.of(i as u32).max(rule.rule.floors.of(j as u32));
                        let reaches = measure.of_sets().unwrap().similarity(common, a.len(), b.len()) >= floor;
                        let most_common = found.get(&(i as u32, j as u32));
                        prop_assert!(!reaches || most_common.is_some(), "{} {} {}", name, i, j);
                        prop_assert!(most_common.is_none_or(|&most| most >= common), "{} {} {}", name, i, j);
                    }
                }
            }
        }
    }

    #[test]
    fn units_with_more_in_common_than_is_counted_are_candidates() {
        let features: Vec<u32> = (0..70_000u32)
            .map(|f| f.wrapping_mul(0x9E37_79B1))
            .collect();
        let sizes = [70_000, 70_000];
        let measure = measure("containment").unwrap();
        let rule = CountRule::new(PrefixRule {
            bounds: measure.bounds().unwrap(),
            floors: Floors::new(&[0.99], &[]),
            sizes: &sizes,
        });
        let index = PrefixIndex::build((0, 2), (140_000, 2), &|each| {
            (0..2).for_each(|unit| each(unit, &features));
        });
        let mut found = Vec::new();
        rule.candidates(
            (UnitId::from(1), &features),
            &index,
            (&mut Counter::default(), &mut |counted| {
                found.push(counted.most_common);
            }),
        );
        assert_eq!(found, [70_000]);
    }
}
