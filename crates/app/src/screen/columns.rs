//! Text set in columns: pieces of text with their colours come in, lines of a width go out.
//!
//! A line breaks at white space, and before and after characters that take two columns, as those of Chinese do.

use anstyle::Style;

use super::safe;
use super::terminal::columns;

/// No line begins with these.
const STAY: &str = "，。、；：？！）」』》】〉〕…—";

/// A line of text in colours.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line {
    pieces: Vec<(Style, String)>,
    width: usize,
}

impl Line {
    fn push(&mut self, style: Style, character: char) {
        self.width += columns(character);
        match self.pieces.last_mut() {
            Some((last, text)) if *last == style => text.push(character),
            _ => self.pieces.push((style, character.to_string())),
        }
    }

    /// Writes it, and spaces after it up to a width.
    pub(crate) fn write(&self, to: &mut String, width: usize) {
        for (style, text) in &self.pieces {
            if *style == Style::new() {
                *to += text;
            } else {
                *to += &format!("{style}{text}{style:#}");
            }
        }
        to.extend(std::iter::repeat_n(' ', width.saturating_sub(self.width)));
    }
}

/// Breaks text into lines.
#[derive(Debug)]
pub(crate) struct Setter {
    width: usize,
    lines: Vec<Line>,
    line: Line,
    word: Vec<(Style, char)>,
    /// The white space before the word.
    space: Option<Style>,
}

impl Setter {
    pub(crate) fn new(width: usize) -> Self {
        Setter {
            width: width.max(2),
            lines: Vec::new(),
            line: Line::default(),
            word: Vec::new(),
            space: None,
        }
    }

    /// Adds text.
    pub(crate) fn add(&mut self, style: Style, text: &str) {
        let blank = |c: char| if c.is_whitespace() { ' ' } else { c };
        let text = safe(text.chars().map(blank).collect::<String>());
        for character in text.chars() {
            if character.is_whitespace() {
                self.end_word();
                self.space = Some(style);
                continue;
            }
            let after_wide = self.word.last().is_some_and(|(_, last)| columns(*last) > 1);
            let may_break = columns(character) > 1 || (after_wide && columns(character) > 0);
            if may_break && !STAY.contains(character) {
                self.end_word();
            }
            self.word.push((style, character));
        }
    }

    /// Ends the line, if it has anything.
    pub(crate) fn end_line(&mut self) {
        self.end_word();
        self.space = None;
        if self.line.width > 0 {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }

    /// All lines.
    pub(crate) fn finish(mut self) -> Vec<Line> {
        self.end_line();
        self.lines
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = self.word.iter();
        let width: usize = word.map(|(_, character)| columns(*character)).sum();
        let space = self.space.take().filter(|_| self.line.width > 0);
        let needed = self.line.width + usize::from(space.is_some()) + width;
        if needed > self.width && self.line.width > 0 {
            self.lines.push(std::mem::take(&mut self.line));
        } else if let Some(style) = space {
            self.line.push(style, ' ');
        }
        for (style, character) in self.word.drain(..) {
            // A word longer than a line.
            if self.line.width + columns(character) > self.width {
                self.lines.push(std::mem::take(&mut self.line));
            }
            self.line.push(style, character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(width: usize, text: &str) -> Vec<String> {
        let mut setter = Setter::new(width);
        setter.add(Style::new(), text);
        let lines = setter.finish();
        assert!(lines.iter().all(|line| line.width <= width));
        let text = |line: &Line| line.pieces.iter().map(|(_, text)| text.as_str()).collect();
        lines.iter().map(text).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_between_wide_characters() {
        assert_eq!(set(9, "the quick  brown fox"), ["the quick", "brown fox"]);
        assert_eq!(set(7, "渡轮九点 go"), ["渡轮九", "点 go"]);
        assert_eq!(set(8, "渡轮九点。好"), ["渡轮九", "点。好"]);
        assert_eq!(set(4, "abcdefghi j"), ["abcd", "efgh", "i j"]);
        assert_eq!(set(4, " \n "), Vec::<String>::new());
    }
}
