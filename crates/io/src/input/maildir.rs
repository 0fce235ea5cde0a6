//! Maildirs: folders with the folders `cur`, `new` and `tmp`, in which a file is a mail whatever its name.

use std::path::{Path, PathBuf};

const MAILS: [&str; 2] = ["cur", "new"];
const UNFINISHED: &str = "tmp";

/// Whether a folder is a Maildir.
pub(super) fn is(folder: &Path) -> bool {
    let mut folders = MAILS.iter().chain([&UNFINISHED]);
    folders.all(|name| folder.join(name).is_dir())
}

/// Whether a file is a mail of a Maildir.
pub(super) fn holds(file: &Path) -> bool {
    let Some(folder) = file.parent() else {
        return false;
    };
    is_named(folder, &MAILS) && folder.parent().is_some_and(is)
}

/// The folders of the Maildir that a file is a mail of, if it is.
pub(crate) fn folders(file: &Path) -> Option<impl Iterator<Item = PathBuf>> {
    let root = file.parent()?.parent().filter(|_| holds(file))?;
    let names = MAILS.iter().chain([&UNFINISHED]);
    Some(names.map(|name| root.join(name)))
}

/// Whether something in a Maildir is read: its mails, and the Maildirs in it, whose names begin with a dot. What is beside
/// them, an index say, is no mail.
pub(super) fn reads(path: &Path) -> bool {
    is_named(path, &MAILS) || (path.is_dir() && is(path))
}

fn is_named(path: &Path, names: &[&str]) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| names.contains(&name))
}
