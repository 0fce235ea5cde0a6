//! Mail as it is kept: attachments, ids, Maildirs, and what becomes of it in an index.

use std::fs;

use serde_json::{Value, json};

use crate::support::Place;

const BODY: &str = "Dear all, the minutes of the meeting in the old harbour are attached. \
    Please read them before Friday and tell me what is missing. 请在星期五之前阅读。";

fn mail(name: &str, attached: Option<&str>) -> String {
    let head = format!(
        "Message-ID: <{name}@example.org>\nFrom: Anna <anna@example.org>\nTo: all@example.org\nSubject: Minutes\n"
    );
    match attached {
        None => format!("{head}Content-Type: text/plain; charset=utf-8\n\n{BODY}\n"),
        Some(content) => format!(
            "{head}MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\
             Content-Type: text/plain; charset=utf-8\n\n{BODY}\n--x\n\
             Content-Type: application/pdf; name=minutes.pdf\nContent-Disposition: attachment\n\n{content}\n--x--\n"
        ),
    }
}

/// Two mails with each of two attachments, and two without.
fn mails() -> [String; 6] {
    let attached = [
        None,
        Some("May"),
        Some("June"),
        None,
        Some("May"),
        Some("June"),
    ];
    let mut number = 0;
    attached.map(|attached| {
        number += 1;
        mail(&format!("m{number}"), attached)
    })
}

#[test]
fn mails_with_other_attachments_are_not_removed_for_each_other() {
    let place = Place::new();
    for (number, mail) in mails().iter().enumerate() {
        place.write(&format!("mails/{number}.eml"), mail);
    }
    let envelope = "From anna@example.org Sat Jan  3 01:05:34 1998\n";
    let mailbox: String = mails().map(|mail| format!("{envelope}{mail}\n")).concat();
    place.write("all.mbox", mailbox);
    for (input, name) in [("mails", "mails/3.eml"), ("all.mbox", "")] {
        for options in ["", "--preset mail", "--keep last", "--text-field body"] {
            place
                .documents(&format!("{input} {options} --id-field message-id"))
                .exits(0);
            let results = place.results();
            let removed: Vec<(Value, Value)> = (results.removed.iter())
                .map(|(id, kept, similarity)| {
                    assert_eq!(*similarity, 1.0);
                    (id.clone(), kept.clone())
                })
                .collect();
            let id = |number: usize| json!(format!("m{number}@example.org"));
            let expected = match options {
                "--keep last" => [(id(1), id(4)), (id(2), id(5)), (id(3), id(6))],
                _ => [(id(4), id(1)), (id(5), id(2)), (id(6), id(3))],
            };
            assert_eq!(removed, expected, "{input} {options}");
            assert_eq!(results.count("identical_copies"), 3);
        }
        let ran = place.documents(input).exits(0);
        assert!(
            ran.out
                .contains("records whose attachments differ are listed"),
            "{}",
            ran.out
        );
        let removed = place.results().removed_ids();
        assert!(
            name.is_empty() || removed.contains(&json!(name)),
            "{removed:?}"
        );
        assert!(place.results().pairs.len() > 3);
    }
    // What the result does not know of attachments, it does not remove by.
    place
        .run("recluster out --out again --threshold 0.9")
        .refused_with(&["attachments", "run the job again"]);
    // Against another corpus the same holds.
    place.write("old/a.eml", &mails()[1]);
    let results = place.clean_results("mails --against old");
    assert_eq!(results.removed_ids(), ["mails/1.eml", "mails/4.eml"]);
}

#[test]
fn mails_without_attachments_are_what_they_were() {
    let place = Place::new();
    place.write("a.eml", mail("a", None));
    place.write("b.eml", mail("b", None));
    let results = place.clean_results("a.eml b.eml");
    assert_eq!(results.removed_ids(), ["b.eml"]);
    assert_eq!(results.summary["parameters"]["keep-per"], Value::Null);
    place
        .run("recluster out --out again --threshold 0.9")
        .exits(0);
}

#[test]
fn what_comes_from_standard_input_is_named_by_it() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    let page = format!("<html><title>Minutes</title><p>{BODY}</p></html>");
    for (text, format) in [
        (mail("a", None), "eml"),
        (page, "html"),
        (BODY.to_string(), "text"),
    ] {
        let arguments = format!("index filter seen --format {format} -q");
        let ran = place.run_with(&arguments, text.as_bytes()).exits(0);
        let line: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(line["id"], "stdin:1", "{format}");
    }
    let ran = place.documents_from(b"%PDF-1.7", "- --format text --lenient");
    ran.exits(3);
    assert_eq!(place.results().rejected[0].0, "stdin");
}

#[test]
fn an_index_passes_on_all_fields_of_mails() {
    let place = Place::new();
    place.run("index create seen").exits(0);
    place.write("mails/a.eml", mail("a", Some("May")));
    let envelope = "From anna@example.org Sat Jan  3 01:05:34 1998\n";
    place.write("mails/b.mbox", format!("{envelope}{}", mail("b", None)));
    place.write(
        "mails/c.html",
        format!("<html lang=en><title>Minutes</title><p>{BODY}"),
    );
    let ran = place.run("index filter seen mails -q").exits(0);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        [&lines[0]["id"], &lines[1]["id"]],
        ["mails/a.eml", "mails/b.mbox:1"]
    );
    for line in &lines[..2] {
        assert_eq!(line["from"], "Anna <anna@example.org>");
        assert_eq!(line["subject"], "Minutes");
        assert_eq!(line["lookalike"]["duplicate"], false);
    }
    let attached = lines[0]["attachments"].as_str().unwrap();
    assert!(attached.starts_with("minutes.pdf (3 bytes, "), "{attached}");
    assert_eq!(lines[1]["attachments"], Value::Null);
    assert_eq!(
        [&lines[2]["title"], &lines[2]["language"]],
        ["Minutes", "en"]
    );
    let ran = place
        .run("index filter seen mails/a.eml --id-field message-id -q")
        .exits(0);
    let line: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&line["message-id"], line.get("id")),
        (&json!("a@example.org"), None)
    );
}

#[test]
fn a_cleaned_maildir_is_one() {
    let place = Place::new();
    for folder in ["cur", "new", "tmp"] {
        fs::create_dir_all(place.path(&format!("Mail/{folder}"))).unwrap();
        fs::create_dir_all(place.path(&format!("Mail/.Sent/{folder}"))).unwrap();
    }
    place.write("Mail/cur/1.host:2,S", mail("a", None));
    place.write("Mail/new/2.host", mail("b", None));
    place.write("Mail/.Sent/cur/3.host", mail("c", Some("May")));
    let results = place.clean_results("Mail --id-field message-id --deduplicated clean");
    assert_eq!(results.count("removed"), 1);
    assert_eq!(place.names("clean/.Sent"), ["cur", "new", "tmp"]);
    let mails = |folder: &str| place.names(&format!("clean/{folder}"));
    assert_eq!(mails("tmp"), Vec::<String>::new());
    assert_eq!(mails("cur").len() + mails("new").len(), 1);
    let again = place.clean_results("clean --ids number --restart");
    assert_eq!(again.count("records"), 2);
}

#[test]
fn one_record_per_file_or_folder_is_kept_on_request() {
    let place = Place::new();
    let page = format!("<html><p>{BODY}</p></html>");
    for name in ["a/1.html", "a/2.html", "b/1.html"] {
        place.write(&format!("pages/{name}"), &page);
    }
    let results = place.clean_results("pages --keep-per @folder");
    assert_eq!(results.removed_ids(), ["pages/a/2.html"]);
    let line = |id: u32| format!("{}\n", json!({"id": id, "text": BODY}));
    place.write("lines/a.jsonl", line(1) + &line(2));
    place.write("lines/b.jsonl", line(3));
    let results = place.clean_results("lines --keep-per @file");
    assert_eq!(results.removed_ids(), [2]);
    let results = place.clean_results("lines");
    assert_eq!(results.removed_ids(), [2, 3]);
}
