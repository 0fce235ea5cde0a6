//! What a run over passages found.

use std::io::{Result, Write};

use lookalike::Summary;
use lookalike::kernel::rows::PassagesSummary;

use super::{line, thousands};

pub(super) fn show(
    to: &mut dyn Write,
    summary: &Summary,
    passages: &PassagesSummary,
) -> Result<()> {
    let counts = &summary.counts;
    line(to, "documents", thousands(counts.records))?;
    if counts.against_records > 0 {
        let against = format!("{} documents", thousands(counts.against_records));
        line(to, "compared with", against)?;
    }
    line(to, "sentences", thousands(passages.sentences))?;
    if passages.boilerplate_sentences > 0 {
        let common = format!(
            "{} sentences, each in more than {} different documents",
            thousands(passages.boilerplate_sentences),
            summary.parameters.passages.common_limit
        );
        line(to, "boilerplate", common)?;
    }
    line(to, "pairs compared", thousands(counts.candidate_pairs))?;
    line(to, "passages", thousands(passages.passages))?;
    line(to, "pairs listed", thousands(counts.pairs))?;
    for (relation, &count) in passages.relations.iter().filter(|(_, count)| **count > 0) {
        line(to, &format!("  {relation}"), thousands(count))?;
    }
    for (name, count) in [
        ("collections", passages.collections),
        ("multi-page", passages.multi_page),
    ] {
        if count > 0 {
            line(to, name, thousands(count))?;
        }
    }
    if !passages.longest.is_empty() {
        writeln!(to, "\nlongest passages")?;
        for passage in &passages.longest {
            writeln!(
                to,
                "  {:>7} characters, similarity {:.2}  {} – {}\n          {}",
                thousands(passage.characters.into()),
                passage.similarity,
                passage.a,
                passage.b,
                passage.text
            )?;
        }
        writeln!(to)?;
    }
    Ok(())
}
