//! Files that are converted before they are read, once: a line each record, in cells with tabs between.
//!
//! The first cell is the line in the source. A rejection is a line, too: `!`, its line, the reason. The file has its name only
//! once it is whole, so a run that was killed finds it again, and beside it stand its size and its hash: what was damaged since
//! is made anew.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lookalike_engine::write_whole;
use xxhash_rust::xxh3::Xxh3;

use super::records::{self, Lines, RecordCutter, outcome};
use super::{Cut, Decode, Each, Opening, Preparing, Want, check_places, places};
use crate::block::Block;
use crate::error::Error;
use crate::input::SourceFile;
use crate::write::replaceable::written_file;
use lookalike_kernel::record::{Need, Value, Wanted};

const OUTPUT_BYTES: usize = 1 << 20;

/// How a line that is a rejection starts.
pub(super) const REJECTION: &str = "!\t";

/// The file that a source is converted to, made by `convert` unless it is there already. Its name tells what the result
/// depends on: the source, the limits, and `also`.
pub(super) fn prepare(
    preparing: &Preparing<'_>,
    (extension, also): (&str, &[u8]),
    convert: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<PathBuf, Error> {
    let (source, options) = (preparing.source, preparing.options);
    let mut hash = Xxh3::new();
    hash.update(env!("CARGO_PKG_VERSION").as_bytes());
    let limits = [
        options.max_record,
        options.max_expansion,
        options.expansion_floor,
        options.block_bytes as u64,
    ];
    for number in source.files.iter().map(SourceFile::touched).chain(limits) {
        hash.update(&number.to_le_bytes());
    }
    hash.update(also);
    let name = format!("{:016x}.{extension}", hash.digest());
    let path = preparing.spool.join(name);
    if !is_whole(&path) {
        convert(&path)?;
    }
    Ok(path)
}

/// Where the size and hash of a converted file stand.
fn seal_of(path: &Path) -> PathBuf {
    path.with_extension("seal")
}

/// The size and hash of what a file holds, as they are written beside it.
fn seal(path: &Path) -> io::Result<Vec<u8>> {
    Ok(serde_json::to_vec(&written_file(path)?)?)
}

/// Whether a file was converted, and is what it was then.
fn is_whole(path: &Path) -> bool {
    let sealed = fs::read(seal_of(path));
    sealed.is_ok_and(|sealed| seal(path).is_ok_and(|seal| seal == sealed))
}

/// Writes a converted file with `fill`, which is told where that is for the time being.
pub(super) fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>, &Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let partial = path.with_extension("partial");
    // Of a run that was killed; a link that somebody put there is not followed.
    let _ = fs::remove_file(&partial);
    let file = File::create_new(&partial).map_err(Error::file("create", &partial))?;
    let mut out = BufWriter::with_capacity(OUTPUT_BYTES, file);
    fill(&mut out, &partial)?;
    out.into_inner()
        .map_err(IntoInnerError::into_error)
        .and_then(|file| file.sync_all())
        .and_then(|()| {
            let seal = seal(&partial)?;
            write_whole(&seal_of(path), |out| out.write_all(&seal))
        })
        .and_then(|()| fs::rename(&partial, path))
        .map_err(Error::file("write", &partial))
}

/// What the cells of a format mean.
pub(super) trait Cells: Send + Sync + 'static {
    /// What a line holds, for messages: "threads".
    const RECORDS: &'static str;

    /// The fields in the order of the cells, after the line's number, and whether each is a number.
    const FIELDS: &'static [(&'static str, bool)];

    /// Appends the text of a field to `texts`. `scratch` is a buffer to be used again, and empty.
    fn add_text(&self, field: &str, cell: &str, scratch: &mut String, texts: &mut String);

    /// The reason of a rejection.
    fn reason(&self, cell: &str) -> String;
}

/// Opens the converted file. What is too large was rejected when it was converted, so there is no limit here.
pub(super) fn open<C: Cells>(opening: &Opening<'_>, cells: C) -> Result<Box<dyn Cut>, Error> {
    let Some(converted) = &opening.source.prepared else {
        let name = &opening.source.name;
        return Err(Error::Internal(format!("{name} was not converted")));
    };
    let mut cutter = RecordCutter::open_file(&converted.path, opening, Lines)?.without_limit();
    cutter.decode_with(decoder(opening, cells)?);
    Ok(Box::new(cutter))
}

/// Decodes converted lines.
pub(super) fn decoder<C: Cells>(opening: &Opening<'_>, cells: C) -> Result<Arc<dyn Decode>, Error> {
    let fields: Vec<&str> = C::FIELDS.iter().map(|(field, _)| *field).collect();
    Ok(Arc::new(Converted {
        name: opening.source.name.clone(),
        wanted: Arc::clone(opening.wanted),
        places: places(opening, &fields),
        cells,
    }))
}

struct Converted<C> {
    /// The source it was made of.
    name: String,
    wanted: Arc<Wanted>,
    /// Of each wanted field, the place in [`Cells::FIELDS`].
    places: Vec<Option<usize>>,
    cells: C,
}

/// Buffers for one record, reused.
#[derive(Default)]
struct Scratch {
    /// For a cell.
    cell: String,
    /// All texts that are wanted.
    texts: String,
}

impl<C: Cells> Decode for Converted<C> {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut scratch = Scratch::default();
        let mut cells = Vec::new();
        let mut slots = 0;
        for (slot, (_, line)) in (0..).zip(records::lines(block)) {
            slots = slot + 1;
            if !want(slot) {
                continue;
            }
            let line = simdutf8::basic::from_utf8(line).map_err(|_| self.damaged())?;
            let number = |cell: &str| cell.parse().map_err(|_| self.damaged());
            if let Some(rejection) = line.strip_prefix(REJECTION) {
                let (line, reason) = rejection.split_once('\t').ok_or_else(|| self.damaged())?;
                let reason = self.cells.reason(reason);
                each(slot, outcome(&self.name, number(line)?, Err(reason)));
                continue;
            }
            cells.clear();
            cells.extend(line.split('\t'));
            if cells.len() != C::FIELDS.len() + 1 {
                return Err(self.damaged());
            }
            let values = self
                .check()
                .map(|()| self.values(&cells[1..], &mut scratch));
            let values = values.as_deref().map_err(String::clone);
            each(slot, outcome(&self.name, number(cells[0])?, values));
        }
        Ok(slots)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        Some(
            C::FIELDS
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect(),
        )
    }

    fn raw<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        Box::new(records::whole_lines(block).map(|line| (true, line)))
    }
}

impl<C: Cells> Converted<C> {
    fn check(&self) -> Result<(), String> {
        let fields: Vec<&str> = C::FIELDS.iter().map(|(field, _)| *field).collect();
        check_places(&self.wanted, &self.places, &fields)
    }

    fn values<'a>(&self, cells: &[&str], scratch: &'a mut Scratch) -> Vec<Value<'a>> {
        let Scratch { cell, texts } = scratch;
        texts.clear();
        let mut add = |place: &Option<usize>| {
            if let Some(place) = *place {
                cell.clear();
                let (field, _) = C::FIELDS[place];
                self.cells.add_text(field, cells[place], cell, texts);
            }
            texts.len()
        };
        let ends: Vec<usize> = self.places.iter().map(&mut add).collect();
        let texts = texts.as_str();
        let mut begin = 0;
        let fields = self.wanted.fields.iter().zip(&self.places).zip(ends);
        fields
            .map(|((field, place), end)| {
                let text = &texts[std::mem::replace(&mut begin, end)..end];
                let is_number = place.is_some_and(|place| C::FIELDS[place].1);
                match field.need {
                    Need::Text => Value::Text(text),
                    Need::Optional if text.is_empty() => Value::Missing,
                    Need::Optional if is_number => Value::Number(text),
                    Need::Optional => Value::Text(text),
                }
            })
            .collect()
    }

    fn damaged(&self) -> Error {
        let (records, name) = (C::RECORDS, &self.name);
        Error::Internal(format!("the {records} made of {name} are damaged"))
    }
}
