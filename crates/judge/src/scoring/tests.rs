use super::*;
use crate::gold::read_text_pairs;

const PAIRS: &str = r#"{"a": {"question": "where is the ferry", "answer": "at the pier"}, "b": {"question": "where is the ferry", "answer": "渡轮在港口"}}
{"a": {"question": "where is the ferry", "answer": "at the pier"}, "b": {"question": "where is the ferry", "answer": "at the pier"}}
{"a": {"question": "where is the ferry"}, "b": {"question": "where is a ferry"}}
{"a": {"question": "where is the ferry", "answer": "x"}, "b": {"question": "where is a ferry"}}
{"a": {"question": " ", "answer": ""}, "b": {"question": ""}}
"#;

fn scores(model: &str) -> PairScores {
    let pairs = read_text_pairs("pairs.jsonl", PAIRS.as_bytes()).unwrap();
    let spec = format!("job = \"threads\"\ninput.fields = [\"question\", \"answer\"]\n{model}");
    let spec: Spec = toml::from_str(&spec).unwrap();
    PairScorer::new(&pairs).score_fields(&spec).unwrap()
}

const WORDS: &str = "[model]\nkind = \"linear\"\n[[model.part]]\nfield = \"question\"\nfeatures = \"shingles:words:1\"\nmeasure = \"jaccard\"\nweight = 0.5\n[[model.part]]\nfield = \"answer\"\nfeatures = \"shingles:words:1\"\nmeasure = \"jaccard\"\nweight = 0.5\n";

#[test]
fn fields_are_scored_together_and_alone() {
    let scores = scores(WORDS);
    let [(question, alone), (answer, of_answers)] = scores.fields.as_slice() else {
        panic!("{scores:?}");
    };
    assert_eq!((question.as_str(), answer.as_str()), ("question", "answer"));
    assert_eq!(
        scores.all,
        [Some(0.5), Some(1.0), Some(0.6), Some(0.3), None]
    );
    assert_eq!(*alone, [Some(1.0), Some(1.0), Some(0.6), Some(0.6), None]);
    assert_eq!(*of_answers, [Some(0.0), Some(1.0), None, Some(0.0), None]);
}

#[test]
fn what_is_absent_counts_as_the_model_says() {
    let left_out = scores(&format!("{WORDS}[model.absent]\nin-one = \"left-out\"\n"));
    assert_eq!(left_out.all[3], Some(0.6));
    let different = scores(&format!("{WORDS}[model.absent]\nin-both = \"different\"\n"));
    assert_eq!(different.all[2], Some(0.3));
}

#[test]
fn threads_without_a_model_are_scored_by_that_of_the_job() {
    let scores = scores("");
    assert_eq!(scores.all[1], Some(1.0));
    assert_eq!(scores.fields.len(), 2);
}
