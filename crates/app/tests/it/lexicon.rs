//! `lookalike lexicon`: what is counted, what is shown, and what is refused.

use crate::support::Place;

const PAGES: &str = r#"{"id": 1, "text": "The ferry leaves the harbour"}
{"id": 2, "text": "the harbour is closed"}
{"id": 3, "text": "渡轮从旧港出发"}
{"id": 4, "text": "旧港今天关闭，渡轮停运"}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", PAGES);
    place
}

#[test]
fn a_lexicon_is_built_and_shown() {
    let place = place();
    let built = place
        .run("lexicon build pages.jsonl -o words.txt --idf 0.2,0.8")
        .exits(0);
    assert_eq!(built.errors, "");
    let lines = place.read("words.txt");
    assert!(
        lines.starts_with("{\"lexicon\":1,\"documents\":4,"),
        "{lines}"
    );
    assert!(
        lines.contains("\n2\t3\tthe\n") && lines.contains("\n2\t2\t港\n"),
        "{lines}"
    );
    let shown = place.run("lexicon show words.txt --top 2").exits(0).out;
    for part in [
        "documents         4\n",
        "[0.2, 0.8], chosen when the lexicon was built: 6 terms",
        "0.5 to 0.6         6",
        "2            3  0.5000  the\n",
    ] {
        assert!(shown.contains(part), "no {part:?} in:\n{shown}");
    }
    let other = place.run("lexicon show words.txt --idf 0.9,1").exits(0).out;
    assert!(other.contains("[0.9, 1]: "), "{other}");
}

#[test]
fn a_lexicon_is_the_same_whatever_the_threads_and_leaves_nothing_else_behind() {
    let place = place();
    place
        .run("lexicon build pages.jsonl -o one.txt --threads 1")
        .exits(0);
    place
        .run("lexicon build pages.jsonl -o two.txt --threads 4 --memory 64MB --quiet")
        .exits(0);
    assert_eq!(place.read("one.txt"), place.read("two.txt"));
    assert_eq!(place.names("."), ["one.txt", "pages.jsonl", "two.txt"]);
}

#[test]
fn a_run_and_a_lexicon_count_the_same_words() {
    let place = place();
    place
        .run("lexicon build pages.jsonl -o words.txt --case keep")
        .exits(0);
    assert!(place.read("words.txt").contains("\tThe\n"));
    place
        .documents("pages.jsonl --keys imatch --lexicon words.txt")
        .fails_with(&["built with case keep and this run has fold"]);
}

#[test]
fn what_cannot_be_counted_shown_or_written_is_said() {
    let place = place();
    place
        .run("lexicon build missing.jsonl -o words.txt")
        .fails_with(&["missing.jsonl"]);
    place
        .run("lexicon build pages.jsonl -o nowhere/words.txt")
        .fails_with(&["nowhere", "--work-dir"]);
    place
        .run("lexicon show missing.txt")
        .fails_with(&["missing.txt", "lexicon build"]);
    place
        .run("lexicon show pages.jsonl")
        .fails_with(&["pages.jsonl", "line 1", "lexicon build"]);
    place.run("lexicon build pages.jsonl").exits(2);
    place
        .run("lexicon build pages.jsonl -o words.txt --idf 0.8,0.2")
        .exits(2);
    assert_eq!(place.names("."), ["pages.jsonl"]);
}
