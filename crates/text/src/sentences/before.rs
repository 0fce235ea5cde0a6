//! What stands before a full stop? The piece and the place of the stop come in; the kind of word before it goes out.

use super::after::{Next, NextKind};
use super::marks::{is_ideograph, is_lower};
use super::tables::{self, Abbreviation};

/// How far a word is followed back, in characters.
const LONGEST_WORD: usize = 32;

/// The word before a full stop.
struct Word<'a> {
    /// The sentence up to the stop.
    sentence: &'a str,
    /// Back to white space.
    token: &'a str,
    /// The last part of that.
    text: &'a str,
}

impl<'a> Word<'a> {
    fn before(piece: &'a str, begin: usize, stop: usize) -> Self {
        let token = token_before(piece, begin, stop);
        let (sentence, text) = (piece[begin..stop].trim_end(), last_part(token));
        Self {
            sentence,
            token,
            text,
        }
    }

    /// The word before this one.
    fn previous(&self) -> &'a str {
        token_before(self.sentence, 0, self.sentence.len() - self.token.len())
    }

    /// The sentence has only this word so far.
    fn is_first(&self) -> bool {
        self.text.len() == self.sentence.len()
    }
}

/// Whether a single full stop at `stop` ends the sentence that begins at `begin`, if white space and then `next` follows.
pub(super) fn full_stop_ends(piece: &str, begin: usize, stop: usize, next: &Next) -> bool {
    let word = Word::before(piece, begin, stop);
    let mut characters = word.text.chars();
    let (first, second) = (characters.next(), characters.next());
    let Some(first) = first else {
        return stop > begin;
    };
    if word.text.len() <= 4 && word.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return number_ends(&word, next);
    }
    // The "s" of "km/s" is no initial, but the "P" of "J.-P." is.
    let part =
        word.text.len() < word.token.len() && (is_lower(first) || word.token.ends_with("/O"));
    if second.is_none() && first.is_alphabetic() && !is_ideograph(first) && !part {
        return letter_ends(first, &word, next);
    }
    let known = tables::abbreviation(word.text).or_else(|| tables::abbreviation(word.token));
    if let Some(kind) = known {
        return abbreviation_ends(&word, kind, next);
    }
    if is_acronym(word.text) || is_vowelless(word.text) {
        return next.kind == NextKind::Upper && next.opens();
    }
    let street = word.text.ends_with("str") && next.kind == NextKind::Digit;
    let ordinal = is_roman(word.text) && tables::is_counted(next.word);
    !street && !ordinal
}

/// Whether the word is one of those that are written with a full stop.
pub(super) fn is_abbreviation(piece: &str, begin: usize, stop: usize) -> bool {
    let word = last_part(token_before(piece, begin, stop));
    word.chars().nth(1).is_none() || is_acronym(word) || tables::abbreviation(word).is_some()
}

/// The word before `end`, back to white space or an opening mark.
pub(super) fn token_before(piece: &str, begin: usize, end: usize) -> &str {
    let text = piece[begin..end].trim_end();
    let mut start = text.len();
    for (at, c) in text.char_indices().rev().take(LONGEST_WORD) {
        let limit = match c {
            'a'..='z' | 'A'..='Z' => false,
            '(' | '[' | '{' | '"' | '“' | '”' | '‘' | '„' | '«' | '»' | '（' | '「' | '『'
            | '《' => true,
            c => c.is_whitespace(),
        };
        if limit {
            break;
        }
        start = at;
    }
    &text[start..]
}

/// What comes after the last hyphen, slash or apostrophe.
fn last_part(token: &str) -> &str {
    let separates = |c: char| matches!(c, '-' | '–' | '—' | '/' | '\'' | '’' | ',' | ')' | ']');
    let mut characters = token.char_indices().rev();
    let separator = characters.find(|&(_, c)| separates(c));
    separator.map_or(token, |(at, c)| &token[at + c.len_utf8()..])
}

fn abbreviation_ends(word: &Word, kind: Abbreviation, next: &Next) -> bool {
    let capital = next.kind == NextKind::Upper;
    match kind {
        Abbreviation::Title => false,
        Abbreviation::Number => {
            // "No. I did not."
            let answer = word.text.eq_ignore_ascii_case("no") && next.word == "I";
            let number = next.kind == NextKind::Digit || (is_number_word(next) && !answer);
            // "Mon. Jan. 4"
            let both = next.rest.starts_with('.')
                && tables::abbreviation(next.word) == Some(Abbreviation::Number);
            !number && !both && (capital || next.kind == NextKind::Uncased)
        }
        Abbreviation::Measure if ends_in_number(word.previous()) => measure_ends(word, next),
        Abbreviation::Measure => next.kind != NextKind::Digit || word.text == "in",
        Abbreviation::Either => capital && next.opens(),
        Abbreviation::Often => capital || next.kind == NextKind::Uncased,
    }
}

/// After a number. "В 1990 г. Иванов уехал": a sentence is longer than a date.
fn measure_ends(word: &Word, next: &Next) -> bool {
    const DATE: usize = 3;
    let is_date = word.sentence.split_whitespace().nth(DATE).is_none();
    next.kind == NextKind::Upper && (!is_date || next.opens())
}

/// A single letter: an initial, an abbreviation or a name such as that of a vitamin.
fn letter_ends(letter: char, word: &Word, next: &Next) -> bool {
    // Parts of names that are articles elsewhere.
    const NAMES: [&str; 15] = [
        "Le", "La", "De", "Das", "Der", "Die", "El", "Los", "Al", "Do", "So", "Man", "Da", "Van",
        "Von",
    ];
    // First in a sentence it counts: "A. The first answer".
    if next.kind != NextKind::Upper || word.is_first() {
        return false;
    }
    let previous = word.previous();
    // "So do I." but "Henry I. Miller".
    if letter == 'I' && previous.starts_with(is_lower) {
        return true;
    }
    let small = !letter.is_uppercase();
    let known = if small {
        tables::abbreviation(word.text)
    } else {
        None
    };
    if known == Some(Abbreviation::Measure) && ends_in_number(previous) {
        return measure_ends(word, next);
    }
    if next.is_initial() {
        return false;
    }
    if next.opens() {
        // "R. D'Angelo" has a name.
        return small || (tables::opens(next.word) && !NAMES.contains(&next.word));
    }
    known.is_none() && matches!(letter, 'x' | 'y' | 'k' | 'i' | 'j' | 'q' | 'w')
}

/// A number of at most four digits.
fn number_ends(word: &Word, next: &Next) -> bool {
    let digits = word.text.len();
    // First in a sentence it counts: "1. Open the lid."
    if word.is_first()
        || next.is_number_with_stop()
        || (digits < 4 && tables::is_counted(next.word))
    {
        return false;
    }
    let previous = word.previous();
    if tables::is_heading(previous) && word.sentence.starts_with(previous) {
        return false;
    }
    let ordinal = digits < 3 && next.kind == NextKind::Upper && tables::is_counting(previous);
    !ordinal || next.opens()
}

fn ends_in_number(word: &str) -> bool {
    word.ends_with(char::is_numeric) || is_roman(word) || word.ends_with('%')
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| b"IVXLCDM".contains(&byte))
}

fn is_number_word(next: &Next) -> bool {
    next.kind == NextKind::Upper && (is_roman(next.word) || next.word.len() == 1)
}

/// Letters with full stops between them, as in `U.S`, `Ph.D` and `т.д`.
fn is_acronym(word: &str) -> bool {
    let mut short = false;
    let mut parts = 0;
    for part in word.split('.') {
        let length = part.chars().take(5).count();
        if length == 0 || length > 3 || !part.chars().all(char::is_alphabetic) {
            return false;
        }
        short |= length == 1;
        parts += 1;
    }
    short && parts > 1
}

/// A capitalised word that cannot be spoken: an abbreviation that no list has.
fn is_vowelless(word: &str) -> bool {
    let mut letters = word.bytes();
    (2..=4).contains(&word.len())
        && letters
            .next()
            .is_some_and(|first| first.is_ascii_uppercase())
        && letters.all(|byte| byte.is_ascii_lowercase())
        && !word.bytes().any(|byte| b"aeiouyAEIOUY".contains(&byte))
}
