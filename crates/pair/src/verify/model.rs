//! Several measures as one: a combination whose weights were learnt from labelled pairs.
//!
//! Each part describes the text in its own way. Kept: for each part the number of its words, then the words. The
//! combination is computed in full and has no bounds, so candidates must be found by keys of the user's choice.

use std::sync::Arc;

use lookalike_sign::features::{Background, Describe, Method};
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::{Keep, Kept, Verify};

/// How the similarities of the parts make one.
#[derive(Debug, Clone, PartialEq)]
pub enum Combination {
    /// The weighted mean of those that are there.
    Linear {
        /// One a part; at least 0.
        weights: Vec<f64>,
    },
    /// The logistic function of a weighted sum: a probability.
    Logistic {
        /// One a part.
        weights: Vec<f64>,
        /// What a missing similarity counts as, one a part.
        means: Vec<f64>,
        /// Two parts, multiplied, and the weight of the product.
        products: Vec<(usize, usize, f64)>,
        /// What is added.
        bias: f64,
    },
    /// The logistic function of what trees say, added up: a probability.
    Trees {
        /// What a missing similarity counts as, one a part.
        means: Vec<f64>,
        /// What is added up.
        trees: Vec<Tree>,
        /// What is added.
        bias: f64,
    },
}

/// A few questions, asked of every pair, and what each combination of answers adds.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// Parts, and the least similarity for a yes.
    pub splits: Vec<(usize, f64)>,
    /// By the answers as the digits of a binary number, the first question being the lowest digit.
    pub leaves: Vec<f64>,
}

impl Tree {
    fn leaf(&self, values: &[f64]) -> f64 {
        let answers = self.splits.iter().enumerate();
        let digits = answers.map(|(bit, &(part, least))| usize::from(values[part] >= least) << bit);
        self.leaves[digits.sum::<usize>()]
    }
}

/// The similarities, with the means where there are none.
fn filled(similarities: &[Option<f64>], means: &[f64]) -> Vec<f64> {
    let both = similarities.iter().zip(means);
    both.map(|(similarity, mean)| similarity.unwrap_or(*mean))
        .collect()
}

/// In software: the C libraries of different machines differ in the last bit.
fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-sum))
}

impl Combination {
    /// The similarity of a pair from those of its parts, none where neither text has anything to compare.
    pub fn score(&self, similarities: &[Option<f64>]) -> f64 {
        match self {
            Combination::Linear { weights } => {
                let (mut sum, mut present) = (0.0, 0.0);
                for (weight, similarity) in weights.iter().zip(similarities) {
                    if let Some(value) = similarity {
                        sum += weight * value;
                        present += weight;
                    }
                }
                if present > 0.0 { sum / present } else { 0.0 }
            }
            Combination::Logistic {
                weights,
                means,
                products,
                bias,
            } => {
                let values = filled(similarities, means);
                let plain: f64 = weights
                    .iter()
                    .zip(&values)
                    .map(|(w, value)| w * value)
                    .sum();
                let products = products.iter();
                let multiplied: f64 = products
                    .map(|&(left, right, weight)| weight * values[left] * values[right])
                    .sum();
                logistic(bias + plain + multiplied)
            }
            Combination::Trees { means, trees, bias } => {
                let values = filled(similarities, means);
                let leaves = trees.iter().map(|tree| tree.leaf(&values));
                logistic(bias + leaves.sum::<f64>())
            }
        }
    }
}

/// One of the similarities.
#[derive(Debug, Clone)]
pub struct Part {
    /// How the text is described.
    pub features: Arc<dyn Method>,
    /// How two descriptions are compared.
    pub measure: Arc<dyn Verify>,
    /// What describing needs to know; seed and lexicon are those of the run.
    pub background: Background,
}

impl Part {
    fn background(&self, run: &Background) -> Background {
        Background {
            seed: run.seed,
            lexicon: run.lexicon.clone(),
            ..self.background.clone()
        }
    }
}

/// See the [module](self).
#[derive(Debug)]
pub struct Model {
    parts: Vec<Part>,
    combination: Combination,
}

impl Model {
    /// A combination of as many similarities as it has weights.
    pub fn new(parts: Vec<Part>, combination: Combination) -> Self {
        Model { parts, combination }
    }
}

struct KeepParts {
    parts: Vec<KeepPart>,
    features: Features,
}

struct KeepPart {
    describe: Box<dyn Describe>,
    keeper: Box<dyn Keep>,
}

impl Keep for KeepParts {
    fn keep(&mut self, unit: &Unit<'_>, _: &mut Features, out: &mut Vec<u64>) {
        let begin = out.len();
        for part in &mut self.parts {
            let count_at = out.len();
            out.push(0);
            part.describe.describe(unit, &mut self.features);
            if !self.features.is_empty() {
                part.keeper.keep(unit, &mut self.features, out);
            }
            out[count_at] = (out.len() - count_at - 1) as u64;
        }
        if out[begin..].iter().all(|&word| word == 0) {
            out.truncate(begin);
        }
    }
}

/// What was kept for each part.
fn parts(mut kept: &Kept) -> impl Iterator<Item = &Kept> {
    std::iter::from_fn(move || {
        let (&count, rest) = kept.split_first()?;
        let (part, others) = rest.split_at(count as usize);
        kept = others;
        Some(part)
    })
}

impl Verify for Model {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        let part = |part: &Part| {
            let background = part.background(background);
            Ok(KeepPart {
                describe: part.features.describer(&background)?,
                keeper: part.measure.keeper(&background)?,
            })
        };
        Ok(Box::new(KeepParts {
            parts: self.parts.iter().map(part).collect::<Result<_, Error>>()?,
            features: Features::default(),
        }))
    }

    fn score(&self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let both = self.parts.iter().zip(parts(a).zip(parts(b)));
        let similarities: Vec<Option<f64>> = both
            .map(|(part, (a, b))| match (a, b) {
                ([], []) => None,
                _ => Some(part.measure.score(a, b, 0.0).unwrap_or(0.0)),
            })
            .collect();
        let similarity = self.combination.score(&similarities);
        (similarity >= floor).then_some(similarity)
    }

    fn needs_statistics(&self) -> bool {
        self.parts
            .iter()
            .any(|part| part.features.needs_statistics(&part.background))
    }
}

#[cfg(test)]
mod tests {
    use lookalike_sign::features;
    use lookalike_text::UnitId;

    use super::*;
    use crate::verify::measure;

    fn part(form: &str, name: &str) -> Part {
        Part {
            features: features::method(form).unwrap(),
            measure: measure(name).unwrap(),
            background: Background::default(),
        }
    }

    fn linear(weights: &[f64]) -> Combination {
        Combination::Linear {
            weights: weights.to_vec(),
        }
    }

    fn score(model: &Model, a: &str, b: &str) -> Option<f64> {
        let background = Background::default();
        let mut keeper = model.keeper(&background).unwrap();
        let mut kept = |text| {
            let mut out = Vec::new();
            let unit = Unit::whole(UnitId::from(0), text);
            keeper.keep(&unit, &mut Features::default(), &mut out);
            out
        };
        model.score(&kept(a), &kept(b), 0.0)
    }

    #[test]
    fn a_combination_is_the_weighted_mean_of_its_parts() {
        let parts = vec![
            part("shingles:words:1", "jaccard"),
            part("shingles:words:1", "containment"),
        ];
        let model = Model::new(parts, linear(&[0.25, 0.75]));
        // Two of four words, and two of three of the shorter text.
        let expected = (0.25 * 0.5 + 0.75 * (2.0 / 3.0)) / 1.0;
        assert_eq!(score(&model, "红 绿 蓝", "红 绿 灰"), Some(expected));
        assert_eq!(score(&model, "red green", "red green"), Some(1.0));
        assert_eq!(score(&model, "", "red green"), None);
    }

    #[test]
    fn trees_add_up_what_they_say_for_the_answers() {
        let tree = |splits: &[(usize, f64)], leaves: &[f64]| Tree {
            splits: splits.to_vec(),
            leaves: leaves.to_vec(),
        };
        let trees = Combination::Trees {
            means: vec![0.9, 0.5],
            trees: vec![
                tree(&[(0, 0.5), (1, 0.25)], &[-1.0, 2.0, 4.0, 8.0]),
                tree(&[], &[0.5]),
            ],
            bias: -1.0,
        };
        let expected = |sum: f64| 1.0 / (1.0 + libm::exp(-(sum - 0.5)));
        for (row, leaf) in [
            ([Some(0.4), Some(0.2)], -1.0),
            ([None, Some(0.2)], 2.0),
            ([Some(0.4), None], 4.0),
            ([Some(0.5), Some(0.25)], 8.0),
        ] {
            assert_eq!(trees.score(&row), expected(leaf));
        }
    }

    #[test]
    fn what_neither_text_has_is_missing_and_what_one_has_is_different() {
        let means = vec![0.9, 0.5];
        let logistic = Combination::Logistic {
            weights: vec![2.0, 1.0],
            means,
            products: vec![(0, 1, 4.0)],
            bias: -1.0,
        };
        let expected = 1.0 / (1.0 + libm::exp(-(-1.0 + (2.0 * 0.9 + 0.25) + 4.0 * 0.9 * 0.25)));
        assert_eq!(logistic.score(&[None, Some(0.25)]), expected);
        // Spot signatures need function words, which neither text has.
        let parts = vec![
            part("spotsigs:50:1:2", "jaccard"),
            part("shingles:words:1", "jaccard"),
        ];
        let model = Model::new(parts, linear(&[0.5, 0.5]));
        assert_eq!(score(&model, "green tea", "green tea"), Some(1.0));
        assert_eq!(
            linear(&[0.5, 0.5]).score(&[Some(0.0), Some(1.0)]),
            0.5,
            "missing on one side only"
        );
    }
}
