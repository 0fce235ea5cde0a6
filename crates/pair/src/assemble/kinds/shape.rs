//! Is this a sentence at all? Headings, table rows, formulae, markup and code are similar without stating anything
//! that could be edited or drift.

use super::tokens::{Class, Tokens};
use super::words;

/// Whether the text is markup, code or a formula rather than words.
pub(super) fn is_code(text: &str, tokens: &Tokens) -> bool {
    const MARKUP: [&str; 17] = [
        "{{",
        "}}",
        "[[",
        "]]",
        "|",
        "<br",
        "<ref",
        "</",
        "/>",
        "&lt;",
        "File:",
        "Category:",
        "();",
        "\");",
        ":=",
        "=>",
        "==",
    ];
    let special = |b: u8| {
        matches!(
            b,
            b'{' | b'}' | b'[' | b']' | b'|' | b'<' | b'>' | b'&' | b'=' | b';' | b':'
        )
    };
    let has_special = text.bytes().any(special);
    if has_special && MARKUP.iter().any(|sign| text.contains(sign)) {
        return true;
    }
    let count = |class: Class| {
        tokens
            .all
            .iter()
            .filter(|token| token.class == class)
            .count()
    };
    let operators = (0..tokens.len())
        .filter(|&at| {
            matches!(
                tokens.form(at),
                "=" | "{"
                    | "}"
                    | "\\"
                    | "_"
                    | "^"
                    | "≤"
                    | "≥"
                    | "→"
                    | "∑"
                    | "∈"
                    | "√"
                    | ";"
                    | "+"
                    | "<"
                    | ">"
                    | "×"
            )
        })
        .count();
    let letters = count(Class::Word) + count(Class::Ideograph);
    let long = (0..tokens.len())
        .filter(|&at| {
            tokens.class(at) == Some(Class::Ideograph)
                || (tokens.class(at) == Some(Class::Word) && tokens.form(at).len() > 2)
        })
        .count();
    letters < count(Class::Number)
        || (letters == count(Class::Number) && tokens.len() <= 4)
        || (operators >= 2 && 3 * operators >= long)
}

/// Whether the text is a heading, a caption or a list of names: no verb is found in it.
pub(super) fn is_fragment(text: &str, tokens: &Tokens) -> bool {
    let ideographs = tokens
        .all
        .iter()
        .filter(|token| token.class == Class::Ideograph)
        .count();
    let short = tokens.len() <= 16;
    let content = tokens
        .all
        .iter()
        .filter(|token| token.class != Class::Mark)
        .count();
    if ideographs * 2 >= content {
        let verb = has_han_verb(tokens.forms());
        // Headings that were made sentences of end with a stop that is not a Chinese one.
        let stopped = text.ends_with(['。', '！', '？', '”', '」']);
        return (!verb && ((short && !stopped) || has_many_commas(tokens)))
            || (short && text.ends_with('.'));
    }
    let known = tokens.all.iter().any(|token| token.holds_together) || tokens.forms().is_ascii();
    let verb = (0..tokens.len()).any(|at| words::is_verb(tokens.form(at), at));
    let article = matches!(tokens.form(0), "the" | "a" | "an") || words::is_pronoun(tokens.form(0));
    let most = if article { 3 } else { 6 };
    known && !verb && (content <= most || has_many_commas(tokens))
}

fn has_many_commas(tokens: &Tokens) -> bool {
    let commas = (0..tokens.len())
        .filter(|&at| matches!(tokens.form(at), "," | "、" | ";" | "·"))
        .count();
    commas >= 3 && commas * 6 >= tokens.len()
}

fn has_han_verb(forms: &str) -> bool {
    const VERBS: [&str; 30] = [
        "是", "为", "有", "在", "于", "被", "由", "任", "获得", "成立", "成为", "建", "生于", "称",
        "包括", "属", "位于", "到", "会", "可", "出生", "以", "加入", "来", "将", "已", "曾", "说",
        "去世", "开始",
    ];
    VERBS.iter().any(|verb| forms.contains(verb))
}
