//! The engine as a library: records and rows that are no files.

#![allow(clippy::unwrap_used, clippy::panic)]

mod changed;
mod outgrown;
mod sixth_job;
