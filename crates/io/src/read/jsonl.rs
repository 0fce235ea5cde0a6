//! JSON Lines: an object a line. In comes a block of lines, out come the wanted fields of each.

use std::sync::Arc;

use super::json::{self, Scratch};
use super::lines::{LineCutter, lines, too_large};
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::Block;
use crate::error::Error;
use crate::record::{Need, Record, Rejection, Value, Wanted, missing_field};

/// Opens a file of JSON Lines.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let decoder = JsonLines {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        max_record: opening.options.max_record,
    };
    Ok(Box::new(LineCutter::open(opening, Arc::new(decoder))?))
}

struct JsonLines {
    name: String,
    wanted: Arc<Wanted>,
    max_record: u64,
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
            match self.read(line, &mut scratch) {
                Ok(values) => {
                    each(
                        slot,
                        Ok(Record {
                            line: number,
                            values: &values,
                            name: None,
                            raw_len: line.len(),
                        }),
                    );
                }
                Err(reason) => {
                    each(
                        slot,
                        Err(Rejection {
                            source: self.name.clone(),
                            line: Some(number),
                            reason,
                        }),
                    );
                }
            }
        }
        Ok(slots)
    }
}

impl JsonLines {
    fn read<'a>(&self, line: &'a [u8], scratch: &'a mut Scratch) -> Result<Vec<Value<'a>>, String> {
        if line.len() as u64 > self.max_record {
            return Err(too_large(self.max_record));
        }
        let line = simdutf8::basic::from_utf8(line).map_err(|_| invalid_utf8(line))?;
        let values = scratch.read(line, &self.wanted.fields).map_err(|fault| {
            format!(
                "invalid JSON: {} (byte {} of the line)",
                fault.what,
                fault.at + 1
            )
        })?;
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            if *value == Value::Missing && field.need == Need::Text {
                return Err(missing_field(&field.name, &json::field_names(line)));
            }
            value.check(field)?;
        }
        Ok(values)
    }
}

/// The reason for bytes that are not text.
pub(crate) fn invalid_utf8(bytes: &[u8]) -> String {
    let at = std::str::from_utf8(bytes)
        .err()
        .map_or(0, |error| error.valid_up_to());
    format!(
        "invalid UTF-8 (byte {} of the record); convert the file to UTF-8",
        at + 1
    )
}
