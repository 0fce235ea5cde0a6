//! Runs of the same words in two texts. The texts come in as numbers of words; out go the longest runs around each
//! shared gram.

use lookalike_text::hash::mix64;

use super::shared::ALONE;

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
    grams_a: Vec<(u64, u32)>,
    grams_b: Vec<(u64, u32)>,
    seeds: Vec<(i64, u32)>,
    pub found: Vec<Run>,
}

impl Runs {
    /// Finds the runs of the two texts.
    pub(super) fn find(&mut self, a: &[u32], b: &[u32]) {
        self.found.clear();
        self.seeds.clear();
        grams(a, &mut self.grams_a);
        grams(b, &mut self.grams_b);
        self.join();
        self.seeds.sort_unstable();
        let mut seen = (i64::MIN, 0);
        for &(diagonal, at) in &self.seeds {
            if seen.0 == diagonal && at < seen.1 {
                continue;
            }
            let run = extend(a, b, at as usize, (i64::from(at) + diagonal) as usize);
            seen = (diagonal, run.a + run.words);
            if run.words as usize >= LEAST {
                self.found.push(run);
            }
        }
    }

    fn join(&mut self) {
        let (mut rest_a, mut rest_b) = (&self.grams_a[..], &self.grams_b[..]);
        while let (Some(first), Some(second)) = (rest_a.first(), rest_b.first()) {
            let (first, second) = (first.0, second.0);
            let (in_a, in_b) = (leading(rest_a, first), leading(rest_b, second));
            if first == second {
                let (a, b) = (&rest_a[..in_a], &rest_b[..in_b]);
                let mut pair = |a: u32, b: u32| self.seeds.push((i64::from(b) - i64::from(a), a));
                if in_a * in_b <= MOST_PAIRS {
                    for &(_, a) in a {
                        b.iter().for_each(|&(_, b)| pair(a, b));
                    }
                } else {
                    a.iter().zip(b).for_each(|(&(_, a), &(_, b))| pair(a, b));
                }
            }
            if first <= second {
                rest_a = &rest_a[in_a..];
            }
            if second <= first {
                rest_b = &rest_b[in_b..];
            }
        }
    }
}

/// How many of the grams in front are this one.
fn leading(grams: &[(u64, u32)], gram: u64) -> usize {
    grams.iter().take_while(|other| other.0 == gram).count()
}

/// Replaces `out` by the grams of shared words, sorted.
fn grams(text: &[u32], out: &mut Vec<(u64, u32)>) {
    out.clear();
    let mut shared = 0;
    for (at, &word) in text.iter().enumerate() {
        shared = if word == ALONE { 0 } else { shared + 1 };
        if shared >= LEAST {
            let gram = &text[at + 1 - LEAST..=at];
            let hash = gram
                .iter()
                .fold(0, |hash, &word| mix64(hash ^ (u64::from(word) + 1)));
            out.push((hash, (at + 1 - LEAST) as u32));
        }
    }
    out.sort_unstable();
}

/// The longest run of the same words around a place in both.
fn extend(a: &[u32], b: &[u32], at_a: usize, at_b: usize) -> Run {
    let same = |(x, y): (&u32, &u32)| x == y && *x != ALONE;
    let before = a[..at_a].iter().rev().zip(b[..at_b].iter().rev());
    let before = before.take_while(|&pair| same(pair)).count();
    let after = a[at_a..].iter().zip(&b[at_b..]);
    let after = after.take_while(|&pair| same(pair)).count();
    Run {
        a: (at_a - before) as u32,
        b: (at_b - before) as u32,
        words: (before + after) as u32,
    }
}
