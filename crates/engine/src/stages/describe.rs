//! Read the candidates again and store what the measure needs of them, so that each is described once however many pairs
//! it is in.

use lookalike_text::{Unit, UnitId};

use super::Context;
use super::join::Candidates;
use super::reread::Reread;
use super::sign::Signed;
use super::store::Store;
use super::weigh::describe_taped;
use crate::Error;
use crate::bits::Bits;
use crate::resume::{Checkpointed, Work};

/// All units that are in a pair, or in a hot bucket: later rounds compare these, too.
pub(crate) fn in_pairs(units: usize, candidates: &Candidates) -> Result<Bits<UnitId>, Error> {
    let (pairs, mut members) = (&candidates.pairs, candidates.hot.units(units)?);
    // Some at a time: there may be any number of them.
    for partition in 0..pairs.partitions() {
        pairs.visit(partition, |some| {
            for pair in some {
                members.insert(pair.lo());
                members.insert(pair.hi());
            }
        })?;
    }
    Ok(members)
}

/// Keeps what the measure needs of a unit.
pub(crate) fn measured(
    context: &Context<'_>,
) -> Result<impl FnMut(&Unit<'_>, &mut Vec<u64>) -> Result<(), Error> + use<>, Error> {
    let mut signer = context.kernel.signer()?;
    Ok(move |unit: &Unit<'_>, kept: &mut Vec<u64>| Ok(signer.keep(unit, kept)?))
}

/// Describes these units, continuing where the manifest of `work` ends.
pub(crate) fn describe(
    context: &Context<'_>,
    members: Bits<UnitId>,
    (signed, candidates): (&mut Signed, &mut Candidates),
    work: &mut Work<'_>,
) -> Result<Store<UnitId, u64>, Error> {
    let mut store = Store::new(context, members);
    if let Some(saved) = work.manifest.described.clone() {
        store = store.restore(saved)?;
    }
    let members = store.members().clone();
    if context.plan().weighs && !context.plan().measure.describes_units() {
        describe_taped(context, signed, &members, |described| store.add(described))?;
    } else {
        let reread = Reread::of(context, signed, &members)?;
        let reread = reread.starting_at(store.blocks_done);
        reread.read(
            || measured(context),
            Ok,
            |described| {
                store.add(&described)?;
                if work.is_due() {
                    work.save_joined(signed, candidates)?;
                    work.manifest.described = Some(store.save()?);
                    work.checkpoint()?;
                }
                Ok(())
            },
        )?;
    }
    store.check_complete()?;
    Ok(store)
}
