//! Templates: most are left out; of some the value is prose. How a template's parameters are read, and what becomes of
//! it by its [`Rule`].

use super::marks::Mark;
use super::rules;
use super::values::Arguments;
use super::walk::{Frame, FrameKind, Progress, Walker};

/// What a template's text is.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    /// Nothing, but references in it count.
    Drop,
    /// A parameter, by its number.
    Keep(usize),
    /// The same, as a block of its own.
    Block(usize),
    /// The same, as a line of the references.
    Note(usize),
    Literal(&'static str),
    /// What comes after the colon.
    AfterColon,
    /// The page's title.
    Title,
    /// Made of several parameters.
    Value(fn(&Arguments<'_>) -> String),
    /// A citation: belongs to the references.
    Citation,
}

/// A parameter that was collected.
pub(super) struct Argument {
    /// Its name in the text; empty for one without, which has a number.
    pub(super) name: (usize, usize),
    pub(super) number: usize,
    /// Its value among what was collected.
    pub(super) value: (usize, usize),
}

/// Names longer than that are not ones.
const LONGEST_NAME: usize = 120;

impl Walker<'_> {
    pub(super) fn template(&mut self, mark: Mark) {
        let content = &self.text.as_bytes()[mark.body..mark.end];
        let blank = content.len() - content.trim_ascii_start().len();
        let len = content[blank..]
            .iter()
            .take(LONGEST_NAME)
            .position(|byte| matches!(byte, b'|' | b'{' | b'[' | b'<' | b'\n'))
            .unwrap_or(content.len() - blank);
        let name_end = mark.body + blank + len;
        let name = &self.text[mark.body + blank..name_end];
        let computed = matches!(content.get(blank + len), Some(b'{' | b'['));
        let rule = match rules::rule(name) {
            Rule::AfterColon if computed => Rule::AfterColon,
            Rule::Note(number) => Rule::Note(number),
            _ if computed || self.muted => Rule::Drop,
            rule => rule,
        };
        match rule {
            Rule::Drop => self.drop_template(mark, name_end),
            Rule::Literal(text) => {
                self.add_text(text);
                self.at = mark.after;
            }
            Rule::Title => {
                self.add_text(self.title);
                self.at = mark.after;
            }
            Rule::AfterColon => {
                let colon = memchr::memchr(b':', name.as_bytes()).unwrap_or(name.len());
                let body = (mark.body + blank + colon + 1).min(mark.end);
                self.open_template(Rule::Keep(1), 1, body, mark);
                self.muted = false;
            }
            Rule::Keep(_) | Rule::Block(_) => {
                if let Rule::Block(_) = rule {
                    self.end_block();
                }
                self.open_template(rule, 0, name_end, mark);
                self.muted = true;
            }
            Rule::Note(_) | Rule::Value(_) | Rule::Citation => {
                let progress = Progress {
                    positional: 0,
                    arguments: self.arguments.len(),
                };
                let kind = FrameKind::Template(rule, progress);
                self.open_collecting(kind, name_end, mark.end, mark.after);
                self.muted = matches!(rule, Rule::Note(_));
            }
        }
    }

    fn drop_template(&mut self, mark: Mark, body: usize) {
        let reference = self.reference_starts.find(self.text, mark.body);
        if reference.is_none_or(|at| at >= mark.end) {
            self.at = mark.after;
            return;
        }
        self.open_template(Rule::Drop, 0, body, mark);
        self.muted = true;
    }

    fn open_template(&mut self, rule: Rule, positional: usize, body: usize, mark: Mark) {
        let progress = Progress {
            positional,
            arguments: self.arguments.len(),
        };
        self.open(
            FrameKind::Template(rule, progress),
            body,
            mark.end,
            mark.after,
        );
    }

    /// `{{{name|default}}}`: the default.
    pub(super) fn parameter(&mut self, mark: Mark) {
        let muted = self.muted;
        self.open_template(Rule::Keep(1), 0, mark.body, mark);
        self.muted = true;
        if muted {
            self.at = mark.body;
        }
    }

    /// A bar: the next part of a template or of a link to a file, or of nothing.
    pub(super) fn separator(&mut self) {
        let Some(kind) = self.frames.last().map(|frame| frame.kind) else {
            self.bar();
            return;
        };
        match kind {
            FrameKind::Template(..) if self.line.tables > 0 && self.line.cell.is_some() => {
                self.bar();
            }
            FrameKind::Template(rule, progress) => {
                self.end_argument(rule, progress);
                self.at += 1;
                self.start_argument(rule, progress);
            }
            FrameKind::File { caption } => {
                let caption = self.end_file_part(caption);
                if let Some(frame) = self.frames.last_mut() {
                    frame.kind = FrameKind::File { caption };
                }
                self.at += 1;
            }
            FrameKind::Through | FrameKind::Reference | FrameKind::Heading { .. } => self.bar(),
        }
    }

    fn start_argument(&mut self, rule: Rule, mut progress: Progress) {
        let name = self.argument_name();
        let number = match name {
            Some((from, to)) => self.text[from..to].trim().parse().unwrap_or(0),
            None => {
                progress.positional += 1;
                progress.positional
            }
        };
        match rule {
            Rule::Keep(kept) | Rule::Block(kept) | Rule::Note(kept) => {
                let outer = matches!(rule, Rule::Keep(_) | Rule::Block(_))
                    && self.frames.last().is_some_and(Frame::outer_muted);
                let named = name.is_some_and(|(from, to)| is_main(self.text[from..to].trim()));
                self.muted = outer || !(number == kept || named);
            }
            Rule::Value(_) | Rule::Citation => {
                self.collected.next_part();
                let begin = self.collected.len();
                self.arguments.push(Argument {
                    name: name.unwrap_or((0, 0)),
                    number,
                    value: (begin, begin),
                });
            }
            Rule::Drop | Rule::Literal(_) | Rule::AfterColon | Rule::Title => {}
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.kind = FrameKind::Template(rule, progress);
        }
        if !self.muted {
            self.start_line();
        }
    }

    /// The name of the parameter that begins here, which is then passed over.
    fn argument_name(&mut self) -> Option<(usize, usize)> {
        const LONGEST: usize = 60;
        let stop = self.stop();
        let rest = &self.text.as_bytes()[self.at..stop];
        let len = rest
            .iter()
            .take(LONGEST)
            .position(|byte| matches!(byte, b'=' | b'|' | b'{' | b'[' | b'<' | b'&' | b'\''))?;
        (rest[len] == b'=').then(|| {
            let from = self.at;
            self.at += len + 1;
            (from, from + len)
        })
    }

    pub(super) fn end_argument(&mut self, rule: Rule, progress: Progress) {
        if let Rule::Value(_) | Rule::Citation = rule
            && self.arguments.len() > progress.arguments
            && let Some(last) = self.arguments.last_mut()
        {
            last.value.1 = self.collected.len();
        }
    }

    /// What a template whose parameters were collected comes to; an error if it is no citation, but a text.
    pub(super) fn value(&mut self, rule: Rule, progress: Progress) -> Result<String, String> {
        let arguments = Arguments::new(
            self.text,
            self.collected.text(),
            &self.arguments[progress.arguments.min(self.arguments.len())..],
        );
        let value = match rule {
            Rule::Value(make) => Ok(make(&arguments)),
            Rule::Citation => super::citation::line(&arguments),
            _ => Ok(self.collected.text().to_owned()),
        };
        self.arguments.truncate(progress.arguments);
        value
    }

    pub(super) fn end_template(&mut self, rule: Rule, value: &Result<String, String>) {
        let (Ok(text) | Err(text)) = value;
        match rule {
            Rule::Block(_) => self.end_block(),
            Rule::Value(_) => self.add_text(text),
            Rule::Note(_) => self.references.add_later(text),
            Rule::Citation if value.is_ok() && self.in_prose() => self.references.add_later(text),
            Rule::Citation => self.add_text(text),
            Rule::Drop | Rule::Keep(_) | Rule::Literal(_) | Rule::AfterColon | Rule::Title => {}
        }
    }
}

/// Whether a parameter of that name is the text of a quotation.
fn is_main(name: &str) -> bool {
    matches!(
        name,
        "text" | "quote" | "content" | "Text" | "texte" | "texto" | "текст" | "цитата"
    )
}
