//! Which record of a cluster is kept: the order of keeping.

use std::cmp::Reverse;

use lookalike_kernel::Keep;
use lookalike_kernel::record::Value;
use lookalike_text::UnitId;

use crate::Error;
use crate::stages::{Context, Signed};

/// A value by which records are ranked, largest first; missing ones come last.
pub(crate) const NO_VALUE: u64 = 0;

/// The rank value of a field: a number or a date. Larger is better; [`NO_VALUE`] if it is neither.
pub(crate) fn field_value(value: Value<'_>) -> u64 {
    let number = match value {
        Value::Number(text) | Value::Text(text) => text
            .trim()
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite())
            .or_else(|| date(text.trim())),
        _ => None,
    };
    number.map_or(NO_VALUE, sortable)
}

/// The rank value of what a thread says in its answer; of those that say as much, it is more where there are more answers
/// beside that one.
pub(crate) fn value_of_more(more: usize, answers: u32) -> u64 {
    let others = f64::from(answers.saturating_sub(u32::from(more > 0)));
    sortable(more as f64 + others / (others + 1.0))
}

/// Whether a field ranks by a date, and not by a number.
pub(crate) fn is_date(value: Value<'_>) -> bool {
    match value {
        Value::Number(text) | Value::Text(text) => {
            text.trim().parse::<f64>().is_err() && date(text.trim()).is_some()
        }
        _ => false,
    }
}

/// The value that stands behind one to rank by; none where there is none.
pub(crate) fn shown_value(keep: &Keep, value: u64) -> Option<f64> {
    match keep {
        _ if value == NO_VALUE => None,
        Keep::Field(_) | Keep::More => Some(number(value)),
        _ => Some((value - 1) as f64),
    }
}

/// The number of such bits.
fn number(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 {
        bits & !(1 << 63)
    } else {
        !bits
    })
}

/// Bits of a number that order as the number does, never [`NO_VALUE`].
fn sortable(number: f64) -> u64 {
    // Adding zero turns −0 into 0, which is the same number.
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

/// Seconds since 1970 of an ISO 8601 date or date and time: `2021-03-05`, `2021-03-05T10:20:30.5+02:00`.
fn date(text: &str) -> Option<f64> {
    let (day, rest) = text.split_at_checked(10)?;
    let mut parts = day.split(['-', '/']);
    let year: i64 = digits(parts.next()?, 4)?;
    let month: i64 = digits(parts.next()?, 2)?;
    let day: i64 = digits(parts.next()?, 2)?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=12).contains(&month) || !(1..=days).contains(&day) {
        return None;
    }
    let days = days_since_1970(year, month, day);
    Some(days as f64 * 86_400.0 + time(rest)?)
}

fn time(text: &str) -> Option<f64> {
    let Some(text) = text.strip_prefix(['T', 't', ' ']) else {
        return text.is_empty().then_some(0.0);
    };
    let zone = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at(zone);
    let mut parts = clock.trim().split(':');
    let hours = digits(parts.next()?, 2).filter(|hours| *hours <= 24)?;
    let minutes = parts.next().map_or(Some(0), |part| {
        digits(part, 2).filter(|minutes| *minutes < 60)
    })?;
    let seconds = parts.next().map_or(Some(0.0), seconds)?;
    Some((hours * 3600 + minutes * 60) as f64 + seconds - zone_seconds(zone)?)
}

/// `30` or `30.25`.
fn seconds(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let whole = digits(whole, 2).filter(|seconds| *seconds <= 60)?;
    let fraction: f64 =
        digits(fraction, fraction.len()).and_then(|_| format!("0.{fraction}").parse().ok())?;
    Some(whole as f64 + fraction)
}

fn zone_seconds(zone: &str) -> Option<f64> {
    if zone.is_empty() || zone.eq_ignore_ascii_case("z") {
        return Some(0.0);
    }
    let (sign, rest) = zone.split_at_checked(1)?;
    let plain: String = rest.chars().filter(|c| *c != ':').collect();
    let hours: i64 = digits(plain.get(..2)?, 2)?;
    let minutes: i64 = if plain.len() > 2 {
        digits(plain.get(2..)?, 2)?
    } else {
        0
    };
    let seconds = (hours * 3600 + minutes * 60) as f64;
    Some(if sign == "-" { -seconds } else { seconds })
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

/// Days from 1970-01-01 in the Gregorian calendar.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March: the leap day is the last day of one.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The order of keeping over all units.
#[derive(Debug)]
pub(crate) enum Ranks {
    /// Input order.
    AsRead,
    /// Any other: the position of each unit in the order, and back.
    Ordered {
        position: Vec<u32>,
        unit: Vec<UnitId>,
    },
}

impl Ranks {
    /// Units ordered by a key, of which there are so many; those of equal keys in input order.
    fn by_key<K: Ord>(units: usize, key: impl Fn(UnitId) -> K) -> Self {
        let mut unit: Vec<UnitId> = (0..units as u32).map(UnitId::from).collect();
        unit.sort_unstable_by_key(|&unit| (key(unit), unit));
        let mut position = vec![0; unit.len()];
        for (place, unit) in (0..).zip(&unit) {
            position[unit.index()] = place;
        }
        Ranks::Ordered { position, unit }
    }

    pub(crate) fn of(&self, unit: UnitId) -> u32 {
        match self {
            Ranks::AsRead => unit.get(),
            Ranks::Ordered { position, .. } => position[unit.index()],
        }
    }

    pub(crate) fn unit(&self, rank: u32) -> UnitId {
        match self {
            Ranks::AsRead => UnitId::from(rank),
            Ranks::Ordered { unit, .. } => unit[rank as usize],
        }
    }
}

/// The order of keeping of a run.
pub(crate) fn ranks(context: &Context<'_>, signed: &Signed) -> Result<Ranks, Error> {
    let is_against = context.corpus.is_against();
    // The corpus first: it is what the input is compared with.
    let against_from = signed.first_unit_against();
    let is_later = |unit: UnitId| is_against && unit < against_from;
    let count = signed.units();
    Ok(match context.spec().keep {
        Keep::Auto | Keep::First if !is_against => Ranks::AsRead,
        Keep::Auto | Keep::First => Ranks::by_key(count, is_later),
        Keep::Last => Ranks::by_key(count, |unit| (is_later(unit), Reverse(unit))),
        Keep::Longest | Keep::More | Keep::Field(_) => {
            let values = signed.columns.rank_values.read_all()?;
            Ranks::by_key(count, |unit| {
                (is_later(unit), Reverse(values[unit.index()]))
            })
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> u64 {
        field_value(Value::Text(text))
    }

    #[test]
    fn numbers_and_dates_order_as_they_should() {
        let ascending = ["-1e9", "-3", "-0.5", "0", "0.25", "3", "20", "1e12"];
        assert!(
            ascending
                .windows(2)
                .all(|pair| value(pair[0]) < value(pair[1]))
        );
        let ascending = [
            "1969-12-31",
            "1970-01-01",
            "2020-02-28",
            "2020-02-29",
            "2020-03-01",
            "2020-03-01T00:00:01Z",
            "2020-03-01T02:00:00+01:00",
            "2020-03-01 01:00:00.5",
            "2020-03-01T01:00:00-00:30",
            "2021/01/01",
        ];
        assert!(
            ascending
                .windows(2)
                .all(|pair| value(pair[0]) < value(pair[1]))
        );
        assert_eq!(value("-0"), value("0"));
        assert_eq!(
            value("2020-03-01T12:00:00Z"),
            value("2020-03-01T14:00:00+0200")
        );
        assert_eq!(date("2000-03-01"), Some(951_868_800.0));
    }

    #[test]
    fn of_threads_that_say_as_much_that_with_more_answers_is_kept() {
        let ascending = [
            (0, 0),
            (0, 1),
            (0, 2),
            (1, 1),
            (1, 2),
            (1, 3),
            (1, 4000),
            (2, 0),
        ];
        let values = ascending.map(|(more, answers)| value_of_more(more, answers));
        assert!(
            values.windows(2).all(|pair| pair[0] < pair[1]),
            "{values:?}"
        );
    }

    #[test]
    fn a_value_to_rank_by_is_shown_as_the_number_it_is() {
        let field = Keep::Field("年".to_string());
        for shown in [-1e9, -0.5, 0.0, 0.25, 1999.0] {
            assert_eq!(shown_value(&field, value(&shown.to_string())), Some(shown));
        }
        assert_eq!(shown_value(&field, NO_VALUE), None);
        assert_eq!(shown_value(&Keep::Longest, 41), Some(40.0));
        assert_eq!(shown_value(&Keep::More, value_of_more(7, 0)), Some(7.0));
        assert_eq!(shown_value(&Keep::More, value_of_more(7, 1)), Some(7.0));
    }

    #[test]
    fn what_is_no_number_and_no_date_ranks_last() {
        for text in [
            "",
            "soon",
            "2020-13-01",
            "2020-1-1",
            "NaN",
            "inf",
            "12:30",
            "2020-03-01Tx",
            "二〇二〇",
            "2020-01-01Tnan",
            "2020-01-01T99:00",
            "2021-02-29",
        ] {
            assert_eq!(value(text), NO_VALUE, "{text}");
        }
        assert_eq!(field_value(Value::Null), NO_VALUE);
        assert!(value("-1e300") > NO_VALUE);
    }

    #[test]
    fn larger_values_come_first_and_ties_keep_the_input_order() {
        let values = [5, 9, 5, NO_VALUE];
        let ranks = Ranks::by_key(4, |unit| Reverse(values[unit.index()]));
        let order: Vec<u32> = (0..4).map(|rank| ranks.unit(rank).get()).collect();
        assert_eq!(order, [1, 0, 2, 3]);
        assert_eq!(ranks.of(UnitId::from(2)), 2);
    }
}
