//! The commands, one file each.

pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod documents;
pub(crate) mod judge;
pub(crate) mod lexicon;
pub(crate) mod params;
pub(crate) mod tune;
