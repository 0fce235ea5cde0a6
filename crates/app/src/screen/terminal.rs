//! What the terminal can show: how wide it is, which characters it has, and in which colours.

use std::env;

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

/// The colours of passages, one after the other.
const PALETTE: [AnsiColor; 6] = [
    AnsiColor::Green,
    AnsiColor::Cyan,
    AnsiColor::Magenta,
    AnsiColor::Yellow,
    AnsiColor::Blue,
    AnsiColor::Red,
];

/// The width where nothing says one, and what is taken for one at least and at most.
const WIDTH: usize = 100;
const LEAST_WIDTH: usize = 40;
const MOST_WIDTH: usize = 240;

/// What the terminal can show: how wide it is, which characters it has, and in which colours.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terminal {
    pub(crate) width: usize,
    pub(crate) ascii: bool,
}

impl Terminal {
    pub(crate) fn new(ascii: bool) -> Self {
        let wanted = env::var("COLUMNS").ok();
        let wanted = wanted.and_then(|columns| columns.parse().ok());
        let found = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let width: usize = wanted.or_else(found).unwrap_or(WIDTH);
        Terminal {
            width: width.clamp(LEAST_WIDTH, MOST_WIDTH),
            ascii: ascii || !is_utf8(|name| env::var(name).ok()),
        }
    }

    /// What stands for what is left out.
    pub(crate) fn left_out(&self, what: &str) -> String {
        let dots = if self.ascii { "..." } else { "…" };
        format!("{dots} {what} {dots}")
    }

    /// Between two ends.
    pub(crate) fn dash(&self) -> char {
        if self.ascii { '-' } else { '–' }
    }
}

/// Whether the locale's characters are UTF-8. Where no locale is set nothing speaks against it.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(variable)
        .find(|locale| !locale.is_empty());
    set.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// The colour of a passage, given its number from 0.
pub(crate) fn colour(passage: usize) -> Style {
    Style::new().fg_color(Some(PALETTE[passage % PALETTE.len()].into()))
}

/// How many columns a character takes.
pub(crate) fn columns(character: char) -> usize {
    character.width().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let with = |set: &'static [(&str, &str)]| {
            is_utf8(|name| {
                let found = set.iter().find(|(key, _)| *key == name);
                found.map(|(_, value)| (*value).to_string())
            })
        };
        assert!(with(&[]));
        assert!(with(&[("LANG", "de_DE.UTF-8")]));
        assert!(with(&[("LC_ALL", ""), ("LANG", "C.utf8")]));
        assert!(!with(&[("LANG", "C")]));
        assert!(!with(&[("LC_ALL", "POSIX"), ("LANG", "de_DE.UTF-8")]));
        assert!(!with(&[("LC_CTYPE", "de_DE.ISO-8859-1")]));
    }
}
