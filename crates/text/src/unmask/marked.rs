//! Han characters with marks or spaces between them: `您★好我★是`, `无抵.押贷.款`, `平 安信 贷`. Where these stand goes out.
//!
//! Honest texts have single marks and spaces between Han characters, too, but not so many that are no punctuation, and no
//! single characters between spaces. Where a text has several of these, all go, so that its words are those of the text
//! without them.

use std::ops::Range;

use super::Edits;
use crate::chars::{CharTable, is_han};
use crate::class::Break;

/// So many are no accident,
const LEAST: usize = 3;
/// if no more Han characters come to each.
const MOST_HAN: usize = 8;

pub(super) fn find(text: &str, table: &CharTable, edits: &mut Edits) {
    let (mut odd, mut han) = (0, 0);
    each(text, table, |gap| odd += usize::from(gap.is_odd), &mut han);
    if odd >= LEAST && han <= odd * MOST_HAN {
        each(text, table, |gap| edits.delete(gap.at), &mut 0);
    }
}

/// What stands between two Han characters and is no punctuation.
struct Gap {
    at: Range<usize>,
    /// Whether it is a mark, or a space beside a character that stands alone.
    is_odd: bool,
}

/// Tells every gap, in order, and counts the Han characters.
fn each(text: &str, table: &CharTable, mut tell: impl FnMut(Gap), han: &mut usize) {
    // The gap after the last Han character, with whether it is odd, and how many characters stood together before it.
    let mut open: Option<(Range<usize>, bool)> = None;
    let mut together = 0;
    // A gap of which the character after it is known, but not whether it stands alone.
    let mut last: Option<Gap> = None;
    let mut settle = |last: &mut Option<Gap>, is_alone: bool| {
        if let Some(gap) = last.take() {
            tell(Gap {
                is_odd: gap.is_odd || is_alone,
                ..gap
            });
        }
    };
    for (at, c) in text.char_indices() {
        if is_han(c) {
            *han += 1;
            if let Some((gap, is_odd)) = open.take() {
                settle(&mut last, together == 1);
                last = Some(Gap { at: gap, is_odd });
                together = 0;
            }
            together += 1;
            continue;
        }
        let kind = match together {
            0 => None,
            _ if open.is_some() => None,
            _ => separates(c, table),
        };
        match kind {
            Some(is_mark) => {
                open = Some((at..at + c.len_utf8(), is_mark || together == 1));
            }
            None => {
                settle(&mut last, together == 1);
                (open, together) = (None, 0);
            }
        }
    }
    settle(&mut last, together == 1);
}

/// Whether a character may be a gap, and then whether it is a mark.
fn separates(c: char, table: &CharTable) -> Option<bool> {
    let (info, class) = (table.info(c), table.class(c));
    let to = info.to();
    if info.expands() || c.is_control() || to.is_alphanumeric() {
        return None;
    }
    if to.is_whitespace() {
        return Some(false);
    }
    let is_letter = matches!(
        class.breaks,
        Break::Letter
            | Break::HebrewLetter
            | Break::Numeric
            | Break::Extend
            | Break::ZeroWidthJoiner
    );
    let is_punctuation = ",!?:;()\"'。、，！？：；（）《》〈〉“”‘’「」『』【】…—·".contains(to)
        || ('\u{3000}'..='\u{303f}').contains(&to);
    (!is_letter && !is_punctuation).then_some(true)
}
