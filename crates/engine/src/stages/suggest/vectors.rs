//! Every unit as a vector, and the terms by which it is found.

use lookalike_pair::nearest::{FieldTerm, Frequencies, Idf, Lead, Ranking, Vector};
use lookalike_pair::spill::{Spill, Spool};
use lookalike_pair::workers::{Pulled, in_order};
use lookalike_text::{Unit, UnitId};

use crate::Error;
use crate::bits::Bits;
use crate::stages::exact::standing;
use crate::stages::reread::{Described, Reread};
use crate::stages::tape::Tape;
use crate::stages::{Context, Store, Units};

/// What units are compared by.
pub(super) struct Vectors {
    pub(super) vectors: Store<UnitId, u64>,
    /// The leads of all units, and how many each has.
    pub(super) leads: Spool<Lead>,
    pub(super) lead_counts: Vec<u32>,
    /// How many units have each lead.
    pub(super) frequencies: Frequencies,
}

/// Reads all units that stand for their group once more.
pub(super) fn describe(
    context: &Context<'_>,
    units: Units<'_>,
    ranking: &Ranking,
) -> Result<Vectors, Error> {
    let terms = Frequencies::new(units.count());
    let (mut counted, sizes) = count(context, units, &terms)?;
    let with_terms = Bits::of(units.count(), |unit: UnitId| sizes[unit.index()] > 0);
    let idf = Idf::new(&terms, with_terms.count());
    let mut all = Vectors {
        vectors: Store::new(context, with_terms),
        leads: context.spool("leads", 8),
        lead_counts: vec![0; units.count()],
        frequencies: Frequencies::new(units.count()),
    };
    weigh(
        context,
        &Tape::new(&counted, sizes),
        (ranking, &idf),
        &mut all,
    )?;
    counted.clear();
    all.vectors.check_complete()?;
    Ok(all)
}

/// The terms of each unit, how many there are, and how many units have each.
fn count(
    context: &Context<'_>,
    units: Units<'_>,
    terms: &Frequencies,
) -> Result<(Spool<u64>, Vec<u32>), Error> {
    let standing = standing(units)?;
    let (mut counted, mut sizes) = (context.spool("counted", 20), vec![0; units.count()]);
    Reread::of(context, units.signed, &standing)?.read(
        || {
            let mut counter = context.kernel.term_counter()?;
            Ok(move |unit: &Unit<'_>, kept: &mut Vec<u64>| {
                let begin = kept.len();
                counter.count(unit, kept);
                let own: &[FieldTerm] = bytemuck::cast_slice(&kept[begin..]);
                for same in own.chunk_by(|a, b| a.term() == b.term()) {
                    terms.count(same[0].term());
                }
                Ok(())
            })
        },
        Ok,
        |described| {
            for (unit, kept) in described.iter() {
                sizes[unit.index()] = kept.len() as u32;
            }
            Ok(counted.append(&described.kept.items)?)
        },
    )?;
    Ok((counted, sizes))
}

/// Makes vectors of counted terms.
fn weigh(
    context: &Context<'_>,
    tape: &Tape<'_, u64>,
    (ranking, idf): (&Ranking, &Idf<'_>),
    all: &mut Vectors,
) -> Result<(), Error> {
    let (chunks, mut next) = (&tape.chunks, 0);
    let Vectors {
        vectors,
        leads,
        lead_counts,
        frequencies,
    } = all;
    in_order(
        context.threads,
        || Ok((0, Vec::new())),
        |(mine, _)| Ok(Pulled::number(&mut next, mine, chunks.len())),
        |(mine, read)| {
            context.go_on()?;
            let (mut weighed, mut found_by) = (Described::new(0), Described::new(0));
            tape.try_for_each(&chunks[*mine], read, &mut |unit, counted| {
                weighed.add(unit, |kept| {
                    let begin = kept.len();
                    ranking.weigh(bytemuck::cast_slice(counted), idf, kept);
                    found_by.add(unit, |leads| {
                        ranking.leads(Vector::of(&kept[begin..]), idf, leads);
                        Ok(())
                    })
                })
            })?;
            Ok((weighed, found_by))
        },
        |(weighed, found_by): (Described<UnitId, u64>, Described<UnitId, Lead>)| {
            vectors.add(&weighed)?;
            for (unit, own) in found_by.iter() {
                lead_counts[unit.index()] = own.len() as u32;
                own.iter().for_each(|lead| frequencies.count(lead.term));
            }
            Ok::<_, Error>(leads.append(&found_by.kept.items)?)
        },
    )
}
