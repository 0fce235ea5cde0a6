//! Which pieces of two texts say the same in other words? The weighed words of two pages come in; out go the pairs of
//! pieces that share enough.

use super::page::Page;
use super::weighed::{BIT, Side, Weighed};

/// A term with more pairs of places proposes none: it is too common to tell places apart.
const MOST_PAIRS: usize = 24;

/// How many bits the words that two pieces share have at least.
const LEAST_BITS: u64 = 4;

/// How much of two pieces is the same at least, in percent of their weight.
const LEAST_PERCENT: u64 = 25;

/// Two pieces that match.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dot {
    pub a: u32,
    pub b: u32,
}

#[derive(Debug, Default)]
pub(super) struct Dots {
    totals_a: Vec<u64>,
    totals_b: Vec<u64>,
    shared: Vec<Shared>,
    pub found: Vec<Dot>,
}

/// A term that two pieces share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    pieces: (u32, u32),
    term: u32,
    weight: u32,
}

impl Dots {
    /// Finds the dots of two pages by all words that are not copied.
    pub(super) fn find(&mut self, a: &Page, b: &Page, weighed: &Weighed) {
        totals(a, &weighed.a, &mut self.totals_a);
        totals(b, &weighed.b, &mut self.totals_b);
        self.share(a, b, weighed);
        self.select();
    }

    fn share(&mut self, a: &Page, b: &Page, weighed: &Weighed) {
        self.shared.clear();
        for (term, both) in (0..).zip(&weighed.both) {
            let in_a = a.terms().places(both.a as usize);
            let in_b = b.terms().places(both.b as usize);
            let weight = weighed.a.weights[in_a[0] as usize];
            if weight < BIT || in_a.len() * in_b.len() > MOST_PAIRS {
                continue;
            }
            for &x in in_a.iter().filter(|&&x| !weighed.a.copied[x as usize]) {
                for &y in in_b.iter().filter(|&&y| !weighed.b.copied[y as usize]) {
                    self.shared.push(Shared {
                        pieces: (a.piece_of[x as usize], b.piece_of[y as usize]),
                        term,
                        weight,
                    });
                }
            }
        }
        self.shared.sort_unstable();
        self.shared.dedup();
    }

    fn select(&mut self) {
        self.found.clear();
        for group in self.shared.chunk_by(|x, y| x.pieces == y.pieces) {
            let (a, b) = group[0].pieces;
            let shared: u64 = group.iter().map(|shared| u64::from(shared.weight)).sum();
            let all = self.totals_a[a as usize] + self.totals_b[b as usize];
            if shared >= LEAST_BITS * u64::from(BIT) && 200 * shared >= LEAST_PERCENT * all {
                self.found.push(Dot { a, b });
            }
        }
    }
}

/// The weight of all terms of each piece.
fn totals(page: &Page, side: &Side, out: &mut Vec<u64>) {
    out.clear();
    out.extend(page.pieces.iter().map(|piece| {
        let weights = side.weights[piece.begin as usize..piece.end as usize].iter();
        weights.map(|&weight| u64::from(weight)).sum::<u64>()
    }));
}
