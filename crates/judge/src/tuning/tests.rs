use std::collections::BTreeMap;

use lookalike_kernel::{ModelKind, ModelSpec, PartSpec};
use lookalike_pair::verify::Tree;

use super::floors::{LEAST_FLOOR, MISSED, MOST_MISSED};
use super::*;
use crate::gold::Text;

/// Two hundred true pairs that share fewer and fewer words of the title, and every fourth all of the body.
fn pairs() -> Vec<LabelledTexts> {
    let words = |count: usize, word: &str| {
        vec![word; count]
            .iter()
            .enumerate()
            .map(|(n, w)| format!("{w}{n} 字"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let text = |title: String, body: String| {
        let fields = [("title", title), ("body", body)];
        Text::Fields(
            fields
                .map(|(name, text)| (name.to_string(), text))
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
        )
    };
    let pair = |number: usize| {
        let common = words(number % 50, "same");
        let body = |side: &str| {
            if number.is_multiple_of(4) {
                words(9, "all")
            } else {
                // The sides have nothing in common.
                words(9, side).replace(" 字", "")
            }
        };
        LabelledTexts {
            a: text(format!("{common} {}", words(20, "left")), body("b")),
            b: text(format!("{common} {}", words(20, "right")), body("c")),
            same: number < 200,
        }
    };
    (0..220).map(pair).collect()
}

fn part(field: Option<&str>, measure: &str) -> PartSpec {
    PartSpec {
        field: field.map(str::to_string),
        features: "shingles:words:1".to_string(),
        measure: measure.to_string(),
        weight: 1.0,
        least: 0.0,
        least_alone: 0.0,
        mean: 0.0,
        text: None,
        terms: None,
    }
}

fn tree() -> Tree {
    Tree {
        splits: vec![(0, 0.5)],
        leaves: vec![-1.0, 1.0],
    }
}

#[test]
fn floors_let_most_true_pairs_through_and_are_as_high_as_they_can_be() {
    let pairs = pairs();
    for fields in [vec![], vec!["title".to_string(), "body".to_string()]] {
        for kind in [ModelKind::Linear, ModelKind::Logistic, ModelKind::Trees] {
            let measure = if kind == ModelKind::Linear {
                "edit"
            } else {
                "jaccard"
            };
            let field = fields.first().map(String::as_str);
            let mut spec = Spec {
                job: if fields.is_empty() {
                    jobs::DOCUMENTS
                } else {
                    jobs::THREADS
                },
                model: Some(ModelSpec::new(kind, vec![part(field, measure)])),
                ..Spec::default()
            };
            spec.input.fields.clone_from(&fields);
            if kind == ModelKind::Trees {
                spec.model.as_mut().unwrap().tree = vec![tree()];
            }
            let options = TuneOptions {
                fields: fields.clone(),
                ..TuneOptions::new(Spec::default())
            };
            let mut scorer = PairScorer::new(&pairs).with_fields(&fields);
            let linked = LinkedTexts::new(&pairs);
            let near = Background::new(None, (&linked, &pairs)).nearest(&options.compared());
            let floors = floors::add(&mut spec, (&mut scorer, &near), &options);
            let floors = floors.unwrap().unwrap();
            assert_eq!(floors.floors.len(), fields.len().max(1));
            assert_eq!(floors.floors, spec.model.as_ref().unwrap().floor);
            assert!(spec.plan().is_ok());
            // The list is so small that a large corpus would have very many such pairs.
            assert!(floors.below <= MOST_MISSED, "{floors:?}");
            assert!(floors.floors[0].least > LEAST_FLOOR, "{floors:?}");
            // With a second field, equal similarities leave no floor between missing none and too many.
            assert!(
                floors.below > MISSED / 2.0 || !fields.is_empty(),
                "{floors:?}"
            );
        }
    }
}
