//! Readers and writers on whole files, one file a format or a promise.

#![allow(clippy::unwrap_used)]

mod bad_input;
mod blocks;
mod clean;
mod html;
mod lines;
mod mediawiki;
mod quotes;
mod stackexchange;
mod support;
mod tables;
mod tampered;
mod warc;
