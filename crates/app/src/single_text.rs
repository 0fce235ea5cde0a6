//! One text by its name: a file, a record of a file (`pages.jsonl#7`), or standard input.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;

use lookalike_engine::{RecordText, for_each_outcome, for_each_record};
use lookalike_index::Text;
use lookalike_io::{Format, Input, InputOptions, nearest_name};
use lookalike_kernel::Spec;
use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::Id;

use crate::Error;
use crate::files::resolve;
use crate::indexed_files::text_of;

/// So many bytes of a file are looked at to tell what it is.
const FIRST_BYTES: u64 = 1024;

/// Reads the text of that name, the way jobs read: of HTML what a reader sees, of a record the fields with the text.
///
/// # Errors
/// If there is no such file, or no such record in it, or several and none is named.
pub fn read_text(spec: &Spec, name: &str) -> Result<String, Error> {
    match spec.input.format {
        None if name == "-" => streamed(spec, name, &mut std::io::stdin()),
        None if is_pipe(Path::new(name)) => {
            let mut pipe = File::open(name).map_err(|error| no_text(name, &error.to_string()))?;
            streamed(spec, name, &mut pipe)
        }
        _ => read_one(spec, name, &joined),
    }
}

/// Whether this is a pipe, as a shell makes for `<(pdftotext a.pdf -)`.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// The same for settings by which fields are compared.
///
/// # Errors
/// As [`read_text`].
pub fn read_record(spec: &Spec, name: &str) -> Result<Text, Error> {
    read_one(spec, name, &|text| text_of(spec, text))
}

/// What is made of a record.
type Keep<'k, T> = &'k dyn Fn(RecordText<'_>) -> T;

fn read_one<T>(spec: &Spec, name: &str, keep: Keep<'_, T>) -> Result<T, Error> {
    let (file, id) = match name == "-" || Path::new(name).is_file() {
        true => (name, None),
        false => {
            // An id may have such a mark, too, and so may the name of a file.
            let mut marks = name.rmatch_indices('#').map(|(at, _)| at);
            let file = marks.find(|&at| Path::new(&name[..at]).is_file());
            let at = file.ok_or_else(|| not_there(name))?;
            (&name[..at], Some(&name[at + 1..]))
        }
    };
    let spool = tempfile::tempdir().map_err(|error| no_text(name, &error.to_string()))?;
    let input = open(spec, file, spool.path())?;
    match id {
        Some(id) => named(spec, &input, (file, id), keep),
        None => only(spec, &input, file, keep),
    }
}

/// Text, unless its first bytes say that it is a mail, a web page or the like.
fn streamed(spec: &Spec, name: &str, stream: &mut dyn Read) -> Result<String, Error> {
    let unreadable =
        |error: &dyn Display| no_text(name, &format!("cannot be read as UTF-8 text: {error}"));
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    read.map_err(|error| unreadable(&error))?;
    let Some(format) = format_of(&bytes) else {
        return String::from_utf8(bytes).map_err(|error| unreadable(&error));
    };
    let mut spec = spec.clone();
    spec.input.format = Some(format.to_string());
    let spool = tempfile::tempdir().map_err(|error| unreadable(&error))?;
    let copy = spool.path().join("stdin");
    std::fs::write(&copy, bytes).map_err(|error| unreadable(&error))?;
    let copy = [copy.display().to_string()];
    let input = resolve(&spec, &copy, InputOptions::default(), spool.path())?;
    only(&spec, &input, name, &joined)
}

/// A file of a format that neither its name nor its first bytes tell is text.
fn open(spec: &Spec, file: &str, spool: &Path) -> Result<Input, Error> {
    let mut spec = spec.clone();
    let path = Path::new(file);
    let is_known =
        Format::of_path(path).is_some() || path.extension().is_some_and(|end| end == "xml");
    // Plain text has no fields.
    let is_text = spec.compared_fields().is_empty();
    if file != "-" && spec.input.format.is_none() && !is_known && is_text {
        let mut first = Vec::new();
        // Whoever reads the file says what is wrong with it.
        let _ = File::open(path).and_then(|file| file.take(FIRST_BYTES).read_to_end(&mut first));
        spec.input.format = Some(format_of(&first).unwrap_or("text").to_string());
    }
    resolve(&spec, &[file.to_string()], InputOptions::default(), spool)
}

/// The format that the first bytes say, if they do.
fn format_of(first: &[u8]) -> Option<&'static str> {
    Format::of_beginning(first).map(Format::name)
}

/// The record with this id, which may be a string or a number, or the name that jobs give to a record whose id had occurred
/// before: `7#2` is the second one with the id 7.
fn named<T>(
    spec: &Spec,
    input: &Input,
    (file, id): (&str, &str),
    keep: Keep<'_, T>,
) -> Result<T, Error> {
    let of_id = meanings(file, id);
    let repeated = id.rsplit_once('#').and_then(|(id, number)| {
        let number: u64 = number.parse().ok().filter(|number| *number > 1)?;
        Some((meanings(file, id), number))
    });
    let (mut found, mut found_repeated) = (BTreeMap::new(), BTreeMap::new());
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for_each_record(input, spec, &mut |_, name, text| {
        let Some(name) = name else {
            return ControlFlow::Continue(());
        };
        let place_in = |meanings: &[Id]| meanings.iter().position(|id| *id == name.id);
        if let Some(place) = place_in(&of_id) {
            found.entry(place).or_insert_with(|| keep(text));
        }
        if let Some((ids, number)) = &repeated
            && let Some(place) = place_in(ids)
        {
            let count = counts.entry(place).or_default();
            *count += 1;
            if count == number {
                found_repeated.insert(place, keep(text));
            }
        }
        match found.contains_key(&0) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    let first = found.pop_first().or_else(|| found_repeated.pop_first());
    first.map(|(_, text)| text).ok_or_else(|| {
        no_text(
            &format!("{file}#{id}"),
            "is not there: no record has that id",
        )
    })
}

/// What an id may mean, the likeliest first.
fn meanings(file: &str, id: &str) -> Vec<Id> {
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    // What has no id is called by its line, as in pages.jsonl:7.
    let by_line = is_number.then(|| Id::Text(format!("{file}:{id}")));
    let meanings = [Some(Id::Text(id.to_string())), Id::from_json(id), by_line];
    meanings.into_iter().flatten().collect()
}

/// The only record.
fn only<T>(spec: &Spec, input: &Input, file: &str, keep: Keep<'_, T>) -> Result<T, Error> {
    let (mut first, mut rejected) = (Vec::new(), None);
    let mut reject = |rejection: Rejection| {
        rejected.get_or_insert(rejection.reason);
    };
    for_each_outcome(input, spec, &mut reject, &mut |_, name, text| {
        first.extend(name.map(|name| (name.id, keep(text))));
        match first.len() < 2 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    match (first.pop(), first.pop()) {
        (Some((_, only)), None) => Ok(only),
        (Some(_), Some((id, _))) => {
            let (Id::Text(id) | Id::Number(id)) = &id;
            let line = id
                .strip_prefix(file)
                .and_then(|rest| rest.strip_prefix(':'));
            let problem = match line {
                Some(line) => format!(
                    "holds several records without ids; name one by its line, as in {file}#{line}"
                ),
                None => format!("holds several records; name one by its id, as in {file}#{id}"),
            };
            Err(no_text(file, &problem))
        }
        _ => Err(match rejected {
            Some(reason) => no_text(file, &format!("cannot be used: {reason}")),
            None => no_text(file, "holds no record"),
        }),
    }
}

fn joined(text: RecordText<'_>) -> String {
    match text {
        RecordText::Whole(text) => text.to_string(),
        RecordText::Fields(fields) => {
            let texts: Vec<&str> = fields.iter().map(|(_, text)| *text).collect();
            texts.join("\n")
        }
    }
}

fn no_text(name: &str, problem: &str) -> Error {
    Error::NoText {
        name: name.to_string(),
        problem: problem.to_string(),
    }
}

/// There is no such file, but perhaps one that is meant.
fn not_there(name: &str) -> Error {
    if Path::new(name).is_dir() {
        return no_text(name, "is a folder, not one text; name a file in it");
    }
    if Path::new(name).exists() {
        return no_text(
            name,
            "is not a regular file; write its text to a file, or pipe it in and name it -",
        );
    }
    let meant = nearest_name(Path::new(name.split('#').next().unwrap_or(name)));
    no_text(
        name,
        &format!("is not a file{meant}; to compare literal texts, use `text=true`"),
    )
}
