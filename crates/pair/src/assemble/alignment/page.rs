//! A text prepared for comparison: its words with their places, an index of them, its sentences.

use std::ops::Range;
use std::slice;

use lookalike_sign::{Describe, Features};
use lookalike_text::hash::{hash_sequence, hash64};
use lookalike_text::{Seed, Tokenizer, Unit, UnitId};

use super::runs;

/// Longer sentences are compared piece by piece: texts without full stops have passages, too.
const MOST_WORDS: u32 = 64;

/// A text prepared for comparison by an [`Aligner`](super::Aligner).
#[derive(Debug, Clone)]
pub struct Page {
    order: (u64, usize),
    /// The hash of each word.
    pub(super) hashes: Vec<u64>,
    /// The bytes of each word.
    pub(super) words: Vec<Range<u32>>,
    /// How long the text before each word is, and the whole, in halves of words: a character of a script without
    /// spaces counts half a word.
    pub(super) lengths: Vec<u32>,
    /// The piece of each word.
    pub(super) piece_of: Vec<u32>,
    /// Sentences, or parts of long ones; none is empty and each word is in one.
    pub(super) pieces: Vec<Piece>,
    pub(super) sentences: Vec<Sentence>,
    /// How many words are in sentences that are common,
    pub(super) common_words: u32,
    /// and before each sentence; empty if there are none.
    pub(super) common_before: Vec<u32>,
    /// Where each term occurs by which pieces are compared: a word, or of a script without spaces a pair of characters.
    pub(super) terms: Index,
    /// The rank of the term at each place.
    pub(super) ranks: Vec<u32>,
    /// Where each run of a few words occurs.
    pub(super) grams: Index,
    features: Vec<u64>,
    /// The features with the sentences that have them, sorted.
    pub(super) postings: Vec<(u64, u32)>,
}

/// What is compared as a whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub sentence: u32,
    pub begin: u32,
    pub end: u32,
}

/// A sentence of a page.
#[derive(Debug, Clone)]
pub(super) struct Sentence {
    pub bytes: Range<u32>,
    /// From the first word that ends after the sentence begins: also those between this sentence and the next.
    pub words: Range<u32>,
    pub common: bool,
    /// Its part of the features of the page.
    features: Range<u32>,
}

impl Page {
    pub(super) fn new(
        text: &str,
        sentences: &[Range<u32>],
        common: &[bool],
        tokenizer: &mut Tokenizer,
    ) -> Self {
        let mut words = Vec::with_capacity(text.len() / 5);
        let mut hashes = Vec::with_capacity(text.len() / 5);
        tokenizer.words(text, &mut |word: &str, source: Range<usize>| {
            words.push(source.start as u32..source.end as u32);
            hashes.push(hash64(word.as_bytes(), Seed::default()));
        });
        let lengths = lengths(&words);
        let sentences = place(&words, sentences, common, text);
        let (common_before, common_words) = common_words(&sentences);
        let pieces = cut(&sentences, &lengths);
        let mut piece_of = Vec::with_capacity(words.len());
        for (number, piece) in (0..).zip(&pieces) {
            piece_of.resize(piece.end as usize, number);
        }
        let pairs = pair_hashes(&words, &hashes);
        let terms = Index::new(pairs.as_ref().unwrap_or(&hashes));
        Self {
            order: (hash64(text.as_bytes(), Seed::default()), sentences.len()),
            ranks: terms.ranks(),
            terms,
            grams: Index::new(&runs::grams(&hashes)),
            common_words,
            common_before,
            hashes,
            words,
            lengths,
            piece_of,
            pieces,
            sentences,
            features: Vec::new(),
            postings: Vec::new(),
        }
    }

    /// Adds the features of the sentences.
    pub(super) fn describe(
        &mut self,
        text: &str,
        describer: &mut dyn Describe,
        features: &mut Features,
    ) {
        for sentence in &mut self.sentences {
            let bytes = sentence.bytes.start as usize..sentence.bytes.end as usize;
            let begin = self.features.len() as u32;
            if let Some(text) = text.get(bytes) {
                describer.describe(&Unit::whole(UnitId::from(0), text), features);
                self.features.extend(features.sort().hashes());
            }
            sentence.features = begin..self.features.len() as u32;
        }
        for (number, sentence) in (0..).zip(&self.sentences) {
            let features = sentence.features.start as usize..sentence.features.end as usize;
            let features = self.features[features].iter();
            self.postings
                .extend(features.map(|&feature| (feature, number)));
        }
        self.postings.sort_unstable();
    }

    /// Which of two pages comes first: a function of the text.
    pub(super) fn order(&self) -> (u64, usize) {
        self.order
    }

    /// The features of a sentence, sorted and distinct.
    pub(super) fn features_of(&self, sentence: usize) -> &[u64] {
        let range = &self.sentences[sentence].features;
        &self.features[range.start as usize..range.end as usize]
    }

    /// The pieces that have words of a stretch: the first, and the one after the last.
    pub(super) fn pieces_of(&self, [begin, end]: [u32; 2]) -> [u32; 2] {
        let last = self.piece_of[end as usize - 1];
        [self.piece_of[begin as usize], last + 1]
    }

    /// How long a stretch of words is, in halves of words.
    pub(super) fn length(&self, [begin, end]: [u32; 2]) -> u32 {
        self.lengths[end as usize] - self.lengths[begin as usize]
    }

    /// The sentence of a word.
    pub(super) fn sentence_of(&self, word: u32) -> u32 {
        self.pieces[self.piece_of[word as usize] as usize].sentence
    }
}

/// The sentences with their words. Words before the first sentence belong to it; a text without sentences is one.
fn place(words: &[Range<u32>], given: &[Range<u32>], common: &[bool], text: &str) -> Vec<Sentence> {
    let whole = 0..text.len() as u32;
    let given = match given {
        [] => slice::from_ref(&whole),
        given => given,
    };
    let mut sentences = Vec::with_capacity(given.len());
    let mut at = 0;
    for (number, bytes) in given.iter().enumerate() {
        let begin = at;
        let next = given.get(number + 1).map_or(u32::MAX, |next| next.start);
        while at < words.len() && words[at].start < next {
            at += 1;
        }
        sentences.push(Sentence {
            bytes: on_boundaries(bytes, text),
            words: begin as u32..at as u32,
            common: common.get(number).copied().unwrap_or(false),
            features: 0..0,
        });
    }
    sentences
}

/// How many words of common sentences come before each sentence, if there are any, and how many there are.
fn common_words(sentences: &[Sentence]) -> (Vec<u32>, u32) {
    if !sentences.iter().any(|sentence| sentence.common) {
        return (Vec::new(), 0);
    }
    let mut words = 0;
    let mut before = Vec::with_capacity(sentences.len());
    for sentence in sentences {
        before.push(words);
        words += u32::from(sentence.common) * sentence.words.len() as u32;
    }
    (before, words)
}

/// The range, or an empty one if it does not lie in the text.
fn on_boundaries(bytes: &Range<u32>, text: &str) -> Range<u32> {
    let range = bytes.start as usize..bytes.end as usize;
    match text.get(range) {
        Some(_) => bytes.clone(),
        None => 0..0,
    }
}

/// How long the text is before each word. Words that touch another are characters of a script without spaces.
fn lengths(words: &[Range<u32>]) -> Vec<u32> {
    let mut lengths = Vec::with_capacity(words.len() + 1);
    let (mut length, mut touches) = (0, false);
    for (at, word) in words.iter().enumerate() {
        lengths.push(length);
        let touched = touches;
        touches = words.get(at + 1).is_some_and(|next| next.start <= word.end);
        length += if touches || touched { 1 } else { 2 };
    }
    lengths.push(length);
    lengths
}

/// The pieces of sentences: of a long one several of about the same length.
fn cut(sentences: &[Sentence], lengths: &[u32]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(sentences.len());
    for (number, sentence) in (0..).zip(sentences) {
        let words = sentence.words.len() as u32;
        let length = lengths[sentence.words.end as usize] - lengths[sentence.words.start as usize];
        let parts = length.div_ceil(2 * MOST_WORDS);
        let cut = |part: u32| {
            let words = u64::from(words) * u64::from(part) / u64::from(parts);
            sentence.words.start + words as u32
        };
        pieces.extend((0..parts).map(|part| Piece {
            sentence: number,
            begin: cut(part),
            end: cut(part + 1),
        }));
    }
    pieces
}

/// In scripts without spaces a word is a single character, which says little: instead of it, its pair with the next
/// one. Words that touch another are of such a script.
fn pair_hashes(words: &[Range<u32>], hashes: &[u64]) -> Option<Vec<u64>> {
    let touches = |at: usize| at + 1 < words.len() && words[at].end == words[at + 1].start;
    if !(0..words.len()).any(touches) {
        return None;
    }
    let pair = |at| match touches(at) {
        true => hash_sequence(&hashes[at..at + 2], Seed::default()),
        false => hashes[at],
    };
    Some((0..words.len()).map(pair).collect())
}

/// Where each different word of a page, or each term or gram, is.
#[derive(Debug, Clone)]
pub(super) struct Index {
    /// The hashes of the different words, ascending.
    pub hashes: Vec<u64>,
    /// Where the places of each begin, and after them how many there are.
    first: Vec<u32>,
    /// The places of the first, ascending, of the second, and so on.
    places: Vec<u32>,
}

impl Index {
    fn new(hashes: &[u64]) -> Self {
        let mut index = Self {
            hashes: Vec::with_capacity(hashes.len()),
            first: Vec::with_capacity(hashes.len() + 1),
            places: places_by_hash(hashes),
        };
        for (at, &place) in (0..).zip(&index.places) {
            let hash = hashes[place as usize];
            if index.hashes.last() != Some(&hash) {
                index.hashes.push(hash);
                index.first.push(at);
            }
        }
        index.first.push(hashes.len() as u32);
        index
    }

    /// The places of the word at `rank` among the different ones.
    #[inline]
    pub(super) fn places(&self, rank: usize) -> &[u32] {
        &self.places[self.first[rank] as usize..self.first[rank + 1] as usize]
    }

    /// The rank of the word at each place.
    fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.places.len()];
        for (rank, bounds) in (0..).zip(self.first.windows(2)) {
            for &place in &self.places[bounds[0] as usize..bounds[1] as usize] {
                ranks[place as usize] = rank;
            }
        }
        ranks
    }
}

/// All places, ordered by hash, then by place. What is sorted is the place behind the upper bits of the hash, which is
/// twice as fast as both side by side, unless two different hashes have the same upper bits.
fn places_by_hash(hashes: &[u64]) -> Vec<u32> {
    let places = hashes.len().next_power_of_two() as u64 - 1;
    let mut sorted: Vec<u64> = hashes
        .iter()
        .zip(0..)
        .map(|(hash, at)| hash & !places | at)
        .collect();
    sorted.sort_unstable();
    let mut order: Vec<u32> = sorted
        .iter()
        .map(|packed| (packed & places) as u32)
        .collect();
    if !order.is_sorted_by_key(|&place| (hashes[place as usize], place)) {
        order.sort_unstable_by_key(|&place| (hashes[place as usize], place));
    }
    order
}
