//! Weigh the words of all texts, once all are known, and make the keys that depend on it.
//!
//! In: the words of every unit, taped when it was signed. Out: what they weigh; and the postings of every unit that
//! stands for its group. The texts are not read again.

use std::sync::Arc;

use lookalike_pair::join::Posting;
use lookalike_pair::spill::Spool;
use lookalike_sign::keys::{Frequencies, Sketch};
use lookalike_sign::weights::{TermCounts, TermTable, TermWeights};
use lookalike_sign::{Features, Key, Keys};
use lookalike_text::{Unit, UnitId};

use super::Context;
use super::chunks::Chunk;
use super::collapse::Groups;
use super::describe::Described;
use super::sign::Signed;
use crate::Error;
use crate::bits::Bits;
use crate::budget::Budget;
use crate::plan::Plan;
use crate::spec::KeysSpec;
use lookalike_pair::workers::{Flow, Pulled, a_thread_each, in_order, in_parallel};

/// The words of all units, unit after unit.
struct TermTape<'t> {
    terms: &'t Spool<u64>,
    sizes: Vec<u32>,
    chunks: Vec<Chunk>,
}

impl<'t> TermTape<'t> {
    fn new(terms: &'t Spool<u64>, counts: &Spool<u32>) -> Result<Self, Error> {
        let sizes = counts.read_all()?;
        Ok(TermTape {
            terms,
            chunks: Chunk::of_sizes::<u64>(&sizes),
            sizes,
        })
    }

    /// Tells the words of every unit of a chunk that has any.
    fn for_each(
        &self,
        chunk: &Chunk,
        read: &mut Vec<u64>,
        each: &mut impl FnMut(UnitId, &[u64]),
    ) -> Result<(), Error> {
        chunk.for_each((self.terms, &self.sizes), read, each)
    }

    /// In how many units each word occurs.
    fn count(&self, context: &Context<'_>) -> Result<TermCounts, Error> {
        let Some(counted) = self.count_all(context)? else {
            // Too many: those that occur once, which are most, are not stored.
            return self.count_shared(context);
        };
        let mut counted = counted.into_iter();
        let mut merged = counted.next().unwrap_or_default();
        for tables in counted {
            let both = merged.iter_mut().zip(tables);
            a_thread_each(both, |(table, other)| table.merge(other));
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
        let mut frequencies = Frequencies::new(self.terms.len(), memory);
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

/// In a small corpus larger buckets are compared in full, as long as all together have no more pairs than this, and none
/// more units than that.
const PAIRS_IN_ALL: u64 = 2_000_000;
const LARGEST: u64 = 512;

/// The plan with the words of the corpus weighed, and what memory they leave.
pub(crate) fn weigh(context: &Context<'_>, signed: &Signed) -> Result<(Plan, Budget), Error> {
    let counts = TermTape::new(&signed.terms, &signed.term_counts)?.count(context)?;
    let (mut plan, mut budget) = (context.plan.clone(), context.budget);
    let collection = plan.background.collection.clone();
    let weights = Arc::new(TermWeights::new(context.spec.weights, counts, collection));
    budget.hold(weights.memory_bytes(), weights.terms())?;
    plan.set_weights(&weights);
    if context.spec.keys.bucket_limit == KeysSpec::default().bucket_limit {
        let affordable = (PAIRS_IN_ALL / signed.counts.units.max(1)).min(LARGEST);
        plan.buckets.limit = plan.buckets.limit.max(affordable as usize);
    }
    Ok((plan, budget))
}

/// Makes the keys of the units that stand for their group, where units are found by keys.
pub(crate) fn key(
    context: &Context<'_>,
    signed: &mut Signed,
    groups: &Groups,
) -> Result<(), Error> {
    let plan = context.plan;
    let keys = plan.probes.iter().find_map(|probe| probe.keys.as_deref());
    let (Some(keys), Some(weights)) = (keys, plan.background.weights.as_deref()) else {
        return Ok(());
    };
    let (postings, sketches) = (&signed.postings, &mut signed.sketches);
    let tape = TermTape::new(&signed.terms, &signed.term_counts)?;
    let mut next = 0;
    in_order(
        context.threads,
        || {
            Ok(Keyer {
                chunk: 0,
                read: Vec::new(),
                features: Features::default(),
                keys: Vec::new(),
            })
        },
        |keyer: &mut Keyer| {
            Ok(Pulled::number(
                &mut next,
                &mut keyer.chunk,
                tape.chunks.len(),
            ))
        },
        |keyer| keyer.key(&tape, (keys, weights), groups),
        |keyed: Keyed| {
            postings.extend(keyed.postings)?;
            if plan.sieve.is_some() {
                sketches.append(&keyed.sketches)?;
            }
            Ok(Flow::Continue)
        },
    )
}

/// A worker that makes keys.
struct Keyer {
    chunk: usize,
    read: Vec<u64>,
    features: Features,
    keys: Vec<Key>,
}

/// The keys of a chunk, and a sketch a unit.
struct Keyed {
    postings: Vec<Posting>,
    sketches: Vec<Sketch>,
}

impl Keyer {
    fn key(
        &mut self,
        tape: &TermTape<'_>,
        (keys, weights): (&dyn Keys, &TermWeights),
        groups: &Groups,
    ) -> Result<Keyed, Error> {
        let chunk = &tape.chunks[self.chunk];
        let mut out = Keyed {
            postings: Vec::new(),
            sketches: vec![0; chunk.units.len()],
        };
        let (features, made) = (&mut self.features, &mut self.keys);
        tape.for_each(chunk, &mut self.read, &mut |unit, terms| {
            if !groups.is_first(unit) {
                return;
            }
            weights.features(terms, features);
            made.clear();
            let sketch = keys.keys_and_sketch(features, made);
            out.sketches[unit.index() - chunk.units.start] = sketch;
            let postings = made.iter().map(|&key| Posting::new(key, unit));
            out.postings.extend(postings);
        })?;
        Ok(out)
    }
}

/// Describes the wanted units by their taped words, without reading them again, and hands on what the measure keeps of
/// them, chunk by chunk.
pub(crate) fn describe_taped(
    context: &Context<'_>,
    signed: &Signed,
    wanted: &Bits,
    mut each: impl FnMut(&Described) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let plan = context.plan;
    let Some(weights) = plan.background.weights.as_deref() else {
        return Err(Error::Internal("words were not weighed".to_string()));
    };
    let tape = TermTape::new(&signed.terms, &signed.term_counts)?;
    let mut next = 0;
    in_order(
        context.threads,
        || {
            let keeper = plan.measure.keeper(&plan.background)?;
            Ok((0, Vec::new(), Features::default(), keeper))
        },
        |(mine, ..)| {
            let has_any =
                |chunk: &Chunk| wanted.any(chunk.units.start as u32, chunk.units.len() as u32);
            while tape.chunks.get(next).is_some_and(|chunk| !has_any(chunk)) {
                next += 1;
            }
            Ok(Pulled::number(&mut next, mine, tape.chunks.len()))
        },
        |(mine, read, features, keeper)| {
            let mut out = Described::new(0);
            tape.for_each(&tape.chunks[*mine], read, &mut |unit, terms| {
                if wanted.contains(unit.get()) {
                    weights.features(terms, features);
                    out.add(unit, |kept| {
                        keeper.keep(&Unit::whole(unit, ""), features, kept);
                    });
                }
            })?;
            Ok(out)
        },
        |described| {
            each(&described)?;
            Ok(Flow::Continue)
        },
    )
}
