//! What a run over passages found.

use lookalike::Summary;
use lookalike::kernel::rows::{PassageSummary, PassagesSummary};

use super::run_page::read;
use super::{line, safe, thousands};

pub(super) fn show(page: &mut String, summary: &Summary, passages: &PassagesSummary) {
    read(page, summary, "documents");
    let counts = &summary.counts;
    line(page, "sentences", thousands(passages.sentences));
    if passages.boilerplate_sentences > 0 {
        let sentences = thousands(passages.boilerplate_sentences);
        let documents = match passages.boilerplate_documents {
            // Of a result that does not say.
            0 => "that many documents have".to_string(),
            1 => "in 1 document".to_string(),
            documents => format!("in {} documents", thousands(documents)),
        };
        let limit = summary.parameters.passages.common_limit();
        let hint = match summary.parameters.passages.common_limit {
            Some(_) => String::new(),
            None => format!("; --common-limit {limit} lists what up to {limit} documents share"),
        };
        line(
            page,
            "boilerplate",
            format!("{sentences} sentences {documents}, left out{hint}"),
        );
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
        let sides = |passage: &'_ PassageSummary| {
            [
                (passage.title_a.clone(), passage.a.clone()),
                (passage.title_b.clone(), passage.b.clone()),
            ]
        };
        let all: Vec<Document> = passages.longest.iter().flat_map(sides).collect();
        for passage in &passages.longest {
            let [a, b] = sides(passage).map(|document| name(&document, &all));
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

/// The title of a document, if it has one, and its id.
type Document = (Option<String>, serde_json::Value);

/// The title of a document, with its id where others have that title, too; or else its id.
fn name((title, id): &Document, all: &[Document]) -> String {
    let called = id.as_str().map_or_else(|| id.to_string(), str::to_string);
    let is_like = |other: &Document| other.0 == *title && other.1 != *id;
    safe(match title {
        Some(title) if all.iter().any(is_like) => format!("{title} ({called})"),
        Some(title) => title.clone(),
        None => called,
    })
}
