//! `lookalike tune PAIRS`: methods, weights and a threshold from labelled pairs, as a configuration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use lookalike::io::OutputFile;
use lookalike::judge::{Candidate, Floors, TuneOptions, Tuned, tune};
use lookalike::{Spec, jobs};

use super::Run;
use super::judge::Pairs;
use crate::options::{Reading, Threads};
use crate::screen::{self, safe, table};

/// How a configuration that was tuned begins.
const HEADER: &str = "# Learnt by `lookalike tune`";

#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// Labelled pairs of texts, or with --corpus of ids: one JSON object a line
    pairs: PathBuf,
    /// Where the texts are, if the labelled pairs are pairs of ids
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    corpus: Vec<String>,
    /// Configuration to write, for documents --config (with --fields threads --config) and judge --config
    #[arg(long, short, value_name = "CONFIG")]
    output: PathBuf,
    /// Compare these fields one by one, as threads does, not the whole text
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    fields: Vec<String>,
    /// Learn on all pairs but one part of N, and judge on that one; for each part
    #[arg(long, default_value_t = 5, value_name = "N")]
    folds: usize,
    /// Seed of all hashes and random starts [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// No table
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    threads: Threads,
}

impl Run for Tune {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let begin = Instant::now();
        let output = self.output()?;
        let mut base = Spec::default();
        base.seed = self.seed.unwrap_or(base.seed);
        self.reading.apply(&mut base)?;
        base.plan()?;
        let pairs = self.read_pairs(&base)?;
        let mut options = TuneOptions::new(base);
        options.fields.clone_from(&self.fields);
        options.folds = self.folds;
        let tuned = self
            .threads
            .pool()?
            .install(|| tune(&pairs.texts, &options))?;
        let config = configuration(&tuned, &pairs.labels())?;
        output.write(|out| out.write_all(config.as_bytes()))?;
        if !self.quiet {
            let seconds = begin.elapsed().as_secs_f64();
            let page = page(&tuned, &pairs.labels(), &self.output, seconds);
            screen::print(&page)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Tune {
    /// The configuration to write; an earlier one may be replaced.
    fn output(&self) -> anyhow::Result<OutputFile> {
        let corpus = self.corpus.iter().map(Path::new);
        let read = corpus.chain([self.pairs.as_path()]);
        let is_ours = |beginning: &str| beginning.starts_with(HEADER);
        Ok(OutputFile::new(&self.output, read, is_ours)?)
    }

    fn read_pairs(&self, base: &Spec) -> anyhow::Result<Pairs> {
        let mut spec = base.clone();
        if !self.fields.is_empty() {
            spec.job = jobs::THREADS;
            spec.input.fields.clone_from(&self.fields);
        }
        Pairs::read(&self.pairs, &self.corpus, &spec)
    }
}

/// The table of the competitors.
fn page(tuned: &Tuned, labels: &str, output: &Path, seconds: f64) -> String {
    let header = ["method", "F1 on unseen pairs", "seconds"];
    let mut rows = vec![header.map(str::to_string).to_vec()];
    for candidate in &tuned.candidates {
        let seconds = format!("{:.2}", candidate.seconds);
        rows.push(vec![candidate.name.clone(), f1(candidate), seconds]);
    }
    rows[1 + tuned.winner].push("*".to_string());
    let mut page = format!("{labels}\n\n{}", table(2, &rows));
    let _ = writeln!(
        page,
        "\n* the best, in {} (threshold {})\nseconds {seconds:.2} (scoring {:.2})",
        output.display(),
        tuned.spec.threshold.unwrap_or_default(),
        tuned.scoring_seconds,
    );
    if let Some(floors) = &tuned.floors {
        let _ = writeln!(
            page,
            "compared by a run: pairs {}; {:.1} % of the near-duplicates are not",
            alike(floors),
            100.0 * floors.below
        );
    }
    page
}

/// The mean of F1 and how much it deviates.
fn f1(candidate: &Candidate) -> String {
    let validation = &candidate.validation;
    format!("{:.4} ± {:.4}", validation.mean_f1, validation.deviation)
}

/// The spec of the winner with what is to be known about it.
fn configuration(tuned: &Tuned, labels: &str) -> anyhow::Result<String> {
    let winner = &tuned.candidates[tuned.winner];
    let mut text = format!(
        "{HEADER} from {labels}.\n# {}: F1 {} on pairs that it was not learnt from.\n",
        winner.name,
        f1(winner)
    );
    if let Some(floors) = &tuned.floors {
        let _ = write!(
            text,
            "#\n# A run compares pairs {}.\n# {:.1} % of the labelled near-duplicates reach no floor, so they \
             would not be found. No recall can be stated:\n# keys.method = \"every\" compares all pairs instead.\n",
            alike(floors),
            100.0 * floors.below
        );
    }
    text.push('\n');
    text += &toml::to_string(&tuned.spec)?;
    Ok(text)
}

/// "whose title is at least 0.2 or whose body is at least 0.3 alike in …"
fn alike(floors: &Floors) -> String {
    let each = floors.floors.iter().map(|floor| {
        let field = safe(floor.field.as_deref().unwrap_or("text"));
        format!("whose {field} is at least {}", floor.least)
    });
    let each: Vec<String> = each.collect();
    // They are all in the same features.
    let features = floors
        .floors
        .first()
        .map_or("", |first| first.features.as_str());
    format!("{} alike in {features} (jaccard)", each.join(" or "))
}
