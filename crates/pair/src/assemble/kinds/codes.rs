//! Codes of letters and digits: `K7QX2`. One that stands where the other text has a word in capitals is another code, though
//! that one happens to have no digit; and so is one that reads like a word in disguise (`a8f3kd`), where another code stands.

use std::ops::Range;

use super::names::is_code;
use super::tokens::{Class, Tokens};
use crate::assemble::difference::Stretch;

/// Whether a code was replaced by one that was not taken for a number.
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
    // As it is written: what was seen through is a word.
    let digits_of = |side: usize, at: usize| {
        let token = &sides[side].all[at];
        let written = texts[side].get(token.source.clone());
        let written = written.unwrap_or_default().as_bytes();
        let is_mixed = token.class != Class::Link
            && written.iter().all(u8::is_ascii_alphanumeric)
            && written.iter().any(u8::is_ascii_alphabetic);
        let digits = written.iter().filter(|byte| byte.is_ascii_digit());
        if is_mixed { digits.count() } else { 0 }
    };
    let is_other = |(side, at): (usize, usize), (other, there): (usize, usize)| {
        is_with_digits(side, at) && (is_in_capitals(other, there) || digits_of(other, there) > 0)
    };
    stretches.iter().any(|stretch| {
        let (Some(a), Some(b)) = (only(sides[0], &stretch.a), only(sides[1], &stretch.b)) else {
            return false;
        };
        is_other((0, a), (1, b))
            || is_other((1, b), (0, a))
            || (digits_of(0, a) > 1 && digits_of(1, b) > 1)
    })
}
