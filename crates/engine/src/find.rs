//! From what was signed to scored pairs, by the route of the plan; each stage is skipped where a checkpoint has its result.

use crate::Error;
use crate::bits::Bits;
use crate::observe::Stage;
use crate::rank::Ranks;
use crate::resume::Work;
use crate::stages::{
    self, ByTerm, Candidates, Context, Groups, HotBuckets, Selected, Signed, Store, Units, Verified,
};
use lookalike_kernel::decide::AtAnyCost;
use lookalike_kernel::{Fallback, Recall, Route};

/// The pairs that hold, and what is stated about them.
pub(crate) struct Found {
    pub(crate) verified: Verified,
    pub(crate) hot: HotBuckets,
    pub(crate) recall: Recall,
    /// What was scored, if it is at hand.
    pub(crate) store: Option<Store>,
}

/// Seconds a stage.
type Timings = Vec<(&'static str, f64)>;

/// Finds and scores the pairs.
pub(crate) fn find_pairs(
    context: &Context<'_>,
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    work: &mut Work<'_>,
    seconds: &mut Timings,
) -> Result<Found, Error> {
    let mut candidates = match work.manifest.candidates.clone() {
        Some(saved) => Candidates::new(context, signed.units()).restore(saved)?,
        None => {
            let units = Units {
                signed,
                groups,
                ranks,
            };
            match propose(context, units, seconds)? {
                Proposed::Candidates(candidates) => {
                    signed.forget_keys();
                    candidates
                }
                Proposed::Scored(mut verified) => {
                    signed.forget_keys();
                    let mut candidates = Candidates::new(context, signed.units());
                    if work.is_due() {
                        work.save_joined(signed, &mut candidates)?;
                        work.manifest.verified = Some(verified.save()?);
                        work.checkpoint()?;
                    }
                    return Ok(Found {
                        verified,
                        recall: candidates.recall(context.kernel),
                        hot: candidates.hot,
                        store: None,
                    });
                }
            }
        }
    };
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.checkpoint()?;
    }
    let recall = candidates.recall(context.kernel);
    if let Some(saved) = work.manifest.verified.clone() {
        return Ok(Found {
            verified: Verified::new(context, signed.units()).restore(saved)?,
            hot: candidates.hot,
            recall,
            store: None,
        });
    }
    let by_unit = matches!(context.plan().route, Route::Units);
    let standing = if by_unit {
        let units = Units {
            signed,
            groups,
            ranks,
        };
        Some(stages::standing(units)?)
    } else {
        None
    };
    let store = context.timed(Stage::Describe, context.corpus.bytes(), seconds, || {
        let members = |units: usize, candidates: &Candidates| match &standing {
            Some(standing) => Ok(standing.clone()),
            None => stages::in_pairs(units, candidates)
                .map(|members| with_copied(context, members, groups)),
        };
        stages::describe(context, signed, (&mut candidates, &members), work)
    })?;
    let units = Units {
        signed,
        groups,
        ranks,
    };
    let total = candidates.pairs.total();
    let mut verified = context.timed(Stage::Verify, total, seconds, || match &standing {
        Some(standing) => stages::by_unit(context, units, (&store, standing)),
        None => stages::verify(context, units, &candidates, &store),
    })?;
    candidates.pairs.clear();
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.manifest.described = None;
        work.manifest.verified = Some(verified.save()?);
        work.checkpoint()?;
    }
    Ok(Found {
        verified,
        hot: candidates.hot,
        recall,
        store: Some(store),
    })
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
                units.signed.postings.clear();
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
    let postings = made_later.as_ref().unwrap_or(&units.signed.postings);
    let candidates = context.timed(Stage::Join, 0, seconds, || {
        stages::join(context, units, postings)
    })?;
    if let Some(postings) = made_later {
        postings.clear();
    }
    Ok(Proposed::Candidates(candidates))
}

/// The units with those that have copies, where a listed copy comes with details.
fn with_copied(context: &Context<'_>, mut units: Bits, groups: &Groups) -> Bits {
    if context.corpus.compared_fields().next().is_some() {
        groups
            .with_copies()
            .for_each(|first| units.insert(first.get()));
    }
    units
}
