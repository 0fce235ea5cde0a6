//! Articles that two sites split into pages at different places: what pairs of pages say of it.
//!
//! Pages that go on where others end, lie in others or are the same are laid out in a line; where every pair says the same of
//! it, they may be one article.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_text::RecordId;

use super::alignment::Relation;
use crate::spill::Item;

/// No article has more pages.
const MOST_PAGES: usize = 500;

/// Two pages lie this share of their length, taken together, further apart or nearer than other pairs say, at most.
const OUT_OF_LINE: f64 = 0.1;

/// What a pair says about its pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// One goes on where the other ends.
    GoesOn,
    /// They are nearly the same,
    Same,
    /// the second lies in the first,
    Holds,
    /// or the first in the second.
    LiesIn,
}

impl Joint {
    /// Of what two pages are to each other, and whether one begins with what the other ends with.
    pub fn of(relation: Relation, goes_on: bool) -> Option<Self> {
        match relation {
            Relation::Quotes if goes_on => Some(Joint::GoesOn),
            Relation::NearDuplicate => Some(Joint::Same),
            Relation::Contains => Some(Joint::Holds),
            Relation::Contained => Some(Joint::LiesIn),
            _ => None,
        }
    }

    /// The name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Joint::GoesOn => "goes-on",
            Joint::Same => "same",
            Joint::Holds => "holds",
            Joint::LiesIn => "lies-in",
        }
    }
}

/// Two pages of what may be an article, and how far the second begins after the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Link {
    /// The first page of all that are linked.
    pub article: RecordId,
    /// The earlier page,
    pub a: RecordId,
    /// and the later one.
    pub b: RecordId,
    /// How long each is,
    pub length_a: u32,
    /// in characters that are no boilerplate.
    pub length_b: u32,
    /// What [`shift`] says.
    pub shift: i32,
}

impl Item for Link {
    fn place(&self) -> u32 {
        self.article.get()
    }
}

/// How far a page begins after another, by the longest of the passages that they share: each as where it begins in the other one and
/// ends there, and where it begins in the page.
pub fn shift(passages: impl Iterator<Item = (u32, u32, u32)>) -> i32 {
    let longest = passages.max_by_key(|(begin, end, _)| end - begin);
    longest.map_or(0, |(begin, _, of_page)| begin as i32 - of_page as i32)
}

/// A page of an article, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Placed {
    /// Its first character, from the beginning of the first page of all.
    pub begin: i64,
    /// The page.
    pub record: RecordId,
    /// How many characters it has.
    pub length: u32,
}

/// The pages in the order in which they are read; none if pairs contradict each other.
pub fn in_line(links: &[Link]) -> Option<Vec<Placed>> {
    let mut beside: BTreeMap<RecordId, Vec<(RecordId, i64, u32)>> = BTreeMap::new();
    for link in links {
        let shift = i64::from(link.shift);
        let of_a = beside.entry(link.a).or_default();
        of_a.push((link.b, shift, link.length_b));
        let of_b = beside.entry(link.b).or_default();
        of_b.push((link.a, -shift, link.length_a));
    }
    if beside.len() > MOST_PAGES {
        return None;
    }
    let first = links.first()?;
    let mut begins = BTreeMap::from([(first.a, (0, first.length_a))]);
    let mut waiting = vec![first.a];
    while let Some(page) = waiting.pop() {
        let (begin, _) = begins[&page];
        for &(other, shift, length) in &beside[&page] {
            begins.entry(other).or_insert_with(|| {
                waiting.push(other);
                (begin + shift, length)
            });
        }
    }
    let is_in_line = |link: &Link| {
        let ((a, of_a), (b, of_b)) = (begins[&link.a], begins[&link.b]);
        let out = (b - a - i64::from(link.shift)).unsigned_abs();
        out as f64 <= OUT_OF_LINE * (f64::from(of_a) + f64::from(of_b))
    };
    if begins.len() != beside.len() || !links.iter().all(is_in_line) {
        return None;
    }
    let pages = begins.into_iter();
    let mut pages: Vec<Placed> = pages
        .map(|(record, (begin, length))| Placed {
            begin,
            record,
            length,
        })
        .collect();
    pages.sort_unstable();
    Some(pages)
}

/// The pages that tell an article when they are read one after the other: of two that are mostly at one place the first.
pub fn told_by(pages: &[Placed]) -> Vec<RecordId> {
    let (mut told, mut end) = (Vec::new(), i64::MIN);
    for page in pages {
        if end <= page.begin + i64::from(page.length / 2) {
            told.push(page.record);
            end = page.begin + i64::from(page.length);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: u32, b: u32, shift: i32) -> Link {
        Link {
            article: RecordId::from(0),
            a: RecordId::from(a),
            b: RecordId::from(b),
            length_a: 100,
            length_b: 100,
            shift,
        }
    }

    fn order(links: &[Link]) -> Option<Vec<u32>> {
        let pages = in_line(links)?;
        Some(pages.iter().map(|page| page.record.get()).collect())
    }

    #[test]
    fn pages_are_read_in_the_order_of_their_places() {
        let links = [
            link(0, 4, 60),
            link(1, 4, -30),
            link(0, 3, -40),
            link(1, 5, 40),
        ];
        assert_eq!(order(&links), Some(vec![3, 0, 4, 1, 5]));
    }

    #[test]
    fn pages_in_a_circle_are_no_article() {
        let line = [link(0, 1, 50), link(1, 2, 50), link(0, 2, 90)];
        assert_eq!(order(&line), Some(vec![0, 1, 2]));
        assert_eq!(order(&[line[0], line[1], link(2, 0, 50)]), None);
    }
}
