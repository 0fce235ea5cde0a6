//! What is said of a listed pair beside its similarity: the similarity of each field, and whose text has more.

use std::fmt::Write as _;

use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_pair::verify::{Model, More};
use lookalike_text::UnitId;

use crate::Error;
use crate::bits::Bits;
use crate::jobs;
use crate::spec::ModelKind;
use crate::stages::{self, Context, Store, Units, Window};

/// The details of pairs of threads.
pub(crate) struct Details<'r> {
    units: Units<'r>,
    model: &'r Model,
    store: Store,
    fields: Vec<Field>,
    left: Window,
    right: Window,
    text: String,
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
        context: &'r Context<'_>,
        units: Units<'r>,
        (scored, store): (&Shuffle<Scored>, Option<Store>),
    ) -> Result<Option<Self>, Error> {
        let (Some(model), Some(spec)) = (&context.plan.model, jobs::model(context.spec)?) else {
            return Ok(None);
        };
        let names = jobs::field_names(context.spec);
        if names.is_empty() {
            return Ok(None);
        }
        let store = match store {
            Some(store) => store,
            None => stages::describe_again(context, units, &listed(units, scored)?)?,
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
            units,
            model,
            store,
            fields: names.iter().enumerate().map(field).collect(),
            left: Window::default(),
            right: Window::default(),
            text: String::new(),
        }))
    }

    /// The details of a pair as the rest of its JSON object.
    pub(crate) fn of(&mut self, pair: Scored) -> Result<&str, Error> {
        let [a, b] = [pair.lo(), pair.hi()].map(|unit| self.units.groups.first_of(unit));
        let a = self.store.get(a, &mut self.left)?;
        let b = self.store.get(b, &mut self.right)?;
        let similarities = self.model.similarities(a, b);
        self.text.clear();
        self.text.push_str(",\"fields\":{");
        for (number, field) in self.fields.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let _ = write!(self.text, "{comma}{}:", field.name);
            let _ = match field.similarity(&similarities) {
                Some(similarity) => write!(self.text, "{similarity:?}"),
                None => write!(self.text, "null"),
            };
        }
        self.text.push_str(match self.model.more(a, b) {
            Some(More::A) => "},\"more\":\"a\"",
            Some(More::B) => "},\"more\":\"b\"",
            None => "},\"more\":null",
        });
        Ok(&self.text)
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
fn listed(units: Units<'_>, scored: &Shuffle<Scored>) -> Result<Bits, Error> {
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
