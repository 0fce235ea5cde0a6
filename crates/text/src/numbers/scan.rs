//! Where may a number begin? A text comes in; out go the places of digits, numerals and words that
//! may be number words, 64 bytes at a time.

use crate::ascii::classify::{Block, beginnings_of_three, classify};

const BLOCK: usize = 64;

/// The first three letters of number words, except those that only follow others (`hundred`).
const BEGINNINGS: &[&[u8; 3]] = &[
    b"zer", b"one", b"two", b"thr", b"fou", b"fiv", b"six", b"sev", b"eig", b"nin", b"ten", b"ele",
    b"twe", b"thi", b"for", b"fif", b"fir", b"sec",
];

/// A bit for each three letters, of each the lowest five bits.
static IS_BEGINNING: [u64; 512] = {
    let mut bits = [0; 512];
    let mut number = 0;
    while number < BEGINNINGS.len() {
        let [a, b, c] = *BEGINNINGS[number];
        let place = place_of(a, b, c);
        bits[place >> 6] |= 1 << (place & 63);
        number += 1;
    }
    bits
};

const fn place_of(a: u8, b: u8, c: u8) -> usize {
    (a as usize & 31) << 10 | (b as usize & 31) << 5 | (c as usize & 31)
}

/// The numerals with which a number may begin, and full-width digits.
pub(super) const NUMERALS: &[char] = &[
    '〇', '零', '一', '二', '两', '兩', '三', '四', '五', '六', '七', '八', '九', '十', '百', '０',
    '１', '２', '３', '４', '５', '６', '７', '８', '９',
];

/// A bit for the lowest eleven bits of each of them: few other characters share one.
static IS_NUMERAL: [u64; 32] = {
    let mut bits = [0; 32];
    let mut number = 0;
    while number < NUMERALS.len() {
        let place = NUMERALS[number] as usize & 0x7FF;
        bits[place >> 6] |= 1 << (place & 63);
        number += 1;
    }
    bits
};

/// Calls `found` with each place at which a number may begin, in ascending order.
pub(super) fn each_beginning(text: &str, mut found: impl FnMut(usize)) {
    let bytes = text.as_bytes();
    let (mut letter_before, mut digit_before) = (0, 0);
    for (number, chunk) in bytes.chunks(BLOCK).enumerate() {
        let begin = number * BLOCK;
        let mut block: Block = [b' '; BLOCK];
        match chunk.try_into() {
            Ok(whole) => block = whole,
            Err(_) => block[..chunk.len()].copy_from_slice(chunk),
        }
        let (masks, _) = classify(&block);
        let words = masks.letters & !(masks.letters << 1 | letter_before);
        let mut hits = masks.digits & !(masks.digits << 1 | digit_before);
        (letter_before, digit_before) = (masks.letters >> 63, masks.digits >> 63);
        hits |= number_words(words, bytes, begin);
        hits |= numerals(beginnings_of_three(&block), bytes, begin);
        while hits != 0 {
            found(begin + hits.trailing_zeros() as usize);
            hits &= hits - 1;
        }
    }
}

/// Those of the words that begin like number words.
#[inline]
fn number_words(mut words: u64, bytes: &[u8], begin: usize) -> u64 {
    let mut hits = 0;
    while words != 0 {
        let place = words.trailing_zeros();
        words &= words - 1;
        if let Some(&[a, b, c]) = bytes[begin + place as usize..].first_chunk() {
            let index = place_of(a, b, c);
            hits |= (IS_BEGINNING[index >> 6] >> (index & 63) & 1) << place;
        }
    }
    hits
}

/// Those of the characters of three bytes that may be numerals.
#[inline]
fn numerals(mut characters: u64, bytes: &[u8], begin: usize) -> u64 {
    let mut hits = 0;
    while characters != 0 {
        let place = characters.trailing_zeros();
        characters &= characters - 1;
        if let Some(&[_, b, c]) = bytes[begin + place as usize..].first_chunk() {
            let index = (usize::from(b) & 0x1F) << 6 | usize::from(c) & 0x3F;
            hits |= (IS_NUMERAL[index >> 6] >> (index & 63) & 1) << place;
        }
    }
    hits
}
