//! `lookalike compare A B`: two texts under every measure, with their differences.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::Args;
use lookalike::pair::verify::{MEASURES, Subject};
use lookalike::sign::Features;
use lookalike::text::{Seed, Tokenizer, Unit, UnitId};
use lookalike::{Plan, Spec};
use similar::{ChangeTag, TextDiff};

use crate::options::TextArguments;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A file, or a text
    a: String,
    /// Another
    b: String,
    /// How the texts are described: shingles:words:N or shingles:chars:N
    #[arg(long, default_value = "shingles:words:5", value_name = "METHOD")]
    features: String,
    #[command(flatten)]
    text: TextArguments,
    /// Only the measures, not the differences
    #[arg(long)]
    no_diff: bool,
}

/// A long run of equal words is shown by its ends.
const EQUAL_WORDS_SHOWN: usize = 20;
/// Texts so different that a shortest edit script takes longer get a longer one.
const DIFF_TIME: Duration = Duration::from_secs(2);

impl Compare {
    pub(crate) fn run(&self) -> anyhow::Result<ExitCode> {
        let mut spec = Spec::default();
        spec.features.method.clone_from(&self.features);
        self.text.apply(&mut spec);
        let plan = spec.plan()?;
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let mut page = measures(&spec, &plan, &a, &b);
        if !self.no_diff {
            page.push('\n');
            page += &differences(&a, &b);
        }
        // Colours only where they are seen.
        anstream::stdout().write_all(page.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

fn read(argument: &str) -> anyhow::Result<String> {
    if !Path::new(argument).is_file() {
        return Ok(argument.to_string());
    }
    let bytes = std::fs::read(argument).with_context(|| format!("cannot read {argument}"))?;
    String::from_utf8(bytes)
        .with_context(|| format!("{argument} is not UTF-8 text; convert it first"))
}

/// A text as a measure sees it.
struct Described {
    text: String,
    features: Features,
}

impl Described {
    fn new(spec: &Spec, plan: &Plan, text: &str) -> Self {
        let mut features = Features::default();
        let unit = Unit::whole(UnitId::from(0), text);
        plan.method
            .describer(spec.text, Seed(spec.seed))
            .describe(&unit, &mut features);
        let mut normalised = String::new();
        Tokenizer::new(spec.text).normalise(text, &mut normalised);
        Described {
            text: normalised,
            features,
        }
    }
}

fn measures(spec: &Spec, plan: &Plan, a: &str, b: &str) -> String {
    let (mut a, mut b) = (Described::new(spec, plan, a), Described::new(spec, plan, b));
    let identical = !a.features.is_empty() && a.features.hashes() == b.features.hashes();
    let (a_features, b_features) = (a.features.sort(), b.features.sort());
    let mut table = String::new();
    for (name, measure) in MEASURES {
        let subject = |text, features| Subject { text, features };
        let score = measure.verifier().score(
            subject(&a.text, a_features),
            subject(&b.text, b_features),
            0.0,
        );
        let _ = writeln!(
            table,
            "{name:<14}{}",
            score.map_or("nothing to compare".to_string(), |score| format!(
                "{score:.4}"
            ))
        );
    }
    let _ = writeln!(
        table,
        "{:<14}{} and {} ({})",
        "features",
        a_features.len(),
        b_features.len(),
        plan.method
    );
    if identical {
        let _ = writeln!(
            table,
            "the texts are the same but for what the settings ignore"
        );
    }
    table
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
        match run[0].tag() {
            ChangeTag::Equal => page += &shortened(&words),
            ChangeTag::Delete => page += &format!("{removed}[-{}-]{removed:#}", words.concat()),
            ChangeTag::Insert => page += &format!("{added}{{+{}+}}{added:#}", words.concat()),
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
    let (first, last) = (
        &words[..EQUAL_WORDS_SHOWN],
        &words[words.len() - EQUAL_WORDS_SHOWN..],
    );
    format!(
        "{} […] {}",
        first.concat().trim_end(),
        last.concat().trim_start()
    )
}
