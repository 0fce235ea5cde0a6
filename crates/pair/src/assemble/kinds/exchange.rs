//! What was exchanged: two words that changed places ("from Paris to London", "from London to Paris"). The words of both texts are
//! the same, and yet neither can stand for the other.

use std::ops::Range;

use super::tokens::{Class, Token, Tokens};

/// So many tokens change places at the most, and so many stand between them.
const MOST_MOVED: usize = 4;
const MOST_BETWEEN: usize = 6;

/// Between these the order says nothing: "cats and dogs", "better than", "又矮又胖".
const EITHER_WAY: [&str; 26] = [
    "and", "or", "vs", "versus", "than", "with", "between", ",", "/", "&", "、", ";", "und",
    "oder", "et", "ou", "y", "и", "和", "与", "及", "跟", "比", "或", "还", "又",
];

/// Whether two words, or two names of some words each, stand in each other's place and all else is the same.
pub(super) fn changed_places(a: &Tokens, b: &Tokens) -> bool {
    let Some(differing) = differing(a, b) else {
        return false;
    };
    let same =
        |x: &[Token], y: &[Token]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.id == y.id);
    let (left, right) = (&a.all[differing.clone()], &b.all[differing.clone()]);
    let lengths = (1..=MOST_MOVED).flat_map(|x| (1..=MOST_MOVED).map(move |y| (x, y)));
    for (x, y) in lengths {
        let Some(between) = left.len().checked_sub(x + y) else {
            continue;
        };
        let is_exchange = (1..=MOST_BETWEEN).contains(&between)
            && same(&left[..x], &right[y + between..])
            && same(&left[x..x + between], &right[y..y + between])
            && same(&left[x + between..], &right[..y]);
        let at = differing.start;
        if is_exchange
            && is_named(a, at..at + x)
            && is_named(a, at + x + between..differing.end)
            && !(at + x..at + x + between).any(|at| EITHER_WAY.contains(&a.form(at)))
        {
            return true;
        }
    }
    false
}

/// What is left between the tokens that both begin and end with, if it is as long in both.
fn differing(a: &Tokens, b: &Tokens) -> Option<Range<usize>> {
    if a.len() != b.len() {
        return None;
    }
    let differs = |at: &usize| a.all[*at].id != b.all[*at].id;
    let begin = (0..a.len()).find(differs)?;
    let end = (0..a.len()).rev().find(differs)?;
    Some(begin..end + 1)
}

/// Whether something is named: a word that says something, a number, or two ideographs.
fn is_named(tokens: &Tokens, range: Range<usize>) -> bool {
    let of = &tokens.all[range];
    let ideographs = of.iter().filter(|token| token.class == Class::Ideograph);
    ideographs.count() >= 2
        || of.iter().any(|token| match token.class {
            Class::Word => !token.holds_together,
            Class::Number => true,
            _ => false,
        })
}
