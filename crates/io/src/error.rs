//! What makes reading or writing impossible. What is wrong with one record only is a [`Rejection`](crate::Rejection).

use std::io;
use std::path::{Path, PathBuf};

/// An error that ends the run. Each names the input and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read, write, open or list something.
    #[error("cannot {action} {name}: {cause}")]
    File {
        /// What was tried: "open", "read"…
        action: &'static str,
        /// The file or folder.
        name: String,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// An input that is not there.
    #[error("{name} does not exist{nearest}")]
    NotThere {
        /// The name as given.
        name: String,
        /// The name that may be meant, as a question; else empty.
        nearest: String,
    },
    /// A file that holds something else than text.
    #[error("{name} is {kind}, not text; unpack it, or convert it to plain text or HTML")]
    NotText {
        /// The file.
        name: String,
        /// What it is by its first bytes.
        kind: &'static str,
    },
    /// A file whose name does not say what is in it.
    #[error(
        "cannot tell the format of {name} from its name; name it with `format=`, one of: {formats}"
    )]
    UnknownFormat {
        /// The file.
        name: String,
        /// The names of the formats.
        formats: String,
    },
    /// An XML file of a kind that is not read.
    #[error(
        "cannot tell the format of {name}: {found}; the XML formats and their root elements are: {formats}; \
         to read it all the same, say how with `format=`"
    )]
    UnknownXml {
        /// The file.
        name: String,
        /// What is known of its root element.
        found: String,
        /// The names of the XML formats, each with its root element.
        formats: String,
    },
    /// The name of a format that there is not.
    #[error("there is no format \"{name}\"; the formats are: {formats}")]
    NoSuchFormat {
        /// What was asked for.
        name: String,
        /// The names of the formats.
        formats: String,
    },
    /// A glob that cannot be read as one.
    #[error("{pattern} is not a valid pattern: {cause}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        cause: String,
    },
    /// Ids that would be the same in a table.
    #[error(
        "the number {id} and the string \"{id}\" are both ids, which CSV and Parquet tables cannot tell apart; write the result \
         as JSON Lines, or make all ids strings"
    )]
    AmbiguousId {
        /// The number.
        id: String,
    },
    /// A folder with no file in it.
    #[error("the folder {name} has no files in it that could be read")]
    EmptyFolder {
        /// The folder as given.
        name: String,
    },
    /// A glob with no file in it.
    #[error(
        "no files found for {name}; check the path, or quote the pattern so that the shell leaves it alone"
    )]
    NoFiles {
        /// The pattern as given.
        name: String,
    },
    /// A pipe or device, which cannot be read more than once.
    #[error(
        "{name} is not a regular file, and the input is read more than once; pipe it in and name it -"
    )]
    NotAFile {
        /// The name as given.
        name: String,
    },
    /// `-` given more than once.
    #[error("standard input (-) can be read only once; name it once")]
    StandardInputTwice,
    /// An archive that expands beyond the limit.
    #[error(
        "{name} expands to more than {limit} times its size, which is the limit; if the file is to be trusted, raise it \
         with `max-expansion=`"
    )]
    Expansion {
        /// The archive.
        name: String,
        /// The largest ratio allowed.
        limit: u64,
    },
    /// A table without a column that every record must have.
    #[error(
        "{name} has no column \"{field}\"; its columns are: {columns}; name the ones to compare with \
         `text-field=` (those of threads with `fields=`)"
    )]
    MissingColumn {
        /// The file.
        name: String,
        /// The column that was asked for.
        field: String,
        /// The columns there are.
        columns: String,
    },
    /// A file that is not what its format says, as a whole.
    #[error("{name} cannot be read as {format}: {cause}")]
    Damaged {
        /// The file.
        name: String,
        /// The name of the format.
        format: &'static str,
        /// What is wrong and, where there is one, the remedy.
        cause: String,
    },
    /// A place to write to that cannot be used.
    #[error("cannot write to {name}: {cause}")]
    Output {
        /// The file or folder.
        name: String,
        /// What is wrong and the remedy.
        cause: String,
    },
    /// A result file cannot be written.
    #[error("cannot {doing} {path}: {source}; `out=` chooses another folder")]
    Result {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder for the result holds files that no finished run of this program explains.
    #[error(
        "{path} is not from a finished run of lookalike, or was changed since, so it is not replaced; choose another `out=`, move it away, or replace it with `force=true`"
    )]
    Foreign {
        /// The file in the way.
        path: PathBuf,
    },
    /// Something only a mistake in this program can cause.
    #[error("internal error: {0}; please report this")]
    Internal(String),
}

impl Error {
    /// For `map_err`: `File::open(path).map_err(Error::file("open", path))`.
    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        move |cause| Error::File {
            action,
            name: path.display().to_string(),
            cause,
        }
    }

    /// Why the one file that it is about cannot be read; the error itself if it is about anything else.
    pub(crate) fn reason(self) -> Result<String, Error> {
        match self {
            Error::File { action, cause, .. } => Ok(format!("cannot {action} it: {cause}")),
            Error::NotThere { .. } => Ok("cannot open it: it does not exist".to_string()),
            Error::Damaged { format, cause, .. } => {
                Ok(format!("it cannot be read as {format}: {cause}"))
            }
            Error::NotAFile { .. } => Ok("it is not a regular file".to_owned()),
            other => Err(other),
        }
    }

    /// A place to write to, and why it cannot be used.
    pub(crate) fn output(path: &Path, cause: impl Into<String>) -> Error {
        Error::Output {
            name: path.display().to_string(),
            cause: cause.into(),
        }
    }

    /// As `file`, for one of a result.
    pub(crate) fn result(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::Result {
            doing,
            path,
            source,
        }
    }
}
