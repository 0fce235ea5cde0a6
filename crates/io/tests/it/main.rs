//! Readers and writers on whole files, one file per format or promise.

#![allow(clippy::unwrap_used)]

mod arrow;
mod bad_input;
mod blocks;
mod clean;
mod html;
mod lines;
mod mail;
mod mediawiki;
mod quotes;
mod stackexchange;
mod support;
mod tables;
mod tampered;
mod warc;
