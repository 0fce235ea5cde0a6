//! How does this character behave? A normalised character comes in; what it does at word boundaries
//! and whether it makes a word goes out, from the Unicode data of `icu_properties`.

use icu_properties::props::{
    DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup, Script,
    WhiteSpace, WordBreak,
};
use icu_properties::{CodePointMapData, CodePointSetData};

pub(crate) const ZERO_WIDTH_SPACE: char = '\u{200B}';
pub(crate) const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// What word boundaries depend on: the classes of UAX #29 as far as they are told apart here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Break {
    /// Always a boundary on both sides: punctuation, symbols, and each letter of a script that is
    /// written without spaces.
    Other,
    Letter,
    HebrewLetter,
    Numeric,
    ExtendNumLet,
    MidLetter,
    MidNum,
    MidNumLet,
    SingleQuote,
    DoubleQuote,
    /// Belongs to what precedes it: marks, emoji modifiers, format characters.
    Extend,
    ZeroWidthJoiner,
    RegionalIndicator,
    Space,
}

/// The behaviour of a normalised character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) breaks: Break,
    bits: u8,
}

impl Class {
    const CONTENT: u8 = 1;
    const PICTOGRAPH: u8 = 2;
    const INVISIBLE: u8 = 4;

    /// Of characters that become several: ask for the class of each of those instead.
    pub(crate) const NEUTRAL: Self = Self {
        breaks: Break::Other,
        bits: 0,
    };

    /// A letter, a number or an emoji: makes a word of the segment it is in.
    #[inline]
    pub(crate) fn is_content(self) -> bool {
        self.bits & Self::CONTENT != 0
    }

    #[inline]
    pub(crate) fn is_pictograph(self) -> bool {
        self.bits & Self::PICTOGRAPH != 0
    }

    #[inline]
    pub(crate) fn is_invisible(self) -> bool {
        self.bits & Self::INVISIBLE != 0
    }

    /// Belongs to the character before it.
    #[inline]
    pub(crate) fn extends(self) -> bool {
        matches!(self.breaks, Break::Extend | Break::ZeroWidthJoiner)
    }

    pub(crate) fn of(c: char) -> Self {
        let breaks = break_of(c);
        let category = CodePointMapData::<GeneralCategory>::new().get(c);
        let pictograph =
            CodePointSetData::new::<ExtendedPictographic>().contains(c) && !matches!(c, '©' | '®');
        let invisible = is_ignorable(c);
        let written = GeneralCategoryGroup::Letter
            .union(GeneralCategoryGroup::Number)
            .contains(category);
        // Half-width voicing marks are letters by category, but marks by behaviour.
        let stands_alone = !invisible && breaks != Break::Extend;
        let content = stands_alone && (written || pictograph || breaks == Break::RegionalIndicator);
        let mut bits = 0;
        for (yes, bit) in [
            (content, Self::CONTENT),
            (pictograph, Self::PICTOGRAPH),
            (invisible, Self::INVISIBLE),
        ] {
            bits |= if yes { bit } else { 0 };
        }
        Self { breaks, bits }
    }
}

fn break_of(c: char) -> Break {
    if is_space(c) {
        return Break::Space;
    }
    match CodePointMapData::<WordBreak>::new().get(c) {
        WordBreak::ALetter if is_ignorable(c) => Break::Extend,
        WordBreak::ALetter if is_unspaced(c) => Break::Other,
        WordBreak::ALetter => Break::Letter,
        WordBreak::HebrewLetter => Break::HebrewLetter,
        WordBreak::Numeric => Break::Numeric,
        WordBreak::ExtendNumLet => Break::ExtendNumLet,
        WordBreak::MidLetter => Break::MidLetter,
        WordBreak::MidNum => Break::MidNum,
        WordBreak::MidNumLet => Break::MidNumLet,
        WordBreak::SingleQuote => Break::SingleQuote,
        WordBreak::DoubleQuote => Break::DoubleQuote,
        WordBreak::Extend | WordBreak::Format => Break::Extend,
        WordBreak::ZWJ => Break::ZeroWidthJoiner,
        WordBreak::RegionalIndicator => Break::RegionalIndicator,
        // Katakana too: UAX #29 would make a word of a whole run of it.
        _ => Break::Other,
    }
}

/// Scripts without spaces between words, of those whose letters UAX #29 would join. Han,
/// Hiragana, Thai, Lao, Khmer and Myanmar it does not join; Tibetan it joins into syllables.
fn is_unspaced(c: char) -> bool {
    matches!(
        CodePointMapData::<Script>::new().get(c),
        Script::Balinese | Script::Bopomofo | Script::Javanese | Script::Yi
    )
}

/// Separates words and is not compared with them. The zero width space is made for this; control
/// characters are no part of any word.
fn is_space(c: char) -> bool {
    c == ZERO_WIDTH_SPACE || c.is_control() || CodePointSetData::new::<WhiteSpace>().contains(c)
}

/// Cannot be seen, and does not separate words.
pub(crate) fn is_ignorable(c: char) -> bool {
    c != ZERO_WIDTH_SPACE && CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}
