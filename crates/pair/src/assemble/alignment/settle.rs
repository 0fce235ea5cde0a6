//! Which areas are passages of their own? Areas that overlap come in; out go those that do not repeat each other.

use std::cmp::Reverse;

use super::groups::Area;
use super::page::Page;

/// So many words are a sentence, whether or not it was cut into more.
const SHORT_SENTENCE: u32 = 16;

/// How often areas are merged at most: each time they grow, they may reach others.
const MOST_ROUNDS: u32 = 8;

/// An area with what its sides share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub area: Area,
    /// The weight of what both sides share.
    pub weight: u64,
    /// The part of it that is in sentences that are not common.
    pub special: u64,
}

impl Candidate {
    fn and(self, other: Self) -> Self {
        Self {
            area: self.area.and(other.area),
            weight: self.weight + other.weight,
            special: self.special + other.special,
        }
    }
}

/// Joins candidates between which there are at most `gap` pieces on both sides.
pub(super) fn merge(candidates: &mut Vec<Candidate>, a: &Page, b: &Page, gap: u32) {
    for _ in 0..MOST_ROUNDS {
        let before = candidates.len();
        candidates.sort_unstable_by_key(|found| (found.area, found.weight));
        candidates.dedup_by_key(|found| found.area);
        let mut merged: Vec<Candidate> = Vec::with_capacity(candidates.len());
        let mut open: Vec<usize> = Vec::new();
        for &found in candidates.iter() {
            open.retain(|&other| is_near(a, merged[other].area.a, found.area.a, gap));
            let is_joined = |&&other: &&usize| {
                let other = &merged[other].area;
                is_near(b, other.b, found.area.b, gap) && !is_repeat(other, &found.area)
            };
            match open.iter().find(is_joined) {
                Some(&other) => merged[other] = merged[other].and(found),
                None => {
                    open.push(merged.len());
                    merged.push(found);
                }
            }
        }
        *candidates = merged;
        if candidates.len() == before {
            break;
        }
    }
}

/// Whether there are at most `gap` pieces, or as many words, between two stretches of a page.
fn is_near(page: &Page, x: [u32; 2], y: [u32; 2], gap: u32) -> bool {
    let within = |x: [u32; 2], y: [u32; 2], gap: u32| {
        x[0] <= y[1].saturating_add(gap) && y[0] <= x[1].saturating_add(gap)
    };
    within(x, y, SHORT_SENTENCE.saturating_mul(gap))
        || within(page.pieces_of(x), page.pieces_of(y), gap)
}

/// Whether one is on one side a part of the other that is repeated on the other side.
fn is_repeat(x: &Area, y: &Area) -> bool {
    let is_part = |x: [u32; 2], y: [u32; 2]| {
        let shorter = (x[1] - x[0]).min(y[1] - y[0]);
        2 * common(x, y) > shorter
    };
    (is_part(x.a, y.a) && common(x.b, y.b) == 0) || (is_part(x.b, y.b) && common(x.a, y.a) == 0)
}

/// How many words two stretches have in common.
fn common(x: [u32; 2], y: [u32; 2]) -> u32 {
    x[1].min(y[1]).saturating_sub(x[0].max(y[0]))
}

/// Drops what only repeats a small part of a better candidate elsewhere in the other text. A candidate that repeats
/// most of a better one stays: what is copied twice is two passages.
pub(super) fn drop_echoes(candidates: &mut Vec<Candidate>) {
    let mut echoes = vec![false; candidates.len()];
    candidates.sort_unstable_by_key(|found| (found.area, found.weight));
    mark_echoes(candidates, |area| area.a, &mut echoes);
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_unstable_by_key(|&at| (candidates[at].area.b, candidates[at].area.a));
    let by_b: Vec<Candidate> = order.iter().map(|&at| candidates[at]).collect();
    let mut echoes_by_b = vec![false; by_b.len()];
    mark_echoes(&by_b, |area| area.b, &mut echoes_by_b);
    for (&at, echo) in order.iter().zip(echoes_by_b) {
        echoes[at] |= echo;
    }
    let mut echoes = echoes.into_iter();
    candidates.retain(|_| !echoes.next().unwrap_or(false));
}

/// Marks the echoes among candidates that are sorted by a side.
fn mark_echoes(sorted: &[Candidate], side: impl Fn(&Area) -> [u32; 2], echoes: &mut [bool]) {
    let mut open: Vec<usize> = Vec::new();
    for (at, found) in sorted.iter().enumerate() {
        let begin = side(&found.area)[0];
        open.retain(|&other| side(&sorted[other].area)[1] > begin);
        for &other in &open {
            let (mut better, mut worse) = (other, at);
            let rank = |at: usize| (Reverse(sorted[at].weight), sorted[at].area);
            if rank(worse) < rank(better) {
                (better, worse) = (worse, better);
            }
            let (x, y) = (side(&sorted[worse].area), side(&sorted[better].area));
            let common = common(x, y);
            if 2 * common > x[1] - x[0] && 2 * common < y[1] - y[0] {
                echoes[worse] = true;
            }
        }
        open.push(at);
    }
}
