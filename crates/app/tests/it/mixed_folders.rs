//! Folders as people have them: results of earlier runs among the input, shards that are cut short, tables of spreadsheets.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::support::Place;

const TEXT: &str =
    "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail";

/// Records with ids from `first` on and texts that say the number, but for the last, which is a copy of the first.
fn shard(first: usize, records: usize) -> String {
    let record = |number: usize| {
        let number = if number + 1 == records { 0 } else { number };
        let words: Vec<String> = (0..20)
            .map(|word| format!("w{}x{word}", first + number))
            .collect();
        words.join(" ")
    };
    (0..records)
        .map(|number| {
            format!(
                "{}\n",
                json!({"id": first + number, "text": record(number)})
            )
        })
        .collect()
}

#[test]
fn results_of_earlier_runs_are_no_part_of_a_folder() {
    let place = Place::new();
    place.write("corpus/a.jsonl", shard(0, 10));
    place
        .run("documents corpus --out corpus/first --with-text")
        .exits(0);
    place
        .run("documents corpus --out corpus/second --deduplicated corpus/clean")
        .exits(0);
    for _ in 0..2 {
        let ran = place
            .run("documents corpus --out third --deduplicated corpus/clean --json")
            .exits(0);
        let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(summary["counts"]["records"], 10);
        assert_eq!(summary["counts"]["removed"], 1);
    }
    // Named itself, it is read.
    place.run("documents corpus/first/pairs.jsonl --text-field text_a --out fourth");
    assert!(place.path("fourth").exists());
}

#[test]
fn results_are_not_written_into_the_folder_that_is_read() {
    let place = Place::new();
    place.write("corpus/a.jsonl", shard(0, 10));
    for arguments in [
        "corpus --out corpus",
        "corpus/a.jsonl --against corpus --out ./corpus",
    ] {
        place.run(&format!("documents {arguments}")).fails_with(&[
            "corpus",
            "also the folder that is read",
            "--out",
        ]);
        assert_eq!(place.names("corpus"), ["a.jsonl"]);
    }
}

#[test]
fn shards_that_are_cut_short_or_unreadable_are_told_apart_from_records() {
    let place = Place::new();
    place.write("corpus/a.jsonl", shard(0, 40));
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(shard(100, 4000).as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    place.write("corpus/b.jsonl.gz", &gzip[..gzip.len() / 2]);
    place.write("corpus/c.parquet", "PAR1, but nothing else");
    place.write(
        "corpus/d.jsonl",
        "{\"id\": 1001}\n{\"id\": 1002}\nno json\n",
    );
    let ran = place
        .run("documents corpus --out out --deduplicated clean")
        .exits(3);
    for part in [
        "incomplete",
        "2 files or parts of files could not be read",
        "corpus/b.jsonl.gz:",
        "cut short",
        "corpus/c.parquet: it cannot be read as parquet",
        "rejected          5, listed in",
        "(1 more like it)",
        "invalid JSON",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let counts = &place.results().summary["counts"];
    assert_eq!(counts["unreadable_parts"], 2);
    let number = |name: &str| counts[name].as_u64().unwrap();
    let records =
        number("kept") + number("removed") + number("rejected") - number("unreadable_parts");
    assert_eq!(records, number("records"));
    // Records without a text stay in the clean corpus, and the screen says so.
    assert!(
        ran.out.contains("and 2 that could not be compared"),
        "{}",
        ran.out
    );
    let kept = place.results().summary["cleaned_records"].as_u64().unwrap();
    assert_eq!(kept, number("kept") + 2);
}

#[test]
fn rejected_records_of_the_corpus_are_told_apart_from_those_of_the_input() {
    let place = Place::new();
    place.write("new.jsonl", shard(0, 10) + "{\"id\": 50}\n");
    place.write(
        "old.jsonl",
        shard(100, 10) + "{\"id\": 150}\n{\"id\": 151}\n",
    );
    let ran = place
        .run("documents new.jsonl --against old.jsonl --out out")
        .exits(3);
    assert!(
        ran.out.contains("3, 2 of them in the corpus"),
        "{}",
        ran.out
    );
    let counts = &place.results().summary["counts"];
    assert_eq!(counts["against_rejected"], 2);
    assert_eq!(counts["kept"], 10);
}

#[test]
fn a_batch_that_is_part_of_the_corpus_is_told() {
    let place = Place::new();
    place.write("corpus/a.jsonl", shard(0, 10));
    let ran = place
        .run("documents corpus/a.jsonl --against corpus --out out")
        .exits(0);
    let told = "corpus/a.jsonl is both in the input and in the corpus";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn several_inputs_are_not_cleaned_into_the_name_of_a_file() {
    let place = Place::new();
    place.write("a.jsonl", shard(0, 10));
    place.write("b.jsonl", shard(100, 10));
    place
        .run("documents a.jsonl b.jsonl --out out --deduplicated clean.jsonl")
        .fails_with(&["clean.jsonl", "the name of a file", "name a folder"]);
    assert!(!place.path("clean.jsonl").exists() && !place.path("out").exists());
}

#[test]
fn what_is_rejected_of_single_files_names_the_file() {
    let place = Place::new();
    place.write("notes/a.txt", TEXT);
    place.write("notes/b.txt", TEXT);
    place.write(
        "c.jsonl",
        "{\"key\": \"k\", \"text\": \"a ferry and a harbour\"}\n".repeat(5),
    );
    place
        .run("documents c.jsonl notes --id-field key --out out")
        .exits(3);
    let rejected = place.lines("rejected.jsonl");
    let sources: Vec<_> = rejected
        .iter()
        .map(|row| row["source"].as_str().unwrap())
        .collect();
    assert_eq!(sources, ["notes/a.txt", "notes/b.txt"]);
}

#[test]
fn tables_with_semicolons_are_read_and_cleaned_as_they_are() {
    let place = Place::new();
    let table =
        format!("id;text\n1;\"{TEXT}; again\"\n2;{TEXT}, again\n3;something else, at last\n");
    place.write("sheet.csv", &table);
    place
        .run("documents sheet.csv --out out --deduplicated clean.csv")
        .exits(0);
    assert_eq!(place.results().count("removed"), 1);
    let clean = format!("id;text\n1;\"{TEXT}; again\"\n3;something else, at last\n");
    assert_eq!(place.read("clean.csv"), clean);
}

#[test]
fn annotated_records_are_lines_of_json_whatever_the_input_holds() {
    let place = Place::new();
    place.write("a.jsonl", shard(0, 10) + "no json\n[1]\n" + &shard(100, 3));
    place
        .run("documents a.jsonl --out out --annotate annotated.jsonl")
        .exits(3);
    let annotated = place.read("annotated.jsonl");
    let annotated: Vec<serde_json::Value> = (annotated.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(annotated.len(), 13);
    assert!(
        annotated
            .iter()
            .all(|record| record["lookalike"]["kept"].is_boolean())
    );
    let removed = annotated
        .iter()
        .filter(|record| record["lookalike"]["kept"] == false);
    assert_eq!(
        removed
            .map(|record| record["id"].clone())
            .collect::<Vec<_>>(),
        [9, 102]
    );
}

#[test]
fn a_field_that_ranks_nothing_decides_nothing() {
    let place = Place::new();
    let record = |number| format!("{}\n", json!({"id": number, "text": TEXT, "origin": "web"}));
    place.write("a.jsonl", (0..4).map(record).collect::<String>());
    place
        .run("documents a.jsonl --out out --keep origin")
        .fails_with(&[
            "no record has a number or a date in the field \"origin\"",
            "--keep",
            "--lenient",
        ]);
    assert!(!place.path("out").exists());
    place
        .run("documents a.jsonl --out out --keep origin --lenient")
        .exits(0);
}

#[test]
fn a_misspelt_field_of_titles_dates_or_references_is_an_error() {
    let place = Place::new();
    place.write(
        "a.jsonl",
        format!("{}\n", json!({"id": 1, "title": "Ferry", "text": TEXT})),
    );
    for option in [
        "--title-field titel",
        "--date-field titel",
        "--reference-field titel",
    ] {
        let name = option.split(' ').next().unwrap();
        let named = format!("\"titel\", which {name} names");
        place
            .run(&format!("sentences a.jsonl --out out {option}"))
            .fails_with(&[&named, "did you mean \"title\"?"]);
    }
}

#[test]
fn an_option_of_another_command_is_told_as_such() {
    let place = Place::new();
    for (arguments, told) in [
        (
            "documents a.jsonl --templates",
            "documents has no option --templates, but these have: ",
        ),
        ("threads a.jsonl --field title", "use --fields"),
        (
            "index filter known --threshold 0.5",
            "index filter has no option --threshold, but these have: documents",
        ),
        ("documents a.jsonl --field body", "use --text-field"),
    ] {
        let ran = place.run(arguments).exits(2);
        assert!(ran.errors.contains(told), "{}", ran.errors);
    }
}

#[test]
fn results_among_the_shards_are_not_read_and_the_shards_are() {
    let place = Place::new();
    place.write("corpus/a.jsonl", shard(0, 10));
    place.write("corpus/sub/b.jsonl", shard(100, 10));
    for (input, out) in [
        ("corpus/a.jsonl", "corpus"),
        ("corpus/sub/b.jsonl", "corpus/sub"),
    ] {
        let clean = format!("--deduplicated {out}/clean.jsonl");
        place
            .run(&format!("documents {input} --out {out} {clean} --quiet"))
            .exits(0);
    }
    let ran = place.run("documents corpus --out third --json").exits(0);
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(summary["counts"]["records"], 20);
    assert_eq!(summary["counts"]["rejected"], 0);
}

#[test]
fn files_that_are_a_record_each_are_of_the_source_that_is_their_folder() {
    let place = Place::new();
    for file in ["mails/one.txt", "mails/two.txt", "letters/one.txt"] {
        place.write(file, TEXT);
    }
    place.write("a.jsonl", json!({"id": 1, "text": TEXT}).to_string() + "\n");
    let ran = place.run("documents a.jsonl letters mails --json").exits(0);
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let lost = json!([{"source": "mails", "records": 2, "removed": 2}]);
    assert_eq!(summary["lost_sources"], lost);
    assert_eq!(summary["sources"].as_array().unwrap().len(), 3);
}

#[test]
fn a_corpus_that_was_cleaned_out_of_a_folder_is_no_part_of_it() {
    let place = Place::new();
    place.write("all/a.jsonl", shard(0, 10));
    place.write("all/z.jsonl", shard(50, 10));
    let records = |arguments: &str| {
        let ran = place.run(&format!("documents {arguments} --json")).exits(0);
        let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        summary["counts"]["records"].as_u64().unwrap()
    };
    assert_eq!(records("all --deduplicated all/clean"), 20);
    assert_eq!(records("all --deduplicated all/again"), 20);
    assert_eq!(records("all --deduplicated clean"), 20);
    assert_eq!(records(". --out found --deduplicated other"), 20);
    // Named itself, it is read; and so is one beside which there is nothing of the kind.
    assert_eq!(records("all/clean --out third"), 18);
    std::fs::create_dir(place.path("kept")).unwrap();
    std::fs::rename(place.path("clean"), place.path("kept/clean")).unwrap();
    assert_eq!(records("kept --out fourth"), 18);
}

#[test]
fn a_file_is_read_once_however_it_is_named() {
    let place = Place::new();
    place.write("all/a.jsonl", shard(0, 10));
    let ran = place
        .run("documents all/a.jsonl ./all/a.jsonl ./all --json")
        .exits(0);
    let summary: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(summary["counts"]["records"], 10);
}
