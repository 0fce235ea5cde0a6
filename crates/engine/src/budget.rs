//! How the memory is shared out. None of it can be seen in the result.

use lookalike_kernel::{Keep, Kernel, Spec};
use lookalike_pair::nearest::Frequencies;
use lookalike_sign::keys::Sketch;
use lookalike_text::{Chinese, UnitId};

use crate::Error;
use crate::corpus::Corpus;
use crate::run::RunOptions;
use crate::source::Block;
use crate::stages::LARGE_BLOCK;

/// What a run may hold beside what stays resident.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    /// In bytes, to be shared out.
    pub(crate) total: usize,
    /// How many partitions a shuffle has: a function of the input's size alone.
    pub(crate) partitions: usize,
    /// How many units it has room for beside that.
    units: u64,
    /// What the run is allowed, in bytes.
    given: u64,
    /// What is needed whatever the number of units, and what stays resident per unit.
    working: u64,
    resident: u64,
    /// What is known of words.
    held: u64,
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
        self.held += bytes as u64;
        Ok(())
    }

    /// The same with room for so many units, or a refusal.
    fn with_room_for(self, units: u64) -> Result<Budget, Error> {
        if self.given < self.needed(units) {
            return Err(self.refusal(units));
        }
        let taken = self.working + units * self.resident + self.held;
        Ok(Budget {
            total: (self.given - taken) as usize,
            units,
            ..self
        })
    }

    /// The least that so many units need.
    fn needed(self, units: u64) -> u64 {
        let fixed = self.working + units * self.resident;
        // At least as much again for what is being sorted.
        fixed + (fixed / 4).max(2 * self.held)
    }

    /// Says what so many units need.
    pub(crate) fn refusal(self, units: u64) -> Error {
        Error::Budget {
            given: self.given,
            needed: self.needed(units).next_multiple_of(1_000_000) + 1_000_000,
            records: units,
            resident: self.resident,
        }
    }

    /// Makes room for units that were not expected, of which there are so many by now and may be more to come: the share
    /// of the memory that is left to all else; none where there is room enough. A refusal says only what these need.
    pub(crate) fn make_room(&mut self, units: u64) -> Result<Option<f64>, Error> {
        if units <= self.units {
            return Ok(None);
        }
        let with_more = self.with_room_for(units + units / 8);
        let grown = with_more.or_else(|_| self.with_room_for(units))?;
        let share = grown.total as f64 / self.total.max(1) as f64;
        *self = grown;
        Ok(Some(share))
    }

    /// Ends a run if a row of the result with so many members is too large for the memory, given how long ids are.
    pub(crate) fn check_row(self, members: usize, id_bytes: usize) -> Result<(), Error> {
        /// The number of a member three times over, where its id is, and the id in the list of them and in the row.
        const MEMBER_BYTES: usize = 37;
        let row = members * (MEMBER_BYTES + 2 * id_bytes);
        if row <= self.total {
            return Ok(());
        }
        let needed = self.given + (row - self.total) as u64;
        Err(Error::LargeCluster {
            members: members as u64,
            needed: needed.next_multiple_of(1_000_000),
        })
    }

    /// Ends a run before it describes a text that is too large for the memory.
    pub(crate) fn check_text(self, bytes: usize) -> Result<(), Error> {
        let beyond = (bytes as u64).saturating_sub(DESCRIBED_IN_WORKING_ROOM);
        let at_once = 20 * beyond.min(LARGE_BLOCK as u64);
        let described = at_once.max(14 * beyond);
        let needed = self.working + self.units * self.resident + self.held + described;
        if beyond == 0 || needed <= self.given {
            return Ok(());
        }
        Err(Error::LargeText {
            given: self.given,
            bytes: bytes as u64,
            needed: needed.next_multiple_of(1_000_000),
        })
    }

    /// A part of the budget in percent.
    pub(crate) fn percent(self, percent: usize) -> usize {
        self.total / 100 * percent
    }
}

/// Room for the program, the blocks being worked on and the descriptions of one large record.
const WORKING_ROOM: u64 = 40_000_000;
const WORKING_ROOM_A_THREAD: u64 = 8_000_000;
/// So large a text is described in the working room; a larger one takes 14 times what is beyond that, and 20 times where
/// another may be described beside it (measured).
const DESCRIBED_IN_WORKING_ROOM: u64 = 1_000_000;
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
    // How many words it has.
    let of_words = plan.near.map_or(0, |_| 4);
    // How many words it has, and who takes it.
    let of_weights = if plan.weighs { 8 } else { 0 };
    // How common terms are, twice over, and how many each has.
    let of_top = spec.top.map_or(0, |_| Frequencies::BYTES + 16);
    let of_units = of_model + of_sieve + of_lengths + of_words + of_weights + of_top;
    let resident = resident_bytes(corpus, spec) + of_units;
    let dictionary = match plan.background.text.chinese() {
        Chinese::Words => DICTIONARY,
        Chinese::Characters => 0,
    };
    let working = WORKING_ROOM + dictionary + WORKING_ROOM_A_THREAD * options.threads as u64;
    // About a record in a hundred bytes: short texts are the worst case. Their words have six bytes each.
    let keys = plan.probes.iter().filter_map(|probe| probe.keys.as_ref());
    let most_keys = keys.map(|keys| keys.most_keys()).sum();
    let postings = corpus.bytes() / 100 * plan.route.most_postings(most_keys, 100 / 6) as u64 * 12;
    let partitions = (postings / 32_000_000).next_power_of_two().clamp(16, 1024);
    let empty = Budget {
        total: 0,
        partitions: partitions as usize,
        units: 0,
        given: options.memory,
        working,
        resident,
        held: 0,
    };
    empty.with_room_for(units)
}

/// How many units there are, up to `--limit`: what a budget is refused for that turns out too small.
pub(crate) fn count_units(corpus: &Corpus<'_>, spec: &Spec) -> Result<u64, Error> {
    let (mut pass, mut block) = (corpus.pass(), Block::default());
    let (mut left, mut units) = (spec.limit.unwrap_or(u64::MAX), 0);
    while let Some(part) = pass.next_block(&mut block)? {
        let most = if part == 0 { left } else { u64::MAX };
        let counted = count_block(corpus, &block, most)?;
        units += counted.1;
        if part == 0 {
            left -= counted.0;
            if left == 0 {
                pass.skip_input();
            }
        }
    }
    Ok(units)
}

/// How many records a block has, of the first so many, and how many units these are split into.
fn count_block(corpus: &Corpus<'_>, block: &Block, most: u64) -> Result<(u64, u64), Error> {
    let is_split = !corpus.is_whole();
    let (mut splitter, mut units) = (corpus.splitter(), 0);
    let is_counted = |slot: u32| is_split && u64::from(slot) < most;
    let slots = block.decode(&mut |slot| is_counted(slot), &mut |slot, record| {
        if let (true, Ok(record)) = (is_counted(slot), record) {
            units += u64::from(splitter.split(UnitId::from(0), &record, &mut |_| {}));
        }
    })?;
    let records = u64::from(slots).min(most);
    Ok((records, if is_split { units } else { records }))
}

/// About how many records there are and how many units they are split into, judged by the first block.
fn estimated_counts(corpus: &Corpus<'_>) -> Result<(u64, u64), Error> {
    let mut pass = corpus.pass();
    let mut block = Block::default();
    if pass.next_block(&mut block)?.is_none() {
        return Ok((0, 0));
    }
    let (records, units) = count_block(corpus, &block, u64::MAX)?;
    let read = pass.bytes_read().max(1);
    let in_all = |count: u64| (count as f64 * corpus.bytes().max(read) as f64 / read as f64) as u64;
    Ok((in_all(records), in_all(units)))
}
