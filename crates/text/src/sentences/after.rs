//! What stands after a stop? The piece and a place come in; what closes the sentence, and what comes next, goes out.

use super::marks::{
    goes_on, is_closing_bracket, is_closing_quote, is_closing_title, is_dash, is_either_quote,
    is_hangul, is_ideograph, is_lower, is_of_word, is_opening, is_stop, is_superscript_digit,
};
use super::tables;

/// What closed after the stop, with nothing between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Closed {
    Nothing,
    /// A quotation that this character closed.
    Quote(char),
    Title,
    Bracket,
}

/// Reads the quotation marks, brackets and marks of notes that belong to the stop before `at`. Gives what closed and
/// where it ends. `quoted` says whether a plain quotation mark at a place closes one.
pub(super) fn closing(
    piece: &str,
    mut at: usize,
    quoted: &mut impl FnMut(usize) -> bool,
) -> (Closed, usize) {
    let mut closed = Closed::Nothing;
    while let Some(c) = piece[at..].chars().next() {
        let end = at + c.len_utf8();
        if is_closing_quote(c) || (is_either_quote(c) && closes(piece, at, c, quoted)) {
            closed = Closed::Quote(c);
        } else if is_closing_title(c) {
            closed = Closed::Title;
        } else if is_closing_bracket(c) {
            closed = Closed::Bracket;
        } else if let Some(end) = note(piece, at) {
            at = end;
            continue;
        } else if let Some(end) = spaced_guillemet(&piece[at..]) {
            closed = Closed::Quote('»');
            at += end;
            continue;
        } else if !is_superscript_digit(c) {
            break;
        }
        at = end;
    }
    (closed, at)
}

/// A quotation mark that may open or close, right after a stop.
fn closes(piece: &str, at: usize, quote: char, quoted: &mut impl FnMut(usize) -> bool) -> bool {
    let follows = piece[at + quote.len_utf8()..].chars().next();
    match follows {
        None => true,
        Some(c) if c.is_whitespace() || goes_on(c) || is_stop(c) => true,
        Some(c) if is_closing_quote(c) || is_closing_bracket(c) || is_dash(c) => true,
        Some(_) => quote == '"' && quoted(at),
    }
}

/// A mark of a note as in `[1]` or `[a]`.
fn note(piece: &str, at: usize) -> Option<usize> {
    const LONGEST: usize = 16;
    let bytes = piece.as_bytes();
    if bytes[at] != b'[' {
        return None;
    }
    let inside = bytes[at + 1..]
        .iter()
        .take(LONGEST)
        .position(|&byte| !byte.is_ascii_alphanumeric() && byte != b' ')?;
    let end = at + 1 + inside;
    let content = &bytes[at + 1..end];
    let is_note = content.len() == 1
        || content.last().is_some_and(u8::is_ascii_digit)
        || content.ends_with(b"needed");
    (bytes[end] == b']' && is_note).then_some(end + 1)
}

/// French puts a space before the closing mark.
fn spaced_guillemet(text: &str) -> Option<usize> {
    let rest = text.strip_prefix([' ', '\u{A0}', '\u{202F}'])?;
    rest.starts_with('»')
        .then(|| text.len() - rest.len() + '»'.len_utf8())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextKind {
    /// Nothing: the piece ends.
    End,
    Upper,
    Lower,
    /// A letter of a script without case.
    Uncased,
    Digit,
    /// Punctuation inside a sentence.
    GoesOn,
    Other,
}

/// What comes after a stop and what closed with it.
pub(super) struct Next<'a> {
    /// White space stands between.
    pub(super) gap: bool,
    pub(super) kind: NextKind,
    /// The first word, without the marks that open it.
    pub(super) word: &'a str,
    /// What comes after that word.
    pub(super) rest: &'a str,
}

impl<'a> Next<'a> {
    pub(super) fn at(piece: &'a str, at: usize) -> Self {
        const MOST_MARKS: usize = 8;
        // In bytes; no list has a longer one.
        const LONGEST_WORD: usize = 64;
        let spaced = &piece[at..];
        let unspaced = spaced.trim_start();
        let gap = unspaced.len() < spaced.len();
        let mut text = unspaced;
        let mut after_quote = false;
        for _ in 0..MOST_MARKS {
            let Some(mark) = text.chars().next().filter(|&c| is_opening(c) || is_dash(c)) else {
                break;
            };
            after_quote = matches!(mark, '\'' | '’' | '‘');
            text = &text[mark.len_utf8()..];
            if is_dash(mark) {
                text = text.trim_start();
            }
        }
        let opened = text.len() < unspaced.len();
        let kind = match kind_of(text, after_quote) {
            // "…or does it?"
            NextKind::GoesOn if opened && text.starts_with(['…', '.']) => NextKind::Other,
            kind => kind,
        };
        let mut letters = text.char_indices().take(LONGEST_WORD + 1);
        let end = letters.find(|&(at, c)| !is_of_word(c) || at >= LONGEST_WORD);
        let length = end.map_or(text.len(), |(at, _)| at);
        let (word, rest) = text.split_at(length);
        Self {
            gap,
            kind,
            word,
            rest,
        }
    }

    /// The first word shows by itself that a sentence begins.
    pub(super) fn opens(&self) -> bool {
        if self.rest.starts_with('.') {
            return false;
        }
        // "L'autre", "D'abord", "Qu'il", but not "O'Rourke".
        let elided = matches!(
            self.word,
            "L" | "D" | "C" | "J" | "N" | "S" | "M" | "T" | "Qu"
        );
        let elided = elided && self.rest.starts_with(['\'', '’']);
        elided || tables::opens(self.word)
    }

    pub(super) fn is_initial(&self) -> bool {
        self.word.chars().nth(1).is_none() && self.rest.starts_with('.')
    }

    /// As in the dates `3. 4. 1990` and `2004. 5. 3.`
    pub(super) fn is_number_with_stop(&self) -> bool {
        self.kind == NextKind::Digit && self.word.len() <= 2 && self.rest.starts_with('.')
    }

    /// Says who said what was quoted before: "Ingrid asked", "I said".
    pub(super) fn says(&self) -> bool {
        // "He said nothing." begins a sentence; "I" is always a capital.
        if self.kind == NextKind::Upper && self.word != "I" && tables::opens(self.word) {
            return false;
        }
        const WORDS: usize = 3;
        const CHARACTERS: usize = 40;
        let mut text = self.rest;
        let mut word = self.word;
        let end = text
            .char_indices()
            .nth(CHARACTERS)
            .map_or(text.len(), |(at, _)| at);
        text = &text[..end];
        for _ in 0..WORDS {
            if tables::is_speech(word) {
                return true;
            }
            let Some(rest) = text.strip_prefix(' ') else {
                return false;
            };
            let length = rest.find([' ', '.', ',', '।']).unwrap_or(rest.len());
            (word, text) = rest.split_at(length);
        }
        false
    }

    /// The same in Chinese: 他说。老人喊道，
    pub(super) fn says_in_chinese(&self) -> bool {
        const SUBJECT: usize = 8;
        let mut characters = self.word.chars().peekable();
        for _ in 0..SUBJECT {
            let Some(c) = characters.next() else {
                return false;
            };
            if "没沒不无無".contains(c) {
                return false;
            }
            if "说說道问問喊叫答笑骂罵吼嚷曰講讲".contains(c) {
                match characters.peek() {
                    // With a colon it announces what is said next.
                    None => return !self.rest.is_empty() && !self.rest.starts_with(['：', ':']),
                    Some('道' | '着' | '著' | '了') => return true,
                    Some(_) => {}
                }
            }
        }
        false
    }

    /// The clause goes on after a quotation: with a particle in Japanese and Korean, in Chinese with a word that needs
    /// something before it.
    pub(super) fn is_particle(&self) -> bool {
        const CHINESE: &str = "的是等并並和与與及之以为為来來中而则則也都就时時后後作";
        const JAPANESE: &str = "とのをがはにへっなやも";
        let first = self.word.chars().next();
        first.is_some_and(|c| is_hangul(c) || JAPANESE.contains(c) || CHINESE.contains(c))
            || self.word.starts_with("然后")
            || self.word.starts_with("然後")
    }

    /// A capital followed by a small letter: a word, no abbreviation and no code.
    pub(super) fn is_capitalised(&self) -> bool {
        let mut characters = self.word.chars();
        let capital =
            self.kind == NextKind::Upper && characters.next().is_some_and(char::is_uppercase);
        let plain = !self
            .rest
            .starts_with(['(', '_', '=', '/', '@', '.', ':', '[', '<', '\\']);
        capital && characters.next().is_some_and(is_lower) && (plain || self.rest.starts_with(". "))
    }
}

fn kind_of(text: &str, after_quote: bool) -> NextKind {
    let Some(first) = text.chars().next() else {
        return NextKind::End;
    };
    if first.is_uppercase() {
        NextKind::Upper
    } else if is_lower(first) {
        // "iPhone" and, in Dutch, "'s Morgens".
        let mut following = text
            .chars()
            .skip(1)
            .take(4)
            .take_while(|c| c.is_alphanumeric());
        let elided = || {
            after_quote
                && text.chars().nth(1) == Some(' ')
                && text.chars().nth(2).is_some_and(char::is_uppercase)
        };
        if following.any(char::is_uppercase) || elided() {
            NextKind::Upper
        } else {
            NextKind::Lower
        }
    } else if first.is_numeric() && !is_ideograph(first) {
        NextKind::Digit
    } else if first.is_alphabetic() {
        NextKind::Uncased
    } else if goes_on(first) || is_closing_bracket(first) || is_stop(first) {
        NextKind::GoesOn
    } else {
        NextKind::Other
    }
}
