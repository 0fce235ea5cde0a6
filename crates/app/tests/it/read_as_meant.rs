//! Files that are not quite what their names say: tables with other delimiters or without names of columns, pages without an
//! ending, arrays among lines. Whatever is not read is told, and nothing is read as what it is not.

use serde_json::{Value, json};

use crate::support::Place;

const TEXTS: [&str; 3] = [
    "The ferry leaves the old harbour at nine every morning and comes back at noon.",
    "Nobody knows who painted the ceiling of the hall, which was found under a layer of lime.",
    "新码头在市场旁边，五月开始建造，不到一年就完工了，渡轮每天九点出发。",
];

#[test]
fn a_table_is_parted_by_what_its_first_row_is_parted_by() {
    let place = Place::new();
    for (name, mark) in [
        ("comma", ','),
        ("semicolon", ';'),
        ("tab", '\t'),
        ("pipe", '|'),
    ] {
        let row = |cells: [&str; 3]| format!("{}\n", cells.join(&mark.to_string()));
        let table = row(["id", "text", "note, short"].map(|cell| match mark {
            ',' => {
                if cell == "note, short" {
                    "\"note, short\""
                } else {
                    cell
                }
            }
            _ => cell,
        }));
        let quoted = format!("\"{}\nand {mark} back\"", TEXTS[0]);
        let table = table
            + &row(["1", &quoted, "x"])
            + &row(["2", TEXTS[2], "y"])
            + &row(["3", &quoted, ""]);
        place.write(&format!("{name}.csv"), &table);
        let results = place.clean_results(&format!("{name}.csv --deduplicated clean-{name}.csv"));
        assert_eq!(results.count("records"), 3, "{name}");
        assert_eq!(results.removed_ids(), ["3"], "{name}");
        let kept = table.rsplit_once("3").unwrap().0;
        assert_eq!(place.read(&format!("clean-{name}.csv")), kept, "{name}");
    }
}

#[test]
fn a_table_that_names_no_columns_is_refused() {
    let place = Place::new();
    let table = "1,cheap pills online buy now and save\n2,cheap pills online buy now and smile\n3,something else entirely\n";
    place.write("bare.csv", table);
    place.documents("bare.csv").fails_with(&[
        "bare.csv has no field \"text\"; the first row of a table must name its columns; the fields are: 1, cheap pills online",
        "--text-field",
    ]);
    place.write(
        "few.csv",
        "1,cheap pills\n2,cheap pills online buy now and smile\n",
    );
    place
        .documents("few.csv")
        .fails_with(&["first row of a table must name its columns"]);
}

#[test]
fn no_column_of_addresses_is_taken_for_the_text() {
    let place = Place::new();
    let address = |number: usize| {
        format!("https://example.org/archive/{number}/a-rather-long-address/index.html")
    };
    let lines = |with: &dyn Fn(usize) -> Value| -> String {
        (0..6)
            .map(|number| format!("{}\n", with(number % 3)))
            .collect()
    };
    place.write(
        "urls.jsonl",
        lines(&|number| json!({"id": number, "url": address(number), "when": "2026-01-31 12:00"})),
    );
    place
        .documents("urls.jsonl")
        .fails_with(&["has no field \"text\"", "url", "--text-field"]);
    place.write(
        "both.jsonl",
        lines(&|number| json!({"url": address(number), "short": TEXTS[number][..24].to_string()})),
    );
    let ran = place.documents("both.jsonl --quiet").exits(0);
    assert_eq!(
        ran.errors,
        "warning: there is no field \"text\", so texts are read from \"short\"; --text-field chooses another\n"
    );
    assert_eq!(place.results().count("removed"), 3);
    assert_eq!(
        place
            .documents("both.jsonl --quiet --text-field short")
            .exits(0)
            .errors,
        ""
    );
    place.run("index create seen").exits(0);
    let ran = place.run("index add seen both.jsonl --quiet").exits(0);
    assert!(
        ran.errors
            .starts_with("warning: there is no field \"text\", so texts are read from \"short\""),
        "{}",
        ran.errors
    );
}

#[test]
fn what_is_no_text_or_in_another_encoding_is_called_what_it_is() {
    let place = Place::new();
    // What `tar` and `xz` write begins like this.
    let tar = [
        b"a.jsonl".as_slice(),
        &[0; 250],
        b"ustar\0",
        &[0; 249],
        b"{}",
    ]
    .concat();
    place.write("in/a.tar", &tar);
    place.write("in/b.txt", "The ferry leaves the old harbour at nine.");
    place.write("c.jsonl.xz", b"\xfd7zXZ\0\0\x04\xe6\xd6\xb4F\x02\0!\x01");
    let ran = place.documents("in").exits(3);
    assert!(ran.out.contains("a tar archive"), "{}", ran.out);
    place
        .documents("c.jsonl.xz")
        .fails_with(&["c.jsonl.xz is an xz archive, not text; unpack it"]);
    // 渡轮每天九点离开旧港口，中午回来。 in GB 18030.
    let ferry = b"\xb6\xc9\xc2\xd6\xc3\xbf\xcc\xec\xbe\xc5\xb5\xe3\xc0\xeb\xbf\xaa\xbe\xc9\xb8\xdb\xbf\xda\xa3\xac\xd6\xd0\xce\xe7\xbb\xd8\xc0\xb4\xa1\xa3\n";
    place.write("gb.txt", [ferry.as_slice(), b"plain\nmore\n"].concat());
    let ran = place.run("messages gb.txt --out gb").exits(3);
    let rejected = place.read("gb/rejected.jsonl");
    assert!(
        rejected.contains("`iconv -f GBK -t UTF-8`"),
        "{rejected}{}",
        ran.out
    );
}

#[test]
fn a_cleaned_corpus_says_what_it_lacks() {
    let place = Place::new();
    let latin = b"id,text\n1,the ferry leaves at nine\n2,gr\xfc\xdfe aus k\xf6ln\n3,the ferry leaves at nine\n4,nobody knows who painted it\n";
    place.write("latin.csv", latin);
    let ran = place
        .documents("latin.csv --deduplicated clean.csv")
        .exits(3);
    assert!(
        ran.out.contains(
            "clean.csv (2 records kept; not in it: 1 unreadable record, see out/rejected.jsonl)"
        ),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("`iconv -f WINDOWS-1252 -t UTF-8`"),
        "{}",
        ran.out
    );
    let quiet = place
        .documents("latin.csv --deduplicated clean.csv --quiet")
        .exits(3);
    assert_eq!(
        quiet.errors,
        "warning: clean.csv is not complete; not in it: 1 unreadable record, see out/rejected.jsonl\n"
    );
    let ran = place.documents_from(b"id,text\n1,a b c\n2,d e f\n", "-");
    ran.fails_with(&["for CSV and others on standard input, name the format with --format"]);
}

#[test]
fn an_array_in_a_folder_of_lines_is_refused_as_a_whole() {
    let place = Place::new();
    let line = |id: usize| format!("{}\n", json!({"id": id, "text": TEXTS[id % 3]}));
    place.write("all/a.jsonl", (1..6).map(line).collect::<String>());
    let array = |between: &str| {
        let records: Vec<String> = (10..14).map(|id| line(id).trim_end().to_string()).collect();
        format!("[{between}{}]\n", records.join(&format!(",{between}")))
    };
    for between in ["\n", "", "\r\n  "] {
        place.write("all/b.json", array(between));
        let ran = place.documents("all --deduplicated clean --force").exits(3);
        let results = place.results();
        assert_eq!(
            (results.count("records"), results.rejected.len()),
            (5, 1),
            "{}",
            ran.out
        );
        let (source, at, reason) = &results.rejected[0];
        assert_eq!((source.as_str(), *at), ("all/b.json", None));
        assert!(
            reason.contains("one JSON array") && reason.contains("jq -c"),
            "{reason}"
        );
        assert!(
            ran.out
                .contains("not in it: 1 unreadable file or part of a file"),
            "{}",
            ran.out
        );
    }
}

#[test]
fn a_table_without_the_column_costs_its_rows() {
    let place = Place::new();
    place.write(
        "all/a.jsonl",
        (0..9)
            .map(|id| format!("{}\n", json!({"id": id, "text": TEXTS[id % 3]})))
            .collect::<String>(),
    );
    let other = "key,body\n1,some words\n2,other words\n";
    place.write("all/b.csv", other);
    place.write("all/c.csv", format!("id,text\n7,{}\n", TEXTS[0]));
    place.documents("all --deduplicated clean").exits(3);
    let results = place.results();
    assert_eq!(results.count("records"), 12);
    let missing = "field \"text\" is missing; the record has: key, body".to_string();
    let expected = [2, 3].map(|line| ("all/b.csv".to_string(), Some(line), missing.clone()));
    assert_eq!(results.rejected, expected);
    assert_eq!(place.read("clean/b.csv"), other);
    place
        .documents("all/b.csv --text-field words")
        .fails_with(&["has no field \"words\""]);
    place
        .documents("all/b.csv --lenient --text-field text")
        .fails_with(&["has no column \"text\""]);
}

#[test]
fn pages_without_an_ending_are_known_by_their_beginning() {
    let place = Place::new();
    let page = |head: &str| {
        format!(
            "{head}<html class=\"no-js\"><head><title>t</title></head><body><p>{}</p></body></html>",
            TEXTS[0]
        )
    };
    let pages = [
        ("about", "<!DOCTYPE html>\n"),
        (
            "index.php",
            "\u{feff}\r\n<!doctype HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
        ),
        ("index.html?x=1", ""),
        ("about.shtml", "<!-- saved --><!-- again -->\n"),
        ("x.asp", "<?xml version=\"1.0\"?>"),
    ];
    for (name, head) in pages {
        place.write(&format!("site/{name}"), page(head));
    }
    place.write("site/notes", "<htmlish> is no page, and nor is this");
    let results = place.clean_results("site");
    assert_eq!(results.count("removed"), 4);
    assert_eq!(results.pairs.len(), 4);
    place.run("documents site/about --out one").exits(0);
    let ran = place.run("compare site/about site/x.asp --json").exits(0);
    assert!(!ran.out.contains("<p>"), "{}", ran.out);
}

#[test]
fn an_old_office_document_is_called_so() {
    let place = Place::new();
    let mut office = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    office.extend([0; 600]);
    office.extend(b"W\0o\0r\0d\0".repeat(100));
    place.write("essays/a.doc", &office);
    place.write("essays/b.txt", TEXTS[0]);
    place.write("essays/c.txt", TEXTS[1]);
    for job in ["documents", "messages"] {
        place.run(&format!("{job} essays --out out")).exits(3);
        let results = place.lines("rejected.jsonl");
        let reason = results[0]["reason"].as_str().unwrap();
        assert!(reason.contains("an old office document"), "{reason}");
    }
    place
        .run("documents essays/a.doc --out out")
        .fails_with(&["an old office document"]);
}
