//! What a statement is made of: words, numbers, ideographs and marks, each in the form in which it is compared and
//! with the bytes it comes from. Numbers and dates have one form ("twelve" is `12`), words are in lower case,
//! traditional ideographs are the simplified ones, quotes and dashes have one glyph.

use std::ops::Range;
use std::sync::Arc;

use lookalike_text::hash::{Seed, hash64};
use lookalike_text::{Case, Numbers, Punctuation, TextOptions, Tokenizer, simplified};

use super::{han, numbers, words};

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
    /// A word or a number of a link.
    Link,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    /// Equal for tokens that are compared as equal.
    pub(super) id: u64,
    pub(super) class: Class,
    /// Whether it is written with a capital.
    pub(super) capital: bool,
    /// Whether it is a word that holds a sentence together.
    pub(super) holds_together: bool,
    form: Range<u32>,
    pub(super) source: Range<usize>,
}

/// What was made of texts lately: a variant of a text is compared with one other after the other.
#[derive(Debug)]
pub(super) struct Recent<T> {
    /// Each at a place that follows from it.
    places: Vec<Option<(String, Arc<T>)>>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent { places: Vec::new() }
    }
}

impl<T> Recent<T> {
    /// So many texts are remembered, none of more bytes than that.
    const SHORT: (usize, usize) = (1024, 300);
    const LONG: (usize, usize) = (64, 4000);

    /// What `make` makes of the text, or made of it before.
    pub(super) fn get(&mut self, text: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let hash = id_of(text) as usize;
        let place = match text.len() {
            length if length <= Self::SHORT.1 => hash % Self::SHORT.0,
            length if length <= Self::LONG.1 => Self::SHORT.0 + hash % Self::LONG.0,
            _ => return Arc::new(make()),
        };
        if self.places.is_empty() {
            self.places
                .resize_with(Self::SHORT.0 + Self::LONG.0, || None);
        }
        let place = &mut self.places[place];
        match place {
            Some((known, made)) if known == text => Arc::clone(made),
            _ => {
                let made = Arc::new(make());
                *place = Some((text.to_owned(), Arc::clone(&made)));
                made
            }
        }
    }
}

/// The tokens of one text.
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
    /// None yet; a word has about five letters and a space, an ideograph three bytes.
    fn with_room_for(text: &str) -> Self {
        Tokens {
            all: Vec::with_capacity(text.len() / 4 + 4),
            forms: String::with_capacity(text.len() + text.len() / 8),
        }
    }

    pub(super) fn of(tokenizer: &mut Tokenizer, text: &str) -> Self {
        let mut tokens = Tokens::with_room_for(text);
        tokenizer.words(text, &mut |word: &str, source: Range<usize>| {
            match numbers::before_unit(word) {
                // Only what is written as it is compared can be cut in the source, too.
                Some(digits) if text.get(source.clone()) == Some(word) => {
                    let middle = source.start + digits;
                    tokens.push(&word[..digits], source.start..middle);
                    tokens.push(&word[digits..], middle..source.end);
                }
                _ => tokens.push(word, source),
            }
        });
        tokens
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
            self.forms.extend(word.chars().map(simplified));
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
        let id = id_of(&self.forms[begin..]);
        self.all.push(Token {
            id,
            class,
            capital,
            holds_together: words::is_function(id),
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

    /// Makes one token of the tokens in each range, of the class of the first; the ranges are in order and do not overlap.
    pub(super) fn join(&mut self, ranges: &[Range<usize>]) {
        let mut left = ranges.iter().peekable();
        let mut all: Vec<Token> = Vec::with_capacity(self.all.len());
        for (at, token) in self.all.iter().enumerate() {
            while left.next_if(|range| range.end <= at).is_some() {}
            match (left.peek(), all.last_mut()) {
                (Some(range), Some(joined)) if range.start < at && at < range.end => {
                    joined.form.end = token.form.end;
                    joined.source.end = token.source.end;
                    joined.id = id_of(self.forms_of(range));
                    joined.holds_together = false;
                }
                _ => all.push(token.clone()),
            }
        }
        self.all = all;
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
