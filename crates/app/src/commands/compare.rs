//! `lookalike compare A B`: two texts under every measure, with their differences.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, bail};
use clap::Args;
use lookalike::Spec;
use lookalike::pair::verify::{measure, names};
use lookalike::sign::Features;
use lookalike::sign::features::{Background, Method};
use lookalike::text::{Unit, UnitId};
use similar::{ChangeTag, TextDiff};

use crate::options::TextArguments;

#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// A file, or a text
    a: String,
    /// Another
    b: String,
    /// How the texts are described
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
        spec.features.method = Some(self.features.clone());
        self.text.apply(&mut spec);
        let plan = spec.plan()?;
        let (a, b) = (read(&self.a)?, read(&self.b)?);
        let Some(features) = &plan.features else {
            bail!("nothing describes the texts; name --features");
        };
        let mut page = measures((&**features, &plan.background), &a, &b)?;
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
    let mut table = String::new();
    for name in names() {
        let measure = measure(name)?;
        let mut keeper = measure.keeper(background)?;
        let mut kept = |text, features: &Features| {
            let mut out = Vec::new();
            let unit = Unit::whole(UnitId::from(0), text);
            keeper.keep(&unit, &mut features.clone(), &mut out);
            out
        };
        let score = measure.score(&kept(a, &a_features), &kept(b, &b_features), 0.0);
        let _ = writeln!(
            table,
            "{name:<18}{}",
            score.map_or("nothing to compare".to_string(), |score| format!(
                "{score:.4}"
            ))
        );
    }
    let _ = writeln!(
        table,
        "{:<18}{} and {} ({})",
        "features",
        a_features.sort().len(),
        b_features.sort().len(),
        method
    );
    if identical {
        let _ = writeln!(
            table,
            "the texts are the same but for what the settings ignore"
        );
    }
    Ok(table)
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
