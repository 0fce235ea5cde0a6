//! From verified pairs to what is kept and what is removed, and what kind of change is between them.

pub mod alignment;
mod clusters;
mod cohesion;
mod difference;
mod kinds;
mod parts;
mod split_articles;
mod templates;

pub use clusters::{Components, Directed, Removed, Stars};
pub use cohesion::is_one_story;
pub use kinds::{
    Change, Comparer, Difference, Kind, Outline, RecordChange, RecordComparer, Seen, Statement,
};
pub use parts::{Part, PartsOf, are_nearly_all};
pub use split_articles::{Joint, Link, Placed, in_line, shift, told_by};
pub use templates::{Slot, SlotValue, Template, Templates};
