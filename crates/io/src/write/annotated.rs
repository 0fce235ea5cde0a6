//! The whole input in one file of JSON Lines, with something added to every record.

use std::io;
use std::path::{Path, PathBuf};

use super::output_file::OutputFile;
use crate::block::Block;
use crate::error::Error;
use crate::format::Format;
use crate::input::Input;
use crate::reader::Reader;
use lookalike_kernel::record::Wanted;

/// Asked for every record by its number, from 1: what is added to it, as JSON.
pub type Annotate<'a> = &'a mut dyn FnMut(u64) -> io::Result<String>;

/// The field that is added.
const FIELD: &str = "lookalike";

/// Where the annotated input goes.
#[derive(Debug)]
pub struct AnnotatedFile {
    file: OutputFile,
}

impl AnnotatedFile {
    /// A file for what is read from `input`, which is none of the others that are read. One that is there is replaced if it
    /// is annotated, or if it `may_be_any`.
    ///
    /// # Errors
    /// If the input cannot be annotated, or the file not be written: it is known before the work.
    pub fn new(
        input: &Input,
        also_read: &[PathBuf],
        destination: &Path,
        may_be_any: bool,
    ) -> Result<Self, Error> {
        let other = (input.sources.iter()).find(|source| source.format != Format::json_lines());
        if let Some(other) = other {
            let cause = format!(
                "records of {}, which is {}, cannot be annotated, only JSON Lines; removed.jsonl and clusters.jsonl say the same",
                other.name, other.format
            );
            return Err(Error::output(destination, cause));
        }
        let mark = format!("\"{FIELD}\": {{");
        let is_ours = |beginning: &str| may_be_any || beginning.contains(&mark);
        let read = input.paths().chain(also_read.iter().map(PathBuf::as_path));
        let file = OutputFile::new(destination, read, is_ours)?;
        Ok(AnnotatedFile { file })
    }

    /// Writes all records in input order, each with a field more. A line that cannot be read is left out, as it is in a cleaned
    /// corpus.
    ///
    /// # Errors
    /// If they cannot be read or written.
    pub fn write(&self, input: &Input, annotate: Annotate<'_>) -> Result<(), Error> {
        self.file.write(|out| {
            let mut reader = Reader::new(input, &Wanted::default());
            let (mut block, mut number) = (Block::default(), 0);
            while reader.next_block(&mut block).map_err(io::Error::other)? {
                let mut unreadable = Vec::new();
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
                    let added = annotate(number)?;
                    if unreadable.binary_search(&slot).is_err() {
                        out.write_all(&annotated(line, &added))?;
                    }
                }
            }
            Ok(())
        })
    }
}

/// A line with a field more.
fn annotated(line: &[u8], added: &str) -> Vec<u8> {
    let line = line.trim_ascii();
    let mut out = line.to_vec();
    if let Some(inside) = line
        .strip_prefix(b"{")
        .and_then(|rest| rest.strip_suffix(b"}"))
    {
        let comma = if inside.trim_ascii().is_empty() {
            ""
        } else {
            ", "
        };
        out.pop();
        out.extend_from_slice(format!("{comma}\"{FIELD}\": {added}}}").as_bytes());
    }
    out.push(b'\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_added_to_objects_alone() {
        let added = |line: &str| String::from_utf8(annotated(line.as_bytes(), "1")).unwrap();
        assert_eq!(
            added("{\"文\": {}}\r\n"),
            "{\"文\": {}, \"lookalike\": 1}\n"
        );
        assert_eq!(added("{ }"), "{ \"lookalike\": 1}\n");
        assert_eq!(added("oops}\n"), "oops}\n");
    }
}
