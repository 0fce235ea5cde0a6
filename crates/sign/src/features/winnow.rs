//! Winnowing: of every window of W consecutive grams the smallest hash, the rightmost of equals.
//!
//! Two texts with a run of W + K − 1 tokens in common share a feature, and about 2 of W + 1 grams are kept. Fewer than
//! W grams are one window.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use lookalike_text::Unit;

use super::grams::GramReader;
use super::{Background, Describe, Features, Grams, Method, Tokens};
use crate::Error;

pub(super) const FORM: &str = "winnow:words:K:W or winnow:chars:K:W";

/// The largest window: beyond it most texts would keep a single gram.
const MAX_WINDOW: usize = 1000;

/// Some of the grams of a unit, at least one in every window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Winnow {
    /// What is chosen from.
    pub grams: Grams,
    /// How many consecutive grams are a window.
    pub window: usize,
}

impl Method for Winnow {
    fn describer(&self, background: &Background) -> Result<Box<dyn Describe>, Error> {
        Ok(Box::new(Winnower {
            grams: self.grams.reader(background),
            window: Window::of(self.window),
        }))
    }

    fn tokens(&self) -> Tokens {
        self.grams.tokens
    }
}

impl fmt::Display for Winnow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "winnow:{}:{}", self.grams, self.window)
    }
}

pub(super) fn parse(arguments: &[&str]) -> Result<Arc<dyn Method>, String> {
    let [tokens, size, window] = arguments else {
        return Err(
            "say words or chars, how many make a gram and how many grams a window, as in winnow:words:3:3".to_string(),
        );
    };
    let grams = Grams::parse(tokens, size)?;
    match window.parse() {
        Ok(window) if (1..=MAX_WINDOW).contains(&window) => Ok(Arc::new(Winnow { grams, window })),
        _ => Err(format!(
            "the window \"{window}\" is not a number from 1 to {MAX_WINDOW}"
        )),
    }
}

struct Winnower {
    grams: GramReader,
    window: Window,
}

impl Describe for Winnower {
    fn describe(&mut self, unit: &Unit<'_>, out: &mut Features) {
        out.clear();
        self.window.restart();
        self.grams.read(unit.text, |gram| {
            if let Some(kept) = self.window.slide(gram) {
                out.push(kept);
            }
        });
        if let Some(kept) = self.window.finish() {
            out.push(kept);
        }
    }
}

/// A window that slides over grams.
struct Window {
    size: usize,
    seen: usize,
    /// The place after the gram that was kept last.
    kept: usize,
    /// The grams of the window, with their places, that are smaller than all after them: ascending, so that the first
    /// is the smallest of the window. Every gram enters and leaves once, whatever the hashes.
    smallest: VecDeque<(u64, usize)>,
}

impl Window {
    fn of(size: usize) -> Self {
        Window {
            size,
            seen: 0,
            kept: 0,
            smallest: VecDeque::new(),
        }
    }

    fn restart(&mut self) {
        self.seen = 0;
        self.kept = 0;
        self.smallest.clear();
    }

    /// Moves on by a gram; the smallest of the window, if the window is full and this gram was not kept before.
    fn slide(&mut self, gram: u64) -> Option<u64> {
        while self.smallest.back().is_some_and(|&(last, _)| last >= gram) {
            self.smallest.pop_back();
        }
        self.smallest.push_back((gram, self.seen));
        self.seen += 1;
        if self.seen < self.size {
            return None;
        }
        let begin = self.seen - self.size;
        if self.smallest.front().is_some_and(|&(_, at)| at < begin) {
            self.smallest.pop_front();
        }
        self.keep()
    }

    /// The smallest of all, if there were too few for a window.
    fn finish(&mut self) -> Option<u64> {
        if self.seen >= self.size {
            return None;
        }
        self.keep()
    }

    fn keep(&mut self) -> Option<u64> {
        let &(gram, at) = self.smallest.front()?;
        (at >= self.kept).then(|| {
            self.kept = at + 1;
            gram
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::features::tests::hashes;

    fn winnow(grams: &[u64], size: usize) -> Vec<u64> {
        let mut window = Window::of(size);
        let mut kept: Vec<u64> = grams
            .iter()
            .filter_map(|&gram| window.slide(gram))
            .collect();
        kept.extend(window.finish());
        kept
    }

    /// As the definition has it, window by window.
    fn by_definition(grams: &[u64], size: usize) -> Vec<u64> {
        let mut places = Vec::new();
        for begin in 0..=grams.len().saturating_sub(size) {
            let end = grams.len().min(begin + size);
            let smallest = (begin..end).rev().min_by_key(|&at| grams[at]);
            places.extend(smallest.filter(|at| !places.contains(at)));
        }
        places.into_iter().map(|at| grams[at]).collect()
    }

    #[test]
    fn the_smallest_gram_of_every_window_is_kept_once() {
        assert_eq!(winnow(&[77, 74, 42, 17, 98, 50, 17, 98, 8], 4), [17, 17, 8]);
        assert_eq!(winnow(&[3, 1, 2, 5, 4], 3), [1, 2]);
        assert_eq!(winnow(&[3, 1, 2], 1), [3, 1, 2]);
    }

    #[test]
    fn of_equal_grams_the_rightmost_is_kept() {
        let mut window = Window::of(3);
        assert_eq!(
            [5, 5, 5].map(|gram| window.slide(gram)),
            [None, None, Some(5)]
        );
        assert_eq!(window.kept, 3);
    }

    #[test]
    fn fewer_grams_than_a_window_keep_their_smallest() {
        assert_eq!(winnow(&[9, 4], 3), [4]);
        assert_eq!(winnow(&[9], 3), [9]);
        assert!(winnow(&[], 3).is_empty());
    }

    #[test]
    fn a_text_that_is_contained_in_another_shares_a_feature_with_it() {
        let long = "today we heard that the quick brown fox jumps over the lazy dog once more";
        let runs = [
            ("winnow:words:3:3", "quick brown fox jumps over"),
            ("winnow:words:5:3", "the quick brown fox jumps over the"),
            ("winnow:chars:5:3", "brown f"),
        ];
        for (form, run) in runs {
            let (all, some) = (hashes(form, long), hashes(form, run));
            assert!(some.iter().any(|hash| all.contains(hash)), "{form}");
        }
        let chinese = hashes("winnow:words:3:3", "昨天我们听说敏捷的棕色狐狸跳过了懒狗");
        let run = hashes("winnow:words:3:3", "棕色狐狸跳");
        assert!(run.iter().any(|hash| chinese.contains(hash)));
    }

    #[test]
    fn a_text_shorter_than_a_gram_is_one_feature() {
        assert_eq!(hashes("winnow:words:5:3", "Guten Morgen").len(), 1);
        assert_ne!(
            hashes("winnow:words:5:3", "guten morgen"),
            hashes("winnow:words:5:3", "guten abend")
        );
    }

    #[test]
    fn features_are_some_of_the_shingles() {
        let text = "eins zwei drei vier fünf sechs sieben acht neun zehn 十一 十二";
        let shingles = hashes("shingles:words:3", text);
        let kept = hashes("winnow:words:3:3", text);
        assert!(kept.iter().all(|hash| shingles.contains(hash)));
        assert!(kept.len() < shingles.len());
    }

    proptest! {
        #[test]
        fn sliding_keeps_what_the_definition_keeps(
            grams in prop::collection::vec(0u64..20, 0..60),
            size in 1usize..10,
        ) {
            prop_assert_eq!(winnow(&grams, size), by_definition(&grams, size));
        }

        #[test]
        fn every_window_has_a_gram_that_is_kept(
            grams in prop::collection::vec(any::<u64>(), 1..60),
            size in 1usize..10,
        ) {
            let kept = winnow(&grams, size);
            for window in grams.windows(size.min(grams.len())) {
                prop_assert!(window.iter().any(|gram| kept.contains(gram)));
            }
        }

        #[test]
        fn texts_with_a_long_enough_run_in_common_share_a_feature(
            (size, window) in (1usize..6, 1usize..6),
            run in prop::collection::vec("[a-d]{1,2}", 11),
            around in prop::collection::vec("[e-z]{1,3}|好|たい", 4 * 6),
        ) {
            let run = run[..size + window - 1].join(" ");
            let mut around = around.chunks(6).map(|words| words.join(" "));
            let mut text = || format!("{} {run} {}", around.next().unwrap(), around.next().unwrap());
            let form = format!("winnow:words:{size}:{window}");
            let (left, right) = (hashes(&form, &text()), hashes(&form, &text()));
            prop_assert!(left.iter().any(|hash| right.contains(hash)));
        }
    }
}
