//! The attributes of a start tag. In goes what is between its name and its `>`, out come names and values, as written.

use std::borrow::Cow;

use memchr::memchr;

use super::entities;
use super::scan::is_space;

/// The attributes of a tag, in order.
pub(super) struct Attributes<'h> {
    rest: &'h str,
}

/// The attributes in the text of a tag.
pub(super) fn of(attributes: &str) -> Attributes<'_> {
    Attributes { rest: attributes }
}

/// The value of the attribute of that name, if there is one, without references.
pub(super) fn find<'h>(attributes: &'h str, name: &str) -> Option<Cow<'h, str>> {
    of(attributes)
        .find(|(found, _)| found.eq_ignore_ascii_case(name))
        .map(|(_, value)| unescape(value))
}

impl<'h> Iterator for Attributes<'h> {
    type Item = (&'h str, &'h str);

    fn next(&mut self) -> Option<(&'h str, &'h str)> {
        let begin = |byte: u8| !is_space(byte) && byte != b'/';
        let rest = &self.rest[self.rest.bytes().position(begin)?..];
        // A name may start with an equals sign.
        let ends = |byte: u8| is_space(byte) || byte == b'/' || byte == b'=';
        let name_end = rest
            .bytes()
            .skip(1)
            .position(ends)
            .map_or(rest.len(), |at| at + 1);
        let (name, after) = rest.split_at(name_end);
        let value = after
            .trim_start_matches(|c: char| c.is_ascii_whitespace())
            .strip_prefix('=');
        let Some(value) = value else {
            self.rest = after;
            return Some((name, ""));
        };
        let (value, after) = split_value(value);
        self.rest = after;
        Some((name, value))
    }
}

/// The value that `text` starts with, and what follows.
fn split_value(text: &str) -> (&str, &str) {
    let text = text.trim_start_matches(|c: char| c.is_ascii_whitespace());
    let quote = match text.as_bytes().first() {
        Some(quote @ (b'"' | b'\'')) => *quote,
        _ => return text.split_at(text.bytes().position(is_space).unwrap_or(text.len())),
    };
    let value = &text[1..];
    match memchr(quote, value.as_bytes()) {
        Some(end) => (&value[..end], &value[end + 1..]),
        None => (value, ""),
    }
}

/// A value without references.
fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains('&') {
        return Cow::Borrowed(value);
    }
    let mut out = String::with_capacity(value.len());
    entities::unescape(value, &mut out);
    Cow::Owned(out)
}
