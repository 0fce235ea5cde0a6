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

/// What stands at one edge is a frame if it is around at least one of so many documents of a collection: four essays may
/// begin with the same quotation. Where there are pages of several sites, each has a frame at both edges. Running text is a
/// frame only if [nearly all](are_nearly_all) documents have it: what a quarter of a class has in common may be copied.
const FRAMED_SHARE: usize = 4;

/// Sentences that follow each other are running text if they have so many words, and each on average so many: menus have
/// fewer.
const RUNNING_WORDS: u32 = 40;
const WORDS_PER_SENTENCE: u32 = 8;

/// Larger collections have no frames but those in more documents than the limit.
const MOST_DOCUMENTS: usize = 10_000;

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
    /// In so many of those it is part of running text that stands in as many.
    pub in_running_text: usize,
    /// Whether [one and the same documents](are_same_documents) also have another sentence in common, at their other edge.
    pub is_around: bool,
}

/// In how many documents of a collection a frame stands at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeastFramed {
    /// One that begins the documents or ends them. None where that is more than the limit of boilerplate, which then holds
    /// alone.
    pub at_an_edge: Option<usize>,
    /// One that begins them and ends them.
    pub at_both: usize,
    /// How many documents there are.
    pub collection: usize,
}

impl LeastFramed {
    /// In a collection of so many documents. None where a limit is given, or where the collection is large.
    pub fn of(spec: &Spec, collection: usize) -> Option<Self> {
        let at_an_edge = LEAST_FRAMED.max(collection.div_ceil(FRAMED_SHARE));
        let is_small = spec.passages.common_limit.is_none() && collection <= MOST_DOCUMENTS;
        is_small.then_some(LeastFramed {
            at_an_edge: (at_an_edge <= spec.passages.common_limit()).then_some(at_an_edge),
            at_both: LEAST_FRAMED,
            collection,
        })
    }

    /// Whether a sentence is of a frame: it stands at the edges of enough documents. A passage that many quote stands
    /// anywhere.
    pub fn is_frame(self, standing: Standing) -> bool {
        let elsewhere = standing.documents - standing.at_edges.min(standing.documents);
        let is_enough = |least: usize| standing.documents >= least;
        let is_running_text = 2 * standing.in_running_text > standing.at_edges;
        let is_told = !is_running_text || are_nearly_all(standing.documents, self.collection);
        OFF_THE_EDGE * elsewhere <= standing.documents
            && (self.at_an_edge.is_some_and(is_enough) && is_told
                || standing.is_around && is_enough(self.at_both))
    }
}

/// Whether sentences that follow each other are running text, by how many there are and how many words they have.
pub(super) fn is_running_text(sentences: usize, words: u32) -> bool {
    sentences > 1
        && words >= RUNNING_WORDS
        && u64::from(words) >= u64::from(WORDS_PER_SENTENCE) * sentences as u64
}

/// Whether so many documents are nearly all of a collection.
fn are_nearly_all(documents: usize, collection: usize) -> bool {
    OFF_THE_EDGE * documents >= (OFF_THE_EDGE - 1) * collection
}

/// Whether a sentence is boilerplate that stands in so many documents, near-identical ones counted once.
pub fn is_boilerplate(spec: &Spec, documents: usize) -> bool {
    documents > spec.passages.common_limit()
}

/// Whether two sentences stand in the same documents, but for a few: each in so many, and both in so many of them.
pub fn are_same_documents(each: [usize; 2], both: usize) -> bool {
    are_nearly_all(both, each[0].max(each[1]))
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
    fn a_frame_is_around_a_quarter_of_a_small_collection_or_at_both_edges() {
        let spec = Spec::of_job(jobs::PASSAGES);
        let least = |collection| LeastFramed::of(&spec, collection);
        let at_an_edge = |collection| least(collection).and_then(|least| least.at_an_edge);
        assert_eq!([3, 5, 16, 17].map(at_an_edge), [4, 4, 4, 5].map(Some));
        assert_eq!([200, 201].map(at_an_edge), [Some(50), None]);
        assert_eq!(least(10_000).map(|least| least.at_both), Some(4));
        assert_eq!(least(10_001), None);
        let mut told = spec.clone();
        told.passages.common_limit = Some(50);
        assert_eq!(LeastFramed::of(&told, 30), None);
    }

    #[test]
    fn what_stands_at_the_edges_is_a_frame_and_what_stands_anywhere_is_not() {
        let least = LeastFramed {
            at_an_edge: Some(8),
            at_both: 4,
            collection: 32,
        };
        let is_frame = |documents, at_edges, is_around| {
            least.is_frame(Standing {
                documents,
                at_edges,
                in_running_text: 0,
                is_around,
            })
        };
        assert!(is_frame(8, 8, false) && is_frame(10, 8, false) && is_frame(4, 4, true));
        assert!(!is_frame(7, 7, false) && !is_frame(10, 7, false) && !is_frame(30, 0, false));
        assert!(!is_frame(3, 3, true) && !is_frame(7, 5, true));
        assert!(are_same_documents([5, 4], 4) && !are_same_documents([5, 30], 5));
    }

    #[test]
    fn running_text_frames_nearly_all_documents_or_none() {
        let least = LeastFramed {
            at_an_edge: Some(4),
            at_both: 4,
            collection: 16,
        };
        let is_frame = |documents, is_around| {
            least.is_frame(Standing {
                documents,
                at_edges: documents,
                in_running_text: documents,
                is_around,
            })
        };
        assert!(is_frame(13, false) && is_frame(4, true));
        assert!(!is_frame(4, false) && !is_frame(12, false));
        assert!(is_running_text(3, 45) && !is_running_text(1, 60) && !is_running_text(10, 45));
    }
}
