//! The options that decide the result: settings of a configuration file, given on the command line, which wins.
//!
//! A group of options holds what was given and nothing else; [`put`] writes that over the settings. An option is the
//! setting of its own name in the table of its group, or what serde renames it to, so a new one is a field here.

use std::num::NonZero;
use std::ops::Not;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use anyhow::Context;
use clap::Args;
use lookalike::kernel::{TextChoices, parse_size};
use lookalike::sign::features::Antecedents;
use lookalike::sign::stats::IdfRange;
use lookalike::text::{
    Case, Characters, Chinese, Dates, Digits, Emoji, LookAlikes, Numbers, Punctuation, Repeats,
    SpacedLetters, Stemming, StopWords, Unicode, Whitespace, ZeroWidth,
};
use lookalike::{Clusters, Join, Keep, Pairs, SeedSpec, Spec};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::{Deserialize, Serialize, Serializer};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What a run has to be told beside its method.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub(crate) struct RunSettings {
    /// Pairs at least this similar are duplicates [default: 0.8, threads 0.5, sentences 0.4, passages 0.5,
    /// messages 0.65]
    #[arg(long, short, value_name = "0..1")]
    threshold: Option<f64>,
    /// Take only pairs that are more similar than the threshold, not those that just reach it
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    exclusive: bool,
    /// Which record of a cluster to keep: first, last, longest, more (for threads: the one with the most information), or the
    /// one with the largest number or date in a field, given by its name [default: first; threads with answers: more]
    #[arg(long, value_name = "RULE")]
    keep: Option<String>,
    /// Only remove a record for another with the same value in this field, so as to keep one per source, for example
    #[arg(long, value_name = "FIELD")]
    #[serde(rename = "keep-per")]
    keep_per: Option<String>,
    /// What to remove: duplicates, or contained (only texts that are entirely part of a longer text that is kept)
    #[arg(long, value_name = "WHAT", value_parser = ["duplicates", "contained"])]
    #[serde(skip)]
    remove: Option<String>,
    /// Which pairs to list: auto, all, links (each removed record with the one kept) or none [default: auto]
    #[arg(long)]
    pairs: Option<Pairs>,
    /// Which make up a cluster: stars (what is similar to the one kept), or components (what is linked by similar pairs, also
    /// over others; only where nothing is removed) [default: stars, sentences components]
    #[arg(long, value_name = "RULE")]
    clusters: Option<Clusters>,
    /// Read only the first N records of the input
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    #[serde(skip)]
    seed: SeedArguments,
    /// Read settings from a TOML file, such as --print-config prints
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
}

/// Where the seed comes from.
#[derive(Debug, Args)]
struct SeedArguments {
    /// Seed for all hashes [default: 1]
    #[arg(long, conflicts_with_all = ["seed_file", "seed_env"])]
    seed: Option<u64>,
    #[command(flatten)]
    secret: SecretSeed,
}

/// Where a seed comes from that nobody may see.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
#[group(skip)]
pub(crate) struct SecretSeed {
    /// Derive the seed from the contents of a file, and never show it
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// Derive the seed from an environment variable, and never show it
    #[arg(long, value_name = "NAME", conflicts_with = "seed_file")]
    seed_env: Option<String>,
}

impl SeedArguments {
    fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        if let Some(seed) = self.seed {
            spec.seed = SeedSpec::Open(seed);
        }
        self.secret.apply(spec)
    }
}

impl SecretSeed {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        let secret = if let Some(path) = &self.seed_file {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("cannot read the seed in {}", path.display()))?;
            Some((text, path.display().to_string()))
        } else if let Some(name) = &self.seed_env {
            let text = std::env::var(name).with_context(|| {
                format!("cannot take the seed from the environment variable {name}")
            })?;
            Some((text, name.clone()))
        } else {
            None
        };
        if let Some((text, place)) = secret {
            // A line end at the end of a file is not part of the secret: editors add one.
            let text = text.trim();
            anyhow::ensure!(
                !text.is_empty(),
                "the seed in {place} is empty; write any text there that others cannot guess"
            );
            spec.seed = SeedSpec::secret(text);
        }
        Ok(())
    }
}

/// The settings of a job that compares whole texts.
#[derive(Debug, Args)]
pub(crate) struct SpecOptions {
    #[command(flatten)]
    pub(crate) run: RunSettings,
    #[command(flatten)]
    comparison: Comparison,
}

/// What decides how alike two texts are, without the choices about a whole corpus.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Settings")]
pub(crate) struct PairOptions {
    /// Pairs at least this similar are found [default: 0.8]
    #[arg(long, short, value_name = "0..1")]
    threshold: Option<f64>,
    #[command(flatten)]
    #[serde(skip)]
    seed: SeedArguments,
    /// Read settings from a TOML file, such as documents --print-config and tune write
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    config: Option<PathBuf>,
    #[command(flatten)]
    #[serde(skip)]
    comparison: Comparison,
}

/// What is read, and how it is compared.
#[derive(Debug, Args)]
struct Comparison {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// Which texts are read, and what counts as the same.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
}

/// Which texts are read, where it is settled what counts as the same.
#[derive(Debug, Args)]
pub(crate) struct InputSettings {
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    /// Read only the first N records of the input
    #[arg(long, value_name = "N", help_heading = "Input")]
    limit: Option<u64>,
}

impl InputSettings {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", &self.text_field)?;
        self.input.apply(spec)?;
        spec.limit = self.limit.or(spec.limit);
        Ok(())
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Resources (these never change the result)")]
pub(crate) struct Resources {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory to stay within, as in 256MB or 2GB
    #[arg(long, default_value = "2GB", value_parser = parse_size, value_name = "SIZE")]
    pub(crate) memory: u64,
    /// Folder for temporary files [default: in the output folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) work_dir: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Resources (these never change the result)")]
// The command `threads` has a group of this name.
#[group(skip)]
pub(crate) struct Threads {
    /// Worker threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    pub(crate) fn count(&self) -> usize {
        let all = || available_parallelism().map_or(1, NonZero::get);
        self.threads.map_or_else(all, usize::from)
    }

    /// So many threads, waiting for work.
    pub(crate) fn pool(&self) -> anyhow::Result<ThreadPool> {
        let threads = ThreadPoolBuilder::new().num_threads(self.count());
        threads.build().context("cannot start the worker threads")
    }
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[serde(rename_all = "kebab-case")]
struct TextField {
    /// Field that holds the text; several, separated by commas, are joined [default: text]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    text_field: Option<Vec<String>>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct InputArguments {
    /// Field that holds the id; records without one are called file:line [default: id]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<String>,
    /// Field that names the source of a record; the summary warns of sources that lose nearly everything [default: the file]
    #[arg(long, value_name = "FIELD")]
    source_field: Option<String>,
    /// Take ids from the id field (field), or number the records from 1 (number) [default: field]
    #[arg(long, value_parser = ["field", "number"])]
    ids: Option<String>,
    /// Input format, where file names do not tell: jsonl, csv, tsv, parquet, text, lines, html, warc, stackexchange,
    /// mediawiki, mbox or eml
    #[arg(long)]
    format: Option<String>,
    /// Reject records larger than this [default: 64MB]
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    max_record: Option<u64>,
    /// Refuse archives that expand to more than N times their size [default: 1000]
    #[arg(long, value_name = "N")]
    max_expansion: Option<u64>,
    /// Namespaces to read from a MediaWiki dump, as in 0,100, or "all" [default: 0, the articles]
    #[arg(long, value_name = "N", value_delimiter = ',', allow_hyphen_values = true, value_parser = namespace)]
    #[serde(skip)]
    namespaces: Vec<Namespace>,
    /// From web pages (HTML, WARC) read the article only, without navigation, footers and the like [default for passages]
    #[arg(long, conflicts_with = "whole_page")]
    #[serde(skip_serializing_if = "Not::not")]
    main_content: bool,
    /// From web pages read everything a visitor sees [default, except for passages]
    #[arg(long)]
    #[serde(
        rename = "main-content",
        serialize_with = "no",
        skip_serializing_if = "Not::not"
    )]
    whole_page: bool,
    /// Code blocks in Stack Exchange posts and web pages: keep or drop [default: keep]
    #[arg(long, value_parser = ["keep", "drop"])]
    #[serde(rename = "code")]
    code_blocks: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "What counts as the same text")]
#[serde(rename_all = "kebab-case")]
pub(crate) struct TextArguments {
    /// Unicode form: nfkc, nfc or as-is [default: nfkc]
    #[arg(long)]
    unicode: Option<Unicode>,
    /// Case: fold or keep [default: fold]
    #[arg(long)]
    case: Option<Case>,
    /// Punctuation: drop or keep [default: drop for words, keep for characters]
    #[arg(long)]
    punctuation: Option<Punctuation>,
    /// White space between characters: collapse, keep or drop [default: collapse]
    #[arg(long)]
    whitespace: Option<Whitespace>,
    /// What a character is: code-point or grapheme [default: code-point]
    #[arg(long)]
    characters: Option<Characters>,
    /// Numbers and dates: as-written, or canonical for one form of each [default: as-written, threads
    /// canonical]
    #[arg(long)]
    numbers: Option<Numbers>,
    /// What 3/4/1979 begins with in canonical dates: day-first or month-first [default: day-first]
    #[arg(long)]
    dates: Option<Dates>,
    /// Drop the stop words of these languages, as in en or en,zh; the documentation lists them all [default: keep,
    /// threads en,zh in the first field]
    #[arg(long, value_name = "LANGUAGES")]
    stop_words: Option<StopWords>,
    /// Reduce words to their stems in this language, as in en or de [default: off, threads en in the first field]
    #[arg(long, value_name = "LANGUAGE")]
    stemming: Option<Stemming>,
    /// Split Chinese into characters, or into words found in a dictionary [default: characters, messages words]
    #[arg(long)]
    chinese: Option<Chinese>,
    /// Letters that look like Latin ones: as-written, mixed (replace them in words that mix scripts) or all (replace them
    /// everywhere, digits in words too) [default: as-written, messages mixed]
    #[arg(long)]
    look_alikes: Option<LookAlikes>,
    /// Spaced-out letters, as in F.R.E.E: as-written or join [default: as-written, messages join]
    #[arg(long)]
    spaced_letters: Option<SpacedLetters>,
    /// Invisible characters: let them separate words, or remove them [default: separate, messages remove]
    #[arg(long)]
    zero_width: Option<ZeroWidth>,
    /// Emoji: keep or drop [default: keep]
    #[arg(long)]
    emoji: Option<Emoji>,
    /// Repeated characters: as-written, punctuation (!!! counts as !, where punctuation is kept) or letters (sooo also counts
    /// as soo) [default: as-written, messages punctuation]
    #[arg(long)]
    repeats: Option<Repeats>,
    /// Digits: as-written, codes (any digit equals any other in words with five or more digits) or all (in all words)
    /// [default: as-written]
    #[arg(long)]
    digits: Option<Digits>,
}

#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Method")]
#[serde(rename_all = "kebab-case")]
struct MethodArguments {
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
    idf: Option<IdfRange>,
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
    /// imatch:K:P, simfinder:N, bigrams [default: auto, which is prefix where that is cheap, else minhash]
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
    #[arg(long, value_name = "0..1")]
    recall: Option<f64>,
    /// Number of bands, together with --rows: more bands find more
    #[arg(long)]
    bands: Option<u32>,
    /// Rows per band: more rows find less
    #[arg(long)]
    rows: Option<u32>,
    /// Compare larger buckets with their leaders only [default: 128, messages more where they are few]
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

/// An option that takes back what a setting says.
fn no<S: Serializer>(_: &bool, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bool(false)
}

/// A namespace, or none for all.
#[derive(Debug, Clone, Copy)]
struct Namespace(Option<i32>);

/// For clap: the number of a namespace, or all.
fn namespace(text: &str) -> Result<Namespace, String> {
    match text {
        "all" => Ok(Namespace(None)),
        _ => match text.parse() {
            Ok(number) => Ok(Namespace(Some(number))),
            Err(_) => Err(
                "a number is needed, as in 0 for articles or 14 for categories, or all".to_string(),
            ),
        },
    }
}

/// Writes what is given over the settings, each over the one at its path from a table.
///
/// By way of TOML, which both can be written in and which loses nothing: neither large numbers nor those that are none.
pub(crate) fn put(spec: &mut Spec, table: &str, given: &impl Serialize) -> anyhow::Result<()> {
    let (settings, given) = (toml::to_string(spec), toml::to_string(given));
    let (settings, given) = (settings?, given.context("an option is no setting")?);
    let mut settings = DeTable::parse(&settings)?;
    for (name, value) in DeTable::parse(&given)?.into_inner() {
        let path = format!("{table}.{}", name.get_ref());
        put_at(settings.get_mut(), path.trim_start_matches('.'), value);
    }
    let seed = spec.seed;
    *spec = Spec::deserialize(toml::Deserializer::from(settings))?;
    // What is written down does not tell a secret seed.
    spec.seed = seed;
    Ok(())
}

fn put_at<'t>(settings: &mut DeTable<'t>, path: &str, value: Spanned<DeValue<'t>>) {
    let nowhere = 0..0;
    let key = |name: &str| Spanned::new(nowhere.clone(), name.to_string().into());
    let Some((table, rest)) = path.split_once('.') else {
        settings.insert(key(path), value);
        return;
    };
    let empty = || Spanned::new(nowhere.clone(), DeValue::Table(DeTable::new()));
    let table = settings.entry(key(table)).or_insert_with(empty);
    if let DeValue::Table(table) = table.get_mut() {
        put_at(table, rest, value);
    }
}

impl RunSettings {
    /// The files that settings are read from.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let files = [&self.config, &self.seed.secret.seed_file];
        files.into_iter().flatten().cloned().collect()
    }

    /// The defaults of a job, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let job = defaults.job;
        let mut spec = configured(self.config.as_deref(), defaults)?;
        spec.job = job;
        if self.remove.as_deref() == Some("contained") {
            // All features of the shorter text are in the longer one. What is given beside it, wins.
            spec.verify.measure = Some("containment".to_string());
            spec.keys.method = "every".to_string();
            spec.threshold = Some(1.0);
            spec.keep = Keep::Longest;
        }
        put(&mut spec, "", self)?;
        self.seed.apply(&mut spec)?;
        Ok(spec)
    }
}

impl SpecOptions {
    /// The defaults of a job, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = self.run.apply(defaults)?;
        self.comparison.apply(&mut spec)?;
        Ok(spec)
    }
}

impl PairOptions {
    /// The defaults, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = configured(self.config.as_deref(), defaults)?;
        put(&mut spec, "", self)?;
        self.seed.apply(&mut spec)?;
        self.comparison.apply(&mut spec)?;
        Ok(spec)
    }
}

/// The settings of a configuration file, or the defaults where none is named.
fn configured(config: Option<&Path>, defaults: Spec) -> anyhow::Result<Spec> {
    let Some(path) = config else {
        return Ok(defaults);
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the configuration {}", path.display()))?;
    toml::from_str(&text)
        .with_context(|| format!("the configuration {} is not valid", path.display()))
}

impl Comparison {
    fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        self.reading.apply(spec)?;
        put(spec, "keys", &self.search)?;
        put(spec, "", &self.method)?;
        let idf = if spec.keys.is_by_digest() {
            &mut spec.imatch.idf
        } else {
            &mut spec.terms.idf
        };
        *idf = self.method.idf.or(*idf);
        Ok(())
    }
}

impl Reading {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", &self.text_field)?;
        self.input.apply(spec)?;
        put(spec, "text", &self.text)
    }
}

impl InputArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) -> anyhow::Result<()> {
        put(spec, "input", self)?;
        if !self.namespaces.is_empty() {
            // None stands for all.
            let numbers = self.namespaces.iter().map(|Namespace(number)| *number);
            spec.input.namespaces = numbers.collect::<Option<_>>().unwrap_or_default();
        }
        Ok(())
    }
}

impl TextArguments {
    /// What is given of that which a job may do otherwise by default.
    pub(crate) fn choices(&self) -> TextChoices {
        TextChoices {
            numbers: self.numbers,
            stop_words: self.stop_words,
            stemming: self.stemming,
        }
    }
}
