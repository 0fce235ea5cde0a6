//! When do two numbers state the same? Dates that one refines the other ("2008", "May 2008"), quantities in other
//! units ("5 km", "3.1 miles") and rounded ones that say so ("about 5,000", "5,012").

use super::tokens::{Class, Tokens};

/// Words that are numbers here; elsewhere they have other meanings, too.
pub(super) fn of_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "one" => "1",
        "second" => "2",
        "once" => "1",
        "twice" => "2",
        "thrice" => "3",
        "ii" => "2",
        "iii" => "3",
        "iv" => "4",
        "vi" => "6",
        "vii" => "7",
        "viii" => "8",
        "ix" => "9",
        "xii" => "12",
        "xiii" => "13",
        "xiv" => "14",
        "xv" => "15",
        "xvi" => "16",
        "xvii" => "17",
        "xviii" => "18",
        "xix" => "19",
        "xxi" => "21",
        _ => return None,
    })
}

/// The length of the digits in `5km`, if a unit follows them.
pub(super) fn before_unit(word: &str) -> Option<usize> {
    let digits = word.bytes().position(|b| b.is_ascii_alphabetic())?;
    let number = word.get(..digits)?;
    let is_number = number.bytes().any(|b| b.is_ascii_digit())
        && number
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let unit = word.get(digits..)?;
    (is_number && (unit_of(&unit.to_lowercase()).is_some() || unit == "th")).then_some(digits)
}

/// Whether one date is the other, known less exactly: `1979` and `1979-01-18`, `--01-18` and `1979-01-18`.
pub(super) fn are_compatible(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if let Some(day) = short.strip_prefix("--") {
        return long.len() == 10 && long.ends_with(day);
    }
    let is_date =
        |form: &str| form.contains('-') && form.as_bytes().first().is_some_and(u8::is_ascii_digit);
    if is_date(long)
        && long
            .strip_prefix(short)
            .is_some_and(|rest| rest.starts_with('-'))
    {
        return true;
    }
    if let (Some(short), Some(long)) = (of_sixteen(short), of_sixteen(long)) {
        return short == long;
    }
    // `1990s` is no `1990`, but `5.0` is `5` and `20th` is `20`.
    match (
        short.parse::<f64>(),
        long.trim_end_matches("th").parse::<f64>(),
    ) {
        (Ok(short), Ok(long)) => short == long,
        _ => false,
    }
}

/// Whether one date is the other, of a year that is told by another one: 同年8月, 2014年8月.
pub(super) fn are_in_one_year(a: (&Tokens, usize), b: (&Tokens, usize)) -> bool {
    let is_told = |(tokens, at): (&Tokens, usize)| {
        let before = at.saturating_sub(2)..at;
        matches!(
            tokens.forms_of(&before),
            "同年" | "当年" | "该年" | "翌年" | "次年" | "隔年" | "本年"
        )
    };
    let within_year = |(tokens, at): (&Tokens, usize)| {
        let form = tokens.form(at);
        let rest = match form.strip_prefix("--") {
            Some(rest) => rest,
            None if is_told((tokens, at)) => form,
            None => form.split_once('-')?.1,
        };
        Some(rest.trim_start_matches('0').to_owned())
    };
    (is_told(a) || is_told(b)) && within_year(a).is_some_and(|rest| Some(rest) == within_year(b))
}

/// The value of a number to the base of sixteen: `0x5f`, `5fh`, `$5f`.
fn of_sixteen(form: &str) -> Option<u64> {
    let digits = form
        .strip_prefix("0x")
        .or_else(|| form.strip_prefix('$'))
        .or_else(|| form.strip_suffix('h'))?;
    u64::from_str_radix(digits, 16).ok()
}

/// A unit: what it measures, how many of the basic unit it is, and where its zero is.
#[derive(Clone, Copy)]
struct Unit {
    dimension: u8,
    factor: f64,
    zero: f64,
}

fn unit_of(word: &str) -> Option<Unit> {
    let (dimension, factor) = match word {
        "km" | "kilometre" | "kilometres" | "kilometer" | "kilometers" | "公里" | "千米" => {
            (0, 1e3)
        }
        "m" | "metre" | "metres" | "meter" | "meters" | "米" | "公尺" => (0, 1.0),
        "cm" | "centimetre" | "centimetres" | "centimeter" | "centimeters" | "厘米" | "公分" => {
            (0, 0.01)
        }
        "mm" | "millimetre" | "millimetres" | "millimeter" | "millimeters" | "毫米" => (0, 1e-3),
        "mi" | "mile" | "miles" | "英里" => (0, 1609.344),
        "ft" | "foot" | "feet" | "英尺" => (0, 0.3048),
        "in" | "inch" | "inches" | "英寸" => (0, 0.0254),
        "yd" | "yard" | "yards" => (0, 0.9144),
        "kg" | "kilogram" | "kilograms" | "公斤" | "千克" => (1, 1.0),
        "g" | "gram" | "grams" => (1, 1e-3),
        "lb" | "lbs" | "pound" | "pounds" | "磅" => (1, 0.453_592),
        "t" | "tonne" | "tonnes" | "ton" | "tons" | "吨" => (1, 1e3),
        "ha" | "hectare" | "hectares" | "公顷" => (2, 1e4),
        "acre" | "acres" | "英亩" => (2, 4046.86),
        "km²" | "km2" | "平方公里" | "平方千米" => (2, 1e6),
        "l" | "litre" | "litres" | "liter" | "liters" => (3, 1.0),
        "gallon" | "gallons" => (3, 3.785_41),
        "°c" | "℃" | "celsius" => (4, 1.0),
        "°f" | "℉" | "fahrenheit" => {
            return Some(Unit {
                dimension: 4,
                factor: 5.0 / 9.0,
                zero: 32.0,
            });
        }
        "second" | "seconds" | "sec" => (5, 1.0),
        "minute" | "minutes" | "min" | "分钟" => (5, 60.0),
        "hour" | "hours" | "小时" => (5, 3600.0),
        "day" | "days" | "天" => (5, 86_400.0),
        "week" | "weeks" => (5, 604_800.0),
        "year" | "years" => (5, 31_557_600.0),
        "month" | "months" => (5, 2_629_800.0),
        _ => return None,
    };
    Some(Unit {
        dimension,
        factor,
        zero: 0.0,
    })
}

/// The unit that follows the token: one word, up to four ideographs, or `°` and a letter.
fn unit_after(tokens: &Tokens, number: usize) -> Option<Unit> {
    let mut at = number + 1;
    if matches!(tokens.form(at), "-") {
        at += 1;
    }
    match tokens.class(at)? {
        Class::Word => {
            if matches!(tokens.form(at), "square" | "sq" | "degrees" | "degree") {
                let skip = at + 1 + usize::from(tokens.form(at + 1) == ".");
                let of = unit_of(tokens.form(skip))?;
                let is_area = tokens.form(at).starts_with("sq");
                let (dimension, factor) = if is_area {
                    (2, of.factor * of.factor)
                } else {
                    (of.dimension, of.factor)
                };
                return Some(Unit {
                    dimension,
                    factor,
                    zero: of.zero,
                });
            }
            unit_of(tokens.form(at))
        }
        Class::Ideograph => (1..=4)
            .rev()
            .find_map(|length| unit_of(tokens.forms_of(&(at..(at + length).min(tokens.len()))))),
        Class::Mark if tokens.form(at) == "°" => {
            unit_of(tokens.forms_of(&(at..(at + 2).min(tokens.len()))))
        }
        Class::Mark => unit_of(tokens.form(at)),
        Class::Number => unit_of(tokens.form(at)),
        Class::Link => None,
    }
}

/// Whether a unit follows the number.
pub(super) fn has_unit(tokens: &Tokens, number: usize) -> bool {
    unit_after(tokens, number).is_some()
}

/// Whether the numbers are the same quantity in two units, to three parts in a hundred.
pub(super) fn are_converted(a: &Tokens, number_a: usize, b: &Tokens, number_b: usize) -> bool {
    let of = |tokens: &Tokens, at: usize| {
        let value: f64 = tokens.form(at).parse().ok()?;
        Some((value, unit_after(tokens, at)?))
    };
    let (Some((x, of_x)), Some((y, of_y))) = (of(a, number_a), of(b, number_b)) else {
        return false;
    };
    let basic = |value: f64, unit: Unit| (value - unit.zero) * unit.factor;
    let (x, y) = (basic(x, of_x), basic(y, of_y));
    of_x.dimension == of_y.dimension
        && of_x.factor != of_y.factor
        && (x - y).abs() <= 0.03 * x.abs().max(y.abs())
}

const HEDGES: [&str; 22] = [
    "about",
    "approximately",
    "around",
    "roughly",
    "some",
    "nearly",
    "almost",
    "circa",
    "c",
    "ca",
    "over",
    "than",
    "estimated",
    "least",
    "约",
    "近",
    "大约",
    "逾",
    "余",
    "超过",
    "概",
    "左右",
];

/// Whether the number is said to be rounded: one of the three tokens before it, or the one after, hedges.
fn is_hedged(tokens: &Tokens, number: usize) -> bool {
    (number.saturating_sub(3)..=number + 2)
        .filter(|&at| at != number)
        .any(|at| HEDGES.contains(&tokens.form(at)))
}

/// Whether one number is the other, rounded and said to be.
pub(super) fn are_rounded(a: &Tokens, number_a: usize, b: &Tokens, number_b: usize) -> bool {
    let (Ok(x), Ok(y)) = (
        a.form(number_a).parse::<f64>(),
        b.form(number_b).parse::<f64>(),
    ) else {
        return false;
    };
    let hedged = |rounded: f64, exact: f64, tokens, at| {
        is_hedged(tokens, at)
            && zeros(rounded) > zeros(exact)
            && (rounded - exact).abs() <= 0.05 * exact.abs()
    };
    x > 0.0 && y > 0.0 && (hedged(x, y, a, number_a) || hedged(y, x, b, number_b))
}

/// How round a number is: the zeros it ends with, less its decimals.
fn zeros(value: f64) -> i32 {
    let mut shown = format!("{value}");
    if let Some(point) = shown.find('.') {
        return -((shown.len() - point - 1) as i32);
    }
    let all = shown.len();
    shown.truncate(shown.trim_end_matches('0').len());
    (all - shown.len()) as i32
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenizer;
    use super::*;

    fn tokens(text: &str) -> Tokens {
        Tokens::of(&mut tokenizer(), text)
    }

    fn first_number(tokens: &Tokens) -> usize {
        let number = |at: &usize| tokens.class(*at) == Some(Class::Number);
        (0..tokens.len()).find(number).unwrap()
    }

    fn converted(a: &str, b: &str) -> bool {
        let (a, b) = (tokens(a), tokens(b));
        are_converted(&a, first_number(&a), &b, first_number(&b))
    }

    #[test]
    fn a_date_known_less_exactly_is_compatible() {
        assert!(are_compatible("1979", "1979-01-18"));
        assert!(are_compatible("1979-01-18", "--01-18"));
        assert!(!are_compatible("1979", "1978-01-18"));
        assert!(!are_compatible("197", "1979"));
        assert!(!are_compatible("1990", "1990s"));
    }

    #[test]
    fn quantities_are_converted_between_units() {
        assert!(converted("it is 5 km long", "it is 3.1 miles long"));
        assert!(converted("5km away", "5,000 metres away"));
        assert!(converted("20 °C at noon", "68 °F at noon"));
        assert!(converted("10 square kilometres", "1,000 hectares"));
        assert!(converted("长10公里", "长10,000米"));
        assert!(!converted("it is 5 km long", "it is 5 miles long"));
        assert!(!converted("aged 36 years", "aged 35 years"));
    }

    #[test]
    fn a_rounded_number_must_say_so() {
        let rounded = |a: &str, b: &str| {
            let (a, b) = (tokens(a), tokens(b));
            are_rounded(&a, first_number(&a), &b, first_number(&b))
        };
        assert!(rounded("about 5,000 people", "5,012 people"));
        assert!(!rounded("5,000 people", "5,012 people"));
        assert!(!rounded("about 4,000 people", "5,012 people"));
    }
}
