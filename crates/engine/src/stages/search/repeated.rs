//! Which keys occur more than once, and some that do not: most occur once, and need not be sorted.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::stages::Context;

/// A filter of all keys. Each is at a place that follows from it, so that those of one text are all over the memory: they are
/// looked at some at a time, which lets the machine fetch several at once, before any is marked.
pub(super) struct Repeated {
    /// Two bits a place: whether there was one, and another.
    bits: Vec<AtomicU64>,
}

impl Repeated {
    const PLACES_A_WORD: u64 = 32;

    /// With room for so many keys, if the memory has it.
    pub(super) fn new(context: &Context<'_>, keys: u64) -> Self {
        Self::of_bytes(context.budget.percent(5), keys)
    }

    fn of_bytes(memory: usize, keys: u64) -> Self {
        let most = memory / size_of::<AtomicU64>();
        let words = (2 * keys / Self::PLACES_A_WORD).next_power_of_two().max(1) as usize;
        // A power of two.
        let words = words.min(1 << most.max(1).ilog2());
        Repeated {
            bits: std::iter::repeat_with(|| AtomicU64::new(0))
                .take(words)
                .collect(),
        }
    }

    #[inline]
    fn place(&self, key: u64) -> (&AtomicU64, u64) {
        // By other bits than those that choose a partition.
        let word = (key / Self::PLACES_A_WORD) as usize & (self.bits.len() - 1);
        (&self.bits[word], 1 << (2 * (key % Self::PLACES_A_WORD)))
    }

    /// Adds keys, which are then in no order.
    pub(super) fn insert(&self, keys: &mut [u64]) {
        let mut fresh = 0;
        for at in 0..keys.len() {
            let is_repeated = self.has(keys[at]);
            keys.swap(at, fresh);
            fresh += usize::from(!is_repeated);
        }
        for &key in &keys[..fresh] {
            let (word, bit) = self.place(key);
            if word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
                word.fetch_or(bit << 1, Ordering::Relaxed);
            }
        }
    }

    /// Drops the keys that occur once, but for some, and leaves the others in their order.
    pub(super) fn retain(&self, keys: &mut Vec<(u64, u32)>) {
        let mut kept = 0;
        for at in 0..keys.len() {
            let key = keys[at];
            keys[kept] = key;
            kept += usize::from(self.has(key.0));
        }
        keys.truncate(kept);
    }

    #[inline]
    fn has(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        word.load(Ordering::Relaxed) & (bit << 1) != 0
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::hash::mix64;

    use super::*;

    #[test]
    fn keys_that_occur_again_stay_in_their_order_and_most_others_do_not() {
        let key = |number: u64| mix64(number + 1);
        let repeated = Repeated::of_bytes(1 << 20, 20_000);
        for first in [0, 5_000] {
            let mut keys: Vec<u64> = (first..first + 10_000).map(key).collect();
            repeated.insert(&mut keys);
        }
        // Those from 5,000 on up to 10,000 were there twice.
        let mut keys: Vec<(u64, u32)> = (0..15_000).map(|at| (key(at.into()), at)).collect();
        repeated.retain(&mut keys);
        let twice = keys.iter().filter(|key| (5_000..10_000).contains(&key.1));
        assert_eq!(twice.count(), 5_000);
        assert!(keys.len() < 9_000, "{}", keys.len());
        assert!(keys.is_sorted_by_key(|key| key.1));
    }

    #[test]
    fn a_key_that_is_twice_in_one_text_is_repeated() {
        let repeated = Repeated::of_bytes(64, 10);
        repeated.insert(&mut [mix64(7), mix64(7)]);
        assert!(repeated.has(mix64(7)));
    }
}
