//! Which pieces of two texts say the same in other words? The weighed words of two pages come in; out go the pairs of
//! pieces that share enough.

use super::page::Page;
use super::weighed::{BIT, View, Weighed};

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
        let views = weighed.views(a, b);
        self.share(a, b, weighed, &views);
        self.select(a, b, &views);
    }

    fn share(&mut self, a: &Page, b: &Page, weighed: &Weighed, [of_a, of_b]: &[View<'_>; 2]) {
        self.shared.clear();
        for (term, both) in (0..).zip(&weighed.both) {
            let in_a = a.terms.places(both.a as usize);
            let in_b = b.terms.places(both.b as usize);
            if in_a.len() * in_b.len() > MOST_PAIRS {
                continue;
            }
            let weight = of_a.weight(in_a[0]);
            if weight < BIT {
                continue;
            }
            for &x in in_a.iter().filter(|&&x| !of_a.is_copied(x)) {
                for &y in in_b.iter().filter(|&&y| !of_b.is_copied(y)) {
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

    fn select(&mut self, a: &Page, b: &Page, [of_a, of_b]: &[View<'_>; 2]) {
        self.found.clear();
        for group in self.shared.chunk_by(|x, y| x.pieces == y.pieces) {
            let (x, y) = group[0].pieces;
            let shared: u64 = group.iter().map(|shared| u64::from(shared.weight)).sum();
            if shared < LEAST_BITS * u64::from(BIT) {
                continue;
            }
            let all = of_a.total(&a.pieces[x as usize]) + of_b.total(&b.pieces[y as usize]);
            if 200 * shared >= LEAST_PERCENT * all {
                self.found.push(Dot { a: x, b: y });
            }
        }
    }
}
