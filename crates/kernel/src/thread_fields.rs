//! What is said of two threads beside their similarity: how similar each field is, and whose text has more.

use std::sync::Arc;

use lookalike_pair::verify::{Kept, Model, ModelScorer, More};

use crate::Error;
use crate::plan::Plan;
use crate::spec::{ModelKind, Spec};

/// Compares the fields of threads, of which [`Signer::keep`](crate::Signer::keep) keeps what is needed.
pub struct FieldComparer {
    model: Arc<Model>,
    scorer: ModelScorer,
    fields: Vec<Field>,
}

/// Which parts of the model look at a field, each with its weight in the field's similarity.
struct Field(Vec<(usize, f64)>);

impl FieldComparer {
    pub(crate) fn new(spec: &Spec, plan: &Plan) -> Result<Self, Error> {
        let (Some(model), Some(chosen)) = (&plan.model, spec.job.model(spec)?) else {
            let problem = "fields are compared without a model of them";
            return Err(Error::Internal(problem.to_string()));
        };
        let field = |number: usize| {
            let parts = model.combined().iter().zip(&chosen.part).enumerate();
            let own = parts.filter(|(_, (part, _))| part.field.map(usize::from) == Some(number));
            let weight = |weight: f64| match chosen.kind {
                ModelKind::Linear => weight,
                ModelKind::Logistic | ModelKind::Trees => 1.0,
            };
            Field(
                own.map(|(place, (_, part))| (place, weight(part.weight)))
                    .collect(),
            )
        };
        let fields = spec.compared_fields().len();
        Ok(FieldComparer {
            model: Arc::clone(model),
            scorer: model.part_scorer(&plan.background)?,
            fields: (0..fields).map(field).collect(),
        })
    }

    /// How similar each field is, in their order: none of one that does not count.
    pub fn similarities(&mut self, a: &Kept, b: &Kept) -> impl Iterator<Item = Option<f64>> {
        let of_parts = self.scorer.similarities(a, b);
        (self.fields.iter()).map(move |field| field.similarity(&of_parts))
    }

    /// Whose text has additional information.
    pub fn more(&self, a: &Kept, b: &Kept) -> Option<More> {
        self.model.more(a, b)
    }
}

impl Field {
    /// The mean of what its parts say; nothing is said of two threads without any words.
    fn similarity(&self, of_parts: &[Option<f64>]) -> Option<f64> {
        let (mut sum, mut total) = (0.0, 0.0);
        for &(place, weight) in &self.0 {
            if let Some(&Some(similarity)) = of_parts.get(place) {
                sum += weight * similarity;
                total += weight;
            }
        }
        match self.0.as_slice() {
            // As it is, without the rounding of a mean of one.
            [(place, _)] => of_parts.get(*place).copied().flatten(),
            _ => (total > 0.0).then(|| sum / total),
        }
    }
}
