//! What was learnt as a part of a spec.

use std::collections::BTreeSet;

use lookalike_kernel::{Column, ModelKind, ModelSpec, PartSpec, Spec};
use lookalike_pair::verify::{Combination, Tree};

use crate::Error;

/// A combination of these columns as the model of `spec`, which scores the same. Columns that do not count are left
/// out: of a weighted mean those without weight, of trees those that none asks for.
pub(super) fn model_of(
    combination: &Combination,
    columns: &[Column],
    spec: &Spec,
) -> Result<ModelSpec, Error> {
    let (weights, means): (&[f64], &[f64]) = match combination {
        Combination::Linear { weights } => (weights, &[]),
        Combination::Logistic { weights, means, .. } => (weights, means),
        Combination::Trees { means, .. } => (&[], means),
    };
    let number = |list: &[f64], place: usize| list.get(place).copied().unwrap_or_default();
    let part = |&place: &usize| -> Result<PartSpec, Error> {
        let Column { field, spec: own } = &columns[place];
        let own = own.resolved()?;
        let features = own.features.method.unwrap_or_default();
        let other_terms = features == "terms" && own.terms != spec.terms;
        Ok(PartSpec {
            field: field.clone(),
            features,
            measure: own.verify.measure.unwrap_or_default(),
            weight: number(weights, place),
            least: 0.0,
            least_alone: 0.0,
            mean: number(means, place),
            text: (own.text != spec.text).then_some(own.text),
            terms: other_terms.then_some(own.terms),
        })
    };
    let used = used(combination);
    let parts = used.iter().map(part).collect::<Result<_, _>>()?;
    Ok(match combination {
        Combination::Linear { .. } => ModelSpec::new(ModelKind::Linear, parts),
        Combination::Logistic { bias, .. } => ModelSpec {
            bias: *bias,
            ..ModelSpec::new(ModelKind::Logistic, parts)
        },
        Combination::Trees { trees, bias, .. } => {
            let place = |column| used.partition_point(|&other| other < column);
            let split = |&(column, least): &(usize, f64)| (place(column), least);
            let tree = |tree: &Tree| Tree {
                splits: tree.splits.iter().map(split).collect(),
                leaves: tree.leaves.clone(),
            };
            ModelSpec {
                bias: *bias,
                tree: trees.iter().map(tree).collect(),
                ..ModelSpec::new(ModelKind::Trees, parts)
            }
        }
    })
}

/// The columns that count, in order.
fn used(combination: &Combination) -> Vec<usize> {
    match combination {
        Combination::Linear { weights } | Combination::Logistic { weights, .. } => {
            let places = 0..weights.len();
            places.filter(|&place| weights[place] > 0.0).collect()
        }
        Combination::Trees { trees, .. } => {
            let splits = trees.iter().flat_map(|tree| &tree.splits);
            let columns: BTreeSet<usize> = splits.map(|&(column, _)| column).collect();
            columns.into_iter().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURES: [&str; 3] = ["jaccard", "cosine", "ends"];

    fn model(combination: &Combination) -> ModelSpec {
        let column = |measure: &str| {
            let mut spec = Spec::default();
            spec.features.method = Some("shingles:words:1".to_string());
            spec.verify.measure = Some(measure.to_string());
            Column::direct(None, &spec)
        };
        model_of(combination, &MEASURES.map(column), &Spec::default()).unwrap()
    }

    fn mean() -> Combination {
        Combination::Linear {
            weights: vec![0.3, 0.0, 0.7],
        }
    }

    fn logistic() -> Combination {
        Combination::Logistic {
            weights: vec![2.0, 0.0, 1.0],
            means: vec![0.1, 0.2, 0.3],
            bias: -0.25,
        }
    }

    fn trees() -> Combination {
        let tree = |splits: &[(usize, f64)], leaves: &[f64]| Tree {
            splits: splits.to_vec(),
            leaves: leaves.to_vec(),
        };
        Combination::Trees {
            means: vec![0.1, 0.2, 0.3],
            trees: vec![
                tree(&[(2, 0.5)], &[-1.0, 1.0]),
                tree(&[(2, 0.9), (0, 0.4)], &[0.1, 0.2, 0.3, 0.4]),
            ],
            bias: 0.5,
        }
    }

    #[test]
    fn columns_that_do_not_count_are_left_out() {
        for (combination, expected) in [
            (mean(), vec![("jaccard", 0.3, 0.0), ("ends", 0.7, 0.0)]),
            (logistic(), vec![("jaccard", 2.0, 0.1), ("ends", 1.0, 0.3)]),
            (trees(), vec![("jaccard", 0.0, 0.1), ("ends", 0.0, 0.3)]),
        ] {
            let model = model(&combination);
            let parts = model.part.iter();
            let parts = parts.map(|part| (part.measure.as_str(), part.weight, part.mean));
            assert_eq!(parts.collect::<Vec<_>>(), expected);
        }
        assert_eq!(model(&trees()).tree[1].splits, [(1, 0.9), (0, 0.4)]);
    }

    #[test]
    fn what_a_run_computes_is_what_was_learnt() {
        let similarities = [None, Some(0.0), Some(0.37), Some(0.62), Some(1.0)];
        for combination in [mean(), logistic(), trees()] {
            let written = toml::to_string(&model(&combination)).unwrap();
            let read: ModelSpec = toml::from_str(&written).unwrap();
            let of_a_run = read.combination();
            let is_used = |row: &[Option<f64>]| -> Vec<Option<f64>> {
                used(&combination).iter().map(|&place| row[place]).collect()
            };
            for a in similarities {
                for b in similarities {
                    for c in similarities {
                        let row = [a, b, c];
                        let score = combination.score(&row);
                        assert_eq!(of_a_run.score(&is_used(&row)), score);
                    }
                }
            }
        }
    }
}
