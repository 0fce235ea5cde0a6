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
        (
            "[-1.0, 1.0]",
            "[1.0, -1.0]",
            "a pair more alike is less of a duplicate",
        ),
    ] {
        let model: ModelSpec = toml::from_str(&TREES.replace(from, to)).unwrap();
        let error = model.check().unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}

#[test]
fn a_weight_below_0_is_refused() {
    let part = |weight: f64| {
        format!(
            "[[part]]\nfeatures = \"shingles:words:1\"\nmeasure = \"run\"\nweight = {weight:?}\n"
        )
    };
    for kind in ["linear", "logistic"] {
        let model = format!("kind = \"{kind}\"\n{}{}", part(1.0), part(-0.25));
        let model: ModelSpec = toml::from_str(&model).unwrap();
        let error = model.check().unwrap_err().to_string();
        assert!(error.contains("has the weight -0.25"), "{error}");
    }
}
