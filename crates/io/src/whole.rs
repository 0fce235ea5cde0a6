//! Records as they stand in the input, beside what is decoded of them: whoever passes records on passes on all of each.

use std::collections::VecDeque;

use crate::block::Block;
use crate::error::Error;
use crate::format::Format;
use crate::input::Input;
use crate::reader::Reader;
use lookalike_kernel::record::{Field, Rejection, Value, Wanted};

/// All of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whole {
    /// A line of JSON Lines with its end, be it a record or not.
    Line(Vec<u8>),
    /// A row of a table, a mail or a page.
    Row(WholeRow),
    /// Nothing is known but what is decoded.
    Decoded,
}

/// All of a record that has fields, as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeRow {
    /// The names of its fields and what is in them. Lists are left out; a field within another is called by its path
    /// (`doc.text`). Of one that cannot be read: where it stands (`source`, `line`) and, where it is a piece of a file, that
    /// piece (`row`).
    pub fields: Vec<(String, String)>,
    /// The file that it stands in, and the line unless it is all of the file.
    pub place: (String, Option<u64>),
}

/// Larger pieces that cannot be read are not passed on.
const MOST_PASSED: usize = 1 << 20;

/// All records of an input, one after the other.
pub struct WholeRecords<'i> {
    input: &'i Input,
    /// The source that is read, or the next one.
    part: u32,
    reading: Option<(Reader<'i>, Form)>,
    block: Block,
    /// How many records came before the block.
    before: u64,
    ready: VecDeque<(Option<u64>, Whole)>,
}

/// What the records of a source are.
enum Form {
    Lines,
    /// Rows with these columns, each name once.
    Rows(Vec<String>),
    Decoded,
}

impl<'i> WholeRecords<'i> {
    /// From the beginning. None where there is nothing but what is decoded.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn new(input: &'i Input) -> Result<Option<Self>, Error> {
        for part in 0..input.sources.len() as u32 {
            if !matches!(form(input, part)?, Form::Decoded) {
                return Ok(Some(WholeRecords {
                    input,
                    part: 0,
                    reading: None,
                    block: Block::default(),
                    before: 0,
                    ready: VecDeque::new(),
                }));
            }
        }
        Ok(None)
    }

    /// The next record with its number, from 1; a blank line has none. None at the end. Records that are given up while the
    /// input is cut have no numbers and are not told.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next_record(&mut self) -> Result<Option<(Option<u64>, Whole)>, Error> {
        while self.ready.is_empty() && (self.part as usize) < self.input.sources.len() {
            self.next_block()?;
        }
        Ok(self.ready.pop_front())
    }

    /// Makes the records of the next block ready, or goes on to the next source.
    fn next_block(&mut self) -> Result<(), Error> {
        let (reader, form) = match &mut self.reading {
            Some(reading) => reading,
            none => {
                let form = form(self.input, self.part)?;
                let wanted = match &form {
                    Form::Rows(columns) => Wanted::new(columns.iter().map(Field::optional)),
                    Form::Lines | Form::Decoded => Wanted::default(),
                };
                none.insert((Reader::of_source(self.input, &wanted, self.part), form))
            }
        };
        if !reader.next_block(&mut self.block)? || self.block.place.part != self.part {
            self.reading = None;
            self.part += 1;
            return Ok(());
        }
        let (before, ready) = (self.before, &mut self.ready);
        let number = |slot: u32| before + u64::from(slot) + 1;
        if let Form::Lines = form {
            for (slot, line) in self.block.raw() {
                self.before += u64::from(slot.is_some());
                ready.push_back((slot.map(number), Whole::Line(line.to_vec())));
            }
            return Ok(());
        }
        let Form::Rows(columns) = form else {
            let records = self.block.decode(&mut |_| false, &mut |_, _| {})?;
            self.before += u64::from(records);
            ready.extend((0..records).map(|slot| (Some(number(slot)), Whole::Decoded)));
            return Ok(());
        };
        let source = &self.input.sources[self.part as usize].name;
        let mut pieces = None;
        let records = self.block.decode(&mut |_| true, &mut |slot, record| {
            let row = match record {
                Ok(record) => WholeRow {
                    fields: row(columns, record.values),
                    place: match record.name {
                        Some(name) => (name.to_owned(), None),
                        None => (source.clone(), Some(record.line)),
                    },
                },
                Err(rejection) => {
                    let pieces = pieces.get_or_insert_with(|| pieces_of(&self.block));
                    unread(&rejection, pieces.get(slot as usize).copied())
                }
            };
            ready.push_back((Some(number(slot)), Whole::Row(row)));
        })?;
        self.before += u64::from(records);
        Ok(())
    }
}

/// The pieces of the file that the slots of a block are, if they are such.
fn pieces_of(block: &Block) -> Vec<&[u8]> {
    let pieces = block.raw().filter(|(slot, _)| slot.is_some());
    pieces.map(|(_, piece)| piece).collect()
}

/// What is known of a record that cannot be read.
fn unread(rejection: &Rejection, piece: Option<&[u8]>) -> WholeRow {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let piece = piece.filter(|piece| piece.len() <= MOST_PASSED);
    let piece =
        piece.map(|piece| text(String::from_utf8_lossy(piece).trim_end_matches(['\r', '\n'])));
    let fields = [
        ("source", Some(text(&rejection.source))),
        ("line", rejection.line.map(|line| line.to_string())),
        ("row", piece),
    ];
    let fields = fields.into_iter();
    WholeRow {
        fields: fields
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect(),
        place: (rejection.source.clone(), rejection.line),
    }
}

/// What the records of a source are, by its format and its first block.
fn form(input: &Input, part: u32) -> Result<Form, Error> {
    let source = &input.sources[part as usize];
    if source.format == Format::json_lines() {
        return Ok(Form::Lines);
    }
    if source.fault.is_some() {
        return Ok(Form::Decoded);
    }
    let wanted = Wanted::default();
    let (mut reader, mut block) = (Reader::of_source(input, &wanted, part), Block::default());
    let is_there = reader.next_block(&mut block)? && block.place.part == part;
    Ok(match block.fields(&mut 1).filter(|_| is_there) {
        None => Form::Decoded,
        Some(names) => {
            let mut columns: Vec<String> = Vec::new();
            for name in names {
                if !columns.contains(&name) {
                    columns.push(name);
                }
            }
            Form::Rows(columns)
        }
    })
}

fn row(columns: &[String], values: &[Value<'_>]) -> Vec<(String, String)> {
    let cells = columns.iter().zip(values).filter_map(|(name, value)| {
        let value = match value {
            Value::Missing | Value::Null => "null".to_string(),
            Value::Text(text) => serde_json::Value::from(*text).to_string(),
            Value::Number(number) => (*number).to_string(),
            Value::Bool(is_true) => is_true.to_string(),
            Value::Other(_) => return None,
        };
        Some((name.clone(), value))
    });
    cells.collect()
}
