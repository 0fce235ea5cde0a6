//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a file beside its place under a hidden name and renames it. What fails leaves nothing, and what was there
/// before as it was.
pub(crate) fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(".partial");
    let partial = path.with_file_name(hidden);
    let written = File::create(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        out.flush()?;
        out.get_ref().sync_data()?;
        fs::rename(&partial, path)
    });
    written
        .inspect_err(|_| {
            // Not made, perhaps: then there is nothing to remove.
            let _ = fs::remove_file(&partial);
        })
        .with_context(|| format!("cannot write {}; name another file", path.display()))
}
