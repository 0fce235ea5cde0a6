//! The kinds of changes between pairs of statements: JSON lines with `a`, `b` and, if known, `a_title`, `b_title`,
//! `a_refs`, `b_refs` come in; the same go out with `kind` and `changed`.
#![allow(clippy::print_stdout)]

use std::io::{self, BufRead};

use lookalike_pair::assemble::{Comparer, Statement};
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
        let change = comparer.compare(statement("a"), statement("b"));
        pair["kind"] = json!(change.kind);
        pair["changed"] = json!(change.changed);
        println!("{pair}");
    }
    Ok(())
}
