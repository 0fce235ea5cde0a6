//! How texts are described, found and compared.

use std::path::PathBuf;

use clap::Args;
use lookalike::Join;
use lookalike::sign::features::Antecedents;
use lookalike::sign::stats::IdfRange;
use serde::Serialize;

use super::fraction;

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Method")]
#[serde(rename_all = "kebab-case")]
pub(super) struct MethodArguments {
    /// How a text is described: shingles:words:N, shingles:chars:N, shingles:letters:N, winnow:words:K:W, winnow:chars:K:W,
    /// spotsigs:N:D:C, terms, weighted-terms, numbers or imatch:MIN:MAX [default: shingles:words:5,
    /// sentences shingles:letters:5, messages weighted-terms, with imatch terms]
    #[arg(long, value_name = "METHOD")]
    #[serde(rename = "features.method")]
    features: Option<String>,
    /// How similarity is measured: jaccard, weighted-jaccard, containment, cosine, tf-idf, edit, hamming, run, ends
    /// or rarest [default: jaccard; for weighted-terms weighted-jaccard; with imatch cosine]
    #[arg(long)]
    #[serde(rename = "verify.measure")]
    measure: Option<String>,
    /// With --keys imatch: report records with a common digest without comparing them
    #[arg(long)]
    #[serde(
        rename = "verify.unverified",
        skip_serializing_if = "std::ops::Not::not"
    )]
    unverified: bool,
    /// Take word frequencies from a file written by `lexicon build` instead of counting them in the corpus
    #[arg(long, value_name = "FILE")]
    #[serde(rename = "features.lexicon")]
    lexicon: Option<PathBuf>,
    /// Use only words whose normalised idf is in this range, as in 0.2,0.8: for imatch [default: 0.2,0.25, with
    /// --unverified 0.45,0.5] and for terms
    #[arg(long, value_name = "MIN,MAX", value_parser = idf_range)]
    #[serde(skip)]
    pub(super) idf: Option<IdfRange>,
    /// Antecedents for spotsigs: from built-in lists, or the most frequent words of the corpus [default: lists]
    #[arg(long)]
    #[serde(rename = "features.antecedents")]
    antecedents: Option<Antecedents>,
}

/// How candidates are found.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Search")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct SearchArguments {
    /// How candidates are found: auto, prefix, every, minhash or minhash:N, signatures:N:K, simhash:64:K, imatch or
    /// imatch:K:P, simfinder:N, bigrams [default: auto, which is prefix if that is cheap, otherwise minhash]
    #[arg(long, value_name = "METHOD")]
    #[serde(rename = "method")]
    keys: Option<String>,
    /// How texts with common keys are brought together: auto, term, unit or bucket [default: auto]
    #[arg(long)]
    join: Option<Join>,
    /// With --keys every: ignore features that more than N records have, which makes the result approximate
    #[arg(long, value_name = "N")]
    posting_cap: Option<usize>,
    /// Recall to aim for at the threshold; it determines bands and rows [default: 0.95]
    #[arg(long, value_name = "0..1", value_parser = fraction)]
    recall: Option<f64>,
    /// Number of bands, together with --rows: more bands find more
    #[arg(long)]
    bands: Option<u32>,
    /// Rows per band: more rows find less
    #[arg(long)]
    rows: Option<u32>,
    /// Compare larger buckets with their leaders only [default: 128, messages 128 to 512 by the size of the corpus]
    #[arg(long, value_name = "N")]
    bucket_limit: Option<usize>,
}

/// For clap: two numbers with a comma between them.
pub(crate) fn idf_range(text: &str) -> Result<IdfRange, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    match numbers.as_slice() {
        [min, max] if text.split(',').count() == 2 => IdfRange::new(*min, *max),
        _ => Err("two numbers are needed, as in 0.2,0.8".to_string()),
    }
}
