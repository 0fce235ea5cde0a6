//! Prefixes by weight: keys that every pair of a weighted Jaccard similarity at or above the threshold shares.
//!
//! Let A weigh W and have w in common with a similar text: then w is at least θ·W, since what both have together weighs
//! at least W. With all terms in one order, the rarest first, the first common term of a pair is followed, in either text,
//! by terms of at least θ·W, itself included; what comes later in the order cannot be the first common one. That is the
//! prefix filter. In short texts it leaves too many: even the rarest third of fifteen words has words of a thousand
//! others. But then a second word is in common, or the first alone weighs θ·W. So
//! - a rare term, which few units have, is a key if it and what follows it is enough;
//! - two terms that are not rare are a key together, if the first, the second and what follows it is enough;
//! - a term that is enough by itself is a key.
//!
//! A pair of texts whose first common term is rare shares the first kind. Else the two first common terms are both not
//! rare, and it shares the second kind; or the third if it has but one in common. A term that one unit has is no key.
//!
//! Long texts would have many pairs of terms: above a weight they have single terms only, and around it, where a text
//! may be similar to one of either kind, both.
//!
//! Even so a long text has dozens of keys, and in a large corpus of a limited vocabulary each of them is shared by many: the
//! pairs grow with the square of the corpus. Where not every pair is asked for, a long text is looked up by its rarest terms
//! up to a number of units that have one of these; what that leaves out is counted. Similar texts have most of their terms in
//! common, so nearly always one of the rarest.

use std::sync::Arc;

use lookalike_text::hash::mix64;

use super::sieve::sketch_of_weights;
use super::{Finds, Key, Keys, Sieve, Sketched, prefix};
use crate::Features;

/// A term of at most so many units is rare.
const RARE: u32 = 16;

/// Texts of so many words of the usual weight are long. Of light words there may be more, and so many more keys, up to it.
const LONG: f64 = 24.0;

/// A long text is looked up among so many units that share one of its terms, where not every pair is asked for,
const MOST_LOOKED_UP: u64 = 384;

/// but by so many terms at least.
const LEAST_TERMS: usize = 4;

/// Keys that every pair of a weighted Jaccard similarity at or above the threshold shares.
#[derive(Debug)]
struct WeightedPrefix {
    /// What a similar pair has in common weighs at least this share of either text.
    share: f64,
    /// What a word usually weighs.
    usual: u32,
    /// Whether every pair is asked for, whatever it costs.
    every_pair: bool,
}

/// Keys for pairs of at least this weighted Jaccard similarity: that is, too, the share of the weight of either text
/// that they have in common at the least. The usual weight of a word only decides on the cost. Unless `every_pair` is asked
/// for, long texts are looked up by their rarest terms only, where others are shared by many.
pub fn weighted_prefix(share: f64, usual: u32, every_pair: bool) -> Arc<dyn Keys> {
    Arc::new(WeightedPrefix {
        share,
        usual,
        every_pair,
    })
}

/// The distinct terms of a unit in the one order of all terms.
struct Members {
    terms: Vec<Member>,
    /// What the prefix has to be followed by.
    enough: u64,
    /// Those that may be the first common one.
    prefix: usize,
    /// How many of these are rare: they come first.
    rare: usize,
    /// Whether frequencies are known: then a term of frequency 1 is nowhere else.
    counted: bool,
}

struct Member {
    term: u64,
    weight: u64,
    /// What it weighs together with all that follow.
    onward: u64,
    frequency: u32,
}

impl Members {
    fn new(features: &Features, share: f64) -> Self {
        let (weights, frequencies) = (features.weights(), features.frequencies());
        let counted = !frequencies.is_empty();
        // In 128 bits: what orders (the rarest first; where that is not known, the heaviest), the term, its weight.
        let packed = |(place, &term): (usize, &u64)| {
            let weight = weights.get(place).copied().unwrap_or(1 << 16);
            let order = frequencies.get(place).copied().unwrap_or(!weight);
            u128::from(order) << 96 | u128::from(term) << 32 | u128::from(weight)
        };
        let mut packed: Vec<u128> = features.hashes().iter().enumerate().map(packed).collect();
        packed.sort_unstable();
        packed.dedup();
        let member = |packed: u128| Member {
            term: (packed >> 32) as u64,
            weight: u64::from(packed as u32),
            onward: 0,
            frequency: (packed >> 96) as u32,
        };
        let mut terms: Vec<Member> = packed.into_iter().map(member).collect();
        let mut onward = 0;
        for member in terms.iter_mut().rev() {
            onward += member.weight;
            member.onward = onward;
        }
        // A little less: the exact comparison decides.
        let enough = (share * onward as f64 * (1.0 - 1e-9)) as u64;
        let rare = if counted {
            terms.partition_point(|member| member.frequency <= RARE)
        } else {
            0
        };
        Members {
            prefix: terms.partition_point(|member| member.onward >= enough),
            terms,
            enough,
            rare,
            counted,
        }
    }

    fn total(&self) -> u64 {
        self.terms.first().map_or(0, |member| member.onward)
    }
}

fn single(term: u64) -> Key {
    mix64(term)
}

fn double(first: u64, second: u64) -> Key {
    mix64(mix64(first) ^ second.rotate_left(23))
}

impl WeightedPrefix {
    /// Whether a unit of this weight has keys of two terms, and whether each of its terms is a key.
    fn kinds(&self, total: u64) -> (bool, bool) {
        let long = LONG * f64::from(self.usual);
        let total = total as f64;
        (total * self.share <= long, total >= self.share * long)
    }

    /// The weight of a bit of the sketch: a word has some.
    fn bit(&self) -> u32 {
        (self.usual / 3).max(1 << 8)
    }
}

impl Keys for WeightedPrefix {
    fn name(&self) -> &'static str {
        prefix::METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        self.keys_and_sketch(features, out);
    }

    fn keys_and_sketch(&self, features: &Features, out: &mut Vec<Key>) -> Sketched {
        let members = Members::new(features, self.share);
        let (has_doubles, has_singles) = self.kinds(members.total());
        let is_limited = !self.every_pair && members.counted && !has_doubles;
        let (mut looked_up, mut left_out, before) = (0, 0, out.len());
        for (place, member) in members.terms[..members.prefix].iter().enumerate() {
            let is_lone = members.counted && member.frequency <= 1;
            let alone = place < members.rare || member.weight >= members.enough;
            if !is_lone && (alone || has_singles) {
                let others = u64::from(member.frequency.saturating_sub(1));
                let has_enough = looked_up > MOST_LOOKED_UP && out.len() - before >= LEAST_TERMS;
                if is_limited && has_enough {
                    left_out += others;
                    continue;
                }
                looked_up += others;
                out.push(single(member.term));
            }
            if has_doubles && place >= members.rare {
                let rest = members.enough.saturating_sub(member.weight);
                let following = members.terms[place + 1..].iter();
                let seconds = following.take_while(|second| second.onward >= rest);
                out.extend(seconds.map(|second| double(member.term, second.term)));
            }
        }
        let weighted = members.terms.iter();
        let weighted = weighted.map(|member| (member.term, member.weight as u32));
        Sketched {
            sketch: sketch_of_weights(weighted, self.bit()),
            left_out,
        }
    }

    fn sieve(&self) -> Option<Sieve> {
        Some(Sieve::Weights {
            threshold: self.share,
            bit: self.bit(),
        })
    }

    fn most_keys(&self) -> usize {
        16
    }

    fn finds(&self) -> Finds {
        Finds::All
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::weights::Weighed;

    /// Terms with weights and frequencies that depend on the term alone.
    fn features(terms: &[u64], heavy: u32, counted: bool) -> Features {
        let mut features = Features::default();
        for &term in terms {
            let weight = 1 + (mix64(term) % 7) as u32 * heavy;
            let frequency = 1 + (mix64(term ^ 99) % 60) as u32;
            if counted {
                // 1 is for terms of one unit only.
                let frequency = frequency.max(2);
                features.push_weighed(term, Weighed { weight, frequency });
            } else {
                features.push_weighted(term, weight);
            }
        }
        features
    }

    fn similarity(a: &Features, b: &Features) -> f64 {
        let weighted = |features: &Features| -> BTreeSet<(u64, u32)> {
            let pairs = features.hashes().iter().zip(features.weights());
            pairs.map(|(&hash, &weight)| (hash, weight)).collect()
        };
        let (a, b) = (weighted(a), weighted(b));
        let sum = |set: Vec<&(u64, u32)>| -> f64 { set.iter().map(|(_, w)| f64::from(*w)).sum() };
        sum(a.intersection(&b).collect()) / sum(a.union(&b).collect())
    }

    proptest! {
        #[test]
        fn every_similar_pair_shares_a_key(
            a in prop::collection::vec(0u64..40, 1..30),
            changes in prop::collection::vec((0usize..30, 0u64..40), 0..8),
            threshold in 0.2f64..=1.0,
            heavy in prop_oneof![Just(1u32), Just(70_000u32), Just(1_000_000u32)],
            counted in any::<bool>(),
            usual in prop_oneof![Just(1u32), Just(50_000u32), Just(1_000_000u32)],
        ) {
            let mut b = a.clone();
            for (place, term) in changes {
                match term % 3 {
                    0 => b.push(term),
                    1 if b.len() > 1 => { b.remove(place % b.len()); },
                    _ => { let place = place % b.len(); b[place] = term; }
                }
            }
            let (a, b) = (features(&a, heavy, counted), features(&b, heavy, counted));
            if similarity(&a, &b) >= threshold {
                let keys = weighted_prefix(threshold, usual, true);
                let of = |features: &Features| {
                    let mut out = Vec::new();
                    let Sketched { sketch, left_out } = keys.keys_and_sketch(features, &mut out);
                    assert_eq!(left_out, 0);
                    (BTreeSet::from_iter(out), sketch)
                };
                let (a, b) = (of(&a), of(&b));
                prop_assert!(!a.0.is_disjoint(&b.0));
                prop_assert!(keys.sieve().unwrap().admits(a.1, b.1));
            }
        }
    }

    #[test]
    fn a_long_text_is_looked_up_by_its_rarest_terms_as_far_as_these_are_shared_by_few() {
        let keys = |count: u64, frequency: u32, every_pair: bool| {
            let mut features = Features::default();
            for term in 1..=count {
                let weighed = Weighed {
                    weight: 1 << 16,
                    frequency: frequency + term as u32,
                };
                features.push_weighed(term, weighed);
            }
            let mut out = Vec::new();
            let keys = weighted_prefix(0.5, 1 << 16, every_pair);
            let left_out = keys.keys_and_sketch(&features, &mut out).left_out;
            (out, left_out)
        };
        // The first of a text are its rarest: 20 + 21 + … are enough after 15 of them.
        let (all, none) = keys(200, 20, true);
        let (some, left_out) = keys(200, 20, false);
        assert_eq!((all.len(), none, some.len()), (101, 0, 15));
        assert_eq!(all[..15], some);
        assert_eq!(left_out, (16..=101).map(|term| 20 + term - 1).sum::<u64>());
        // Some are looked up in any case, and a short text is by all.
        assert_eq!(keys(200, 900, false).0.len(), LEAST_TERMS);
        assert_eq!(keys(200, 0, false).0, keys(200, 0, true).0[..28]);
        assert_eq!(keys(20, 900, false), keys(20, 900, true));
    }

    #[test]
    fn a_unit_without_features_has_no_key() {
        let mut out = Vec::new();
        weighted_prefix(0.65, 1 << 16, true).keys(&Features::default(), &mut out);
        assert!(out.is_empty());
    }

    #[test]
    fn what_one_unit_has_is_no_key() {
        let mut features = Features::default();
        for term in 1..5 {
            let weighed = Weighed {
                weight: 10,
                frequency: 1,
            };
            features.push_weighed(term, weighed);
        }
        let mut out = Vec::new();
        weighted_prefix(0.65, 1 << 16, true).keys(&features, &mut out);
        assert!(out.is_empty());
    }
}
