//! What is said of a listed pair beside its similarity: the similarity of each field, whose text has more, and in what
//! they differ.

use std::borrow::Cow;

use lookalike_kernel::FieldComparer;
use lookalike_kernel::rows::{
    FieldSimilarity, IdRef, LostAnswer, LostAnswers, OtherAnswers, Row, Shape, ThreadPair,
};
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::Model;
use lookalike_text::UnitId;

use super::named_units::{Cluster, Listed, MakeRows, NamedById, PairIds, UnitRows, verified};
use crate::Error;
use crate::paged::Paged;
use crate::sink::Encoder;
use crate::stages::{
    Assembled, Context, Differences, RecordTexts, Reread, Store, Units, Window, measured,
    units_in_pairs,
};

/// The details of pairs of threads.
pub(crate) struct Details<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    model: &'r Model,
    store: Store<UnitId, u64>,
    texts: RecordTexts,
    /// Of the fields.
    names: Vec<String>,
}

impl<'r> Details<'r> {
    /// For the pairs of a run, which are read again unless they are at hand.
    pub(crate) fn new(
        context: &'r Context<'r>,
        units: Units<'r>,
        scored: &Shuffle<Scored>,
        (store, texts): (Option<Store<UnitId, u64>>, RecordTexts),
    ) -> Result<Self, Error> {
        let Some(model) = &context.plan().model else {
            let problem = "fields are compared without a model of them";
            return Err(Error::Internal(problem.to_string()));
        };
        let store = match store {
            Some(store) => store,
            None => {
                let listed = units_in_pairs(units, scored)?;
                let reread = Reread::of(context, units.signed, &listed)?;
                Store::read(&reread, || measured(context))?
            }
        };
        Ok(Details {
            context,
            units,
            model,
            store,
            texts,
            names: context.spec().compared_fields(),
        })
    }
}

impl UnitRows for Details<'_> {
    fn pair_shape(&self) -> Shape {
        Shape::ThreadPairs
    }

    fn cluster_shape(&self) -> Shape {
        Shape::RecordClusters
    }

    fn maker(&self) -> Result<Box<dyn MakeRows + '_>, Error> {
        let names = self.names.iter();
        Ok(Box::new(DetailedPairs {
            details: self,
            ids: NamedById::new(self.units),
            left: Window::default(),
            right: Window::default(),
            differences: self.texts.differences(self.context),
            comparer: self.context.kernel.field_comparer()?,
            similarities: names
                .map(|name| (Cow::Borrowed(name.as_str()), None))
                .collect(),
        }))
    }

    fn lost_answers(&self, assembled: &Assembled) -> Result<Option<LostAnswers>, Error> {
        let (spec, corpus) = (self.context.spec(), self.context.corpus);
        let compares_answers = spec.job.compares_answers(spec) && self.model.more_part().is_some();
        if !compares_answers && !corpus.counts_answers() {
            return Ok(None);
        }
        let Units { signed, groups, .. } = self.units;
        let (mut left, mut right) = (Window::default(), Window::default());
        let mut counts = (corpus.counts_answers()).then(|| Paged::new(&signed.columns.answers));
        let mut ids = PairIds::new(signed);
        let mut name = |first: &mut Vec<LostAnswer>, unit: UnitId, kept: UnitId| {
            if first.len() < LostAnswers::LISTED {
                let [id, kept] = ids.of(signed.records.of(unit), signed.records.of(kept))?;
                let value = |id: IdRef<'_>| serde_json::to_value(id).unwrap_or_default();
                let (id, kept) = (value(id), value(kept));
                first.push(LostAnswer { id, kept });
            }
            Ok::<_, Error>(())
        };
        let (mut lost, mut others) = (LostAnswers::default(), OtherAnswers::default());
        assembled.removed.for_each(|removed| {
            let [unit, kept] = [removed.unit(), removed.kept()];
            let says = self.store.get(groups.first_of(unit), &mut left)?;
            let stays = self.store.get(groups.first_of(kept), &mut right)?;
            if compares_answers && self.model.says_more(says, stays) {
                lost.threads += 1;
                name(&mut lost.first, unit, kept)?;
            }
            if let Some(counts) = &mut counts {
                let answers = counts.at(signed.records.of(unit).get())?;
                let answers = corpus.not_compared(answers);
                if answers > 0 {
                    others.threads += 1;
                    others.answers += u64::from(answers);
                    name(&mut others.first, unit, kept)?;
                }
            }
            Ok::<_, Error>(())
        })?;
        lost.not_compared = counts.map(|_| others);
        Ok(Some(lost))
    }
}

struct DetailedPairs<'d> {
    details: &'d Details<'d>,
    ids: NamedById<'d>,
    left: Window<u64>,
    right: Window<u64>,
    differences: Differences<'d>,
    comparer: FieldComparer,
    /// Of the fields of the pair in hand.
    similarities: Vec<FieldSimilarity<'d>>,
}

impl MakeRows for DetailedPairs<'_> {
    fn pair(&mut self, pair: Scored, out: &mut dyn Encoder) -> Result<Listed, Error> {
        let Details { units, store, .. } = self.details;
        let [one, two] = [pair.lo(), pair.hi()].map(|unit| units.groups.first_of(unit));
        let change = self.differences.change(one, two)?;
        let one = store.get(one, &mut self.left)?;
        let two = store.get(two, &mut self.right)?;
        let of_fields = self.comparer.similarities(one, two);
        for (found, (_, similarity)) in of_fields.zip(&mut self.similarities) {
            *similarity = found;
        }
        let [a, b] = self.ids.pair_ids(pair)?;
        let similarity = verified(pair.similarity);
        let row = ThreadPair {
            a,
            b,
            similarity,
            verified: similarity.is_some(),
            fields: Cow::Borrowed(&self.similarities),
            more: self.comparer.more(one, two),
            kind: change.kind,
            changed: Cow::Owned(change.changed),
        };
        out.encode(&Row::ThreadPair(row)).map_err(Error::Sink)?;
        Ok(Listed::differing(change.kind))
    }

    fn cluster(&mut self, cluster: Cluster<'_>, out: &mut dyn Encoder) -> Result<(), Error> {
        self.ids.cluster(cluster, out)
    }
}
