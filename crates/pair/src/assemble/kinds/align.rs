//! Which tokens of two statements correspond, and which were replaced, inserted or deleted. Myers' greedy algorithm
//! (1986): time and memory grow with the square of the number of differences, not of the length, and that is capped.

use std::ops::Range;

use super::han;
use super::tokens::{Class, Token, Tokens};

/// With more differences than this, everything between the common ends is one replaced stretch.
const MOST_DIFFERENCES: usize = 600;

/// A stretch of differing tokens: an insertion or deletion if one side is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
}

impl Stretch {
    pub(super) fn is_replacement(&self) -> bool {
        !self.a.is_empty() && !self.b.is_empty()
    }
}

#[derive(Debug, Default)]
pub(super) struct Diff {
    pub(super) stretches: Vec<Stretch>,
    furthest: Vec<i32>,
    trace: Vec<i32>,
}

impl Diff {
    pub(super) fn find(&mut self, a: &Tokens, b: &Tokens) {
        self.stretches.clear();
        let same = |(x, y): &(&Token, &Token)| x.id == y.id;
        let before = a.all.iter().zip(&b.all).take_while(same).count();
        let (rest_a, rest_b) = (&a.all[before..], &b.all[before..]);
        let after = rest_a.iter().rev().zip(rest_b.iter().rev());
        let after = after.take_while(same).count();
        let middle_a = &rest_a[..rest_a.len() - after];
        let middle_b = &rest_b[..rest_b.len() - after];
        self.middle(middle_a, middle_b, before);
        self.join_names(a, b);
    }

    fn middle(&mut self, a: &[Token], b: &[Token], offset: usize) {
        if a.is_empty() && b.is_empty() {
            return;
        }
        let whole = Stretch {
            a: offset..offset + a.len(),
            b: offset..offset + b.len(),
        };
        if a.is_empty() || b.is_empty() || (a.len() == 1 && b.len() == 1) {
            self.stretches.push(whole);
            return;
        }
        let Some(differences) = self.search(a, b) else {
            self.stretches.push(whole);
            return;
        };
        self.trace_back(a.len(), b.len(), differences, offset);
    }

    /// The number of differences; for each smaller number, `trace` has how far every diagonal went.
    fn search(&mut self, a: &[Token], b: &[Token]) -> Option<usize> {
        let (n, m) = (a.len() as i32, b.len() as i32);
        let most = (a.len() + b.len()).min(MOST_DIFFERENCES);
        let middle = most as i32 + 1;
        self.furthest.clear();
        self.furthest.resize(2 * most + 3, 0);
        self.trace.clear();
        for d in 0..=most as i32 {
            for k in (-d..=d).step_by(2) {
                let at = (middle + k) as usize;
                let down = k == -d || (k != d && self.furthest[at - 1] < self.furthest[at + 1]);
                let mut x = if down {
                    self.furthest[at + 1]
                } else {
                    self.furthest[at - 1] + 1
                };
                let mut y = x - k;
                while x < n && y < m && y >= 0 && a[x as usize].id == b[y as usize].id {
                    x += 1;
                    y += 1;
                }
                self.furthest[at] = x;
                if x >= n && y >= m {
                    return Some(d as usize);
                }
            }
            let reached = (middle - d) as usize..=(middle + d) as usize;
            self.trace.extend_from_slice(&self.furthest[reached]);
        }
        None
    }

    fn trace_back(&mut self, n: usize, m: usize, differences: usize, offset: usize) {
        let (mut x, mut y) = (n as i32, m as i32);
        for d in (1..=differences as i32).rev() {
            // Row d-1 has 2(d-1)+1 entries and begins after the (d-1)² of those before it.
            let row = ((d - 1) * (d - 1)) as usize;
            let reached = |k: i32| {
                let inside = k.abs() < d;
                inside.then(|| self.trace[row + (k + d - 1) as usize])
            };
            let k = x - y;
            let down =
                k == -d || (k != d && reached(k - 1).unwrap_or(-1) < reached(k + 1).unwrap_or(-1));
            let from = if down { k + 1 } else { k - 1 };
            let from_x = reached(from).unwrap_or(0);
            let from_y = from_x - from;
            let (at_x, at_y) = (from_x as usize + offset, from_y as usize + offset);
            let step = if down {
                (at_x..at_x, at_y..at_y + 1)
            } else {
                (at_x..at_x + 1, at_y..at_y)
            };
            match self.stretches.last_mut() {
                Some(next) if next.a.start == step.0.end && next.b.start == step.1.end => {
                    next.a.start = step.0.start;
                    next.b.start = step.1.start;
                }
                _ => self.stretches.push(Stretch {
                    a: step.0,
                    b: step.1,
                }),
            }
            (x, y) = (from_x, from_y);
        }
        self.stretches.reverse();
    }

    /// A hyphen or a lone ideograph that two names happen to share does not part them.
    fn join_names(&mut self, a: &Tokens, b: &Tokens) {
        let mut joined: usize = 0;
        for at in 0..self.stretches.len() {
            let next = self.stretches[at].clone();
            if at > 0 {
                let last = &mut self.stretches[joined];
                let gap = last.a.end..next.a.start;
                let replaced = last.is_replacement() && next.is_replacement();
                let ideographs = |of: &Range<usize>| a.class(of.start) == Some(Class::Ideograph);
                let joins = gap.len() == 1
                    && next.b.start - last.b.end == 1
                    && match a.class(gap.start) {
                        Some(Class::Mark) => replaced && matches!(a.form(gap.start), "-" | "'"),
                        Some(Class::Ideograph) => {
                            !han::is_function(a.form(gap.start))
                                && ideographs(&last.a)
                                && ideographs(&next.a)
                                && (replaced || b.class(last.b.start) == Some(Class::Ideograph))
                        }
                        _ => false,
                    };
                if joins {
                    last.a.end = next.a.end;
                    last.b.end = next.b.end;
                    continue;
                }
                joined += 1;
            }
            self.stretches[joined] = next;
        }
        if !self.stretches.is_empty() {
            self.stretches.truncate(joined + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Tokens, tokenizer};
    use super::*;

    fn changed(a: &str, b: &str) -> Vec<(String, String)> {
        let (mut left, mut right) = (Tokens::default(), Tokens::default());
        left.read(&mut tokenizer(), a);
        right.read(&mut tokenizer(), b);
        let mut diff = Diff::default();
        diff.find(&left, &right);
        let of = |stretch: &Stretch| {
            (
                left.forms_of(&stretch.a).to_owned(),
                right.forms_of(&stretch.b).to_owned(),
            )
        };
        diff.stretches.iter().map(of).collect()
    }

    #[test]
    fn replaced_inserted_and_deleted_words_are_told_apart() {
        let found = changed("the old red house in Bonn", "the red barn in the Bonn");
        let expected = [("old", ""), ("house", "barn"), ("", "the")];
        assert_eq!(found, expected.map(|(x, y)| (x.to_owned(), y.to_owned())));
    }

    #[test]
    fn an_ideograph_that_two_names_share_does_not_part_them() {
        let found = changed("张大明是诗人", "李大华是诗人");
        assert_eq!(found, [("张大明".to_owned(), "李大华".to_owned())]);
    }

    #[test]
    fn beyond_the_cap_everything_between_the_ends_is_one_stretch() {
        let words =
            |from: usize| -> String { (from..from + 900).map(|n| format!("w{n} ")).collect() };
        let found = changed(
            &format!("a {} z", words(0)),
            &format!("a {} z", words(5000)),
        );
        assert_eq!(found.len(), 1);
    }
}
