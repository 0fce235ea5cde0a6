//! What texts are compared by to suggest the most similar ones, whatever the threshold says.
//!
//! A text is a vector of its words and of how they begin (`word-starts:3`, so that forms of one word have something in common
//! in any language), weighed by tf-idf. What is asked counts twice as much as what stands between it and the answer, and that
//! twice as much as the answer.

use lookalike_pair::nearest::{FieldTerm, Ranking};
use lookalike_sign::features::{Method, WordStarts};
use lookalike_sign::{Describe, Features};
use lookalike_text::Unit;

use crate::Error;
use crate::plan::Plan;
use crate::setting::Setting;
use crate::spec::Spec;

/// Three letters tell most words, and are the same in most of their forms.
const DESCRIBED_BY: WordStarts = WordStarts { characters: 3 };

/// More than these are no suggestions.
const MOST: usize = 1000;

/// More fields are numbered by no [`FieldTerm`].
const MOST_FIELDS: usize = 100;

/// Counts the terms of texts: one a thread.
pub struct TermCounter {
    fields: Vec<Option<u16>>,
    describe: Box<dyn Describe>,
    features: Features,
    terms: Vec<u64>,
}

impl TermCounter {
    pub(crate) fn new(spec: &Spec, plan: &Plan) -> Result<Self, Error> {
        let fields = 0..spec.compared_fields().len() as u16;
        Ok(TermCounter {
            fields: fields.map(Some).collect(),
            describe: DESCRIBED_BY.describer(&plan.background)?,
            features: Features::default(),
            terms: Vec::new(),
        })
    }

    /// Appends the terms of each field of a unit, [counted](FieldTerm) and sorted.
    pub fn count(&mut self, unit: &Unit<'_>, out: &mut Vec<u64>) {
        let begin = out.len();
        for (number, &field) in (0..).zip(&self.fields) {
            self.describe
                .describe(&unit.field(field), &mut self.features);
            self.terms.clear();
            self.terms.extend_from_slice(self.features.hashes());
            FieldTerm::count(&mut self.terms, number, out);
        }
        out[begin..].sort_unstable();
    }
}

/// What each of so many fields counts for.
pub(crate) fn ranking(fields: usize) -> Ranking {
    let share = |field: usize| match field {
        0 => 4,
        last if last == fields - 1 && fields > 2 => 1,
        _ => 2,
    };
    Ranking::new((0..fields).map(share).collect())
}

/// Refuses suggestions that cannot be made.
pub(crate) fn check(spec: &Spec) -> Result<(), Error> {
    let Some(top) = spec.top else {
        return Ok(());
    };
    let choice = Setting::Top.given(top);
    if !spec.job.suggests() {
        return Err(Error::refused(
            choice,
            format!(
                "`top=` is for threads, and {} {}",
                spec.job.name(),
                spec.job.what_it_does()
            ),
            "leave it out, or use threads",
        ));
    }
    if top == 0 || top > MOST {
        return Err(Error::refused(
            choice,
            format!("`top={top}` is not between 1 and {MOST}"),
            "5 is a good start",
        ));
    }
    let fields = spec.compared_fields().len();
    if fields > MOST_FIELDS {
        return Err(Error::refused(
            Setting::Fields,
            format!("{fields} fields are too many for `top=`, which compares up to {MOST_FIELDS}"),
            "name fewer",
        ));
    }
    Ok(())
}
