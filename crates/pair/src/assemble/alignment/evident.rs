//! Which words of passages does the other side have? Passages bridge gaps; out goes how much of each page there is evidence for.
//!
//! A passage of sentences that were copied with others between them reaches from the first to the last. What stands in between
//! belongs to the passage, but not to what the documents have in common.

use super::page::{Page, Piece};
use super::weighed::{BIT, weight};
use super::{Coverage, Passage};

/// How many words of each page are in pieces of passages whose words speak for a copy from the other side of the passage.
pub(super) fn told(a: &Page, b: &Page, passages: &[Passage]) -> [Coverage; 2] {
    let mut covered = [Vec::new(), Vec::new()];
    for passage in passages {
        let [in_a, in_b] = [a.words_of(passage.a), b.words_of(passage.b)];
        if passage.similarity >= 1.0 {
            covered[0].push(in_a);
            covered[1].push(in_b);
        } else {
            Seen { page: a, other: b }.told(in_a, in_b, &mut covered[0]);
            Seen { page: b, other: a }.told(in_b, in_a, &mut covered[1]);
        }
    }
    let [in_a, in_b] = covered;
    [a.coverage_of(in_a), b.coverage_of(in_b)]
}

/// A page, and the one that it may have been copied from.
struct Seen<'p> {
    page: &'p Page,
    other: &'p Page,
}

impl Seen<'_> {
    /// Adds the parts of a stretch that the other one tells of: pieces with more for a copy than against it.
    fn told(&self, (begin, end): (u32, u32), there: (u32, u32), out: &mut Vec<(u32, u32)>) {
        if begin >= end {
            return;
        }
        let [first, last] = self.page.pieces_of([begin, end]);
        for piece in &self.page.pieces[first as usize..last as usize] {
            let Piece {
                begin: from,
                end: to,
                ..
            } = *piece;
            let (from, to) = (from.max(begin), to.min(end));
            let gain: i64 = (from..to).map(|place| self.gain(place, there)).sum();
            if gain >= 0 {
                out.push((from, to));
            }
        }
    }

    /// How much a word speaks for a copy, as where passages are fitted: the rarer it is in both pages the more, if it is in the
    /// other stretch, and otherwise against it.
    fn gain(&self, place: u32, (begin, end): (u32, u32)) -> i64 {
        let length = self.page.length([place, place + 1]);
        let rank = self.page.ranks[place as usize] as usize;
        let hash = self.page.terms.hashes[rank];
        let Ok(partner) = self.other.terms.hashes.binary_search(&hash) else {
            return -i64::from(BIT / 2 * length);
        };
        let there = self.other.terms.places(partner);
        let next = there.partition_point(|&place| place < begin);
        if there.get(next).is_none_or(|&place| place >= end) {
            return -i64::from(BIT / 2 * length);
        }
        let often = self.page.terms.places(rank).len() + there.len() - 1;
        let words = self.page.words.len() + self.other.words.len();
        i64::from(weight(often as u64, words as u64) * length / 2)
    }
}
