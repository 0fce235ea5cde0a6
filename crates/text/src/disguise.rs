//! The policies for short messages, which are templated and disguised: how Chinese is cut, and
//! which disguises are seen through. By default none is; [`TextOptions::for_messages`] chooses
//! those that leave honest texts alone.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let mut words = Vec::new();
//! let mut sink = |word: &str, _: std::ops::Range<usize>| words.push(word.to_owned());
//! let text = "W.I.N.N.E.R: ca\u{200B}sh рrizes, 加 微 信";
//! Tokenizer::new(TextOptions::default().for_messages()).words(text, &mut sink);
//! assert_eq!(words, ["winner", "cash", "prizes", "加", "微信"]);
//! ```

use serde::{Deserialize, Serialize};

use crate::options::TextOptions;
use crate::policy;

policy!(
    /// What a word of Chinese is; for words only.
    Chinese, "chinese", "characters or words",
    /// Each Han character.
    Characters = "characters",
    /// What the dictionary of the segmenter Jieba says. A run of Han characters that touch each
    /// other is cut into its most probable words; what it does not know, such as most of what is
    /// written in traditional characters, stays single characters.
    Words = "words",
);

policy!(
    /// Whether a letter that looks like a Latin one is that one (the confusables of UTS #39).
    LookAlikes, "look-alikes", "as-written, mixed or all",
    /// Every letter is itself.
    AsWritten = "as-written",
    /// In a word that mixes scripts, letters that look like Latin ones are these. If its Latin
    /// letters all look like Cyrillic ones and another of its letters is like no Latin one, it is
    /// the Latin letters that become Cyrillic. A word of one script is never touched, but for one or
    /// two digits between letters of a Latin word that has a vowel with them: `w1n`, `c4sh`.
    Mixed = "mixed",
    /// Every letter that looks like a Latin one is that, whatever the word. In words of at least two
    /// letters, and at least as many as there are of these, so are `0 1 3 4 5 7 8` (`o i e a s t b`)
    /// and, before a letter, `@` and `$` (`a s`), unless five digits say that it is a code.
    All = "all",
);

policy!(
    /// Whether letters that are written apart are one word.
    SpacedLetters, "spaced-letters", "as-written or join",
    /// Each is a word, or what UAX #29 makes of it.
    AsWritten = "as-written",
    /// At least four single letters parted by one space, three parted by the same mark, or three single
    /// Han characters parted by either are written without: `f r e e`, `F.R.E.E`, `w-i-n`, `加 微 信`.
    /// Line breaks and digits part nothing. `U.S.A.` is `usa`, and `a.m.` stays.
    Join = "join",
);

policy!(
    /// What happens to the zero width space and what else cannot be seen.
    ZeroWidth, "zero-width", "separate or remove",
    /// The zero width space separates words; for the rest see [`Unicode`](crate::Unicode).
    Separate = "separate",
    /// None of it is there, whatever the Unicode form; only emoji keep what they are made with.
    Remove = "remove",
);

policy!(
    /// What happens to emoji.
    Emoji, "emoji", "keep or drop",
    /// Each is a word.
    Keep = "keep",
    /// They separate words and are not compared, unless a text has no letters or numbers.
    Drop = "drop",
);

policy!(
    /// How often a mark or a letter may be repeated.
    Repeats, "repeats", "as-written, punctuation or letters",
    /// As often as it is.
    AsWritten = "as-written",
    /// Where punctuation is kept, a run of the same mark is one: `!!!` is `!`.
    Punctuation = "punctuation",
    /// That, and three or more of the same letter are two: `freeeee` is `free`, `soooo` is `soo`
    /// as is `sooo`, but not `so`; `哈哈哈哈` is `哈哈`.
    Letters = "letters",
);

policy!(
    /// Whether digits differ from each other.
    Digits, "digits", "as-written, codes or all",
    /// They do.
    AsWritten = "as-written",
    /// Not in words of at least five digits, such as telephone numbers, codes and amounts: each of
    /// their digits is `0`, so that only their length and shape count.
    Codes = "codes",
    /// Not in any word.
    All = "all",
);

policy!(
    /// Whether a traditional Chinese character is the simplified one.
    Han, "han", "as-written or simplified",
    /// Every character is itself.
    AsWritten = "as-written",
    /// `橋` is `桥`: what was copied from one script to the other is found.
    Simplified = "simplified",
);

impl TextOptions {
    /// The policies for short messages, where none is given: Chinese words, and no disguise that
    /// an honest text never has. Emoji and digits stay: they tell templates apart.
    #[must_use]
    pub fn for_messages(self) -> Self {
        Self {
            chinese: self.chinese.or(Some(Chinese::Words)),
            look_alikes: self.look_alikes.or(Some(LookAlikes::Mixed)),
            spaced_letters: self.spaced_letters.or(Some(SpacedLetters::Join)),
            zero_width: self.zero_width.or(Some(ZeroWidth::Remove)),
            emoji: self.emoji.or(Some(Emoji::Keep)),
            repeats: self.repeats.or(Some(Repeats::Punctuation)),
            digits: self.digits.or(Some(Digits::AsWritten)),
            han: self.han.or(Some(Han::Simplified)),
            ..self
        }
    }

    /// The policy for Chinese.
    #[must_use]
    pub fn chinese(&self) -> Chinese {
        self.chinese.unwrap_or(Chinese::Characters)
    }

    /// The policy for letters that look like others.
    #[must_use]
    pub fn look_alikes(&self) -> LookAlikes {
        self.look_alikes.unwrap_or(LookAlikes::AsWritten)
    }

    /// The policy for letters that are written apart.
    #[must_use]
    pub fn spaced_letters(&self) -> SpacedLetters {
        self.spaced_letters.unwrap_or(SpacedLetters::AsWritten)
    }

    /// The policy for what cannot be seen.
    #[must_use]
    pub fn zero_width(&self) -> ZeroWidth {
        self.zero_width.unwrap_or(ZeroWidth::Separate)
    }

    /// The policy for emoji.
    #[must_use]
    pub fn emoji(&self) -> Emoji {
        self.emoji.unwrap_or(Emoji::Keep)
    }

    /// The policy for repeated marks and letters.
    #[must_use]
    pub fn repeats(&self) -> Repeats {
        self.repeats.unwrap_or(Repeats::AsWritten)
    }

    /// The policy for digits.
    #[must_use]
    pub fn digits(&self) -> Digits {
        self.digits.unwrap_or(Digits::AsWritten)
    }

    /// The policy for traditional Chinese characters.
    #[must_use]
    pub fn han(&self) -> Han {
        self.han.unwrap_or(Han::AsWritten)
    }

    /// These options with nothing left to a job: what is not given is as written. Options that were stored once all was
    /// decided mean that, whatever has become the default of a job since.
    #[must_use]
    pub fn as_stored(self) -> Self {
        Self {
            chinese: Some(self.chinese()),
            look_alikes: Some(self.look_alikes()),
            spaced_letters: Some(self.spaced_letters()),
            zero_width: Some(self.zero_width()),
            emoji: Some(self.emoji()),
            repeats: Some(self.repeats()),
            digits: Some(self.digits()),
            han: Some(self.han()),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_stays_and_the_rest_is_for_messages() {
        let given = TextOptions {
            chinese: Some(Chinese::Characters),
            digits: Some(Digits::Codes),
            ..TextOptions::default()
        };
        let options = given.for_messages();
        assert_eq!(options.chinese(), Chinese::Characters);
        assert_eq!(options.digits(), Digits::Codes);
        assert_eq!(options.look_alikes(), LookAlikes::Mixed);
        assert_eq!(options.for_messages(), options);
        let written = toml::to_string(&options).unwrap();
        assert!(written.contains("spaced-letters = \"join\""), "{written}");
        assert_eq!(toml::from_str::<TextOptions>(&written).unwrap(), options);
    }

    #[test]
    fn policies_that_are_not_given_are_not_written() {
        let written = toml::to_string(&TextOptions::default()).unwrap();
        for name in ["chinese", "look-alikes", "zero-width", "emoji", "digits"] {
            assert!(!written.contains(name), "{written}");
        }
    }
}
