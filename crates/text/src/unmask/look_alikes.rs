//! Letters that look like Latin ones. Where they are and what they look like goes out.
//!
//! What looks alike is in the table of UTS #39 (`unicode-security`), which is made to find names
//! that pass for others: it knows nothing of case, of small capitals and of digits for letters.
//! What it lacks for words is in the tables here.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::skeleton;

use super::Edits;
use super::digits::{CODE, is_digit};
use crate::chars::{CharTable, is_han};
use crate::class::Break;

/// Letters that UTS #39 finds like small capitals, or like nothing.
const LATIN: &[(&str, char)] = &[
    ("ʙвβ", 'b'),
    ("ᴅ", 'd'),
    ("ᴇєε", 'e'),
    ("ꜰ", 'f'),
    ("ɢ", 'g'),
    ("ʜн", 'h'),
    ("ᴊ", 'j'),
    ("ᴋкκ", 'k'),
    ("ʟ", 'l'),
    ("ᴍм", 'm'),
    ("ɴη", 'n'),
    ("ᴘ", 'p'),
    ("ʀ", 'r'),
    ("ᴛтτ", 't'),
    ("χ", 'x'),
    ("ω", 'w'),
];

/// Letters that UTS #39 finds like Latin ones and readers do not.
const UNLIKE: &str = "гґшσ";

/// Latin letters that look like Cyrillic ones, in the same order.
const LATIN_AS_CYRILLIC: &str = "aceopxykABCEHKMOPTXY";
const CYRILLIC: &str = "асеорхукАВСЕНКМОРТХУ";

/// What is written for a letter.
fn letter_for(digit: char) -> Option<char> {
    Some(match digit {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        '8' => 'b',
        _ => return None,
    })
}

/// In words that mix scripts.
pub(super) fn find_in_mixed(text: &str, table: &CharTable, edits: &mut Edits) {
    if !has_foreign(text, table) {
        return;
    }
    let mut begin = None;
    let mut blocks: Option<u32> = None;
    let mut mixed = false;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let Some(block) = block(c, table) else {
            if mixed && let Some(begin) = begin {
                unmix(text, begin..at, table, edits);
            }
            (begin, blocks, mixed) = (None, None, false);
            continue;
        };
        begin = begin.or(Some(at));
        if let Some(block) = block {
            mixed |= *blocks.get_or_insert(block) != block;
        }
    }
}

/// Whether a text has a letter beyond the Latin ones. Most have few characters that can be one: only those are decoded.
fn has_foreign(text: &str, table: &CharTable) -> bool {
    /// The first byte of U+0240, before which all letters are Latin.
    const FIRST: u8 = 0xC9;
    /// Looked at together.
    const PART: usize = 64;
    let is_foreign = |c: char| c >= '\u{250}' && block(c, table).flatten().is_some_and(|b| b != 0);
    let parts = text.as_bytes().chunks(PART).enumerate();
    parts
        .filter(|(_, part)| !part.is_ascii())
        .any(|(number, part)| {
            let begins = |(at, &byte): (usize, &u8)| (byte >= FIRST).then_some(PART * number + at);
            let begins = part.iter().enumerate().filter_map(begins);
            begins
                .filter_map(|at| text.get(at..)?.chars().next())
                .any(is_foreign)
        })
}

/// A cheap stand-in for the script: letters of the same block may be of one script, those of
/// different ones are looked at closely. Some(None) for what is part of words without being a
/// letter, None for what parts them.
#[inline]
fn block(c: char, table: &CharTable) -> Option<Option<u32>> {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Some(Some(0)),
            '0'..='9' => Some(None),
            _ => None,
        };
    }
    if is_han(c) {
        return None;
    }
    let info = table.info(c);
    let (class, becomes) = if info.expands() {
        (table.class(c), first(c, table))
    } else {
        (info.class, info.to())
    };
    match class.breaks {
        Break::Letter | Break::HebrewLetter => Some(Some(match becomes as u32 {
            0..0x250 | 0x1E00..0x1F00 => 0,
            0x500..0x530 => 4,
            0x1F00..0x2000 => 3,
            other => other >> 8,
        })),
        Break::Extend | Break::ZeroWidthJoiner => Some(None),
        Break::Numeric if !info.expands() => Some(None),
        _ => info.is_ignored().then_some(None),
    }
}

/// What `c` becomes, the first of it if that is several characters.
fn first(c: char, table: &CharTable) -> char {
    let info = table.info(c);
    if info.expands() {
        return table.expansion(c).chars().next().unwrap_or(c);
    }
    info.to()
}

fn unmix(text: &str, word: Range<usize>, table: &CharTable, edits: &mut Edits) {
    let begin = word.start;
    let letters = || text[word.clone()].char_indices();
    let scripts = || letters().filter_map(|(_, c)| script(c, table));
    let first = scripts().next();
    if scripts().all(|script| Some(script) == first) {
        return;
    }
    let is = |c: char, wanted: Script| script(c, table) == Some(wanted);
    let only_cyrillic = |c: char| is(c, Script::Cyrillic) && exact(c).is_none();
    let not_cyrillic = |c: char| script(c, table).is_some() && !is(c, Script::Cyrillic);
    let is_cyrillic = letters().any(|(_, c)| only_cyrillic(c))
        && letters().all(|(_, c)| !not_cyrillic(c) || cyrillic(c).is_some());
    for (at, c) in letters() {
        let same = if is_cyrillic {
            cyrillic(c).filter(|_| not_cyrillic(c)).map(String::from)
        } else {
            latin(c).filter(|_| script(c, table).is_some() && !is(c, Script::Latin))
        };
        if let Some(same) = same {
            edits.replace(begin + at..begin + at + c.len_utf8(), &same);
        }
    }
}

/// The script of what `c` becomes; None for what all scripts have.
fn script(c: char, table: &CharTable) -> Option<Script> {
    let script = CodePointMapData::<Script>::new().get(first(c, table));
    (!matches!(script, Script::Common | Script::Inherited)).then_some(script)
}

/// Digits between the letters of a Latin word: `w1n`, `c4sh`. A word has a vowel, once they are letters.
pub(super) fn find_digits_in_words(text: &str, table: &CharTable, edits: &mut Edits) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(u8::is_ascii_alphabetic) {
        let begin = at + offset;
        let length = bytes[begin..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let word = begin..begin + length.count();
        at = word.end;
        let stands_alone = |c: Option<char>| c.is_none_or(|c| block(c, table).is_none());
        if has_digits_for_letters(&bytes[word.clone()])
            && stands_alone(text[..word.start].chars().next_back())
            && stands_alone(text[word.end..].chars().next())
        {
            unmask_word(text, word, table, edits);
        }
    }
}

/// Whether a word has one or two digits at a time, each of which looks like a letter, between letters.
fn has_digits_for_letters(word: &[u8]) -> bool {
    let mut runs = word.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    let is_number = |run: &[u8]| run[0].is_ascii_digit();
    let ends_in_letters = word.last().is_some_and(u8::is_ascii_alphabetic);
    let is_vowel = |&byte: &u8| b"aeiouAEIOU0134".contains(&byte);
    ends_in_letters
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().any(is_vowel)
        && runs.all(|run| {
            let likens = |&byte: &u8| letter_for(char::from(byte)).is_some();
            !is_number(run) || (run.len() <= 2 && run.iter().all(likens))
        })
}

/// In all words.
pub(super) fn find_all(text: &str, table: &CharTable, edits: &mut Edits) {
    let mut begin = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let stands_for_letter = || {
            let next = text[at + c.len_utf8()..].chars().next();
            let before_letter = next.is_some_and(|c| matches!(block(c, table), Some(Some(_))));
            before_letter && (begin.is_some() || first(c, table) == '$')
        };
        let in_word = match first(c, table) {
            '@' | '$' => stands_for_letter(),
            _ => block(c, table).is_some(),
        };
        match begin {
            None if in_word => begin = Some(at),
            Some(first) if !in_word => {
                unmask_word(text, first..at, table, edits);
                begin = None;
            }
            _ => {}
        }
    }
}

fn unmask_word(text: &str, word: Range<usize>, table: &CharTable, edits: &mut Edits) {
    let count = |counts: fn(char) -> bool| {
        let chars = text[word.clone()].chars();
        let compared = chars.map(|c| match table.info(c).expands() {
            true => table.expansion(c).chars().filter(|&c| counts(c)).count(),
            false => usize::from(counts(first(c, table))),
        });
        compared.sum::<usize>()
    };
    let letters = count(char::is_alphabetic);
    let has_digits_for_letters =
        letters >= 2 && letters >= count(|c| letter_for(c).is_some()) && count(is_digit) < CODE;
    for (at, c) in text[word.clone()].char_indices() {
        let compared = first(c, table);
        let same = match letter_for(compared) {
            Some(letter) => has_digits_for_letters.then(|| letter.to_string()),
            None if compared.is_ascii() => None,
            None => latin(c),
        };
        if let Some(same) = same {
            let at = word.start + at;
            edits.replace(at..at + c.len_utf8(), &same);
        }
    }
}

/// The Latin letter, with its marks, that a letter looks like.
fn latin(c: char) -> Option<String> {
    let listed = LATIN.iter().find(|(letters, _)| letters.contains(c));
    listed
        .map(|&(_, latin)| latin.to_string())
        .or_else(|| exact(c))
}

/// The one by UTS #39.
fn exact(c: char) -> Option<String> {
    if UNLIKE.contains(c) || !c.is_alphabetic() {
        return None;
    }
    match CodePointMapData::<Script>::new().get(c) {
        Script::Hebrew | Script::Arabic => return None,
        // Letters of European languages are letters of their own, phonetic ones disguises.
        Script::Latin if c < '\u{250}' && c != 'ı' => return None,
        _ => {}
    }
    let prototype: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
    let mut chars = prototype.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    // To UTS #39 the capital I is the letter l.
    let letter = match letter {
        'l' if c.is_uppercase() => 'I',
        letter => letter,
    };
    let marks = chars.as_str();
    let is_marked = marks.chars().all(is_combining_mark);
    is_marked.then(|| std::iter::once(letter).chain(marks.chars()).nfc().collect())
}

/// The Cyrillic letter that a letter of another script looks like.
fn cyrillic(c: char) -> Option<char> {
    let like = latin(c);
    let letter = like.as_deref().and_then(|like| like.chars().next());
    let letter = letter.unwrap_or(c);
    let place = LATIN_AS_CYRILLIC.chars().position(|c| c == letter)?;
    CYRILLIC.chars().nth(place)
}
