//! Which items of two sequences correspond, and which were replaced, inserted or deleted. Myers' greedy algorithm (1986): time
//! and memory grow with the square of the number of differences, not of the length, and that is capped.

use std::ops::Range;

/// With more differences than this, everything between the common ends is one replaced stretch.
const MOST_DIFFERENCES: usize = 600;

/// A stretch that differs: an insertion or deletion if one side is empty.
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

/// Finds differences, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Differ {
    furthest: Vec<i32>,
    trace: Vec<i32>,
}

impl Differ {
    /// Replaces `out` by the stretches in which the sequences differ, in order.
    pub(super) fn find<T>(
        &mut self,
        (a, b): (&[T], &[T]),
        same: impl Fn(&T, &T) -> bool,
        out: &mut Vec<Stretch>,
    ) {
        out.clear();
        let alike = |(x, y): &(&T, &T)| same(x, y);
        let before = a.iter().zip(b).take_while(alike).count();
        let (rest_a, rest_b) = (&a[before..], &b[before..]);
        let after = rest_a.iter().rev().zip(rest_b.iter().rev());
        let after = after.take_while(alike).count();
        let a = &rest_a[..rest_a.len() - after];
        let b = &rest_b[..rest_b.len() - after];
        if a.is_empty() && b.is_empty() {
            return;
        }
        let whole = Stretch {
            a: before..before + a.len(),
            b: before..before + b.len(),
        };
        if a.is_empty() || b.is_empty() || (a.len() == 1 && b.len() == 1) {
            return out.push(whole);
        }
        match self.search(a, b, same) {
            Some(differences) => self.trace_back([a.len(), b.len()], differences, before, out),
            None => out.push(whole),
        }
    }

    /// The number of differences; for each smaller number, `trace` has how far every diagonal went.
    fn search<T>(&mut self, a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Option<usize> {
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
                while x < n && y < m && y >= 0 && same(&a[x as usize], &b[y as usize]) {
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

    fn trace_back(
        &self,
        [n, m]: [usize; 2],
        differences: usize,
        offset: usize,
        out: &mut Vec<Stretch>,
    ) {
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
            match out.last_mut() {
                Some(next) if next.a.start == step.0.end && next.b.start == step.1.end => {
                    next.a.start = step.0.start;
                    next.b.start = step.1.start;
                }
                _ => out.push(Stretch {
                    a: step.0,
                    b: step.1,
                }),
            }
            (x, y) = (from_x, from_y);
        }
        out.reverse();
    }
}
