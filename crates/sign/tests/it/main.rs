//! Every method of features, and the files of lexicons.

#![allow(clippy::unwrap_used)]

mod conformance;
mod lexicon_file;
