//! Which matches belong together? Matches come in, each a stretch of one text that matches a stretch of the other; out go
//! groups of them without wide gaps on either side.

use std::ops::Range;

/// A stretch in both texts, of words or of pieces: the first, and the one after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Area {
    pub a: [u32; 2],
    pub b: [u32; 2],
}

impl Area {
    /// The least area that has both.
    pub(super) fn and(self, other: Self) -> Self {
        let join = |x: [u32; 2], y: [u32; 2]| [x[0].min(y[0]), x[1].max(y[1])];
        Self {
            a: join(self.a, other.a),
            b: join(self.b, other.b),
        }
    }

    /// Whether the other has a part of this on both sides.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let overlap = |x: [u32; 2], y: [u32; 2]| x[0] < y[1] && y[0] < x[1];
        overlap(self.a, other.a) && overlap(self.b, other.b)
    }
}

/// A match: its words, and the pieces they are in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    pub words: Area,
    pub pieces: Area,
    /// Whether it is a long run of the same words.
    pub copied: bool,
}

/// Each time a group falls apart on one side, its parts may fall apart on the other. So often at most: a group that
/// would fall apart further has the shape of a staircase, which no text has.
const MOST_ROUNDS: u32 = 24;

/// Sorts `matches` such that each group is one of the ranges that `each` is called with. Within a group there are at
/// most `gap` pieces between matches, on either side.
pub(super) fn group(matches: &mut [Match], gap: u32, each: &mut impl FnMut(Range<usize>)) {
    let mut waiting = vec![(0..matches.len(), 0)];
    while let Some((range, round)) = waiting.pop() {
        if range.is_empty() {
            continue;
        }
        let part = &mut matches[range.clone()];
        let before = waiting.len();
        if round % 2 == 0 {
            part.sort_unstable_by_key(|found| (found.pieces.a, found.words));
            split(
                part,
                gap,
                |found| found.pieces.a,
                |cut| waiting.push((cut, round + 1)),
            );
        } else {
            part.sort_unstable_by_key(|found| (found.pieces.b, found.words));
            split(
                part,
                gap,
                |found| found.pieces.b,
                |cut| waiting.push((cut, round + 1)),
            );
        }
        let whole = waiting.len() == before + 1;
        if (whole && round > 0) || round >= MOST_ROUNDS {
            waiting.truncate(before);
            each(range);
        } else {
            for (cut, _) in &mut waiting[before..] {
                *cut = range.start + cut.start..range.start + cut.end;
            }
        }
    }
}

/// Gives the parts of sorted matches between which there are wide gaps.
fn split(
    matches: &[Match],
    gap: u32,
    side: impl Fn(&Match) -> [u32; 2],
    mut each: impl FnMut(Range<usize>),
) {
    let (mut begin, mut reach) = (0, u32::MAX - gap);
    for (at, found) in matches.iter().enumerate() {
        let [first, end] = side(found);
        if first > reach.saturating_add(gap) {
            each(begin..at);
            begin = at;
            reach = end;
        }
        reach = if at == begin { end } else { reach.max(end) };
    }
    each(begin..matches.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(a: u32, b: u32) -> Match {
        let area = Area {
            a: [a, a + 1],
            b: [b, b + 1],
        };
        Match {
            words: area,
            pieces: area,
            copied: false,
        }
    }

    fn groups(places: &[(u32, u32)], gap: u32) -> Vec<Vec<(u32, u32)>> {
        let mut matches: Vec<Match> = places.iter().map(|&(a, b)| at(a, b)).collect();
        let mut ranges = Vec::new();
        group(&mut matches, gap, &mut |range| ranges.push(range));
        let mut groups: Vec<Vec<(u32, u32)>> = Vec::new();
        for range in ranges {
            let places = matches[range].iter();
            let mut places: Vec<_> = places.map(|m| (m.words.a[0], m.words.b[0])).collect();
            places.sort_unstable();
            groups.push(places);
        }
        groups.sort();
        groups
    }

    #[test]
    fn what_is_near_on_both_sides_is_one_group() {
        assert_eq!(groups(&[(3, 9), (4, 8), (5, 10)], 0).len(), 1);
        assert_eq!(groups(&[(3, 9), (5, 11)], 1).len(), 1);
    }

    #[test]
    fn what_is_far_on_either_side_is_not() {
        assert_eq!(groups(&[(3, 9), (5, 10)], 0).len(), 2);
        assert_eq!(groups(&[(3, 9), (4, 20)], 3).len(), 2);
    }

    #[test]
    fn a_group_that_falls_apart_on_one_side_may_then_fall_apart_on_the_other() {
        // Without (1, 20), which is far in b, (0, 0) and (2, 1) are far in a.
        let expected = vec![vec![(0, 0)], vec![(1, 20)], vec![(2, 1)]];
        assert_eq!(groups(&[(0, 0), (1, 20), (2, 1)], 0), expected);
    }
}
