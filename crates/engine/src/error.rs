//! What can end a run.

use std::io;
use std::path::PathBuf;

use lookalike_io::Rejection;

/// Why a run could not be started or finished. Nothing half-written is left where results are expected.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A choice in the spec that cannot be.
    #[error("{0}")]
    Spec(String),
    /// A field that is to be compared and that no record has.
    #[error(
        "no record has the field \"{name}\"; check the names in --fields, or leave this one out if it is empty in all of them"
    )]
    NoSuchField {
        /// The field.
        name: String,
    },
    /// Features cannot be made as chosen: a lexicon that does not fit, say.
    #[error(transparent)]
    Sign(#[from] lookalike_sign::Error),
    /// A saved lexicon cannot be read.
    #[error("cannot use the lexicon {}: {problem}; `lexicon build` writes one", path.display())]
    LexiconFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A result cannot be judged.
    #[error("cannot judge {}: {problem}", path.display())]
    Result {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong, with the remedy.
        problem: String,
    },
    /// Labelled pairs or clusters cannot be used.
    #[error(transparent)]
    Judge(#[from] lookalike_judge::Error),
    /// A lexicon does not fit into the memory budget.
    #[error(
        "{terms} distinct words do not fit into the memory: --memory must be larger by {needed}"
    )]
    LexiconMemory {
        /// How many words there are.
        terms: usize,
        /// How much is missing.
        needed: String,
    },
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] lookalike_io::Error),
    /// Temporary files cannot be written or read back.
    #[error(transparent)]
    Spill(#[from] lookalike_pair::spill::Error),
    /// There are more records than 32 bits can number.
    #[error(transparent)]
    TooMany(#[from] lookalike_text::TooMany),
    /// A result file cannot be written.
    #[error("cannot {doing} {path}: {source}; --out chooses another folder")]
    Output {
        /// What was tried.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Two records have one id.
    #[error(
        "two records have the id {id}: {first} and {second}; make the ids unique, choose another --id-field, \
         or number the records instead with --ids number"
    )]
    DuplicateId {
        /// The id, as JSON.
        id: String,
        /// Where it stands first.
        first: String,
        /// Where it stands again.
        second: String,
    },
    /// `--strict`, and a record was rejected.
    #[error("{}: {}; without --strict it would be rejected and the run go on", place(.0), .0.reason)]
    Strict(Rejection),
    /// The memory budget cannot hold what must stay resident.
    #[error(
        "--memory {given} is too small: about {records} records need at least {needed} ({resident} bytes a record \
         stay resident, and working room)"
    )]
    Budget {
        /// What was given.
        given: String,
        /// What would do.
        needed: String,
        /// The estimated number of records.
        records: u64,
        /// The bytes that stay resident a record.
        resident: u64,
    },
    /// The output folder holds an unfinished run of something else.
    #[error(
        "{path} holds an unfinished run with other settings or another input; run that command again to finish it, \
         choose another --out, or discard it with --restart"
    )]
    Unfinished {
        /// The output folder.
        path: PathBuf,
    },
    /// The output folder holds files that no finished run of this program explains.
    #[error(
        "{path} is not from a finished run of lookalike, so it is not replaced; choose another --out or move it away"
    )]
    Foreign {
        /// The file in the way.
        path: PathBuf,
    },
    /// Another process works in the folder.
    #[error("another run is working in {path}; wait for it or choose another --out")]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// Our bug.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

pub(crate) fn place(rejection: &Rejection) -> String {
    match rejection.line {
        Some(line) => format!("{}:{line}", rejection.source),
        None => rejection.source.clone(),
    }
}

impl Error {
    /// What is wrong with a saved lexicon.
    pub(crate) fn lexicon(path: &std::path::Path) -> impl FnOnce(lookalike_sign::Error) -> Error {
        move |problem| Error::LexiconFile {
            path: path.to_path_buf(),
            problem: problem.to_string(),
        }
    }

    pub(crate) fn output(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::Output {
            doing,
            path,
            source,
        }
    }
}
