//! Two texts beside each other, with the words marked that only one of them has.

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use similar::{ChangeTag, TextDiff};

use super::stored::{PairRow, Texts};
use crate::screen::columns::{Line, Setter};
use crate::screen::terminal::Terminal;
use crate::screen::{change, safe};

/// The heading names so many changes; all are marked below it.
const CHANGES_NAMED: usize = 5;

/// A longer run of words that both have is shown by its ends.
const EQUAL_WORDS_SHOWN: usize = 12;

/// Texts so different that a shortest edit script takes longer get a longer one.
const DIFF_TIME: Duration = Duration::from_secs(2);

/// A narrower terminal shows one text below the other.
const SIDE_BY_SIDE: usize = 70;

/// As in `0.933  7 – 12  (pages.jsonl:7, pages.jsonl:12)  factual-drift (0.81): 1892 → 1890`.
pub(super) fn heading(row: &PairRow, texts: &Texts) -> String {
    let bold = Style::new().bold();
    let similarity = match row.similarity {
        Some(similarity) => format!("{similarity:.3}"),
        None if row.is_by_way => "linked through others".to_string(),
        None => "not verified".to_string(),
    };
    let [a, b] = [0, 1].map(|number| {
        let side = &row.sides[number];
        safe(texts.name(side, number) + &side.dated())
    });
    let mut heading = format!("{bold}{similarity}  {a} – {b}{bold:#}");
    let [at_a, at_b] = [0, 1].map(|side| texts.place(&row.sides[side], side));
    // A file that is a record is called by its name.
    let is_named = |side: usize, place: &str| row.sides[side].called() == place;
    if let (Some(a), Some(b)) = (at_a, at_b)
        && !(is_named(0, a) && is_named(1, b))
    {
        heading += &format!("  ({}, {})", safe(a), safe(b));
    }
    if let Some(kind) = &row.kind {
        heading += &format!("  {}", safe(kind));
    }
    if let Some(confidence) = row.confidence {
        heading += &format!(" ({confidence:.2})");
    }
    let mut changed: Vec<String> = (row.changed.iter().take(CHANGES_NAMED))
        .map(|(from, to)| change(from, to))
        .collect();
    if row.changed.len() > CHANGES_NAMED {
        changed.push("…".to_string());
    }
    if !changed.is_empty() {
        heading += &format!(": {}", safe(changed.join(", ")));
    }
    if let Some(parted) = &row.parted {
        let day: String = parted.chars().take(10).collect();
        heading += &format!("; parted {}", safe(day));
    }
    heading.push('\n');
    heading
}

/// Both texts in columns.
pub(super) fn columns(row: &PairRow, texts: &Texts, terminal: &Terminal) -> String {
    let [a, b] = [0, 1].map(|side| texts.of(&row.sides[side], side).unwrap_or_default());
    let is_wide = terminal.width >= SIDE_BY_SIDE;
    let width = match is_wide {
        true => (terminal.width - 3) / 2,
        false => terminal.width,
    };
    let [left, right] = set(a, b, terminal, width);
    let mut page = String::new();
    if !is_wide {
        for (number, lines) in [left, right].iter().enumerate() {
            page += &format!("{}:\n", ["A", "B"][number]);
            for line in lines {
                line.write(&mut page, 0);
                page.push('\n');
            }
        }
        return page;
    }
    let bar = if terminal.ascii { " | " } else { " │ " };
    let empty = Line::default();
    for number in 0..left.len().max(right.len()) {
        left.get(number).unwrap_or(&empty).write(&mut page, width);
        page += bar;
        right.get(number).unwrap_or(&empty).write(&mut page, 0);
        page.truncate(page.trim_end_matches(' ').len());
        page.push('\n');
    }
    page
}

/// Both texts set in lines of a width.
fn set(a: &str, b: &str, terminal: &Terminal, width: usize) -> [Vec<Line>; 2] {
    let mut columns = MarkedColumns::new(width);
    // Where lines break is not seen here, so it is no difference either.
    let [a, b] = [a, b].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_unicode_words(&a, &b);
    let changes: Vec<_> = diff.iter_all_changes().collect();
    for run in changes.chunk_by(|x, y| x.tag() == y.tag()) {
        let words: Vec<&str> = run.iter().map(similar::Change::value).collect();
        match run[0].tag() {
            ChangeTag::Equal => columns.equal(&words, terminal),
            ChangeTag::Delete => columns.changed[0] += &words.concat(),
            ChangeTag::Insert => columns.changed[1] += &words.concat(),
        }
    }
    columns.finish()
}

/// Two columns, and what is to be marked in each before the next words that both have. Words that changed one after the other
/// are marked together.
struct MarkedColumns {
    columns: [Setter; 2],
    changed: [String; 2],
}

impl MarkedColumns {
    fn new(width: usize) -> Self {
        MarkedColumns {
            columns: [Setter::new(width), Setter::new(width)],
            changed: [String::new(), String::new()],
        }
    }

    /// Words that both have.
    fn equal(&mut self, words: &[&str], terminal: &Terminal) {
        let is_blank = words.iter().all(|word| word.trim().is_empty());
        let is_changing = self.changed.iter().any(|changed| !changed.is_empty());
        if is_blank && is_changing {
            for changed in &mut self.changed {
                changed.push_str(&words.concat());
            }
            return;
        }
        self.mark();
        let shown = shortened(words, terminal);
        for column in &mut self.columns {
            column.add(Style::new(), &shown);
        }
    }

    /// Adds what changed, told by more than the colour; blanks around it are not marked.
    fn mark(&mut self) {
        let marks = [(AnsiColor::Red, "[-", "-]"), (AnsiColor::Green, "{+", "+}")];
        let columns = self.columns.iter_mut().zip(&mut self.changed);
        for ((column, changed), (colour, begin, end)) in columns.zip(marks) {
            let text = changed.trim();
            let before = &changed[..changed.len() - changed.trim_start().len()];
            column.add(Style::new(), before);
            if !text.is_empty() {
                let style = Style::new().fg_color(Some(colour.into()));
                column.add(style, &format!("{begin}{text}{end}"));
                column.add(Style::new(), &changed[changed.trim_end().len()..]);
            }
            changed.clear();
        }
    }

    fn finish(mut self) -> [Vec<Line>; 2] {
        self.mark();
        self.columns.map(Setter::finish)
    }
}

fn shortened(words: &[&str], terminal: &Terminal) -> String {
    // White space between words counts as one.
    let ends = 2 * EQUAL_WORDS_SHOWN;
    if words.len() <= 2 * ends + 2 {
        return words.concat();
    }
    let between = words[ends..words.len() - ends].iter();
    let left_out = between.filter(|word| !word.trim().is_empty()).count();
    let (first, last) = (words[..ends].concat(), words[words.len() - ends..].concat());
    let dots = terminal.left_out(&format!("{left_out} words"));
    format!("{} {dots} {}", first.trim_end(), last.trim_start())
}
