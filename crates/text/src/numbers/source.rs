//! What stands here? A text and a position come in; the character, digits, word or gap there goes
//! out, as far as numbers and dates depend on it. Full-width forms are as good as those of ASCII.

use std::ops::Range;

use crate::chars::CharTable;
use crate::class::Break;
use crate::options::TextOptions;

/// No month and no number word of the lists has more letters.
const LONGEST_WORD: usize = 12;

/// White space between two words of one date or number may be this long: a line may end there, but
/// a paragraph may not.
const LONGEST_GAP: usize = 4;

/// What a word ends or begins with: what may go on after `.` or `'` depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    Letter,
    Digit,
}

impl Edge {
    fn includes(self, class: Break) -> bool {
        match self {
            Self::Letter => matches!(class, Break::Letter | Break::HebrewLetter),
            Self::Digit => class == Break::Numeric,
        }
    }

    fn is_joined_by(self, class: Break) -> bool {
        match class {
            Break::MidNumLet | Break::SingleQuote => true,
            Break::MidLetter => self == Self::Letter,
            Break::MidNum => self == Self::Digit,
            _ => false,
        }
    }
}

/// A word of Latin letters, in lower case and without accents.
pub(super) struct Word {
    letters: [u8; LONGEST_WORD],
    length: usize,
    has_accents: bool,
    pub(super) end: usize,
}

impl Word {
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.letters[..self.length]).unwrap_or_default()
    }
}

#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    table: &'static CharTable,
}

impl<'a> Source<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let table = CharTable::of(&TextOptions::default());
        Self { text, table }
    }

    /// The byte at `at`, if there is one.
    #[inline]
    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The character at `at`, in its plain form, and where it ends.
    #[inline]
    pub(super) fn next(&self, at: usize) -> Option<(char, usize)> {
        if let Some(byte) = self.byte(at).filter(u8::is_ascii) {
            return Some((char::from(byte.to_ascii_lowercase()), at + 1));
        }
        let c = self.text[at..].chars().next()?;
        Some((plain(c), at + c.len_utf8()))
    }

    /// The character before `at`, in its plain form, and where it begins.
    #[inline]
    pub(super) fn previous(&self, at: usize) -> Option<(char, usize)> {
        if let Some(byte) = self.byte(at.wrapping_sub(1)).filter(u8::is_ascii) {
            return Some((char::from(byte.to_ascii_lowercase()), at - 1));
        }
        let c = self.text[..at].chars().next_back()?;
        Some((plain(c), at - c.len_utf8()))
    }

    /// Where the character at `at` ends, if it is this one.
    pub(super) fn after(&self, at: usize, wanted: char) -> Option<usize> {
        self.next(at)
            .and_then(|(c, end)| (c == wanted).then_some(end))
    }

    /// Where the text at `at` ends, if it is this one.
    pub(super) fn after_all(&self, at: usize, wanted: &str) -> Option<usize> {
        self.text[at..]
            .starts_with(wanted)
            .then_some(at + wanted.len())
    }

    pub(super) fn is_digit(&self, at: usize) -> bool {
        self.next(at).is_some_and(|(c, _)| c.is_ascii_digit())
    }

    pub(super) fn digit_before(&self, at: usize) -> bool {
        self.previous(at).is_some_and(|(c, _)| c.is_ascii_digit())
    }

    /// The run of digits at `at`, which may be empty.
    pub(super) fn digits(&self, at: usize) -> Range<usize> {
        let mut end = at;
        while let Some((c, next)) = self.next(end)
            && c.is_ascii_digit()
        {
            end = next;
        }
        at..end
    }

    /// The digits in a range, as those of ASCII.
    pub(super) fn as_ascii(&self, range: Range<usize>) -> String {
        self.text[range].chars().map(plain).collect()
    }

    /// The number that the digits at `at` make, if there are as many as allowed.
    pub(super) fn number(&self, at: usize, lengths: Range<usize>) -> Option<(u32, usize)> {
        let (mut value, mut length, mut end) = (0, 0, at);
        while let Some((c, next)) = self.next(end)
            && let Some(digit) = c.to_digit(10)
        {
            (length, end) = (length + 1, next);
            if length >= lengths.end {
                return None;
            }
            value = value * 10 + digit;
        }
        lengths.contains(&length).then_some((value, end))
    }

    /// Where the white space at `at` ends.
    pub(super) fn gap(&self, at: usize) -> Option<usize> {
        let mut gap = Gap::default();
        let mut end = at;
        while let Some((c, next)) = self.next(end)
            && c.is_whitespace()
        {
            gap.take(c)?;
            end = next;
        }
        (end > at).then_some(end)
    }

    /// Where the white space before `at` begins.
    pub(super) fn gap_before(&self, at: usize) -> Option<usize> {
        let mut gap = Gap::default();
        let mut begin = at;
        while let Some((c, next)) = self.previous(begin)
            && c.is_whitespace()
        {
            gap.take(c)?;
            begin = next;
        }
        (begin < at).then_some(begin)
    }

    /// The whole word at `at`, if it may be one of the lists.
    pub(super) fn word(&self, at: usize) -> Option<Word> {
        let bytes = &self.text.as_bytes()[at..];
        let bytes = &bytes[..bytes.len().min(LONGEST_WORD + 1)];
        let length = bytes
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        if length > LONGEST_WORD {
            return None;
        }
        if !self.byte(at + length).is_none_or(|byte| byte.is_ascii()) {
            return self.accented_word(at);
        }
        let mut letters = [0; LONGEST_WORD];
        for (letter, byte) in letters.iter_mut().zip(&bytes[..length]) {
            *letter = byte.to_ascii_lowercase();
        }
        let end = at + length;
        (length > 0 && !self.goes_on(end, Edge::Letter)).then_some(Word {
            letters,
            length,
            has_accents: false,
            end,
        })
    }

    fn accented_word(&self, at: usize) -> Option<Word> {
        let mut word = Word {
            letters: [0; LONGEST_WORD],
            length: 0,
            has_accents: false,
            end: at,
        };
        while let Some((c, end)) = self.next(word.end) {
            if let Some(letter) = base_letter(c) {
                *word.letters.get_mut(word.length)? = letter;
                word.length += 1;
                word.has_accents |= !c.is_ascii();
            } else if !is_accent(c) || word.length == 0 {
                break;
            } else if end - at > 4 * LONGEST_WORD {
                return None;
            } else {
                word.has_accents = true;
            }
            word.end = end;
        }
        (word.length > 0 && !self.goes_on(word.end, Edge::Letter)).then_some(word)
    }

    /// The whole word at `at`, if it may be an English one.
    pub(super) fn english_word(&self, at: usize) -> Option<Word> {
        self.word(at).filter(|word| !word.has_accents)
    }

    /// The whole word before `at`, and where it begins.
    pub(super) fn word_before(&self, at: usize) -> Option<(Word, usize)> {
        let mut begin = at;
        while begin + LONGEST_WORD >= at
            && let Some(byte) = self.byte(begin.wrapping_sub(1))
            && byte.is_ascii_alphabetic()
        {
            begin -= 1;
        }
        // Each letter may have an accent of its own.
        for _ in 0..2 * LONGEST_WORD {
            match self.previous(begin) {
                Some((c, next)) if base_letter(c).is_some() || is_accent(c) => begin = next,
                _ => break,
            }
        }
        let word = self.word(begin).filter(|word| word.end == at)?;
        (!self.begins_inside(begin, Edge::Letter)).then_some((word, begin))
    }

    /// Whether a word that has such a character before `at` does not end there.
    pub(super) fn goes_on(&self, at: usize, edge: Edge) -> bool {
        if let Some(known) = joins_alone(self.byte(at)) {
            return known;
        }
        let Some(c) = self.text[at..].chars().next() else {
            return false;
        };
        let Some(class) = self.class(c, |expansion| expansion.chars().next()) else {
            return true;
        };
        let after = || self.text[at + c.len_utf8()..].chars().next();
        let joined = |c: char| self.is_edge(c, edge);
        is_of_words(class) || (edge.is_joined_by(class) && after().is_some_and(joined))
    }

    /// Whether a word that has such a character at `at` does not begin there.
    pub(super) fn begins_inside(&self, at: usize, edge: Edge) -> bool {
        if let Some(known) = joins_alone(self.byte(at.wrapping_sub(1))) {
            return known;
        }
        let Some(c) = self.text[..at].chars().next_back() else {
            return false;
        };
        let Some(class) = self.class(c, |expansion| expansion.chars().next_back()) else {
            return true;
        };
        let before = || self.text[..at - c.len_utf8()].chars().next_back();
        let joined = |c: char| self.is_edge(c, edge);
        is_of_words(class) || (edge.is_joined_by(class) && before().is_some_and(joined))
    }

    /// Whether words may be joined at this character: marks may hide what is.
    fn is_edge(&self, c: char, edge: Edge) -> bool {
        let info = self.table.info(c);
        let hides = info.is_ignored() || info.expands() || !info.starts() || info.class.extends();
        hides || edge.includes(info.class.breaks)
    }

    /// Whether a letter, a digit or a mark is at `at`, of a script with spaces between words.
    pub(super) fn touches_word(&self, at: usize) -> bool {
        self.text[at..].chars().next().is_some_and(|c| {
            let class = self.class(c, |expansion| expansion.chars().next());
            class.is_none_or(is_of_words)
        })
    }

    /// Whether what is at `at` belongs to the character before it.
    pub(super) fn is_mark(&self, at: usize) -> bool {
        self.text[at..].chars().next().is_some_and(|c| {
            let info = self.table.info(c);
            !info.starts() || info.is_ignored() || info.class.extends()
        })
    }

    /// How a character behaves, or of what it expands to the one that is chosen; none for what
    /// cannot be seen.
    fn class(&self, c: char, choose: impl Fn(&str) -> Option<char>) -> Option<Break> {
        let info = self.table.info(c);
        if info.is_ignored() || !info.starts() {
            return None;
        }
        if !info.expands() {
            return Some(info.class.breaks);
        }
        let chosen = choose(self.table.expansion(c))?;
        Some(match self.table.info(chosen).class.breaks {
            // The three full stops of `…` join nothing.
            Break::MidNumLet => Break::Other,
            breaks => breaks,
        })
    }
}

/// Whether this byte belongs to the word that it touches, if that does not depend on more.
#[inline]
fn joins_alone(byte: Option<u8>) -> Option<bool> {
    match byte {
        None => Some(false),
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_') => Some(true),
        Some(b'.' | b',' | b';' | b':' | b'\'') => None,
        Some(byte) => byte.is_ascii().then_some(false),
    }
}

fn is_of_words(class: Break) -> bool {
    matches!(
        class,
        Break::Letter
            | Break::HebrewLetter
            | Break::Numeric
            | Break::ExtendNumLet
            | Break::Extend
            | Break::ZeroWidthJoiner
    )
}

#[derive(Default)]
struct Gap {
    length: usize,
    lines: usize,
}

impl Gap {
    fn take(&mut self, c: char) -> Option<()> {
        self.length += 1;
        self.lines += usize::from(c == '\n');
        (self.length <= LONGEST_GAP && self.lines <= 1).then_some(())
    }
}

/// The form of ASCII in lower case, for what has one.
#[inline]
fn plain(c: char) -> char {
    match c {
        'A'..='Z' => c.to_ascii_lowercase(),
        '\0'..='\u{7F}' => c,
        '！'..='～' => {
            let ascii = (c as u32 - '！' as u32) as u8 + b'!';
            char::from(ascii.to_ascii_lowercase())
        }
        '’' => '\'',
        '‐' | '‑' => '-',
        '\u{3000}' => ' ',
        _ => c,
    }
}

fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// The letter without its accent, as far as months have some.
fn base_letter(c: char) -> Option<u8> {
    Some(match c {
        'a'..='z' => c as u8,
        'à'..='ä' | 'À'..='Ä' => b'a',
        'ç' | 'Ç' => b'c',
        'è'..='ë' | 'È'..='Ë' => b'e',
        'ì'..='ï' | 'Ì'..='Ï' => b'i',
        'ñ' | 'Ñ' => b'n',
        'ò'..='ö' | 'Ò'..='Ö' => b'o',
        'ù'..='ü' | 'Ù'..='Ü' => b'u',
        _ => return None,
    })
}
