//! `lookalike passages` finds documents that share a passage whose words were changed.

use serde_json::{Value, json};

use crate::support::Place;
use crate::support::corpus::Random;

/// Sentences of words, or of characters of a script without spaces.
struct Writer {
    random: Random,
    words: Vec<String>,
    between: &'static str,
    stop: &'static str,
}

impl Writer {
    fn spaced() -> Self {
        let word =
            |number: usize| format!("{}{}", ["bal", "cor", "din", "fel"][number % 4], number);
        Writer {
            random: Random(7),
            words: (0..4000).map(word).collect(),
            between: " ",
            stop: ". ",
        }
    }

    /// Of so many characters from one on.
    fn unspaced(first: u32, count: u32, stop: &'static str) -> Self {
        let words = (first..first + count).filter_map(char::from_u32);
        Writer {
            random: Random(8),
            words: words.map(String::from).collect(),
            between: "",
            stop,
        }
    }

    fn word(&mut self) -> String {
        self.words[self.random.below(self.words.len())].clone()
    }

    fn sentences(&mut self, count: usize, words: usize) -> Vec<Vec<String>> {
        let mut sentence = || (0..words).map(|_| self.word()).collect();
        (0..count).map(|_| sentence()).collect()
    }

    /// The same with every so many words replaced.
    fn reworded(&mut self, sentences: &[Vec<String>], every: usize) -> Vec<Vec<String>> {
        let mut changed = sentences.to_vec();
        for words in &mut changed {
            for at in (0..words.len()).step_by(every) {
                words[at] = self.word();
            }
        }
        changed
    }

    fn text(&self, sentences: &[Vec<String>]) -> String {
        let sentence = |words: &Vec<String>| words.join(self.between) + self.stop;
        sentences.iter().map(sentence).collect()
    }
}

/// Documents with a passage of the first in the last, of which every so many words were changed.
fn documents(writer: &mut Writer, [count, words, every]: [usize; 3]) -> Vec<(String, String)> {
    let mut documents: Vec<_> = (0..count).map(|_| writer.sentences(12, words)).collect();
    let passage = writer.reworded(&documents[0][3..9], every);
    documents[count - 1].splice(5..5, passage);
    let named = documents.iter().enumerate();
    named
        .map(|(number, text)| (format!("d{number}"), writer.text(text)))
        .collect()
}

fn lines(documents: &[(String, String)]) -> String {
    let line = |(id, text): &(String, String)| json!({"id": id, "text": text}).to_string() + "\n";
    documents.iter().map(line).collect()
}

#[track_caller]
fn pairs(place: &Place, arguments: &str) -> Vec<Value> {
    place
        .run(&format!("passages --out out {arguments}"))
        .exits(0);
    place.lines("pairs.jsonl")
}

#[test]
fn a_reworded_passage_is_found_by_deep_search_and_not_by_quick_search() {
    let place = Place::new();
    let texts = documents(&mut Writer::spaced(), [80, 18, 3]);
    place.write("pages.jsonl", lines(&texts));
    let found = pairs(&place, "pages.jsonl");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0]["a"], &found[0]["b"]),
        (&json!("d0"), &json!("d79"))
    );
    assert_eq!(pairs(&place, "pages.jsonl --search deep"), found);
    assert!(pairs(&place, "pages.jsonl --search quick").is_empty());
    // Documents on two sides, and the other way round.
    place.write("one.jsonl", lines(&texts[..40]));
    place.write("two.jsonl", lines(&texts[40..]));
    let across = pairs(&place, "one.jsonl --against two.jsonl");
    assert_eq!(
        (&across[0]["a"], &across[0]["b"], across.len()),
        (&json!("d0"), &json!("d79"), 1)
    );
    let turned = pairs(&place, "two.jsonl --against one.jsonl");
    assert_eq!(
        (&turned[0]["a"], &turned[0]["b"], turned.len()),
        (&json!("d79"), &json!("d0"), 1)
    );
}

#[test]
fn few_documents_are_enough_to_find_a_reworded_passage() {
    for count in [2, 3, 12] {
        let place = Place::new();
        place.write(
            "pages.jsonl",
            lines(&documents(&mut Writer::spaced(), [count, 18, 3])),
        );
        assert_eq!(pairs(&place, "pages.jsonl").len(), 1, "{count} documents");
    }
}

#[test]
fn reworded_passages_of_scripts_without_spaces_are_found() {
    for (name, mut writer) in [
        ("Han", Writer::unspaced(0x4e00, 2500, "。")),
        ("Thai", Writer::unspaced(0xe01, 46, "\n\n")),
        ("Hiragana", Writer::unspaced(0x3042, 70, "。")),
    ] {
        let place = Place::new();
        place.write("pages.jsonl", lines(&documents(&mut writer, [60, 40, 7])));
        let found = pairs(&place, "pages.jsonl");
        assert_eq!(found.len(), 1, "{name}: {found:?}");
    }
}

#[test]
fn the_recall_that_is_stated_is_of_passages_and_an_audit_confirms_it() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        lines(&documents(&mut Writer::spaced(), [80, 18, 3])),
    );
    pairs(&place, "pages.jsonl --audit 80");
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    let recall = &summary["recall"];
    assert_eq!(recall["keys"], "neighbours");
    assert!(recall["at_threshold"].as_f64() < recall["above_threshold"].as_f64());
    assert_eq!(summary["audit"]["true_pairs"], 1);
    assert_eq!(summary["audit"]["recall"], 1.0);
}

#[test]
fn sentences_that_are_aligned_are_searched_for_quickly_unless_it_is_said() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        lines(&documents(&mut Writer::spaced(), [9, 18, 6])),
    );
    let compared = |arguments: &str| {
        pairs(
            &place,
            &format!("pages.jsonl --align sentences {arguments}"),
        );
        let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        summary["recall"]["keys"].clone()
    };
    assert_ne!(compared(""), "neighbours");
    assert_eq!(compared("--search deep"), "neighbours");
}
