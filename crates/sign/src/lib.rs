//! What identifies a text? Features and keys.
