//! What the start of a line means: headings, lists, tables, galleries.

use super::walk::{FrameKind, Walker};

/// What is known of the line, and of the tables around it, within the innermost frame.
#[derive(Clone, Copy, Default)]
pub(super) struct LineState {
    /// There was text in it.
    pub(super) wrote: bool,
    /// How many tables are open.
    pub(super) tables: u32,
    /// The start of the cell, in which there may be attributes up to a bar.
    pub(super) cell: Option<usize>,
    /// A line of header cells.
    pub(super) header: bool,
    /// The term of a definition.
    pub(super) term: bool,
    /// How many external links are open.
    pub(super) brackets: u32,
    pub(super) gallery: bool,
}

impl Walker<'_> {
    pub(super) fn newline(&mut self) {
        self.at += 1;
        // Only a line without text separates paragraphs.
        if !self.line.wrote {
            self.end_block();
        }
        self.line = LineState {
            tables: self.line.tables,
            gallery: self.line.gallery,
            wrote: false,
            ..LineState::default()
        };
        self.add_text(" ");
        self.start_line();
    }

    pub(super) fn start_line(&mut self) {
        if self.muted {
            return;
        }
        self.skip_spaces();
        if self.line.gallery {
            self.start_picture();
            return;
        }
        let text = self.text;
        let here = || &text[self.at..];
        match self.byte(self.at) {
            b'=' => self.heading(),
            b'*' | b'#' | b':' | b';' => self.start_item(),
            b'{' if self.byte(self.at + 1) == b'|' => self.start_table(),
            b'|' if self.line.tables > 0 => self.start_row(),
            b'!' if self.line.tables > 0 => {
                self.at += 1;
                self.line.header = true;
                self.start_cell();
            }
            b'-' if here().starts_with("----") => {
                self.end_block();
                while self.byte(self.at) == b'-' {
                    self.at += 1;
                }
            }
            _ => {}
        }
    }

    fn skip_spaces(&mut self) {
        let stop = self.stop();
        while self.at < stop && matches!(self.byte(self.at), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn start_item(&mut self) {
        self.end_block();
        let stop = self.stop();
        while self.at < stop && matches!(self.byte(self.at), b'*' | b'#' | b':' | b';') {
            self.line.term = self.byte(self.at) == b';';
            self.at += 1;
        }
        self.skip_spaces();
        if self.text[self.at..].starts_with("{|") {
            self.start_table();
        }
    }

    fn start_table(&mut self) {
        if self.mark().is_some() {
            return;
        }
        self.end_block();
        self.line.tables += 1;
        self.at = self.line_end();
    }

    /// A line in a table that starts with a bar.
    fn start_row(&mut self) {
        match self.byte(self.at + 1) {
            b'}' => {
                self.end_block();
                self.line.tables -= 1;
                self.at += 2;
            }
            b'-' => {
                self.end_block();
                self.at = self.line_end();
            }
            b'+' => {
                self.at += 2;
                self.start_cell();
            }
            _ => {
                self.at += 1;
                self.start_cell();
            }
        }
    }

    pub(super) fn start_cell(&mut self) {
        self.end_block();
        self.line.cell = None;
        if !self.muted && !self.collecting {
            self.line.cell = Some(self.sink().mark());
        }
    }

    /// A bar outside of links and templates.
    pub(super) fn bar(&mut self) {
        if self.line.tables == 0 {
            self.add(self.at, self.at + 1);
            self.at += 1;
        } else if self.byte(self.at + 1) == b'|' {
            self.at += 2;
            self.start_cell();
        } else {
            self.at += 1;
            // What came before were attributes.
            if let Some(mark) = self.line.cell.take() {
                self.sink().back_to(mark);
            } else {
                self.add_text(" ");
            }
        }
    }

    /// `== Title ==`, with white space and comments after it.
    fn heading(&mut self) {
        let line_end = self.line_end();
        let line = trim_comments(&self.text[self.at..line_end]);
        let leading = line.bytes().take_while(|&byte| byte == b'=').count();
        let trailing = line.bytes().rev().take_while(|&byte| byte == b'=').count();
        let level = leading
            .min(trailing)
            .min((line.len().saturating_sub(1)) / 2);
        if level == 0 {
            return;
        }
        let (body, end) = (self.at + level, self.at + line.len() - level);
        if end > self.stop() {
            return;
        }
        self.end_block();
        let level = u8::try_from(level).unwrap_or(u8::MAX);
        self.open_collecting(FrameKind::Heading { level }, body, end, line_end);
    }

    /// A line of a gallery: a file, a bar, its caption.
    fn start_picture(&mut self) {
        self.end_block();
        let end = self.line_end();
        let line = &self.text[self.at..end];
        if line.starts_with('<') {
            return;
        }
        self.at += memchr::memchr(b'|', line.as_bytes()).map_or(line.len(), |bar| bar + 1);
    }

    /// The end of the line, which is not inside a template that goes over several.
    pub(super) fn line_end(&mut self) -> usize {
        // Marks before this place are passed over for good.
        self.mark();
        let stop = self.stop();
        let mut from = self.at;
        let mut seen = 0;
        loop {
            let end = self
                .newlines
                .find(self.text, from)
                .unwrap_or(stop)
                .min(stop);
            let over = self.marks_ahead()[seen..]
                .iter()
                .take_while(|mark| mark.at < end)
                .inspect(|_| seen += 1)
                .find(|mark| mark.at >= from && mark.after > end);
            match over {
                Some(mark) => from = mark.after.min(stop),
                None => return end,
            }
        }
    }
}

/// A line without white space and comments at its end.
fn trim_comments(line: &str) -> &str {
    let mut line = line.trim_ascii_end();
    while line.ends_with("-->")
        && let Some(begin) = line.rfind("<!--")
    {
        line = line[..begin].trim_ascii_end();
    }
    line
}
