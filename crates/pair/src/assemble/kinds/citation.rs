//! Is this a citation? A text comes in; whether it is shaped like an entry of a reference list goes out: a volume
//! with issue and pages, an ISBN or DOI, a date of retrieval, a publisher with place and year.

use super::tokens::{Class, Tokens};
use super::words;

/// Two texts are citations if one is clearly so and the other at least half.
pub(super) const CLEARLY: u32 = 2;

/// How much the text is shaped like a citation: one sure sign, or two that also occur elsewhere, are enough for
/// [`CLEARLY`].
pub(super) fn signs(text: &str, tokens: &Tokens) -> u32 {
    let has_number = tokens.all.iter().any(|token| token.class == Class::Number);
    let has_ideograph = tokens
        .all
        .iter()
        .any(|token| token.class == Class::Ideograph);
    let sure = (has_number
        && (has_volume_and_pages(tokens)
            || has_identifier(tokens)
            || has_retrieval(tokens)
            || has_pages(tokens)
            || has_quoted_title_and_date(text, tokens)))
        || (has_ideograph && han_citation(tokens.forms()))
        || (0..tokens.len()).any(|at| match tokens.form(at) {
            "http" | "https" => tokens.form(at + 1) == ":",
            "et" => tokens.form(at + 1) == "al" && tokens.form(at + 2) == ".",
            form => form.starts_with("www.") || form.starts_with("rft."),
        });
    let half = [
        has_publisher(tokens, has_number),
        has_number && has_author_and_year(tokens),
        begins_with_author(tokens),
        has_volume(tokens),
    ];
    2 * u32::from(sure) + half.iter().filter(|sign| **sign).count() as u32
}

/// `11 (1): 73-80`, `11(1), 73`, `11: 73-80`.
fn has_volume_and_pages(tokens: &Tokens) -> bool {
    let number = |at: usize| tokens.class(at) == Some(Class::Number);
    let mark = |at: usize, marks: &[&str]| marks.contains(&tokens.form(at));
    (0..tokens.len()).any(|at| {
        if !number(at) {
            return false;
        }
        let with_issue = mark(at + 1, &["("]) && number(at + 2);
        let closes = (at + 3..at + 6).find(|&end| mark(end, &[")"]));
        let issue = closes.is_some_and(|end| mark(end + 1, &[":", ","]) && number(end + 2));
        let pages = mark(at + 1, &[":"])
            && number(at + 2)
            && mark(at + 3, &["-"])
            && number(at + 4)
            && digits(tokens.form(at + 2)) > 2;
        (with_issue && issue) || pages
    })
}

fn digits(form: &str) -> usize {
    form.bytes().filter(u8::is_ascii_digit).count()
}

fn has_identifier(tokens: &Tokens) -> bool {
    (0..tokens.len()).any(|at| {
        let known = matches!(
            tokens.form(at),
            "isbn" | "issn" | "doi" | "pmid" | "oclc" | "jstor" | "arxiv" | "bibcode" | "lccn"
        );
        let follows = |after: usize| tokens.class(at + after) == Some(Class::Number);
        known && (follows(1) || follows(2))
    })
}

/// `Retrieved 5 May 2008`, `Accessed on 2008-05-05`, `Archived from the original`.
fn has_retrieval(tokens: &Tokens) -> bool {
    (0..tokens.len()).any(|at| {
        let known = matches!(
            tokens.form(at),
            "retrieved" | "accessed" | "archived" | "abgerufen" | "consulté" | "consultado"
        );
        let capital = tokens.all[at].capital;
        let date = (at + 1..at + 4).any(|after| tokens.class(after) == Some(Class::Number));
        let original = tokens.form(at + 1) == "from" && tokens.form(at + 3) == "original";
        known && capital && (date || original)
    })
}

/// `pp. 12-15`, `p. 7`, `S. 12`.
fn has_pages(tokens: &Tokens) -> bool {
    (0..tokens.len()).any(|at| {
        let dotted = usize::from(tokens.form(at + 1) == ".");
        let number = tokens.class(at + 1 + dotted) == Some(Class::Number);
        match tokens.form(at) {
            "pp" | "pgs" => number,
            "p" => dotted == 1 && number,
            _ => false,
        }
    })
}

/// `vol. 3`, `no. 2`, `2nd ed.`, `(eds.)`.
fn has_volume(tokens: &Tokens) -> bool {
    (0..tokens.len()).any(|at| {
        let dotted = tokens.form(at + 1) == ".";
        match tokens.form(at) {
            "vol" | "vols" => tokens.class(at + 1 + usize::from(dotted)) == Some(Class::Number),
            "ed" | "eds" | "trans" => dotted,
            _ => false,
        }
    })
}

/// `Oxford University Press`, `New York: Norton, 1998`.
fn has_publisher(tokens: &Tokens, has_number: bool) -> bool {
    let is_capital = |at: usize| tokens.all.get(at).is_some_and(|token| token.capital);
    let place = || {
        (1..tokens.len())
            .any(|at| tokens.form(at) == ":" && is_capital(at - 1) && is_capital(at + 1))
    };
    let known = || {
        (0..tokens.len()).any(|at| {
            is_capital(at)
                && match tokens.form(at) {
                    "press" => {
                        matches!(tokens.form(at.wrapping_sub(1)), "university" | "academic")
                            || tokens.form(at + 1) == ","
                    }
                    "house" => tokens.form(at.wrapping_sub(1)) == "random",
                    "journal" | "proceedings" => tokens.form(at + 1) == "of",
                    "publishing" | "publishers" | "verlag" | "routledge" | "springer"
                    | "elsevier" | "wiley" | "penguin" | "mcgraw" | "macmillan"
                    | "harpercollins" | "blackwell" | "norton" | "editions" | "éditions" => true,
                    _ => false,
                }
        })
    };
    (has_number && (place() || known())) || (tokens.len() < 10 && known())
}

/// `(1998).` or `, 1998.` after a name with initials: `Smith, J. A. (1998)`.
fn has_author_and_year(tokens: &Tokens) -> bool {
    begins_with_author(tokens)
        && (0..tokens.len().min(30)).any(|at| {
            tokens.class(at) == Some(Class::Number)
                && matches!(tokens.form(at + 1), ")" | "." | ";")
        })
}

/// `Smith, J.`, `Smith, John and`: a name, a comma, an initial or a first name, a stop.
fn begins_with_author(tokens: &Tokens) -> bool {
    let capital = |at: usize| {
        tokens
            .all
            .get(at)
            .is_some_and(|token| token.capital && token.class == Class::Word)
    };
    let initial = |at: usize| capital(at) && tokens.form(at).chars().count() == 1;
    capital(0) && tokens.form(1) == "," && initial(2) && tokens.form(3) == "."
}

/// A title in quotes at the beginning or after an author, and a date after it, without a verb before.
fn has_quoted_title_and_date(text: &str, tokens: &Tokens) -> bool {
    let quoted = |c: char| matches!(c, '"' | '“' | '”');
    let mut quotes = text
        .char_indices()
        .filter(|&(_, c)| quoted(c))
        .map(|(at, _)| at);
    let (Some(open), Some(close)) = (quotes.next(), quotes.next()) else {
        return false;
    };
    let stopped = text[..close].ends_with(['.', ','])
        || text[close..].chars().nth(1).is_some_and(|c| c == '.');
    let date = tokens
        .all
        .iter()
        .any(|token| token.class == Class::Number && token.source.start > close);
    let begins = open == 0 || text[..open].trim_end().ends_with(['.', ',', ')']);
    let verb = (0..tokens.len())
        .any(|at| tokens.all[at].source.start > close && words::is_verb(tokens.form(at), at));
    begins && stopped && date && !verb && close - open > 12
}

/// `第3卷第2期`, `出版社`, `ISBN`, `页`.
fn han_citation(forms: &str) -> bool {
    let has = |word: &str| forms.contains(word);
    (has("卷") && has("期") && forms.bytes().any(|b| b.is_ascii_digit()))
        || (has("出版社")
            && forms.bytes().filter(u8::is_ascii_digit).count() >= 4
            && !has("是")
            && !has("由")
            && !has("被"))
        || has("页.")
        || (has("存档") && has("原始"))
        || has("查阅日期")
        || has("访问日期")
        || (has("检索")
            && forms.bytes().any(|b| b.is_ascii_digit())
            && (has("检索于") || has("日检索")))
        || has("存于互联网档案馆")
        || has("造访")
        || (has("引用于") && !has("被"))
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Tokens, tokenizer};
    use super::*;

    fn signs_of(text: &str) -> u32 {
        let tokens = Tokens::of(&mut tokenizer(), text);
        signs(text, &tokens)
    }

    #[test]
    fn citations_are_recognised_by_their_shape() {
        for text in [
            "Neotropical Ichthyology 11 (1): 73–80.",
            "Larsen, K. (1998). The Fjord Ports. Oslo: Nordbok.",
            "\"Harbour opens after storm.\" Coastal News, 4 May 2008.",
            "Retrieved on 3 June 2011.",
            "London: Faber Publishing, 1998. ISBN 0-123-45678-9.",
            "《山川志》，江南出版社，1998年，第23页。",
        ] {
            assert!(signs_of(text) >= CLEARLY, "{text}");
        }
    }

    #[test]
    fn statements_are_no_citations() {
        for text in [
            "The stolen painting was retrieved in 2008 by the police.",
            "She published \"The Long Road Home\" in 1998.",
            "The ratio of men to women is 11:73 in 2008.",
            "该书由江南出版社于1998年出版。",
        ] {
            assert!(signs_of(text) < CLEARLY, "{text}");
        }
    }
}
