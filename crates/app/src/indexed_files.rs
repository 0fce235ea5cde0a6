//! Files and an index: records added to it, or looked up in it and written on.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use lookalike_engine::{RecordName, RecordText, Source, for_each_outcome};
use lookalike_index::{AddOptions, Added, Document, FILE, Index, OpenOptions, Reader, Text};
use lookalike_io::{Input, InputOptions};
use lookalike_kernel::record::Rejection;
use lookalike_kernel::{SeedSpec, Spec};
use serde::Serialize;
use serde_json::Value;

use crate::Error;
use crate::files::{Request, resolve};

/// Whether a folder holds an index.
pub fn is_index(path: &Path) -> bool {
    path.join(FILE).is_file()
}

/// The texts of an index as records, in the fields that the settings read.
pub(crate) fn index_as_input(folder: &Path, spec: &Spec, spool: &Path) -> Result<Input, Error> {
    let seed = Some(spec.seed).filter(|seed| matches!(seed, SeedSpec::Secret(_)));
    let opening = OpenOptions::default().with(|options| options.seed = seed);
    let view = Reader::open(folder, &opening)?.view()?;
    let name = folder.display().to_string();
    let failed = |error: io::Error| Error::NoText {
        name: name.clone(),
        problem: format!("cannot be copied to {}: {error}", spool.display()),
    };
    fs::create_dir_all(spool).map_err(failed)?;
    let copy = spool.join("index.jsonl");
    let mut out = BufWriter::new(File::create(&copy).map_err(failed)?);
    let mut written = Ok(());
    view.for_each(|document, _| {
        if written.is_ok() {
            written = writeln!(out, "{}", record_of(spec, &document));
        }
        Ok(())
    })?;
    written.and_then(|()| out.flush()).map_err(failed)?;
    let options = InputOptions::default().with(|options| {
        options.format = "jsonl".parse().ok();
        options.max_record = u64::MAX;
    });
    let mut stream = File::open(&copy).map_err(failed)?;
    let input = Input::of_stream(&name, &mut stream, &options, spool)?;
    let _ = fs::remove_file(&copy);
    Ok(input)
}

/// A stored text as a line of JSON.
fn record_of(spec: &Spec, document: &Document) -> Value {
    let mut record = Value::Object(serde_json::Map::new());
    let compared = spec.compared_fields();
    if compared.is_empty() {
        // All of it is in the first field; the others must be there, too.
        let texts = std::iter::once(document.text.as_str()).chain(std::iter::repeat(""));
        for (name, text) in spec.input.text_field.iter().zip(texts) {
            put(&mut record, name, Value::from(text));
        }
    }
    for (name, text) in compared.iter().zip(document.text.fields()) {
        put(&mut record, name, Value::from(text));
    }
    let id = serde_json::to_value(&document.id).unwrap_or_default();
    put(&mut record, &spec.input.id_field, id);
    record
}

/// Sets a field, or a field within a field, as in `doc.text`.
fn put(record: &mut Value, name: &str, value: Value) {
    match name.split_once('.') {
        Some((outer, inner)) => {
            if !record[outer].is_object() {
                record[outer] = Value::Object(serde_json::Map::new());
            }
            put(&mut record[outer], inner, value);
        }
        None => record[name] = value,
    }
}

/// What became of files that were added.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct AddedFiles {
    /// Of the records that could be read.
    #[serde(flatten)]
    pub added: Added,
    /// Records that could not.
    pub rejected: u64,
    /// The first of these, and why.
    #[serde(skip)]
    pub first_rejected: Option<Rejection>,
    /// Which field was read, if that was not the usual one and none was named.
    #[serde(skip)]
    pub note: Option<String>,
}

/// How many texts may wait between the thread that reads and those that sign.
const READ_AHEAD: usize = 2048;

/// Adds the records of files to an index; `committed` is told how many are in it for good.
///
/// # Errors
/// If a file cannot be read, or the index cannot be written to. What was committed stays.
pub fn add_files(
    index: &mut Index,
    request: &Request,
    options: &AddOptions,
    work_dir: &Path,
    committed: &mut (dyn FnMut(u64) + Send),
) -> Result<AddedFiles, Error> {
    let reading = InputOptions::default().with(|reading| reading.threads = options.threads);
    let input = resolve(&request.spec, &request.inputs, reading, work_dir)?;
    add_source(index, &input, &request.spec, options, committed)
}

/// The same of records that need not be files.
///
/// # Errors
/// As [`add_files`].
pub fn add_source(
    index: &mut Index,
    source: &dyn Source,
    spec: &Spec,
    options: &AddOptions,
    committed: &mut (dyn FnMut(u64) + Send),
) -> Result<AddedFiles, Error> {
    let (send, receive) = sync_channel::<Result<Document, Error>>(READ_AHEAD);
    let mut files = AddedFiles::default();
    let (rejected, first) = (&mut files.rejected, &mut files.first_rejected);
    let note = &mut files.note;
    let added = thread::scope(|scope| {
        scope.spawn(|| {
            let send = send;
            let read = for_each_outcome(
                source,
                spec,
                &mut |rejection| {
                    *rejected += 1;
                    first.get_or_insert(rejection);
                },
                &mut |_, name, text| match name {
                    Some(name) => sent(&send, Ok(document(spec, name, text))),
                    None => ControlFlow::Continue(()),
                },
            );
            match read {
                Ok(read) => *note = read,
                Err(error) => drop(send.send(Err(error.into()))),
            }
        });
        index.add(receive.into_iter(), options, committed)
    })?;
    files.added = added;
    Ok(files)
}

fn sent<T>(send: &std::sync::mpsc::SyncSender<T>, item: T) -> ControlFlow<()> {
    match send.send(item) {
        Ok(()) => ControlFlow::Continue(()),
        // Whoever received has failed.
        Err(_) => ControlFlow::Break(()),
    }
}

pub(crate) fn document(spec: &Spec, name: RecordName, text: RecordText<'_>) -> Document {
    Document {
        named_by_place: name.is_place,
        ..Document::new(name.id, text_of(spec, text))
    }
}

pub(crate) fn text_of(spec: &Spec, text: RecordText<'_>) -> Text {
    match text {
        RecordText::Whole(text) => Text::whole(text),
        RecordText::Fields(there) => {
            let of_field = |name: &String| {
                let found = there.iter().find(|(field, _)| field == name);
                found.map_or("", |(_, text)| *text)
            };
            let fields: Vec<&str> = spec.compared_fields().iter().map(of_field).collect();
            Text::of_fields(&fields)
        }
    }
}
