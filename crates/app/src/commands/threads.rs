//! `lookalike threads INPUT...`: near-duplicate threads of questions and answers, compared field by field.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lookalike::kernel::{MoreSpec, TextChoices};
use lookalike::pair::verify::Absent;
use lookalike::{FieldChoices, Preset, Spec, jobs};

use super::job::JobOptions;
use super::judge::refused;
use crate::kind_options::KindArguments;
use crate::options::{InputArguments, RunSettings, SearchArguments, TextArguments, put};

#[derive(Debug, Args)]
pub(crate) struct Threads {
    #[command(flatten)]
    settings: RunSettings,
    #[command(flatten)]
    kinds: KindArguments,
    #[command(flatten)]
    fields: FieldArguments,
    #[command(flatten)]
    suggest: SuggestArguments,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// What is suggested beside what is found.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
struct SuggestArguments {
    /// Also write suggestions.jsonl: the K threads most similar to each thread, whatever the threshold
    #[arg(long, value_name = "K")]
    top: Option<usize>,
}

/// How each field is compared, and what it counts for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
struct FieldArguments {
    /// Fields to compare, the question first and the answer last [default: title,body,answer]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    fields: Vec<String>,
    /// Use a named set of settings: paper
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// How much each field counts, in the order of --fields; the weights add up to 1 [default: 0.4,0.2,0.4]
    #[arg(long, value_name = "W,…", value_delimiter = ',')]
    weights: Vec<f64>,
    /// How fields are described: METHOD for all, or FIELD=METHOD, as in answer=shingles:chars:5 [default: content words for
    /// the first field, shingles:words:3 for the others]
    #[arg(long, value_name = "[FIELD=]METHOD", value_delimiter = ',')]
    features: Vec<String>,
    /// How fields are compared: MEASURE for all, or FIELD=MEASURE, as in answer=jaccard [default: cosine for the first field,
    /// containment for the answer, jaccard for the others]
    #[arg(long, value_name = "[FIELD=]MEASURE", value_delimiter = ',')]
    measure: Vec<String>,
    /// Minimum similarity of a field that both threads have, whatever the mean: MIN for all, or FIELD=MIN, as in answer=0.5
    /// [default: 0.5 for the first field, and 0.25 for the answer if there is one]
    #[arg(long, value_name = "[FIELD=]MIN", value_delimiter = ',')]
    min_similarity: Vec<String>,
    /// How to treat a field that is empty in both threads: left-out, so that the others count for more, or different
    /// [default: left-out]
    #[arg(long, value_name = "RULE")]
    empty_in_both: Option<Absent>,
    /// How to treat a field that is empty in one of two threads: left-out or different [default: different]
    #[arg(long, value_name = "RULE")]
    empty_in_one: Option<Absent>,
    /// Field that decides which of two threads has additional information [default: the last of several]
    #[arg(long, value_name = "FIELD")]
    more_field: Option<String>,
}

impl JobOptions for Threads {
    fn spec(&self) -> anyhow::Result<Spec> {
        let mut spec = self.settings.apply(Spec::of_job(jobs::THREADS))?;
        self.input.apply(&mut spec)?;
        put(&mut spec, "text", &self.text)?;
        put(&mut spec, "keys", &self.search)?;
        self.fields.apply(&mut spec, self.text.choices())?;
        self.kinds.apply(&mut spec);
        spec.top = self.suggest.top.or(spec.top);
        Ok(spec)
    }

    fn files(&self) -> Vec<PathBuf> {
        self.settings.files()
    }
}

impl FieldArguments {
    fn apply(&self, spec: &mut Spec, text: TextChoices) -> anyhow::Result<()> {
        if !self.fields.is_empty() {
            spec.input.fields.clone_from(&self.fields);
        }
        if let Some(field) = &self.more_field {
            spec.more = Some(MoreSpec::of_field(field));
        }
        let mut choices = FieldChoices::default();
        if let Some(name) = &self.preset {
            let preset = Preset::named(jobs::THREADS, name)?;
            spec.exclusive |= preset.exclusive;
            spec.threshold = spec.threshold.or(Some(preset.threshold));
            spec.remove_kinds = preset.remove_kinds();
            choices = preset.choices;
        }
        choices.features.extend(by_field(&self.features));
        choices.measures.extend(by_field(&self.measure));
        choices.weights.clone_from(&self.weights);
        for (field, given) in by_field(&self.min_similarity) {
            let least = given.parse().map_err(|_| {
                refused(&format!(
                    "--min-similarity: \"{given}\" is no similarity; give one from 0 to 1, as in answer=0.5"
                ))
            })?;
            choices.least.insert(field, least);
        }
        choices.empty_in_both = self.empty_in_both;
        choices.empty_in_one = self.empty_in_one;
        if spec.model.is_none() {
            choices.text = text;
        }
        match &spec.model {
            _ if choices.is_empty() => {}
            None => spec.model = Some(choices.model(spec)?),
            Some(_) => {
                return Err(refused(
                    "the configuration has a model, which says how fields are compared; change it there, or leave out \
                     --config",
                ));
            }
        }
        Ok(())
    }
}

/// What is chosen for which field; under no name what is chosen for all.
fn by_field(given: &[String]) -> BTreeMap<Option<String>, String> {
    let choice = |given: &String| match given.split_once('=') {
        Some((field, choice)) => (Some(field.trim().to_string()), choice.trim().to_string()),
        None => (None, given.trim().to_string()),
    };
    given.iter().map(choice).collect()
}
