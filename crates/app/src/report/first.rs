//! Keeps the first few of many that are offered one after the other.

use std::collections::BinaryHeap;

/// Keeps those with the smallest keys, of equal ones the earliest.
#[derive(Debug)]
pub(super) struct First<T> {
    most: usize,
    kept: BinaryHeap<Offered<T>>,
}

#[derive(Debug)]
struct Offered<T> {
    key: u64,
    order: u64,
    item: T,
}

impl<T> Ord for Offered<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.key, self.order).cmp(&(other.key, other.order))
    }
}
impl<T> PartialOrd for Offered<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> PartialEq for Offered<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl<T> Eq for Offered<T> {}

impl<T> First<T> {
    pub(super) fn new(most: usize) -> Self {
        First {
            most,
            kept: BinaryHeap::new(),
        }
    }

    /// Whether it would keep something with this key: what it would not need not be made.
    pub(super) fn wants(&self, key: u64, order: u64) -> bool {
        let last = self.kept.peek();
        self.kept.len() < self.most
            || last.is_some_and(|last| (key, order) < (last.key, last.order))
    }

    /// Offers the `order`-th of all; what has to go for it is returned.
    pub(super) fn offer(&mut self, key: u64, order: u64, item: T) -> Option<(u64, T)> {
        self.kept.push(Offered { key, order, item });
        if self.kept.len() <= self.most {
            return None;
        }
        self.kept.pop().map(|last| (last.order, last.item))
    }

    /// Those kept with their place among all offered, the first first.
    pub(super) fn finish(self) -> Vec<(u64, T)> {
        let sorted = self.kept.into_sorted_vec().into_iter();
        sorted.map(|kept| (kept.order, kept.item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_with_the_smallest_keys_are_kept_and_of_equal_ones_the_earliest() {
        let mut first = First::new(3);
        for (order, key) in (0..).zip([5, 1, 4, 1, 4, 9]) {
            if first.wants(key, order) {
                first.offer(key, order, key);
            }
        }
        assert_eq!(first.finish(), [(1, 1), (3, 1), (2, 4)]);
    }
}
