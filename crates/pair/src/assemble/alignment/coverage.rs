//! How much of a page do passages cover, and what are two documents to each other?

use std::fmt;

use serde::{Deserialize, Serialize};

use super::evident::told;
use super::{Page, Passage, Span};

/// A document with this share of its words in another one is all there, but for frames and edits.
const NEARLY_ALL: f64 = 0.8;

/// Near-duplicates are at least so similar: reworded texts are not.
const MOSTLY_SAME: f64 = 0.5;

/// What a document has at an end beside a passage that reaches to it is at most this share of it: a title, a footer.
const BESIDE: f64 = 0.1;

/// How many words of a page are in passages, or in parts of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// All words.
    pub words: u32,
    /// Those in one of them.
    pub covered: u32,
    /// The words outside of sentences that are common in the corpus,
    pub own_words: u32,
    /// and those of these in one of them.
    pub own_covered: u32,
}

impl Coverage {
    /// The share of the words.
    pub fn share(self) -> f64 {
        share(self.covered, self.words)
    }

    fn own_share(self) -> f64 {
        share(self.own_covered, self.own_words)
    }
}

fn share(part: u32, all: u32) -> f64 {
    if all == 0 {
        return 0.0;
    }
    f64::from(part) / f64::from(all)
}

impl Page {
    /// How much of it these spans cover.
    pub fn coverage(&self, spans: impl Iterator<Item = Span>) -> Coverage {
        self.coverage_of(spans.map(|span| self.words_of(span)).collect())
    }

    /// How much of it these stretches of words cover.
    pub(super) fn coverage_of(&self, mut covered: Vec<(u32, u32)>) -> Coverage {
        covered.sort_unstable();
        let words = self.words.len() as u32;
        let mut coverage = Coverage {
            words,
            own_words: words - self.common_words,
            ..Coverage::default()
        };
        let mut end = 0;
        covered.retain_mut(|(from, to)| {
            *from = (*from).max(end);
            end = end.max(*to);
            *from < *to
        });
        coverage.covered = covered.iter().map(|(from, to)| to - from).sum();
        let common = covered.iter().map(|&part| self.common_words_in(part));
        coverage.own_covered = coverage.covered - common.sum::<u32>();
        coverage
    }

    /// The share of its words that are not in sentences that are common.
    pub fn own_share(&self) -> f64 {
        share(
            self.words.len() as u32 - self.common_words,
            self.words.len() as u32,
        )
    }

    /// How many words of a stretch are in sentences that are common.
    fn common_words_in(&self, (from, to): (u32, u32)) -> u32 {
        if self.common_words == 0 {
            return 0;
        }
        let (first, last) = (self.sentence_of(from), self.sentence_of(to - 1));
        let sentences = self.sentences[first as usize..=last as usize].iter();
        let common = sentences.filter(|sentence| sentence.common);
        common
            .map(|sentence| sentence.words.end.min(to) - sentence.words.start.max(from))
            .sum()
    }

    /// How many words stand before a word, without those in sentences that are common.
    fn own_words_before(&self, word: u32) -> u32 {
        match (self.common_before.is_empty(), word.checked_sub(1)) {
            (true, _) | (_, None) => word,
            (false, Some(last)) => {
                let sentence = self.sentence_of(last) as usize;
                let in_this = match self.sentences[sentence].common {
                    true => word - self.sentences[sentence].words.start,
                    false => 0,
                };
                word - self.common_before[sentence] - in_this
            }
        }
    }

    /// Whether a passage begins where the document does, and whether it ends where the document ends.
    fn ends_of(&self, span: Span) -> [bool; 2] {
        let own = self.own_words_before(self.words.len() as u32);
        let (from, to) = self.words_of(span);
        let is_little = |words: u32| f64::from(words) <= BESIDE * f64::from(own);
        [
            is_little(self.own_words_before(from)),
            is_little(own - self.own_words_before(to)),
        ]
    }

    /// The words of which a span has a part, as the first and the one after the last.
    pub(super) fn words_of(&self, span: Span) -> (u32, u32) {
        let from = self.words.partition_point(|word| word.end <= span.begin);
        let to = self.words.partition_point(|word| word.start < span.end);
        (from as u32, to as u32)
    }
}

/// What two documents are to each other, by how much of each is in the other. What is common in the corpus does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Nearly all of each is in the other, and at least half of their words are the same.
    NearDuplicate,
    /// Nearly all of the second is in the first.
    Contains,
    /// Nearly all of the first is in the second.
    Contained,
    /// They share a part.
    Quotes,
    /// They share what is common in the corpus, and nothing else.
    Boilerplate,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 5] = [
        Relation::NearDuplicate,
        Relation::Contains,
        Relation::Contained,
        Relation::Quotes,
        Relation::Boilerplate,
    ];

    /// The name in a result.
    pub fn name(self) -> &'static str {
        match self {
            Relation::NearDuplicate => "near-duplicate",
            Relation::Contains => "contains",
            Relation::Contained => "contained",
            Relation::Quotes => "quotes",
            Relation::Boilerplate => "boilerplate",
        }
    }

    fn of(a: Coverage, b: Coverage, similarity: f64) -> Self {
        match (a.own_share() >= NEARLY_ALL, b.own_share() >= NEARLY_ALL) {
            (true, true) if similarity < MOSTLY_SAME => Relation::Quotes,
            (true, true) => Relation::NearDuplicate,
            (false, true) => Relation::Contains,
            (true, false) => Relation::Contained,
            (false, false) => Relation::Quotes,
        }
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether one document ends with what the other begins with, by the longest passage: the others do not tell.
fn goes_on(a: &Page, b: &Page, passages: &[Passage]) -> bool {
    let length = |passage: &&Passage| passage.a.end - passage.a.begin;
    passages.iter().max_by_key(length).is_some_and(|passage| {
        // A passage that reaches to both ends of a document is all of it.
        let ends = (a.ends_of(passage.a), b.ends_of(passage.b));
        matches!(
            ends,
            ([false, true], [true, false]) | ([true, false], [false, true])
        )
    })
}

/// What the passages of two documents come to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shared {
    /// What they are to each other.
    pub relation: Relation,
    /// Whether one begins with what the other ends with.
    pub goes_on: bool,
    /// The share of the first one's words in sentences of passages that tell something, not in gaps between these,
    pub covered_a: f64,
    /// and of the second one's.
    pub covered_b: f64,
    /// The words that passages have on both sides as a part of all words of both, those counted once.
    pub similarity: f64,
}

impl Shared {
    /// Of these passages; none if there are none. Boilerplate counts only where there is nothing else, and is removed from
    /// the passages otherwise.
    pub fn of(a: &Page, b: &Page, passages: &mut Vec<Passage>) -> Option<Self> {
        if passages.is_empty() {
            return None;
        }
        let only_common = passages.iter().all(|passage| passage.common);
        if !only_common {
            passages.retain(|passage| !passage.common);
        }
        let first = a.coverage(passages.iter().map(|passage| passage.a));
        let second = b.coverage(passages.iter().map(|passage| passage.b));
        let similarity = similarity(passages, (a, first), (b, second));
        let [first, second] = told(a, b, passages);
        if only_common {
            passages.clear();
        }
        Some(Shared {
            relation: if only_common {
                Relation::Boilerplate
            } else {
                Relation::of(first, second, similarity)
            },
            goes_on: goes_on(a, b, passages),
            covered_a: first.share(),
            covered_b: second.share(),
            similarity,
        })
    }
}

/// See [`Shared::similarity`]. Where passages overlap, no word counts twice.
fn similarity(
    passages: &[Passage],
    (a, first): (&Page, Coverage),
    (b, second): (&Page, Coverage),
) -> f64 {
    let words = |(from, to): (u32, u32)| f64::from(to - from);
    // A passage of x and y words and Jaccard similarity s has s (x + y) / (1 + s) on both sides.
    let shared: f64 = passages
        .iter()
        .map(|passage| {
            let all = words(a.words_of(passage.a)) + words(b.words_of(passage.b));
            passage.similarity * all / (1.0 + passage.similarity)
        })
        .sum();
    let shared = shared.min(f64::from(first.covered.min(second.covered)));
    shared / (f64::from(first.words + second.words) - shared).max(1.0)
}
