//! Documents that lie in another one: which of them lie apart from each other there, and whether they make it up.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_text::RecordId;

use super::is_one_story;
use crate::spill::Item;

/// Parts that cover this share of a document make it up.
const MAKES_UP: f64 = 0.8;

/// A document that lies in another one, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
pub struct Part {
    /// The other one.
    pub whole: RecordId,
    /// The first character there,
    pub begin: u32,
    /// and the one after the last.
    pub end: u32,
    /// The document itself.
    pub part: RecordId,
}

impl Item for Part {
    fn place(&self) -> u32 {
        self.whole.get()
    }
}

/// A document that lies in another one: its places there, in order, apart from each other.
#[derive(Debug)]
struct Within {
    part: RecordId,
    places: Vec<(u32, u32)>,
}

impl Within {
    fn length(&self) -> u32 {
        self.places.iter().map(|(begin, end)| end - begin).sum()
    }

    /// The longest of its places.
    fn longest(&self) -> (u32, u32) {
        let longest = self.places.iter().max_by_key(|(begin, end)| end - begin);
        longest.copied().unwrap_or_default()
    }
}

/// The documents that lie in one and not in each other, in the order of their places.
#[derive(Debug)]
pub struct PartsOf {
    apart: Vec<Within>,
    /// How many characters they cover.
    covered: u32,
}

impl PartsOf {
    /// Of the places in one document, in order; none unless there are two parts or more. Of two that are mostly at one place,
    /// the one that begins first counts.
    pub fn new(places: &[Part]) -> Option<Self> {
        let (apart, covered) = apart(places);
        (apart.len() > 1).then_some(PartsOf { apart, covered })
    }

    /// The parts.
    pub fn parts(&self) -> Vec<RecordId> {
        self.apart.iter().map(|within| within.part).collect()
    }

    /// Whether they are the pages of one story, given the text of the document that holds them.
    pub fn are_pages_of(&self, text: &str) -> bool {
        let characters = text.chars().count().max(1);
        let makes_up = f64::from(self.covered) >= MAKES_UP * characters as f64;
        makes_up && is_one_story(&pieces(text, &self.apart))
    }
}

/// Whether stretches of a page, in any order, cover nearly all of its so many characters.
pub fn are_nearly_all(stretches: impl Iterator<Item = (u32, u32)>, length: u32) -> bool {
    let mut places = Vec::new();
    stretches.for_each(|stretch| insert_place(&mut places, stretch));
    let covered: u32 = places.iter().map(|(begin, end)| end - begin).sum();
    f64::from(covered) >= MAKES_UP * f64::from(length)
}

/// The documents that do not lie in each other, in the order of their places, and how many characters they cover. Of two
/// that are mostly at one place, the one that begins first counts.
fn apart(places: &[Part]) -> (Vec<Within>, u32) {
    let mut all: BTreeMap<RecordId, Within> = BTreeMap::new();
    for place in places {
        let within = all.entry(place.part).or_insert_with(|| Within {
            part: place.part,
            places: Vec::new(),
        });
        insert_place(&mut within.places, (place.begin, place.end));
    }
    let mut all: Vec<Within> = all.into_values().collect();
    all.sort_by_key(|within| (within.places.first().copied(), within.part));
    let (mut apart, mut covered): (Vec<Within>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
    for within in all {
        if 2 * overlap(&covered, &within.places) <= within.length() {
            for &place in &within.places {
                insert_place(&mut covered, place);
            }
            apart.push(within);
        }
    }
    let covered = covered.iter().map(|(begin, end)| end - begin).sum();
    (apart, covered)
}

/// Adds a place to those in order, as one with those that it meets.
fn insert_place(places: &mut Vec<(u32, u32)>, (mut begin, mut end): (u32, u32)) {
    let from = places.partition_point(|place| place.1 < begin);
    let to = places.partition_point(|place| place.0 <= end);
    if let (Some(first), true) = (places.get(from), from < to) {
        begin = begin.min(first.0);
        end = end.max(places[to - 1].1);
    }
    places.splice(from..to.max(from), [(begin, end)]);
}

/// How many characters are in places of both lists, each of places apart from each other, in order.
fn overlap(a: &[(u32, u32)], b: &[(u32, u32)]) -> u32 {
    let common = |&(begin, end): &(u32, u32)| -> u32 {
        let from = a.partition_point(|place| place.1 <= begin);
        let there = a[from..].iter().take_while(|place| place.0 < end);
        there
            .map(|place| place.1.min(end) - place.0.max(begin))
            .sum()
    };
    b.iter().map(common).sum()
}

/// The texts at the longest places, which are given in characters.
fn pieces<'t>(text: &'t str, parts: &[Within]) -> Vec<&'t str> {
    let mut places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    places.push(text.len());
    let at = |character: u32| places[(character as usize).min(places.len() - 1)];
    parts
        .iter()
        .map(|part| {
            let (begin, end) = part.longest();
            &text[at(begin)..at(end)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(part: u32, begin: u32, end: u32) -> Part {
        Part {
            whole: RecordId::from(0),
            begin,
            end,
            part: RecordId::from(part),
        }
    }

    #[test]
    fn a_document_in_two_places_hides_none_between_them() {
        let places = [
            part(1, 0, 40),
            part(2, 40, 90),
            part(3, 95, 120),
            part(1, 120, 200),
        ];
        let (apart, covered) = apart(&places);
        let parts: Vec<u32> = apart.iter().map(|within| within.part.get()).collect();
        assert_eq!(parts, [1, 2, 3]);
        assert_eq!(covered, 195);
    }

    #[test]
    fn what_two_parts_have_in_common_is_covered_once() {
        let places = [part(1, 0, 50), part(2, 30, 75), part(3, 35, 70)];
        let (apart, covered) = apart(&places);
        let parts: Vec<u32> = apart.iter().map(|within| within.part.get()).collect();
        assert_eq!((parts, covered), (vec![1, 2], 75));
    }
}
