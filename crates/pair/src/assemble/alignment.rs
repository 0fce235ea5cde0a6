//! Which passages do two texts share? Two prepared texts come in; out go the passages they have in common, with the
//! bytes and sentences of each side.
//!
//! A [`Page`] is a text prepared once and compared many times. There are two kinds of [`Evidence`]: words, which finds
//! passages whose words were changed, dropped and shuffled and whose ends may be inside a sentence; and sentences,
//! the diagonals of matching sentences (Zhang et al., Efficient Partial-Duplicate Detection, section 4.3).
//!
//! ```
//! use lookalike_pair::assemble::alignment::{Aligner, Evidence, PassageOptions};
//! use lookalike_text::TextOptions;
//!
//! let options = PassageOptions::default().with(|options| options.least_words = 8);
//! let aligner = Aligner::new(options, TextOptions::default(), Evidence::Words);
//! let mut scratch = aligner.scratch()?;
//! let copied = "the lamp on the pier was lit again by four fishermen who had carried the oil";
//! let (a, b) = (format!("So he wrote: {copied}."), format!("{copied}!"));
//! let (a, b) = (a.as_str(), b.as_str());
//! let first = aligner.page(a, &[0..a.len() as u32], &[], &mut scratch);
//! let second = aligner.page(b, &[0..b.len() as u32], &[], &mut scratch);
//! let mut passages = Vec::new();
//! aligner.align(&first, &second, &mut scratch, &mut passages);
//! assert_eq!(&a[passages[0].a.bytes()].trim_end_matches('.'), &copied);
//! assert_eq!(passages[0].similarity, 1.0);
//! # Ok::<(), lookalike_sign::Error>(())
//! ```

mod coverage;
mod diagonals;
mod dots;
mod evident;
mod fit;
mod found;
mod groups;
mod page;
mod runs;
mod sentence_dots;
mod settle;
mod shared;
mod weighed;
mod words;

use std::ops::Range;
use std::sync::Arc;

use lookalike_sign::features::{Background, Method};
use lookalike_sign::{Describe, Error, Features};
use lookalike_text::{TextOptions, Tokenizer};

pub use coverage::{Coverage, Relation, Shared};
pub use page::Page;

/// What counts as a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PassageOptions {
    /// How many sentences a passage has at least; with words as evidence, on one of its sides.
    pub least_sentences: u32,
    /// With words as evidence, a passage of fewer sentences counts if its sides have at least so many words on average.
    /// Two characters of a script without spaces count as a word.
    pub least_words: u32,
    /// How many sentences may differ between matching ones. With sentences as evidence and no gap, passages are the
    /// diagonals of the paper.
    pub gap: u32,
}

impl Default for PassageOptions {
    fn default() -> Self {
        Self {
            least_sentences: 3,
            least_words: 40,
            gap: 3,
        }
    }
}

impl PassageOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// What tells that passages match.
#[derive(Debug, Clone)]
pub enum Evidence {
    /// Their words: runs of the same words, and sentences with the same rare ones.
    Words,
    /// Their sentences: those whose features have at least this Jaccard similarity.
    Sentences {
        /// What describes a sentence.
        method: Arc<dyn Method>,
        /// What the method knows.
        background: Background,
        /// The least similarity of sentences that match.
        threshold: f64,
    },
}

/// One side of a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Its first byte in the text as given.
    pub begin: u32,
    /// The byte after its last.
    pub end: u32,
    /// The first sentence of which it has a part, counted from 0 among those given.
    pub first_sentence: u32,
    /// Of how many sentences it has a part.
    pub sentences: u32,
}

impl Span {
    /// Its bytes, to slice the text with.
    #[must_use]
    pub fn bytes(&self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }
}

/// A passage that two texts share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    /// Where it is in the first text.
    pub a: Span,
    /// Where it is in the second.
    pub b: Span,
    /// The Jaccard similarity of the two sides as multisets of words: of all words of both, each as often as on the
    /// side that has it more often, how many does the other side have too? 1 if nothing differs but the order, case,
    /// punctuation and white space. In scripts without spaces every two neighbouring characters are a word.
    pub similarity: f64,
    /// Whether all its sentences are common in the corpus: then it is no passage by itself.
    pub common: bool,
}

/// Finds the passages that texts share. One serves all threads; each has a [`Scratch`] of its own.
#[derive(Debug, Clone)]
pub struct Aligner {
    options: PassageOptions,
    text: TextOptions,
    evidence: Evidence,
}

/// What a thread works with: made by [`Aligner::scratch`] and only for that aligner.
pub struct Scratch {
    tokenizer: Tokenizer,
    describer: Option<Box<dyn Describe>>,
    features: Features,
    pairing: words::Pairing,
    diagonals: diagonals::Diagonals,
    counts: found::Counts,
}

impl Aligner {
    /// An aligner for these options; `text` says which words are the same.
    #[must_use]
    pub fn new(options: PassageOptions, text: TextOptions, evidence: Evidence) -> Self {
        Self {
            options,
            text,
            evidence,
        }
    }

    /// Room to work in, for one thread.
    ///
    /// # Errors
    /// If the method that describes sentences lacks something, such as a lexicon.
    pub fn scratch(&self) -> Result<Scratch, Error> {
        let describer = match &self.evidence {
            Evidence::Words => None,
            Evidence::Sentences {
                method, background, ..
            } => Some(method.describer(background)?),
        };
        Ok(Scratch {
            tokenizer: Tokenizer::new(self.text),
            describer,
            features: Features::default(),
            pairing: words::Pairing::default(),
            diagonals: diagonals::Diagonals::default(),
            counts: found::Counts::default(),
        })
    }

    /// Prepares a text. `sentences` are its sentences as ranges of bytes, in order; `common` tells which of them are
    /// common in the corpus, and may be shorter than `sentences`: the rest is not.
    #[must_use]
    pub fn page(
        &self,
        text: &str,
        sentences: &[Range<u32>],
        common: &[bool],
        scratch: &mut Scratch,
    ) -> Page {
        let mut page = Page::new(text, sentences, common, &mut scratch.tokenizer);
        if let Some(describer) = &mut scratch.describer {
            page.describe(text, describer.as_mut(), &mut scratch.features);
        }
        page
    }

    /// Replaces `out` by the passages that the pages share, in the order of the first.
    pub fn align(&self, a: &Page, b: &Page, scratch: &mut Scratch, out: &mut Vec<Passage>) {
        out.clear();
        // Always in the same direction: otherwise ties could be broken differently in the other.
        let turned = a.order() > b.order();
        let (first, second) = if turned { (b, a) } else { (a, b) };
        let found = match &self.evidence {
            Evidence::Words => scratch.pairing.find(first, second, &self.options),
            Evidence::Sentences { threshold, .. } => {
                let diagonals = &mut scratch.diagonals;
                diagonals.find(first, second, *threshold, &self.options)
            }
        };
        let by_words = matches!(self.evidence, Evidence::Words);
        for found in found {
            let passage = scratch.counts.passage(first, second, found);
            let is_alike = || found::is_alike(first, second, found.area, passage.similarity);
            if !by_words || is_alike() {
                out.push(passage);
            }
        }
        if turned {
            for passage in out.iter_mut() {
                std::mem::swap(&mut passage.a, &mut passage.b);
            }
        }
        out.sort_unstable_by_key(|passage| (passage.a, passage.b));
    }

    /// The sentences that match, as pairs of their numbers with their similarity: the dots of a dot plot. With words as
    /// evidence the similarity is that of [`Passage::similarity`], with sentences the one that is compared with the
    /// threshold.
    #[must_use]
    pub fn dots(&self, a: &Page, b: &Page, scratch: &mut Scratch) -> Vec<(u32, u32, f64)> {
        match &self.evidence {
            Evidence::Words => {
                let dots = scratch.pairing.dots(a, b).into_iter();
                let counts = &mut scratch.counts;
                dots.map(|dot| (dot.0, dot.1, counts.of_sentences(a, b, dot)))
                    .collect()
            }
            Evidence::Sentences { threshold, .. } => scratch.diagonals.dots(a, b, *threshold),
        }
    }
}
