//! Texts and indexes, for tests.

use std::path::Path;

use lookalike_index::kernel::sign::stats::{Counter, Vocabulary};
use lookalike_index::kernel::text::{TextOptions, Tokenizer};
use lookalike_index::kernel::{Spec, jobs};
use lookalike_index::{
    AddOptions, Added, CheckOptions, CreateOptions, Document, Error, Id, Index, Match, Text, View,
};

/// Words of which texts are made: some are common, most are rare.
fn word(number: usize) -> String {
    const PARTS: [&str; 12] = [
        "ka", "lo", "mi", "ne", "ru", "so", "ta", "ve", "zu", "pi", "水", "山",
    ];
    let mut number = number;
    let mut word = String::new();
    for _ in 0..4 {
        word.push_str(PARTS[number % PARTS.len()]);
        number /= PARTS.len();
    }
    word
}

/// A generator of numbers, the same ones for the same seed.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}

/// A text of so many words.
pub(crate) fn text(numbers: &mut Numbers, words: usize) -> Vec<String> {
    let mut words_of_text = Vec::new();
    for _ in 0..words {
        let rare = numbers.below(2) == 0;
        words_of_text.push(word(numbers.below(if rare { 5000 } else { 60 })));
    }
    words_of_text
}

/// Families of texts: each has an original and variants of it with some words changed.
pub(crate) fn corpus(families: usize, variants: usize, words: usize) -> Vec<String> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut texts = Vec::new();
    for _ in 0..families {
        let original = text(&mut numbers, words);
        texts.push(original.join(" "));
        for variant in 0..variants {
            let mut changed = original.clone();
            for _ in 0..variant {
                let place = numbers.below(changed.len());
                changed[place] = word(numbers.below(5000));
            }
            texts.push(changed.join(" "));
        }
    }
    texts
}

pub(crate) fn documents(texts: &[String]) -> Vec<Document> {
    let document = |(number, text): (usize, &String)| {
        Document::new(Id::from(number as u64), Text::whole(text.clone()))
    };
    texts.iter().enumerate().map(document).collect()
}

pub(crate) fn add(index: &mut Index, documents: Vec<Document>, options: &AddOptions) -> Added {
    let documents = documents.into_iter().map(Ok::<_, Error>);
    index.add(documents, options, &mut |_| {}).unwrap()
}

pub(crate) fn at(added: u64) -> AddOptions {
    AddOptions::new(added)
}

pub(crate) fn minhash() -> Spec {
    let mut spec = Spec::of_job(jobs::DOCUMENTS);
    spec.keys.method = "minhash".to_string();
    spec
}

pub(crate) fn create(folder: &Path, spec: &Spec) -> Index {
    Index::create(folder, spec, &CreateOptions::default()).unwrap()
}

pub(crate) fn matches(view: &View, text: &str, options: &CheckOptions) -> Vec<Match> {
    let mut checker = view.checker().unwrap();
    checker
        .check(view, &Text::whole(text), options)
        .unwrap()
        .matches
}

pub(crate) fn ids(view: &View, text: &str) -> Vec<String> {
    let found = matches(view, text, &CheckOptions::all());
    let mut ids: Vec<String> = found.iter().map(|found| found.id.to_string()).collect();
    ids.sort();
    ids
}

/// The vocabulary of texts, as `lexicon build` writes it.
pub(crate) fn vocabulary(texts: &[String], options: TextOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let mut counter = Counter::new(folder.path(), 1 << 20);
    let mut tokenizer = Tokenizer::new(options);
    for text in texts {
        counter
            .add_document(|words| {
                tokenizer.words(text, words);
            })
            .unwrap();
    }
    let mut bytes = Vec::new();
    let vocabulary = Vocabulary::count(vec![counter], options).unwrap();
    vocabulary.write(&mut bytes).unwrap();
    bytes
}
