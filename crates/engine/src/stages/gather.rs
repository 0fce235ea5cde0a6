//! From pairs of sentences to pairs of documents worth aligning.
//!
//! In: which sentences are identical and which may be similar. Out: pairs of documents, and the sentences that are
//! boilerplate: those that stand, word for word, in more documents than the limit. Near-identical documents count as one,
//! and where a sentence stands in more documents than the limit because it was reprinted, only the first of them meets
//! others. Documents are worth aligning if two sentences near each other may match in both, or a single one that is long
//! enough to be a passage.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::{Spec, decide};
use lookalike_pair::spill::{Item, Partitions, Shuffle};
use lookalike_pair::{Pair, RecordPair};
use lookalike_sign::keys::{Sieve, Sketch};
use lookalike_text::{RecordId, UnitId};

use super::classes::Classes;
use super::join::Batch;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;
use lookalike_kernel::{Align, Pairs};

/// A sentence of record `a` and one of record `b` that may match, each as a unit of its record, if it is known which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Dot {
    a: u32,
    b: u32,
    of_a: u32,
    of_b: u32,
}

impl Item for Dot {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.a
    }
}

/// See the [module](self).
pub(crate) struct Gathered {
    /// Pairs of records.
    pub(crate) pairs: Shuffle<RecordPair>,
    /// The units that are boilerplate.
    pub(crate) common: Bits,
    /// Which documents are near-identical, where that was asked.
    pub(crate) classes: Classes,
}

/// An empty shuffle of pairs of records.
pub(crate) fn record_pairs(context: &Context<'_>, units: Units<'_>) -> Shuffle<RecordPair> {
    by_record("documents", context, units)
}

fn by_record<T: Item>(name: &'static str, context: &Context<'_>, units: Units<'_>) -> Shuffle<T> {
    let records = units.signed.counts.records as usize;
    let partitions = Partitions::of_units(context.budget.partitions, records);
    Shuffle::new(name, context.folder, partitions, context.budget.percent(12))
}

/// Gathers the documents of the candidates, or takes those of a list.
pub(crate) fn gather(
    context: &Context<'_>,
    units: Units<'_>,
    candidates: &Shuffle<Pair>,
    listed: Option<Shuffle<RecordPair>>,
) -> Result<Gathered, Error> {
    let mut gathering = Gathering::new(context, units)?;
    let dots = by_record("dots", context, units);
    let mut batch = Batch::new(&dots);
    for first in units.groups.with_copies() {
        let documents = gathering.documents(first);
        if gathering.is_common(&documents) {
            gathering.mark_common(first);
        } else if listed.is_none() {
            gathering.identical(&documents, &mut |dot| batch.push(dot));
        }
    }
    if let Some(pairs) = listed {
        return Ok(gathering.finish(pairs));
    }
    candidates.for_each(|pair| {
        gathering.similar(pair, &mut |dot| batch.push(dot));
        Ok::<_, Error>(())
    })?;
    batch.finish()?;
    let pairs = record_pairs(context, units);
    let mut worth = Worth::new(context, units)?;
    dots.for_each(|dot| worth.add(dot, &pairs))?;
    worth.finish(&pairs)?;
    dots.clear();
    Ok(gathering.finish(pairs))
}

/// Tells which documents are worth aligning, from their dots in order.
struct Worth<'r> {
    units: Units<'r>,
    /// A single sentence is enough,
    single: bool,
    /// or one of so many words.
    words: u32,
    /// Two sentences with at most so many between them are near each other.
    gap: u32,
    /// One a sentence.
    lengths: Vec<u16>,
    sketches: Vec<Sketch>,
    dots: Vec<Dot>,
}

impl<'r> Worth<'r> {
    fn new(context: &Context<'_>, units: Units<'r>) -> Result<Self, Error> {
        let passages = &context.spec().passages;
        Ok(Worth {
            units,
            single: passages.least_sentences < 2,
            words: match passages.align {
                // Lengths are estimated.
                Align::Words => passages.least_words / 4 * 3,
                Align::Sentences => u32::MAX,
            },
            gap: passages.gap,
            lengths: units.signed.columns.lengths.read_all()?,
            sketches: units.signed.columns.sketches.read_all()?,
            dots: Vec::new(),
        })
    }

    fn add(&mut self, dot: Dot, pairs: &Shuffle<RecordPair>) -> Result<(), Error> {
        let is_other = |last: &Dot| (last.a, last.b) != (dot.a, dot.b);
        if self.dots.last().is_some_and(is_other) {
            self.finish(pairs)?;
        }
        self.dots.push(dot);
        Ok(())
    }

    fn finish(&mut self, pairs: &Shuffle<RecordPair>) -> Result<(), Error> {
        if let Some(first) = self.dots.first().copied()
            && self.is_worth_it(first)
        {
            let pair = RecordPair::new(RecordId::from(first.a), RecordId::from(first.b));
            pairs.extend(pair)?;
        }
        self.dots.clear();
        Ok(())
    }

    fn is_worth_it(&self, first: Dot) -> bool {
        self.single
            || self.dots.iter().any(|dot| self.is_long(dot))
            || self.has_neighbours()
            || self.is_all(first)
    }

    /// Whether a sentence that two documents have word for word is all there is of them.
    fn is_all(&self, dot: Dot) -> bool {
        let sentences = |record: u32| self.units.signed.records.range_of(record).len();
        let group = |unit: u32| self.units.groups.first_of(UnitId::from(unit));
        dot.of_a.max(dot.of_b) != UNKNOWN
            && group(dot.of_a) == group(dot.of_b)
            && sentences(dot.a).max(sentences(dot.b)) == 1
    }

    /// Whether a single sentence of both is long, and mostly the same.
    fn is_long(&self, dot: &Dot) -> bool {
        let length = |unit: u32| self.lengths.get(unit as usize).copied();
        let is_long = |length: u16| u32::from(length) >= self.words;
        match (length(dot.of_a), length(dot.of_b)) {
            (Some(a), Some(b)) => {
                let is_same = || {
                    let sketch = |unit: u32| self.sketches[unit as usize];
                    let group = |unit: u32| self.units.groups.first_of(UnitId::from(unit));
                    MOSTLY_SAME.admits(sketch(dot.of_a), sketch(dot.of_b))
                        || group(dot.of_a) == group(dot.of_b)
                };
                is_long(a.min(b)) && is_same()
            }
            // The first of near-identical documents, which need not have just this sentence.
            (Some(one), None) | (None, Some(one)) => is_long(one),
            (None, None) => false,
        }
    }

    /// Whether two different dots are near each other in both documents. The dots are in the order of the first one.
    fn has_neighbours(&self) -> bool {
        let reach = self.gap.saturating_add(1);
        let is_near = |a: u32, b: u32| a.max(b) == UNKNOWN || a.abs_diff(b) <= reach;
        let is_other = |a: u32, b: u32| a != b || a == UNKNOWN;
        self.dots.iter().enumerate().any(|(place, dot)| {
            let later = self.dots[place + 1..].iter();
            later
                .take_while(|other| is_near(dot.of_a, other.of_a))
                .take(MOST_NEAR)
                .any(|other| {
                    is_other(dot.of_a, other.of_a)
                        && is_other(dot.of_b, other.of_b)
                        && is_near(dot.of_b, other.of_b)
                })
        })
    }
}

/// A single sentence is worth a look only where most of it is the same.
const MOSTLY_SAME: Sieve = Sieve::Features { threshold: 0.75 };

/// How many dots are looked at beside one: a sentence that is repeated all over a document has very many.
const MOST_NEAR: usize = 100;

/// The sentence of a document that stands for another one, and does not have it itself.
const UNKNOWN: u32 = u32::MAX;

/// The documents of groups with more sentences are remembered.
const LARGE_GROUP: usize = 100;

/// A record, and a sentence of it.
type Document = (u32, u32);

struct Gathering<'r> {
    spec: &'r Spec,
    units: Units<'r>,
    limit: usize,
    /// Literally all pairs are wanted.
    all: bool,
    /// With `--against`, how many records the input itself has.
    input_records: Option<u32>,
    classes: Classes,
    common: Bits,
    /// The sentences that stand for others, too.
    copied: Bits,
    /// The documents of large groups.
    large: BTreeMap<u32, Vec<Document>>,
}

impl<'r> Gathering<'r> {
    fn new(context: &Context<'r>, units: Units<'r>) -> Result<Self, Error> {
        let counts = &units.signed.counts;
        let is_against = context.corpus.is_against();
        let mut gathering = Gathering {
            spec: context.spec(),
            units,
            limit: context.spec().passages.common_limit as usize,
            all: context.spec().pairs == Pairs::All,
            input_records: is_against.then_some(counts.input_records as u32),
            classes: Classes::default(),
            common: Bits::new(units.count()),
            copied: Bits::new(units.count()),
            large: BTreeMap::new(),
        };
        let mut in_many = Bits::new(counts.records as usize);
        for first in units.groups.with_copies() {
            gathering.copied.insert(first.get());
            let few = gathering.limit.min(LARGE_GROUP);
            if units.groups.members(first).nth(few).is_none() {
                continue;
            }
            let documents = gathering.documents(first);
            if documents.len() > gathering.limit {
                let records = documents.iter().map(|document| document.0);
                records.for_each(|record| in_many.insert(record));
            }
            gathering.large.insert(first.get(), documents);
        }
        if in_many.count() > 0 {
            gathering.classes = Classes::of(context, units, &in_many)?;
        }
        Ok(gathering)
    }

    fn finish(self, pairs: Shuffle<RecordPair>) -> Gathered {
        Gathered {
            pairs,
            common: self.common,
            classes: self.classes,
        }
    }

    /// The documents with a sentence like this one, ascending, each with the first such sentence.
    fn documents(&self, first: UnitId) -> Vec<Document> {
        if let Some(documents) = self.large.get(&first.get()) {
            return documents.clone();
        }
        let members = self.units.groups.members(first);
        let mut documents: Vec<Document> = members
            .map(|unit| (self.units.signed.records.of(unit.get()), unit.get()))
            .collect();
        documents.dedup_by_key(|document| document.0);
        documents
    }

    /// Whether what these documents have in common is in more of them than the limit, near-identical ones counted once.
    fn is_common(&self, documents: &[Document]) -> bool {
        let is_in_many = |documents: usize| decide::is_boilerplate(self.spec, documents);
        is_in_many(documents.len()) && is_in_many(self.leaders(documents).len())
    }

    fn mark_common(&mut self, first: UnitId) {
        for unit in self.units.groups.members(first) {
            self.common.insert(unit.get());
        }
    }

    /// The documents that stand for these, each with its own sentence where it is one of these.
    fn leaders(&self, documents: &[Document]) -> Vec<Document> {
        let leader = |&(record, unit): &Document| match self.classes.leader(record) {
            leader if leader == record => (record, unit),
            leader => (leader, UNKNOWN),
        };
        let mut leaders: Vec<Document> = documents.iter().map(leader).collect();
        // The own sentence comes first.
        leaders.sort_unstable();
        leaders.dedup_by_key(|document| document.0);
        leaders
    }

    /// The documents that meet others: all, or where they are more than the limit those that stand for them. With
    /// `--against` all of the input meets the corpus.
    fn meeting(&self, mut documents: Vec<Document>) -> Vec<Document> {
        if documents.len() <= self.limit || self.all {
            return documents;
        }
        let Some(input_records) = self.input_records else {
            return self.leaders(&documents);
        };
        let corpus = documents.partition_point(|document| document.0 < input_records);
        let leaders = self.leaders(&documents[corpus..]);
        documents.truncate(corpus);
        documents.extend(leaders);
        documents
    }

    /// The documents that have a sentence word for word.
    fn identical(&self, documents: &[Document], emit: &mut impl FnMut(Dot)) {
        let meeting = self.meeting(documents.to_vec());
        for (place, &one) in meeting.iter().enumerate() {
            for &two in &meeting[place + 1..] {
                self.push(one, two, emit);
            }
        }
        if meeting.len() < documents.len() && self.input_records.is_none() {
            // And each with the one that stands for it.
            for &document in documents {
                let leader = self.classes.leader(document.0);
                let place = meeting.binary_search_by_key(&leader, |document| document.0);
                self.push(
                    place.map_or((leader, UNKNOWN), |place| meeting[place]),
                    document,
                    emit,
                );
            }
        }
    }

    /// The documents that have one or the other of two sentences that may be similar.
    fn similar(&self, pair: Pair, emit: &mut impl FnMut(Dot)) {
        let is_common = |unit: UnitId| self.common.contains(unit.get());
        if is_common(pair.lo()) || is_common(pair.hi()) {
            return;
        }
        let is_copied = |unit: UnitId| self.copied.contains(unit.get());
        if !is_copied(pair.lo()) && !is_copied(pair.hi()) {
            let document = |unit: UnitId| (self.units.signed.records.of(unit.get()), unit.get());
            return self.push(document(pair.lo()), document(pair.hi()), emit);
        }
        let [first, second] = [pair.lo(), pair.hi()].map(|unit| self.meeting(self.documents(unit)));
        for &one in &first {
            for &two in &second {
                self.push(one, two, emit);
            }
        }
    }

    /// A dot of two documents and the sentences by which they meet.
    fn push(&self, one: Document, two: Document, emit: &mut impl FnMut(Dot)) {
        let (first, second) = if one.0 < two.0 {
            (one, two)
        } else {
            (two, one)
        };
        let is_across = |from: u32| first.0 < from && second.0 >= from;
        if first.0 != second.0 && self.input_records.is_none_or(is_across) {
            emit(Dot {
                a: first.0,
                b: second.0,
                of_a: first.1,
                of_b: second.1,
            });
        }
    }
}
