//! Are two texts the same but for what editors do not see? Unicode forms, white space and the glyphs of quotes and
//! dashes do not count; case and punctuation do.

use lookalike_text::{Case, TextOptions, Tokenizer};

use super::han;
use super::tokens::one_glyph;

pub(super) struct Sameness {
    tokenizer: Tokenizer,
    a: String,
    b: String,
}

impl Default for Sameness {
    fn default() -> Self {
        let options = TextOptions::default().with(|options| options.case = Case::Keep);
        Self {
            tokenizer: Tokenizer::new(options),
            a: String::new(),
            b: String::new(),
        }
    }
}

impl Sameness {
    pub(super) fn are_identical(&mut self, a: &str, b: &str) -> bool {
        if a == b {
            return true;
        }
        if plainly_differ(a, b) {
            return false;
        }
        self.tokenizer.normalise(a, &mut self.a);
        self.tokenizer.normalise(b, &mut self.b);
        visible(&self.a).eq(visible(&self.b))
    }
}

/// Whether letters, digits or ideographs differ that normalising does not change. It says no when in doubt, and spares
/// most pairs the normalising.
fn plainly_differ(a: &str, b: &str) -> bool {
    let is_plain = |c: char| {
        c.is_ascii()
            || matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{2010}'..='\u{201F}' | '\u{3001}'..='\u{301F}' | '，' | '：' | '；' | '（' | '）' | '！' | '？')
    };
    let says = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '\u{4E00}'..='\u{9FFF}');
    let letters = a.chars().filter(says).eq(b.chars().filter(says));
    !letters && a.chars().all(is_plain) && b.chars().all(is_plain)
}

/// Its characters without the spaces that ideographs need on neither side.
fn visible(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            let c = characters.next()?;
            let next = characters.peek().copied().unwrap_or(' ');
            if c == ' ' && (han::is_unspaced(before) || han::is_unspaced(next)) {
                continue;
            }
            before = c;
            return Some(one_glyph(c));
        }
    })
}
