//! Which method, or which combination of methods, tells labelled pairs apart best?
//!
//! Labelled pairs of texts come in. Each is scored under many methods; then the best single method (of each field, if there are
//! fields), a weighted mean, a logistic model and boosted trees compete, each judged on pairs that have no text in common with
//! those it has seen. The winner gets the threshold that is [wanted](Goal): the best for the labelled pairs, or one for a
//! corpus, where near-duplicates are rare. Out it goes as a spec, with floors by which a run finds the pairs to compare and
//! with what is expected of a run.

mod background;
mod competitors;
mod expectation;
mod floors;
mod learnt;
mod linked;
mod neighbours;

use std::time::Instant;

use lookalike_kernel::{Column, Setting, Spec, jobs};
use lookalike_text::policy;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::gold::LabelledTexts;
use crate::learn::{Learnt, Validation};
use crate::methods::{NamedMethod, built_in_methods, combined_methods};
use crate::scoring::PairScorer;
use background::Background;
pub use background::{Corpus, sample_strangers};
use competitors::{Competitor, Matrix, best_singles, climbed, combinations};
pub use expectation::{Expectation, Goal, PrevalenceFrom};
pub use floors::Floors;
use learnt::model_of;
use linked::LinkedTexts;

policy!(
    /// Which model is learnt.
    ModelChoice, "model", "linear, logistic, trees or auto",
    /// A weighted mean of similarities.
    Linear = "linear",
    /// The logistic function of a weighted sum.
    Logistic = "logistic",
    /// Boosted trees.
    Trees = "trees",
    /// The best of these and of single methods.
    Auto = "auto",
);

/// Who finds a smaller share of the near-duplicates finds nothing.
const FINDS_NOTHING: f64 = 0.01;

/// How to tune.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TuneOptions {
    /// What is the same in all methods: what counts as the same text, the seed, a lexicon.
    pub base: Spec,
    /// The fields to compare one by one; none for the whole text.
    pub fields: Vec<String>,
    /// The folds of the cross-validation.
    pub folds: usize,
    /// Which model is learnt.
    pub model: ModelChoice,
    /// Instead: the weights of the fields by hill climbing from so many random starts, all fields being compared by the
    /// features and the measure of `base`.
    pub climb: Option<usize>,
    /// What the threshold is for.
    pub goal: Goal,
    /// The share of the records of a corpus that have a near-duplicate, if it is known.
    pub prevalence: Option<f64>,
    /// The corpus that the model is for; by default the texts of the pairs stand for one.
    pub corpus: Option<Corpus>,
    /// Whether the pairs are the links of that corpus, so that they tell how many of its records have a near-duplicate; a
    /// sample that somebody labelled does not.
    pub are_links: bool,
}

impl TuneOptions {
    /// Whole texts, five folds, any model, the best threshold for the pairs.
    pub fn new(base: Spec) -> Self {
        TuneOptions {
            base,
            fields: Vec::new(),
            folds: 5,
            model: ModelChoice::Auto,
            climb: None,
            goal: Goal::Labelled,
            prevalence: None,
            corpus: None,
            are_links: false,
        }
    }

    /// What holds for all methods, with the fields that are compared.
    fn compared(&self) -> Spec {
        let mut spec = self.base.clone();
        if !self.fields.is_empty() {
            spec.job = jobs::THREADS;
            spec.input.fields.clone_from(&self.fields);
        }
        spec
    }
}

/// One of the competitors.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What it is, for a table.
    pub name: String,
    /// How good it is on pairs it has not seen.
    pub validation: Validation,
    /// How long learning and validating it took.
    pub seconds: f64,
}

/// What tuning found.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// The competitors, the simplest first.
    pub candidates: Vec<Candidate>,
    /// The place of the winner: the best mean F1, the simplest of equally good ones.
    pub winner: usize,
    /// The winner, learnt from all pairs.
    pub spec: Spec,
    /// What it comes to in a corpus.
    pub expected: Expectation,
    /// How alike pairs must be for a run to compare them, where that had to be chosen.
    pub floors: Option<Floors>,
    /// Seconds for scoring the pairs under all methods.
    pub scoring_seconds: f64,
}

/// Which method, or which combination of methods, tells labelled pairs apart best?
///
/// # Errors
/// If there are too few pairs of one label, if a method cannot be used with the options, if no threshold is expected to
/// have the precision that is wanted, or if hardly anything is expected to be found with it.
pub fn tune(pairs: &[LabelledTexts], options: &TuneOptions) -> Result<Tuned, Error> {
    let begin = Instant::now();
    let linked = LinkedTexts::new(pairs);
    let groups = linked.group_of_each();
    let mut scorer = PairScorer::new(pairs).with_fields(&options.fields);
    let methods = Methods::new(options)?;
    let mut matrix =
        |methods: &[NamedMethod]| Matrix::new((&mut scorer, &groups), &options.fields, methods);
    let (singles, combined) = (matrix(&methods.singles)?, matrix(&methods.combined)?);
    let scoring_seconds = begin.elapsed().as_secs_f64();

    let seed = options.base.seed.seed();
    let mut competitors = match options.model {
        ModelChoice::Auto if options.climb.is_none() => {
            best_singles(&singles, options.folds, seed)?
        }
        _ => Vec::new(),
    };
    let others = match options.climb {
        Some(starts) => vec![climbed(&combined, starts)],
        None => combinations(&combined, options.model),
    };
    for competitor in others {
        competitors.push(competitor.validated(options.folds, seed)?);
    }
    let winner = best_of(&competitors);
    let best = &competitors[winner];
    let mut spec = spec_of(&best.1.learn(seed)?, &best.1.columns(), options)?;
    let mut background = Background::new(options.corpus.as_ref(), (&linked, pairs));
    if !options.are_links {
        background.do_not_count();
    }
    let near = background.nearest(&options.compared());
    let scores = background.scores(
        &near,
        (&spec, options.prevalence),
        &best.0.validation.scores,
    )?;
    if options.goal != Goal::Labelled {
        spec.threshold = Some(scores.threshold(options.goal));
    }
    let expected = scores.at(spec.least_similarity());
    if let Goal::Precision(wanted) = options.goal
        && expected.precision < wanted
    {
        return Err(Error::OutOfReach {
            wanted,
            best: expected,
        });
    }
    if expected.recall < FINDS_NOTHING {
        return Err(Error::FindsNothing {
            threshold: spec.least_similarity(),
            expected,
        });
    }
    spec.expected_removal = Some((expected.removed * 1000.0).round() / 1000.0);
    let floors = floors::add(&mut spec, (&mut scorer, &near), options)?;
    let candidates = competitors.into_iter().map(|(candidate, _)| candidate);
    Ok(Tuned {
        candidates: candidates.collect(),
        winner,
        spec,
        expected,
        floors,
        scoring_seconds,
    })
}

/// What pairs are scored by.
struct Methods {
    singles: Vec<NamedMethod>,
    combined: Vec<NamedMethod>,
}

impl Methods {
    fn new(options: &TuneOptions) -> Result<Self, Error> {
        let base = &options.base;
        if options.climb.is_some() {
            return Ok(Methods {
                singles: Vec::new(),
                combined: vec![NamedMethod::new(base.clone())?],
            });
        }
        let mut singles = Vec::new();
        if options.model == ModelChoice::Auto {
            singles = built_in_methods(base)?;
            singles.retain(NamedMethod::has_similarity);
        }
        Ok(Methods {
            singles,
            combined: combined_methods(base, options.fields.len() > 1)?,
        })
    }
}

/// The first of the best.
fn best_of(competitors: &[(Candidate, Competitor<'_>)]) -> usize {
    let mut winner = 0;
    let f1 = |place: usize| competitors[place].0.validation.mean_f1;
    for place in 1..competitors.len() {
        if f1(place) > f1(winner) {
            winner = place;
        }
    }
    winner
}

fn spec_of(learnt: &Learnt, columns: &[Column], options: &TuneOptions) -> Result<Spec, Error> {
    let mut spec = options.compared();
    spec.threshold = Some(learnt.threshold);
    if learnt.threshold <= 0.0 {
        return Err(Error::refused(
            Setting::Gold,
            "the best threshold is 0, which finds every pair: the methods do not tell the labelled pairs apart",
            "check the labels, or label more pairs",
        ));
    }
    if let [
        Column {
            field: None,
            spec: own,
        },
    ] = columns
    {
        let own = own.resolved()?;
        let mut single = spec.clone();
        single.features.method = own.features.method;
        single.verify.measure = own.verify.measure;
        if single.features.method.as_deref() == Some("terms") {
            single.terms = own.terms;
        }
        // What has no bounds needs floors, which a model has.
        if single.plan().is_ok() {
            return Ok(single);
        }
    }
    spec.features.method = None;
    spec.verify.measure = None;
    spec.model = Some(model_of(&learnt.combination, columns, &spec)?);
    Ok(spec)
}

#[cfg(test)]
mod tests;
