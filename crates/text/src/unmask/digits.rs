//! Digits that do not differ. Out go the words that have enough of them, with every digit `0`.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use super::Edits;
use crate::disguise::Digits;
use crate::options::Punctuation;
use crate::words::{Tokenizer, WordSink};

/// How many digits make a word a code.
pub(super) const CODE: usize = 5;

pub(super) fn find(text: &str, tokenizer: &mut Tokenizer, edits: &mut Edits) {
    let at_least = match tokenizer.options.digits() {
        Digits::AsWritten => return,
        Digits::Codes => CODE,
        Digits::All => 1,
    };
    // Words in one form have digits where the text may have none.
    if tokenizer.numbers.is_none() && text.chars().filter(|&c| is_digit(c)).count() < at_least {
        return;
    }
    let mut words = Masked {
        edits,
        at_least,
        masked: String::new(),
        end: 0,
    };
    tokenizer.segments(text, Punctuation::Drop, &mut words);
}

struct Masked<'a> {
    edits: &'a mut Edits,
    at_least: usize,
    masked: String,
    /// Where the last word ended.
    end: usize,
}

impl WordSink for Masked<'_> {
    fn word(&mut self, word: &str, source: Range<usize>) {
        // Several words of one character cannot be replaced one by one.
        let is_apart = source.start >= std::mem::replace(&mut self.end, source.end);
        if is_apart && word.chars().filter(|&c| is_digit(c)).count() >= self.at_least {
            self.masked.clear();
            let masked = word.chars().map(|c| if is_digit(c) { '0' } else { c });
            self.masked.extend(masked);
            self.edits.replace(source, &self.masked);
        }
    }

    fn is_empty(&self) -> bool {
        false
    }
}

/// A decimal digit of any script.
pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
        || (!c.is_ascii()
            && CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::DecimalNumber)
}
