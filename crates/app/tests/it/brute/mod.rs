//! Whole jobs, run as a library, against brute force and the naive reading of the papers.

mod brute_force;
mod joins;
mod messages;
mod passages;
mod sentences;
mod support;
mod threads;
