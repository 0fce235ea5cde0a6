//! Templates whose text is made of several parameters.

use super::templates::Argument;

/// The parameters of a template.
pub(super) struct Arguments<'a> {
    text: &'a str,
    values: &'a str,
    arguments: &'a [Argument],
}

/// What is longer is cut: else templates in templates could make a text that is far longer than the page.
const LONGEST: usize = 2000;

impl<'a> Arguments<'a> {
    /// Names are places in `text`, values in `values`.
    pub(super) fn new(text: &'a str, values: &'a str, arguments: &'a [Argument]) -> Self {
        // More parameters than any template has are noise, and looking through them is not free.
        const MOST: usize = 200;
        Arguments {
            text,
            values,
            arguments: &arguments[..arguments.len().min(MOST)],
        }
    }

    fn value(&self, argument: &Argument) -> &'a str {
        let (from, to) = argument.value;
        let value = self.values.get(from..to).unwrap_or_default().trim();
        let mut len = value.len().min(LONGEST);
        while !value.is_char_boundary(len) {
            len -= 1;
        }
        &value[..len]
    }

    /// The one with a number; empty if there is none.
    pub(super) fn numbered(&self, number: usize) -> &'a str {
        self.arguments
            .iter()
            .find(|argument| argument.number == number)
            .map_or("", |argument| self.value(argument))
    }

    /// The first with one of these names that is not empty.
    pub(super) fn named(&self, names: &[&str]) -> &'a str {
        let find = |name: &&str| {
            self.arguments
                .iter()
                .filter(|argument| argument.name.0 < argument.name.1)
                .find(|argument| {
                    let (from, to) = argument.name;
                    self.text[from..to].trim().eq_ignore_ascii_case(name)
                })
                .map(|argument| self.value(argument))
                .filter(|value| !value.is_empty())
        };
        names.iter().find_map(find).unwrap_or_default()
    }

    /// All with a name, in order.
    pub(super) fn by_name(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        self.arguments
            .iter()
            .filter(|argument| argument.name.0 < argument.name.1)
            .map(|argument| {
                let (from, to) = argument.name;
                (self.text[from..to].trim(), self.value(argument))
            })
    }

    /// All without a name, in order.
    fn positional(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.arguments
            .iter()
            .filter(|argument| argument.name.0 == argument.name.1)
            .map(|argument| self.value(argument))
    }
}

/// The last one without a name: `{{transl|ar|ALA|kitāb}}`.
pub(super) fn last(arguments: &Arguments<'_>) -> String {
    arguments
        .positional()
        .filter(|value| !value.is_empty())
        .last()
        .unwrap_or_default()
        .to_owned()
}

/// All, with spaces between: `{{date|4|mars|1950}}`.
pub(super) fn joined(arguments: &Arguments<'_>) -> String {
    let parts: Vec<_> = arguments
        .positional()
        .filter(|value| !value.is_empty())
        .collect();
    parts.join(" ")
}

/// `{{convert|5|to|10|km|mi}}`: the value as given, without the conversion.
pub(super) fn converted(arguments: &Arguments<'_>) -> String {
    let mut out = String::new();
    for value in arguments.positional() {
        let between = match value {
            "-" | "–" | "to(-)" => "–",
            "to" | "–to" => " to ",
            "and" | "&" | "and(-)" => " and ",
            "or" => " or ",
            "x" | "by" | "×" | "*" | "xx" => " × ",
            "+/-" | "±" | "+-" => " ± ",
            _ => "",
        };
        if !between.is_empty() {
            out.push_str(between);
        } else if value
            .starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '−' | '.' | '+'))
        {
            out.push_str(value);
        } else {
            out.push(' ');
            out.push_str(unit(value));
            break;
        }
    }
    out
}

fn unit(name: &str) -> &str {
    match name {
        "km2" => "km²",
        "m2" => "m²",
        "cm2" => "cm²",
        "mi2" | "sqmi" => "sq mi",
        "sqft" | "ft2" => "sq ft",
        "m3" => "m³",
        "km3" => "km³",
        "C" => "°C",
        "F" => "°F",
        "kph" => "km/h",
        "acre" => "acres",
        other => other,
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn month(value: &str) -> &str {
    value
        .parse::<usize>()
        .ok()
        .and_then(|number| MONTHS.get(number.wrapping_sub(1)))
        .copied()
        .unwrap_or(value)
}

/// `{{birth date|1950|3|4}}`, day first with `df=y`.
pub(super) fn date(arguments: &Arguments<'_>) -> String {
    let (year, named, day) = (
        arguments.numbered(1),
        month(arguments.numbered(2)),
        arguments.numbered(3),
    );
    let day_first = matches!(arguments.named(&["df"]), "y" | "yes");
    match (named, day) {
        ("", _) => year.to_owned(),
        (_, "") => format!("{named} {year}"),
        _ if day_first => format!("{day} {named} {year}"),
        _ => format!("{named} {day}, {year}"),
    }
}

/// `{{as of|2010|3}}`.
pub(super) fn as_of(arguments: &Arguments<'_>) -> String {
    let lower = !arguments.named(&["lc"]).is_empty();
    let alternative = arguments.named(&["alt"]);
    if !alternative.is_empty() {
        return alternative.to_owned();
    }
    let lead = match (arguments.named(&["since"]).is_empty(), lower) {
        (true, false) => "As of",
        (true, true) => "as of",
        (false, false) => "Since",
        (false, true) => "since",
    };
    format!("{lead} {}", date(arguments))
}

pub(super) fn circa(arguments: &Arguments<'_>) -> String {
    match (arguments.numbered(1), arguments.numbered(2)) {
        ("", _) => "c.".to_owned(),
        (one, "") => format!("c. {one}"),
        (one, other) => format!("c. {one} – c. {other}"),
    }
}

/// `{{frac|1|2}}`, `{{frac|3|1|2}}`.
pub(super) fn fraction(arguments: &Arguments<'_>) -> String {
    match (
        arguments.numbered(1),
        arguments.numbered(2),
        arguments.numbered(3),
    ) {
        (one, "", _) => format!("1/{one}"),
        (one, two, "") => format!("{one}/{two}"),
        (whole, one, two) => format!("{whole} {one}/{two}"),
    }
}

/// `{{val|5|e=3|u=km}}`.
pub(super) fn measured(arguments: &Arguments<'_>) -> String {
    let mut out = arguments.named(&["p"]).to_owned();
    out.push_str(arguments.numbered(1));
    let (error, power) = (arguments.numbered(2), arguments.named(&["e"]));
    let unit = arguments.named(&["u", "ul"]);
    if !error.is_empty() {
        out.push('±');
        out.push_str(error);
    }
    if !power.is_empty() {
        out.push_str("×10^");
        out.push_str(power);
    }
    if !unit.is_empty() {
        out.push(' ');
        out.push_str(unit);
    }
    out
}

/// `{{ill|page|de|Seite|lt=shown}}`.
pub(super) fn other_language(arguments: &Arguments<'_>) -> String {
    let shown = arguments.named(&["lt", "texte", "display", "label", "trad", "fr"]);
    if shown.is_empty() {
        arguments.numbered(1).to_owned()
    } else {
        shown.to_owned()
    }
}

/// `{{nihongo|English|漢字|romaji}}`.
pub(super) fn with_original(arguments: &Arguments<'_>) -> String {
    let english = arguments.numbered(1);
    let originals: Vec<_> = [arguments.numbered(2), arguments.numbered(3)]
        .into_iter()
        .filter(|value| !value.is_empty())
        .collect();
    match (english, originals.is_empty()) {
        (_, true) => english.to_owned(),
        ("", false) => originals.join(" "),
        _ => format!("{english} ({})", originals.join(", ")),
    }
}
