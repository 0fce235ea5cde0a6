//! Progress, for whoever draws it.

/// The stages of a run, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Counting words.
    Count,
    /// Reading, describing and hashing every record.
    Sign,
    /// Finding identical units and checking the ids.
    Collapse,
    /// Weighing words once all are known.
    Weigh,
    /// Choosing the rarest features of each record.
    Select,
    /// Joining keys into candidate pairs.
    Join,
    /// Reading the candidates again.
    Describe,
    /// Scoring the candidates exactly.
    Verify,
    /// Telling in what the records of pairs differ.
    Differ,
    /// From pairs of sentences to pairs of documents.
    Gather,
    /// From neighbouring words to pairs of documents.
    Search,
    /// Locating the passages that documents share.
    Align,
    /// Clusters, and what is kept.
    Assemble,
    /// Finding what is most similar to each record.
    Suggest,
    /// Measuring the recall.
    Audit,
    /// Writing the results.
    Write,
}

impl Stage {
    /// The name in the summary.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Count => "count",
            Stage::Sign => "sign",
            Stage::Collapse => "collapse",
            Stage::Weigh => "weigh",
            Stage::Select => "select",
            Stage::Join => "join",
            Stage::Describe => "describe",
            Stage::Verify => "verify",
            Stage::Differ => "differ",
            Stage::Gather => "gather",
            Stage::Search => "search",
            Stage::Align => "align",
            Stage::Assemble => "assemble",
            Stage::Suggest => "suggest",
            Stage::Audit => "audit",
            Stage::Write => "write",
        }
    }
}

/// What a run tells while it works.
pub trait Observer: Sync {
    /// The run is about to begin and expects these stages, in this order. Others may turn out to be needed.
    fn stages(&self, _stages: &[Stage]) {}
    /// A stage begins, with so much to do (bytes for [`Stage::Sign`], [`Stage::Describe`] and [`Stage::Audit`],
    /// otherwise pieces of work).
    fn begin(&self, stage: Stage, total: u64);
    /// So much of it is done in all.
    fn done(&self, amount: u64);
    /// Something the user should know: a run that continues, say.
    fn note(&self, message: &str);
    /// Whether the run is to end now. It ends with [`Error::Stopped`](crate::Error::Stopped), and the same request in the
    /// same workspace continues it. Asked often, by any thread.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn begin(&self, _: Stage, _: u64) {}
    fn done(&self, _: u64) {}
    fn note(&self, _: &str) {}
}
