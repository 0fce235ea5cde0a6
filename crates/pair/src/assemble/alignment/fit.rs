//! Where exactly does a passage begin and end? An area of matches comes in; out goes the area that fits the words best:
//! on each side in turn the stretch of cells whose words gain most, until nothing changes.

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
    /// Where the cells of the first page begin, and the end of the last.
    a: Vec<u32>,
    b: Vec<u32>,
    gains: Vec<i64>,
}

impl Cells {
    /// Cuts the pages.
    pub(super) fn cut<'a>(
        &mut self,
        a: &Page,
        b: &Page,
        copied: impl Iterator<Item = &'a Run> + Clone,
    ) {
        let cut = |page: &Page, runs: &mut dyn Iterator<Item = u32>, out: &mut Vec<u32>| {
            out.clear();
            out.push(0);
            out.extend(page.pieces.iter().map(|piece| piece.end));
            out.extend(runs);
            out.sort_unstable();
            out.dedup();
        };
        let in_a = copied.clone().flat_map(|run| [run.a, run.a + run.words]);
        cut(a, &mut in_a.into_iter(), &mut self.a);
        let in_b = copied.flat_map(|run| [run.b, run.b + run.words]);
        cut(b, &mut in_b.into_iter(), &mut self.b);
    }

    /// The area that fits best, starting from `area`.
    pub(super) fn fit(&mut self, a: &Page, b: &Page, weighed: &Weighed, mut area: Area) -> Area {
        let in_a = View::new(&weighed.a, a, &weighed.b, b);
        let in_b = View::new(&weighed.b, b, &weighed.a, a);
        for _ in 0..ROUNDS {
            let before = area;
            area.a = best_stretch(&in_a, &self.a, &mut self.gains, area.a, area.b);
            area.b = best_stretch(&in_b, &self.b, &mut self.gains, area.b, area.a);
            if area == before {
                break;
            }
        }
        area
    }
}

/// The stretch of cells near `here` that gains most by the words near `there`; `here` if none gains anything.
fn best_stretch(
    view: &View<'_>,
    cells: &[u32],
    gains: &mut Vec<i64>,
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
    let gain = |cell: usize| view.gain([cells[cell], cells[cell + 1]], &there);
    let first = cells.partition_point(|&begin| begin <= here[0]).max(1) - 1;
    let end = cells.partition_point(|&begin| begin < here[1]);
    gains.clear();
    gains.extend(until_lost((0..first).rev().map(gain)));
    gains.reverse();
    let first_seen = first - gains.len();
    gains.extend((first..end).map(gain));
    gains.extend(until_lost((end..cells.len() - 1).map(gain)));

    let (mut best, mut stretch) = (0, here);
    let (mut sum, mut begin) = (0, first_seen);
    for (cell, gain) in (first_seen..).zip(gains) {
        if sum <= 0 {
            (sum, begin) = (0, cell);
        }
        sum += *gain;
        if sum > best && begin < end && cell >= first {
            (best, stretch) = (sum, [cells[begin], cells[cell + 1]]);
        }
    }
    stretch
}

/// The gains until too much is lost.
fn until_lost(gains: impl Iterator<Item = i64>) -> impl Iterator<Item = i64> {
    let (mut sum, mut best) = (0_i64, 0);
    gains.take_while(move |gain| {
        let going = best - sum <= MOST_LOSS;
        sum += gain;
        best = best.max(sum);
        going
    })
}
