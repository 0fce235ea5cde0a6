//! `lookalike threads`: which pairs are found and listed, by whatever search, memory and number of threads.

use crate::support::kill::Moments;
use crate::support::threads::{
    ThreadPair, birthdays, ids, kettles, lines, many_threads, removed, thread, with,
};
use crate::support::{Place, bytes};
use serde_json::{Value, json};

#[test]
fn variants_of_one_thread_are_compared_with_leaders_and_all_others_in_full() {
    let place = Place::new();
    let variant = |number: usize| {
        let (day, room) = (number % 28 + 1, 100 + number);
        thread(
            format!("v{number}"),
            [
                &format!("When does the ferry of line {room} leave the old harbour?"),
                &format!(
                    "I have to be on the island on day {day} and found no timetable, 渡轮时刻表."
                ),
                &format!(
                    "It leaves every morning at nine from pier {room}, except on public holidays."
                ),
            ],
        )
    };
    let mut threads: Vec<Value> = (0..60).map(variant).collect();
    threads.splice(10..10, birthdays());
    place.write("threads.jsonl", lines(&threads));
    let is_variant = |id: &Value| id.as_str().is_some_and(|id| id.starts_with('v'));
    let others = |pairs: Vec<ThreadPair>| -> Vec<ThreadPair> {
        let is_other = |pair: &ThreadPair| !is_variant(&pair.a);
        pairs.into_iter().filter(is_other).collect()
    };

    let all = place.thread_pairs("threads.jsonl");
    assert_eq!(place.summary()["recall"]["exact"], json!(true));
    let removed_ids = || -> Vec<Value> {
        let rows = place.lines("removed.jsonl");
        rows.iter().map(|row| row["id"].clone()).collect()
    };
    let removed = removed_ids();
    let many = all.len();

    let bounded = place.thread_pairs("threads.jsonl --bucket-limit 20");
    let summary = place.summary();
    assert_eq!(removed_ids(), removed);
    assert!(bounded.len() < many / 5, "{} of {many}", bounded.len());
    assert_eq!(others(bounded), others(all));
    assert_eq!(summary["hot_buckets"]["buckets"], json!(1));
    assert_eq!(summary["hot_buckets"]["linked"], json!(59));
    assert_eq!(summary["recall"]["exact"], json!(false));
    let because = summary["recall"]["because"].as_str().unwrap();
    assert!(because.contains("groups of variants"), "{because}");

    // Those who ask for all pairs get them.
    for all in ["--pairs all", "--keys prefix"] {
        let arguments = format!("threads.jsonl --bucket-limit 20 {all}");
        assert_eq!(place.thread_pairs(&arguments).len(), many, "{all}");
    }
}

#[test]
fn fields_are_joined_by_term_by_unit_and_with_a_cap() {
    let place = with(&many_threads(400, 7));
    let found = place.thread_pairs("threads.jsonl --pairs all");
    assert!(found.len() > 50, "{}", found.len());
    for join in ["term", "unit"] {
        let every = format!("threads.jsonl --pairs all --keys every --join {join}");
        assert!(place.thread_pairs(&every) == found, "{join}");
        assert_eq!(place.summary()["recall"]["exact"], json!(true));
    }
    let capped = place.thread_pairs("threads.jsonl --pairs all --keys every --posting-cap 3");
    assert!(capped.iter().all(|pair| found.contains(pair)));
    let because = place.summary()["recall"]["because"].to_string();
    assert!(because.contains("were left out"), "{because}");
    place
        .threads("threads.jsonl --keys every --join term --measure body=edit")
        .refused_with(&["join by term", "--join unit"]);
}

#[test]
fn every_pair_is_found_by_default() {
    let place = with(&many_threads(3000, 2));
    let found = place.thread_pairs("threads.jsonl --pairs all --audit 500");
    assert!(found.len() > 500);
    let summary = place.summary();
    assert_eq!(
        (&summary["audit"]["recall"], &summary["audit"]["precision"]),
        (&json!(1.0), &json!(1.0))
    );
    assert!(summary["audit"]["true_pairs"].as_u64().unwrap() > 50);
    assert_eq!(summary["recall"]["exact"], true);
    assert!(place.thread_pairs("threads.jsonl --pairs all --keys every") == found);
}

#[test]
fn threads_and_memory_cannot_be_seen_in_pairs_of_threads() {
    let place = with(&many_threads(20_000, 1));
    for options in ["", "--keep more --pairs all", "--keys minhash"] {
        let outcome = |resources: &str| {
            place
                .threads(&format!("threads.jsonl {options} {resources}"))
                .exits(0);
            bytes(&place.path("out"))
        };
        let expected = outcome("--threads 1 --memory 2GB");
        assert!(expected["removed.jsonl"].lines().count() > 3000);
        for resources in [
            "--threads 3",
            "--threads 1 --memory 100MB",
            "--threads 3 --memory 100MB",
        ] {
            assert!(outcome(resources) == expected, "{options} {resources}");
        }
    }
}

#[test]
fn pairs_are_listed_as_asked_for() {
    let copies = [
        thread("copy", ["How do I descale a kettle?", "", "Acid."]),
        thread("kopie", ["How do I descale a kettle?", "", "Acid."]),
    ];
    let place = with(&[kettles(), copies.to_vec()].concat());
    let listed =
        |pairs: &str| place.thread_pairs(&format!("threads.jsonl --threshold 0.4 --pairs {pairs}"));
    let all = listed("all");
    let expected = [
        ("short", "long"),
        ("short", "copy"),
        ("short", "kopie"),
        ("long", "copy"),
        ("long", "kopie"),
        ("长", "短"),
        ("copy", "kopie"),
    ];
    assert_eq!(ids(&all), expected);
    let auto = listed("auto");
    assert_eq!(
        ids(&auto),
        [
            expected[0],
            expected[1],
            expected[3],
            expected[5],
            expected[6]
        ]
    );
    let links = listed("links");
    assert_eq!(
        ids(&links),
        [expected[0], expected[3], expected[4], expected[5]]
    );
    // A copy is described as the one it is a copy of.
    assert_eq!(
        (&all[1].fields, all[1].similarity),
        (&all[2].fields, all[2].similarity)
    );
    assert_eq!(
        all[6].fields,
        json!({"title": 1.0, "body": null, "answer": 1.0})
    );
    assert!(
        links.iter().all(|link| all.contains(link)) && auto.iter().all(|pair| all.contains(pair))
    );
    assert!(listed("none").is_empty());
}

#[test]
fn new_threads_are_compared_with_known_ones() {
    let place = Place::new();
    let known: Vec<Value> = birthdays()
        .into_iter()
        .step_by(2)
        .chain(kettles())
        .collect();
    place.write("known.jsonl", lines(&known));
    place.write(
        "new.jsonl",
        lines(&[
            birthdays()[1].clone(),
            thread("n", ["Where is the sea?", "", "South of here."]),
            thread("n2", ["Where is the sea?", "", "South of here."]),
            thread(
                "壶",
                [
                    "How do I descale my kettle?",
                    "",
                    "Boil water with citric acid in it.",
                ],
            ),
        ]),
    );
    let pairs = place.thread_pairs("new.jsonl --against known.jsonl --deduplicated fresh.jsonl");
    assert_eq!(
        ids(&pairs),
        [("jay again", "jay"), ("壶", "short"), ("壶", "long")]
    );
    assert_eq!(pairs[2].more, "b");
    assert_eq!(removed(&place), ["jay again", "壶"]);
    assert_eq!(place.read("fresh.jsonl").lines().count(), 2);
}

#[test]
fn killed_again_and_again_threads_end_in_the_same_bytes() {
    let mut moments = Moments::new();
    let records = many_threads(6_000, 3);
    let (rounds, kills) = (2, 3);
    for options in [
        "--checkpoint-every 0",
        "--checkpoint-every 0 --memory 100MB --keep more --keys minhash",
    ] {
        let place = with(&records);
        let arguments = format!("threads.jsonl {options} --deduplicated clean.jsonl");
        place.threads(&arguments).exits(0);
        let expected = bytes(&place.path("out"));
        let clean = place.read("clean.jsonl");
        let mut killed = 0;
        for round in 0..rounds {
            let place = with(&records);
            let arguments = format!(
                "{arguments} {}",
                if round == 1 { "--work-dir work" } else { "" }
            );
            for _ in 0..kills {
                let command = place.command(&format!("threads --out out --quiet {arguments}"));
                killed += u32::from(moments.kill(&place, command));
            }
            place.threads(&arguments).exits(0);
            assert!(
                bytes(&place.path("out")) == expected,
                "{options}, round {round}"
            );
            assert!(place.read("clean.jsonl") == clean);
            assert!(!place.path("out/.lookalike").exists());
            assert!(round != 1 || place.names("work").is_empty());
        }
        assert!(killed > 0, "no run was killed");
    }
}

#[test]
fn a_popular_question_is_one_cluster() {
    let answer = "Turn it off, wait for a minute, turn it on again, and it will be as good as new";
    let popular = |number: usize| {
        let title = format!(
            "How do I restart the heating? {}",
            ["please", "谢谢", "help", "urgent"][number % 4]
        );
        let body = format!("It has been cold since day {number}.");
        thread(
            format!("{number}"),
            [
                &title,
                &body,
                &answer.replace("minute", &format!("minute{}", number % 30)),
            ],
        )
    };
    let mut records: Vec<Value> = (0..300).map(popular).collect();
    records.extend(kettles());
    let place = with(&records);
    for options in ["", "--keys minhash", "--pairs links"] {
        place
            .threads(&format!("threads.jsonl --remove-kinds all {options}"))
            .exits(0);
        let clusters = place.read("out/clusters.jsonl");
        let first: Value = serde_json::from_str(clusters.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["cluster"], &first["size"]),
            (&json!("0"), &json!(300)),
            "{options}"
        );
        assert_eq!(clusters.lines().count(), 3, "{options}");
    }
}
