//! The terms of a corpus with their frequencies, most frequent first: what a saved lexicon holds.

use std::cmp::Reverse;
use std::io::{self, BufRead, Write};

use lookalike_text::{Seed, TextOptions};

use super::file::{self, Header};
use super::{Counter, IdfRange, Lexicon, LexiconBuilder, TermCount};
use crate::Error;

/// The terms of a corpus themselves, for writing and showing a lexicon. All of them are in memory: their bytes and 24
/// more for each.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    documents: u64,
    text: TextOptions,
    idf_range: Option<IdfRange>,
    rows: Vec<Row>,
    /// The terms, one after the other.
    bytes: String,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    begin: usize,
    occurrences: u64,
    documents: u32,
    length: u32,
}

impl Vocabulary {
    /// What the counters have counted, in texts of these options.
    ///
    /// # Errors
    /// If the temporary files of the counters cannot be written or read back.
    pub fn count(counters: Vec<Counter>, text: TextOptions) -> io::Result<Self> {
        let mut vocabulary = Vocabulary::empty(text);
        vocabulary.documents = Counter::finish(counters, |term| {
            vocabulary.add(term);
            Ok(())
        })?;
        // Stable: terms of as many documents stay in order.
        vocabulary.rows.sort_by_key(|row| Reverse(row.documents));
        Ok(vocabulary)
    }

    /// A vocabulary that was written before.
    ///
    /// # Errors
    /// If it cannot be read or is not one: which line, and why.
    pub fn read(reader: impl BufRead) -> Result<Self, Error> {
        let mut vocabulary = Vocabulary::empty(TextOptions::default());
        let header = file::read(reader, |term| vocabulary.add(term))?;
        vocabulary.documents = header.documents;
        vocabulary.text = header.text;
        vocabulary.idf_range = header.idf;
        Ok(vocabulary)
    }

    /// Whether a file that begins so was written by [`write`](Self::write).
    pub fn is_beginning(beginning: &str) -> bool {
        beginning.starts_with("{\"lexicon\":")
    }

    /// Writes a file for [`Lexicon::read`] and [`Vocabulary::read`]: a line of JSON with the number of documents, the
    /// number of terms and the text options; then a line per term, its document frequency, its occurrences and the term
    /// itself with tabs between, by descending document frequency and then by the bytes of the term.
    ///
    /// # Errors
    /// If it cannot be written, or a term has control characters, which no tokenizer gives.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let header = Header {
            lexicon: file::VERSION,
            documents: self.documents,
            terms: self.rows.len() as u64,
            text: self.text,
            idf: self.idf_range,
        };
        file::write_header(out, &header)?;
        for term in self.terms() {
            file::write_term(out, term)?;
        }
        out.flush()
    }

    /// The lexicon of these terms.
    ///
    /// # Errors
    /// If there are too many terms or two have the same hash.
    pub fn lexicon(&self, seed: Seed) -> Result<Lexicon, Error> {
        let mut builder = LexiconBuilder::new(seed);
        for term in self.terms() {
            builder.add(term);
        }
        let lexicon = builder.finish(self.documents, self.text)?;
        Ok(lexicon.with_idf_range(self.idf_range))
    }

    /// The terms: those of the most documents first, ties in the order of their bytes.
    pub fn terms(&self) -> impl ExactSizeIterator<Item = TermCount<'_>> {
        self.rows.iter().map(|row| TermCount {
            term: &self.bytes[row.begin..][..row.length as usize],
            documents: row.documents,
            occurrences: row.occurrences,
        })
    }

    /// How many documents were counted.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// What counted as the same word.
    #[must_use]
    pub fn text(&self) -> &TextOptions {
        &self.text
    }

    /// The range of words to use. The vocabulary has all words nevertheless.
    #[must_use]
    pub fn idf_range(&self) -> Option<IdfRange> {
        self.idf_range
    }

    /// The same vocabulary with a range of words to use.
    #[must_use]
    pub fn with_idf_range(mut self, range: Option<IdfRange>) -> Self {
        self.idf_range = range;
        self
    }

    fn empty(text: TextOptions) -> Self {
        Vocabulary {
            documents: 0,
            text,
            idf_range: None,
            rows: Vec::new(),
            bytes: String::new(),
        }
    }

    fn add(&mut self, term: TermCount<'_>) {
        self.rows.push(Row {
            begin: self.bytes.len(),
            occurrences: term.occurrences,
            documents: term.documents,
            length: term.term.len() as u32,
        });
        self.bytes.push_str(term.term);
    }
}
