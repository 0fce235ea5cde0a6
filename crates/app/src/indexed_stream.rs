//! A stream of records, each written on with what an index has that is similar to it.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use lookalike_engine::{RecordName, RecordText, for_each_outcome};
use lookalike_index::{Document, Filter, Text};
use lookalike_io::{
    Input, InputOptions, Whole, WholeRecords, WholeRow, append_annotated, append_line_end,
};
use lookalike_kernel::record::{Rejection, missing_field};
use lookalike_kernel::rows::Id;
use lookalike_kernel::{Spec, nearest};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::Error;
use crate::files::{Request, resolve};
use crate::indexed_files::document;

/// Which records of a stream are written on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    /// All of them.
    All,
    /// Those that are no duplicates.
    New,
    /// Those that are.
    Duplicates,
}

/// What became of a stream.
#[derive(Debug, Clone, Default, Serialize)]
#[non_exhaustive]
pub struct StreamCounts {
    /// Records read.
    pub records: u64,
    /// Of these, duplicates.
    pub duplicates: u64,
    /// Records that could not be used.
    pub rejected: u64,
    /// Texts that a later one with the same id replaced in the index.
    #[serde(skip_serializing_if = "is_zero")]
    pub replaced: u64,
    /// Whether it was asked to end before the stream did.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
    /// The first of these, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_rejected: Option<Rejection>,
    /// Which field was read, if that was not the usual one and none was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for it
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A filter, and whether it is to end: what was answered by then stays answered, and nothing more is read.
pub struct Stoppable<'f, 'i> {
    /// What checks the records.
    pub filter: &'f mut Filter<'i>,
    /// Asked several times a second.
    pub is_stopped: &'f dyn Fn() -> bool,
}

/// If none of so many lines can be used, the rest cannot either.
const LOOKED_AT: u64 = 1000;
/// Lines that are looked up at once, where so many are there.
const TOGETHER: usize = 4096;
/// How often it is asked whether the filter is to end while nothing arrives.
const ASKED_EVERY: Duration = Duration::from_millis(100);
/// Batches of lines that wait to be looked up, so that reading stops where looking up is slower.
const READ_AHEAD: usize = 1;

impl Stream {
    /// Checks every line of a stream of JSON Lines as it arrives, and writes it with its verdict. Lines that cannot be
    /// used stay as they are wherever new records are written. What comes before the
    /// first record that can be used waits for it: if there is none, a name is wrong, and nothing is written. The next lines
    /// are read and parsed meanwhile, by a thread that ends with the input, or once nobody takes what it reads. What was
    /// learnt is committed in time, whether or not something more arrives.
    ///
    /// # Errors
    /// If the stream cannot be read or written, none of its first lines can be used, or the index cannot be read.
    pub fn lines(
        self,
        spec: &Spec,
        Stoppable { filter, is_stopped }: Stoppable<'_, '_>,
        input: impl Read + Send + 'static,
        out: &mut dyn Write,
    ) -> Result<StreamCounts, Error> {
        let mut counts = StreamCounts::default();
        let (send, batches) = std::sync::mpsc::sync_channel(READ_AHEAD);
        let spec = spec.clone();
        std::thread::spawn(move || read_batches(&spec, input, |batch| send.send(batch).is_ok()));
        let mut held = Vec::new();
        loop {
            let mut batch = match next_batch(&batches, filter, is_stopped)? {
                Next::Batch(batch) => batch,
                Next::Ended => break,
                Next::Stopped => {
                    out.write_all(&held).map_err(Error::Stream)?;
                    out.flush().map_err(Error::Stream)?;
                    counts.stopped = true;
                    break;
                }
            };
            self.write(&mut batch, filter, &mut counts, &mut held)?;
            if counts.records > 0 || counts.rejected == 0 {
                out.write_all(&held).map_err(Error::Stream)?;
                out.flush().map_err(Error::Stream)?;
                held.clear();
            } else if counts.rejected >= LOOKED_AT {
                break;
            }
        }
        if counts.records == 0 && !counts.stopped {
            check_some_usable(&counts)?;
        }
        counts.replaced = filter.replaced();
        Ok(counts)
    }

    /// The same for files of any format: their records are written as JSON Lines, those of JSON Lines as they are, and rows of
    /// tables, mails and pages with all their fields. A line that cannot be used stays as it is here, too; other records that
    /// cannot be used say why.
    ///
    /// # Errors
    /// As for lines.
    pub fn files(
        self,
        request: &Request,
        filter: &mut Filter<'_>,
        work_dir: &Path,
        out: &mut dyn Write,
    ) -> Result<StreamCounts, Error> {
        let spec = &request.spec;
        let reading = InputOptions::default();
        let input: Input = resolve(spec, &request.inputs, reading, work_dir)?;
        let mut whole = WholeRecords::new(&input)?;
        let is_passed_on = whole.is_some();
        let mut counts = StreamCounts::default();
        let mut batch = Batch::default();
        let (mut rejected, mut first) = (0, None);
        // Of those that are still to be passed on.
        let unusable = RefCell::new(Unusable::default());
        let mut failure = None;
        let note = for_each_outcome(
            &input,
            spec,
            &mut |rejection| {
                rejected += 1;
                if is_passed_on {
                    unusable.borrow_mut().0.push_back(rejection.clone());
                }
                first.get_or_insert(rejection);
            },
            &mut |number, name, text| {
                let Some(name) = name else {
                    return ControlFlow::Continue(());
                };
                let pass_on = || {
                    let whole = batch.push_passed(whole.as_mut(), number, &unusable)?;
                    batch.push_record(spec, whole, name, text);
                    match batch.lines.len() < TOGETHER {
                        true => Ok(()),
                        false => self.write(&mut batch, filter, &mut counts, out),
                    }
                };
                match pass_on() {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => {
                        failure = Some(error);
                        ControlFlow::Break(())
                    }
                }
            },
        )?;
        if let Some(error) = failure {
            return Err(error);
        }
        let last = spec.limit.map_or(u64::MAX, |most| most.saturating_add(1));
        batch.push_passed(whole.as_mut(), last, &unusable)?;
        self.write(&mut batch, filter, &mut counts, out)?;
        counts.rejected = rejected;
        counts.first_rejected = first;
        counts.replaced = filter.replaced();
        counts.note = note;
        Ok(counts)
    }

    fn write(
        self,
        batch: &mut Batch,
        filter: &mut Filter<'_>,
        counts: &mut StreamCounts,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let mut verdicts = filter
            .check(std::mem::take(&mut batch.documents))?
            .into_iter();
        let mut written = Vec::new();
        for line in batch.lines.drain(..) {
            match line {
                Line::Record(line) => {
                    let verdict = verdicts.next().unwrap_or_default();
                    counts.records += 1;
                    counts.duplicates += u64::from(verdict.duplicate);
                    let is_wanted = match self {
                        Stream::All => true,
                        Stream::New => !verdict.duplicate,
                        Stream::Duplicates => verdict.duplicate,
                    };
                    if is_wanted {
                        // A verdict is names, numbers and texts: it can be written.
                        let verdict = serde_json::to_vec(&verdict).unwrap_or_default();
                        append_annotated(&line, &verdict, &mut written);
                    }
                }
                Line::Blank(_) if self != Stream::All => {}
                Line::Blank(line) => append_line_end(&line, &mut written),
                Line::Unusable(line, rejection) => {
                    if self != Stream::Duplicates {
                        append_line_end(&line, &mut written);
                    }
                    counts.rejected += u64::from(rejection.is_some());
                    counts.first_rejected = counts.first_rejected.take().or(rejection);
                }
            }
        }
        out.write_all(&written).map_err(Error::Stream)
    }
}

/// What becomes of waiting for lines.
enum Next {
    Batch(Batch),
    Ended,
    Stopped,
}

/// Waits for the next lines of a stream. Meanwhile, what was learnt is committed when it is time.
fn next_batch(
    batches: &Receiver<std::io::Result<Batch>>,
    filter: &mut Filter<'_>,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Next, Error> {
    loop {
        if is_stopped() {
            return Ok(Next::Stopped);
        }
        let due = filter.commit_due_in();
        match batches.recv_timeout(due.unwrap_or(ASKED_EVERY).min(ASKED_EVERY)) {
            Ok(batch) => return Ok(Next::Batch(batch.map_err(Error::Stream)?)),
            Err(RecvTimeoutError::Disconnected) => return Ok(Next::Ended),
            Err(RecvTimeoutError::Timeout) => {
                if filter.commit_due_in().is_some_and(|left| left.is_zero()) {
                    filter.commit()?;
                }
            }
        }
    }
}

/// Cuts a stream into lines that are looked up together, until it ends or `each` wants no more. What has not come yet is not
/// waited for.
fn read_batches(
    spec: &Spec,
    input: impl Read,
    mut each: impl FnMut(std::io::Result<Batch>) -> bool,
) {
    let mut input = BufReader::with_capacity(1 << 20, input);
    let (mut batch, mut number) = (Batch::default(), 0);
    loop {
        let mut line = Vec::new();
        let read = match input.read_until(b'\n', &mut line) {
            Ok(read) => read,
            Err(error) => {
                each(Err(error));
                return;
            }
        };
        if read > 0 {
            number += 1;
            batch.push(spec, line, number);
        }
        let is_more = read > 0 && input.buffer().contains(&b'\n');
        let is_whole = batch.lines.len() == TOGETHER || !is_more;
        if is_whole && !each(Ok(std::mem::take(&mut batch))) || read == 0 {
            return;
        }
    }
}

/// A line as it came, with its end.
enum Line {
    Record(Vec<u8>),
    Blank(Vec<u8>),
    /// And why it is none, unless that is counted elsewhere.
    Unusable(Vec<u8>, Option<Rejection>),
}

/// Ends with an error where there are lines, but none that can be used: then a name is wrong, or the format.
fn check_some_usable(counts: &StreamCounts) -> Result<(), Error> {
    let Some(first) = &counts.first_rejected else {
        return Ok(());
    };
    let problem = format!(
        "has no usable record in its first {} lines: {}. JSON Lines with a text in each record are expected; \
         `text-field=` names the field with the text, and `format=` another format",
        counts.rejected, first.reason
    );
    let name = first.source.clone();
    Err(Error::NoText { name, problem })
}

/// Some lines, and the documents of those that are records.
#[derive(Default)]
struct Batch {
    lines: Vec<Line>,
    documents: Vec<Document>,
}

impl Batch {
    fn push(&mut self, spec: &Spec, line: Vec<u8>, number: u64) {
        let content = line.trim_ascii_end();
        if content.is_empty() {
            return self.lines.push(Line::Blank(line));
        }
        match document_of_line(spec, content, number) {
            Ok(document) => {
                self.documents.push(document);
                self.lines.push(Line::Record(line));
            }
            Err(reason) => {
                let rejection = Rejection {
                    source: "stdin".to_string(),
                    line: Some(number),
                    reason,
                };
                self.lines.push(Line::Unusable(line, Some(rejection)));
            }
        }
    }

    /// Passes on what comes before a record and is none that can be used, and returns all of that record.
    fn push_passed(
        &mut self,
        whole: Option<&mut WholeRecords<'_>>,
        until: u64,
        unusable: &RefCell<Unusable>,
    ) -> Result<Whole, Error> {
        let Some(whole) = whole else {
            return Ok(Whole::Decoded);
        };
        while let Some((number, record)) = whole.next_record()? {
            match (number, record) {
                (Some(number), record) if number >= until => return Ok(record),
                (Some(_), Whole::Line(line)) => self.lines.push(Line::Unusable(line, None)),
                (None, Whole::Line(line)) => self.lines.push(Line::Blank(line)),
                (Some(_), Whole::Row(row)) => {
                    let line = unusable.borrow_mut().line_of(row).into_bytes();
                    self.lines.push(Line::Unusable(line, None));
                }
                (None, Whole::Row(_)) | (_, Whole::Decoded) => {}
            }
        }
        Ok(Whole::Decoded)
    }

    fn push_record(&mut self, spec: &Spec, whole: Whole, name: RecordName, text: RecordText<'_>) {
        let line = match whole {
            Whole::Line(line) => line,
            Whole::Row(row) => line_of_row(spec, &name, row.fields).into_bytes(),
            Whole::Decoded => line_of_text(&name, text).into_bytes(),
        };
        self.lines.push(Line::Record(line));
        self.documents.push(document(spec, name, text));
    }
}

/// A row as a line of JSON. One without an id of its own is told by where it stands.
fn line_of_row(spec: &Spec, name: &RecordName, mut row: Vec<(String, String)>) -> String {
    let has_id = row.iter().any(|(column, _)| *column == spec.input.id_field);
    if name.is_place || !has_id {
        row.retain(|(column, _)| column != "id");
        row.insert(0, ("id".to_string(), name.id.to_string()));
    }
    line_of_fields(&row)
}

fn line_of_fields(fields: &[(String, String)]) -> String {
    let fields = fields.iter().map(|(name, value)| {
        let name = Value::from(name.as_str());
        format!("{name}:{value}")
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Records that cannot be used and are still to be passed on, in input order, among parts of files that are not.
#[derive(Default)]
struct Unusable(VecDeque<Rejection>);

impl Unusable {
    /// A row that cannot be used as a line of JSON that says why.
    fn line_of(&mut self, mut row: WholeRow) -> String {
        let is_it = |rejection: &Rejection| {
            rejection.line == row.place.1 && rejection.source == row.place.0
        };
        let at = self.0.iter().position(is_it);
        let found = at.and_then(|at| self.0.drain(..=at).next_back());
        let reason = found.map_or_else(String::new, |rejection| rejection.reason);
        let verdict = serde_json::json!({ "unusable": reason }).to_string();
        row.fields.retain(|(name, _)| name != "lookalike");
        row.fields.push(("lookalike".to_string(), verdict));
        line_of_fields(&row.fields)
    }
}

/// What is known of a record, where that is no more than its id and its text, as a line of JSON.
fn line_of_text(name: &RecordName, text: RecordText<'_>) -> String {
    let whole;
    let fields: &[(&str, &str)] = match text {
        RecordText::Whole(text) => {
            whole = [("text", text)];
            &whole
        }
        RecordText::Fields(fields) => fields,
    };
    let id = format!("\"id\":{}", name.id);
    let fields = fields.iter().map(|(field, text)| {
        let [field, text] = [*field, *text].map(Value::from);
        format!("{field}:{text}")
    });
    let all: Vec<String> = std::iter::once(id).chain(fields).collect();
    format!("{{{}}}", all.join(","))
}

/// The record of a line of JSON.
fn document_of_line(spec: &Spec, line: &[u8], number: u64) -> Result<Document, String> {
    let line = std::str::from_utf8(line).map_err(|_| "invalid UTF-8".to_string())?;
    if !line.trim_start().starts_with('{') {
        return Err("invalid JSON: not a JSON object".to_string());
    }
    let object: Object<'_> =
        serde_json::from_str(line).map_err(|error| format!("invalid JSON: {error}"))?;
    document_of_object(spec, &object, number)
}

fn document_of_object(spec: &Spec, object: &Object<'_>, number: u64) -> Result<Document, String> {
    let given = object.field(&spec.input.id_field)?;
    let id = match given {
        Some(id) => Id::from_json(id.get()).ok_or("the id is neither a string nor a number")?,
        None => Id::Text(format!("stdin:{number}")),
    };
    let text_of = |name: &String| match object.field(name)? {
        None => Ok(None),
        Some(value) => serde_json::from_str::<Option<String>>(value.get())
            .map_err(|_| format!("field \"{name}\" is not a string")),
    };
    let compared = spec.compared_fields();
    let text = if compared.is_empty() {
        let names = &spec.input.text_field;
        let found = names.iter().map(|name| match text_of(name)? {
            Some(text) => Ok(text),
            None if object.written(name)?.is_some() => {
                Err(format!("field \"{name}\" is null, not a string"))
            }
            None => Err(missing(name, object)),
        });
        Text::whole(found.collect::<Result<Vec<_>, String>>()?.join("\n"))
    } else {
        let found = compared.iter().map(text_of);
        let found = found.collect::<Result<Vec<_>, String>>()?;
        if found.iter().all(Option::is_none) {
            return Err(missing(&compared.join("\" or \""), object));
        }
        let found: Vec<String> = found.into_iter().map(Option::unwrap_or_default).collect();
        Text::of_fields(&found)
    };
    Ok(Document {
        named_by_place: given.is_none(),
        ..Document::new(id, text)
    })
}

/// That a field is missing, and which one was probably meant.
fn missing(name: &str, object: &Object<'_>) -> String {
    let names = object.names();
    let meant = nearest(name, names.iter().copied());
    let meant = meant.map(|meant| format!(" (did you mean \"{meant}\"?)"));
    missing_field(name, &names) + &meant.unwrap_or_default()
}

/// An object with its values as they are written.
#[derive(serde::Deserialize)]
#[serde(transparent)]
struct Object<'l> {
    #[serde(borrow)]
    fields: std::collections::BTreeMap<std::borrow::Cow<'l, str>, &'l RawValue>,
}

impl<'l> Object<'l> {
    fn names(&self) -> Vec<&str> {
        self.fields.keys().map(AsRef::as_ref).collect()
    }

    /// A field that is not null, or a field within a field, as in `doc.text`.
    fn field(&self, name: &str) -> Result<Option<&'l RawValue>, String> {
        let written = self.written(name)?;
        Ok(written.filter(|value| value.get() != "null"))
    }

    /// The same, but it may be null.
    fn written(&self, name: &str) -> Result<Option<&'l RawValue>, String> {
        if let Some(value) = self.fields.get(name) {
            return Ok(Some(value));
        }
        let Some((outer, inner)) = name.split_once('.') else {
            return Ok(None);
        };
        match self.fields.get(outer) {
            Some(value) if value.get().starts_with('{') => {
                let inside: Object<'l> =
                    serde_json::from_str(value.get()).map_err(|error| error.to_string())?;
                inside.written(inner)
            }
            _ => Ok(None),
        }
    }
}
