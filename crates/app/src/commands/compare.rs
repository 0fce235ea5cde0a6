//! `lookalike compare A B`: two texts under every measure, with their differences; with `--passages`, what they share and
//! where.

mod marked;
mod plot;
mod shared_passages;

use std::ops::Not;
use std::path::PathBuf;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::bail;
use clap::Args;
use lookalike::kernel::{TwoMessages, TwoPages, WordCounts};
use lookalike::pair::verify::{measure, names};
use lookalike::sign::Features;
use lookalike::sign::features::{Background, Method};
use lookalike::text::{Unit, UnitId};
use lookalike::{Kernel, Spec, jobs, read_text};
use serde::Serialize;
use serde_json::json;
use similar::{ChangeTag, TextDiff};

use super::Answer;
use super::messages::read_weights;
use super::passages::AlignmentArguments;
use crate::options::{TextArguments, put};
use crate::screen::terminal::Terminal;
use crate::screen::{line, message_words, safe_lines};
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A file, a record in a file (as in pages.jsonl#7), or - for standard input
    a: String,
    /// What to compare it with
    b: String,
    /// Take A and B as the texts themselves, not as names of files
    #[arg(long)]
    text: bool,
    /// How the texts, or with --passages their sentences, are described [default: shingles:words:5, sentences
    /// shingles:words:3]
    #[arg(long, value_name = "METHOD")]
    features: Option<String>,
    /// Compare as a job does: messages shows the words of both texts with class and weight
    #[arg(long, value_name = "JOB", value_parser = ["messages"], conflicts_with_all = ["passages", "features"])]
    job: Option<String>,
    /// With --job messages: word frequencies from lexicon build --job messages [default: those in the two texts]
    #[arg(long, value_name = "FILE", requires = "job")]
    lexicon: Option<PathBuf>,
    /// With --job messages: the weights of word classes, from a TOML file as for messages
    #[arg(long, value_name = "FILE", requires = "job")]
    weights: Option<PathBuf>,
    /// Show only the measures, not the differences
    #[arg(long)]
    no_diff: bool,
    /// Show the passages that the texts share, and their positions, instead of the measures
    #[arg(long)]
    passages: bool,
    /// With --align sentences: sentences at least this similar match [default: 0.5]
    #[arg(long, short, value_name = "0..1", value_parser = crate::options::fraction)]
    threshold: Option<f64>,
    /// With --passages: draw with ASCII characters only [default if the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
    /// Print one JSON object: the measures, or with --passages the passages
    #[arg(long)]
    json: bool,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    alignment: AlignmentArguments,
    #[command(flatten)]
    input: CompareInput,
    #[command(flatten)]
    text_options: TextArguments,
}

/// How files are read.
#[derive(Debug, Args, Serialize)]
#[command(next_help_heading = "Input")]
#[serde(rename_all = "kebab-case")]
struct CompareInput {
    /// Format of the files, if their names do not show it, and of standard input [default: by content, or else text]
    #[arg(long)]
    format: Option<String>,
    /// Field that holds the text of a record; several, separated by commas, are joined [default: text]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    text_field: Option<Vec<String>>,
    /// Field that holds the id of a record [default: id]
    #[arg(long, value_name = "FIELD")]
    id_field: Option<String>,
    /// Read only the article of web pages [default with --passages]
    #[arg(long)]
    #[serde(skip_serializing_if = "Not::not")]
    main_content: bool,
    /// With --passages: read all of a web page, not only its article
    #[arg(long, requires = "passages", conflicts_with = "main_content")]
    #[serde(skip)]
    whole_page: bool,
}

/// How whole texts are described if nothing else is said.
const FEATURES: &str = "shingles:words:5";

/// A long run of equal words is shown by its ends.
const EQUAL_WORDS_SHOWN: usize = 20;
/// Texts so different that a shortest edit script takes longer get a longer one.
const DIFF_TIME: Duration = Duration::from_secs(2);

impl Answer for Compare {
    fn answer(&self) -> anyhow::Result<String> {
        if let Some(problem) = self.problem() {
            return Err(Usage(problem.to_string()).into());
        }
        if self.job.is_some() {
            self.words_of_messages()
        } else if self.passages {
            self.shared_passages()
        } else {
            self.measures_and_differences()
        }
    }
}

impl Compare {
    /// What cannot be meant.
    fn problem(&self) -> Option<&'static str> {
        if !self.passages {
            return if self.alignment.is_given() {
                Some(
                    "--align, --min-sentences, --min-words and --gap say what a passage is; add --passages",
                )
            } else if self.threshold.is_some() {
                Some("--threshold says which sentences match; add --passages --align sentences")
            } else if self.ascii {
                Some("--ascii is for the drawing of --passages; add --passages, or leave it out")
            } else {
                None
            };
        }
        if self.no_diff {
            return Some("--passages shows no differences of words; leave --no-diff out");
        }
        let by_sentences = self.alignment.by_sentences();
        if !by_sentences && (self.threshold.is_some() || self.features.is_some()) {
            return Some(
                "--features and --threshold say which sentences match, and words are aligned; add --align sentences, or leave them out",
            );
        }
        None
    }

    /// The two texts.
    fn texts(&self) -> anyhow::Result<[String; 2]> {
        if self.text {
            return Ok([self.a.clone(), self.b.clone()]);
        }
        if [&self.a, &self.b].iter().all(|name| *name == "-") {
            return Err(Usage(
                "standard input (-) is one text; name a file for the other".to_string(),
            )
            .into());
        }
        let mut spec = Spec::default();
        if self.passages {
            // So that both read the same of a web page.
            spec.job = jobs::PASSAGES;
        }
        put(&mut spec, "input", &self.input)?;
        if self.input.whole_page {
            spec.input.main_content = Some(false);
        }
        Ok([read_text(&spec, &self.a)?, read_text(&spec, &self.b)?])
    }

    fn measures_and_differences(&self) -> anyhow::Result<String> {
        let mut spec = Spec::default();
        let features = self.features.as_deref().unwrap_or(FEATURES);
        spec.features.method = Some(features.to_string());
        put(&mut spec, "text", &self.text_options)?;
        let plan = spec.plan()?;
        let [a, b] = self.texts()?;
        let Some(features) = &plan.features else {
            bail!("there is no description of the texts; use --features");
        };
        if plan.weighs || features.is_weighed() {
            bail!(
                "what words weigh follows from a corpus; use --job messages, or messages --explain on a file with both"
            );
        }
        let measured = Measured::new((&**features, &plan.background), &a, &b)?;
        if self.json {
            return Ok(format!("{}\n", measured.object()));
        }
        let mut page = measured.page();
        if !self.no_diff {
            page.push('\n');
            page += &differences(&a, &b);
        }
        Ok(page)
    }

    fn words_of_messages(&self) -> anyhow::Result<String> {
        let mut spec = Spec::of_job(jobs::MESSAGES);
        put(&mut spec, "text", &self.text_options)?;
        spec.features.lexicon.clone_from(&self.lexicon);
        spec.weights = match &self.weights {
            Some(path) => Some(read_weights(path)?),
            None => spec.weights,
        };
        let kernel = Kernel::new(&spec)?.with_saved_lexicon(|path| std::fs::read(path))?;
        let [a, b] = self.texts()?;
        let mut counts = WordCounts::new(&kernel)?;
        counts.add(&a);
        counts.add(&b);
        let compared = TwoMessages::compare(&counts.weigh(kernel)?, &a, &b)?;
        let counted = match &self.lexicon {
            Some(path) => path.display().to_string(),
            None => "the two texts; --lexicon, or messages --explain, counts a corpus".to_string(),
        };
        let mut page = message_words::page(&compared, &counted);
        if !self.no_diff {
            page.push('\n');
            page += &differences(&a, &b);
        }
        Ok(page)
    }

    fn shared_passages(&self) -> anyhow::Result<String> {
        let mut spec = Spec::of_job(jobs::PASSAGES);
        spec.features.method.clone_from(&self.features);
        spec.threshold = self.threshold;
        put(&mut spec, "passages", &self.alignment)?;
        put(&mut spec, "text", &self.text_options)?;
        let texts = self.texts()?;
        let pages = TwoPages::compare(&Kernel::new(&spec)?, &texts[0], &texts[1])?;
        let terminal = Terminal::new(self.ascii);
        let compared = shared_passages::Compared {
            names: [&self.a, &self.b].map(|name| (!self.text).then_some(name.as_str())),
            texts: [&texts[0], &texts[1]],
            pages: &pages,
            spec: &spec.passages,
        };
        Ok(match self.json {
            true => format!("{}\n", compared.object()),
            false => compared.page(&terminal),
        })
    }
}

/// What every measure says of two texts.
struct Measured {
    /// By name: the similarity, or below which it is, or nothing where there is nothing to compare.
    measures: Vec<(&'static str, Result<Option<f64>, f64>)>,
    /// How many features each has, and which.
    features: [usize; 2],
    method: String,
    /// Whether the texts differ only in what the settings ignore, or not even in that.
    identical: bool,
    /// Whether they are the same, character for character.
    same: bool,
}

impl Measured {
    fn new(
        (method, background): (&dyn Method, &Background),
        a: &str,
        b: &str,
    ) -> anyhow::Result<Self> {
        let mut describe = method.describer(background)?;
        let mut described = |text| {
            let mut features = Features::default();
            describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
            features
        };
        let (mut a_features, mut b_features) = (described(a), described(b));
        let identical = !a_features.is_empty() && a_features.hashes() == b_features.hashes();
        let mut measures = Vec::new();
        for name in names() {
            let measure = measure(name)?;
            let mut keeper = measure.keeper(background)?;
            let mut kept = |text, features: &Features| {
                let mut out = Vec::new();
                let unit = Unit::whole(UnitId::from(0), text);
                keeper.keep(&unit, &mut features.clone(), &mut out);
                out
            };
            let (a_kept, b_kept) = (kept(a, &a_features), kept(b, &b_features));
            let floor = affordable(name, a, b);
            let score = measure.scorer(background)?.score(&a_kept, &b_kept, floor);
            let is_below = score.is_none() && floor > 0.0;
            measures.push((name, if is_below { Err(floor) } else { Ok(score) }));
        }
        Ok(Measured {
            measures,
            features: [a_features.sort().len(), b_features.sort().len()],
            method: method.to_string(),
            identical,
            same: a == b,
        })
    }

    fn page(&self) -> String {
        let mut page = String::new();
        for (name, measured) in &self.measures {
            let shown = match measured {
                Ok(Some(score)) => format!("{score:.4}"),
                Ok(None) => "nothing to compare".to_string(),
                Err(floor) => format!(
                    "below {floor:.4} (texts this long and this different are not compared further)"
                ),
            };
            line(&mut page, name, shown);
        }
        let [a, b] = self.features;
        line(
            &mut page,
            "features",
            format!("{a} and {b} ({})", self.method),
        );
        if self.same {
            page += "the texts are identical\n";
        } else if self.identical {
            page += "the texts differ only in what the settings ignore\n";
        }
        page
    }

    fn object(&self) -> serde_json::Value {
        let measures = self.measures.iter().map(|(name, measured)| {
            let value = match measured {
                Ok(score) => json!(score),
                Err(floor) => json!({"below": floor}),
            };
            (name.to_string(), value)
        });
        json!({
            "measures": measures.collect::<serde_json::Map<_, _>>(),
            "features": {"method": self.method, "a": self.features[0], "b": self.features[1]},
            "identical": self.identical,
        })
    }
}

/// The similarity from which on a measure is taken: all of it, unless that would take more than some seconds. Edit similarity
/// alone takes longer the more the texts differ: the length of one times the number of differences.
fn affordable(measure: &str, a: &str, b: &str) -> f64 {
    /// Characters times differences, some seconds of work.
    const MOST: f64 = 4e11;
    let (longer, shorter) = (a.len().max(b.len()) as f64, a.len().min(b.len()) as f64);
    if measure != "edit" || longer * shorter <= MOST {
        return 0.0;
    }
    (1.0 - MOST / longer / shorter).max(0.0)
}

/// Both texts as one, with [-removed-] and {+added+} words, coloured on a terminal.
fn differences(a: &str, b: &str) -> String {
    let removed = Style::new().fg_color(Some(AnsiColor::Red.into()));
    let added = Style::new().fg_color(Some(AnsiColor::Green.into()));
    let diff = TextDiff::configure()
        .timeout(DIFF_TIME)
        .diff_unicode_words(a, b);
    let mut page = String::new();
    let changes: Vec<_> = diff.iter_all_changes().collect();
    for run in changes.chunk_by(|x, y| x.tag() == y.tag()) {
        let words: Vec<&str> = run.iter().map(similar::Change::value).collect();
        let changed = || safe_lines(&words.concat());
        match run[0].tag() {
            ChangeTag::Equal => page += &safe_lines(&shortened(&words)),
            ChangeTag::Delete => page += &format!("{removed}[-{}-]{removed:#}", changed()),
            ChangeTag::Insert => page += &format!("{added}{{+{}+}}{added:#}", changed()),
        }
    }
    if !page.ends_with('\n') {
        page.push('\n');
    }
    page
}

fn shortened(words: &[&str]) -> String {
    if words.len() <= 2 * EQUAL_WORDS_SHOWN + 1 {
        return words.concat();
    }
    let first = words[..EQUAL_WORDS_SHOWN].concat();
    let last = words[words.len() - EQUAL_WORDS_SHOWN..].concat();
    format!("{} […] {}", first.trim_end(), last.trim_start())
}
