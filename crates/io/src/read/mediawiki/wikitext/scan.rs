//! The next byte that matters, sixteen at a time.

use wide::u8x16;

/// The first byte that can open or close something: braces, brackets, `<`.
pub(super) fn structure(bytes: &[u8]) -> Option<usize> {
    position(bytes, |chunk| {
        let lower = chunk | u8x16::splat(0x20);
        let open = lower.simd_eq(u8x16::splat(b'{'));
        let close = lower.simd_eq(u8x16::splat(b'}'));
        let tag = chunk.simd_eq(u8x16::splat(b'<'));
        (open | close | tag).to_bitmask()
    })
}

/// The first byte that may not be text wherever it stands: those, the bar, line ends, references, quotes, `_`, `-`.
pub(super) fn special(bytes: &[u8]) -> Option<usize> {
    position(bytes, |chunk| {
        let lower = chunk | u8x16::splat(0x20);
        // `{`, `|`, `}`, and their neighbours without the bit.
        let braces = lower
            .max(u8x16::splat(b'{'))
            .min(u8x16::splat(b'}'))
            .simd_eq(lower);
        let quotes = chunk
            .max(u8x16::splat(b'&'))
            .min(u8x16::splat(b'\''))
            .simd_eq(chunk);
        let line = chunk.simd_eq(u8x16::splat(b'\n'));
        let tag = chunk.simd_eq(u8x16::splat(b'<'));
        let dash = chunk.simd_eq(u8x16::splat(b'-'));
        let word = chunk.simd_eq(u8x16::splat(b'_'));
        (braces | quotes | line | tag | dash | word).to_bitmask()
    })
}

fn position(bytes: &[u8], mask: impl Fn(u8x16) -> u32) -> Option<usize> {
    let (chunks, rest) = bytes.as_chunks::<16>();
    for (number, chunk) in chunks.iter().enumerate() {
        let found = mask(u8x16::from(*chunk));
        if found != 0 {
            return Some(number * 16 + found.trailing_zeros() as usize);
        }
    }
    let mut last = [0; 16];
    last[..rest.len()].copy_from_slice(rest);
    let found = mask(u8x16::from(last));
    (found != 0).then(|| chunks.len() * 16 + found.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_that_matters_is_found_at_every_place() {
        for byte in 0..=u8::MAX {
            for place in 0..40 {
                let mut bytes = [b'a'; 40];
                bytes[place] = byte;
                let expected = |set: &[u8]| set.contains(&byte).then_some(place);
                assert_eq!(structure(&bytes), expected(b"{}[]<"), "{byte}");
                assert_eq!(special(&bytes), expected(b"{}[]|\\<\n&'-_"), "{byte}");
            }
        }
    }
}
