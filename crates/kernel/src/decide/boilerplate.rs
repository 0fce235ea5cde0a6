//! What is boilerplate: sentences that stand, word for word, in too many documents.
//!
//! The aggregates: how many documents there are; in how many of them a sentence stands, near-identical ones counted once, and
//! in how many of these at an edge; and of two documents how many words they have, and how many are in sentences that both
//! have.

use crate::spec::Spec;

/// Two documents are one if this share of the shorter one's words is in sentences that both have: a reprint in another
/// frame. A frame around other text is less.
const NEAR_IDENTICAL: f64 = 0.5;

/// What stands in fewer documents is no frame: three may quote a fourth.
const LEAST_FRAMED: usize = 4;

/// A frame is around at least one of so many documents of a collection. Where there are pages of several sites, that of
/// each site is around some.
const FRAMED_SHARE: usize = 4;

/// Of the documents with a sentence of a frame, at most one of so many has it elsewhere than at an edge.
const OFF_THE_EDGE: usize = 5;

/// So many words may stand before a frame, after it, or between its sentences: a title, a date.
pub const WITHIN_FRAME: u32 = 12;

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Standing {
    /// In so many documents, near-identical ones counted once.
    pub documents: usize,
    /// In so many of these it begins the document or ends it, together with others that stand in as many.
    pub at_edges: usize,
}

/// Whether a sentence is boilerplate that stands in so many documents, near-identical ones counted once.
pub fn is_boilerplate(spec: &Spec, documents: usize) -> bool {
    documents > spec.passages.common_limit()
}

/// In how many documents of a collection of so many a frame stands at least. None where a limit is given, or where that is
/// more than the limit: then this holds alone.
pub fn least_framed(spec: &Spec, collection: usize) -> Option<usize> {
    let least = LEAST_FRAMED.max(collection.div_ceil(FRAMED_SHARE));
    let is_small = spec.passages.common_limit.is_none() && least <= spec.passages.common_limit();
    is_small.then_some(least)
}

/// Whether a sentence is of the frame around documents, of which there are at least so many: it stands at their edges. A
/// passage that many quote stands anywhere.
pub fn is_frame(standing: Standing, least_framed: usize) -> bool {
    let elsewhere = standing.documents - standing.at_edges.min(standing.documents);
    standing.documents >= least_framed && OFF_THE_EDGE * elsewhere <= standing.documents
}

/// Whether two documents of so many words count as one, with so many words in sentences that both have.
pub fn are_near_identical(words: [u64; 2], common: u64) -> bool {
    let [a, b] = words;
    common as f64 >= NEAR_IDENTICAL * a.min(b) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs;

    #[test]
    fn a_frame_is_around_a_quarter_of_a_small_collection() {
        let spec = Spec::of_job(jobs::PASSAGES);
        let least = |collection| least_framed(&spec, collection);
        assert_eq!([3, 5, 16, 17, 30].map(least), [4, 4, 4, 5, 8].map(Some));
        assert_eq!(least(200), Some(50));
        assert_eq!(least(201), None);
        let mut told = spec.clone();
        told.passages.common_limit = Some(50);
        assert_eq!(least_framed(&told, 30), None);
    }

    #[test]
    fn what_stands_at_the_edges_is_a_frame_and_what_stands_anywhere_is_not() {
        let is_frame = |documents, at_edges| {
            let standing = Standing {
                documents,
                at_edges,
            };
            is_frame(standing, 4)
        };
        assert!(is_frame(4, 4) && is_frame(10, 8));
        assert!(!is_frame(3, 3) && !is_frame(10, 7) && !is_frame(30, 0));
    }
}
