//! The page that shows a result: what goes into it, and where it is written.

use std::fs;

use serde_json::{Value, json};

use crate::support::Place;

const FERRY: &str = "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail and the bread";

/// Groups of three records, the third of each a little different.
fn corpus(groups: usize) -> String {
    let line = |group: usize, member: usize| {
        let words: Vec<String> = (0..12).map(|n| format!("w{}", group * 12 + n)).collect();
        let last = ["渡轮", "渡轮", "旧港"][member];
        let record = json!({"id": format!("g{group}m{member}"), "text": format!("{} {last}", words.join(" "))});
        format!("{record}\n")
    };
    let groups = (0..groups).flat_map(|group| (0..3).map(move |member| line(group, member)));
    groups.collect()
}

const OPTIONS: &str = "--threshold 0.5 --features shingles:words:2 --quiet";

/// What a page holds.
fn data(place: &Place, page: &str) -> Value {
    let page = place.read(page);
    let (_, after) = page
        .split_once("<script type=\"application/json\" id=\"data\">")
        .unwrap();
    let (json, _) = after.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// The same without what may be another in every run.
fn without_timings(mut data: Value) -> Value {
    let about = data["about"].as_object_mut().unwrap();
    for timing in [
        "seconds",
        "total_seconds",
        "peak_memory",
        "stage_memory",
        "threads",
        "memory",
    ] {
        assert!(about.remove(timing).is_some(), "{timing}");
    }
    about["counts"]
        .as_object_mut()
        .unwrap()
        .remove("candidate_pairs");
    data
}

fn rows(data: &Value, table: &str) -> usize {
    data[table]["rows"].as_array().unwrap().len()
}

#[test]
fn every_run_writes_a_report_that_its_summary_knows() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(4));
    place.documents(&format!("pages.jsonl {OPTIONS}")).exits(0);
    let summary = place.results().summary;
    let size = fs::metadata(place.path("out/report.html")).unwrap().len();
    assert_eq!(summary["files"]["report.html"]["bytes"], json!(size));
    assert!(summary["seconds"]["report"].is_number());
    let data = data(&place, "out/report.html");
    assert_eq!(data["clusters"]["all"], 4);
    assert_eq!(data["pairs"]["all"], data["about"]["counts"]["pairs"]);
    assert_eq!(data["without_texts"], Value::Null);
    // Without it an earlier one goes, too.
    place
        .documents(&format!("pages.jsonl {OPTIONS} --no-report"))
        .exits(0);
    assert!(!place.path("out/report.html").exists());
    assert!(place.results().summary["files"]["report.html"].is_null());
}

#[test]
fn a_report_knows_the_bytes_saved_and_the_sources_that_a_field_names() {
    let place = Place::new();
    let text = "渡船每天早上九点离开旧码头，中午带着信和面包回来。".repeat(3);
    let line = |id: u32, site: &str| format!("{}\n", json!({"id": id, "site": site, "text": text}));
    place.write(
        "pages.jsonl",
        line(1, "甲") + &line(2, "乙") + &line(3, "乙"),
    );
    place
        .documents("pages.jsonl --source-field site --quiet")
        .exits(0);
    let page = data(&place, "out/report.html");
    assert_eq!(page["removed"]["bytes"], json!(2 * text.len()));
    assert_eq!(page["units"]["origins"], json!(["甲", "乙"]));
    let records = place.read("out/records.jsonl");
    assert!(
        records.contains(&format!("\"bytes\":{}", text.len())),
        "{records}"
    );
    assert!(records.contains("\"origin\":\"乙\""), "{records}");
    place.run("report out --anonymous -o hidden.html").exits(0);
    let hidden = data(&place, "hidden.html");
    assert_eq!(hidden["units"]["origins"], json!(["source 1", "source 2"]));
}

#[test]
fn a_report_is_the_same_with_any_threads_and_made_again() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(300));
    let mut pages = Vec::new();
    for threads in ["1", "3"] {
        place
            .documents(&format!(
                "pages.jsonl {OPTIONS} --threads {threads} --report-limit 40 --audit 30"
            ))
            .exits(0);
        pages.push(without_timings(data(&place, "out/report.html")));
    }
    place.run("report out --report-limit 40").exits(0);
    pages.push(without_timings(data(&place, "out/report.html")));
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0], pages[2]);
    // A later run may replace it.
    place.documents(&format!("pages.jsonl {OPTIONS}")).exits(0);
}

#[test]
fn a_page_holds_a_sample_and_counts_everything() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(300));
    place
        .documents(&format!("pages.jsonl {OPTIONS} --report-limit 40"))
        .exits(0);
    let data = data(&place, "out/report.html");
    assert_eq!(data["clusters"]["all"], 300);
    assert_eq!(data["clusters"]["size"].as_array().unwrap().len(), 40);
    let pairs = place.results().pairs;
    assert_eq!(data["pairs"]["all"], json!(pairs.len()));
    assert!(
        (40..=120).contains(&rows(&data, "pairs")),
        "{}",
        rows(&data, "pairs")
    );
    let counted: u64 = (data["steps"]["pairs"].as_array().unwrap().iter())
        .map(|step| step.as_u64().unwrap())
        .sum();
    assert_eq!(counted, pairs.len() as u64);
    // Those nearest to the threshold are among them.
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(2.0, f64::min);
    let shown = data["pairs"]["rows"].as_array().unwrap();
    let shown = least(&mut shown.iter().map(|row| row["similarity"].as_f64().unwrap()));
    assert_eq!(shown, least(&mut pairs.iter().map(|pair| pair.2)));
}

#[test]
fn a_page_never_takes_more_than_five_megabytes() {
    let place = Place::new();
    let long = |id: usize| {
        let words: Vec<String> = (0..1500).map(|n| format!("词{}", id * 1500 + n)).collect();
        let line = |copy: usize| json!({"id": format!("{id}-{copy}"), "text": format!("{} {copy}", words.join(" "))});
        format!("{}\n{}\n", line(0), line(1))
    };
    place.write("pages.jsonl", (0..500).map(long).collect::<String>());
    place.documents("pages.jsonl --quiet").exits(0);
    let size = fs::metadata(place.path("out/report.html")).unwrap().len();
    assert!((1_000_000..=5_000_000).contains(&size), "{size}");
    let data = data(&place, "out/report.html");
    let texts = data["units"]["text"].as_object().unwrap().len();
    assert!((50..900).contains(&texts), "{texts}");
    assert_eq!(data["clusters"]["size"].as_array().unwrap().len(), 500);
}

#[test]
fn names_stay_out_of_an_anonymous_report() {
    let place = Place::new();
    place.write("secret-name.jsonl", corpus(3));
    place
        .documents(&format!("secret-name.jsonl {OPTIONS} --anonymous"))
        .exits(0);
    let page = place.read("out/report.html");
    for name in ["secret-name", "g0m1", "g2m2"] {
        assert!(!page.contains(name), "{name}");
    }
    assert!(page.contains("record 1") && page.contains("source 1") && page.contains("旧港"));
}

#[test]
fn a_report_without_its_input_says_so() {
    let place = Place::new();
    let lines: String = [FERRY.to_string(), FERRY.replace("nine", "ten")]
        .iter()
        .map(|text| format!("{}\n", json!({"text": text})))
        .collect();
    let options = "- --threshold 0.5 --features shingles:words:2 --quiet --format jsonl";
    place.documents_from(lines.as_bytes(), options).exits(0);
    // The run itself has what it read.
    let run = data(&place, "out/report.html");
    assert_eq!(run["without_texts"], Value::Null);
    assert_eq!(run["units"]["text"]["0"], json!(FERRY));
    // Who has a page with texts does not lose them by a slip.
    place.run("report out").fails_with(&[
        "out/report.html has texts, and a new one would have none",
        "standard input",
        "--out FILE",
        "--force",
    ]);
    assert_eq!(data(&place, "out/report.html"), run);
    let ran = place.run("report out -o other.html").exits(0);
    let said =
        "warning: the report has no texts: - was standard input, which cannot be read again\n";
    assert_eq!(ran.errors, said);
    assert_eq!(
        data(&place, "other.html")["without_texts"],
        "- was standard input, which cannot be read again"
    );
    let answer = place.run("report out --force --json").exits(0).out;
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let again = data(&place, "out/report.html");
    assert_eq!(answer["without_texts"], again["without_texts"]);
    let problem = again["without_texts"].as_str().unwrap();
    assert!(problem.contains("cannot be read again"), "{problem}");
    assert_eq!(rows(&again, "pairs"), 1);
}

#[test]
fn results_of_every_format_have_the_same_report() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(20));
    let mut pages = Vec::new();
    for format in ["jsonl", "csv", "parquet"] {
        place
            .documents(&format!(
                "pages.jsonl {OPTIONS} --audit 30 --output-format {format}"
            ))
            .exits(0);
        assert!(place.path(&format!("out/pairs.{format}")).exists());
        let is_jsonl = format == "jsonl";
        assert_eq!(place.path("out/pairs.jsonl").exists(), is_jsonl, "{format}");
        pages.push(without_timings(data(&place, "out/report.html")));
        place.run("report out").exits(0);
        pages.push(without_timings(data(&place, "out/report.html")));
        place
            .run("recluster out --out again --threshold 0.9")
            .exits(0);
        assert_eq!(data(&place, "again/report.html")["clusters"]["all"], 20);
        fs::remove_dir_all(place.path("again")).unwrap();
    }
    // Marks go with the file of pairs, which is another one for every format.
    assert_eq!(pages[0]["about"]["result"], pages[1]["about"]["result"]);
    assert_eq!(pages[2]["about"]["result"], pages[3]["about"]["result"]);
    for page in &mut pages {
        page["about"]["result"] = Value::Null;
    }
    for page in &pages[1..] {
        assert_eq!(*page, pages[0]);
    }
}

#[test]
fn a_result_with_texts_has_a_report_without_its_input() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(4));
    for format in ["jsonl", "parquet"] {
        place.write("pages.jsonl", corpus(4));
        place
            .documents(&format!(
                "pages.jsonl {OPTIONS} --with-text --output-format {format}"
            ))
            .exits(0);
        let before = data(&place, "out/report.html");
        fs::remove_file(place.path("pages.jsonl")).unwrap();
        place.run("report out").exits(0);
        let after = data(&place, "out/report.html");
        assert_eq!(after["without_texts"], Value::Null);
        assert_eq!(after["units"]["text"], before["units"]["text"]);
        assert!(after["pairs"]["rows"][0]["row"]["text_a"].is_null());
    }
}

#[test]
fn a_report_knows_the_corpus_of_each_record() {
    let place = Place::new();
    let all = corpus(4);
    let lines: Vec<&str> = all.lines().collect();
    place.write("corpus.jsonl", format!("{}\n", lines[0]));
    place.write("batch.jsonl", format!("{}\n", lines[1..].join("\n")));
    place
        .documents(&format!(
            "batch.jsonl --against corpus.jsonl --within {OPTIONS}"
        ))
        .exits(0);
    let data = data(&place, "out/report.html");
    let ids = data["units"]["id"].as_array().unwrap();
    let against: Vec<&Value> = (data["units"]["against"].as_array().unwrap().iter())
        .map(|unit| &ids[unit.as_u64().unwrap() as usize])
        .collect();
    assert_eq!(against, ["\"g0m0\""]);
    assert_eq!(ids.len(), 12);
    assert_eq!(data["units"]["text"].as_object().unwrap().len(), 12);
}

#[test]
fn a_report_of_somebody_else_is_not_replaced() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(2));
    place.write("out/report.html", "<p>mine</p>");
    place
        .documents(&format!("pages.jsonl {OPTIONS}"))
        .fails_with(&["report.html"]);
    assert_eq!(place.read("out/report.html"), "<p>mine</p>");
    place
        .documents(&format!("pages.jsonl {OPTIONS} --force"))
        .exits(0);
    place.write("out/report.html", "<p>mine again</p>");
    place.run("report out").fails_with(&["report.html"]);
    place.write("mine.html", "<p>mine</p>");
    place
        .run("report out --output mine.html")
        .fails_with(&["mine.html"]);
    let told = place.run("report out --output other.html").exits(0).out;
    assert_eq!(told, "report            other.html\n");
    place.run("report out --output other.html").exits(0);
    place
        .run("report nowhere")
        .fails_with(&["nowhere holds no finished result"]);
}

#[test]
fn two_results_are_compared() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(20));
    place.documents(&format!("pages.jsonl {OPTIONS}")).exits(0);
    let options = OPTIONS.replace("0.5", "0.95");
    place
        .run(&format!("documents pages.jsonl --out strict {options}"))
        .exits(0);
    place
        .run("report strict --with out --output changes.html")
        .exits(0);
    let changes = &data(&place, "changes.html")["changes"];
    let all = place.results().pairs;
    let identical = all.iter().filter(|pair| pair.2 >= 0.95).count();
    assert_eq!(
        changes["pairs"],
        json!({"both": identical, "here": 0, "there": all.len() - identical})
    );
    assert_eq!(changes["rescored"], 0);
    assert_eq!(
        changes["removed"],
        json!({"both": 20, "here": 0, "there": 20})
    );
    assert_eq!(changes["settings"], json!([["threshold", "0.95", "0.5"]]));
    assert_eq!(
        rows(&json!({"t": {"rows": changes["pairs_there"]}}), "t"),
        all.len() - identical
    );
}

#[test]
fn results_of_different_jobs_are_not_compared() {
    let place = Place::new();
    place.write("pages.jsonl", corpus(3));
    place.documents("pages.jsonl --quiet").exits(0);
    place
        .run("messages pages.jsonl --out other --quiet")
        .exits(0);
    place
        .run("report out --with other --out page.html")
        .fails_with(&[
            "other cannot be used: it is a result of messages, and out is one of documents",
        ]);
    assert!(!place.path("page.html").exists());
}

#[test]
fn an_audit_keeps_what_is_just_below_the_threshold_and_what_was_missed() {
    let place = Place::new();
    let words = |changed: usize| {
        let words: Vec<String> = (0..20)
            .map(|n| format!("{}{n}", if n < changed { "x" } else { "w" }))
            .collect();
        words.join(" ")
    };
    // With the two characters at the end there are 22 words, of which so many differ.
    let lines = (0..8).map(|n| {
        format!(
            "{}\n",
            json!({"id": n, "text": format!("{} 渡轮", words(n))})
        )
    });
    place.write("pages.jsonl", lines.collect::<String>());
    let options = "pages.jsonl --features shingles:words:1 --threshold 0.8 --audit 100 --quiet";
    place.documents(options).exits(0);
    let audited = place.lines("audited.jsonl");
    assert!(!audited.is_empty());
    for row in &audited {
        let similarity = row["similarity"].as_f64().unwrap();
        assert!((0.7..0.8).contains(&similarity), "{row}");
        assert_eq!(row["missed"], false);
    }
    let jaccard = |a: u64, b: u64| {
        let different = a.abs_diff(b) as f64;
        (22.0 - different) / (22.0 + different)
    };
    let expected: Vec<(u64, u64)> = (0..8)
        .flat_map(|a| (a + 1..8).map(move |b| (a, b)))
        .filter(|&(a, b)| (0.7..0.8).contains(&jaccard(a, b)))
        .collect();
    let found: Vec<(u64, u64)> = (audited.iter())
        .map(|row| (row["a"].as_u64().unwrap(), row["b"].as_u64().unwrap()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(
        rows(&data(&place, "out/report.html"), "audited"),
        expected.len()
    );
    // Keys that find little: what they miss is told.
    place
        .documents(&format!("{options} --bands 1 --rows 16 --keys minhash"))
        .exits(0);
    let missed = place.lines("audited.jsonl");
    let missed = missed.iter().filter(|row| row["missed"] == true).count();
    let audit = &place.results().summary["audit"];
    let [all, found] = ["true_pairs", "found_pairs"].map(|name| audit[name].as_u64().unwrap());
    // Each is seen from both of its records.
    assert_eq!(2 * missed as u64, all - found);
}

#[cfg(unix)]
#[test]
fn the_report_is_opened_where_that_is_asked_for() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("pages.jsonl", corpus(1));
    place.write(
        "browser",
        "#!/bin/sh\nprintf '%s' \"$1\" > opened.part && mv opened.part opened\n",
    );
    let browser = place.path("browser");
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(&format!("documents pages.jsonl --out out {OPTIONS} --open"));
    assert!(command.env("BROWSER", &browser).status().unwrap().success());
    for _ in 0..1000 {
        if place.path("opened").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(place.read("opened").ends_with("out/report.html"));
}
