//! What can be promised about the pairs that were not found.

mod passages;

use lookalike_sign::keys::{Curve, Finds, Keys};
use serde::{Deserialize, Serialize};

use crate::jobs;
use crate::kernel::Kernel;
use crate::plan::{Plan, Route};
pub use passages::{CHANGED, PASSAGE_WORDS};

/// What the parameters promise: the probability that a pair of a similarity is found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    /// How candidates were found: `prefix`, `every`, `minhash`, …
    pub keys: String,
    /// Whether every pair at or above the threshold is found.
    pub exact: bool,
    /// At the threshold, or of passages of which [`CHANGED`]`[0]` of the words were changed; none where nothing can be stated.
    pub at_threshold: Option<f64>,
    /// At the threshold + 0.1, or 1; or of passages of which [`CHANGED`]`[1]` of the words were changed.
    pub above_threshold: Option<f64>,
    /// Bands of MinHash keys.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bands: Option<u32>,
    /// Rows in a band.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<u32>,
    /// What this rests on, in a sentence.
    pub because: String,
}

impl Recall {
    /// The same of the pairs that reach a higher threshold than that of the plan by which they were found.
    #[must_use]
    pub fn at(&self, threshold: f64, plan: &Plan) -> Self {
        let of_bands = |similarity: f64, before: Option<f64>| match self.bands {
            Some(_) => least_recall(plan, similarity).or(before),
            None => before,
        };
        Recall {
            at_threshold: of_bands(threshold, self.at_threshold),
            above_threshold: of_bands((threshold + 0.1).min(1.0), self.above_threshold),
            ..self.clone()
        }
    }
}

/// How the candidates were found, where there was a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum FoundBy {
    /// By the keys of the plan.
    Keys,
    /// By prefixes, that is all of them.
    Prefixes,
    /// By their common features but for so many features that too many units have.
    AllBut(u64),
}

/// What a search did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// How candidates were found.
    pub by: FoundBy,
    /// How alike units must at least be in each respect, where prefixes found them; none where nothing is looked up.
    pub floors: Vec<Option<f64>>,
    /// At most so many pairs that share a key, or would if they had more of them, were not compared.
    pub left_out: u64,
    /// What neighbouring words documents were found by, where they were looked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub neighbours: Option<NeighbourCounts>,
}

/// How many neighbouring words there are of what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeighbourCounts {
    /// How long all texts are, in halves of words: a character of a script without spaces counts half a word.
    pub halves: u64,
    /// Two neighbours that are not common words.
    pub keys: u64,
    /// Of these, those that too many documents have.
    pub common: u64,
}

/// The promise of a run, given how its candidates were found.
pub fn recall(kernel: &Kernel, searched: &Searched) -> Recall {
    let plan = kernel.plan();
    if let (Some(rule), Some(counts)) = (plan.near, searched.neighbours) {
        return passages::of_neighbours(rule, counts);
    }
    match (plan.route, searched.by) {
        (Route::Listed, _) => exact("list", "all pairs of the list were compared"),
        (Route::Units, _) => exact("every", "all records were compared with all others"),
        (Route::Terms { .. }, FoundBy::Keys) if plan.mean.is_some() => exact(
            "every",
            "all records with a common feature in a field were compared",
        ),
        (Route::Terms { .. }, FoundBy::Keys) => exact("every", "all common features were counted"),
        (_, FoundBy::AllBut(features)) => unstated(
            "every",
            format!("{features} features that too many records have were left out"),
        ),
        (_, FoundBy::Prefixes) if plan.model.is_some() => of_floors(kernel, searched),
        (route, by @ FoundBy::Prefixes) => exact("prefix", by_prefixes(kernel, route, by)),
        (_, FoundBy::Keys) => of_keys(kernel, searched.left_out),
    }
}

fn by_prefixes(kernel: &Kernel, route: Route, by: FoundBy) -> &'static str {
    let usual = match route {
        Route::PrefixOr(_) => {
            "few records share their rarest features, so finding every pair costs little"
        }
        _ => "similar records share a rare feature",
    };
    let of_job = kernel.spec().job.recall_because(route, by);
    of_job.unwrap_or(usual)
}

fn exact(keys: &str, because: impl Into<String>) -> Recall {
    Recall {
        exact: true,
        at_threshold: Some(1.0),
        above_threshold: Some(1.0),
        ..unstated(keys, because)
    }
}

fn unstated(keys: &str, because: impl Into<String>) -> Recall {
    Recall {
        keys: keys.to_string(),
        because: because.into(),
        ..Recall::default()
    }
}

/// For a model whose candidates are alike in one respect or another.
fn of_floors(kernel: &Kernel, searched: &Searched) -> Recall {
    let alike = respects(kernel, &searched.floors).join(" or ");
    if kernel.plan().mean.is_some() {
        let threshold = kernel.plan().threshold;
        let because = if alike.is_empty() {
            format!(
                "no two records have anything in common by which a mean could reach {threshold}"
            )
        } else {
            format!("a mean reaches {threshold} only where {alike}")
        };
        return match searched.left_out {
            0 => exact("prefix", because),
            _ => unstated(
                "prefix",
                format!(
                    "{because}; all such pairs were compared but those within large groups of variants, which were \
                     compared with leaders only"
                ),
            ),
        };
    }
    unstated("prefix", format!("all pairs were compared where {alike}"))
}

/// "title ≥ 0.75 (shingles:words:1, …)" for each probe by which anything is looked up.
fn respects(kernel: &Kernel, floors: &[Option<f64>]) -> Vec<String> {
    let fields = kernel.spec().compared_fields();
    let probes = kernel.plan().probes.iter().zip(floors);
    let looked_up = probes.filter_map(|(probe, floor)| Some((probe, (*floor)?)));
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
fn of_keys(kernel: &Kernel, hot: u64) -> Recall {
    let plan = kernel.plan();
    let Some(keys) = plan.probes.iter().find_map(|probe| probe.keys.as_ref()) else {
        return unstated("none", "there were no keys");
    };
    match keys.finds() {
        Finds::Distance(distance) => {
            let because = format!(
                "all pairs of fingerprints within Hamming distance {distance} are compared"
            );
            // The plan refuses a threshold that asks for larger distances.
            if kernel.spec().verify.measure.as_deref() == Some("hamming") {
                exact(keys.name(), because)
            } else {
                unstated(keys.name(), because)
            }
        }
        Finds::Digests(lexicons) => unstated(
            keys.name(),
            format!("records with a common digest under one of {lexicons} lexicons are compared"),
        ),
        Finds::Curve(curve) => of_bands(kernel, &**keys, curve),
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
        0 => exact("prefix", because),
        _ => unstated(
            "prefix",
            format!(
                "{because}; where many share these, records were compared with some of the others only"
            ),
        ),
    }
}

/// Why nothing can be stated of another measure.
const BY_JACCARD: &str = "the keys find pairs by their Jaccard similarity, not by this measure";

fn of_bands(kernel: &Kernel, keys: &dyn Keys, curve: Curve) -> Recall {
    let (plan, name) = (kernel.plan(), keys.name());
    if plan.model.is_some() && plan.mean.is_none() {
        let floors: Vec<_> = plan.probes.iter().map(|probe| Some(probe.floor)).collect();
        let alike = respects(kernel, &floors).join(" or ");
        let own = kernel.spec().model.as_ref();
        if own.is_some_and(|model| model.floor.is_empty()) {
            return unstated(name, BY_JACCARD);
        }
        let share = 100.0 * kernel.spec().keys.least_recall();
        let because = format!("{share} % or more of the pairs were compared where {alike}");
        return unstated(name, because);
    }
    let threshold = plan.threshold;
    if threshold <= jobs::ANY {
        let because = "the threshold asks for nothing: what has a common key is compared";
        return unstated(name, because);
    }
    let (Some(at), Some(above)) = (
        least_recall(plan, threshold),
        least_recall(plan, (threshold + 0.1).min(1.0)),
    ) else {
        return unstated(name, BY_JACCARD);
    };
    let usual = match plan.route {
        Route::PrefixOr(_) => {
            "many records share even their rarest features, so an exact search would cost much more"
        }
        _ if keys.is_by_hand() => {
            "records with a common signature are compared; where signatures share hash functions, the recall is at least \
             what those that share none find"
        }
        _ => "records with a common MinHash band are compared",
    };
    let of_job = kernel.spec().job.recall_because(plan.route, FoundBy::Keys);
    Recall {
        at_threshold: Some(at),
        above_threshold: Some(above),
        bands: Some(curve.bands),
        rows: Some(curve.rows),
        ..unstated(name, of_job.unwrap_or(usual))
    }
}

/// The recall of pairs of a similarity. A mean reaches it only if one of its parts does: the least of theirs.
fn least_recall(plan: &Plan, similarity: f64) -> Option<f64> {
    let mut least: f64 = 1.0;
    let guard = plan.mean.as_ref().and_then(|mean| mean.guard(&plan.probes));
    let lacks_keys = plan.probes.iter().any(|probe| probe.keys.is_none());
    let (probes, similarity) = match guard.filter(|_| lacks_keys) {
        // What all pairs must be alike in finds them all, as far as its keys go.
        Some(guard) => (std::slice::from_ref(guard), guard.floor),
        None => (plan.probes.as_slice(), similarity),
    };
    for probe in probes {
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
