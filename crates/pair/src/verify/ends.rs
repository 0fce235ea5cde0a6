//! Common ends: how many first and last features both have, over the number of the longer text. What is left in the
//! middle is what would have to be exchanged.

pub(super) fn similarity(a: &[u64], b: &[u64]) -> f64 {
    let agreeing =
        |pairs: &mut dyn Iterator<Item = (&u64, &u64)>| pairs.take_while(|(x, y)| x == y).count();
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    let first = agreeing(&mut a.iter().zip(b));
    // No feature is at both ends.
    let last = agreeing(&mut a.iter().rev().zip(b.iter().rev())).min(shorter - first);
    (first + last) as f64 / longer as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_exchanged_feature_leaves_all_others_at_the_ends() {
        assert_eq!(similarity(&[1, 2, 3, 4], &[1, 2, 9, 4]), 0.75);
        assert_eq!(similarity(&[1, 2], &[1, 2, 3, 4]), 0.5);
        assert_eq!(similarity(&[9, 1, 2], &[1, 2, 9]), 0.0);
    }

    #[test]
    fn a_feature_counts_once_though_it_is_at_both_ends() {
        assert_eq!(similarity(&[1, 1], &[1, 1, 1]), 2.0 / 3.0);
        assert_eq!(similarity(&[1, 1, 1], &[1, 1, 1]), 1.0);
    }
}
