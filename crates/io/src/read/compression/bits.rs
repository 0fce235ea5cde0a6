//! Bits of a bzip2 file: where the marks of blocks are, at any bit, and bits copied to whole bytes.

use memchr::memmem;

/// What begins a block, and what ends a stream.
const BLOCK: u64 = 0x3141_5926_5359;
const END: u64 = 0x1772_4538_5090;
/// Bits in a mark.
pub(super) const MARK_BITS: u64 = 48;

/// A mark, by the number of its first bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    pub(super) at: u64,
    pub(super) ends: bool,
}

/// Appends all marks that lie in `bytes` from its byte `from` on, by place. Some may be mere coincidence.
pub(super) fn find_marks(bytes: &[u8], from: usize, marks: &mut Vec<Mark>) {
    let first = marks.len();
    for (mark, ends) in [(BLOCK, false), (END, true)] {
        for shift in 0..8_u32 {
            // The bytes that the mark fills whole; of the bytes around it, some bits are its.
            let shifted = mark << (16 - shift);
            let whole = shifted.to_be_bytes();
            let inner = if shift == 0 {
                &whole[..6]
            } else {
                &whole[1..6]
            };
            let lead = usize::from(shift > 0);
            for found in memmem::find_iter(&bytes[from..], inner) {
                let Some(begin) = (from + found).checked_sub(lead) else {
                    continue;
                };
                let at = begin as u64 * 8 + u64::from(shift);
                if begin >= from && read_bits(bytes, at, 48) == Some(mark) {
                    marks.push(Mark { at, ends });
                }
            }
        }
    }
    marks[first..].sort_unstable();
}

/// Up to 57 bits from bit `at` on.
pub(super) fn read_bits(bytes: &[u8], at: u64, count: u32) -> Option<u64> {
    let begin = usize::try_from(at / 8).ok()?;
    let shift = (at % 8) as u32;
    let needed = (shift + count).div_ceil(8) as usize;
    let mut word = [0; 8];
    word[..needed].copy_from_slice(bytes.get(begin..begin + needed)?);
    Some(u64::from_be_bytes(word) << shift >> (64 - count))
}

/// The block between two bits, wrapped as a stream of its own, and its checksum.
pub(super) fn as_stream(bytes: &[u8], begin: u64, end: u64) -> Option<(Vec<u8>, u32)> {
    let checksum = read_bits(bytes, begin + MARK_BITS, 32)?;
    let mut out = Bits {
        bytes: Vec::with_capacity((end - begin) as usize / 8 + 20),
        open: 0,
        count: 0,
    };
    out.bytes.extend_from_slice(b"BZh9");
    let (first, shift) = ((begin / 8) as usize, begin % 8);
    let whole = ((end - begin) / 8) as usize;
    let raw = bytes.get(first..first + whole + usize::from(shift > 0))?;
    if shift == 0 {
        out.bytes.extend_from_slice(&raw[..whole]);
    } else {
        let joined = raw
            .windows(2)
            .map(|two| two[0] << shift | two[1] >> (8 - shift));
        out.bytes.extend(joined);
    }
    let rest = (end - begin) % 8;
    if rest > 0 {
        out.push(read_bits(bytes, end - rest, rest as u32)?, rest as u32);
    }
    out.push(END, 48);
    out.push(checksum, 32);
    out.push(0, 7);
    Some((out.bytes, checksum as u32))
}

/// Bits being written.
struct Bits {
    bytes: Vec<u8>,
    /// The last `count` bits, fewer than 8.
    open: u64,
    count: u32,
}

impl Bits {
    fn push(&mut self, bits: u64, count: u32) {
        self.open = self.open << count | bits;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.open >> self.count) as u8);
        }
        self.open &= (1 << self.count) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_at_every_bit() {
        for shift in 0..16_u32 {
            let mut bits = Bits {
                bytes: Vec::new(),
                open: 0,
                count: 0,
            };
            bits.push(0x1234, 16);
            bits.push(0, shift);
            bits.push(BLOCK, 48);
            bits.push(5, 3);
            bits.push(END, 48);
            bits.push(0, 15);
            let mut marks = Vec::new();
            find_marks(&bits.bytes, 0, &mut marks);
            let at = u64::from(16 + shift);
            let expected = [
                Mark { at, ends: false },
                Mark {
                    at: at + 51,
                    ends: true,
                },
            ];
            assert_eq!(marks, expected, "shift {shift}");
        }
    }
}
