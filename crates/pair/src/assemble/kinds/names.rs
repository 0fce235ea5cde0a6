//! Which words are names, and when are two names one?

use super::classify::Side;
use super::subject::is_preposition;
use super::tokens::{Class, Tokens};
use super::words;

/// A capital makes a name, except at the beginning, where a word must not look like a verb, an adverb or a plural. In a script
/// without capitals nothing tells a name but the title.
pub(super) fn is_name(side: Side<'_>, other: Side<'_>, at: usize) -> bool {
    let token = &side.tokens.all[at];
    let form = side.tokens.form(at);
    if is_quoted(side.tokens, at) {
        return true;
    }
    let begins = side.tokens.all[..at]
        .iter()
        .all(|before| before.class == Class::Mark);
    let is_cased = token.capital || form.chars().next().is_some_and(char::is_lowercase);
    if is_letter(form) && is_cased {
        // "U Arietis", but not "A star".
        let named = side.tokens.all.get(at + 1).is_some_and(|next| next.capital);
        return match (begins, token.capital) {
            (true, true) => named && !matches!(form, "a" | "i"),
            (true, false) => !form.is_ascii(),
            (false, true) => form != "i",
            (false, false) => side.subject.head.contains(&at) && form != "a",
        };
    }
    if abbreviates(side.tokens, at) {
        return false;
    }
    // It says more of the same church.
    if form == "roman" && side.tokens.form(at + 1) == "catholic" {
        return false;
    }
    let named = token.capital || (!is_cased && side.title.has(token.id));
    let inside = token.capital && !begins;
    let joins = if inside {
        words::is_english_function(token.id)
    } else {
        token.holds_together
    };
    if !named || joins || words::is_pronoun(form) {
        return false;
    }
    if !begins || side.title.has(token.id) {
        return true;
    }
    // Written without a capital elsewhere, it is no name.
    let lower = |tokens: &Tokens| {
        tokens
            .all
            .iter()
            .any(|other| other.id == token.id && !other.capital)
    };
    let next = words::is_verb(side.tokens.form(at + 1), at + 1);
    let plural = form.ends_with('s') && !form.ends_with("ss") && !form.ends_with("us") && next;
    let ending = ["ed", "ing", "ly", "ion"]
        .iter()
        .any(|ending| form.len() > 5 && form.ends_with(ending));
    !lower(side.tokens)
        && !lower(other.tokens)
        && !plural
        && !ending
        && !words::is_ordinary_noun(form)
}

/// Whether it stands alone between quotation marks, as a word of which something is said: "the difference between "by" and "as"".
fn is_quoted(tokens: &Tokens, at: usize) -> bool {
    let quotes = |at: usize| matches!(tokens.form(at), "\"" | "'");
    at > 0 && quotes(at - 1) && quotes(at + 1)
}

/// Whether it is a name that ends in a number: "Python3", "iPhone6", "Qt5", but not "K7QX2", "mp3" or "20th".
pub(super) fn is_numbered(tokens: &Tokens, at: usize) -> bool {
    let form = tokens.form(at);
    let name = form.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_capital = tokens.all[at].capital || form.starts_with('i');
    tokens.class(at) == Some(Class::Number)
        && has_capital
        && !name.is_empty()
        && name.chars().all(char::is_alphabetic)
}

/// Whether it is a Roman numeral after a name: "World War I", "Henry V". A number with a capital was one: "II".
pub(super) fn is_roman(tokens: &Tokens, at: usize) -> bool {
    let is_named = |before: usize| {
        let token = &tokens.all[before];
        token.capital
            && token.class == Class::Word
            && !words::is_english_function(token.id)
            && tokens.form(before).len() > 1
    };
    let token = &tokens.all[at];
    let form = tokens.form(at);
    let is_numeral = match token.class {
        Class::Number => form.bytes().all(|byte| byte.is_ascii_digit()),
        Class::Word => matches!(form, "i" | "v" | "x" | "xi" | "xx"),
        _ => false,
    };
    token.capital && is_numeral && at > 0 && is_named(at - 1)
}

/// Whether it stands in brackets after the words of which it has the first letters: "air defence system (ADS)".
fn abbreviates(tokens: &Tokens, at: usize) -> bool {
    let is_bracketed =
        at >= 2 && tokens.form(at - 1) == "(" && matches!(tokens.form(at + 1), ")" | ",");
    let letters = tokens.form(at).chars().count();
    if !is_bracketed || letters < 2 {
        return false;
    }
    let words = (0..at - 1)
        .rev()
        .filter(|&at| tokens.class(at) == Some(Class::Word));
    let initials = words
        .take(letters + 2)
        .filter_map(|at| tokens.form(at).chars().next());
    let initials: String = initials.collect::<Vec<_>>().into_iter().rev().collect();
    initials.contains(tokens.form(at))
}

/// "Type A", "π Aquarii".
fn is_letter(form: &str) -> bool {
    form.chars().count() == 1
}

/// A number that is part of a name at the head: "The 1994 Winter Games", "Route 14", "2003年运动会".
pub(super) fn names_edition(side: Side<'_>, at: usize) -> bool {
    let (tokens, subject) = (side.tokens, side.subject);
    let is_name = |at: usize| {
        tokens.all.get(at).is_some_and(|token| {
            (token.capital || tokens.form(at).starts_with('i'))
                && token.class == Class::Word
                && !token.holds_together
        })
    };
    let head = &subject.head;
    let begins = at <= head.start + 1 || subject.setting.contains(&at);
    // "In 1894 Aken became a town" has a date.
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let is_date = is_preposition(before);
    let before_name = begins && !is_date && head.contains(&(at + 1)) && is_name(at + 1);
    let after_name =
        head.contains(&at) && at > head.start && is_name(at - 1) && at - head.start <= 3;
    let before_han = tokens.form(at + 1) == "年"
        && subject.setting.contains(&at)
        && tokens.class(at + 2) == Some(Class::Ideograph)
        && head.len() >= 3
        && !subject.implied;
    // "CPC464", "227Ac", but not "1990s" and "20th".
    let form = tokens.form(at);
    let letters = form.bytes().filter(u8::is_ascii_alphabetic).count();
    let designation =
        letters > 0 && head.contains(&at) && !form.ends_with("th") && !form.ends_with("0s");
    before_name || after_name || before_han || designation
}

/// A number with letters in it that is no ordinal, decade or number to the base of sixteen: `75As`, `TY18`.
pub(super) fn is_code(tokens: &Tokens, at: usize) -> bool {
    let form = tokens.form(at);
    let letters = form.bytes().filter(u8::is_ascii_alphabetic).count();
    let ordinal = ["st", "nd", "rd", "th", "s", "h"]
        .iter()
        .any(|ending| form.ends_with(ending) && letters == ending.len());
    letters > 0 && !ordinal && !form.starts_with("0x")
}

/// Whether a number tells which of a series is meant: "season 2", "the 14th episode", "第4季".
pub(super) fn numbers_item(tokens: &Tokens, at: usize) -> bool {
    const ITEMS: [&str; 14] = [
        "season", "episode", "series", "edition", "volume", "chapter", "issue", "round", "week",
        "stage", "album", "single", "part", "leg",
    ];
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let after = tokens.form(at + 1);
    let ordinal = tokens.form(at).ends_with(['t', 'd', 'h']);
    ITEMS.contains(&before)
        || (ordinal && ITEMS.contains(&after))
        || (before == "第"
            && "季集届张批轮回场期话章卷站作弹部代版辑名位".contains(after)
            && !after.is_empty())
}

/// Removes what is the same name on both sides: in another form, as an initial or as an abbreviation.
pub(super) fn cancel(a: &Tokens, names_a: &mut Vec<usize>, b: &Tokens, names_b: &mut Vec<usize>) {
    let initials = |tokens: &Tokens, names: &[usize]| -> String {
        names
            .iter()
            .filter_map(|&at| tokens.form(at).chars().next())
            .collect()
    };
    let letters = |tokens: &Tokens, names: &[usize]| -> String {
        let all = names.iter().flat_map(|&at| tokens.form(at).chars());
        all.filter(|c| c.is_alphabetic()).collect()
    };
    let abbreviates = |short: &str, long: &str| short.len() > 1 && short == long;
    if abbreviates(&letters(a, names_a), &initials(b, names_b))
        || abbreviates(&initials(a, names_a), &letters(b, names_b))
    {
        names_a.clear();
        names_b.clear();
        return;
    }
    cancel_abbreviated(a, names_a, b, names_b);
    cancel_abbreviated(b, names_b, a, names_a);
    names_a.retain(|&x| {
        let same = names_b
            .iter()
            .position(|&y| words::are_one_name(a.form(x), b.form(y)));
        if let Some(at) = same {
            names_b.remove(at);
        }
        same.is_none()
    });
}

/// Removes an abbreviation among some names with what it stands for among the others: "WHO Model", "World Health Organization".
fn cancel_abbreviated(a: &Tokens, names_a: &mut Vec<usize>, b: &Tokens, names_b: &mut Vec<usize>) {
    names_a.retain(|&short| {
        let letters: Vec<char> = a.form(short).chars().collect();
        let initial = |at: &usize| b.form(*at).chars().next();
        let begin = names_b.windows(letters.len().max(1)).position(|names| {
            let initials = names.iter().filter_map(initial);
            letters.len() >= 2 && initials.eq(letters.iter().copied())
        });
        if let Some(begin) = begin {
            names_b.drain(begin..begin + letters.len());
        }
        begin.is_none()
    });
}
