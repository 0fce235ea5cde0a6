//! Seeing through disguises. A text comes in; out goes the text that is compared instead, with the
//! way back to the bytes as given, or nothing if there is nothing to change, which is the rule.
//!
//! Each policy ([`crate::disguise`]) is a step: a scan that finds what to replace, in the text that
//! the steps before have left. A step begins with the cheapest test that says that it has nothing
//! to do, because most texts are honest.

mod digits;
mod edits;
mod emoji;
mod han;
mod hints;
mod look_alikes;
mod marked;
mod repeats;
mod spaced;
mod zero_width;

use std::ops::Range;

pub(crate) use self::edits::Edits;
use self::edits::Layer;
pub use self::han::simplified;
use self::hints::Hints;
pub(crate) use self::repeats::OneMark;
use crate::disguise::{Digits, Emoji, Han, LookAlikes, Repeats, SpacedLetters, ZeroWidth};
use crate::options::{Punctuation, TextOptions};
use crate::words::{TokenSink, Tokenizer, WordSink};

/// What a text is unmasked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Words,
    Characters,
}

/// Unmasks texts, in buffers that are used again.
pub(crate) struct Unmask {
    edits: Edits,
    layers: Vec<Layer>,
    /// How many of the layers the text at hand has.
    used: usize,
}

impl Unmask {
    /// None if the options leave every text as it is.
    pub(crate) fn of(options: &TextOptions) -> Option<Self> {
        let changes = options.look_alikes() != LookAlikes::AsWritten
            || options.spaced_letters() != SpacedLetters::AsWritten
            || options.zero_width() != ZeroWidth::Separate
            || options.emoji() != Emoji::Keep
            || options.repeats() != Repeats::AsWritten
            || options.digits() != Digits::AsWritten
            || options.han() != Han::AsWritten;
        changes.then(|| Self {
            edits: Edits::default(),
            layers: Vec::new(),
            used: 0,
        })
    }

    /// Takes a text; returns whether there was anything to change.
    pub(crate) fn read(&mut self, text: &str, purpose: Purpose, tokenizer: &mut Tokenizer) -> bool {
        self.used = 0;
        let (options, table) = (tokenizer.options, tokenizer.table);
        let is_ascii = text.is_ascii();
        let looks = options.spaced_letters() == SpacedLetters::Join
            || options.look_alikes() == LookAlikes::Mixed;
        let hints = if looks {
            Hints::of(text.as_bytes())
        } else {
            Hints::default()
        };
        if options.zero_width() == ZeroWidth::Remove && !is_ascii {
            self.step(text, |text, edits| {
                zero_width::find(text, options.unicode, edits);
            });
        }
        if options.han() == Han::Simplified && !is_ascii {
            self.step(text, han::find);
        }
        if options.spaced_letters() == SpacedLetters::Join && !is_ascii {
            self.step(text, |text, edits| marked::find(text, table, edits));
        }
        if options.spaced_letters() == SpacedLetters::Join && (!is_ascii || hints.spaced_letters) {
            self.step(text, |text, edits| spaced::find(text, table, edits));
        }
        match options.look_alikes() {
            LookAlikes::Mixed => {
                if !is_ascii {
                    self.step(text, |text, edits| {
                        look_alikes::find_in_mixed(text, table, edits);
                    });
                }
                // Letters may have become Latin ones only now.
                if hints.digits_in_words || self.used > 0 {
                    self.step(text, |text, edits| {
                        look_alikes::find_digits_in_words(text, table, edits);
                    });
                }
            }
            LookAlikes::All => {
                self.step(text, |text, edits| {
                    look_alikes::find_all(text, table, edits);
                });
            }
            LookAlikes::AsWritten => {}
        }
        if options.emoji() == Emoji::Drop && !is_ascii {
            self.step(text, |text, edits| emoji::find(text, table, edits));
        }
        if options.repeats() == Repeats::Letters {
            self.step(text, |text, edits| {
                repeats::find_letters(text, table, &mut tokenizer.piece, edits);
            });
        }
        // Among words marks must stay until these are found: `a..b` is two of them, `a.b` is one.
        if options.repeats() != Repeats::AsWritten
            && purpose == Purpose::Characters
            && options.punctuation_of_characters() == Punctuation::Keep
        {
            self.step(text, |text, edits| repeats::find_marks(text, table, edits));
        }
        if options.digits() != Digits::AsWritten {
            self.step(text, |text, edits| digits::find(text, tokenizer, edits));
        }
        self.used > 0
    }

    fn step(&mut self, source: &str, find: impl FnOnce(&str, &mut Edits)) {
        self.edits.clear();
        let text = match self.used {
            0 => source,
            used => &self.layers[used - 1].text,
        };
        find(text, &mut self.edits);
        if self.edits.is_empty() {
            return;
        }
        if self.used == self.layers.len() {
            self.layers.push(Layer::default());
        }
        let (before, after) = self.layers.split_at_mut(self.used);
        let text = before.last().map_or(source, |layer| &layer.text);
        if let Some(layer) = after.first_mut() {
            layer.write(text, &self.edits);
        }
        self.used += 1;
    }

    /// The text to compare, if there was anything to change.
    pub(crate) fn text(&self) -> &str {
        match self.used {
            0 => "",
            used => &self.layers[used - 1].text,
        }
    }

    /// The bytes of the text as given that some of the changed text come from.
    fn source(&self, changed: Range<usize>) -> Range<usize> {
        let layers = self.layers[..self.used].iter().rev();
        layers.fold(changed, |range, layer| layer.source(range))
    }
}

/// Gives words, or characters, of an unmasked text on with the sources they have in the given one.
pub(crate) struct Unmasked<'a, S: ?Sized> {
    pub(crate) unmask: &'a Unmask,
    pub(crate) sink: &'a mut S,
}

impl<S: WordSink + ?Sized> WordSink for Unmasked<'_, S> {
    fn word(&mut self, word: &str, source: Range<usize>) {
        self.sink.word(word, self.unmask.source(source));
    }

    fn is_empty(&self) -> bool {
        self.sink.is_empty()
    }
}

impl<S: TokenSink> TokenSink for Unmasked<'_, S> {
    fn token(&mut self, token: &str, source: Range<usize>) {
        self.sink.token(token, self.unmask.source(source));
    }
}
