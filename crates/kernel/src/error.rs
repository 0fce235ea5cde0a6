//! Why choices cannot be followed.

use std::fmt::Display;
use std::path::{Path, PathBuf};

/// Each says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A choice that cannot be.
    #[error("{0}")]
    Spec(String),
    /// Features cannot be made as chosen: a lexicon that does not fit, say.
    #[error(transparent)]
    Sign(#[from] lookalike_sign::Error),
    /// A saved lexicon cannot be used.
    #[error("cannot use the lexicon {}: {problem}; `lexicon build` writes one", path.display())]
    LexiconFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Our bug.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// A saved lexicon that cannot be used, and why.
    pub fn unusable_lexicon(path: &Path, problem: &dyn Display) -> Self {
        Error::LexiconFile {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}
