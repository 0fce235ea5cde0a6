//! Lines of text: a line is a record. In comes a block of lines, out comes the text of each.
//!
//! A line ends in LF, and a CR before that belongs to its end; any other CR is white space in the line. A blank line is a
//! record with an empty text, so that records are numbered as lines are. A file that is no text, or text in UTF-16, is
//! rejected as a whole: line by line it would be rejected a million times, and what passes would be rubbish.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memchr::memchr;

use super::compression::Stream;
use super::records::{self, Lines, RecordCutter, invalid_utf8, line_ranges, outcome, too_large};
use super::web::binary_kind;
use super::{Cut, Decode, Each, Opening, Want, refused};
use crate::block::Block;
use crate::error::Error;
use crate::format::Entry;
use crate::input::InputOptions;
use crate::write;
use lookalike_kernel::record::{Value, Wanted};

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["lines", "txt", "md", "text"],
    has_block_lines: true,
    ..Entry::new("lines", open, write::raw::start)
};

/// How much of a file is looked at to see whether it is text.
const SAMPLE_BYTES: usize = 4096;

/// Opens a file of lines.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    if let Some(reason) = no_text(opening.source.path(), opening.options)? {
        return Ok(refused::refuse(opening, reason));
    }
    let mut cutter = RecordCutter::open(opening, Lines)?;
    cutter.decode_with(Arc::new(Messages {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        max_record: opening.options.max_record,
    }));
    Ok(Box::new(cutter))
}

struct Messages {
    name: String,
    wanted: Arc<Wanted>,
    max_record: u64,
}

impl Decode for Messages {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let content = Content::of(block.bytes.as_slice());
        let place = self.wanted.text_place();
        let mut values = vec![Value::Missing; self.wanted.fields.len()];
        let mut slots = 0;
        for (line, range) in (block.place.line..).zip(line_ranges(content.bytes)) {
            let slot = slots;
            slots += 1;
            if !want(slot) {
                continue;
            }
            let read = self.read(&content, range).map(|text| {
                if let Some(place) = place {
                    values[place] = Value::Text(text);
                }
                values.as_slice()
            });
            each(slot, outcome(&self.name, line, read));
        }
        Ok(slots)
    }

    fn raw<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        Box::new(records::whole_lines(block).map(|line| (true, line)))
    }
}

impl Messages {
    fn read<'a>(&self, content: &Content<'a>, range: Range<usize>) -> Result<&'a str, String> {
        if range.len() as u64 > self.max_record {
            return Err(too_large(self.max_record));
        }
        let line = content.line(range)?;
        let text = line.strip_suffix('\r').unwrap_or(line);
        Ok(if text.trim_start().is_empty() {
            ""
        } else {
            text
        })
    }
}

/// The bytes of a block and what holds for all of them, which is not looked for again in every line.
struct Content<'a> {
    bytes: &'a [u8],
    /// None if some line is not UTF-8.
    text: Option<&'a str>,
}

impl<'a> Content<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Content {
            bytes,
            text: simdutf8::basic::from_utf8(bytes).ok(),
        }
    }

    fn line(&self, range: Range<usize>) -> Result<&'a str, String> {
        match self.text {
            Some(text) => Ok(&text[range]),
            None => {
                let line = &self.bytes[range];
                simdutf8::basic::from_utf8(line).map_err(|_| invalid_utf8(line))
            }
        }
    }
}

/// Why a file has no lines to read, by its first bytes.
fn no_text(path: &Path, options: &InputOptions) -> Result<Option<String>, Error> {
    let first = Stream::first_bytes(path, options, SAMPLE_BYTES)?;
    Ok(fault(first.as_slice()))
}

/// Why these are not the first bytes of a file of lines.
fn fault(first: &[u8]) -> Option<String> {
    // A character that the end of the sample cuts in two is no fault.
    let is_utf8 =
        std::str::from_utf8(first).map_or_else(|error| error.error_len().is_none(), |_| true);
    if is_utf8 && memchr(0, first).is_none() {
        return None;
    }
    if let Some(kind) = binary_kind(first) {
        return Some(format!("this is {kind}, not lines of text"));
    }
    let reason = match first {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "the file is in UTF-16; convert it to UTF-8",
        _ if is_binary(first, is_utf8) => {
            "this is a binary file, or text in UTF-16; text must be converted to UTF-8"
        }
        _ => return None,
    };
    Some(reason.to_owned())
}

/// Text in UTF-16 is NUL every other byte where it is Latin. Of random bytes 10 % are control characters that texts do not
/// have; text in another encoding, which has next to none, is rejected line by line.
fn is_binary(sample: &[u8], is_utf8: bool) -> bool {
    let is_control = |byte: u8| byte < b' ' && !b"\t\n\x0b\x0c\r\x1b".contains(&byte);
    let nuls = sample.iter().filter(|&&byte| byte == 0).count();
    let controls = sample.iter().filter(|&&byte| is_control(byte)).count();
    // Few of them cost few lines.
    nuls > sample.len() / 4 || (!is_utf8 && controls > (sample.len() / 12).max(16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_kernel::record::Field;

    fn read(content: &[u8], field: Field) -> Vec<(u64, Result<String, String>)> {
        let decoder = Messages {
            name: "a.lines".to_owned(),
            wanted: Arc::new(Wanted::new([Field::optional("id"), field])),
            max_record: 20,
        };
        let mut block = Block::default();
        block.bytes.extend(content);
        block.place.line = 7;
        let mut found = Vec::new();
        let slots = decoder.decode(&block, &mut |_| true, &mut |slot, record| {
            assert_eq!(slot as usize, found.len());
            found.push(match record {
                Ok(record) => {
                    assert_eq!(record.values[0], Value::Missing);
                    let text = record.values[1].text().unwrap().to_owned();
                    (record.line, Ok(text))
                }
                Err(rejection) => (rejection.line.unwrap(), Err(rejection.reason)),
            });
        });
        assert_eq!(slots.unwrap() as usize, found.len());
        found
    }

    fn texts(content: &[u8]) -> Vec<String> {
        let found = read(content, Field::text("text"));
        assert!(
            found
                .iter()
                .map(|(line, _)| *line)
                .eq(7..7 + found.len() as u64)
        );
        found.into_iter().map(|(_, text)| text.unwrap()).collect()
    }

    #[test]
    fn a_line_ends_in_lf_or_cr_lf_and_the_last_one_needs_no_end() {
        assert_eq!(texts(b"one\ntwo\r\nthree"), ["one", "two", "three"]);
        assert_eq!(texts("一\n二\r".as_bytes()), ["一", "二"]);
        assert_eq!(texts(b"a\rb\r\r\nc\n"), ["a\rb\r", "c"]);
        assert!(texts(b"").is_empty());
    }

    #[test]
    fn a_blank_line_is_an_empty_text() {
        let blank = "\n\r\n \t\n\u{3000}\u{a0}\r\n  x \n\n".as_bytes();
        assert_eq!(texts(blank), ["", "", "", "", "  x ", ""]);
    }

    #[test]
    fn a_line_that_is_no_text_costs_that_line() {
        let content = b"good\nb\xe4d\nn\0l\na line of more than 20 bytes\n\xe4\xb8\x80\n";
        let found = read(content, Field::text("text"));
        let reasons: Vec<(u64, &str)> = found
            .iter()
            .filter_map(|(line, text)| Some((*line, text.as_ref().err()?.as_str())))
            .collect();
        let expected = [
            (
                8,
                "invalid UTF-8 (byte 2 of the record); convert the file to UTF-8 (`iconv -f WINDOWS-1252 -t UTF-8`, if it is from Windows)",
            ),
            (
                10,
                "the record is larger than 20 bytes, which is the limit; raise it with `max-record=`",
            ),
        ];
        assert_eq!(reasons, expected);
        assert_eq!(found[0], (7, Ok("good".to_owned())));
        assert_eq!(found[2], (9, Ok("n\0l".to_owned())));
        assert_eq!(found[4], (11, Ok("一".to_owned())));
    }

    #[test]
    fn binary_files_are_told_from_text_in_any_encoding() {
        let random: Vec<u8> = (1..=SAMPLE_BYTES as u64)
            .map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8)
            .collect();
        let utf16: Vec<u8> = "some words\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let cases: [(&[u8], &str); 6] = [
            (&random, "binary file"),
            (&utf16, "UTF-16"),
            (
                &[&[0xff, 0xfe], &utf16[..]].concat(),
                "is in UTF-16; convert it to UTF-8",
            ),
            (&[0; 100], "binary file"),
            (b"%PDF-1.7\n%\xe2\xe3\n", "this is a PDF file"),
            (b"GIF89a\0", "this is an image"),
        ];
        for (bytes, reason) in cases {
            assert!(fault(bytes).unwrap().contains(reason));
        }
        let chinese = "一条消息。\n".repeat(500).into_bytes();
        let latin: Vec<u8> = b"gr\xfc\xdfe aus k\xf6ln\n".repeat(100);
        for text in [
            b"".as_slice(),
            b"\n",
            b"GIF89a and PK\n",
            b"a\0b\n",
            b"hi\n\x01\xff\n",
            b"\x03\x03\x034 coloured \x1b[0m\n",
            // Cut within a character.
            &chinese[..SAMPLE_BYTES],
            &latin,
        ] {
            assert_eq!(fault(text), None);
        }
    }
}
