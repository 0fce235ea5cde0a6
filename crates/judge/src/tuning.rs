//! Which method, or which combination of methods, tells labelled pairs apart best?
//!
//! Labelled pairs of texts come in. Each is scored under many methods; then the best single method (of each field, if there are
//! fields), weights by hill climbing, two logistic models and boosted trees compete, each judged on pairs it has not seen.
//! Out goes the winner as a spec, with floors by which a run finds the pairs to compare.

mod floors;
mod learnt;

use std::time::Instant;

use lookalike_kernel::{Column, FloorSpec, Setting, Spec, jobs};
use lookalike_text::Seed;

use crate::Error;
use crate::gold::LabelledTexts;
use crate::learn::{
    Example, Examples, Learner, Learnt, MOST_COLUMNS, STARTS, Validation, cross_validate,
};
use crate::methods::{NamedMethod, Rank, built_in_methods, diverse_methods};
use crate::scoring::PairScorer;
use learnt::model_of;

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
}

impl TuneOptions {
    /// Whole texts, five folds.
    pub fn new(base: Spec) -> Self {
        TuneOptions {
            base,
            fields: Vec::new(),
            folds: 5,
        }
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
    /// How alike pairs must be for a run to compare them, where that had to be chosen.
    pub floors: Option<Floors>,
    /// Seconds for scoring the pairs under all methods.
    pub scoring_seconds: f64,
}

/// How alike pairs must be to be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Floors {
    /// A pair that reaches any of these is compared.
    pub floors: Vec<FloorSpec>,
    /// The share of the near-duplicates among the labelled pairs that reach none.
    pub below: f64,
}

/// What floors are in: words, since every method shares them.
const FLOOR: (&str, &str) = ("shingles:words:1", "jaccard");

/// See the [module](self).
///
/// # Errors
/// If there are too few pairs of one label, or if a method cannot be used with the options.
pub fn tune(pairs: &[LabelledTexts], options: &TuneOptions) -> Result<Tuned, Error> {
    let begin = Instant::now();
    let fields = &options.fields;
    let mut scorer = PairScorer::new(pairs).with_fields(fields);
    let mut methods = built_in_methods(&options.base)?;
    methods.retain(NamedMethod::has_similarity);
    let singles = Matrix::new(&mut scorer, fields, &methods)?;
    let diverse = diverse_methods(&options.base, fields.len() > 1)?;
    let (methods, ranks): (Vec<NamedMethod>, Vec<Rank>) = diverse.into_iter().unzip();
    let diverse = Matrix::new(&mut scorer, fields, &methods)?;
    let scoring_seconds = begin.elapsed().as_secs_f64();

    let seed = Seed(options.base.seed);
    let mut competitors = best_singles(&singles, options.folds, seed)?;
    for competitor in combinations(&diverse, &ranks) {
        competitors.push(competitor.validated(options.folds, seed)?);
    }
    let mut winner = 0;
    let f1 = |place: usize| competitors[place].0.validation.mean_f1;
    for place in 1..competitors.len() {
        if f1(place) > f1(winner) {
            winner = place;
        }
    }
    let best = &competitors[winner].1;
    let mut spec = spec_of(&best.learn(seed)?, &best.columns(), options)?;
    let floors = choose_floors(&mut spec, pairs, &mut scorer, options)?;
    let candidates = competitors.into_iter().map(|(candidate, _)| candidate);
    Ok(Tuned {
        candidates: candidates.collect(),
        winner,
        spec,
        floors,
        scoring_seconds,
    })
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
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for field in views(fields) {
            for method in methods {
                let of_field = field
                    .as_ref()
                    .map_or(String::new(), |field| format!("{field}: "));
                names.push(format!("{of_field}{}, {}", method.name, method.measure));
                columns.push(Column::direct(field.clone(), &method.spec));
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
}

/// What is compared: each of the fields, or the whole text.
fn views(fields: &[String]) -> Vec<Option<String>> {
    if fields.is_empty() {
        return vec![None];
    }
    fields.iter().cloned().map(Some).collect()
}

/// A way to learn from some of the columns.
struct Competitor<'m> {
    name: String,
    learner: Learner,
    matrix: &'m Matrix,
    /// Their places.
    used: Vec<usize>,
}

impl Competitor<'_> {
    fn columns(&self) -> Vec<Column> {
        let used = self.used.iter();
        used.map(|&place| self.matrix.columns[place].clone())
            .collect()
    }

    fn examples(&self) -> Result<Examples, Error> {
        let used = |row: &Example| {
            let similarities = self.used.iter().map(|&place| row.similarities[place]);
            Example {
                similarities: similarities.collect(),
                same: row.same,
            }
        };
        Examples::new(self.matrix.rows.iter().map(used))
    }

    fn learn(&self, seed: Seed) -> Result<Learnt, Error> {
        self.learner.learn(&self.examples()?, seed)
    }

    fn validated(self, folds: usize, seed: Seed) -> Result<(Candidate, Self), Error> {
        let begin = Instant::now();
        let candidate = Candidate {
            name: self.name.clone(),
            validation: cross_validate(&self.examples()?, self.learner, folds, seed)?,
            seconds: begin.elapsed().as_secs_f64(),
        };
        Ok((candidate, self))
    }
}

/// Of each field the method with the best F1 on pairs its threshold was not chosen on.
fn best_singles(
    singles: &Matrix,
    folds: usize,
    seed: Seed,
) -> Result<Vec<(Candidate, Competitor<'_>)>, Error> {
    let mut bests: Vec<(Candidate, Competitor<'_>)> = Vec::new();
    let places: Vec<usize> = (0..singles.columns.len()).collect();
    let of_field = |&a: &usize, &b: &usize| singles.columns[a].field == singles.columns[b].field;
    for places in places.chunk_by(of_field) {
        let begin = Instant::now();
        let mut best: Option<(Candidate, Competitor<'_>)> = None;
        for &place in places {
            let single = Competitor {
                name: singles.names[place].clone(),
                // With one column there are no weights: only the threshold is learnt.
                learner: Learner::Climb { starts: 0 },
                matrix: singles,
                used: vec![place],
            };
            // At 0 every pair would be found, and 0 is no threshold.
            if single.learn(seed)?.threshold <= 0.0 {
                continue;
            }
            let single = single.validated(folds, seed)?;
            let f1 = |of: &(Candidate, Competitor<'_>)| of.0.validation.mean_f1;
            if best.as_ref().is_none_or(|best| f1(&single) > f1(best)) {
                best = Some(single);
            }
        }
        if let Some((candidate, _)) = &mut best {
            candidate.seconds = begin.elapsed().as_secs_f64();
        }
        bests.extend(best);
    }
    if bests.is_empty() {
        return Err(Error::refused(
            Setting::Gold,
            "no method tells the near-duplicates among the labelled pairs from the others",
            "are the labels right?",
        ));
    }
    Ok(bests)
}

/// From simple to complex. All but trees take the core only: more columns would cost much or make them worse.
fn combinations<'m>(matrix: &'m Matrix, ranks: &[Rank]) -> Vec<Competitor<'m>> {
    let competitor = |name: &str, learner: Learner, used: &[usize]| Competitor {
        name: name.to_string(),
        learner,
        matrix,
        used: used.to_vec(),
    };
    let all: Vec<usize> = (0..matrix.columns.len()).collect();
    let is_core = |place: &usize| ranks[place % ranks.len()] == Rank::Core;
    let core: Vec<usize> = all.iter().copied().filter(is_core).collect();
    let climb = Learner::Climb { starts: STARTS };
    let entropy = |products| Learner::MaximumEntropy { products };
    let mut competitors = vec![
        competitor("weighted mean (hill climbing)", climb, &core),
        competitor("maximum entropy", entropy(false), &core),
    ];
    if core.len() + core.len() * (core.len() + 1) / 2 <= MOST_COLUMNS {
        let with_products = competitor("maximum entropy with products", entropy(true), &core);
        competitors.push(with_products);
    }
    competitors.push(competitor("boosted trees", Learner::Boost, &all));
    competitors
}

fn spec_of(learnt: &Learnt, columns: &[Column], options: &TuneOptions) -> Result<Spec, Error> {
    let mut spec = options.base.clone();
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
    if !options.fields.is_empty() {
        spec.job = jobs::THREADS;
        spec.input.fields.clone_from(&options.fields);
    }
    spec.model = Some(model_of(&learnt.combination, columns, &spec)?);
    Ok(spec)
}

/// Texts that nobody said anything about: those of pairs far from each other.
fn strangers(pairs: &[LabelledTexts]) -> Vec<LabelledTexts> {
    let others = pairs.iter().cycle().skip(pairs.len() / 2);
    let stranger = |(one, other): (&LabelledTexts, &LabelledTexts)| LabelledTexts {
        a: one.a.clone(),
        b: other.b.clone(),
        same: false,
    };
    pairs.iter().zip(others).map(stranger).collect()
}

/// Floors for a model that does not tell its candidates itself: one for every field that has text.
fn choose_floors(
    spec: &mut Spec,
    pairs: &[LabelledTexts],
    scorer: &mut PairScorer<'_>,
    options: &TuneOptions,
) -> Result<Option<Floors>, Error> {
    if spec.plan().is_ok() {
        return Ok(None);
    }
    let Some(model) = &mut spec.model else {
        return Ok(None);
    };
    let column = |field| {
        let mut spec = options.base.clone();
        (spec.features.method, spec.verify.measure) =
            (Some(FLOOR.0.to_string()), Some(FLOOR.1.to_string()));
        Column::direct(field, &spec)
    };
    let views = views(&options.fields);
    let columns: Vec<Column> = views.iter().cloned().map(column).collect();
    let rows = scorer.matrix(&columns)?;
    let strangers = strangers(pairs);
    let mut of_strangers = PairScorer::new(&strangers).with_fields(&options.fields);
    let of_strangers = of_strangers.matrix(&columns)?;
    let has_text = |place: usize| rows.iter().any(|row| row[place].is_some());
    let has_text: Vec<bool> = (0..columns.len()).map(has_text).collect();
    let labelled = rows.into_iter().zip(scorer.labels());
    let of_true = labelled.filter_map(|(row, same)| same.then_some(row));
    let of_true: Vec<floors::Row> = of_true.collect();
    let (least, below) = floors::choose(&of_true, &of_strangers);
    let floor = |(field, least): (Option<String>, f64)| FloorSpec {
        field,
        features: FLOOR.0.to_string(),
        measure: FLOOR.1.to_string(),
        least,
        text: None,
    };
    let views = views.into_iter().zip(least).zip(has_text);
    model.floor = views
        .filter_map(|(view, has_text)| has_text.then(|| floor(view)))
        .collect();
    let floors = Floors {
        floors: model.floor.clone(),
        below,
    };
    // What else is wrong with the spec is said now, not when it is used.
    spec.plan()?;
    Ok(Some(floors))
}

#[cfg(test)]
mod tests;
