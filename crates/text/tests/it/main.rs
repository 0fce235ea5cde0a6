//! Words, sentences and disguises, case by case and as properties.

mod cases;
mod messages;
mod properties;
mod sentences;
mod support;
