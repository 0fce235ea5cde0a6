//! The features of all units, unit after unit, and the rarest of them.

use lookalike_pair::join::{PrefixPosting, PrefixRule};
use lookalike_pair::spill::{Partitions, Shuffle, Spool};
use lookalike_sign::keys::{Frequencies, Part};
use lookalike_text::UnitId;

use super::common::Common;
use super::sizes::Sizes;
use crate::Error;
use crate::stages::chunks::Chunk;
use crate::stages::{Context, Units};
use lookalike_pair::workers::{Flow, Pulled, a_thread_each, in_order};

/// The features of all units under one probe.
pub(crate) struct Tape<'t> {
    pub(super) items: &'t Spool<u32>,
    pub(super) sizes: &'t [u32],
    pub(crate) chunks: Vec<Chunk>,
    order: Order,
}

/// How well the rarest features are told from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// What occurs more than 255 times counts as equally common: for short prefixes.
    Rough,
    /// For long prefixes, which hold common features too. Fewer features are taken for shared that are not.
    Fine,
}

impl<'t> Tape<'t> {
    pub(crate) fn new(units: Units<'t>, probe: usize, sizes: &'t Sizes) -> Self {
        let sizes = &sizes.of_probes[probe];
        Tape {
            items: &units.signed.probed[probe].tape,
            sizes,
            chunks: Chunk::of_sizes::<u32>(sizes),
            order: Order::Rough,
        }
    }

    /// The prefixes of all units as postings.
    pub(super) fn postings(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<Shuffle<PrefixPosting>, Error> {
        let postings = Shuffle::new(
            "prefixes",
            context.folder,
            Partitions::of_hashes(context.budget.partitions),
            context.budget.percent(20) / context.plan.probes.len(),
        );
        self.choose(
            context,
            units,
            (
                &|unit, size| rule.prefix(unit, size),
                &|chosen: &mut Chosen, unit, features| {
                    let shared = features.shared.iter().enumerate();
                    chosen.postings.extend(shared.map(|(place, &(_, feature))| {
                        PrefixPosting::new(feature, unit, features.lone + place)
                    }));
                },
            ),
            &mut |chosen| Ok(postings.extend(chosen.postings)?),
        )?;
        Ok(postings)
    }

    /// The prefixes of all units as lists, without what no other unit has.
    pub(crate) fn lists(
        self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<PrefixLists, Error> {
        let tape = Tape {
            order: Order::Fine,
            ..self
        };
        let mut lists = PrefixLists {
            features: Spool::new("prefixes", context.folder, context.budget.percent(15)),
            lengths: vec![0; tape.sizes.len()],
        };
        tape.choose(
            context,
            units,
            (
                &|unit, size| rule.prefix(unit, size),
                &|chosen: &mut Chosen, unit, features| {
                    chosen
                        .list
                        .extend(features.shared.iter().map(|&(_, feature)| feature));
                    chosen
                        .lengths
                        .push((unit.get(), features.shared.len() as u32));
                },
            ),
            &mut |chosen| {
                lists.features.append(&chosen.list)?;
                for (unit, length) in chosen.lengths {
                    lists.lengths[unit as usize] = length;
                }
                Ok(())
            },
        )?;
        Ok(lists)
    }

    /// Chooses the prefixes of all units, chunk by chunk.
    fn choose(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        (length, keep): (Length<'_>, KeepPrefix<'_>),
        each: &mut (dyn FnMut(Chosen) -> Result<(), Error> + Send),
    ) -> Result<(), Error> {
        let memory = context.budget.percent(20);
        let frequencies = self.count(context.threads, units, (Sampled::ALL, memory))?;
        let common = match self.order {
            Order::Rough => Common::default(),
            Order::Fine => {
                Common::count((self, context.threads), units, (&frequencies, Sampled::ALL))?
            }
        };
        let mut next = 0;
        in_order(
            context.threads,
            || Ok((0, Chooser::new(&frequencies, &common))),
            |(mine, _): &mut (usize, Chooser<'_>)| {
                Ok(Pulled::number(&mut next, mine, self.chunks.len()))
            },
            |(mine, chooser)| {
                let mut chosen = Chosen::default();
                self.for_each(&self.chunks[*mine], units, &mut |unit, features| {
                    let prefix = length(unit, features.len());
                    if chooser.choose(features, prefix) {
                        keep(&mut chosen, unit, chooser);
                    }
                })?;
                Ok(chosen)
            },
            |chosen| {
                each(chosen)?;
                Ok(Flow::Continue)
            },
        )
    }

    /// How many features a unit has.
    pub(crate) fn size(&self, unit: u32) -> usize {
        self.sizes[unit as usize] as usize
    }

    /// Tells the features of every unit of a chunk that stands for its group.
    pub(crate) fn for_each(
        &self,
        chunk: &Chunk,
        units: Units<'_>,
        each: &mut impl FnMut(UnitId, &[u32]),
    ) -> Result<(), Error> {
        let tape = (self.items, self.sizes);
        chunk.for_each(tape, &mut Vec::new(), &mut |unit, features| {
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
        (sampled, memory): (Sampled, usize),
    ) -> Result<Frequencies, Error> {
        /// Every part reads the whole tape, so more of them soon gain nothing.
        const MOST_PARTS: usize = 4;
        let slots_a_feature = if self.order == Order::Fine { 4 } else { 1 };
        let slots = (self.items.len() >> sampled.bits) * slots_a_feature;
        let mut frequencies = Frequencies::new(slots, memory);
        let parts = frequencies.parts(threads.min(MOST_PARTS));
        let counted = a_thread_each(parts, |part| self.count_part(units, sampled, part));
        counted.into_iter().collect::<Result<(), Error>>()?;
        Ok(frequencies)
    }

    fn count_part(
        &self,
        units: Units<'_>,
        sampled: Sampled,
        mut part: Part<'_>,
    ) -> Result<(), Error> {
        let mut chosen = Vec::new();
        self.chunks.iter().try_for_each(|chunk| {
            self.for_each(chunk, units, &mut |_, features| {
                part.count(sampled.choose(features, &mut chosen));
            })
        })
    }
}

/// Features with so many bits zero, after another hash: one of 2^bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampled {
    pub(super) bits: u32,
}

impl Sampled {
    pub(super) const ALL: Sampled = Sampled { bits: 0 };

    /// A sample of so many features that is never too large for memory.
    pub(super) fn of(features: u64) -> Self {
        const MOST: u64 = 1 << 20;
        let bits = (0..31).find(|bits| features >> bits <= MOST);
        Sampled {
            bits: bits.unwrap_or(31),
        }
    }

    pub(super) fn choose<'f>(self, features: &'f [u32], chosen: &'f mut Vec<u32>) -> &'f [u32] {
        if self.bits == 0 {
            return features;
        }
        // By other bits than those that choose a slot.
        let is_chosen = |feature: &u32| feature.wrapping_mul(0x9E37_79B1) >> (32 - self.bits) == 0;
        chosen.clear();
        chosen.extend(features.iter().filter(|&feature| is_chosen(feature)));
        chosen
    }
}

/// How long the prefix of a unit is, by its size.
type Length<'f> = &'f (dyn Fn(UnitId, usize) -> usize + Sync);
/// Puts the prefix of a unit where it belongs.
type KeepPrefix<'f> = &'f (dyn Fn(&mut Chosen, UnitId, &Chooser<'_>) + Sync);

/// The prefixes of a chunk, in one of two forms.
#[derive(Default)]
struct Chosen {
    postings: Vec<PrefixPosting>,
    list: Vec<u32>,
    lengths: Vec<(u32, u32)>,
}

/// The prefixes of all units, one after the other.
pub(crate) struct PrefixLists {
    features: Spool<u32>,
    lengths: Vec<u32>,
}

impl PrefixLists {
    pub(crate) fn tape(&self) -> Tape<'_> {
        Tape {
            items: &self.features,
            sizes: &self.lengths,
            chunks: Chunk::of_sizes::<u32>(&self.lengths),
            order: Order::Rough,
        }
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
