//! The texts behind a result, read again from the files that it was made of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use lookalike_engine::{RecordText, Source, records_by_id, records_by_number};
use lookalike_io::{Input, InputOptions, RecordTexts};
use lookalike_kernel::rows::{Id, Summary};

use crate::Error;
use crate::files::resolve;
use crate::indexed_files::{index_as_input, is_index};
use crate::report::{Kept, ReadTexts};

/// The texts of records of the input of a finished result, or of the corpus that it was compared with, by their numbers, which
/// count from 1. Fields are joined by line ends.
///
/// # Errors
/// If the input is not what it was, or cannot be read again.
pub fn texts_of_result(
    summary: &Summary,
    is_against: bool,
    numbers: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, String>, Error> {
    let joined = |_, text: RecordText<'_>| match text {
        RecordText::Whole(text) => text.to_string(),
        RecordText::Fields(fields) => {
            let texts: Vec<&str> = fields.iter().map(|(_, text)| *text).collect();
            texts.join("\n")
        }
    };
    read_again(summary, is_against, numbers, joined)
}

fn read_again<T>(
    summary: &Summary,
    is_against: bool,
    numbers: &BTreeSet<u64>,
    keep: impl Fn(u64, RecordText<'_>) -> T,
) -> Result<BTreeMap<u64, T>, Error> {
    if numbers.is_empty() {
        return Ok(BTreeMap::new());
    }
    let spool = spool()?;
    let input = input_again(summary, is_against, spool.path())?;
    Ok(records_by_number(
        &input,
        &summary.parameters,
        numbers,
        keep,
    )?)
}

fn spool() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(|error| Error::NoText {
        name: "a folder for temporary files".to_string(),
        problem: format!("cannot be made: {error}"),
    })
}

/// The input of a finished result, or the corpus that it was compared with, if it is still what it was.
fn input_again(summary: &Summary, is_against: bool, spool: &Path) -> Result<Input, Error> {
    let names = match is_against {
        true => &summary.against,
        false => &summary.inputs,
    };
    let gone = |problem: &str| Error::NoText {
        name: names.join(" "),
        problem: problem.to_string(),
    };
    if names.iter().any(|name| name == "-") {
        return Err(gone("was standard input, which cannot be read again"));
    }
    let is_elsewhere = |name: &&String| {
        let path = Path::new(name);
        path.is_relative() && !name.contains(['*', '?', '[']) && !path.exists()
    };
    if let Some(name) = names.iter().find(is_elsewhere) {
        return Err(Error::NoText {
            name: name.clone(),
            problem: "is not here: go to the folder where the result was made, which the path starts from".to_string(),
        });
    }
    let found = |until| match names.as_slice() {
        [name] if is_index(Path::new(name)) => {
            index_as_input(Path::new(name), &summary.parameters, spool)
        }
        names => {
            let reading = InputOptions::default().with(|options| options.until = until);
            resolve(&summary.parameters, names, reading, spool)
        }
    };
    let known = summary.fingerprints.get(usize::from(is_against));
    let is_it = |input: &Input| known == Some(&format!("{:016x}", input.fingerprint()));
    let input = found(None)?;
    if is_it(&input) {
        return Ok(input);
    }
    // Files may have come into a folder since.
    let begun = summary.begun.map(Duration::from_millis);
    let begun = begun.and_then(|begun| UNIX_EPOCH.checked_add(begun));
    let before = begun.and_then(|begun| found(Some(begun)).ok());
    before
        .filter(is_it)
        .ok_or_else(|| gone(match names.iter().any(|name| Path::new(name).is_relative()) {
            true => "changed since the result was made, or that was in another folder, which the path starts from",
            false => "changed since the result was made",
        }))
}

/// The texts of a finished result, from its inputs.
pub(crate) struct TextsAgain<'s>(pub(crate) &'s Summary);

impl ReadTexts for TextsAgain<'_> {
    fn read(
        &self,
        is_against: bool,
        numbers: &BTreeSet<u64>,
        keep: &dyn Fn(u64, RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<u64, Kept>, Error> {
        read_again(self.0, is_against, numbers, keep)
    }

    fn find(
        &self,
        is_against: bool,
        ids: &BTreeSet<Id>,
        keep: &dyn Fn(RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<Id, Kept>, Error> {
        let spool = spool()?;
        let input = input_again(self.0, is_against, spool.path())?;
        Ok(records_by_id(&input, &self.0.parameters, ids, keep)?)
    }
}

/// The texts of a result that is being written, from its sources.
impl ReadTexts for RecordTexts<'_> {
    fn read(
        &self,
        is_against: bool,
        numbers: &BTreeSet<u64>,
        keep: &dyn Fn(u64, RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<u64, Kept>, Error> {
        let read = (source(self, is_against))
            .map(|source| records_by_number(source, self.spec, numbers, keep));
        Ok(read.transpose()?.unwrap_or_default())
    }

    fn find(
        &self,
        is_against: bool,
        ids: &BTreeSet<Id>,
        keep: &dyn Fn(RecordText<'_>) -> Kept,
    ) -> Result<BTreeMap<Id, Kept>, Error> {
        let found =
            (source(self, is_against)).map(|source| records_by_id(source, self.spec, ids, keep));
        Ok(found.transpose()?.unwrap_or_default())
    }
}

fn source<'r>(texts: &RecordTexts<'r>, is_against: bool) -> Option<&'r dyn Source> {
    match is_against {
        true => texts.against,
        false => Some(texts.input),
    }
}
