/// What can be wrong with a choice of features or keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name before the first colon is none of the registered methods.
    #[error("unknown {what} \"{name}\"; there are: {known}")]
    UnknownMethod {
        /// `features` or `keys`.
        what: &'static str,
        /// The value given.
        name: String,
        /// The registered forms.
        known: String,
    },
    /// The parts after the name do not fit the method.
    #[error("{what} \"{given}\" is not of the form {form}: {problem}")]
    Malformed {
        /// `features` or `keys`.
        what: &'static str,
        /// The value given.
        given: String,
        /// The form wanted.
        form: &'static str,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// The bands and rows asked for are impossible.
    #[error("{0}")]
    Curve(String),
}
