//! From what was signed to scored pairs, by the route of the plan; each stage is skipped where a checkpoint has its result.

use crate::Error;
use crate::bits::Bits;
use crate::observe::Stage;
use crate::resume::{Checkpointed, Work};
use crate::stages::{
    self, ByTerm, Candidates, Context, Selected, Store, Units, UnitsMut, Verified,
};
use lookalike_kernel::decide::AtAnyCost;
use lookalike_kernel::{Fallback, Route};

/// The pairs that hold.
pub(crate) struct Found {
    pub(crate) verified: Verified,
    /// What they were found among, and how; no longer the pairs themselves.
    pub(crate) candidates: Candidates,
    /// What was scored, if it is at hand.
    pub(crate) store: Option<Store<u64>>,
}

/// Seconds a stage.
type Timings = Vec<(&'static str, f64)>;

/// Finds and scores the pairs.
pub(crate) fn find_pairs(
    context: &Context<'_>,
    all: &mut UnitsMut<'_>,
    work: &mut Work<'_>,
    seconds: &mut Timings,
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
            let proposed = propose(context, all.units(), seconds)?;
            all.signed.forget_keys();
            match proposed {
                Proposed::Candidates(candidates) => (candidates, None),
                Proposed::Scored(verified) => (Candidates::new(context, count), Some(verified)),
            }
        }
    };
    if work.is_due() {
        all.joined(&mut candidates).save(work)?;
        work.manifest.verified = scored.as_mut().map(Verified::save).transpose()?;
        work.checkpoint()?;
    }
    if let Some(verified) = scored {
        return Ok(Found {
            verified,
            candidates,
            store: None,
        });
    }
    let store = context.timed(Stage::Describe, context.corpus.bytes(), seconds, || {
        let members = members(context, all.units(), &candidates)?;
        stages::describe(context, members, all.joined(&mut candidates), work)
    })?;
    let (units, total) = (all.units(), candidates.pairs.total());
    let verify = || match context.plan().route {
        Route::Units => stages::by_unit(context, units, &store),
        _ => stages::verify(context, units, &candidates, &store),
    };
    let mut verified = context.timed(Stage::Verify, total, seconds, verify)?;
    candidates.pairs.clear();
    if work.is_due() {
        all.joined(&mut candidates).save(work)?;
        work.manifest.described = None;
        work.manifest.verified = Some(verified.save()?);
        work.checkpoint()?;
    }
    Ok(Found {
        verified,
        candidates,
        store: Some(store),
    })
}

/// The units to describe.
fn members(
    context: &Context<'_>,
    units: Units<'_>,
    candidates: &Candidates,
) -> Result<Bits, Error> {
    if let Route::Units = context.plan().route {
        return stages::standing(units);
    }
    let mut members = stages::in_pairs(units.count(), candidates)?;
    // A listed copy comes with details.
    if context.corpus.compared_fields().next().is_some() {
        let copied = units.groups.with_copies();
        copied.for_each(|first| members.insert(first.get()));
    }
    Ok(members)
}

/// What joining keys or features gives.
enum Proposed {
    /// Pairs to verify.
    Candidates(Candidates),
    /// Pairs whose similarity is known already.
    Scored(Verified),
}

/// Pairs of units that may be similar, also where their similarity is known already.
pub(crate) fn propose_candidates(
    context: &Context<'_>,
    units: Units<'_>,
    seconds: &mut Timings,
) -> Result<Candidates, Error> {
    match propose(context, units, seconds)? {
        Proposed::Candidates(candidates) => Ok(candidates),
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

fn propose(
    context: &Context<'_>,
    units: Units<'_>,
    seconds: &mut Timings,
) -> Result<Proposed, Error> {
    let at_any_cost = match &context.plan().route {
        Route::Terms { posting_cap } => {
            let by_term = context.timed(Stage::Join, 0, seconds, || {
                stages::by_term(context, units, *posting_cap)
            })?;
            return Ok(match by_term {
                ByTerm::Exact(verified) => Proposed::Scored(verified),
                ByTerm::Hints(candidates) => Proposed::Candidates(candidates),
            });
        }
        Route::Units | Route::Listed => {
            return Ok(Proposed::Candidates(Candidates::new(
                context,
                units.count(),
            )));
        }
        Route::Buckets => None,
        Route::Prefix => Some(AtAnyCost::Yes),
        Route::PrefixOr(_) => Some(AtAnyCost::No),
    };
    if let Some(at_any_cost) = at_any_cost {
        let selected = context.timed(Stage::Select, 0, seconds, || {
            stages::select(context, units, at_any_cost)
        })?;
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
        if let Some(candidates) = context.timed(Stage::Join, 0, seconds, join)? {
            return Ok(Proposed::Candidates(candidates));
        }
    }
    let made_later = match context.plan().route {
        Route::PrefixOr(Fallback::Later) => {
            let bytes = context.corpus.bytes();
            Some(context.timed(Stage::Sign, bytes, seconds, || stages::sign_keys(context))?)
        }
        _ => None,
    };
    let postings = made_later
        .as_ref()
        .unwrap_or(&units.signed.columns.postings);
    let candidates = context.timed(Stage::Join, 0, seconds, || {
        stages::join(context, units, postings)
    })?;
    if let Some(postings) = made_later {
        postings.clear();
    }
    Ok(Proposed::Candidates(candidates))
}
