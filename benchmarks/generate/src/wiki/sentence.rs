//! Sentences as tokens: how they are made, changed when copied, and written, plain and with markup.

use super::words::Words;
use crate::random::Random;

#[derive(Clone, Copy)]
pub struct Token {
    what: What,
    capital: bool,
    before: &'static str,
    after: &'static str,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Word(u16),
    Name(u16),
    Number(u32),
    Year(u32),
    Fixed(&'static str),
}

/// How a copied sentence differs from where it comes from.
#[derive(Clone, Copy, PartialEq)]
pub enum Change {
    Identical,
    Edited,
    Number,
    Subject,
}

impl Change {
    pub fn any(random: &mut Random) -> Self {
        match random.below(10) {
            0..4 => Change::Identical,
            4..7 => Change::Edited,
            7..9 => Change::Number,
            _ => Change::Subject,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Change::Identical => "identical",
            Change::Edited => "edited",
            Change::Number => "number",
            Change::Subject => "template",
        }
    }
}

const ABBREVIATIONS: [&str; 8] = [
    "Dr.", "St.", "Mt.", "Gen.", "Prof.", "c.", "Lt. Col.", "No.",
];
const UNITS: [&str; 6] = ["km", "m", "people", "ha", "percent", "years"];

/// About 20 words, with names, numbers, years, abbreviations and parentheses.
pub fn sentence(words: &Words, random: &mut Random) -> Vec<Token> {
    let length = 7 + random.below(14) + random.below(14);
    let mut tokens = Vec::with_capacity(length + 4);
    let plain = |what| Token {
        what,
        capital: false,
        before: "",
        after: " ",
    };
    while tokens.len() < length {
        match random.below(100) {
            0..6 => tokens.push(plain(What::Name(words.any_name(random)))),
            6..8 => {
                tokens.push(plain(What::Name(words.any_name(random))));
                tokens.push(plain(What::Name(words.any_name(random))));
            }
            8 => {
                let at = random.below(ABBREVIATIONS.len());
                tokens.push(plain(What::Fixed(ABBREVIATIONS[at])));
                tokens.push(plain(What::Name(words.any_name(random))));
            }
            9..12 => {
                tokens.push(plain(What::Fixed("in")));
                tokens.push(plain(What::Year(1700 + random.below(324) as u32)));
            }
            12..14 => {
                tokens.push(plain(What::Number(2 + skewed(random))));
                tokens.push(plain(What::Fixed(UNITS[random.below(UNITS.len())])));
            }
            14 if !tokens.is_empty() => tokens.push(Token {
                before: "(",
                after: ") ",
                ..plain(What::Name(words.any_name(random)))
            }),
            15 => tokens.push(Token {
                before: "\"",
                after: "\" ",
                ..plain(What::Word(words.any_word(random)))
            }),
            16..22 => tokens.push(Token {
                after: ", ",
                ..plain(What::Word(words.any_word(random)))
            }),
            _ => tokens.push(plain(What::Word(words.any_word(random)))),
        }
    }
    tokens.push(plain(What::Word(words.any_word(random))));
    finish(&mut tokens);
    tokens
}

fn skewed(random: &mut Random) -> u32 {
    let most = 1 << (2 + random.below(16));
    random.below(most) as u32
}

/// "X is a village in Y County, …": what many pages begin with.
pub fn village(words: &Words, random: &mut Random) -> Vec<Token> {
    let county = words.any_name(random);
    let fixed = |text| What::Fixed(text);
    let whats = [
        fixed("is a village in"),
        What::Name(county),
        fixed("County, in the"),
        What::Name(county / 100),
        fixed("region of"),
        What::Name(county / 3000),
        fixed(", and had a population of"),
        What::Number(20 + random.below(3000) as u32),
        fixed("at the"),
        What::Year(2001 + 10 * random.below(3) as u32),
        fixed("census"),
    ];
    let mut tokens: Vec<Token> = whats
        .into_iter()
        .map(|what| Token {
            what,
            capital: false,
            before: "",
            after: " ",
        })
        .collect();
    tokens[5].after = "";
    tokens[10].after = ".";
    tokens
}

/// What follows "X is a" in other first sentences.
pub fn continued(mut tokens: Vec<Token>) -> Vec<Token> {
    tokens[0].capital = false;
    tokens
}

fn finish(tokens: &mut [Token]) {
    for token in tokens.iter_mut() {
        token.capital = false;
    }
    tokens[0].capital = true;
    let last = tokens.len() - 1;
    tokens[last].before = "";
    tokens[last].after = ".";
}

/// The sentence as copied and changed; `None` if it has nothing to change in this way.
pub fn changed(
    tokens: &[Token],
    change: Change,
    words: &Words,
    random: &mut Random,
) -> Option<Vec<Token>> {
    let mut copy = tokens.to_vec();
    let number_or_year = |token: &Token| matches!(token.what, What::Number(_) | What::Year(_));
    match change {
        Change::Identical => {}
        Change::Edited => {
            for _ in 0..1 + random.below(3) {
                edit(&mut copy, words, random);
            }
            finish(&mut copy);
        }
        Change::Number => {
            let at = copy.iter().position(number_or_year)?;
            copy[at].what = match copy[at].what {
                What::Year(year) => What::Year(year + 1 + random.below(9) as u32),
                What::Number(number) => What::Number(number + 1 + skewed(random)),
                other => other,
            };
        }
        Change::Subject => {
            let names = copy
                .iter()
                .filter(|token| matches!(token.what, What::Name(_)));
            if names.count() == 0 {
                return None;
            }
            for token in &mut copy {
                token.what = match token.what {
                    What::Name(_) => What::Name(words.any_name(random)),
                    What::Number(_) => What::Number(2 + skewed(random)),
                    other => other,
                };
            }
        }
    }
    Some(copy)
}

fn edit(tokens: &mut Vec<Token>, words: &Words, random: &mut Random) {
    let at = 1 + random.below(tokens.len() - 2);
    let word = What::Word(words.any_word(random));
    match random.below(5) {
        0 if tokens.len() > 8 => {
            tokens.remove(at);
        }
        1 | 2 => {
            let inserted = Token {
                what: word,
                capital: false,
                before: "",
                after: " ",
            };
            tokens.insert(at, inserted);
        }
        _ => tokens[at].what = word,
    }
}

pub fn write_plain(tokens: &[Token], words: &Words, out: &mut String) {
    for token in tokens {
        out.push_str(token.before);
        write_token(token, words, out);
        out.push_str(token.after);
    }
}

/// With links, italics and spaces that do not break.
pub fn write_marked(tokens: &[Token], words: &Words, random: &mut Random, out: &mut String) {
    for token in tokens {
        out.push_str(token.before);
        let (open, close) = match token.what {
            What::Name(name) => match random.below(20) {
                0..7 => ("[[", "]]"),
                7..10 => {
                    out.push_str("[[");
                    out.push_str(words.name(name));
                    (" County|", "]]")
                }
                10 => ("'''", "'''"),
                _ => ("", ""),
            },
            What::Word(_) => match random.below(80) {
                0 => ("[[", "]]"),
                1 => {
                    out.push_str("[[");
                    out.push_str(words.name(words.any_name(random)));
                    ("|", "]]")
                }
                2 => ("''", "''"),
                _ => ("", ""),
            },
            _ => ("", ""),
        };
        out.push_str(open);
        write_token(token, words, out);
        out.push_str(close);
        let unbroken = matches!(token.what, What::Number(_)) && token.after == " ";
        out.push_str(if unbroken { "&nbsp;" } else { token.after });
    }
}

fn write_token(token: &Token, words: &Words, out: &mut String) {
    let start = out.len();
    match token.what {
        What::Word(word) => out.push_str(words.word(word)),
        What::Name(name) => out.push_str(words.name(name)),
        What::Fixed(text) => out.push_str(text),
        What::Year(year) => write_digits(year, out),
        What::Number(number) => {
            if number >= 1000 {
                write_digits(number / 1000, out);
                out.push(',');
                let rest = number % 1000;
                out.push_str(if rest < 10 {
                    "00"
                } else if rest < 100 {
                    "0"
                } else {
                    ""
                });
                write_digits(rest, out);
            } else {
                write_digits(number, out);
            }
        }
    }
    if token.capital {
        out[start..start + 1].make_ascii_uppercase();
    }
}

pub fn write_digits(number: u32, out: &mut String) {
    if number >= 10 {
        write_digits(number / 10, out);
    }
    out.push(char::from(b'0' + (number % 10) as u8));
}

/// 1 − the edit distance over the length of the longer one.
pub fn edit_similarity(one: &str, other: &str) -> f64 {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let longest = one.len().max(other.len());
    let prefix = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[prefix..], &other[prefix..]);
    let ends = one.iter().rev().zip(other.iter().rev());
    let suffix = ends.take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - suffix], &other[..other.len() - suffix]);
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let replaced = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = replaced.min(corner + 1).min(row[j] + 1);
        }
    }
    1.0 - row[other.len()] as f64 / longest.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_similarity_counts_edits_of_characters() {
        assert_eq!(edit_similarity("kitten", "kitten"), 1.0);
        assert_eq!(edit_similarity("kitten", "sitting"), 1.0 - 3.0 / 7.0);
        assert_eq!(edit_similarity("abc", ""), 0.0);
        assert_eq!(edit_similarity("in 1987.", "in 1988."), 1.0 - 1.0 / 8.0);
    }

    #[test]
    fn a_change_changes_what_it_says() {
        let words = Words::new(1);
        let plain = |tokens: &[Token]| {
            let mut out = String::new();
            write_plain(tokens, &words, &mut out);
            out
        };
        for record in 0..300 {
            let mut random = Random::for_record(1, record, 99);
            let tokens = sentence(&words, &mut random);
            let text = plain(&tokens);
            assert!(text.ends_with('.') && !text.contains("  "), "{text}");
            for change in [
                Change::Identical,
                Change::Edited,
                Change::Number,
                Change::Subject,
            ] {
                let Some(copy) = changed(&tokens, change, &words, &mut random) else {
                    continue;
                };
                let copy = plain(&copy);
                match change {
                    Change::Identical => assert_eq!(copy, text),
                    Change::Number | Change::Subject => assert_ne!(copy, text),
                    // A word may be replaced by itself.
                    Change::Edited => {}
                }
                let similarity = edit_similarity(&text, &copy);
                assert!(similarity > 0.3, "{similarity}\n{text}\n{copy}");
            }
        }
    }
}
