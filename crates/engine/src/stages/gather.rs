//! From pairs of sentences to pairs of documents worth aligning.
//!
//! In: which sentences are identical and which may be similar. Out: pairs of documents, and the sentences that are
//! boilerplate: those that stand, word for word, in more documents than the limit. Near-identical documents count as one,
//! and where a sentence stands in more documents than the limit because it was reprinted, only the first of them meets
//! others. Documents are worth aligning if two sentences near each other may match in both, or a single one that is long
//! enough to be a passage.

use std::collections::BTreeMap;

use lookalike_kernel::decide::{self, Dot, KnownDots, Worth};
use lookalike_kernel::{Pairs, Spec};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_pair::{Pair, RecordPair};
use lookalike_sign::keys::Sketch;
use lookalike_text::{RecordId, UnitId};

use super::classes::Classes;
use super::frames::find_frames;
use super::join::Batch;
use super::sequence::for_each_group;
use super::{Context, Units};
use crate::Error;
use crate::bits::Bits;

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
    let (worth, known) = (Worth::of(context.spec()), Known::new(units)?);
    for_each_group(
        dots,
        |dot| (dot.a, dot.b),
        |dots| {
            if worth.is_worth_it(dots, &known) {
                pairs.extend(RecordPair::new(dots[0].a, dots[0].b))?;
            }
            Ok(())
        },
    )?;
    Ok(pairs)
}

/// What is known of the sentences of a run.
struct Known<'r> {
    units: Units<'r>,
    /// One a sentence.
    lengths: Vec<u16>,
    sketches: Vec<Sketch>,
}

impl<'r> Known<'r> {
    fn new(units: Units<'r>) -> Result<Self, Error> {
        Ok(Known {
            units,
            lengths: units.signed.columns.lengths.read_all()?,
            sketches: units.signed.columns.sketches.read_all()?,
        })
    }
}

impl KnownDots for Known<'_> {
    fn is_identical(&self, dot: &Dot) -> bool {
        let group = |unit: UnitId| self.units.groups.first_of(unit);
        dot.of_a.max(dot.of_b) != UnitId::NONE && group(dot.of_a) == group(dot.of_b)
    }

    fn is_all(&self, dot: &Dot) -> bool {
        let first_of = |unit: UnitId| self.units.groups.first_of(unit);
        let is_all = |record: RecordId| {
            let mut sentences = self.units.signed.records.units_of(record);
            sentences.all(|unit| first_of(unit) == first_of(dot.of_a))
        };
        is_all(dot.a) && is_all(dot.b)
    }

    fn lengths(&self, dot: &Dot) -> [Option<u16>; 2] {
        [dot.of_a, dot.of_b].map(|unit| self.lengths.get(unit.index()).copied())
    }

    fn sketches(&self, dot: &Dot) -> [Sketch; 2] {
        [dot.of_a, dot.of_b].map(|unit| self.sketches[unit.index()])
    }
}

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

    /// Whether what these documents have in common is in more of them than the limit, near-identical ones counted once. What
    /// stands in another corpus is judged by that corpus: however many copy a source, it is a source.
    fn is_common(&self, documents: &[Document]) -> bool {
        let documents = match self.sides(documents) {
            (input, []) => input,
            (_, corpus) => corpus,
        };
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
