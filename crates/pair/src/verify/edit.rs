//! Edit similarity of the normalised texts: 1 − Levenshtein distance / longer length, in characters.
//!
//! Kept: the number of characters, then two characters a word.

use lookalike_sign::features::Background;
use lookalike_sign::{Error, Features};
use lookalike_text::{Tokenizer, Unit};
use rapidfuzz::distance::levenshtein;

use super::{Keep, Kept, Verify};

#[derive(Debug)]
pub(super) struct Edit;

struct KeepText {
    tokenizer: Tokenizer,
    text: String,
}

impl Keep for KeepText {
    fn keep(&mut self, unit: &Unit<'_>, _: &mut Features, out: &mut Vec<u64>) {
        self.text.clear();
        self.tokenizer.normalise(unit.text, &mut self.text);
        if self.text.is_empty() {
            return;
        }
        let count_at = out.len();
        out.push(0);
        let (mut characters, mut count) = (self.text.chars(), 0);
        while let Some(first) = characters.next() {
            let second = characters.next();
            count += 1 + u64::from(second.is_some());
            out.push(u64::from(u32::from(first)) | u64::from(second.map_or(0, u32::from)) << 32);
        }
        out[count_at] = count;
    }
}

/// The characters kept.
fn characters(kept: &Kept) -> Vec<u32> {
    let Some((&count, words)) = kept.split_first() else {
        return Vec::new();
    };
    let characters = words
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    characters.take(count as usize).collect()
}

impl Verify for Edit {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        Ok(Box::new(KeepText {
            tokenizer: Tokenizer::new(background.text),
            text: String::new(),
        }))
    }

    fn score(&self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        let (Some(&a_length), Some(&b_length)) = (a.first(), b.first()) else {
            return None;
        };
        let (longer, shorter) = (a_length.max(b_length), a_length.min(b_length));
        // The distance is at least the difference of the lengths.
        if (shorter as f64) < floor * longer as f64 * (1.0 - 1e-9) {
            return None;
        }
        // Rounded up: the cut-off only saves work, the comparison below decides.
        let most = ((1.0 - floor) * longer as f64).ceil() as usize + 1;
        let arguments = levenshtein::Args::default().score_cutoff(most);
        let (a, b) = (characters(a), characters(b));
        let distance = levenshtein::distance_with_args(a, b, &arguments)?;
        let similarity = (longer - distance as u64) as f64 / longer as f64;
        (similarity >= floor).then_some(similarity)
    }
}
