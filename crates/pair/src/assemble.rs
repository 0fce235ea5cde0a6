//! From verified pairs to what is kept and what is removed.

mod clusters;

pub use clusters::{Directed, Removed, Stars};
