//! Pages of which some took runs of sentences from others, with where these are on both sides.
//!
//! A sentence is a function of its page and place, so that another page can copy it without anything being stored. Only
//! pages that took nothing are copied from, and no sentence twice: what is planted is all that two pages have in common,
//! but for what they have by chance.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use crate::pool::Pool;
use crate::random::Random;

/// This share of the pages took a run of sentences,
const BORROWERS: f64 = 0.3;
/// and this share of them another one, mostly of another page.
const SECOND_RUN: f64 = 0.3;
const RUN: Range<usize> = 3..11;
/// This share of the copied sentences was changed,
const CHANGED: f64 = 0.2;
/// in this share of their words.
const CHANGES: f64 = 0.1;

/// About 400 words per page; half of a page is at least as long as a run.
const SENTENCES: Range<usize> = 20..27;
const SENTENCE_WORDS: Range<usize> = 10..26;
const FOOTER_SENTENCES: usize = 5;
const REPETITIONS: usize = 100_000;

const PURPOSE_LAYOUT: u64 = 31;
const PURPOSE_SENTENCE: u64 = 32;
const PURPOSE_ORDER: u64 = 33;
const PURPOSE_CHANGE: u64 = 34;
const MOST_SENTENCES: usize = 64;

/// What is unusual about the corpus.
#[derive(Clone, Copy, PartialEq)]
pub enum Variant {
    Ordinary,
    /// The page in the middle is one sentence of the first page, over and over.
    Repeat,
    /// All pages end with the same sentences.
    Footer,
}

impl Variant {
    pub fn name(self) -> &'static str {
        match self {
            Variant::Ordinary => "passages",
            Variant::Repeat => "repeat",
            Variant::Footer => "footer",
        }
    }
}

pub struct Pages<'p> {
    pool: &'p Pool,
    variant: Variant,
    pages: usize,
    seed: u64,
    /// For each page that took something the pages it took it from; `None` for all others.
    sources: Vec<Option<[u32; 2]>>,
}

type Sentence = Vec<Word>;

#[derive(Clone, Copy)]
struct Word {
    word: u32,
    after: &'static str,
}

/// A run of sentences of another page.
struct Run {
    source: usize,
    places: Range<usize>,
    /// Before which of the page's own sentences it stands.
    before: usize,
    sentences: Vec<Sentence>,
    is_changed: bool,
}

/// A text with its length in characters, as JSON.
#[derive(Default)]
struct Text {
    json: String,
    characters: usize,
}

/// Where a run is on both sides.
struct Span {
    borrower: Range<usize>,
    source: Range<usize>,
}

impl<'p> Pages<'p> {
    pub fn new(pool: &'p Pool, variant: Variant, pages: usize, seed: u64) -> Self {
        let mut pages = Pages {
            pool,
            variant,
            pages,
            seed,
            sources: vec![None; pages],
        };
        let (borrowers, originals): (Vec<u32>, Vec<u32>) =
            (0..pages.pages as u32).partition(|&page| pages.is_borrower(page as usize));
        let [first, second] = [0, 1].map(|slot| pages.shuffled(originals.clone(), slot));
        for ((&borrower, &one), &other) in borrowers.iter().zip(&first).zip(&second) {
            pages.sources[borrower as usize] = Some([one, other]);
        }
        pages
    }

    fn is_special(&self, page: usize) -> bool {
        self.variant == Variant::Repeat && page == self.pages / 2
    }

    fn is_borrower(&self, page: usize) -> bool {
        page != 0 && !self.is_special(page) && self.layout(page).share() < BORROWERS
    }

    fn layout(&self, page: usize) -> Random {
        Random::for_record(self.seed, page as u64, PURPOSE_LAYOUT)
    }

    fn shuffled(&self, mut pages: Vec<u32>, slot: u64) -> Vec<u32> {
        pages.retain(|&page| !self.is_special(page as usize));
        let mut random = Random::for_record(self.seed, slot, PURPOSE_ORDER);
        for last in (1..pages.len()).rev() {
            pages.swap(last, random.below(last + 1));
        }
        pages
    }

    /// How many sentences of its own a page has.
    fn own_sentences(&self, page: usize) -> usize {
        let mut random = self.layout(page);
        random.next();
        SENTENCES.start + random.below(SENTENCES.len())
    }

    fn sentence(&self, page: usize, place: usize) -> Sentence {
        let number = (page * MOST_SENTENCES + place) as u64;
        let mut random = Random::for_record(self.seed, number, PURPOSE_SENTENCE);
        let count = SENTENCE_WORDS.start + random.below(SENTENCE_WORDS.len());
        let mut words = Vec::new();
        self.pool.walk(count, &mut random, &mut words);
        let with_mark = |word| {
            let after = match random.below(40) {
                0 | 1 => ", ",
                // Three bytes, one character.
                2 => " – ",
                _ => " ",
            };
            Word { word, after }
        };
        words.into_iter().map(with_mark).collect()
    }

    fn runs(&self, page: usize) -> Vec<Run> {
        let Some(sources) = self.sources[page] else {
            return Vec::new();
        };
        let mut random = Random::for_record(self.seed, page as u64, PURPOSE_CHANGE);
        let count = if random.share() < SECOND_RUN { 2 } else { 1 };
        let own = self.own_sentences(page);
        let runs = sources.into_iter().take(count).enumerate();
        runs.map(|(slot, source)| self.run(slot, source as usize, own, &mut random))
            .collect()
    }

    /// The first run is of the first half of its source, the second of the second, and they stand so in the page, too.
    fn run(&self, slot: usize, source: usize, own: usize, random: &mut Random) -> Run {
        let half = self.own_sentences(source) / 2;
        let length = (RUN.start + random.below(RUN.len())).min(half);
        let first = slot * half + random.below(half - length + 1);
        let before = slot * (own / 2 + 1) + random.below(own / 2);
        let places = first..first + length;
        let mut is_changed = false;
        let sentences = places.clone().map(|place| {
            let sentence = self.sentence(source, place);
            if random.share() >= CHANGED {
                return sentence;
            }
            is_changed = true;
            self.changed(&sentence, random)
        });
        let sentences = sentences.collect();
        Run {
            source,
            places,
            before,
            sentences,
            is_changed,
        }
    }

    /// Words replaced, dropped or added.
    fn changed(&self, sentence: &[Word], random: &mut Random) -> Sentence {
        let mut out = Vec::with_capacity(sentence.len() + 4);
        for &word in sentence {
            let other = Word {
                word: self.pool.any_word(random),
                after: " ",
            };
            if random.share() >= CHANGES {
                out.push(word);
                continue;
            }
            match random.below(3) {
                0 => out.push(other),
                1 => out.extend([other, word]),
                _ => {}
            }
        }
        // All of it dropped: then it stays as it is.
        if out.is_empty() {
            out.extend_from_slice(sentence);
        }
        out
    }

    /// The page, and where its runs are on both sides.
    fn page(&self, page: usize) -> (Text, Vec<(Run, Span)>) {
        let mut text = Text::default();
        if self.is_special(page) {
            let sentence = self.sentence(0, 0);
            for _ in 0..REPETITIONS {
                text.sentence(&sentence, self.pool);
            }
            return (text, Vec::new());
        }
        let mut spans = Vec::new();
        let mut runs = self.runs(page).into_iter().peekable();
        let own = self.own_sentences(page);
        for place in 0..=own {
            while let Some(run) = runs.next_if(|run| run.before == place) {
                let written = run.sentences.iter().map(|s| text.sentence(s, self.pool));
                let borrower = hull(written);
                let source = self.span_in_source(run.source, run.places.clone());
                spans.push((run, Span { borrower, source }));
            }
            if place < own {
                text.sentence(&self.sentence(page, place), self.pool);
            }
        }
        if self.variant == Variant::Footer {
            for place in 0..FOOTER_SENTENCES {
                text.sentence(&self.sentence(self.pages, place), self.pool);
            }
        }
        (text, spans)
    }

    /// Where sentences are in a page that took nothing from others.
    fn span_in_source(&self, page: usize, places: Range<usize>) -> Range<usize> {
        let mut text = Text::default();
        let written = (0..places.end).map(|place| {
            let sentence = self.sentence(page, place);
            (place, text.sentence(&sentence, self.pool))
        });
        hull(
            written
                .filter(|(place, _)| places.contains(place))
                .map(|(_, span)| span),
        )
    }

    /// The pages as JSON, and the pairs with what they have in common.
    pub fn write_block(&self, pages: Range<usize>) -> (Vec<u8>, Vec<u8>) {
        let (mut texts, mut planted) = (String::new(), String::new());
        for page in pages {
            let (text, spans) = self.page(page);
            let _ = writeln!(texts, r#"{{"id":"{}","text":"{}"}}"#, id(page), text.json);
            write_pairs(page, &spans, &mut planted);
        }
        (texts.into_bytes(), planted.into_bytes())
    }
}

fn id(page: usize) -> String {
    format!("p{page:07}")
}

/// From the first to the last.
fn hull(spans: impl Iterator<Item = Range<usize>>) -> Range<usize> {
    let hull = spans.reduce(|all, span| all.start..span.end);
    hull.unwrap_or_default()
}

/// A line a pair, `a` earlier in the corpus.
fn write_pairs(page: usize, spans: &[(Run, Span)], out: &mut String) {
    let mut by_source: BTreeMap<usize, Vec<&(Run, Span)>> = BTreeMap::new();
    for span in spans {
        by_source.entry(span.0.source).or_default().push(span);
    }
    for (source, spans) in by_source {
        let is_changed = spans.iter().any(|(run, _)| run.is_changed);
        let kind = if is_changed { "changed" } else { "verbatim" };
        let (a, b) = (id(page.min(source)), id(page.max(source)));
        let _ = write!(out, r#"{{"a":"{a}","b":"{b}","kind":"{kind}","spans":["#);
        for (
            number,
            (
                _,
                Span {
                    borrower,
                    source: taken,
                },
            ),
        ) in spans.into_iter().enumerate()
        {
            let (a, b) = if page < source {
                (borrower, taken)
            } else {
                (taken, borrower)
            };
            let comma = if number > 0 { "," } else { "" };
            let _ = write!(
                out,
                r#"{comma}{{"a_begin":{},"a_end":{},"b_begin":{},"b_end":{}}}"#,
                a.start, a.end, b.start, b.end
            );
        }
        out.push_str("]}\n");
    }
}

impl Text {
    /// Adds a sentence and says where it is.
    fn sentence(&mut self, words: &[Word], pool: &Pool) -> Range<usize> {
        if !self.json.is_empty() {
            // A paragraph of about seven sentences. A line end is two characters of JSON, and one of the text.
            let paragraph = self.characters.is_multiple_of(7);
            self.json.push_str(if paragraph { r"\n" } else { " " });
            self.characters += 1;
        }
        let start = self.characters;
        for (place, word) in words.iter().enumerate() {
            let spelling = pool.spelling(word.word);
            if place == 0 {
                self.json.push_str(&spelling[..1].to_ascii_uppercase());
                self.json.push_str(&spelling[1..]);
            } else {
                self.json.push_str(spelling);
            }
            let is_last = place + 1 == words.len();
            let after = if is_last { "." } else { word.after };
            self.json.push_str(after);
            self.characters += spelling.len() + after.chars().count();
        }
        start..self.characters
    }
}
