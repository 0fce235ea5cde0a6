//! From the words of a passage to its bytes, sentences and similarity.

use lookalike_text::Seed;
use lookalike_text::hash::hash_sequence;

use super::groups::Area;
use super::page::Page;
use super::settle::Candidate;
use super::{Passage, Span};

/// Counts words of two stretches.
#[derive(Debug, Default)]
pub(super) struct Counts {
    a: Vec<u64>,
    b: Vec<u64>,
}

/// How alike the words of a passage are at least, in percent; for each doubling of its words beyond so many, more: the
/// longer two texts of a language are, the more words they have in common by chance.
const LEAST_PERCENT: u32 = 25;
const LONG: u32 = 200;
const MORE_PERCENT: u32 = 4;

/// The same for scripts without spaces, where every two neighbours are compared: a change of one character changes two.
const LEAST_PERCENT_OF_NEIGHBOURS: u32 = 18;

/// Whether a passage with the words of this area is alike enough.
pub(super) fn is_alike(a: &Page, b: &Page, area: Area, similarity: f64) -> bool {
    let places = |[begin, end]: [u32; 2]| u64::from(end - begin);
    // A character of such a script counts half a word.
    let halves = [a.length(area.a), b.length(area.b)];
    let all = halves.map(u64::from).iter().sum::<u64>();
    let least = match 2 * all < 3 * (places(area.a) + places(area.b)) {
        true => LEAST_PERCENT_OF_NEIGHBOURS,
        false => LEAST_PERCENT,
    };
    let words = halves[0].max(halves[1]) / 2;
    let doublings = (words / LONG).max(1).ilog2();
    100.0 * similarity >= f64::from(least + MORE_PERCENT * doublings)
}

impl Counts {
    /// The passage of a candidate, neither side of which is empty.
    pub(super) fn passage(&mut self, a: &Page, b: &Page, found: &Candidate) -> Passage {
        let common = found.special == 0;
        let area = if common {
            found.area
        } else {
            Area {
                a: without_common_ends(a, found.area.a),
                b: without_common_ends(b, found.area.b),
            }
        };
        Passage {
            a: span(a, area.a),
            b: span(b, area.b),
            similarity: self.similarity(a, b, area),
            common,
        }
    }

    /// The similarity of two sentences.
    pub(super) fn of_sentences(&mut self, a: &Page, b: &Page, pair: (u32, u32)) -> f64 {
        let words = |page: &Page, sentence: u32| {
            let words = &page.sentences[sentence as usize].words;
            [words.start, words.end]
        };
        let area = Area {
            a: words(a, pair.0),
            b: words(b, pair.1),
        };
        self.similarity(a, b, area)
    }

    /// The similarity of the words of an area.
    fn similarity(&mut self, a: &Page, b: &Page, area: Area) -> f64 {
        terms(a, area.a, &mut self.a);
        terms(b, area.b, &mut self.b);
        jaccard(&self.a, &self.b)
    }
}

/// The words of a stretch, sorted. Where words stand next to each other without a space, as ideographs do, every two
/// neighbours count as one: single ones are in every text.
fn terms(page: &Page, [begin, end]: [u32; 2], out: &mut Vec<u64>) {
    let (begin, end) = (begin as usize, end as usize);
    out.clear();
    let mut follows = false;
    for at in begin..end {
        let goes_on = at + 1 < end && page.words[at].end == page.words[at + 1].start;
        if goes_on {
            let pair = [page.hashes[at], page.hashes[at + 1]];
            out.push(hash_sequence(&pair, Seed::default()));
        } else if !follows {
            out.push(page.hashes[at]);
        }
        follows = goes_on;
    }
    out.sort_unstable();
}

/// The Jaccard similarity of two sorted multisets; 0 if both are empty.
pub(super) fn jaccard(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        same += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    match a.len() + b.len() - same {
        0 => 0.0,
        all => same as f64 / all as f64,
    }
}

/// A stretch of words without the common sentences at its ends: they say nothing of where it ends. One that has no others
/// stays.
fn without_common_ends(page: &Page, [begin, end]: [u32; 2]) -> [u32; 2] {
    let (mut first, mut last) = (page.sentence_of(begin), page.sentence_of(end - 1));
    let sentence = |number: u32| &page.sentences[number as usize];
    while first < last && sentence(first).common {
        first += 1;
    }
    while last > first && sentence(last).common {
        last -= 1;
    }
    let inner = [
        begin.max(sentence(first).words.start),
        end.min(sentence(last).words.end),
    ];
    if inner[0] < inner[1] {
        inner
    } else {
        [begin, end]
    }
}

/// The bytes from the first to the last word. A whole sentence has its punctuation, too.
fn span(page: &Page, [begin, end]: [u32; 2]) -> Span {
    let (first, last) = (page.sentence_of(begin), page.sentence_of(end - 1));
    let (opening, closing) = (
        &page.sentences[first as usize],
        &page.sentences[last as usize],
    );
    let mut span = Span {
        begin: page.words[begin as usize].start,
        end: page.words[end as usize - 1].end,
        first_sentence: first,
        sentences: last - first + 1,
    };
    if opening.words.start == begin && !opening.bytes.is_empty() {
        span.begin = span.begin.min(opening.bytes.start);
    }
    if closing.words.end == end && !closing.bytes.is_empty() {
        span.end = span.end.max(closing.bytes.end);
    }
    span
}
