//! The jobs: what each does if nothing else is said, and its presets.
//!
//! ```
//! use lookalike::{Job, Preset, Spec};
//! let spec = Preset::named(Job::Threads, "paper")?.spec(&[])?;
//! assert_eq!(spec.resolved()?.threshold, Some(0.5));
//! # Ok::<(), lookalike::Error>(())
//! ```

mod messages;
mod passages;
mod sentences;
mod threads;

use lookalike_sign::keys::{self, Sieving};
use lookalike_text::TextOptions;

use crate::Error;
use crate::spec::{Job, KeysSpec, Spec};

pub(crate) use passages::aligner;
pub(crate) use sentences::{ANY, filtered};
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
    /// What else is set, where whole texts are compared.
    settings: Option<fn(&mut Spec)>,
}

/// The registry: a new preset is one line here.
const PRESETS: &[fn() -> Preset] = &[
    threads::paper,
    sentences::paper,
    sentences::paper_precise,
    passages::paper_shingles,
    passages::paper_imatch,
    passages::paper_spotsigs,
    passages::paper_spotsigs_chinese,
    messages::paper,
    messages::paper_baseline,
];

/// Up to so many sentences every pair is found, if that is cheap; looking whether it is costs much where there are more,
/// and then it never is.
const EXACT_UNITS: u64 = 50_000;

/// The most units of which a job tries to find every pair, where it also has keys.
pub(crate) fn exact_units(spec: &Spec) -> u64 {
    match spec.job {
        Job::Documents | Job::Threads | Job::Messages => u64::MAX,
        Job::Sentences | Job::Passages => EXACT_UNITS,
    }
}

/// The bands and rows of a job, where they do not follow from a threshold or a recall that is asked for.
pub(crate) fn bands_and_rows(spec: &Spec) -> Option<(u32, u32)> {
    let by_bands = keys::method(&spec.keys.method)
        .is_ok_and(|keys| keys.has_bands && spec.keys.method == keys.name);
    let says_nothing = spec.least_similarity() == spec.job.threshold()
        && spec.keys.recall == KeysSpec::default().recall;
    if !by_bands || !says_nothing {
        return None;
    }
    match spec.job {
        Job::Documents | Job::Threads | Job::Messages => None,
        Job::Sentences => Some(sentences::BANDS_AND_ROWS),
        Job::Passages => Some(passages::BANDS_AND_ROWS),
    }
}

/// What keeps pairs with a common key from being compared in vain.
pub(crate) fn sieving(spec: &Spec) -> Sieving {
    match spec.job {
        // Where nothing else is asked for: a threshold or a recall is to be met.
        Job::Sentences if spec.keys.bands.is_none() && bands_and_rows(spec).is_some() => {
            Sieving::Minima
        }
        Job::Passages => Sieving::Features,
        _ => Sieving::No,
    }
}

/// What counts as the same text in a job.
pub(crate) fn text(spec: &Spec) -> TextOptions {
    match spec.job {
        Job::Messages => spec.text.for_messages(),
        _ => spec.text,
    }
}

/// Refuses what cannot be meant.
pub(crate) fn check(spec: &Spec) -> Result<(), Error> {
    let problem = match spec.job {
        Job::Documents | Job::Threads | Job::Messages => None,
        Job::Sentences => sentences::problem(spec),
        Job::Passages => passages::problem(spec),
    };
    problem.map_or(Ok(()), |problem| Err(Error::Spec(problem)))
}

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
        match self.settings {
            Some(set) => set(&mut spec),
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
            Job::Passages => "passages",
            Job::Messages => "messages",
        }
    }

    /// The threshold, where none is given.
    pub(crate) fn threshold(self) -> f64 {
        match self {
            Job::Documents => 0.8,
            Job::Threads => threads::THRESHOLD,
            Job::Sentences => sentences::THRESHOLD,
            Job::Passages => passages::THRESHOLD,
            Job::Messages => messages::THRESHOLD,
        }
    }

    /// How texts are described, where nothing is said.
    pub(crate) fn features(self) -> &'static str {
        match self {
            Job::Documents | Job::Threads => "shingles:words:5",
            Job::Sentences => sentences::FEATURES,
            Job::Passages => passages::FEATURES,
            Job::Messages => messages::FEATURES,
        }
    }
}
