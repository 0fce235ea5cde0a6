//! In what do two similar records differ? Two records come in, each a text or several fields; out goes whether one can
//! stand for the other, and which words differ. A question about another place, a notice with another sum or the list of
//! another year is similar and no duplicate.
//!
//! ```
//! use lookalike_pair::assemble::{Difference, RecordComparer};
//! use lookalike_text::TextOptions;
//!
//! let mut comparer = RecordComparer::new(TextOptions::default());
//! let change = comparer.compare(&["您尾号1234的卡支出421元"], &["您尾号1234的卡支出79元"]);
//! assert_eq!(change.kind, Difference::OtherNumber);
//! assert_eq!(change.changed, [("421".to_owned(), "79".to_owned())]);
//! ```

use std::sync::Arc;

use lookalike_text::{Case, Chinese, Digits, LookAlikes, Numbers, Punctuation, Repeats, StopWords};
use lookalike_text::{Stemming, TextOptions, Tokenizer, policy};
use serde::{Deserialize, Serialize};

use super::align::Diff;
use super::classify::{Classifier, Findings, SHORT_TEXT, Side};
use super::subject::Subject;
use super::tokens::{Class, Recent, Tokens};
use super::{capitals, codes, editions, exchange, links, signs, written};
use crate::assemble::difference::Stretch;

policy!(
    /// In what two similar records differ.
    #[derive(PartialOrd, Ord)]
    Difference, "kind", "same, wording, other-name, other-number or edition",
    /// In nothing: they are equal once they are normalised.
    Same = "same",
    /// In words that state the same, or say more or less.
    Wording = "wording",
    /// In a name, in a word that excludes the other, or in which word stands where: "Scott County" and "Dallas County", "buy"
    /// and "sell", "from Paris to London" and "from London to Paris".
    OtherName = "other-name",
    /// In a number: "支出421元" and "支出79元".
    OtherNumber = "other-number",
    /// In a year, a version or the number of a part: "Ads 2013" and "Ads 2014".
    Edition = "edition",
);

impl Difference {
    /// What one record can be removed for another by, where nothing else is said.
    pub const REMOVED: [Difference; 2] = [Difference::Same, Difference::Wording];
}

/// What is between two records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordChange {
    /// In what they differ.
    pub kind: Difference,
    /// The differing words as they are written, field by field and in order, first those of the first record; `""` where
    /// words were inserted or deleted. At most the first 20, and of each at most 100 characters.
    pub changed: Vec<(String, String)>,
}

const MOST_CHANGED: usize = 20;
const MOST_CHARACTERS: usize = 100;

/// In texts that are not short, a longer stretch is rewritten, and that other numbers and names stand in it says nothing.
const SHORT_STRETCH: usize = 8;

/// Compares records, in buffers that are used again: make one for each thread.
pub struct RecordComparer {
    normaliser: Tokenizer,
    /// Whether normalising leaves ASCII letters what they are, and digits one character.
    letters_stay: bool,
    tokenizer: Tokenizer,
    normalised: Recent<String>,
    recent: Recent<Tokens>,
    texts: [Arc<Tokens>; 2],
    no_title: Tokens,
    diff: Diff,
    short: Vec<Stretch>,
}

impl RecordComparer {
    /// For records of which these options say what counts as the same text.
    #[must_use]
    pub fn new(text: TextOptions) -> Self {
        let taken_apart = text.with(|options| {
            options.case = Case::Keep;
            options.punctuation = Some(Punctuation::Keep);
            options.numbers = Numbers::Canonical;
            options.stop_words = StopWords::Keep;
            options.stemming = Stemming::Off;
            options.chinese = Some(Chinese::Characters);
        });
        RecordComparer {
            normaliser: Tokenizer::new(text),
            letters_stay: text.numbers == Numbers::AsWritten
                && text.digits() == Digits::AsWritten
                && text.look_alikes() != LookAlikes::All
                && text.repeats() != Repeats::Letters,
            tokenizer: Tokenizer::new(taken_apart),
            normalised: Recent::default(),
            recent: Recent::default(),
            texts: Default::default(),
            no_title: Tokens::default(),
            diff: Diff::default(),
            short: Vec::new(),
        }
    }

    /// In what two similar records differ, field by field. The other way round, the kind is the same and what changed is
    /// mirrored.
    pub fn compare(&mut self, a: &[&str], b: &[&str]) -> RecordChange {
        let mut changed = Vec::new();
        let kind = self.look_at(a, b, Some(&mut changed));
        RecordChange { kind, changed }
    }

    /// The kind alone.
    pub fn kind(&mut self, a: &[&str], b: &[&str]) -> Difference {
        self.look_at(a, b, None)
    }

    fn look_at(
        &mut self,
        a: &[&str],
        b: &[&str],
        mut changed: Option<&mut Vec<(String, String)>>,
    ) -> Difference {
        let mut kind = Difference::Same;
        for at in 0..a.len().max(b.len()) {
            let [x, y] = [a, b].map(|fields| fields.get(at).copied().unwrap_or_default());
            // An alignment is one of several that are as good; one order makes it the same both ways.
            let is_turned = x > y;
            let (first, second) = if is_turned { (y, x) } else { (x, y) };
            if self.are_same(first, second) {
                continue;
            }
            kind = weightier(kind, self.kind_of_field(first, second));
            if let Some(changed) = &mut changed {
                self.append_changed([first, second], is_turned, changed);
            }
        }
        kind
    }

    fn are_same(&mut self, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        if self.letters_stay && differ_in_letters(a, b) {
            return false;
        }
        let [left, right] = [a, b].map(|text| {
            self.normalised.get(text, || {
                let mut normalised = String::with_capacity(text.len());
                self.normaliser.normalise(text, &mut normalised);
                normalised
            })
        });
        left == right
    }

    /// Of two texts that are not the same; leaves where they differ in `diff`.
    fn kind_of_field(&mut self, a: &str, b: &str) -> Difference {
        self.texts = [a, b].map(|text| {
            self.recent.get(text, || {
                let mut tokens = Tokens::of(&mut self.tokenizer, text);
                capitals::settle(&mut tokens, text);
                links::settle(&mut tokens, text);
                signs::settle(&mut tokens, text);
                tokens
            })
        });
        let [left, right] = &self.texts;
        self.diff.find(left, right);
        let is_short = left.len().max(right.len()) <= SHORT_TEXT;
        if exchange::changed_places(left, right) {
            return Difference::OtherName;
        }
        let counts =
            |stretch: &&Stretch| is_short || stretch.a.len().max(stretch.b.len()) <= SHORT_STRETCH;
        self.short.clear();
        self.short
            .extend(self.diff.stretches.iter().filter(counts).cloned());
        let findings = self.findings();
        if findings.names + findings.contrasts > 0 || signs::differ(left, right, &self.short) {
            return Difference::OtherName;
        }
        let editions = editions::Editions {
            a: left,
            b: right,
            stretches: &self.short,
        };
        if findings.numbers > 0 {
            return match editions.are_all() {
                true => Difference::Edition,
                false => Difference::OtherNumber,
            };
        }
        if codes::differ([left, right], [a, b], &self.short) {
            return Difference::OtherNumber;
        }
        if is_short && editions.comes_or_goes() {
            return Difference::Edition;
        }
        Difference::Wording
    }

    fn findings(&self) -> Findings {
        let subjects = [0, 1].map(|at| Subject::of(&self.texts[at]));
        let side = |at: usize| Side {
            tokens: &self.texts[at],
            title: &self.no_title,
            subject: &subjects[at],
        };
        let classifier = Classifier {
            a: side(0),
            b: side(1),
            stretches: &self.short,
        };
        classifier.find()
    }

    fn append_changed(
        &self,
        texts: [&str; 2],
        is_turned: bool,
        changed: &mut Vec<(String, String)>,
    ) {
        let says = |tokens: &Tokens, range: &std::ops::Range<usize>| {
            let mut of = tokens.all[range.clone()].iter();
            of.any(|token| token.class != Class::Mark)
        };
        let [left, right] = &self.texts;
        let stretches = self.diff.stretches.iter();
        let said = stretches.filter(|at| says(left, &at.a) || says(right, &at.b));
        for stretch in said.take(MOST_CHANGED - changed.len().min(MOST_CHANGED)) {
            let of = |side: usize, range| beginning(written(&self.texts[side], range, texts[side]));
            let (from, to) = (of(0, &stretch.a), of(1, &stretch.b));
            changed.push(if is_turned { (to, from) } else { (from, to) });
        }
    }
}

/// Whether two texts of ASCII have letters that differ, so that they differ however they are normalised: that removes what is
/// between letters, changes their case, and makes letters of digits. False if this does not tell.
fn differ_in_letters(a: &str, b: &str) -> bool {
    if !a.is_ascii() || !b.is_ascii() {
        return false;
    }
    let [mut a, mut b] = [a, b].map(|text| text.bytes().filter(u8::is_ascii_alphanumeric));
    loop {
        match (a.next(), b.next()) {
            (Some(x), Some(y)) => {
                let are_letters = x.is_ascii_alphabetic() && y.is_ascii_alphabetic();
                if are_letters && !x.eq_ignore_ascii_case(&y) {
                    return true;
                }
            }
            (None, None) => return false,
            _ => return true,
        }
    }
}

/// What counts of two fields: a name is more than a number, and a number more than words.
fn weightier(one: Difference, other: Difference) -> Difference {
    let weight = |difference: Difference| match difference {
        Difference::Same => 0,
        Difference::Wording => 1,
        Difference::Edition => 2,
        Difference::OtherNumber => 3,
        Difference::OtherName => 4,
    };
    if weight(other) > weight(one) {
        other
    } else {
        one
    }
}

fn beginning(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
