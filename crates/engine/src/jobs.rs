//! The jobs: what each does if nothing else is said, and its presets.
//!
//! ```
//! use lookalike::{Job, Preset, Spec};
//! let spec = Preset::named(Job::Threads, "paper")?.spec(&[])?;
//! assert_eq!(spec.resolved()?.threshold, Some(0.5));
//! # Ok::<(), lookalike::Error>(())
//! ```

mod sentences;
mod threads;

use crate::Error;
use crate::spec::{Job, Spec};

pub(crate) use sentences::{ANY, bands_and_rows, check, exact_units, filtered};
pub use threads::{FieldChoices, TextChoices};
pub(crate) use threads::{field_names, model, more, text_of_question};

/// Settings with a name.
#[derive(Debug, Clone)]
pub struct Preset {
    job: Job,
    name: &'static str,
    /// Pairs at least this similar are duplicates.
    pub threshold: f64,
    /// What is chosen for the fields, where fields are compared.
    pub choices: FieldChoices,
    /// The features and the keys, where whole texts are.
    methods: Option<(&'static str, &'static str)>,
}

/// The registry: a new preset is one line here.
const PRESETS: &[fn() -> Preset] = &[threads::paper, sentences::paper, sentences::paper_precise];

impl Preset {
    /// The preset of a job with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(job: Job, name: &str) -> Result<Self, Error> {
        let all = PRESETS.iter().map(|preset| preset());
        let of_job: Vec<Preset> = all.filter(|preset| preset.job == job).collect();
        let known: Vec<&str> = of_job.iter().map(|preset| preset.name).collect();
        let unknown = Error::Spec(format!(
            "{} has no preset \"{name}\"; there is: {}",
            job.name(),
            if known.is_empty() {
                "none".to_string()
            } else {
                known.join(", ")
            }
        ));
        let found = of_job.into_iter().find(|preset| preset.name == name);
        found.ok_or(unknown)
    }

    /// The settings for these fields, or those of the job where none is named.
    ///
    /// # Errors
    /// If the choices do not fit the fields.
    pub fn spec(&self, fields: &[String]) -> Result<Spec, Error> {
        let mut spec = Spec::of_job(self.job);
        spec.threshold = Some(self.threshold);
        match self.methods {
            Some((features, keys)) => {
                spec.features.method = Some(features.to_string());
                spec.keys.method = keys.to_string();
            }
            None => {
                spec.input.fields = fields.to_vec();
                spec.model = Some(self.choices.model(&spec)?);
            }
        }
        Ok(spec)
    }
}

impl Job {
    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Job::Documents => "documents",
            Job::Threads => "threads",
            Job::Sentences => "sentences",
        }
    }

    /// The threshold, where none is given.
    pub(crate) fn threshold(self) -> f64 {
        match self {
            Job::Documents => 0.8,
            Job::Threads => threads::THRESHOLD,
            Job::Sentences => sentences::THRESHOLD,
        }
    }

    /// How texts are described, where nothing is said.
    pub(crate) fn features(self) -> &'static str {
        match self {
            Job::Documents | Job::Threads => "shingles:words:5",
            Job::Sentences => sentences::FEATURES,
        }
    }
}
