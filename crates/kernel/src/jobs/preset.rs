//! Settings with a name.

use super::{FieldChoices, Job};
use crate::Error;
use crate::setting::Setting;
use crate::spec::Spec;

/// See the [module](self).
#[derive(Debug, Clone)]
pub struct Preset {
    job: &'static dyn Job,
    name: &'static str,
    /// Pairs at least this similar are duplicates.
    pub threshold: f64,
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
