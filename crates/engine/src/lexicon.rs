//! Lexicons: counted from the corpus of a run, read from a file, or counted to be saved.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lookalike_sign::features::Background;
use lookalike_sign::stats::{Counter, Lexicon, LexiconBuilder, Vocabulary};
use lookalike_sign::weights::{Term, TermCounts, TermTable};
use lookalike_text::hash::hash128;
use lookalike_text::{Seed, TextOptions};

use crate::Error;
use crate::corpus::Corpus;
use crate::observe::{Observer, Stage};
use crate::run::{Request, resolve};
use crate::stages::{Context, Counting, counters, counting_failed};

/// Counts the words of the corpus of a run, read with these options.
pub(crate) fn count(context: &Context<'_>, text: TextOptions) -> Result<Arc<Lexicon>, Error> {
    let counting = Counting {
        corpus: context.corpus,
        text,
        limit: context.spec.limit,
        threads: context.threads,
        counters: counters(context),
        progress: &|bytes| context.observer.done(bytes),
    };
    let counters = counting.count()?;
    let mut builder = LexiconBuilder::new(context.plan.background.seed);
    let documents = Counter::finish(counters, |term| {
        builder.add(term);
        Ok(())
    })
    .map_err(counting_failed)?;
    Ok(Arc::new(builder.finish(documents, text)?))
}

/// Reads a saved lexicon for features of this seed.
pub(crate) fn read(path: &Path, seed: Seed) -> Result<Lexicon, Error> {
    Lexicon::read(BufReader::new(open(path)?), seed).map_err(Error::lexicon(path))
}

/// Reads from a saved lexicon how common words are, for features of this background.
pub(crate) fn read_counts(path: &Path, background: &Background) -> Result<TermCounts, Error> {
    let vocabulary = read_lexicon(path)?;
    background.check_words(vocabulary.text())?;
    let mut table = TermTable::default();
    for term in vocabulary.terms() {
        table.add(Term::of(term.term, background.seed).get(), term.documents);
    }
    Ok(TermCounts::new(vec![table]))
}

/// Reads a saved lexicon with its words.
pub fn read_lexicon(path: &Path) -> Result<Vocabulary, Error> {
    Vocabulary::read(BufReader::new(open(path)?)).map_err(Error::lexicon(path))
}

fn open(path: &Path) -> Result<File, Error> {
    File::open(path).map_err(|source| Error::LexiconFile {
        path: path.to_path_buf(),
        problem: source.to_string(),
    })
}

/// What stands for a saved lexicon in the fingerprint of a run.
pub(crate) fn fingerprint(path: &Path) -> Result<u128, Error> {
    let bytes = std::fs::read(path).map_err(|source| Error::LexiconFile {
        path: path.to_path_buf(),
        problem: source.to_string(),
    })?;
    Ok(hash128(&bytes, Seed(0)))
}

/// What counting a corpus may use.
#[derive(Debug, Clone)]
pub struct CountOptions {
    /// Worker threads.
    pub threads: usize,
    /// The resident size of the counts, in bytes; the words of the result come on top.
    pub memory: u64,
    /// Where counts go that do not fit.
    pub work_dir: PathBuf,
}

/// Counts the words of an input, to be saved.
pub fn count_words(
    request: &Request,
    options: &CountOptions,
    observer: &dyn Observer,
) -> Result<Vocabulary, Error> {
    let parts = resolve(request, Path::new(""), &options.work_dir, options.threads)?;
    let corpus = Corpus::new(parts, &request.spec);
    corpus.check()?;
    observer.begin(Stage::Count, corpus.bytes());
    let threads = options.threads.max(1);
    let memory = options.memory as usize / threads / 2;
    let counting = Counting {
        corpus: &corpus,
        text: request.spec.text,
        limit: request.spec.limit,
        threads,
        counters: (0..threads)
            .map(|_| Counter::new(&options.work_dir, memory))
            .collect(),
        progress: &|bytes| observer.done(bytes),
    };
    Vocabulary::count(counting.count()?, request.spec.text).map_err(counting_failed)
}
