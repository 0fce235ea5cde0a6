//! The stages of a run, one file each, in the order in which they run.

mod align;
mod assemble;
mod chunks;
mod classes;
mod collapse;
mod count;
mod counted;
mod describe;
mod exact;
mod gather;
mod hot;
mod join;
mod pages;
mod select;
mod sign;
mod verify;
mod weigh;

pub(crate) use align::{Located, LocatedPassage, Place, SavedLocated, SharedPair, align};
pub(crate) use assemble::{Assembled, Member, assemble};
pub(crate) use classes::Classes;
pub(crate) use collapse::{Groups, check_ids, collapse};
pub(crate) use count::{Counting, counters, counting_failed};
pub(crate) use counted::join_counted;
pub(crate) use describe::{
    Described, Keeping, Reread, SavedStore, Store, Window, describe, describe_again, in_pairs,
    reread, text_of,
};
pub(crate) use exact::{ByTerm, by_term, by_unit, standing};
pub(crate) use gather::{Gathered, gather, record_pairs};
pub(crate) use hot::HotBuckets;
pub(crate) use join::{Candidates, SavedCandidates, join, join_prefixes};
pub(crate) use pages::Texts;
pub(crate) use select::{Selected, select};
pub(crate) use sign::{Counts, SavedSigned, Signed, sign, sign_keys};
pub(crate) use verify::{SavedVerified, Verified, verify};
pub(crate) use weigh::{key, weigh};

use std::sync::Arc;
use std::time::Instant;

use lookalike_kernel::{Kernel, Plan, Spec};
use lookalike_pair::spill::Folder;

use crate::Error;
use crate::budget::Budget;
use crate::corpus::Corpus;
use crate::observe::{Observer, Stage};
use crate::rank::Ranks;
use crate::resume::go_on;

/// Two blocks above this size are never worked on at once.
const LARGE_BLOCK: usize = 8 << 20;

/// What every stage is given.
pub(crate) struct Context<'r> {
    pub(crate) kernel: &'r Kernel,
    pub(crate) corpus: &'r Corpus<'r>,
    /// Where what does not fit in memory goes.
    pub(crate) folder: &'r Arc<Folder>,
    pub(crate) threads: usize,
    pub(crate) strict: bool,
    pub(crate) budget: Budget,
    pub(crate) observer: &'r dyn Observer,
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

    /// Runs a stage under its name and says how long it took.
    pub(crate) fn timed<T>(
        &self,
        stage: Stage,
        total: u64,
        timings: &mut Vec<(&'static str, f64)>,
        run: impl FnOnce() -> T,
    ) -> T {
        self.observer.begin(stage, total);
        let begin = Instant::now();
        let result = run();
        timings.push((stage.name(), begin.elapsed().as_secs_f64()));
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

impl Units<'_> {
    pub(crate) fn count(&self) -> usize {
        self.signed.units()
    }

    /// The rank of the group that a unit stands for.
    pub(crate) fn rank(&self, first: lookalike_text::UnitId) -> u32 {
        self.groups.rank(first, self.ranks)
    }
}
