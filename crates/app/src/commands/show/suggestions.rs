//! What is most similar to a record, whatever the threshold: its suggestions, with titles.

use std::collections::{BTreeMap, BTreeSet};

use lookalike::finished::called;
use lookalike::judge::gold::Text;
use lookalike::kernel::rows::{Id, SuggestionRow, Table};
use lookalike::{Request, texts_of_ids};

use super::stored::Stored;
use crate::screen::safe;

/// So many characters of a title are shown.
const CHARACTERS: usize = 100;

/// The suggestions for a record.
pub(super) struct Suggestions {
    row: SuggestionRow<'static>,
    /// The line of the file.
    pub(super) line: String,
}

impl Suggestions {
    /// Those for the record with this id; none if the result has none.
    pub(super) fn of(result: &Stored, id: &str) -> anyhow::Result<Option<Self>> {
        for line in result.0.lines(Table::Suggestions)? {
            let line = line?;
            let row: SuggestionRow<'static> = serde_json::from_str(&line)?;
            if called(&row.id) == id {
                return Ok(Some(Suggestions { row, line }));
            }
        }
        Ok(None)
    }

    /// One a line, the most similar first.
    pub(super) fn page(&self, result: &Stored) -> String {
        let summary = &result.0.summary;
        let of_others = self.row.similar.iter().map(|other| other.id.clone());
        let corpus = match summary.against.is_empty() {
            true => &summary.inputs,
            false => &summary.against,
        };
        let own = titles(
            result,
            &summary.inputs,
            &BTreeSet::from([self.row.id.clone()]),
        );
        let others = titles(result, corpus, &of_others.collect());
        let named = |id: &Id, titles: &BTreeMap<Id, String>| {
            let title = titles.get(id).map(|title| format!("  {title}"));
            safe(format!("{}{}", called(id), title.unwrap_or_default()))
        };
        let mut page = format!("most similar to {}\n", named(&self.row.id, &own));
        for other in &self.row.similar {
            let named = named(&other.id, &others);
            page += &format!("  {:.3}  {named}\n", other.similarity);
        }
        if self.row.similar.is_empty() {
            page += "  nothing has a rare word in common with it\n";
        }
        page
    }
}

/// The first field of records, or the beginning of their texts, as far as these can be read again.
fn titles(result: &Stored, inputs: &[String], wanted: &BTreeSet<Id>) -> BTreeMap<Id, String> {
    let spec = &result.0.summary.parameters;
    let first = spec.compared_fields().into_iter().next();
    let request = Request::new(spec.clone(), inputs.iter().cloned());
    let is_piped = inputs.iter().any(|name| name == "-");
    let read = tempfile::tempdir().ok().filter(|_| !is_piped);
    let read = read.and_then(|work| texts_of_ids(&request, wanted, work.path()).ok());
    let title = |text: Text| match text {
        Text::Whole(text) => text,
        Text::Fields(mut fields) => first
            .as_ref()
            .and_then(|name| fields.remove(name))
            .unwrap_or_default(),
    };
    let line = |text: String| {
        let words: Vec<&str> = text.split_whitespace().take(CHARACTERS).collect();
        words.join(" ").chars().take(CHARACTERS).collect()
    };
    let titles = read.unwrap_or_default().into_iter();
    titles.map(|(id, text)| (id, line(title(text)))).collect()
}
