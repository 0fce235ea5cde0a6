//! The largest templates of a result, with what is in their slots.

use anstyle::Style;
use lookalike::finished::called;
use lookalike::kernel::rows::{Table, TemplateRow};

use super::stored::Stored;
use crate::screen::{counted, safe, thousands};

/// So many values of a slot are shown,
const VALUES_SHOWN: usize = 8;
/// and so many characters of each.
const CHARACTERS_SHOWN: usize = 60;

/// Templates that were chosen.
pub(super) struct Chosen {
    pub(super) rows: Vec<(TemplateRow<'static>, String)>,
    /// How many would fit.
    fitting: u64,
}

/// The largest templates, equally large ones as they are listed; with an id, those that this record has.
pub(super) fn largest(result: &Stored, id: Option<&str>, most: usize) -> anyhow::Result<Chosen> {
    let mut chosen = Chosen {
        rows: Vec::new(),
        fitting: 0,
    };
    for line in result.0.lines(Table::Templates)? {
        let line = line?;
        let row: TemplateRow<'static> = serde_json::from_str(&line)?;
        if id.is_some_and(|id| row.members.iter().all(|member| called(member) != id)) {
            continue;
        }
        chosen.fitting += 1;
        let place = (chosen.rows).partition_point(|(other, _)| other.size >= row.size);
        if place < most {
            chosen.rows.insert(place, (row, line));
            chosen.rows.truncate(most);
        }
    }
    Ok(chosen)
}

impl Chosen {
    pub(super) fn lines(&self) -> String {
        let lines = self.rows.iter().map(|(_, line)| format!("{line}\n"));
        lines.collect()
    }

    pub(super) fn page(&self) -> String {
        let bold = Style::new().bold();
        let mut page = String::new();
        for (row, _) in &self.rows {
            let (size, template) = (thousands(row.size), safe(&row.template));
            page += &format!("{bold}{size} × {template}{bold:#}\n");
            for (number, (values, counts)) in (1..).zip(row.slots.iter().zip(&row.counts)) {
                page += &format!("  {{{number}}}  {}\n", shown(values, counts));
            }
            page.push('\n');
        }
        let left = self.fitting - self.rows.len() as u64;
        if left > 0 {
            page += &format!("{} more; --limit N shows N of them\n", thousands(left));
        }
        page
    }
}

/// As in `4711 × 3, 0815, and 12 more values`.
fn shown(values: &[impl AsRef<str>], counts: &[u64]) -> String {
    let mut parts: Vec<String> = values
        .iter()
        .zip(counts)
        .take(VALUES_SHOWN)
        .map(|(value, &count)| {
            let times = match count {
                1 => String::new(),
                count => format!(" × {}", thousands(count)),
            };
            format!("{}{times}", quoted(value.as_ref()))
        })
        .collect();
    let more = values.len().saturating_sub(VALUES_SHOWN) as u64;
    if more > 0 {
        parts.push(format!("and {}", counted(more, "more value")));
    }
    parts.join(", ")
}

fn quoted(value: &str) -> String {
    if value.is_empty() {
        return "nothing".to_string();
    }
    let mut short: String = value.chars().take(CHARACTERS_SHOWN).collect();
    if short.len() < value.len() {
        short.push('…');
    }
    format!("\"{}\"", safe(short))
}
