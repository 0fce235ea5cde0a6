//! The jobs: what each does if nothing else is said, its presets, and what it makes of a corpus.
//!
//! One file a job, one line in [`JOBS`]. All others ask a job what they need to know and never which one it is.
//!
//! ```
//! use lookalike_kernel::jobs::{self, Preset};
//! let spec = Preset::named(jobs::THREADS, "paper")?.spec(&[])?;
//! assert_eq!(spec.resolved()?.threshold, Some(0.5));
//! # Ok::<(), lookalike_kernel::Error>(())
//! ```

pub(crate) mod by_name;
mod documents;
mod messages;
mod passages;
mod preset;
mod sentences;
mod threads;

use std::fmt;
use std::sync::Arc;

use lookalike_pair::assemble::alignment::Aligner;
use lookalike_pair::join::{BucketRule, NearRule};
use lookalike_pair::verify::Verify;
use lookalike_sign::features::Method;
use lookalike_sign::keys::{self, Sieving};
use lookalike_text::{SentenceOptions, TextOptions};

use crate::Error;
use crate::plan::{Plan, Route};
use crate::recall::FoundBy;
use crate::rows::Table;
use crate::spec::{Clusters, Keep, ModelSpec, MoreSpec, SentencesSpec, Spec};
pub use preset::Preset;
pub use sentences::ANY;
pub use threads::{FieldChoices, TextChoices, text_of_question};

/// Near-duplicate whole records.
pub const DOCUMENTS: &dyn Job = &documents::Documents;
/// Near-duplicate threads: records of several fields, each compared in its own way.
pub const THREADS: &dyn Job = &threads::Threads;
/// Similar sentences, and how they differ.
pub const SENTENCES: &dyn Job = &sentences::Sentences;
/// Passages that documents share, and where they are.
pub const PASSAGES: &dyn Job = &passages::Passages;
/// Near-duplicate short messages, whose words have weights.
pub const MESSAGES: &dyn Job = &messages::Messages;

/// The registry: a new job is one new file and one line here.
pub const JOBS: &[&dyn Job] = &[DOCUMENTS, THREADS, SENTENCES, PASSAGES, MESSAGES];

/// Up to so many sentences every pair is found, if that is cheap.
const EXACT_SENTENCES: u64 = 50_000;

/// What a record is split into: what is compared.
#[derive(Debug, Clone, PartialEq)]
pub enum Split {
    /// All of it.
    Whole,
    /// Every sentence.
    Sentences(SentencesSpec),
    /// Every sentence of all its text, as a part of that.
    Pages(SentenceOptions),
}

/// What is made of units that may be similar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Each pair is scored; what is similar is clustered.
    Pairs(PairRows),
    /// The records they stand in are aligned, and what these share is located.
    Passages,
}

impl Outcome {
    /// Whether a job with this outcome may write a table.
    pub fn may_write(self, table: Table) -> bool {
        match table {
            Table::Articles => self == Outcome::Pairs(PairRows::Sentences),
            Table::Passages => self == Outcome::Passages,
            Table::Suggestions | Table::Templates => self == Outcome::Pairs(PairRows::Records),
            _ => true,
        }
    }
}

/// What is said of a pair beside its similarity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairRows {
    /// The ids of the records; where fields are compared, the similarity of each and who has more.
    Records,
    /// Where both sentences stand, what they say and what changed.
    Sentences,
}

/// What a job is. Where nothing else is said, it compares whole records.
pub trait Job: fmt::Debug + Send + Sync {
    /// The name, as on the command line.
    fn name(&self) -> &'static str;

    /// The threshold, where none is given.
    fn threshold(&self) -> f64;

    /// The same for what is compared.
    fn threshold_of(&self, _spec: &Spec) -> f64 {
        self.threshold()
    }

    /// How texts are described, where nothing is said.
    fn features(&self) -> &'static str;

    /// Settings with a name.
    fn presets(&self) -> Vec<Preset> {
        Vec::new()
    }

    /// What it does with a record, in words: "compares whole texts".
    fn what_it_does(&self) -> &'static str;

    /// Refuses what cannot be meant.
    ///
    /// # Errors
    /// With the remedy.
    fn check(&self, _spec: &Spec) -> Result<(), Error> {
        Ok(())
    }

    /// What counts as the same text.
    fn text(&self, spec: &Spec) -> TextOptions {
        spec.text
    }

    /// The fields that are compared one by one; none where whole texts are.
    fn compared_fields(&self, _spec: &Spec) -> Vec<String> {
        Vec::new()
    }

    /// The model by which texts are compared; none where that is a single measure.
    ///
    /// # Errors
    /// If the choices do not fit the fields.
    fn model(&self, spec: &Spec) -> Result<Option<ModelSpec>, Error> {
        Ok(spec.model.clone())
    }

    /// Whether one of the fields that are compared is an answer.
    fn compares_answers(&self, _spec: &Spec) -> bool {
        false
    }

    /// Which record of a cluster is kept, where nothing is said.
    fn keep(&self, _spec: &Spec) -> Keep {
        Keep::First
    }

    /// Whether it may be told from the first records what the only field that is compared is.
    fn looks_at_field(&self, _spec: &Spec) -> bool {
        false
    }

    /// The field that tells whose text has more information.
    fn more(&self, spec: &Spec) -> Option<MoreSpec> {
        spec.more.clone()
    }

    /// The measure, with what must hold beside it.
    fn measure(
        &self,
        _spec: &Spec,
        named: Arc<dyn Verify>,
        _features: &Arc<dyn Method>,
    ) -> Arc<dyn Verify> {
        named
    }

    /// The bands and rows, where they do not follow from a threshold or a recall that is asked for.
    fn bands_and_rows(&self) -> Option<(u32, u32)> {
        None
    }

    /// What keeps pairs with a common key from being compared needlessly.
    fn sieving(&self, _spec: &Spec) -> Sieving {
        Sieving::No
    }

    /// Above how many units a bucket is hot, where no limit is asked for.
    fn bucket_limit(&self) -> usize {
        BucketRule::default().limit
    }

    /// The most units of which every pair is looked for, where there are also keys: looking whether that is cheap costs
    /// much where there are more, and then it never is.
    fn exact_units(&self) -> u64 {
        u64::MAX
    }

    /// What a record is split into.
    fn split(&self, _spec: &Spec) -> Split {
        Split::Whole
    }

    /// Whether records are called by their titles, where they have any that are not compared themselves.
    fn has_titles(&self) -> bool {
        false
    }

    /// What is made of units that may be similar.
    fn outcome(&self) -> Outcome {
        Outcome::Pairs(PairRows::Records)
    }

    /// Which units make up a cluster, where nothing is said.
    fn clusters(&self) -> Clusters {
        Clusters::Stars
    }

    /// Whether the most similar records can be suggested for each, whatever the threshold.
    fn suggests(&self) -> bool {
        false
    }

    /// Whether it is told in what two records of a pair differ: some take nothing then.
    fn tells_differences(&self) -> bool {
        false
    }

    /// Whether the members of a cluster are variants of one text, so that it is told what they have in common.
    fn finds_templates(&self) -> bool {
        false
    }

    /// What locates the passages of two texts, where these are the outcome.
    ///
    /// # Errors
    /// If they are not.
    fn aligner(&self, _spec: &Spec, _plan: &Plan) -> Result<Aligner, Error> {
        let problem = format!("{} locates no passages", self.name());
        Err(Error::Internal(problem))
    }

    /// When documents that share neighbouring words are compared, beside those that the keys propose.
    fn near(&self, _spec: &Spec) -> Option<NearRule> {
        None
    }

    /// Whether comparisons may be left out whose result follows from others.
    fn may_assume_pairs(&self) -> bool {
        false
    }

    /// Whether of pages of the web the article alone is read, where nothing is said.
    fn reads_main_content(&self) -> bool {
        false
    }

    /// Whether a line of a text file is a record, and not the file.
    fn reads_lines(&self) -> bool {
        false
    }

    /// What the stated recall rests on, where it is not what it is for all jobs.
    fn recall_because(&self, _route: Route, _found_by: FoundBy) -> Option<&'static str> {
        None
    }
}

impl dyn Job {
    /// Whether records are removed, so that a corpus without them can be written.
    pub fn removes_records(&self, spec: &Spec) -> bool {
        self.split(spec) == Split::Whole
    }

    /// Whether it locates passages.
    pub fn locates_passages(&self) -> bool {
        self.outcome() == Outcome::Passages
    }
}

impl PartialEq for dyn Job {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

/// The job of a name.
pub fn named(name: &str) -> Option<&'static dyn Job> {
    JOBS.iter().copied().find(|job| job.name() == name)
}

/// The bands and rows of a job for this very threshold, where no recall is asked for.
pub(crate) fn bands_and_rows(spec: &Spec) -> Option<(u32, u32)> {
    let of_job = spec.job.bands_and_rows()?;
    let by_bands = keys::method(&spec.keys.method)
        .is_ok_and(|keys| keys.has_bands && spec.keys.method == keys.name);
    let is_for_them = spec.least_similarity() == spec.job.threshold() && spec.keys.recall.is_none();
    (by_bands && is_for_them).then_some(of_job)
}
