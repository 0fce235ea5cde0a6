//! From pairs of sentences to pairs of documents worth aligning.
//!
//! In: which sentences are identical and which may be similar. Out: pairs of documents, and the sentences that are
//! boilerplate: those that stand, word for word, in more documents than the limit. Near-identical documents count as one,
//! and where a sentence stands in more documents than the limit because it was reprinted, only the first of them meets
//! others. Documents are worth aligning if two sentences near each other may match in both, or a single one that is long
//! enough to be a passage.

use std::collections::BTreeMap;

use bytemuck::{Pod, Zeroable};
use lookalike_kernel::{Align, Pairs, Spec, decide};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_pair::{Pair, RecordPair};
use lookalike_sign::keys::{Sieve, Sketch};
use lookalike_text::{RecordId, UnitId};

use super::classes::Classes;
use super::frames::find_frames;
use super::join::Batch;
use super::sequence::for_each_group;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

/// A sentence of record `a` and one of record `b` that may match, each as a unit of its record, if it is known which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Dot {
    a: RecordId,
    b: RecordId,
    of_a: UnitId,
    of_b: UnitId,
}

impl Item for Dot {
    const MERGE_EQUAL: bool = true;

    fn place(&self) -> u32 {
        self.a.get()
    }
}

/// From pairs of sentences to pairs of documents worth aligning.
pub(crate) struct Gathered {
    /// Pairs of records.
    pub(crate) pairs: Shuffle<RecordPair>,
    /// The units that are boilerplate.
    pub(crate) common: Bits<UnitId>,
    /// Which documents are near-identical, where that was asked.
    pub(crate) classes: Classes,
}

/// An empty shuffle of pairs of records.
pub(crate) fn record_pairs(context: &Context<'_>, units: Units<'_>) -> Shuffle<RecordPair> {
    by_record("documents", context, units)
}

fn by_record<T: Item>(name: &'static str, context: &Context<'_>, units: Units<'_>) -> Shuffle<T> {
    context.by_number(name, units.signed.counts.records as usize, 12)
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
    let frames = find_frames(context, units)?;
    for first in units.groups.with_copies() {
        let documents = gathering.documents(first);
        if gathering.is_common(&documents) || frames.contains(&first) {
            gathering.mark_common(first);
        } else if listed.is_none() {
            gathering.identical(&documents, &mut |dot| batch.push(dot));
        }
    }
    let pairs = match listed {
        Some(pairs) => pairs,
        None => {
            candidates.for_each(|pair| {
                gathering.similar(pair, &mut |dot| batch.push(dot));
                Ok::<_, Error>(())
            })?;
            batch.finish()?;
            worth_aligning(context, units, &dots)?
        }
    };
    dots.clear();
    Ok(Gathered {
        pairs,
        common: gathering.common,
        classes: gathering.classes,
    })
}

/// The documents that are worth aligning, by their dots.
fn worth_aligning(
    context: &Context<'_>,
    units: Units<'_>,
    dots: &Shuffle<Dot>,
) -> Result<Shuffle<RecordPair>, Error> {
    let pairs = record_pairs(context, units);
    let worth = Worth::new(context, units)?;
    for_each_group(
        dots,
        |dot| (dot.a, dot.b),
        |dots| {
            if worth.is_worth_it(dots) {
                pairs.extend(RecordPair::new(dots[0].a, dots[0].b))?;
            }
            Ok(())
        },
    )?;
    Ok(pairs)
}

/// Tells which documents are worth aligning, from their dots.
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
        })
    }

    fn is_worth_it(&self, dots: &[Dot]) -> bool {
        self.single
            || dots.iter().any(|dot| self.is_long(dot))
            || self.has_neighbours(dots)
            || self.is_all(dots[0])
    }

    /// Whether the sentences of a dot, if it is known which they are, are the same word for word.
    fn is_identical(&self, dot: &Dot) -> bool {
        let group = |unit: UnitId| self.units.groups.first_of(unit);
        dot.of_a.max(dot.of_b) != UnitId::NONE && group(dot.of_a) == group(dot.of_b)
    }

    /// Whether a sentence that two documents have word for word, once or again and again, is all there is of them.
    fn is_all(&self, dot: Dot) -> bool {
        let first_of = |unit: UnitId| self.units.groups.first_of(unit);
        let is_all = |record: RecordId| {
            let mut sentences = self.units.signed.records.units_of(record);
            sentences.all(|unit| first_of(unit) == first_of(dot.of_a))
        };
        self.is_identical(&dot) && is_all(dot.a) && is_all(dot.b)
    }

    /// Whether a single sentence of both is long, and mostly the same.
    fn is_long(&self, dot: &Dot) -> bool {
        let length = |unit: UnitId| self.lengths.get(unit.index()).copied();
        let is_long = |length: u16| u32::from(length) >= self.words;
        match (length(dot.of_a), length(dot.of_b)) {
            (Some(a), Some(b)) => {
                let sketch = |unit: UnitId| self.sketches[unit.index()];
                let is_same = || MOSTLY_SAME.admits(sketch(dot.of_a), sketch(dot.of_b));
                is_long(a.min(b)) && (is_same() || self.is_identical(dot))
            }
            // The first of near-identical documents, which need not have just this sentence.
            (Some(one), None) | (None, Some(one)) => is_long(one),
            (None, None) => false,
        }
    }

    /// Whether two different dots are near each other in both documents. The dots are in the order of the first one.
    fn has_neighbours(&self, dots: &[Dot]) -> bool {
        let reach = self.gap.saturating_add(1);
        let is_near =
            |a: UnitId, b: UnitId| a.max(b) == UnitId::NONE || a.get().abs_diff(b.get()) <= reach;
        let is_other = |a: UnitId, b: UnitId| a != b || a == UnitId::NONE;
        dots.iter().enumerate().any(|(place, dot)| {
            let later = dots[place + 1..].iter();
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

/// The documents of groups with more sentences are remembered.
const LARGE_GROUP: usize = 100;

/// A record, and a sentence of it; none of a document that stands for another one and does not have it itself.
type Document = (RecordId, UnitId);

struct Gathering<'r> {
    spec: &'r Spec,
    units: Units<'r>,
    limit: usize,
    /// Literally all pairs are wanted.
    all: bool,
    /// With `--against`, the first record of the corpus.
    against_from: Option<RecordId>,
    /// Whether records of the input meet each other.
    within_input: bool,
    classes: Classes,
    common: Bits<UnitId>,
    /// The sentences that stand for others, too.
    copied: Bits<UnitId>,
    /// The documents of large groups.
    large: BTreeMap<UnitId, Vec<Document>>,
}

impl<'r> Gathering<'r> {
    fn new(context: &Context<'r>, units: Units<'r>) -> Result<Self, Error> {
        let against_from = units.signed.first_record_against();
        let mut gathering = Gathering {
            spec: context.spec(),
            units,
            limit: context.spec().passages.common_limit(),
            all: context.spec().pairs == Pairs::All,
            against_from: context.corpus.is_against().then_some(against_from),
            within_input: context.corpus.compares_input(),
            classes: Classes::default(),
            common: Bits::new(units.count()),
            copied: Bits::new(units.count()),
            large: BTreeMap::new(),
        };
        let mut in_many = Bits::new(units.signed.counts.records as usize);
        for first in units.groups.with_copies() {
            gathering.copied.insert(first);
            let few = gathering.limit.min(LARGE_GROUP);
            if units.groups.members(first).nth(few).is_none() {
                continue;
            }
            let documents = gathering.documents(first);
            if documents.len() > gathering.limit {
                let records = documents.iter().map(|document| document.0);
                records.for_each(|record| in_many.insert(record));
            }
            gathering.large.insert(first, documents);
        }
        if in_many.count() > 0 {
            gathering.classes = Classes::of(context, units, &in_many)?;
        }
        Ok(gathering)
    }

    /// The document of a sentence.
    fn document(&self, unit: UnitId) -> Document {
        (self.units.signed.records.of(unit), unit)
    }

    /// The documents with a sentence like this one, ascending, each with the first such sentence.
    fn documents(&self, first: UnitId) -> Vec<Document> {
        if let Some(documents) = self.large.get(&first) {
            return documents.clone();
        }
        let members = self.units.groups.members(first);
        let mut documents: Vec<Document> = members.map(|unit| self.document(unit)).collect();
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
            self.common.insert(unit);
        }
    }

    /// The documents that stand for these, each with its own sentence where it is one of these.
    fn leaders(&self, documents: &[Document]) -> Vec<Document> {
        let leader = |&(record, unit): &Document| match self.classes.leader(record) {
            leader if leader == record => (record, unit),
            leader => (leader, UnitId::NONE),
        };
        let mut leaders: Vec<Document> = documents.iter().map(leader).collect();
        // The own sentence comes first.
        leaders.sort_unstable();
        leaders.dedup_by_key(|document| document.0);
        leaders
    }

    /// The documents of one side that meet others: all, or where there are more than the limit on both sides those that
    /// stand for them.
    fn meeting(&self, documents: &[Document], on_both: usize) -> Vec<Document> {
        match on_both <= self.limit || self.all {
            true => documents.to_vec(),
            false => self.leaders(documents),
        }
    }

    /// The documents of the input, all of which meet those of the corpus, and the latter.
    fn sides<'d>(&self, documents: &'d [Document]) -> (&'d [Document], &'d [Document]) {
        let is_input = |document: &Document| self.against_from.is_none_or(|from| document.0 < from);
        documents.split_at(documents.partition_point(is_input))
    }

    /// The documents that have a sentence word for word.
    fn identical(&self, documents: &[Document], emit: &mut impl FnMut(Dot)) {
        let (input, corpus) = self.sides(documents);
        let meeting = self.meeting(corpus, documents.len());
        for &one in input {
            meeting.iter().for_each(|&two| self.push(one, two, emit));
        }
        if self.within_input {
            self.identical_within(input, documents.len(), emit);
        }
    }

    /// The same for documents of one side.
    fn identical_within(&self, documents: &[Document], on_both: usize, emit: &mut impl FnMut(Dot)) {
        let meeting = self.meeting(documents, on_both);
        for (place, &one) in meeting.iter().enumerate() {
            for &two in &meeting[place + 1..] {
                self.push(one, two, emit);
            }
        }
        if meeting.len() < documents.len() {
            // And each with the one that stands for it.
            for &document in documents {
                let leader = self.classes.leader(document.0);
                let place = meeting.binary_search_by_key(&leader, |document| document.0);
                let leader = place.map_or((leader, UnitId::NONE), |place| meeting[place]);
                self.push(leader, document, emit);
            }
        }
    }

    /// The documents that have one or the other of two sentences that may be similar.
    fn similar(&self, pair: Pair, emit: &mut impl FnMut(Dot)) {
        let is_common = |unit: UnitId| self.common.contains(unit);
        if is_common(pair.lo()) || is_common(pair.hi()) {
            return;
        }
        let is_copied = |unit: UnitId| self.copied.contains(unit);
        if !is_copied(pair.lo()) && !is_copied(pair.hi()) {
            return self.push(self.document(pair.lo()), self.document(pair.hi()), emit);
        }
        let [first, second] = [pair.lo(), pair.hi()].map(|unit| self.documents(unit));
        let ((input_a, corpus_a), (input_b, corpus_b)) = (self.sides(&first), self.sides(&second));
        let mut meet = |one: &[Document], two: &[Document]| {
            for &a in one {
                two.iter().for_each(|&b| self.push(a, b, emit));
            }
        };
        meet(input_a, &self.meeting(corpus_b, second.len()));
        meet(input_b, &self.meeting(corpus_a, first.len()));
        if self.within_input {
            let input_a = self.meeting(input_a, first.len());
            meet(&input_a, &self.meeting(input_b, second.len()));
        }
    }

    /// A dot of two documents and the sentences by which they meet.
    fn push(&self, one: Document, two: Document, emit: &mut impl FnMut(Dot)) {
        let ((a, of_a), (b, of_b)) = if one.0 < two.0 {
            (one, two)
        } else {
            (two, one)
        };
        let is_across = |from: RecordId| a < from && (self.within_input || b >= from);
        if a != b && self.against_from.is_none_or(is_across) {
            emit(Dot { a, b, of_a, of_b });
        }
    }
}
