//! The clusters of a run that locates passages: near-identical documents, and what several documents are to one.
//!
//! A document that holds two others or more, at different places, is a collection; if they make up nearly all of it and go
//! on with one story, it is that story on one page, and they are its pages. An article that was split at different places
//! ([`split_articles`](super::split_articles)) is on no page as a whole.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::rows::{DocumentCluster, DocumentGroup, Row, Shape};
use lookalike_pair::RecordPair;
use lookalike_pair::assemble::alignment::Relation;
use lookalike_pair::assemble::{Directed, Stars, is_one_story};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_text::RecordId;

use super::located_passages::for_each_shared;
use super::named_units::IdList;
use super::split_articles::split_articles;
use crate::Error;
use crate::find_passages::FoundPassages;
use crate::ids::Lookup;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Context, LocatedPassage, Place, SharedPair, Signed, for_each_group};

/// Parts that cover this share of a document make it up.
pub(super) const MAKES_UP: f64 = 0.8;

/// A document that lies in another one, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Part {
    whole: RecordId,
    begin: u32,
    end: u32,
    part: RecordId,
}

impl Item for Part {
    fn place(&self) -> u32 {
        self.whole.get()
    }
}

impl Part {
    /// The places in one of two documents of all that the other one shares with it, if it lies in it.
    fn of<'p>(
        pair: &SharedPair,
        passages: &'p [LocatedPassage],
    ) -> Option<impl Iterator<Item = Part> + use<'p>> {
        type Side = fn(&LocatedPassage) -> Place;
        let (whole, part, side): (_, _, Side) = match pair.relation() {
            Relation::Contains => (pair.a, pair.b, |passage| passage.a),
            Relation::Contained => (pair.b, pair.a, |passage| passage.b),
            _ => return None,
        };
        Some(passages.iter().map(move |passage| Part {
            whole,
            begin: side(passage).begin,
            end: side(passage).end,
            part,
        }))
    }
}

/// A document that lies in another one: its places there, in order, apart from each other.
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

/// A document with the parts it holds.
#[derive(Debug)]
struct Whole {
    group: DocumentGroup,
    /// In the order of their places, and in that of the input.
    parts: Vec<RecordId>,
    sorted: Vec<RecordId>,
}

/// Near-identical documents, and what several documents are to one.
pub(super) struct DocumentGroups {
    wholes: BTreeMap<RecordId, Whole>,
    /// The pages of articles that were split at different places, and of which each page is.
    split: Vec<Vec<RecordId>>,
    article_of: BTreeMap<RecordId, usize>,
    /// Near-identical documents, each with the first of them.
    duplicates: Shuffle<RecordPair>,
}

impl DocumentGroups {
    /// Of all pairs found.
    pub(super) fn new(
        context: &Context<'_>,
        signed: &Signed,
        found: &FoundPassages,
    ) -> Result<Self, Error> {
        let records = signed.counts.records as usize;
        let parts = context.by_number("parts", records, 8);
        let mut groups = DocumentGroups {
            wholes: BTreeMap::new(),
            split: Vec::new(),
            article_of: BTreeMap::new(),
            duplicates: context.by_number("duplicates", records, 8),
        };
        let mut stars = Stars::new(records);
        for_each_shared(&found.located, |pair, passages| {
            if pair.relation() == Relation::NearDuplicate {
                let directed = Directed {
                    first: pair.a.get(),
                    second: pair.b.get(),
                    similarity: pair.similarity,
                };
                if stars.take(directed).is_some() {
                    groups.duplicates.extend(RecordPair::new(pair.a, pair.b))?;
                }
            }
            if let Some(places) = Part::of(pair, passages) {
                parts.extend(places)?;
            }
            Ok(())
        })?;
        for_each_group(
            &parts,
            |part| part.whole,
            |of_one| groups.add(found, of_one),
        )?;
        parts.clear();
        groups.find_split_articles(context, records, found)?;
        Ok(groups)
    }

    /// Finds the articles that were split at different places. A page with its parts is then no group of its own if they are
    /// of such an article.
    fn find_split_articles(
        &mut self,
        context: &Context<'_>,
        records: usize,
        found: &FoundPassages,
    ) -> Result<(), Error> {
        let is_story = |whole: &Whole| whole.group == DocumentGroup::MultiPage;
        let stories = self.wholes.iter().filter(|(_, whole)| is_story(whole));
        let stories = stories.map(|(&document, _)| document);
        self.split = split_articles(context, records, found, stories)?;
        for (article, pages) in self.split.iter().enumerate() {
            for &page in pages {
                self.article_of.entry(page).or_insert(article);
            }
        }
        let mut wholes = std::mem::take(&mut self.wholes);
        wholes.retain(|&document, whole| {
            let mut parts = whole.parts.iter();
            !parts.all(|&part| self.is_of_one_article(document, part))
        });
        self.wholes = wholes;
        Ok(())
    }

    /// Adds a document that holds others, given by their places in order.
    fn add(&mut self, found: &FoundPassages, places: &[Part]) -> Result<(), Error> {
        let (apart, covered) = apart(places);
        let document = places[0].whole;
        if apart.len() < 2 {
            return Ok(());
        }
        let text = found.texts.get(document)?.text;
        let characters = text.chars().count().max(1);
        let makes_up = f64::from(covered) >= MAKES_UP * characters as f64;
        let pieces = pieces(&text, &apart);
        let group = if makes_up && is_one_story(&pieces) {
            DocumentGroup::MultiPage
        } else {
            DocumentGroup::Collection
        };
        let mut sorted: Vec<RecordId> = apart.iter().map(|within| within.part).collect();
        let parts = sorted.clone();
        sorted.sort_unstable();
        let whole = Whole {
            group,
            parts,
            sorted,
        };
        self.wholes.insert(document, whole);
        Ok(())
    }

    /// What a pair is part of.
    pub(super) fn of(&self, a: RecordId, b: RecordId) -> Option<DocumentGroup> {
        let holds = |whole: RecordId, part: RecordId| {
            let whole = self.wholes.get(&whole)?;
            let is_part = whole.sorted.binary_search(&part).is_ok();
            is_part.then_some(whole.group)
        };
        let split = self.is_of_one_article(a, b);
        let split = split.then_some(DocumentGroup::MultiPage);
        split.or_else(|| holds(a, b)).or_else(|| holds(b, a))
    }

    fn is_of_one_article(&self, a: RecordId, b: RecordId) -> bool {
        let article = self.article_of.get(&a);
        article.is_some() && article == self.article_of.get(&b)
    }

    /// How many there are.
    pub(super) fn count(&self, group: DocumentGroup) -> u64 {
        let wholes = self.wholes.values();
        let split = match group {
            DocumentGroup::MultiPage => self.split.len(),
            _ => 0,
        };
        (split + wholes.filter(|whole| whole.group == group).count()) as u64
    }

    /// Writes the table and returns how many rows it has.
    pub(super) fn write(&self, sink: &mut dyn Sink, signed: &Signed) -> Result<u64, Error> {
        let mut clusters = ClusterWriter {
            table: TableWriter::begin(sink, Shape::DocumentClusters)?,
            ids: signed.ids(),
            members: IdList::default(),
            written: 0,
        };
        for_each_group(
            &self.duplicates,
            |pair| pair.lo(),
            |pairs| {
                let others = pairs.iter().map(|pair| pair.hi());
                clusters.write(pairs[0].lo(), others, DocumentGroup::NearDuplicate)
            },
        )?;
        for (&document, whole) in &self.wholes {
            clusters.write(document, whole.parts.iter().copied(), whole.group)?;
        }
        for pages in &self.split {
            let (first, others) = (pages[0], pages[1..].iter().copied());
            clusters.write(first, others, DocumentGroup::MultiPage)?;
        }
        clusters.table.finish()?;
        Ok(clusters.written)
    }
}

struct ClusterWriter<'f> {
    table: TableWriter<'f>,
    ids: Lookup<'f>,
    members: IdList,
    written: u64,
}

impl ClusterWriter<'_> {
    /// A group, named by the first.
    fn write(
        &mut self,
        first: RecordId,
        others: impl Iterator<Item = RecordId>,
        relation: DocumentGroup,
    ) -> Result<(), Error> {
        let records = std::iter::once(first).chain(others);
        self.members.fill(&mut self.ids, records)?;
        let members = self.members.ids()?;
        self.written += 1;
        self.table.write(&Row::DocumentCluster(DocumentCluster {
            cluster: members[0],
            size: members.len() as u64,
            members: Cow::Owned(members),
            relation,
        }))
    }
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
pub(super) fn insert_place(places: &mut Vec<(u32, u32)>, (mut begin, mut end): (u32, u32)) {
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
