//! Which texts are nearest to a text, whatever a threshold says: a ranking by the words that two texts have in common, rare
//! words before common ones.
//!
//! A text of several fields is a vector: of each term how often it occurs in each field ([`FieldTerm`]), weighed by tf-idf
//! once it is known how common terms are ([`Frequencies`], [`Ranking::weigh`]). The similarity of two texts is the cosine of
//! their vectors, fields added up by their [shares](Ranking), so that a word of one title counts that is in the other's body.
//!
//! Not all pairs are compared. A text is found by its heaviest terms, its [`Lead`]s: a [`Block`] of texts is an inverted index
//! of these, [`Sums`] adds up what the leads of a text have in common with those of all others, and the best of these are
//! [`Candidate`]s, which are compared exactly. What the best are does not depend on how texts are put into blocks.

mod block;
mod frequencies;
mod ranking;
mod term;

pub use block::{Block, Candidate, Candidates, Sums};
pub use frequencies::{Frequencies, Idf};
pub use ranking::{Ranking, Spread, Vector};
pub use term::{FieldTerm, Lead};
