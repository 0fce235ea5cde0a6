//! Fingerprints of the heaviest terms (Gong, Huang, Cheng and Bai 2008).
//!
//! The terms of a text are sorted by weight, the heaviest first; equal weights by their hash. Of these the first λ = k + N
//! are its features, where the first k weigh more than the threshold's share of all. Each N contiguous features are a
//! fingerprint; a text of fewer has one of them all.

use std::cmp::Reverse;
use std::sync::Arc;

use lookalike_text::hash::mix64;

use super::{Finds, Key, Keys, Method, Parameters, Search, Wish};
use crate::{Error, Features};

pub(super) const METHOD: Method = Method {
    needs_weights: true,
    ..Method::new("simfinder", "simfinder:N or simfinder:N:L", build)
};

/// Fingerprints of the heaviest terms (Gong, Huang, Cheng and Bai 2008).
#[derive(Debug)]
struct SimFinder {
    contiguous: usize,
    /// How many of the heaviest terms are features, where that is fixed.
    heaviest: Option<usize>,
    threshold: f64,
}

/// How many keys a short text has, for planning.
const USUAL_KEYS: usize = 12;

fn build(given: &Parameters<'_>, wish: &Wish) -> Result<Search, Error> {
    let number = |value: &str| match value.parse::<usize>() {
        Ok(number) if (1..=64).contains(&number) => Ok(number),
        _ => Err(given.malformed(format!("\"{value}\" is not a number from 1 to 64"))),
    };
    let (contiguous, heaviest) = match given.values().as_slice() {
        [] => (3, None),
        [contiguous] => (number(contiguous)?, None),
        [contiguous, heaviest] => (number(contiguous)?, Some(number(heaviest)?)),
        _ => return Err(given.malformed("it has at most two parameters".to_string())),
    };
    if heaviest.is_some_and(|heaviest| heaviest < contiguous) {
        return Err(given.malformed(format!(
            "of fewer than {contiguous} terms there are no {contiguous} contiguous ones"
        )));
    }
    Ok(Search::Keys(Arc::new(SimFinder {
        contiguous,
        heaviest,
        threshold: wish.threshold,
    })))
}

impl SimFinder {
    /// The features of a text: its heaviest terms.
    fn heaviest(&self, features: &Features) -> Vec<u64> {
        let weighted = features.hashes().iter().zip(features.weights());
        let mut terms: Vec<(Reverse<u32>, u64)> = weighted
            .map(|(&term, &weight)| (Reverse(weight), term))
            .collect();
        terms.sort_unstable();
        terms.dedup();
        let weight = |terms: &[(Reverse<u32>, u64)]| -> u64 {
            terms.iter().map(|term| u64::from(term.0.0)).sum()
        };
        let count = self.heaviest.unwrap_or_else(|| {
            let share = self.threshold * weight(&terms) as f64;
            let mut sum = 0;
            let enough = terms.iter().position(|term| {
                sum += u64::from(term.0.0);
                sum as f64 > share
            });
            enough.map_or(terms.len(), |place| place + 1) + self.contiguous
        });
        terms.truncate(count);
        terms.into_iter().map(|(_, term)| term).collect()
    }
}

impl Keys for SimFinder {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        let heaviest = self.heaviest(features);
        if heaviest.is_empty() {
            return;
        }
        let windows = heaviest.windows(self.contiguous.min(heaviest.len()));
        out.extend(windows.map(|terms| terms.iter().fold(0, |key, &term| mix64(key ^ term))));
    }

    fn most_keys(&self) -> usize {
        USUAL_KEYS
    }

    fn finds(&self) -> Finds {
        Finds::SameFingerprint(
            "some of the heaviest words in common that follow each other by weight",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::search;
    use super::*;

    fn keys(form: &str, threshold: f64, terms: &[(u64, u32)]) -> Vec<Key> {
        let wish = Wish {
            threshold,
            ..Wish::default()
        };
        let Ok(Search::Keys(keys)) = search(form, &wish) else {
            panic!("{form}");
        };
        let mut features = Features::default();
        for &(term, weight) in terms {
            features.push_weighted(term, weight);
        }
        let mut out = Vec::new();
        keys.keys(&features, &mut out);
        out
    }

    #[test]
    fn the_heaviest_terms_and_as_many_more_as_are_contiguous_are_features() {
        let terms: Vec<(u64, u32)> = (1..=20).map(|term| (term, 100)).collect();
        // More than 0.65 of 20 equal terms are 14, and 3 more are 17, of which 15 are contiguous.
        assert_eq!(keys("simfinder:3", 0.65, &terms).len(), 15);
        assert_eq!(keys("simfinder:2", 0.65, &terms).len(), 15);
        assert_eq!(keys("simfinder:3:5", 0.65, &terms).len(), 3);
        // Exactly the share is not more than it.
        assert_eq!(keys("simfinder:1", 0.5, &terms).len(), 12);
    }

    #[test]
    fn what_is_light_does_not_count() {
        let heavy = [(1, 900), (2, 800), (3, 700)];
        let one = [&heavy[..], &[(4, 3), (5, 2), (6, 1)]].concat();
        let other = [&[(7, 2), (8, 3), (9, 1)], &heavy[..]].concat();
        let (one, other) = (
            keys("simfinder:3", 0.65, &one),
            keys("simfinder:3", 0.65, &other),
        );
        assert_eq!(one[0], other[0]);
        assert_ne!(one[1], other[1]);
    }

    #[test]
    fn a_short_text_has_one_fingerprint_and_an_empty_one_none() {
        assert_eq!(keys("simfinder:3", 0.65, &[(1, 5), (2, 5)]).len(), 1);
        assert_eq!(
            keys("simfinder:3", 0.65, &[(1, 5), (2, 5), (1, 5)]),
            keys("simfinder:3", 0.65, &[(2, 5), (1, 5)])
        );
        assert!(keys("simfinder:3", 0.65, &[]).is_empty());
    }

    #[test]
    fn a_wrong_form_names_the_remedy() {
        for wrong in [
            "simfinder:0",
            "simfinder:x",
            "simfinder:3:2",
            "simfinder:1:2:3",
        ] {
            let message = search(wrong, &Wish::default()).unwrap_err().to_string();
            assert!(message.contains("simfinder:N"), "{message}");
        }
    }
}
