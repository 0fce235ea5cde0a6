//! What a person reads: the summary of a run, and of what its pages are made.

pub(crate) mod columns;
mod histogram;
mod lost_answers;
pub(crate) mod message_words;
mod passages_summary;
mod run_page;
mod sentences_summary;
pub(crate) mod terminal;

use std::fmt;
use std::io::Write;

pub(crate) use run_page::RunPage;

/// Writes a page to standard output.
pub(crate) fn print(page: &str) -> std::io::Result<()> {
    std::io::stdout().write_all(safe_lines(page).as_bytes())
}

/// Writes a page of safe parts to standard output, with its colours where they are seen.
pub(crate) fn print_coloured(page: &str) -> std::io::Result<()> {
    anstream::stdout().write_all(page.as_bytes())
}

/// What a terminal can be given, in one line: what would move the cursor, change colours or turn the direction of
/// reading is escaped, as in `\u{1b}`.
///
/// All words for the screen come through here, whoever wrote them. Only what has colours of the program itself is made
/// of safe parts; any other page or message is made safe as a whole.
pub(crate) fn safe(words: impl fmt::Display) -> String {
    let mut safe = String::new();
    for character in words.to_string().chars() {
        let turns = matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}')
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if turns || character.is_control() {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    safe
}

/// The same of several lines.
pub(crate) fn safe_lines(page: &str) -> String {
    page.split('\n').map(safe).collect::<Vec<_>>().join("\n")
}

/// Adds a value with its name to a page.
pub(crate) fn line(page: &mut String, name: &str, value: impl fmt::Display) {
    *page += &format!("{:<18}{}\n", safe(name), safe(value));
}

/// Rows of cells in columns two spaces apart: the first few flush left, the others, which are numbers, flush right. The
/// first row says what they are.
pub(crate) fn table(flush_left: usize, rows: &[Vec<String>]) -> String {
    let rows = rows.iter().map(|row| row.iter().map(safe).collect());
    let rows: Vec<Vec<String>> = rows.collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| shown_width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut page = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| {
            let space = " ".repeat(width - shown_width(cell));
            match column < flush_left {
                true => format!("{cell}{space}"),
                false => format!("{space}{cell}"),
            }
        });
        page += &cells.collect::<Vec<String>>().join("  ");
        page.push('\n');
    }
    page
}

/// How many columns a cell takes, of which characters of Chinese take two.
fn shown_width(cell: &str) -> usize {
    cell.chars().map(terminal::columns).sum()
}

/// As in "1,204 sentences".
pub(crate) fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", thousands(count))
}

/// A string without its quotes, or whatever else it is.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// As in `1768 → 1811`, or `also → (nothing)` for words that only one side has.
pub(crate) fn change(from: &str, to: &str) -> String {
    let words = |words: &str| match words.trim() {
        "" => "(nothing)".to_string(),
        words => words.to_string(),
    };
    format!("{} → {}", words(from), words(to))
}

pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{safe, safe_lines, thousands};

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(
            safe("a\u{1b}[31m\u{9b}\u{202e}\r\n汉"),
            r"a\u{1b}[31m\u{9b}\u{202e}\r\n汉"
        );
        assert_eq!(safe_lines("\"é\"\n\tב\n"), "\"é\"\n\\tב\n");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(1000), "1,000");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
