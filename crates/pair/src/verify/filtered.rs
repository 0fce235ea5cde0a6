//! A measure of features that counts only where the texts are alike in their letters, too.
//!
//! Most pairs fail that test, and it needs little room: what is kept is the text as its characters are compared, as
//! [`edit`](super::edit) keeps it. Features of characters follow from that, so only what passes is described, and scored by the
//! measure. Features of words do not, so what the measure keeps of them follows the text.
//!
//! Kept: how many words the text takes, the text, and what the measure keeps of words.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lookalike_sign::features::{Background, Method, Tokens, Weighting};
use lookalike_sign::{Describe, Error, Features};
use lookalike_text::{Unit, UnitId};

use super::edit::{self, Edit};
use super::{Bounds, Keep, Kept, Verify};

/// See the [module](self).
pub struct EditFiltered {
    /// The similarity of a pair,
    measure: Arc<dyn Verify>,
    /// by these features,
    features: Arc<dyn Method>,
    background: Background,
    /// if the edit similarity is at least this.
    floor: EditFloor,
    number: u64,
}

/// How similar texts must be in their letters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EditFloor {
    /// Texts in general.
    pub general: f64,
    /// Texts of fewer than so many letters must be at least so similar: of these one word is a large part.
    pub short: (usize, f64),
}

/// Describes texts for the measure.
struct Describing {
    /// Of which measure it is.
    number: u64,
    describe: Box<dyn Describe>,
    keeper: Box<dyn Keep>,
    features: Features,
    text: String,
    /// The first text of the last pair, and what the measure keeps of it: pairs come sorted by their first units.
    last: (Vec<u64>, Vec<u64>),
    other: Vec<u64>,
}

impl Describing {
    fn keep(&mut self, kept: &Kept, out: &mut Vec<u64>) {
        edit::text(kept, &mut self.text);
        out.clear();
        let unit = Unit::whole(UnitId::from(0), &self.text);
        self.describe.describe(&unit, &mut self.features);
        self.keeper.keep(&unit, &mut self.features, out);
    }

    fn score(&mut self, measure: &dyn Verify, (a, b): (&Kept, &Kept), floor: f64) -> Option<f64> {
        let (mut last, mut other) = (
            std::mem::take(&mut self.last),
            std::mem::take(&mut self.other),
        );
        if last.0 != a {
            last.0.clear();
            last.0.extend_from_slice(a);
            self.keep(a, &mut last.1);
        }
        self.keep(b, &mut other);
        let similarity = measure.score(&last.1, &other, floor);
        (self.last, self.other) = (last, other);
        similarity
    }
}

thread_local! {
    /// What this thread has described with last.
    static DESCRIBING: RefCell<Option<Describing>> = const { RefCell::new(None) };
}

/// Numbers the measures, so that a thread knows whether it can go on with what it has.
static NUMBER: AtomicU64 = AtomicU64::new(0);

impl EditFiltered {
    /// The measure of these features, for texts of at least this edit similarity.
    pub fn new(
        measure: Arc<dyn Verify>,
        (features, background): (Arc<dyn Method>, Background),
        floor: EditFloor,
    ) -> Self {
        EditFiltered {
            measure,
            features,
            background,
            floor,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn describing(&self) -> Result<Describing, Error> {
        Ok(Describing {
            number: self.number,
            describe: self.features.describer(&self.background)?,
            keeper: self.measure.keeper(&self.background)?,
            features: Features::default(),
            text: String::new(),
            last: (Vec::new(), Vec::new()),
            other: Vec::new(),
        })
    }
}

impl fmt::Debug for EditFiltered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EditFiltered")
            .field("measure", &self.measure)
            .field("features", &self.features)
            .field("floor", &self.floor)
            .finish_non_exhaustive()
    }
}

/// Keeps the text, and what the measure keeps of its words.
struct KeepBoth {
    edit: Box<dyn Keep>,
    of_words: Option<(Box<dyn Describe>, Box<dyn Keep>)>,
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

impl Verify for EditFiltered {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        let of_words = match self.features.tokens() {
            Tokens::Words => Some((
                self.features.describer(background)?,
                self.measure.keeper(background)?,
            )),
            Tokens::Chars | Tokens::Letters => {
                // What is wrong with the features is known here, not when the first pair is scored.
                self.describing()?;
                None
            }
        };
        Ok(Box::new(KeepBoth {
            edit: Edit.keeper(background)?,
            of_words,
        }))
    }

    fn score(&self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        let ((a, a_words), (b, b_words)) = (parts(a)?, parts(b)?);
        let edit = Edit.score(a, b, self.floor.general)?;
        let (short, least) = self.floor.short;
        if edit < least && edit::letters(a).max(edit::letters(b)) < short {
            return None;
        }
        if self.features.tokens() == Tokens::Words {
            return self.measure.score(a_words, b_words, floor);
        }
        DESCRIBING.with_borrow_mut(|describing| {
            if describing
                .as_ref()
                .is_none_or(|own| own.number != self.number)
            {
                *describing = self.describing().ok();
            }
            let describing = describing.as_mut()?;
            describing.score(&*self.measure, (a, b), floor)
        })
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
            EditFiltered::new(jaccard, (features.clone(), background.clone()), floor)
        };
        let kept = |text: &str| {
            let mut out = Vec::new();
            let unit = Unit::whole(UnitId::from(0), text);
            let mut keeper = of(0.5).keeper(&background).unwrap();
            keeper.keep(&unit, &mut Features::default(), &mut out);
            out
        };
        // Of 9 and 9 shingles 6 are common; the texts differ in 1 of 11 characters.
        let (a, b) = (kept("abcdefghijk"), kept("abcdeXghijk"));
        assert_eq!(of(0.5).score(&a, &b, 0.3), Some(0.5));
        assert_eq!(of(0.5).score(&a, &b, 0.6), None);
        assert_eq!(of(0.95).score(&a, &b, 0.3), None);
        let (a, b) = (kept("二〇二〇年的人口"), kept("二〇二一年的人口"));
        assert_eq!(of(0.8).score(&a, &b, 0.3), Some(3.0 / 9.0));
        assert_eq!(of(0.8).score(&a, &kept(""), 0.0), None);
        // Four letters are short.
        assert_eq!(of(0.5).score(&kept("abcd"), &kept("abce"), 0.1), None);
        assert_eq!(of(0.5).score(&kept("abcd"), &kept("abcd"), 0.1), Some(1.0));
    }
}
