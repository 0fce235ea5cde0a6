//! Words of scripts that set no spaces: two characters that follow each other are a word, as one says next to nothing.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use lookalike_text::Tokenizer;

use super::terms::is_word_of_its_own;

/// Whether Chinese is such a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Han {
    /// A dictionary cuts it into words.
    Cut,
    /// It comes character by character.
    Uncut,
}

/// Tells words, and the pairs of characters of scripts without spaces.
#[derive(Debug)]
pub(super) struct Pairing {
    han: Han,
    /// Two characters, or the first of them.
    pair: String,
}

impl Pairing {
    pub(super) fn new(han: Han) -> Self {
        Pairing {
            han,
            pair: String::new(),
        }
    }

    /// Tells each word of a text, in order.
    pub(super) fn words(
        &mut self,
        tokenizer: &mut Tokenizer,
        text: &str,
        mut each: impl FnMut(&str),
    ) {
        let Pairing { han, pair } = self;
        pair.clear();
        // A character that may go on with the next one: where it ends, and whether it was told in a pair.
        let mut before: Option<(usize, bool)> = None;
        tokenizer.words(text, &mut |word: &str, source: Range<usize>| {
            let begins_pair = is_unspaced(word, *han);
            match before.take() {
                Some((end, _)) if begins_pair && end == source.start => {
                    pair.push_str(word);
                    each(pair);
                    before = Some((source.end, true));
                }
                unfinished => {
                    if let Some((_, false)) = unfinished {
                        each(pair);
                    }
                    before = begins_pair.then_some((source.end, false));
                }
            }
            pair.clear();
            if begins_pair {
                pair.push_str(word);
            } else {
                each(word);
            }
        });
        if let Some((_, false)) = before {
            each(pair);
        }
    }
}

/// Whether a word is a single character of a script without spaces that no dictionary cuts: kana, Thai, Khmer…
fn is_unspaced(word: &str, han: Han) -> bool {
    let Some(first) = word.chars().next().filter(|first| !first.is_ascii()) else {
        return false;
    };
    first.is_alphabetic()
        && is_word_of_its_own(first)
        && (han == Han::Uncut || CodePointMapData::<Script>::new().get(first) != Script::Han)
}
