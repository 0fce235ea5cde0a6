//! Passages by their sentences. Two pages come in; out goes a passage for each diagonal of matching sentences that is
//! long enough (Zhang et al., Efficient Partial-Duplicate Detection, section 4.3), bridged where sentences differ.

use std::cmp::Reverse;

use super::PassageOptions;
use super::groups::Area;
use super::page::Page;
use super::sentence_dots::{Dot, SentenceDots};
use super::settle::Candidate;

/// Finds the diagonals of pairs of pages, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Diagonals {
    dots: SentenceDots,
    chains: Vec<Chain>,
    ends: Vec<usize>,
    candidates: Vec<Candidate>,
}

/// The longest chain that ends at a dot.
#[derive(Debug, Clone, Copy)]
struct Chain {
    dots: u32,
    /// The dot before this one.
    before: Option<usize>,
    /// Whether the dot belongs to a passage already.
    taken: bool,
}

impl Diagonals {
    /// The passages of two pages.
    pub(super) fn find(
        &mut self,
        a: &Page,
        b: &Page,
        threshold: f64,
        options: &PassageOptions,
    ) -> &[Candidate] {
        self.dots.find(a, b, threshold);
        self.candidates.clear();
        self.chain(options.gap);
        self.extract(a, b, options.least_sentences);
        &self.candidates
    }

    /// The sentences of two pages that match.
    pub(super) fn dots(&mut self, a: &Page, b: &Page, threshold: f64) -> Vec<(u32, u32, f64)> {
        self.dots.find(a, b, threshold);
        let dots = self.dots.found.iter();
        dots.map(|dot| (dot.a, dot.b, dot.similarity)).collect()
    }

    /// Finds for each dot the longest chain that ends there. Without a gap, the dot before can only be the one before
    /// on the diagonal.
    fn chain(&mut self, gap: u32) {
        self.chains.clear();
        for at in 0..self.dots.found.len() {
            let before = self.best_before(at, gap);
            self.chains.push(Chain {
                dots: before.map_or(1, |before| self.chains[before].dots + 1),
                before,
                taken: false,
            });
        }
    }

    /// The dot before on the longest chain; of several the one nearest to the diagonal, then the nearest.
    fn best_before(&self, at: usize, gap: u32) -> Option<usize> {
        let dot = self.dots.found[at];
        let reach = gap.saturating_add(1);
        let before = |a: u32| self.dots.found[..at].partition_point(|other| other.a < a);
        let (mut first, end) = (before(dot.a.saturating_sub(reach)), before(dot.a));
        let mut best = None;
        while first < end {
            let rows = &self.dots.found[first..end];
            let row = &rows[..rows.partition_point(|other| other.a == rows[0].a)];
            let left = dot.b.saturating_sub(reach);
            let skipped = row.partition_point(|other| other.b < left);
            let near = row[skipped..].iter().take_while(|other| other.b < dot.b);
            let places = first + skipped..;
            first += row.len();
            for (at, other) in places.zip(near) {
                let (x, y) = (dot.a - other.a, dot.b - other.b);
                let merit = (self.chains[at].dots, Reverse(x.abs_diff(y)), Reverse(x + y));
                if best.is_none_or(|(most, _)| merit > most) {
                    best = Some((merit, at));
                }
            }
        }
        best.map(|(_, at)| at)
    }

    /// Makes passages of the chains, the longest first; a dot belongs to one of them only.
    fn extract(&mut self, a: &Page, b: &Page, least: u32) {
        self.ends.clear();
        self.ends.extend(0..self.chains.len());
        self.ends.sort_by_key(|&end| Reverse(self.chains[end].dots));
        for &end in &self.ends {
            let (mut dots, mut first, mut special) = (0, end, 0);
            let mut next = Some(end);
            while let Some(at) = next.filter(|&at| !self.chains[at].taken) {
                let dot = &self.dots.found[at];
                let common =
                    a.sentences[dot.a as usize].common || b.sentences[dot.b as usize].common;
                special += u64::from(!common);
                self.chains[at].taken = true;
                (dots, first, next) = (dots + 1, at, self.chains[at].before);
            }
            if dots > 0 && dots >= least {
                let (first, last) = (&self.dots.found[first], &self.dots.found[end]);
                let area = area_between(a, b, first, last);
                self.candidates.extend(area.map(|area| Candidate {
                    area,
                    weight: u64::from(dots),
                    special,
                }));
            }
        }
    }
}

/// The words from the first to the last sentence; nothing if they have none.
fn area_between(a: &Page, b: &Page, first: &Dot, last: &Dot) -> Option<Area> {
    let words = |page: &Page, first: u32, last: u32| {
        let begin = page.sentences[first as usize].words.start;
        let end = page.sentences[last as usize].words.end;
        (begin < end).then_some([begin, end])
    };
    Some(Area {
        a: words(a, first.a, last.a)?,
        b: words(b, first.b, last.b)?,
    })
}
