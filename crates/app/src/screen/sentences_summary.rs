//! What a run over sentences found.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use lookalike::kernel::rows::{ArticleName, QuotedSentence, SentencePair, SentencesSummary};
use lookalike::{Pairs, ReadableResult, Summary};

use super::run_page::read;
use super::{change, histogram, line, safe, thousands};

/// How many pairs of articles and how many chains are shown.
const SHOWN: usize = 5;

/// How many changes are shown where only some kinds were asked for.
const CHANGES_SHOWN: usize = 10;

pub(super) fn show(page: &mut String, summary: &Summary, sentences: &SentencesSummary, out: &Path) {
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
        let listed = format!("{} of the kinds asked for", thousands(counts.pairs));
        line(page, "pairs listed", listed);
    }
    if !summary.parameters.sentences.kinds.is_empty() {
        changes(page, out);
    }
    let sizes = sentences.cluster_sizes.iter();
    let sizes: Vec<u64> = sizes.map(|sizes| sizes.clusters).collect();
    let clusters = thousands(counts.clusters);
    line(
        page,
        "clusters",
        format!("{clusters}{}", histogram::scale(&sizes)),
    );
    for (number, of_size) in sentences.cluster_sizes.iter().enumerate() {
        let sizes_bar = histogram::bar(sizes[number], &sizes);
        let name = if of_size.from == of_size.to {
            format!("  of {}", of_size.from)
        } else {
            format!("  of {}–{}", thousands(of_size.from), thousands(of_size.to))
        };
        line(page, &name, sizes_bar);
    }
    articles(page, sentences);
}

/// The most certain pairs of the kinds that were asked for, with how sure that is, as in `0.81  Marlstone → River Yarrel: 1892 → 1890`.
fn changes(page: &mut String, out: &Path) {
    let Ok(readable) = ReadableResult::open(out) else {
        return;
    };
    let pairs = File::open(readable.folder().join("pairs.jsonl"));
    let lines = pairs.map(|file| BufReader::new(file).lines());
    let pairs = lines.into_iter().flatten().map_while(Result::ok);
    let pairs = pairs.filter_map(|line| serde_json::from_str::<SentencePair<'_>>(&line).ok());
    let mut most_certain: Vec<SentencePair<'_>> = Vec::new();
    for pair in pairs {
        let place = most_certain.partition_point(|other| other.confidence >= pair.confidence);
        if place < CHANGES_SHOWN {
            most_certain.insert(place, pair);
            most_certain.truncate(CHANGES_SHOWN);
        }
    }
    if most_certain.is_empty() {
        return;
    }
    *page += "\nmost certain changes, with how sure their kind is\n";
    for pair in most_certain {
        // Since when the article has had the sentence says more than when it was last changed.
        let title = |side: &QuotedSentence<'_>, since: &Option<Cow<'_, str>>| {
            let name = match &side.title {
                Some(title) => title.to_string(),
                None => side.id.to_string(),
            };
            let day = |date: &str| date.chars().take(10).collect::<String>();
            match (since, &side.date) {
                (Some(since), _) => format!("{name} (since {})", day(since)),
                (None, Some(date)) => format!("{name} ({})", day(date)),
                (None, None) => name,
            }
        };
        let changed: Vec<String> = (pair.changed.iter())
            .map(|(from, to)| change(from, to))
            .collect();
        let (a, b) = (title(&pair.a, &pair.since_a), title(&pair.b, &pair.since_b));
        *page += &format!(
            "  {:.2}  {} → {}: {}\n",
            pair.confidence,
            safe(a),
            safe(b),
            safe(changed.join(", "))
        );
    }
    page.push('\n');
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
