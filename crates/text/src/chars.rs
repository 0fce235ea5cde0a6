//! What is this character? A code point comes in; what it is normalised to and how it behaves at
//! word boundaries goes out, in one table lookup.
//!
//! The answers are computed from [`Class`] and the Unicode data of `icu_casemap` and
//! `unicode-normalization`, a page of 256 code points at a time, when a page is first needed: all
//! of Unicode would take tens of milliseconds at every start, a page takes some ten microseconds.

use std::sync::OnceLock;

use icu_casemap::CaseMapper;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use crate::class::{Break, Class, ZERO_WIDTH_SPACE, is_ignorable};
use crate::options::{Case, TextOptions, Unicode};

/// The characters each of which is a word, unchanged by any option, unless a mark follows.
#[inline]
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}')
}

/// How a code point of the source becomes normalised characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CharInfo {
    /// The one character it becomes, or where its expansion lies in the page.
    to: u32,
    /// Of the one character it becomes.
    pub(crate) class: Class,
    pub(crate) combining_class: u8,
    bits: u8,
}

impl CharInfo {
    const STARTS: u8 = 1;
    const EXPANDS: u8 = 2;
    const IGNORED: u8 = 4;
    const STEADY: u8 = 8;

    /// Never combines with, nor moves before, what precedes it.
    #[inline]
    pub(crate) fn starts(self) -> bool {
        self.bits & Self::STARTS != 0
    }

    /// May combine with, or move before, what precedes it.
    #[inline]
    pub(crate) fn is_mark(self) -> bool {
        self.bits & (Self::STARTS | Self::IGNORED) == 0
    }

    /// Becomes one character that always has a word boundary before it.
    #[inline]
    pub(crate) fn always_breaks(self) -> bool {
        self.class.breaks == Break::Other
            && self.bits & (Self::STARTS | Self::EXPANDS) == Self::STARTS
            && !self.class.is_pictograph()
    }

    /// Becomes several characters.
    #[inline]
    pub(crate) fn expands(self) -> bool {
        self.bits & Self::EXPANDS != 0
    }

    /// Becomes nothing.
    #[inline]
    pub(crate) fn is_ignored(self) -> bool {
        self.bits & Self::IGNORED != 0
    }

    /// Becomes one character, which stays where it is among marks of ascending combining class.
    #[inline]
    pub(crate) fn is_steady(self) -> bool {
        self.bits & Self::STEADY != 0
    }

    /// The character it becomes, if it [is steady](Self::is_steady) or starts without expanding.
    #[inline]
    pub(crate) fn to(self) -> char {
        char::from_u32(self.to).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

/// The answers for one choice of Unicode form and case.
pub(crate) struct CharTable {
    unicode: Unicode,
    case: Case,
    pages: [OnceLock<Box<Page>>; 0x1100],
}

struct Page {
    chars: [CharInfo; 256],
    expansions: String,
}

static TABLES: [CharTable; 6] = [
    CharTable::new(Unicode::Nfkc, Case::Fold),
    CharTable::new(Unicode::Nfkc, Case::Keep),
    CharTable::new(Unicode::Nfc, Case::Fold),
    CharTable::new(Unicode::Nfc, Case::Keep),
    CharTable::new(Unicode::AsIs, Case::Fold),
    CharTable::new(Unicode::AsIs, Case::Keep),
];

impl CharTable {
    pub(crate) fn of(options: &TextOptions) -> &'static Self {
        let form = match options.unicode {
            Unicode::Nfkc => 0,
            Unicode::Nfc => 2,
            Unicode::AsIs => 4,
        };
        &TABLES[form + usize::from(options.case == Case::Keep)]
    }

    const fn new(unicode: Unicode, case: Case) -> Self {
        Self {
            unicode,
            case,
            pages: [const { OnceLock::new() }; 0x1100],
        }
    }

    #[inline]
    pub(crate) fn info(&self, c: char) -> CharInfo {
        self.page(c).chars[c as usize & 0xFF]
    }

    /// The class of what `c` becomes, of the first if that is several characters.
    #[inline]
    pub(crate) fn class(&self, c: char) -> Class {
        let info = self.info(c);
        let first = info.expands().then(|| self.expansion(c).chars().next());
        first.flatten().map_or(info.class, Class::of)
    }

    #[inline]
    fn page(&self, c: char) -> &Page {
        let number = c as usize >> 8;
        self.pages[number].get_or_init(|| self.compute(number as u32))
    }

    /// What `c` becomes, if [it expands](CharInfo::expands).
    pub(crate) fn expansion(&self, c: char) -> &str {
        let page = self.page(c);
        let at = page.chars[c as usize & 0xFF].to as usize;
        &page.expansions[at >> 8..][..at & 0xFF]
    }

    /// The normalised form of a character with its marks. Its time grows with the square of the
    /// number of marks in the worst case, so callers must bound it.
    pub(crate) fn normalise(&self, cluster: &str) -> String {
        if self.unicode == Unicode::AsIs {
            return self.fold(cluster);
        }
        // Folding can undo the decomposition and the other way round; twice is the most it takes.
        let mut decomposed = self.decompose(cluster);
        loop {
            let again = self.decompose(&self.fold(&decomposed));
            if again == decomposed {
                return decomposed.nfc().collect();
            }
            decomposed = again;
        }
    }

    fn decompose(&self, text: &str) -> String {
        let seen = text.chars().filter(|&c| !is_ignorable(c));
        match self.unicode {
            Unicode::Nfkc => seen
                .nfkd()
                .map(|c| if c == '’' { '\'' } else { c })
                .collect(),
            Unicode::Nfc => seen.nfd().collect(),
            Unicode::AsIs => text.to_owned(),
        }
    }

    fn fold(&self, text: &str) -> String {
        match self.case {
            Case::Fold => CaseMapper::new().fold_string(text).into_owned(),
            Case::Keep => text.to_owned(),
        }
    }

    fn compute(&self, number: u32) -> Box<Page> {
        let mut expansions = String::new();
        let chars = std::array::from_fn(|low| {
            let c = char::from_u32(number << 8 | low as u32);
            self.describe(c.unwrap_or(char::REPLACEMENT_CHARACTER), &mut expansions)
        });
        Box::new(Page { chars, expansions })
    }

    fn describe(&self, c: char, expansions: &mut String) -> CharInfo {
        let as_is = self.unicode == Unicode::AsIs;
        if is_ignorable(c) && !as_is {
            return CharInfo {
                to: c as u32,
                class: Class::of(c),
                combining_class: 0,
                bits: CharInfo::IGNORED,
            };
        }
        let becomes = match c {
            _ if as_is => self.fold(c.encode_utf8(&mut [0; 4])),
            ZERO_WIDTH_SPACE => " ".to_owned(),
            _ if c.is_control() && !c.is_whitespace() => " ".to_owned(),
            _ => self.normalise(c.encode_utf8(&mut [0; 4])),
        };
        let mut bits = 0;
        if as_is || (starts(c) && starts_after_decomposition(&becomes)) {
            bits |= CharInfo::STARTS;
        }
        let mut chars = becomes.chars();
        let (first, more) = (chars.next().unwrap_or(c), chars.next().is_some());
        let to = if more {
            bits |= CharInfo::EXPANDS;
            let at = expansions.len() << 8 | becomes.len();
            expansions.push_str(&becomes);
            at as u32
        } else {
            if is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
                && canonical_combining_class(first) == canonical_combining_class(c)
            {
                bits |= CharInfo::STEADY;
            }
            first as u32
        };
        CharInfo {
            to,
            class: if more {
                Class::NEUTRAL
            } else {
                Class::of(first)
            },
            combining_class: canonical_combining_class(c),
            bits,
        }
    }
}

/// Whether nothing that precedes `c` can combine with it or move behind it.
fn starts(c: char) -> bool {
    canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) != IsNormalized::Maybe
}

fn starts_after_decomposition(text: &str) -> bool {
    text.nfd().next().is_some_and(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default_table() -> &'static CharTable {
        CharTable::of(&TextOptions::default())
    }

    #[test]
    fn han_characters_are_words_that_no_option_changes() {
        for table in &TABLES {
            for c in (0x3400..=0x9FFF)
                .filter_map(char::from_u32)
                .filter(|&c| is_han(c))
            {
                let info = table.info(c);
                assert_eq!((info.to(), info.class.breaks), (c, Break::Other));
                assert!(info.starts() && info.class.is_content(), "{c}");
            }
        }
    }

    #[test]
    fn every_character_normalises_to_something_that_stays_as_it_is() {
        let table = default_table();
        for c in '\0'..=char::MAX {
            let once = table.normalise(c.encode_utf8(&mut [0; 4]));
            assert_eq!(table.normalise(&once), once, "U+{:04X}", c as u32);
            assert!(once.len() < 256, "U+{:04X}", c as u32);
        }
    }
}
