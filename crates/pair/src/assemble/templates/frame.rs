//! Which words of a text make up the frame of its variants.

use std::ops::Range;

use super::super::difference::Stretch;
use super::worded::{Word, Worded};

/// Some words of a text, in order.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) words: Vec<Word>,
    /// Where they are in the text.
    pub(super) places: Vec<usize>,
}

impl Frame {
    /// Whether a text that differs so from the frame has all its words, in order.
    pub(super) fn is_whole(&self, differences: &[Stretch]) -> bool {
        differences.iter().all(|stretch| stretch.a.is_empty())
    }

    /// The words of such a text before, between and after those of the frame, where there are any.
    pub(super) fn gaps(&self, differences: &[Stretch]) -> Vec<(usize, Range<usize>)> {
        let inserted = differences.iter();
        inserted
            .map(|stretch| (stretch.a.start, stretch.b.clone()))
            .collect()
    }

    /// The same of the text that the frame is of.
    pub(super) fn own_gaps(&self, text: &Worded) -> Vec<(usize, Range<usize>)> {
        let ends = self.places.iter().copied().chain([text.words.len()]);
        let begins = [0]
            .into_iter()
            .chain(self.places.iter().map(|place| place + 1));
        let gaps = begins.zip(ends).map(|(begin, end)| begin..end).enumerate();
        gaps.filter(|(_, gap)| !gap.is_empty()).collect()
    }
}

/// Asks variants which words of the first text they have.
pub(super) struct Choice {
    /// How many have each word.
    counts: Vec<u32>,
    /// Which words each lacks, one after the other, and where those of each end.
    lacks: Vec<u32>,
    ends: Vec<usize>,
    asked: u32,
}

impl Choice {
    pub(super) fn new(words: usize) -> Self {
        Choice {
            counts: vec![0; words],
            lacks: Vec::new(),
            ends: Vec::new(),
            asked: 0,
        }
    }

    /// Counts a variant that differs so from the first text.
    pub(super) fn ask(&mut self, differences: &[Stretch], only_count: bool) {
        self.asked += 1;
        self.counts.iter_mut().for_each(|count| *count += 1);
        for word in differences.iter().flat_map(|stretch| stretch.a.clone()) {
            self.counts[word] -= 1;
            if !only_count {
                self.lacks.push(word as u32);
            }
        }
        self.ends.push(self.lacks.len());
    }

    /// The words that at least so many variants have, for the number by which the variants that have all of these, times the
    /// words, are most: that explains most of the texts. At least two have them, if any two have a word in common.
    pub(super) fn best(&self, first: &Worded, of_all: bool) -> Frame {
        let least = if of_all { self.asked } else { self.least() };
        let places = (0..self.counts.len()).filter(|&word| self.counts[word] >= least);
        let places: Vec<usize> = places.collect();
        Frame {
            words: places
                .iter()
                .map(|&word| first.words[word].clone())
                .collect(),
            places,
        }
    }

    fn least(&self) -> u32 {
        // A variant has all words that more variants have than any it lacks.
        let mut begin = 0;
        let lacked = self.ends.iter().map(|&end| {
            let lacks = &self.lacks[begin..end];
            begin = end;
            lacks.iter().map(|&word| self.counts[word as usize]).max()
        });
        let mut lacked: Vec<u32> = lacked.map(Option::unwrap_or_default).collect();
        lacked.sort_unstable();
        let mut counts = self.counts.clone();
        counts.sort_unstable();
        let explains = |least: u32| {
            let variants = lacked.partition_point(|&lacked| lacked < least);
            let words = counts.len() - counts.partition_point(|&count| count < least);
            (variants > 1 && words > 0, variants as u64 * words as u64)
        };
        let mut tried = counts.clone();
        tried.dedup();
        // Of equal ones the frame that most variants have.
        let best = tried.into_iter().max_by_key(|&least| explains(least));
        best.unwrap_or(self.asked)
    }
}
