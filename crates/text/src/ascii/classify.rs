//! What each of 64 ASCII bytes is: a block comes in; masks with a bit for each byte, the first
//! byte in the lowest bit, and the block in lower case go out.

use wide::u8x16;

pub(crate) type Block = [u8; 64];

/// One bit for each byte of a block. What may stand inside a word is as in UAX #29: between
/// letters `'`, `.` and `:`; between digits `'`, `.`, `,` and `;`.
#[derive(Debug, Default, PartialEq, Eq, Clone, Copy)]
pub(crate) struct Masks {
    pub(crate) letters: u64,
    pub(crate) digits: u64,
    pub(crate) underscores: u64,
    pub(crate) mid_letters: u64,
    pub(crate) mid_numbers: u64,
}

/// The masks of a block of ASCII, and the block in lower case.
#[inline]
pub(crate) fn classify(block: &Block) -> (Masks, Block) {
    let mut masks = Masks::default();
    let mut lower = [0; 64];
    let (sources, _) = block.as_chunks::<16>();
    let (targets, _) = lower.as_chunks_mut::<16>();
    for (part, (source, target)) in sources.iter().zip(targets).enumerate() {
        let bytes = u8x16::new(*source);
        let case = u8x16::splat(0x20);
        let letters = between(bytes | case, b'a', b'z');
        *target = (bytes | (letters & case)).to_array();
        let both = equal(bytes, b'.') | equal(bytes, b'\'');
        let commas = equal(bytes, b',') | equal(bytes, b';');
        let bits = |mask: u8x16| u64::from(mask.to_bitmask()) << (16 * part);
        masks.letters |= bits(letters);
        masks.digits |= bits(between(bytes, b'0', b'9'));
        masks.underscores |= bits(equal(bytes, b'_'));
        masks.mid_letters |= bits(both | equal(bytes, b':'));
        masks.mid_numbers |= bits(both | commas);
    }
    (masks, lower)
}

/// The letters of a block, and its digits; what is not ASCII is neither.
#[inline]
pub(crate) fn letters_and_digits(block: &Block) -> [u64; 2] {
    let (sources, _) = block.as_chunks::<16>();
    let mut found = [0; 2];
    for (part, source) in sources.iter().enumerate() {
        let bytes = u8x16::new(*source);
        let letters = between(bytes | u8x16::splat(0x20), b'a', b'z');
        let digits = between(bytes, b'0', b'9');
        for (found, bits) in found.iter_mut().zip([letters, digits]) {
            *found |= u64::from(bits.to_bitmask()) << (16 * part);
        }
    }
    found
}

/// The bytes with which characters of three bytes begin.
#[inline]
pub(crate) fn beginnings_of_three(block: &Block) -> u64 {
    let (sources, _) = block.as_chunks::<16>();
    let mut found = 0;
    for (part, source) in sources.iter().enumerate() {
        let beginnings = between(u8x16::new(*source), 0xE0, 0xEF);
        found |= u64::from(beginnings.to_bitmask()) << (16 * part);
    }
    found
}

#[inline]
fn equal(bytes: u8x16, byte: u8) -> u8x16 {
    bytes.simd_eq(u8x16::splat(byte))
}

#[inline]
fn between(bytes: u8x16, first: u8, last: u8) -> u8x16 {
    let above = bytes - u8x16::splat(first);
    above.simd_eq(above.min(u8x16::splat(last - first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_classified_byte_by_byte() {
        for turn in 0..128 {
            let block: Block = std::array::from_fn(|place| (place as u8 + turn) % 128);
            let (masks, lower) = classify(&block);
            assert_eq!(letters_and_digits(&block), [masks.letters, masks.digits]);
            assert_eq!(lower, block.map(|byte| byte.to_ascii_lowercase()));
            for (place, byte) in block.iter().enumerate() {
                let set = |mask: u64| mask >> place & 1 == 1;
                assert_eq!(set(masks.letters), byte.is_ascii_alphabetic());
                assert_eq!(set(masks.digits), byte.is_ascii_digit());
                assert_eq!(set(masks.underscores), *byte == b'_');
                assert_eq!(set(masks.mid_letters), b"'.:".contains(byte));
                assert_eq!(set(masks.mid_numbers), b"'.,;".contains(byte));
            }
        }
    }
}
