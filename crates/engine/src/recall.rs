//! What can be promised about the pairs that were not found.

use lookalike_sign::keys::{Curve, Finds, Keys};

use crate::jobs;
use crate::output::Recall;
use crate::plan::{NEVER, Plan, Route};
use crate::spec::Job;
use crate::stages::{Candidates, Context, FoundBy};

/// The promise of a run, given how its candidates were found.
pub(crate) fn recall(context: &Context<'_>, candidates: &Candidates) -> Recall {
    let plan = context.plan;
    match (plan.route, candidates.found_by) {
        (Route::Units, _) => exact(
            "every",
            "all records were compared with all others".to_string(),
        ),
        (Route::Terms { .. }, FoundBy::Keys) => {
            exact("every", "all common features were counted".to_string())
        }
        (_, FoundBy::AllBut(features)) => unstated(
            "every",
            format!("{features} features that too many records have were left out"),
        ),
        (_, FoundBy::Prefixes) if plan.model.is_some() => of_floors(context, &candidates.floors),
        (_, FoundBy::Prefixes) if context.spec.job == Job::Passages => exact(
            "prefix",
            "of single sentences; documents are compared where two near each other, or a long one, are similar"
                .to_string(),
        ),
        (Route::PrefixOr(_), FoundBy::Prefixes) => exact(
            "prefix",
            "few records share their rarest features, so finding every pair costs little"
                .to_string(),
        ),
        (_, FoundBy::Prefixes) => {
            exact("prefix", "similar records share a rare feature".to_string())
        }
        (_, FoundBy::Keys) => of_keys(context, candidates.hot.left_out()),
    }
}

fn exact(keys: &str, because: String) -> Recall {
    Recall {
        keys: keys.to_string(),
        exact: true,
        at_threshold: Some(1.0),
        above_threshold: Some(1.0),
        because,
        ..Recall::default()
    }
}

fn unstated(keys: &str, because: String) -> Recall {
    Recall {
        keys: keys.to_string(),
        because,
        ..Recall::default()
    }
}

/// For a model whose candidates are alike in one respect or another.
fn of_floors(context: &Context<'_>, floors: &[f64]) -> Recall {
    let alike = respects(context, floors).join(" or ");
    if context.plan.mean.is_some() {
        let threshold = context.plan.threshold;
        return exact(
            "prefix",
            if alike.is_empty() {
                format!(
                    "no two records have anything in common by which a mean could reach {threshold}"
                )
            } else {
                format!("a mean reaches {threshold} only where {alike}")
            },
        );
    }
    unstated("prefix", format!("all pairs were compared where {alike}"))
}

/// "title ≥ 0.75 (shingles:words:1, …)" for each probe by which anything is looked up.
fn respects(context: &Context<'_>, floors: &[f64]) -> Vec<String> {
    let fields = jobs::field_names(context.spec);
    let probes = context.plan.probes.iter().zip(floors);
    let looked_up = probes.filter(|(_, floor)| **floor != NEVER);
    looked_up
        .map(|(probe, floor)| {
            let field = probe.field.and_then(|field| fields.get(usize::from(field)));
            let name = field.map_or("the text", String::as_str);
            format!(
                "{name} is at least {:.3} alike in {}",
                floor, probe.features
            )
        })
        .collect()
}

/// For keys, by what they promise.
fn of_keys(context: &Context<'_>, hot: u64) -> Recall {
    let plan = context.plan;
    let Some(keys) = plan.probes.iter().find_map(|probe| probe.keys.as_ref()) else {
        return unstated("none", "there were no keys".to_string());
    };
    match keys.finds() {
        Finds::Distance(distance) => {
            let because = format!(
                "all pairs of fingerprints within Hamming distance {distance} are compared"
            );
            // The plan refuses a threshold that asks for larger distances.
            if context.spec.verify.measure.as_deref() == Some("hamming") {
                exact(keys.name(), because)
            } else {
                unstated(keys.name(), because)
            }
        }
        Finds::Digests(lexicons) => unstated(
            keys.name(),
            format!("records with a common digest under one of {lexicons} lexicons are compared"),
        ),
        Finds::Curve(curve) => of_bands(context, &**keys, curve),
        Finds::All => of_all(hot),
        Finds::SameFingerprint(what) => {
            unstated(keys.name(), format!("records with {what} are compared"))
        }
    }
}

/// For keys that all similar pairs share, of which so many were not compared.
fn of_all(hot: u64) -> Recall {
    let because = "similar records share a rare word, or two of their rarer words";
    match hot {
        0 => exact("prefix", because.to_string()),
        _ => unstated(
            "prefix",
            format!("{because}, but those of hot buckets were compared with leaders only"),
        ),
    }
}

fn of_bands(context: &Context<'_>, keys: &dyn Keys, curve: Curve) -> Recall {
    let (plan, name) = (context.plan, keys.name());
    if plan.model.is_some() && plan.mean.is_none() {
        let floors: Vec<f64> = plan.probes.iter().map(|probe| probe.floor).collect();
        let alike = respects(context, &floors).join(" or ");
        let because = if context
            .spec
            .model
            .as_ref()
            .is_some_and(|model| model.floor.is_empty())
        {
            "the keys find pairs by their Jaccard similarity, not by this measure".to_string()
        } else {
            let share = 100.0 * context.spec.keys.recall;
            format!("{share} % or more of the pairs were compared where {alike}")
        };
        return unstated(name, because);
    }
    let threshold = plan.threshold;
    if threshold <= jobs::ANY {
        let because = "the threshold asks for nothing: what has a common key is compared";
        return unstated(name, because.to_string());
    }
    let (Some(at), Some(above)) = (
        least_recall(plan, threshold),
        least_recall(plan, (threshold + 0.1).min(1.0)),
    ) else {
        return unstated(
            name,
            "the keys find pairs by their Jaccard similarity, not by this measure".to_string(),
        );
    };
    Recall {
        keys: name.to_string(),
        exact: false,
        at_threshold: Some(at),
        above_threshold: Some(above),
        bands: Some(curve.bands),
        rows: Some(curve.rows),
        because: match plan.route {
            _ if context.spec.job == Job::Passages => {
                "of single sentences; documents are compared where two near each other, or a long one, share a MinHash band"
                    .to_string()
            }
            // With that many an exact search was not thought of.
            Route::PrefixOr(_) if context.spec.job == Job::Sentences => {
                "sentences with a common MinHash band are compared".to_string()
            }
            Route::PrefixOr(_) => {
                "many records share even their rarest features, so an exact search would cost much more"
                    .to_string()
            }
            _ if keys.is_by_hand() => "records with a common signature are compared; where signatures share hash functions, the \
                             recall is at least what those that share none find"
                .to_string(),
            _ => "records with a common MinHash band are compared".to_string(),
        },
    }
}

/// The recall of pairs of a similarity. A mean reaches it only if one of its parts does: the least of theirs.
fn least_recall(plan: &Plan, similarity: f64) -> Option<f64> {
    let mut least: f64 = 1.0;
    for probe in &plan.probes {
        let bounds = probe.measure.bounds()?;
        let Finds::Curve(curve) = probe.keys.as_ref()?.finds() else {
            return None;
        };
        let jaccard = bounds.least_jaccard(similarity);
        let passes = plan.sieve.map_or(1.0, |sieve| sieve.passes(jaccard));
        least = least.min(curve.recall(jaccard) * passes);
    }
    Some(least)
}
