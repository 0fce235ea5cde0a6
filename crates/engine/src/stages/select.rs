//! Choose the rarest features of each unit, its prefix, by which all similar pairs are found.
//!
//! In: the tape, which holds the features of all units. Out: a posting for each feature of a prefix that another unit
//! has too; or, where there is another way, that prefixes cost too much. That is judged by a sample of the features, of
//! a size that every memory has room for, so that the choice depends on the corpus alone.

use std::ops::Range;
use std::thread;

use lookalike_pair::join::{PrefixPosting, PrefixRule};
use lookalike_pair::spill::{Partitions, Shuffle, Spool};
use lookalike_sign::keys::{Frequencies, Part};
use lookalike_text::UnitId;
use lookalike_text::hash::mix64;

use super::{Context, Units};
use crate::Error;
use crate::workers::{Flow, Pulled, in_order};

/// What prefixes come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PrefixCost {
    /// Features looked up.
    postings: u64,
    /// Pairs that share one of them, each counted once a feature.
    proposals: u64,
}

/// So little is always worth an exact answer: it takes a fraction of a second.
const LITTLE: u64 = 2_000_000;
/// Beyond it, prefixes may come to these shares of the features, where there is another way. A feature looked up costs
/// about as much as reading one, a proposal less. With these limits exact runs took up to about twice as long as MinHash.
const MOST_POSTINGS: f64 = 0.125;
const MOST_PROPOSALS: f64 = 0.25;

impl PrefixCost {
    fn is_too_high(self, features: u64) -> bool {
        let share = |count: u64| count as f64 / features.max(1) as f64;
        self.postings + self.proposals > LITTLE
            && (share(self.postings) > MOST_POSTINGS || share(self.proposals) > MOST_PROPOSALS)
    }
}

/// The prefixes of all units, or that they cost too much.
pub(crate) enum Selected {
    Prefixes(Shuffle<PrefixPosting>),
    TooMany,
}

/// Whether prefixes are the only way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtAnyCost {
    Yes,
    No,
}

/// Chooses the prefixes.
pub(crate) fn select(
    context: &Context<'_>,
    units: Units<'_>,
    at_any_cost: AtAnyCost,
) -> Result<Selected, Error> {
    let sizes = units.signed.sizes.read_all()?;
    let chunks = chunks(&sizes);
    let tape = Tape {
        items: &units.signed.tape,
        sizes: &sizes,
        chunks: &chunks,
    };
    let rule = PrefixRule {
        bounds: context.plan.bounds()?,
        floor: context.plan.threshold,
        sizes: &sizes,
    };
    if at_any_cost == AtAnyCost::No
        && tape
            .estimate(context, units, rule)?
            .is_too_high(tape.items.len())
    {
        return Ok(Selected::TooMany);
    }
    let memory = context.budget.percent(20);
    let frequencies = tape.count(context.threads, units, (Sampled::ALL, memory))?;
    let postings = Shuffle::new(
        "prefixes",
        context.folder,
        Partitions::of_hashes(context.budget.partitions),
        context.budget.percent(20),
    );
    let mut next = 0;
    in_order(
        context.threads,
        || Ok((0, Chooser::new(&frequencies, rule))),
        |(mine, _): &mut (usize, Chooser<'_>)| {
            *mine = next;
            next += 1;
            Ok(if *mine < chunks.len() {
                Pulled::Item
            } else {
                Pulled::Nothing
            })
        },
        |(mine, chooser)| {
            tape.for_each(&chunks[*mine], units, &mut |unit, features| {
                chooser.choose(unit, features);
            })?;
            Ok(std::mem::take(&mut chooser.postings))
        },
        |chosen| {
            postings.extend(chosen)?;
            Ok(Flow::Continue)
        },
    )?;
    Ok(Selected::Prefixes(postings))
}

/// Consecutive units, and where their features begin on the tape.
#[derive(Debug, Clone)]
struct Chunk {
    units: Range<usize>,
    begin: u64,
    features: usize,
}

fn chunks(sizes: &[u32]) -> Vec<Chunk> {
    /// Features read at a time.
    const FEATURES: usize = 1 << 18;
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut begin = 0;
    for (unit, &size) in sizes.iter().enumerate() {
        match chunks.last_mut() {
            Some(last) if last.features + size as usize <= FEATURES => {
                last.units.end += 1;
                last.features += size as usize;
            }
            _ => chunks.push(Chunk {
                units: unit..unit + 1,
                begin,
                features: size as usize,
            }),
        }
        begin += u64::from(size);
    }
    chunks
}

/// The features of all units.
struct Tape<'t> {
    items: &'t Spool<u32>,
    sizes: &'t [u32],
    chunks: &'t [Chunk],
}

impl Tape<'_> {
    /// Tells the features of every unit of a chunk that stands for its group.
    fn for_each(
        &self,
        chunk: &Chunk,
        units: Units<'_>,
        each: &mut impl FnMut(UnitId, &[u32]),
    ) -> Result<(), Error> {
        let mut read = Vec::new();
        let mut rest = match self.items.in_memory(chunk.begin, chunk.features) {
            Some(features) => features,
            None => {
                read.resize(chunk.features, 0);
                self.items.read_at(&mut read, chunk.begin)?;
                &read
            }
        };
        for unit in chunk.units.clone() {
            let (features, after) = rest.split_at(self.sizes[unit] as usize);
            rest = after;
            let unit = UnitId::from(unit as u32);
            if !features.is_empty() && units.groups.is_first(unit) {
                each(unit, features);
            }
        }
        Ok(())
    }

    /// About how often each sampled feature occurs.
    fn count(
        &self,
        threads: usize,
        units: Units<'_>,
        (sampled, memory): (Sampled, usize),
    ) -> Result<Frequencies, Error> {
        /// Every part reads the whole tape, so more of them soon gain nothing.
        const MOST_PARTS: usize = 4;
        let mut frequencies = Frequencies::new(self.items.len() >> sampled.bits, memory);
        thread::scope(|scope| {
            let counting: Vec<_> = frequencies
                .parts(threads.min(MOST_PARTS))
                .into_iter()
                .map(|part| scope.spawn(move || self.count_part(units, sampled, part)))
                .collect();
            counting
                .into_iter()
                .try_for_each(|counted| match counted.join() {
                    Ok(counted) => counted,
                    Err(panic) => std::panic::resume_unwind(panic),
                })
        })?;
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

    /// About what prefixes would come to, judged by a sample.
    fn estimate(
        &self,
        context: &Context<'_>,
        units: Units<'_>,
        rule: PrefixRule<'_>,
    ) -> Result<PrefixCost, Error> {
        let sampled = Sampled::of(self.items.len());
        let frequencies = self.count(context.threads, units, (sampled, usize::MAX))?;
        let mut chooser = Chooser::new(&frequencies, rule);
        let mut chosen = Vec::new();
        for chunk in self.chunks {
            self.for_each(chunk, units, &mut |unit, features| {
                let chosen = sampled.choose(features, &mut chosen);
                let share = rule.prefix(features.len()) as f64 / features.len() as f64;
                // Rounded up as often as not rounding would come to: units may have but a feature or two in the sample.
                let chance = (mix64(unit.get().into()) >> 11) as f64 / (1u64 << 53) as f64;
                let prefix = (share * chosen.len() as f64 + chance) as usize;
                chooser.choose_prefix(unit, chosen, prefix);
            })?;
        }
        let mut features: Vec<u32> = chooser
            .postings
            .iter()
            .map(|posting| posting.feature())
            .collect();
        features.sort_unstable();
        let pairs_of = |bucket: &[u32]| {
            let units = bucket.len() as u64;
            units * (units - 1) / 2
        };
        let proposals: u64 = features.chunk_by(|a, b| a == b).map(pairs_of).sum();
        Ok(PrefixCost {
            postings: (features.len() as u64) << sampled.bits,
            proposals: proposals << sampled.bits,
        })
    }
}

/// Features with so many bits zero, after another hash: one of 2^bits.
#[derive(Debug, Clone, Copy)]
struct Sampled {
    bits: u32,
}

impl Sampled {
    const ALL: Sampled = Sampled { bits: 0 };

    /// A sample of so many features that is never too large for memory.
    fn of(features: u64) -> Self {
        const MOST: u64 = 1 << 22;
        let bits = (0..31).find(|bits| features >> bits <= MOST);
        Sampled {
            bits: bits.unwrap_or(31),
        }
    }

    fn choose<'f>(self, features: &'f [u32], chosen: &'f mut Vec<u32>) -> &'f [u32] {
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

/// Chooses the prefix of one unit after the other.
struct Chooser<'r> {
    frequencies: &'r Frequencies,
    rule: PrefixRule<'r>,
    /// The features of a unit that others may have, each after its frequency.
    shared: Vec<(u8, u32)>,
    postings: Vec<PrefixPosting>,
}

impl<'r> Chooser<'r> {
    fn new(frequencies: &'r Frequencies, rule: PrefixRule<'r>) -> Self {
        Chooser {
            frequencies,
            rule,
            shared: Vec::new(),
            postings: Vec::new(),
        }
    }

    fn choose(&mut self, unit: UnitId, features: &[u32]) {
        self.choose_prefix(unit, features, self.rule.prefix(features.len()));
    }

    fn choose_prefix(&mut self, unit: UnitId, features: &[u32], prefix: usize) {
        // What occurs nowhere else comes first in the order. If it fills the prefix, no pair can be missed.
        let lone = self.frequencies.lone(features, prefix);
        if lone >= prefix {
            return;
        }
        self.shared.clear();
        let counted = features
            .iter()
            .map(|&feature| (self.frequencies.of(feature), feature));
        self.shared.extend(counted.filter(|&(count, _)| count > 1));
        let wanted = prefix - lone;
        if wanted < self.shared.len() {
            self.shared.select_nth_unstable(wanted);
            self.shared.truncate(wanted);
        }
        self.shared.sort_unstable();
        for (place, &(_, feature)) in self.shared.iter().enumerate() {
            self.postings
                .push(PrefixPosting::new(feature, unit, lone + place));
        }
    }
}
