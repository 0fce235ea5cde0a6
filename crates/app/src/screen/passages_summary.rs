//! What a run over passages found.

use lookalike::Summary;
use lookalike::kernel::rows::PassagesSummary;

use super::run_page::read;
use super::{line, safe, thousands};

pub(super) fn show(page: &mut String, summary: &Summary, passages: &PassagesSummary) {
    read(page, summary, "documents");
    let counts = &summary.counts;
    line(page, "sentences", thousands(passages.sentences));
    if passages.boilerplate_sentences > 0 {
        let sentences = thousands(passages.boilerplate_sentences);
        let limit = summary.parameters.passages.common_limit();
        let hint = match summary.parameters.passages.common_limit {
            Some(_) => String::new(),
            None => format!(" (--common-limit {limit}: only if more than {limit} do)"),
        };
        let common = format!("{sentences} sentences that many documents have, left out{hint}");
        line(page, "boilerplate", common);
    }
    line(page, "pairs compared", thousands(counts.candidate_pairs));
    line(page, "passages", thousands(passages.passages));
    line(page, "pairs listed", thousands(counts.pairs));
    for (relation, &count) in passages.relations.iter().filter(|(_, count)| **count > 0) {
        line(page, &format!("  {relation}"), thousands(count));
    }
    for (name, count) in [
        ("collections", passages.collections),
        ("multi-page", passages.multi_page),
    ] {
        if count > 0 {
            line(page, name, thousands(count));
        }
    }
    if !passages.longest.is_empty() {
        *page += "\nlongest passages\n";
        for passage in &passages.longest {
            let [a, b] = [
                (&passage.title_a, &passage.a),
                (&passage.title_b, &passage.b),
            ]
            .map(name);
            *page += &format!(
                "  {:>7} characters, similarity {:.2}  {a} – {b}\n          {}\n",
                thousands(passage.characters.into()),
                passage.similarity,
                safe(&passage.text)
            );
        }
        page.push('\n');
    }
}

/// The title of a document, or its id.
fn name((title, id): (&Option<String>, &serde_json::Value)) -> String {
    let id = || id.as_str().map_or_else(|| id.to_string(), str::to_string);
    safe(title.clone().unwrap_or_else(id))
}
