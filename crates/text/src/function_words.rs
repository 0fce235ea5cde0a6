//! The words that hold a sentence together: articles, pronouns, prepositions, conjunctions,
//! auxiliary verbs and the like. A language comes in; its list goes out. They are the antecedents
//! of SpotSigs and, with what else fills sentences, the stop words of
//! [`StopWords`](crate::StopWords).
//!
//! ```
//! use lookalike_text::{Language, function_words, stop_words};
//!
//! assert_eq!(function_words(Language::English)[..3], ["the", "of", "and"]);
//! assert!(function_words(Language::Chinese).contains(&"的"));
//! assert!(stop_words(Language::English).contains(&"please"));
//! ```
//!
//! # Frozen
//! A change of a list changes results and makes stored indexes that were built with it useless.

use std::sync::OnceLock;

use crate::hash::{Seed, Table, hash64};
use crate::languages::Language;

/// The function words of a language, each as [`Tokenizer::words`](crate::Tokenizer::words) gives
/// it by default (German has `dass`, not `daß`), roughly in the order of descending frequency in
/// ordinary text. The Chinese ones are single characters, because these are its words here.
#[must_use]
pub fn function_words(language: Language) -> &'static [&'static str] {
    &FunctionWords::of(language).words
}

/// What [`StopWords`](crate::StopWords) drops of a language: its [`function_words`] and, for
/// English, what else fills questions without saying what they are about: `please`, `anyone`,
/// `how's`. Verbs such as `tell`, `want` and `know` are not among them.
#[must_use]
pub fn stop_words(language: Language) -> &'static [&'static str] {
    &FunctionWords::and_fillers_of(language).words
}

/// Stop words that are no antecedents.
const fn fillers(language: Language) -> &'static str {
    match language {
        Language::English => {
            "please anyone anybody anything someone somebody something everyone everybody \
             everything how's where's when's why's who'll who'd what're what'll what'd that'll \
             that'd there'll it'd"
        }
        _ => "",
    }
}

const fn source(language: Language) -> &'static str {
    match language {
        Language::Danish => include_str!("function_words/da.txt"),
        Language::German => include_str!("function_words/de.txt"),
        Language::English => include_str!("function_words/en.txt"),
        Language::Spanish => include_str!("function_words/es.txt"),
        Language::French => include_str!("function_words/fr.txt"),
        Language::Italian => include_str!("function_words/it.txt"),
        Language::Dutch => include_str!("function_words/nl.txt"),
        Language::Norwegian => include_str!("function_words/no.txt"),
        Language::Polish => include_str!("function_words/pl.txt"),
        Language::Portuguese => include_str!("function_words/pt.txt"),
        Language::Russian => include_str!("function_words/ru.txt"),
        Language::Swedish => include_str!("function_words/sv.txt"),
        Language::Chinese => include_str!("function_words/zh.txt"),
    }
}

/// All that there is of a language.
pub(crate) fn sources(language: Language) -> [&'static str; 2] {
    [source(language), fillers(language)]
}

type Lists = [OnceLock<FunctionWords>; Language::ALL.len()];

static LISTS: Lists = [const { OnceLock::new() }; Language::ALL.len()];
static LISTS_WITH_FILLERS: Lists = [const { OnceLock::new() }; Language::ALL.len()];

/// A list and, to look words up, a hash table: binary search would take several mispredicted
/// branches a word.
pub(crate) struct FunctionWords {
    words: Vec<&'static str>,
    table: Table<Option<&'static str>>,
    longest: usize,
}

impl FunctionWords {
    pub(crate) fn of(language: Language) -> &'static Self {
        LISTS[language as usize].get_or_init(|| Self::new(&[source(language)]))
    }

    pub(crate) fn and_fillers_of(language: Language) -> &'static Self {
        LISTS_WITH_FILLERS[language as usize].get_or_init(|| Self::new(&sources(language)))
    }

    /// The words of these texts.
    pub(crate) fn new(sources: &[&'static str]) -> Self {
        let words: Vec<&str> = sources.iter().flat_map(|s| s.split_whitespace()).collect();
        let mut table = Table::default();
        // At most a quarter of the slots are taken: most words are in no list.
        table.reset(2 * words.len());
        for &word in &words {
            table.get_or_put(hash(word), |&known| known == Some(word), Some(word));
        }
        Self {
            longest: words.iter().map(|word| word.len()).max().unwrap_or(0),
            table,
            words,
        }
    }

    /// Whether the word, in the form of the lists, is among them.
    #[inline]
    pub(crate) fn contains(&self, word: &str) -> bool {
        let is_it = |known: &Option<&str>| *known == Some(word);
        word.len() <= self.longest && self.table.get(hash(word), is_it).is_some()
    }
}

#[inline]
fn hash(word: &str) -> u64 {
    hash64(word.as_bytes(), Seed(0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::chars::is_han;
    use crate::{TextOptions, Tokenizer};

    #[test]
    fn every_entry_is_one_word_in_the_form_in_which_texts_are_compared() {
        let mut tokenizer = Tokenizer::new(TextOptions::default());
        for &language in Language::ALL {
            for &entry in stop_words(language) {
                let mut words = Vec::new();
                let mut sink = |word: &str, _| words.push(word.to_owned());
                tokenizer.words(entry, &mut sink);
                assert_eq!(words, [entry], "{language}");
            }
        }
    }

    #[test]
    fn no_list_has_a_word_twice_and_each_finds_its_own() {
        for &language in Language::ALL {
            let list = FunctionWords::and_fillers_of(language);
            assert!(stop_words(language).starts_with(function_words(language)));
            let different: BTreeSet<_> = list.words.iter().collect();
            assert_eq!(different.len(), list.words.len(), "{language}");
            assert!(list.words.iter().all(|word| list.contains(word)));
            for other in ["", "zebra", "馬", "constantinople-like", "th", "thee"] {
                assert!(!list.contains(other), "{language} {other}");
            }
        }
    }

    #[test]
    fn english_stop_words_fill_questions_and_leave_what_they_are_about() {
        let list = FunctionWords::and_fillers_of(Language::English);
        for filler in "who can me what what's how do i anyone please".split(' ') {
            assert!(list.contains(filler), "{filler}");
        }
        for content in ["tell", "want", "know", "birthday"] {
            assert!(!list.contains(content), "{content}");
        }
    }

    #[test]
    fn english_has_at_least_150_words_and_chinese_at_least_100_characters() {
        assert!(function_words(Language::English).len() >= 150);
        let chinese = function_words(Language::Chinese);
        assert!(chinese.len() >= 100);
        let single = |word: &&str| word.chars().count() == 1 && word.chars().all(is_han);
        assert!(chinese.iter().all(single));
    }
}
