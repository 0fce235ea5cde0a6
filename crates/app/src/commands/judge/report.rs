//! What judging prints: a page for people and an object for programs.

use std::fmt::Display;

use lookalike::judge::gold::Counting;
use lookalike::judge::metrics::Counts;
use lookalike::judge::sweep::Point;
use serde_json::{Map, Value, json};

use crate::screen::{self, thousands};

/// What judging prints: a page for people and an object for programs.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) page: String,
    pub(super) json: Value,
}

impl Report {
    /// About this gold.
    pub(super) fn new(gold: &str) -> Self {
        let mut report = Report {
            page: String::new(),
            json: Value::Object(Map::new()),
        };
        report.line("gold", gold);
        report
    }

    /// A line of the page.
    pub(super) fn line(&mut self, name: &str, value: impl Display) {
        screen::line(&mut self.page, name, value);
    }

    /// A field of the object.
    pub(super) fn field(&mut self, name: &str, value: impl Into<Value>) {
        self.json[name] = value.into();
    }

    /// What is counted of a result.
    pub(super) fn counting(&mut self, what: &str, counting: Counting) {
        let (name, meaning) = match counting {
            Counting::Listed => ("listed", "only the labelled pairs count"),
            Counting::Complete => ("complete", "pairs that the gold does not list are wrong"),
        };
        self.line("counted", format!("{what}; {meaning}"));
        self.field("counting", name);
    }

    /// Precision, recall, F1 and what they are made of.
    pub(super) fn counts(&mut self, counts: &Counts) {
        let found = thousands(counts.found());
        let right = thousands(counts.right());
        let both = thousands(counts.true_positives);
        let [precision, recall, f1] = shares(counts);
        let of_found = match counts.found() {
            0 => "none: nothing reported".to_string(),
            _ => format!("{precision} ({both} of {found} pairs found are right)"),
        };
        self.line("precision", of_found);
        let of_right = format!("{recall} ({both} of {right} right pairs are found)");
        self.line("recall", of_right);
        self.line("F1", f1);
        if let Some(accuracy) = counts.accuracy() {
            self.line("accuracy", format!("{accuracy:.4}"));
            self.field("accuracy", accuracy);
        }
        add_counts(&mut self.json, counts);
    }

    /// Recall alone, where the gold says nothing about pairs that are no near-duplicates.
    pub(super) fn recall_only(&mut self, counts: &Counts) {
        self.line(
            "precision",
            "unknown: the gold lists only near-duplicates; --complete counts all other pairs as wrong",
        );
        let (right, both) = (counts.right(), counts.true_positives);
        let [right, both] = [right, both].map(thousands);
        let recall = format!("{:.4}", counts.recall());
        let of_right = format!("{recall} ({both} of {right} right pairs are found)");
        self.line("recall", of_right);
        add_counts(&mut self.json, counts);
        self.field("precision", Value::Null);
        self.field("f1", Value::Null);
    }

    /// The best threshold and its F1, in the object.
    pub(super) fn best(&mut self, best: &Point) {
        self.field("best_threshold", best.threshold);
        self.field("best_f1", best.counts.f1());
    }
}

/// Precision, recall and F1, with the digits that pages show.
pub(super) fn shares(counts: &Counts) -> [String; 3] {
    let [precision, recall, f1] =
        [counts.precision(), counts.recall(), counts.f1()].map(|share| format!("{share:.4}"));
    match counts.found() {
        0 => ["none".to_string(), recall, f1],
        _ => [precision, recall, f1],
    }
}

/// How good a threshold is.
pub(super) fn in_words(counts: &Counts) -> String {
    let [precision, recall, f1] = shares(counts);
    format!("with precision {precision}, recall {recall}, F1 {f1}")
}

/// What a field has alone at a threshold, as an object.
pub(super) fn field_object(field: &str, point: &Point) -> Value {
    let mut object = json!({"field": field, "threshold": point.threshold});
    add_counts(&mut object, &point.counts);
    object
}

/// Adds the numbers to an object.
pub(super) fn add_counts(object: &mut Value, counts: &Counts) {
    let precision = (counts.found() > 0).then(|| counts.precision());
    object["precision"] = json!(precision);
    object["recall"] = json!(counts.recall());
    object["f1"] = json!(counts.f1());
    object["true_positives"] = json!(counts.true_positives);
    object["false_positives"] = json!(counts.false_positives);
    object["false_negatives"] = json!(counts.false_negatives);
    object["true_negatives"] = json!(counts.true_negatives);
}

/// How many pairs have each label.
pub(super) fn labels(positives: usize, negatives: usize) -> String {
    format!(
        "{} labelled pairs: {} near-duplicates, {} not",
        thousands((positives + negatives) as u64),
        thousands(positives as u64),
        thousands(negatives as u64)
    )
}
