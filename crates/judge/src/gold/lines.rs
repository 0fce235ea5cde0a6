//! Lines of JSON objects, their values not yet read.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::value::RawValue;

use crate::Error;

/// The values of a line by key, as they are written.
pub(crate) type Object = BTreeMap<String, Box<RawValue>>;

/// Gives every line that is not blank to `take`, with its number. What `take` says is wrong becomes an error that
/// names the file and the line.
pub(crate) fn for_each(
    name: &str,
    mut input: impl BufRead,
    mut take: impl FnMut(u64, Object) -> Result<(), String>,
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if read_until(name, &mut input, b'\n', &mut bytes)? == 0 {
            break;
        }
        parse(&bytes)
            .and_then(|object| object.map_or(Ok(()), |object| take(line, object)))
            .map_err(|problem| Error::Line {
                name: name.to_string(),
                line,
                problem,
            })?;
    }
    Ok(())
}

/// Reads up to the end of the first line that is not blank: all bytes read, and its object unless it is malformed.
pub(crate) fn peek(
    name: &str,
    input: &mut impl BufRead,
) -> Result<(Vec<u8>, Option<Object>), Error> {
    let mut bytes = Vec::new();
    loop {
        let start = bytes.len();
        let read = read_until(name, input, b'\n', &mut bytes)?;
        match parse(&bytes[start..]) {
            Ok(None) if read > 0 => {}
            object => return Ok((bytes, object.ok().flatten())),
        }
    }
}

/// Reads up to the next `end` and returns how many bytes that were.
pub(crate) fn read_until(
    name: &str,
    input: &mut impl BufRead,
    end: u8,
    bytes: &mut Vec<u8>,
) -> Result<usize, Error> {
    input.read_until(end, bytes).map_err(|cause| Error::Read {
        name: name.to_string(),
        cause,
    })
}

/// The object of a line, none if the line is blank.
fn parse(line: &[u8]) -> Result<Option<Object>, String> {
    let text = str::from_utf8(line)
        .map_err(|_| "not UTF-8; convert the file to UTF-8".to_string())?
        .trim_start_matches('\u{FEFF}')
        .trim();
    if text.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(text).map(Some).map_err(|cause| {
        // The parser is given one line, so its own "line 1" would only mislead.
        let cause = cause
            .to_string()
            .replace(" at line 1 column ", " at column ");
        format!("not a JSON object: {cause}; write one object per line")
    })
}

/// What kind of value is written there, for messages.
pub(crate) fn kind_of(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b'n') => "null",
        Some(b't' | b'f') => "true or false",
        _ => "a number",
    }
}

/// The values of the first of `names` of which the line has either key.
pub(crate) fn two_sides<'a>(
    object: &'a Object,
    names: &[(&str, &str)],
) -> Result<[(String, &'a RawValue); 2], String> {
    let is_there = |name: &str| object.contains_key(name);
    let found = names.iter().find(|(a, b)| is_there(a) || is_there(b));
    let (a, b) = found.ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(a, b)| format!("{a}, {b}")).collect();
        format!("no pair; call its two sides {}", known.join(" or "))
    })?;
    let side = |name: &str| match object.get(name) {
        Some(value) => Ok((name.to_string(), &**value)),
        None => Err(format!(
            "\"{name}\" is missing; a pair has both {a} and {b}"
        )),
    };
    Ok([side(a)?, side(b)?])
}

/// The label of a pair, where it has one; a pair without one is a pair of near-duplicates. A label of another name is a mistake: it
/// would be passed over.
pub(crate) fn label(object: &Object) -> Result<Option<bool>, String> {
    const NAMES: [&str; 2] = ["label", "is_duplicate"];
    const LIKE_LABELS: [&str; 8] = [
        "lab", "dup", "same", "match", "class", "target", "plagiar", "similar",
    ];
    let found = NAMES
        .iter()
        .find_map(|&name| Some((name, object.get(name)?)));
    let Some((name, value)) = found else {
        let other = object.iter().find(|(name, value)| {
            let name = name.to_lowercase();
            LIKE_LABELS.iter().any(|part| name.contains(part))
                && matches!(value.get(), "0" | "1" | "true" | "false")
        });
        return match other {
            Some((name, value)) => Err(format!(
                "there is no label, but \"{name}\": {value}; if that is the label, call it label, else leave it out"
            )),
            None => Ok(None),
        };
    };
    match value.get() {
        "1" | "true" | "\"1\"" => Ok(Some(true)),
        "0" | "false" | "\"0\"" => Ok(Some(false)),
        other => Err(format!(
            "{name} {other} is not one of 0, 1, true, false; leave out undecided pairs"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8]) -> String {
        for_each("黄金.jsonl", bytes, |_, _| Ok(()))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn a_bad_line_is_named_with_its_file_and_remedy() {
        assert_eq!(
            problem(b"{}\n\n[1]\n"),
            "黄金.jsonl, line 3: not a JSON object: invalid type: sequence, expected a map at column 0; write one \
             object per line"
        );
        assert_eq!(
            problem(b"{}\n\xFF\n"),
            "黄金.jsonl, line 2: not UTF-8; convert the file to UTF-8"
        );
        assert!(problem(b"{\"a\": \n").contains("line 1: not a JSON object: EOF"));
    }

    #[test]
    fn byte_order_mark_blank_lines_and_carriage_returns_are_passed_over() {
        let mut lines = Vec::new();
        let text = "\u{FEFF}{\"a\": 1}\r\n\r\n  \n{\"b\": 2}";
        for_each("gold", text.as_bytes(), |line, _| {
            lines.push(line);
            Ok(())
        })
        .unwrap();
        assert_eq!(lines, [1, 4]);
    }

    #[test]
    fn labels_are_digits_or_truth_values_or_missing() {
        let read = |json: &str| label(&serde_json::from_str(json).unwrap());
        assert_eq!(read("{}"), Ok(None));
        for (json, same) in [
            ("{\"label\": 1}", true),
            ("{\"label\": true}", true),
            ("{\"is_duplicate\": \"1\"}", true),
            ("{\"label\": 0}", false),
            ("{\"label\": false}", false),
            ("{\"is_duplicate\": \"0\"}", false),
        ] {
            assert_eq!(read(json), Ok(Some(same)), "{json}");
        }
        assert_eq!(
            read("{\"kind\": \"01\", \"duplicate\": 0}").unwrap_err(),
            "there is no label, but \"duplicate\": 0; if that is the label, call it label, else leave it out"
        );
        assert_eq!(
            read("{\"label\": 0.5}").unwrap_err(),
            "label 0.5 is not one of 0, 1, true, false; leave out undecided pairs"
        );
    }
}
