//! What a model may say.

use super::*;

const TREES: &str = r#"
    kind = "trees"
    [[part]]
    features = "shingles:words:1"
    measure = "run"
    mean = 0.25
    [[tree]]
    splits = [[0, 0.5]]
    leaves = [-1.0, 1.0]
"#;

#[test]
fn trees_are_read_as_they_were_written() {
    let model: ModelSpec = toml::from_str(TREES).unwrap();
    model.check().unwrap();
    let written = toml::to_string(&model).unwrap();
    assert!(!written.contains("weight"), "{written}");
    assert_eq!(toml::from_str::<ModelSpec>(&written).unwrap(), model);
    let score = |value| model.combination().score(&[value]);
    assert!(score(Some(0.5)) > 0.7);
    assert!(score(None) < 0.3);
}

#[test]
fn columns_that_no_tree_asks_for_are_left_out() {
    let spec = Spec::default();
    let column = |measure: &str| {
        let mut spec = spec.clone();
        spec.features.method = Some("shingles:words:1".to_string());
        spec.verify.measure = Some(measure.to_string());
        spec.compared_directly();
        Column { field: None, spec }
    };
    let learnt = learn::Model::Trees(learn::Trees {
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
    let model = ModelSpec::learnt(&learnt, &columns, &spec).unwrap();
    assert_eq!(model.part.len(), 1);
    assert_eq!(
        (model.part[0].measure.as_str(), model.part[0].mean),
        ("ends", 0.3)
    );
    assert_eq!(model.tree[0].splits, [(0, 0.5)]);
}

#[test]
fn wrong_trees_are_refused() {
    for (from, to, problem) in [
        (
            "[[0, 0.5]]",
            "[[1, 0.5]]",
            "refers to part 1, but its parts are 0 to 0",
        ),
        ("[[0, 0.5]]", "[]", "0 splits and 2 leaves"),
        ("[-1.0, 1.0]", "[nan, 1.0]", "a weight is a finite number"),
        ("\"trees\"", "\"logistic\"", "but not both"),
    ] {
        let model: ModelSpec = toml::from_str(&TREES.replace(from, to)).unwrap();
        let error = model.check().unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
