//! How common is the word of this hash? The statistics of a corpus, without its words.

use lookalike_text::hash::hash64;
use lookalike_text::{Seed, TextOptions};

use super::idf::{UNKNOWN_IDF, idf};
use super::{HashIndex, IdfRange, TermCount};
use crate::Error;

/// The terms of a corpus by [`hash64`], with their frequencies: 30 to 32 bytes per term.
#[derive(Debug, Clone)]
pub struct Lexicon {
    pub(super) text: TextOptions,
    pub(super) idf_range: Option<IdfRange>,
    seed: Seed,
    documents: u64,
    index: HashIndex,
    // By place in the index.
    document_frequencies: Vec<u32>,
    occurrences: Vec<u64>,
    idfs: Vec<u32>,
    /// 0 for the term of the most documents.
    ranks: Vec<u32>,
}

impl Lexicon {
    /// How many documents were counted.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// How many distinct terms there are.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.index.hashes().len()
    }

    /// What counted as the same word.
    #[must_use]
    pub fn text(&self) -> &TextOptions {
        &self.text
    }

    /// Whether the words are those of a text read with these options.
    #[must_use]
    pub fn counts_words_as(&self, text: &TextOptions) -> bool {
        self.text.of_words() == text.of_words()
    }

    /// The seed of the hashes by which terms are looked up.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The range of words to use that was chosen when the lexicon was built. The lexicon has all words nevertheless.
    #[must_use]
    pub fn idf_range(&self) -> Option<IdfRange> {
        self.idf_range
    }

    /// The same lexicon with a range of words to use.
    pub(super) fn with_idf_range(mut self, range: Option<IdfRange>) -> Self {
        self.idf_range = range;
        self
    }

    /// In how many documents the term of this hash occurs; 0 if it is not known.
    #[must_use]
    pub fn document_frequency(&self, hash: u64) -> u32 {
        let place = self.index.place(hash);
        place.map_or(0, |place| self.document_frequencies[place])
    }

    /// How often the term of this hash occurs in all documents; 0 if it is not known.
    #[must_use]
    pub fn occurrences(&self, hash: u64) -> u64 {
        let place = self.index.place(hash);
        place.map_or(0, |place| self.occurrences[place])
    }

    /// The normalised idf of the term of this hash, in units of 2⁻¹⁶: from 0, in all documents, to
    /// [`IDF_ONE`](super::IDF_ONE), in one.
    #[inline]
    #[must_use]
    pub fn idf(&self, hash: u64) -> Option<u32> {
        let place = self.index.place(hash);
        place.map(|place| self.idfs[place])
    }

    /// The idf, and for a term that is not known [`UNKNOWN_IDF`].
    #[inline]
    #[must_use]
    pub fn weight(&self, hash: u64) -> u32 {
        self.idf(hash).unwrap_or(UNKNOWN_IDF)
    }

    /// The hashes of the `count` terms of the most documents, or of all terms if there are fewer: most first, ties in
    /// the order of the terms' bytes.
    #[must_use]
    pub fn most_frequent(&self, count: usize) -> Vec<u64> {
        let mut found: Vec<(u32, u64)> = self
            .ranks
            .iter()
            .copied()
            .zip(self.index.hashes().iter().copied())
            .collect();
        found.retain(|&(rank, _)| (rank as usize) < count);
        found.sort_unstable();
        found.into_iter().map(|(_, hash)| hash).collect()
    }

    /// How much memory the lexicon takes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        let tables = 4
            * (self.document_frequencies.capacity() + self.idfs.capacity() + self.ranks.capacity());
        self.index.memory_bytes() + tables + 8 * self.occurrences.capacity()
    }
}

/// Makes a lexicon of terms that are added one by one.
#[derive(Debug)]
pub struct LexiconBuilder {
    seed: Seed,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    hash: u64,
    occurrences: u64,
    documents: u32,
    rank: u32,
}

impl LexiconBuilder {
    /// A builder of a lexicon for features of this seed.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        LexiconBuilder {
            seed,
            rows: Vec::new(),
        }
    }

    /// Adds a term. Those of equal document frequency are to be added in the order of their bytes; a
    /// [`Counter`](super::Counter) gives all in that order.
    pub fn add(&mut self, term: TermCount<'_>) {
        self.rows.push(Row {
            hash: hash64(term.term.as_bytes(), self.seed),
            occurrences: term.occurrences,
            documents: term.documents,
            rank: 0,
        });
    }

    /// The lexicon of the terms added, which were counted in so many documents.
    pub fn finish(mut self, documents: u64, text: TextOptions) -> Result<Lexicon, Error> {
        if self.rows.len() >= u32::MAX as usize {
            return Err(Error::TooManyTerms {
                terms: self.rows.len(),
            });
        }
        if !self
            .rows
            .is_sorted_by(|more, fewer| more.documents >= fewer.documents)
        {
            self.rows
                .sort_by_key(|row| std::cmp::Reverse(row.documents));
        }
        for (rank, row) in self.rows.iter_mut().enumerate() {
            row.rank = rank as u32;
        }
        self.rows.sort_unstable_by_key(|row| row.hash);
        if let Some(pair) = self
            .rows
            .windows(2)
            .find(|pair| pair[0].hash == pair[1].hash)
        {
            return Err(Error::SameTerm {
                first: pair[0].rank.min(pair[1].rank),
                second: pair[0].rank.max(pair[1].rank),
                seed: self.seed.0,
            });
        }
        Ok(self.assemble(documents, text))
    }

    fn assemble(self, documents: u64, text: TextOptions) -> Lexicon {
        let rows = &self.rows;
        // Few document frequencies are frequent ones: most logarithms are needed again and again.
        let mut small = [None; 1024];
        let idfs = rows
            .iter()
            .map(|row| match small.get_mut(row.documents as usize) {
                Some(known) => *known.get_or_insert_with(|| idf(row.documents, documents)),
                None => idf(row.documents, documents),
            });
        Lexicon {
            idfs: idfs.collect(),
            text,
            idf_range: None,
            seed: self.seed,
            documents,
            index: HashIndex::of_sorted(rows.iter().map(|row| row.hash).collect()),
            document_frequencies: rows.iter().map(|row| row.documents).collect(),
            occurrences: rows.iter().map(|row| row.occurrences).collect(),
            ranks: rows.iter().map(|row| row.rank).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon(documents: u64, terms: &[(&str, u32, u64)]) -> Result<Lexicon, Error> {
        let mut builder = LexiconBuilder::new(Seed(3));
        for &(term, documents, occurrences) in terms {
            builder.add(TermCount {
                term,
                documents,
                occurrences,
            });
        }
        builder.finish(documents, TextOptions::default())
    }

    fn hash(term: &str) -> u64 {
        hash64(term.as_bytes(), Seed(3))
    }

    #[test]
    fn every_term_has_its_frequencies_and_others_have_none() {
        let lexicon =
            lexicon(100, &[("кот", 10, 30), ("的", 100, 900), ("the", 100, 800)]).unwrap();
        assert_eq!((lexicon.documents(), lexicon.terms()), (100, 3));
        assert_eq!(lexicon.document_frequency(hash("кот")), 10);
        assert_eq!(lexicon.occurrences(hash("的")), 900);
        assert_eq!(lexicon.idf(hash("кот")), Some(1 << 15));
        assert_eq!(lexicon.idf(hash("的")), Some(0));
        assert_eq!(lexicon.document_frequency(hash("dog")), 0);
        assert_eq!(lexicon.idf(hash("dog")), None);
        assert_eq!(lexicon.weight(hash("dog")), UNKNOWN_IDF);
    }

    #[test]
    fn the_most_frequent_come_in_order_with_ties_by_term() {
        let lexicon = lexicon(9, &[("a", 2, 2), ("b", 7, 7), ("c", 2, 9), ("d", 7, 8)]).unwrap();
        let expected = ["b", "d", "a", "c"].map(hash);
        assert_eq!(lexicon.most_frequent(3), expected[..3]);
        assert_eq!(lexicon.most_frequent(100), expected);
        assert!(lexicon.most_frequent(0).is_empty());
    }

    #[test]
    fn a_term_that_is_added_twice_is_refused() {
        let message = lexicon(9, &[("b", 3, 3), ("a", 2, 2), ("b", 1, 1)])
            .unwrap_err()
            .to_string();
        assert!(message.contains("terms 1 and 3"), "{message}");
    }

    #[test]
    fn a_lexicon_without_terms_knows_nothing() {
        let lexicon = lexicon(0, &[]).unwrap();
        assert_eq!(lexicon.idf(hash("a")), None);
        assert!(lexicon.most_frequent(5).is_empty());
    }
}
