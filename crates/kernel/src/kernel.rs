//! A kernel: the plan of a job with all that it must know before it can sign.

use std::io;
use std::path::Path;
use std::sync::Arc;

use lookalike_pair::assemble::RecordComparer;
use lookalike_pair::assemble::alignment::Aligner;
use lookalike_pair::nearest::Ranking;
use lookalike_text::Seed;
use lookalike_text::hash::hash128;

use crate::Error;
use crate::plan::{Plan, Route};
use crate::scorer::Scorer;
use crate::setting::Setting;
use crate::signer::Signer;
use crate::spec::{InputSpec, Keep, SeedSpec, Spec};
use crate::statistics::{Needs, Statistics};
use crate::suggest::{self, TermCounter};
use crate::thread_fields::FieldComparer;

/// The plan of a job with all that it must know before it can sign. Immutable once made; more
/// [`Statistics`] make another one.
#[derive(Debug, Clone)]
pub struct Kernel {
    spec: Spec,
    plan: Arc<Plan>,
    identity: u128,
    /// Whether somebody says which record is kept.
    keep_is_chosen: bool,
}

impl Kernel {
    /// The kernel of a spec, without statistics.
    ///
    /// # Errors
    /// If the choices do not go together.
    pub fn new(spec: &Spec) -> Result<Self, Error> {
        let plan = Arc::new(spec.plan()?);
        // Settings that are written down do not tell a secret seed, and a run with another one is another run.
        let identity = match spec.seed {
            SeedSpec::Secret(seed) => hash128(&seed.to_le_bytes(), Seed(0)),
            _ => 0,
        };
        Ok(Kernel {
            spec: Spec {
                keep: spec.kept(),
                ..spec.clone()
            },
            plan,
            identity,
            keep_is_chosen: spec.keep != Keep::Auto,
        })
    }

    /// The choices, with what the statistics say of them.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The choices, resolved.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Stands for what decides the result and is not in the spec as it is written: statistics that were read and not
    /// counted, a secret seed.
    pub fn identity(&self) -> u128 {
        self.identity
    }

    /// What must be known, and is not yet, before texts can be signed.
    pub fn needs(&self) -> Needs {
        Needs {
            lexicons: self.plan.lexicons_missing(),
            term_weights: self.plan.weighs && self.plan.background.weights.is_none(),
            feature_frequencies: self.plan.route.needs_prefixes(),
        }
    }

    /// The same kernel, knowing more.
    ///
    /// # Errors
    /// If the statistics do not fit the choices: words that were counted otherwise, say.
    pub fn with(self, statistics: Statistics) -> Result<Self, Error> {
        let Kernel {
            mut spec,
            plan,
            identity,
            keep_is_chosen,
        } = self;
        let identity = identity ^ statistics.identity;
        let mut plan = Arc::unwrap_or_clone(plan);
        // A range of idf that a lexicon was built for is the one used, unless the spec has another.
        let mut ranges = statistics.lexicons.iter();
        let range = ranges.find_map(|lexicon| lexicon.idf_range());
        if range.is_some() && spec.imatch.idf.is_none() {
            spec.imatch.idf = range;
            let known = plan.known();
            plan = spec.plan()?;
            plan.know(known);
        }
        plan.know(statistics);
        // What does not fit is known now, not when it is used.
        if plan.lexicons_missing().is_empty() || plan.model.is_none() {
            plan.check_describers()?;
        }
        Ok(Kernel {
            spec,
            plan: Arc::new(plan),
            identity,
            keep_is_chosen,
        })
    }

    /// The same kernel with the saved lexicon that its spec names, if it names one; `read` gives the bytes of that file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or does not fit the choices.
    pub fn with_saved_lexicon(
        self,
        read: impl FnOnce(&Path) -> io::Result<Vec<u8>>,
    ) -> Result<Self, Error> {
        let Some(path) = &self.spec.features.lexicon else {
            return Ok(self);
        };
        let bytes = read(path).map_err(|error| Error::unusable_lexicon(path, &error))?;
        let statistics = Statistics::read(bytes.as_slice(), &self);
        let statistics = Statistics {
            identity: hash128(&bytes, Seed(0)),
            ..statistics.map_err(|error| Error::unusable_lexicon(path, &error))?
        };
        self.with(statistics)
    }

    /// The same kernel, which reads texts from other fields.
    #[must_use]
    pub fn reading(mut self, input: InputSpec) -> Self {
        self.spec.input = input;
        self
    }

    /// The same kernel for records with a field that tells how much they carry beside what is compared: where nobody says which
    /// record is kept and the first would be, it is the one with most.
    #[must_use]
    pub fn keeping_most(mut self, field: &str) -> Self {
        if !self.keep_is_chosen && self.spec.keep == Keep::First {
            self.spec.keep = Keep::Field(field.to_string());
        }
        self
    }

    /// The same kernel for a field that is running text and no question, or the other way round.
    ///
    /// # Errors
    /// If the choices do not go together then.
    pub fn with_running_text(mut self, is_running_text: bool) -> Result<Self, Error> {
        self.spec.input.running_text = Some(is_running_text);
        let mut plan = self.spec.plan()?;
        plan.know(self.plan.known());
        self.plan = Arc::new(plan);
        Ok(self)
    }

    /// The same kernel, by another route.
    #[must_use]
    pub fn by_route(&self, route: Route) -> Self {
        let plan = Plan {
            route,
            near: self.plan.near.filter(|_| route != Route::Listed),
            ..Plan::clone(&self.plan)
        };
        Kernel {
            plan: Arc::new(plan),
            ..self.clone()
        }
    }

    /// Turns texts into what they are found by and what is kept of them: one a thread.
    ///
    /// # Errors
    /// If something must be known first, see [`Kernel::needs`].
    pub fn signer(&self) -> Result<Signer, Error> {
        Signer::new(&self.spec, &self.plan)
    }

    /// Scores pairs of kept texts: one a thread.
    ///
    /// # Errors
    /// If something must be known first, see [`Kernel::needs`].
    pub fn scorer(&self) -> Result<Scorer, Error> {
        Scorer::new(&self.plan)
    }

    /// Tells in what two similar records differ: one a thread.
    pub fn record_comparer(&self) -> RecordComparer {
        RecordComparer::new(self.spec.job.text(&self.spec))
    }

    /// Tells how similar the fields of two threads are: one a thread.
    ///
    /// # Errors
    /// If records are not compared field by field, or if something must be known first, see [`Kernel::needs`].
    pub fn field_comparer(&self) -> Result<FieldComparer, Error> {
        FieldComparer::new(&self.spec, &self.plan)
    }

    /// Counts the terms of texts by which the most similar ones are suggested: one a thread.
    ///
    /// # Errors
    /// If texts cannot be described.
    pub fn term_counter(&self) -> Result<TermCounter, Error> {
        TermCounter::new(&self.spec, &self.plan)
    }

    /// How similar texts are by these terms.
    pub fn ranking(&self) -> Ranking {
        suggest::ranking(self.spec.compared_fields().len())
    }

    /// Locates the passages that two texts share.
    ///
    /// # Errors
    /// If the job locates none.
    pub fn aligner(&self) -> Result<Aligner, Error> {
        self.spec.job.aligner(&self.spec, &self.plan)
    }

    /// Refuses weights and a lexicon that nothing looks at.
    ///
    /// # Errors
    /// If there are such.
    pub fn check_nothing_is_idle(&self) -> Result<(), Error> {
        let (spec, plan) = (&self.spec, &self.plan);
        if spec.weights.is_some() && !plan.weighs {
            return Err(Error::refused(
                Setting::Weights,
                "the weights of words are not needed: nothing is weighted",
                "leave them out, or use `features=weighted-terms` and `measure=weighted-jaccard`",
            ));
        }
        let Some(path) = &spec.features.lexicon else {
            return Ok(());
        };
        if plan.weighs || !plan.lexicons_needed().is_empty() {
            return Ok(());
        }
        let features = plan.features.as_ref().map(ToString::to_string);
        let (path, features) = (path.display(), features.as_deref());
        let features = features.unwrap_or("the parts of the model");
        Err(Error::refused(
            Setting::Lexicon.given(&path),
            format!(
                "the lexicon {path} is not needed: {features} do not look at how common words are"
            ),
            "leave it out",
        ))
    }
}
