//! What makes judging or learning impossible.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use lookalike_kernel::{Choice, Refusal};

use crate::tuning::{Expectation, PrevalenceFrom};

/// Each names the input and says what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Choices that cannot be followed.
    #[error(transparent)]
    Kernel(#[from] lookalike_kernel::Error),
    /// A result cannot be judged.
    #[error("cannot judge {}: {problem}", path.display())]
    Result {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// The operating system refused to read the gold.
    #[error("cannot read {name}: {cause}")]
    Read {
        /// The file.
        name: String,
        /// What the operating system said.
        #[source]
        cause: io::Error,
    },
    /// A line of the gold that does not say what it should.
    #[error("{name}, line {line}: {problem}")]
    Line {
        /// The file.
        name: String,
        /// Counted from 1.
        line: u64,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// More records in the clusters than there are said to be.
    #[error(
        "the clusters name {named} records, but the corpus has {records}; judge them on the corpus they were made from"
    )]
    TooFewRecords {
        /// The number of records given.
        records: u32,
        /// The number of records in the clusters.
        named: usize,
    },
    /// Not a single labelled pair.
    #[error("there are no labelled pairs; give at least one of each label")]
    NoPairs,
    /// All pairs have the same label.
    #[error("no pair has label {missing}; add pairs that {}", match missing {
        1 => "are near-duplicates",
        _ => "look alike but are not near-duplicates",
    })]
    MissingLabel {
        /// The label that no pair has.
        missing: u8,
    },
    /// A precision that no threshold is expected to reach in a corpus.
    #[error(
        "no threshold is expected to reach a precision of {wanted} in {}: the highest is {:.3}, with recall {:.2}; {}, {} or \
         label more pairs",
        corpus(best), best.precision, best.recall, prevalence(best), lower_precision(best.precision)
    )]
    OutOfReach {
        /// The precision that is wanted.
        wanted: f64,
        /// What is expected where it is highest.
        best: Expectation,
    },
    /// A threshold with which hardly anything would be found.
    #[error(
        "with the threshold {threshold}, only {:.1} % of the near-duplicates are expected to be found in {}; {}, ask for a lower \
         precision with `precision=` or label more pairs",
        100.0 * expected.recall, corpus(expected), prevalence(expected)
    )]
    FindsNothing {
        /// The threshold that meets the goal.
        threshold: f64,
        /// What is expected of it.
        expected: Expectation,
    },
    /// A score or similarity with which nothing can be computed.
    #[error(
        "row {row} has the score {value}, which is not a finite number; leave such a row out or give none for it"
    )]
    NotFinite {
        /// Counted from 0.
        row: usize,
        /// The value.
        value: f64,
    },
    /// Cross-validation with too many or too few folds.
    #[error(
        "cannot make {folds} folds of {positives} pairs with label 1 and {negatives} with label 0; every fold needs one of each, so {}", match most {
            0 | 1 => "label at least two pairs of each".to_string(),
            2 => "use 2, or label more pairs".to_string(),
            _ => format!("use from 2 to {most}, or label more pairs"),
        }
    )]
    Folds {
        /// The number asked for.
        folds: usize,
        /// Pairs with label 1.
        positives: usize,
        /// Pairs with label 0.
        negatives: usize,
        /// The largest number of folds possible.
        most: usize,
    },
}

impl From<lookalike_sign::Error> for Error {
    fn from(error: lookalike_sign::Error) -> Self {
        Error::Kernel(error.into())
    }
}

impl Error {
    /// The choice that cannot be, if that is what is wrong.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Kernel(error) => error.refusal(),
            _ => None,
        }
    }

    /// A choice that cannot be.
    pub(crate) fn refused(
        choice: impl Into<Choice>,
        problem: impl Into<String>,
        remedy: &str,
    ) -> Self {
        Error::Kernel(lookalike_kernel::Error::refused(choice, problem, remedy))
    }

    /// Our bug.
    pub(crate) fn internal(problem: impl Display) -> Self {
        Error::Kernel(lookalike_kernel::Error::Internal(problem.to_string()))
    }
}

/// The corpus that something is expected of, and how it is known.
fn corpus(expected: &Expectation) -> String {
    let known = match expected.prevalence_from {
        PrevalenceFrom::Given => "as you say",
        PrevalenceFrom::Counted => "counted from the links",
        PrevalenceFrom::Estimated => "estimated from the pairs that score best",
    };
    format!(
        "a corpus of {} records of which {:.1} % have a near-duplicate ({known})",
        expected.records,
        100.0 * expected.prevalence
    )
}

/// What to do about how many are taken to have one.
fn prevalence(expected: &Expectation) -> &'static str {
    match expected.prevalence_from {
        PrevalenceFrom::Given => "check that share (`prevalence=`)",
        _ => "set that share with `prevalence=` if it is another",
    }
}

/// What to ask for where a precision is the highest that can be reached.
fn lower_precision(highest: f64) -> String {
    let hundredths = (100.0 * highest).floor() / 100.0;
    match hundredths > 0.0 {
        true => format!("ask for `precision={hundredths}`"),
        false => "leave out `precision=`".to_string(),
    }
}
