//! How common is a word? Statistics of a corpus.
//!
//! Words of documents come in: one [`Counter`] per thread counts in how many documents each occurs and how often, in
//! memory up to a limit and in sorted runs on disk beyond it. Out goes a [`Lexicon`], which features look words up in by
//! their hash, or a [`Vocabulary`], which keeps the words themselves and is written to a file that people can read.
//!
//! ```
//! use lookalike_sign::stats::{Counter, Lexicon, Vocabulary};
//! use lookalike_text::hash::hash64;
//! use lookalike_text::{Seed, TextOptions, Tokenizer};
//!
//! let options = TextOptions::default();
//! let mut tokenizer = Tokenizer::new(options);
//! let mut counter = Counter::new(&std::env::temp_dir(), 64 << 20);
//! for text in ["the cat", "the dog", "the cat and the dog", "a bird"] {
//!     counter.add_document(|words| tokenizer.words(text, words))?;
//! }
//! let mut file = Vec::new();
//! Vocabulary::count(vec![counter], options)?.write(&mut file)?;
//!
//! let lexicon = Lexicon::read(&file[..], Seed(1))?;
//! assert_eq!(lexicon.documents(), 4);
//! assert_eq!(lexicon.document_frequency(hash64(b"the", Seed(1))), 3);
//! assert_eq!(lexicon.idf(hash64(b"cat", Seed(1))), Some(1 << 15));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod counter;
mod file;
mod idf;
mod index;
mod lexicon;
mod merge;
mod vocabulary;

pub use counter::{Counter, DocumentWords};
pub use idf::{IDF_ONE, IdfRange, UNKNOWN_IDF, idf, tf_idf};
pub(crate) use index::HashIndex;
pub use lexicon::{Lexicon, LexiconBuilder};
pub use vocabulary::Vocabulary;

/// A term and how common it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TermCount<'a> {
    /// A word, as the tokenizer gives it.
    pub term: &'a str,
    /// In how many documents it occurs.
    pub documents: u32,
    /// How often it occurs in all of them.
    pub occurrences: u64,
}
