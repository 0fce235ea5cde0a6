//! Text being written: white space is one space, or a line end where a block begins or ends. In `<pre>` it stays.

use memchr::memchr2;

use super::scan::is_space;

/// What separates the text so far from what comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    None,
    Space,
    Line,
}

/// The text being written.
pub(super) struct Text<'o> {
    pub(super) out: &'o mut String,
    /// Where it begins in `out`.
    begin: usize,
    gap: Gap,
}

impl<'o> Text<'o> {
    /// Appends to `out`.
    pub(super) fn new(out: &'o mut String) -> Self {
        Text {
            begin: out.len(),
            out,
            gap: Gap::None,
        }
    }

    /// There is at least this between what was added and what will be.
    pub(super) fn separate(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Adds a run of text without markup. NUL characters and soft hyphens are no text.
    pub(super) fn add(&mut self, run: &str) {
        let bytes = run.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            match space(&bytes[at..]) {
                0 => {}
                len => {
                    self.separate(Gap::Space);
                    at += len;
                    continue;
                }
            }
            match nothing(&bytes[at..]) {
                0 => {}
                len => {
                    at += len;
                    continue;
                }
            }
            let begin = at;
            at += 1 + words(&bytes[at + 1..]);
            self.close_gap();
            self.out.push_str(&run[begin..at]);
        }
    }

    /// Adds a run of text with its white space. Line ends are one character.
    pub(super) fn add_preformatted(&mut self, run: &str) {
        let mut rest = run;
        while let Some(at) = memchr2(b'\r', 0, rest.as_bytes()) {
            let (before, after) = (&rest[..at], &rest[at + 1..]);
            self.add_as_is(before);
            if rest.as_bytes()[at] == b'\r' && !after.starts_with('\n') {
                self.add_as_is("\n");
            }
            rest = after;
        }
        self.add_as_is(rest);
    }

    fn add_as_is(&mut self, run: &str) {
        if !run.is_empty() {
            self.close_gap();
            self.out.push_str(run);
        }
    }

    fn close_gap(&mut self) {
        let gap = std::mem::replace(&mut self.gap, Gap::None);
        if self.out.len() == self.begin {
            return;
        }
        match gap {
            Gap::Line if !self.out.ends_with('\n') => self.out.push('\n'),
            Gap::Space => self.out.push(' '),
            Gap::Line | Gap::None => {}
        }
    }

    /// Takes white space from the end.
    pub(super) fn finish(&mut self) {
        let len = self.out[self.begin..].trim_end().len();
        self.out.truncate(self.begin + len);
    }
}

/// How many bytes of `bytes`, which follow a word's first, can be added as they are: up to white space that is not one
/// space between words.
fn words(bytes: &[u8]) -> usize {
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        // Most bytes are neither.
        if byte > b' ' && !matches!(byte, 0xc2 | 0xe1..=0xe3) {
            at += 1;
            continue;
        }
        if byte == b' '
            && bytes.get(at + 1).is_some_and(|&next| next > b' ')
            && space(&bytes[at + 1..]) + nothing(&bytes[at + 1..]) == 0
        {
            at += 2;
            continue;
        }
        if nothing(&bytes[at..]) > 0 || space(&bytes[at..]) > 0 {
            return at;
        }
        at += 1;
    }
    at
}

/// The length of the character that `bytes` start with if it is none to read: NUL, or a soft hyphen.
fn nothing(bytes: &[u8]) -> usize {
    match bytes {
        [0, ..] => 1,
        [0xc2, 0xad, ..] => 2,
        _ => 0,
    }
}

/// The length of the white space character that `bytes` start with; 0 if they start with none.
fn space(bytes: &[u8]) -> usize {
    match bytes {
        [byte, ..] if is_space(*byte) || *byte == 0x0b => 1,
        // U+0085, U+00A0.
        [0xc2, 0x85 | 0xa0, ..] => 2,
        // U+1680; U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F; U+3000.
        [0xe1, 0x9a, 0x80, ..]
        | [0xe2, 0x80, 0x80..=0x8a | 0xa8 | 0xa9 | 0xaf, ..]
        | [0xe2, 0x81, 0x9f, ..]
        | [0xe3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}
