//! Which words are there, and how often? Hashes of words come in, distinct ones go out.

use lookalike_text::hash::Table;

/// Counts words, again and again.
#[derive(Default)]
pub(super) struct Distinct {
    words: Vec<(u64, u32)>,
    /// Places in `words` plus 1.
    places: Table<u32>,
}

impl Distinct {
    /// Each word once, in the order of first occurrence, and how often it occurs.
    pub(super) fn count(&mut self, hashes: &[u64]) -> &[(u64, u32)] {
        self.words.clear();
        self.places.reset(hashes.len());
        for &hash in hashes {
            let is_it = |&place: &u32| self.words[place as usize - 1].0 == hash;
            let new = self.words.len() as u32 + 1;
            match self.places.get_or_put(hash, is_it, new) {
                (_, true) => self.words.push((hash, 1)),
                (&mut place, false) => {
                    let times = &mut self.words[place as usize - 1].1;
                    *times = times.saturating_add(1);
                }
            }
        }
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use lookalike_text::hash::mix64;

    use super::*;

    #[test]
    fn words_are_counted_whatever_their_hashes() {
        let mut distinct = Distinct::default();
        for hashes in [
            vec![],
            vec![8, 0, 8, 16, 0, 8],
            (0..500).map(|n| mix64(n % 77)).collect(),
        ] {
            let mut expected: Vec<(u64, u32)> = Vec::new();
            for &hash in &hashes {
                match expected.iter_mut().find(|(known, _)| *known == hash) {
                    Some((_, times)) => *times += 1,
                    None => expected.push((hash, 1)),
                }
            }
            assert_eq!(distinct.count(&hashes), expected);
        }
    }
}
