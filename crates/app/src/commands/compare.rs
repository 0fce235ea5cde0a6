//! `lookalike compare A B`: two texts under every measure, with their differences; with `--passages`, what they share and
//! where.

mod columns;
mod marked;
mod plot;
mod shared_passages;
mod terminal;

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use clap::Args;
use lookalike::kernel::TwoPages;
use lookalike::pair::verify::{measure, names};
use lookalike::sign::Features;
use lookalike::sign::features::{Background, Method};
use lookalike::text::{Unit, UnitId};
use lookalike::{Kernel, Spec, jobs};
use similar::{ChangeTag, TextDiff};

use self::terminal::Terminal;
use super::Run;
use super::passages::AlignmentArguments;
use crate::options::{TextArguments, put};
use crate::screen::{line, safe_lines};
use crate::wording::Usage;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A file, or a text
    a: String,
    /// Another
    b: String,
    /// How the texts, or with --passages their sentences, are described [default: shingles:words:5, sentences
    /// shingles:words:3]
    #[arg(long, value_name = "METHOD")]
    features: Option<String>,
    /// Only the measures, not the differences
    #[arg(long)]
    no_diff: bool,
    /// Show the passages that the texts share, and where, instead of the measures
    #[arg(long)]
    passages: bool,
    /// With --align sentences: sentences at least this similar match [default: 0.5]
    #[arg(long, value_name = "0..1")]
    threshold: Option<f64>,
    /// With --passages: draw with ASCII characters alone [default: where the locale is not UTF-8]
    #[arg(long)]
    ascii: bool,
    // After the options without a heading: a heading holds for all that follow.
    #[command(flatten)]
    alignment: AlignmentArguments,
    #[command(flatten)]
    text: TextArguments,
}

/// How whole texts are described if nothing else is said.
const FEATURES: &str = "shingles:words:5";

/// A long run of equal words is shown by its ends.
const EQUAL_WORDS_SHOWN: usize = 20;
/// Texts so different that a shortest edit script takes longer get a longer one.
const DIFF_TIME: Duration = Duration::from_secs(2);

impl Run for Compare {
    fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(problem) = self.problem() {
            return Err(Usage(problem.to_string()).into());
        }
        let page = if self.passages {
            self.shared_passages()?
        } else {
            self.measures_and_differences()?
        };
        // Colours only where they are seen.
        anstream::stdout().write_all(page.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Compare {
    /// What cannot be meant.
    fn problem(&self) -> Option<&'static str> {
        if !self.passages {
            return if self.alignment.is_given() {
                Some(
                    "--align, --least-sentences, --least-words and --gap say what a passage is; add --passages",
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

    fn measures_and_differences(&self) -> anyhow::Result<String> {
        let mut spec = Spec::default();
        let features = self.features.as_deref().unwrap_or(FEATURES);
        spec.features.method = Some(features.to_string());
        put(&mut spec, "text", &self.text)?;
        let plan = spec.plan()?;
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let Some(features) = &plan.features else {
            bail!("nothing describes the texts; name --features");
        };
        if plan.weighs || features.is_weighed() {
            bail!(
                "what words weigh follows from a corpus, and two texts are none; use messages on a file with both"
            );
        }
        let mut page = measures((&**features, &plan.background), &a, &b)?;
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
        put(&mut spec, "text", &self.text)?;
        let texts = [read(&self.a)?, read(&self.b)?];
        let pages = TwoPages::compare(&Kernel::new(&spec)?, &texts[0], &texts[1])?;
        let terminal = Terminal::new(self.ascii);
        let compared = shared_passages::Compared {
            names: [&self.a, &self.b].map(|argument| name(argument)),
            texts: [&texts[0], &texts[1]],
            pages: &pages,
            spec: &spec.passages,
        };
        Ok(compared.page(&terminal))
    }
}

/// The name of a file; a text has none.
fn name(argument: &str) -> Option<&str> {
    Path::new(argument).is_file().then_some(argument)
}

fn read(argument: &str) -> anyhow::Result<String> {
    if !Path::new(argument).is_file() {
        return Ok(argument.to_string());
    }
    let bytes = std::fs::read(argument).with_context(|| format!("cannot read {argument}"))?;
    String::from_utf8(bytes)
        .with_context(|| format!("{argument} is not UTF-8 text; convert it first"))
}

fn measures(
    (method, background): (&dyn Method, &Background),
    a: &str,
    b: &str,
) -> anyhow::Result<String> {
    let mut describe = method.describer(background)?;
    let mut described = |text| {
        let mut features = Features::default();
        describe.describe(&Unit::whole(UnitId::from(0), text), &mut features);
        features
    };
    let (mut a_features, mut b_features) = (described(a), described(b));
    let identical = !a_features.is_empty() && a_features.hashes() == b_features.hashes();
    let mut page = String::new();
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
        let score = measure.scorer(background)?.score(&a_kept, &b_kept, 0.0);
        let shown = score.map(|score| format!("{score:.4}"));
        let shown = shown.unwrap_or("nothing to compare".to_string());
        line(&mut page, name, shown);
    }
    let sizes = [a_features.sort().len(), b_features.sort().len()];
    let described = format!("{} and {} ({method})", sizes[0], sizes[1]);
    line(&mut page, "features", described);
    if identical {
        page += "the texts are the same but for what the settings ignore\n";
    }
    Ok(page)
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
