//! Names that end in signs, such as C++, C# and Notepad++: C, C++ and C# are three names and not one with other punctuation.

use std::ops::Range;

use super::tokens::{Class, Tokens, id_of};
use crate::assemble::difference::Stretch;

/// Joins words and the signs that touch them into one token.
pub(super) fn settle(tokens: &mut Tokens, text: &str) {
    if !text.contains(is_sign) {
        return;
    }
    let names = (0..tokens.len()).map(|at| at..end_of_name(tokens, text, at));
    let names: Vec<Range<usize>> = names.filter(|name| name.len() > 1).collect();
    for name in &names {
        tokens.all[name.start].capital = true;
        // Where repeated characters count once, the signs are written longer than they are compared.
        let end = &mut tokens.all[name.end - 1].source.end;
        let signs = text.get(*end..).unwrap_or_default();
        *end += signs.len() - signs.trim_start_matches(is_sign).len();
    }
    tokens.join(&names);
}

/// The end of the signs that make a name of a word; the token after the word if there are none.
fn end_of_name(tokens: &Tokens, text: &str, at: usize) -> usize {
    let touches = |next: usize| {
        let [one, two] = [next - 1, next].map(|at| tokens.all.get(at));
        one.zip(two)
            .is_some_and(|(one, two)| one.source.end == two.source.start)
    };
    let mut end = at + 1;
    if tokens.class(at) != Some(Class::Word) {
        return end;
    }
    while touches(end) && tokens.form(end).chars().all(is_sign) {
        end += 1;
    }
    let goes_on = touches(end) && matches!(tokens.class(end), Some(Class::Word | Class::Number));
    // As they are written: where repeated characters count once, there are fewer tokens.
    let after = text.get(tokens.all[at].source.end..).unwrap_or_default();
    let signs = after.split(|c| !is_sign(c)).next().unwrap_or_default();
    match signs {
        "++" | "＋＋" => end,
        // "apt#5" is an address.
        "#" | "＃" if !goes_on => end,
        // "a+b" is a sum, and "FREE+++" is loud.
        _ => at + 1,
    }
}

fn is_sign(c: char) -> bool {
    matches!(c, '+' | '#' | '＋' | '＃')
}

/// Whether a name with signs was replaced by one with others, or by the same without.
pub(super) fn differ(a: &Tokens, b: &Tokens, stretches: &[Stretch]) -> bool {
    let bare = |tokens: &Tokens, at: usize| id_of(tokens.form(at).trim_end_matches(is_sign));
    let is_signed = |tokens: &Tokens, at: usize| {
        tokens.class(at) == Some(Class::Word) && tokens.form(at).ends_with(is_sign)
    };
    let are_apart = |x: usize, y: usize| {
        let (signed_x, signed_y) = (is_signed(a, x), is_signed(b, y));
        let is_one_of_both = signed_x && signed_y;
        a.all[x].id != b.all[y].id
            && (is_one_of_both || (signed_x || signed_y) && bare(a, x) == bare(b, y))
    };
    stretches.iter().any(|stretch| {
        let mut of_a = stretch.a.clone();
        of_a.any(|x| stretch.b.clone().any(|y| are_apart(x, y)))
    })
}
