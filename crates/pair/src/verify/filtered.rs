//! A measure of features that counts only where the texts are alike in their letters, too.
//!
//! Most pairs fail that test, and it needs little room: what is kept is the text as its characters are compared, as
//! [`edit`](super::edit) keeps it. Features of characters follow from that, so only what passes is described, and scored by the
//! measure. Features of words do not, so what the measure keeps of them follows the text.
//!
//! Kept: how many words the text takes, the text, and what the measure keeps of words.

use std::sync::Arc;

use lookalike_sign::features::{Background, Method, Tokens, Weighting};
use lookalike_sign::{Describe, Error, Features};
use lookalike_text::{Unit, UnitId};

use super::edit::{self, Edit};
use super::{Bounds, Keep, Kept, Score, Verify};

/// A measure of features that counts only where the texts are alike in their letters, too.
#[derive(Debug)]
pub struct EditFiltered {
    /// The similarity of a pair,
    measure: Arc<dyn Verify>,
    /// by these features,
    features: Arc<dyn Method>,
    /// if the edit similarity is at least this.
    floor: EditFloor,
}

/// How similar texts must be in their letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EditFloor {
    /// Texts in general.
    pub general: f64,
    /// Texts of fewer than so many letters must be at least so similar: of these one word is a large part.
    pub short: (usize, f64),
}

/// What describes units for the measure, and what it keeps of them.
type Measured = (Box<dyn Describe>, Box<dyn Keep>);

impl EditFiltered {
    /// The measure of these features, for texts of at least this edit similarity.
    pub fn new(measure: Arc<dyn Verify>, features: Arc<dyn Method>, floor: EditFloor) -> Self {
        EditFiltered {
            measure,
            features,
            floor,
        }
    }

    fn measured(&self, background: &Background) -> Result<Measured, Error> {
        Ok((
            self.features.describer(background)?,
            self.measure.keeper(background)?,
        ))
    }
}

/// Keeps the text, and what the measure keeps of its words.
struct KeepBoth {
    edit: Box<dyn Keep>,
    of_words: Option<Measured>,
}

impl Keep for KeepBoth {
    fn keep(&mut self, unit: &Unit<'_>, features: &mut Features, out: &mut Vec<u64>) {
        let begin = out.len();
        out.push(0);
        self.edit.keep(unit, features, out);
        out[begin] = (out.len() - begin - 1) as u64;
        if out[begin] == 0 {
            out.truncate(begin);
        } else if let Some((describe, keeper)) = &mut self.of_words {
            describe.describe(unit, features);
            if !features.is_empty() {
                keeper.keep(unit, features, out);
            }
        }
    }
}

/// The text, and what the measure keeps of its words.
fn parts(kept: &Kept) -> Option<(&Kept, &Kept)> {
    let (&length, both) = kept.split_first()?;
    both.split_at_checked(length as usize)
}

struct ScoreFiltered {
    floor: EditFloor,
    measure: Box<dyn Score>,
    /// Where features follow from the text.
    of_text: Option<Describing>,
}

impl Score for ScoreFiltered {
    fn score(&mut self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        let ((a, a_words), (b, b_words)) = (parts(a)?, parts(b)?);
        let edit = edit::score(a, b, self.floor.general)?;
        let (short, least) = self.floor.short;
        if edit < least && edit::letters(a).max(edit::letters(b)) < short {
            return None;
        }
        let (a, b) = match &mut self.of_text {
            None => (a_words, b_words),
            Some(describing) => describing.both(a, b),
        };
        self.measure.score(a, b, floor)
    }
}

/// Describes texts for the measure.
struct Describing {
    describe: Box<dyn Describe>,
    keeper: Box<dyn Keep>,
    features: Features,
    text: String,
    /// The first text of the last pair, and what the measure keeps of it: pairs come sorted by their first units.
    first: (Vec<u64>, Vec<u64>),
    second: Vec<u64>,
}

impl Describing {
    /// What the measure keeps of two texts.
    fn both(&mut self, a: &Kept, b: &Kept) -> (&Kept, &Kept) {
        if self.first.0 != a {
            self.first.0.clear();
            self.first.0.extend_from_slice(a);
            self.keep(a, |own| &mut own.first.1);
        }
        self.keep(b, |own| &mut own.second);
        (&self.first.1, &self.second)
    }

    fn keep(&mut self, kept: &Kept, place: fn(&mut Self) -> &mut Vec<u64>) {
        let mut out = std::mem::take(place(self));
        out.clear();
        edit::text(kept, &mut self.text);
        let unit = Unit::whole(UnitId::from(0), &self.text);
        self.describe.describe(&unit, &mut self.features);
        self.keeper.keep(&unit, &mut self.features, &mut out);
        *place(self) = out;
    }
}

impl Verify for EditFiltered {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        let of_words = self.features.tokens() == Tokens::Words;
        Ok(Box::new(KeepBoth {
            edit: Edit.keeper(background)?,
            of_words: of_words.then(|| self.measured(background)).transpose()?,
        }))
    }

    fn scorer(&self, background: &Background) -> Result<Box<dyn Score>, Error> {
        let of_text = match self.features.tokens() {
            Tokens::Words => None,
            Tokens::Chars | Tokens::Letters => {
                let (describe, keeper) = self.measured(background)?;
                Some(Describing {
                    describe,
                    keeper,
                    features: Features::default(),
                    text: String::new(),
                    first: (Vec::new(), Vec::new()),
                    second: Vec::new(),
                })
            }
        };
        Ok(Box::new(ScoreFiltered {
            floor: self.floor,
            measure: self.measure.scorer(background)?,
            of_text,
        }))
    }

    /// Those of the measure: the filter only leaves pairs out.
    fn bounds(&self) -> Option<&dyn Bounds> {
        self.measure.bounds()
    }

    fn weighting(&self) -> Option<Weighting> {
        self.measure.weighting()
    }

    fn needs_statistics(&self) -> bool {
        self.measure.needs_statistics()
    }

    fn describes_units(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use lookalike_sign::features::method;

    use super::*;
    use crate::verify::measure;

    #[test]
    fn both_similarities_must_be_reached() {
        let background = Background::default();
        let features = method("shingles:chars:3").unwrap();
        let of = |floor| {
            let floor = EditFloor {
                general: floor,
                short: (5, 1.0),
            };
            let jaccard = measure("jaccard").unwrap();
            EditFiltered::new(jaccard, features.clone(), floor)
        };
        let kept = |text: &str| {
            let mut out = Vec::new();
            let unit = Unit::whole(UnitId::from(0), text);
            let mut keeper = of(0.5).keeper(&background).unwrap();
            keeper.keep(&unit, &mut Features::default(), &mut out);
            out
        };
        let score = |floor, a: &Kept, b: &Kept, least| {
            let mut scorer = of(floor).scorer(&background).unwrap();
            let similarity = scorer.score(a, b, least);
            // The first unit of a pair is remembered, and another one is not taken for it.
            assert_eq!(scorer.score(a, b, least), similarity);
            assert_eq!(scorer.score(b, a, least), similarity);
            similarity
        };
        // Of 9 and 9 shingles 6 are common; the texts differ in 1 of 11 characters.
        let (a, b) = (kept("abcdefghijk"), kept("abcdeXghijk"));
        assert_eq!(score(0.5, &a, &b, 0.3), Some(0.5));
        assert_eq!(score(0.5, &a, &b, 0.6), None);
        assert_eq!(score(0.95, &a, &b, 0.3), None);
        let (a, b) = (kept("二〇二〇年的人口"), kept("二〇二一年的人口"));
        assert_eq!(score(0.8, &a, &b, 0.3), Some(3.0 / 9.0));
        assert_eq!(score(0.8, &a, &kept(""), 0.0), None);
        // Four letters are short.
        assert_eq!(score(0.5, &kept("abcd"), &kept("abce"), 0.1), None);
        assert_eq!(score(0.5, &kept("abcd"), &kept("abcd"), 0.1), Some(1.0));
    }
}
