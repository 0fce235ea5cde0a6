//! What a corpus says beside a run: how common its words are, and the texts of certain records.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use lookalike_engine::{self as engine, Observer, RecordText, for_each_record, records_by_id};
use lookalike_io::InputOptions;
use lookalike_judge::Corpus;
use lookalike_judge::gold::{Id, Text};
use lookalike_kernel::Error as KernelError;
use lookalike_kernel::sign::stats::Vocabulary;

use crate::files::resolve;
use crate::{Error, Request};

pub use lookalike_engine::CountOptions;

/// Reads a saved lexicon with its words.
///
/// # Errors
/// If it cannot be read.
pub fn read_lexicon(path: &Path) -> Result<Vocabulary, Error> {
    let file = File::open(path).map_err(|error| KernelError::unusable_lexicon(path, &error))?;
    let vocabulary = Vocabulary::read(BufReader::new(file));
    Ok(vocabulary.map_err(|error| KernelError::unusable_lexicon(path, &error))?)
}

/// Counts the words of an input, to be saved.
///
/// # Errors
/// If it cannot be read, or counts that do not fit cannot be written.
pub fn count_words(
    request: &Request,
    options: &CountOptions,
    observer: &dyn Observer,
) -> Result<Vocabulary, Error> {
    let reading = InputOptions::default().with(|reading| reading.threads = options.threads);
    let input = resolve(&request.spec, &request.inputs, reading, &options.work_dir)?;
    let counted = engine::count_words(&input, &request.spec, options, observer);
    Ok(counted?)
}

/// Reads the input and returns the texts of these ids, by field where the spec compares fields; of those that are not in
/// it, none. Standard input is copied to a file in `work_dir`.
///
/// # Errors
/// If the input cannot be read.
pub fn texts_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, Text>, Error> {
    look_up(request, wanted, work_dir, owned)
}

fn owned(text: RecordText<'_>) -> Text {
    match text {
        RecordText::Whole(text) => Text::Whole(text.to_string()),
        RecordText::Fields(fields) => {
            let fields = fields.iter();
            Text::Fields(
                fields
                    .map(|(name, text)| ((*name).to_string(), (*text).to_string()))
                    .collect(),
            )
        }
    }
}

/// The texts of a corpus: of all records that have text, or, where these are very many, of every second, fourth, eighth…
///
/// # Errors
/// If the input cannot be read.
pub fn texts_of_corpus(request: &Request, work_dir: &Path) -> Result<Corpus, Error> {
    /// In memory at once.
    const MOST_TEXTS: usize = 100_000;
    let reading = InputOptions::default();
    let input = resolve(&request.spec, &request.inputs, reading, work_dir)?;
    let (mut corpus, mut stride) = (Corpus::default(), 1);
    for_each_record(&input, &request.spec, &mut |_, _, text| {
        if corpus.records % stride == 0 {
            corpus.texts.push(owned(text));
        }
        corpus.records += 1;
        if corpus.texts.len() > MOST_TEXTS {
            let mut place = 0;
            corpus.texts.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            stride *= 2;
        }
        ControlFlow::Continue(())
    })?;
    Ok(corpus)
}

/// The same as [`texts_of_ids`], but only how many characters (code points) each text has, or all its fields together.
///
/// # Errors
/// If the input cannot be read.
pub fn lengths_of_ids(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
) -> Result<BTreeMap<Id, u64>, Error> {
    let characters = |text: &str| text.chars().count() as u64;
    look_up(request, wanted, work_dir, |text| match text {
        RecordText::Whole(text) => characters(text),
        RecordText::Fields(fields) => fields.iter().map(|(_, text)| characters(text)).sum(),
    })
}

fn look_up<T>(
    request: &Request,
    wanted: &BTreeSet<Id>,
    work_dir: &Path,
    keep: impl Fn(RecordText<'_>) -> T,
) -> Result<BTreeMap<Id, T>, Error> {
    let reading = InputOptions::default();
    let input = resolve(&request.spec, &request.inputs, reading, work_dir)?;
    Ok(records_by_id(&input, &request.spec, wanted, keep)?)
}
