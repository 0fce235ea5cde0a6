//! Lexicons: counted from the corpus of a run, or to be saved.

use std::path::PathBuf;
use std::sync::Arc;

use lookalike_kernel::Spec;
use lookalike_sign::stats::{Counter, Lexicon, LexiconBuilder, Vocabulary};
use lookalike_text::TextOptions;

use crate::Error;
use crate::corpus::Corpus;
use crate::fields;
use crate::observe::{Observer, Stage};
use crate::source::Source;
use crate::stages::{Context, Counting, counting_failed};

/// Counts the words of the corpus of a run, read with these options.
pub(crate) fn count(context: &Context<'_>, text: TextOptions) -> Result<Arc<Lexicon>, Error> {
    let counting = Counting {
        corpus: context.corpus,
        text,
        limit: context.spec().limit,
        threads: context.threads,
        memory: context.budget.percent(40),
        folder: context.folder.path(),
        progress: &|bytes| context.observer.done(bytes),
    };
    let counters = counting.count()?;
    let mut builder = LexiconBuilder::new(context.plan().background.seed);
    let documents = Counter::finish(counters, |term| {
        builder.add(term);
        Ok(())
    })
    .map_err(counting_failed)?;
    Ok(Arc::new(builder.finish(documents, text)?))
}

/// What counting a corpus may use.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CountOptions {
    /// Worker threads.
    pub threads: usize,
    /// The resident size of the counts, in bytes; the words of the result come on top.
    pub memory: u64,
    /// Where counts go that do not fit.
    pub work_dir: PathBuf,
}

impl CountOptions {
    /// So many threads and bytes, and a folder for counts that do not fit.
    pub fn new(threads: usize, memory: u64, work_dir: impl Into<PathBuf>) -> Self {
        CountOptions {
            threads,
            memory,
            work_dir: work_dir.into(),
        }
    }
}

/// Counts the words of a source, to be saved.
///
/// # Errors
/// If it cannot be read, or counts that do not fit cannot be written.
pub fn count_words(
    source: &dyn Source,
    spec: &Spec,
    options: &CountOptions,
    observer: &dyn Observer,
) -> Result<Vocabulary, Error> {
    let settled = fields::settle(&[source], spec, fields::Lacking::Refused)?;
    let spec = &*settled.spec;
    if let Some(note) = &settled.note {
        observer.note(note);
    }
    let corpus = Corpus::new(vec![source], spec);
    corpus.check()?;
    observer.begin(Stage::Count, corpus.bytes());
    let counting = Counting {
        corpus: &corpus,
        text: spec.text,
        limit: spec.limit,
        threads: options.threads.max(1),
        memory: options.memory as usize / 2,
        folder: &options.work_dir,
        progress: &|bytes| observer.done(bytes),
    };
    let counted = counting.count();
    corpus.check_unchanged()?;
    Vocabulary::count(counted?, spec.text).map_err(counting_failed)
}
