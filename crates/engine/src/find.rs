//! From what was signed to scored pairs, by the route of the plan; each stage is skipped where a checkpoint has its result.

use lookalike_sign::keys::Finds;

use crate::Error;
use crate::observe::Stage;
use crate::output::Recall;
use crate::plan::Route;
use crate::rank::Ranks;
use crate::resume::Work;
use crate::stages::{
    self, AtAnyCost, ByTerm, Candidates, Context, FoundBy, Groups, HotBuckets, Selected, Signed,
    Units, Verified,
};

/// The pairs that hold, and what is stated about them.
pub(crate) struct Found {
    pub(crate) verified: Verified,
    pub(crate) hot: HotBuckets,
    pub(crate) recall: Recall,
}

/// Seconds a stage.
type Timings = Vec<(&'static str, f64)>;

/// Finds and scores the pairs.
pub(crate) fn find_pairs(
    context: &Context<'_>,
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    work: &mut Work,
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
                        hot: candidates.hot,
                        recall: recall(context, FoundBy::Keys),
                    });
                }
            }
        }
    };
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.checkpoint()?;
    }
    let recall = recall(context, candidates.found_by);
    if let Some(saved) = work.manifest.verified.clone() {
        return Ok(Found {
            verified: Verified::new(context, signed.units()).restore(saved)?,
            hot: candidates.hot,
            recall,
        });
    }
    let by_unit = matches!(context.plan.route, Route::Units);
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
            None => stages::in_pairs(units, candidates),
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
    })
}

/// What joining keys or features gives.
enum Proposed {
    /// Pairs to verify.
    Candidates(Candidates),
    /// Pairs whose similarity is known already.
    Scored(Verified),
}

fn propose(
    context: &Context<'_>,
    units: Units<'_>,
    seconds: &mut Timings,
) -> Result<Proposed, Error> {
    let at_any_cost = match &context.plan.route {
        Route::Terms { posting_cap } => {
            let by_term = context.timed(Stage::Join, 0, seconds, || {
                stages::by_term(context, units, *posting_cap)
            })?;
            return Ok(match by_term {
                ByTerm::Exact(verified) => Proposed::Scored(verified),
                ByTerm::Hints(candidates) => Proposed::Candidates(candidates),
            });
        }
        Route::Units => {
            return Ok(Proposed::Candidates(Candidates::new(
                context,
                units.count(),
            )));
        }
        Route::Buckets(_) => None,
        Route::Prefix => Some(AtAnyCost::Yes),
        Route::PrefixOr(_) => Some(AtAnyCost::No),
    };
    if let Some(at_any_cost) = at_any_cost {
        let selected = context.timed(Stage::Select, 0, seconds, || {
            stages::select(context, units, at_any_cost)
        })?;
        if let Selected::Prefixes(postings) = selected {
            // The keys that were to be the other way.
            units.signed.postings.clear();
            let candidates = context.timed(Stage::Join, 0, seconds, || {
                stages::join_prefixes(context, units, &postings)
            })?;
            postings.clear();
            return Ok(Proposed::Candidates(candidates));
        }
    }
    let candidates = context.timed(Stage::Join, 0, seconds, || stages::join(context, units))?;
    Ok(Proposed::Candidates(candidates))
}

/// What can be said about the pairs that were not found.
fn recall(context: &Context<'_>, found_by: FoundBy) -> Recall {
    let exact = |keys: &str, because: String| Recall {
        keys: keys.to_string(),
        exact: true,
        at_threshold: Some(1.0),
        above_threshold: Some(1.0),
        because,
        ..Recall::default()
    };
    let unstated = |keys: &str, because: String| Recall {
        keys: keys.to_string(),
        because,
        ..Recall::default()
    };
    match (&context.plan.route, found_by) {
        (Route::PrefixOr(_), FoundBy::Prefixes) => exact(
            "prefix",
            "few records share their rarest features, so finding every pair costs little"
                .to_string(),
        ),
        (_, FoundBy::Prefixes) => {
            exact("prefix", "similar records share a rare feature".to_string())
        }
        (_, FoundBy::AllBut(features)) => unstated(
            "every",
            format!("{features} features that too many records have were left out"),
        ),
        (Route::Units, _) => exact(
            "every",
            "all records were compared with all others".to_string(),
        ),
        (Route::Terms { .. } | Route::Prefix, FoundBy::Keys) => {
            exact("every", "all common features were counted".to_string())
        }
        (Route::Buckets(keys) | Route::PrefixOr(keys), FoundBy::Keys) => match keys.finds() {
            Finds::Distance(distance) => {
                let because = format!(
                    "all pairs of fingerprints within Hamming distance {distance} are compared"
                );
                // The plan refuses a threshold that asks for larger distances.
                if context.spec.verify.measure.as_deref() == Some("hamming") {
                    exact("simhash", because)
                } else {
                    unstated("simhash", because)
                }
            }
            Finds::Digests(lexicons) => unstated(
                "imatch",
                format!(
                    "records with a common digest under one of {lexicons} lexicons are compared"
                ),
            ),
            Finds::Curve(curve) => {
                let Some(bounds) = context.plan.measure.bounds() else {
                    return unstated(
                        "minhash",
                        "the keys find pairs by their Jaccard similarity, not by this measure"
                            .to_string(),
                    );
                };
                let at = |similarity: f64| curve.recall(bounds.least_jaccard(similarity));
                let threshold = context.plan.threshold;
                Recall {
                    keys: "minhash".to_string(),
                    exact: false,
                    at_threshold: Some(at(threshold)),
                    above_threshold: Some(at((threshold + 0.1).min(1.0))),
                    bands: Some(curve.bands),
                    rows: Some(curve.rows),
                    because: match context.plan.route {
                        Route::PrefixOr(_) => {
                            "many records share even their rarest features, so an exact search would cost much more"
                                .to_string()
                        }
                        _ => "records with a common MinHash band are compared".to_string(),
                    },
                }
            }
        },
    }
}
