//! JSON Lines: an object per line. In comes a block of lines, out come the wanted fields of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::compression::Stream;
use super::json::{self, Scratch};
use super::records::{self, Lines, RecordCutter, invalid_utf8, outcome, too_large};
use super::{Cut, Decode, Each, Opening, Want, refused};
use crate::block::Block;
use crate::error::Error;
use crate::format::Entry;
use crate::write;
use lookalike_kernel::record::{Need, Value, Wanted, missing_field};

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["jsonl", "ndjson", "json-lines", "json"],
    ..Entry::new("jsonl", open, write::raw::start)
};

/// So many bytes tell whether a file is one array.
const FIRST_BYTES: usize = 256;

/// Opens a file of JSON Lines.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let first = Stream::first_bytes(opening.source.path(), opening.options, FIRST_BYTES)?;
    if json::begins_array(first.as_slice()) {
        let reason = "this is one JSON array, not JSON Lines; `jq -c '.[]'` makes JSON Lines of it";
        return Ok(refused::refuse(opening, reason.to_owned()));
    }
    let decoder = JsonLines {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        max_record: opening.options.max_record,
        is_assumed: opening.options.format.is_none() && opening.source.is_standard_input(),
    };
    let mut cutter = RecordCutter::open(opening, Lines)?;
    cutter.decode_with(Arc::new(decoder));
    Ok(Box::new(cutter))
}

struct JsonLines {
    name: String,
    wanted: Arc<Wanted>,
    max_record: u64,
    /// Whether nothing says that these are JSON Lines: they come from standard input.
    is_assumed: bool,
}

impl Decode for JsonLines {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut scratch = Scratch::default();
        let mut slots = 0;
        for (slot, (number, line)) in (0..).zip(lines(block)) {
            slots = slot + 1;
            if !want(slot) {
                continue;
            }
            let read = self.read(line, &mut scratch);
            let values = read.as_deref().map_err(String::clone);
            each(slot, outcome(&self.name, number, values));
        }
        Ok(slots)
    }

    fn fields(&self, block: &Block, records: &mut u32) -> Option<Vec<String>> {
        let mut names = BTreeSet::new();
        for (_, line) in lines(block).take(*records as usize) {
            *records -= 1;
            if let Ok(line) = simdutf8::basic::from_utf8(line) {
                names.extend(json::field_names(line));
            }
        }
        Some(names.into_iter().collect())
    }

    fn raw<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        Box::new(records::whole_lines(block).map(|line| (!is_blank(line), line)))
    }
}

impl JsonLines {
    fn read<'a>(&self, line: &'a [u8], scratch: &'a mut Scratch) -> Result<Vec<Value<'a>>, String> {
        if line.len() as u64 > self.max_record {
            return Err(too_large(self.max_record));
        }
        let line = simdutf8::basic::from_utf8(line).map_err(|_| invalid_utf8(line))?;
        let found = scratch.read(line, &self.wanted.fields).map_err(|fault| {
            let hint = match self.is_assumed && !line.trim_start().starts_with('{') {
                true => "; for CSV and others on standard input, name the format with `format=`",
                false => "",
            };
            let (what, at) = (fault.what, fault.at + 1);
            format!("invalid JSON: {what} (byte {at} of the line){hint}")
        })?;
        for (value, field) in found.iter().zip(&self.wanted.fields) {
            if *value == Value::Missing && field.need == Need::Text {
                return Err(missing_field(&field.name, &json::field_names(line)));
            }
            value.check(field)?;
        }
        Ok(found)
    }
}

/// The lines of a block that are not blank, each with its line number and without its line end.
fn lines(block: &Block) -> impl Iterator<Item = (u64, &[u8])> {
    records::lines(block).filter(|(_, line)| !is_blank(line))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}
