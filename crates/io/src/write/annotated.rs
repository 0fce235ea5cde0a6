//! The whole input in one file of JSON Lines, with something added to every record.

use std::io;
use std::path::{Path, PathBuf};

use super::output_file::OutputFile;
use super::replaceable::Replaceable;
use super::results::note_annotated;
use crate::block::Block;
use crate::error::Error;
use crate::format::Format;
use crate::input::{Input, SourceFile};
use crate::reader::Reader;
use lookalike_kernel::record::Wanted;

/// Asked for every record by its number, from 1: what is added to it, as JSON.
pub type Annotate<'a> = &'a mut dyn FnMut(u64) -> io::Result<String>;

/// What names of compressed files end with.
const COMPRESSED: [&str; 5] = ["gz", "zst", "bz2", "lz4", "xz"];

/// The field that is added, as JSON has it.
const KEY: &[u8] = b"\"lookalike\"";

/// Where the annotated input goes.
#[derive(Debug)]
pub struct AnnotatedFile {
    file: OutputFile,
}

impl AnnotatedFile {
    /// A file for what is read from `input`, which is none of the others that are read. One that is there is replaced if that
    /// may be replaced.
    ///
    /// # Errors
    /// If the input cannot be annotated, or the file not be written: it is known before the work.
    pub fn new(
        input: &Input,
        also_read: &[PathBuf],
        destination: &Path,
        replaceable: &Replaceable,
    ) -> Result<Self, Error> {
        if input
            .sources
            .iter()
            .any(|source| source.files.iter().any(SourceFile::is_copy))
        {
            let cause = "standard input cannot be read again to be annotated; write it to a file first and name that";
            return Err(Error::output(destination, cause));
        }
        let ending = destination.extension().and_then(|ending| ending.to_str());
        if let Some(ending) = ending.filter(|ending| COMPRESSED.contains(ending)) {
            let cause = format!("annotated records are not compressed; leave .{ending} out");
            return Err(Error::output(destination, cause));
        }
        let other = (input.sources.iter()).find(|source| source.format != Format::json_lines());
        if let Some(other) = other {
            let cause = format!(
                "records of {}, which is {}, cannot be annotated, only JSON Lines; removed.jsonl and clusters.jsonl say the same",
                other.name, other.format
            );
            return Err(Error::output(destination, cause));
        }
        let is_ours = |_: &str| replaceable.allows(destination);
        let read = input.paths().chain(also_read.iter().map(PathBuf::as_path));
        let file = OutputFile::new(destination, read, is_ours)?;
        Ok(AnnotatedFile { file })
    }

    /// Writes the first records in input order, at most so many, each with a field more, and notes in the summary of the result
    /// that it did. A line that cannot be read is left out, as it is in a cleaned corpus.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn write(
        &self,
        input: &Input,
        (result, most): (&Path, u64),
        annotate: Annotate<'_>,
    ) -> Result<(), Error> {
        self.file.write(|out| {
            let mut reader = Reader::new(input, &Wanted::default());
            let (mut block, mut number) = (Block::default(), 0);
            while reader.next_block(&mut block).map_err(io::Error::other)? {
                let (mut unreadable, mut annotated) = (Vec::new(), Vec::new());
                let decoded = block.decode(&mut |_| true, &mut |slot, record| {
                    if record.is_err() {
                        unreadable.push(slot);
                    }
                });
                decoded.map_err(io::Error::other)?;
                for (slot, line) in block.raw() {
                    let Some(slot) = slot else {
                        continue;
                    };
                    number += 1;
                    if number > most {
                        break;
                    }
                    let added = annotate(number)?;
                    if unreadable.binary_search(&slot).is_err() {
                        append_annotated(line, added.as_bytes(), &mut annotated);
                    }
                }
                out.write_all(&annotated)?;
                if number > most {
                    break;
                }
            }
            Ok(())
        })?;
        match self.file.is_stream() {
            true => Ok(()),
            false => note_annotated(result, self.file.path()),
        }
    }
}

/// Appends a line with the field `lookalike` added to its object. One of that name that it has gives way, as no reader
/// understands two; all else stays, byte for byte, up to the end of the line. What is no object stays as it is.
pub fn append_annotated(line: &[u8], added: &[u8], out: &mut Vec<u8>) {
    let object = line.trim_ascii_end();
    let inside = object.strip_suffix(b"}");
    let inside = inside.filter(|inside| inside.trim_ascii_start().starts_with(b"{"));
    match inside {
        None => out.extend_from_slice(object),
        Some(inside) => {
            let begin = out.len();
            append_without_field(inside, out);
            if !out[begin..].trim_ascii_end().ends_with(b"{") {
                out.extend_from_slice(b", ");
            }
            out.extend_from_slice(KEY);
            out.extend_from_slice(b": ");
            out.extend_from_slice(added);
            out.push(b'}');
        }
    }
    append_line_end(&line[object.len()..], out);
}

/// Appends the end of a line, or the whole of it, so that it is ended: the last one of a file may not be.
pub fn append_line_end(line: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(line);
    if line.last() != Some(&b'\n') {
        out.push(b'\n');
    }
}

/// Appends an object, of which the closing brace is missing, without the field `lookalike`.
fn append_without_field(object: &[u8], out: &mut Vec<u8>) {
    if memchr::memmem::find(object, KEY).is_none() {
        out.extend_from_slice(object);
        return;
    }
    let begin = object.len() - object.trim_ascii_start().len() + 1;
    let (brace, inside) = object.split_at(begin);
    out.extend_from_slice(brace);
    let mut is_first = true;
    for member in members(inside) {
        let after = member.trim_ascii_start().strip_prefix(KEY);
        if after.is_some_and(|after| after.trim_ascii_start().starts_with(b":")) {
            continue;
        }
        if !std::mem::take(&mut is_first) {
            out.push(b',');
        }
        out.extend_from_slice(member);
    }
}

/// The members of an object, which commas part, each with the white space around it.
fn members(inside: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut depth, mut is_string, mut is_escaped) = (0_u32, false, false);
    inside.split(move |&byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_string,
            b'"' => is_string = !is_string,
            _ if is_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => return depth == 0,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_added_to_objects_alone() {
        assert_eq!(
            added("{\"文\": {}}  \r\n"),
            "{\"文\": {}, \"lookalike\": 1}  \r\n"
        );
        assert_eq!(added("{ }"), "{ \"lookalike\": 1}\n");
        assert_eq!(added("oops}\n"), "oops}\n");
    }

    #[test]
    fn a_field_of_that_name_gives_way() {
        let once = added(r#"{"a": "\"lookalike\": {,", "b": [{"lookalike": 1}]}"#);
        assert_eq!(
            once,
            "{\"a\": \"\\\"lookalike\\\": {,\", \"b\": [{\"lookalike\": 1}], \"lookalike\": 1}\n"
        );
        assert_eq!(added(&once), once);
        assert_eq!(
            added(r#" {"lookalike" : {"of": "},"}, "b":2 , "lookalike":3 }"#),
            " { \"b\":2 , \"lookalike\": 1}\n"
        );
        assert_eq!(added(r#"{"lookalike":0}"#), "{\"lookalike\": 1}\n");
    }

    fn added(line: &str) -> String {
        let mut out = Vec::new();
        append_annotated(line.as_bytes(), b"1", &mut out);
        String::from_utf8(out).unwrap()
    }
}
