//! In what the records of a pair differ, and that some differences remove nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::support::Place;

const FILES: [&str; 3] = ["pairs.jsonl", "clusters.jsonl", "removed.jsonl"];

fn with(texts: &[&str]) -> Place {
    let place = Place::new();
    let record = |(number, text): (usize, &&str)| {
        let record = json!({"id": number, "text": text, "title": text});
        format!("{record}\n")
    };
    let lines: String = texts.iter().enumerate().map(record).collect();
    place.write("in.jsonl", lines);
    place
}

fn rows(place: &Place, out: &str, name: &str) -> Vec<Value> {
    let text = place.read(&format!("{out}/{name}"));
    let rows = text.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.collect()
}

/// The kind of each pair, by its two numbers.
fn kinds(place: &Place) -> BTreeMap<(u64, u64), String> {
    let number = |id: &Value| id.as_u64().unwrap();
    let kind = |row: &Value| {
        let kind = row["kind"].as_str().unwrap().to_string();
        ((number(&row["a"]), number(&row["b"])), kind)
    };
    rows(place, "out", "pairs.jsonl").iter().map(kind).collect()
}

/// What the one rule removes, given the pairs of kinds that remove.
fn removed_by_rule(place: &Place, removing: &[&str]) -> BTreeMap<u64, u64> {
    let mut taken = BTreeMap::new();
    for ((a, b), kind) in kinds(place) {
        if removing.contains(&kind.as_str()) && !taken.contains_key(&a) {
            taken.entry(b).or_insert(a);
        }
    }
    taken
}

fn removed(place: &Place, out: &str) -> BTreeMap<u64, u64> {
    let row = |row: &Value| (row["id"].as_u64().unwrap(), row["kept"].as_u64().unwrap());
    rows(place, out, "removed.jsonl").iter().map(row).collect()
}

#[test]
fn questions_about_languages_that_differ_in_signs_stay() {
    let place = with(&[
        "How do I sort a list in C++?",
        "How do I sort a list in C#?",
        "How do I sort a list in C?",
        "how do I sort a list in C++",
        "用C#怎么给列表排序",
        "用C++怎么给列表排序",
    ]);
    for job in ["threads --fields title", "messages"] {
        place
            .run(&format!("{job} in.jsonl --out out --quiet"))
            .exits(0);
        let kinds = kinds(&place);
        for pair in [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (4, 5)] {
            let kind = kinds.get(&pair).map(String::as_str);
            assert_eq!(kind, Some("other-name"), "{job}: {pair:?} {kinds:?}");
        }
        assert_eq!(kinds[&(0, 3)], "wording");
        assert_eq!(removed(&place, "out"), BTreeMap::from([(3, 0)]), "{job}");
    }
}

const NOTICES: [&str; 10] = [
    "尊敬的客户，您尾号0031的储蓄卡今天支出421元，余额请登录查询。",
    "尊敬的客户，您尾号0031的储蓄卡今天支出79元，余额请登录查询。",
    "尊敬的客户，您尾号0031的储蓄卡今天支出421元，余额请登录查询！",
    "Promotion Ads 2013: all that you need to know about our spring sale",
    "Promotion Ads 2014: all that you need to know about our spring sale",
    "Property taxes in Scott County are due at the end of the month, as every year",
    "Property taxes in Dallas County are due at the end of the month, as every year",
    "Property taxes in Dallas County are due at the end of this month, as every year",
    "PROMOTION ads 2013: all that you need to know  about our spring sale",
    "Promotion Ads 2014: all that you need to know about our spring sale",
];

#[test]
fn other_names_numbers_and_years_are_listed_and_remove_nothing() {
    for job in ["messages", "threads --fields title -t 0.6"] {
        let place = with(&NOTICES);
        let run = "in.jsonl --out out --deduplicated clean.jsonl";
        place.run(&format!("{job} {run}")).exits(0);
        let kinds = kinds(&place);
        let expected = [
            ((0, 1), "other-number"),
            ((0, 2), "wording"),
            ((3, 4), "edition"),
            ((3, 8), "same"),
            ((4, 9), "same"),
            ((5, 6), "other-name"),
            ((6, 7), "wording"),
        ];
        for (pair, kind) in expected {
            assert_eq!(
                kinds.get(&pair).map(String::as_str),
                Some(kind),
                "{job} {pair:?}"
            );
        }
        let taken = BTreeMap::from([(2, 0), (7, 6), (8, 3), (9, 4)]);
        assert_eq!(removed(&place, "out"), taken, "{job}");
        let members: BTreeSet<u64> = rows(&place, "out", "clusters.jsonl")
            .iter()
            .flat_map(|row| row["members"].as_array().unwrap().clone())
            .map(|id| id.as_u64().unwrap())
            .collect();
        assert_eq!(members, BTreeSet::from([0, 2, 3, 4, 6, 7, 8, 9]), "{job}");
        assert_eq!(place.read("clean.jsonl").lines().count(), 6, "{job}");
        let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
        assert!(
            summary["kinds"]["other-number"].as_u64() >= Some(1),
            "{job}"
        );
    }
}

#[test]
fn what_changed_is_said_in_the_words_of_the_records() {
    let place = with(&NOTICES);
    place.run("messages in.jsonl --out out").exits(0);
    let pairs = rows(&place, "out", "pairs.jsonl");
    let of = |a: u64, b: u64| {
        let found = pairs.iter().find(|row| row["a"] == a && row["b"] == b);
        found.unwrap()["changed"].clone()
    };
    assert_eq!(of(0, 1), json!([["421", "79"]]));
    assert_eq!(of(5, 6), json!([["Scott", "Dallas"]]));
    assert_eq!(of(3, 8), json!([]));
}

#[test]
fn the_kinds_that_remove_can_be_chosen_and_chosen_again() {
    let place = with(&NOTICES);
    let run = |options: &str| {
        place
            .run(&format!(
                "messages in.jsonl --pairs all --out out {options}"
            ))
            .exits(0);
        removed(&place, "out")
    };
    let all = run("--remove-kinds all");
    assert_eq!(
        all,
        removed_by_rule(
            &place,
            &["same", "wording", "other-name", "other-number", "edition"]
        )
    );
    assert!(all.contains_key(&1) && all.contains_key(&4) && all.contains_key(&6));
    let some = run("--remove-kinds same,other-number");
    assert_eq!(some, removed_by_rule(&place, &["same", "other-number"]));
    assert_ne!(some, all);
    run("");
    place
        .run("recluster out --out again --remove-kinds all")
        .exits(0);
    assert_eq!(removed(&place, "again"), all);
    place.run("recluster out --out again").exits(0);
    assert_eq!(removed(&place, "again"), removed(&place, "out"));
    place
        .run("messages in.jsonl --out out --remove-kinds other")
        .exits(2);
    place.write("config.toml", "remove-kinds = [\"same\"]\n");
    place
        .run("documents in.jsonl --out out --config config.toml")
        .refused_with(&[
            "remove-kinds",
            "documents does not determine",
            "threads or messages",
        ]);
}

/// Variants of a few templates, some of them hot buckets, with copies and rewordings among them.
fn variants() -> Vec<String> {
    let template = |n: usize| {
        let (code, day) = (1000 + n % 170, 1 + n % 9);
        match n % 3 {
            0 => format!("Your parcel number {code} waits for you at the counter until day {day}"),
            1 => format!("Your parcel number {code} waits for you at this counter until day {day}"),
            _ => format!("您的包裹编号是{code}，请在{day}天内到柜台领取，谢谢您的配合"),
        }
    };
    (0..900).map(template).collect()
}

#[test]
fn with_hot_buckets_every_thread_count_and_memory_gives_the_same() {
    let texts = variants();
    let place = with(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    for job in [
        "messages --bucket-limit 100",
        "threads --fields title -t 0.6",
    ] {
        let run = |options: &str| {
            place
                .run(&format!("{job} in.jsonl --out out {options}"))
                .exits(0);
            FILES.map(|name| place.read(&format!("out/{name}")))
        };
        let one = run("--threads 1");
        assert_eq!(run("--threads 4 --memory 150MB"), one, "{job}");
        assert_eq!(
            removed(&place, "out"),
            removed_by_rule(&place, &["same", "wording"]),
            "{job}"
        );
        let held = kinds(&place)
            .into_values()
            .filter(|kind| kind == "other-number");
        assert!(held.count() > 100, "{job}");
    }
}

#[test]
fn what_is_assumed_to_be_similar_changes_no_cluster() {
    let texts: Vec<String> = variants().into_iter().take(120).collect();
    let place = with(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    for keep in ["first", "last"] {
        let run = |options: &str| {
            place
                .run(&format!(
                    "messages in.jsonl --out out --keep {keep} {options}"
                ))
                .exits(0);
            removed(&place, "out")
        };
        assert_eq!(run("--transitive"), run(""), "{keep}");
    }
}

#[test]
fn another_corpus_takes_only_what_it_can_stand_for() {
    let place = with(&NOTICES);
    place.write("seen.jsonl", "{\"id\":\"seen\",\"text\":\"尊敬的客户，您尾号0031的储蓄卡今天支出421元，余额请登录查询\"}\n");
    place
        .run("messages in.jsonl --against seen.jsonl --out out")
        .exits(0);
    let kind = |row: &Value| {
        (
            row["a"].as_u64().unwrap(),
            row["kind"].as_str().unwrap().to_string(),
        )
    };
    let kinds: BTreeMap<u64, String> = rows(&place, "out", "pairs.jsonl")
        .iter()
        .map(kind)
        .collect();
    assert_eq!(kinds[&0], "wording");
    assert_eq!(kinds[&1], "other-number");
    let removed: Vec<u64> = rows(&place, "out", "removed.jsonl")
        .iter()
        .map(|row| row["id"].as_u64().unwrap())
        .collect();
    assert_eq!(removed, [0, 2]);
}

#[test]
fn what_is_said_in_other_words_is_removed_in_every_script() {
    let place = Place::new();
    let line = |id: u64, title: &str, answer: &str| {
        format!(
            "{}\n",
            serde_json::json!({"id": id, "title": title, "answer": answer})
        )
    };
    let arabic = "افتح الإعدادات ثم اختر ذلك";
    place.write(
        "in.jsonl",
        line(1, "كيف يمكنني تغيير كلمة السر في هذا الموقع", arabic)
            + &line(2, "كيف أستطيع تغيير كلمة السر في هذا الموقع", arabic)
            // Nothing is denied by an answer where there was none.
            + &line(3, "Which oil for a fork with seals?", "")
            + &line(4, "Which oil for a fork with seals?", "Do not use motor oil.")
            // One excludes the other.
            + &line(5, "How do I install the old 程序 on my computer?", "Ask whoever sold it.")
            + &line(6, "How do I uninstall the old 程序 on my computer?", "Ask whoever sold it."),
    );
    place
        .run("threads in.jsonl --fields title,answer --out out")
        .exits(0);
    let kinds = kinds(&place);
    assert_eq!(kinds[&(1, 2)], "wording");
    assert_eq!(kinds[&(3, 4)], "wording");
    assert_eq!(kinds[&(5, 6)], "other-name");
    assert_eq!(removed(&place, "out"), BTreeMap::from([(2, 1), (3, 4)]));
}
