//! Labelled pairs of texts.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lines::{self, kind_of, label, two_sides};
use super::spans;
use crate::Error;

/// What the two texts of a pair may be called; the first that a line has is taken. `a` and `b` come last because
/// beside other names they are ids.
pub const TEXT_NAMES: &[(&str, &str)] = &[
    ("text_a", "text_b"),
    ("text1", "text2"),
    ("sentence1", "sentence2"),
    ("question1", "question2"),
    ("a", "b"),
];

const PASSAGES: &str = "passages of ids (\"spans\") instead of texts; with them the RESULT_DIR of lookalike passages is judged";

/// One side of a pair.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Text {
    /// Without fields.
    Whole(String),
    /// By the name of the field; a field that is null is left out.
    Fields(BTreeMap<String, String>),
}

/// Two texts, and whether they are near-duplicates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelledTexts {
    /// One side.
    pub a: Text,
    /// The other.
    pub b: Text,
    /// Label 1.
    pub same: bool,
}

/// Reads labelled pairs of texts in the order of the file, repeated ones too; `name` is for messages.
///
/// # Errors
/// If the input cannot be read or a line is malformed.
pub fn read_text_pairs(name: &str, input: impl BufRead) -> Result<Vec<LabelledTexts>, Error> {
    let mut pairs = Vec::new();
    lines::for_each(name, input, |_, object| {
        if spans::has_only_spans(&object) {
            return Err(PASSAGES.to_string());
        }
        let [a, b] = two_sides(&object, TEXT_NAMES)?;
        pairs.push(LabelledTexts {
            a: text(a)?,
            b: text(b)?,
            same: label(&object)?.unwrap_or(true),
        });
        Ok(())
    })?;
    Ok(pairs)
}

fn text((name, value): (String, &RawValue)) -> Result<Text, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Whole(String),
        Fields(BTreeMap<String, Option<String>>),
    }
    match serde_json::from_str(value.get()) {
        Ok(Written::Whole(text)) => Ok(Text::Whole(text)),
        Ok(Written::Fields(fields)) => {
            let filled = fields
                .into_iter()
                .filter_map(|(name, text)| Some((name, text?)));
            Ok(Text::Fields(filled.collect()))
        }
        Err(_) if value.get().starts_with('{') => Err(format!(
            "a field of \"{name}\" is not a string; write {{\"title\": \"…\", \"body\": \"…\"}}, null where one is empty"
        )),
        Err(_) => Err(format!(
            "\"{name}\" is {}, but a text is a string or an object of strings; if the file holds ids, say so",
            kind_of(value)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<LabelledTexts>, Error> {
        read_text_pairs("pairs.jsonl", text.as_bytes())
    }

    fn problem(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn passages_are_not_taken_for_texts() {
        for spans in ["[]", "[{\"a_begin\": 1}]"] {
            let line = format!("{{\"a\": \"x\", \"b\": \"y\", \"spans\": {spans}}}");
            let problem = problem(&line);
            assert!(problem.contains("lookalike passages"), "{problem}");
        }
        let line = "{\"a\": \"x\", \"b\": \"y\", \"spans\": [[0, 1]]}";
        assert_eq!(read(line).unwrap().len(), 1);
    }

    #[test]
    fn texts_are_whole_or_have_fields() {
        let line = r#"{"a": "借不到", "b": {"title": "ملخص", "body": null}, "label": 0}"#;
        let fields = BTreeMap::from([("title".to_string(), "ملخص".to_string())]);
        let expected = LabelledTexts {
            a: Text::Whole("借不到".to_string()),
            b: Text::Fields(fields),
            same: false,
        };
        assert_eq!(read(line).unwrap(), [expected]);
    }

    #[test]
    fn the_names_of_public_data_sets_are_known() {
        for (a, b) in TEXT_NAMES {
            let line = format!("{{\"{a}\": \"один\", \"{b}\": \"два\", \"id\": 4}}");
            let pairs = read(&line).unwrap();
            assert_eq!(pairs[0].a, Text::Whole("один".to_string()));
            assert_eq!(pairs[0].b, Text::Whole("два".to_string()));
        }
    }

    #[test]
    fn beside_texts_a_and_b_are_ids() {
        let line = r#"{"a": 1, "b": 2, "text_a": "x", "text_b": "y"}"#;
        assert_eq!(read(line).unwrap()[0].a, Text::Whole("x".to_string()));
    }

    #[test]
    fn repeated_pairs_are_all_kept() {
        let line = "{\"a\": \"x\", \"b\": \"y\"}\n".repeat(3);
        assert_eq!(read(&line).unwrap().len(), 3);
    }

    #[test]
    fn what_is_no_text_is_refused_with_the_remedy() {
        assert_eq!(
            problem("{\"a\": 1, \"b\": 2}"),
            "pairs.jsonl, line 1: \"a\" is a number, but a text is a string or an object of strings; if the file holds \
             ids, say so"
        );
        let problem = problem("{\"a\": \"x\", \"b\": {\"n\": 3}}");
        assert!(problem.contains("a field of \"b\" is not a string"));
    }
}
