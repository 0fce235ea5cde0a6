//! Two contiguous features in common: with words the baseline of Gong, Huang, Cheng and Bai 2008.

use std::sync::Arc;

use lookalike_text::hash::mix64;

use super::{Finds, Key, Keys, Method, Search};
use crate::Features;

pub(super) const METHOD: Method = Method::new("bigrams", "bigrams", |given, _| {
    given.no_parameters()?;
    Ok(Search::Keys(Arc::new(Bigrams)))
});

/// Every two contiguous features of a text are a key; a text of one feature has it alone.
#[derive(Debug)]
struct Bigrams;

/// How many keys a short text has, for planning.
const USUAL_KEYS: usize = 16;

impl Keys for Bigrams {
    fn name(&self) -> &'static str {
        METHOD.name
    }

    fn keys(&self, features: &Features, out: &mut Vec<Key>) {
        let hashes = features.hashes();
        if let [alone] = hashes {
            out.push(mix64(*alone));
        }
        let contiguous = hashes.windows(2);
        out.extend(contiguous.map(|two| mix64(mix64(two[0]) ^ two[1].rotate_left(17))));
    }

    fn most_keys(&self) -> usize {
        USUAL_KEYS
    }

    fn finds(&self) -> Finds {
        Finds::SameFingerprint("two contiguous words in common")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn keys(terms: &[u64]) -> BTreeSet<Key> {
        let mut features = Features::default();
        terms.iter().for_each(|&term| features.push(term));
        let mut out = Vec::new();
        Bigrams.keys(&features, &mut out);
        BTreeSet::from_iter(out)
    }

    #[test]
    fn texts_share_a_key_if_they_share_two_contiguous_words_in_order() {
        let one = keys(&[1, 2, 3, 4]);
        assert_eq!(one.len(), 3);
        assert_eq!(one.intersection(&keys(&[9, 3, 4, 1])).count(), 1);
        assert!(one.is_disjoint(&keys(&[4, 3, 2, 1])));
        assert!(one.is_disjoint(&keys(&[1])));
        assert_eq!(keys(&[1]), keys(&[1]));
        assert!(keys(&[]).is_empty());
    }
}
