//! Nothing that a corpus, its labels or a name of a file holds can move the cursor, change colours or turn the direction
//! of reading on the terminal: it is shown escaped.

use crate::support::{Place, Ran, ran};

/// The title of the window, a bell, a cleared screen, the same introducer as one character, a deleted character, and
/// directions of reading.
const EVIL: &str =
    "x\u{1b}]0;t\u{7}\u{1b}[2J\u{9b}5m\u{7f}\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}y";
const SHOWN: &str = "x\\u{1b}]0;t\\u{7}\\u{1b}[2J\\u{9b}5m\\u{7f}\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}y";
/// The form of it in JSON, where a page shows JSON: what JSON escapes is escaped as there.
const SHOWN_JSON: &str = "x\\u001b]0;t\\u0007\\u001b[2J\\u{9b}5m\\u{7f}\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}y";

/// The form of it in a template, whose words stand apart by spaces: what is left to escape.
const SHOWN_TEMPLATE: &str =
    "\\u{202a}\\u{202e}\\u{2066}\\u{2069}\\u{200e}\\u{200f}y leaves the old harbour";

/// The form of it in TOML, as a key.
const KEY: &str =
    "x\\u001b]0;t\\u0007\\u001b[2J\\u009b5m\\u007f\\u202a\\u202e\\u2066\\u2069\\u200e\\u200fy";

/// Runs a command as if on a terminal, to which all goes, and checks that nothing but the program's own colours is left.
#[track_caller]
fn shows(place: &Place, arguments: &str, code: i32, form: &str) -> Ran {
    let arguments = arguments.replace("EVIL", EVIL);
    let mut command = place.command(&arguments);
    let mut ran = ran(command.env("CLICOLOR_FORCE", "1")).exits(code);
    for screen in [&mut ran.out, &mut ran.errors] {
        for colour in ["0m", "1m", "2m", "4m", "31m", "32m", "33m", "35m", "36m"] {
            *screen = screen.replace(&format!("\u{1b}[{colour}"), "");
        }
        let is_safe = |c: char| c == '\n' || !(c.is_control() || EVIL[2..].contains(c));
        let unsafe_one = screen
            .chars()
            .find(|&c| !c.is_ascii_graphic() && !is_safe(c));
        assert_eq!(unsafe_one, None, "{arguments}: {screen:?}");
    }
    let all = format!("{}{}", ran.out, ran.errors);
    assert!(all.contains(form), "{arguments}: no {form} in {all}");
    ran
}

/// Four records that are alike in every way, and one that is rejected.
fn place() -> Place {
    let place = Place::new();
    let sentence = format!(
        "The ferry {EVIL} leaves the old harbour at nine every morning and comes back at noon."
    );
    let text = format!(
        "{sentence} Tickets are sold on board, {EVIL}, by the crew and by nobody else. {sentence}"
    );
    let record = |number: usize| {
        let id = format!("{EVIL}{number}");
        let line = serde_json::json!({"id": id, "title": EVIL, "body": text, "answer": text, "text": text});
        format!("{line}\n")
    };
    let lines: String = (0..4).map(record).collect();
    place.write("pages.jsonl", &lines);
    place.write("rejected.jsonl", format!("{lines}{{\"id\": \"{EVIL}\"}}\n"));
    place.write("twice.jsonl", lines.clone() + &lines);
    place.write("one.txt", &text);
    place.write("two.txt", text.replace("ferry", "boat\r\n\tferry"));
    place.write(EVIL, &text);
    place
}

#[test]
fn summaries_show_ids_titles_texts_and_names_escaped() {
    let place = place();
    for job in ["documents", "threads", "messages", "passages"] {
        shows(
            &place,
            &format!("{job} pages.jsonl --out EVIL-{job}"),
            0,
            SHOWN,
        );
        let form = match job {
            "messages" => SHOWN_TEMPLATE,
            _ => SHOWN,
        };
        shows(&place, &format!("{job} pages.jsonl --out {job}"), 0, form);
    }
    shows(&place, "sentences pages.jsonl --out articles", 0, SHOWN);
    let folder = "documents rejected.jsonl --out out --text-field text,EVIL --lenient --deduplicated EVIL.jsonl";
    shows(&place, folder, 3, SHOWN);
}

#[test]
fn errors_show_names_fields_and_values_escaped() {
    let place = place();
    place.write("key.toml", format!("\"{KEY}\" = 1\n"));
    place.write("gold.jsonl", "{\"a\": \"x\", \"b\": \"y\", \"label\": 1}\n");
    for (arguments, code) in [
        ("documents EVIL-missing.jsonl --out out", 1),
        ("documents pages.jsonl --out one.txt/EVIL", 1),
        ("documents pages.jsonl --out out --config EVIL.toml", 1),
        ("documents pages.jsonl --out out --features EVIL", 2),
        ("threads pages.jsonl --out out --fields title,EVIL", 1),
        ("documents pages.jsonl --out out --EVIL", 2),
        ("documents pages.jsonl --out out --threads EVIL", 2),
        ("EVIL", 2),
        ("compare one.txt two.txt --features EVIL", 2),
        ("judge --gold EVIL-missing.jsonl", 1),
        ("documents pages.jsonl --out out --config key.toml", 1),
        ("judge --gold gold.jsonl --fields EVIL", 1),
        ("tune EVIL -o tuned.toml", 1),
        ("lexicon show EVIL", 1),
        ("lexicon build EVIL-missing.jsonl -o words", 1),
        ("params --keys EVIL", 2),
    ] {
        shows(&place, arguments, code, SHOWN);
    }
    shows(
        &place,
        "documents twice.jsonl --strict --out out",
        1,
        SHOWN_JSON,
    );
}

#[test]
fn two_texts_are_compared_in_the_colours_of_the_program_alone() {
    let place = place();
    shows(&place, "compare EVIL two.txt", 0, SHOWN);
    shows(&place, "compare one.txt two.txt --passages", 0, "x\\u{1b}]");
    shows(&place, "compare EVIL two.txt --passages", 0, SHOWN);
    let mut command = place.command("compare one.txt two.txt");
    let coloured = ran(command.env("CLICOLOR_FORCE", "1")).exits(0);
    let added = "\u{1b}[32m{+boat\\r\n\\t+}\u{1b}[0m";
    assert!(coloured.out.contains(added), "{:?}", coloured.out);
}

#[test]
fn labels_words_and_what_is_learnt_are_shown_escaped() {
    let place = place();
    let mut labelled = String::new();
    for number in 0..40 {
        let (same, other) = (
            number % 2 == 0,
            if number % 2 == 0 { "nine" } else { "x y z" },
        );
        let pair = |text: &str| serde_json::json!({EVIL: format!("{number} ferry at {text}")});
        let line =
            serde_json::json!({"a": pair("nine"), "b": pair(other), "label": u8::from(same)});
        labelled += &format!("{line}\n");
    }
    place.write("pairs.jsonl", labelled);
    shows(
        &place,
        "judge --gold pairs.jsonl --fields EVIL --errors EVIL.jsonl",
        0,
        SHOWN,
    );
    shows(
        &place,
        "judge --gold pairs.jsonl --fields EVIL --sweep",
        0,
        SHOWN,
    );
    shows(
        &place,
        "tune pairs.jsonl --fields EVIL --folds 2 -o EVIL.toml",
        0,
        SHOWN,
    );

    shows(&place, "passages pages.jsonl --out out", 0, SHOWN);
    let span = serde_json::json!({"a_begin": 0, "a_end": 40, "b_begin": 0, "b_end": 40});
    let ids = [0, 1].map(|number| format!("{EVIL}{number}"));
    let gold = serde_json::json!({"a": ids[0], "b": ids[1], "kind": EVIL, "spans": [span]});
    place.write("gold.jsonl", format!("{gold}\n"));
    shows(&place, "judge out --gold gold.jsonl", 0, SHOWN);

    shows(&place, "lexicon build pages.jsonl -o EVIL-words", 0, SHOWN);
    let lexicon = place
        .read(&format!("{EVIL}-words"))
        .replace("ferry", "ferry\u{202e}y");
    place.write("words", lexicon);
    shows(&place, "lexicon show words", 0, "ferry\\u{202e}y");
}
