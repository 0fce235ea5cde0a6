//! The plan for a model: its parts, and by what the pairs are found that it is applied to.

use std::sync::Arc;

use lookalike_pair::verify::{Model, MoreRule, Part, ShortAnswers, Verify, measure};
use lookalike_sign::features;
use lookalike_sign::keys::{Finds, Keys, Search, Sieve};

use super::{Fallback, Mean, Plan, Probe, Route};
use crate::Error;
use crate::setting::Setting;
use crate::spec::{FloorSpec, Join, ModelKind, ModelSpec, PartSpec, Spec};

impl Spec {
    pub(super) fn plan_model(&self, model: &ModelSpec) -> Result<Plan, Error> {
        model.check()?;
        if let Some(name) = &self.verify.measure {
            return Err(Error::refused(
                Setting::Measure.given(name),
                format!("the measure is {name}, and there is a model, which is a measure itself"),
                "remove one of the two",
            ));
        }
        let (threshold, parts) = (self.least_similarity(), self.parts(model)?);
        let (route, probes, mean) = self.search_for(model, &parts)?;
        self.check_join(route)?;
        let mut measure = Model::new(parts, model.combination())
            .with_absence(model.absent)
            .with_least(model.part.iter().map(|part| part.least).collect())
            .with_least_alone(model.part.iter().map(|part| part.least_alone).collect())
            .with_short_answers(self.short_answers(model));
        if let Some(more) = self.job.more(self) {
            let fields = self.compared_fields();
            if !fields.is_empty() && !fields.contains(&more.field) {
                let (field, fields) = (&more.field, fields.join(", "));
                return Err(Error::refused(
                    Setting::MoreField.given(field),
                    format!(
                        "`more-field=` \"{field}\" is not one of the fields compared, which are {fields}"
                    ),
                    "name one of them",
                ));
            }
            // As the field is compared: dates in two forms are not more.
            let own = model
                .part
                .iter()
                .find(|part| part.field.as_ref() == Some(&more.field));
            let floor = FloorSpec {
                field: Some(more.field),
                features: more.features,
                measure: "jaccard".to_string(),
                least: more.contains,
                text: own.and_then(|part| part.text),
            };
            let probe = self.probe(&floor)?;
            measure = measure.with_more(MoreRule {
                part: Part {
                    field: probe.field,
                    features: probe.features,
                    measure: probe.measure,
                    background: probe.background,
                },
                contains: more.contains,
            });
        }
        let measure = Arc::new(measure);
        Ok(Plan {
            threshold,
            features: None,
            background: self.background(),
            buckets: self.buckets(&probes),
            sieve: sieve_at_floor(model, &probes)?,
            near: self.job.near(self),
            probes,
            mean,
            route,
            measure: Arc::clone(&measure) as Arc<dyn Verify>,
            model: Some(measure),
            weighs: false,
            verified: true,
        })
    }

    /// Answers that are compared by containment may be too short for their features, where questions must be alike, too.
    fn short_answers(&self, model: &ModelSpec) -> Option<ShortAnswers> {
        let field = Some(self.job.more(self)?.field);
        if model.kind != ModelKind::Linear || model.part.len() > Mean::MOST_PARTS {
            return None;
        }
        // A digest stands for a text of any length.
        let has_stretches = |part: &PartSpec| {
            ["shingles:", "winnow:"]
                .iter()
                .any(|kind| part.features.starts_with(kind))
        };
        let is_answer = |part: &PartSpec| {
            let is_compared = part.field == field && part.weight > 0.0;
            is_compared && part.measure == "containment" && has_stretches(part)
        };
        let answer = model.part.iter().position(is_answer)?;
        // Floors are no lower than a tenth of the threshold.
        let enough = (self.least_similarity() / 10.0).max(f64::MIN_POSITIVE);
        let mut parts = model.part.iter();
        let question = parts
            .position(|part| part.field != field && part.weight > 0.0 && part.least > enough)?;
        Some(ShortAnswers { answer, question })
    }

    /// The parts of a model, each planned for itself.
    fn parts(&self, model: &ModelSpec) -> Result<Vec<Part>, Error> {
        let part = |column: crate::spec::Column| {
            let field = self.field_number(column.field.as_deref())?;
            let plan = column.spec.plan()?;
            if plan.weighs {
                return Err(Error::refused(
                    Setting::Model,
                    "weighted-terms have weights for one measure of whole texts, not for parts of a model",
                    "use `features=terms`",
                ));
            }
            Ok(Part {
                field,
                features: plan
                    .features
                    .ok_or_else(|| Error::Internal("a part of a model is a model".to_string()))?,
                measure: plan.measure,
                background: plan.background,
            })
        };
        model.columns(self).into_iter().map(part).collect()
    }

    fn field_number(&self, field: Option<&str>) -> Result<Option<u16>, Error> {
        let Some(name) = field else {
            return Ok(None);
        };
        let fields = self.compared_fields();
        if fields.is_empty() {
            let job = self.job.name();
            return Err(Error::refused(
                Setting::Model,
                format!("the model looks at the field \"{name}\", and {job} compares whole texts"),
                "use `lookalike threads`, or name the fields with `fields=` to judge labelled pairs",
            ));
        }
        match fields.iter().position(|known| known == name) {
            Some(place) => Ok(Some(place as u16)),
            None => {
                let fields = fields.join(", ");
                Err(Error::refused(
                    Setting::Fields.given(&fields),
                    format!(
                        "the model looks at the field \"{name}\", and `fields=` names {fields}"
                    ),
                    "name all fields of the model",
                ))
            }
        }
    }

    /// How the pairs are found that a model is applied to.
    fn search_for(
        &self,
        model: &ModelSpec,
        parts: &[Part],
    ) -> Result<(Route, Vec<Probe>, Option<Mean>), Error> {
        let route = match self.search(self.least_similarity())? {
            Search::Every => return self.search_every(model, parts),
            Search::Prefix => Route::Prefix,
            Search::PrefixOr(_) if self.keys.bands.is_none() => Route::PrefixOr(Fallback::Later),
            Search::Keys(keys) if !matches!(keys.finds(), Finds::Curve(_)) => {
                let keys = &self.keys.method;
                return Err(Error::refused(
                    Setting::Keys.given(keys),
                    format!("{keys} keys say nothing about what a model finds similar"),
                    "use `keys=auto`, prefix, minhash or every",
                ));
            }
            Search::Keys(_) | Search::PrefixOr(_) => Route::Buckets,
        };
        let (mut probes, mean) = self.probes(model, parts)?;
        if probes.is_empty() {
            let keys = &self.keys.method;
            return Err(Error::refused(
                Setting::Keys.given(keys),
                format!(
                    "the pairs that this model finds similar cannot be told from sizes, so {keys} keys need floors to \
                     find candidates by: [[model.floor]], which `tune` writes, or `bands=` and `rows=`"
                ),
                "or measure by jaccard, cosine or containment, or compare all pairs with `keys=every`",
            ));
        }
        if let Some(mean) = &mean {
            mean.lower_to_guard(&mut probes)?;
        }
        let by_keys = route != Route::Prefix;
        for probe in probes.iter_mut().filter(|_| by_keys) {
            probe.keys = self.keys_of(probe)?;
        }
        let by_question = mean
            .as_ref()
            .is_some_and(|mean| mean.guard(&probes).is_some());
        if by_question || probes.iter().all(|probe| probe.keys.is_some()) {
            return Ok((route, probes, mean));
        }
        if route == Route::Buckets {
            return Err(Error::refused(
                Setting::Keys.given(&self.keys.method),
                "minhash keys find pairs by their Jaccard similarity, which says nothing about containment",
                "use `keys=prefix`",
            ));
        }
        Ok((Route::Prefix, probes, mean))
    }

    /// Every pair: by all features where a mean follows from what threads have in common, else all with all.
    fn search_every(
        &self,
        model: &ModelSpec,
        parts: &[Part],
    ) -> Result<(Route, Vec<Probe>, Option<Mean>), Error> {
        let (probes, mean) = match self.keys.join {
            Join::Unit => (Vec::new(), None),
            _ => self.probes(model, parts)?,
        };
        let of_sets = |probe: &Probe| probe.measure.of_sets().is_some();
        if mean.is_some() && probes.iter().all(of_sets) {
            let posting_cap = self.keys.posting_cap;
            return Ok((Route::Terms { posting_cap }, probes, mean));
        }
        if self.keys.join == Join::Term {
            return Err(Error::refused(
                Setting::Join.given("term"),
                "the similarity does not follow from the number of common features in each field, which is what a join by \
                 term counts",
                "use `join=unit`, or measure by jaccard, cosine or containment",
            ));
        }
        Ok((Route::Units, Vec::new(), None))
    }

    /// In which respects pairs must be alike to be compared: the floors of the model, or the parts of a weighted mean.
    fn probes(
        &self,
        model: &ModelSpec,
        parts: &[Part],
    ) -> Result<(Vec<Probe>, Option<Mean>), Error> {
        if !model.floor.is_empty() {
            let probes = model.floor.iter().map(|floor| self.probe(floor));
            return Ok((probes.collect::<Result<_, _>>()?, None));
        }
        let numbered = parts.iter().zip(&model.part).enumerate();
        let (places, weighted): (Vec<usize>, Vec<(&Part, f64)>) = numbered
            .filter(|(_, (_, spec))| spec.weight != 0.0)
            .map(|(place, (part, spec))| (place, (part, spec.weight)))
            .unzip();
        let threshold = self.least_similarity();
        let has_bounds = |(part, _): &(&Part, f64)| part.measure.bounds().is_some();
        if model.kind == ModelKind::Linear && weighted.iter().all(has_bounds) {
            let probe = |(part, _): &(&Part, f64)| Probe {
                field: part.field,
                features: Arc::clone(&part.features),
                background: part.background.clone(),
                measure: Arc::clone(&part.measure),
                floor: threshold,
                keys: None,
            };
            let mean = Mean {
                weights: weighted.iter().map(|(_, weight)| *weight).collect(),
                absence: model.absent,
                threshold,
                least: places
                    .iter()
                    .map(|&place| model.part[place].least)
                    .collect(),
                short: self.short_answers(model).and_then(|short| {
                    let probe = |part: usize| places.iter().position(|&place| place == part);
                    Some(ShortAnswers {
                        answer: probe(short.answer)?,
                        question: probe(short.question)?,
                    })
                }),
            };
            return Ok((weighted.iter().map(probe).collect(), Some(mean)));
        }
        if self.keys.bands.is_none() {
            return Ok((Vec::new(), None));
        }
        // Bands and rows say how alike candidates are; of what, the features do.
        let given = self.features.method.as_deref();
        let floor = FloorSpec {
            field: None,
            features: given.unwrap_or(self.job.features()).to_string(),
            measure: "jaccard".to_string(),
            least: threshold,
            text: None,
        };
        Ok((vec![self.probe(&floor)?], None))
    }

    fn probe(&self, floor: &FloorSpec) -> Result<Probe, Error> {
        let named = measure(&floor.measure).map_err(Error::of(Setting::Model))?;
        if named.bounds().is_none() {
            return Err(Error::refused(
                Setting::Model,
                format!(
                    "a floor needs a measure with bounds, and {} has none",
                    floor.measure
                ),
                "use jaccard, cosine or containment",
            ));
        }
        let mut background = self.background();
        background.text = floor.text.unwrap_or(self.text);
        Ok(Probe {
            field: self.field_number(floor.field.as_deref())?,
            features: features::method(&floor.features).map_err(Error::of(Setting::Model))?,
            background,
            measure: named,
            floor: floor.least,
            keys: None,
        })
    }

    /// The keys that pairs at the floor of a probe share with the recall wanted; none if no keys would.
    fn keys_of(&self, probe: &Probe) -> Result<Option<Arc<dyn Keys>>, Error> {
        let jaccard = probe.bounds()?.least_jaccard(probe.floor);
        if jaccard <= 0.0 && self.keys.bands.is_none() {
            return Ok(None);
        }
        Ok(match self.search(jaccard)? {
            Search::Keys(keys) | Search::PrefixOr(keys) => Some(keys),
            Search::Every | Search::Prefix => None,
        })
    }
}

/// A sieve is so much below the floor of a model: keys also find a part of what is a little below it, and models call some of
/// that similar. (Of 1,581 such pairs of questions 1,399 reach the floor itself, and 1,524 this share of it.)
const BELOW_FLOOR: f64 = 0.8;

/// What lets every pair pass that reaches the floor of a model, and few others. A pair may reach any of several floors, which
/// no single sketch tells.
fn sieve_at_floor(model: &ModelSpec, probes: &[Probe]) -> Result<Option<Sieve>, Error> {
    let ([_], [probe]) = (model.floor.as_slice(), probes) else {
        return Ok(None);
    };
    let threshold = BELOW_FLOOR * probe.bounds()?.least_jaccard(probe.floor);
    let sifts = probe.keys.is_some() && threshold > 0.0;
    Ok(sifts.then_some(Sieve::Features { threshold }))
}
