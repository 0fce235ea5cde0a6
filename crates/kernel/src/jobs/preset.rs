//! Settings with a name.

use lookalike_pair::assemble::Difference;

use super::{FieldChoices, Job};
use crate::Error;
use crate::setting::Setting;
use crate::spec::Spec;

/// Settings with a name.
#[derive(Debug, Clone)]
pub struct Preset {
    job: &'static dyn Job,
    name: &'static str,
    /// Pairs at least this similar are duplicates.
    pub threshold: f64,
    /// Whether pairs just at the threshold are none.
    pub exclusive: bool,
    /// What is chosen for the fields, where fields are compared.
    pub choices: FieldChoices,
    /// What else is set, where whole texts are compared.
    settings: Option<fn(&mut Spec)>,
}

impl Preset {
    /// Settings for whole texts.
    pub fn new(
        job: &'static dyn Job,
        name: &'static str,
        threshold: f64,
        settings: fn(&mut Spec),
    ) -> Self {
        Preset {
            job,
            name,
            threshold,
            exclusive: false,
            choices: FieldChoices::default(),
            settings: Some(settings),
        }
    }

    /// Choices for fields.
    pub fn of_fields(
        job: &'static dyn Job,
        name: &'static str,
        threshold: f64,
        choices: FieldChoices,
    ) -> Self {
        Preset {
            choices,
            settings: None,
            ..Preset::new(job, name, threshold, |_| {})
        }
    }

    /// The same without the pairs just at the threshold.
    #[must_use]
    pub fn exclusive(self) -> Self {
        Preset {
            exclusive: true,
            ..self
        }
    }

    /// The preset of a job with this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(job: &dyn Job, name: &str) -> Result<Self, Error> {
        let presets = job.presets();
        let known: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
        let known = match known.as_slice() {
            [] => "none".to_string(),
            known => known.join(", "),
        };
        let unknown = Error::refused(
            Setting::Preset.given(name),
            format!("{} has no preset \"{name}\"", job.name()),
            format!("there is: {known}"),
        );
        let found = presets.into_iter().find(|preset| preset.name == name);
        found.ok_or(unknown)
    }

    /// What was published knows no differences: every pair is one of duplicates.
    pub fn remove_kinds(&self) -> Option<Vec<Difference>> {
        let tells = self.job.tells_differences();
        tells.then(|| Difference::ALL.to_vec())
    }

    /// The settings for these fields, or those of the job where none is named.
    ///
    /// # Errors
    /// If the choices do not fit the fields.
    pub fn spec(&self, fields: &[String]) -> Result<Spec, Error> {
        let mut spec = Spec::of_job(self.job);
        spec.threshold = Some(self.threshold);
        spec.exclusive = self.exclusive;
        spec.remove_kinds = self.remove_kinds();
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
