//! From verified pairs to what is kept and what is removed, and what kind of change is between them.

mod clusters;
mod kinds;

pub use clusters::{Directed, Removed, Stars};
pub use kinds::{Change, Comparer, Kind, Statement, UnknownKind};
