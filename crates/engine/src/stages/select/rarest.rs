//! The rarest of the features that are on the tape of a probe.

use lookalike_kernel::decide::FeatureSample;
use lookalike_pair::join::{PrefixPosting, PrefixRule};
use lookalike_pair::spill::{Shuffle, Spool};
use lookalike_pair::workers::{Pulled, a_thread_each, in_order};
use lookalike_sign::keys::{Frequencies, Part};
use lookalike_text::UnitId;

use super::common::Common;
use super::sizes::Sizes;
use crate::Error;
use crate::stages::tape::{Chunk, Tape};
use crate::stages::{Context, Units};

/// How well the rarest features are told from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// What occurs more than 255 times counts as equally common: for short prefixes.
    Rough,
    /// For long prefixes, which hold common features too. Fewer features are taken for shared that are not.
    Fine,
}

/// How features are counted.
#[derive(Clone, Copy)]
pub(super) struct Counting {
    pub(super) sample: FeatureSample,
    /// In bytes, at the most.
    pub(super) memory: usize,
    pub(super) slots_a_feature: u64,
}

impl<'t> Tape<'t, u32> {
    /// The features of all units under a probe.
    pub(crate) fn of_probe(units: Units<'t>, probe: usize, sizes: &'t Sizes) -> Self {
        let items = &units.signed.columns.probed.0[probe].items;
        Tape::new(items, sizes.of_probes[probe].as_slice())
    }

    /// The prefixes of all units as postings.
    pub(super) fn postings(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<Shuffle<PrefixPosting>, Error> {
        let postings = context.by_hash("prefixes", 20);
        self.choose(
            (context, units),
            (rule, Order::Rough),
            |chosen: &mut Vec<PrefixPosting>, unit, features| {
                let shared = features.shared.iter().enumerate();
                chosen.extend(shared.map(|(place, &(_, feature))| {
                    PrefixPosting::new(feature, unit, features.lone + place)
                }));
            },
            |chosen| Ok(postings.extend(chosen)?),
        )?;
        Ok(postings)
    }

    /// The prefixes of all units as lists, without what no other unit has.
    pub(crate) fn lists(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<PrefixLists, Error> {
        let mut lists = PrefixLists {
            features: context.spool("prefixes", 15),
            lengths: vec![0; self.sizes.len()],
        };
        self.choose(
            (context, units),
            (rule, Order::Fine),
            |(list, lengths): &mut (Vec<u32>, Vec<(UnitId, u32)>), unit, features| {
                list.extend(features.shared.iter().map(|&(_, feature)| feature));
                lengths.push((unit, features.shared.len() as u32));
            },
            |(list, lengths)| {
                lists.features.append(&list)?;
                for (unit, length) in lengths {
                    lists.lengths[unit.index()] = length;
                }
                Ok(())
            },
        )?;
        Ok(lists)
    }

    /// Chooses the prefixes of all units: `keep` adds that of a unit to those of its chunk, which `each` is told in order.
    fn choose<C: Default + Send>(
        &self,
        (context, units): (&Context<'_>, Units<'_>),
        (rule, order): (PrefixRule<'_>, Order),
        keep: impl Fn(&mut C, UnitId, &Chooser<'_>) + Sync,
        each: impl FnMut(C) -> Result<(), Error> + Send,
    ) -> Result<(), Error> {
        let counting = Counting {
            sample: FeatureSample::ALL,
            memory: context.budget.percent(20),
            slots_a_feature: if order == Order::Fine { 4 } else { 1 },
        };
        let (frequencies, common) = match order {
            Order::Rough => {
                let frequencies = self.count(context.threads, units, counting)?;
                (frequencies, Common::default())
            }
            Order::Fine => self.count_common(context.threads, units, counting)?,
        };
        let mut next = 0;
        in_order(
            context.threads,
            || Ok((0, Chooser::new(&frequencies, &common))),
            |(mine, _): &mut (usize, Chooser<'_>)| {
                Ok(Pulled::number(&mut next, mine, self.chunks.len()))
            },
            |(mine, chooser)| {
                context.go_on()?;
                let mut chosen = C::default();
                self.for_each_standing(&self.chunks[*mine], units, &mut |unit, features| {
                    let prefix = rule.prefix(unit, features.len());
                    if chooser.choose(features, prefix) {
                        keep(&mut chosen, unit, chooser);
                    }
                })?;
                Ok(chosen)
            },
            each,
        )
    }

    /// Tells the features of every unit of a chunk that stands for its group.
    pub(crate) fn for_each_standing(
        &self,
        chunk: &Chunk,
        units: Units<'_>,
        each: &mut impl FnMut(UnitId, &[u32]),
    ) -> Result<(), Error> {
        self.for_each(chunk, &mut Vec::new(), &mut |unit, features| {
            if units.groups.is_first(unit) {
                each(unit, features);
            }
        })
    }

    /// About how often each sampled feature occurs.
    pub(super) fn count(
        &self,
        threads: usize,
        units: Units<'_>,
        counting: Counting,
    ) -> Result<Frequencies, Error> {
        let each = |part: &mut Part<'_>, features: &[u32], (): &mut ()| part.count(features);
        Ok(self.count_by((threads, units), counting, each)?.0)
    }

    /// The same, and how often those occur that a byte is too small for.
    pub(super) fn count_common(
        &self,
        threads: usize,
        units: Units<'_>,
        counting: Counting,
    ) -> Result<(Frequencies, Common), Error> {
        let each = |part: &mut Part<'_>, features: &[u32], common: &mut Common| {
            part.count_beyond(features, |feature| common.add(feature));
        };
        let (frequencies, parts) = self.count_by((threads, units), counting, each)?;
        Ok((frequencies, Common::of_parts(parts)))
    }

    fn count_by<C: Default + Send>(
        &self,
        (threads, units): (usize, Units<'_>),
        counting: Counting,
        each: impl Fn(&mut Part<'_>, &[u32], &mut C) + Sync,
    ) -> Result<(Frequencies, Vec<C>), Error> {
        /// Every part reads the whole tape, so more of them soon gain nothing.
        const MOST_PARTS: usize = 4;
        let sample = counting.sample;
        let slots = sample.share_of(self.items.len()) * counting.slots_a_feature;
        let mut frequencies = Frequencies::new(slots, counting.memory);
        let parts = frequencies.parts(threads.min(MOST_PARTS));
        let counted = a_thread_each(parts, |mut part| {
            let (mut chosen, mut more) = (Vec::new(), C::default());
            self.chunks.iter().try_for_each(|chunk| {
                self.for_each_standing(chunk, units, &mut |_, features| {
                    each(&mut part, sample.choose(features, &mut chosen), &mut more);
                })
            })?;
            Ok(more)
        });
        let counted = counted.into_iter().collect::<Result<_, Error>>()?;
        Ok((frequencies, counted))
    }
}

/// The prefixes of all units, one after the other.
pub(crate) struct PrefixLists {
    features: Spool<u32>,
    lengths: Vec<u32>,
}

impl PrefixLists {
    pub(crate) fn tape(&self) -> Tape<'_, u32> {
        Tape::new(&self.features, self.lengths.as_slice())
    }
}

/// Chooses the prefix of one unit after the other.
struct Chooser<'r> {
    frequencies: &'r Frequencies,
    common: &'r Common,
    /// How many features of the prefix occur nowhere else.
    lone: usize,
    /// The others, each after its frequency, the rarest first.
    shared: Vec<(u32, u32)>,
}

impl<'r> Chooser<'r> {
    fn new(frequencies: &'r Frequencies, common: &'r Common) -> Self {
        Chooser {
            frequencies,
            common,
            lone: 0,
            shared: Vec::new(),
        }
    }

    /// Chooses so many features; false if there is nothing to look up.
    fn choose(&mut self, features: &[u32], prefix: usize) -> bool {
        // What occurs nowhere else comes first in the order. If it fills the prefix, no pair can be missed.
        self.lone = self.frequencies.lone(features, prefix);
        if self.lone >= prefix {
            return false;
        }
        self.shared.clear();
        let counted = features
            .iter()
            .map(|&feature| (self.frequencies.of(feature), feature));
        let shared = counted.filter(|&(count, _)| count > 1);
        let common = self.common;
        self.shared
            .extend(shared.map(|(count, feature)| (common.of(feature, count), feature)));
        let wanted = prefix - self.lone;
        if wanted < self.shared.len() {
            self.shared.select_nth_unstable(wanted);
            self.shared.truncate(wanted);
        }
        self.shared.sort_unstable();
        !self.shared.is_empty()
    }
}
