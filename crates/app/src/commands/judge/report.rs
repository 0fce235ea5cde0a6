//! What judging prints: a page for people and an object for programs.

use std::fmt::Write as _;

use lookalike::judge::gold::Counting;
use lookalike::judge::metrics::Counts;
use serde_json::{Map, Value, json};

use crate::screen::thousands;

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Report {
    pub(super) page: String,
    pub(super) json: Value,
}

impl Report {
    pub(super) fn new() -> Self {
        Report {
            page: String::new(),
            json: Value::Object(Map::new()),
        }
    }

    /// A line of the page.
    pub(super) fn line(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.page, "{name:<18}{value}");
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
        self.line("counted", &format!("{what}; {meaning}"));
        self.field("counting", name);
    }

    /// Precision, recall, F1 and what they are made of.
    pub(super) fn counts(&mut self, counts: &Counts) {
        let found = counts.true_positives + counts.false_positives;
        let right = counts.true_positives + counts.false_negatives;
        let share = |value: f64, of: u64, what: &str| {
            let part = thousands(counts.true_positives);
            format!("{value:.4} ({part} of {} {what})", thousands(of))
        };
        let precision = share(counts.precision(), found, "pairs found are right");
        self.line("precision", &precision);
        let recall = share(counts.recall(), right, "right pairs are found");
        self.line("recall", &recall);
        self.line("F1", &format!("{:.4}", counts.f1()));
        if let Some(accuracy) = counts.accuracy() {
            self.line("accuracy", &format!("{accuracy:.4}"));
            self.field("accuracy", accuracy);
        }
        for (name, value) in fields(counts) {
            self.field(name, value);
        }
    }
}

/// The numbers as fields of an object.
pub(super) fn fields(counts: &Counts) -> [(&'static str, Value); 7] {
    [
        ("precision", json!(counts.precision())),
        ("recall", json!(counts.recall())),
        ("f1", json!(counts.f1())),
        ("true_positives", json!(counts.true_positives)),
        ("false_positives", json!(counts.false_positives)),
        ("false_negatives", json!(counts.false_negatives)),
        ("true_negatives", json!(counts.true_negatives)),
    ]
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
