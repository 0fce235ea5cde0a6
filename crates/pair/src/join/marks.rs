//! Marks of features: how many features two sets have in common at the most, told by a few bits of each.
//!
//! A bit for each feature, at a place that follows from it. Where only one of two sets has a bit, it has a feature that the other
//! lacks. So what is told is never too little, however many features fall on one bit.

/// A set by its size and its marks, of which there may be none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    size: usize,
    /// As many words as a power of two, or none.
    words: Vec<u64>,
}

impl Marked {
    /// Marks distinct features in at most so many bits. Fewer bits than features would tell nothing, so then there are none.
    pub fn new(features: &[u32], most_bits: usize) -> Self {
        let (size, word) = (features.len(), u64::BITS as usize);
        let most = match most_bits {
            0 => 0,
            most => 1 << most.ilog2(),
        };
        let bits = (2 * size).next_power_of_two().max(word).min(most);
        let mut words = Vec::new();
        if size > 0 && bits >= size.max(word) {
            words.resize(bits / word, 0);
            for feature in features {
                // By other bits than those that choose a slot in a table of counts.
                let place = (feature.wrapping_mul(0x9E37_79B1) >> 8) as usize % bits;
                words[place / word] |= 1 << (place % word);
            }
        }
        Marked { size, words }
    }

    /// How many features there are.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Appends it to words, from which it can be read again.
    pub fn append_to(&self, out: &mut Vec<u64>) {
        out.push((self.size as u64) << 32 | self.words.len() as u64);
        out.extend_from_slice(&self.words);
    }

    /// Reads what was appended, and moves on to what follows; none if there is not enough.
    pub fn read(words: &mut &[u64]) -> Option<Self> {
        let (first, rest) = words.split_first()?;
        let (own, rest) = rest.split_at_checked(*first as u32 as usize)?;
        *words = rest;
        Some(Marked {
            size: (first >> 32) as usize,
            words: own.to_vec(),
        })
    }

    /// How many features two sets have in common at the most.
    pub fn most_common(&self, other: &Marked) -> usize {
        let (small, large) = match self.words.len() <= other.words.len() {
            true => (self, other),
            false => (other, self),
        };
        // Of fewer bits each stands for several of more. Without marks nothing is told but by the sizes.
        let (mut only_small, mut only_large) = (0, 0);
        for (place, &word) in small.words.iter().enumerate() {
            let mut any = 0;
            for &word_of_large in large.words[place..].iter().step_by(small.words.len()) {
                any |= word_of_large;
                only_large += (word_of_large & !word).count_ones() as usize;
            }
            only_small += (word & !any).count_ones() as usize;
        }
        let of_small = small.size.saturating_sub(only_small);
        of_small.min(large.size.saturating_sub(only_large))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_text::hash::mix64;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn hashed(numbers: &BTreeSet<u64>) -> Vec<u32> {
        numbers.iter().map(|&number| mix64(number) as u32).collect()
    }

    proptest! {
        #[test]
        fn what_two_sets_have_in_common_is_never_more_than_their_marks_say(
            a in prop::collection::btree_set(0u64..400, 0..150),
            b in prop::collection::btree_set(0u64..400, 0..40),
            (bits_of_a, bits_of_b) in (0usize..2000, 0usize..2000),
        ) {
            let common = a.intersection(&b).count();
            let (one, two) = (Marked::new(&hashed(&a), bits_of_a), Marked::new(&hashed(&b), bits_of_b));
            let most = one.most_common(&two);
            prop_assert!(common <= most && most <= a.len().min(b.len()), "{} of {}", common, most);
            prop_assert_eq!(most, two.most_common(&one));
            let mut words = Vec::new();
            one.append_to(&mut words);
            two.append_to(&mut words);
            let mut read = words.as_slice();
            prop_assert_eq!(Marked::read(&mut read), Some(one));
            prop_assert_eq!(Marked::read(&mut read), Some(two));
            prop_assert_eq!(Marked::read(&mut read), None);
        }
    }

    #[test]
    fn sets_with_a_single_feature_in_common_are_told_apart_from_similar_ones() {
        let set = |numbers: std::ops::Range<u64>| Marked::new(&hashed(&numbers.collect()), 1024);
        let (eight, eighty) = (set(0..8), set(1000..1080));
        assert!(eight.most_common(&set(7..15)) <= 3);
        assert!(eighty.most_common(&set(1079..1159)) <= 40);
        assert!(eighty.most_common(&set(1020..1100)) >= 60);
    }
}
