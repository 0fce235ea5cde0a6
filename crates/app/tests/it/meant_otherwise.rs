//! Settings and files that say one thing and mean another: options that contradict each other, tables as spreadsheets write them,
//! a folder of one file, a list of pairs with lines that are none.

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str =
    "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail";
const HALL: &str = "没有人知道谁画了大厅的天花板直到人们在一层石灰下面发现了它而且保存得很好";

fn lines(texts: &[&str]) -> String {
    let line = |(id, text): (usize, &&str)| format!("{}\n", json!({"id": id + 1, "text": text}));
    texts.iter().enumerate().map(line).collect()
}

#[test]
fn what_is_only_part_of_a_text_is_never_kept_for_it() {
    let place = Place::new();
    let part = FERRY.split(" and ").next().unwrap();
    place.write("pages.jsonl", lines(&[part, FERRY, HALL]));
    for (other, named) in [
        ("--keep first", "--keep first"),
        ("--keep date", "--keep date"),
        ("-t 0.6", "--threshold 0.6"),
        ("--measure jaccard", "--measure jaccard"),
    ] {
        place
            .documents(&format!("pages.jsonl --remove contained {other}"))
            .refused_with(&["--remove contained", named, "leave one of the two out"]);
    }
    let found = place.clean_results("pages.jsonl --remove contained --keep longest");
    assert_eq!(found.removed, [(json!(1), json!(2), 1.0)]);
    place
        .run("recluster out --keep first -o again")
        .refused_with(&["--keep", "would remove the longer one"]);
    place.run("recluster out -o again").exits(0);
}

#[test]
fn a_table_of_a_spreadsheet_may_say_what_parts_its_cells() {
    let place = Place::new();
    place.write(
        "pages.csv",
        format!("sep=;\r\nid;text\r\n1;{FERRY}\r\n2;{FERRY}, 渡轮\r\n3;{FERRY}\r\n"),
    );
    let found = place.clean_results("pages.csv --deduplicated clean.csv --restart");
    assert_eq!(found.removed_ids(), ["2", "3"]);
    assert_eq!(
        place.read("clean.csv"),
        format!("sep=;\r\nid;text\r\n1;{FERRY}\r\n")
    );
    // What an index of rows is called is no text.
    place.write(
        "frame.csv",
        format!(",id,content\n{FERRY},1,{HALL}\n{FERRY},2,{HALL}\n"),
    );
    let ran = place.documents("frame.csv --restart").exits(0);
    assert!(ran.out.contains("\"content\""), "{}", ran.out);
    place
        .documents("frame.csv --text-field body --restart")
        .fails_with(&["\"body\", which --text-field names", "content"]);
}

#[test]
fn of_columns_with_one_name_the_first_is_read_and_said_so() {
    let place = Place::new();
    place.write(
        "pages.csv",
        format!("id,text,text\n1,a,{FERRY}\n2,b,{FERRY}\n"),
    );
    let ran = place.documents("pages.csv").exits(0);
    let told = "more than one column \"text\": only the first is read";
    assert!(ran.out.contains(told), "{}", ran.out);
}

#[test]
fn a_folder_or_a_glob_of_one_file_is_cleaned_into_a_folder_that_is_named() {
    let place = Place::new();
    place.write("day/one.jsonl", lines(&[FERRY, FERRY]));
    let run = |name: &str| place.documents(&format!("day/*.jsonl --restart --deduplicated {name}"));
    run("clean/").exits(0);
    assert_eq!(place.read("clean/one.jsonl"), lines(&[FERRY]));
    place.write("day/two.jsonl", lines(&[HALL]));
    run("clean").exits(0);
    assert_eq!(
        place.names("clean"),
        [".lookalike-cleaned", "one.jsonl", "two.jsonl"]
    );
    std::fs::remove_file(place.path("day/two.jsonl")).unwrap();
    run("clean").exits(0);
    assert_eq!(place.names("clean"), [".lookalike-cleaned", "one.jsonl"]);
    run("one").exits(0);
    assert_eq!(place.read("one"), lines(&[FERRY]));
    place.write("day/two.jsonl", lines(&[HALL]));
    run("one").fails_with(&["one", "with a / at its end"]);
    place
        .documents("day/one.jsonl --restart --deduplicated clean")
        .fails_with(&["clean", "it is a folder, but the input is one file"]);
}

#[test]
fn lines_of_a_list_that_are_no_pair_are_no_unreadable_files() {
    let place = Place::new();
    place.write("pages.jsonl", lines(&[FERRY, HALL]));
    place.write("list.jsonl", "{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":9}\nbad\n");
    place
        .run("passages pages.jsonl --pair-list list.jsonl --out out")
        .exits(3);
    let counts = &place.summary()["counts"];
    assert_eq!(counts["rejected"], 2);
    assert_eq!(counts["unreadable_parts"], 0);
}

#[test]
fn a_number_as_another_country_writes_it_is_told_as_it_is_meant() {
    let place = Place::new();
    place.write("pages.jsonl", lines(&[FERRY]));
    for (given, hint) in [("0,8", "0.8"), ("80%", "0.8"), ("high", "as in 0.8")] {
        let ran = place.documents(&format!("pages.jsonl -t {given}")).exits(2);
        assert!(
            ran.errors.contains(given) && ran.errors.contains(hint),
            "{}",
            ran.errors
        );
    }
}

#[test]
fn a_question_without_an_answer_is_looked_up_in_an_index_of_threads() {
    let place = Place::new();
    let thread =
        json!({"id": 1, "title": "How do I take the ferry at nine", "body": FERRY, "answer": HALL});
    place.write("threads.jsonl", format!("{thread}\n"));
    place
        .run("index create seen --job threads --quiet")
        .exits(0);
    place.run("index add seen threads.jsonl --quiet").exits(0);
    let question = json!({"id": 7, "title": "How do I take the ferry at nine", "body": FERRY});
    place.write("new.jsonl", format!("{question}\n"));
    let ran = place.run("index check seen new.jsonl --top 2").exits(0);
    assert!(
        ran.out.contains("ferry") || ran.out.contains('1'),
        "{}",
        ran.out
    );
    let of_file = place.run("index filter seen new.jsonl").exits(0);
    let of_stream = place.run_with("index filter seen", place.read("new.jsonl").as_bytes());
    assert_eq!(of_file.out, of_stream.exits(0).out);
    assert!(of_file.errors.contains("\"answer\""), "{}", of_file.errors);
}

#[test]
fn texts_of_an_index_are_named_after_it() {
    let place = Place::new();
    place.write("known.jsonl", lines(&[FERRY]));
    place.run("index create seen --quiet").exits(0);
    place.run("index add seen known.jsonl --quiet").exits(0);
    place.write("new.jsonl", lines(&[FERRY]));
    place.documents("new.jsonl --against seen").exits(0);
    let records = place.read("out/records.jsonl");
    assert!(
        records.contains("\"seen\"") && !records.contains("stdin"),
        "{records}"
    );
}

#[test]
fn copies_that_nobody_compares_are_no_records_in_pairs() {
    let place = Place::new();
    place.write("batch.jsonl", lines(&[FERRY, FERRY]));
    place.write("known.jsonl", lines(&[HALL]));
    place
        .documents("batch.jsonl --against known.jsonl")
        .exits(0);
    assert_eq!(place.read("out/records.jsonl"), "");
    place
        .documents("batch.jsonl --against known.jsonl --within --restart")
        .exits(0);
    let rows: Vec<Value> = (place.read("out/records.jsonl").lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
}

#[test]
fn a_result_is_not_judged_by_another_method_than_it_was_made_with() {
    let place = Place::new();
    place.write("pages.jsonl", lines(&[FERRY, FERRY, HALL]));
    place.write(
        "gold.jsonl",
        "{\"a\":1,\"b\":2,\"label\":1}\n{\"a\":1,\"b\":3,\"label\":0}\n",
    );
    place.documents("pages.jsonl").exits(0);
    for method in [
        "-t 0.8",
        "-t 0.95",
        "--features shingles:words:1",
        "--measure cosine",
    ] {
        place
            .run(&format!("judge out --gold gold.jsonl {method}"))
            .refused_with(&["out is judged as it is", "recluster", "--corpus"]);
    }
    place.run("judge out --gold gold.jsonl").exits(0);
    place.write(
        "gold.jsonl",
        "{\"a\":1,\"b\":2,\"duplicate\":1}\n{\"a\":1,\"b\":3,\"duplicate\":0}\n",
    );
    place.run("judge out --gold gold.jsonl").fails_with(&[
        "gold.jsonl, line 1",
        "\"duplicate\": 1",
        "call it label",
    ]);
}

#[test]
fn a_corpus_without_records_is_warned_of() {
    let place = Place::new();
    place.write("pages.jsonl", lines(&[FERRY]));
    place.write("known.jsonl", "");
    let ran = place
        .documents("pages.jsonl --against known.jsonl")
        .exits(0);
    let told = ran.out + &ran.errors;
    assert!(told.contains("the corpus has no records"), "{told}");
}

#[cfg(unix)]
#[test]
fn texts_are_compared_through_pipes() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_lookalike");
    let line = format!("'{program}' compare <(echo '{FERRY}') <(echo '{FERRY} 渡轮') --json");
    let ran = crate::support::ran(std::process::Command::new("bash").args(["-c", &line]));
    let compared: Value = serde_json::from_str(&ran.exits(0).out).unwrap();
    assert!(compared.is_object());
    place.run("index create seen --quiet").exits(0);
    place
        .run("index check seen /dev/null")
        .fails_with(&["/dev/null is not a regular file"]);
}

#[test]
fn questions_that_nobody_answered_are_compared_as_strictly_as_questions_alone() {
    let place = Place::new();
    let question = |id: u64, title: &str, answer: &str| {
        format!("{}\n", json!({"id": id, "title": title, "answer": answer}))
    };
    place.write(
        "forum.jsonl",
        question(1, "How do I clean a rusty 自行车 chain", "")
            + &question(2, "How do I clean a rusty old 自行车 chain fast", "")
            + &question(3, "How do I clean a rusty 自行车 chain", "")
            + &question(
                4,
                "Who paints a wooden door in the rain",
                "Nobody should do that.",
            ),
    );
    let removed = |more: &str| {
        place
            .run(&format!(
                "threads forum.jsonl --fields title,answer --out out --restart {more}"
            ))
            .exits(0);
        let rows = place.lines("removed.jsonl").into_iter();
        rows.map(|row| row["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(removed(""), [3]);
    assert_eq!(removed("--min-similarity title=0.5"), [2, 3]);
}
