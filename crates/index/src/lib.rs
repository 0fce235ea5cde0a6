//! What have we seen before? Texts on disk, found again by what is similar to them.
//!
//! In: settings and texts with ids. Out: which of the texts are similar to one that comes. An [`Index`] writes, one process at a
//! time; a [`Reader`] looks at what was committed, any number of processes at once. Everything is looked up through a
//! [`View`], which is an index at a moment, by a [`Checker`] a thread.
//!
//! What an index finds follows from the kernel alone: the settings and the frequencies of words are fixed when it is made, so a
//! text has the same keys whenever it comes, and what shares one is compared exactly.
//!
//! ```
//! use lookalike_index::{AddOptions, CheckOptions, CreateOptions, Document, Error, Index, Text};
//! use lookalike_kernel::Spec;
//!
//! # fn main() -> Result<(), Error> {
//! let folder = tempfile::tempdir().map_err(|error| Error::Internal(error.to_string()))?;
//! let mut index = Index::create(&folder.path().join("seen"), &Spec::default(), &CreateOptions::default())?;
//! let seen = Document::new("a".into(), Text::whole("The ferry leaves the old harbour at nine."));
//! let options = AddOptions::new(1_700_000_000).with(|options| options.label = Some("notes".to_string()));
//! index.add([Ok::<_, Error>(seen)].into_iter(), &options, &mut |_| {})?;
//!
//! let view = index.view();
//! let text = Text::whole("the ferry leaves the old harbour at nine");
//! let checked = view.checker()?.check(view, &text, &CheckOptions::default())?;
//! assert_eq!(checked.matches[0].similarity, Some(1.0));
//! assert_eq!(checked.matches[0].label.as_deref(), Some("notes"));
//! # Ok(())
//! # }
//! ```

mod adding;
mod candidates;
mod checker;
mod chunks;
mod document;
mod error;
mod filter;
mod fresh;
mod frozen;
mod index;
mod learning;
mod merging;
mod naming;
mod passages;
mod postings;
mod reader;
mod recent;
mod segment;
mod sketches;
mod store;
mod suggest;
mod view;

pub use checker::{CheckOptions, Checked, Checker, Explanation, Match};
pub use document::{Document, Text};
pub use error::Error;
pub use filter::{Filter, FilterOptions, Verdict};
pub use frozen::{CreateOptions, FORMAT};
pub use index::{AddOptions, Added, Compacted, Index, OpenOptions};
pub use passages::{SharedPassage, SharedText, SharedTexts};
pub use reader::Reader;
pub use store::FILE;
pub use suggest::Suggestion;
pub use view::{Stats, View};

pub use lookalike_kernel as kernel;
pub use lookalike_kernel::rows::Id;
