//! What is in this text? Normalising, words, characters, offsets back to the source.
//!
//! A text comes in as `&str`. Out go its tokens, words or characters, each in the form in which
//! texts are compared and with the byte range it comes from, or only the hashes of its words.
//! [`TextOptions`] says which differences between texts do not count; [`hash`] is the one hash
//! function of the product; a [`Unit`] is a text with its place in a record.
//!
//! ```
//! use lookalike_text::{TextOptions, Tokenizer};
//!
//! let mut tokenizer = Tokenizer::new(TextOptions::default());
//! let mut words = Vec::new();
//! tokenizer.words("Ｄon’t STOP!", &mut |word: &str, source: std::ops::Range<usize>| {
//!     words.push((word.to_owned(), source));
//! });
//! assert_eq!(words, [("don't".to_owned(), 0..9), ("stop".to_owned(), 10..14)]);
//! ```

mod ascii;
mod characters;
mod chars;
mod chinese;
mod class;
mod disguise;
mod function_words;
pub mod hash;
mod languages;
pub mod numbers;
mod options;
mod piece;
mod plain;
mod refine;
mod segment;
mod sentences;
mod unit;
mod unmask;
mod word_class;
mod words;

pub use disguise::{Chinese, Digits, Emoji, Han, LookAlikes, Repeats, SpacedLetters, ZeroWidth};
pub use function_words::{function_words, stop_words};
pub use hash::Seed;
pub use languages::{Language, Languages, Stemming, StopWords};
pub use numbers::{Dates, Numbers};
pub use options::{Case, Characters, Punctuation, TextOptions, Unicode, UnknownOption, Whitespace};
pub use sentences::{Lines, Sentence, SentenceOptions, items, letters, sentences};
pub use unit::{RecordId, TooMany, Unit, UnitId, UnitPlace};
pub use unmask::simplified;
pub use word_class::WordClass;
pub use words::{TokenSink, Tokenizer};
