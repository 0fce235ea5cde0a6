//! An open hash table: what is stored stands in the first free slot from the place that its hash names.
//!
//! Hashes come in from whoever stores something, which also says what is the same; so that a table can hold keys, keys
//! with counts, or numbers of things that are stored elsewhere. The order of slots must not reach any output.
//!
//! ```
//! use lookalike_text::hash::{Table, mix64};
//!
//! let mut seen = Table::default();
//! seen.reset(3);
//! let mut is_new = |key: u64| seen.get_or_put(mix64(key), |&other| other == key, key).1;
//! assert!(is_new(7) && is_new(8) && !is_new(7));
//! ```

/// What stands in a slot; the default is a free one.
pub trait Slot: Clone + Default {
    /// A table grows when so many quarters of its slots are taken.
    const TAKEN_QUARTERS: usize = 2;

    /// Whether nothing stands in it.
    fn is_free(&self) -> bool;
}

macro_rules! zero_is_free {
    ($($number:ty),*) => {
        $(impl Slot for $number {
            #[inline]
            fn is_free(&self) -> bool {
                *self == 0
            }
        })*
    };
}

zero_is_free!(u32, u64, u128);

impl<T: Clone> Slot for Option<T> {
    #[inline]
    fn is_free(&self) -> bool {
        self.is_none()
    }
}

/// The least slots that a growing table has.
const LEAST_SLOTS: usize = 64;

/// An open hash table: what is stored stands in the first free slot from the place that its hash names.
#[derive(Debug, Clone, Default)]
pub struct Table<S> {
    /// A power of two of them, or none.
    slots: Vec<S>,
    taken: usize,
}

impl<S: Slot> Table<S> {
    /// Forgets everything and makes room for so many, which take at most half of the slots. That takes time for the
    /// room asked for, not for the most that was ever held.
    pub fn reset(&mut self, room: usize) {
        self.slots.clear();
        self.slots
            .resize((2 * room).next_power_of_two(), S::default());
        self.taken = 0;
    }

    /// Forgets everything and keeps the room.
    pub fn clear(&mut self) {
        self.slots.fill(S::default());
        self.taken = 0;
    }

    /// Makes room for one more, given the hash of what stands in a slot.
    #[inline]
    pub fn make_room(&mut self, hash: impl Fn(&S) -> u64) {
        if 4 * (self.taken + 1) > S::TAKEN_QUARTERS * self.slots.len() {
            self.grow(hash);
        }
    }

    #[cold]
    fn grow(&mut self, hash: impl Fn(&S) -> u64) {
        let size = (2 * self.slots.len()).max(LEAST_SLOTS);
        let before = std::mem::replace(&mut self.slots, vec![S::default(); size]);
        for slot in before.into_iter().filter(|slot| !slot.is_free()) {
            let place = self.place(hash(&slot), |_| false);
            self.slots[place] = slot;
        }
    }

    /// Where something stands, or would stand. There is always a free slot.
    #[inline]
    fn place(&self, hash: u64, is_it: impl Fn(&S) -> bool) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        while !self.slots[place].is_free() && !is_it(&self.slots[place]) {
            place = (place + 1) & mask;
        }
        place
    }

    /// What has this hash and is the same.
    #[inline]
    pub fn get(&self, hash: u64, is_it: impl Fn(&S) -> bool) -> Option<&S> {
        if self.taken == 0 {
            return None;
        }
        let slot = &self.slots[self.place(hash, is_it)];
        (!slot.is_free()).then_some(slot)
    }

    /// What has this hash and is the same, or else `new`, which then stands there, and whether that is so. Room must
    /// have been made.
    #[inline]
    pub fn get_or_put(&mut self, hash: u64, is_it: impl Fn(&S) -> bool, new: S) -> (&mut S, bool) {
        let slots = self.slots.as_mut_slice();
        let mask = slots.len() - 1;
        let mut place = hash as usize & mask;
        while !slots[place].is_free() {
            if is_it(&slots[place]) {
                return (&mut slots[place], false);
            }
            place = (place + 1) & mask;
        }
        self.taken += 1;
        slots[place] = new;
        (&mut slots[place], true)
    }

    /// How many slots are taken.
    pub fn len(&self) -> usize {
        self.taken
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// Those that are taken, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = &S> {
        self.slots.iter().filter(|slot| !slot.is_free())
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.slots.iter_mut().filter(|slot| !slot.is_free())
    }

    /// What the slots take.
    pub fn memory_bytes(&self) -> usize {
        self.slots.capacity() * size_of::<S>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// A key and how often it was put.
    type Counted = Option<(u64, u32)>;

    /// Few different hashes, so that keys collide and wrap around the end.
    fn hash(key: u64) -> u64 {
        u64::MAX - key % 5
    }

    fn is(key: u64) -> impl Fn(&Counted) -> bool {
        move |slot| slot.is_some_and(|(other, _)| other == key)
    }

    fn count(table: &mut Table<Counted>, key: u64) -> bool {
        let (slot, is_new) = table.get_or_put(hash(key), is(key), Some((key, 0)));
        slot.as_mut().unwrap().1 += 1;
        is_new
    }

    proptest! {
        #[test]
        fn a_table_holds_what_a_map_holds_whether_it_grows_or_not(
            rounds in prop::collection::vec(prop::collection::vec(0u64..300, 0..400), 1..4),
            grows: bool,
        ) {
            let mut table: Table<Counted> = Table::default();
            for keys in rounds {
                table.reset(if grows { 0 } else { keys.len() });
                let mut expected: BTreeMap<u64, u32> = BTreeMap::new();
                for key in keys {
                    if grows {
                        table.make_room(|slot| slot.map_or(0, |(key, _)| hash(key)));
                    }
                    prop_assert_eq!(count(&mut table, key), !expected.contains_key(&key));
                    *expected.entry(key).or_default() += 1;
                }
                prop_assert_eq!(table.len(), expected.len());
                prop_assert_eq!(table.is_empty(), expected.is_empty());
                let all: BTreeMap<u64, u32> = table.iter().copied().flatten().collect();
                prop_assert_eq!(&all, &expected);
                for key in 0..300 {
                    let found = table.get(hash(key), is(key)).copied().flatten();
                    prop_assert_eq!(found.map(|(_, times)| times), expected.get(&key).copied());
                }
                table.iter_mut().for_each(|slot| *slot = Some((1, 1)));
            }
        }
    }

    #[test]
    fn a_table_that_was_large_is_small_again() {
        let mut table: Table<u64> = Table::default();
        assert_eq!(table.get(1, |&key| key == 1), None);
        table.reset(1000);
        table.reset(1);
        assert_eq!(table.slots.len(), 2);
        assert!(table.memory_bytes() >= 16_000);
    }
}
