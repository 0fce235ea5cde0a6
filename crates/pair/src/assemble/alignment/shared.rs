//! Which words do two pages share? Their indexes come in; out go the words of both.

use super::page::Index;

/// The place of what the other page does not have.
pub(super) const ALONE: u32 = u32::MAX;

/// Above this ratio of their sizes, the words of the smaller index are looked up in the larger one, so that a page that
/// holds thousands of others is not read once for each of them.
const MUCH_LARGER: usize = 16;

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

/// The same for lists of which the second is much longer.
fn look_up(few: &[u64], many: &[u64], mut each: impl FnMut(u32, u32)) {
    let mut from = 0;
    for (i, &wanted) in few.iter().enumerate() {
        from += many[from..].partition_point(|&hash| hash < wanted);
        if many.get(from) == Some(&wanted) {
            each(i as u32, from as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_up_finds_what_merging_finds() {
        let many: Vec<u64> = (0..1000).map(|number| number * 7 % 4001).collect();
        let mut many = many;
        many.sort_unstable();
        for few in [
            vec![],
            vec![0],
            vec![3, 7, 14, 15, 4000, 9000],
            many.clone(),
        ] {
            let (mut merged, mut looked_up) = (Vec::new(), Vec::new());
            merge(&few, &many, |a, b| merged.push((a, b)));
            look_up(&few, &many, |a, b| looked_up.push((a, b)));
            assert_eq!(looked_up, merged);
        }
    }
}
