//! The kinds of changes between pairs of statements: JSON lines with `a`, `b` and, if known, `a_title`, `b_title`,
//! `a_refs`, `b_refs`, `is_frame`, `are_siblings` come in; the same go out with `kind`, `confidence` and `changed`.
#![allow(clippy::print_stdout)]

use std::io::{self, BufRead};

use lookalike_pair::assemble::{Comparer, Seen, Statement};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut comparer = Comparer::new();
    for line in io::stdin().lock().lines() {
        let mut pair: Value = serde_json::from_str(&line?)?;
        let statement = |side: &str| Statement {
            text: pair[side].as_str().unwrap_or_default(),
            title: pair[format!("{side}_title")].as_str(),
            in_references: pair[format!("{side}_refs")].as_bool().unwrap_or_default(),
        };
        let flag = |name: &str| pair[name].as_bool();
        let seen = match (flag("is_frame"), flag("are_siblings")) {
            (None, None) => Seen::Alone,
            (is_frame, are_siblings) => Seen::Among {
                is_frame: is_frame.unwrap_or_default(),
                are_siblings: are_siblings.unwrap_or_default(),
            },
        };
        let change = comparer.compare_seen(statement("a"), statement("b"), seen);
        pair["kind"] = json!(change.kind);
        pair["changed"] = json!(change.changed);
        pair["confidence"] = json!(change.confidence);
        println!("{pair}");
    }
    Ok(())
}
