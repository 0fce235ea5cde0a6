//! Numbers in English words.

use super::Reading;
use super::digits::{percent, with_percent};
use super::source::Source;

/// Powers of ten with a name, from the largest.
const TRILLION: usize = 12;

enum Numeral {
    Zero,
    /// 1 to 9.
    Unit(u32),
    /// 10 to 19.
    Teen(u32),
    /// 20, 30 … 90.
    Tens(u32),
}

/// The number word, and whether it is an ordinal.
fn numeral(word: &str) -> Option<(Numeral, bool)> {
    use Numeral::{Teen, Tens, Unit, Zero};
    Some(match word {
        "zero" => (Zero, false),
        "one" => (Unit(1), false),
        "first" => (Unit(1), true),
        "two" => (Unit(2), false),
        "second" => (Unit(2), true),
        "three" => (Unit(3), false),
        "third" => (Unit(3), true),
        "four" => (Unit(4), false),
        "fourth" => (Unit(4), true),
        "five" => (Unit(5), false),
        "fifth" => (Unit(5), true),
        "six" => (Unit(6), false),
        "sixth" => (Unit(6), true),
        "seven" => (Unit(7), false),
        "seventh" => (Unit(7), true),
        "eight" => (Unit(8), false),
        "eighth" => (Unit(8), true),
        "nine" => (Unit(9), false),
        "ninth" => (Unit(9), true),
        "ten" => (Teen(10), false),
        "tenth" => (Teen(10), true),
        "eleven" => (Teen(11), false),
        "eleventh" => (Teen(11), true),
        "twelve" => (Teen(12), false),
        "twelfth" => (Teen(12), true),
        "thirteen" => (Teen(13), false),
        "thirteenth" => (Teen(13), true),
        "fourteen" => (Teen(14), false),
        "fourteenth" => (Teen(14), true),
        "fifteen" => (Teen(15), false),
        "fifteenth" => (Teen(15), true),
        "sixteen" => (Teen(16), false),
        "sixteenth" => (Teen(16), true),
        "seventeen" => (Teen(17), false),
        "seventeenth" => (Teen(17), true),
        "eighteen" => (Teen(18), false),
        "eighteenth" => (Teen(18), true),
        "nineteen" => (Teen(19), false),
        "nineteenth" => (Teen(19), true),
        "twenty" => (Tens(20), false),
        "twentieth" => (Tens(20), true),
        "thirty" => (Tens(30), false),
        "thirtieth" => (Tens(30), true),
        "forty" => (Tens(40), false),
        "fortieth" => (Tens(40), true),
        "fifty" => (Tens(50), false),
        "fiftieth" => (Tens(50), true),
        "sixty" => (Tens(60), false),
        "sixtieth" => (Tens(60), true),
        "seventy" => (Tens(70), false),
        "seventieth" => (Tens(70), true),
        "eighty" => (Tens(80), false),
        "eightieth" => (Tens(80), true),
        "ninety" => (Tens(90), false),
        "ninetieth" => (Tens(90), true),
        _ => return None,
    })
}

fn power(word: &str) -> Option<usize> {
    Some(match word {
        "thousand" => 3,
        "million" => 6,
        "billion" => 9,
        "trillion" => TRILLION,
        _ => return None,
    })
}

/// The power of ten that a word after a number in digits stands for, as in `1.5 million`.
pub(super) fn power_after(source: &Source<'_>, at: usize) -> Option<(usize, usize)> {
    let word = source.english_word(source.gap(at)?)?;
    let power = match word.as_str() {
        "hundred" => 2,
        "millions" => 6,
        word => power(word)?,
    };
    Some((power, word.end))
}

/// A number as far as it has been read.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: u128,
    pub(super) end: usize,
    pub(super) is_ordinal: bool,
    /// Ends in a word that means other things as well: `one`, `second`.
    ends_in_doubt: bool,
    words: usize,
}

/// What the number that begins at `at` is compared as.
pub(super) fn read(source: &Source<'_>, at: usize, number: &Number) -> Reading {
    let is_share = || percent(source, number.end).is_some();
    let is_doubtful = match number.value {
        1 => !number.is_ordinal && !is_share(),
        _ => number.is_ordinal && number.ends_in_doubt,
    };
    if is_doubtful {
        return Reading::nothing(number.end);
    }
    let value = number.value.to_string();
    if number.is_ordinal {
        return Reading::number(source, at..number.end, value);
    }
    with_percent(source, at..number.end, value)
}

/// The number in words at `at`: thousands, millions and the like, each smaller than the one before.
pub(super) fn number(source: &Source<'_>, at: usize) -> Option<Number> {
    let first = below_thousand(source, at)?;
    let mut total = Number { value: 0, ..first };
    let (mut section, mut largest) = (first, TRILLION + 1);
    loop {
        let scale = joined_power(source, &section).filter(|&(power, _)| power < largest);
        let Some((power, end)) = scale else {
            // What follows a section with its power must be less than that power.
            let fits = total.words == 0 || joined_power(source, &section).is_none();
            return Some(if total.value == 0 {
                section
            } else if fits && section.end > total.end {
                total.plus(&section)
            } else {
                total
            });
        };
        let value = total.value + section.value * 10u128.pow(power as u32);
        total = Number {
            value,
            end,
            is_ordinal: false,
            ends_in_doubt: false,
            words: total.words + section.words + 1,
        };
        largest = power;
        let next = joint(source, end).and_then(|at| {
            let at_number = after_and(source, at).unwrap_or(at);
            let next = below_thousand(source, at_number)?;
            // "two thousand and five million" is two numbers.
            let is_next = at_number == at || (next.value < 100 && !has_power(source, &next));
            is_next.then_some(next)
        });
        let Some(next) = next.filter(|next| next.value > 0) else {
            return Some(total);
        };
        section = next;
    }
}

impl Number {
    fn plus(&self, less: &Self) -> Self {
        Self {
            value: self.value + less.value,
            words: self.words + less.words,
            ..*less
        }
    }
}

fn below_thousand(source: &Source<'_>, at: usize) -> Option<Number> {
    let number = below_hundred(source, at)?;
    let Some(end) = joined_hundred(source, &number) else {
        return Some(number);
    };
    let hundreds = Number {
        value: number.value * 100,
        end,
        is_ordinal: false,
        ends_in_doubt: false,
        words: number.words + 1,
    };
    let rest = joint(source, end).and_then(|at| {
        let at = after_and(source, at).unwrap_or(at);
        below_hundred(source, at)
    });
    // "between two hundred and three hundred" is two numbers.
    let rest = rest.filter(|rest| rest.value > 0 && joined_hundred(source, rest).is_none());
    Some(rest.map_or(hundreds, |rest| hundreds.plus(&rest)))
}

fn below_hundred(source: &Source<'_>, at: usize) -> Option<Number> {
    let word = source.english_word(at)?;
    let (numeral, is_ordinal) = numeral(word.as_str())?;
    let single = |value: u32| Number {
        value: value.into(),
        end: word.end,
        is_ordinal,
        ends_in_doubt: matches!(word.as_str(), "one" | "second"),
        words: 1,
    };
    match numeral {
        Numeral::Zero => Some(single(0)),
        Numeral::Unit(value) | Numeral::Teen(value) => Some(single(value)),
        Numeral::Tens(value) if is_ordinal => Some(single(value)),
        Numeral::Tens(value) => {
            let tens = single(value);
            let unit = joint(source, word.end).and_then(|at| {
                let unit = source.english_word(at)?;
                match self::numeral(unit.as_str())? {
                    (Numeral::Unit(_), _) => below_hundred(source, at),
                    _ => None,
                }
            });
            Some(unit.map_or(tens, |unit| tens.plus(&unit)))
        }
    }
}

fn joined_hundred(source: &Source<'_>, number: &Number) -> Option<usize> {
    if number.is_ordinal || number.value == 0 {
        return None;
    }
    let at = joint(source, number.end)?;
    source.after(at, 'h')?;
    let word = source.english_word(at)?;
    (word.as_str() == "hundred").then_some(word.end)
}

fn joined_power(source: &Source<'_>, number: &Number) -> Option<(usize, usize)> {
    if number.is_ordinal || number.value == 0 {
        return None;
    }
    let at = joint(source, number.end)?;
    source
        .next(at)
        .filter(|(c, _)| matches!(c, 't' | 'm' | 'b'))?;
    let word = source.english_word(at)?;
    Some((power(word.as_str())?, word.end))
}

fn has_power(source: &Source<'_>, number: &Number) -> bool {
    joined_power(source, number).is_some()
}

fn after_and(source: &Source<'_>, at: usize) -> Option<usize> {
    let word = source
        .english_word(at)
        .filter(|word| word.as_str() == "and")?;
    source.gap(word.end)
}

/// Where white space or a hyphen between two words of a number ends.
fn joint(source: &Source<'_>, at: usize) -> Option<usize> {
    source.gap(at).or_else(|| source.after(at, '-'))
}
