//! All pairs of sets with a Jaccard similarity of at least a threshold, exactly.
//!
//! Prefix filter (Chaudhuri, Ganti, Kaushik 2006): order the elements of all sets from rare to frequent. Two sets that
//! overlap in at least ceil(t·|A|) elements must share one among the first |A| - ceil(t·|A|) + 1 of each. Candidates
//! found through these prefixes are compared in full, so that only the filter could lose a pair; the tests hold it
//! against comparing everything with everything.

use std::collections::HashMap;

/// A pair found: `a` < `b` are places in the input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    pub a: u32,
    pub b: u32,
    pub similarity: f64,
}

/// Sets must be sorted and free of duplicates. Empty sets match nothing.
pub fn all_pairs(sets: &[Vec<u64>], threshold: f64) -> Vec<Found> {
    let groups = group_identical(sets);
    let ranked = order_by_frequency(sets, &groups);
    let mut found = pairs_inside(&groups);
    for (one, other, similarity) in join(&ranked, threshold) {
        for &a in &groups[one as usize] {
            found.extend(groups[other as usize].iter().map(|&b| Found {
                a: a.min(b),
                b: a.max(b),
                similarity,
            }));
        }
    }
    found.sort_unstable_by_key(|pair| (pair.a, pair.b));
    found
}

#[cfg(test)]
fn compare_everything(sets: &[Vec<u64>], threshold: f64) -> Vec<Found> {
    let mut found = Vec::new();
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            let similarity = jaccard(&sets[a], &sets[b]);
            if reaches(similarity, threshold) {
                found.push(Found {
                    a: a as u32,
                    b: b as u32,
                    similarity,
                });
            }
        }
    }
    found
}

pub fn jaccard<T: Ord>(one: &[T], other: &[T]) -> f64 {
    let (mut at, mut to, mut common) = (0, 0, 0);
    while at < one.len() && to < other.len() {
        match one[at].cmp(&other[to]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => to += 1,
            std::cmp::Ordering::Equal => (at, to, common) = (at + 1, to + 1, common + 1),
        }
    }
    let union = one.len() + other.len() - common;
    if union == 0 {
        0.0
    } else {
        common as f64 / union as f64
    }
}

// 7/10 as a float is a little above 0.7 and 0.7 typed is a little below: equal must count as reached.
fn reaches(similarity: f64, threshold: f64) -> bool {
    similarity > 0.0 && similarity >= threshold - 1e-9
}

/// Places of equal sets, each group ascending, groups by their first place.
fn group_identical(sets: &[Vec<u64>]) -> Vec<Vec<u32>> {
    let mut group_of: HashMap<&[u64], usize> = HashMap::new();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for (place, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
        let group = *group_of.entry(set).or_insert(groups.len());
        if group == groups.len() {
            groups.push(Vec::new());
        }
        groups[group].push(place as u32);
    }
    groups
}

fn pairs_inside(groups: &[Vec<u32>]) -> Vec<Found> {
    let mut found = Vec::new();
    for group in groups {
        for (at, &a) in group.iter().enumerate() {
            found.extend(group[at + 1..].iter().map(|&b| Found {
                a,
                b,
                similarity: 1.0,
            }));
        }
    }
    found
}

/// One set a group, its elements renumbered from rare to frequent.
fn order_by_frequency(sets: &[Vec<u64>], groups: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let distinct = || groups.iter().map(|group| &sets[group[0] as usize]);
    let mut frequency: HashMap<u64, u32> = HashMap::new();
    for &element in distinct().flatten() {
        *frequency.entry(element).or_default() += 1;
    }
    let mut order: Vec<(u32, u64)> = frequency
        .iter()
        .map(|(&element, &count)| (count, element))
        .collect();
    order.sort_unstable();
    let mut rank = frequency;
    for (number, &(_, element)) in order.iter().enumerate() {
        rank.insert(element, number as u32);
    }
    let renumber = |set: &Vec<u64>| {
        let mut ranked: Vec<u32> = set.iter().map(|element| rank[element]).collect();
        ranked.sort_unstable();
        ranked
    };
    distinct().map(renumber).collect()
}

fn join(sets: &[Vec<u32>], threshold: f64) -> Vec<(u32, u32, f64)> {
    let mut by_size: Vec<u32> = (0..sets.len() as u32).collect();
    by_size.sort_by_key(|&set| sets[set as usize].len());
    let mut index: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut last_probe = vec![u32::MAX; sets.len()];
    let mut found = Vec::new();
    for probe in by_size {
        let set = &sets[probe as usize];
        let smallest = least_overlap(set.len(), threshold);
        for element in &set[..set.len() - smallest + 1] {
            let postings = index.entry(*element).or_default();
            for &other in postings.iter() {
                let seen = std::mem::replace(&mut last_probe[other as usize], probe) == probe;
                if seen || sets[other as usize].len() < smallest {
                    continue;
                }
                let similarity = jaccard(set, &sets[other as usize]);
                if reaches(similarity, threshold) {
                    found.push((other, probe, similarity));
                }
            }
            postings.push(probe);
        }
    }
    found
}

/// The overlap that a set of this size has at least with any set similar to it; also the smallest size of such a set.
fn least_overlap(size: usize, threshold: f64) -> usize {
    ((threshold * size as f64 - 1e-6).ceil() as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_sets(seed: u64, count: usize, elements: u64) -> Vec<Vec<u64>> {
        let mut state = seed;
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            state >> 33
        };
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for _ in 0..count {
            let size = next() % 16;
            // Every second set is an earlier one with a few elements exchanged.
            let mut set = match sets.len() {
                0 => Vec::new(),
                many if next() % 2 == 0 => sets[next() as usize % many].clone(),
                _ => (0..size).map(|_| next() % elements).collect(),
            };
            set.extend((0..next() % 3).map(|_| next() % elements));
            set.sort_unstable();
            set.dedup();
            sets.push(set);
        }
        sets
    }

    #[test]
    fn join_finds_what_comparing_everything_finds() {
        for seed in 0..60 {
            let sets = random_sets(seed, 150, 20 + seed * 5);
            for threshold in [0.3, 0.5, 0.7, 0.75, 0.8, 0.9, 1.0] {
                let expected = compare_everything(&sets, threshold);
                assert_eq!(
                    all_pairs(&sets, threshold),
                    expected,
                    "seed {seed}, threshold {threshold}"
                );
            }
        }
    }

    #[test]
    fn similarity_equal_to_the_threshold_is_found() {
        let sets = vec![(0..7).collect::<Vec<u64>>(), (0..10).collect()];
        assert_eq!(
            all_pairs(&sets, 0.7),
            [Found {
                a: 0,
                b: 1,
                similarity: 0.7
            }]
        );
    }

    #[test]
    fn empty_sets_match_nothing() {
        assert_eq!(all_pairs(&[vec![], vec![], vec![1]], 0.5), []);
    }
}
