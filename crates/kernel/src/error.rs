//! Why choices cannot be followed.

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
    /// Our bug.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}
