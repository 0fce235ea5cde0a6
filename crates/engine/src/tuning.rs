//! Which method, or which combination of methods, tells labelled pairs apart best?
//!
//! Labelled pairs of texts come in. Each is scored under many methods; then the best single method, weights by hill
//! climbing, two logistic models and boosted trees compete, each judged on pairs it has not seen. Out goes the winner as a spec.

use std::time::Instant;

use lookalike_judge::gold::LabelledTexts;
use lookalike_judge::learn::{
    Boost, Climb, Example, Examples, Folds, Learner, MaximumEntropy, Model, Validation,
    cross_validate_on,
};
use lookalike_sign::keys::Curve;
use lookalike_text::Seed;

use crate::Error;
use crate::methods::{NamedMethod, built_in_methods, diverse_methods};
use crate::scoring::PairScorer;
use crate::spec::{Column, ModelSpec, Spec};

/// How to tune.
#[derive(Debug, Clone)]
pub struct TuneOptions {
    /// What is the same in all methods: what counts as the same text, the seed, a lexicon.
    pub base: Spec,
    /// The fields to compare one by one; none for the whole text.
    pub fields: Vec<String>,
    /// The folds of the cross-validation.
    pub folds: usize,
    /// Worker threads.
    pub threads: usize,
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
    /// How alike the candidates of a run must be to be found by the keys of the spec, where these had to be chosen.
    pub floor: Option<Floor>,
    /// Seconds for scoring the pairs under all methods.
    pub scoring_seconds: f64,
}

/// What the keys of a spec are chosen for.
#[derive(Debug, Clone, PartialEq)]
pub struct Floor {
    /// The Jaccard similarity that is found with the recall of the spec.
    pub jaccard: f64,
    /// Of these features.
    pub features: String,
    /// The share of the near-duplicates among the labelled pairs that are less similar.
    pub below: f64,
}

/// The share of true pairs that keys may be too coarse for.
const MISSED: f64 = 0.05;
/// Keys for pairs even less alike would propose nearly all pairs.
const LEAST_FLOOR: f64 = 0.05;
/// What keys of a combination are made of: words, since every method shares them.
const KEY_FEATURES: &str = "shingles:words:1";
/// The most columns with products that a logistic model takes.
const MOST_COLUMNS: usize = 128;

/// See the [module](self).
///
/// # Errors
/// If there are too few pairs of one label, or if a method cannot be used with the options.
pub fn tune(pairs: &[LabelledTexts], options: &TuneOptions) -> Result<Tuned, Error> {
    let begin = Instant::now();
    let mut scorer = PairScorer::new(pairs, options.threads);
    let singles = Matrix::new(
        &mut scorer,
        &options.fields,
        &similarity_methods(&options.base)?,
    )?;
    let several = options.fields.len() > 1;
    let diverse = diverse_methods(&options.base, several)?;
    let diverse = Matrix::new(&mut scorer, &options.fields, &diverse)?;
    let scoring_seconds = begin.elapsed().as_secs_f64();

    let folds = Folds {
        count: options.folds,
        seed: Seed(options.base.seed),
    };
    let (single, place) = best_single(&singles, folds, options.threads)?;
    let examples = diverse.examples(None)?;
    let learners = learners(&examples, folds.seed);
    let validate = |(name, learner): &(&str, Learner)| {
        let begin = Instant::now();
        let validation = cross_validate_on(options.threads, &examples, learner, folds)?;
        Ok(Candidate {
            name: (*name).to_string(),
            validation,
            seconds: begin.elapsed().as_secs_f64(),
        })
    };
    let learnt: Result<Vec<Candidate>, Error> = learners.iter().map(validate).collect();
    let mut candidates = vec![single];
    candidates.extend(learnt?);
    let mut winner = 0;
    for place in 1..candidates.len() {
        if candidates[place].validation.mean_f1 > candidates[winner].validation.mean_f1 {
            winner = place;
        }
    }
    let (model, columns) = if winner == 0 {
        let examples = singles.examples(Some(place))?;
        let model = threshold_alone(folds.seed).learn(&examples)?;
        (model, vec![singles.columns[place].clone()])
    } else {
        let model = learners[winner - 1].1.learn(&examples)?;
        (model, diverse.columns.clone())
    };
    let mut spec = spec_of(&model, &columns, &options.base)?;
    let floor = choose_keys(&mut spec, &mut scorer)?;
    Ok(Tuned {
        candidates,
        winner,
        spec,
        floor,
        scoring_seconds,
    })
}

fn similarity_methods(base: &Spec) -> Result<Vec<NamedMethod>, Error> {
    let mut methods = built_in_methods(base)?;
    methods.retain(NamedMethod::has_similarity);
    Ok(methods)
}

/// The similarities of all pairs under some methods.
struct Matrix {
    names: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<Example>,
}

impl Matrix {
    fn new(
        scorer: &mut PairScorer<'_>,
        fields: &[String],
        methods: &[NamedMethod],
    ) -> Result<Self, Error> {
        let views: Vec<Option<String>> = if fields.is_empty() {
            vec![None]
        } else {
            fields.iter().cloned().map(Some).collect()
        };
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for field in &views {
            for method in methods {
                let of_field = field
                    .as_ref()
                    .map_or(String::new(), |field| format!("{field}: "));
                names.push(format!("{of_field}{}, {}", method.name, method.measure));
                let mut spec = method.spec.clone();
                spec.compared_directly();
                let field = field.clone();
                columns.push(Column { field, spec });
            }
        }
        let similarities = scorer.matrix(&columns)?.into_iter().zip(scorer.labels());
        let rows = similarities.map(|(similarities, same)| Example { similarities, same });
        Ok(Matrix {
            names,
            rows: rows.collect(),
            columns,
        })
    }

    /// All columns, or one of them.
    fn examples(&self, column: Option<usize>) -> Result<Examples, Error> {
        Ok(match column {
            None => Examples::new(self.names.clone(), self.rows.clone())?,
            Some(place) => {
                let one = self.rows.iter().map(|row| Example {
                    similarities: vec![row.similarities[place]],
                    same: row.same,
                });
                Examples::new([self.names[place].clone()], one)?
            }
        })
    }
}

/// With one column there are no weights: only the threshold is learnt.
fn threshold_alone(seed: Seed) -> Learner {
    Learner::Climb(Climb { starts: 0, seed })
}

/// The method with the best F1 on pairs its threshold was not chosen on.
fn best_single(
    singles: &Matrix,
    folds: Folds,
    threads: usize,
) -> Result<(Candidate, usize), Error> {
    let begin = Instant::now();
    let mut best: Option<(Validation, usize)> = None;
    for place in 0..singles.columns.len() {
        let examples = singles.examples(Some(place))?;
        let learner = threshold_alone(folds.seed);
        // At 0 every pair would be found, and 0 is no threshold.
        if learner.learn(&examples)?.threshold() <= 0.0 {
            continue;
        }
        let validation = cross_validate_on(threads, &examples, &learner, folds)?;
        let better = |(known, _): &(Validation, usize)| validation.mean_f1 > known.mean_f1;
        if best.as_ref().is_none_or(better) {
            best = Some((validation, place));
        }
    }
    let (validation, place) = best.ok_or_else(|| {
        Error::Spec(
            "no method tells the near-duplicates among the labelled pairs from the others; are the labels right?"
                .to_string(),
        )
    })?;
    let candidate = Candidate {
        name: singles.names[place].clone(),
        validation,
        seconds: begin.elapsed().as_secs_f64(),
    };
    Ok((candidate, place))
}

/// From simple to complex.
fn learners(examples: &Examples, seed: Seed) -> Vec<(&'static str, Learner)> {
    let climb = Climb {
        seed,
        ..Climb::default()
    };
    let entropy = |products| Learner::MaximumEntropy(MaximumEntropy { products, seed });
    let mut learners = vec![
        ("weighted mean (hill climbing)", Learner::Climb(climb)),
        ("maximum entropy", entropy(false)),
    ];
    let columns = examples.names().len();
    if columns + columns * (columns + 1) / 2 <= MOST_COLUMNS {
        learners.push(("maximum entropy with products", entropy(true)));
    }
    learners.push(("boosted trees", Learner::Boost(Boost { seed })));
    learners
}

fn spec_of(model: &Model, columns: &[Column], base: &Spec) -> Result<Spec, Error> {
    let mut spec = base.clone();
    spec.threshold = Some(model.threshold());
    if model.threshold() <= 0.0 {
        return Err(Error::Spec(
            "the best threshold is 0, which finds every pair: the methods do not tell the labelled pairs apart"
                .to_string(),
        ));
    }
    match columns {
        [
            Column {
                field: None,
                spec: own,
            },
        ] => {
            let own = own.resolved()?;
            spec.features.method = own.features.method;
            spec.verify.measure = own.verify.measure;
            if spec.features.method.as_deref() == Some("terms") {
                spec.terms = own.terms;
            }
        }
        _ => {
            spec.features.method = Some(KEY_FEATURES.to_string());
            spec.verify.measure = None;
            spec.model = Some(ModelSpec::learnt(model, columns, &spec)?);
        }
    }
    Ok(spec)
}

/// Keys for a spec whose pairs the usual ones cannot find: MinHash bands for most of the true pairs.
fn choose_keys(spec: &mut Spec, scorer: &mut PairScorer<'_>) -> Result<Option<Floor>, Error> {
    let has_fields = spec
        .model
        .as_ref()
        .is_some_and(|model| model.part.iter().any(|part| part.field.is_some()));
    // With fields there is no job to find candidates for.
    if has_fields || spec.plan().is_ok() {
        return Ok(None);
    }
    let mut jaccard = spec.clone();
    jaccard.model = None;
    jaccard.verify.measure = Some("jaccard".to_string());
    let similarities = scorer.score(&jaccard)?;
    let mut of_true: Vec<f64> = similarities
        .into_iter()
        .zip(scorer.labels())
        .filter_map(|(similarity, same)| if same { similarity } else { None })
        .collect();
    of_true.sort_by(f64::total_cmp);
    let place = (MISSED * of_true.len() as f64) as usize;
    let percentile = of_true.get(place).copied().unwrap_or(1.0);
    let floor = (percentile.max(LEAST_FLOOR) * 1000.0).floor() / 1000.0;
    let curve = Curve::choose(floor, spec.keys.recall, 4 * MOST_COLUMNS as u32)?;
    spec.keys.method = "minhash".to_string();
    spec.keys.bands = Some(curve.bands);
    spec.keys.rows = Some(curve.rows);
    let below = of_true.partition_point(|&similarity| similarity < floor);
    Ok(Some(Floor {
        jaccard: floor,
        features: jaccard.resolved()?.features.method.unwrap_or_default(),
        below: below as f64 / of_true.len().max(1) as f64,
    }))
}
