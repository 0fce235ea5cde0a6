//! Which articles have sentences in common, and chains of articles that share large parts.
//!
//! In: the pairs of sentences. Out: pairs of articles, most shared sentences first. A sentence that is similar to others in very
//! many articles is a frame of all of them and says nothing of two; it is left out here, and counted.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::decide::{MOST_ARTICLES, is_large_part};
use lookalike_kernel::rows::{ArticleName, ArticlePair, ArticleRow, Articles, Row, Shape};
use lookalike_pair::Scored;
use lookalike_pair::spill::{Item, Partitions, Shuffle};
use lookalike_text::{RecordId, UnitId};

use super::named_units::PairIds;
use crate::Error;
use crate::bits::Bits;
use crate::ids::Lookup;
use crate::sink::{Sink, TableWriter};
use crate::stages::{Context, Units, for_each_group};

/// How many pairs and chains the summary shows, and how many articles of a chain.
const SHOWN: usize = 10;
const MOST_NAMED: usize = 100;

/// A sentence of article `a` or `b` has a similar one in the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Shared {
    a: RecordId,
    b: RecordId,
    sentence: UnitId,
}

impl Item for Shared {
    // A sentence may have several similar ones in the other.
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.a.get()
    }
}

/// A pair of articles, those with the most in common first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Counted {
    fewer: u32,
    a: RecordId,
    b: RecordId,
}

impl Counted {
    fn new(count: u32, a: RecordId, b: RecordId) -> Self {
        Counted {
            fewer: u32::MAX - count,
            a,
            b,
        }
    }

    fn count(self) -> u32 {
        u32::MAX - self.fewer
    }
}

impl Item for Counted {
    fn place(&self) -> u32 {
        self.fewer
    }
}

/// Writes the table.
pub(super) fn write_articles(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    sink: &mut dyn Sink,
) -> Result<Articles, Error> {
    let mut articles = Articles::default();
    let counted = count(context, units, scored, &mut articles)?;
    let chains = chains(units, &counted)?;
    let mut names = Names::new(units);
    let mut table = TableWriter::begin(sink, Shape::Articles)?;
    counted.for_each(|pair| {
        let (a, b, shared_sentences) = (pair.a, pair.b, pair.count());
        let chain = chains.number(a);
        let chain = chain.filter(|&chain| chains.number(b) == Some(chain));
        let [title_a, title_b] = names.titles(a, b)?.map(|title| title.map(Cow::Owned));
        let [id_a, id_b] = names.ids.of(a, b)?;
        table.write(&Row::Article(ArticleRow {
            a: id_a,
            b: id_b,
            title_a,
            title_b,
            shared_sentences,
            chain: chain.map(|chain| chain as u32 + 1),
        }))?;
        articles.pairs += 1;
        if articles.most_shared.len() < SHOWN {
            articles.most_shared.push(ArticlePair {
                a: names.name(a)?,
                b: names.name(b)?,
                shared_sentences,
            });
        }
        Ok::<_, Error>(())
    })?;
    table.finish()?;
    counted.clear();
    for members in chains.members.iter().take(SHOWN) {
        let names = members
            .iter()
            .take(MOST_NAMED)
            .map(|&record| names.name(record));
        articles.chains.push(names.collect::<Result<_, _>>()?);
    }
    Ok(articles)
}

/// How many sentences any two articles have in common.
fn count(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
    articles: &mut Articles,
) -> Result<Shuffle<Counted>, Error> {
    let memory = context.budget.percent(6);
    let of_all = Partitions::of_units(1, units.count());
    let shared = Shuffle::new("shared", context.folder, of_all, memory);
    let sharing = Sharing {
        units,
        references: units.signed.reference_units()?,
        partners: partners(context, units, scored)?,
        shared: &shared,
    };
    sharing.share_all(context, scored)?;
    articles.frames = sharing.frames();
    let counted = Shuffle::new("articles", context.folder, of_all, memory);
    for_each_group(
        &shared,
        |shared| (shared.a, shared.b),
        |sentences| {
            let (a, b) = (sentences[0].a, sentences[0].b);
            let is_of_a = |shared: &&Shared| units.signed.records.of(shared.sentence) == a;
            let of_a = sentences.iter().filter(is_of_a).count();
            let fewer = of_a.min(sentences.len() - of_a) as u32;
            let pair = (fewer > 0).then(|| Counted::new(fewer, a, b));
            Ok(counted.extend(pair)?)
        },
    )?;
    shared.clear();
    Ok(counted)
}

/// For each unit that stands for its group, with how many others its group is similar, copies included.
fn partners(
    context: &Context<'_>,
    units: Units<'_>,
    scored: &Shuffle<Scored>,
) -> Result<Vec<u32>, Error> {
    let mut partners = vec![0u32; units.count()];
    let size = |unit: UnitId| units.groups.members(unit).count() as u32;
    scored.for_each(|pair| {
        for (unit, partner) in [(pair.lo(), pair.hi()), (pair.hi(), pair.lo())] {
            let count = &mut partners[unit.index()];
            *count = count.saturating_add(size(partner));
        }
        Ok::<_, Error>(())
    })?;
    if context.corpus.compares_input() {
        for first in units.input_groups() {
            let count = &mut partners[first.index()];
            *count = count.saturating_add(size(first) - 1);
        }
    }
    Ok(partners)
}

/// Tells which sentences which articles share.
struct Sharing<'r> {
    units: Units<'r>,
    references: Bits<UnitId>,
    partners: Vec<u32>,
    shared: &'r Shuffle<Shared>,
}

impl Sharing<'_> {
    fn is_frame(&self, first: UnitId) -> bool {
        self.partners[first.index()] > MOST_ARTICLES
    }

    fn frames(&self) -> u64 {
        let frames = self.partners.iter().filter(|&&count| count > MOST_ARTICLES);
        frames.count() as u64
    }

    fn share_all(&self, context: &Context<'_>, scored: &Shuffle<Scored>) -> Result<(), Error> {
        let groups = self.units.groups;
        scored.for_each(|pair| {
            if self.is_frame(pair.lo()) || self.is_frame(pair.hi()) {
                return Ok(());
            }
            for x in groups.members(pair.lo()) {
                groups
                    .members(pair.hi())
                    .try_for_each(|y| self.share(x, y))?;
            }
            Ok::<_, Error>(())
        })?;
        if !context.corpus.compares_input() {
            return Ok(());
        }
        let unframed = |first: &UnitId| !self.is_frame(*first);
        for first in self.units.input_groups().filter(unframed) {
            let members: Vec<UnitId> = groups.members(first).collect();
            for (position, &x) in members.iter().enumerate() {
                let mut later = members[position + 1..].iter();
                later.try_for_each(|&y| self.share(x, y))?;
            }
        }
        Ok(())
    }

    fn share(&self, x: UnitId, y: UnitId) -> Result<(), Error> {
        let (first, second) = (x.min(y), x.max(y));
        // Two articles that cite the same works need not say the same.
        if self.references.contains(first) || self.references.contains(second) {
            return Ok(());
        }
        let records = &self.units.signed.records;
        let (a, b) = (records.of(first), records.of(second));
        if a != b {
            self.shared
                .extend([first, second].map(|sentence| Shared { a, b, sentence }))?;
        }
        Ok(())
    }
}

/// The ids and titles of articles.
struct Names<'r> {
    ids: PairIds<'r>,
    titles: [Lookup<'r>; 2],
}

impl<'r> Names<'r> {
    fn new(units: Units<'r>) -> Self {
        let signed = units.signed;
        Names {
            ids: PairIds::new(signed),
            titles: [signed.titles(), signed.titles()],
        }
    }

    fn titles(&mut self, a: RecordId, b: RecordId) -> Result<[Option<String>; 2], Error> {
        let [of_a, of_b] = &mut self.titles;
        let read = |json: &str| serde_json::from_str(json).ok();
        Ok([read(of_a.id(a)?), read(of_b.id(b)?)])
    }

    fn name(&mut self, record: RecordId) -> Result<ArticleName, Error> {
        let read = |json: &str| serde_json::from_str(json).unwrap_or_default();
        Ok(ArticleName {
            id: read(self.ids.a.id(record)?),
            title: read(self.titles[0].id(record)?),
        })
    }
}

/// Chains of three articles or more.
struct Chains {
    /// The chain of each article that is in one.
    of: BTreeMap<RecordId, usize>,
    /// Longest first, each in input order.
    members: Vec<Vec<RecordId>>,
}

impl Chains {
    fn number(&self, record: RecordId) -> Option<usize> {
        self.of.get(&record).copied()
    }
}

/// Articles linked by large parts that two of them share.
fn chains(units: Units<'_>, counted: &Shuffle<Counted>) -> Result<Chains, Error> {
    let records = &units.signed.records;
    // The next article on the way to the one that stands for the chain.
    let mut next: BTreeMap<RecordId, RecordId> = BTreeMap::new();
    counted.for_each(|pair| {
        let sentences = |record| records.units_of(record).len();
        let shorter = sentences(pair.a).min(sentences(pair.b));
        if is_large_part(pair.count(), shorter) {
            let (a, b) = (end(&mut next, pair.a), end(&mut next, pair.b));
            next.insert(a.max(b), a.min(b));
        }
        Ok::<_, Error>(())
    })?;
    let mut by_end: BTreeMap<RecordId, Vec<RecordId>> = BTreeMap::new();
    let linked: Vec<RecordId> = next.keys().copied().collect();
    for record in linked {
        by_end
            .entry(end(&mut next, record))
            .or_default()
            .push(record);
    }
    let linked = by_end.into_values();
    let mut members: Vec<_> = linked.filter(|all| all.len() > 2).collect();
    members.sort_by_key(|all| (std::cmp::Reverse(all.len()), all[0]));
    let of = members
        .iter()
        .enumerate()
        .flat_map(|(chain, all)| all.iter().map(move |&record| (record, chain)))
        .collect();
    Ok(Chains { of, members })
}

/// The article that stands for the chain of this one; ways that were walked become short.
fn end(next: &mut BTreeMap<RecordId, RecordId>, record: RecordId) -> RecordId {
    let mut walked = vec![record];
    let mut at = record;
    while let Some(&further) = next.get(&at).filter(|&&further| further != at) {
        walked.push(further);
        at = further;
    }
    for passed in walked {
        next.insert(passed, at);
    }
    at
}
