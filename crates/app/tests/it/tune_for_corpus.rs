//! `lookalike tune` for a corpus, where near-duplicates are rarer than among labelled pairs: `--precision`, `--prevalence`, links.

use crate::support::Place;
use crate::support::labelled::pairs;
use lookalike::text::Seed;
use lookalike::text::hash::hash64;
use serde_json::json;

/// Pairs that share any number of words, and the more the likelier they are labelled as the same; with a corpus of their
/// texts.
fn overlapping() -> Place {
    let place = Place::new();
    let text = |number: usize, shared: usize, side: &str| {
        // Some share as much with others that nobody calls the same.
        let family = if number.is_multiple_of(4) {
            number % 40
        } else {
            number
        };
        let word = |at: usize| match at < shared {
            true => format!("shared{family}w{at}"),
            false => format!("渡轮{side}{number}w{at}"),
        };
        let words: Vec<String> = (0..12).map(word).collect();
        words.join(" ")
    };
    let (mut pairs, mut corpus) = (String::new(), String::new());
    for number in 0..240 {
        let shared = 2 + number % 10;
        let label = usize::from(number * 7 % 12 < shared);
        let (a, b) = (text(number, shared, "a"), text(number, shared, "b"));
        for (id, side) in [(2 * number, &a), (2 * number + 1, &b)] {
            corpus += &format!("{}\n", json!({"id": id, "text": side}));
        }
        pairs += &format!("{}\n", json!({"a": a, "b": b, "label": label}));
    }
    place.write("pairs.jsonl", pairs);
    place.write("corpus.jsonl", corpus);
    place
}

#[test]
fn the_threshold_for_a_corpus_is_higher_the_rarer_near_duplicates_are() {
    let place = overlapping();
    let threshold = |options: &str| {
        place
            .run(&format!(
                "tune pairs.jsonl --model logistic -o c.toml -q {options}"
            ))
            .exits(0);
        let config: toml::Table = toml::from_str(&place.read("c.toml")).unwrap();
        let removal = config["expected-removal"].as_float().unwrap();
        assert!((0.0..=1.0).contains(&removal), "{removal}");
        config["threshold"].as_float().unwrap()
    };
    let common = threshold("--prevalence 0.9");
    let rare = threshold("--prevalence 0.001");
    assert!(rare > common, "{rare} {common}");
    let precise = threshold("--corpus corpus.jsonl --precision 0.99 --prevalence 0.1");
    let less_precise = threshold("--corpus corpus.jsonl --precision 0.1 --prevalence 0.1");
    assert!(precise > less_precise, "{precise} {less_precise}");
    for wrong in ["--precision 80", "--prevalence 0", "--precision x"] {
        place
            .run(&format!("tune pairs.jsonl -o c.toml {wrong}"))
            .exits(2);
    }
}

#[test]
fn the_number_of_labels_is_not_taken_for_the_number_of_near_duplicates() {
    let place = overlapping();
    let all = place.read("pairs.jsonl");
    let prevalence = |labels: usize| {
        let some: Vec<&str> = all.lines().take(labels).collect();
        place.write("some.jsonl", some.join("\n"));
        let tune = "tune some.jsonl --corpus corpus.jsonl --model logistic -o c.toml";
        let page = place.run(tune).exits(0).out;
        assert!(page.contains("(estimated; --prevalence sets it)"), "{page}");
        let object = place.run(&format!("{tune} --json")).exits(0).out;
        let object: serde_json::Value = serde_json::from_str(&object).unwrap();
        object["expected"]["prevalence"].as_f64().unwrap()
    };
    let [few, many] = [60, 240].map(prevalence);
    // Four times as many labels would be four times as many near-duplicates.
    assert!(many < 3.0 * few, "{few} {many}");
}

#[test]
fn a_model_that_would_find_nothing_is_not_written() {
    let place = Place::new();
    let letter = |place: u32, hash: u64| char::from(b'a' + (hash >> (5 * place)) as u8 % 26);
    let letters = |hash: u64| (0..8).map(|place| letter(place, hash)).collect::<String>();
    let text = |number: usize, shared: usize, side: &str| {
        // All but the first share as much with many that nobody calls the same.
        let family = if number == 0 { 99 } else { number % 20 };
        let word = |at: usize| match at < shared {
            true => letters(hash64(format!("{family}w{at}").as_bytes(), Seed(1))),
            false => letters(hash64(format!("{side}{number}w{at}").as_bytes(), Seed(1))),
        };
        (0..12).map(word).collect::<Vec<_>>().join(" ")
    };
    let (mut pairs, mut corpus) = (String::new(), String::new());
    for number in 0..400 {
        let is_same = number % 2 == 0;
        let shared = match (number, is_same) {
            (0, _) => 11,
            (_, true) => 8,
            (_, false) => 2,
        };
        let sides = ["a", "b"].map(|side| text(number, shared, side));
        for side in &sides {
            corpus += &format!("{}\n", json!({"id": corpus.lines().count(), "text": side}));
        }
        let [a, b] = &sides;
        pairs += &format!("{}\n", json!({"a": a, "b": b, "label": u8::from(is_same)}));
    }
    place.write("pairs.jsonl", pairs);
    place.write("corpus.jsonl", corpus);
    place
        .run("tune pairs.jsonl --corpus corpus.jsonl --model linear -o c.toml --prevalence 0.001")
        .fails_with(&[
            "of the near-duplicates are expected to be found",
            "0.1 % have a near-duplicate (as you say)",
            "--prevalence",
            "label more pairs",
        ]);
    assert!(!place.path("c.toml").exists());
}

#[test]
fn a_precision_out_of_reach_is_an_error_that_says_what_can_be_reached() {
    let place = overlapping();
    // Of every text there is one nearly like it that nobody calls the same.
    let corpus = place.read("corpus.jsonl");
    let mut twice = corpus.clone();
    for line in corpus.lines() {
        let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = record["text"].as_str().unwrap();
        record["text"] = json!(format!("{text} another"));
        record["id"] = json!(record["id"].as_u64().unwrap() + 1000);
        twice += &format!("{record}\n");
    }
    place.write("twice.jsonl", twice);
    let tune = "tune pairs.jsonl --corpus twice.jsonl --model logistic -o c.toml --prevalence 0.5";
    let ran = place
        .run(&format!("{tune} --precision 0.999"))
        .fails_with(&[
            "no threshold is expected to reach a precision of 0.999",
            "960 records",
            "50.0 % have a near-duplicate (as you say)",
            "--prevalence",
            "the highest is 0.",
            "ask for --precision 0.",
        ]);
    assert!(!place.path("c.toml").exists());
    // What it says can be asked for can be had.
    let asked = ran.errors.split("ask for --precision ").nth(1).unwrap();
    let asked = asked.split(' ').next().unwrap();
    let answer = place
        .run(&format!("{tune} --precision {asked} --json"))
        .exits(0);
    let answer: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let expected = answer["expected"]["precision"].as_f64().unwrap();
    assert!(expected >= asked.parse().unwrap(), "{expected} {asked}");
    assert!(place.path("c.toml").exists());
}

#[test]
fn a_run_that_removes_far_more_than_was_expected_warns() {
    let place = Place::new();
    let record =
        |id: usize| json!({"id": id, "text": format!("The ferry 渡轮 leaves at {}", id % 3)});
    let records: String = (0..60).map(|id| format!("{}\n", record(id))).collect();
    place.write("corpus.jsonl", records);
    for (expected, warns) in [(0.1, true), (0.9, false)] {
        place.write("config.toml", format!("expected-removal = {expected}\n"));
        let ran = place
            .documents("corpus.jsonl --config config.toml --restart")
            .exits(0);
        assert_eq!(
            ran.errors.contains("95.0 % of the records were removed"),
            warns,
            "{}",
            ran.errors
        );
    }
}

#[test]
fn links_to_posts_that_are_not_there_are_skipped_and_others_sampled() {
    let place = Place::new();
    let (mut rows, mut links) = (String::new(), String::new());
    for (number, (a, b, label)) in pairs().into_iter().enumerate() {
        let ids = [2 * number + 1, 2 * number + 2];
        for (id, title) in ids.into_iter().zip([a, b]) {
            rows += &format!(
                "  <row Id=\"{id}\" PostTypeId=\"1\" Body=\"&lt;p&gt;{title}&lt;/p&gt;\" Title=\"{title}\" />\n"
            );
        }
        if label == 1 {
            links += &format!(
                "<row PostId=\"{}\" RelatedPostId=\"{}\" LinkTypeId=\"3\" />\n",
                ids[0], ids[1]
            );
        }
    }
    links += "<row PostId=\"1\" RelatedPostId=\"99999\" LinkTypeId=\"3\" />\n";
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    place.write(
        "PostLinks.xml",
        format!("<postlinks>\n{links}</postlinks>\n"),
    );
    let ran = place
        .run("tune PostLinks.xml --corpus Posts.xml --fields title,body -o links.toml")
        .exits(0);
    for part in [
        "48 near-duplicates",
        "sampled among pairs",
        "1 link to records that are not there skipped",
        "have a near-duplicate (those that the links name",
    ] {
        assert!(ran.out.contains(part), "no {part:?} in:\n{}", ran.out);
    }
    place
        .run("threads Posts.xml --config links.toml --out out")
        .exits(0);
    let ran = place.run("judge out --gold PostLinks.xml").exits(0);
    assert!(
        ran.out
            .contains("1 link to records that are not in the input"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("only the labelled pairs count"),
        "{}",
        ran.out
    );
}
