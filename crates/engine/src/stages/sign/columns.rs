//! What signing keeps of units and records: the columns of a run.
//!
//! Another column is another entry, and a line in `block.rs` that says what its values are.

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::{Keep, Plan, Route};
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_pair::spill::{Item, Shuffle, Spill, Spool};
use lookalike_sign::keys::Sketch;
use lookalike_sign::neighbours::RunningWord;
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::column::{
    Column, ListColumn, Lists, Marked, Numbered, OfBlock, Several, Values, columns,
};
use crate::corpus::Tally;
use crate::ids::Ids;
use crate::stages::Context;

columns! {
    /// What signing keeps of units and records.
    Columns, BlockColumns, context;

    of units by UnitId, open_unit {
        /// The keys of units, or all their features.
        postings: Shuffle<Posting> = context.by_hash("postings", shares(context).postings), Vec::new();

        /// Under each probe 32 bits of every distinct feature, where prefixes are to be chosen; or how many there are.
        probed: Several<ListColumn<u32>> = probes(context, |probes| ListColumn {
            items: Spool::new("tape", context.folder, context.budget.percent(shares(context).tapes) / probes),
            sizes: Spool::new("sizes", context.folder, context.budget.percent(1) / probes),
        }), probes(context, |_| Lists::kept_if(has_sizes(context.plan())));

        /// The words of every unit in order, where they are weighed later.
        terms: ListColumn<u64> = ListColumn {
            items: context.spool("terms", 26),
            sizes: context.spool("term-counts", 1),
        }, Lists::kept_if(context.plan().weighs);

        /// The words of every unit in order, where documents are found by neighbouring ones.
        words: ListColumn<RunningWord> = ListColumn {
            items: context.spool("words", 15),
            sizes: context.spool("word-counts", 1),
        }, Lists::kept_if(context.plan().near.is_some());

        /// What tells pairs that share a key by chance, where the plan has a sieve. With weights they are made later.
        sketches: Spool<Sketch> = context.spool("sketches", 1),
            Values::kept_if(has_sketches(context.plan()));

        /// How long sentences are, in about words, where a long one is enough to compare documents.
        lengths: Spool<u16> = context.spool("lengths", 1),
            Values::kept_if(context.spec().job.locates_passages() && has_sketches(context.plan()));

        /// The digests of units with features, by which identical ones are found.
        digests: Shuffle<Digest> = context.by_hash("digests", 6), Vec::new();

        /// The values by which units are ranked, where the keep rule needs them.
        rank_values: Spool<u64> = context.spool("rank-values", 1), Values::kept_if(ranks_by_value(context));

        /// What units must have in common to take each other, where something is asked for.
        keep_per: Spool<u64> = context.spool("keep-per", 1), Values::kept_if(context.corpus.asks_for_common());

        /// The units of rejected records, where something is said of all others.
        rejected: Marked = Marked(context.spool("rejected-units", 1)), Vec::new();

        /// The units that are from lists of references.
        references: Marked = Marked(context.spool("references", 1)), Vec::new();
    }

    of records by RecordId, open_record {
        /// How many units each record is split into, where that is not simply one.
        unit_counts: Spool<u32> = context.spool("unit-counts", 1), Values::kept_if(!context.corpus.is_whole());

        /// The hashes of ids, by which equal ones are found.
        id_hashes: Shuffle<RecordPosting> = context.by_hash("id-hashes", 4), Vec::new();

        /// The hashes of ids that look like the names given to repeated ones.
        numbered_ids: Shuffle<RecordPosting> = context.by_hash("numbered-ids", 1), Vec::new();

        /// Where they stand: the line, or the number of the file.
        lines: Spool<u64> = context.spool("lines", 1), Values::kept_if(true);

        /// How many characters and how many bytes they have.
        sizes: Spool<[u32; 2]> = context.spool("text-sizes", 1), Values::kept_if(true);

        /// How many answers they carry, where that is counted.
        answers: Spool<u32> = context.spool("answer-counts", 1), Values::kept_if(context.corpus.counts_answers());

        ids: Ids = Ids::new("ids", context.folder, context.budget.percent(6)), Lists::kept_if(context.corpus.has_ids());

        /// What they are from, where a field says it.
        sources: Ids = Ids::new("sources", context.folder, context.budget.percent(1)),
            Lists::kept_if(context.corpus.has_sources());

        titles: Ids = Ids::new("titles", context.folder, context.budget.percent(2)),
            Lists::kept_if(context.corpus.has_titles());

        dates: Ids = Ids::new("dates", context.folder, context.budget.percent(1)),
            Lists::kept_if(context.corpus.has_dates());
    }
}

/// The digest of a unit's features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Digest {
    digest: [u32; 4],
    pub(crate) unit: UnitId,
}

impl Digest {
    pub(super) fn new(digest: u128, unit: UnitId) -> Self {
        let part = |shift: u32| (digest >> shift) as u32;
        Digest {
            digest: [part(96), part(64), part(32), part(0)],
            unit,
        }
    }

    pub(crate) fn same_text(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Item for Digest {
    fn place(&self) -> u32 {
        self.digest[0]
    }
}

impl Numbered for Digest {
    type Of = UnitId;

    fn number(self) -> UnitId {
        self.unit
    }

    fn renumbered(self, unit: UnitId) -> Self {
        Digest { unit, ..self }
    }
}

/// One a probe, given how many there are.
fn probes<T>(context: &Context<'_>, make: impl Fn(usize) -> T) -> Several<T> {
    let probes = context.plan().probes.len();
    Several((0..probes).map(|_| make(probes)).collect())
}

/// What keys and tapes have of the memory, in percent.
struct Shares {
    postings: usize,
    tapes: usize,
}

fn shares(context: &Context<'_>) -> Shares {
    let (postings, tapes) = if context.plan().weighs {
        // The words themselves are the tape.
        (35, 0)
    } else if context.plan().model.is_some() {
        // There are no postings beside them, and they are looked at once more when pairs are joined.
        (20, 40)
    } else if context.spec().job.exact_units() < u64::MAX {
        // They are given up before they are many.
        (40, 5)
    } else {
        (20, 25)
    };
    Shares { postings, tapes }
}

fn has_sketches(plan: &Plan) -> bool {
    plan.sieve.is_some() && !plan.weighs
}

fn has_sizes(plan: &Plan) -> bool {
    plan.route.needs_prefixes() || matches!(plan.route, Route::Terms { .. })
}

fn ranks_by_value(context: &Context<'_>) -> bool {
    matches!(
        context.spec().keep,
        Keep::Longest | Keep::More | Keep::Field(_)
    )
}
