//! `compare --passages`: what two texts share, on the screen.

use crate::support::{self, Place, Ran};

const QUOTED: &str = "The ferry leaves the old harbour at nine in the morning. The crossing takes forty minutes when the sea is calm. Dogs travel free, and so do people over ninety who can prove it.";
const CHANGED: &str = "The ferry leaves the new harbour at nine in the morning. The crossing takes fifty minutes when the sea is calm. Dogs travel free, and so do people over ninety who can prove it.";
const CHINESE: &str = "渡轮每天早上九点从旧港出发，天气好的时候四十分钟就到对岸。船上有一家小小的茶馆，卖的是岛上自己种的绿茶。老人和孩子不用买票，狗也一样。";

fn other(subject: &str, count: usize) -> String {
    let sentence = |number: usize| {
        format!("Number {number} of the {subject} was painted {number} times by hand. ")
    };
    (0..count).map(sentence).collect()
}

fn place() -> Place {
    let place = Place::new();
    place.write(
        "a.txt",
        format!(
            "{}{QUOTED} {}{CHINESE}\n",
            other("boats", 9),
            other("oars", 6)
        ),
    );
    place.write(
        "b.txt",
        format!("Nobody knows why.\n\n{CHANGED}\n\n{CHINESE}再见。\n"),
    );
    place
}

fn run(place: &Place, columns: &str, arguments: &str) -> Ran {
    let mut command = place.command(&format!("compare {arguments}"));
    support::ran(command.env("COLUMNS", columns).env("LC_ALL", "C.UTF-8"))
}

#[test]
fn passages_are_bracketed_and_numbered_on_both_sides() {
    let ran = run(&place(), "100", "a.txt b.txt --passages").exits(0);
    for begin in ["[1: The ferry leaves", "[2: 渡轮每天"] {
        assert_eq!(ran.out.matches(begin).count(), 2, "{begin} in {}", ran.out);
    }
    assert!(ran.out.contains("… 7 sentences …"), "{}", ran.out);
    assert!(ran.out.contains("relation    contained") || ran.out.contains("relation    contains"));
    assert!(!ran.out.contains('\u{1b}'), "colours in a file");
}

#[test]
fn the_characters_of_a_passage_are_those_of_the_text() {
    let ran = run(&place(), "100", "a.txt b.txt --passages").exits(0);
    let before = "Nobody knows why.\n\n".chars().count();
    let place = format!("{before}–{}", before + CHANGED.chars().count());
    assert!(ran.out.contains(&place), "no {place} in {}", ran.out);
}

#[test]
fn a_narrow_terminal_shows_one_text_after_the_other() {
    for (columns, side_by_side) in [("60", false), ("120", true)] {
        let ran = run(&place(), columns, "a.txt b.txt --passages").exits(0);
        let texts = ran.out.split("passage  similarity").next().unwrap();
        assert_eq!(texts.contains('│'), side_by_side, "{columns}");
    }
}

#[test]
fn ascii_draws_with_ascii_alone() {
    let place = Place::new();
    place.write("a.txt", format!("{}{QUOTED}", other("boats", 30)));
    place.write("b.txt", QUOTED);
    for (locale, arguments) in [("C.UTF-8", "--ascii"), ("C", ""), ("de_DE.ISO-8859-1", "")] {
        let mut command = place.command(&format!("compare a.txt b.txt --passages {arguments}"));
        let ran = support::ran(command.env("LC_ALL", locale)).exits(0);
        assert!(ran.out.is_ascii(), "{}", ran.out);
        assert!(ran.out.contains("... 28 sentences ..."), "{}", ran.out);
    }
}

#[test]
fn texts_without_a_passage_say_so() {
    let ran = run(&place(), "100", "--text one two --passages").exits(0);
    assert!(ran.out.contains("share no passage of 3 sentences"));
    let ran = run(
        &place(),
        "100",
        "--text one two --passages --align sentences",
    )
    .exits(0);
    assert!(ran.out.contains("lower --threshold"));
    let place = Place::new();
    place.write("empty.txt", "");
    run(&place, "100", "empty.txt empty.txt --passages").exits(0);
}

#[test]
fn sentences_are_aligned_by_their_features() {
    let ran = run(
        &place(),
        "100",
        "a.txt b.txt --passages --align sentences --features shingles:words:2 --threshold 0.4 --min-sentences 2 --gap 0",
    );
    assert!(ran.exits(0).out.contains("[1: The ferry leaves"));
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let place = Place::new();
    let text = QUOTED.replace("old", "\u{1b}[2J\u{7}\u{9b}31mold\u{202e}");
    place.write("a.txt", format!("{text}\u{8}\r"));
    place.write("b.txt", QUOTED);
    let ran = run(&place, "100", "a.txt b.txt --passages").exits(0);
    let is_meant = |c: char| c == '\n' || !(c.is_control() || c == '\u{202e}');
    assert!(ran.out.chars().all(is_meant), "{:?}", ran.out);
}

#[test]
fn wrong_combinations_are_refused_with_the_remedy() {
    let place = place();
    for (arguments, remedy) in [
        ("--gap 2", "add --passages"),
        ("--align words", "add --passages"),
        ("--threshold 0.4", "add --passages --align sentences"),
        ("--ascii", "add --passages"),
        ("--passages --no-diff", "leave --no-diff out"),
        ("--passages --features terms", "add --align sentences"),
        ("--passages --threshold 0.4", "add --align sentences"),
        ("--passages --min-words 0", "--min-words 1"),
    ] {
        run(&place, "100", &format!("a.txt b.txt {arguments}")).refused_with(&[remedy]);
    }
}

#[test]
fn a_long_text_is_shown_by_its_ends() {
    let place = Place::new();
    place.write("a.txt", other("boats", 4000));
    place.write(
        "b.txt",
        format!("{}{}", other("boats", 4000), "no end ".repeat(30_000)),
    );
    let ran = run(&place, "100", "a.txt b.txt --passages").exits(0);
    assert!(ran.out.len() < 20_000, "{} bytes", ran.out.len());
    assert!(ran.out.contains(" characters …") && ran.out.contains(" sentences …"));
}

#[test]
fn one_sentence_is_a_passage_if_one_is_enough() {
    let place = Place::new();
    let copied = "Bread was baked twice a week in the communal oven behind the church.";
    place.write("a.txt", format!("{copied} {}", other("boats", 3)));
    place.write("b.txt", copied);
    let missed = run(&place, "100", "a.txt b.txt --passages");
    assert!(
        missed.out.contains("share no passage of 3 sentences"),
        "{}",
        missed.out
    );
    let found = run(&place, "100", "a.txt b.txt --passages --min-sentences 1");
    assert!(!found.out.contains("share no passage"), "{}", found.out);
}
