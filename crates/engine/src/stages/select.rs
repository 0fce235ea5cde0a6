//! Choose the rarest features of each unit, its prefix, by which all similar pairs are found.
//!
//! In: the tape, which holds the features of all units. Out: a posting for each feature of a prefix that another unit
//! has too; or, where there is another way, that prefixes cost too much. The choice looks at the corpus alone.

use std::ops::Range;
use std::thread;

use lookalike_pair::join::{PrefixPosting, PrefixRule};
use lookalike_pair::spill::{Partitions, Shuffle, Spool};
use lookalike_sign::keys::Frequencies;
use lookalike_text::UnitId;
use serde::{Deserialize, Serialize};

use super::{Context, Units};
use crate::Error;
use crate::workers::{Flow, Pulled, in_order};

/// What prefixes come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PrefixCost {
    /// Features looked up.
    pub(crate) postings: u64,
    /// Pairs that share one of them, each counted once a feature, at the most.
    pub(crate) proposals: u64,
}

/// Where there is another way, prefixes may come to this much a unit. Choosing among few keys (MinHash) costs about ten
/// postings and a handful of proposals a unit.
const MOST_POSTINGS_A_UNIT: u64 = 48;
const MOST_PROPOSALS_A_UNIT: u64 = 400;

impl PrefixCost {
    fn is_too_high(self, units: u64) -> bool {
        self.postings > MOST_POSTINGS_A_UNIT * units
            || self.proposals > MOST_PROPOSALS_A_UNIT * units
    }
}

/// The prefixes of all units, or that they cost too much.
pub(crate) enum Selected {
    Prefixes(Shuffle<PrefixPosting>, PrefixCost),
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
    let frequencies = tape.count(context, units)?;
    let rule = PrefixRule {
        bounds: context.plan.bounds()?,
        floor: context.plan.threshold,
        sizes: &sizes,
    };
    let postings = Shuffle::new(
        "prefixes",
        context.folder,
        Partitions::of_hashes(context.budget.partitions),
        context.budget.percent(25),
    );
    let mut cost = PrefixCost::default();
    let (mut next, mut too_many) = (0, false);
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
            chooser.begin();
            tape.for_each(&chunks[*mine], units, &mut |unit, features| {
                chooser.choose(unit, features);
            })?;
            Ok((std::mem::take(&mut chooser.postings), chooser.cost))
        },
        |(chosen, more)| {
            postings.extend(chosen)?;
            cost.postings += more.postings;
            cost.proposals += more.proposals;
            too_many = at_any_cost == AtAnyCost::No && cost.is_too_high(sizes.len() as u64);
            Ok(if too_many { Flow::Stop } else { Flow::Continue })
        },
    )?;
    if too_many {
        postings.clear();
        return Ok(Selected::TooMany);
    }
    Ok(Selected::Prefixes(postings, cost))
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

    /// About how often each feature occurs.
    fn count(&self, context: &Context<'_>, units: Units<'_>) -> Result<Frequencies, Error> {
        /// Every part reads the whole tape, so more of them soon gain nothing.
        const MOST_PARTS: usize = 4;
        let memory = context.budget.percent(25);
        let mut frequencies = Frequencies::new(self.items.len(), memory);
        thread::scope(|scope| {
            let parts = frequencies.parts(context.threads.min(MOST_PARTS));
            let counting: Vec<_> = parts
                .into_iter()
                .map(|mut part| {
                    scope.spawn(move || {
                        self.chunks.iter().try_for_each(|chunk| {
                            self.for_each(chunk, units, &mut |_, features| part.count(features))
                        })
                    })
                })
                .collect();
            counting.into_iter().try_for_each(|part| match part.join() {
                Ok(counted) => counted,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        Ok(frequencies)
    }
}

/// Chooses the prefix of one unit after the other.
struct Chooser<'r> {
    frequencies: &'r Frequencies,
    rule: PrefixRule<'r>,
    /// The features of a unit that others may have, each after its frequency.
    shared: Vec<(u8, u32)>,
    postings: Vec<PrefixPosting>,
    cost: PrefixCost,
}

impl<'r> Chooser<'r> {
    fn new(frequencies: &'r Frequencies, rule: PrefixRule<'r>) -> Self {
        Chooser {
            frequencies,
            rule,
            shared: Vec::new(),
            postings: Vec::new(),
            cost: PrefixCost::default(),
        }
    }

    fn begin(&mut self) {
        self.cost = PrefixCost::default();
    }

    fn choose(&mut self, unit: UnitId, features: &[u32]) {
        let prefix = self.rule.prefix(features.len());
        // What occurs nowhere else comes first in the order. If it fills the prefix, no pair can be missed.
        let lone = self.frequencies.lone(features);
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
        for (place, &(count, feature)) in self.shared.iter().enumerate() {
            self.postings
                .push(PrefixPosting::new(feature, unit, lone + place));
            self.cost.postings += 1;
            // A pair has two units: each counts its half of the pairs.
            self.cost.proposals += u64::from(count / 2);
        }
    }
}
