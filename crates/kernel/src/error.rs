//! Why choices cannot be followed.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::setting::Choice;

/// Each says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A choice that cannot be.
    #[error(transparent)]
    Refused(#[from] Refusal),
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

/// A choice that cannot be. Texts name settings as [`setting`](crate::setting) says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub struct Refusal {
    /// What is chosen.
    pub choice: Choice,
    /// Why it cannot be.
    pub problem: String,
    /// What to do about it; empty where the problem says it.
    pub remedy: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)?;
        if self.remedy.is_empty() {
            return Ok(());
        }
        write!(f, "; {}", self.remedy)
    }
}

impl Error {
    /// A choice that cannot be.
    pub fn refused(
        choice: impl Into<Choice>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Error::Refused(Refusal {
            choice: choice.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        })
    }

    /// The choice that cannot be, if that is what is wrong.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Refused(refusal) => Some(refusal),
            _ => None,
        }
    }

    /// For `map_err`: why a name of the user's is none of a method, say. What such an error says after a semicolon is the
    /// remedy.
    pub fn of<E: fmt::Display>(choice: impl Into<Choice>) -> impl FnOnce(E) -> Error {
        |error| {
            let said = error.to_string();
            let (problem, remedy) = said.split_once("; ").unwrap_or((&said, ""));
            Error::refused(choice, problem, remedy)
        }
    }

    /// A saved lexicon that cannot be used, and why.
    pub fn unusable_lexicon(path: &Path, problem: &dyn fmt::Display) -> Self {
        Error::LexiconFile {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }
}
