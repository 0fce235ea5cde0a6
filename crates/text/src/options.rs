//! What counts as the same text: the policies for Unicode forms, case, punctuation, white space,
//! characters, numbers, dates, stop words and stems, and those for messages (`disguise`). Each is
//! named in configuration files and on the command line by the same word.
//!
//! ```
//! use lookalike_text::{Case, TextOptions};
//!
//! let keep = "keep".parse()?;
//! let options = TextOptions::default().with(|options| options.case = keep);
//! assert_eq!(options.case, Case::Keep);
//! let error = "lower".parse::<Case>().unwrap_err();
//! assert_eq!(error.to_string(), "case \"lower\" is not known; use fold or keep");
//! # Ok::<(), lookalike_text::UnknownOption>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::disguise::{Chinese, Digits, Emoji, Han, LookAlikes, Repeats, SpacedLetters, ZeroWidth};
use crate::languages::{Stemming, StopWords};
use crate::numbers::{Dates, Numbers};

/// A policy was given a name it does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{option} \"{value}\" {problem}; use {allowed}")]
#[non_exhaustive]
pub struct UnknownOption {
    option: &'static str,
    value: String,
    problem: &'static str,
    allowed: &'static str,
}

impl UnknownOption {
    /// An option, the name that it was given, and those that there are.
    #[must_use]
    pub fn new(option: &'static str, value: &str, allowed: &'static str) -> Self {
        Self {
            option,
            value: value.to_owned(),
            problem: "is not known",
            allowed,
        }
    }

    /// For values that are no mistakes of spelling: says why they cannot be had.
    pub(crate) fn because(self, problem: &'static str, remedy: &'static str) -> Self {
        Self {
            problem,
            allowed: remedy,
            ..self
        }
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }
}

/// An enum whose variants have one name each, and what follows from it: TOML, the command line and messages. After `or` a
/// function that says more about a name that there is not. Who uses it has `Serialize` and `Deserialize` in scope.
#[macro_export]
macro_rules! policy {
    (
        $(#[$doc:meta])* $name:ident, $option:literal, $allowed:literal $(or $explain:path)?,
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal),+ $(,)?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(into = "&'static str", try_from = "String")]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        impl $name {
            /// Every variant, in the order of the documentation.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in configuration files and on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownOption;

            fn from_str(value: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|known| known.name() == value);
                found.copied().ok_or_else(|| {
                    let unknown = $crate::UnknownOption::new($option, value, $allowed);
                    $(let unknown = $explain(unknown);)?
                    unknown
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::UnknownOption;

            fn try_from(value: String) -> Result<Self, Self::Error> {
                value.parse()
            }
        }

        impl From<$name> for &'static str {
            fn from(policy: $name) -> Self {
                policy.name()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

policy!(
    /// Which ways of writing a character are the same. `Nfkc` and `Nfc` also remove what cannot be
    /// seen (soft hyphens, joiners, variation selectors; see [`words`](crate::Tokenizer::words)).
    Unicode, "unicode", "nfkc, nfc or as-is",
    /// Compatibility forms are the same too: `ｆｕｌｌ` and `full`, `ﬁ` and `fi`, `’` and `'`.
    Nfkc = "nfkc",
    /// Only canonical forms are the same: `é` in one code point or two.
    Nfc = "nfc",
    /// Nothing is changed or removed.
    AsIs = "as-is",
);

policy!(
    /// Whether case matters.
    Case, "case", "fold or keep",
    /// Full Unicode case folding: `Straße`, `STRASSE` and `strasse` are the same.
    Fold = "fold",
    /// Case matters.
    Keep = "keep",
);

policy!(
    /// What happens to punctuation and symbols. In a text of nothing else they are always kept.
    Punctuation, "punctuation", "drop or keep",
    /// They separate words and are not compared themselves.
    Drop = "drop",
    /// Each is a token of its own.
    Keep = "keep",
);

policy!(
    /// What happens to white space when characters are compared. Words never contain any.
    Whitespace, "whitespace", "collapse, keep or drop",
    /// A run of white space is one space; none at the beginning and the end.
    Collapse = "collapse",
    /// Every white-space character counts.
    Keep = "keep",
    /// White space is not compared: for texts whose line breaks or spaces are noise.
    Drop = "drop",
);

policy!(
    /// What a character is.
    Characters, "characters", "code-point or grapheme",
    /// A Unicode code point.
    CodePoint = "code-point",
    /// What readers see as one: a letter with its marks, an emoji with its modifiers.
    Grapheme = "grapheme",
);

/// What counts as the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct TextOptions {
    /// Which ways of writing a character are the same.
    pub unicode: Unicode,
    /// Whether case matters.
    pub case: Case,
    /// What happens to punctuation; if not given, words drop it and characters keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub punctuation: Option<Punctuation>,
    /// What happens to white space between characters.
    pub whitespace: Whitespace,
    /// What a character is.
    pub characters: Characters,
    /// Whether numbers and dates have one form, for words and characters.
    pub numbers: Numbers,
    /// How dates in digits are read that can be read in two ways.
    pub dates: Dates,
    /// Whose stop words are dropped; characters keep them.
    pub stop_words: StopWords,
    /// Whose words are reduced to their stems; characters are not.
    pub stemming: Stemming,
    /// What a word of Chinese is; if not given, each character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chinese: Option<Chinese>,
    /// Whether letters that look like Latin ones are these; if not given, they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub look_alikes: Option<LookAlikes>,
    /// Whether letters written apart are one word; if not given, they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spaced_letters: Option<SpacedLetters>,
    /// What happens to the zero width space; if not given, it separates words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_width: Option<ZeroWidth>,
    /// What happens to emoji; if not given, each is a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emoji: Option<Emoji>,
    /// How often a mark or a letter may be repeated; if not given, as often as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<Repeats>,
    /// Whether digits differ from each other; if not given, they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digits: Option<Digits>,
    /// Whether traditional Chinese characters are the simplified ones; if not given, they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub han: Option<Han>,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            unicode: Unicode::Nfkc,
            case: Case::Fold,
            punctuation: None,
            whitespace: Whitespace::Collapse,
            characters: Characters::CodePoint,
            numbers: Numbers::AsWritten,
            dates: Dates::DayFirst,
            stop_words: StopWords::Keep,
            stemming: Stemming::Off,
            chinese: None,
            look_alikes: None,
            spaced_letters: None,
            zero_width: None,
            emoji: None,
            repeats: None,
            digits: None,
            han: None,
        }
    }
}

impl TextOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// All that says which words a text has, by name and as chosen: everything but white space and characters.
    #[must_use]
    pub fn of_words(&self) -> [(&'static str, String); 15] {
        [
            ("unicode", self.unicode.to_string()),
            ("case", self.case.to_string()),
            ("punctuation", self.punctuation_of_words().to_string()),
            ("numbers", self.numbers.to_string()),
            ("dates", self.dates.to_string()),
            ("stop-words", self.stop_words.to_string()),
            ("stemming", self.stemming.to_string()),
            ("chinese", self.chinese().to_string()),
            ("look-alikes", self.look_alikes().to_string()),
            ("spaced-letters", self.spaced_letters().to_string()),
            ("zero-width", self.zero_width().to_string()),
            ("emoji", self.emoji().to_string()),
            ("repeats", self.repeats().to_string()),
            ("digits", self.digits().to_string()),
            ("han", self.han().to_string()),
        ]
    }

    /// The policy for punctuation among words.
    #[must_use]
    pub fn punctuation_of_words(&self) -> Punctuation {
        self.punctuation.unwrap_or(Punctuation::Drop)
    }

    /// The policy for punctuation among characters.
    #[must_use]
    pub fn punctuation_of_characters(&self) -> Punctuation {
        self.punctuation.unwrap_or(Punctuation::Keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_a_round_trip_through_toml() {
        let options = TextOptions {
            unicode: Unicode::AsIs,
            punctuation: Some(Punctuation::Keep),
            characters: Characters::Grapheme,
            ..TextOptions::default()
        };
        let written = toml::to_string(&options).unwrap();
        assert!(written.contains("unicode = \"as-is\""), "{written}");
        assert_eq!(toml::from_str::<TextOptions>(&written).unwrap(), options);
    }

    #[test]
    fn options_that_are_not_given_have_their_defaults() {
        let options: TextOptions = toml::from_str("case = \"keep\"").unwrap();
        assert_eq!(options.unicode, Unicode::Nfkc);
        assert_eq!(options.punctuation_of_words(), Punctuation::Drop);
        assert_eq!(options.punctuation_of_characters(), Punctuation::Keep);
    }

    #[test]
    fn an_unknown_value_is_refused_with_the_allowed_ones() {
        let error = toml::from_str::<TextOptions>("whitespace = \"trim\"").unwrap_err();
        let message = error.message();
        assert_eq!(
            message,
            "whitespace \"trim\" is not known; use collapse, keep or drop"
        );
    }
}
