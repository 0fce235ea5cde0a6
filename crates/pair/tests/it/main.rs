//! Kinds of change and passages, case by case and as properties.

#![allow(clippy::unwrap_used)]

mod alignment;
mod kinds;
mod links;
mod templates;
