//! `lookalike lexicon`: how common words are, counted once and used by several runs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, Subcommand};
use lookalike::io::OutputFile;
use lookalike::sign::keys::IMATCH_IDF;
use lookalike::sign::stats::{IDF_ONE, IdfRange, Vocabulary};
use lookalike::text::Seed;
use lookalike::text::hash::hash64;
use lookalike::{CountOptions, Job, Observer, Request, Spec, count_words, jobs, read_lexicon};
use serde_json::json;

use super::Run;
use crate::options::{Reading, Resources, SummaryArguments, idf_range};
use crate::progress;
use crate::screen::{self, line, thousands};

#[derive(Debug, Args)]
pub(crate) struct Lexicon {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Count the words of a corpus and save the counts
    Build(Box<Build>),
    /// Show what a saved lexicon holds
    Show(Show),
}

impl Run for Lexicon {
    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.action {
            Action::Build(build) => build.run(),
            Action::Show(show) => show.run(),
        }
    }
}

#[derive(Debug, Args)]
struct Build {
    /// Files, folders or quoted globs; - reads standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// File to write: plain text, one word per line
    #[arg(long = "out", alias = "output", short, value_name = "FILE")]
    output: PathBuf,
    /// Record the range of normalised idf that imatch should use, as in 0.2,0.8; the lexicon still holds all words
    #[arg(long, value_name = "MIN,MAX", value_parser = idf_range)]
    idf: Option<IdfRange>,
    /// Split texts into words as this job does by default: documents or messages
    #[arg(long, value_name = "JOB", default_value = "documents", value_parser = job)]
    job: &'static dyn Job,
    /// Split words as a preset of that job does, as in mail
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Count only the first N records of the input
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    summary: SummaryArguments,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    resources: Resources,
}

/// For clap: a job whose words can be counted.
fn job(name: &str) -> Result<&'static dyn Job, String> {
    match name {
        "documents" => Ok(jobs::DOCUMENTS),
        "messages" => Ok(jobs::MESSAGES),
        _ => Err("use documents or messages".to_string()),
    }
}

impl Build {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let read = self.inputs.iter().map(Path::new);
        let output = OutputFile::new(&self.output, read, Vocabulary::is_beginning)?;
        let mut spec = Spec {
            limit: self.limit,
            ..super::job::defaults(self.job, self.preset.as_deref())?
        };
        self.reading.apply(&mut spec)?;
        let spec = Spec {
            text: spec.resolved()?.text,
            ..spec
        };
        let folder = match self.output.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let work_dir = self.resources.work_dir.as_deref().unwrap_or(folder);
        let work = tempfile::Builder::new()
            .prefix(".lookalike-lexicon-")
            .tempdir_in(work_dir)
            .with_context(|| {
                let place = work_dir.display();
                format!("cannot make a folder for temporary files in {place}; name another with --work-dir")
            })?;
        let request = Request::new(spec, &self.inputs);
        let threads = self.resources.threads.count();
        let options = CountOptions::new(threads, self.resources.memory, work.path());
        let count = |observer: &dyn Observer| count_words(&request, &options, observer);
        let vocabulary = progress::watched(self.summary.shown(), count)?.with_idf_range(self.idf);
        output.write(|mut out| vocabulary.write(&mut out))?;
        let (terms, documents) = (vocabulary.terms().len() as u64, vocabulary.documents());
        let file = self.output.display().to_string();
        let done = json!({"terms": terms, "documents": documents, "file": file});
        self.summary.print(&done, || {
            let (terms, documents) = (thousands(terms), thousands(documents));
            format!("{terms} terms of {documents} documents in {file}\n")
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

#[derive(Debug, Args)]
struct Show {
    /// A file that `lexicon build` wrote
    file: PathBuf,
    /// How many of the most frequent terms to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    top: usize,
    /// Show what this range of normalised idf holds, as in 0.2,0.8 [default: that of the lexicon, else 0.45,0.5]
    #[arg(long, value_name = "MIN,MAX", value_parser = idf_range)]
    idf: Option<IdfRange>,
    /// Print one JSON object instead of a page
    #[arg(long)]
    json: bool,
}

impl Show {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let vocabulary = read_lexicon(&self.file)?;
        let terms = terms_with_idf(&vocabulary)?;
        if self.json {
            let listed = terms.iter().take(self.top).map(Term::object);
            let object = json!({
                "documents": vocabulary.documents(),
                "terms": terms.len(),
                "text": vocabulary.text(),
                "most_frequent": listed.collect::<Vec<_>>(),
            });
            screen::print(&format!("{object}\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        // The settings in the words of a configuration file, on one line.
        let text = toml::to_string(vocabulary.text())?.replace('"', "");
        let text: Vec<String> = text.lines().map(|line| line.replace(" = ", " ")).collect();
        let mut page = String::new();
        line(&mut page, "documents", thousands(vocabulary.documents()));
        line(&mut page, "terms", thousands(terms.len() as u64));
        line(&mut page, "text", text.join(", "));
        line(&mut page, "idf", in_range(&vocabulary, self.idf, &terms)?);
        page += &histogram(&terms);
        page += &most_frequent(&terms, self.top);
        screen::print(&page)?;
        Ok(ExitCode::SUCCESS)
    }
}

struct Term<'v> {
    term: &'v str,
    documents: u64,
    occurrences: u64,
    /// In units of 2⁻¹⁶.
    idf: u32,
}

impl Term<'_> {
    fn object(&self) -> serde_json::Value {
        json!({
            "term": self.term,
            "documents": self.documents,
            "occurrences": self.occurrences,
            "idf": f64::from(self.idf) / f64::from(IDF_ONE),
        })
    }
}

/// The terms, most frequent first.
fn terms_with_idf(vocabulary: &Vocabulary) -> anyhow::Result<Vec<Term<'_>>> {
    let seed = Seed::default();
    let lexicon = vocabulary.lexicon(seed)?;
    let terms = vocabulary.terms().map(|counted| Term {
        term: counted.term,
        documents: u64::from(counted.documents),
        occurrences: counted.occurrences,
        idf: lexicon.weight(hash64(counted.term.as_bytes(), seed)),
    });
    Ok(terms.collect())
}

/// A range of idf, and what it holds.
fn in_range(
    vocabulary: &Vocabulary,
    asked: Option<IdfRange>,
    terms: &[Term<'_>],
) -> anyhow::Result<String> {
    let (range, whose) = match (asked, vocabulary.idf_range()) {
        (Some(range), _) => (range, ""),
        (None, Some(range)) => (range, ", chosen when the lexicon was built"),
        (None, None) => {
            let usual = IdfRange::new(IMATCH_IDF.0, IMATCH_IDF.1).map_err(anyhow::Error::msg)?;
            (usual, ", which imatch uses by default")
        }
    };
    let inside: Vec<&Term<'_>> = terms
        .iter()
        .filter(|term| range.contains(term.idf))
        .collect();
    let all: u64 = terms.iter().map(|term| term.occurrences).sum();
    let occurrences: u64 = inside.iter().map(|term| term.occurrences).sum();
    Ok(format!(
        "{range}{whose}: {} terms, {:.1} % of all occurrences",
        thousands(inside.len() as u64),
        100.0 * occurrences as f64 / all.max(1) as f64
    ))
}

/// How many terms there are in each tenth of idf, with the most frequent one as an example.
fn histogram(terms: &[Term<'_>]) -> String {
    const TENTHS: usize = 10;
    const WIDTH: usize = 30;
    let tenth = |term: &Term<'_>| (term.idf as usize * TENTHS / IDF_ONE as usize).min(TENTHS - 1);
    let mut counts = [0usize; TENTHS];
    let mut examples = [""; TENTHS];
    for term in terms {
        let place = tenth(term);
        if counts[place] == 0 {
            examples[place] = term.term;
        }
        counts[place] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or_default().max(1);
    let mut page = "\nidf            terms\n".to_string();
    for (place, (&count, example)) in counts.iter().zip(examples).enumerate() {
        let (from, to) = (place as f64 / 10.0, (place + 1) as f64 / 10.0);
        let bar = "#".repeat((count * WIDTH).div_ceil(most));
        let line = format!(
            "{from:.1} to {to:.1} {:>9}  {bar:<WIDTH$}  {example}",
            thousands(count as u64)
        );
        let _ = writeln!(page, "{}", line.trim_end());
    }
    page
}

fn most_frequent(terms: &[Term<'_>], top: usize) -> String {
    let mut page = String::new();
    if top > 0 && !terms.is_empty() {
        page += "\ndocuments  occurrences     idf  term\n";
    }
    for term in terms.iter().take(top) {
        let _ = writeln!(
            page,
            "{:>9}  {:>11}  {:.4}  {}",
            thousands(term.documents),
            thousands(term.occurrences),
            f64::from(term.idf) / f64::from(IDF_ONE),
            term.term
        );
    }
    page
}
