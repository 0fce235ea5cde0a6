//! Which sentences of two pages are similar? The features of their sentences come in; out goes a dot for each pair
//! whose Jaccard similarity is at least a threshold.

use super::found::jaccard;
use super::page::Page;

/// A feature with more pairs of sentences has them paired in order: the first with the first, and so on. Otherwise a
/// text that repeats one sentence would have as many dots as the square of its length.
const MOST_PAIRS: u64 = 1024;

/// Two sentences with their similarity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dot {
    pub a: u32,
    pub b: u32,
    pub similarity: f64,
}

/// Finds the dots of pairs of pages, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct SentenceDots {
    shared_a: Vec<Shared>,
    shared_b: Vec<Shared>,
    postings_a: Vec<(u64, u32)>,
    postings_b: Vec<(u64, u32)>,
    proposed: Vec<(u32, u32)>,
    /// The dots, in order.
    pub found: Vec<Dot>,
}

/// A feature of a sentence that the other page has, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shared {
    sentence: u32,
    /// In how many pairs of sentences both have it.
    pairs: u64,
    feature: u64,
}

impl SentenceDots {
    /// Finds the dots of two pages: sentences that share a feature and are similar enough.
    pub(super) fn find(&mut self, a: &Page, b: &Page, threshold: f64) {
        self.share(a, b);
        select(a, threshold, &mut self.shared_a, &mut self.postings_a);
        select(b, threshold, &mut self.shared_b, &mut self.postings_b);
        self.propose();
        self.found.clear();
        let dots = self.proposed.iter().map(|&(x, y)| Dot {
            a: x,
            b: y,
            similarity: jaccard(a.features_of(x as usize), b.features_of(y as usize)),
        });
        self.found
            .extend(dots.filter(|dot| dot.similarity >= threshold));
    }

    /// Finds the features that both pages have.
    fn share(&mut self, a: &Page, b: &Page) {
        self.shared_a.clear();
        self.shared_b.clear();
        for_each_shared(&a.postings, &b.postings, |in_a, in_b| {
            let pairs = in_a.len() as u64 * in_b.len() as u64;
            let shared = |&(feature, sentence): &(u64, u32)| Shared {
                sentence,
                pairs,
                feature,
            };
            self.shared_a.extend(in_a.iter().map(shared));
            self.shared_b.extend(in_b.iter().map(shared));
        });
    }

    /// Finds the pairs of sentences that share a selected feature.
    fn propose(&mut self) {
        self.proposed.clear();
        for_each_shared(&self.postings_a, &self.postings_b, |in_a, in_b| {
            if in_a.len() as u64 * in_b.len() as u64 <= MOST_PAIRS {
                let pairs = in_a
                    .iter()
                    .flat_map(|x| in_b.iter().map(move |y| (x.1, y.1)));
                self.proposed.extend(pairs);
            } else {
                let pairs = in_a.iter().zip(in_b);
                self.proposed.extend(pairs.map(|(x, y)| (x.1, y.1)));
            }
        });
        self.proposed.sort_unstable();
        self.proposed.dedup();
    }
}

/// Replaces `out` by the rarest features of each sentence: so many that sentences that are similar enough share one of
/// them. Those that the other page does not have are the rarest.
fn select(page: &Page, threshold: f64, shared: &mut [Shared], out: &mut Vec<(u64, u32)>) {
    out.clear();
    shared.sort_unstable();
    for group in shared.chunk_by(|x, y| x.sentence == y.sentence) {
        let all = page.features_of(group[0].sentence as usize).len();
        // Rounding must not select too few, so a little less is asked for.
        let needed = (threshold * all as f64 - 1e-6).ceil().max(1.0) as usize;
        let selected = (group.len() + 1).saturating_sub(needed);
        let selected = group[..selected].iter();
        out.extend(selected.map(|shared| (shared.feature, shared.sentence)));
    }
    out.sort_unstable();
}

/// Calls `each` with the postings of every feature that both lists have. Takes no longer than the shorter list is long, but
/// for a logarithm: a page may hold thousands of others.
fn for_each_shared(
    mut a: &[(u64, u32)],
    mut b: &[(u64, u32)],
    mut each: impl FnMut(&[(u64, u32)], &[(u64, u32)]),
) {
    while let (Some(&(first, _)), Some(&(second, _))) = (a.first(), b.first()) {
        if first == second {
            let (in_a, in_b) = (
                before(a, |feature| feature > first),
                before(b, |feature| feature > first),
            );
            each(&a[..in_a], &b[..in_b]);
            (a, b) = (&a[in_a..], &b[in_b..]);
        } else if first < second {
            a = &a[before(a, |feature| feature >= second)..];
        } else {
            b = &b[before(b, |feature| feature >= first)..];
        }
    }
}

/// How many postings come before those that are beyond: by steps twice as long each time.
fn before(postings: &[(u64, u32)], is_beyond: impl Fn(u64) -> bool) -> usize {
    let mut step = 1;
    while postings
        .get(step)
        .is_some_and(|posting| !is_beyond(posting.0))
    {
        step *= 2;
    }
    let (from, to) = (step / 2, step.min(postings.len()));
    from + postings[from..to].partition_point(|posting| !is_beyond(posting.0))
}
