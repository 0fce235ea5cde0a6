//! What stands around the prose of a page: infoboxes, citations, tables, lists, links to other sites, categories.

use super::sentence::{sentence, write_digits, write_marked};
use super::words::Words;
use crate::random::Random;

/// Appends the parts one after the other.
macro_rules! push {
    ($out:expr, $($part:expr),+ $(,)?) => {{ $($out.push_str($part);)+ }};
}

const BOXES: [&str; 5] = ["settlement", "person", "film", "river", "company"];
const PARAMETERS: [&str; 22] = [
    "name",
    "native_name",
    "image",
    "caption",
    "coordinates",
    "subdivision_type",
    "subdivision_name",
    "established_date",
    "leader_name",
    "area_total_km2",
    "population_total",
    "population_as_of",
    "timezone",
    "website",
    "birth_place",
    "occupation",
    "years_active",
    "director",
    "starring",
    "length_km",
    "industry",
    "footnotes",
];
const PUBLISHERS: [&str; 6] = [
    "University Press",
    "Daily Gazette",
    "National Statistics Office",
    "Historical Society",
    "Museum of Natural History",
    "Journal of Regional Studies",
];
const HEADINGS: [&str; 14] = [
    "History",
    "Geography",
    "Early life",
    "Career",
    "Reception",
    "Demographics",
    "Economy",
    "Transport",
    "Legacy",
    "Production",
    "Culture",
    "Education",
    "Personal life",
    "Climate",
];
const MONTHS: [&str; 6] = ["January", "March", "May", "July", "September", "November"];

pub fn any<'a>(items: &[&'a str], random: &mut Random) -> &'a str {
    items[random.below(items.len())]
}

fn number(below: usize, random: &mut Random, out: &mut String) {
    write_digits(random.below(below) as u32, out);
}

fn name<'w>(words: &'w Words, random: &mut Random) -> &'w str {
    words.name(words.any_name(random))
}

fn some_words(count: usize, words: &Words, random: &mut Random, out: &mut String) {
    for at in 0..count {
        push!(
            out,
            if at == 0 { "" } else { " " },
            words.word(words.any_word(random))
        );
    }
}

pub fn infobox(title: &str, words: &Words, random: &mut Random, out: &mut String) {
    push!(
        out,
        "{{Infobox ",
        any(&BOXES, random),
        "\n| name = ",
        title,
        "\n"
    );
    for parameter in &PARAMETERS[1..] {
        if random.below(5) < 2 {
            continue;
        }
        push!(out, "| ", parameter, " = ");
        match random.below(6) {
            0 => push!(out, "[[", name(words, random), "]]"),
            1 => {
                number(1_000_000, random, out);
                citation(words, random, out);
            }
            2 => {
                push!(out, "{{start date|");
                number(2024, random, out);
                push!(out, "|", "5|", "1}}");
            }
            3 => push!(out, name(words, random), "<br />", name(words, random)),
            4 => {
                push!(out, "{{coord|");
                number(90, random, out);
                push!(out, "|");
                number(60, random, out);
                push!(out, "|N|");
                number(180, random, out);
                push!(out, "|E|display=inline,title}}");
            }
            _ => some_words(2, words, random, out),
        }
        out.push('\n');
    }
    out.push_str("}}\n");
}

pub fn heading(level: usize, random: &mut Random, out: &mut String) {
    let marks = &"====="[..level];
    push!(
        out,
        "\n\n",
        marks,
        " ",
        any(&HEADINGS, random),
        " ",
        marks,
        "\n"
    );
}

/// A reference: a new one, or one that was named before.
pub fn citation(words: &Words, random: &mut Random, out: &mut String) {
    if random.below(5) == 0 {
        push!(out, "<ref name=\"", name(words, random), "\" />");
        return;
    }
    if random.below(4) == 0 {
        push!(out, "<ref name=\"", name(words, random), "\">");
    } else {
        out.push_str("<ref>");
    }
    let of_book = random.below(3) == 0;
    push!(
        out,
        if of_book {
            "{{cite book |last="
        } else {
            "{{cite web |url=https://www."
        }
    );
    if of_book {
        push!(
            out,
            name(words, random),
            " |first=",
            name(words, random),
            " |title="
        );
    } else {
        push!(out, words.word(words.any_word(random)), ".example/");
        number(100_000, random, out);
        push!(out, "?a=1&b=");
        number(100, random, out);
        push!(out, " |title=");
    }
    some_words(5, words, random, out);
    push!(out, " |publisher=", name(words, random), " ");
    push!(out, any(&PUBLISHERS, random), " |date=");
    number(28, random, out);
    push!(out, " ", any(&MONTHS, random), " ");
    write_digits(1950 + random.below(75) as u32, out);
    if of_book {
        push!(out, " |pages=");
        number(400, random, out);
        push!(out, "–");
        number(900, random, out);
    } else {
        push!(out, " |access-date=");
        write_digits(2005 + random.below(20) as u32, out);
        push!(out, "-03-11 |url-status=live");
    }
    out.push_str("}}</ref>");
}

pub fn file(words: &Words, random: &mut Random, out: &mut String) {
    push!(out, "\n[[File:", name(words, random), " ");
    number(3000, random, out);
    push!(out, ".jpg|thumb|upright=1.2|");
    write_marked(&sentence(words, random), words, random, out);
    out.push_str("]]\n");
}

pub fn table(words: &Words, random: &mut Random, out: &mut String) {
    push!(
        out,
        "\n\n{| class=\"wikitable sortable\" style=\"text-align:right\"\n|+ ",
        name(words, random),
        "\n"
    );
    push!(out, "! Year !! Name !! Place !! Number\n");
    for _ in 0..4 + random.below(16) {
        push!(out, "|-\n| ");
        write_digits(1900 + random.below(124) as u32, out);
        push!(
            out,
            " || [[",
            name(words, random),
            "]] || ",
            name(words, random),
            " || align=\"right\" | "
        );
        number(100_000, random, out);
        out.push('\n');
    }
    out.push_str("|}\n");
}

pub fn list(words: &Words, random: &mut Random, out: &mut String) {
    out.push_str("\n\n");
    for _ in 0..3 + random.below(9) {
        push!(
            out,
            any(&["* ", "* ", "** ", "# "], random),
            "[[",
            name(words, random),
            "]], "
        );
        let count = 2 + random.below(5);
        some_words(count, words, random, out);
        push!(out, " (");
        write_digits(1850 + random.below(170) as u32, out);
        out.push_str(")\n");
    }
}

/// A displayed formula, no two of one shape.
pub fn math(words: &Words, random: &mut Random, out: &mut String) {
    const PARTS: [&str; 8] = [
        "\\frac{a}{b}",
        " + ",
        "\\sqrt{x}",
        " < ",
        "\\sum_{i=1}^{n}",
        "(y - 1)",
        "^2",
        " \\cdot ",
    ];
    push!(
        out,
        "\n\n: <math>\\mathrm{",
        words.word(words.any_word(random))
    );
    out.push_str("} = ");
    for _ in 0..3 + random.below(9) {
        push!(out, any(&PARTS, random));
        number(90, random, out);
    }
    out.push_str("</math>\n");
}

pub fn comment(words: &Words, random: &mut Random, out: &mut String) {
    out.push_str("<!-- ");
    some_words(9, words, random, out);
    out.push_str(" -->");
}

/// Everything below the prose.
pub fn end(title: &str, words: &Words, random: &mut Random, out: &mut String) {
    if random.below(3) == 0 {
        out.push_str("\n\n== See also ==\n");
        for _ in 0..1 + random.below(5) {
            push!(out, "* [[", name(words, random), "]]\n");
        }
    }
    out.push_str("\n\n== References ==\n{{Reflist|30em}}\n");
    if random.below(2) == 0 {
        out.push_str("\n== External links ==\n* {{Official website}}\n");
        for _ in 0..1 + random.below(4) {
            push!(
                out,
                "* [https://",
                words.word(words.any_word(random)),
                ".example/"
            );
            number(10_000, random, out);
            push!(out, " ", name(words, random), " ");
            some_words(4, words, random, out);
            push!(out, " at ", name(words, random), " ");
            push!(out, any(&PUBLISHERS, random), "]\n");
        }
    }
    push!(
        out,
        "\n{{",
        name(words, random),
        " navbox}}\n{{Authority control}}\n\n{{DEFAULTSORT:",
        title,
        "}}\n"
    );
    for _ in 0..2 + random.below(7) {
        push!(out, "[[Category:", name(words, random), " in ");
        write_digits(1900 + random.below(124) as u32, out);
        out.push_str("]]\n");
    }
    if random.below(4) == 0 {
        push!(out, "\n{{", name(words, random), "-stub}}\n");
    }
}
