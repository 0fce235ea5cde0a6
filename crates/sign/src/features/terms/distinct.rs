//! Which words are there, and how often? Hashes of words come in, distinct ones go out.

/// Counts words, again and again. A table of our own: clearing a map takes time for the largest unit that it has ever
/// held.
#[derive(Default)]
pub(super) struct Distinct {
    words: Vec<(u64, u32)>,
    /// Places in `words` plus 1, by hash; 0 is free.
    slots: Vec<u32>,
}

impl Distinct {
    /// Each word once, in the order of first occurrence, and how often it occurs.
    pub(super) fn count(&mut self, hashes: &[u64]) -> &[(u64, u32)] {
        self.words.clear();
        self.slots.clear();
        self.slots.resize((2 * hashes.len()).next_power_of_two(), 0);
        let mask = self.slots.len() - 1;
        for &hash in hashes {
            let mut at = hash as usize & mask;
            loop {
                match self.slots[at] {
                    0 => {
                        self.words.push((hash, 1));
                        self.slots[at] = self.words.len() as u32;
                        break;
                    }
                    place => {
                        let (known, times) = &mut self.words[place as usize - 1];
                        if *known == hash {
                            *times = times.saturating_add(1);
                            break;
                        }
                    }
                }
                at = (at + 1) & mask;
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
