//! Which texts are alike, and how much?
//!
//! Postings (a key and the unit that has it) go in. [`join`] turns them into candidate [`Pair`]s, [`verify`] scores a
//! candidate exactly, [`assemble`] makes clusters of the verified ones. [`nearest`] ranks what is most similar to a text, whatever the threshold. What passes between these steps goes through
//! a [`spill::Shuffle`], which sorts it within a memory limit; every step sees its input in a total order, so the
//! result cannot depend on threads or memory. What several threads make comes together in the order of the items
//! ([`workers`]).

pub mod assemble;
pub mod join;
pub mod nearest;
mod pair;
pub mod spill;
pub mod verify;
pub mod workers;

pub use pair::{Pair, RecordPair, Scored};
