//! Passages by their words. Two pages come in; out go the areas of words they share.
//!
//! Matches are runs of the same words ([`runs`](super::runs)) and pieces of sentences that share rare words
//! ([`dots`](super::dots)). Matches near each other make an area ([`groups`](super::groups)), whose ends are fitted to
//! the words ([`fit`](super::fit)); what remains of the matches makes further areas.

use std::ops::Range;

use super::PassageOptions;
use super::dots::Dots;
use super::fit::Cells;
use super::groups::{Area, Match, group};
use super::page::Page;
use super::runs::{Run, Runs};
use super::settle::{Candidate, drop_echoes, merge};
use super::weighed::{BIT, Weighed};

/// A run of so many words is copied: beside it, its words speak for nothing else, and its ends are ends of cells.
const COPIED: u32 = 12;

/// How many bits speak for a passage at least, on either side: by chance one in millions of places has so many. Half of it
/// speaks for a part of a passage, near others.
const LEAST_BITS: u64 = 24;

/// Whoever asks for passages of fewer words than this asks for so much less.
const LEAST_WORDS: u64 = 40;

/// Which are those of so many sentences.
const LEAST_SENTENCES: u64 = 3;

/// How much of both sides is the same at least, in percent of their weight.
const LEAST_PERCENT: u64 = 40;

/// How many areas the matches of one group make at most.
const MOST_AREAS: u32 = 8;

/// Finds the passages of pairs of pages, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    runs: Runs,
    weighed: Weighed,
    dots: Dots,
    cells: Cells,
    matches: Vec<Match>,
    waiting: Vec<(Range<usize>, u32)>,
    groups: Vec<Range<usize>>,
    candidates: Vec<Candidate>,
}

impl Pairing {
    /// The passages of two pages.
    pub(super) fn find(&mut self, a: &Page, b: &Page, options: &PassageOptions) -> &[Candidate] {
        self.candidates.clear();
        if a.hashes == b.hashes {
            self.candidates.extend(everything(a, b));
            return &self.candidates;
        }
        self.match_pages(a, b);
        self.make_candidates(a, b, options);
        merge(&mut self.candidates, a, b, options.gap);
        let least = 2 * least_bits(options);
        self.candidates
            .retain(|found| found.weight >= least && is_long(a, b, found.area, options));
        drop_echoes(&mut self.candidates);
        for found in &mut self.candidates {
            found.special = found.special.saturating_sub(least - 1);
        }
        &self.candidates
    }

    /// The sentences of two pages that match.
    pub(super) fn dots(&mut self, a: &Page, b: &Page) -> Vec<(u32, u32)> {
        self.weighed.weigh(a, b);
        self.dots.find(a, b, &self.weighed);
        let dots = self.dots.found.iter();
        let mut sentences: Vec<_> = dots
            .map(|dot| {
                (
                    a.pieces[dot.a as usize].sentence,
                    b.pieces[dot.b as usize].sentence,
                )
            })
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        sentences
    }

    fn match_pages(&mut self, a: &Page, b: &Page) {
        self.weighed.weigh(a, b);
        self.runs.find(a, b);
        let is_copied = |run: &&Run| {
            let area = area_of(**run);
            a.length(area.a).min(b.length(area.b)) >= 2 * COPIED
        };
        let copied = self.runs.found.iter().filter(is_copied);
        for run in copied.clone() {
            let area = area_of(*run);
            self.weighed.copy(area);
        }
        self.cells.cut(copied);
        self.dots.find(a, b, &self.weighed);
        self.matches.clear();
        let runs = self.runs.found.iter();
        let runs = runs.map(|run| (area_of(*run), is_copied(&run)));
        let dots = self.dots.found.iter().map(|dot| {
            let (a, b) = (words_of(a, dot.a), words_of(b, dot.b));
            (Area { a, b }, false)
        });
        let matches = runs.chain(dots).map(|(words, copied)| Match {
            words,
            copied,
            pieces: Area {
                a: a.pieces_of(words.a),
                b: b.pieces_of(words.b),
            },
        });
        self.matches.extend(matches);
    }

    /// Makes candidates of the matches.
    fn make_candidates(&mut self, a: &Page, b: &Page, options: &PassageOptions) {
        let (gap, least) = (options.gap, least_bits(options) / 2);
        self.waiting.clear();
        self.waiting.push((0..self.matches.len(), 0));
        while let Some((range, round)) = self.waiting.pop() {
            let begin = range.start;
            self.groups.clear();
            group(&mut self.matches[range], gap, &mut |part| {
                self.groups.push(begin + part.start..begin + part.end);
            });
            for range in self.groups.drain(..) {
                let matches = &mut self.matches[range.clone()];
                let Some(area) = matches.iter().map(|found| found.words).reduce(Area::and) else {
                    continue;
                };
                let copied = matches
                    .iter()
                    .filter(|found| found.copied)
                    .map(|found| found.words);
                copied.clone().for_each(|run| self.weighed.link(run));
                let area = self.cells.fit(a, b, &self.weighed, area);
                self.candidates
                    .extend(candidate(a, b, &self.weighed, area, least));
                copied.for_each(|run| self.weighed.unlink(run));
                let rest = move_overlapping_first(matches, &area);
                if rest > 0 && rest < matches.len() && round < MOST_AREAS {
                    self.waiting
                        .push((range.start + rest..range.end, round + 1));
                }
            }
        }
    }
}

/// Puts the matches that overlap an area before the others, and says how many they are.
fn move_overlapping_first(matches: &mut [Match], area: &Area) -> usize {
    let mut overlapping = 0;
    for at in 0..matches.len() {
        if matches[at].words.overlaps(area) {
            matches.swap(at, overlapping);
            overlapping += 1;
        }
    }
    overlapping
}

fn area_of(run: Run) -> Area {
    Area {
        a: [run.a, run.a + run.words],
        b: [run.b, run.b + run.words],
    }
}

fn words_of(page: &Page, piece: u32) -> [u32; 2] {
    let piece = &page.pieces[piece as usize];
    [piece.begin, piece.end]
}

/// The whole of two pages with the same words.
fn everything(a: &Page, b: &Page) -> Option<Candidate> {
    let common = |page: &Page| page.sentences.iter().all(|sentence| sentence.common);
    let (in_a, in_b) = (a.words.len() as u32, b.words.len() as u32);
    (in_a > 0).then_some(Candidate {
        area: Area {
            a: [0, in_a],
            b: [0, in_b],
        },
        weight: 1,
        special: u64::from(!common(a) && !common(b)),
    })
}

/// What speaks for a passage at least: the less, the fewer words or sentences are enough.
fn least_bits(options: &PassageOptions) -> u64 {
    let of_sentences = LEAST_WORDS * u64::from(options.least_sentences) / LEAST_SENTENCES;
    let words = u64::from(options.least_words)
        .min(of_sentences)
        .min(LEAST_WORDS);
    LEAST_BITS * u64::from(BIT) * words / LEAST_WORDS
}

/// The area as a candidate, if enough speaks for it to be a part of a passage.
fn candidate(a: &Page, b: &Page, weighed: &Weighed, area: Area, least: u64) -> Option<Candidate> {
    let [in_a, in_b] = weighed.overlap(a, b, area);
    let (shared, all) = (in_a.shared + in_b.shared, in_a.all + in_b.all);
    let enough = in_a.shared.min(in_b.shared) >= least && 100 * shared >= LEAST_PERCENT * all;
    enough.then_some(Candidate {
        area,
        weight: shared,
        special: in_a.special + in_b.special,
    })
}

fn is_long(a: &Page, b: &Page, area: Area, options: &PassageOptions) -> bool {
    let sentences = |page: &Page, [begin, end]: [u32; 2]| {
        page.sentence_of(end - 1) - page.sentence_of(begin) + 1
    };
    let (x, y) = (sentences(a, area.a), sentences(b, area.b));
    let words = (a.length(area.a) + b.length(area.b)) / 4;
    words >= options.least_words || x.max(y) >= options.least_sentences
}
