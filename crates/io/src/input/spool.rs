//! Standard input, copied to a file so that it can be read more than once.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;

const CHUNK_BYTES: usize = 256 << 10;

/// The copy.
pub(super) struct Spooled {
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// Of the content: the copy's time says nothing.
    pub(super) hash: u64,
}

/// Copies all of `from` to a file in `folder`, which is made if need be.
pub(super) fn spool(from: &mut dyn Read, folder: &Path) -> Result<Spooled, Error> {
    fs::create_dir_all(folder).map_err(Error::file("create", folder))?;
    let path = folder.join("stdin");
    // A copy that was made before; a link that somebody put there is not followed.
    let _ = fs::remove_file(&path);
    let file = File::create_new(&path).map_err(Error::file("create", &path))?;
    let mut to = BufWriter::with_capacity(CHUNK_BYTES, file);
    let mut spooled = Spooled {
        path: path.clone(),
        bytes: 0,
        hash: 0,
    };
    let mut hash = Xxh3::new();
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let count = match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::file("read", Path::new("standard input"))(error)),
        };
        let chunk = &chunk[..count];
        hash.update(chunk);
        spooled.bytes += count as u64;
        to.write_all(chunk).map_err(Error::file("write", &path))?;
    }
    to.flush().map_err(Error::file("write", &path))?;
    spooled.hash = hash.digest();
    Ok(spooled)
}
