//! What kind of character is this, as far as the ends of sentences depend on it?

use icu_properties::CodePointSetData;
use icu_properties::props::SentenceTerminal;

/// How many letters of an alphabet say about as much as this character.
pub fn letters(c: char) -> usize {
    if is_east_asian(c) { 3 } else { 1 }
}

/// Written without spaces or in syllables: ideographs, kana, Hangul.
pub(super) fn is_east_asian(c: char) -> bool {
    is_ideograph(c) || is_hangul(c)
}

/// Chinese and Japanese letters, which no space separates.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}' | '\u{30FC}'..='\u{30FE}'
        | '\u{3105}'..='\u{312F}' | '\u{31F0}'..='\u{31FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FF66}'..='\u{FF9D}' | '\u{20000}'..='\u{3FFFF}')
}

pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}' | '\u{1100}'..='\u{11FF}')
}

/// Georgian has capitals, but not at the beginning of sentences.
fn is_georgian(c: char) -> bool {
    matches!(c, '\u{10D0}'..='\u{10FF}')
}

pub(super) fn is_lower(c: char) -> bool {
    c.is_lowercase() && !is_georgian(c)
}

/// A stop that is no ASCII: `。`, `…`, `؟`, `।`.
pub(super) fn is_foreign_stop(c: char) -> bool {
    match c {
        '。' | '！' | '？' | '…' | '\u{37E}' => true,
        // Letters, most of them: a look into the table costs more.
        '\0'..='\u{588}' | '\u{3003}'..='\u{A4FE}' | '\u{AC00}'..='\u{FE0F}' => false,
        // A Burmese comma, and a dot that leads to the number of a page.
        '\u{104A}' | '\u{2024}' => false,
        _ => CodePointSetData::new::<SentenceTerminal>().contains(c),
    }
}

pub(super) fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || is_foreign_stop(c)
}

/// Closes a quotation, whatever follows.
pub(super) fn is_closing_quote(c: char) -> bool {
    matches!(
        c,
        '”' | '’' | '»' | '›' | '」' | '』' | '〞' | '〟' | '＂' | '｣'
    )
}

/// A quotation mark that opens in one language and closes in another.
pub(super) fn is_either_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '‘' | '«' | '‹')
}

/// Closes the title of a work.
pub(super) fn is_closing_title(c: char) -> bool {
    matches!(c, '》' | '〉')
}

pub(super) fn is_closing_bracket(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '）' | '】' | '〕' | '］' | '｝' | '〗')
}

/// Stands before the first word of a sentence and belongs to it.
pub(super) fn is_opening(c: char) -> bool {
    matches!(
        c,
        '(' | '['
            | '{'
            | '¿'
            | '¡'
            | '„'
            | '‚'
            | '”'
            | '」'
            | '「'
            | '『'
            | '（'
            | '《'
            | '〈'
            | '【'
            | '〔'
            | '［'
            | '*'
            | '_'
            | '»'
            | '›'
            | '`'
    ) || is_either_quote(c)
}

/// After a stop it shows that the sentence goes on.
pub(super) fn goes_on(c: char) -> bool {
    matches!(
        c,
        ',' | ';' | ':' | '，' | '、' | '；' | '：' | '،' | '؛' | '%' | '=' | '·' | '/' | '&' | '+'
    )
}

pub(super) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '―' | '‒' | '─')
}

/// A number of a note, set high.
pub(super) fn is_superscript_digit(c: char) -> bool {
    matches!(c, '¹' | '²' | '³' | '⁰' | '\u{2074}'..='\u{2079}')
}

/// Thai and Lao, which have no stops: spaces stand between sentences and clauses.
pub(super) fn is_thai(c: char) -> bool {
    matches!(c, '\u{E01}'..='\u{EDF}')
}

/// Belongs to a word.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || is_ideograph(c) || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stop_of_unicode_is_forgotten() {
        let table = CodePointSetData::new::<SentenceTerminal>();
        for c in (0x80..=0x10_FFFF).filter_map(char::from_u32) {
            let expected = table.contains(c) || matches!(c, '…' | '\u{37E}');
            let comma = matches!(c, '\u{104A}' | '\u{2024}');
            assert_eq!(is_foreign_stop(c), expected && !comma, "{c}");
        }
    }
}
