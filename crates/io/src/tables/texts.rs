//! The texts behind the rows of a result, added to them, for those who will not have the input at hand.
//!
//! `records.jsonl` says which records are in pairs. Their texts are read once more and put aside in a file; in memory stay 16
//! bytes for each. Then every row of pairs, clusters and removed records is written again with the texts of the records that
//! it names.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use lookalike_engine::{RecordText, Source, for_each_record};
use lookalike_kernel::Spec;
use lookalike_kernel::rows::{Column, ColumnKind, RecordRow, Shape, Table};
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::{Fields, TableFormat, damaged};
use crate::error::Error;

/// Where the texts of a result come from.
#[derive(Clone, Copy)]
pub struct RecordTexts<'r> {
    /// The input.
    pub input: &'r dyn Source,
    /// The corpus that it is compared with.
    pub against: Option<&'r dyn Source>,
    /// How they are read.
    pub spec: &'r Spec,
}

impl std::fmt::Debug for RecordTexts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecordTexts").finish_non_exhaustive()
    }
}

const fn text(name: &'static str, kind: ColumnKind) -> Column {
    Column {
        name,
        kind,
        optional: true,
    }
}

/// The columns that texts are added in to a table.
pub(crate) fn columns(table: Table) -> &'static [Column] {
    const PAIRS: &[Column] = &[
        text("text_a", ColumnKind::Text),
        text("text_b", ColumnKind::Text),
    ];
    const CLUSTERS: &[Column] = &[text("texts", ColumnKind::List(&ColumnKind::Text))];
    const REMOVED: &[Column] = &[
        text("text", ColumnKind::Text),
        text("kept_text", ColumnKind::Text),
    ];
    match table {
        Table::Pairs => PAIRS,
        Table::Clusters => CLUSTERS,
        Table::Removed => REMOVED,
        _ => &[],
    }
}

/// The same for rows of a shape: what names whole records gets their texts, sentences have their own.
pub(crate) fn columns_of(shape: Shape) -> &'static [Column] {
    let names_records = |column: &Column| {
        matches!(
            (column.name, column.kind),
            ("a" | "id", ColumnKind::Id) | ("members", ColumnKind::List(&ColumnKind::Id))
        )
    };
    match shape.columns().iter().any(names_records) {
        true => columns(shape.table()),
        false => &[],
    }
}

/// The texts of the records in pairs, on disk.
pub(crate) struct Stored {
    /// By the hash of side and id, where the text is.
    places: Vec<(u64, u64)>,
    file: File,
    is_against: bool,
    is_within: bool,
}

impl Stored {
    /// Reads the texts of these records, and keeps them in a file.
    pub(crate) fn read(
        texts: &RecordTexts<'_>,
        records: &Path,
        aside: &Path,
    ) -> Result<Self, Error> {
        let unwritten = |error: std::io::Error| Error::result("write", aside)(error);
        let mut out = BufWriter::new(File::create(aside).map_err(unwritten)?);
        let (mut places, mut at) = (Vec::new(), 0);
        let file = File::open(records).map_err(Error::file("read", records))?;
        let mut rows = BufReader::new(file).lines().map(|line| {
            let line = line.map_err(Error::file("read", records))?;
            let row: Result<RecordRow<'static>, _> = serde_json::from_str(&line);
            row.map_err(|error| damaged(records, TableFormat::JsonLines, error.to_string()))
        });
        let mut row = rows.next().transpose()?;
        for (side, source) in [Some(texts.input), texts.against].into_iter().enumerate() {
            let Some(source) = source else { continue };
            let mut failed = None;
            let mut put = |number: u64, said: RecordText<'_>| -> Result<bool, Error> {
                let place = |row: &RecordRow<'_>| (usize::from(row.against), row.order);
                while row.as_ref().is_some_and(|row| place(row) < (side, number)) {
                    row = rows.next().transpose()?;
                }
                let here = row.as_ref().filter(|row| place(row).0 == side);
                let Some(wanted) = here else {
                    return Ok(false);
                };
                if wanted.order == number {
                    let (id, text) = (wanted.id.to_string(), joined(said));
                    places.push((hash(side, &id), at));
                    let text = serde_json::Value::from(text).to_string();
                    let lengths = [id.len() as u64, text.len() as u64].map(u64::to_le_bytes);
                    let parts = [&lengths[0][..], &lengths[1], id.as_bytes(), text.as_bytes()];
                    for part in parts {
                        at += part.len() as u64;
                        out.write_all(part).map_err(unwritten)?;
                    }
                }
                Ok(true)
            };
            let read = for_each_record(source, texts.spec, &mut |number, _, said| {
                match put(number, said) {
                    Ok(true) => return ControlFlow::Continue(()),
                    Ok(false) => {}
                    Err(error) => failed = Some(error),
                }
                ControlFlow::Break(())
            });
            read.map_err(|error| Error::output(aside, error.to_string()))?;
            failed.map_or(Ok(()), Err)?;
        }
        out.flush().map_err(unwritten)?;
        places.sort_unstable();
        Ok(Stored {
            places,
            file: File::open(aside).map_err(unwritten)?,
            is_against: texts.against.is_some(),
            is_within: texts.spec.within,
        })
    }

    /// The text of a record as JSON, or null. Where the input was compared with itself, too, no id is on both sides.
    fn text(&mut self, side: usize, id: &str) -> std::io::Result<String> {
        let found = match self.text_on(side, id)? {
            None if self.is_within => self.text_on(0, id)?,
            found => found,
        };
        Ok(found.unwrap_or_else(|| "null".to_string()))
    }

    fn text_on(&mut self, side: usize, id: &str) -> std::io::Result<Option<String>> {
        let hash = hash(side, id);
        let mut place = self.places.partition_point(|(other, _)| *other < hash);
        while let Some(&(_, at)) = self.places.get(place).filter(|(other, _)| *other == hash) {
            self.file.seek(SeekFrom::Start(at))?;
            let mut lengths = [[0; 8]; 2];
            for length in &mut lengths {
                self.file.read_exact(length)?;
            }
            let mut part = |length: [u8; 8]| -> std::io::Result<Vec<u8>> {
                let mut bytes = vec![0; u64::from_le_bytes(length) as usize];
                self.file.read_exact(&mut bytes)?;
                Ok(bytes)
            };
            if part(lengths[0])? == id.as_bytes() {
                let text = String::from_utf8(part(lengths[1])?);
                let text = text.map_err(|_| std::io::Error::from(std::io::ErrorKind::InvalidData));
                return text.map(Some);
            }
            place += 1;
        }
        Ok(None)
    }

    /// Writes the lines of a table anew, with texts.
    pub(crate) fn add_to(&mut self, table: Table, path: &Path, aside: &Path) -> Result<(), Error> {
        let unwritten = |error: std::io::Error| Error::result("write", aside)(error);
        let file = File::open(path).map_err(Error::file("read", path))?;
        let mut out = BufWriter::new(File::create(aside).map_err(unwritten)?);
        for line in BufReader::new(file).lines() {
            let line = line.map_err(Error::file("read", path))?;
            let added = self.of_row(table, &line);
            let added = added.map_err(|error| damaged(path, TableFormat::JsonLines, error))?;
            let begun = line.strip_suffix('}').unwrap_or(&line);
            writeln!(out, "{begun}{added}}}").map_err(unwritten)?;
        }
        let file = out
            .into_inner()
            .map_err(|error| unwritten(error.into_error()))?;
        file.sync_data().map_err(unwritten)?;
        fs::rename(aside, path).map_err(unwritten)
    }

    /// The fields that a row gets.
    fn of_row(&mut self, table: Table, line: &str) -> Result<String, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        let row: Fields<'_> = serde_json::from_str(line).map_err(wrong)?;
        let get = |name: &str| row.get(name).map_or("null", |value| value.get());
        let other = usize::from(self.is_against);
        let mut text =
            |side: usize, id: &str| self.text(side, id).map_err(|error| error.to_string());
        Ok(match table {
            Table::Pairs => {
                let (a, b) = (text(0, get("a"))?, text(other, get("b"))?);
                format!(",\"text_a\":{a},\"text_b\":{b}")
            }
            Table::Clusters => {
                let members: Vec<&RawValue> =
                    serde_json::from_str(get("members")).map_err(wrong)?;
                // In input order: a record of the corpus comes last, and there is one at most.
                let kept = members
                    .iter()
                    .rposition(|member| member.get() == get("cluster"));
                let texts = members.iter().enumerate().map(|(place, member)| {
                    let is_kept = other == 1 && Some(place) == kept;
                    text(usize::from(is_kept), member.get())
                });
                let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
                format!(",\"texts\":[{}]", texts.join(","))
            }
            Table::Removed => {
                let (own, kept) = (text(0, get("id"))?, text(other, get("kept"))?);
                format!(",\"text\":{own},\"kept_text\":{kept}")
            }
            _ => String::new(),
        })
    }
}

fn hash(side: usize, id: &str) -> u64 {
    xxh3_64_with_seed(id.as_bytes(), side as u64)
}

/// The text of a record, its fields one after the other.
fn joined(text: RecordText<'_>) -> String {
    match text {
        RecordText::Whole(text) => text.to_string(),
        RecordText::Fields(fields) => {
            let texts: Vec<&str> = fields.iter().map(|(_, text)| *text).collect();
            texts.join("\n")
        }
    }
}
