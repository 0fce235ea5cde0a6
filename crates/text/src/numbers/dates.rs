//! Dates, whole or without the year or the day.

use std::ops::Range;

use super::source::{Edge, Source};
use super::{Dates, digits, english, han};

/// Other numbers of four digits are no years.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2100;

/// Where a date is, and its form.
pub(super) type Found = (Range<usize>, String);

/// A date; of year and day one may be unknown.
#[derive(Clone, Copy)]
struct Date {
    year: Option<u32>,
    month: u32,
    day: Option<u32>,
}

impl Date {
    /// The one form of a date that there is, `1979-01-18`, `1979-01` or `--01-18`.
    fn form(self) -> Option<String> {
        let Self { year, month, day } = self;
        if !(1..=12).contains(&month) || year.is_some_and(|year| !YEARS.contains(&year)) {
            return None;
        }
        let leap = year.is_none_or(|y| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0);
        let last = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if day.is_some_and(|day| !(1..=last).contains(&day)) {
            return None;
        }
        match (year, day) {
            (Some(year), Some(day)) => Some(format!("{year:04}-{month:02}-{day:02}")),
            (Some(year), None) => Some(format!("{year:04}-{month:02}")),
            (None, Some(day)) => Some(format!("--{month:02}-{day:02}")),
            (None, None) => None,
        }
    }
}

/// `18/1/1979`, `1979-01-18` and the like.
pub(super) fn in_digits(source: &Source<'_>, at: usize, dates: Dates) -> Option<Found> {
    let year_first = source.number(at, 4..5);
    let (first, end) = year_first.or_else(|| source.number(at, 1..3))?;
    let (separator, begin) = source.next(end)?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let (second, end) = source.number(begin, 1..3)?;
    let begin = source.after(end, separator)?;
    let last_lengths = if year_first.is_some() { 1..3 } else { 4..5 };
    let (third, end) = source.number(begin, last_lengths)?;
    let date = |year, month, day| {
        let date = Date {
            year: Some(year),
            month,
            day: Some(day),
        };
        date.form()
    };
    let day_first = || date(third, second, first);
    let month_first = || date(third, first, second);
    let form = match dates {
        _ if year_first.is_some() => date(first, second, third),
        Dates::DayFirst => day_first().or_else(month_first),
        Dates::MonthFirst => month_first().or_else(day_first),
    }?;
    let separated = |c: char| matches!(c, '-' | '/' | '.');
    let longer_before = source
        .previous(at)
        .is_some_and(|(c, begin)| separated(c) && source.digit_before(begin));
    let longer_after = source
        .next(end)
        .is_some_and(|(c, next)| separated(c) && source.is_digit(next));
    let is_time =
        year_first.is_some() && source.after(end, 't').is_some_and(|t| source.is_digit(t));
    let goes_on = source.goes_on(end, Edge::Digit) && !is_time;
    (!longer_before && !longer_after && !goes_on).then_some((at..end, form))
}

/// `1979年1月18日`, in digits or numerals.
pub(super) fn in_han(source: &Source<'_>, at: usize) -> Option<Found> {
    let unspaced = |at: usize| source.after(at, ' ').unwrap_or(at);
    let (first, end) = part(source, at)?;
    let (mark, end) = source.next(unspaced(end))?;
    let (year, month, end) = match mark {
        '年' => {
            let (month, end) = part(source, unspaced(end))?;
            let end = source.after(unspaced(end), '月')?;
            (Some(first), month, end)
        }
        '月' => (None, first, end),
        _ => return None,
    };
    let day = part(source, unspaced(end)).and_then(|(day, end)| {
        let (mark, end) = source.next(unspaced(end))?;
        matches!(mark, '日' | '号' | '號').then_some((day, end))
    });
    let (day, end) = day.map_or((None, end), |(day, end)| (Some(day), end));
    let form = Date { year, month, day }.form()?;
    (!source.is_mark(end)).then_some((at..end, form))
}

fn part(source: &Source<'_>, at: usize) -> Option<(u32, usize)> {
    if source.is_digit(at) {
        return source.number(at, 1..5);
    }
    match han::run(source, at) {
        (han::Run::Single(value) | han::Run::Year(value), end) => Some((value, end)),
        (han::Run::Number(value @ 11..=31), end) => Some((value as u32, end)),
        _ => None,
    }
}

/// `January 18th, 1979`, `18 janvier 1979` and the like, of which the first number, in digits or an
/// English ordinal, is at `at`. Nothing before `floor` is looked at.
pub(super) fn with_name(source: &Source<'_>, at: usize, floor: usize) -> Option<Found> {
    after_month(source, at, floor).or_else(|| before_month(source, at))
}

/// `January 18th, 1979`, `January 18th` and `January 1979`.
fn after_month(source: &Source<'_>, at: usize, floor: usize) -> Option<Found> {
    let (month, begin, connected) = month_before(source, at)?;
    if begin < floor {
        return None;
    }
    if let Some((year, end)) = year(source, at) {
        let form = Date {
            year: Some(year),
            month: month.number,
            day: None,
        };
        let is_sure = month.certainty != Certainty::WholeDates;
        return form
            .form()
            .filter(|_| is_sure)
            .map(|form| (begin..end, form));
    }
    if connected {
        return None;
    }
    let day = Day::read(source, at)?;
    let comma = source.after(day.end, ',').unwrap_or(day.end);
    let year = source.gap(comma).and_then(|at| year(source, at));
    let is_sure =
        year.is_some() || (month.certainty != Certainty::WholeDates && day.stands_alone(source));
    let form = Date {
        year: year.map(|(year, _)| year),
        month: month.number,
        day: Some(day.value),
    };
    let end = year.map_or(day.end, |(_, end)| end);
    form.form()
        .filter(|_| is_sure)
        .map(|form| (begin..end, form))
}

/// `18 January 1979`, `18th of January` and the like.
fn before_month(source: &Source<'_>, at: usize) -> Option<Found> {
    let longer = source
        .previous(at)
        .is_some_and(|(c, begin)| matches!(c, '-' | '–' | '/') && source.digit_before(begin));
    let day = Day::read(source, at)?;
    let dot = source.after(day.end, '.').unwrap_or(day.end);
    let mut word = source.word(joint(source, dot)?)?;
    let connected = matches!(word.as_str(), "of" | "de");
    if connected {
        word = source.word(source.gap(word.end)?)?;
    }
    let month = Month::named(word.as_str())?;
    if longer {
        return None;
    }
    let year = year_after_month(source, word.end);
    let is_sure = match month.certainty {
        _ if year.is_some() => true,
        Certainty::WholeDates => false,
        Certainty::ButAfterDays => connected || day.is_ordinal || dot > day.end,
        Certainty::Sure => true,
    };
    let form = Date {
        year: year.map(|(year, _)| year),
        month: month.number,
        day: Some(day.value),
    };
    let end = year.map_or(word.end, |(_, end)| end);
    form.form().filter(|_| is_sure).map(|form| (at..end, form))
}

fn year_after_month(source: &Source<'_>, at: usize) -> Option<(u32, usize)> {
    let at = source.after(at, '.').unwrap_or(at);
    let at = source.after(at, ',').unwrap_or(at);
    let at = joint(source, at)?;
    let of = source
        .word(at)
        .filter(|word| matches!(word.as_str(), "de" | "del" | "of"));
    match of {
        Some(of) => year(source, source.gap(of.end)?),
        None => year(source, at),
    }
}

/// The month before `at`, where it begins, and whether there is a word between that only a year
/// follows.
fn month_before(source: &Source<'_>, at: usize) -> Option<(Month, usize, bool)> {
    let unstopped = |end: usize| match source.previous(end) {
        Some(('.' | ',', begin)) => begin,
        _ => end,
    };
    let (mut word, mut begin) = source.word_before(unstopped(source.gap_before(at)?))?;
    let connected = matches!(word.as_str(), "of" | "de" | "del");
    if connected || word.as_str() == "the" {
        (word, begin) = source.word_before(unstopped(source.gap_before(begin)?))?;
    }
    Some((Month::named(word.as_str())?, begin, connected))
}

/// White space or what stands for it in `18-Jan-1979`.
fn joint(source: &Source<'_>, at: usize) -> Option<usize> {
    let sign = || source.next(at).filter(|(c, _)| matches!(c, '-' | '/'));
    source.gap(at).or_else(|| sign().map(|(_, end)| end))
}

fn year(source: &Source<'_>, at: usize) -> Option<(u32, usize)> {
    let (year, end) = source.number(at, 4..5)?;
    let is_year = YEARS.contains(&year) && !source.goes_on(end, Edge::Digit);
    is_year.then_some((year, end))
}

/// A day of a month.
struct Day {
    value: u32,
    end: usize,
    is_ordinal: bool,
}

impl Day {
    fn read(source: &Source<'_>, at: usize) -> Option<Self> {
        if !source.is_digit(at) {
            let number = english::number(source, at).filter(|number| number.is_ordinal)?;
            return Some(Self {
                value: u32::try_from(number.value).ok()?,
                end: number.end,
                is_ordinal: true,
            });
        }
        let (value, digits_end) = source.number(at, 1..3)?;
        let end = match source.next(digits_end) {
            Some(('º' | 'ª' | '°', end)) => end,
            _ if !source.goes_on(digits_end, Edge::Digit) => digits_end,
            _ => {
                let suffix = source.word(digits_end)?;
                let is_ordinal = suffix.as_str() == digits::ordinal_suffix(&value.to_string())
                    || suffix.as_str() == "er";
                is_ordinal.then_some(suffix.end)?
            }
        };
        Some(Self {
            value,
            end,
            is_ordinal: end > digits_end,
        })
    }

    /// Whether it is neither the beginning of a range or a time nor a share.
    fn stands_alone(&self, source: &Source<'_>) -> bool {
        let begins_more = source
            .next(self.end)
            .is_some_and(|(c, end)| matches!(c, '-' | '–' | ':' | '/') && source.is_digit(end));
        let counts = digits::percent(source, self.end).is_some()
            || english::power_after(source, self.end).is_some();
        !begins_more && !counts
    }
}

/// How sure it is that a word beside a number is a month.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Certainty {
    Sure,
    /// Except after a number that is no ordinal, as in "all 5 may enter".
    ButAfterDays,
    /// Only with both day and year, as `set` and `mars`.
    WholeDates,
}

struct Month {
    number: u32,
    certainty: Certainty,
}

impl Month {
    /// In English, German, French, Spanish, Italian, Portuguese or Dutch, without accents.
    fn named(word: &str) -> Option<Self> {
        use Certainty::{ButAfterDays, Sure, WholeDates};
        let (number, certainty) = match word {
            "january" | "jan" | "januar" | "janner" | "jaenner" | "janvier" | "janv" | "enero"
            | "gennaio" | "janeiro" | "januari" => (1, Sure),
            "gen" | "ene" => (1, WholeDates),
            "february" | "feb" | "februar" | "fevrier" | "fevr" | "febrero" | "febbraio"
            | "fevereiro" | "februari" => (2, Sure),
            "fev" => (2, WholeDates),
            "march" | "marz" | "maerz" | "marzo" | "maart" => (3, Sure),
            "mar" | "mars" | "marco" | "mrt" => (3, WholeDates),
            "april" | "apr" | "avril" | "abril" | "aprile" => (4, Sure),
            "avr" | "abr" => (4, WholeDates),
            "may" | "mayo" | "mai" => (5, ButAfterDays),
            "maggio" | "maio" => (5, Sure),
            "mei" | "mag" => (5, WholeDates),
            "june" | "jun" | "juni" | "juin" | "junio" | "giugno" | "junho" => (6, Sure),
            "giu" => (6, WholeDates),
            "july" | "jul" | "juli" | "juillet" | "juil" | "julio" | "luglio" | "julho" => {
                (7, Sure)
            }
            "lug" => (7, WholeDates),
            "august" | "aug" | "aout" | "agosto" | "augustus" => (8, Sure),
            "ago" => (8, WholeDates),
            "september" | "sep" | "sept" | "septembre" | "septiembre" | "setiembre"
            | "settembre" | "setembro" => (9, Sure),
            "set" | "sett" => (9, WholeDates),
            "october" | "oct" | "oktober" | "okt" | "octobre" | "octubre" | "ottobre"
            | "outubro" => (10, Sure),
            "out" | "ott" => (10, WholeDates),
            "november" | "nov" | "novembre" | "noviembre" | "novembro" => (11, Sure),
            "december" | "dec" | "dezember" | "dez" | "decembre" | "diciembre" | "dicembre"
            | "dezembro" => (12, Sure),
            "dic" => (12, WholeDates),
            _ => return None,
        };
        Some(Self { number, certainty })
    }
}
