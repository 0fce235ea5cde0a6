//! The join, held against a naive one.

use std::fs;

use proptest::prelude::*;

use super::convert::convert;
use crate::input::{Input, InputOptions};

/// A row as generated.
#[derive(Clone, Debug)]
enum Row {
    Question {
        id: u32,
        accepted: Option<u32>,
        body: String,
    },
    Answer {
        id: u32,
        parent: u32,
        score: i32,
        body: String,
    },
    Wiki,
    /// Without an id.
    Bad,
}

impl Row {
    fn xml(&self) -> String {
        match self {
            Row::Question { id, accepted, body } => {
                let accepted =
                    accepted.map_or(String::new(), |id| format!("AcceptedAnswerId=\"{id}\""));
                format!(
                    "<row Id=\"{id}\" PostTypeId=\"1\" {accepted} Title=\"t{id}\" Body=\"{body}\" />"
                )
            }
            Row::Answer {
                id,
                parent,
                score,
                body,
            } => format!(
                "<row Id=\"{id}\" PostTypeId=\"2\" ParentId=\"{parent}\" Score=\"{score}\" Body='{body}'></row>"
            ),
            Row::Wiki => "<row Id=\"7\" PostTypeId=\"5\" Body=\"no\" />".to_owned(),
            Row::Bad => "<row PostTypeId=\"1\" Body=\"no\" />".to_owned(),
        }
    }
}

/// The lines that must come out, all rows in memory.
fn naive(rows: &[Row], first_line: u64) -> String {
    let mut lines = String::new();
    let mut seen = Vec::new();
    for (line, row) in (first_line..).zip(rows) {
        match row {
            Row::Question { id, accepted, body } => {
                let mut own: Vec<_> = rows
                    .iter()
                    .filter_map(|row| match row {
                        Row::Answer {
                            id: answer,
                            parent,
                            score,
                            body,
                        } if parent == id => Some((-score, *answer, body)),
                        _ => None,
                    })
                    .collect();
                // Of equal ones the first.
                own.sort_by_key(|(score, answer, _)| (*score, *answer));
                if seen.contains(id) {
                    own.clear();
                }
                seen.push(*id);
                let count = own.len();
                let is_accepted = own.iter().find(|(_, answer, _)| Some(*answer) == *accepted);
                let (accepted, answer) = match (is_accepted, own.first()) {
                    (Some((_, _, body)), _) => (1, body.as_str()),
                    (None, Some((_, _, body))) => (0, body.as_str()),
                    (None, None) => (0, ""),
                };
                let line =
                    format!("{line}\t{id}\t\t\t\t\tt{id}\t{body}\t{count}\t{accepted}\t{answer}\n");
                lines.push_str(&line);
            }
            Row::Bad => lines.push_str(&format!("!\t{line}\tthe row has no Id\n")),
            Row::Answer { .. } | Row::Wiki => {}
        }
    }
    lines
}

fn row() -> impl Strategy<Value = Row> {
    let body = || "[a-z一é ]{0,30}";
    let id = || 1_u32..12;
    prop_oneof![
        3 => (id(), prop::option::of(id()), body())
            .prop_map(|(id, accepted, body)| Row::Question { id, accepted, body }),
        5 => (id(), id(), -2..3_i32, body())
            .prop_map(|(id, parent, score, body)| Row::Answer { id, parent, score, body }),
        1 => Just(Row::Wiki),
        1 => Just(Row::Bad),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn threads_are_those_of_a_naive_join_at_any_size_of_parts(
        rows in prop::collection::vec(row(), 0..40), part_bytes in 1_u64..2000, block_bytes in 1_usize..500,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Posts.xml");
        let xml: String = rows.iter().map(|row| format!("  {}\r\n", row.xml())).collect();
        fs::write(&path, format!("\u{feff}<?xml version=\"1.0\"?>\r\n<posts>\r\n{xml}</posts>")).unwrap();
        let options = InputOptions { block_bytes, ..InputOptions::default() };
        let input = Input::resolve(&[path.to_string_lossy()], &options, folder.path()).unwrap();
        let expected = naive(&rows, 3);
        let prepared = &input.sources[0].prepared.as_ref().unwrap().path;
        prop_assert_eq!(fs::read_to_string(prepared).unwrap(), expected.as_str());

        let parts = folder.path().join("other.threads");
        convert(&input.sources[0], &options, &parts, part_bytes).unwrap();
        prop_assert_eq!(fs::read_to_string(&parts).unwrap(), expected);
        // The dump, and what was made of it, twice, each with its seal.
        prop_assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "nothing else is left");
    }
}
