//! What a summary shows of what was found.

use serde_json::json;

use crate::support::Place;

#[test]
fn bars_that_are_logarithmic_say_so() {
    let place = Place::new();
    let text = "The ferry leaves the old harbour at nine every morning and comes back at noon with the 邮件";
    let write = |copies: usize| {
        let texts = vec![text.to_string(); copies + 1].into_iter();
        let texts = texts.chain([text.replace("nine", "ten")]);
        let line = |(id, text): (usize, String)| format!("{}\n", json!({"id": id, "text": text}));
        place.write(
            "pages.jsonl",
            texts.enumerate().map(line).collect::<String>(),
        );
    };
    let summary = || {
        let run = "pages.jsonl --threshold 0.5 --features shingles:words:2";
        place.documents(run).exits(0).out
    };
    write(4);
    let page = summary();
    assert!(
        page.contains("  similarity 1    █") && !page.contains("logarithmic"),
        "{page}"
    );
    write(200);
    let page = summary();
    assert!(
        page.contains("each compared exactly (bars are logarithmic)\n"),
        "{page}"
    );
}

fn dated(place: &Place, name: &str, dates: &[&str]) {
    let line = |(id, date): (usize, &&str)| {
        let text =
            format!("The ferry leaves the old harbour at nine every morning with the 邮件 {id}");
        format!(
            "{}\n",
            json!({"id": format!("{name}-{id}"), "text": text, "date": date})
        )
    };
    place.write(name, dates.iter().enumerate().map(line).collect::<String>());
}

#[test]
fn a_field_with_dates_and_numbers_is_warned_of() {
    let place = Place::new();
    let keep = "in.jsonl --keep date --threshold 0.5 --features shingles:words:1";
    dated(
        &place,
        "in.jsonl",
        &["2005-01-01", "20060101", "2004", "soon"],
    );
    let ran = place.documents(keep).exits(0);
    let warning = "--keep date compares 1 date with 2 numbers";
    assert!(ran.errors.contains(warning), "{}", ran.errors);
    for dates in [
        ["2005-01-01", "2006-01-01", "soon"],
        ["2005", "20060101", "soon"],
    ] {
        dated(&place, "in.jsonl", &dates);
        let ran = place.documents(keep).exits(0);
        assert!(!ran.errors.contains("compares"), "{}", ran.errors);
    }
}

#[test]
fn documents_with_the_same_title_are_told_apart() {
    let place = Place::new();
    let copied = "The lamp on the pier was lit again by four fishermen who had carried the oil. Nobody had asked them. They \
                  came back every evening until the keeper returned from the hospital in the spring.";
    let page = |id: &str, own: &str| {
        let text = format!("{own} {copied}");
        format!(
            "{}\n",
            json!({"id": id, "title": "Microsoft Word - Document1", "text": text})
        )
    };
    place.write(
        "essays.jsonl",
        page(
            "anna.htm",
            "Bread is baked at night in the old quarter of the town.",
        ) + &page("ben.htm", "许多人住在河边，他们不知道灯为什么亮。"),
    );
    let ran = place.run("passages essays.jsonl --out out").exits(0);
    let names = "Microsoft Word - Document1 (anna.htm) – Microsoft Word - Document1 (ben.htm)";
    assert!(ran.out.contains(names), "{}", ran.out);
}

#[test]
fn the_summary_names_the_annotated_input() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        "{\"text\": \"a b c\"}\n{\"text\": \"a b c\"}\n",
    );
    let ran = place
        .documents("pages.jsonl --annotate marked.jsonl")
        .exits(0);
    assert!(
        ran.out.contains("annotated input   marked.jsonl\n"),
        "{}",
        ran.out
    );
}

#[test]
fn what_the_corpus_has_stays_and_that_is_said() {
    let place = Place::new();
    dated(&place, "old.jsonl", &["2001-01-01"]);
    dated(&place, "new.jsonl", &["2020-01-01"]);
    let run = "new.jsonl --against old.jsonl --threshold 0.5";
    let ran = place.documents(&format!("{run} --keep date")).exits(0);
    let note = "note              what the corpus has always stays; --keep date decides only which of its records is named\n";
    assert!(ran.out.contains(note), "{}", ran.out);
    assert!(!place.documents(run).exits(0).out.contains("always stays"));
}

#[test]
fn a_limit_that_cuts_the_corpus_is_said() {
    let place = Place::new();
    dated(&place, "in.jsonl", &["1", "2", "3"]);
    let limited = |limit: u32| {
        let run = format!("in.jsonl --limit {limit} --deduplicated clean.jsonl");
        place.documents(&run).exits(0).out
    };
    let note = "note              at most the first 2 records were read (--limit); the cleaned corpus has no others\n";
    assert!(limited(2).contains(note));
    assert!(!limited(4).contains("--limit"));
}

#[test]
fn a_low_recall_comes_with_the_remedy() {
    let place = Place::new();
    dated(&place, "in.jsonl", &["1", "2", "3"]);
    let recall = |options: &str| {
        let run = format!("in.jsonl --keys minhash --threshold 0.6 {options}");
        let out = place.documents(&run).exits(0).out;
        out.lines()
            .find(|line| line.starts_with("recall"))
            .unwrap()
            .to_string()
    };
    let low = recall("--bands 2 --rows 4");
    assert!(
        low.ends_with("; --keys prefix finds all, but may take many times as long"),
        "{low}"
    );
    let high = recall("");
    assert!(!high.contains("prefix"), "{high}");
}
