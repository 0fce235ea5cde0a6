//! A text with its words.

use std::ops::Range;

use lookalike_text::hash::{Seed, hash64};
use lookalike_text::{Chinese, TextOptions, Tokenizer};

/// A word of a text.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Equal for words that are compared as equal.
    pub(super) id: u64,
    /// The bytes it comes from.
    pub(super) source: Range<usize>,
}

/// A text with its words, in buffers that are used again.
#[derive(Debug, Default, Clone)]
pub(super) struct Worded {
    /// Which variant it is.
    pub(super) variant: u32,
    pub(super) text: String,
    pub(super) words: Vec<Word>,
}

impl Word {
    pub(super) fn same(&self, other: &Word) -> bool {
        self.id == other.id
    }
}

/// Of so few variants all words are kept while their templates are found; else they are read each time.
const FEW: usize = 64;

/// Reads variants, in buffers that are used again.
pub(super) struct Reader {
    tokenizer: Tokenizer,
    /// All variants, where they are few.
    few: Vec<Worded>,
    are_few: bool,
    last: Worded,
}

impl Reader {
    pub(super) fn new(text: TextOptions) -> Self {
        let by_character = text.with(|options| options.chinese = Some(Chinese::Characters));
        Reader {
            tokenizer: Tokenizer::new(by_character),
            few: Vec::new(),
            are_few: false,
            last: Worded::default(),
        }
    }

    /// Begins with so many other variants.
    pub(super) fn begin<E>(
        &mut self,
        variants: usize,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.are_few = variants <= FEW;
        if self.are_few {
            self.few
                .resize_with(variants.max(self.few.len()), Worded::default);
            for (variant, text) in (0..variants as u32).zip(&mut self.few) {
                text.read(&mut self.tokenizer, variant, read)?;
            }
        }
        Ok(())
    }

    /// A variant.
    pub(super) fn worded<E>(
        &mut self,
        variant: u32,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<&Worded, E> {
        if self.are_few {
            return Ok(&self.few[variant as usize]);
        }
        self.last.read(&mut self.tokenizer, variant, read)?;
        Ok(&self.last)
    }

    /// The text of a variant.
    pub(super) fn text<E>(
        &mut self,
        variant: u32,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<&str, E> {
        if self.are_few {
            return Ok(&self.few[variant as usize].text);
        }
        self.last.text.clear();
        read(variant as usize, &mut self.last.text)?;
        Ok(&self.last.text)
    }
}

impl Worded {
    fn read<E>(
        &mut self,
        tokenizer: &mut Tokenizer,
        variant: u32,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.variant = variant;
        self.text.clear();
        read(variant as usize, &mut self.text)?;
        self.words.clear();
        tokenizer.words(&self.text, &mut |word: &str, source: Range<usize>| {
            let id = hash64(word.as_bytes(), Seed(0));
            self.words.push(Word { id, source });
        });
        Ok(())
    }

    /// The bytes from the first to the last of some words, which are at least one.
    pub(super) fn source(&self, words: &Range<usize>) -> Range<usize> {
        let [first, last] = [words.start, words.end - 1].map(|at| &self.words[at].source);
        first.start..last.end
    }

    /// What is before, and what is after, some words in the midst of others.
    pub(super) fn around(&self, words: &Range<usize>) -> [&str; 2] {
        let before = words.start.checked_sub(1);
        let begin = before.map_or(0, |word| self.words[word].source.end);
        let after = self.words.get(words.end);
        let end = after.map_or(self.text.len(), |word| word.source.start);
        let source = self.source(words);
        // A character that makes several words is in the source of each.
        [begin..source.start, source.end..end].map(|range| self.text.get(range).unwrap_or_default())
    }
}
