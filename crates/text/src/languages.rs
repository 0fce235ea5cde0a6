//! Which words of a language count, and in which form: the policies for stop words and stems, each
//! named by the ISO 639-1 code of the language.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let (stop_words, stemming) = ("en".parse()?, "en".parse()?);
//! let options = TextOptions::default().with(|options| {
//!     options.stop_words = stop_words;
//!     options.stemming = stemming;
//! });
//! let mut words = Vec::new();
//! let mut sink = |word: &str, _: std::ops::Range<usize>| words.push(word.to_owned());
//! Tokenizer::new(options).words("She was connecting the cables.", &mut sink);
//! assert_eq!(words, ["connect", "cabl"]);
//! # Ok::<(), lookalike_text::UnknownOption>(())
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::options::UnknownOption;
use crate::policy;

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

/// One or several languages, as a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Languages(u16);

impl Languages {
    /// Each of them, in the order of [`Language::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Language> {
        let among = move |&language: &Language| self.0 & bit(language) != 0;
        Language::ALL.iter().copied().filter(among)
    }

    /// These and those.
    #[must_use]
    pub fn and(self, others: impl Into<Self>) -> Self {
        Self(self.0 | others.into().0)
    }
}

const fn bit(language: Language) -> u16 {
    1 << language as u16
}

impl From<Language> for Languages {
    fn from(language: Language) -> Self {
        Self(bit(language))
    }
}

impl fmt::Debug for Languages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// What happens to [stop words](crate::stop_words), those of one language or of several: the name
/// is `keep`, a code such as `en`, or codes with commas between, such as `en,zh`. Beware: negations
/// (`not`, `不`) are among them.
///
/// A word is recognised whatever the other options are: `The`, `ＴＨＥ` and `the` are the same one.
/// In a text of nothing else, punctuation apart, they are always kept: otherwise all such texts
/// would be the same.
///
/// ```
/// use lookalike_text::{Language, Languages, StopWords};
///
/// let both = Languages::from(Language::English).and(Language::Chinese);
/// assert_eq!("zh,en".parse(), Ok(StopWords::Drop(both)));
/// assert_eq!(StopWords::Drop(both).to_string(), "en,zh");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum StopWords {
    /// They are words like any other.
    Keep,
    /// Those of the languages are not compared.
    Drop(Languages),
}

impl FromStr for StopWords {
    type Err = UnknownOption;

    fn from_str(value: &str) -> Result<Self, Self::Err> {
        if value == "keep" {
            return Ok(Self::Keep);
        }
        let mut all: Option<Languages> = None;
        for code in value.split(',') {
            let language: Language = code.trim().parse().map_err(|_| {
                let allowed = "keep, or of da, de, en, es, fr, it, nl, no, pl, pt, ru, sv and zh one or several, \
                    as in en,zh";
                UnknownOption::new("stop-words", value, allowed)
            })?;
            all = Some(all.map_or(language.into(), |all| all.and(language)));
        }
        Ok(all.map_or(Self::Keep, Self::Drop))
    }
}

impl TryFrom<String> for StopWords {
    type Error = UnknownOption;

    fn try_from(value: String) -> Result<Self, Self::Error> {
        value.parse()
    }
}

impl From<StopWords> for String {
    fn from(stop_words: StopWords) -> Self {
        stop_words.to_string()
    }
}

impl fmt::Display for StopWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Keep => f.pad("keep"),
            Self::Drop(languages) => {
                let codes: Vec<&str> = languages.iter().map(Language::name).collect();
                f.pad(&codes.join(","))
            }
        }
    }
}

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
        assert!(refused.starts_with("stop-words \"EN\" is not known; use keep, or of da"));
        for code in names(Language::ALL) {
            assert!(refused.contains(code), "{code}");
        }
        let refused = "english".parse::<Stemming>().unwrap_err().to_string();
        assert!(refused.starts_with("stemming \"english\" is not known; use off, ar"));
        assert_eq!(offered(&refused), names(Stemming::ALL));
    }

    #[test]
    fn stop_words_of_several_languages_have_one_name() {
        let several: StopWords = "zh, en,de,en".parse().unwrap();
        assert_eq!(several.to_string(), "de,en,zh");
        assert_eq!(several, "de,en,zh".parse().unwrap());
        for wrong in ["", ",", "en,", "keep,en", "en;zh", "en zh"] {
            assert!(wrong.parse::<StopWords>().is_err(), "{wrong}");
        }
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
        let languages = Language::ALL
            .iter()
            .map(|&language| Languages::from(language));
        let two = languages.clone().map(|one| one.and(Language::Chinese));
        let drop = languages.chain(two).map(StopWords::Drop);
        for stop_words in drop.chain([StopWords::Keep]) {
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
        assert_eq!(read.stop_words, StopWords::Drop(Language::Chinese.into()));
        assert_eq!(read.stemming, Stemming::English);
    }
}
