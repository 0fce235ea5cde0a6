//! What belongs together in wikitext: the first look at a page, from which the second knows where every template, link
//! and reference ends, and that it does end.
//!
//! Openings wait on a stack. A closing takes the nearest opening of its kind and forgets the unclosed ones above it, so
//! every byte is looked at once and every opening is put on the stack and taken off it once.

use super::ahead::Ahead;
use super::scan;
use super::tags::{self, Opaque};

/// A construct that is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark {
    /// Where its opening begins.
    pub(super) at: usize,
    /// Where its content begins and ends.
    pub(super) body: usize,
    pub(super) end: usize,
    /// Where the text goes on.
    pub(super) after: usize,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Comment,
    Opaque(Opaque),
    Reference,
    /// `{{…}}`
    Template,
    /// `{{{…}}}`
    Parameter,
    /// `[[…]]`
    Link,
}

/// The constructs of a text, by where they begin.
pub(super) fn find(text: &str) -> Vec<Mark> {
    let mut finder = Finder {
        text,
        bytes: text.as_bytes(),
        at: 0,
        marks: Vec::new(),
        open: Vec::new(),
        counts: Counts::default(),
        reference: None,
        single_bracket: false,
        aheads: Aheads::new(),
    };
    finder.run();
    let mut marks = finder.marks;
    marks.sort_unstable();
    marks
}

enum Open {
    /// A run of braces of which `count` are left.
    Braces {
        at: usize,
        count: usize,
    },
    Link {
        at: usize,
    },
    Table,
}

/// How many of each are open.
#[derive(Clone, Copy, Default)]
struct Counts {
    braces: usize,
    tables: usize,
}

/// The reference that is open: what is outside cannot be closed in it.
struct Reference {
    end: usize,
    floor: usize,
    outside: Counts,
}

struct Aheads {
    comment: Ahead,
    reference: Ahead,
    reference_end: Ahead,
    opaque: Vec<Ahead>,
}

impl Aheads {
    fn new() -> Aheads {
        Aheads {
            comment: Ahead::of("-->"),
            reference: Ahead::of("<ref"),
            reference_end: Ahead::of("</ref"),
            opaque: tags::OPAQUE
                .iter()
                .map(|(_, end, _)| Ahead::of(end))
                .collect(),
        }
    }
}

struct Finder<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    marks: Vec<Mark>,
    open: Vec<Open>,
    counts: Counts,
    reference: Option<Reference>,
    /// A `[` alone has been seen since the last `]` alone.
    single_bracket: bool,
    aheads: Aheads,
}

impl Finder<'_> {
    fn run(&mut self) {
        while let Some(skip) = scan::structure(&self.bytes[self.at..]) {
            self.at += skip;
            match self.bytes[self.at] {
                b'{' => self.open_braces(),
                b'}' => self.close_braces(),
                b'[' => self.open_link(),
                b']' => self.close_link(),
                _ => self.tag(),
            }
        }
    }

    /// How often the byte here is repeated.
    fn run_length(&self) -> usize {
        let byte = self.bytes[self.at];
        self.bytes[self.at..]
            .iter()
            .take_while(|&&next| next == byte)
            .count()
    }

    fn open_braces(&mut self) {
        let count = self.run_length();
        if count > 1 {
            self.open.push(Open::Braces { at: self.at, count });
            self.counts.braces += 1;
        } else if self.bytes.get(self.at + 1) == Some(&b'|') && starts_line(self.bytes, self.at) {
            self.open.push(Open::Table);
            self.counts.tables += 1;
        }
        self.at += count;
    }

    fn close_braces(&mut self) {
        let mut left = self.run_length();
        if self.at > 0
            && self.bytes[self.at - 1] == b'|'
            && starts_line(self.bytes, self.at - 1)
            && self.close_table(left)
        {
            self.at += 1;
            left -= 1;
        }
        while left > 1 && self.counts.braces > 0 {
            match self.open.last_mut() {
                Some(Open::Braces { at, count }) => {
                    let width = if *count >= 3 && left >= 3 { 3 } else { 2 };
                    let opening = *at + *count;
                    *count -= width;
                    if *count < 2 {
                        self.forget();
                    }
                    self.marks.push(Mark {
                        at: opening - width,
                        body: opening,
                        end: self.at,
                        after: self.at + width,
                        kind: if width == 3 {
                            Kind::Parameter
                        } else {
                            Kind::Template
                        },
                    });
                    self.at += width;
                    left -= width;
                }
                Some(_) => self.forget(),
                None => break,
            }
        }
        self.at += left;
    }

    /// Whether the `|}` before so many braces ends a table, and not a template with an empty last parameter.
    fn close_table(&mut self, braces: usize) -> bool {
        if self.counts.tables == 0 {
            return false;
        }
        // Links that are still open in the table are open for good.
        while let Some(Open::Link { .. }) = self.open.last() {
            if braces > 1 {
                return false;
            }
            self.forget();
        }
        let closes = matches!(self.open.last(), Some(Open::Table));
        if closes {
            self.forget();
        }
        closes
    }

    /// Takes the last opening off the stack.
    fn forget(&mut self) {
        match self.open.pop() {
            Some(Open::Braces { .. }) => self.counts.braces -= 1,
            Some(Open::Table) => self.counts.tables -= 1,
            Some(Open::Link { .. }) | None => {}
        }
    }

    fn open_link(&mut self) {
        let count = self.run_length();
        if count == 1 {
            self.single_bracket = true;
        }
        for pair in 0..count / 2 {
            let at = self.at + count % 2 + 2 * pair;
            self.open.push(Open::Link { at });
        }
        self.at += count;
    }

    fn close_link(&mut self) {
        let mut left = self.run_length();
        if left % 2 == 1 && self.single_bracket {
            // `[[a|[http://b c]]]`: the first is that of the inner one.
            self.single_bracket = false;
            self.at += 1;
            left -= 1;
        }
        let floor = self
            .reference
            .as_ref()
            .map_or(0, |reference| reference.floor);
        while left > 1 && self.open.len() > floor {
            let Some(&Open::Link { at }) = self.open.last() else {
                break;
            };
            self.open.pop();
            self.marks.push(Mark {
                at,
                body: at + 2,
                end: self.at,
                after: self.at + 2,
                kind: Kind::Link,
            });
            self.at += 2;
            left -= 2;
        }
        self.at += left;
    }

    fn tag(&mut self) {
        let at = self.at;
        if self.text[at..].starts_with("<!--") {
            let end = self.aheads.comment.find(self.text, at + 4);
            let end = end.unwrap_or(self.text.len());
            let after = (end + 3).min(self.text.len());
            self.skip(Kind::Comment, at + 4, end, after);
            return;
        }
        self.end_reference();
        self.at += 1;
        let name = tags::name(&self.text[at + 1..]);
        if name.is_empty() {
            return;
        }
        if name.eq_ignore_ascii_case("ref") {
            self.start_reference(at);
            return;
        }
        let Some(number) = tags::opaque(name) else {
            return;
        };
        let Some(body) = self.after_start_tag(at) else {
            return;
        };
        let Some(end) = self.aheads.opaque[number].find(self.text, body) else {
            return;
        };
        let after = self.after_start_tag(end).unwrap_or(self.text.len());
        self.at = at;
        self.skip(Kind::Opaque(tags::OPAQUE[number].2), body, end, after);
    }

    fn skip(&mut self, kind: Kind, body: usize, end: usize, after: usize) {
        self.marks.push(Mark {
            at: self.at,
            body,
            end,
            after,
            kind,
        });
        self.at = after;
    }

    /// Where the tag at `at` ends, unless it closes itself.
    fn after_start_tag(&self, at: usize) -> Option<usize> {
        let end = tags::end(self.text, at)?;
        (self.bytes[end - 2] != b'/').then_some(end)
    }

    fn start_reference(&mut self, at: usize) {
        let Some(body) = self.after_start_tag(at) else {
            return;
        };
        let Some(end) = self.aheads.reference_end.find(self.text, body) else {
            return;
        };
        // If another begins before that, this one is not closed.
        let next = self.aheads.reference.find(self.text, body);
        if let Some(next) = next.filter(|&next| next < end)
            && !self.text[next..].starts_with("<references")
            && !self.closes_itself(next)
        {
            return;
        }
        let after = self.after_start_tag(end).unwrap_or(self.text.len());
        self.marks.push(Mark {
            at,
            body,
            end,
            after,
            kind: Kind::Reference,
        });
        self.at = body;
        self.reference = Some(Reference {
            end,
            floor: self.open.len(),
            outside: self.counts,
        });
        self.counts = Counts::default();
    }

    fn closes_itself(&self, tag: usize) -> bool {
        tags::end(self.text, tag).is_some_and(|end| self.bytes[end - 2] == b'/')
    }

    fn end_reference(&mut self) {
        if let Some(reference) = self.reference.take_if(|reference| self.at >= reference.end) {
            self.open.truncate(reference.floor);
            self.counts = reference.outside;
        }
    }
}

/// Whether there is only white space, or the colons of an indentation, between the line's start and `at`.
fn starts_line(bytes: &[u8], at: usize) -> bool {
    const INDENT: usize = 40;
    let before = &bytes[at.saturating_sub(INDENT)..at];
    let text = before
        .iter()
        .rposition(|byte| !matches!(byte, b' ' | b'\t' | b':' | b'*' | b'#'));
    match text {
        Some(last) => before[last] == b'\n',
        None => at < INDENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Kind, &str)> {
        find(text)
            .iter()
            .map(|mark| (mark.kind, &text[mark.body..mark.end]))
            .collect()
    }

    #[test]
    fn what_is_closed_is_found_and_the_rest_is_not() {
        use Kind::{Comment, Link, Parameter, Reference, Template};
        let cases: &[(&str, &[(Kind, &str)])] = &[
            ("a {{b|[[c]]}} d", &[(Template, "b|[[c]]"), (Link, "c")]),
            ("{{a [[b}} c]]", &[(Template, "a [[b")]),
            ("{{{a|{{b}}}}}", &[(Parameter, "a|{{b}}"), (Template, "b")]),
            ("{{{{{a}}}}}", &[(Template, "{{{a}}}"), (Parameter, "a")]),
            ("{{a {{b}} c", &[(Template, "b")]),
            ("[[a|[http://b c]]]", &[(Link, "a|[http://b c]")]),
            (
                "<!-- {{ --> }} <!-- [[",
                &[(Comment, " {{ "), (Comment, " [[")],
            ),
            (
                "{{a|<ref>{{b</ref>}}",
                &[(Template, "a|<ref>{{b</ref>"), (Reference, "{{b")],
            ),
            ("<ref>a<ref name=\"x\">b</ref>", &[(Reference, "b")]),
            ("{{a\n|}}", &[(Template, "a\n|")]),
            ("{{a|\n{|\n|b\n|}}}", &[(Template, "a|\n{|\n|b\n|}")]),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text), *expected, "{text}");
        }
    }
}
