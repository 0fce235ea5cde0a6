//! What a statement is made of: words, numbers, ideographs and marks, each in the form in which it is compared and
//! with the bytes it comes from. Numbers and dates have one form ("twelve" is `12`), words are in lower case,
//! traditional ideographs are the simplified ones, quotes and dashes have one glyph.

use std::ops::Range;

use lookalike_text::hash::{Seed, hash64};
use lookalike_text::{Case, Numbers, Punctuation, TextOptions, Tokenizer};

use super::han;
use super::numbers;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A word of letters.
    Word,
    /// A number, a date or what has digits in it, such as `DT21`.
    Number,
    /// A character of a script without spaces.
    Ideograph,
    /// Punctuation or a symbol.
    Mark,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Equal for tokens that are compared as equal.
    pub(super) id: u64,
    pub(super) class: Class,
    /// Whether it is written with a capital.
    pub(super) capital: bool,
    form: Range<u32>,
    pub(super) source: Range<usize>,
}

/// The tokens of one text, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) all: Vec<Token>,
    forms: String,
}

pub(super) fn tokenizer() -> Tokenizer {
    Tokenizer::new(TextOptions::default().with(|options| {
        options.case = Case::Keep;
        options.punctuation = Some(Punctuation::Keep);
        options.numbers = Numbers::Canonical;
    }))
}

impl Tokens {
    pub(super) fn read(&mut self, tokenizer: &mut Tokenizer, text: &str) {
        self.all.clear();
        self.forms.clear();
        tokenizer.words(text, &mut |word: &str, source: Range<usize>| {
            match numbers::before_unit(word) {
                // Only what is written as it is compared can be cut in the source, too.
                Some(digits) if text.get(source.clone()) == Some(word) => {
                    let middle = source.start + digits;
                    self.push(&word[..digits], source.start..middle);
                    self.push(&word[digits..], middle..source.end);
                }
                _ => self.push(word, source),
            }
        });
    }

    fn push(&mut self, word: &str, source: Range<usize>) {
        let begin = self.forms.len();
        let mut class = Class::Mark;
        let mut characters = word.chars();
        let first = characters.next().unwrap_or(' ');
        let capital = first.is_uppercase();
        let after_ordinal = self
            .all
            .len()
            .checked_sub(1)
            .is_some_and(|last| self.form(last) == "第");
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            class = Class::Number;
            self.push_lower(word);
        } else if let Some(digit) = han::digit(first).filter(|_| after_ordinal) {
            class = Class::Number;
            self.forms.push_str(digit);
        } else if han::is_unspaced(first) {
            class = Class::Ideograph;
            self.forms.extend(word.chars().map(han::simplified));
        } else if first.is_alphanumeric() {
            class = Class::Word;
            self.push_lower(word);
            if let Some(value) = numbers::of_word(&self.forms[begin..]) {
                class = Class::Number;
                self.forms.truncate(begin);
                self.forms.push_str(value);
            }
        } else {
            self.forms.extend(word.chars().map(one_glyph));
        }
        let form = begin as u32..self.forms.len() as u32;
        self.all.push(Token {
            id: id_of(&self.forms[begin..]),
            class,
            capital,
            form,
            source,
        });
    }

    fn push_lower(&mut self, word: &str) {
        if word.is_ascii() {
            let begin = self.forms.len();
            self.forms.push_str(word);
            self.forms[begin..].make_ascii_lowercase();
        } else {
            self.forms.extend(word.chars().flat_map(char::to_lowercase));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// The form in which the token is compared; `""` where there is none.
    pub(super) fn form(&self, at: usize) -> &str {
        self.all.get(at).map_or("", |token| {
            &self.forms[token.form.start as usize..token.form.end as usize]
        })
    }

    pub(super) fn class(&self, at: usize) -> Option<Class> {
        self.all.get(at).map(|token| token.class)
    }

    pub(super) fn has(&self, id: u64) -> bool {
        self.all.iter().any(|token| token.id == id)
    }

    /// All forms, one after the other.
    pub(super) fn forms(&self) -> &str {
        &self.forms
    }

    /// The forms of some neighbours, one after the other.
    pub(super) fn forms_of(&self, range: &Range<usize>) -> &str {
        let of = self.all.get(range.clone()).unwrap_or_default();
        match (of.first(), of.last()) {
            (Some(first), Some(last)) => {
                &self.forms[first.form.start as usize..last.form.end as usize]
            }
            _ => "",
        }
    }
}

pub(super) fn id_of(form: &str) -> u64 {
    hash64(form.as_bytes(), Seed(0))
}

/// Quotes and dashes that differ in nothing but style.
pub(super) fn one_glyph(c: char) -> char {
    match c {
        '‘' | '’' | '‚' | '‛' | '`' | '´' | '′' => '\'',
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' | '「' | '」' | '『' | '』' | '〝' | '〞' => {
            '"'
        }
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '－' | '─' => '-',
        '·' | '・' | '‧' | '•' => '·',
        '～' | '〜' | '∼' => '~',
        '。' | '｡' => '.',
        c => c,
    }
}
