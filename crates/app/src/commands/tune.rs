//! `lookalike tune PAIRS`: methods, weights and a threshold from labelled pairs, as a configuration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use lookalike::io::OutputFile;
use lookalike::judge::{
    Candidate, Floors, Goal, ModelChoice, PrevalenceFrom, TuneOptions, Tuned, tune,
};
use lookalike::kernel::{ModelKind, PartSpec};
use lookalike::{SeedSpec, Spec, jobs};
use serde_json::json;

use super::Answer;
use super::judge::{Pairs, corpus_of};
use crate::options::{Reading, Threads};
use crate::screen::{safe, safe_lines, table, thousands};

/// How a configuration that was tuned begins.
const HEADER: &str = "# Learnt by `lookalike tune`";

#[derive(Debug, Args)]
pub(crate) struct Tune {
    /// Labelled pairs of texts, or of ids in --corpus: one JSON object per line, or the PostLinks.xml of a forum
    pairs: PathBuf,
    /// The corpus the model is for: it holds the texts for pairs of ids, and supplies pairs that are not near-duplicates
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    corpus: Vec<String>,
    /// Configuration file to write, for documents --config (with --fields: threads --config) and judge --config
    #[arg(long = "out", alias = "output", short, value_name = "CONFIG")]
    output: PathBuf,
    /// Compare these fields one by one, as threads does, instead of the whole text
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    fields: Vec<String>,
    /// What to learn: linear (a weighted mean), logistic, trees, or auto, the best of these and of single methods
    #[arg(long, default_value = "auto", value_name = "KIND")]
    model: ModelChoice,
    /// Set the threshold so that this share of the pairs found in a corpus is correct
    #[arg(long, value_name = "0..1", value_parser = share)]
    precision: Option<f64>,
    /// The share of records in the corpus that have a near-duplicate; sets the threshold with the best F1 there
    #[arg(long, value_name = "0..1", value_parser = share)]
    prevalence: Option<f64>,
    /// Instead of learning a model, find the weights of the fields by hill climbing from N random starts, with all fields
    /// compared by --features and --measure
    #[arg(long, value_name = "N", requires = "fields", conflicts_with = "model")]
    starts: Option<usize>,
    /// With --starts: how each field is described
    #[arg(
        long,
        default_value = "shingles:words:3",
        requires = "starts",
        value_name = "METHOD"
    )]
    features: String,
    /// With --starts: how two descriptions are compared
    #[arg(
        long,
        default_value = "jaccard",
        requires = "starts",
        value_name = "MEASURE"
    )]
    measure: String,
    /// Cross-validate with N parts
    #[arg(long, default_value_t = 5, value_name = "N")]
    folds: usize,
    /// Seed for all hashes and random starts [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Do not print the table
    #[arg(long, short)]
    quiet: bool,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    threads: Threads,
}

impl Answer for Tune {
    fn answer(&self) -> anyhow::Result<String> {
        let begin = Instant::now();
        let output = self.output()?;
        let mut base = Spec::default();
        base.seed = self.seed.map_or(base.seed, SeedSpec::Open);
        self.reading.apply(&mut base)?;
        if self.starts.is_some() {
            base.features.method = Some(self.features.clone());
            base.verify.measure = Some(self.measure.clone());
        }
        base.plan()?;
        let mut options = TuneOptions::new(base);
        options.fields.clone_from(&self.fields);
        options.folds = self.folds;
        options.model = self.model;
        options.climb = self.starts;
        options.prevalence = self.prevalence;
        options.goal = match (self.precision, self.prevalence) {
            (Some(precision), _) => Goal::Precision(precision),
            (None, Some(_)) => Goal::Corpus,
            (None, None) => Goal::Labelled,
        };
        let tune = || -> anyhow::Result<(Pairs, Tuned)> {
            let pairs = self.read_pairs(&mut options)?;
            let tuned = tune(&pairs.texts, &options)?;
            Ok((pairs, tuned))
        };
        let (pairs, tuned) = self.threads.pool()?.install(tune)?;
        let report = TuneReport {
            tuned: &tuned,
            labels: &pairs.labels(),
            is_for_corpus: self.precision.or(self.prevalence).is_some(),
        };
        let config = report.configuration()?;
        output.write(|out| out.write_all(config.as_bytes()))?;
        let seconds = begin.elapsed().as_secs_f64();
        Ok(match (self.json, self.quiet) {
            (true, _) => format!("{}\n", report.object()),
            (_, true) => String::new(),
            _ => safe_lines(&report.page(&self.output, seconds)),
        })
    }
}

/// A share of a whole, neither nothing nor all of it.
fn share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    let share = share.filter(|share| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "a share is above 0 and below 1, as in 0.8".to_string())
}

impl Tune {
    /// The configuration to write; an earlier one may be replaced.
    fn output(&self) -> anyhow::Result<OutputFile> {
        let corpus = self.corpus.iter().map(Path::new);
        let read = corpus.chain([self.pairs.as_path()]);
        let is_ours = |beginning: &str| beginning.starts_with(HEADER);
        Ok(OutputFile::new(&self.output, read, is_ours)?)
    }

    /// The pairs to learn from, the corpus being read into the options.
    fn read_pairs(&self, options: &mut TuneOptions) -> anyhow::Result<Pairs> {
        let mut spec = options.base.clone();
        if !self.fields.is_empty() {
            spec.job = jobs::THREADS;
            spec.input.fields.clone_from(&self.fields);
        }
        let mut pairs = Pairs::read_beside(&self.pairs, &self.corpus, &spec)?;
        if !self.corpus.is_empty() {
            let corpus = corpus_of(&self.corpus, &spec)?;
            if pairs.texts.iter().all(|pair| pair.same) {
                pairs.sample(&corpus, &spec);
            }
            options.corpus = Some(corpus);
            options.are_links = pairs.are_links;
        }
        Ok(pairs)
    }
}

/// What is told of a tuned method.
struct TuneReport<'t> {
    tuned: &'t Tuned,
    labels: &'t str,
    /// Whether the threshold was set for a corpus, not for the labelled pairs.
    is_for_corpus: bool,
}

impl TuneReport<'_> {
    /// The table of the competitors, and what the winner does.
    fn page(&self, output: &Path, seconds: f64) -> String {
        let Tuned {
            candidates,
            spec,
            floors,
            ..
        } = self.tuned;
        let header = ["method", "F1 on unseen pairs", "seconds"];
        let mut rows = vec![header.map(str::to_string).to_vec()];
        for candidate in candidates {
            let seconds = format!("{:.2}", candidate.seconds);
            rows.push(vec![candidate.name.clone(), f1(candidate), seconds]);
        }
        rows[1 + self.tuned.winner].push("*".to_string());
        let mut page = format!("{}\n\n{}", self.labels, table(2, &rows));
        if candidates
            .iter()
            .any(|candidate| !candidate.validation.are_apart)
        {
            page += "Nearly all pairs are linked by common texts, so they were held out one by one: F1 is somewhat too good.\n";
        }
        let _ = writeln!(
            page,
            "\n* the best, in {} (threshold {})",
            output.display(),
            spec.least_similarity()
        );
        page += &weights(spec);
        for line in self.in_a_corpus() {
            page += &format!("{line}\n");
        }
        if let Some(floors) = floors {
            let _ = writeln!(
                page,
                "compared by a run: pairs {}; {:.1} % of the near-duplicates found are not",
                alike(floors),
                100.0 * floors.below
            );
        }
        let _ = writeln!(
            page,
            "seconds {seconds:.2} (scoring {:.2})",
            self.tuned.scoring_seconds
        );
        page
    }

    /// The same as the page, for programs.
    fn object(&self) -> serde_json::Value {
        let Tuned {
            candidates,
            winner,
            spec,
            expected,
            ..
        } = self.tuned;
        let candidates = candidates.iter().map(|candidate| {
            let validation = &candidate.validation;
            json!({"method": candidate.name, "f1": validation.mean_f1, "deviation": validation.deviation})
        });
        let candidates: Vec<serde_json::Value> = candidates.collect();
        json!({
            "best": candidates[*winner],
            "threshold": spec.least_similarity(),
            "expected": {
                "records": expected.records,
                "prevalence": expected.prevalence,
                "precision": expected.precision,
                "recall": expected.recall,
                "removed": expected.removed,
            },
            "candidates": candidates,
        })
    }

    /// What is expected of a run on a corpus.
    fn in_a_corpus(&self) -> Vec<String> {
        let expected = &self.tuned.expected;
        let known = match expected.prevalence_from {
            PrevalenceFrom::Given => "",
            PrevalenceFrom::Counted => {
                " (those that the links name; --prevalence sets another share)"
            }
            PrevalenceFrom::Estimated => " (estimated; --prevalence sets it)",
        };
        let mut lines = vec![format!(
            "expected in a corpus of {} records of which {} % have a near-duplicate{known}: precision {:.2}, recall {:.2}, \
             {:.1} % removed",
            thousands(expected.records),
            (1000.0 * expected.prevalence).round() / 10.0,
            expected.precision,
            expected.recall,
            100.0 * expected.removed
        )];
        if !self.is_for_corpus {
            lines.push(
                "the threshold is the best for the labelled pairs; --precision or --prevalence sets one for a corpus"
                    .to_string(),
            );
        }
        lines
    }

    /// The spec of the winner with what is to be known about it.
    fn configuration(&self) -> anyhow::Result<String> {
        let Tuned {
            candidates,
            winner,
            spec,
            floors,
            ..
        } = self.tuned;
        let winner = &candidates[*winner];
        let mut text = format!(
            "{HEADER} from {}.\n# {}: F1 {} on pairs that it was not learnt from.\n",
            self.labels,
            winner.name,
            f1(winner)
        );
        for line in self.in_a_corpus() {
            text += &format!("# {line}\n");
        }
        if let Some(floors) = floors {
            let _ = write!(
                text,
                "#\n# A run compares pairs {}.\n# {:.1} % of the labelled near-duplicates that the model finds reach no floor, \
                 so they would not be found.\n# No recall can be stated: keys.method = \"every\" compares all pairs instead.\n",
                alike(floors),
                100.0 * floors.below
            );
        }
        text.push('\n');
        text += &toml::to_string(spec)?;
        Ok(text)
    }
}

/// A line with the weights of a weighted mean.
fn weights(spec: &Spec) -> String {
    let Some(model) = spec
        .model
        .as_ref()
        .filter(|model| model.kind == ModelKind::Linear)
    else {
        return String::new();
    };
    let part = |part: &PartSpec| {
        let field = part
            .field
            .as_deref()
            .map_or(String::new(), |field| format!("{}: ", safe(field)));
        format!(
            "{} for {field}{}, {}",
            part.weight, part.features, part.measure
        )
    };
    let parts: Vec<String> = model.part.iter().map(part).collect();
    format!("weights: {}\n", parts.join("; "))
}

/// The mean of F1 and how much it deviates.
fn f1(candidate: &Candidate) -> String {
    let validation = &candidate.validation;
    format!("{:.4} ± {:.4}", validation.mean_f1, validation.deviation)
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
    format!(
        "{} alike in words that carry meaning ({features}, jaccard)",
        each.join(" or ")
    )
}
