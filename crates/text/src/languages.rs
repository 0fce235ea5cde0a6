//! Which words of a language count, and in which form: the policies for stop words and stems, each
//! named by the ISO 639-1 code of the language.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let options = TextOptions {
//!     stop_words: "en".parse()?,
//!     stemming: "en".parse()?,
//!     ..TextOptions::default()
//! };
//! let mut words = Vec::new();
//! let mut sink = |word: &str, _: std::ops::Range<usize>| words.push(word.to_owned());
//! Tokenizer::new(options).words("She was connecting the cables.", &mut sink);
//! assert_eq!(words, ["connect", "cabl"]);
//! # Ok::<(), lookalike_text::UnknownOption>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::options::{UnknownOption, named, policy};

policy!(
    /// A language whose [function words](crate::function_words) are known.
    Language, "language", "da, de, en, es, fr, it, nl, no, pl, pt, ru, sv or zh",
    /// Danish.
    Danish = "da",
    /// German.
    German = "de",
    /// English.
    English = "en",
    /// Spanish.
    Spanish = "es",
    /// French.
    French = "fr",
    /// Italian.
    Italian = "it",
    /// Dutch.
    Dutch = "nl",
    /// Norwegian, Bokmål and the commonest words of Nynorsk.
    Norwegian = "no",
    /// Polish.
    Polish = "pl",
    /// Portuguese.
    Portuguese = "pt",
    /// Russian.
    Russian = "ru",
    /// Swedish.
    Swedish = "sv",
    /// Chinese, simplified and traditional.
    Chinese = "zh",
);

/// What happens to stop words, the [function words](crate::function_words) of a language. Beware:
/// negations (`not`, `不`) are among them.
///
/// A word is recognised whatever the other options are: `The`, `ＴＨＥ` and `the` are the same one.
/// In a text of nothing else, punctuation apart, they are always kept: otherwise all such texts
/// would be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum StopWords {
    /// They are words like any other.
    Keep,
    /// Those of the language are not compared.
    Drop(Language),
}

impl StopWords {
    /// Every value, in the order of the documentation.
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Keep; Language::ALL.len() + 1];
        let mut number = 0;
        while number < Language::ALL.len() {
            all[number + 1] = Self::Drop(Language::ALL[number]);
            number += 1;
        }
        all
    };

    /// The name in configuration files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Drop(language) => language.name(),
        }
    }
}

named!(
    StopWords,
    "stop-words",
    "keep, da, de, en, es, fr, it, nl, no, pl, pt, ru, sv or zh"
);

policy!(
    /// Whether words are reduced to their stems, by the Snowball algorithm of the language.
    ///
    /// Stemmers know lower case only: stemmed words are in lower case, with [`Case::Keep`] too.
    /// Words of other languages go through the same algorithm, which leaves other scripts alone.
    /// Words of more than 256 bytes stay as they are, as do those that would lose every letter.
    ///
    /// [`Case::Keep`]: crate::Case::Keep
    Stemming, "stemming", "off, ar, ca, cs, da, de, el, en, eo, es, et, eu, fa, fi, fr, ga, hi, hu, \
        hy, id, it, lt, ne, nl, no, pl, pt, ro, ru, sr, st, sv, ta, tr, uk or yi" or without_stems,
    /// Words are compared as they are.
    Off = "off",
    /// Arabic.
    Arabic = "ar",
    /// Catalan.
    Catalan = "ca",
    /// Czech.
    Czech = "cs",
    /// Danish.
    Danish = "da",
    /// German.
    German = "de",
    /// Greek.
    Greek = "el",
    /// English (Porter 2).
    English = "en",
    /// Esperanto.
    Esperanto = "eo",
    /// Spanish.
    Spanish = "es",
    /// Estonian.
    Estonian = "et",
    /// Basque.
    Basque = "eu",
    /// Persian.
    Persian = "fa",
    /// Finnish.
    Finnish = "fi",
    /// French; elided articles and pronouns (`l'`, `qu'`) go too.
    French = "fr",
    /// Irish.
    Irish = "ga",
    /// Hindi.
    Hindi = "hi",
    /// Hungarian.
    Hungarian = "hu",
    /// Armenian.
    Armenian = "hy",
    /// Indonesian.
    Indonesian = "id",
    /// Italian.
    Italian = "it",
    /// Lithuanian.
    Lithuanian = "lt",
    /// Nepali.
    Nepali = "ne",
    /// Dutch.
    Dutch = "nl",
    /// Norwegian.
    Norwegian = "no",
    /// Polish.
    Polish = "pl",
    /// Portuguese.
    Portuguese = "pt",
    /// Romanian.
    Romanian = "ro",
    /// Russian.
    Russian = "ru",
    /// Serbian; Cyrillic words become Latin ones.
    Serbian = "sr",
    /// Sesotho.
    Sesotho = "st",
    /// Swedish.
    Swedish = "sv",
    /// Tamil.
    Tamil = "ta",
    /// Turkish.
    Turkish = "tr",
    /// Ukrainian.
    Ukrainian = "uk",
    /// Yiddish.
    Yiddish = "yi",
);

/// Languages that are asked for and cannot be stemmed.
fn without_stems(unknown: UnknownOption) -> UnknownOption {
    let problem = match unknown.value() {
        "zh" => "cannot be had: Chinese has no stems",
        "vi" => "cannot be had: Vietnamese has no stems",
        "th" => "cannot be had: Thai has no stems",
        "lo" => "cannot be had: Lao has no stems",
        "ja" => "cannot be had: in Japanese each character is a word",
        "ko" => "cannot be had: there is no stemmer for Korean",
        "he" => "cannot be had: there is no stemmer for Hebrew",
        _ => return unknown,
    };
    unknown.because(problem, "stemming = \"off\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TextOptions;

    /// The names that a message offers.
    fn offered(message: &str) -> Vec<&str> {
        let (_, names) = message.split_once("; use ").unwrap();
        names.split(", ").flat_map(|n| n.split(" or ")).collect()
    }

    fn names<T: Copy + Into<&'static str>>(all: &[T]) -> Vec<&'static str> {
        all.iter().map(|&value| value.into()).collect()
    }

    #[test]
    fn an_unknown_language_is_refused_with_all_known_ones() {
        let refused = "xx".parse::<Language>().unwrap_err().to_string();
        assert!(refused.starts_with("language \"xx\" is not known; use da, de, en"));
        assert_eq!(offered(&refused), names(Language::ALL));
        let refused = "EN".parse::<StopWords>().unwrap_err().to_string();
        assert!(refused.starts_with("stop-words \"EN\" is not known; use keep, da"));
        assert_eq!(offered(&refused), names(StopWords::ALL));
        let refused = "english".parse::<Stemming>().unwrap_err().to_string();
        assert!(refused.starts_with("stemming \"english\" is not known; use off, ar"));
        assert_eq!(offered(&refused), names(Stemming::ALL));
    }

    #[test]
    fn languages_without_stems_are_refused_with_the_remedy() {
        let error = toml::from_str::<TextOptions>("stemming = \"zh\"").unwrap_err();
        assert_eq!(
            error.message(),
            "stemming \"zh\" cannot be had: Chinese has no stems; use stemming = \"off\""
        );
        for code in ["ja", "ko", "th", "lo", "vi", "he"] {
            let refused = code.parse::<Stemming>().unwrap_err().to_string();
            assert!(refused.ends_with("; use stemming = \"off\""), "{refused}");
        }
    }

    #[test]
    fn languages_survive_a_round_trip_through_toml() {
        for &stop_words in StopWords::ALL {
            for &stemming in Stemming::ALL {
                let options = TextOptions {
                    stop_words,
                    stemming,
                    ..TextOptions::default()
                };
                let written = toml::to_string(&options).unwrap();
                assert_eq!(toml::from_str::<TextOptions>(&written).unwrap(), options);
            }
        }
        let read: TextOptions = toml::from_str("stop-words = \"zh\"\nstemming = \"en\"").unwrap();
        assert_eq!(read.stop_words, StopWords::Drop(Language::Chinese));
        assert_eq!(read.stemming, Stemming::English);
    }
}
