//! The options that decide the result, on the command line and in a configuration file: what is given on the command
//! line wins.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use lookalike::CodeBlocks;
use lookalike::sign::features::Antecedents;
use lookalike::sign::stats::IdfRange;
use lookalike::text::{
    Case, Characters, Chinese, Dates, Digits, Emoji, LookAlikes, Numbers, Punctuation, Repeats,
    SpacedLetters, Stemming, StopWords, Unicode, Whitespace, ZeroWidth,
};
use lookalike::{IdSource, Join, Keep, Pairs, RunOptions, Spec, TextChoices, parse_size};

/// What a run has to be told beside its method.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct RunSettings {
    /// Pairs at least this similar are duplicates [default: 0.8, threads 0.5, sentences 0.4, passages 0.5,
    /// messages 0.65]
    #[arg(long, value_name = "0..1")]
    threshold: Option<f64>,
    /// Which record of a cluster is kept: first, last, longest, more (the most information, for threads), or a field
    /// with a number or a date (the largest wins) [default: first]
    #[arg(long, value_name = "RULE")]
    keep: Option<String>,
    /// Which pairs are listed: auto, all, links or none [default: auto]
    #[arg(long)]
    pairs: Option<Pairs>,
    /// Read only the first N records of the input
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Seed of all hashes [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Settings from a TOML file, as --print-config prints them
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The settings of a job that compares whole texts.
#[derive(Debug, Args)]
pub(crate) struct SpecOptions {
    #[command(flatten)]
    run: RunSettings,
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// What decides how alike two texts are, without the choices about a whole corpus.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct PairOptions {
    /// Pairs at least this similar are found [default: 0.8]
    #[arg(long, value_name = "0..1")]
    threshold: Option<f64>,
    /// Seed of all hashes [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Settings from a TOML file, as documents --print-config and tune write them
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    text_field: TextField,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    method: MethodArguments,
    #[command(flatten)]
    search: SearchArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Resources (these never change the result)")]
pub(crate) struct Resources {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory to stay within, as in 256MB or 2GB
    #[arg(long, default_value = "2GB", value_parser = size, value_name = "SIZE")]
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
        self.threads
            .map_or(RunOptions::default().threads, usize::from)
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct TextField {
    /// Field with the text; several, separated by commas, are joined [default: text]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    text_field: Option<Vec<String>>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct InputArguments {
    /// Field with the id; records without one are named file:line [default: id]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<String>,
    /// Take ids from the id field, or number the records from 1 [default: field]
    #[arg(long)]
    ids: Option<Ids>,
    /// Format of the input, where names do not say it: jsonl, csv, tsv, parquet, text, lines, html,
    /// warc, stackexchange or mediawiki
    #[arg(long)]
    format: Option<String>,
    /// Reject larger records [default: 64MB]
    #[arg(long, value_parser = size, value_name = "SIZE")]
    max_record: Option<u64>,
    /// Refuse archives that expand to more than N times their size [default: 1000]
    #[arg(long, value_name = "N")]
    max_expansion: Option<u64>,
    /// Namespaces of a MediaWiki dump whose pages are read, as in 0,100; "all" for all [default: 0, articles]
    #[arg(long, value_name = "N", value_delimiter = ',', allow_hyphen_values = true, value_parser = namespace)]
    namespaces: Vec<Namespace>,
    /// Of web pages (HTML, WARC) take the article alone, without navigation, footers and the like
    #[arg(long)]
    main_content: bool,
    /// Code blocks of Stack Exchange posts and web pages [default: keep]
    #[arg(long)]
    code_blocks: Option<Code>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Code {
    Keep,
    Drop,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Ids {
    Field,
    Number,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "What counts as the same text")]
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
    /// Drop the stop words of languages, as in en or en,zh: the list is in the documentation [default: keep,
    /// threads en,zh in the first field]
    #[arg(long, value_name = "LANGUAGES")]
    stop_words: Option<StopWords>,
    /// Compare the stems of words in a language, as in en or de [default: off, threads en in the first field]
    #[arg(long, value_name = "LANGUAGE")]
    stemming: Option<Stemming>,
    /// Chinese: characters, or words of a dictionary [default: characters, messages words]
    #[arg(long)]
    chinese: Option<Chinese>,
    /// Letters that look like Latin ones: as-written, mixed (the same in words that mix scripts) or all, digits in
    /// words too [default: as-written, messages mixed]
    #[arg(long)]
    look_alikes: Option<LookAlikes>,
    /// Letters written apart, as in F.R.E.E: as-written or join [default: as-written, messages join]
    #[arg(long)]
    spaced_letters: Option<SpacedLetters>,
    /// Characters that cannot be seen: separate words, or remove [default: separate, messages remove]
    #[arg(long)]
    zero_width: Option<ZeroWidth>,
    /// Emoji: keep or drop [default: keep]
    #[arg(long)]
    emoji: Option<Emoji>,
    /// Repeated marks: as-written, punctuation (!!! is one, where marks are kept) or letters (sooo is soo, too)
    /// [default: as-written, messages punctuation]
    #[arg(long)]
    repeats: Option<Repeats>,
    /// Digits: as-written, codes (in words of five digits and more only their number counts) or all (in all words)
    /// [default: as-written]
    #[arg(long)]
    digits: Option<Digits>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(crate) struct MethodArguments {
    /// How a text is described: shingles:words:N, shingles:chars:N, shingles:letters:N, winnow:words:K:W, winnow:chars:K:W,
    /// spotsigs:N:D:C, terms, weighted-terms or numbers [default: shingles:words:5,
    /// sentences shingles:letters:5, messages weighted-terms, with imatch terms]
    #[arg(long, value_name = "METHOD")]
    features: Option<String>,
    /// How candidates are scored: jaccard, weighted-jaccard, containment, cosine, tf-idf, edit, hamming, run, ends
    /// or rarest [default: jaccard, of weighted-terms weighted-jaccard, with imatch none]
    #[arg(long)]
    measure: Option<String>,
    /// How units with common keys are brought together: auto, term, unit or bucket [default: auto]
    #[arg(long)]
    join: Option<Join>,
    /// With --keys every: leave out features that more than N records have; the result is approximate
    #[arg(long, value_name = "N")]
    posting_cap: Option<usize>,
    /// Frequencies of words from a file that `lexicon build` wrote, instead of the corpus's own
    #[arg(long, value_name = "FILE")]
    lexicon: Option<PathBuf>,
    /// Normalised idf of the words to use, as in 0.2,0.8: the lexicon of imatch [default: 0.45,0.5], or what terms are
    #[arg(long, value_name = "MIN,MAX", value_parser = idf_range)]
    idf: Option<IdfRange>,
    /// Antecedents of spotsigs: lists, or corpus for its most frequent words [default: lists]
    #[arg(long)]
    antecedents: Option<Antecedents>,
}

/// How candidates are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// How candidates are found: auto, prefix, every, minhash or minhash:N, signatures:N:K, simhash:64:K, imatch or
    /// imatch:K:P, simfinder:N, bigrams [default: auto, which is prefix where that is cheap, else minhash]
    #[arg(long, value_name = "METHOD")]
    keys: Option<String>,
    /// Recall wanted at the threshold, from which bands and rows follow [default: 0.95]
    #[arg(long, value_name = "0..1")]
    recall: Option<f64>,
    /// Bands, together with --rows: more bands find more
    #[arg(long)]
    bands: Option<u32>,
    /// Rows in a band: more rows find less
    #[arg(long)]
    rows: Option<u32>,
    /// Compare a bucket of more records with its leaders only [default: 128, messages more where they are few]
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

/// For clap: a size as people write it.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    parse_size(text)
}

/// Replaces a setting if something is given.
pub(crate) fn set<T: Clone>(target: &mut T, given: Option<&T>) {
    if let Some(given) = given {
        target.clone_from(given);
    }
}

impl RunSettings {
    /// The configuration file, if one is named.
    pub(crate) fn config(&self) -> Option<&Path> {
        self.config.as_deref()
    }

    /// What is given, put into the settings of the configuration or those of the job.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = configured(self.config(), defaults)?;
        spec.threshold = self.threshold.or(spec.threshold);
        set(&mut spec.keep, self.keep.clone().map(Keep::from).as_ref());
        set(&mut spec.pairs, self.pairs.as_ref());
        set(&mut spec.seed, self.seed.as_ref());
        spec.limit = self.limit.or(spec.limit);
        Ok(spec)
    }
}

impl SpecOptions {
    /// The defaults of a job, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let job = defaults.job;
        let mut spec = self.run.apply(defaults)?;
        spec.job = job;
        self.text_field.apply(&mut spec);
        self.input.apply(&mut spec);
        self.text.apply(&mut spec);
        // What an idf range is of depends on the keys.
        self.search.apply(&mut spec);
        self.method.apply(&mut spec);
        Ok(spec)
    }
}

impl PairOptions {
    /// The defaults, overridden by the configuration file, overridden by the command line.
    pub(crate) fn apply(&self, defaults: Spec) -> anyhow::Result<Spec> {
        let mut spec = configured(self.config.as_deref(), defaults)?;
        spec.threshold = self.threshold.or(spec.threshold);
        set(&mut spec.seed, self.seed.as_ref());
        self.text_field.apply(&mut spec);
        self.input.apply(&mut spec);
        self.text.apply(&mut spec);
        // What an idf range is of depends on the keys.
        self.search.apply(&mut spec);
        self.method.apply(&mut spec);
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

impl TextField {
    pub(crate) fn apply(&self, spec: &mut Spec) {
        set(&mut spec.input.text_field, self.text_field.as_ref());
    }
}

impl InputArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) {
        set(&mut spec.input.id_field, self.id_field.as_ref());
        match self.ids {
            None => {}
            Some(Ids::Field) => spec.input.ids = IdSource::Field,
            Some(Ids::Number) => spec.input.ids = IdSource::Number,
        }
        spec.input.format = self.format.clone().or(spec.input.format.take());
        set(&mut spec.input.max_record, self.max_record.as_ref());
        set(&mut spec.input.max_expansion, self.max_expansion.as_ref());
        spec.input.main_content |= self.main_content;
        if !self.namespaces.is_empty() {
            // None stands for all.
            let numbers = self.namespaces.iter().map(|Namespace(number)| *number);
            spec.input.namespaces = numbers.collect::<Option<_>>().unwrap_or_default();
        }
        match self.code_blocks {
            None => {}
            Some(Code::Keep) => spec.input.code = CodeBlocks::Keep,
            Some(Code::Drop) => spec.input.code = CodeBlocks::Drop,
        }
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

    pub(crate) fn apply(&self, spec: &mut Spec) {
        set(&mut spec.text.unicode, self.unicode.as_ref());
        set(&mut spec.text.case, self.case.as_ref());
        spec.text.punctuation = self.punctuation.or(spec.text.punctuation);
        set(&mut spec.text.whitespace, self.whitespace.as_ref());
        set(&mut spec.text.characters, self.characters.as_ref());
        set(&mut spec.text.numbers, self.numbers.as_ref());
        set(&mut spec.text.dates, self.dates.as_ref());
        set(&mut spec.text.stop_words, self.stop_words.as_ref());
        set(&mut spec.text.stemming, self.stemming.as_ref());
        let text = &mut spec.text;
        text.chinese = self.chinese.or(text.chinese);
        text.look_alikes = self.look_alikes.or(text.look_alikes);
        text.spaced_letters = self.spaced_letters.or(text.spaced_letters);
        text.zero_width = self.zero_width.or(text.zero_width);
        text.emoji = self.emoji.or(text.emoji);
        text.repeats = self.repeats.or(text.repeats);
        text.digits = self.digits.or(text.digits);
    }
}

impl MethodArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) {
        spec.features.method = self.features.clone().or(spec.features.method.take());
        spec.features.lexicon = self.lexicon.clone().or(spec.features.lexicon.take());
        set(&mut spec.features.antecedents, self.antecedents.as_ref());
        set(&mut spec.keys.join, self.join.as_ref());
        spec.keys.posting_cap = self.posting_cap.or(spec.keys.posting_cap);
        spec.verify.measure = self.measure.clone().or(spec.verify.measure.take());
        if spec.keys.is_by_digest() {
            spec.imatch.idf = self.idf.or(spec.imatch.idf);
        } else {
            spec.terms.idf = self.idf.or(spec.terms.idf);
        }
    }
}

impl SearchArguments {
    pub(crate) fn apply(&self, spec: &mut Spec) {
        set(&mut spec.keys.method, self.keys.as_ref());
        set(&mut spec.keys.recall, self.recall.as_ref());
        spec.keys.bands = self.bands.or(spec.keys.bands);
        spec.keys.rows = self.rows.or(spec.keys.rows);
        set(&mut spec.keys.bucket_limit, self.bucket_limit.as_ref());
    }
}
