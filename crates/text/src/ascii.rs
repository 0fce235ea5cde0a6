//! The fast path for ASCII. A text and a position come in; the words of the stretch of ASCII that
//! begins there go out, 64 bytes at a time, by the same rules as everywhere else.
//!
//! A block of 64 bytes becomes a few masks of 64 bits (letters, digits, the punctuation that may
//! stand inside a word), shifts by one bit say what each byte has on its left and right, and the
//! edges of the resulting runs are the edges of the words.

pub(crate) mod classify;

use crate::ascii::classify::{Block, Masks, classify};
use crate::options::Case;
use crate::piece::PIECE_BYTES;
use crate::words::WordSink;

const BLOCK: usize = 64;

/// How far the fast path came.
pub(crate) struct Stop {
    /// The words before this have been given.
    pub(crate) at: usize,
    /// It makes no sense to come back before this: there is no white space in between.
    pub(crate) seen: usize,
}

/// Finds words in ASCII, in buffers that are used again.
pub(crate) struct AsciiWords {
    case: Case,
    /// The stretch in the case in which it is compared, in whole blocks.
    compared: Vec<u8>,
    /// Where words begin and end, in turn.
    edges: Vec<u32>,
}

impl AsciiWords {
    pub(crate) fn new(case: Case) -> Self {
        Self {
            case,
            compared: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Gives the words from `at` up to the last white space before the first byte that is not
    /// ASCII to the sink. `at` must be where a piece begins.
    pub(crate) fn read<S: WordSink>(&mut self, text: &str, at: usize, sink: &mut S) -> Stop {
        let rest = &text.as_bytes()[at..];
        let window = &rest[..rest.len().min(PIECE_BYTES)];
        let ascii = &window[..ascii_prefix(window)];
        let stretch = if ascii.len() == rest.len() {
            ascii
        } else {
            let space = ascii.iter().rposition(|&byte| is_space(byte));
            &ascii[..space.map_or(0, |space| space + 1)]
        };
        if !stretch.is_empty() {
            self.find_words(stretch, at, sink);
        }
        Stop {
            at: at + stretch.len(),
            seen: at + ascii.len(),
        }
    }

    fn find_words<S: WordSink>(&mut self, stretch: &[u8], at: usize, sink: &mut S) {
        let blocks = stretch.len().div_ceil(BLOCK);
        if self.compared.len() < blocks * BLOCK {
            self.compared.resize(blocks * BLOCK, 0);
            // A block has at most 64 edges, and the last word may end with the stretch.
            self.edges.resize((blocks + 1) * BLOCK, 0);
        }
        let (mut found, underscores) = self.find_edges(stretch);
        // It is ASCII, so this never fails; the check is 1 % of the time.
        let Ok(compared) = std::str::from_utf8(&self.compared[..stretch.len()]) else {
            return;
        };
        let (words, _) = self.edges.as_chunks_mut::<2>();
        found /= 2;
        if underscores {
            found = keep_words_with_content(&mut words[..found], compared);
        }
        sink.words(compared, &words[..found], at);
    }

    /// Fills the buffers; returns how many edges there are and whether there are underscores.
    fn find_edges(&mut self, stretch: &[u8]) -> (usize, bool) {
        let mut found = 0;
        let mut underscores = 0;
        let mut before = Before::default();
        let output = self.compared.chunks_exact_mut(BLOCK);
        for (number, (bytes, compared)) in stretch.chunks(BLOCK).zip(output).enumerate() {
            let mut block: Block = [b' '; BLOCK];
            match bytes.try_into() {
                Ok(whole) => block = whole,
                Err(_) => block[..bytes.len()].copy_from_slice(bytes),
            }
            let (masks, folded) = classify(&block);
            let compared: Option<&mut Block> = compared.try_into().ok();
            if let Some(compared) = compared {
                *compared = if self.case == Case::Fold {
                    folded
                } else {
                    block
                };
            }
            underscores |= masks.underscores;
            let end = (number + 1) * BLOCK;
            let after = stretch.get(end).copied().unwrap_or(b' ');
            let edges = before.edges(&masks, after);
            found += write_edges(edges, (number * BLOCK) as u32, &mut self.edges[found..]);
        }
        if found % 2 == 1 {
            self.edges[found] = stretch.len() as u32;
            found += 1;
        }
        (found, underscores != 0)
    }
}

/// The last byte of the block before, each as a mask of at most one bit.
#[derive(Default)]
struct Before {
    letter: u64,
    digit: u64,
    word: u64,
}

impl Before {
    /// The bytes at which a word begins or has just ended; `after` is the byte after the block.
    #[inline]
    fn edges(&mut self, masks: &Masks, after: u8) -> u64 {
        let Masks {
            letters, digits, ..
        } = *masks;
        let next_letter = u64::from(after.is_ascii_alphabetic()) << 63;
        let next_digit = u64::from(after.is_ascii_digit()) << 63;
        let in_letters = (letters << 1 | self.letter) & (letters >> 1 | next_letter);
        let in_digits = (digits << 1 | self.digit) & (digits >> 1 | next_digit);
        let words = letters
            | digits
            | masks.underscores
            | (masks.mid_letters & in_letters)
            | (masks.mid_numbers & in_digits);
        let edges = words ^ (words << 1 | self.word);
        *self = Self {
            letter: letters >> 63,
            digit: digits >> 63,
            word: words >> 63,
        };
        edges
    }
}

/// Writes the positions of the set bits; returns how many there are.
#[inline]
fn write_edges(mut edges: u64, base: u32, out: &mut [u32]) -> usize {
    let count = edges.count_ones() as usize;
    // Eight at a time without looking whether they are all there: what is written beyond the
    // count is overwritten later, and the branch is almost always predicted.
    for group in out[..BLOCK].chunks_exact_mut(8).take(count.div_ceil(8)) {
        for slot in group {
            *slot = base + edges.trailing_zeros();
            edges &= edges.wrapping_sub(1);
        }
    }
    count
}

/// Runs of nothing but underscores are no words; returns how many words are left.
fn keep_words_with_content(words: &mut [[u32; 2]], compared: &str) -> usize {
    let mut kept = 0;
    for number in 0..words.len() {
        let [begin, end] = words[number];
        let word = &compared.as_bytes()[begin as usize..end as usize];
        if word.iter().any(|&byte| byte != b'_') {
            words[kept] = words[number];
            kept += 1;
        }
    }
    kept
}

/// Control characters count as white space, as in [`crate::chars`].
#[inline]
fn is_space(byte: u8) -> bool {
    byte <= b' ' || byte == 0x7F
}

/// How many bytes there are before the first that is not ASCII.
fn ascii_prefix(bytes: &[u8]) -> usize {
    let whole = bytes
        .chunks_exact(32)
        .take_while(|chunk| chunk.iter().fold(0, |all, byte| all | byte) < 0x80)
        .count();
    let tail = &bytes[whole * 32..];
    whole * 32
        + tail
            .iter()
            .position(|byte| !byte.is_ascii())
            .unwrap_or(tail.len())
}
