//! A bit a unit.

/// A set of unit numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// No unit below `len` is in it.
    pub(crate) fn new(len: usize) -> Self {
        Bits {
            words: vec![0; len.div_ceil(64)],
        }
    }

    pub(crate) fn insert(&mut self, unit: u32) {
        self.words[unit as usize / 64] |= 1 << (unit % 64);
    }

    pub(crate) fn contains(&self, unit: u32) -> bool {
        self.words
            .get(unit as usize / 64)
            .is_some_and(|word| word & (1 << (unit % 64)) != 0)
    }

    pub(crate) fn count(&self) -> u64 {
        self.words
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The units in it, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.words.len() as u32 * 64).filter(|&unit| self.contains(unit))
    }

    /// How many units are in both.
    pub(crate) fn common(&self, other: &Bits) -> u64 {
        let words = self.words.iter().zip(&other.words);
        words.map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }

    /// Whether any unit of `first..first + count` is in it.
    pub(crate) fn any(&self, first: u32, count: u32) -> bool {
        let (mut unit, end) = (u64::from(first), u64::from(first) + u64::from(count));
        while unit < end {
            if unit % 64 == 0 && unit + 64 <= end {
                if self.words[unit as usize / 64] != 0 {
                    return true;
                }
                unit += 64;
            } else {
                if self.contains(unit as u32) {
                    return true;
                }
                unit += 1;
            }
        }
        false
    }
}

/// Numbers the members of a set from 0 on, by a running count every word.
#[derive(Debug)]
pub(crate) struct Numbered {
    bits: Bits,
    before: Vec<u32>,
}

impl Numbered {
    pub(crate) fn new(bits: Bits) -> Self {
        let before = bits
            .words
            .iter()
            .scan(0, |sum, word| {
                let before = *sum;
                *sum += word.count_ones();
                Some(before)
            })
            .collect();
        Numbered { bits, before }
    }

    pub(crate) fn bits(&self) -> &Bits {
        &self.bits
    }

    /// The member with this number, if there are so many.
    pub(crate) fn member(&self, number: usize) -> Option<u32> {
        let word = self
            .before
            .partition_point(|&before| before as usize <= number)
            .checked_sub(1)?;
        let mut bits = self.bits.words[word];
        for _ in 0..number - self.before[word] as usize {
            bits &= bits.wrapping_sub(1);
        }
        (bits != 0).then(|| word as u32 * 64 + bits.trailing_zeros())
    }

    /// The number of a member; of others, that of the next one.
    pub(crate) fn number(&self, unit: u32) -> usize {
        let word = unit as usize / 64;
        let lower = self.bits.words[word] & ((1 << (unit % 64)) - 1);
        (self.before[word] + lower.count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_counted_and_numbered() {
        let members = [0, 3, 63, 64, 127, 128, 199];
        let mut bits = Bits::new(200);
        members.iter().for_each(|&unit| bits.insert(unit));
        assert_eq!(bits.count(), 7);
        for first in 0..200 {
            for count in 0..200 - first {
                let expected = members
                    .iter()
                    .any(|unit| (first..first + count).contains(unit));
                assert_eq!(bits.any(first, count), expected);
            }
        }
        let numbered = Numbered::new(bits);
        for (number, &unit) in members.iter().enumerate() {
            assert_eq!(numbered.number(unit), number);
            assert_eq!(numbered.member(number), Some(unit));
        }
        assert_eq!(numbered.member(members.len()), None);
    }
}
