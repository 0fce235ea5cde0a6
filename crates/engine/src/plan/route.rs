//! Which way pairs are found, and which ways do not go together.

use std::sync::Arc;

use lookalike_pair::verify::Verify;
use lookalike_sign::features::Method;
use lookalike_sign::keys::{self, Finds, Keys, Search, Wish};
use lookalike_text::Seed;

use super::{THRESHOLD, refused};
use crate::Error;
use crate::spec::{Join, Spec};

/// How pairs are found.
#[derive(Debug, Clone)]
pub enum Route {
    /// Candidates share a key.
    Buckets(Arc<dyn Keys>),
    /// Candidates share one of their rarest features; exact.
    Prefix,
    /// By prefixes where that is cheap, else by keys.
    PrefixOr(Arc<dyn Keys>),
    /// Common features are counted feature by feature; exact unless features are left out.
    Terms {
        /// Features of more units are left out.
        posting_cap: Option<usize>,
    },
    /// All units are compared with all others; exact.
    Units,
}

impl Route {
    /// How many postings a unit of so many features has at the most, for planning.
    pub(crate) fn most_postings(&self, features: usize) -> usize {
        match self {
            Route::Buckets(keys) => keys.most_keys(),
            Route::PrefixOr(keys) => keys.most_keys().max(features / 2),
            Route::Prefix => features / 2,
            Route::Terms { .. } => features,
            Route::Units => 0,
        }
    }

    /// Whether the features of all units are needed at once to choose the rarest.
    pub(crate) fn needs_prefixes(&self) -> bool {
        matches!(self, Route::Prefix | Route::PrefixOr(_))
    }
}

impl Spec {
    /// The search that `--keys` names, for pairs of at least this Jaccard similarity.
    pub(super) fn search(&self, jaccard: f64) -> Result<Search, Error> {
        let bands_and_rows = match (self.keys.bands, self.keys.rows) {
            (Some(bands), Some(rows)) => Some((bands, rows)),
            (None, None) => None,
            _ => {
                return Err(Error::Spec(
                    "bands and rows go together: give both, or neither and a recall".to_string(),
                ));
            }
        };
        let wish = Wish {
            threshold: jaccard,
            recall: self.keys.recall,
            bands_and_rows,
            imatch: self.imatch,
            seed: Seed(self.seed),
        };
        keys::search(&self.keys.method, &wish).map_err(refused)
    }

    pub(super) fn route(
        &self,
        measure: Option<&Arc<dyn Verify>>,
        features: &Arc<dyn Method>,
    ) -> Result<Route, Error> {
        let threshold = self.threshold.unwrap_or(THRESHOLD);
        let bounds = measure.and_then(|measure| measure.bounds());
        let of_sets = measure.is_some_and(|measure| measure.of_sets().is_some());
        let jaccard = bounds.map_or(threshold, |bounds| bounds.least_jaccard(threshold));
        let (name, keys) = (self.measure_name(), &self.keys.method);
        let refuse = |problem: String| Err(Error::Spec(problem));
        let route = match self.search(jaccard)? {
            // A model says by bands and rows how alike its candidates are.
            Search::PrefixOr(keys) if self.model.is_some() && self.keys.bands.is_some() => {
                Route::Buckets(keys)
            }
            Search::Prefix | Search::PrefixOr(_) if self.model.is_some() => {
                return refuse(format!(
                    "a model has no bounds by which {keys} keys could find its pairs; choose --bands and --rows, which \
                     `tune` writes into the configuration, or use --keys every"
                ));
            }
            Search::Prefix | Search::PrefixOr(_) if bounds.is_none() => {
                return refuse(format!(
                    "measure {name} has no bounds by which {keys} keys could find its pairs; use --keys every, which \
                     compares what has a feature in common, or --measure jaccard"
                ));
            }
            Search::Keys(keys) => {
                let by_jaccard = matches!(keys.finds(), Finds::Curve(_));
                if by_jaccard && measure.is_some() && bounds.is_none() && self.keys.bands.is_none()
                {
                    return refuse(format!(
                        "minhash keys find pairs by their Jaccard similarity, which says nothing about measure {name}; \
                         choose --bands and --rows yourself, or use --keys every"
                    ));
                }
                Route::Buckets(keys)
            }
            Search::PrefixOr(keys) if self.keys.bands.is_some() => Route::Buckets(keys),
            Search::PrefixOr(keys) => Route::PrefixOr(keys),
            Search::Prefix => Route::Prefix,
            Search::Every if of_sets && self.keys.join != Join::Unit => Route::Terms {
                posting_cap: self.keys.posting_cap,
            },
            Search::Every if self.keys.join == Join::Term => {
                return refuse(format!(
                    "measure {name} does not follow from the number of common {features}, which is what a join by term \
                     counts; use --join unit"
                ));
            }
            Search::Every => Route::Units,
        };
        let fits = matches!(
            (self.keys.join, &route),
            (Join::Auto, _)
                | (Join::Term, Route::Terms { .. })
                | (Join::Unit, Route::Units)
                | (
                    Join::Bucket,
                    Route::Buckets(_) | Route::Prefix | Route::PrefixOr(_)
                )
        );
        if !fits {
            return refuse(match self.keys.join {
                Join::Bucket => "a join by bucket needs keys that few units share; use --keys prefix or --keys minhash"
                    .to_string(),
                _ => format!(
                    "a join by term or by unit looks at every feature, not at {keys} keys; use --keys every"
                ),
            });
        }
        if self.keys.posting_cap.is_some() && !matches!(route, Route::Terms { .. }) {
            return refuse(
                "posting-cap is for the join by term; use it with --keys every".to_string(),
            );
        }
        Ok(route)
    }
}
