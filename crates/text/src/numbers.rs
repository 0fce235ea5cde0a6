//! Numbers and dates in one form. A text comes in; out go the places where a number or a date is
//! not written in the form in which texts are compared, each with that form.
//!
//! With [`Numbers::Canonical`] a number or date is one word in one form, for words as well as for
//! characters, whatever the other options are. Full-width forms are as good as those of ASCII, and
//! where there is white space there may be any, one line break included. When in doubt a text is
//! left as it is written.
//!
//! ```
//! use lookalike_text::{Numbers, TextOptions, Tokenizer};
//!
//! let options = TextOptions::default().with(|options| options.numbers = Numbers::Canonical);
//! let mut words = Vec::new();
//! let mut sink = |word: &str, _: std::ops::Range<usize>| words.push(word.to_owned());
//! let text = "On January 18th, 1979 some 1,000 of two thousand, 50 percent";
//! Tokenizer::new(options).words(text, &mut sink);
//! assert_eq!(words, ["on", "1979-01-18", "some", "1000", "of", "2000", "50%"]);
//! ```
//!
//! # Dates
//! | written | form |
//! |---|---|
//! | `January 18th, 1979`, `January the eighteenth, 1979`, `Jan. 18 1979`, `18 January 1979`, `18th of January, 1979`, `18-Jan-1979` | `1979-01-18` |
//! | `18/1/1979`, `18.1.1979`, `18-01-1979`, `1979-01-18`, `1979/1/18`, `1979.1.18` | `1979-01-18` |
//! | `1979年1月18日`, `1979 年 1 月 18 号`, `一九七九年一月十八日` | `1979-01-18` |
//! | `18. Januar 1979`, `18 janvier 1979`, `18 de enero de 1979`, `1º de janeiro de 1979` | `1979-01-18`, `1979-01-01` |
//! | `January 1979`, `January, 1979`, `enero de 1979`, `1979年1月` | `1979-01` |
//! | `January 18`, `18th of January`, `first of May`, `1月18日` | `--01-18`, `--05-01` |
//!
//! - Months have their names and usual abbreviations in English, German, French, Spanish, Italian,
//!   Portuguese and Dutch, with or without accents.
//! - Names that mean other things too (`mars`, `set`, `ago`, `out`, `mar`, `gen`, `mei`, `marco` and
//!   other short ones) are months only with both day and year. `may`, `mai` and `mayo` are months
//!   before a number and after an ordinal, `of` or `de`, but not in "all 5 may enter".
//! - [`Dates`] says whether `3/4/1979` begins with the day or the month. Where one is impossible
//!   (`1/18/1979`) it is the other.
//! - Left as written: dates that there are not (`31/2/1979`), years of two digits (`18/1/79`) and
//!   those before 1000 or after 2100, a year and a month in digits (`1979-01`), ranges (`January
//!   18-20`), names of months alone.
//!
//! # Numbers
//! | written | form |
//! |---|---|
//! | `1,000,000`, `1.000.000`, `1'000'000`, `1 000 000` with no-break or thin spaces | `1000000` |
//! | `3.5`, `3.50`, `3,5`; `1,234.50`, `1.234,5`; `5.00` | `3.5`; `1234.5`; `5` |
//! | `18th`, `eighteenth`; `first` | `18`; `1` |
//! | `twenty-five`, `two hundred and five`, `three million two hundred thousand` | `25`, `205`, `3200000` |
//! | `10k`, `5mn`, `2bn`, `1.5 million`, `3 hundred`, `3万`, `1.5亿`, `2千万` | `10000`, `5000000` … |
//! | `二十五`, `三百二十`, `两百`, `一百零五`, `零点五`, `一点五亿` | `25`, `320`, `200`, `105`, `0.5`, `150000000` |
//! | `三个`, `十年`, `两块`, `二〇二四年` | `3` and `个`, `10` and `年` … |
//! | `5%`, `5 %`, `5 percent`, `5 per cent`, `five percent`, `5 Prozent`, `百分之五` | `5%` |
//!
//! - A comma before exactly three digits groups them, else it is a decimal one. A single point
//!   before three digits (`1.000`) may be either and is left, as are `1,00,000`, `1,2,3`, `3.5.1`,
//!   `192.168.100.200` and numbers that begin with zeros (`007`).
//! - `one` is left unless it is part of a number (`one hundred`, `twenty-one`, `one percent`): it is
//!   a pronoun more often. So is `second`, a unit of time, with whatever it is part of
//!   (`twenty-second`), unless a month follows. `a hundred`, `millions` and `dozen` are no numbers.
//! - Digits with other letters (`5kg`, `5m`, `v2`) are left.
//! - Chinese numerals are numbers if they are well-formed, have a unit (`十`, `百`, `千`, `万`, `亿`)
//!   and at least two characters; a single one before a measure word such as `个`, `年`, `月`, `日`,
//!   `号`, `点`, `元`, `块` or `岁`, except `一点`, `一块`, `一度` and `一本`; four digits before `年`. Left
//!   are `十分`, `万一`, `千万`, `一样`, `三星`, `几十`, `七八十`, `三百五`, `百年` and the like, and `千克`.

mod dates;
mod decimal;
mod digits;
mod english;
mod han;
mod scan;
mod source;
#[cfg(test)]
mod tests;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use self::source::{Edge, Source};
use crate::options::TextOptions;
use crate::policy;

policy!(
    /// Whether numbers and dates that are written in different ways are the same.
    Numbers, "numbers", "as-written or canonical",
    /// They are words like any other.
    AsWritten = "as-written",
    /// They are brought into one form.
    Canonical = "canonical",
);

policy!(
    /// How dates in digits are read that can be read in two ways.
    Dates, "dates", "day-first or month-first",
    /// `3/4/1979` is the third of April.
    DayFirst = "day-first",
    /// `3/4/1979` is the fourth of March.
    MonthFirst = "month-first",
);

/// What was read at some place.
struct Reading {
    /// Nothing before this needs to be read again.
    end: usize,
    /// What is replaced, and by what.
    found: Option<(Range<usize>, String)>,
}

impl Reading {
    fn nothing(end: usize) -> Self {
        Self { end, found: None }
    }

    /// A date or a share: one word, which it would not be otherwise.
    fn found((range, form): (Range<usize>, String)) -> Self {
        Self {
            end: range.end,
            found: Some((range, form)),
        }
    }

    /// A number in its form; nothing if it is written like that.
    fn number(source: &Source<'_>, range: Range<usize>, form: String) -> Self {
        if source.text[range.clone()] == form {
            return Self::nothing(range.end);
        }
        Self::found((range, form))
    }
}

/// Finds what is to be replaced, in a buffer that is used again.
pub(crate) struct NumberForms {
    dates: Dates,
    found: Vec<(Range<usize>, String)>,
}

impl NumberForms {
    /// None if the options leave numbers as they are.
    pub(crate) fn of(options: &TextOptions) -> Option<Self> {
        (options.numbers == Numbers::Canonical).then_some(Self {
            dates: options.dates,
            found: Vec::new(),
        })
    }

    /// Places and forms, in ascending order; no two overlap, and none has marks that follow it.
    pub(crate) fn find(&mut self, text: &str) -> &[(Range<usize>, String)] {
        self.found.clear();
        let source = Source::new(text);
        let mut after = 0;
        scan::each_beginning(text, |at| {
            if at < after {
                return;
            }
            let floor = self.found.last().map_or(0, |(range, _)| range.end);
            let reading = read(&source, at, floor, self.dates);
            after = reading.end;
            self.found.extend(reading.found);
        });
        &self.found
    }
}

fn read(source: &Source<'_>, at: usize, floor: usize, dates: Dates) -> Reading {
    let Some((c, _)) = source.next(at) else {
        return Reading::nothing(at);
    };
    if c.is_ascii_digit() {
        if source.begins_inside(at, Edge::Digit) {
            return Reading::nothing(source.digits(at).end);
        }
        return dates::in_digits(source, at, dates)
            .or_else(|| dates::in_han(source, at))
            .or_else(|| dates::with_name(source, at, floor))
            .map_or_else(|| digits::read(source, at), Reading::found);
    }
    if c.is_ascii() {
        let Some(number) = english::number(source, at) else {
            return Reading::nothing(at);
        };
        if source.begins_inside(at, Edge::Letter) {
            return Reading::nothing(number.end);
        }
        let day = number.is_ordinal.then_some(at);
        return day
            .and_then(|at| dates::with_name(source, at, floor))
            .map_or_else(|| english::read(source, at, &number), Reading::found);
    }
    if !source.text[at..].starts_with(scan::NUMERALS) {
        return Reading::nothing(at);
    }
    dates::in_han(source, at).map_or_else(|| han::read(source, at), Reading::found)
}
