//! Numbers in Chinese numerals.

use std::ops::Range;

use super::decimal::Decimal;
use super::source::Source;
use super::{Reading, digits};

/// Before these a single numeral is a number, as in `三个`.
const MEASURES: &str = "年月日号號点點元块塊岁歲个個位名次条條张張本件只隻台辆輛天周週秒米斤吨噸度层層楼樓\
    级級倍页頁章集届屆期";

/// Before these `一` may be more than a number: `一点` is also "a little".
const DOUBTFUL_AFTER_ONE: &str = "点點块塊度本";

/// After these a numeral is no number or not the whole of one: `几十`, `星期三`.
const DOUBTFUL_BEFORE: &str = "几幾数數期周週拜点點";

/// With these `千` is a unit: `千克` is a kilogram.
const KILO: &str = "克米瓦卡赫帕焦伏";

/// No number has more numerals.
const LONGEST_NUMBER: usize = 24;

/// A character of a numeral.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numeral {
    Digit(u8),
    /// By its power of ten.
    Unit(usize),
}

fn numeral(c: char) -> Option<Numeral> {
    Some(match c {
        '〇' | '零' => Numeral::Digit(0),
        '一' => Numeral::Digit(1),
        '二' | '两' | '兩' => Numeral::Digit(2),
        '三' => Numeral::Digit(3),
        '四' => Numeral::Digit(4),
        '五' => Numeral::Digit(5),
        '六' => Numeral::Digit(6),
        '七' => Numeral::Digit(7),
        '八' => Numeral::Digit(8),
        '九' => Numeral::Digit(9),
        '十' => Numeral::Unit(1),
        '百' => Numeral::Unit(2),
        '千' => Numeral::Unit(3),
        '万' | '萬' => Numeral::Unit(4),
        '亿' | '億' => Numeral::Unit(8),
        _ => return None,
    })
}

/// What a run of numerals is.
pub(super) enum Run {
    /// One digit, or `十`: a number only where it counts something.
    Single(u32),
    /// Four digits, as in years.
    Year(u32),
    /// With a unit and at least two characters.
    Number(u128),
    /// Nothing that is sure to be a number, as `万一` and `七八十`.
    Other,
}

/// The longest run of numerals at `at`, and where it ends.
pub(super) fn run(source: &Source<'_>, at: usize) -> (Run, usize) {
    let mut end = at;
    let mut numerals = [Numeral::Digit(0); LONGEST_NUMBER];
    let mut length = 0;
    while let Some((c, next)) = source.next(end)
        && let Some(numeral) = numeral(c)
    {
        if let Some(slot) = numerals.get_mut(length) {
            *slot = numeral;
        }
        length += 1;
        end = next;
    }
    let Some(numerals) = numerals.get(..length) else {
        return (Run::Other, end);
    };
    let digits = numerals.iter().map_while(|numeral| match numeral {
        Numeral::Digit(digit) => Some(u32::from(*digit)),
        Numeral::Unit(_) => None,
    });
    let run = match *numerals {
        [Numeral::Digit(digit)] => Run::Single(digit.into()),
        [Numeral::Unit(1)] => Run::Single(10),
        [_, _, _, _] if digits.clone().count() == 4 => {
            Run::Year(digits.fold(0, |all, digit| all * 10 + digit))
        }
        _ => value(numerals).map_or(Run::Other, Run::Number),
    };
    (run, end)
}

/// The value of a well-formed number of at least two characters with a unit.
fn value(numerals: &[Numeral]) -> Option<u128> {
    if numerals.len() < 2 || !numerals.iter().any(|n| matches!(n, Numeral::Unit(_))) {
        return None;
    }
    let (mut total, mut largest) = (0, usize::MAX);
    let mut rest = numerals;
    loop {
        let length = rest.iter().take_while(|n| !is_myriad(**n)).count();
        let (section, after) = rest.split_at(length);
        let myriads = after.iter().take_while(|n| is_myriad(**n)).count();
        let power = match after[..myriads] {
            [] => 0,
            [Numeral::Unit(power)] => power,
            [Numeral::Unit(4), Numeral::Unit(8)] => 12,
            _ => return None,
        };
        if power >= largest {
            return None;
        }
        total +=
            u128::from(below_myriad(section, largest != usize::MAX)?) * 10u128.pow(power as u32);
        (rest, largest) = (&after[myriads..], power);
        if rest.is_empty() {
            return Some(total);
        }
    }
}

fn is_myriad(numeral: Numeral) -> bool {
    matches!(numeral, Numeral::Unit(4..))
}

/// The value of numerals up to 千. Each digit has a unit, except the last and after a zero: what
/// `三百五` means depends on the speaker.
fn below_myriad(numerals: &[Numeral], is_continued: bool) -> Option<u32> {
    let mut rest = numerals;
    let mut value = 0;
    // The power of ten below which what follows must be, and whether powers may be left out.
    let (mut below, mut may_skip) = (4, !is_continued);
    while !rest.is_empty() {
        (value, rest) = match rest {
            [Numeral::Digit(0), after @ ..]
                if after.first().is_some_and(|&next| next != Numeral::Digit(0))
                    && (is_continued || value > 0) =>
            {
                may_skip = true;
                (value, after)
            }
            &[
                Numeral::Digit(digit @ 1..),
                Numeral::Unit(power),
                ref after @ ..,
            ] if power < below && (power + 1 == below || may_skip) => {
                (below, may_skip) = (power, false);
                (value + u32::from(digit) * 10u32.pow(power as u32), after)
            }
            [Numeral::Unit(1), after @ ..] if below > 1 => {
                (below, may_skip) = (1, false);
                (value + 10, after)
            }
            &[Numeral::Digit(digit @ 1..)] if below == 1 || may_skip => {
                (value + u32::from(digit), &[][..])
            }
            _ => return None,
        };
    }
    (value > 0).then_some(value)
}

/// The number that begins with the numeral at `at`.
pub(super) fn read(source: &Source<'_>, at: usize) -> Reading {
    if let Some(number) = source.after_all(at, "百分之") {
        return share(source, at, number);
    }
    let (run, end) = run(source, at);
    let next = source.next(end).map(|(c, _)| c);
    let previous = source.previous(at).map(|(c, _)| c);
    let is_doubtful =
        || previous.is_some_and(|c| DOUBTFUL_BEFORE.contains(c) || c.is_ascii_digit());
    if source.is_mark(end) || source.is_digit(end) {
        return Reading::nothing(end);
    }
    if let Some(reading) = decimal(source, at, &run, end) {
        return reading;
    }
    let is_followed_by = |list: &str| next.is_some_and(|c| list.contains(c));
    let value = match run {
        Run::Single(1) if is_followed_by(DOUBTFUL_AFTER_ONE) => None,
        Run::Single(value) if is_followed_by(MEASURES) && !is_doubtful() => Some(u128::from(value)),
        Run::Year(year) if next == Some('年') => Some(u128::from(year)),
        Run::Number(_) if source.text[at..end].ends_with('千') && is_followed_by(KILO) => None,
        Run::Number(value) if !previous.is_some_and(|c| "几幾数數".contains(c)) => Some(value),
        _ => None,
    };
    match value {
        Some(value) => Reading::number(source, at..end, value.to_string()),
        None => Reading::nothing(end),
    }
}

/// `百分之五`; the number begins at `number`.
fn share(source: &Source<'_>, at: usize, number: usize) -> Reading {
    if source.is_digit(number) {
        return match digits::number(source, number) {
            digits::Number::Cardinal(value, end) => Reading::found((at..end, format!("{value}%"))),
            digits::Number::Ordinal(_, end) | digits::Number::Unclear(end) => Reading::nothing(end),
        };
    }
    let (run, end) = run(source, number);
    let whole = match run {
        Run::Single(value) => u128::from(value),
        Run::Number(value) => value,
        _ if source.text[number..end] == *"百" => 100,
        _ => return Reading::nothing(end.max(number)),
    };
    let (value, end) = match fraction(source, end) {
        Some(digits) => (with_fraction(source, whole, digits.clone()), digits.end),
        None => (Decimal::from(whole), end),
    };
    if source.is_mark(end) {
        return Reading::nothing(end);
    }
    Reading::found((at..end, format!("{value}%")))
}

/// `零点五`, and `一点五万`: elsewhere `点` may be the hour.
fn decimal(source: &Source<'_>, at: usize, run: &Run, end: usize) -> Option<Reading> {
    let whole = match *run {
        Run::Single(value) => u128::from(value),
        Run::Number(value) => value,
        _ => return None,
    };
    let digits = fraction(source, end)?;
    let power = match self::power(source, digits.end) {
        Power::Of(power, end) => Some((power, end)),
        _ => None,
    };
    let next = source.next(digits.end).map(|(c, _)| c);
    let is_sure = whole == 0 || power.is_some() || next == Some('倍');
    if !is_sure || next == Some('分') || source.is_mark(digits.end) {
        return None;
    }
    let value = with_fraction(source, whole, digits.clone());
    let (power, end) = power.unwrap_or((0, digits.end));
    let value = value.times_ten_to(power);
    Some(Reading::number(source, at..end, value.to_string()))
}

/// The digits after the `点` at `at`, if there is nothing else.
fn fraction(source: &Source<'_>, at: usize) -> Option<Range<usize>> {
    let begin = source.after(at, '点').or_else(|| source.after(at, '點'))?;
    let mut end = begin;
    while let Some((c, next)) = source.next(end)
        && let Some(Numeral::Digit(_)) = numeral(c)
    {
        end = next;
    }
    let is_ten = source.next(end).is_some_and(|(c, _)| "十百千".contains(c));
    (end > begin && !is_ten).then_some(begin..end)
}

fn with_fraction(source: &Source<'_>, whole: u128, digits: Range<usize>) -> Decimal {
    let digit = |c: char| match numeral(c) {
        Some(Numeral::Digit(digit)) => Some(char::from(b'0' + digit)),
        _ => None,
    };
    let fraction = source.text[digits].chars().filter_map(digit).collect();
    Decimal::new(whole.to_string(), fraction)
}

/// What follows a number in digits.
pub(super) enum Power {
    None,
    /// A power of ten, and where it ends.
    Of(usize, usize),
    /// Numerals that make something else of it, up to here.
    Unclear(usize),
}

/// The power of ten that numerals after digits stand for, as in `3万` and `2 万元`.
pub(super) fn power(source: &Source<'_>, at: usize) -> Power {
    let spaced = source.after(at, ' ');
    let begin = spaced.unwrap_or(at);
    let unit = |at: usize| {
        let (c, end) = source.next(at)?;
        match numeral(c)? {
            Numeral::Unit(power @ 2..) => Some((power, end)),
            _ => None,
        }
    };
    let Some((mut power, mut end)) = unit(begin) else {
        return Power::None;
    };
    if let Some((second, after)) = unit(end)
        && second > power
        && second >= 4
    {
        (power, end) = (power + second, after);
    }
    let next = source.next(end).map(|(c, _)| c);
    if next.is_some_and(|c| c.is_ascii_digit() || numeral(c).is_some()) {
        return Power::Unclear(end_of_numerals(source, end));
    }
    // After a space a name may begin, such as `百度`.
    let counts = next.is_some_and(|c| c == '人' || MEASURES.contains(c));
    if spaced.is_some() && !(power >= 4 && counts) {
        return Power::None;
    }
    let is_unit = next.is_some_and(|c| c == '分' || (power == 3 && KILO.contains(c)));
    match is_unit || source.is_mark(end) {
        true => Power::Unclear(end),
        false => Power::Of(power, end),
    }
}

fn end_of_numerals(source: &Source<'_>, at: usize) -> usize {
    let mut end = at;
    while let Some((c, next)) = source.next(end)
        && (c.is_ascii_digit() || numeral(c).is_some())
    {
        end = next;
    }
    end
}
