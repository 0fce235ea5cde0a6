//! What similar sentences say of all: which are frames, and which articles share a large part.
//!
//! The aggregates: of each sentence the titles and the facts of those that are like it, as numbers, and in how many places these
//! stand; of two articles how many sentences they have, and how many of these are alike.

use lookalike_pair::assemble::Outline;
use lookalike_text::hash::{Seed, hash64};

/// A sentence has so many others of other titles, with other facts each, if it is a frame.
pub const FRAME: usize = 2;

/// A sentence with similar ones in more articles is a frame of all of them and says nothing of two.
pub const MOST_ARTICLES: u32 = 50;

/// Two articles share a large part if it is this share of the shorter one's sentences,
pub const LARGE_SHARE: f64 = 0.25;
/// and so many of them.
pub const LARGE_COUNT: u32 = 3;

/// What one of two sentences is to the other: numbers for the title of its article and for the facts that it states.
pub fn likeness(outline: &Outline, which: usize, title: Option<&str>) -> (u32, u32) {
    let title = hash64(title.unwrap_or_default().as_bytes(), Seed(0));
    (title as u32, outline.fillings[which] as u32)
}

/// Whether a sentence is a frame that is like others with so many different titles, and so many different facts.
pub fn is_sentence_frame(titles: usize, facts: usize) -> bool {
    titles >= FRAME && facts >= FRAME
}

/// Whether two articles share a large part, with so many sentences in common, where the shorter one has so many.
pub fn is_large_part(common: u32, shorter: usize) -> bool {
    common >= LARGE_COUNT && f64::from(common) >= LARGE_SHARE * shorter as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_other_facts_under_other_titles() {
        assert!(is_sentence_frame(2, 2));
        assert!(!is_sentence_frame(1, 2), "one article");
        assert!(!is_sentence_frame(2, 1), "copies of one");
    }

    #[test]
    fn a_large_part_is_a_share_and_a_number() {
        assert!(is_large_part(3, 12));
        assert!(!is_large_part(3, 13), "a smaller share");
        assert!(!is_large_part(2, 2), "too few");
    }
}
