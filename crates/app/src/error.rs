//! What can end a command.

use lookalike_kernel::Refusal;

/// Each names the input and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Choices that cannot be followed.
    #[error(transparent)]
    Kernel(#[from] lookalike_kernel::Error),
    /// A run that could not be started or finished.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// Files that cannot be read or written.
    #[error(transparent)]
    Files(#[from] lookalike_io::Error),
    /// An index that cannot do what is asked.
    #[error(transparent)]
    Index(#[from] lookalike_index::Error),
    /// A text that cannot be read.
    #[error("{name} {problem}")]
    NoText {
        /// How it is called.
        name: String,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// A stream that cannot be read or written.
    #[error(transparent)]
    Stream(std::io::Error),
    /// A folder without a finished result.
    #[error("{} holds no finished result; name the folder that a run wrote", path.display())]
    Unfinished {
        /// The folder.
        path: std::path::PathBuf,
    },
    /// A folder of a result that cannot be used.
    #[error("{} cannot be used: {problem}", path.display())]
    Unusable {
        /// The folder.
        path: std::path::PathBuf,
        /// What is wrong, and the remedy.
        problem: String,
    },
    /// What cannot be judged or learnt from.
    #[error(transparent)]
    Judge(#[from] lookalike_judge::Error),
}

impl Error {
    /// The choice that cannot be, if that is what is wrong.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Kernel(error) => error.refusal(),
            Error::Engine(error) => error.refusal(),
            Error::Judge(error) => error.refusal(),
            Error::Index(error) => error.refusal(),
            _ => None,
        }
    }
}
