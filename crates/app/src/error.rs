//! What can end a command.

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
    /// What cannot be judged or learnt from.
    #[error(transparent)]
    Judge(#[from] lookalike_judge::Error),
}

impl Error {
    /// A choice that cannot be.
    pub fn refused(problem: impl Into<String>) -> Self {
        Error::Kernel(lookalike_kernel::Error::Spec(problem.into()))
    }
}
