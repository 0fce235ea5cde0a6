//! Why an index cannot do what is asked.

use std::path::{Path, PathBuf};

use lookalike_kernel::Refusal;

/// Each says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting that cannot be, or a text that cannot be signed.
    #[error(transparent)]
    Kernel(#[from] lookalike_kernel::Error),
    /// There is something where an index is to be made.
    #[error("{} is already an index; choose another folder, or add texts to this index with `index add`", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// There is something else where an index is to be made.
    #[error("{} already exists and is no index; choose a folder that does not exist", path.display())]
    Occupied {
        /// The folder or file.
        path: PathBuf,
    },
    /// There is no index.
    #[error("{} is not an index; `index create` creates one", path.display())]
    NoIndex {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes to it.
    #[error(
        "another process is writing to the index {}; wait until it has finished (reading is possible meanwhile)",
        path.display()
    )]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// Its files are not what was written.
    #[error(
        "the index {} is damaged: {problem}; restore it from a backup, or create it again",
        path.display()
    )]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It was made by a later version.
    #[error(
        "the index {} has format {found}, and this version reads formats up to {known}; use a newer version of lookalike",
        path.display()
    )]
    Version {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The latest that is known.
        known: u32,
    },
    /// Its seed is a secret that was not told, or another one was.
    #[error("the index {} was created with a secret seed, and {problem}; use the seed it was created with", path.display())]
    Seed {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
    /// Two indexes do not belong together.
    #[error("{} cannot be merged: {problem}; create an index with the same settings and add the texts to it", path.display())]
    Different {
        /// The other index.
        path: PathBuf,
        /// In what they differ.
        problem: String,
    },
    /// The index cannot be asked that.
    #[error("{problem}; {remedy}")]
    Unsuited {
        /// Why.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// The file cannot be read or written.
    #[error("cannot {action} the index {}: {problem}", path.display())]
    Storage {
        /// What was done: "write to".
        action: &'static str,
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Our bug.
    #[error("internal error: {0}; please report this")]
    Internal(String),
}

impl Error {
    /// The choice that cannot be, if that is what is wrong.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Kernel(error) => error.refusal(),
            _ => None,
        }
    }

    pub(crate) fn damaged(path: &Path, problem: impl Into<String>) -> Self {
        Error::Damaged {
            path: path.to_path_buf(),
            problem: problem.into(),
        }
    }

    /// For `map_err`.
    pub(crate) fn storage<E: std::fmt::Display>(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(E) -> Error {
        move |error| Error::Storage {
            action,
            path: path.to_path_buf(),
            problem: error.to_string(),
        }
    }
}
