//! What is said of a listed pair beside its similarity: the similarity of each field, and whose text has more.

use std::io::Write as _;

use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::{Model, ModelScorer, More};
use lookalike_text::UnitId;

use super::lines::{Lines, Listed, WriteIds, WriteLines};
use crate::Error;
use crate::bits::Bits;
use crate::stages::{Context, Reread, Store, Units, Window, measured};
use lookalike_kernel::ModelKind;

/// The details of pairs of threads.
pub(crate) struct Details<'r> {
    context: &'r Context<'r>,
    units: Units<'r>,
    model: &'r Model,
    store: Store<u64>,
    fields: Vec<Field>,
}

/// A field and which parts of the model look at it, each with its weight in the field's similarity.
struct Field {
    /// As JSON.
    name: String,
    parts: Vec<(usize, f64)>,
}

impl<'r> Details<'r> {
    /// For the pairs of a run, which are read again unless they are at hand; none where pairs have no details.
    pub(crate) fn new(
        context: &'r Context<'r>,
        units: Units<'r>,
        (scored, store): (&Shuffle<Scored>, Option<Store<u64>>),
    ) -> Result<Option<Self>, Error> {
        let (Some(model), Some(spec)) = (
            &context.plan().model,
            context.spec().job.model(context.spec())?,
        ) else {
            return Ok(None);
        };
        let names = context.spec().compared_fields();
        if names.is_empty() {
            return Ok(None);
        }
        let store = match store {
            Some(store) => store,
            None => {
                let listed = listed(units, scored)?;
                let reread = Reread::units(context, units.signed, &listed)?;
                Store::read(&reread, || measured(context))?
            }
        };
        let field = |(number, name): (usize, &String)| {
            let parts = model.combined().iter().zip(&spec.part).enumerate();
            let own = parts.filter(|(_, (part, _))| part.field.map(usize::from) == Some(number));
            let weight = |weight: f64| match spec.kind {
                ModelKind::Linear => weight,
                ModelKind::Logistic | ModelKind::Trees => 1.0,
            };
            Field {
                name: serde_json::Value::from(name.as_str()).to_string(),
                parts: own
                    .map(|(place, (_, part))| (place, weight(part.weight)))
                    .collect(),
            }
        };
        Ok(Some(Details {
            context,
            units,
            model,
            store,
            fields: names.iter().enumerate().map(field).collect(),
        }))
    }
}

impl Lines for Details<'_> {
    fn writer(&self) -> Result<Box<dyn WriteLines + '_>, Error> {
        Ok(Box::new(WriteDetails {
            details: self,
            ids: WriteIds::new(self.units),
            left: Window::default(),
            right: Window::default(),
            scorer: self.model.part_scorer(&self.context.plan().background)?,
        }))
    }
}

struct WriteDetails<'d> {
    details: &'d Details<'d>,
    ids: WriteIds<'d>,
    left: Window<u64>,
    right: Window<u64>,
    scorer: ModelScorer,
}

impl WriteLines for WriteDetails<'_> {
    fn pair(&mut self, pair: Scored, out: &mut Vec<u8>) -> Result<Listed, Error> {
        let Details {
            units,
            model,
            store,
            fields,
            ..
        } = self.details;
        self.ids.begin_pair(pair, out)?;
        let [a, b] = [pair.lo(), pair.hi()].map(|unit| units.groups.first_of(unit));
        let a = store.get(a.get(), &mut self.left)?;
        let b = store.get(b.get(), &mut self.right)?;
        let similarities = self.scorer.similarities(a, b);
        out.extend_from_slice(b",\"fields\":{");
        for (number, field) in fields.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            // Writing to a vector cannot fail.
            let _ = write!(out, "{comma}{}:", field.name);
            let _ = match field.similarity(&similarities) {
                Some(similarity) => write!(out, "{similarity:?}"),
                None => write!(out, "null"),
            };
        }
        out.extend_from_slice(match model.more(a, b) {
            Some(More::A) => b"},\"more\":\"a\"}\n",
            Some(More::B) => b"},\"more\":\"b\"}\n",
            None => b"},\"more\":null}\n",
        });
        Ok(Listed::YES)
    }

    fn cluster(&mut self, kept: UnitId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.ids.cluster(kept, out)
    }

    fn member(&mut self, unit: UnitId, out: &mut Vec<u8>) -> Result<(), Error> {
        self.ids.member(unit, out)
    }
}

impl Field {
    /// The mean of what its parts say.
    fn similarity(&self, of_parts: &[Option<f64>]) -> Option<f64> {
        let (mut sum, mut total) = (0.0, 0.0);
        for &(place, weight) in &self.parts {
            if let Some(similarity) = of_parts[place] {
                sum += weight * similarity;
                total += weight;
            }
        }
        match self.parts.as_slice() {
            // As it is, without the rounding of a mean of one.
            [(place, _)] => of_parts[*place],
            _ => (total > 0.0).then(|| sum / total),
        }
    }
}

/// The units that stand for those in listed pairs.
pub(super) fn listed(units: Units<'_>, scored: &Shuffle<Scored>) -> Result<Bits, Error> {
    let mut members = Bits::new(units.count());
    let mut add = |unit: UnitId| members.insert(unit.get());
    scored.for_each(|pair| {
        add(pair.lo());
        add(pair.hi());
        Ok::<_, Error>(())
    })?;
    units.groups.with_copies().for_each(add);
    Ok(members)
}
