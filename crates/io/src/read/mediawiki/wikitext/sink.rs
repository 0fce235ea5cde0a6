//! Lines of plain text being written. In come runs of text and breaks, out come lines without white space around them,
//! runs of white space as one space, no blank lines.

/// What separates the text so far from what comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    None,
    Space,
    Line,
}

/// Lines, and further ones that wait for the end of the line being written.
#[derive(Debug, Default)]
pub(super) struct Sink {
    lines: String,
    gap: Gap,
    waiting: String,
}

impl Sink {
    pub(super) fn add(&mut self, run: &str) {
        add(&mut self.lines, 0, &mut self.gap, run, &mut self.waiting);
    }

    /// The next text begins a line.
    pub(super) fn end_line(&mut self) {
        self.gap = Gap::Line;
    }

    /// What comes next follows without a space.
    pub(super) fn join(&mut self) {
        if self.gap == Gap::Space {
            self.gap = Gap::None;
        }
    }

    /// Adds a line of its own, after the one being written.
    pub(super) fn add_later(&mut self, line: &str) {
        if !line.is_empty() {
            self.waiting.push('\n');
            self.waiting.push_str(line);
        }
    }

    /// Begins a line that can be taken back.
    pub(super) fn mark(&mut self) -> usize {
        self.end_line();
        flush(&mut self.lines, &mut self.waiting);
        self.lines.len()
    }

    /// Takes back what was added since `mark`, and begins a line.
    pub(super) fn back_to(&mut self, mark: usize) {
        if mark < self.lines.len() {
            self.lines.truncate(mark);
        }
        self.gap = Gap::Line;
    }

    pub(super) fn finish(mut self) -> String {
        flush(&mut self.lines, &mut self.waiting);
        self.lines
    }
}

/// A text that is collected to be used later: a caption, a reference, the value of a parameter. One lies on the other.
#[derive(Debug, Default)]
pub(super) struct Collected {
    text: String,
    begin: usize,
    gap: Gap,
}

/// How to go on with the text below.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Below {
    begin: usize,
    gap: Gap,
}

impl Collected {
    pub(super) fn start(&mut self) -> Below {
        let below = Below {
            begin: self.begin,
            gap: self.gap,
        };
        self.begin = self.text.len();
        self.gap = Gap::None;
        below
    }

    pub(super) fn add(&mut self, run: &str) {
        add(
            &mut self.text,
            self.begin,
            &mut self.gap,
            run,
            &mut String::new(),
        );
    }

    pub(super) fn space(&mut self) {
        self.gap = Gap::Space;
    }

    /// What comes next is a part of its own, without white space around it.
    pub(super) fn next_part(&mut self) {
        self.gap = Gap::None;
    }

    /// What was collected since the start.
    pub(super) fn text(&self) -> &str {
        &self.text[self.begin..]
    }

    /// Where the text ends, within it.
    pub(super) fn len(&self) -> usize {
        self.text.len() - self.begin
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.text.truncate(self.begin + len);
        self.gap = Gap::None;
    }

    /// Takes out the first `len` bytes.
    pub(super) fn remove_first(&mut self, len: usize) {
        self.text.drain(self.begin..self.begin + len);
    }

    /// Forgets the text and goes on with the one below.
    pub(super) fn end(&mut self, below: Below) {
        self.text.truncate(self.begin);
        self.begin = below.begin;
        self.gap = below.gap;
    }
}

fn flush(out: &mut String, waiting: &mut String) {
    if waiting.is_empty() {
        return;
    }
    let lines = if out.is_empty() {
        &waiting[1..]
    } else {
        waiting.as_str()
    };
    out.push_str(lines);
    waiting.clear();
}

fn add(out: &mut String, begin: usize, gap: &mut Gap, run: &str, waiting: &mut String) {
    let bytes = run.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(len) = space_at(run, at) {
            *gap = (*gap).max(Gap::Space);
            at += len;
            continue;
        }
        let from = at;
        at = end_of_words(run, at);
        match std::mem::take(gap) {
            Gap::Line => {
                flush(out, waiting);
                if out.len() > begin {
                    out.push('\n');
                }
            }
            Gap::Space if out.len() > begin => out.push(' '),
            Gap::Space | Gap::None => {}
        }
        out.push_str(&run[from..at]);
    }
}

/// Up to white space that is not one space between words.
fn end_of_words(run: &str, from: usize) -> usize {
    let bytes = run.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        match bytes[at] {
            b' ' if bytes
                .get(at + 1)
                .is_some_and(|&next| next > b' ' && !may_begin_space(next)) =>
            {
                at += 2;
            }
            0..=b' ' => break,
            byte if may_begin_space(byte) && space_at(run, at).is_some() => break,
            _ => at += 1,
        }
    }
    at
}

/// The first bytes of white space beyond ASCII.
fn may_begin_space(byte: u8) -> bool {
    matches!(byte, 0xc2 | 0xe1 | 0xe2 | 0xe3)
}

/// The length of the white space at `at`. All control characters count as such.
fn space_at(run: &str, at: usize) -> Option<usize> {
    match run.as_bytes()[at] {
        0..=b' ' => Some(1),
        byte if may_begin_space(byte) => {
            let c = run[at..].chars().next()?;
            c.is_whitespace().then(|| c.len_utf8())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_one_space_or_one_line_end() {
        let mut sink = Sink::default();
        for run in [" \n", "a  b", "\u{a0}\u{3000}", "ちば é", "\t"] {
            sink.add(run);
        }
        sink.end_line();
        sink.end_line();
        sink.add("  ");
        sink.add("c\u{2009}d ");
        sink.add("\u{85}\u{1680}e");
        assert_eq!(sink.finish(), "a b ちば é\nc d e");
    }

    #[test]
    fn a_waiting_line_comes_after_the_one_being_written() {
        let mut sink = Sink::default();
        sink.add_later("one");
        sink.add("two");
        sink.add_later("three");
        sink.add(" four");
        sink.end_line();
        sink.add("five");
        sink.add_later("");
        assert_eq!(sink.finish(), "two four\none\nthree\nfive");
        let mut only = Sink::default();
        only.add_later("one");
        assert_eq!(only.finish(), "one");
    }

    #[test]
    fn collected_texts_lie_on_each_other() {
        let mut collected = Collected::default();
        let first = collected.start();
        collected.add(" a ");
        let second = collected.start();
        collected.add(" b  c ");
        assert_eq!(collected.text(), "b c");
        collected.end(second);
        collected.add("d");
        assert_eq!(collected.text(), "a d");
        collected.end(first);
        assert_eq!(collected.text(), "");
    }
}
