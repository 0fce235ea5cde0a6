//! What a run over sentences found.

use std::io::{Result, Write};

use lookalike::kernel::rows::{ArticleName, SentencesSummary};
use lookalike::{Pairs, Summary};

use super::{line, thousands};

/// How many pairs of articles and how many chains are shown.
const SHOWN: usize = 5;

/// The longest bar of the histogram.
const BAR: f64 = 40.0;

pub(super) fn show(
    to: &mut dyn Write,
    summary: &Summary,
    sentences: &SentencesSummary,
) -> Result<()> {
    let counts = &summary.counts;
    line(to, "articles", thousands(counts.records))?;
    if counts.against_records > 0 {
        let against = format!("{} articles", thousands(counts.against_records));
        line(to, "compared with", against)?;
    }
    line(to, "sentences", thousands(sentences.sentences))?;
    let all: u64 = sentences.kinds.values().sum();
    if summary.parameters.pairs != Pairs::None {
        line(to, "similar pairs", thousands(all))?;
        for (kind, &count) in &sentences.kinds {
            line(to, &format!("  {kind}"), thousands(count))?;
        }
    }
    if counts.pairs < all {
        let listed = format!("{}, of the kinds asked for", thousands(counts.pairs));
        line(to, "pairs listed", listed)?;
    }
    line(to, "clusters", thousands(counts.clusters))?;
    for sizes in &sentences.cluster_sizes {
        let bar = "█".repeat(length(sizes.clusters, &sentences.cluster_sizes));
        let name = if sizes.from == sizes.to {
            format!("  of {}", sizes.from)
        } else {
            format!("  of {}–{}", thousands(sizes.from), thousands(sizes.to))
        };
        line(to, &name, format!("{bar} {}", thousands(sizes.clusters)))?;
    }
    articles(to, sentences)
}

/// The length of a bar on a logarithmic scale.
fn length(clusters: u64, all: &[lookalike::kernel::rows::ClusterSizes]) -> usize {
    let most = all.iter().map(|sizes| sizes.clusters).max().unwrap_or(1);
    let log = |count: u64| (count as f64 + 1.0).ln();
    ((BAR * log(clusters) / log(most)) as usize).max(1)
}

fn articles(to: &mut dyn Write, sentences: &SentencesSummary) -> Result<()> {
    let articles = &sentences.articles;
    if articles.most_shared.is_empty() {
        return Ok(());
    }
    writeln!(to, "\narticles with the most sentences in common")?;
    for pair in articles.most_shared.iter().take(SHOWN) {
        let shared = thousands(pair.shared_sentences.into());
        writeln!(to, "  {shared:>7}  {} – {}", name(&pair.a), name(&pair.b))?;
    }
    if !articles.chains.is_empty() {
        writeln!(to, "\nchains of articles that share large parts")?;
        for chain in articles.chains.iter().take(SHOWN) {
            let names: Vec<String> = chain.iter().take(SHOWN).map(name).collect();
            let more = match chain.len() - names.len() {
                0 => String::new(),
                more => format!(" and {} more", thousands(more as u64)),
            };
            writeln!(to, "  {}{more}", names.join(" – "))?;
        }
    }
    writeln!(to)
}

/// The title of an article, or its id.
fn name(article: &ArticleName) -> String {
    let named = article.title.as_str().map(str::to_string);
    let name = named.unwrap_or_else(|| article.id.to_string());
    name.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}
