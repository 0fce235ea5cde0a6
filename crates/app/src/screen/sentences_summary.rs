//! What a run over sentences found.

use lookalike::kernel::rows::{ArticleName, SentencesSummary};
use lookalike::{Pairs, Summary};

use super::{line, read, safe, thousands};

/// How many pairs of articles and how many chains are shown.
const SHOWN: usize = 5;

/// The longest bar of the histogram.
const BAR: f64 = 40.0;

pub(super) fn show(page: &mut String, summary: &Summary, sentences: &SentencesSummary) {
    read(page, summary, "articles");
    let counts = &summary.counts;
    line(page, "sentences", thousands(sentences.sentences));
    let all: u64 = sentences.kinds.values().sum();
    if summary.parameters.pairs != Pairs::None {
        line(page, "similar pairs", thousands(all));
        for (kind, &count) in &sentences.kinds {
            line(page, &format!("  {kind}"), thousands(count));
        }
    }
    if counts.pairs < all {
        let listed = format!("{}, of the kinds asked for", thousands(counts.pairs));
        line(page, "pairs listed", listed);
    }
    line(page, "clusters", thousands(counts.clusters));
    for sizes in &sentences.cluster_sizes {
        let bar = "█".repeat(length(sizes.clusters, &sentences.cluster_sizes));
        let name = if sizes.from == sizes.to {
            format!("  of {}", sizes.from)
        } else {
            format!("  of {}–{}", thousands(sizes.from), thousands(sizes.to))
        };
        let clusters = thousands(sizes.clusters);
        line(page, &name, format!("{bar} {clusters}"));
    }
    articles(page, sentences);
}

/// The length of a bar on a logarithmic scale.
fn length(clusters: u64, all: &[lookalike::kernel::rows::ClusterSizes]) -> usize {
    let most = all.iter().map(|sizes| sizes.clusters).max().unwrap_or(1);
    let log = |count: u64| (count as f64 + 1.0).ln();
    ((BAR * log(clusters) / log(most)) as usize).max(1)
}

fn articles(page: &mut String, sentences: &SentencesSummary) {
    let articles = &sentences.articles;
    if articles.most_shared.is_empty() {
        return;
    }
    *page += "\narticles with the most sentences in common\n";
    for pair in articles.most_shared.iter().take(SHOWN) {
        let shared = thousands(pair.shared_sentences.into());
        *page += &format!("  {shared:>7}  {} – {}\n", name(&pair.a), name(&pair.b));
    }
    if !articles.chains.is_empty() {
        *page += "\nchains of articles that share large parts\n";
        for chain in articles.chains.iter().take(SHOWN) {
            let names: Vec<String> = chain.iter().take(SHOWN).map(name).collect();
            let more = match chain.len() - names.len() {
                0 => String::new(),
                more => format!(" and {} more", thousands(more as u64)),
            };
            *page += &format!("  {}{more}\n", names.join(" – "));
        }
    }
    page.push('\n');
}

/// The title of an article, or its id.
fn name(article: &ArticleName) -> String {
    let named = article.title.as_str().map(str::to_string);
    safe(named.unwrap_or_else(|| article.id.to_string()))
}
