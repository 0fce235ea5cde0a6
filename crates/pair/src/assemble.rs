//! From verified pairs to what is kept and what is removed, and what kind of change is between them.

pub mod alignment;
mod clusters;
mod cohesion;
mod kinds;

pub use clusters::{Directed, Removed, Stars};
pub use cohesion::is_one_story;
pub use kinds::{Change, Comparer, Kind, Statement};
