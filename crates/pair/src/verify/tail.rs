//! Common tail: how many last features both have, over the number of the shorter text. Questions say last what they are about:
//! of "how do I learn X" and "what is the best way to learn X" the tail is the same.

pub(super) fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let from_the_end = a.iter().rev().zip(b.iter().rev());
    let common = from_the_end.take_while(|(x, y)| x == y).count();
    common as f64 / a.len().min(b.len()) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_both_end_with_counts() {
        assert_eq!(similarity(&[1, 2, 3, 4], &[9, 8, 3, 4]), 0.5);
        assert_eq!(similarity(&[3, 4], &[1, 2, 3, 4]), 1.0);
        assert_eq!(similarity(&[1, 2, 3], &[1, 2, 9]), 0.0);
    }
}
