//! The second look at a page: text goes where it belongs, everything else is left out.
//!
//! What is open is a stack of [`Frame`]s, each inside the one below. A frame ends at a known place, so nothing is looked
//! at twice. Text goes to the section's lines, or is collected for what the frame makes of it in the end.

use super::super::site::Site;
use super::ahead::Ahead;
use super::lines::LineState;
use super::marks::{self, Mark};
use super::sink::{Below, Collected, Sink};
use super::templates::{Argument, Rule};
use super::{Article, Options, scan, sections};

/// Something open.
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// Where its content ends, and where the text goes on after it.
    pub(super) end: usize,
    pub(super) resume: usize,
    pub(super) saved: Saved,
}

#[derive(Clone, Copy)]
pub(super) enum FrameKind {
    /// Content that is text as it stands: the label of a link, a variant.
    Through,
    /// A link to a file: its last part is the caption, which is collected; so many bytes of it are from earlier parts.
    File {
        caption: usize,
    },
    /// A template by its rule.
    Template(Rule, Progress),
    /// Collected for a line of the references.
    Reference,
    Heading {
        level: u8,
    },
}

/// Which part of a template is being read.
#[derive(Clone, Copy, Default)]
pub(super) struct Progress {
    /// How many parameters without a name there were.
    pub(super) positional: usize,
    /// The first of its arguments.
    pub(super) arguments: usize,
}

/// What goes on when a frame ends.
#[derive(Clone, Copy, Default)]
pub(super) struct Saved {
    line: LineState,
    muted: bool,
    collecting: bool,
    below: Option<Below>,
}

impl Frame {
    /// Whether text went nowhere when it was opened.
    pub(super) fn outer_muted(&self) -> bool {
        self.saved.muted
    }
}

pub(super) struct Walker<'a> {
    pub(super) text: &'a str,
    pub(super) title: &'a str,
    pub(super) site: &'a Site,
    pub(super) options: Options,
    pub(super) at: usize,
    marks: Vec<Mark>,
    /// The first mark at or after `at`.
    next_mark: usize,
    pub(super) frames: Vec<Frame>,
    pub(super) line: LineState,
    /// Text goes nowhere.
    pub(super) muted: bool,
    /// Text is collected.
    pub(super) collecting: bool,
    pub(super) collected: Collected,
    pub(super) arguments: Vec<Argument>,
    pub(super) body: Sink,
    pub(super) references: Sink,
    headings: Sink,
    /// The level of the heading of the section of references that this is.
    reference_section: Option<u8>,
    pub(super) newlines: Ahead,
    pub(super) reference_starts: Ahead,
    pub(super) variant_ends: Ahead,
    pub(super) heading_ends: Ahead,
}

/// What is nested deeper is taken for not closed. MediaWiki itself stops at 100.
const DEEPEST: usize = 500;

impl<'a> Walker<'a> {
    pub(super) fn new(text: &'a str, title: &'a str, site: &'a Site, options: Options) -> Self {
        Walker {
            text,
            title,
            site,
            options,
            at: 0,
            marks: marks::find(text),
            next_mark: 0,
            frames: Vec::new(),
            line: LineState::default(),
            muted: false,
            collecting: false,
            collected: Collected::default(),
            arguments: Vec::new(),
            body: Sink::default(),
            references: Sink::default(),
            headings: Sink::default(),
            reference_section: None,
            newlines: Ahead::of("\n"),
            reference_starts: Ahead::of("<ref"),
            variant_ends: Ahead::of("}-"),
            heading_ends: Ahead::of("</h"),
        }
    }

    pub(super) fn run(mut self) -> Article {
        self.start_line();
        loop {
            let stop = self.stop();
            if self.at >= stop {
                match self.frames.pop() {
                    Some(frame) => self.close(&frame),
                    None => break,
                }
                continue;
            }
            let from = self.at;
            self.at = self.next_special(stop);
            self.add(from, self.at);
            if self.at < stop {
                self.special(self.text.as_bytes()[self.at]);
            }
        }
        Article {
            text: self.body.finish(),
            references: self.references.finish(),
            headings: self.headings.finish(),
        }
    }

    /// Where the innermost frame ends.
    pub(super) fn stop(&self) -> usize {
        self.frames
            .last()
            .map_or(self.text.len(), |frame| frame.end)
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn next_special(&self, stop: usize) -> usize {
        let bytes = &self.text.as_bytes()[..stop];
        let mut at = self.at;
        while at < stop {
            let found = if self.line.header || self.line.term {
                // These matter in few lines.
                let rest = &bytes[at..];
                let other = memchr::memchr2(b'!', b':', rest).unwrap_or(rest.len());
                scan::special(&rest[..other]).unwrap_or(other)
            } else {
                scan::special(&bytes[at..]).unwrap_or(stop - at)
            };
            at += found;
            let next = self.byte(at + 1);
            let is_text = at < stop
                && match bytes[at] {
                    b'\\' => true,
                    b'\'' => next != b'\'',
                    b'_' => next != b'_',
                    b'-' => next != b'{',
                    b'!' => next != b'!' || !self.line.header,
                    b':' => !self.line.term,
                    _ => false,
                };
            if !is_text {
                return at.min(stop);
            }
            at += 1;
        }
        stop
    }

    fn special(&mut self, byte: u8) {
        match byte {
            b'\n' => self.newline(),
            b'[' => self.bracket(),
            b']' => self.closing_bracket(),
            b'{' => self.brace(),
            b'}' => self.skip_pair(b'}'),
            b'|' => self.separator(),
            b'<' => self.tag(),
            b'&' => self.reference(),
            b'\'' => self.quotes(),
            b'_' => self.magic_word(),
            b'-' => self.variant(),
            b'!' => {
                self.at += 2;
                self.start_cell();
            }
            _ => self.colon(),
        }
    }

    // Where text goes.

    pub(super) fn add(&mut self, from: usize, to: usize) {
        if from < to {
            self.add_text(&self.text[from..to]);
        }
    }

    pub(super) fn add_text(&mut self, run: &str) {
        if self.muted {
            return;
        }
        self.line.wrote |= run.bytes().any(|byte| byte > b' ');
        if self.collecting {
            self.collected.add(run);
        } else {
            self.sink().add(run);
        }
    }

    /// The text so far is a block.
    pub(super) fn end_block(&mut self) {
        if self.muted {
        } else if self.collecting {
            self.collected.space();
        } else {
            self.sink().end_line();
        }
    }

    pub(super) fn sink(&mut self) -> &mut Sink {
        match self.reference_section {
            Some(_) => &mut self.references,
            None => &mut self.body,
        }
    }

    pub(super) fn in_reference(&self) -> bool {
        matches!(
            self.frames.last(),
            Some(Frame {
                kind: FrameKind::Reference,
                ..
            })
        )
    }

    /// Whether this is prose, and not a reference or something to be left out.
    pub(super) fn in_prose(&self) -> bool {
        !self.muted && !self.collecting && self.reference_section.is_none()
    }

    // What is open.

    /// The construct that begins here.
    pub(super) fn mark(&mut self) -> Option<Mark> {
        let rest = &self.marks[self.next_mark..];
        self.next_mark += rest.iter().take_while(|mark| mark.at < self.at).count();
        let stop = self.stop();
        if self.frames.len() > DEEPEST {
            return None;
        }
        self.marks
            .get(self.next_mark)
            .filter(|mark| mark.at == self.at && mark.after <= stop)
            .copied()
    }

    /// The constructs from here on.
    pub(super) fn marks_ahead(&self) -> &[Mark] {
        &self.marks[self.next_mark..]
    }

    /// Opens a frame whose content is from `body` to `end`.
    pub(super) fn open(&mut self, kind: FrameKind, body: usize, end: usize, resume: usize) {
        let stop = self.stop();
        self.frames.push(Frame {
            kind,
            end: end.min(stop),
            resume,
            saved: Saved {
                line: self.line,
                muted: self.muted,
                collecting: self.collecting,
                below: None,
            },
        });
        self.line = LineState::default();
        self.at = body;
    }

    /// As `open`, with the text collected.
    pub(super) fn open_collecting(
        &mut self,
        kind: FrameKind,
        body: usize,
        end: usize,
        resume: usize,
    ) {
        self.open(kind, body, end, resume);
        let below = self.collected.start();
        if let Some(frame) = self.frames.last_mut() {
            frame.saved.below = Some(below);
        }
        self.collecting = true;
        self.muted = false;
    }

    fn close(&mut self, frame: &Frame) {
        let kind = frame.kind;
        if let FrameKind::Template(rule, progress) = kind {
            self.end_argument(rule, progress);
        }
        // What was collected is short, or is used nowhere but here.
        let value = match (kind, frame.saved.below) {
            (FrameKind::Template(rule, progress), Some(_)) => self.value(rule, progress),
            (FrameKind::File { caption }, Some(_)) => {
                let caption = self.end_file_part(caption);
                Ok(self.collected.text()[..caption].trim().to_owned())
            }
            (_, Some(_)) => Ok(self.collected.text().to_owned()),
            (_, None) => Ok(String::new()),
        };
        if let Some(below) = frame.saved.below {
            self.collected.end(below);
        }
        let wrote = self.line.wrote;
        self.line = frame.saved.line;
        self.muted = frame.saved.muted;
        self.collecting = frame.saved.collecting;
        self.at = frame.resume.max(self.at);
        let (Ok(text) | Err(text)) = &value;
        match kind {
            FrameKind::Through => self.line.wrote |= wrote,
            FrameKind::File { .. } if self.muted || self.collecting => {}
            FrameKind::File { .. } => self.body.add_later(text),
            FrameKind::Template(rule, _) => {
                self.line.wrote |= wrote && !matches!(rule, Rule::Note(_) | Rule::Drop);
                self.end_template(rule, &value);
            }
            FrameKind::Reference => self.references.add_later(text),
            FrameKind::Heading { level } => self.end_heading(level, text),
        }
    }

    fn end_heading(&mut self, level: u8, title: &str) {
        self.body.end_line();
        self.references.end_line();
        self.headings.end_line();
        self.headings.add(title);
        let inside = self.reference_section.is_some_and(|outer| level > outer);
        if !inside {
            self.reference_section = sections::is_of_references(title).then_some(level);
        }
    }
}
