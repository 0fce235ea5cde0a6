//! The corpus of a run: one input, or an input and the corpus it is compared with.
//!
//! Records are numbered through both in input order, and so are the units they are split into; the blocks they come in are
//! remembered (40 bytes a megabyte), so that any of them can be read again.

mod pass;
mod split;

use std::ops::Range;
use std::path::Path;

use lookalike_kernel::jobs::Split;
use lookalike_kernel::record::{Field, Record, Value, Wanted};
use lookalike_kernel::{IdSource, Keep, Spec};
use lookalike_text::hash::{hash_sequence, hash64};
use lookalike_text::{Lines, Seed, Sentence, SentenceOptions, Unit, UnitId, sentences};

use crate::Error;
use crate::places::Place;
use crate::source::{Block, Source};
pub(crate) use pass::{BlockMark, DecodedHash, Pass, Tally};
pub(crate) use split::Splitter;

/// One input, or an input and the corpus it is compared with.
#[derive(Debug)]
pub(crate) struct Corpus<'r> {
    parts: Vec<&'r dyn Source>,
    wanted: Wanted,
    /// The same, but a record may lack any of them.
    wanted_loosely: Wanted,
    fields: Fields,
    split: Split,
    /// Whether the input is compared with itself beside another corpus.
    within: bool,
}

/// Where in a record's values which field stands.
#[derive(Debug, Clone)]
struct Fields {
    texts: usize,
    /// How many of these are compared one by one, and so may be missing: all or none.
    one_by_one: usize,
    /// The field with references, which stands after the texts.
    has_references: bool,
    id: Option<IdField>,
    title: Option<usize>,
    date: Option<usize>,
    source: Option<usize>,
    keep: Option<usize>,
    keep_per: Option<KeepPer>,
    /// The field by which the source itself tells records apart.
    apart: Option<usize>,
    answers: Option<Answers>,
}

/// What two records must have in common to take each other.
#[derive(Debug, Clone, Copy)]
enum KeepPer {
    Field(usize),
    File,
    Folder,
}

/// What stands for the file of a record, and for its folder, where fields are named.
pub(crate) const FILE: &str = "@file";
pub(crate) const FOLDER: &str = "@folder";

/// Of records that carry answers.
#[derive(Debug, Clone, Copy)]
struct Answers {
    /// Where their number stands.
    count: usize,
    /// Whether one of them is compared.
    one_is_compared: bool,
}

#[derive(Debug, Clone)]
struct IdField {
    position: usize,
    /// The name, where the user chose it: then every record must have it.
    chosen: Option<String>,
}

impl<'r> Corpus<'r> {
    pub(crate) fn new(parts: Vec<&'r dyn Source>, spec: &Spec) -> Self {
        let compared = spec.compared_fields();
        let one_by_one = !compared.is_empty();
        let mut fields: Vec<Field> = if one_by_one {
            compared.iter().map(Field::optional).collect()
        } else {
            spec.input.text_field.iter().map(Field::text).collect()
        };
        let texts = fields.len();
        let mut split = spec.job.split(spec);
        match &mut split {
            Split::Whole => {}
            Split::Sentences(sentences) => break_lines(&parts, &mut sentences.split),
            Split::Pages(options) => break_lines(&parts, options),
        }
        // A field is asked for once, whatever it is for.
        let mut optional = |name: &String| match fields.iter().position(|field| field.name == *name)
        {
            Some(position) => position,
            None => {
                fields.push(Field::optional(name));
                fields.len() - 1
            }
        };
        let (title, date, has_references) = match &split {
            Split::Whole | Split::Pages(_) => {
                let has_titles = spec.job.has_titles();
                let title = has_titles.then(|| optional(&spec.sentences.title_field));
                (title, None, false)
            }
            Split::Sentences(sentences) => {
                // Where references are part of the text, they are text.
                let is_own = optional(&sentences.reference_field) == texts;
                let title = optional(&sentences.title_field);
                (Some(title), Some(optional(&sentences.date_field)), is_own)
            }
        };
        let id = match spec.input.ids {
            IdSource::Number => None,
            IdSource::Field => Some(IdField {
                position: optional(&spec.input.id_field),
                // Every printed configuration names the usual field, so records need not have that one.
                chosen: (spec.input.id_field != "id").then(|| spec.input.id_field.clone()),
            }),
        };
        let source = spec.input.source_field.as_ref().map(&mut optional);
        let keep_per = spec.keep_per.as_ref().map(|name| match name.as_str() {
            FILE => KeepPer::File,
            FOLDER => KeepPer::Folder,
            _ => KeepPer::Field(optional(name)),
        });
        let keep = match &spec.keep {
            Keep::Field(name) => Some(optional(name)),
            _ => None,
        };
        let removes = matches!(split, Split::Whole) && spec.job.removes_records(spec);
        let apart = parts.iter().find_map(|part| part.apart_by());
        let apart = apart
            .filter(|_| removes)
            .map(|name| optional(&name.to_string()));
        let answers = parts.first().and_then(|input| input.answers());
        let answers = answers.filter(|_| one_by_one).map(|answers| Answers {
            count: optional(&answers.count.to_string()),
            one_is_compared: compared.iter().any(|name| name == answers.chosen),
        });
        let loose = fields.iter().map(|field| Field::optional(&field.name));
        Corpus {
            parts,
            wanted_loosely: Wanted::new(loose),
            wanted: Wanted::new(fields),
            fields: Fields {
                texts,
                one_by_one: if one_by_one { texts } else { 0 },
                has_references,
                id,
                title,
                date,
                source,
                keep,
                keep_per,
                apart,
                answers,
            },
            split,
            within: spec.within,
        }
    }

    /// Splits records into units; one a thread.
    pub(crate) fn splitter(&self) -> Splitter<'_> {
        Splitter::new(self, &self.split)
    }

    /// Takes every record as one unit, with the number of the record.
    pub(crate) fn whole_records(&self) -> Splitter<'_> {
        Splitter::new(self, &Split::Whole)
    }

    /// The sentences of a whole text.
    pub(crate) fn sentences(&self, text: &str, out: &mut Vec<Sentence>) {
        let all = SentenceOptions::unlimited();
        let options = match &self.split {
            Split::Pages(options) => options,
            Split::Sentences(spec) => &spec.split,
            Split::Whole => &all,
        };
        out.clear();
        sentences(text, options, |sentence| out.push(sentence));
    }

    /// Whether every record is one unit.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.split, Split::Whole)
    }

    /// How many units in a row overlap: runs of several sentences do.
    pub(crate) fn overlapping(&self) -> u32 {
        match &self.split {
            Split::Whole | Split::Pages(_) => 1,
            Split::Sentences(sentences) => sentences.window,
        }
    }

    /// Whether a unit of this field is from a list of references.
    pub(crate) fn is_reference(&self, field: u16) -> bool {
        self.fields.has_references && usize::from(field) == self.fields.texts
    }

    /// Whether units of one record are compared with each other.
    pub(crate) fn compares_within_records(&self) -> bool {
        match &self.split {
            Split::Whole => true,
            Split::Sentences(sentences) => sentences.within_article,
            Split::Pages(_) => false,
        }
    }

    pub(crate) fn is_against(&self) -> bool {
        self.parts.len() > 1
    }

    /// Whether records of the input are compared with each other: always, but for `--against` without `--within`.
    pub(crate) fn compares_input(&self) -> bool {
        !self.is_against() || self.within
    }

    /// The side by whose ids a record is known: both are one where the input is compared with both.
    pub(crate) fn id_side(&self, part: usize) -> usize {
        match self.within {
            true => 0,
            false => part,
        }
    }

    /// Ends with an error if a file cannot have what is wanted: a table without the column, say.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.parts
            .iter()
            .try_for_each(|part| Ok(part.check(&self.wanted)?))
    }

    /// Ends with an error if records changed since the run began: it would mix them with those they were.
    pub(crate) fn check_unchanged(&self) -> Result<(), Error> {
        let changed = self.parts.iter().find_map(|part| part.changed());
        changed.map_or(Ok(()), |name| Err(Error::Changed { name }))
    }

    /// Differs from that of an earlier run if records may have changed since; none where that cannot be told.
    pub(crate) fn touched(&self) -> Option<u64> {
        let touched: Option<Vec<u64>> = self.parts.iter().map(|part| part.touched()).collect();
        touched.map(|touched| hash_sequence(&touched, Seed(0)))
    }

    /// Ends with an error if a block that was read again is not what it was, as far as that was not told by what it holds.
    pub(crate) fn check_decoded(&self, mark: &BlockMark, block: &Block) -> Result<(), Error> {
        if block.fingerprint().is_some() {
            return Ok(());
        }
        let mut hash = DecodedHash::default();
        block.decode(&mut |_| true, &mut |_, record| hash.add(&record))?;
        if mark.is_of(hash) {
            return Ok(());
        }
        Err(self.changed(mark))
    }

    /// A block that is not what it was.
    fn changed(&self, mark: &BlockMark) -> Error {
        let name = self.source_name(mark.part(), mark.place().part).to_string();
        Error::Changed { name }
    }

    /// The size on disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes()).sum()
    }

    pub(crate) fn source_name(&self, part: usize, source: u32) -> &str {
        self.parts[part].part_name(source)
    }

    /// Where a record stands: its file and line, which a record that is a file has none of.
    pub(crate) fn place(&self, part: usize, source: u32, line: u64) -> (String, Option<u64>) {
        self.parts[part].place(source, line)
    }

    /// Tells the states that the records at wanted places were in, the oldest of each first.
    pub(crate) fn revisions(
        &self,
        is_wanted: &dyn Fn(Place) -> bool,
        each: &mut dyn FnMut(Place, &Record<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for (side, source) in self.parts.iter().enumerate() {
            let place = |part: u32, line: u64| Place { side, part, line };
            let mut failed = None;
            let read = source.revisions(
                &self.wanted,
                &|part, line| is_wanted(place(part, line)),
                &mut |part, record| {
                    each(place(part, record.line), &record).map_err(|error| {
                        let told = error.to_string();
                        failed = Some(error);
                        told.into()
                    })
                },
            );
            // The error itself: it says whether the run was stopped.
            failed.map_or(Ok(()), Err)?;
            read?;
        }
        Ok(())
    }

    /// How many characters and how many bytes the text of a record has, in all its fields.
    pub(crate) fn text_sizes(&self, record: &Record<'_>) -> [u32; 2] {
        let texts = record.values[..self.fields.texts].iter().map(written);
        let characters: usize = texts.clone().map(|text| text.chars().count()).sum();
        let sizes = [characters, texts.map(str::len).sum()];
        sizes.map(|size| size.try_into().unwrap_or(u32::MAX))
    }

    /// The title of a record as JSON, where titles are kept.
    pub(crate) fn title(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        write_named(record, self.fields.title, out);
    }

    /// The date of a record as JSON, where dates are kept.
    pub(crate) fn date(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        write_named(record, self.fields.date, out);
    }

    /// What a record is from as JSON, where a field says it.
    pub(crate) fn source(&self, record: &Record<'_>, out: &mut Vec<u8>) {
        write_named(record, self.fields.source, out);
    }

    /// Whether that is kept.
    pub(crate) fn has_sources(&self) -> bool {
        self.fields.source.is_some()
    }

    /// Whether titles and dates are kept.
    pub(crate) fn has_titles(&self) -> bool {
        self.fields.title.is_some()
    }

    /// Whether dates are kept.
    pub(crate) fn has_dates(&self) -> bool {
        self.fields.date.is_some()
    }

    /// A record as a unit, its text joined in `texts` where it stands in several fields.
    pub(crate) fn whole<'t>(
        &self,
        id: UnitId,
        record: &Record<'t>,
        texts: &'t mut Texts,
    ) -> Unit<'t> {
        let values = &record.values[..self.fields.texts];
        texts.fields.clear();
        let text = match values {
            [only] => {
                let text = written(only);
                texts.fields.push(0..text.len());
                text
            }
            _ => {
                texts.join(values);
                texts.joined.as_str()
            }
        };
        Unit {
            fields: if self.fields.one_by_one > 0 {
                &texts.fields
            } else {
                &[]
            },
            ..Unit::whole(id, text)
        }
    }

    /// Why a record cannot be compared field by field, if so.
    pub(crate) fn check_fields(&self, record: &Record<'_>) -> Result<(), String> {
        if self.fields.one_by_one == 0 {
            return Ok(());
        }
        let values = || self.compared_fields().zip(record.values);
        for (name, value) in values() {
            if matches!(value, Value::Bool(_) | Value::Other(_)) {
                let kind = value.kind();
                return Err(format!("field \"{name}\" is {kind}, not a string"));
            }
        }
        if values().any(|(_, value)| *value != Value::Missing) {
            return Ok(());
        }
        let names: Vec<&str> = self.compared_fields().collect();
        Err(format!(
            "none of the fields {} is present; `fields=` names the fields to compare",
            names.join(", ")
        ))
    }

    /// Which of the fields that are compared one by one a record has, each with its number.
    pub(crate) fn fields_there(&self, record: &Record<'_>) -> impl Iterator<Item = usize> {
        let is_there = move |&number: &usize| record.values[number] != Value::Missing;
        (0..self.fields.one_by_one).filter(is_there)
    }

    /// The names of the fields that are compared one by one.
    pub(crate) fn compared_fields(&self) -> impl Iterator<Item = &str> {
        let compared = &self.wanted.fields[..self.fields.one_by_one];
        compared.iter().map(|field| field.name.as_str())
    }

    /// The id of a record as JSON, or why it has none; then nothing is written. `--ids number` has none to store.
    pub(crate) fn id(
        &self,
        record: &Record<'_>,
        part: usize,
        source: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), String> {
        let Some(field) = &self.fields.id else {
            return Ok(());
        };
        let value = match (record.name, &field.chosen) {
            // A file goes by its path, unless somebody chose otherwise.
            (Some(_), None) => Value::Missing,
            _ => record.values[field.position],
        };
        match (value, &field.chosen) {
            (Value::Text(text), _) => write_json_string(text, out),
            (Value::Number(number), _) => out.extend_from_slice(number.as_bytes()),
            (Value::Missing | Value::Null, None) => match record.name {
                Some(name) => write_json_string(name, out),
                None => write_json_string(
                    &format!("{}:{}", self.source_name(part, source), record.line),
                    out,
                ),
            },
            (Value::Missing, Some(name)) => {
                return Err(format!(
                    "field \"{name}\" is missing; `id-field=` names the field with the id"
                ));
            }
            (other, _) => {
                return Err(format!(
                    "the id is {}, not a string or a number",
                    other.kind()
                ));
            }
        }
        Ok(())
    }

    /// Whether a record has no id of its own: then it is called by where it stands.
    pub(crate) fn is_named_by_place(&self, record: &Record<'_>) -> bool {
        let Some(field) = &self.fields.id else {
            return true;
        };
        record.name.is_none()
            && matches!(record.values[field.position], Value::Missing | Value::Null)
    }

    /// Whether ids are stored at all.
    pub(crate) fn has_ids(&self) -> bool {
        self.fields.id.is_some()
    }

    pub(crate) fn keep_value<'t>(&self, record: &Record<'t>) -> Value<'t> {
        self.fields
            .keep
            .map_or(Value::Missing, |position| record.values[position])
    }

    /// Whether records carry answers, of which one is read at most.
    pub(crate) fn counts_answers(&self) -> bool {
        self.fields.answers.is_some()
    }

    /// How many answers a record carries; none where that is not counted.
    pub(crate) fn answers(&self, record: &Record<'_>) -> u32 {
        match self
            .fields
            .answers
            .map(|answers| record.values[answers.count])
        {
            Some(Value::Number(text) | Value::Text(text)) => text.trim().parse().unwrap_or(0),
            _ => 0,
        }
    }

    /// How many of so many answers of a record are not compared.
    pub(crate) fn not_compared(&self, answers: u32) -> u32 {
        let is_compared = self
            .fields
            .answers
            .is_some_and(|answers| answers.one_is_compared);
        answers.saturating_sub(u32::from(is_compared))
    }

    /// What records must have in common to take each other: a hash of it, and 0 for all where nothing is asked for. The record
    /// is of the source of this name, if it is no file itself.
    pub(crate) fn keep_per(&self, record: &Record<'_>, source: &str) -> u64 {
        let file = record.name.unwrap_or(source);
        let chosen = match self.fields.keep_per {
            None => 0,
            Some(KeepPer::File) => hash64(file.as_bytes(), Seed(1)),
            Some(KeepPer::Folder) => {
                let folder = Path::new(file).parent().unwrap_or(Path::new(""));
                hash64(folder.to_string_lossy().as_bytes(), Seed(1))
            }
            Some(KeepPer::Field(position)) => match record.values[position] {
                Value::Text(text) | Value::Number(text) => hash64(text.as_bytes(), Seed(1)),
                Value::Bool(value) => hash64(&[u8::from(value)], Seed(2)),
                _ => 1,
            },
        };
        let apart = self.fields.apart.map(|position| record.values[position]);
        chosen
            ^ match apart {
                Some(Value::Text(text)) => hash64(text.as_bytes(), Seed(3)),
                _ => 0,
            }
    }

    /// Whether anything is asked for.
    pub(crate) fn asks_for_common(&self) -> bool {
        self.fields.keep_per.is_some() || self.fields.apart.is_some()
    }

    /// The field by which the source itself tells records apart.
    pub(crate) fn apart_by(&self) -> Option<&str> {
        let position = self.fields.apart?;
        Some(&self.wanted.fields[position].name)
    }

    /// A pass from the beginning.
    pub(crate) fn pass(&self) -> Pass<'_> {
        Pass::new(self, &self.wanted)
    }

    /// A pass that rejects only what cannot be read at all.
    pub(crate) fn loose_pass(&self) -> Pass<'_> {
        Pass::new(self, &self.wanted_loosely)
    }
}

/// Where every line is a block, its end is that of a sentence.
fn break_lines(parts: &[&dyn Source], split: &mut SentenceOptions) {
    if split.lines == Lines::Auto && parts.iter().all(|part| part.has_block_lines()) {
        split.lines = Lines::Break;
    }
}

/// Writes what stands at a place in a record as a JSON string.
fn write_named(record: &Record<'_>, place: Option<usize>, out: &mut Vec<u8>) {
    let value = place.map(|place| record.values[place]);
    if let Some(Value::Text(text) | Value::Number(text)) = value {
        write_json_string(text, out);
    }
}

fn write_json_string(text: &str, out: &mut Vec<u8>) {
    // Writing to a vector cannot fail.
    let _ = serde_json::to_writer(out, text);
}

/// Room for the text of a record that stands in several fields.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    joined: String,
    fields: Vec<Range<usize>>,
}

impl Texts {
    fn join(&mut self, values: &[Value<'_>]) {
        self.joined.clear();
        for (number, value) in values.iter().enumerate() {
            if number > 0 {
                self.joined.push('\n');
            }
            let begin = self.joined.len();
            self.joined.push_str(written(value));
            self.fields.push(begin..self.joined.len());
        }
    }
}

/// What is written in a field; a number as its digits.
fn written<'r>(value: &Value<'r>) -> &'r str {
    match value {
        Value::Text(text) | Value::Number(text) => text,
        _ => "",
    }
}
