//! What a text may have, told 64 bytes at a time: most texts have none of it, and are not looked at any closer.

use super::spaced::WITH_MARKS;
use crate::ascii::classify::{self, Block};

const BLOCK: usize = 64;
/// Blocks overlap by as many bytes as the shortest row of single letters has, with what is around it.
const STEP: usize = BLOCK - (2 * WITH_MARKS + 1);

/// What a text may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// Single ASCII letters, one after the other.
    pub(super) spaced_letters: bool,
    /// One or two ASCII digits between ASCII letters.
    pub(super) digits_in_words: bool,
}

impl Hints {
    pub(super) fn of(text: &[u8]) -> Self {
        let mut hints = Hints::default();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            let mut block: Block = [b' '; BLOCK];
            match rest.first_chunk() {
                Some(whole) => block = *whole,
                None => block[..rest.len()].copy_from_slice(rest),
            }
            let [letters, digits] = classify::letters_and_digits(&block);
            let single = letters & !(letters << 1) & !(letters >> 1);
            hints.spaced_letters |= single & (single >> 2) & (single >> 4) != 0;
            let before_letter = letters >> 1 | (digits >> 1 & letters >> 2);
            hints.digits_in_words |= letters << 1 & digits & before_letter != 0;
            if rest.len() <= BLOCK {
                return hints;
            }
            at += STEP;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_told_wherever_they_stand() {
        for before in 0..140 {
            let text = |what: &str| format!("{}{what}{}", "ab ".repeat(before), " ab".repeat(50));
            let hints = |what: &str| Hints::of(text(what).as_bytes());
            assert_eq!(hints("ab"), Hints::default());
            assert!(hints("w.i.n").spaced_letters);
            assert!(hints("c4sh").digits_in_words && hints("fr33ze").digits_in_words);
            assert!(!hints("a123b 10am 4th mp3").digits_in_words);
        }
    }
}
