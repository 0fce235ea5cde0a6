//! Whole jobs against brute force and the naive reading of the papers.

#![allow(clippy::unwrap_used)]

mod brute_force;
mod joins;
mod messages;
mod passages;
mod sentences;
mod support;
mod threads;
