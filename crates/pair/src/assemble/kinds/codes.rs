//! Codes of letters and digits: `K7QX2`. One that stands where the other text has a word in capitals is another code, though
//! that one happens to have no digit.

use std::ops::Range;

use super::names::is_code;
use super::tokens::{Class, Tokens};
use crate::assemble::difference::Stretch;

/// Whether a code was replaced by one without digits.
pub(super) fn differ(sides: [&Tokens; 2], texts: [&str; 2], stretches: &[Stretch]) -> bool {
    let only = |tokens: &Tokens, range: &Range<usize>| {
        let mut said = range
            .clone()
            .filter(|&at| tokens.class(at) != Some(Class::Mark));
        said.next().filter(|_| said.next().is_none())
    };
    let is_with_digits = |side: usize, at: usize| {
        sides[side].class(at) == Some(Class::Number) && is_code(sides[side], at)
    };
    let is_in_capitals = |side: usize, at: usize| {
        let token = &sides[side].all[at];
        let written = texts[side].get(token.source.clone()).unwrap_or_default();
        token.class == Class::Word
            && written.len() >= 4
            && written.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    stretches.iter().any(|stretch| {
        let (Some(a), Some(b)) = (only(sides[0], &stretch.a), only(sides[1], &stretch.b)) else {
            return false;
        };
        is_with_digits(0, a) && is_in_capitals(1, b) || is_in_capitals(0, a) && is_with_digits(1, b)
    })
}
