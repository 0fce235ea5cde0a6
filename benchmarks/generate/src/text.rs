//! Texts as words with their punctuation, the edits that make near duplicates, and how they are written.

use crate::pool::Pool;
use crate::random::Random;

#[derive(Clone, Copy)]
pub struct Token {
    word: u32,
    capital: bool,
    after: After,
}

#[derive(Clone, Copy, PartialEq)]
enum After {
    Space,
    Comma,
    Stop,
    Paragraph,
}

/// Sentences of 8 to 20 words, paragraphs of about 7 sentences.
pub fn punctuate(words: &[u32], random: &mut Random) -> Vec<Token> {
    let mut left = 0;
    let mut capital = true;
    let mut tokens = Vec::with_capacity(words.len());
    for &word in words {
        if capital {
            left = 8 + random.below(13);
        }
        left -= 1;
        let after = match left {
            0 if words.len() > 60 && random.below(7) == 0 => After::Paragraph,
            0 => After::Stop,
            _ if random.below(18) == 0 => After::Comma,
            _ => After::Space,
        };
        tokens.push(Token {
            word,
            capital,
            after,
        });
        capital = left == 0;
    }
    if let Some(last) = tokens.last_mut() {
        last.after = After::Stop;
    }
    tokens
}

/// The share of words to change so that shingles of n words keep about this Jaccard similarity: of the shingles a
/// share p survives, where p / (2 - p) is the similarity, and each survives only if none of its n words changed.
pub fn edit_rate(similarity: f64, shingle_words: usize) -> f64 {
    let survive = 2.0 * similarity / (1.0 + similarity);
    1.0 - survive.powf(1.0 / shingle_words as f64)
}

pub fn edit(tokens: &[Token], rate: f64, pool: &Pool, random: &mut Random) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len() + 8);
    for &token in tokens {
        if random.share() >= rate {
            out.push(token);
            continue;
        }
        let other = Token {
            word: pool.any_word(random),
            ..token
        };
        match random.below(10) {
            0..6 => out.push(other),
            6..8 => out.extend([
                Token {
                    after: After::Space,
                    ..other
                },
                Token {
                    capital: false,
                    ..token
                },
            ]),
            _ => {}
        }
    }
    out
}

pub fn write(tokens: &[Token], pool: &Pool, out: &mut Vec<u8>) {
    for (at, token) in tokens.iter().enumerate() {
        let start = out.len();
        out.extend_from_slice(pool.spelling(token.word).as_bytes());
        if token.capital {
            out[start].make_ascii_uppercase();
        }
        let last = at + 1 == tokens.len();
        let after: &[u8] = match token.after {
            _ if last => b".",
            After::Space => b" ",
            After::Comma => b", ",
            After::Stop => b". ",
            // Two characters of the JSON string each: a reader has to unescape them.
            After::Paragraph => br".\n\n",
        };
        out.extend_from_slice(after);
    }
}
