//! Edit similarity of the normalised texts: 1 − Levenshtein distance / longer length, in characters.
//!
//! Kept: the number of characters and how wide they are, then as many of them a word as fit.

use bytemuck::Pod;
use lookalike_sign::features::Background;
use lookalike_sign::{Error, Features};
use lookalike_text::{Tokenizer, Unit};
use rapidfuzz::distance::levenshtein;

use super::{Keep, Kept, Score, Verify};

/// Edit similarity of the normalised texts: 1 − Levenshtein distance / longer length, in characters.
#[derive(Debug)]
pub(super) struct Edit;

struct KeepText {
    tokenizer: Tokenizer,
    text: String,
}

/// Characters of 8, 16 or 32 bits; the first word says which, below the number of them.
const WIDTH_BITS: u32 = 2;

impl Keep for KeepText {
    fn keep(&mut self, unit: &Unit<'_>, _: &mut Features, out: &mut Vec<u64>) {
        self.text.clear();
        self.tokenizer.normalise(unit.text, &mut self.text);
        if self.text.is_empty() {
            return;
        }
        let begin = out.len();
        out.push(0);
        let largest = if self.text.is_ascii() {
            0
        } else {
            self.text.chars().max().map_or(0, u32::from)
        };
        let (count, width) = match largest {
            0 => (append(self.text.bytes(), out), 0),
            1..=0xff => (append(self.text.chars().map(|c| c as u8), out), 0),
            0x100..=0xffff => (append(self.text.chars().map(|c| c as u16), out), 1),
            _ => (append(self.text.chars().map(u32::from), out), 2),
        };
        out[begin] = (count as u64) << WIDTH_BITS | width;
    }
}

/// Appends characters, as many a word as fit, and returns how many there are.
fn append<C: Pod>(characters: impl Iterator<Item = C>, out: &mut Vec<u64>) -> usize {
    let mut count = 0;
    let mut word = [C::zeroed(); 8];
    let a_word = size_of::<u64>() / size_of::<C>();
    for character in characters {
        word[count % a_word] = character;
        count += 1;
        if count % a_word == 0 {
            out.push(bytemuck::pod_read_unaligned(bytemuck::cast_slice(
                &word[..a_word],
            )));
            word = [C::zeroed(); 8];
        }
    }
    if count % a_word > 0 {
        out.push(bytemuck::pod_read_unaligned(bytemuck::cast_slice(
            &word[..a_word],
        )));
    }
    count
}

/// How many characters are kept.
fn length(kept: &Kept) -> Option<u64> {
    kept.first().map(|first| first >> WIDTH_BITS)
}

/// The characters kept, as wide as they are.
enum Characters<'k> {
    Narrow(&'k [u8]),
    Middle(&'k [u16]),
    Wide(&'k [u32]),
}

/// The characters kept. They are stored in the order of bytes of this machine, and never leave it.
fn characters(kept: &Kept) -> Characters<'_> {
    let (first, words) = kept.split_first().unwrap_or((&0, &[]));
    let count = (first >> WIDTH_BITS) as usize;
    match first & ((1 << WIDTH_BITS) - 1) {
        0 => Characters::Narrow(&bytemuck::cast_slice(words)[..count]),
        1 => Characters::Middle(&bytemuck::cast_slice(words)[..count]),
        _ => Characters::Wide(&bytemuck::cast_slice(words)[..count]),
    }
}

impl Characters<'_> {
    fn codes(&self) -> Vec<u32> {
        match self {
            Characters::Narrow(narrow) => narrow.iter().map(|&code| code.into()).collect(),
            Characters::Middle(middle) => middle.iter().map(|&code| code.into()).collect(),
            Characters::Wide(wide) => wide.to_vec(),
        }
    }
}

/// Replaces `out` by the text kept.
pub(super) fn text(kept: &Kept, out: &mut String) {
    out.clear();
    match characters(kept) {
        Characters::Narrow(narrow) => out.extend(narrow.iter().map(|&code| char::from(code))),
        Characters::Middle(middle) => {
            out.extend(
                middle
                    .iter()
                    .filter_map(|&code| char::from_u32(code.into())),
            );
        }
        Characters::Wide(wide) => out.extend(wide.iter().filter_map(|&code| char::from_u32(code))),
    }
}

/// How many letters the text kept counts as.
pub(super) fn letters(kept: &Kept) -> usize {
    let of_code = |code: u32| char::from_u32(code).map_or(1, lookalike_text::letters);
    match characters(kept) {
        Characters::Narrow(narrow) => narrow.len(),
        Characters::Middle(middle) => middle.iter().map(|&code| of_code(code.into())).sum(),
        Characters::Wide(wide) => wide.iter().map(|&code| of_code(code)).sum(),
    }
}

/// Texts of more characters are compared in bands: in full they would take the product of their lengths.
const LONG: usize = 1 << 12;

/// The distance, or none if it is above `most`.
fn distance(a: &Kept, b: &Kept, most: usize) -> Option<usize> {
    use Characters::{Middle, Narrow, Wide};
    let mut arguments = levenshtein::Args::default().score_cutoff(most);
    let longer = length(a).max(length(b)).unwrap_or_default() as usize;
    if longer > LONG {
        // Is it small? Then it is found in a narrow band, else in one twice as wide, and so on.
        arguments = arguments.score_hint(longer / 64);
    }
    macro_rules! between {
        ($a:expr, $b:expr) => {
            levenshtein::distance_with_args($a.iter().copied(), $b.iter().copied(), &arguments)
        };
    }
    match (characters(a), characters(b)) {
        (Narrow(a), Narrow(b)) => between!(a, b),
        (Middle(a), Middle(b)) => between!(a, b),
        (Wide(a), Wide(b)) => between!(a, b),
        (a, b) => between!(a.codes(), b.codes()),
    }
}

/// The similarity of two kept texts, or none below `floor`.
pub(super) fn score(a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
    let (a_length, b_length) = (length(a)?, length(b)?);
    let (longer, shorter) = (a_length.max(b_length), a_length.min(b_length));
    // The distance is at least the difference of the lengths.
    if (shorter as f64) < floor * longer as f64 * (1.0 - 1e-9) {
        return None;
    }
    // Rounded up: the cut-off only saves work, the comparison below decides.
    let most = ((1.0 - floor) * longer as f64).ceil() as usize + 1;
    let distance = distance(a, b, most)?;
    let similarity = (longer - distance as u64) as f64 / longer as f64;
    (similarity >= floor).then_some(similarity)
}

impl Verify for Edit {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(KeepText {
            tokenizer: Tokenizer::new(background.text),
            text: String::new(),
        }))
    }

    fn scorer(&self, _: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(score))
    }
}
