//! One text by its name: a file, a record of a file (`pages.jsonl#7`), or standard input.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use lookalike_engine::{RecordText, first_records, records_by_id};
use lookalike_io::{Format, Input, InputOptions, nearest_name};
use lookalike_kernel::Spec;
use lookalike_kernel::rows::Id;

use crate::Error;
use crate::files::resolve;

/// So many bytes of a file are looked at to tell what it is.
const FIRST_BYTES: u64 = 1024;

/// Reads the text of that name, the way jobs read: of HTML what a reader sees, of a record the fields with the text.
///
/// # Errors
/// If there is no such file, or no such record in it, or several and none is named.
pub fn read_text(spec: &Spec, name: &str) -> Result<String, Error> {
    if name == "-" && spec.input.format.is_none() {
        return standard_input(spec);
    }
    let (file, id) = match name.rsplit_once('#') {
        _ if name == "-" || Path::new(name).is_file() => (name, None),
        Some((file, id)) if Path::new(file).is_file() => (file, Some(id)),
        _ => return Err(not_there(name)),
    };
    let spool = tempfile::tempdir().map_err(|error| no_text(name, &error.to_string()))?;
    let input = open(spec, file, spool.path())?;
    match id {
        Some(id) => named(spec, &input, file, id),
        None => only(spec, &input, file),
    }
}

/// Text, unless its first bytes say that it is a mail, a web page or the like.
fn standard_input(spec: &Spec) -> Result<String, Error> {
    let unreadable =
        |error: &dyn Display| no_text("-", &format!("cannot be read as UTF-8 text: {error}"));
    let mut bytes = Vec::new();
    let read = std::io::stdin().read_to_end(&mut bytes);
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
    only(&spec, &input, "-")
}

/// A file of a format that neither its name nor its first bytes tell is text.
fn open(spec: &Spec, file: &str, spool: &Path) -> Result<Input, Error> {
    let mut spec = spec.clone();
    let path = Path::new(file);
    let is_known =
        Format::of_path(path).is_some() || path.extension().is_some_and(|end| end == "xml");
    if spec.input.format.is_none() && !is_known {
        let mut first = Vec::new();
        // Whoever reads the file says what is wrong with it.
        let _ = File::open(path).and_then(|file| file.take(FIRST_BYTES).read_to_end(&mut first));
        spec.input.format = Some(format_of(&first).unwrap_or("text").to_string());
    }
    resolve(&spec, &[file.to_string()], InputOptions::default(), spool)
}

/// The format that the first bytes say, if they do.
fn format_of(first: &[u8]) -> Option<&'static str> {
    let begins = |mark: &[u8]| {
        let first = first.trim_ascii_start().get(..mark.len());
        first.is_some_and(|first| first.eq_ignore_ascii_case(mark))
    };
    match begins(b"<!doctype html") || begins(b"<html") {
        true => Some("html"),
        false => Format::of_beginning(first).map(Format::name),
    }
}

/// The record with this id, which may be a string or a number.
fn named(spec: &Spec, input: &Input, file: &str, id: &str) -> Result<String, Error> {
    let is_number = id.bytes().all(|byte| byte.is_ascii_digit());
    // What has no id is called by its line, as in pages.jsonl:7.
    let by_line = is_number.then(|| Id::Text(format!("{file}:{id}")));
    let meanings = [Some(Id::Text(id.to_string())), Id::from_json(id), by_line];
    let meanings: Vec<Id> = meanings.into_iter().flatten().collect();
    let ids: BTreeSet<Id> = meanings.iter().cloned().collect();
    let mut found = records_by_id(input, spec, &ids, joined)?;
    let text = meanings.iter().find_map(|id| found.remove(id));
    text.ok_or_else(|| {
        no_text(
            &format!("{file}#{id}"),
            "is not there: no record has that id",
        )
    })
}

/// The only record.
fn only(spec: &Spec, input: &Input, file: &str) -> Result<String, Error> {
    let mut first = first_records(input, spec, 2, joined)?;
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
        _ => Err(no_text(file, "holds no record that can be read")),
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
    let meant = nearest_name(Path::new(name.split('#').next().unwrap_or(name)));
    no_text(
        name,
        &format!("is not a file{meant}; to compare literal texts, use `text=true`"),
    )
}
