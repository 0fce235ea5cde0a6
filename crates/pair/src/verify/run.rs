//! Longest common run: how many consecutive features both have, over the number of the shorter text. It is high where
//! one phrase is common, and low where the same words are scattered.

pub(super) fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let (shorter, longer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
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
    longest as f64 / shorter.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_counts_by_its_length_and_scattered_features_do_not() {
        assert_eq!(similarity(&[1, 2, 3, 4], &[9, 2, 3, 4, 8]), 0.75);
        assert_eq!(similarity(&[1, 2, 3, 4], &[4, 3, 2, 1]), 0.25);
        assert_eq!(similarity(&[1, 1, 2], &[1, 1, 1, 2, 2]), 1.0);
        assert_eq!(similarity(&[1], &[2, 3]), 0.0);
    }
}
