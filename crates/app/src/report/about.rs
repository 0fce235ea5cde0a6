//! What the page says of the run itself, as the summary has it.

use std::collections::BTreeMap;

use lookalike_io::{Input, InputOptions};
use lookalike_kernel::pair::assemble::Difference;
use lookalike_kernel::rows::{
    AuditResult, HotBuckets, Numbers, PassagesSummary, SentencesSummary, SourceLoss,
    SuggestionsSummary, Summary, Table,
};
use lookalike_kernel::{CHANGED, PASSAGE_WORDS, Recall, Spec};
use serde::Serialize;

/// What the page says of the run.
#[derive(Serialize)]
pub(super) struct About<'s> {
    version: &'s str,
    job: &'s str,
    /// Marks of a reviewer are kept for this result and no other.
    result: &'s str,
    inputs: Vec<String>,
    against: Vec<String>,
    /// What titles of articles follow in the addresses of a wiki.
    site: Option<String>,
    threshold: Option<f64>,
    counts: &'s Numbers,
    recall: &'s Recall,
    hot_buckets: &'s HotBuckets,
    sentences: Option<Sentences<'s>>,
    passages: Option<Passages<'s>>,
    /// The kinds of pairs of which none removes the other.
    listed_only: Vec<&'static str>,
    suggestions: Option<&'s SuggestionsSummary>,
    audit: Option<&'s AuditResult>,
    sources: Vec<SourceLoss>,
    lost_sources: usize,
    notes: &'s [String],
    rejections: &'s [String],
    seconds: &'s BTreeMap<String, f64>,
    total_seconds: f64,
    peak_memory: Option<u64>,
    stage_memory: &'s BTreeMap<String, u64>,
    threads: usize,
    memory: u64,
    parameters: &'s Spec,
}

#[derive(Serialize)]
struct Sentences<'s> {
    sentences: u64,
    kinds: &'s BTreeMap<String, u64>,
    article_pairs: u64,
    frames: u64,
}

#[derive(Serialize)]
struct Passages<'s> {
    sentences: u64,
    boilerplate_sentences: u64,
    passages: u64,
    relations: &'s BTreeMap<String, u64>,
    collections: u64,
    multi_page: u64,
    /// Recall is stated of passages of so many words, of which these shares were changed.
    stated_words: u32,
    stated_changes: [f64; 2],
}

impl<'s> About<'s> {
    pub(super) fn new(summary: &'s Summary, is_anonymous: bool) -> Self {
        let hidden = |names: &[String]| match is_anonymous {
            false => names.to_vec(),
            true => (1..=names.len()).map(|n| format!("source {n}")).collect(),
        };
        let shown = |list: &'s [String]| if is_anonymous { &[] } else { list };
        let pairs = summary.files.get(&summary.file_of(Table::Pairs));
        About {
            version: &summary.lookalike,
            job: summary.parameters.job.name(),
            result: pairs.map_or("", |file| &file.xxh3_128),
            inputs: hidden(&summary.inputs),
            against: hidden(&summary.against),
            site: site(summary).filter(|_| !is_anonymous),
            threshold: summary.parameters.threshold,
            counts: &summary.counts,
            recall: &summary.recall,
            hot_buckets: &summary.hot_buckets,
            sentences: summary.sentences.as_ref().map(sentences),
            passages: summary.passages.as_ref().map(passages),
            listed_only: listed_only(&summary.parameters),
            suggestions: summary.suggestions.as_ref(),
            audit: summary.audit.as_ref(),
            sources: sources(summary, is_anonymous),
            lost_sources: summary.lost_sources.len(),
            notes: shown(&summary.notes),
            rejections: shown(&summary.first_rejections),
            seconds: &summary.seconds,
            total_seconds: summary.total_seconds,
            peak_memory: summary.peak_memory,
            stage_memory: &summary.stage_memory,
            threads: summary.threads,
            memory: summary.memory,
            parameters: &summary.parameters,
        }
    }
}

/// Where the articles of a dump can be read.
fn site(summary: &Summary) -> Option<String> {
    summary.sentences.as_ref()?;
    let format = summary.parameters.input.format.as_deref();
    let format = format.and_then(|name| name.parse().ok());
    let options = InputOptions::default().with(|options| options.format = format);
    Input::wiki_address(&summary.inputs, &options)
}

fn listed_only(spec: &Spec) -> Vec<&'static str> {
    let kinds = Difference::ALL
        .iter()
        .filter(|_| spec.job.tells_differences());
    let listed = kinds.filter(|&&kind| !spec.removes(kind));
    listed.map(|kind| kind.name()).collect()
}

/// What each source loses; a single one that loses nearly all, too.
fn sources(summary: &Summary, is_anonymous: bool) -> Vec<SourceLoss> {
    let mut sources = match summary.sources.is_empty() {
        true => summary.lost_sources.clone(),
        false => summary.sources.clone(),
    };
    if is_anonymous {
        for (source, number) in sources.iter_mut().zip(1..) {
            source.source = format!("source {number}");
        }
    }
    sources
}

fn sentences(of: &SentencesSummary) -> Sentences<'_> {
    Sentences {
        sentences: of.sentences,
        kinds: &of.kinds,
        article_pairs: of.articles.pairs,
        frames: of.articles.frames,
    }
}

fn passages(of: &PassagesSummary) -> Passages<'_> {
    Passages {
        sentences: of.sentences,
        boilerplate_sentences: of.boilerplate_sentences,
        passages: of.passages,
        relations: &of.relations,
        collections: of.collections,
        multi_page: of.multi_page,
        stated_words: PASSAGE_WORDS,
        stated_changes: CHANGED,
    }
}
