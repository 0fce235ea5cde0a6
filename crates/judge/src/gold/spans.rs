//! Labelled pairs of ids with the passages they have in common.

use std::collections::BTreeMap;
use std::io::BufRead;

use serde_json::value::RawValue;

use super::lines::{self, Object, kind_of, label, two_sides};
use super::pairs::{ID_NAMES, id};
use super::{Counting, Id, Sides};
use crate::Error;

/// The characters (code points) from `begin` up to, but without, `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stretch {
    /// Of the first.
    pub begin: u32,
    /// After the last; above `begin`.
    pub end: u32,
}

impl Stretch {
    /// None if it would be empty.
    pub fn new(begin: u32, end: u32) -> Option<Self> {
        (begin < end).then_some(Stretch { begin, end })
    }

    /// What both have.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        Stretch::new(self.begin.max(other.begin), self.end.min(other.end))
    }

    pub(crate) fn length(self) -> u64 {
        u64::from(self.end - self.begin)
    }
}

/// A passage of one text and what it is like in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Where it is in the text `a`.
    pub a: Stretch,
    /// Where it is in the text `b`.
    pub b: Stretch,
}

impl Span {
    /// Turns the texts round.
    pub(crate) fn swap(&mut self) {
        std::mem::swap(&mut self.a, &mut self.b);
    }

    /// What both have on either side; none if they have nothing in common on one of them.
    pub(crate) fn common(self, other: Self) -> Option<Self> {
        let a = self.a.common(other.a)?;
        let b = self.b.common(other.b)?;
        Some(Span { a, b })
    }
}

/// What is said of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpanPair {
    /// What kind of pair it is, where the gold says so.
    pub kind: Option<String>,
    /// The passages in common, sorted; none where there are none to be found.
    pub spans: Vec<Span>,
    /// The line that says so, from 1.
    pub line: u64,
}

/// Pairs of ids, each with all passages they have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct SpanGold {
    sides: Sides,
    pairs: BTreeMap<(Id, Id), SpanPair>,
}

/// Reads pairs of ids with their passages; `name` is for messages.
///
/// # Errors
/// If the input cannot be read, if a line is malformed, or if a pair is listed twice.
pub fn read_spans(name: &str, input: impl BufRead, sides: Sides) -> Result<SpanGold, Error> {
    let mut gold = SpanGold {
        sides,
        pairs: BTreeMap::new(),
    };
    lines::for_each(name, input, |line, object| {
        let [a, b] = two_sides(&object, ID_NAMES)?;
        gold.insert(id(a)?, id(b)?, pair(line, &object)?)
    })?;
    Ok(gold)
}

/// Whether a line says which passages a pair has in common.
pub(super) fn has_spans(object: &Object) -> bool {
    object.contains_key("spans")
}

/// The same for a line that may be about something else, in which the word may have another meaning.
pub(super) fn has_only_spans(object: &Object) -> bool {
    let spans = loose_spans(object);
    spans.is_some_and(|spans| spans.iter().all(|span| span.contains_key("a_begin")))
}

/// The same, and there is at least one.
pub(super) fn has_some_spans(object: &Object) -> bool {
    let spans = loose_spans(object);
    spans.is_some_and(|spans| spans.iter().any(|span| span.contains_key("a_begin")))
}

fn loose_spans(object: &Object) -> Option<Vec<Object>> {
    serde_json::from_str(object.get("spans")?.get()).ok()
}

fn pair(line: u64, object: &Object) -> Result<SpanPair, String> {
    let value = object.get("spans").ok_or_else(|| {
        "\"spans\" is missing; where a pair has no passage in common, write \"spans\": []"
            .to_string()
    })?;
    let objects: Vec<Object> = serde_json::from_str(value.get()).map_err(|_| {
        format!("\"spans\" is {value}; write a list of objects {{\"a_begin\", \"a_end\", \"b_begin\", \"b_end\"}}")
    })?;
    let mut spans = objects.iter().map(span).collect::<Result<Vec<_>, _>>()?;
    spans.sort_unstable();
    spans.dedup();
    match (label(object)?, spans.is_empty()) {
        (Some(true), true) => Err(
            "label 1, but no spans; say where the passages are, or leave out the pair".to_string(),
        ),
        (Some(false), false) => {
            Err("label 0, but spans; correct the label, or write \"spans\": []".to_string())
        }
        _ => Ok(SpanPair {
            kind: kind(object)?,
            spans,
            line,
        }),
    }
}

fn kind(object: &Object) -> Result<Option<String>, String> {
    let Some(value) = object.get("kind") else {
        return Ok(None);
    };
    serde_json::from_str(value.get()).map_err(|_| {
        format!(
            "kind {value} is {}; write a string, or leave it out",
            kind_of(value)
        )
    })
}

fn span(object: &Object) -> Result<Span, String> {
    Ok(Span {
        a: stretch(object, "a_begin", "a_end")?,
        b: stretch(object, "b_begin", "b_end")?,
    })
}

fn stretch(object: &Object, begin: &str, end: &str) -> Result<Stretch, String> {
    let (first, last) = (place(object, begin)?, place(object, end)?);
    Stretch::new(first, last).ok_or_else(|| {
        format!(
            "{begin} {first} is not below {end} {last}; a span is from its first character up to, but without, {end}"
        )
    })
}

fn place(object: &Object, name: &str) -> Result<u32, String> {
    let value: &RawValue = object.get(name).ok_or_else(|| {
        format!("\"{name}\" is missing in a span; it has a_begin, a_end, b_begin and b_end")
    })?;
    value.get().parse().map_err(|_| {
        format!(
            "{name} {value} is not a number of characters; write a whole number from 0 to {}",
            u32::MAX
        )
    })
}

impl SpanGold {
    fn insert(&mut self, a: Id, b: Id, mut pair: SpanPair) -> Result<(), String> {
        let (key, swapped) = self.sides.key(a, b);
        if let Some(earlier) = self.pairs.get(&key) {
            return Err(format!(
                "{} and {} are already listed in line {}; write all spans of a pair into one line",
                key.0, key.1, earlier.line
            ));
        }
        if swapped {
            pair.spans.iter_mut().for_each(Span::swap);
        }
        self.pairs.insert(key, pair);
        Ok(())
    }

    /// Whether it matters which record of a pair is `a`.
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// The pairs in the order of their ids; where sides are interchangeable `a` is the smaller id.
    pub fn pairs(&self) -> impl Iterator<Item = (&(Id, Id), &SpanPair)> {
        self.pairs.iter()
    }

    /// How to count unless the user says: gold with pairs that have nothing in common was made pair by pair, so only
    /// listed pairs count; gold without is taken to list all there is to find.
    pub fn counting(&self) -> Counting {
        if self.pairs.values().any(|pair| pair.spans.is_empty()) {
            Counting::Listed
        } else {
            Counting::Complete
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SpanGold, Error> {
        read_spans("gold.jsonl", text.as_bytes(), Sides::Interchangeable)
    }

    fn problem(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    const SPAN: &str = r#"{"a_begin": 1, "a_end": 3, "b_begin": 40, "b_end": 50}"#;

    #[test]
    fn a_pair_the_other_way_round_has_its_spans_the_other_way_round() {
        let text = format!(r#"{{"a": "乙", "b": "丙", "kind": "02", "spans": [{SPAN}]}}"#);
        let gold = read(&text).unwrap();
        let (key, pair) = gold.pairs().next().unwrap();
        assert_eq!(key, &("丙".into(), "乙".into()));
        assert_eq!(pair.kind.as_deref(), Some("02"));
        assert_eq!((pair.spans[0].a.begin, pair.spans[0].b.end), (40, 3));
        let gold = read_spans("gold", text.as_bytes(), Sides::Distinct).unwrap();
        assert_eq!(gold.pairs().next().unwrap().1.spans[0].a.begin, 1);
    }

    #[test]
    fn only_gold_in_which_every_pair_has_spans_is_complete() {
        let one = format!(r#"{{"a": 1, "b": 2, "label": 1, "spans": [{SPAN}, {SPAN}]}}"#);
        let gold = read(&one).unwrap();
        assert_eq!(gold.counting(), Counting::Complete);
        assert_eq!(gold.pairs().next().unwrap().1.spans.len(), 1);
        let both = format!("{one}\n{{\"a\": 1, \"b\": 3, \"kind\": \"none\", \"spans\": []}}");
        assert_eq!(read(&both).unwrap().counting(), Counting::Listed);
    }

    #[test]
    fn what_is_malformed_is_named_with_file_line_value_and_remedy() {
        let with = |spans: &str| problem(&format!("\n{{\"a\": 1, \"b\": 2, \"spans\": {spans}}}"));
        let cases = [
            (SPAN.replace("50", "40"), "b_begin 40 is not below b_end 40"),
            (SPAN.replace('3', "0"), "a_begin 1 is not below a_end 0"),
            (SPAN.replace("40", "-4"), "b_begin -4 is not a number"),
            (SPAN.replace("40", "\"4\""), "b_begin \"4\" is not a number"),
            (SPAN.replace("40", "4.5"), "b_begin 4.5 is not a number"),
            (SPAN.replace("40", "1e99"), "b_begin 1e99 is not a number"),
            (SPAN.replace("a_end", "end"), "\"a_end\" is missing"),
        ];
        for (span, expected) in cases {
            let problem = with(&format!("[{span}]"));
            assert!(problem.starts_with("gold.jsonl, line 2: "), "{problem}");
            assert!(problem.contains(expected), "{problem}");
        }
        assert!(with("[1, 2]").contains("\"spans\" is [1, 2]; write a list of objects"));
        assert!(with("null").contains("\"spans\" is null; write a list"));
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        assert!(problem("{\"a\": 1, \"b\": 2}").contains("\"spans\" is missing"));
        let line = |label: u8, spans: &str| {
            problem(&format!(
                "{{\"a\": 1, \"b\": 2, \"label\": {label}, \"spans\": [{spans}]}}"
            ))
        };
        assert!(line(1, "").contains("label 1, but no spans"));
        assert!(line(0, SPAN).contains("label 0, but spans"));
        assert!(line(3, SPAN).contains("label 3 is not one of"));
        let kind = problem("{\"a\": 1, \"b\": 2, \"kind\": 3, \"spans\": []}");
        assert!(
            kind.contains("kind 3 is a number; write a string"),
            "{kind}"
        );
    }

    #[test]
    fn a_pair_listed_twice_is_refused_in_either_order() {
        let text = "{\"a\": \"א\", \"b\": \"ב\", \"spans\": []}\n\n{\"a\": \"ב\", \"b\": \"א\", \"spans\": []}";
        assert_eq!(
            problem(text),
            "gold.jsonl, line 3: \"א\" and \"ב\" are already listed in line 1; write all spans of a pair into one line"
        );
        assert!(read_spans("gold", text.as_bytes(), Sides::Distinct).is_ok());
    }
}
