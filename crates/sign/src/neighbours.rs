//! Neighbouring words: what a passage is found by whose words were changed, dropped and moved.
//!
//! A running text comes in; out goes a tape of its words, 32 bits each. Once it is known which words are common, every two
//! neighbours among the others make a key, in either order, with its place in the text. A change of some words leaves the
//! keys of the others, which no set of shingles of a sentence survives.
//!
//! In scripts without spaces the words are single characters, which say nothing by themselves. There the tape has
//! stretches: two ideographs or four other characters from each character on, and two that overlap make a key, common or
//! not: a run of three ideographs or of five letters of Thai, which is about two words.
//!
//! ```
//! use lookalike_sign::neighbours::{Neighbours, RunningWords};
//! use lookalike_text::TextOptions;
//!
//! let mut reader = RunningWords::new(TextOptions::default());
//! let mut keys = |text: &str| {
//!     let (mut words, mut keys) = (Vec::new(), Vec::new());
//!     reader.append(text, &mut words);
//!     Neighbours::default().read(&words, |_| false, |key, _| keys.push(key));
//!     keys
//! };
//! assert_eq!(keys("red lamp"), keys("lamp, red"));
//! assert_eq!(keys("北京大学").len(), 2);
//! ```

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use lookalike_text::hash::{hash_sequence, hash64, mix64};
use lookalike_text::{Seed, TextOptions, Tokenizer};

use crate::features::is_word_of_its_own;

/// A word of a running text, or a stretch of characters of a script without spaces, in 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
#[repr(transparent)]
pub struct RunningWord(u32);

impl RunningWord {
    const STRETCH: u32 = 1 << 31;

    fn word(hash: u64) -> Self {
        RunningWord((hash >> 32) as u32 & !Self::STRETCH)
    }

    fn stretch(hash: u64) -> Self {
        RunningWord((hash >> 32) as u32 | Self::STRETCH)
    }

    /// Its hash.
    #[inline]
    pub fn hash(self) -> u32 {
        self.0
    }

    /// Whether it is a stretch of characters, one of which begins at each character.
    #[inline]
    pub fn is_stretch(self) -> bool {
        self.0 & Self::STRETCH != 0
    }

    /// How much further on the next one begins, in halves of words: a character counts half a word.
    #[inline]
    pub fn step(self) -> u32 {
        if self.is_stretch() { 1 } else { 2 }
    }
}

/// What a word of a script with spaces counts for in a stretch: enough by itself.
const ENOUGH: u8 = 4;

/// Reads the words of running text.
pub struct RunningWords {
    tokenizer: Tokenizer,
    /// Characters that touch each other: their hashes, and what each counts for.
    hashes: Vec<u64>,
    counts: Vec<u8>,
}

impl RunningWords {
    /// Reads words under these policies.
    pub fn new(text: TextOptions) -> Self {
        RunningWords {
            tokenizer: Tokenizer::new(text),
            hashes: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// Appends the words of a text.
    pub fn append(&mut self, text: &str, out: &mut Vec<RunningWord>) {
        let RunningWords {
            tokenizer,
            hashes,
            counts,
        } = self;
        if text.is_ascii() {
            tokenizer.word_hashes(text, Seed::default(), hashes);
            out.extend(hashes.drain(..).map(RunningWord::word));
            return;
        }
        let mut end = 0;
        tokenizer.words(text, &mut |word: &str, source: Range<usize>| {
            let hash = hash64(word.as_bytes(), Seed::default());
            let counts_for = weight(word);
            if !hashes.is_empty() && (counts_for == ENOUGH || source.start != end) {
                stretches(hashes, counts, out);
            }
            if counts_for == ENOUGH {
                out.push(RunningWord::word(hash));
            } else {
                hashes.push(hash);
                counts.push(counts_for);
                end = source.end;
            }
        });
        stretches(hashes, counts, out);
    }
}

/// What a word counts for in a stretch.
fn weight(word: &str) -> u8 {
    match word.chars().next() {
        Some('\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}') => 2,
        Some(c) if c >= '\u{e00}' && is_word_of_its_own(c) => 1,
        _ => ENOUGH,
    }
}

/// Appends the stretches of characters that touch, and forgets these. Fewer than make one are one, too.
fn stretches(hashes: &mut Vec<u64>, counts: &mut Vec<u8>, out: &mut Vec<RunningWord>) {
    let (mut end, mut count) = (0, 0);
    for begin in 0..hashes.len() {
        while count < ENOUGH && end < hashes.len() {
            count += counts[end];
            end += 1;
        }
        if count < ENOUGH && begin > 0 {
            break;
        }
        out.push(RunningWord::stretch(hash_sequence(
            &hashes[begin..end],
            Seed::default(),
        )));
        count -= counts[begin];
    }
    hashes.clear();
    counts.clear();
}

/// Makes keys of neighbours; what is read piece by piece is one text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Neighbours {
    /// The last word or stretch that has a neighbour to come.
    last: Option<RunningWord>,
    /// How long the text before the next word is, in halves of words.
    place: u32,
}

impl Neighbours {
    /// Tells the key of every two neighbours, with the place of the second in halves of words. Common words have none;
    /// a stretch has one with another stretch only, and a word with another word.
    #[inline]
    pub fn read(
        &mut self,
        words: &[RunningWord],
        is_common: impl Fn(RunningWord) -> bool,
        mut each: impl FnMut(u64, u32),
    ) {
        for &word in words {
            if word.is_stretch() || !is_common(word) {
                if let Some(last) = self.last
                    && last.is_stretch() == word.is_stretch()
                    && last != word
                {
                    each(key(last, word), self.place);
                }
                self.last = Some(word);
            }
            self.place = self.place.saturating_add(word.step());
        }
    }

    /// Passes over a part of the text that has no keys.
    pub fn skip(&mut self, words: &[RunningWord]) {
        let length: u32 = words.iter().map(|word| word.step()).sum();
        self.place = self.place.saturating_add(length);
        self.last = None;
    }
}

/// Tells the keys of a text that is given sentence by sentence, each with its words and whether it is passed over.
pub fn neighbours_of_page<'w>(
    sentences: impl Iterator<Item = (&'w [RunningWord], bool)>,
    is_common: impl Fn(RunningWord) -> bool,
    mut each: impl FnMut(u64, u32),
) {
    let mut neighbours = Neighbours::default();
    for (words, is_skipped) in sentences {
        match is_skipped {
            true => neighbours.skip(words),
            false => neighbours.read(words, &is_common, &mut each),
        }
    }
}

/// The key of two words: the same in either order, and of no other two.
#[inline]
fn key(one: RunningWord, two: RunningWord) -> u64 {
    let (lo, hi) = (one.0.min(two.0), one.0.max(two.0));
    mix64(u64::from(lo) << 32 | u64::from(hi))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<RunningWord> {
        let mut out = Vec::new();
        RunningWords::new(TextOptions::default()).append(text, &mut out);
        out
    }

    fn keys(text: &str, common: &str) -> Vec<(u64, u32)> {
        let (words, common) = (words(text), words(common));
        let mut keys = Vec::new();
        let is_common = |word: RunningWord| common.contains(&word);
        Neighbours::default().read(&words, is_common, |key, place| keys.push((key, place)));
        keys
    }

    #[test]
    fn words_are_neighbours_across_common_ones_and_in_either_order() {
        let plain = keys("the lamp on the pier burns", "the on");
        assert_eq!(plain.len(), 2);
        assert_eq!(plain[0].0, keys("Pier. A lamp", "a")[0].0);
        // "pier" is the fifth word.
        assert_eq!(plain[0].1, 8);
        assert_ne!(plain[0].0, plain[1].0);
    }

    #[test]
    fn words_are_the_same_whatever_else_is_in_a_text() {
        let plain = words("The Lamp, on pier 7");
        assert_eq!(plain.len(), 5);
        assert_eq!(words("The Lamp, on pier 7 – ёлка")[..5], plain);
        assert_eq!(words("塔 the lamp, on pier 7")[1..], plain);
    }

    #[test]
    fn a_word_is_no_neighbour_of_itself() {
        assert!(keys("very, very, VERY", "").is_empty());
    }

    #[test]
    fn characters_of_scripts_without_spaces_make_overlapping_stretches() {
        // Two ideographs, or four letters of Thai or kana.
        assert_eq!(words("东京大学图").len(), 4);
        assert_eq!(words("ภาษาไทยดี").len(), 9 - 3 - 1);
        assert_eq!(words("ひらがなです").len(), 3);
        assert!(words("东京ひら").iter().all(|word| word.is_stretch()));
        // What is shorter is one.
        assert_eq!(words("东").len(), 1);
        assert_eq!(words("东，京").len(), 2);
        assert_eq!(words("東京 tower 大学").len(), 3);
    }

    #[test]
    fn a_key_of_ideographs_is_a_run_of_three_at_its_place() {
        let of = |text: &str| keys(text, "");
        let long = of("我们在北京大学");
        assert_eq!(long.len(), 5);
        assert_eq!(of("京大学")[0].0, long[4].0);
        assert_eq!(long[4].1, 5);
        // Common stretches are left in: what is common is told of their keys.
        assert_eq!(keys("京大学", "京大").len(), 1);
    }

    #[test]
    fn what_is_read_in_pieces_is_one_text() {
        let mut in_pieces = Vec::new();
        let mut neighbours = Neighbours::default();
        for piece in ["the old", "harbour master's", "lamp"] {
            neighbours.read(
                &words(piece),
                |_| false,
                |key, place| {
                    in_pieces.push((key, place));
                },
            );
        }
        assert_eq!(in_pieces, keys("the old harbour master's lamp", ""));
        let mut skipped = Vec::new();
        let mut neighbours = Neighbours::default();
        neighbours.read(&words("the old"), |_| false, |_, _| ());
        neighbours.skip(&words("harbour master's"));
        neighbours.read(
            &words("lamp oil"),
            |_| false,
            |key, place| {
                skipped.push((key, place));
            },
        );
        assert_eq!(skipped, [(keys("lamp oil", "")[0].0, 10)]);
    }
}
