//! The program as its users meet it, one file a command or a promise.

#![allow(clippy::unwrap_used, clippy::panic)]

mod against;
mod bad_input;
mod brute;
mod changes;
mod compare_passages;
mod crash;
mod damage;
mod determinism;
mod documents;
mod example_pages;
mod formats;
mod judge;
mod judge_passages;
mod lexicon;
mod limits;
mod memory;
mod messages;
mod passages;
mod paths;
mod rejected;
mod safe_screen;
mod sentences;
mod snapshots;
mod soak;
mod stackexchange;
mod stop;
mod support;
mod threads;
mod tune;
