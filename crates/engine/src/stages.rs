//! The stages of a run, one file each, in the order in which they run.

mod align;
mod assemble;
mod classes;
mod collapse;
mod count;
mod counted;
mod describe;
mod differences;
mod exact;
mod frames;
mod gather;
mod hot;
mod join;
mod known_changes;
mod large_pages;
mod pages;
pub(crate) mod repeated;
mod reread;
mod search;
mod select;
mod sequence;
mod sign;
mod store;
mod suggest;
mod tape;
mod variants;
mod verify;
mod weigh;

pub(crate) use align::{Alignment, Located, LocatedPassage, Place, SharedPair, align};
pub(crate) use assemble::{Assembled, Member, assemble, assemble_variants};
pub(crate) use classes::Classes;
pub(crate) use collapse::{Groups, collapse};
pub(crate) use count::{Counting, counting_failed};
pub(crate) use counted::join_counted;
pub(crate) use describe::{describe, in_pairs, measured};
pub(crate) use differences::{Differences, RecordTexts, hold, units_in_pairs};
pub(crate) use exact::{Proposed, by_term, by_unit, standing};
pub(crate) use gather::{Gathered, gather, record_pairs};
pub(crate) use join::{Candidates, join, join_prefixes};
pub(crate) use pages::Texts;
pub(crate) use repeated::{Renamed, name_repeated};
pub(crate) use reread::{Described, Reread, text_of};
pub(crate) use search::search;
pub(crate) use select::{Selected, Spread, select};
pub(crate) use sequence::{Sequence, fill, for_each_group};
pub(crate) use sign::{Counts, Signed, sign, sign_keys};
pub(crate) use store::{Store, Window};
pub(crate) use suggest::{Nearest, Suggester, Suggestions, suggest};
pub(crate) use verify::{Verified, VerifiedCounts, verify};
pub(crate) use weigh::{key, weigh};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytemuck::Pod;
use lookalike_kernel::{Kernel, Plan, Spec};
use lookalike_pair::spill::{Folder, Item, Partitions, Shuffle, Spool};
use lookalike_pair::workers::Pulled;
use lookalike_text::UnitId;

use crate::Error;
use crate::budget::Budget;
use crate::corpus::Corpus;
use crate::metrics::peak_memory;
use crate::observe::{Observer, Stage};
use crate::rank::Ranks;
use crate::resume::go_on;
use crate::run::Tolerance;
use crate::source::Block;

/// Two blocks above this size are never worked on at once.
pub(crate) const LARGE_BLOCK: usize = 8 << 20;

/// What pulling a block comes to.
fn pulled(block: &Block) -> Pulled {
    if block.bytes_held() > LARGE_BLOCK {
        Pulled::LargeItem
    } else {
        Pulled::Item
    }
}

/// What every stage is given.
pub(crate) struct Context<'r> {
    pub(crate) kernel: &'r Kernel,
    pub(crate) corpus: &'r Corpus<'r>,
    /// Where what does not fit in memory goes.
    pub(crate) folder: &'r Arc<Folder>,
    pub(crate) threads: usize,
    pub(crate) tolerance: Tolerance,
    pub(crate) budget: Budget,
    pub(crate) observer: &'r dyn Observer,
    /// See [`RunOptions::spell`](crate::RunOptions).
    pub(crate) spell: fn(&str) -> String,
    /// How long each stage took, by name.
    pub(crate) seconds: &'r Mutex<Vec<(&'static str, f64)>>,
    /// The largest resident size up to the end of each stage, by name.
    pub(crate) peaks: &'r Mutex<BTreeMap<&'static str, u64>>,
}

impl<'r> Context<'r> {
    pub(crate) fn spec(&self) -> &'r Spec {
        self.kernel.spec()
    }

    pub(crate) fn plan(&self) -> &'r Plan {
        self.kernel.plan()
    }

    /// Ends with an error if the run is to end: asked where a stage has no checkpoint of its own.
    pub(crate) fn go_on(&self) -> Result<(), Error> {
        go_on(self.observer)
    }

    /// Says how much of a stage is done, and ends with an error if the run is to end.
    pub(crate) fn done(&self, amount: u64) -> Result<(), Error> {
        self.observer.done(amount);
        self.go_on()
    }

    /// A spool with so many percent of the memory.
    pub(crate) fn spool<T: Pod>(&self, name: &'static str, percent: usize) -> Spool<T> {
        Spool::new(name, self.folder, self.budget.percent(percent))
    }

    /// A shuffle with so many percent of the memory of what is sorted by hashes.
    pub(crate) fn by_hash<T: Item>(&self, name: &'static str, percent: usize) -> Shuffle<T> {
        let partitions = Partitions::of_hashes(self.budget.partitions);
        Shuffle::new(name, self.folder, partitions, self.budget.percent(percent))
    }

    /// The same for what is sorted by numbers below `count`: of units, records or ranks.
    pub(crate) fn by_number<T: Item>(
        &self,
        name: &'static str,
        count: usize,
        percent: usize,
    ) -> Shuffle<T> {
        self.by_number_in(name, count, self.budget.percent(percent))
    }

    /// The same with so many bytes of memory.
    pub(crate) fn by_number_in<T: Item>(
        &self,
        name: &'static str,
        count: usize,
        memory: usize,
    ) -> Shuffle<T> {
        let partitions = Partitions::of_units(self.budget.partitions, count);
        Shuffle::new(name, self.folder, partitions, memory)
    }

    /// Runs a stage, of which there is so much to do, and notes how long it took and what memory.
    pub(crate) fn timed<T>(&self, stage: Stage, total: u64, run: impl FnOnce() -> T) -> T {
        self.observer.begin(stage, total);
        let begin = Instant::now();
        let result = run();
        let mut seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        seconds.push((stage.name(), begin.elapsed().as_secs_f64()));
        if let Some(peak) = peak_memory() {
            let mut peaks = self.peaks.lock().unwrap_or_else(PoisonError::into_inner);
            peaks.insert(stage.name(), peak);
        }
        result
    }
}

/// The units of a run: what was read of them, which are identical, and in which order they are kept.
#[derive(Clone, Copy)]
pub(crate) struct Units<'r> {
    pub(crate) signed: &'r Signed,
    pub(crate) groups: &'r Groups,
    pub(crate) ranks: &'r Ranks,
}

/// The same while what was read can still be added to and saved.
pub(crate) struct UnitsMut<'r> {
    pub(crate) signed: &'r mut Signed,
    pub(crate) groups: &'r Groups,
    pub(crate) ranks: &'r Ranks,
}

impl UnitsMut<'_> {
    pub(crate) fn units(&self) -> Units<'_> {
        Units {
            signed: self.signed,
            groups: self.groups,
            ranks: self.ranks,
        }
    }
}

impl Units<'_> {
    pub(crate) fn count(&self) -> usize {
        self.signed.units()
    }

    /// Whether there are those of another corpus, with which the input is compared.
    pub(crate) fn is_against(&self) -> bool {
        self.signed.counts.input_units < self.signed.counts.units
    }

    /// The units of the input that stand for others with the same text.
    pub(crate) fn input_groups(&self) -> impl Iterator<Item = UnitId> {
        let end = match self.is_against() {
            true => self.signed.first_unit_against(),
            false => UnitId::NONE,
        };
        self.groups.with_copies().filter(move |&first| first < end)
    }

    /// The rank of the group that a unit stands for.
    pub(crate) fn rank(&self, first: UnitId) -> u32 {
        self.groups.rank(first, self.ranks)
    }
}
