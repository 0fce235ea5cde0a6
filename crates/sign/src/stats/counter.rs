//! In how many documents does each word occur, and how often? Counting within a memory limit.
//!
//! The words of documents come in. They are counted in a table; when it is full, its content goes to disk as a sorted
//! run and the table begins anew. In the end all runs and tables are merged. The counts are exact whatever the limit
//! and however the documents are spread over counters.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use lookalike_text::hash::{self, hash64};
use lookalike_text::{Seed, TokenSink};

use super::TermCount;
use super::merge::{self, Run, Sorted, Source};

/// An entry with its slots, two to four, and as much again: vectors grow by doubling.
const ENTRY_BYTES: usize = 2 * (size_of::<Entry>() + 4 * size_of::<u32>());

/// Counts the words of documents: one for each thread.
///
/// It takes memory up to its limit and for the distinct words of one document beyond it, since a document is not
/// divided.
#[derive(Debug)]
pub struct Counter {
    folder: PathBuf,
    memory_bytes: usize,
    documents: u64,
    table: Table,
    /// One file for all runs of this counter, which the system deletes with the last handle.
    file: Option<File>,
    runs: Vec<Range<u64>>,
}

impl Counter {
    /// A counter that takes about `memory_bytes` and writes what is over to `folder`.
    #[must_use]
    pub fn new(folder: &Path, memory_bytes: usize) -> Self {
        Counter {
            folder: folder.to_path_buf(),
            memory_bytes,
            documents: 0,
            table: Table::default(),
            file: None,
            runs: Vec::new(),
        }
    }

    /// Counts a document. `give_words` gives its words, as `|words| tokenizer.words(text, words)` does. A document
    /// without words counts as a document.
    ///
    /// # Errors
    /// If a run cannot be written.
    pub fn add_document(
        &mut self,
        give_words: impl FnOnce(&mut DocumentWords<'_>),
    ) -> io::Result<()> {
        self.documents += 1;
        self.table.document += 1;
        give_words(&mut DocumentWords {
            table: &mut self.table,
        });
        if self.table.bytes() > self.memory_bytes || self.table.document == u32::MAX {
            self.write_run()?;
        }
        Ok(())
    }

    /// How many documents were counted.
    #[must_use]
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Gives every term of all counters to `take`, once, in the order of the terms' bytes. Returns how many documents
    /// were counted.
    ///
    /// # Errors
    /// If runs cannot be written or read back, and those of `take`.
    pub fn finish(
        mut counters: Vec<Counter>,
        take: impl FnMut(TermCount<'_>) -> io::Result<()>,
    ) -> io::Result<u64> {
        let documents = counters.iter().map(|counter| counter.documents).sum();
        // If anything is on disk the rest follows: the memory is for reading it back.
        if counters.iter().any(|counter| counter.file.is_some()) {
            for counter in &mut counters {
                counter.write_run()?;
                counter.table = Table::default();
            }
        }
        let runs: usize = counters.iter().map(|counter| counter.runs.len()).sum();
        let memory = counters.iter().fold(0usize, |sum, counter| {
            sum.saturating_add(counter.memory_bytes)
        });
        let mut sources: Vec<Box<dyn Source + '_>> = Vec::new();
        for counter in &mut counters {
            if let Some(file) = &counter.file {
                for run in &counter.runs {
                    let buffer_bytes = memory / runs;
                    sources.push(Box::new(Run::new(file, run.clone(), buffer_bytes)));
                }
            }
            sources.push(Box::new(counter.table.sorted()));
        }
        merge::merge(sources, take)?;
        Ok(documents)
    }

    fn write_run(&mut self) -> io::Result<()> {
        if self.table.entries.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                fs::create_dir_all(&self.folder)?;
                none.insert(tempfile::tempfile_in(&self.folder)?)
            }
        };
        let begin = file.stream_position()?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut *file);
        let mut terms = self.table.sorted();
        let mut term = Vec::new();
        while let Some(counts) = terms.next(&mut term)? {
            merge::write_record(&mut out, &term, counts)?;
        }
        drop(terms);
        out.flush()?;
        drop(out);
        self.runs.push(begin..file.stream_position()?);
        self.table.clear();
        Ok(())
    }
}

/// Takes the words of one document.
#[derive(Debug)]
pub struct DocumentWords<'a> {
    table: &'a mut Table,
}

impl DocumentWords<'_> {
    /// Counts a word.
    pub fn add(&mut self, word: &str) {
        self.table.count(word.as_bytes());
    }
}

impl TokenSink for DocumentWords<'_> {
    fn token(&mut self, token: &str, _: Range<usize>) {
        self.add(token);
    }
}

/// Terms and their counts, found by hash.
#[derive(Debug, Default)]
struct Table {
    /// The number of the current document; entries remember it, so that it counts once.
    document: u32,
    entries: Vec<Entry>,
    /// The terms, one after the other.
    text: Vec<u8>,
    /// Places in `entries` plus 1.
    places: hash::Table<u32>,
}

#[derive(Debug)]
struct Entry {
    hash: u64,
    occurrences: u64,
    begin: usize,
    length: u32,
    documents: u32,
    last_document: u32,
}

impl Table {
    fn count(&mut self, term: &[u8]) {
        let hash = hash64(term, Seed(0));
        let entry = |&place: &u32| &self.entries[place as usize - 1];
        self.places.make_room(|place| entry(place).hash);
        let is_it = |place: &u32| {
            let entry = entry(place);
            entry.hash == hash && &self.text[entry.begin..][..entry.length as usize] == term
        };
        let new = self.entries.len() as u32 + 1;
        if let (&mut place, false) = self.places.get_or_put(hash, is_it, new) {
            let entry = &mut self.entries[place as usize - 1];
            entry.occurrences += 1;
            if entry.last_document != self.document {
                entry.last_document = self.document;
                entry.documents += 1;
            }
            return;
        }
        self.entries.push(Entry {
            hash,
            occurrences: 1,
            begin: self.text.len(),
            length: term.len() as u32,
            documents: 1,
            last_document: self.document,
        });
        self.text.extend_from_slice(term);
    }

    fn bytes(&self) -> usize {
        ENTRY_BYTES * self.entries.len() + 2 * self.text.len()
    }

    fn clear(&mut self) {
        self.document = 0;
        self.entries.clear();
        self.text.clear();
        self.places.clear();
    }

    /// The terms in order. The places are of no use afterwards.
    fn sorted(&mut self) -> impl Source + '_ {
        let text = &self.text;
        let term = |entry: &Entry| &text[entry.begin..][..entry.length as usize];
        self.entries
            .sort_unstable_by(|one, other| term(one).cmp(term(other)));
        Sorted::new(self.entries.iter().map(move |entry| {
            let counts = merge::Counts {
                documents: entry.documents,
                occurrences: entry.occurrences,
            };
            (term(entry), counts)
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Counted = BTreeMap<String, (u32, u64)>;
    type Terms = Vec<(String, (u32, u64))>;

    fn by_definition(documents: &[Vec<String>]) -> Counted {
        let mut counted = Counted::new();
        for document in documents {
            for (at, word) in document.iter().enumerate() {
                let (documents, occurrences) = counted.entry(word.clone()).or_default();
                *documents += u32::from(!document[..at].contains(word));
                *occurrences += 1;
            }
        }
        counted
    }

    fn finish(counters: Vec<Counter>) -> (u64, Terms) {
        let mut found = Vec::new();
        let documents = Counter::finish(counters, |term| {
            found.push((term.term.to_string(), (term.documents, term.occurrences)));
            Ok(())
        });
        (documents.unwrap(), found)
    }

    fn add(counter: &mut Counter, document: &[String]) {
        let words =
            |words: &mut DocumentWords<'_>| document.iter().for_each(|word| words.add(word));
        counter.add_document(words).unwrap();
    }

    fn documents() -> impl Strategy<Value = Vec<Vec<String>>> {
        let word = "[ab]{1,3}|的|[が-ご]{0,2}x|ไทย";
        prop::collection::vec(prop::collection::vec(word, 0..12), 0..30)
    }

    proptest! {
        #[test]
        fn counts_are_exact_at_any_memory_limit_and_however_documents_are_spread(
            documents in documents(),
            memory_bytes in prop_oneof![Just(0), Just(usize::MAX), 0usize..4000],
            spread in prop::collection::vec(0usize..4, 30),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let mut counters: Vec<_> =
                (0..4).map(|_| Counter::new(folder.path(), memory_bytes)).collect();
            for (document, counter) in documents.iter().zip(spread) {
                add(&mut counters[counter], document);
            }
            let (counted, found) = finish(counters);
            prop_assert_eq!(counted, documents.len() as u64);
            prop_assert_eq!(found, by_definition(&documents).into_iter().collect::<Terms>());
        }
    }

    #[test]
    fn a_table_that_is_full_goes_to_disk_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut counter = Counter::new(folder.path(), 100_000);
        let expected: Counted = (0..5000).map(|n| (format!("word{n}"), (1, 1))).collect();
        for word in expected.keys() {
            add(&mut counter, std::slice::from_ref(word));
            assert!(counter.table.bytes() <= 100_000);
        }
        assert!(counter.runs.len() > 5);
        let (_, found) = finish(vec![counter]);
        assert_eq!(found, expected.into_iter().collect::<Terms>());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn no_counters_and_counters_without_documents_count_nothing() {
        assert_eq!(finish(Vec::new()), (0, Vec::new()));
        let empty = Counter::new(Path::new("/nowhere"), 0);
        assert_eq!(finish(vec![empty]), (0, Vec::new()));
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").unwrap();
        let mut counter = Counter::new(&in_the_way.join("runs"), 0);
        let added = counter.add_document(|words| words.add("word"));
        assert!(added.is_err());
    }

    #[test]
    fn an_error_of_the_receiver_ends_the_merge() {
        let mut counter = Counter::new(Path::new("/nowhere"), usize::MAX);
        add(&mut counter, &["one".to_string(), "two".to_string()]);
        let refused = Counter::finish(vec![counter], |_| Err(io::Error::other("full")));
        assert_eq!(refused.unwrap_err().to_string(), "full");
    }
}
