//! A bit per unit, or a bit per record.

use std::marker::PhantomData;

use crate::number::Number;

/// A set of units, or of records.
#[derive(Debug, Clone)]
pub(crate) struct Bits<I> {
    words: Vec<u64>,
    of: PhantomData<I>,
}

impl<I: Number> Bits<I> {
    /// None below `len` is in it.
    pub(crate) fn new(len: usize) -> Self {
        Bits {
            words: vec![0; len.div_ceil(64)],
            of: PhantomData,
        }
    }

    /// All below `len` that are `wanted`.
    pub(crate) fn of(len: usize, wanted: impl Fn(I) -> bool) -> Self {
        let mut bits = Bits::new(len);
        let all = (0..len as u32).map(I::from);
        all.filter(|&member| wanted(member))
            .for_each(|member| bits.insert(member));
        bits
    }

    pub(crate) fn insert(&mut self, member: I) {
        let number = member.get();
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    pub(crate) fn contains(&self, member: I) -> bool {
        let number = member.get();
        self.words
            .get(number as usize / 64)
            .is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    pub(crate) fn count(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The members, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = I> {
        let all = (0..self.words.len() as u32 * 64).map(I::from);
        all.filter(|&member| self.contains(member))
    }

    /// How many are in both.
    pub(crate) fn common(&self, other: &Bits<I>) -> u64 {
        let words = self.words.iter().zip(&other.words);
        words.map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    /// Whether any of so many from `first` on is in it.
    pub(crate) fn any(&self, first: I, count: u32) -> bool {
        let mut number = u64::from(first.get());
        let end = number + u64::from(count);
        while number < end {
            if number % 64 == 0 && number + 64 <= end {
                if self.words[number as usize / 64] != 0 {
                    return true;
                }
                number += 64;
            } else {
                if self.contains(I::from(number as u32)) {
                    return true;
                }
                number += 1;
            }
        }
        false
    }
}

/// Numbers the members of a set from 0 on, by a running count every word.
#[derive(Debug)]
pub(crate) struct Ranked<I> {
    bits: Bits<I>,
    before: Vec<u32>,
}

impl<I: Number> Ranked<I> {
    pub(crate) fn new(bits: Bits<I>) -> Self {
        let mut sum = 0;
        let before = bits.words.iter().map(|word| {
            sum += word.count_ones();
            sum - word.count_ones()
        });
        Ranked {
            before: before.collect(),
            bits,
        }
    }

    pub(crate) fn bits(&self) -> &Bits<I> {
        &self.bits
    }

    /// The member at this place, if there are so many.
    pub(crate) fn member(&self, place: usize) -> Option<I> {
        let word = self
            .before
            .partition_point(|&before| before as usize <= place)
            .checked_sub(1)?;
        let mut bits = self.bits.words[word];
        for _ in 0..place - self.before[word] as usize {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| I::from(word as u32 * 64 + bits.trailing_zeros()))
    }

    /// The place of a member; of others, that of the next one.
    pub(crate) fn place(&self, member: I) -> usize {
        let number = member.get();
        let word = number as usize / 64;
        let lower = self.bits.words[word] & ((1 << (number % 64)) - 1);
        (self.before[word] + lower.count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::UnitId;

    use super::*;

    #[test]
    fn members_are_found_counted_and_numbered() {
        let members = [0, 3, 63, 64, 127, 128, 199];
        let bits = Bits::of(200, |unit: UnitId| members.contains(&unit.get()));
        assert_eq!(bits.count(), 7);
        assert!(bits.iter().map(UnitId::get).eq(members));
        for first in 0..200 {
            for count in 0..200 - first {
                let expected = members
                    .iter()
                    .any(|unit| (first..first + count).contains(unit));
                assert_eq!(bits.any(first.into(), count), expected);
            }
        }
        let ranked = Ranked::new(bits);
        for (place, &unit) in members.iter().enumerate() {
            assert_eq!(ranked.place(unit.into()), place);
            assert_eq!(ranked.member(place), Some(unit.into()));
        }
        assert_eq!(ranked.member(members.len()), None);
    }
}
