//! The commands, one file each.

pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod documents;
mod job;
pub(crate) mod judge;
pub(crate) mod lexicon;
pub(crate) mod messages;
pub(crate) mod params;
pub(crate) mod passages;
pub(crate) mod sentences;
pub(crate) mod threads;
pub(crate) mod tune;
