//! What can end a run.

use std::io;
use std::path::PathBuf;

use lookalike_kernel::record::Rejection;
use lookalike_kernel::{Refusal, show_size};

use crate::source::Failure;

/// Why a run could not be started or finished. Nothing half-written is left where results are expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Choices that cannot be followed.
    #[error(transparent)]
    Kernel(#[from] lookalike_kernel::Error),
    /// A field that is to be read and that no record has.
    #[error(
        "{source_name} has no field \"{name}\"{hint}; the fields are: {there}; choose from these with {setting}{}",
        if *can_be_lenient { ", or read it all the same with `lenient=true`" } else { "" }
    )]
    NoSuchField {
        /// Where it is missing.
        source_name: String,
        /// What names it.
        setting: String,
        /// The field.
        name: String,
        /// What named it, if the user did so, and the field that may be meant, as a question.
        hint: Box<str>,
        /// The fields that there are.
        there: Box<str>,
        /// Whether there is a setting to read it all the same.
        can_be_lenient: bool,
    },
    /// The corpus to compare with has its texts in another field.
    #[error(
        "{source_name} has no field \"{name}\", from which the texts of the input are read; its fields are: {there}; the field \
         must have the same name in both: rename it, or put the corpus into an index with its own `text-field=` \
         (`lookalike index create` and `lookalike index add`), and compare with that"
    )]
    OtherTextField {
        /// The corpus.
        source_name: String,
        /// The field of the input.
        name: String,
        /// The fields that there are.
        there: Box<str>,
    },
    /// A field that is to be compared and that turned out to be in no record.
    #[error(
        "no record has the field \"{name}\"; check the names in `fields=`, or leave this one out if it is empty in all of them"
    )]
    EmptyField {
        /// The field.
        name: String,
    },
    /// More than half of what was read cannot be used.
    #[error(
        "{rejected} of {records} records were rejected, more than half, so nothing was written; the first is {first}; to carry \
         on without them, use `lenient=true`"
    )]
    MostRejected {
        /// How many.
        rejected: u64,
        /// Of how many.
        records: u64,
        /// The first of them, and why.
        first: String,
    },
    /// The field by which records are ranked says nothing of any of them.
    #[error(
        "no record has a number or a date in the field \"{name}\", which `keep=` names, so no record could be chosen by it; \
         name another field, or first, last or longest; to keep the first of each cluster anyway, use `lenient=true`"
    )]
    NothingToRankBy {
        /// The field.
        name: String,
    },
    /// A lexicon does not fit into the memory budget.
    #[error(
        "{terms} distinct words do not fit into the memory: `memory=` must be larger by {}", show_size(*needed)
    )]
    LexiconMemory {
        /// How many words there are.
        terms: usize,
        /// How many bytes are missing.
        needed: u64,
    },
    /// The records cannot be read, or the cleaned corpus not be written.
    #[error(transparent)]
    Source(#[from] Failure),
    /// The rows of the result cannot be written.
    #[error(transparent)]
    Sink(Failure),
    /// Temporary files cannot be written or read back.
    #[error("{0}; `work-dir=` chooses another folder for temporary files")]
    Spill(lookalike_pair::spill::Error),
    /// The folder for temporary files cannot be used.
    #[error("cannot use {path} for temporary files: {source}; `work-dir=` chooses another folder")]
    WorkDir {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// What an unfinished run left is not as it left it.
    #[error("cannot continue the unfinished run: {path}: {reason}; `restart=true` starts over")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something of the user's is where a run must write.
    #[error("{path} was not made by this program; move it away or choose another `out=`")]
    NotOurs {
        /// What is there.
        path: PathBuf,
    },
    /// Records are not those that were read before.
    #[error("{name} changed while it was read; run again")]
    Changed {
        /// The file.
        name: String,
    },
    /// There are more records than 32 bits can number.
    #[error(transparent)]
    TooMany(#[from] lookalike_text::TooMany),
    /// The folder of a run cannot be used.
    #[error("cannot {doing} {path}: {source}; `out=` chooses another folder")]
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
        "two records have the id {id}: {first} and {second}; make the ids unique, choose another `id-field=`, \
         or number the records instead with `ids=number`"
    )]
    DuplicateId {
        /// The id, as JSON.
        id: String,
        /// Where it stands first.
        first: String,
        /// Where it stands again.
        second: String,
    },
    /// No record may be rejected, and one was.
    #[error("{}: {}; without `strict=true` it would be rejected and the run would continue", place(.0), .0.reason)]
    Strict(Rejection),
    /// The memory budget cannot hold what must stay resident.
    #[error(
        "`memory={}` is too small: about {records} records need at least {} ({resident} bytes per record \
         stay resident, and working room)",
        show_size(*given),
        show_size(*needed)
    )]
    Budget {
        /// The bytes given.
        given: u64,
        /// The bytes that would do.
        needed: u64,
        /// The estimated number of records.
        records: u64,
        /// The bytes that stay resident a record.
        resident: u64,
    },
    /// The memory budget cannot hold what a very large text is described by.
    #[error(
        "`memory={}` is too small for a text of {}, which needs at least {} while it is described; allow more, or have such \
         records rejected with a lower `max-record=`",
        show_size(*given),
        show_size(*bytes),
        show_size(*needed)
    )]
    LargeText {
        /// The bytes given.
        given: u64,
        /// The size of the text.
        bytes: u64,
        /// The bytes that would do.
        needed: u64,
    },
    /// The memory budget cannot hold what is said of a cluster, which is one row.
    #[error(
        "{members} records are the same, and the row that lists them does not fit into the memory: \
         at least `memory={}` is needed", show_size(*needed)
    )]
    LargeCluster {
        /// How many records are the same.
        members: u64,
        /// The bytes that would do.
        needed: u64,
    },
    /// The output folder holds an unfinished run of something else.
    #[error(
        "{path} holds an unfinished run with other settings or another input; run that command again to finish it, \
         choose another `out=`, or discard it with `restart=true`"
    )]
    Unfinished {
        /// The output folder.
        path: PathBuf,
    },
    /// Another process works in the folder.
    #[error("another run is working in {path}; wait for it or choose another `out=`")]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// The observer ended the run before anything of it was saved.
    #[error("the run was stopped before anything was saved; the same command starts it again")]
    StoppedAtOnce,
    /// The observer ended the run, which can be continued.
    #[error("the run was stopped; the same command continues it")]
    Stopped,
    /// Our bug.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl From<lookalike_pair::spill::Error> for Error {
    fn from(error: lookalike_pair::spill::Error) -> Self {
        if !error.is_of_checkpoint() {
            return Error::Spill(error);
        }
        Error::Damaged {
            path: error.path,
            reason: error.source.to_string(),
        }
    }
}

pub(crate) fn place(rejection: &Rejection) -> String {
    match rejection.line {
        Some(line) => format!("{}:{line}", rejection.source),
        None => rejection.source.clone(),
    }
}

impl From<lookalike_sign::Error> for Error {
    fn from(error: lookalike_sign::Error) -> Self {
        Error::Kernel(error.into())
    }
}

impl Error {
    /// The same error of a run, which need not mind it.
    pub(crate) fn or_lenient(mut self) -> Self {
        if let Error::NoSuchField { can_be_lenient, .. } = &mut self {
            *can_be_lenient = true;
        }
        self
    }

    /// The choice that cannot be, if that is what is wrong.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Error::Kernel(error) => error.refusal(),
            _ => None,
        }
    }

    /// Our bug: what cannot be was.
    #[expect(clippy::needless_pass_by_value, reason = "for map_err")]
    pub(crate) fn internal(problem: impl ToString) -> Self {
        Error::Internal(problem.to_string())
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
