//! The clusters of a run that locates passages: near-identical documents, and what several documents are to one.
//!
//! A document that holds two others or more, at different places, is a collection; if they make up nearly all of it and go
//! on with one story, it is that story on one page, and they are its pages. An article that was split at different places
//! ([`split_articles`](super::split_articles)) is on no page as a whole.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lookalike_kernel::rows::{DocumentCluster, DocumentGroup, Row, Shape};
use lookalike_pair::assemble::alignment::Relation;
use lookalike_pair::assemble::{Directed, Part, PartsOf, Stars};
use lookalike_pair::spill::Shuffle;
use lookalike_text::RecordId;

use super::located_passages::for_each_shared;
use super::named_units::IdList;
use super::split_articles::split_articles;
use crate::Error;
use crate::find_passages::FoundPassages;
use crate::ids::Lookup;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Context, LocatedPassage, Place, SharedPair, Signed, for_each_group};

/// The places in one of two documents of all that the other one shares with it, if it lies in it.
fn parts<'p>(
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
    /// Near-identical documents by rank, each with the first of them.
    duplicates: Shuffle<Directed>,
    ranks: CorpusFirst,
}

/// The order in which documents take near-identical ones: that of the records, another corpus before the input.
#[derive(Debug, Clone, Copy)]
struct CorpusFirst {
    input: u32,
    corpus: u32,
}

impl CorpusFirst {
    fn of(signed: &Signed) -> Self {
        let input = signed.first_record_against().get();
        CorpusFirst {
            input,
            corpus: signed.counts.records as u32 - input,
        }
    }

    fn rank(self, record: RecordId) -> u32 {
        match record.get().checked_sub(self.input) {
            Some(of_corpus) => of_corpus,
            None => self.corpus + record.get(),
        }
    }

    fn record(self, rank: u32) -> RecordId {
        RecordId::from(match rank.checked_sub(self.corpus) {
            Some(of_input) => of_input,
            None => self.input + rank,
        })
    }
}

impl DocumentGroups {
    /// Of all pairs found.
    pub(super) fn new(
        context: &Context<'_>,
        signed: &Signed,
        found: &FoundPassages,
    ) -> Result<Self, Error> {
        let records = signed.counts.records as usize;
        let held = context.by_number("parts", records, 8);
        let mut groups = DocumentGroups {
            wholes: BTreeMap::new(),
            split: Vec::new(),
            article_of: BTreeMap::new(),
            duplicates: context.by_number("duplicates", records, 8),
            ranks: CorpusFirst::of(signed),
        };
        let ranks = groups.ranks;
        let near = context.by_number("near-identical", records, 8);
        for_each_shared(&found.located, |pair, passages| {
            if pair.relation() == Relation::NearDuplicate {
                let (a, b) = (ranks.rank(pair.a), ranks.rank(pair.b));
                near.extend([Directed {
                    first: a.min(b),
                    second: a.max(b),
                    similarity: pair.similarity,
                }])?;
            }
            if let Some(places) = parts(pair, passages) {
                held.extend(places)?;
            }
            Ok(())
        })?;
        let mut stars = Stars::new(records);
        near.for_each(|pair| Ok::<_, Error>(groups.duplicates.extend(stars.take(pair))?))?;
        near.clear();
        for_each_group(
            &held,
            |part: &Part| part.whole,
            |of_one| groups.add(found, of_one),
        )?;
        held.clear();
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
        let Some(held) = PartsOf::new(places) else {
            return Ok(());
        };
        let document = places[0].whole;
        let group = match held.are_pages_of(&found.texts.get(document)?.text) {
            true => DocumentGroup::MultiPage,
            false => DocumentGroup::Collection,
        };
        let parts = held.parts();
        let mut sorted = parts.clone();
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
            |pair| pair.first,
            |pairs| {
                let others = pairs.iter().map(|pair| self.ranks.record(pair.second));
                let first = self.ranks.record(pairs[0].first);
                clusters.write(first, others, DocumentGroup::NearDuplicate)
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
