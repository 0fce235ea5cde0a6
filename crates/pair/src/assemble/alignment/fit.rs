//! Where exactly does a passage begin and end? An area of matches comes in; out goes the area that fits the words best:
//! on each side in turn the stretch of cells whose words gain most, until nothing changes.

use std::iter;

use super::groups::Area;
use super::page::Page;
use super::runs::Run;
use super::weighed::{BIT, There, View, Weighed};

/// So many words beyond the other side count, too, unless they are copied: it may grow by them.
const MARGIN: u32 = 40;

/// A stretch is searched until it has lost so many bits: about a sentence of other words.
const MOST_LOSS: i64 = 32 * BIT as i64;

/// How often both sides are fitted at most; nearly all settle in two rounds.
const ROUNDS: u32 = 4;

/// What a passage has as a whole or not at all: pieces of sentences, cut where something copied begins or ends. So
/// passages in other words end where sentences do, and copied ones where the copy does.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// Where the pieces of each page are cut, ascending.
    cuts_a: Vec<u32>,
    cuts_b: Vec<u32>,
    near: Vec<Cell>,
}

/// Some words, and how much they gain.
#[derive(Debug, Clone, Copy)]
struct Cell {
    begin: u32,
    end: u32,
    gain: i64,
}

impl Cells {
    /// Cuts the pages.
    pub(super) fn cut<'a>(&mut self, copied: impl Iterator<Item = &'a Run> + Clone) {
        let cut = |runs: &mut dyn Iterator<Item = u32>, out: &mut Vec<u32>| {
            out.clear();
            out.extend(runs);
            out.sort_unstable();
            out.dedup();
        };
        let in_a = copied.clone().flat_map(|run| [run.a, run.a + run.words]);
        cut(&mut in_a.into_iter(), &mut self.cuts_a);
        let in_b = copied.flat_map(|run| [run.b, run.b + run.words]);
        cut(&mut in_b.into_iter(), &mut self.cuts_b);
    }

    /// The area that fits best, starting from `area`.
    pub(super) fn fit(&mut self, a: &Page, b: &Page, weighed: &Weighed, mut area: Area) -> Area {
        let [in_a, in_b] = weighed.views(a, b);
        let cut_a = CutPage {
            page: a,
            cuts: &self.cuts_a,
        };
        let cut_b = CutPage {
            page: b,
            cuts: &self.cuts_b,
        };
        for _ in 0..ROUNDS {
            let before = area;
            area.a = best_stretch(&in_a, cut_a, &mut self.near, area.a, area.b);
            area.b = best_stretch(&in_b, cut_b, &mut self.near, area.b, area.a);
            if area == before {
                break;
            }
        }
        area
    }
}

/// A page and where its pieces are cut.
#[derive(Clone, Copy)]
struct CutPage<'p> {
    page: &'p Page,
    cuts: &'p [u32],
}

impl CutPage<'_> {
    /// Where the cell of a word begins,
    fn begin(&self, word: u32) -> u32 {
        let piece = &self.page.pieces[self.page.piece_of[word as usize] as usize];
        let cut = self.cuts.partition_point(|&cut| cut <= word);
        let cut = cut.checked_sub(1).map_or(0, |cut| self.cuts[cut]);
        piece.begin.max(cut)
    }

    /// and where it ends.
    fn end(&self, word: u32) -> u32 {
        let piece = &self.page.pieces[self.page.piece_of[word as usize] as usize];
        let cut = self.cuts.partition_point(|&cut| cut <= word);
        let cut = self.cuts.get(cut).copied().unwrap_or(u32::MAX);
        piece.end.min(cut)
    }

    /// The cells before one that begins here, from the last to the first.
    fn before(self, begin: u32) -> impl Iterator<Item = [u32; 2]> {
        let before = move |end: u32| Some([self.begin(end.checked_sub(1)?), end]);
        iter::successors(before(begin), move |&[begin, _]| before(begin))
    }

    /// The cells from here on.
    fn after(self, begin: u32) -> impl Iterator<Item = [u32; 2]> {
        let words = self.page.words.len() as u32;
        let after = move |begin: u32| (begin < words).then(|| [begin, self.end(begin)]);
        iter::successors(after(begin), move |&[_, end]| after(end))
    }
}

/// The stretch of cells near `here` that gains most by the words near `there`; `here` if none gains anything.
fn best_stretch(
    view: &View<'_>,
    cells: CutPage<'_>,
    near: &mut Vec<Cell>,
    here: [u32; 2],
    there: [u32; 2],
) -> [u32; 2] {
    let margins = [
        there[0].saturating_sub(MARGIN),
        there[1].saturating_add(MARGIN).min(view.other_words),
    ];
    let there = There {
        stretch: there,
        margins,
    };
    let cell = |[begin, end]: [u32; 2]| Cell {
        begin,
        end,
        gain: view.gain([begin, end], &there),
    };
    let begin = cells.begin(here[0]);
    near.clear();
    near.extend(until_lost(cells.before(begin).map(cell)));
    near.reverse();
    let first = near.len();
    let inner = cells.after(begin).take_while(|cell| cell[0] < here[1]);
    near.extend(inner.map(cell));
    let end = near.len();
    let end_of_inner = near.last().map_or(begin, |cell| cell.end);
    near.extend(until_lost(cells.after(end_of_inner).map(cell)));

    let (mut best, mut stretch) = (0, here);
    let (mut sum, mut from) = (0, 0);
    for (at, cell) in near.iter().enumerate() {
        if sum <= 0 {
            (sum, from) = (0, at);
        }
        sum += cell.gain;
        if sum > best && from < end && at >= first {
            (best, stretch) = (sum, [near[from].begin, cell.end]);
        }
    }
    stretch
}

/// The cells until too much is lost.
fn until_lost(cells: impl Iterator<Item = Cell>) -> impl Iterator<Item = Cell> {
    let (mut sum, mut best) = (0_i64, 0);
    cells.take_while(move |cell| {
        let going = best - sum <= MOST_LOSS;
        sum += cell.gain;
        best = best.max(sum);
        going
    })
}
