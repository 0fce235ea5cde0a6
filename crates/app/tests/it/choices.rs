//! What else can be done with duplicates: annotate them, explore thresholds, keep one a source, remove what is contained.

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str = "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail and the bread";
const HALL: &str = "没有人知道谁画了大厅的天花板直到人们在一层石灰下面发现了它而且保存得很好";

fn write(place: &Place, name: &str, records: &[(&str, &str)]) {
    let line = |(id, (text, site)): (usize, &(&str, &str))| {
        format!("{}\n", json!({"id": id + 1, "text": text, "site": site}))
    };
    place.write(
        name,
        records.iter().enumerate().map(line).collect::<String>(),
    );
}

#[test]
fn standard_input_is_not_annotated_and_that_is_known_before_the_work() {
    let place = Place::new();
    let line = format!("{}\n", json!({"id": 1, "text": FERRY}));
    place
        .run_with(
            "documents - --format jsonl --annotate all.jsonl --out out",
            line.as_bytes(),
        )
        .fails_with(&["all.jsonl", "write it to a file first"]);
    assert!(!place.path("out/summary.json").exists());
}

#[test]
fn an_annotated_input_has_every_record_with_its_cluster() {
    let place = Place::new();
    write(
        &place,
        "pages.jsonl",
        &[
            (FERRY, "a"),
            (HALL, "a"),
            (FERRY, "b"),
            (HALL, "b"),
            (HALL, "c"),
            ("", "d"),
        ],
    );
    place.write("pages.jsonl", place.read("pages.jsonl") + "not JSON\n");
    place
        .documents("pages.jsonl --annotate all.jsonl --quiet")
        .exits(3);
    let all = place.read("all.jsonl");
    let lines: Vec<&str> = all.lines().collect();
    // A line that is not JSON is left out.
    assert_eq!(lines.len(), 6);
    let said: Vec<Value> = (lines.iter())
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["lookalike"].clone())
        .collect();
    assert_eq!(
        said[0],
        json!({"cluster": 1, "size": 2, "kept": true, "of": null, "similarity": null})
    );
    assert_eq!(
        said[2],
        json!({"cluster": 1, "size": 2, "kept": false, "of": 1, "similarity": 1.0})
    );
    assert_eq!(
        said[4],
        json!({"cluster": 2, "size": 3, "kept": false, "of": 2, "similarity": 1.0})
    );
    assert_eq!(
        said[5],
        json!({"cluster": null, "size": 1, "kept": true, "of": null, "similarity": null})
    );
    assert!(lines[0].starts_with("{\"id\":1,"), "{}", lines[0]);
    // The same again replaces it, and leaves nothing else; a file of the user's stays.
    place
        .documents("pages.jsonl --annotate all.jsonl --quiet")
        .exits(3);
    assert!(!place.path("out/.lookalike").exists());
    place.write("mine.jsonl", "mine\n");
    // So does one that a run into another folder wrote, or that was edited.
    place.write("edited.jsonl", all.replace("true", "false"));
    for mine in ["mine.jsonl", "edited.jsonl", "all.jsonl"] {
        let before = place.read(mine);
        place
            .run(&format!(
                "documents pages.jsonl --annotate {mine} --out other"
            ))
            .fails_with(&[mine, "holds something else"]);
        assert_eq!(place.read(mine), before);
    }
    place.write("all.jsonl", all.replace("true", "false"));
    place
        .documents("pages.jsonl --annotate all.jsonl")
        .fails_with(&["all.jsonl", "holds something else"]);
    place
        .documents("pages.jsonl --annotate all.jsonl --force")
        .exits(3);
    assert_eq!(place.read("all.jsonl"), all);
    place
        .documents("pages.jsonl --annotate all.jsonl.gz")
        .fails_with(&["not compressed", "leave .gz out"]);
    // What no run has read is not called kept.
    place
        .documents("pages.jsonl --annotate first.jsonl --limit 2")
        .exits(0);
    assert_eq!(place.read("first.jsonl").lines().count(), 2);
    place.write("pages.csv", "id,text\n1,a\n");
    place
        .documents("pages.csv --annotate all.csv")
        .fails_with(&["pages.csv", "csv", "removed.jsonl"]);
    place
        .run("passages pages.jsonl --annotate x.jsonl --out out")
        .refused_with(&["--annotate", "passages removes none"]);
}

#[test]
fn one_record_stays_for_each_source() {
    let place = Place::new();
    write(
        &place,
        "pages.jsonl",
        &[
            (FERRY, "a"),
            (FERRY, "b"),
            (FERRY, "a"),
            (HALL, "b"),
            (FERRY, "b"),
            (HALL, "a"),
        ],
    );
    for options in ["", "--keep first --threads 2", "--keys minhash"] {
        let results = place.clean_results(&format!("pages.jsonl --keep-per site {options}"));
        assert_eq!(results.removed_ids(), [3, 5], "{options}");
    }
    let results = place.clean_results("pages.jsonl --keep-per site --keep last");
    assert_eq!(results.removed_ids(), [1, 2]);
    assert_eq!(
        place.clean_results("pages.jsonl").removed_ids(),
        [2, 3, 5, 6]
    );
    place
        .documents("pages.jsonl --keep-per sites")
        .fails_with(&["did you mean \"site\"?", "--keep-per"]);
    place
        .run("sentences pages.jsonl --keep-per site --out out")
        .refused_with(&["--keep-per", "removes nothing"]);
}

#[test]
fn only_what_is_part_of_a_longer_text_is_removed() {
    let place = Place::new();
    let part = FERRY.split(" and ").next().unwrap();
    let changed = FERRY.replace("nine", "ten");
    write(
        &place,
        "pages.jsonl",
        &[(part, ""), (FERRY, ""), (&changed, ""), (HALL, "")],
    );
    let results = place.clean_results("pages.jsonl --remove contained");
    assert_eq!(results.removed, [(json!(1), json!(2), 1.0)]);
}

#[test]
fn exploring_tells_what_each_threshold_removes() {
    let place = Place::new();
    let changed = FERRY.replace("nine", "ten");
    write(
        &place,
        "pages.jsonl",
        &[(FERRY, ""), (&changed, ""), (FERRY, ""), (HALL, "")],
    );
    let ran = place
        .documents("pages.jsonl --explore --features shingles:words:1 --json")
        .exits(0);
    let rows: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 10);
    let removed: Vec<u64> = rows
        .iter()
        .map(|row| row["removed"].as_u64().unwrap())
        .collect();
    assert_eq!(removed, [2, 2, 2, 2, 2, 2, 2, 2, 1, 1]);
    for (row, threshold) in rows.iter().zip([0.5, 0.55]) {
        assert_eq!(row["threshold"], threshold);
    }
    let ran = place.documents("pages.jsonl --explore").exits(0);
    assert!(
        ran.out.contains("lookalike recluster out -t 0.8") && ran.out.contains("0.95"),
        "{}",
        ran.out
    );
    // An example has the words that differ.
    assert!(ran.out.contains(" → "), "{}", ran.out);
}

#[test]
fn short_help_is_short_and_names_only_the_defaults_of_its_command() {
    let place = Place::new();
    for job in ["documents", "threads", "sentences", "passages", "messages"] {
        let short = place.run(&format!("{job} -h")).exits(0).out;
        assert!(
            short.lines().count() <= 40,
            "{job}: {}",
            short.lines().count()
        );
        assert_eq!(short.matches("\n  lookalike ").count(), 3, "{short}");
        let long = place.run(&format!("{job} --help")).exits(0).out;
        assert!(long.lines().count() > 100);
        for other in ["threads 0.5", "messages words", "sentences shingles"] {
            assert!(!long.contains(other), "{job}: {other}");
        }
        for other in ["for threads", "for passages", "For documents and messages"] {
            assert!(!long.contains(other), "{job}: {other}");
        }
    }
    assert!(
        place
            .run("threads -h")
            .exits(0)
            .out
            .contains("[default: 0.5]")
    );
}

#[test]
fn one_vocabulary_holds_for_all_commands_and_old_names_still_work() {
    let place = Place::new();
    write(&place, "pages.jsonl", &[(FERRY, ""), (FERRY, "")]);
    place
        .run("documents pages.jsonl -t 0.9 -o out --no-progress --color never")
        .exits(0);
    for name in ["min-characters", "least-characters"] {
        place
            .run(&format!("sentences pages.jsonl -o out --{name} 30 -q"))
            .exits(0);
    }
    place
        .run("lexicon build pages.jsonl --out words -q")
        .exits(0);
    place
        .run("lexicon build pages.jsonl --output words -q")
        .exits(0);
    for (typed, meant) in [
        ("--num-perm", "--keys minhash:N"),
        ("--output", "--out DIR"),
        ("--dedupe", "--deduplicated FILE"),
    ] {
        let ran = place
            .run(&format!("documents pages.jsonl {typed} 5"))
            .exits(2);
        assert!(ran.errors.contains(meant), "{}", ran.errors);
        assert!(
            ran.errors.contains("Usage: lookalike documents"),
            "{}",
            ran.errors
        );
    }
    let ran = place.run("dedup pages.jsonl").exits(2);
    assert!(
        ran.errors.contains("use lookalike documents INPUT"),
        "{}",
        ran.errors
    );
}
