//! The words that the rules know. Each list is a file, with words in small letters; a capital in it asks for one.

use std::sync::OnceLock;

use crate::hash::{self, Seed, hash64};

/// When a full stop after an abbreviation ends a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Never: a name or an example follows.
    Title,
    /// Unless a number follows.
    Number,
    /// Before a capital if it stands after a number, else as `Either`.
    Measure,
    /// Before a word that opens a sentence.
    Either,
    /// Before any capital.
    Often,
}

/// Words to look up.
struct Table<T> {
    words: hash::Table<Option<Entry<T>>>,
    longest: usize,
}

#[derive(Clone)]
struct Entry<T> {
    /// In small letters.
    word: String,
    /// Of the word as it is, and of the word with a capital.
    values: [Option<T>; 2],
}

/// The most bytes of a word in a list.
const LONGEST: usize = 32;

impl<T: Copy> Table<T> {
    /// Where a word is in several lists, the first counts.
    fn new(lists: &[(&'static str, T)]) -> Self {
        let words = |list: &'static str| {
            let lines = list.lines().filter(|line| !line.starts_with("# "));
            lines.flat_map(str::split_whitespace)
        };
        let count: usize = lists.iter().map(|(list, _)| words(list).count()).sum();
        let mut table = Self {
            words: hash::Table::default(),
            longest: 0,
        };
        // At most a quarter of the slots are taken: most words are in no list.
        table.words.reset(2 * count);
        for &(list, value) in lists {
            for word in words(list) {
                let capital = usize::from(word.starts_with(char::is_uppercase));
                let word = word.to_lowercase();
                table.longest = table.longest.max(word.len());
                let new = Some(Entry {
                    word: word.clone(),
                    values: [None; 2],
                });
                let (slot, _) = table.words.get_or_put(hash(&word), is(&word), new);
                if let Some(entry) = slot {
                    entry.values[capital].get_or_insert(value);
                }
            }
        }
        table
    }

    fn get(&self, word: &str) -> Option<T> {
        // The small letters of a word may have more bytes, but hardly ever less.
        if word.len() > self.longest {
            return None;
        }
        let mut buffer = [0; 2 * LONGEST];
        let lower = lower(word, &mut buffer)?;
        let [plain, capitalised] = self.words.get(hash(lower), is(lower))?.as_ref()?.values;
        let capital = capitalised.is_some() && word.starts_with(char::is_uppercase);
        if capital { capitalised } else { plain }
    }
}

fn hash(word: &str) -> u64 {
    hash64(word.as_bytes(), Seed(0))
}

fn is<T>(word: &str) -> impl Fn(&Option<Entry<T>>) -> bool {
    move |slot| slot.as_ref().is_some_and(|entry| entry.word == word)
}

/// The word in small letters; none if it is too long to be in a list.
fn lower<'a>(word: &str, buffer: &'a mut [u8; 2 * LONGEST]) -> Option<&'a str> {
    let mut length = word.len();
    if word.is_ascii() {
        let room = buffer.get_mut(..length)?;
        room.copy_from_slice(word.as_bytes());
        room.make_ascii_lowercase();
    } else {
        length = 0;
        for c in word.chars().flat_map(char::to_lowercase) {
            let room = buffer.get_mut(length..length + c.len_utf8())?;
            length += c.encode_utf8(room).len();
        }
    }
    std::str::from_utf8(&buffer[..length]).ok()
}

pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    static TABLE: OnceLock<Table<Abbreviation>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        Table::new(&[
            (include_str!("words/measures.txt"), Abbreviation::Measure),
            (include_str!("words/titles.txt"), Abbreviation::Title),
            (include_str!("words/either.txt"), Abbreviation::Either),
            (include_str!("words/often.txt"), Abbreviation::Often),
            (include_str!("words/numbers.txt"), Abbreviation::Number),
        ])
    });
    table.get(word)
}

macro_rules! word_list {
    ($(#[$doc:meta])* $name:ident, $file:literal) => {
        $(#[$doc])*
        pub(super) fn $name(word: &str) -> bool {
            static TABLE: OnceLock<Table<()>> = OnceLock::new();
            TABLE.get_or_init(|| Table::new(&[(include_str!($file), ())])).get(word).is_some()
        }
    };
}

word_list!(
    /// Capitalised after an abbreviation it opens a sentence.
    opens,
    "words/openers.txt"
);
word_list!(
    /// A verb of speech.
    is_speech,
    "words/speech.txt"
);
word_list!(
    /// What ordinals count, where they are written with a full stop.
    is_counted,
    "words/counted.txt"
);
word_list!(
    /// What stands before such ordinals.
    is_counting,
    "words/counting.txt"
);
word_list!(
    /// Numbered parts of a text.
    is_heading,
    "words/headings.txt"
);
word_list!(
    /// Ends in an exclamation mark as a name.
    is_shout,
    "words/shouts.txt"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capital_in_a_list_asks_for_one_in_the_text() {
        assert_eq!(abbreviation("Gen"), Some(Abbreviation::Title));
        assert_eq!(abbreviation("GEN"), Some(Abbreviation::Title));
        assert_eq!(abbreviation("gen"), None);
        assert_eq!(abbreviation("ETC"), Some(Abbreviation::Often));
    }

    #[test]
    fn words_of_any_length_and_script_are_looked_up() {
        assert!(opens("Он") && opens("THE") && is_speech("говорит") == is_speech("sings"));
        assert!(!opens("") && !opens(&"x".repeat(1000)) && !opens(&"İ".repeat(16)));
    }
}
