//! From records to units: the whole record, or each of its sentences.
//!
//! In: a record. Out: its units with the text each has, always the same ones in the same order, so that a unit is found
//! again by counting. A rejected record is one unit without text where records are units, and none where sentences are.

use std::ops::Range;

use lookalike_kernel::SentencesSpec;
use lookalike_kernel::jobs::Split;
use lookalike_kernel::record::Record;
use lookalike_text::hash::{Table, hash128};
use lookalike_text::{Seed, Sentence, SentenceOptions, Unit, UnitId, UnitPlace, items, sentences};

use super::{Corpus, Texts, written};

/// Splits records; see the [module](self).
pub(crate) struct Splitter<'c> {
    corpus: &'c Corpus<'c>,
    texts: Texts,
    sentences: Vec<Sentence>,
    seen: Seen,
}

impl<'c> Splitter<'c> {
    pub(super) fn new(corpus: &'c Corpus<'c>) -> Self {
        Splitter {
            corpus,
            texts: Texts::default(),
            sentences: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// Hands on the units of a record, numbered from `first`, and returns how many there are.
    pub(crate) fn split(
        &mut self,
        first: u32,
        record: &Record<'_>,
        each: &mut dyn FnMut(Unit<'_>),
    ) -> u32 {
        match &self.corpus.split {
            Split::Whole => {
                let id = UnitId::from(first);
                each(self.corpus.whole(id, record, &mut self.texts));
                1
            }
            Split::Sentences(spec) => self.sentences(spec, first, record, each),
            Split::Pages(_) => {
                let (text, sentences) = self.page(record);
                for (sentence, id) in sentences.iter().zip(first..) {
                    each(Unit {
                        place: UnitPlace {
                            begin: sentence.range.start as u32,
                            number: sentence.number,
                            ..UnitPlace::default()
                        },
                        ..Unit::whole(UnitId::from(id), &text[sentence.range.clone()])
                    });
                }
                sentences.len() as u32
            }
        }
    }

    /// All text of a record, and its sentences.
    pub(crate) fn page<'s>(&'s mut self, record: &Record<'s>) -> (&'s str, &'s [Sentence]) {
        let all = SentenceOptions::unlimited();
        let options = match &self.corpus.split {
            Split::Pages(options) => options,
            Split::Sentences(spec) => &spec.split,
            Split::Whole => &all,
        };
        let id = UnitId::from(0);
        let text = self.corpus.whole(id, record, &mut self.texts).text;
        self.sentences.clear();
        sentences(text, options, |sentence| self.sentences.push(sentence));
        (text, &self.sentences)
    }

    /// Whether every record is one unit.
    pub(crate) fn is_whole(&self) -> bool {
        self.corpus.is_whole()
    }

    /// How many units a rejected record is.
    pub(crate) fn of_rejected(&self) -> u32 {
        u32::from(self.is_whole())
    }

    fn sentences(
        &mut self,
        spec: &SentencesSpec,
        first: u32,
        record: &Record<'_>,
        each: &mut dyn FnMut(Unit<'_>),
    ) -> u32 {
        let fields = &self.corpus.fields;
        let texts = fields.texts + usize::from(fields.has_references);
        let (mut next, mut earlier) = (first, 0);
        self.seen.clear();
        for (field, value) in (0u16..).zip(&record.values[..texts]) {
            let text = written(value);
            self.sentences.clear();
            let found = |sentence| self.sentences.push(sentence);
            let count = if self.corpus.is_reference(field) {
                items(text, &spec.split, found)
            } else {
                sentences(text, &spec.split, found)
            };
            for (number, range) in runs(&self.sentences, spec.window) {
                let said = &text[range.clone()];
                // What an article repeats counts once, unless it is compared with itself.
                if !spec.within_article && !self.seen.insert(said) {
                    continue;
                }
                each(Unit {
                    id: UnitId::from(next),
                    place: UnitPlace {
                        field,
                        begin: range.start as u32,
                        number: earlier + number,
                    },
                    text: said,
                    fields: &[],
                });
                next += 1;
            }
            earlier += count;
        }
        next - first
    }
}

/// Every run of `window` sentences, each as the number of its first and where it stands; all of them as one run where
/// there are fewer.
fn runs(sentences: &[Sentence], window: u32) -> impl Iterator<Item = (u32, Range<usize>)> {
    let length = (window.max(1) as usize).min(sentences.len()).max(1);
    sentences.windows(length).map(|run| {
        let (first, last) = (&run[0], &run[run.len() - 1]);
        (first.number, first.range.start..last.range.end)
    })
}

/// The texts that a record has had, by their digests.
#[derive(Debug, Default)]
struct Seen {
    digests: Table<u128>,
}

impl Seen {
    fn clear(&mut self) {
        self.digests.reset(0);
    }

    /// Whether a text is new.
    fn insert(&mut self, text: &str) -> bool {
        let digest = hash128(text.as_bytes(), Seed(0)).max(1);
        self.digests.make_room(|&other| other as u64);
        let is_it = |&other: &u128| other == digest;
        self.digests.get_or_put(digest as u64, is_it, digest).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_new_once() {
        let mut seen = Seen::default();
        for round in 0..2 {
            for number in 0..1000 {
                assert_eq!(seen.insert(&format!("第{number}句")), round == 0);
            }
        }
        seen.clear();
        assert!(seen.insert("第3句"));
    }

    #[test]
    fn runs_overlap_and_a_short_text_is_one_run() {
        let sentence = |number: u32| Sentence {
            range: number as usize * 10..number as usize * 10 + 9,
            number,
        };
        let three = [sentence(0), sentence(2), sentence(3)];
        let of = |window| runs(&three, window).collect::<Vec<_>>();
        assert_eq!(of(1), [(0, 0..9), (2, 20..29), (3, 30..39)]);
        assert_eq!(of(2), [(0, 0..29), (2, 20..39)]);
        assert_eq!(of(9), [(0, 0..39)]);
        assert_eq!(runs(&[], 2).count(), 0);
    }
}
