//! What an index promises, one file a promise.

#![allow(clippy::unwrap_used)]

mod crashes;
mod damage;
mod equivalence;
mod kept_file;
mod lifecycle;
mod streams;
mod support;
