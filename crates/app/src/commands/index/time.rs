//! Times and spans of time on the command line.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since 1970, by the clock.
pub(super) fn by_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// A time as it is asked for: by the clock, whenever it matters, or a fixed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    Clock,
    Fixed(u64),
}

impl Time {
    /// Seconds since 1970; by the clock, those of this moment.
    pub(super) fn seconds(self) -> u64 {
        match self {
            Time::Clock => by_clock(),
            Time::Fixed(seconds) => seconds,
        }
    }
}

/// For clap: as [`moment`], where the clock may be asked more than once.
pub(super) fn time(text: &str) -> Result<Time, String> {
    match text {
        "now" => Ok(Time::Clock),
        _ => moment(text).map(Time::Fixed),
    }
}

/// For clap: `30d`, `12h`, `15m`, `90s` or `2w`, in seconds.
pub(super) fn span(text: &str) -> Result<u64, String> {
    let wrong = || "a number with a unit is needed, as in 30d, 12h, 15m, 90s or 2w".to_string();
    let unit = text.chars().last().ok_or_else(wrong)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        'w' => 7 * 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).ok_or_else(wrong)
}

/// For clap: `now`, seconds since 1970, `2026-01-31` or `2026-01-31T12:00:00Z`.
pub(super) fn moment(text: &str) -> Result<u64, String> {
    if text == "now" {
        return Ok(by_clock());
    }
    if let Ok(seconds) = text.parse() {
        return Ok(seconds);
    }
    let wrong = || {
        "a time is needed: now, seconds since 1970, or a date as in 2026-01-31 or 2026-01-31T12:00:00Z"
            .to_string()
    };
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "00:00:00"));
    let numbers = |text: &str, separator: char| -> Option<Vec<u64>> {
        text.split(separator)
            .map(|part| part.parse().ok())
            .collect()
    };
    let date = numbers(date, '-').ok_or_else(wrong)?;
    let time = numbers(time.trim_end_matches('Z'), ':').ok_or_else(wrong)?;
    match (date.as_slice(), time.as_slice()) {
        (
            &[year, month @ 1..=12, day @ 1..=31],
            &[hour @ 0..24, minute @ 0..60, second @ 0..61],
        ) if (1970..10_000).contains(&year) => {
            Ok(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second)
        }
        _ => Err(wrong()),
    }
}

/// Days since 1970 began, in the Gregorian calendar.
fn days(year: u64, month: u64, day: u64) -> u64 {
    // Years that begin in March have their leap day at their end.
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let of_years = 365 * year + year / 4 - year / 100 + year / 400;
    of_years + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// A time as it is shown.
pub(super) fn shown(seconds: u64) -> String {
    let (day, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, year) = match month {
        0..=9 => (month + 3, year + era * 400),
        _ => (month - 9, year + era * 400 + 1),
    };
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_shown() {
        assert_eq!(moment("1970-01-01"), Ok(0));
        assert_eq!(moment("2000-03-01T00:00:01Z"), Ok(951_868_801));
        for time in [
            "2024-02-29T23:59:59Z",
            "2026-11-17T10:00:00Z",
            "1999-12-31T12:34:56Z",
        ] {
            assert_eq!(shown(moment(time).unwrap()), time);
        }
        assert_eq!(moment("1234"), Ok(1234));
        assert!(moment("2026-13-01").is_err() && moment("yesterday").is_err());
        assert_eq!(span("30d"), Ok(2_592_000));
        assert!(span("30").is_err() && span("d").is_err() && span("").is_err());
        assert!(span("9999999999999999999w").is_err());
    }
}
