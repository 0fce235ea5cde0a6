//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes a file beside its place under a hidden name and renames it; both are durable then.
///
/// # Errors
/// If it cannot be written. What fails leaves nothing, and what was there before as it was.
pub fn write_whole(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    // A name that nobody can have taken: two that write one file at a time do not meet.
    let number = drawn_number();
    let mut hidden = OsString::from(".");
    hidden.push(path.file_name().unwrap_or_default());
    hidden.push(format!(".{number:016x}.partial"));
    let partial = path.with_file_name(hidden);
    let written = File::create_new(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        fill(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()?;
        fs::rename(&partial, path)
    });
    if let Err(error) = written {
        // Not made, perhaps: then there is nothing to remove.
        let _ = fs::remove_file(&partial);
        return Err(error);
    }
    path.parent().map_or(Ok(()), sync_folder)
}

/// A number that nobody can foresee, for names of temporary files only.
#[expect(
    clippy::disallowed_types,
    reason = "it is to be another one each time, and reaches no output"
)]
pub(crate) fn drawn_number() -> u64 {
    std::collections::hash_map::RandomState::new().hash_one(0)
}

/// Makes the names in a folder durable. A system that cannot do that for a folder does it by itself.
///
/// # Errors
/// If the system says so.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() {
        here
    } else {
        folder
    };
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cfg!(unix) && error.kind() != io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_left_as_it_was() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("名.json");
        let names = || fs::read_dir(place.path()).unwrap().count();
        write_whole(&path, |out| out.write_all(b"one")).unwrap();
        let failed = write_whole(&path, |out| {
            out.write_all(b"half")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert_eq!(failed.unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert_eq!(
            (fs::read(&path).unwrap().as_slice(), names()),
            (&b"one"[..], 1)
        );
        write_whole(&path, |out| out.write_all(b"two")).unwrap();
        assert_eq!(
            (fs::read(&path).unwrap().as_slice(), names()),
            (&b"two"[..], 1)
        );
        assert!(write_whole(&place.path().join("none/x"), |_| Ok(())).is_err());
    }
}
