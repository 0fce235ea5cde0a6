//! Stop words and stems. The words of a text come in, normalised; out go those that count, in the
//! form in which they count.

mod known;

use std::borrow::Cow;
use std::ops::Range;

use icu_casemap::CaseMapper;
use snowball_stemmers_rs::{Algorithm, Stemmer};
use unicode_normalization::UnicodeNormalization;

use crate::chars::CharTable;
use crate::function_words::FunctionWords;
use crate::languages::{Languages, Stemming, StopWords};
use crate::options::{Case, TextOptions, Unicode};
use crate::words::WordSink;
pub(crate) use known::KnownWords;

/// Longer words are in no language: they are neither stop words nor stemmed, which takes quadratic
/// time in the worst case.
const LONGEST_WORD: usize = 256;

/// What happens to each word.
#[derive(Clone, Copy)]
pub(crate) struct Refinement {
    unicode: Unicode,
    case: Case,
    stop_words: Option<Languages>,
    stemming: Option<Algorithm>,
}

impl Refinement {
    /// None if the options leave words as they are.
    pub(crate) fn of(options: &TextOptions) -> Option<Self> {
        let stop_words = match options.stop_words {
            StopWords::Keep => None,
            StopWords::Drop(languages) => Some(languages),
        };
        let stemming = algorithm(options.stemming);
        (stop_words.is_some() || stemming.is_some()).then_some(Self {
            unicode: options.unicode,
            case: options.case,
            stop_words,
            stemming,
        })
    }

    pub(crate) fn drops_stop_words(&self) -> bool {
        self.stop_words.is_some()
    }

    pub(crate) fn keeping_stop_words(self) -> Self {
        Self {
            stop_words: None,
            ..self
        }
    }

    /// A sink that refines what it is given and passes it on. What is known was made of words by this refinement.
    pub(crate) fn before<'a, S: WordSink>(
        self,
        sink: &'a mut S,
        known: &'a mut KnownWords,
    ) -> RefinedWords<'a, S> {
        RefinedWords {
            refinement: self,
            stemmer: self.stemming.map(Stemmer::create),
            sink,
            known,
        }
    }

    /// The form in which a word counts; none if it does not.
    fn refine<'w>(&self, word: &'w str, stemmer: Option<&Stemmer>) -> Option<Cow<'w, str>> {
        if self.is_stop_word(word) {
            return None;
        }
        let Some(stemmer) = stemmer else {
            return Some(word.into());
        };
        let folded = self.for_stemmer(word);
        if folded.len() > LONGEST_WORD {
            return Some(folded);
        }
        let stem = stemmer.stem(&folded);
        // Some stemmers leave nothing of an ending that stands alone, such as the Greek `ιστο`.
        let is_kept = stem.is_empty() || stem == folded;
        let stem = (!is_kept).then(|| stem.to_string());
        Some(stem.map_or(folded, Cow::Owned))
    }

    fn is_stop_word(&self, word: &str) -> bool {
        let Some(languages) = self.stop_words else {
            return false;
        };
        let is_listed = |word: &str| {
            let mut lists = languages.iter().map(FunctionWords::and_fillers_of);
            lists.any(|list| list.contains(word))
        };
        if self.unicode == Unicode::Nfkc && self.case == Case::Fold {
            return is_listed(word);
        }
        word.len() <= LONGEST_WORD && is_listed(&as_listed(word))
    }

    /// The form that stemmers know: in lower case, with the apostrophe of ASCII.
    fn for_stemmer<'a>(&self, word: &'a str) -> Cow<'a, str> {
        let folded = self.fold(word);
        if self.unicode != Unicode::Nfkc && folded.contains('’') {
            return folded.replace('’', "'").into();
        }
        folded
    }

    fn fold<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if self.case == Case::Fold {
            return word.into();
        }
        match CaseMapper::new().fold_string(word) {
            // Folding may decompose (`ΐ`), and stemmers know composed letters only.
            Cow::Owned(folded) if self.unicode != Unicode::AsIs => folded.nfc().collect(),
            folded => folded,
        }
    }
}

/// The form that words have in the lists.
fn as_listed(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    CharTable::of(&TextOptions::default()).normalise(word)
}

pub(crate) struct RefinedWords<'a, S> {
    refinement: Refinement,
    stemmer: Option<Stemmer>,
    sink: &'a mut S,
    known: &'a mut KnownWords,
}

impl<S: WordSink> WordSink for RefinedWords<'_, S> {
    fn word(&mut self, word: &str, source: Range<usize>) {
        if let Some(form) = self.known.get(word) {
            if !form.is_empty() {
                self.sink.word(form, source);
            }
            return;
        }
        let form = self.refinement.refine(word, self.stemmer.as_ref());
        self.known.put(word, form.as_deref().unwrap_or_default());
        if let Some(form) = form {
            self.sink.word(&form, source);
        }
    }

    fn is_empty(&self) -> bool {
        self.sink.is_empty()
    }
}

/// Counts words and forgets them.
#[derive(Default)]
pub(crate) struct CountWords(usize);

impl WordSink for CountWords {
    fn word(&mut self, _: &str, _: Range<usize>) {
        self.0 += 1;
    }

    fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

fn algorithm(stemming: Stemming) -> Option<Algorithm> {
    Some(match stemming {
        Stemming::Off => return None,
        Stemming::Arabic => Algorithm::Arabic,
        Stemming::Catalan => Algorithm::Catalan,
        Stemming::Czech => Algorithm::Czech,
        Stemming::Danish => Algorithm::Danish,
        Stemming::German => Algorithm::German,
        Stemming::Greek => Algorithm::Greek,
        Stemming::English => Algorithm::English,
        Stemming::Esperanto => Algorithm::Esperanto,
        Stemming::Spanish => Algorithm::Spanish,
        Stemming::Estonian => Algorithm::Estonian,
        Stemming::Basque => Algorithm::Basque,
        Stemming::Persian => Algorithm::Persian,
        Stemming::Finnish => Algorithm::Finnish,
        Stemming::French => Algorithm::French,
        Stemming::Irish => Algorithm::Irish,
        Stemming::Hindi => Algorithm::Hindi,
        Stemming::Hungarian => Algorithm::Hungarian,
        Stemming::Armenian => Algorithm::Armenian,
        Stemming::Indonesian => Algorithm::Indonesian,
        Stemming::Italian => Algorithm::Italian,
        Stemming::Lithuanian => Algorithm::Lithuanian,
        Stemming::Nepali => Algorithm::Nepali,
        Stemming::Dutch => Algorithm::Dutch,
        Stemming::Norwegian => Algorithm::Norwegian,
        Stemming::Polish => Algorithm::Polish,
        Stemming::Portuguese => Algorithm::Portuguese,
        Stemming::Romanian => Algorithm::Romanian,
        Stemming::Russian => Algorithm::Russian,
        Stemming::Serbian => Algorithm::Serbian,
        Stemming::Sesotho => Algorithm::Sesotho,
        Stemming::Swedish => Algorithm::Swedish,
        Stemming::Tamil => Algorithm::Tamil,
        Stemming::Turkish => Algorithm::Turkish,
        Stemming::Ukrainian => Algorithm::Ukrainian,
        Stemming::Yiddish => Algorithm::Yiddish,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Language, Languages, Stemming, StopWords, TextOptions, Tokenizer};

    #[test]
    fn what_was_read_before_changes_no_word() {
        let options = TextOptions {
            stemming: Stemming::English,
            stop_words: StopWords::Drop(Languages::from(Language::English)),
            ..TextOptions::default()
        };
        let words = |tokenizer: &mut Tokenizer, text: &str| {
            let mut found = Vec::new();
            tokenizer.words(text, &mut |word: &str, _| found.push(word.to_owned()));
            found
        };
        let mut used = Tokenizer::new(options);
        // The second has nothing but stop words, which are kept there.
        let texts = [
            "what of the running dogs",
            "what of the",
            "the dogs of what ran 跑",
        ];
        for text in texts.iter().chain(&texts) {
            assert_eq!(
                words(&mut used, text),
                words(&mut Tokenizer::new(options), text)
            );
        }
        assert_eq!(words(&mut used, texts[0]), ["run", "dog"]);
        assert_eq!(words(&mut used, texts[1]), ["what", "of", "the"]);
    }

    #[test]
    fn only_words_of_at_most_256_bytes_are_stemmed() {
        let options = TextOptions {
            stemming: Stemming::English,
            ..TextOptions::default()
        };
        let mut found = Vec::new();
        let mut sink = |word: &str, _| found.push(word.len());
        let text = format!("{0}ings {0}sings {1}", "a".repeat(252), "é".repeat(1 << 14));
        Tokenizer::new(options).words(&text, &mut sink);
        assert_eq!(found, [252, 257, 1 << 15]);
    }
}
