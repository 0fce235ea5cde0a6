//! Which words do two pages share? Their indexes come in; out go the shared words with their places, and both texts as
//! sequences of numbers: the same number for the same word.

use super::page::Index;

/// The number of a word that the other page does not have.
pub(super) const ALONE: u32 = u32::MAX;

/// A word that both pages have: its rank in either index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Both {
    pub a: u32,
    pub b: u32,
}

/// Replaces `out` by the words of both indexes.
pub(super) fn join(a: &Index, b: &Index, out: &mut Vec<Both>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.hashes.len() && j < b.hashes.len() {
        let (first, second) = (a.hashes[i], b.hashes[j]);
        if first == second {
            out.push(Both {
                a: i as u32,
                b: j as u32,
            });
        }
        i += usize::from(first <= second);
        j += usize::from(second <= first);
    }
}

/// Replaces `out` by the number of each word among the shared ones.
pub(super) fn number<'a>(
    words: usize,
    places: impl Iterator<Item = &'a [u32]>,
    out: &mut Vec<u32>,
) {
    out.clear();
    out.resize(words, ALONE);
    for (number, places) in places.enumerate() {
        for &place in places {
            out[place as usize] = number as u32;
        }
    }
}
