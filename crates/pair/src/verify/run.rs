//! Longest common run: how many consecutive features both have, over the number of the shorter text. It is high where
//! one phrase is common, and low where the same words are scattered.

use std::collections::BTreeMap;

/// Texts of so many pairs of features are compared feature by feature, which costs less there than an automaton.
const FEW_PAIRS: usize = 1 << 16;

pub(super) fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let longest = if shorter.len() * longer.len() <= FEW_PAIRS {
        longest_by_pairs(shorter, longer)
    } else {
        Runs::of(shorter).longest_in(longer)
    };
    longest as f64 / shorter.len() as f64
}

fn longest_by_pairs(shorter: &[u64], longer: &[u64]) -> usize {
    // How long the common run is that ends at each place of the shorter text and at the last one of the longer.
    let mut ending = vec![0usize; shorter.len()];
    let mut longest = 0;
    for feature in longer {
        let mut before = 0;
        for (run, other) in ending.iter_mut().zip(shorter) {
            let next = if feature == other { before + 1 } else { 0 };
            before = std::mem::replace(run, next);
            longest = longest.max(next);
        }
    }
    longest
}

/// All runs of a text as a suffix automaton (Blumer et al. 1985), which has at most two states a feature.
struct Runs {
    states: Vec<State>,
    /// To which state a feature leads.
    next: BTreeMap<(usize, u64), usize>,
}

/// Runs that end at the same places of the text.
#[derive(Clone, Copy)]
struct State {
    /// How long the longest of them is.
    length: usize,
    /// The state of the longest of their ends that is at more places.
    shorter: Option<usize>,
}

impl Runs {
    fn of(text: &[u64]) -> Self {
        let empty = State {
            length: 0,
            shorter: None,
        };
        let mut runs = Runs {
            states: vec![empty],
            next: BTreeMap::new(),
        };
        let mut whole = 0;
        for &feature in text {
            whole = runs.add(whole, feature);
        }
        runs
    }

    /// Adds the feature after the whole text so far; returns the state of the whole text.
    fn add(&mut self, whole: usize, feature: u64) -> usize {
        let length = self.states[whole].length + 1;
        let new = self.push(State {
            length,
            shorter: Some(0),
        });
        let mut end = Some(whole);
        while let Some(state) = end {
            if let Some(&known) = self.next.get(&(state, feature)) {
                self.states[new].shorter = Some(self.split(state, feature, known));
                break;
            }
            self.next.insert((state, feature), new);
            end = self.states[state].shorter;
        }
        new
    }

    /// The state of just those runs of `known` that a feature makes of the runs of `state` and shorter ones.
    fn split(&mut self, state: usize, feature: u64, known: usize) -> usize {
        let length = self.states[state].length + 1;
        if self.states[known].length == length {
            return known;
        }
        let part = self.push(State {
            length,
            ..self.states[known]
        });
        let of_known = self.next.range((known, 0)..=(known, u64::MAX));
        let of_known: Vec<_> = of_known.map(|(&(_, by), &to)| ((part, by), to)).collect();
        self.next.extend(of_known);
        self.states[known].shorter = Some(part);
        let mut end = Some(state);
        while let Some(state) = end
            && self.next.get(&(state, feature)) == Some(&known)
        {
            self.next.insert((state, feature), part);
            end = self.states[state].shorter;
        }
        part
    }

    fn push(&mut self, state: State) -> usize {
        self.states.push(state);
        self.states.len() - 1
    }

    /// How long the longest run is that another text has, too.
    fn longest_in(&self, text: &[u64]) -> usize {
        let (mut state, mut length, mut longest) = (0, 0, 0);
        for &feature in text {
            state = loop {
                if let Some(&next) = self.next.get(&(state, feature)) {
                    length += 1;
                    break next;
                }
                let Some(shorter) = self.states[state].shorter else {
                    break 0;
                };
                length = self.states[shorter].length;
                state = shorter;
            };
            longest = longest.max(length);
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn both_ways_find_the_same(
            a in prop::collection::vec(0u64..4, 1..60),
            b in prop::collection::vec(0u64..4, 1..60),
        ) {
            prop_assert_eq!(Runs::of(&a).longest_in(&b), longest_by_pairs(&a, &b));
        }
    }

    #[test]
    fn the_work_on_long_texts_follows_their_lengths() {
        let text = |begin: u64| (begin..begin + 200_000).map(|place| place % 30_011);
        let (a, b): (Vec<u64>, Vec<u64>) = (text(0).collect(), text(15_000).collect());
        let runs = Runs::of(&a);
        assert!(runs.states.len() <= 2 * a.len() && runs.next.len() <= 3 * a.len());
        // Feature by feature it would be forty thousand million comparisons.
        assert!(similarity(&a, &b) > 0.9);
    }

    #[test]
    fn a_phrase_counts_by_its_length_and_scattered_features_do_not() {
        assert_eq!(similarity(&[1, 2, 3, 4], &[9, 2, 3, 4, 8]), 0.75);
        assert_eq!(similarity(&[1, 2, 3, 4], &[4, 3, 2, 1]), 0.25);
        assert_eq!(similarity(&[1, 1, 2], &[1, 1, 1, 2, 2]), 1.0);
        assert_eq!(similarity(&[1], &[2, 3]), 0.0);
    }
}
