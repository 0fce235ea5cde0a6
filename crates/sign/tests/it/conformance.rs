//! What every method of features must do: the cases of `testdata/features.toml`, and that features depend on the text,
//! the options and the seed and on nothing else.

use std::collections::BTreeSet;

use lookalike_sign::Features;
use lookalike_sign::features::{Background, Describe, forms, method};
use lookalike_text::{Seed, Unit, UnitId};
use serde::Deserialize;

const CASES: &str = include_str!("../../../../testdata/features.toml");

const SEED: u64 = 1;

/// Far from the first: XXH3 of up to three bytes with two seeds that differ in their last byte only can give one hash
/// to two different words.
const OTHER_SEED: u64 = 0x5851_F42D_4C95_7F2D;

/// At least one of every registered method.
const FORMS: &[&str] = &[
    "shingles:words:5",
    "shingles:chars:4",
    "winnow:words:3:3",
    "winnow:chars:5:3",
    "spotsigs:20:1:2",
    "terms",
    "weighted-terms",
    "numbers",
    "negations",
    "word-starts:3",
];

/// They must know how common words are; their own tests do.
const OF_A_CORPUS: &[&str] = &["imatch:0.1:0.9"];

/// They describe words that most sentences lack; the cases are about any sentence.
const OF_FEW_WORDS: &[&str] = &["numbers", "negations"];

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    a: String,
    b: String,
    relation: Relation,
}

#[derive(Deserialize, Debug, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Relation {
    Same,
    Different,
    ShareSome,
    Nothing,
}

impl Relation {
    fn holds(self, a: &[u64], b: &[u64]) -> bool {
        let set_a: BTreeSet<_> = a.iter().collect();
        let set_b: BTreeSet<_> = b.iter().collect();
        let both_have_some = !a.is_empty() && !b.is_empty();
        match self {
            Relation::Same => both_have_some && a == b,
            Relation::Different => both_have_some && set_a != set_b,
            Relation::ShareSome => !set_a.is_disjoint(&set_b),
            Relation::Nothing => set_a.is_disjoint(&set_b),
        }
    }
}

fn cases() -> Vec<Case> {
    toml::from_str::<Cases>(CASES).unwrap().case
}

fn texts() -> Vec<String> {
    let mut texts: Vec<String> = cases()
        .into_iter()
        .flat_map(|case| [case.a, case.b])
        .collect();
    texts.push("The 3rd of 12 ferries leaves at 7.30, 第2艘在8点".to_string());
    let all = texts.join(" ");
    texts.push(all);
    texts
}

fn background(seed: u64) -> Background {
    Background {
        seed: Seed(seed),
        ..Background::default()
    }
}

fn describer(form: &str, seed: u64) -> Box<dyn Describe> {
    method(form).unwrap().describer(&background(seed)).unwrap()
}

fn describe(describer: &mut dyn Describe, text: &str) -> Vec<u64> {
    let mut features = Features::default();
    describer.describe(&Unit::whole(UnitId::from(0), text), &mut features);
    features.hashes().to_vec()
}

#[test]
fn every_registered_method_is_tested_here() {
    for registered in forms() {
        let name = registered.split([':', ',']).next().unwrap();
        let tested = FORMS
            .iter()
            .chain(OF_A_CORPUS)
            .any(|form| form.split(':').next() == Some(name));
        assert!(tested, "{name} is not in FORMS");
    }
}

#[test]
fn every_case_holds_for_every_method() {
    let mut broken = Vec::new();
    for form in FORMS.iter().filter(|form| !OF_FEW_WORDS.contains(form)) {
        for case in cases() {
            let mut fresh = describer(form, SEED);
            let a = describe(&mut *fresh, &case.a);
            let b = describe(&mut *fresh, &case.b);
            if !case.relation.holds(&a, &b) {
                broken.push(format!("{form}: {} is not {:?}", case.name, case.relation));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn known_words_make_the_same_features_as_the_text() {
    let mut made = 0;
    for reading in FORMS {
        let mut reader = describer(reading, SEED);
        for text in texts() {
            describe(&mut *reader, &text);
            let Some(words) = reader.words() else {
                continue;
            };
            for form in FORMS {
                let (mut other, mut features) = (describer(form, SEED), Features::default());
                if other.describe_words(words, &mut features) {
                    made += 1;
                    assert_eq!(
                        features.hashes(),
                        describe(&mut *other, &text),
                        "{form}: {text}"
                    );
                }
            }
        }
    }
    assert!(made > 0);
}

#[test]
fn features_do_not_depend_on_what_was_described_before() {
    for form in FORMS {
        let texts = texts();
        let fresh: Vec<_> = texts
            .iter()
            .map(|text| describe(&mut *describer(form, SEED), text))
            .collect();
        let mut used = describer(form, SEED);
        let forwards = (0..texts.len()).chain(0..texts.len());
        for at in forwards.chain((0..texts.len()).rev()) {
            assert_eq!(
                describe(&mut *used, &texts[at]),
                fresh[at],
                "{form}: {}",
                texts[at]
            );
        }
    }
}

#[test]
fn features_replace_what_the_buffer_held() {
    for form in FORMS {
        let mut features = Features::default();
        features.push_weighted(7, 7);
        let text = "The library of the university is closed on Saturday and on Sunday.";
        let unit = Unit::whole(UnitId::from(0), text);
        describer(form, SEED).describe(&unit, &mut features);
        assert_eq!(
            features.hashes(),
            describe(&mut *describer(form, SEED), text),
            "{form}"
        );
        assert!(features.weights().is_empty(), "{form}");
    }
}

#[test]
fn features_do_not_depend_on_the_place_of_the_unit() {
    for form in FORMS {
        for text in texts() {
            let mut unit = Unit::whole(UnitId::from(900), &text);
            unit.place.field = 3;
            unit.place.begin = 77;
            let mut elsewhere = Features::default();
            describer(form, SEED).describe(&unit, &mut elsewhere);
            assert_eq!(
                elsewhere.hashes(),
                describe(&mut *describer(form, SEED), &text),
                "{form}"
            );
        }
    }
}

#[test]
fn another_seed_gives_other_hashes() {
    for form in FORMS {
        for text in texts() {
            let one = describe(&mut *describer(form, SEED), &text);
            let other = describe(&mut *describer(form, OTHER_SEED), &text);
            assert!(
                one.iter().all(|hash| !other.contains(hash)),
                "{form}: {text}"
            );
            assert_eq!(one.is_empty(), other.is_empty(), "{form}: {text}");
        }
    }
}

#[test]
fn forms_are_parsed_and_printed_back() {
    for form in FORMS {
        assert_eq!(method(form).unwrap().to_string(), *form);
    }
}

#[test]
fn a_wrong_form_names_the_right_one() {
    for form in FORMS {
        let name = form.split(':').next().unwrap();
        let message = method(&format!("{form}:nonsense")).unwrap_err().to_string();
        assert!(
            message.contains(&format!("is not of the form {name}")),
            "{message}"
        );
        let message = method(&format!("{name}s")).unwrap_err().to_string();
        assert!(
            message.contains("there are: ") && message.contains(name),
            "{message}"
        );
    }
}
