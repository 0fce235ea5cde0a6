//! What competes: the best single methods, and combinations of methods.

use std::time::Instant;

use lookalike_kernel::{Column, Setting};
use lookalike_text::Seed;

use super::{Candidate, ModelChoice};
use crate::Error;
use crate::learn::{Example, Examples, Learner, Learnt, cross_validate};
use crate::methods::NamedMethod;
use crate::scoring::PairScorer;

/// The similarities of all pairs under some methods.
pub(super) struct Matrix {
    names: Vec<String>,
    columns: Vec<Column>,
    rows: Vec<Example>,
}

impl Matrix {
    /// Groups are those of linked pairs.
    pub(super) fn new(
        (scorer, groups): (&mut PairScorer<'_>, &[u64]),
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
        let similarities = scorer.matrix(&columns)?.into_iter();
        let labelled = similarities.zip(scorer.labels().zip(groups));
        let rows = labelled.map(|(similarities, (same, &group))| Example {
            similarities,
            same,
            group,
        });
        Ok(Matrix {
            names,
            rows: rows.collect(),
            columns,
        })
    }
}

/// What is compared: each of the fields, or the whole text.
pub(super) fn views(fields: &[String]) -> Vec<Option<String>> {
    if fields.is_empty() {
        return vec![None];
    }
    fields.iter().cloned().map(Some).collect()
}

/// A way to learn from some of the columns.
pub(super) struct Competitor<'m> {
    name: String,
    learner: Learner,
    matrix: &'m Matrix,
    /// Their places.
    used: Vec<usize>,
}

impl Competitor<'_> {
    pub(super) fn columns(&self) -> Vec<Column> {
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
                group: row.group,
            }
        };
        Examples::new(self.matrix.rows.iter().map(used))
    }

    pub(super) fn learn(&self, seed: Seed) -> Result<Learnt, Error> {
        self.learner.learn(&self.examples()?, seed)
    }

    pub(super) fn validated(self, folds: usize, seed: Seed) -> Result<(Candidate, Self), Error> {
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
pub(super) fn best_singles(
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

/// The combinations of all columns that are asked for, from simple to complex.
pub(super) fn combinations(matrix: &Matrix, choice: ModelChoice) -> Vec<Competitor<'_>> {
    let known = [
        (ModelChoice::Linear, "weighted mean", Learner::Mean),
        (
            ModelChoice::Logistic,
            "maximum entropy",
            Learner::MaximumEntropy,
        ),
        (ModelChoice::Trees, "boosted trees", Learner::Boost),
    ];
    let is_wanted = |kind: ModelChoice| choice == kind || choice == ModelChoice::Auto;
    let wanted = known.into_iter().filter(|(kind, ..)| is_wanted(*kind));
    wanted
        .map(|(_, name, learner)| Competitor {
            name: name.to_string(),
            learner,
            matrix,
            used: (0..matrix.columns.len()).collect(),
        })
        .collect()
}

/// The weights of the fields by hill climbing: all columns of a matrix of one method.
pub(super) fn climbed(matrix: &Matrix, starts: usize) -> Competitor<'_> {
    Competitor {
        name: format!("weights of fields by hill climbing from {starts} starts"),
        learner: Learner::Climb { starts },
        matrix,
        used: (0..matrix.columns.len()).collect(),
    }
}
