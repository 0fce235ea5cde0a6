//! Numbers in digits: what separates them and what follows them.

use std::ops::Range;

use super::decimal::Decimal;
use super::source::{Edge, Source};
use super::{Reading, english, han};

/// The number that begins with the digit at `at`.
pub(super) fn read(source: &Source<'_>, at: usize) -> Reading {
    if let Some(end) = end_of_plain_number(source, at) {
        return Reading::nothing(end);
    }
    match number(source, at) {
        Number::Cardinal(value, end) => with_percent(source, at..end, value.to_string()),
        Number::Ordinal(value, end) => Reading::number(source, at..end, value.to_string()),
        Number::Unclear(end) => Reading::nothing(end),
    }
}

/// Where a number ends that is sure to be in its form, as most are: the rest is slower.
fn end_of_plain_number(source: &Source<'_>, at: usize) -> Option<usize> {
    let bytes = &source.text.as_bytes()[at..];
    let end = at
        + bytes
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
    let is_plain = match source.byte(end) {
        None | Some(b')' | b']' | b'-' | b'/' | b':' | b'!' | b'?' | b'"') => true,
        Some(b'.' | b',' | b';') => source.byte(end + 1) == Some(b' '),
        Some(b' ') => source
            .byte(end + 1)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() && !b"hmtbp".contains(&(byte | 0x20))),
        _ => false,
    };
    (is_plain && end > at).then_some(end)
}

/// A number, and where it ends.
pub(super) enum Number {
    Cardinal(Decimal, usize),
    Ordinal(Decimal, usize),
    Unclear(usize),
}

pub(super) fn number(source: &Source<'_>, at: usize) -> Number {
    let written = Written::read(source, at);
    let end = written.end;
    let Some(value) = written.value(source) else {
        return Number::Unclear(end);
    };
    let (value, end) = match suffix(source, end, &written, &value) {
        Suffix::None => (value, end),
        Suffix::Power(power, end) => (value.times_ten_to(power), end),
        Suffix::Ordinal(end) => return Number::Ordinal(value, end),
        Suffix::Unknown => return Number::Unclear(end),
    };
    let (value, end) = match han::power(source, end) {
        han::Power::None => (value, end),
        han::Power::Of(power, end) => (value.times_ten_to(power), end),
        han::Power::Unclear(end) => return Number::Unclear(end),
    };
    match english::power_after(source, end) {
        Some((power, end)) => Number::Cardinal(value.times_ten_to(power), end),
        None => Number::Cardinal(value, end),
    }
}

/// The number, with a sign or word for percent that follows it.
pub(super) fn with_percent(source: &Source<'_>, number: Range<usize>, value: String) -> Reading {
    match percent(source, number.end) {
        Some(end) => Reading::found((number.start..end, value + "%")),
        None => Reading::number(source, number, value),
    }
}

/// Where a sign or word for percent ends that follows what ends at `at`.
pub(super) fn percent(source: &Source<'_>, at: usize) -> Option<usize> {
    let gap = source.gap(at);
    if let Some(end) = source.after(gap.unwrap_or(at), '%') {
        // `5%20` is of an address.
        return (!source.touches_word(end)).then_some(end);
    }
    let word = source.word(gap?)?;
    match word.as_str() {
        "percent" | "prozent" | "procent" => Some(word.end),
        "per" | "pour" | "por" => {
            let second = source.word(source.gap(word.end)?)?;
            matches!(second.as_str(), "cent" | "cento" | "ciento").then_some(second.end)
        }
        _ => None,
    }
}

enum Suffix {
    None,
    Power(usize, usize),
    Ordinal(usize),
    Unknown,
}

fn suffix(source: &Source<'_>, end: usize, written: &Written, value: &Decimal) -> Suffix {
    if !source.goes_on(end, Edge::Digit) {
        return Suffix::None;
    }
    let Some(word) = source.word(end) else {
        return Suffix::Unknown;
    };
    match word.as_str() {
        "k" => Suffix::Power(3, word.end),
        "mn" => Suffix::Power(6, word.end),
        "bn" => Suffix::Power(9, word.end),
        suffix if written.is_whole() && suffix == ordinal_suffix(&value.to_string()) => {
            Suffix::Ordinal(word.end)
        }
        _ => Suffix::Unknown,
    }
}

/// `st`, `nd`, `rd` or `th`.
pub(super) fn ordinal_suffix(digits: &str) -> &'static str {
    let last_two = &digits.as_bytes()[digits.len().saturating_sub(2)..];
    match last_two {
        [b'1', _] => "th",
        [.., b'1'] => "st",
        [.., b'2'] => "nd",
        [.., b'3'] => "rd",
        _ => "th",
    }
}

/// Runs of digits with separators between.
struct Written {
    first: Range<usize>,
    first_length: usize,
    groups: Vec<Group>,
    end: usize,
}

struct Group {
    /// A space stands for all white space that separates groups.
    separator: char,
    digits: Range<usize>,
    length: usize,
}

impl Written {
    fn read(source: &Source<'_>, at: usize) -> Self {
        let length = |digits: Range<usize>| source.text[digits].chars().count();
        let first = source.digits(at);
        let mut written = Self {
            first_length: length(first.clone()),
            end: first.end,
            first,
            groups: Vec::new(),
        };
        while let Some((c, after)) = source.next(written.end) {
            let separator = match c {
                ',' | '.' | '\'' => c,
                '\u{A0}' | '\u{2009}' | '\u{202F}' => ' ',
                _ => break,
            };
            let digits = source.digits(after);
            let length = length(digits.clone());
            let is_group = length == 3
                && written.first_length <= 3
                && written
                    .groups
                    .last()
                    .is_none_or(|group| group.separator == ' ');
            if length == 0 || (separator == ' ' && !is_group) {
                break;
            }
            written.end = digits.end;
            written.groups.push(Group {
                separator,
                digits,
                length,
            });
        }
        written
    }

    /// Whether there is neither a point nor a separator.
    fn is_whole(&self) -> bool {
        self.groups.is_empty()
    }

    /// The value, if there is one way only to read it.
    fn value(&self, source: &Source<'_>) -> Option<Decimal> {
        let fraction = self.fraction(source)?;
        let grouped = &self.groups[..self.groups.len() - usize::from(fraction.is_some())];
        let begins_with_zero = source.after(self.first.start, '0').is_some();
        if begins_with_zero && (self.first_length > 1 || !grouped.is_empty()) {
            return None;
        }
        let mut whole = source.as_ascii(self.first.clone());
        for group in grouped {
            whole.push_str(&source.as_ascii(group.digits.clone()));
        }
        let fraction = fraction.map_or(String::new(), |digits| source.as_ascii(digits));
        Some(Decimal::new(whole, fraction))
    }

    /// The digits after the decimal separator, if there is one; none if nobody can tell.
    fn fraction(&self, source: &Source<'_>) -> Option<Option<Range<usize>>> {
        let Some((last, others)) = self.groups.split_last() else {
            return Some(None);
        };
        let fits = |group: &Group| group.length == 3 && group.separator == self.groups[0].separator;
        let first_fits = self.first_length <= 3 && source.after(self.first.start, '0').is_none();
        let groups_fit = first_fits && self.groups.iter().all(fits);
        let is_decimal = match (last.separator, others) {
            (',', []) => !groups_fit,
            // `1.000` is a thousand to some and one to others.
            ('.', []) if groups_fit => return None,
            ('.', []) => true,
            (',' | '.', [first, ..]) if first.separator != last.separator => {
                let others_fit = first_fits && others.iter().all(fits);
                return others_fit.then(|| Some(last.digits.clone()));
            }
            ('.', _) if self.is_address(source) => return None,
            _ => false,
        };
        if is_decimal {
            return Some(Some(last.digits.clone()));
        }
        groups_fit.then_some(None)
    }

    /// Whether it may be an address of the internet, as in `192.168.100.200`.
    fn is_address(&self, source: &Source<'_>) -> bool {
        let is_octet = |digits: &Range<usize>| {
            let number = source.number(digits.start, 1..4);
            let padded = digits.len() > 1 && source.after(digits.start, '0').is_some();
            !padded && number.is_some_and(|(value, _)| value < 256)
        };
        self.groups.len() == 3
            && is_octet(&self.first)
            && self.groups.iter().all(|group| is_octet(&group.digits))
    }
}
