//! `--against CORPUS --within`: a batch compared with a corpus and with itself, in one run.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::Place;
use crate::support::corpus::{Doc, Language, corpus, jsonl};

/// A batch and a corpus with texts in common, the ids different ones.
fn two_sides(place: &Place, language: Language) -> Vec<Doc> {
    let mut docs = corpus(language, 300, 5);
    for (number, doc) in docs.iter_mut().enumerate() {
        doc.id = number.to_string();
    }
    let side = |first: usize| -> Vec<Doc> { docs.iter().skip(first).step_by(2).cloned().collect() };
    place.write("batch.jsonl", jsonl(&side(1)));
    place.write("known.jsonl", jsonl(&side(0)));
    side(1)
}

type Pairs = BTreeSet<(String, String, String)>;

fn pairs(place: &Place, command: &str) -> Pairs {
    place.run(&format!("{command} --out out --quiet")).exits(0);
    let pair = |row: &Value| {
        let [a, b] = ["a", "b"].map(|side| row[side].to_string());
        // The batch comes first in the input, and alone the earlier record.
        (a, b, row["similarity"].to_string())
    };
    place.lines("pairs.jsonl").iter().map(pair).collect()
}

#[test]
fn the_pairs_are_those_of_two_runs() {
    for language in [Language::English, Language::Chinese] {
        let place = Place::new();
        two_sides(&place, language);
        for options in [
            "--keys prefix",
            "--bands 200 --rows 1",
            "--keys every",
            "--keys every --join unit",
        ] {
            let options = format!("-t 0.5 --pairs all {options}");
            let across = pairs(
                &place,
                &format!("documents batch.jsonl --against known.jsonl {options}"),
            );
            let alone = pairs(&place, &format!("documents batch.jsonl {options}"));
            let both = pairs(
                &place,
                &format!("documents batch.jsonl --against known.jsonl --within {options}"),
            );
            assert!(
                across.len() > 10 && alone.len() > 10,
                "{} {}",
                across.len(),
                alone.len()
            );
            assert_eq!(both, &across | &alone, "{options}");
        }
    }
}

#[test]
fn passages_are_those_of_two_runs() {
    let place = Place::new();
    let passage = |words: [&str; 2]| {
        format!(
            "The keeper of the lighthouse wrote every {} in a book with a green cover. He noted the wind, the ships and the \
             birds that struck the glass. In the {} of that year nobody came to the island for forty days.",
            words[0], words[1]
        )
    };
    let page = |id: &str, word: &str, words: [&str; 2]| {
        let own = format!(
            "A page about {word} begins here with {word} alone. It says of {word} what others do not say."
        );
        format!(
            "{}\n",
            json!({"id": id, "text": format!("{own} {} 关于{word}的页面。", passage(words))})
        )
    };
    place.write(
        "batch.jsonl",
        page("b1", "granite", ["night", "winter"]) + &page("b2", "basalt", ["evening", "winter"]),
    );
    place.write("known.jsonl", page("k1", "quartz", ["night", "spring"]));
    for search in ["quick", "deep"] {
        let job = format!("passages batch.jsonl --search {search}");
        let across = pairs(&place, &format!("{job} --against known.jsonl"));
        let alone = pairs(&place, &job);
        let both = pairs(&place, &format!("{job} --against known.jsonl --within"));
        assert_eq!((across.len(), alone.len()), (2, 1), "{search}");
        assert_eq!(both, &across | &alone, "{search}");
    }
}

#[test]
fn the_corpus_takes_first_and_then_the_batch_itself() {
    let place = Place::new();
    let text = |word: &str| {
        format!(
            "The {word} leaves the old harbour at nine and comes back at noon with the 邮件 and the bread"
        )
    };
    let line = |id: &str, word: &str| format!("{}\n", json!({"id": id, "text": text(word)}));
    place.write(
        "batch.jsonl",
        line("new", "steamer")
            + &line("again", "ferry")
            + &line("copy", "steamer")
            + &line("third", "steamer"),
    );
    place.write(
        "known.jsonl",
        line("old", "ferry") + &line("older", "ferry"),
    );
    let options = "batch.jsonl --against known.jsonl --within --features shingles:words:20";
    let results = place.clean_results(&format!("{options} --deduplicated clean.jsonl"));
    let removed = results
        .removed
        .iter()
        .map(|(id, kept, _)| (id.clone(), kept.clone()));
    let expected = [("again", "old"), ("copy", "new"), ("third", "new")];
    let expected = expected.map(|(id, kept)| (json!(id), json!(kept)));
    assert_eq!(removed.collect::<Vec<_>>(), expected);
    assert_eq!(results.count("identical_copies"), 3);
    assert_eq!(place.read("clean.jsonl").lines().count(), 1);
    let against =
        place.clean_results("batch.jsonl --against known.jsonl --features shingles:words:20");
    assert_eq!(against.count("identical_copies"), 1);
    let ran = place.run("show out").exits(0);
    assert!(ran.out.contains("again – old"), "{}", ran.out);
}

#[test]
fn an_id_that_both_have_gets_a_name() {
    let place = Place::new();
    let line = |id: u32, text: &str| format!("{}\n", json!({"id": id, "text": text}));
    let [one, two] = ["Eins zwei drei vier fünf sechs", "一二三四五六七八九十"];
    place.write("batch.jsonl", line(1, one) + &line(2, one));
    place.write("known.jsonl", line(1, two) + &line(2, one));
    let results = place.clean_results("batch.jsonl --against known.jsonl --within");
    let kept: Vec<&Value> = results.removed.iter().map(|(_, kept, _)| kept).collect();
    assert_eq!(kept, [&json!("2#2"), &json!("2#2")]);
    let repeated = place.lines("repeated.jsonl");
    assert_eq!(repeated[1]["source"], "known.jsonl");
    assert_eq!(
        (&repeated[1]["id"], &repeated[1]["name"]),
        (&json!(2), &json!("2#2"))
    );
    place.run("show out --with-nothing").exits(2);
    place.run("show out --cluster 2#2").exits(0);
}

#[test]
fn within_needs_another_corpus_and_ids() {
    let place = Place::new();
    place.write("a.jsonl", "{\"id\": 1, \"text\": \"甲乙丙\"}\n");
    place.documents("a.jsonl --within").exits(2);
    place
        .documents("a.jsonl --against a.jsonl --within --ids number")
        .refused_with(&["--within", "--ids field"]);
}
