//! Where words end. The classes of a piece's characters come in; segments go out, by the rules of
//! UAX #29 (<https://unicode.org/reports/tr29/#Word_Boundary_Rules>), with two differences: the
//! letters of unspaced scripts are never joined, and marks after white space stand alone.

use std::ops::Range;

use crate::class::Break;
use crate::piece::Glyph;

/// Finds the segment that begins at `begin`; at least one glyph must be left.
pub(crate) fn segment_at(glyphs: &[Glyph], begin: usize) -> Range<usize> {
    let first = glyphs[begin].class;
    let mut end = begin + 1;
    if first.breaks == Break::Space {
        return begin..end;
    }
    let mut previous = first.breaks;
    let mut after_joiner = first.breaks == Break::ZeroWidthJoiner;
    let mut flag_open = first.breaks == Break::RegionalIndicator;
    // Set between a full stop or the like and the letter or digit it was joined for (WB7, WB11).
    let mut joined_ahead = false;
    while let Some(glyph) = glyphs.get(end) {
        let class = glyph.class;
        match class.breaks {
            // WB4
            Break::Extend => after_joiner = false,
            Break::ZeroWidthJoiner => after_joiner = true,
            _ => {
                let ahead = || base_after(glyphs, end);
                let joins = match join(previous, class.breaks) {
                    Join::Always => true,
                    Join::Never => false,
                    Join::Flags => std::mem::take(&mut flag_open),
                    Join::Before(wanted) => {
                        joined_ahead = ahead().is_some_and(|next| wanted.includes(next));
                        joined_ahead
                            || (previous, class.breaks) == (Break::HebrewLetter, Break::SingleQuote)
                    }
                    Join::AfterMid => std::mem::take(&mut joined_ahead),
                };
                // WB3c
                let joins = joins || (after_joiner && class.is_pictograph());
                if !joins {
                    break;
                }
                previous = class.breaks;
                after_joiner = false;
            }
        }
        end += 1;
    }
    begin..end
}

enum Join {
    Always,
    Never,
    /// Only pairs of regional indicators join.
    Flags,
    /// If what follows is wanted.
    Before(Wanted),
    /// If the character in the middle was joined for what now follows it.
    AfterMid,
}

enum Wanted {
    Letter,
    HebrewLetter,
    Numeric,
}

impl Wanted {
    fn includes(&self, next: Break) -> bool {
        match self {
            Self::Letter => is_letter(next),
            Self::HebrewLetter => next == Break::HebrewLetter,
            Self::Numeric => next == Break::Numeric,
        }
    }
}

#[inline]
fn is_letter(class: Break) -> bool {
    matches!(class, Break::Letter | Break::HebrewLetter)
}

/// The rules WB5 to WB16 between two bases.
#[inline]
fn join(previous: Break, next: Break) -> Join {
    use Break::{
        DoubleQuote, ExtendNumLet, HebrewLetter, Letter, MidLetter, MidNum, MidNumLet, Numeric,
        RegionalIndicator, SingleQuote,
    };
    match (previous, next) {
        (
            Letter | HebrewLetter | Numeric | ExtendNumLet,
            Letter | HebrewLetter | Numeric | ExtendNumLet,
        ) => Join::Always,
        (Letter | HebrewLetter, MidLetter | MidNumLet | SingleQuote) => {
            Join::Before(Wanted::Letter)
        }
        (Numeric, MidNum | MidNumLet | SingleQuote) => Join::Before(Wanted::Numeric),
        (HebrewLetter, DoubleQuote) => Join::Before(Wanted::HebrewLetter),
        (
            MidLetter | MidNum | MidNumLet | SingleQuote | DoubleQuote,
            Letter | HebrewLetter | Numeric,
        ) => Join::AfterMid,
        (RegionalIndicator, RegionalIndicator) => Join::Flags,
        _ => Join::Never,
    }
}

/// The class of the next glyph after `at` that is not a mark.
fn base_after(glyphs: &[Glyph], at: usize) -> Option<Break> {
    let mut following = glyphs[at + 1..].iter().map(|glyph| glyph.class.breaks);
    following.find(|class| !matches!(class, Break::Extend | Break::ZeroWidthJoiner))
}
