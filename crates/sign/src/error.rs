/// What can be wrong with a choice of features or keys, or with a lexicon.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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
    /// A method that needs statistics was made without.
    #[error(
        "features \"{method}\" need the statistics of a corpus; name a lexicon with --lexicon, or let the run count its own"
    )]
    MissingLexicon {
        /// The method.
        method: String,
    },
    /// The words of the lexicon are not those of this run.
    #[error(
        "the lexicon was built with {option} {built} and this run has {wanted}: build it again with the options of this run, or run with its options"
    )]
    OtherLexicon {
        /// What differs.
        option: &'static str,
        /// The value of the lexicon.
        built: String,
        /// The value of the run.
        wanted: String,
    },
    /// More antecedents are wanted than there are.
    #[error(
        "features \"{method}\" want {wanted} antecedents and the built-in lists have {available}; set antecedents = \"corpus\" to take them from the corpus"
    )]
    TooFewAntecedents {
        /// The method.
        method: String,
        /// How many it wants.
        wanted: usize,
        /// How many the longest list has.
        available: usize,
    },
    /// A lexicon has more terms than 32 bits can number.
    #[error("a lexicon of {terms} terms is over the limit of 4294967294; count fewer documents")]
    TooManyTerms {
        /// How many there are.
        terms: usize,
    },
    /// Two terms of a lexicon cannot be told apart.
    #[error(
        "terms {} and {} of the lexicon are the same, or have the same hash with seed {seed}: remove one, or take another seed", first + 1, second + 1
    )]
    SameTerm {
        /// The rank of one, from 0.
        first: u32,
        /// The rank of the other.
        second: u32,
        /// The seed of their hashes.
        seed: u64,
    },
    /// The file is not a lexicon, or a damaged one.
    #[error("line {line} of the lexicon: {problem}")]
    Lexicon {
        /// Counted from 1.
        line: u64,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// The file cannot be read.
    #[error("line {line} of the lexicon cannot be read: {problem}")]
    UnreadableLexicon {
        /// Counted from 1.
        line: u64,
        /// What the system said.
        problem: String,
    },
}
