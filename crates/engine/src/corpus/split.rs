//! From records to units: the whole record, or each of its sentences.
//!
//! In: a record. Out: its units with the text each has, always the same ones in the same order, so that a unit is found
//! again by counting. A rejected record is one unit without text where records are units, and none where sentences are.

use std::ops::Range;

use lookalike_kernel::SentencesSpec;
use lookalike_kernel::jobs::Split;
use lookalike_kernel::record::Record;
use lookalike_text::hash::{Table, hash128};
use lookalike_text::{Seed, Sentence, Unit, UnitId, UnitPlace, items, sentences};

use super::{BlockMark, Corpus, Texts, written};
use crate::Error;
use crate::bits::Bits;
use crate::number::Number;
use crate::source::Block;

/// Splits records.
pub(crate) struct Splitter<'c> {
    corpus: &'c Corpus<'c>,
    split: &'c Split,
    texts: Texts,
    sentences: Vec<Sentence>,
    seen: Seen,
}

impl<'c> Splitter<'c> {
    pub(super) fn new(corpus: &'c Corpus<'c>, split: &'c Split) -> Self {
        Splitter {
            corpus,
            split,
            texts: Texts::default(),
            sentences: Vec::new(),
            seen: Seen::default(),
        }
    }

    /// Hands on the units of a record, numbered from `first`, and returns how many there are.
    pub(crate) fn split(
        &mut self,
        first: UnitId,
        record: &Record<'_>,
        each: &mut dyn FnMut(Unit<'_>),
    ) -> u32 {
        match self.split {
            Split::Whole => {
                each(self.corpus.whole(first, record, &mut self.texts));
                1
            }
            Split::Sentences(spec) => self.sentences(spec, first, record, each),
            Split::Pages(_) => {
                let page = self.corpus.whole(first, record, &mut self.texts);
                self.corpus.sentences(page.text, &mut self.sentences);
                for (sentence, id) in self.sentences.iter().zip(first.get()..) {
                    each(Unit {
                        place: UnitPlace {
                            begin: sentence.range.start as u32,
                            number: sentence.number,
                            ..UnitPlace::default()
                        },
                        ..Unit::whole(UnitId::from(id), &page.text[sentence.range.clone()])
                    });
                }
                self.sentences.len() as u32
            }
        }
    }

    /// Hands on the wanted units of a block that was read again; or the wanted records, each as a unit.
    pub(crate) fn split_block<I: Number>(
        &mut self,
        block: &Block,
        mark: &BlockMark,
        wanted: &Bits<I>,
        each: &mut dyn FnMut(I, Unit<'_>),
    ) -> Result<(), Error> {
        let is_whole = self.is_whole();
        // Where records are units, those that are not wanted need not be decoded.
        let number = |slot: u32| I::from(mark.first.get() + slot);
        let is_wanted =
            |slot: u32| slot < mark.records && (!is_whole || wanted.contains(number(slot)));
        // A record without an id was rejected, whatever its text: its sentences are not counted.
        let (corpus, part, mut id) = (self.corpus, mark.part(), Vec::new());
        let mut has_id = |record: &Record<'_>| {
            id.clear();
            corpus.id(record, part, block.place.part, &mut id).is_ok()
        };
        let mut next = mark.first_unit;
        let records = block.decode(&mut |slot| is_wanted(slot), &mut |slot, record| {
            if !is_wanted(slot) {
                return;
            }
            if is_whole {
                next = UnitId::from(mark.first.get() + slot);
            }
            let units = match record {
                Ok(record) if is_whole || has_id(&record) => {
                    self.split(next, &record, &mut |unit| {
                        let number = I::from(unit.id.get());
                        if wanted.contains(number) {
                            each(number, unit);
                        }
                    })
                }
                _ => self.of_rejected(),
            };
            next = next.plus(units);
        })?;
        // Records after the last of `--limit` are in the block, but do not count.
        if records < mark.records || !(is_whole || next == mark.first_unit.plus(mark.units)) {
            return Err(self.corpus.changed(mark));
        }
        Ok(())
    }

    /// Whether every record is one unit.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.split, Split::Whole)
    }

    /// How many units a rejected record is.
    pub(crate) fn of_rejected(&self) -> u32 {
        u32::from(self.is_whole())
    }

    fn sentences(
        &mut self,
        spec: &SentencesSpec,
        first: UnitId,
        record: &Record<'_>,
        each: &mut dyn FnMut(Unit<'_>),
    ) -> u32 {
        let fields = &self.corpus.fields;
        let texts = fields.texts + usize::from(fields.has_references);
        let (mut count, mut earlier) = (0, 0);
        self.seen.clear();
        for (field, value) in (0u16..).zip(&record.values[..texts]) {
            let text = written(value);
            self.sentences.clear();
            let found = |sentence| self.sentences.push(sentence);
            let sentences = if self.corpus.is_reference(field) {
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
                    id: first.plus(count),
                    place: UnitPlace {
                        field,
                        begin: range.start as u32,
                        number: earlier + number,
                    },
                    text: said,
                    fields: &[],
                });
                count += 1;
            }
            earlier += sentences;
        }
        count
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
