//! I-Match: verified unless asked otherwise, and with a seed that can be kept secret.

use crate::support::corpus::{Language, corpus, jsonl};
use crate::support::{Place, ran};

/// Wide enough that the digests of a small corpus have words.
const WIDE: &str = "--keys imatch:10:0.5 --idf 0,1";

fn place() -> Place {
    let place = Place::new();
    let mut docs = corpus(Language::English, 150, 5);
    docs.extend(
        corpus(Language::Chinese, 100, 6)
            .into_iter()
            .map(|mut doc| {
                doc.id = format!("字{}", doc.id);
                doc
            }),
    );
    place.write("corpus.jsonl", jsonl(&docs));
    place
}

#[test]
fn pairs_are_compared_unless_they_are_to_be_unverified() {
    let place = place();
    let verified = place.clean_results(&format!("corpus.jsonl {WIDE} --pairs all"));
    assert!(verified.pairs.len() > 20, "{}", verified.pairs.len());
    assert!(
        verified
            .pairs
            .iter()
            .all(|(_, _, similarity)| *similarity >= 0.8)
    );
    let summary = place.summary();
    assert_eq!(summary["parameters"]["verify"]["measure"], "cosine");

    place
        .documents(&format!("corpus.jsonl {WIDE} --pairs all --unverified"))
        .exits(0);
    let unverified = place.lines("pairs.jsonl");
    assert!(unverified.len() >= verified.pairs.len());
    // Copies need no proof.
    let digests = unverified.iter().filter(|pair| pair["similarity"] != 1.0);
    assert!(digests.clone().count() > 20);
    for pair in digests {
        assert!(
            pair["similarity"].is_null() && pair["verified"] == false,
            "{pair}"
        );
    }
}

#[test]
fn unverified_goes_with_digests_alone() {
    let place = place();
    place
        .documents("corpus.jsonl --unverified")
        .refused_with(&["unverified pairs", "--keys imatch"]);
    place
        .documents(&format!(
            "corpus.jsonl {WIDE} --unverified --measure cosine"
        ))
        .refused_with(&["measure cosine", "leave one of them out"]);
    place
        .documents(&format!("corpus.jsonl {WIDE} --unverified --audit 10"))
        .refused_with(&["leave --unverified out"]);
}

/// Everything that a command left: its files, the screen.
fn everything(place: &Place, screen: &str) -> String {
    let files = crate::support::tree(&place.path("out"));
    let texts = files
        .values()
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    texts
        .chain([screen.to_string()])
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_secret_seed_decides_and_is_shown_nowhere() {
    let place = place();
    place.write("secret.txt", "correct horse battery staple\n");
    let digests = |options: &str| {
        place
            .documents(&format!(
                "corpus.jsonl {WIDE} --unverified --pairs all {options}"
            ))
            .exits(0);
        place.read("out/pairs.jsonl")
    };
    let open = digests("");
    let from_file = digests("--seed-file secret.txt");
    assert_ne!(open, from_file);
    assert_eq!(place.summary()["parameters"]["seed"], "secret");

    let mut command = place.command(&format!(
        "documents --out out corpus.jsonl {WIDE} --unverified --pairs all --seed-env MAIL_SEED"
    ));
    let run = ran(command.env("MAIL_SEED", "correct horse battery staple"));
    // Where it comes from does not matter.
    assert_eq!(place.read("out/pairs.jsonl"), from_file);
    let left = everything(&place, &format!("{}{}", run.out, run.errors));
    let seed = lookalike::SeedSpec::secret("correct horse battery staple")
        .seed()
        .0;
    for hint in [
        "correct horse".to_string(),
        seed.to_string(),
        format!("{seed:x}"),
    ] {
        assert!(!left.contains(&hint), "{hint} in {left}");
    }
}

#[test]
fn settings_with_a_secret_seed_ask_for_it_again() {
    let place = place();
    place.write("secret.txt", "correct horse battery staple\n");
    let printed = place
        .run(&format!(
            "documents corpus.jsonl {WIDE} --seed-file secret.txt --print-config"
        ))
        .exits(0);
    assert!(printed.out.contains("seed = \"secret\""), "{}", printed.out);
    place.write("spec.toml", printed.out);
    place
        .documents("corpus.jsonl --config spec.toml")
        .refused_with(&["secret", "--seed-file"]);
    place
        .documents("corpus.jsonl --config spec.toml --seed-file secret.txt")
        .exits(0);
}

#[test]
fn a_secret_that_is_none_is_refused() {
    let place = place();
    place.write("empty.txt", " \n");
    place
        .documents("corpus.jsonl --seed-file empty.txt")
        .fails_with(&["empty.txt", "is empty"]);
    place
        .documents("corpus.jsonl --seed-file missing.txt")
        .fails_with(&["missing.txt"]);
    place
        .documents("corpus.jsonl --seed-env NO_SUCH_SEED")
        .fails_with(&["NO_SUCH_SEED"]);
    place
        .documents("corpus.jsonl --seed-file empty.txt --seed 3")
        .exits(2);
}
