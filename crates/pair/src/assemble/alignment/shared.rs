//! Which words do two pages share? Their indexes come in; out go the words of both.

use super::page::Index;

/// The place of what the other page does not have.
pub(super) const ALONE: u32 = u32::MAX;

/// Above this ratio of their sizes, the words of the smaller index are looked up in the larger one, so that a page that
/// holds thousands of others is not read once for each of them.
const MUCH_LARGER: usize = 16;

/// How far from where it is expected a hash is looked for at first.
const NEAR: usize = 64;

/// A word that both pages have: its rank in either index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Both {
    pub a: u32,
    pub b: u32,
}

/// Replaces `out` by the words of both indexes, in the order of their hashes.
pub(super) fn join(a: &Index, b: &Index, out: &mut Vec<Both>) {
    out.clear();
    if a.hashes.len() > MUCH_LARGER * b.hashes.len() {
        look_up(&b.hashes, &a.hashes, |b, a| out.push(Both { a, b }));
    } else if b.hashes.len() > MUCH_LARGER * a.hashes.len() {
        look_up(&a.hashes, &b.hashes, |a, b| out.push(Both { a, b }));
    } else {
        merge(&a.hashes, &b.hashes, |a, b| out.push(Both { a, b }));
    }
}

fn merge(a: &[u64], b: &[u64], mut each: impl FnMut(u32, u32)) {
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (first, second) = (a[i], b[j]);
        if first == second {
            each(i as u32, j as u32);
        }
        i += usize::from(first <= second);
        j += usize::from(second <= first);
    }
}

/// The same for lists of which the second is much longer. Hashes are spread evenly: each is near the place that follows from
/// its value, so that it is found in a few steps however many there are.
fn look_up(few: &[u64], many: &[u64], mut each: impl FnMut(u32, u32)) {
    for (i, &wanted) in few.iter().enumerate() {
        let near = (u128::from(wanted) * many.len() as u128) >> 64;
        let at = first_not_below(many, wanted, near as usize);
        if many.get(at) == Some(&wanted) {
            each(i as u32, at as u32);
        }
    }
}

/// The first place of a hash that is not below the one wanted, looked for from a place near it, in steps that double.
fn first_not_below(many: &[u64], wanted: u64, near: usize) -> usize {
    let is_below = |at: usize| many.get(at).is_some_and(|&hash| hash < wanted);
    let (mut low, mut high, mut step) = (near, near, NEAR);
    while is_below(high) {
        low = high;
        high += step;
        step *= 2;
    }
    while low > 0 && !is_below(low) {
        high = low;
        low = low.saturating_sub(step);
        step *= 2;
    }
    let high = high.min(many.len());
    low + many[low.min(high)..high].partition_point(|&hash| hash < wanted)
}

#[cfg(test)]
mod tests {
    use lookalike_text::hash::mix64;

    use super::*;

    #[test]
    fn looking_up_finds_what_merging_finds() {
        // Spread evenly, and not at all.
        let spread: Vec<u64> = (0..1000).map(|number| mix64(number / 2)).collect();
        let crowded: Vec<u64> = (0..1000).map(|number| number * 7 % 4001).collect();
        for mut many in [spread, crowded] {
            many.sort_unstable();
            many.dedup();
            for few in [
                vec![],
                vec![0],
                vec![3, 7, 14, 15, 4000, 9000, u64::MAX],
                many.iter()
                    .skip(1)
                    .step_by(17)
                    .flat_map(|hash| [hash - 1, *hash, hash + 1])
                    .collect(),
                many.clone(),
            ] {
                let (mut merged, mut looked_up) = (Vec::new(), Vec::new());
                merge(&few, &many, |a, b| merged.push((a, b)));
                look_up(&few, &many, |a, b| looked_up.push((a, b)));
                assert_eq!(looked_up, merged);
            }
        }
    }
}
