//! CSV and TSV with a header row. In comes a block of rows, out come the cells of the wanted columns.
//!
//! A quote opens a quoted cell only at the cell's start; inside, two quotes are one, and line ends are text. This is
//! how the `csv` crate reads, and the tests hold the two against each other. Rows end in LF or CR LF.

use std::io::{self, BufRead};
use std::sync::Arc;

use memchr::{memchr, memchr2};

use super::records::{RecordCutter, RecordEnds, invalid_utf8, outcome, to_utf8};
use super::{Cut, Decode, Each, Opening, Want, check_places, open_pieces, places};
use crate::block::Block;
use crate::error::Error;
use crate::format::Entry;
use crate::input::{InputOptions, Source};
use crate::write;
use lookalike_kernel::record::{Need, Value, Wanted};

const COMMA: u8 = b',';
pub(crate) const TAB: u8 = b'\t';

/// What spreadsheets write where a comma is the decimal mark.
const SEMICOLON: u8 = b';';
const PIPE: u8 = b'|';

pub(crate) static COMMAS: Entry = Entry {
    extensions: &["csv"],
    ..Entry::new("csv", open_commas, write::raw::start_csv)
};

pub(crate) static TABS: Entry = Entry {
    extensions: &["tsv", "tab"],
    ..Entry::new("tsv", open_tabs, write::raw::start_tsv)
};

/// Opens a file with cells between commas, or whatever else parts those of its first row.
fn open_commas(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let delimiter = delimiter(opening.source, opening.options)?;
    open_delimited(opening, delimiter)
}

/// What parts the first row of a file into most cells: commas, if none of the others makes more. Spreadsheets may say it in a
/// line before that.
pub(crate) fn delimiter(source: &Source, options: &InputOptions) -> Result<u8, Error> {
    let header = header(source, options, COMMA)?;
    let (told, _) = told_delimiter(&header);
    if let Some(told) = told {
        return Ok(told);
    }
    let count = |delimiter: &u8| cells(without_end(&header), *delimiter).count();
    // Of several with as many, the last is the largest.
    let likely = [PIPE, TAB, SEMICOLON, COMMA];
    Ok(likely.into_iter().max_by_key(count).unwrap_or(COMMA))
}

/// Opens a file with cells between tabs.
fn open_tabs(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    open_delimited(opening, TAB)
}

fn open_delimited(opening: &Opening<'_>, delimiter: u8) -> Result<Box<dyn Cut>, Error> {
    let ends = RowEnds::new(delimiter, opening.options.max_record);
    let mut cutter = RecordCutter::open(opening, ends)?;
    let name = opening.source.name.clone();
    let columns = match read_header(&mut cutter)? {
        Some(header) => column_names(opening.source, told_delimiter(&header).1, delimiter)?,
        // An empty file: there will be no rows to miss a column.
        None => Vec::new(),
    };
    let places = match columns.as_slice() {
        [] => vec![None; opening.wanted.fields.len()],
        columns => places(opening, columns),
    };
    cutter.ends.columns = columns.len();
    cutter.decode_with(Arc::new(Rows {
        name,
        wanted: Arc::clone(opening.wanted),
        delimiter,
        columns,
        places,
    }));
    Ok(Box::new(cutter))
}

/// The header row as it stands in the file, for writing it again.
pub(crate) fn header(
    source: &Source,
    options: &InputOptions,
    delimiter: u8,
) -> Result<Vec<u8>, Error> {
    let mut cutter = open_pieces(source, options, |opening| {
        RecordCutter::open(opening, RowEnds::new(delimiter, options.max_record))
    })?;
    Ok(read_header(&mut cutter)?.unwrap_or_default())
}

/// The row that names the columns, with the line before it that says what parts cells, where there is one.
fn read_header(cutter: &mut RecordCutter<RowEnds>) -> Result<Option<Vec<u8>>, Error> {
    let first = cutter.read_header()?;
    match first {
        Some(line) if told_delimiter(&line).0.is_some() => {
            let names = cutter.read_header()?.unwrap_or_default();
            Ok(Some([line, names].concat()))
        }
        first => Ok(first),
    }
}

/// What parts cells, if the header begins with a line that says so (`sep=;`), and the row that names the columns.
fn told_delimiter(header: &[u8]) -> (Option<u8>, &[u8]) {
    let first = memchr(b'\n', header).map_or(header.len(), |at| at + 1);
    match without_end(&header[..first]) {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', told] => (Some(*told), &header[first..]),
        _ => (None, header),
    }
}

fn column_names(source: &Source, header: &[u8], delimiter: u8) -> Result<Vec<String>, Error> {
    let mut unquoted = Vec::new();
    cells(without_end(header), delimiter)
        .map(|cell| {
            unquoted.clear();
            let (start, end) = unquote(cell, &mut unquoted);
            let cell = &unquoted[start..end];
            std::str::from_utf8(cell)
                .map(str::to_owned)
                .map_err(|_| Error::Damaged {
                    name: source.name.clone(),
                    format: source.format.name(),
                    cause: format!(
                        "its first row, which must name the columns, is not UTF-8; {}",
                        to_utf8(header)
                    ),
                })
        })
        .collect()
}

struct Rows {
    name: String,
    wanted: Arc<Wanted>,
    delimiter: u8,
    /// What they are called, and so how many cells a row must have.
    columns: Vec<String>,
    /// The column of each wanted field.
    places: Vec<Option<usize>>,
}

/// Buffers for one row, reused.
#[derive(Default)]
struct Scratch {
    unquoted: Vec<u8>,
    /// For each wanted field, where its cell lies in `unquoted`.
    found: Vec<(usize, usize)>,
}

impl Decode for Rows {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut scratch = Scratch::default();
        let mut slots = 0;
        let rows = self.rows(block).filter(|(_, row)| !is_blank(row));
        for (slot, (line, row)) in (0..).zip(rows) {
            slots = slot + 1;
            if !want(slot) {
                continue;
            }
            let read = self.read(row, &mut scratch);
            let values = read.as_deref().map_err(String::clone);
            each(slot, outcome(&self.name, line, values));
        }
        Ok(slots)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        Some(self.columns.clone())
    }

    fn raw<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        Box::new(self.rows(block).map(|(_, row)| (!is_blank(row), row)))
    }
}

impl Rows {
    /// The rows of a block, each with its line number and its end.
    fn rows<'b>(&self, block: &'b Block) -> impl Iterator<Item = (u64, &'b [u8])> + use<'b> {
        let mut ends = RowEnds::new(self.delimiter, u64::MAX);
        let mut rest = block.bytes.as_slice();
        let mut next_line = block.place.line;
        std::iter::from_fn(move || {
            let end = ends.next_end(rest).unwrap_or(rest.len());
            let (row, after) = rest.split_at(end);
            rest = after;
            let line = next_line;
            next_line += memchr::memchr_iter(b'\n', row).count() as u64;
            (!row.is_empty()).then_some((line, row))
        })
    }

    fn read<'a>(&self, row: &[u8], scratch: &'a mut Scratch) -> Result<Vec<Value<'a>>, String> {
        scratch.unquoted.clear();
        scratch.found.clear();
        scratch.found.resize(self.places.len(), (0, 0));
        let mut count = 0;
        for (column, cell) in cells(without_end(row), self.delimiter).enumerate() {
            count = column + 1;
            for (place, found) in self.places.iter().zip(&mut scratch.found) {
                if *place == Some(column) {
                    *found = unquote(cell, &mut scratch.unquoted);
                }
            }
        }
        if count != self.columns.len() {
            let (cells, columns) = (plural(count, "cell"), plural(self.columns.len(), "column"));
            return Err(format!(
                "the row has {cells}, but the header has {columns}; is a quote missing?"
            ));
        }
        check_places(&self.wanted, &self.places, &self.columns)?;
        let unquoted =
            simdutf8::basic::from_utf8(&scratch.unquoted).map_err(|_| invalid_utf8(row))?;
        let values: Vec<Value<'a>> = scratch
            .found
            .iter()
            .zip(&self.wanted.fields)
            // A cell that cuts a character in two would have failed above, or is made of two that do.
            .map(
                |(&(start, end), field)| match (unquoted.get(start..end), field.need) {
                    (Some("") | None, Need::Optional) => Value::Missing,
                    (None, Need::Text) => Value::Other("invalid UTF-8"),
                    (Some(cell), _) => Value::Text(cell),
                },
            )
            .collect();
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            value.check(field)?;
        }
        Ok(values)
    }
}

fn is_blank(row: &[u8]) -> bool {
    row.iter().all(|byte| b" \r\n".contains(byte))
}

fn without_end(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 {
        format!("1 {noun}")
    } else {
        format!("{count} {noun}s")
    }
}

/// The cells of a row, still with their quotes.
fn cells(row: &[u8], delimiter: u8) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(row);
    std::iter::from_fn(move || {
        let cell = rest?;
        let unquoted_from = if cell.first() == Some(&b'"') {
            closing_quote(cell)
        } else {
            0
        };
        match memchr(delimiter, &cell[unquoted_from..]) {
            Some(at) => {
                rest = Some(&cell[unquoted_from + at + 1..]);
                Some(&cell[..unquoted_from + at])
            }
            None => rest.take(),
        }
    })
}

/// The rows of a file with commas, cell by cell, each in memory as long as it is looked at.
pub(crate) struct RowCells<R> {
    reader: R,
    ends: RowEnds,
}

impl<R: BufRead> RowCells<R> {
    pub(crate) fn new(reader: R) -> Self {
        let ends = RowEnds::new(COMMA, u64::MAX);
        RowCells { reader, ends }
    }

    /// The cells of the next row without their quotes; none at the end.
    pub(crate) fn next_row(&mut self) -> io::Result<Option<Vec<String>>> {
        let mut row = Vec::new();
        self.ends.restart();
        loop {
            let begin = row.len();
            let is_over = self.reader.read_until(b'\n', &mut row)? == 0;
            if is_over && row.is_empty() {
                return Ok(None);
            }
            if is_over || self.ends.next_end(&row[begin..]).is_some() {
                break;
            }
        }
        let mut unquoted = Vec::new();
        let cells = cells(without_end(&row), COMMA).map(|cell| {
            unquoted.clear();
            let (start, end) = unquote(cell, &mut unquoted);
            let cell = unquoted[start..end].to_vec();
            String::from_utf8(cell).map_err(|_| io::ErrorKind::InvalidData.into())
        });
        cells.collect::<io::Result<_>>().map(Some)
    }
}

/// The position after the quote that closes the one `cell` starts with.
fn closing_quote(cell: &[u8]) -> usize {
    let mut at = 1;
    while let Some(distance) = memchr(b'"', &cell[at..]) {
        at += distance + 1;
        if cell.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    cell.len()
}

/// Appends the cell without its quotes, and says where it lies.
fn unquote(cell: &[u8], out: &mut Vec<u8>) -> (usize, usize) {
    let start = out.len();
    if cell.first() != Some(&b'"') {
        out.extend_from_slice(cell);
        return (start, out.len());
    }
    let close = closing_quote(cell);
    let mut quoted = &cell[1..close];
    while let Some(at) = memchr(b'"', quoted) {
        // Of two quotes one stays; a single one is the last.
        let pair = quoted.get(at + 1) == Some(&b'"');
        out.extend_from_slice(&quoted[..at + usize::from(pair)]);
        quoted = &quoted[at + 1 + usize::from(pair)..];
    }
    out.extend_from_slice(quoted);
    out.extend_from_slice(&cell[close..]);
    (start, out.len())
}

/// Where rows end. A row that is too large, or has a quote that is never closed, is given up with its first line and
/// all that follow up to one that is a row.
struct RowEnds {
    delimiter: u8,
    /// How many cells a row has that can follow one that was given up.
    columns: usize,
    max_record: u64,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    CellStart,
    Unquoted,
    Quoted,
    QuoteInQuoted,
}

impl RowEnds {
    fn new(delimiter: u8, max_record: u64) -> Self {
        Self {
            delimiter,
            columns: 0,
            max_record,
            state: State::CellStart,
        }
    }

    /// Whether a line alone is a row.
    fn is_row(&mut self, line: &[u8]) -> bool {
        self.restart();
        let ends = self.next_end(line).is_some() || !matches!(self.state, State::Quoted);
        ends && cells(without_end(line), self.delimiter).count() == self.columns
    }
}

impl RecordEnds for RowEnds {
    fn restart(&mut self) {
        self.state = State::CellStart;
    }

    fn allows(&self, len: usize) -> bool {
        // Without its LF.
        len as u64 - 1 <= self.max_record
    }

    fn final_end(&mut self, bytes: &[u8]) -> usize {
        let last = self.last_end(bytes).unwrap_or(0);
        let is_open = matches!(self.state, State::Quoted);
        if is_open || (bytes.len() - last) as u64 > self.max_record {
            last
        } else {
            bytes.len()
        }
    }

    fn skip(&mut self, bytes: &[u8], at_end: bool) -> Result<usize, usize> {
        let Some(first) = memchr(b'\n', bytes) else {
            return Err(bytes.len());
        };
        let mut begin = first + 1;
        for line in bytes[begin..].split_inclusive(|&byte| byte == b'\n') {
            let is_whole = at_end || line.ends_with(b"\n");
            if is_whole && self.allows(line.len()) && self.is_row(line) {
                return Ok(begin);
            }
            if !is_whole && self.allows(line.len()) {
                break;
            }
            begin += line.len();
        }
        // The line that is begun is looked at as a whole, after the LF before it.
        Err(if begin < bytes.len() || bytes.ends_with(b"\n") {
            begin - 1
        } else {
            begin
        })
    }

    fn next_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match self.state {
                State::CellStart if byte == b'"' => {
                    self.state = State::Quoted;
                    at += 1;
                }
                State::Quoted => {
                    at += memchr(b'"', &bytes[at..])? + 1;
                    self.state = State::QuoteInQuoted;
                }
                State::QuoteInQuoted if byte == b'"' => {
                    self.state = State::Quoted;
                    at += 1;
                }
                State::CellStart | State::Unquoted | State::QuoteInQuoted => {
                    self.state = State::Unquoted;
                    at += memchr2(self.delimiter, b'\n', &bytes[at..])? + 1;
                    self.state = State::CellStart;
                    if bytes[at - 1] == b'\n' {
                        return Some(at);
                    }
                }
            }
        }
        None
    }
}
