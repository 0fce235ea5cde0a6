//! Runs of the same words in two texts. Two pages come in; out go the longest runs around each shared gram.

use lookalike_text::hash::mix64;

use super::page::Page;
use super::shared::{Both, join};

/// How many words a run has at least.
pub(super) const LEAST: usize = 5;

/// A gram that occurs more often is paired in order of occurrence: the first with the first, and so on.
const MOST_PAIRS: usize = 16;

/// Words that are the same in both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub a: u32,
    pub b: u32,
    pub words: u32,
}

#[derive(Debug, Default)]
pub(super) struct Runs {
    both: Vec<Both>,
    seeds: Vec<(i64, u32)>,
    pub found: Vec<Run>,
}

impl Runs {
    /// Finds the runs of the two texts.
    pub(super) fn find(&mut self, a: &Page, b: &Page) {
        self.found.clear();
        self.seeds.clear();
        join(&a.grams, &b.grams, &mut self.both);
        for both in &self.both {
            let in_a = a.grams.places(both.a as usize);
            let in_b = b.grams.places(both.b as usize);
            let mut pair = |a: u32, b: u32| self.seeds.push((i64::from(b) - i64::from(a), a));
            if in_a.len() * in_b.len() <= MOST_PAIRS {
                for &a in in_a {
                    in_b.iter().for_each(|&b| pair(a, b));
                }
            } else {
                in_a.iter().zip(in_b).for_each(|(&a, &b)| pair(a, b));
            }
        }
        self.seeds.sort_unstable();
        let mut seen = (i64::MIN, 0);
        for &(diagonal, at) in &self.seeds {
            if seen.0 == diagonal && at < seen.1 {
                continue;
            }
            let run = extend(
                &a.hashes,
                &b.hashes,
                at as usize,
                (i64::from(at) + diagonal) as usize,
            );
            seen = (diagonal, run.a + run.words);
            if run.words as usize >= LEAST {
                self.found.push(run);
            }
        }
    }
}

/// A hash of the words from each place on, as many as a run has at least.
pub(super) fn grams(words: &[u64]) -> Vec<u64> {
    let gram = |gram: &[u64]| gram.iter().fold(0, |hash, &word| mix64(hash ^ word));
    words.windows(LEAST).map(gram).collect()
}

/// The longest run of the same words around a place in both.
fn extend(a: &[u64], b: &[u64], at_a: usize, at_b: usize) -> Run {
    let same = |(x, y): &(&u64, &u64)| x == y;
    let before = a[..at_a].iter().rev().zip(b[..at_b].iter().rev());
    let before = before.take_while(same).count();
    let after = a[at_a..].iter().zip(&b[at_b..]);
    let after = after.take_while(same).count();
    Run {
        a: (at_a - before) as u32,
        b: (at_b - before) as u32,
        words: (before + after) as u32,
    }
}
