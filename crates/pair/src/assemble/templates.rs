//! What the variants of one message have in common: a frame of words, and slots in which they differ.
//!
//! In: the texts of a cluster. Out: templates, each with the variants that are exactly its frame with a value in every slot, or
//! nothing there. Most clusters have one. Where a frame would lose more by a few that lack much of it than they are worth, these
//! get a template of their own; a variant that shares a frame with no other has none.
//!
//! Words are compared as the job compares them, but in scripts without spaces character by character, so that a slot ends where
//! the texts do and not where a dictionary cuts. What is between words is as in the first text.
//!
//! ```
//! use std::convert::Infallible;
//! use lookalike_pair::assemble::Templates;
//! use lookalike_text::TextOptions;
//!
//! let texts = ["Your code is 4711.", "Your code is 0815.", "your code is 4711"];
//! let read = |number: usize, text: &mut String| Ok::<(), Infallible>(text.push_str(texts[number]));
//! let mut found = Vec::new();
//! Templates::new(TextOptions::default()).find(&[1, 1, 1], 0, read, |template| Ok(found.push(template)))?;
//! assert_eq!(found[0].text, "Your code is {1}.");
//! let values: Vec<(&str, u64)> = found[0].slots[0].values.iter().map(|value| (value.text.as_str(), value.count)).collect();
//! assert_eq!(values, [("4711", 2), ("0815", 1)]);
//! # Ok::<(), Infallible>(())
//! ```

mod frame;
mod values;
mod worded;

use lookalike_text::TextOptions;

use super::difference::{Differ, Stretch};
use frame::{Choice, Frame};
use values::Values;
use worded::{Reader, Word, Worded};

/// So many variants tell which words make up the frame; whether a variant has them is then asked of all.
const ASKED: usize = 4096;

/// So many templates at most are made of a cluster. The last has only the words that all variants left have.
const MOST_TEMPLATES: usize = 16;

/// A frame, what is in its slots, and who has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    /// The frame, with `{1}`, `{2}` … where the slots are. Braces of the texts are doubled.
    pub text: String,
    /// The slots, in the order of the frame.
    pub slots: Vec<Slot>,
    /// The numbers of the variants that have it, ascending.
    pub variants: Vec<u32>,
}

/// A place in which variants differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// What stands there, the most frequent first, equally frequent ones as they come. `""` where nothing does.
    pub values: Vec<SlotValue>,
}

/// What stands in a slot, as it is written where it stands first, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotValue {
    /// The value.
    pub text: String,
    /// How many have it, identical ones counted.
    pub count: u64,
}

/// Finds templates, in buffers that are used again.
pub struct Templates {
    reader: Reader,
    differ: Differ,
    stretches: Vec<Stretch>,
    first: Worded,
}

impl Templates {
    /// For texts that are compared by these policies.
    #[must_use]
    pub fn new(text: TextOptions) -> Self {
        Templates {
            reader: Reader::new(text),
            differ: Differ::default(),
            stretches: Vec::new(),
            first: Worded::default(),
        }
    }

    /// Tells the templates of a cluster of variants, given how many identical texts each stands for. The frame is that of the
    /// variant `kept`, the frames of further templates those of the first that is left. `read` appends the text of a variant.
    ///
    /// # Errors
    /// Those of `read` and of `each`.
    pub fn find<E>(
        &mut self,
        copies: &[u64],
        kept: usize,
        mut read: impl FnMut(usize, &mut String) -> Result<(), E>,
        mut each: impl FnMut(Template) -> Result<(), E>,
    ) -> Result<(), E> {
        self.reader.begin(copies.len(), &mut read)?;
        let mut left: Vec<u32> = (0..copies.len() as u32).collect();
        let mut first = kept as u32;
        for round in 1..=MOST_TEMPLATES {
            self.first.clone_from(self.reader.worded(first, &mut read)?);
            let frame = self.frame(&left, round == MOST_TEMPLATES, &mut read)?;
            let mut values = Values::new(frame.words.len());
            let mut without = Vec::new();
            for &variant in &left {
                let text = self.reader.worded(variant, &mut read)?;
                if variant == first {
                    values.add(text, copies[variant as usize], frame.own_gaps(text));
                    continue;
                }
                let found = (&frame.words[..], &text.words[..]);
                self.differ.find(found, Word::same, &mut self.stretches);
                if frame.is_whole(&self.stretches) {
                    let gaps = frame.gaps(&self.stretches);
                    values.add(text, copies[variant as usize], gaps);
                } else {
                    without.push(variant);
                }
            }
            let have_it = values.variants.iter();
            let texts: u64 = have_it.map(|&variant| copies[variant as usize]).sum();
            if texts > 1 && !frame.words.is_empty() {
                each(values.template((&self.first, &frame), &mut self.reader, &mut read)?)?;
            }
            left = without;
            match left.first() {
                Some(&next) => first = next,
                None => break,
            }
        }
        Ok(())
    }

    /// The words of the first text that make up the frame of those left.
    fn frame<E>(
        &mut self,
        left: &[u32],
        of_all: bool,
        read: &mut impl FnMut(usize, &mut String) -> Result<(), E>,
    ) -> Result<Frame, E> {
        let mut choice = Choice::new(self.first.words.len());
        let step = left.len().div_ceil(ASKED);
        let asked = left.iter().step_by(if of_all { 1 } else { step });
        for &variant in asked {
            if variant == self.first.variant {
                choice.ask(&[], of_all);
                continue;
            }
            let text = self.reader.worded(variant, read)?;
            let compared = (&self.first.words[..], &text.words[..]);
            self.differ.find(compared, Word::same, &mut self.stretches);
            choice.ask(&self.stretches, of_all);
        }
        Ok(choice.best(&self.first, of_all))
    }
}
