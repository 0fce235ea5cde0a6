//! I-Match keys: digests of the terms a unit has in a lexicon and in randomised copies of it.
//!
//! In: the terms of a unit with their idf (`--features terms`). The lexicon is all terms whose idf is in a range. A copy
//! drops a fraction of all terms, chosen by a hash of the term and the number of the copy, so that nothing has to be
//! stored and every corpus drops the same ones. Out: a digest a lexicon. Two units are near duplicates if the digests of
//! one lexicon agree; a change to terms that some copy drops leaves the digest of that copy as it was.

use std::sync::Arc;

use lookalike_text::Seed;
use lookalike_text::hash::{hash128, mix64};
use serde::{Deserialize, Serialize};

use super::{Finds, Key, Keys, Method, Parameters, Search, Wish};
use crate::stats::{IDF_ONE, IdfRange};
use crate::{Error, Features};

pub(super) const METHOD: Method = Method {
    needs_weights: true,
    is_by_digest: true,
    ..Method::new("imatch", "imatch, imatch:K or imatch:K:P", build)
};

/// The paper's number of extra lexicons, and what share of the terms each drops.
const EXTRA_LEXICONS: u32 = 10;
pub(crate) const DROPPED: f64 = 0.33;
/// Narrow bands: between near duplicates words change about equally often whatever their idf, so what decides is how many
/// terms make a digest. Where pairs are compared afterwards, common words find the most. Of the neighbours at cosine 0.9 in
/// news (Reuters-21578) and mail (Enron, SpamAssassin), mean of three seeds, ten copies of this lexicon propose 0.64, 0.83
/// and 0.91, those of the unverified one 0.48, 0.71 and 0.84.
pub const IMATCH_IDF: (f64, f64) = (0.2, 0.25);
/// Where a common digest is all there is, rarer words: they matched ham and spam in one run of six, common words in all.
pub const UNVERIFIED_IMATCH_IDF: (f64, f64) = (0.45, 0.5);
/// What a bootstrap sample of a large lexicon lacks: each term is missed with probability 1/e.
const DROPPED_BY_BOOTSTRAP: f64 = 0.367_879_441_171_442_33;

/// Which terms make a digest.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct IMatchRules {
    /// The normalised idf of the lexicon's terms: by default what the lexicon was built for, or 0.2 to 0.25. Terms above the
    /// range are the secondary lexicon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idf: Option<IdfRange>,
    /// A digest is of at least so many terms: a unit that has fewer in a lexicon draws further ones from the secondary
    /// lexicon, those of smallest idf first. If there are still too few it has no digest under that lexicon.
    pub min_terms: usize,
    /// A unit with a smaller share of its terms in a lexicon draws until it has that share.
    pub min_share: f64,
}

impl Default for IMatchRules {
    fn default() -> Self {
        IMatchRules {
            idf: None,
            min_terms: 5,
            min_share: 0.05,
        }
    }
}

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    const MOST: u32 = 1000;
    let values = given.values();
    let (extra, dropped) = match values.as_slice() {
        [] => (None, None),
        [extra] => (Some(extra), None),
        [extra, dropped] => (Some(extra), Some(dropped)),
        _ => {
            return Err(given.malformed(
                "it takes the extra lexicons and the share of terms each drops, as in imatch:10:0.33"
                    .to_string(),
            ));
        }
    };
    let extra = extra.map_or(Ok(EXTRA_LEXICONS), |extra| match extra.parse() {
        Ok(number) if number <= MOST => Ok(number),
        _ => Err(given.malformed(format!(
            "\"{extra}\" is not a number of extra lexicons from 0 to {MOST}"
        ))),
    })?;
    let dropped = dropped.map_or(Ok(DROPPED), |dropped| match dropped.parse() {
        _ if *dropped == "bootstrap" => Ok(DROPPED_BY_BOOTSTRAP),
        Ok(share) if (0.0..1.0).contains(&share) && share > 0.0 => Ok(share),
        _ => Err(given.malformed(format!(
            "\"{dropped}\" is neither a share between 0 and 1 nor bootstrap"
        ))),
    })?;
    let rules = wish.imatch;
    if !(0.0..=1.0).contains(&rules.min_share) {
        return Err(given.malformed(format!(
            "min-share {} is not between 0 and 1",
            rules.min_share
        )));
    }
    let keys = IMatch::new(extra, dropped, rules, wish.seed);
    Ok(Search::Keys(Arc::new(keys)))
}

/// I-Match keys: digests of the terms a unit has in a lexicon and in randomised copies of it.
#[derive(Debug, Clone)]
pub struct IMatch {
    extra_lexicons: u32,
    /// A term is dropped where its hash is below this.
    dropped_below: u64,
    rules: IMatchRules,
    /// The range in the units of weights, 2⁻¹⁶.
    range: (u32, u32),
    seed: Seed,
}

impl IMatch {
    /// Digests of the lexicon and of `extra_lexicons` copies that each drop this share of the terms.
    pub fn new(extra_lexicons: u32, dropped: f64, rules: IMatchRules, seed: Seed) -> Self {
        let fixed = |idf: f64| (idf * f64::from(IDF_ONE)).round() as u32;
        let (low, high) = rules
            .idf
            .map_or(IMATCH_IDF, |range| (range.min(), range.max()));
        IMatch {
            extra_lexicons,
            dropped_below: (dropped * 2f64.powi(64)) as u64,
            rules,
            range: (fixed(low), fixed(high)),
            seed,
        }
    }

    /// What one lexicon draws by. Mixed before the number is added: else copy k of a seed would be copy k - 1 of the next.
    fn seed_of(&self, lexicon: u32) -> Seed {
        Seed(mix64(mix64(self.seed.0).wrapping_add(u64::from(lexicon))))
    }

    /// Whether a copy of the lexicon lacks a term; the original, number 0, lacks none.
    fn drops(&self, lexicon: u32, seed: Seed, term: u64) -> bool {
        lexicon > 0 && mix64(term ^ seed.0) < self.dropped_below
    }

    /// The terms of a unit under one lexicon, or none if they are too few.
    fn terms<'t>(
        &self,
        lexicon: u32,
        sorted: &Sorted<'_>,
        terms: &'t mut Vec<u64>,
    ) -> Option<&'t [u64]> {
        terms.clear();
        let seed = self.seed_of(lexicon);
        let kept = |&&(_, term): &&(u32, u64)| !self.drops(lexicon, seed, term);
        terms.extend(sorted.primary.iter().filter(kept).map(|&(_, term)| term));
        // Everything is counted over the terms that this copy does not drop: one that it drops must neither displace
        // another nor change how many are wanted.
        let all = sorted
            .all
            .iter()
            .filter(|&&term| !self.drops(lexicon, seed, term));
        let share = self.rules.min_share * all.count() as f64;
        let wanted = (share.ceil() as usize).max(self.rules.min_terms);
        if terms.len() < wanted {
            let missing = wanted - terms.len();
            let drawn = sorted.secondary.iter().filter(kept).take(missing);
            terms.extend(drawn.map(|&(_, term)| term));
        }
        // An empty intersection has no digest: otherwise all short posts would collide.
        (terms.len() >= self.rules.min_terms.max(1)).then(|| {
            terms.sort_unstable();
            terms.as_slice()
        })
    }
}

/// The terms of a unit by lexicon, each with its idf.
#[derive(Debug)]
struct Sorted<'f> {
    primary: Vec<(u32, u64)>,
    /// By ascending idf.
    secondary: Vec<(u32, u64)>,
    /// Of any idf.
    all: &'f [u64],
}

impl<'f> Sorted<'f> {
    fn new(features: &'f Features, (low, high): (u32, u32)) -> Self {
        let (mut primary, mut secondary) = (Vec::new(), Vec::new());
        for (&term, &idf) in features.hashes().iter().zip(features.weights()) {
            match idf {
                idf if idf < low => {}
                idf if idf <= high => primary.push((idf, term)),
                idf if idf <= IDF_ONE => secondary.push((idf, term)),
                // What the lexicon does not know is in neither.
                _ => {}
            }
        }
        secondary.sort_unstable();
        Sorted {
            primary,
            secondary,
            all: features.hashes(),
        }
    }
}

impl Keys for IMatch {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        let mut digests = Vec::new();
        self.digests(features, &mut digests);
        out.extend(digests.into_iter().flatten().map(|digest| digest as u64));
    }

    fn most_keys(&self) -> usize {
        self.extra_lexicons as usize + 1
    }

    fn finds(&self) -> Finds {
        Finds::Digests(self.extra_lexicons + 1)
    }

    fn digests(&self, features: &Features, out: &mut Vec<Option<u128>>) {
        let (sorted, mut terms) = (Sorted::new(features, self.range), Vec::new());
        out.extend((0..=self.extra_lexicons).map(|lexicon| {
            let terms = self.terms(lexicon, &sorted, &mut terms)?;
            // The lexicon's own seed: only digests of the same lexicon agree.
            Some(hash128(bytemuck::cast_slice(terms), self.seed_of(lexicon)))
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: u32 = 14_700;
    const HIGH: u32 = 60_000;

    fn unit(terms: &[(u64, u32)]) -> Features {
        let mut features = Features::default();
        for &(term, idf) in terms {
            features.push_weighted(mix64(term), idf);
        }
        features
    }

    fn digests(imatch: &IMatch, features: &Features) -> Vec<Option<u128>> {
        let mut out = Vec::new();
        imatch.digests(features, &mut out);
        out
    }

    fn imatch(extra: u32, dropped: f64, rules: IMatchRules) -> IMatch {
        IMatch::new(extra, dropped, rules, Seed(3))
    }

    fn middle(count: u64) -> Vec<(u64, u32)> {
        (0..count).map(|term| (term, MIDDLE)).collect()
    }

    #[test]
    fn order_does_not_matter_and_terms_outside_the_lexicon_neither() {
        let imatch = imatch(10, 0.33, IMatchRules::default());
        let one = middle(30);
        let mut other: Vec<_> = one.iter().rev().copied().collect();
        // Too frequent, and unknown to the lexicon.
        other.extend([(900, 100), (901, (1 << 16) + 1)]);
        assert_eq!(
            digests(&imatch, &unit(&one)),
            digests(&imatch, &unit(&other))
        );
    }

    #[test]
    fn a_changed_term_leaves_the_digests_of_the_copies_that_drop_it() {
        let imatch = imatch(400, 0.33, IMatchRules::default());
        let one = middle(30);
        for changes in 1..=3u64 {
            let mut other = one.clone();
            other.extend((0..changes).map(|term| (1000 + term, MIDDLE)));
            let (a, b) = (
                digests(&imatch, &unit(&one)),
                digests(&imatch, &unit(&other)),
            );
            assert_ne!(a[0], b[0]);
            let same = a.iter().zip(&b).filter(|(x, y)| x == y).count();
            let expected = 400.0 * 0.33f64.powi(changes as i32);
            let sigma = (expected * (1.0 - 0.33f64.powi(changes as i32))).sqrt();
            assert!(
                (same as f64 - expected).abs() < 4.0 * sigma,
                "{changes}: {same} against {expected}"
            );
        }
    }

    #[test]
    fn too_few_terms_have_no_digest_lexicon_by_lexicon() {
        let rules = IMatchRules {
            min_terms: 5,
            min_share: 0.0,
            ..IMatchRules::default()
        };
        let imatch = imatch(50, 0.5, rules);
        assert!(
            digests(&imatch, &unit(&middle(4)))
                .iter()
                .all(Option::is_none)
        );
        let eight = digests(&imatch, &unit(&middle(8)));
        assert!(eight[0].is_some());
        let missing = eight.iter().filter(|digest| digest.is_none()).count();
        assert!((10..45).contains(&missing), "{missing}");
        assert!(
            digests(&imatch, &Features::default())
                .iter()
                .all(Option::is_none)
        );
    }

    #[test]
    fn a_small_intersection_draws_the_secondary_terms_of_least_idf() {
        let rules = IMatchRules {
            min_terms: 4,
            min_share: 0.5,
            ..IMatchRules::default()
        };
        let imatch = imatch(0, 0.33, rules);
        let mut terms = middle(4);
        terms.extend((100..106).map(|term| (term, HIGH + (term - 100) as u32)));
        // Ten terms, four in the lexicon: one more is drawn to make it half, the one of least idf.
        let before = digests(&imatch, &unit(&terms));
        let mut rare_changed = terms.clone();
        rare_changed[9].0 = 777;
        assert_eq!(digests(&imatch, &unit(&rare_changed)), before);
        let mut drawn_changed = terms.clone();
        drawn_changed[4].0 = 777;
        assert_ne!(digests(&imatch, &unit(&drawn_changed)), before);
    }

    #[test]
    fn copies_drop_secondary_terms_too() {
        let rules = IMatchRules {
            min_terms: 2,
            min_share: 1.0,
            ..IMatchRules::default()
        };
        let imatch = imatch(100, 0.33, rules);
        let mut terms = middle(2);
        terms.extend((100..120).map(|term| (term, HIGH)));
        let mut changed = terms.clone();
        changed[10].0 = 777;
        let (a, b) = (
            digests(&imatch, &unit(&terms)),
            digests(&imatch, &unit(&changed)),
        );
        let same = a.iter().zip(&b).filter(|(x, y)| x == y).count();
        // A substitution counts twice.
        assert!((3..25).contains(&same), "{same}");
    }

    #[test]
    fn neighbouring_seeds_drop_other_terms() {
        let dropped = |seed: u64, lexicon: u32| -> Vec<u64> {
            let imatch = IMatch::new(10, 0.33, IMatchRules::default(), Seed(seed));
            let own = imatch.seed_of(lexicon);
            let terms = (0..300).map(mix64);
            terms
                .filter(|&term| imatch.drops(lexicon, own, term))
                .collect()
        };
        for lexicon in 1..10 {
            let one = dropped(7, lexicon);
            for other in [dropped(8, lexicon - 1), dropped(6, lexicon + 1)] {
                let common = one.iter().filter(|term| other.contains(term)).count();
                // A third of a third of 300 by chance.
                assert!(common < 60, "lexicon {lexicon}: {common} of {}", one.len());
            }
        }
    }

    #[test]
    fn digests_of_different_lexicons_never_agree() {
        let found = digests(
            &imatch(30, 0.01, IMatchRules::default()),
            &unit(&middle(20)),
        );
        let distinct: std::collections::BTreeSet<_> = found.iter().collect();
        assert_eq!(distinct.len(), found.len());
    }

    #[test]
    fn a_digest_is_what_it_has_always_been() {
        let found = digests(&imatch(1, 0.33, IMatchRules::default()), &unit(&middle(20)));
        assert_eq!(
            found,
            [
                Some(6772986788811989317949394830898868375),
                Some(218568804213476862892697216152518095251)
            ]
        );
    }
}
