//! A learnt model as a part of a spec.

use lookalike_kernel::{Column, ModelKind, ModelSpec, PartSpec, ProductSpec, Spec, TreeSpec};

use crate::{Error, learn};

/// A model learnt from these columns, as a part of `spec`. Parts without weight are left out where nothing else
/// refers to them.
pub(super) fn learnt(
    model: &learn::Model,
    columns: &[Column],
    spec: &Spec,
) -> Result<ModelSpec, Error> {
    let part = |place: usize, weight: f64, mean: f64| -> Result<PartSpec, Error> {
        let Column { field, spec: own } = &columns[place];
        let own = own.resolved()?;
        let features = own.features.method.unwrap_or_default();
        let other_terms = features == "terms" && own.terms != spec.terms;
        Ok(PartSpec {
            field: field.clone(),
            features,
            measure: own.verify.measure.unwrap_or_default(),
            weight,
            mean,
            text: (own.text != spec.text).then_some(own.text),
            terms: other_terms.then_some(own.terms),
        })
    };
    match model {
        learn::Model::Linear(linear) => {
            let weighted = linear.weights.iter().enumerate();
            let used = weighted.filter(|(_, (_, weight))| *weight > 0.0);
            let parts = used.map(|(place, (_, weight))| part(place, *weight, 0.0));
            let parts = parts.collect::<Result<_, _>>()?;
            Ok(ModelSpec::new(ModelKind::Linear, parts))
        }
        learn::Model::Logistic(logistic) => {
            let weights = logistic.weights.iter().zip(&logistic.means).enumerate();
            let parts = weights
                .map(|(place, ((_, weight), mean))| part(place, *weight, *mean))
                .collect::<Result<_, _>>()?;
            let product = |product: &learn::Product| ProductSpec {
                left: product.left,
                right: product.right,
                weight: product.weight,
            };
            Ok(ModelSpec {
                bias: logistic.bias,
                product: logistic.products.iter().map(product).collect(),
                ..ModelSpec::new(ModelKind::Logistic, parts)
            })
        }
        learn::Model::Trees(trees) => {
            let splits = trees.trees.iter().flat_map(|tree| &tree.splits);
            let mut used: Vec<usize> = splits.map(|split| split.column).collect();
            used.sort_unstable();
            used.dedup();
            let place = |column| used.partition_point(|&other| other < column);
            let tree = |tree: &learn::Tree| TreeSpec {
                splits: tree
                    .splits
                    .iter()
                    .map(|split| (place(split.column), split.least))
                    .collect(),
                leaves: tree.leaves.clone(),
            };
            let parts = used
                .iter()
                .map(|&column| part(column, 0.0, trees.means[column]))
                .collect::<Result<_, _>>()?;
            Ok(ModelSpec {
                bias: trees.bias,
                tree: trees.trees.iter().map(tree).collect(),
                ..ModelSpec::new(ModelKind::Trees, parts)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_no_tree_asks_for_are_left_out() {
        let spec = Spec::default();
        let column = |measure: &str| {
            let mut spec = spec.clone();
            spec.features.method = Some("shingles:words:1".to_string());
            spec.verify.measure = Some(measure.to_string());
            Column::direct(None, &spec)
        };
        let trees = learn::Model::Trees(learn::Trees {
            names: Vec::new(),
            means: vec![0.1, 0.2, 0.3],
            trees: vec![learn::Tree {
                splits: vec![learn::Split {
                    column: 2,
                    least: 0.5,
                }],
                leaves: vec![-1.0, 1.0],
            }],
            bias: 0.0,
            threshold: 0.5,
        });
        let columns = ["jaccard", "cosine", "ends"].map(column);
        let model = learnt(&trees, &columns, &spec).unwrap();
        assert_eq!(model.part.len(), 1);
        assert_eq!(
            (model.part[0].measure.as_str(), model.part[0].mean),
            ("ends", 0.3)
        );
        assert_eq!(model.tree[0].splits, [(0, 0.5)]);
    }
}
