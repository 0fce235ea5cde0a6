//! Weigh the words of all texts, once all are known, and make the keys that depend on it.
//!
//! In: the words of every unit, taped when it was signed. Out: what they weigh; and the postings of every unit that
//! stands for its group. The texts are not read again.

use lookalike_kernel::{Kernel, Signer, Statistics};
use lookalike_pair::join::Posting;
use lookalike_pair::workers::{Pulled, a_thread_each, in_order, in_parallel};
use lookalike_sign::keys::{Frequencies, Sketch};
use lookalike_sign::weights::{TermCounts, TermTable, TermWeights};
use lookalike_text::{Unit, UnitId};

use super::collapse::Groups;
use super::reread::Described;
use super::sign::Signed;
use super::tape::{Chunk, Tape};
use super::{Context, UnitsMut};
use crate::Error;
use crate::bits::Bits;
use crate::budget::Budget;

/// The words of all units.
impl Tape<'_, u64> {
    /// In how many units each word occurs.
    fn count(&self, context: &Context<'_>) -> Result<TermCounts, Error> {
        let Some(counted) = self.count_all(context)? else {
            // Too many: those that occur once, which are most, are not stored.
            return self.count_shared(context);
        };
        let mut counted = counted.into_iter();
        let mut merged = counted.next().unwrap_or_default();
        for tables in counted {
            a_thread_each(merged.iter_mut().zip(tables), |(table, other)| {
                table.merge(other);
            });
        }
        Ok(TermCounts::new(merged))
    }

    /// The counts of some chunks a thread; none if they take too much memory.
    fn count_all(&self, context: &Context<'_>) -> Result<Option<Vec<Vec<TermTable>>>, Error> {
        // Growing and merging take as much again.
        let room = context.budget.percent(30) / 2 / context.threads;
        let tables = context.threads;
        let counted = in_parallel(&self.chunks, context.threads, |chunks| {
            let mut counted: Vec<TermTable> = (0..tables).map(|_| TermTable::default()).collect();
            let (mut read, mut sorted) = (Vec::new(), Vec::new());
            for chunk in chunks {
                self.for_each(chunk, &mut read, &mut |_, terms| {
                    for_each_distinct(terms, &mut sorted, |term| {
                        counted[TermCounts::table_of(term, tables)].count(term);
                    });
                })?;
                if counted.iter().map(TermTable::memory_bytes).sum::<usize>() > room {
                    return Ok(None);
                }
            }
            Ok(Some(counted))
        });
        counted.into_iter().collect()
    }

    /// The counts of words that two units have: each thread looks at all units for the words of its table.
    fn count_shared(&self, context: &Context<'_>) -> Result<TermCounts, Error> {
        let shared = self.shared(context)?;
        let tables: Vec<usize> = (0..context.threads).collect();
        let counted = in_parallel(&tables, context.threads, |mine| {
            let count = |&mine: &usize| {
                let mut table = TermTable::default();
                let (mut read, mut sorted) = (Vec::new(), Vec::new());
                for chunk in &self.chunks {
                    self.for_each(chunk, &mut read, &mut |_, terms| {
                        for_each_distinct(terms, &mut sorted, |term| {
                            if TermCounts::table_of(term, tables.len()) != mine {
                            } else if shared.of(upper(term)) == 1 {
                                table.pass_over(term);
                            } else {
                                table.count(term);
                            }
                        });
                    })?;
                }
                Ok::<_, Error>(table)
            };
            mine.iter().map(count).collect::<Result<Vec<_>, Error>>()
        });
        let tables: Result<Vec<Vec<TermTable>>, Error> = counted.into_iter().collect();
        Ok(TermCounts::new(tables?.into_iter().flatten().collect()))
    }

    /// About how often each word occurs, never too few times.
    fn shared(&self, context: &Context<'_>) -> Result<Frequencies, Error> {
        let memory = context.budget.percent(20);
        let mut frequencies = Frequencies::new(self.items.len(), memory);
        let (mut read, mut short) = (Vec::new(), Vec::new());
        for mut part in frequencies.parts(1) {
            for chunk in &self.chunks {
                self.for_each(chunk, &mut read, &mut |_, terms| {
                    short.clear();
                    short.extend(terms.iter().map(|&term| upper(term)));
                    part.count(&short);
                })?;
            }
        }
        Ok(frequencies)
    }
}

fn upper(term: u64) -> u32 {
    (term >> 32) as u32
}

/// Tells each distinct word once.
fn for_each_distinct(terms: &[u64], sorted: &mut Vec<u64>, mut each: impl FnMut(u64)) {
    /// In a message it is quicker to look whether a word stood before than to sort.
    const SHORT: usize = 40;
    if terms.len() <= SHORT {
        for (place, &term) in terms.iter().enumerate() {
            if !terms[..place].contains(&term) {
                each(term);
            }
        }
        return;
    }
    sorted.clear();
    sorted.extend_from_slice(terms);
    sorted.sort_unstable();
    sorted.dedup();
    sorted.iter().for_each(|&term| each(term));
}

/// The kernel with the words of the corpus weighed, and what memory they leave.
pub(crate) fn weigh(context: &Context<'_>, signed: &Signed) -> Result<(Kernel, Budget), Error> {
    let counts = Tape::of(&signed.columns.terms)?.count(context)?;
    let mut budget = context.budget;
    let collection = context.plan().background.collection.clone();
    let weights = TermWeights::new(
        context.spec().weights.unwrap_or_default(),
        counts,
        collection,
    );
    budget.hold(weights.memory_bytes(), weights.terms())?;
    let kernel = context
        .kernel
        .clone()
        .with(Statistics::of_weights(weights))?;
    Ok((kernel, budget))
}

/// Makes the keys of the units that stand for their group, where units are found by keys.
pub(crate) fn key(context: &Context<'_>, all: &mut UnitsMut<'_>) -> Result<(), Error> {
    let plan = context.plan();
    if plan.probes.iter().all(|probe| probe.keys.is_none()) {
        return Ok(());
    }
    let (columns, groups) = (&mut all.signed.columns, all.groups);
    let (postings, sketches) = (&columns.postings, &mut columns.sketches);
    let tape = Tape::of(&columns.terms)?;
    let mut left_out: u64 = 0;
    for_each_chunk(
        (context, &tape),
        |_| true,
        |taped, chunk| taped.key(&tape, chunk, groups),
        |keyed: Keyed| {
            left_out = left_out.saturating_add(keyed.left_out);
            postings.extend(keyed.postings)?;
            if plan.sieve.is_some() {
                sketches.append(&keyed.sketches)?;
            }
            Ok(())
        },
    )?;
    all.signed.counts.not_looked_up = left_out;
    Ok(())
}

/// Works on the chunks of a tape that are wanted, in any thread, and commits what they come to in order.
fn for_each_chunk<R: Send>(
    (context, tape): (&Context<'_>, &Tape<'_, u64>),
    is_wanted: impl Fn(&Chunk) -> bool + Sync,
    work: impl Fn(&mut Taped, &Chunk) -> Result<R, Error> + Sync,
    commit: impl FnMut(R) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let (chunks, mut next) = (&tape.chunks, 0);
    in_order(
        context.threads,
        || {
            let taped = Taped {
                read: Vec::new(),
                signer: context.kernel.signer()?,
            };
            Ok((0, taped))
        },
        |(mine, _): &mut (usize, Taped)| {
            while chunks.get(next).is_some_and(|chunk| !is_wanted(chunk)) {
                next += 1;
            }
            Ok(Pulled::number(&mut next, mine, chunks.len()))
        },
        |(mine, taped)| {
            context.go_on()?;
            work(taped, &chunks[*mine])
        },
        commit,
    )
}

/// A worker on taped words.
struct Taped {
    read: Vec<u64>,
    signer: Signer,
}

/// The keys of a chunk, and a sketch per unit.
struct Keyed {
    postings: Vec<Posting>,
    sketches: Vec<Sketch>,
    /// Pairs that no key finds, at the most.
    left_out: u64,
}

impl Taped {
    fn key(
        &mut self,
        tape: &Tape<'_, u64>,
        chunk: &Chunk,
        groups: &Groups,
    ) -> Result<Keyed, Error> {
        let mut out = Keyed {
            postings: Vec::new(),
            sketches: vec![0; chunk.units as usize],
            left_out: 0,
        };
        let signer = &mut self.signer;
        tape.try_for_each(chunk, &mut self.read, &mut |unit, terms| {
            if !groups.is_first(unit) {
                return Ok(());
            }
            signer.weigh(terms)?;
            let (keys, sketched) = signer.keys(0);
            out.sketches[unit.index() - chunk.first.index()] = sketched.sketch;
            out.left_out += sketched.left_out;
            let postings = keys.iter().map(|&key| Posting::new(key, unit));
            out.postings.extend(postings);
            Ok(())
        })?;
        Ok(out)
    }

    fn describe(
        &mut self,
        tape: &Tape<'_, u64>,
        chunk: &Chunk,
        wanted: &Bits<UnitId>,
    ) -> Result<Described<UnitId, u64>, Error> {
        let mut out = Described::new(0);
        let signer = &mut self.signer;
        tape.try_for_each(chunk, &mut self.read, &mut |unit, terms| {
            if wanted.contains(unit) {
                signer.weigh(terms)?;
                out.add(unit, |kept| {
                    Ok(signer.keep_weighed(&Unit::whole(unit, ""), kept)?)
                })?;
            }
            Ok(())
        })?;
        Ok(out)
    }
}

/// Describes the wanted units by their taped words, without reading them again, and hands on what the measure keeps of
/// them, chunk by chunk.
pub(crate) fn describe_taped(
    context: &Context<'_>,
    signed: &Signed,
    wanted: &Bits<UnitId>,
    mut each: impl FnMut(&Described<UnitId, u64>) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let tape = Tape::of(&signed.columns.terms)?;
    for_each_chunk(
        (context, &tape),
        |chunk| wanted.any(chunk.first, chunk.units),
        |taped, chunk| taped.describe(&tape, chunk, wanted),
        |described| each(&described),
    )
}
