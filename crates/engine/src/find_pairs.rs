//! From what was signed to scored pairs, by the route of the plan; each stage is skipped where a checkpoint has its result.

use lookalike_kernel::decide::AtAnyCost;
use lookalike_kernel::{Fallback, Route};
use lookalike_text::UnitId;

use crate::Error;
use crate::bits::Bits;
use crate::observe::Stage;
use crate::resume::{Checkpointed, Work};
use crate::stages::{
    self, Candidates, Context, Proposed, RecordTexts, Selected, Store, Units, UnitsMut, Verified,
};

/// The pairs that hold.
pub(crate) struct Found {
    pub(crate) verified: Verified,
    /// What they were found among, and how; no longer the pairs themselves.
    pub(crate) candidates: Candidates,
    /// What was scored, if it is at hand.
    pub(crate) store: Option<Store<UnitId, u64>>,
    /// The texts of what is in pairs, if they are at hand.
    pub(crate) texts: Option<RecordTexts>,
}

/// Finds and scores the pairs.
pub(crate) fn find_pairs(
    context: &Context<'_>,
    all: &mut UnitsMut<'_>,
    work: &mut Work<'_>,
) -> Result<Found, Error> {
    let count = all.signed.units();
    let (mut candidates, mut scored) = match work.manifest.candidates.clone() {
        Some(saved) => {
            let verified = work.manifest.verified.clone();
            let scored = verified.map(|saved| Verified::new(context, count).restore(saved));
            (
                Candidates::new(context, count).restore(saved)?,
                scored.transpose()?,
            )
        }
        None => {
            let proposed = propose(context, all.units())?;
            all.signed.forget_keys();
            match proposed {
                Proposed::Candidates(candidates) => (*candidates, None),
                Proposed::Scored(verified) => (Candidates::new(context, count), Some(*verified)),
            }
        }
    };
    if work.is_due() {
        work.save_joined(all.signed, &mut candidates)?;
        work.manifest.verified = scored.as_mut().map(Verified::save).transpose()?;
        work.checkpoint()?;
    }
    if let Some(mut verified) = scored {
        let texts = hold(context, all.units(), &mut verified)?;
        return Ok(Found {
            verified,
            candidates,
            store: None,
            texts,
        });
    }
    let store = context.timed(Stage::Describe, context.corpus.bytes(), || {
        let members = members(context, all.units(), &candidates)?;
        stages::describe(context, members, (all.signed, &mut candidates), work)
    })?;
    let (units, total) = (all.units(), candidates.pairs.total());
    let verify = || match context.plan().route {
        Route::Units => stages::by_unit(context, units, &store),
        _ => stages::verify(context, units, &candidates, &store),
    };
    let mut verified = context.timed(Stage::Verify, total, verify)?;
    candidates.pairs.clear();
    let texts = hold(context, all.units(), &mut verified)?;
    if work.is_due() {
        work.save_joined(all.signed, &mut candidates)?;
        work.manifest.described = None;
        work.manifest.verified = Some(verified.save()?);
        work.checkpoint()?;
    }
    Ok(Found {
        verified,
        candidates,
        store: Some(store),
        texts,
    })
}

/// Finds the pairs that take nothing.
fn hold(
    context: &Context<'_>,
    units: Units<'_>,
    verified: &mut Verified,
) -> Result<Option<RecordTexts>, Error> {
    if !context.spec().holds_some() {
        return Ok(None);
    }
    let bytes = context.corpus.bytes();
    context.timed(Stage::Differ, bytes, || {
        stages::hold(context, units, verified)
    })
}

/// The units to describe.
fn members(
    context: &Context<'_>,
    units: Units<'_>,
    candidates: &Candidates,
) -> Result<Bits<UnitId>, Error> {
    if let Route::Units = context.plan().route {
        return stages::standing(units);
    }
    let mut members = stages::in_pairs(units.count(), candidates)?;
    // A listed copy comes with details.
    if context.corpus.compared_fields().next().is_some() {
        let copied = units.groups.with_copies();
        copied.for_each(|first| members.insert(first));
    }
    Ok(members)
}

/// Pairs of units that may be similar, also where their similarity is known already.
pub(crate) fn propose_candidates(
    context: &Context<'_>,
    units: Units<'_>,
) -> Result<Candidates, Error> {
    match propose(context, units)? {
        Proposed::Candidates(candidates) => Ok(*candidates),
        Proposed::Scored(verified) => {
            let candidates = Candidates::new(context, units.count());
            verified
                .scored
                .for_each(|scored| candidates.pairs.extend([scored.pair()]))?;
            verified.scored.clear();
            Ok(candidates)
        }
    }
}

fn propose(context: &Context<'_>, units: Units<'_>) -> Result<Proposed, Error> {
    let at_any_cost = match &context.plan().route {
        Route::Terms { posting_cap } => {
            let by_term = || stages::by_term(context, units, *posting_cap);
            return context.timed(Stage::Join, 0, by_term);
        }
        Route::Units | Route::Listed => {
            let none = Candidates::new(context, units.count());
            return Ok(Proposed::Candidates(Box::new(none)));
        }
        Route::Buckets => None,
        Route::Prefix => Some(AtAnyCost::Yes),
        Route::PrefixOr(_) => Some(AtAnyCost::No),
    };
    if let Some(at_any_cost) = at_any_cost {
        let select = || stages::select(context, units, at_any_cost);
        let selected = context.timed(Stage::Select, 0, select)?;
        let join = || match &selected {
            Selected::Prefixes(prefixes) => {
                // The keys that were to be the other way.
                units.signed.columns.postings.clear();
                let candidates = stages::join_prefixes(context, units, prefixes);
                prefixes.postings.clear();
                candidates.map(Some)
            }
            Selected::ToCount(sought) => stages::join_counted(context, units, sought).map(Some),
            Selected::TooMany => Ok(None),
        };
        if let Some(candidates) = context.timed(Stage::Join, 0, join)? {
            return Ok(Proposed::Candidates(Box::new(candidates)));
        }
    }
    let made_later = match context.plan().route {
        Route::PrefixOr(Fallback::Later) => {
            let bytes = context.corpus.bytes();
            Some(context.timed(Stage::Sign, bytes, || stages::sign_keys(context))?)
        }
        _ => None,
    };
    let made_before = &units.signed.columns.postings;
    let postings = made_later.as_ref().unwrap_or(made_before);
    let candidates = context.timed(Stage::Join, 0, || stages::join(context, units, postings))?;
    if let Some(postings) = made_later {
        postings.clear();
    }
    Ok(Proposed::Candidates(Box::new(candidates)))
}
