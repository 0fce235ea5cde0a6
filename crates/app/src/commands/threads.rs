//! `lookalike threads INPUT...`: near-duplicate threads of questions and answers, compared field by field.

use std::collections::BTreeMap;

use clap::Args;
use lookalike::kernel::{MoreSpec, TextChoices};
use lookalike::pair::verify::Absent;
use lookalike::{FieldChoices, Preset, Spec, jobs};

use super::job::JobOptions;
use super::judge::refused;
use crate::options::{InputArguments, RunSettings, SearchArguments, TextArguments, put};

#[derive(Debug, Args)]
pub(crate) struct Threads {
    #[command(flatten)]
    settings: RunSettings,
    #[command(flatten)]
    fields: FieldArguments,
    #[command(flatten)]
    input: InputArguments,
    #[command(flatten)]
    text: TextArguments,
    #[command(flatten)]
    search: SearchArguments,
}

/// How each field is compared, and what it counts for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
struct FieldArguments {
    /// The fields to compare: what is asked first, the answer last [default: title,body,answer]
    #[arg(long, value_name = "FIELD", value_delimiter = ',')]
    fields: Vec<String>,
    /// Settings with a name: paper
    #[arg(long, value_name = "NAME", conflicts_with = "config")]
    preset: Option<String>,
    /// What each field counts for, in the order of the fields: at least 0, and 1 in all [default: 0.4,0.2,0.4]
    #[arg(long, value_name = "W,…", value_delimiter = ',')]
    weights: Vec<f64>,
    /// How fields are described: METHOD for all, or FIELD=METHOD, as in answer=shingles:chars:5 [default: the words that
    /// carry meaning of the first field, shingles:words:3 of the others]
    #[arg(long, value_name = "[FIELD=]METHOD", value_delimiter = ',')]
    features: Vec<String>,
    /// How fields are compared: MEASURE for all, or FIELD=MEASURE, as in answer=containment [default: cosine for the
    /// first field, jaccard for the others]
    #[arg(long, value_name = "[FIELD=]MEASURE", value_delimiter = ',')]
    measure: Vec<String>,
    /// What a field counts as that is empty in both threads: left-out, so that the others count for more, or different
    /// [default: left-out]
    #[arg(long, value_name = "RULE")]
    empty_in_both: Option<Absent>,
    /// What a field counts as that is empty in one of the threads: left-out or different [default: different]
    #[arg(long, value_name = "RULE")]
    empty_in_one: Option<Absent>,
    /// The field that tells which thread has additional information [default: the last of several]
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
        Ok(spec)
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
            spec.threshold = spec.threshold.or(Some(preset.threshold));
            choices = preset.choices;
        }
        choices.features.extend(by_field(&self.features));
        choices.measures.extend(by_field(&self.measure));
        choices.weights.clone_from(&self.weights);
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
