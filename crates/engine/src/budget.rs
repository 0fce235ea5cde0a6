//! How the memory is shared out. None of it can be seen in the result.

use lookalike_kernel::{Keep, Kernel, Spec};
use lookalike_sign::keys::Sketch;
use lookalike_text::{Chinese, UnitId};

use crate::Error;
use crate::corpus::Corpus;
use crate::run::RunOptions;
use crate::source::Block;

/// What a run may hold beside what stays resident.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// In bytes, to be shared out.
    pub(crate) total: usize,
    /// How many partitions a shuffle has: a function of the input's size alone.
    pub(crate) partitions: usize,
}

impl Budget {
    /// Sets so much aside for what is known of so many words, if that leaves enough.
    pub(crate) fn hold(&mut self, bytes: usize, terms: usize) -> Result<(), Error> {
        // While it is made it takes about as much again.
        if 2 * bytes > self.total {
            return Err(Error::LexiconMemory {
                terms,
                needed: 2 * bytes as u64 - self.total as u64,
            });
        }
        self.total -= bytes;
        Ok(())
    }

    /// A part of the budget in percent.
    pub(crate) fn percent(self, percent: usize) -> usize {
        self.total / 100 * percent
    }
}

/// Room for the program, the blocks being worked on and the descriptions of one large record.
const WORKING_ROOM: u64 = 40_000_000;
const WORKING_ROOM_A_THREAD: u64 = 8_000_000;
/// What cuts Chinese into words.
const DICTIONARY: u64 = 34_000_000;

/// What stays resident a unit: the first unit of its group, its size, its place among candidates, bits; and, for another
/// keep rule than `first`, its value, its rank, the unit at its rank and the best rank of its group.
fn resident_bytes(corpus: &Corpus<'_>, spec: &Spec) -> u64 {
    if spec.keep == Keep::First && !corpus.is_against() {
        20
    } else {
        40
    }
}

/// Shares the memory out, or refuses a budget that what stays resident does not fit in.
pub(crate) fn budget(
    corpus: &Corpus<'_>,
    kernel: &Kernel,
    options: &RunOptions,
) -> Result<Budget, Error> {
    let (spec, plan) = (kernel.spec(), kernel.plan());
    let (records, mut units) = estimated_counts(corpus)?;
    if let (Some(limit), false) = (spec.limit, corpus.is_against()) {
        units = units.div_ceil(records.max(1)) * limit.min(records);
    }
    // Of each probe of a model the size, where its features are, and how many follow the prefix; and its class.
    let of_model = plan
        .model
        .as_ref()
        .map_or(0, |_| 16 * plan.probes.len() as u64 + 1);
    let of_sieve = plan.sieve.map_or(0, |_| size_of::<Sketch>() as u64);
    let of_lengths = if spec.job.locates_passages() { 2 } else { 0 };
    // How many words it has, and who takes it.
    let of_weights = if plan.weighs { 8 } else { 0 };
    let resident = resident_bytes(corpus, spec) + of_model + of_sieve + of_lengths + of_weights;
    let dictionary = match plan.background.text.chinese() {
        Chinese::Words => DICTIONARY,
        Chinese::Characters => 0,
    };
    let working = WORKING_ROOM + dictionary + WORKING_ROOM_A_THREAD * options.threads as u64;
    let fixed = working + units * resident;
    // At least as much again for what is being sorted.
    let needed = fixed + fixed / 4;
    if options.memory < needed {
        return Err(Error::Budget {
            given: options.memory,
            needed: needed.next_multiple_of(1_000_000) + 1_000_000,
            records: units,
            resident,
        });
    }
    // About a record in a hundred bytes: short texts are the worst case. Their words have six bytes each.
    let keys = plan.probes.iter().filter_map(|probe| probe.keys.as_ref());
    let most_keys = keys.map(|keys| keys.most_keys()).sum();
    let postings = corpus.bytes() / 100 * plan.route.most_postings(most_keys, 100 / 6) as u64 * 12;
    let partitions = (postings / 32_000_000).next_power_of_two().clamp(16, 1024);
    Ok(Budget {
        total: (options.memory - fixed) as usize,
        partitions: partitions as usize,
    })
}

/// About how many records there are and how many units they are split into, judged by the first block.
fn estimated_counts(corpus: &Corpus<'_>) -> Result<(u64, u64), Error> {
    let mut pass = corpus.pass();
    let mut block = Block::default();
    if pass.next_block(&mut block)?.is_none() {
        return Ok((0, 0));
    }
    let (mut splitter, mut units) = (corpus.splitter(), 0);
    let is_split = !corpus.is_whole();
    let slots = block.decode(&mut |_| is_split, &mut |_, record| {
        if let (true, Ok(record)) = (is_split, record) {
            units += u64::from(splitter.split(UnitId::from(0), &record, &mut |_| {}));
        }
    })?;
    let records = u64::from(slots);
    let read = pass.bytes_read().max(1);
    let in_all = |count: u64| (count as f64 * corpus.bytes().max(read) as f64 / read as f64) as u64;
    let units = if is_split { units } else { records };
    Ok((in_all(records), in_all(units)))
}
