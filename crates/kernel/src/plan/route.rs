//! Which way pairs are found, and which ways do not go together.

use std::sync::Arc;

use lookalike_pair::verify::Verify;
use lookalike_sign::features::Method;
use lookalike_sign::keys::{self, Finds, IMatchRules, Keys, Search, Wish};
use lookalike_sign::stats::IdfRange;

use crate::Error;
use crate::jobs;
use crate::setting::Setting;
use crate::spec::{Join, Pairs, Spec};

/// How pairs are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Candidates share a key.
    Buckets,
    /// Candidates share one of their rarest features; exact.
    Prefix,
    /// By prefixes where that is cheap, else by keys.
    PrefixOr(Fallback),
    /// Common features are counted feature by feature; exact unless features are left out.
    Terms {
        /// Features of more units are left out.
        posting_cap: Option<usize>,
    },
    /// All units are compared with all others; exact.
    Units,
    /// Only the pairs of a list are compared, so nothing is looked up.
    Listed,
}

/// When keys are made that may not be needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// While the features are at hand.
    Ready,
    /// In another pass, once it is known that they are: they are many.
    Later,
}

impl Route {
    /// How many postings a unit of so many features has at the most, for planning.
    pub fn most_postings(self, keys: usize, features: usize) -> usize {
        match self {
            Route::Buckets => keys,
            Route::PrefixOr(_) => keys.max(features / 2),
            Route::Prefix => features / 2,
            Route::Terms { .. } => features,
            Route::Units | Route::Listed => 0,
        }
    }

    /// Whether keys are made when units are signed.
    pub fn signs_keys(self) -> bool {
        matches!(self, Route::Buckets | Route::PrefixOr(Fallback::Ready))
    }

    /// Whether the features of all units are needed at once to choose the rarest.
    pub fn needs_prefixes(self) -> bool {
        matches!(self, Route::Prefix | Route::PrefixOr(_))
    }
}

impl Spec {
    /// The search that the keys name, for pairs of at least this Jaccard similarity.
    pub(super) fn search(&self, jaccard: f64) -> Result<Search, Error> {
        /// Where no similarity is too small, keys that are never made are chosen for this one.
        const LEAST: f64 = 0.01;
        let bands_and_rows = match (self.keys.bands, self.keys.rows) {
            (Some(bands), Some(rows)) => Some((bands, rows)),
            (None, None) => jobs::bands_and_rows(self),
            _ => {
                return Err(Error::refused(
                    Setting::Bands,
                    "bands and rows go together",
                    "give both, or neither and a recall",
                ));
            }
        };
        let wish = Wish {
            threshold: jaccard.max(LEAST),
            recall: self.keys.least_recall(),
            bands_and_rows,
            sieve: self.job.sieving(self),
            imatch: self.imatch_rules(),
            seed: self.seed.seed(),
        };
        keys::search(&self.keys.method, &wish).map_err(|error| {
            let choice = match &error {
                lookalike_sign::Error::Curve { what, value, .. } => {
                    Setting::named(what).map(|setting| setting.given(value))
                }
                _ => None,
            };
            Error::of(choice.unwrap_or_else(|| Setting::Keys.given(&self.keys.method)))(error)
        })
    }

    /// Rarer words where a digest decides alone.
    fn imatch_rules(&self) -> IMatchRules {
        let mut rules = self.imatch;
        if self.verify.unverified && rules.idf.is_none() {
            let (min, max) = keys::UNVERIFIED_IMATCH_IDF;
            rules.idf = IdfRange::new(min, max).ok();
        }
        rules
    }

    /// The route for a single measure, and the keys for it.
    pub(super) fn route(
        &self,
        (name, measure): (&str, Option<&Arc<dyn Verify>>),
        features: &Arc<dyn Method>,
    ) -> Result<(Route, Option<Arc<dyn Keys>>), Error> {
        let threshold = self.least_similarity();
        let bounds = measure.and_then(|measure| measure.bounds());
        let of_sets = measure.is_some_and(|measure| measure.of_sets().is_some());
        let jaccard = bounds.map_or(threshold, |bounds| bounds.least_jaccard(threshold));
        let keys = &self.keys.method;
        let by_weight = measure.filter(|_| features.is_weighed());
        let share = by_weight.and_then(|measure| measure.least_share(threshold));
        let (route, chosen) = match (self.search(jaccard)?, share) {
            (Search::Prefix | Search::PrefixOr(_), Some(_)) if self.keys.bands.is_some() => {
                return Err(Error::refused(
                    Setting::Bands,
                    "bands and rows are of minhash keys, and messages are found by their words",
                    "leave them out",
                ));
            }
            (search @ (Search::Prefix | Search::PrefixOr(_)), Some(share)) => {
                let every_pair = matches!(search, Search::Prefix) || self.pairs == Pairs::All;
                let usual = self.weights.unwrap_or_default().usual();
                let keys = keys::weighted_prefix(share, usual, every_pair);
                (Route::Buckets, Some(keys))
            }
            (Search::Prefix | Search::PrefixOr(_), _) if bounds.is_none() => {
                return Err(Error::refused(
                    Setting::Measure.given(name),
                    format!(
                        "measure {name} has no bounds by which {keys} keys could find its pairs"
                    ),
                    "use `keys=every`, which compares what has a feature in common, or `measure=jaccard`",
                ));
            }
            (Search::Keys(keys), _) => {
                let by_jaccard = matches!(keys.finds(), Finds::Curve(_));
                let says_something = bounds.is_some() && jaccard > 0.0;
                let by_hand = self.keys.bands.is_some() || keys.is_by_hand();
                if by_jaccard && measure.is_some() && !says_something && !by_hand {
                    return Err(Error::refused(
                        Setting::Measure.given(name),
                        format!(
                            "minhash keys find pairs by their Jaccard similarity, which says nothing about measure {name}"
                        ),
                        "choose `bands=` and `rows=` yourself, or use `keys=every`",
                    ));
                }
                (Route::Buckets, Some(keys))
            }
            (Search::PrefixOr(keys), _) if self.keys.bands.is_some() => {
                (Route::Buckets, Some(keys))
            }
            // No keys would find what is contained in something much longer.
            (Search::PrefixOr(_), _) if jaccard <= 0.0 => (Route::Prefix, None),
            (Search::PrefixOr(keys), _) => (Route::PrefixOr(Fallback::Ready), Some(keys)),
            (Search::Prefix, _) => (Route::Prefix, None),
            (Search::Every, _) if of_sets && self.keys.join != Join::Unit => {
                let posting_cap = self.keys.posting_cap;
                (Route::Terms { posting_cap }, None)
            }
            (Search::Every, _) if self.keys.join == Join::Term => {
                return Err(Error::refused(
                    Setting::Join.given("term"),
                    format!(
                        "measure {name} does not follow from the number of common {features}, which is what a join by \
                         term counts"
                    ),
                    "use `join=unit`",
                ));
            }
            (Search::Every, _) => (Route::Units, None),
        };
        self.check_join(route)?;
        Ok((route, chosen))
    }

    /// Whether the join and the posting cap go with the route.
    pub(super) fn check_join(&self, route: Route) -> Result<(), Error> {
        let fits = matches!(
            (self.keys.join, route),
            (Join::Auto, _)
                | (Join::Term, Route::Terms { .. })
                | (Join::Unit, Route::Units)
                | (
                    Join::Bucket,
                    Route::Buckets | Route::Prefix | Route::PrefixOr(_)
                )
        );
        if !fits {
            let keys = &self.keys.method;
            let (problem, remedy) = match self.keys.join {
                Join::Bucket => (
                    "a join by bucket needs keys that few units share".to_string(),
                    "use `keys=prefix` or `keys=minhash`",
                ),
                _ => (
                    format!("a join by term or by unit looks at every feature, not at {keys} keys"),
                    "use `keys=every`",
                ),
            };
            return Err(Error::refused(Setting::Keys.given(keys), problem, remedy));
        }
        let cap = self.keys.posting_cap;
        if let Some(cap) = cap.filter(|_| !matches!(route, Route::Terms { .. })) {
            return Err(Error::refused(
                Setting::PostingCap.given(cap),
                "posting-cap is for the join by term",
                "use it with `keys=every`",
            ));
        }
        Ok(())
    }
}
