//! Which words say too little to find a passage by, and which neighbours too many documents have.
//!
//! The aggregates: in how many documents of a sample each word stands, and in how many documents two words are
//! neighbours; of documents that count as one, the first.

use lookalike_sign::neighbours::RunningWord;
use lookalike_text::hash::{Table, mix64};

/// A word in more than this share of the documents is common: it stands in most passages.
const COMMON_SHARE: f64 = 0.2;

/// In a small collection, in more documents than this.
const LEAST_COMMON: u64 = 10;

/// Neighbours in more documents than this are a phrase that is common, or something that is printed everywhere.
const MOST_DOCUMENTS: usize = 50;

/// Whether two words are neighbours in too many documents. With a corpus to compare with, those of the corpus count.
pub fn is_common_key(documents: usize) -> bool {
    documents > MOST_DOCUMENTS
}

/// The documents by which it is told which words are common: every so many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentSample {
    step: u64,
}

impl DocumentSample {
    /// Of so many documents with so many words in all. It is of a size that every memory has room for.
    pub fn of(documents: u64, words: u64) -> Self {
        const MOST: u64 = 4096;
        const MOST_WORDS: u64 = 4 << 20;
        let step = documents.div_ceil(MOST).max(words.div_ceil(MOST_WORDS));
        DocumentSample { step: step.max(1) }
    }

    /// Whether the document of this number is in it.
    pub fn has(self, number: u64) -> bool {
        mix64(number).is_multiple_of(self.step)
    }
}

/// In how many documents each word stands.
#[derive(Debug, Clone, Default)]
pub struct WordCounts {
    documents: u64,
    /// Each word in the upper half, and how many documents have it in the lower.
    counts: Table<u64>,
}

impl WordCounts {
    /// Adds a document with these words, each once.
    pub fn add(&mut self, words: &[RunningWord]) {
        self.documents += 1;
        words.iter().for_each(|word| self.count(word.hash(), 1));
    }

    /// Adds other documents.
    pub fn merge(&mut self, others: &Self) {
        self.documents += others.documents;
        let counts = others.counts.iter();
        counts.for_each(|&slot| self.count((slot >> 32) as u32, slot as u32));
    }

    fn count(&mut self, word: u32, documents: u32) {
        self.counts.make_room(|&slot| slot >> 32);
        let is_it = |&slot: &u64| (slot >> 32) as u32 == word;
        let new = u64::from(word) << 32 | u64::from(documents);
        let (slot, is_new) = self.counts.get_or_put(word.into(), is_it, new);
        if !is_new {
            *slot += u64::from(documents);
        }
    }

    /// The words that are common.
    pub fn common(&self) -> CommonWords {
        let most = (self.documents as f64 * COMMON_SHARE) as u64;
        let is_common = |slot: &&u64| u64::from(**slot as u32) > most.max(LEAST_COMMON);
        let common = self.counts.iter().filter(is_common);
        let common: Vec<u32> = common.map(|slot| (slot >> 32) as u32).collect();
        CommonWords::of(&common)
    }
}

/// Words that say too little.
#[derive(Debug, Clone)]
pub struct CommonWords {
    /// Their hashes and one: 0 is a free slot.
    words: Table<u64>,
}

impl CommonWords {
    /// The words with these hashes, all of them different.
    pub fn of(hashes: &[u32]) -> Self {
        let mut words = Table::default();
        words.reset(hashes.len());
        for &hash in hashes {
            words.get_or_put(hash.into(), |_| false, u64::from(hash) + 1);
        }
        CommonWords { words }
    }

    /// Their hashes, in no order.
    pub fn hashes(&self) -> Vec<u32> {
        let words = self.words.iter();
        words.map(|&slot| (slot - 1) as u32).collect()
    }

    /// Whether a word is one of them.
    #[inline]
    pub fn has(&self, word: RunningWord) -> bool {
        let slot = u64::from(word.hash()) + 1;
        self.words
            .get(word.hash().into(), |&other| other == slot)
            .is_some()
    }
}
