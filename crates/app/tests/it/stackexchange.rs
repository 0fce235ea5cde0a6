//! Dumps of Stack Exchange: threads out of a `Posts.xml`, judged by a `PostLinks.xml`.

use std::fmt::Write as _;
use std::io::Write;

use crate::support::kill;
use crate::support::threads::{lines, many_threads, thread};
use crate::support::{Place, bytes, tree};
use serde_json::{Value, json};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// As a post is written: a paragraph of HTML, in XML.
fn html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    escaped(&format!("<p>{text}</p>\n"))
}

/// A dump with these threads, whose ids are numbers. The answers of every third stand before all questions, and other
/// posts between.
fn posts(threads: &[Value]) -> String {
    let mut early = String::new();
    let mut rest = String::new();
    for (number, thread) in threads.iter().enumerate() {
        let text = |name: &str| thread[name].as_str().unwrap_or_default();
        let (id, answer_id) = (thread["id"].as_u64().unwrap(), 1_000_000 + number);
        let _ = writeln!(
            rest,
            "  <row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"2011-03-0{}T10:00:00.000\" Score=\"{}\" Body=\"{}\" Title=\"{}\" Tags=\"&lt;a&gt;&lt;b&gt;\" />",
            1 + number % 9,
            number % 7,
            html(text("body")),
            escaped(text("title")),
        );
        if !text("answer").is_empty() {
            let to = if number % 3 == 0 {
                &mut early
            } else {
                &mut rest
            };
            let _ = writeln!(
                to,
                "  <row Id=\"{answer_id}\" PostTypeId=\"2\" ParentId=\"{id}\" CreationDate=\"2011-04-01T10:00:00.000\" Score=\"1\" Body=\"{}\" />",
                html(text("answer")),
            );
        }
        if number % 5 == 0 {
            let _ = writeln!(
                rest,
                "  <row Id=\"{}\" PostTypeId=\"5\" CreationDate=\"2011-04-01T10:00:00.000\" Score=\"0\" Body=\"wiki\" />",
                2_000_000 + number
            );
        }
    }
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n{early}{rest}</posts>\n")
}

fn links(of: &[(u64, u64, u64)]) -> String {
    let row = |(number, (a, b, kind)): (usize, &(u64, u64, u64))| {
        format!(
            "  <row Id=\"{number}\" CreationDate=\"2012-01-01T00:00:00.000\" PostId=\"{a}\" RelatedPostId=\"{b}\" LinkTypeId=\"{kind}\" />\n"
        )
    };
    let rows: String = of.iter().enumerate().map(row).collect();
    format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<postlinks>\n{rows}</postlinks>\n")
}

fn questions() -> Vec<Value> {
    vec![
        thread(
            4,
            [
                "When is the birthday of Jay?",
                "The birthday of Jay.",
                "January 18th, 1979",
            ],
        ),
        thread(
            9,
            [
                "Who can tell me what's the Jay's birthday?",
                "Jay \"male, top R&B singer\", I want to know when he was born.",
                "18/1/1979",
            ],
        ),
        thread(
            11,
            [
                "When is the birthday of Mara?",
                "The birthday of Mara.",
                "March 3rd, 1981",
            ],
        ),
        thread(
            12,
            [
                "墙上的洞怎么补？",
                "租的房子要退了 <急>。",
                "先用石膏把洞填平。",
            ],
        ),
        thread(17, ["墙上的洞怎么补？", "租的房子要退了。", ""]),
    ]
}

#[test]
fn a_dump_gives_the_pairs_of_the_same_threads_in_lines() {
    let records = many_threads(2000, 7);
    let dump = posts(&records);
    let place = Place::new();
    place.write("threads.jsonl", lines(&records));
    place.threads("threads.jsonl").exits(0);
    let expected = bytes(&place.path("out"));
    assert!(expected["pairs.jsonl"].lines().count() > 300);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(dump.as_bytes()).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(dump.as_bytes()).unwrap();
    place.write("Posts.xml", &dump);
    place.write("Posts.xml.gz", gzip.finish().unwrap());
    place.write("Posts.xml.bz2", bzip2.finish().unwrap());
    place.write(
        "Posts.xml.zst",
        zstd::encode_all(dump.as_bytes(), 1).unwrap(),
    );
    place.write("dump", &dump);
    for arguments in [
        "Posts.xml",
        "Posts.xml.gz",
        "Posts.xml.bz2 --work-dir work",
        "Posts.xml.zst --threads 3 --memory 100MB --work-dir work",
        "dump --format stackexchange",
    ] {
        place.threads(arguments).exits(0);
        assert!(bytes(&place.path("out")) == expected, "{arguments}");
        assert!(!place.path("out/.lookalike").exists());
    }
    assert!(place.names("work").is_empty());
}

#[test]
fn a_cleaned_dump_lacks_the_questions_that_were_removed_and_their_answers() {
    let place = Place::new();
    place.write("Posts.xml", posts(&questions()));
    place
        .threads("Posts.xml --deduplicated clean/Posts.xml")
        .exits(0);
    let kept: Vec<Value> = questions()
        .into_iter()
        .filter(|thread| thread["id"] != 9 && thread["id"] != 17)
        .collect();
    let clean = place.read("clean/Posts.xml");
    for thread in questions() {
        let is_kept = kept.contains(&thread);
        assert_eq!(
            clean.contains(&format!("Id=\"{}\" PostTypeId=\"1\"", thread["id"])),
            is_kept
        );
        let answered = is_kept && thread["answer"] != "";
        assert_eq!(
            clean.contains(&format!("ParentId=\"{}\"", thread["id"])),
            answered
        );
    }
    assert!(clean.starts_with("<?xml") && clean.ends_with("</posts>\n"));
    // Once more, there is nothing left to remove.
    let again = place.thread_pairs("clean/Posts.xml");
    assert!(again.is_empty(), "{again:?}");
}

#[test]
fn blocks_of_code_can_be_left_out() {
    let code =
        |code: &str| format!("<p>It ends with an error.</p>\n<pre><code>{code}\n</code></pre>\n");
    let row = |id: u64, body: &str| {
        let body = escaped(body);
        format!(
            "<row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"2011-03-01T10:00:00.000\" Score=\"1\" Body=\"{body}\" Title=\"Why does it fail? 为什么\" />\n"
        )
    };
    let rows = [
        row(1, &code("let a = b(c, d, e);")),
        row(2, &code("for x in 0..10 { print(x) }")),
    ]
    .concat();
    let place = Place::new();
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    // There is no answer at all.
    place
        .threads("Posts.xml")
        .fails_with(&["\"answer\"", "leave this one out"]);
    let body = |options: &str| {
        place.thread_pairs(&format!("Posts.xml --fields title,body {options}"))[0].field("body")
    };
    assert!(body("") < Some(0.5));
    assert_eq!(body("--code-blocks keep"), body(""));
    assert_eq!(body("--code-blocks drop"), Some(1.0));
    let parameters = place.summary()["parameters"]["input"]["code"].clone();
    assert_eq!(parameters, "drop");
}

#[test]
fn a_result_is_judged_by_the_links_of_the_dump() {
    let place = Place::new();
    place.write("Posts.xml", posts(&questions()));
    // A duplicate, one that was deleted, an answer, a link that is none, and one that is not found.
    place.write(
        "PostLinks.xml",
        links(&[
            (9, 4, 3),
            (11, 999_999, 3),
            (12, 1_000_000, 3),
            (11, 4, 1),
            (12, 4, 3),
        ]),
    );
    place.threads("Posts.xml").exits(0);
    let judged = |options: &str| -> Value {
        let ran = place
            .run(&format!("judge out --gold PostLinks.xml --json {options}"))
            .exits(0);
        serde_json::from_str(&ran.out).unwrap()
    };
    let counts = |verdict: &Value| {
        ["true_positives", "false_positives", "false_negatives"]
            .map(|name| verdict[name].as_u64().unwrap())
    };
    // Links to posts that are not there are nobody's to find, and links list some duplicates, not all.
    let verdict = judged("");
    assert_eq!(
        (counts(&verdict), &verdict["counting"]),
        ([1, 0, 1], &json!("listed"))
    );
    // The two about a wall are a pair that the links do not have.
    let verdict = judged("--complete");
    assert_eq!(
        (counts(&verdict), &verdict["counting"]),
        ([1, 1, 1], &json!("complete"))
    );
    place
        .run("judge out --gold PostLinks.xml --errors wrong.jsonl")
        .exits(0);
    assert_eq!(place.read("wrong.jsonl").lines().count(), 1);
}

#[test]
fn whoever_compares_whole_texts_of_a_dump_learns_its_fields() {
    let place = Place::new();
    place.write("Posts.xml", posts(&questions()));
    place.documents("Posts.xml --work-dir work").fails_with(&[
        "no field \"text\"",
        "title, body",
        "--text-field",
    ]);
    // Nothing of it is left.
    assert_eq!(place.names("."), ["Posts.xml", "work"]);
    assert!(place.names("work").is_empty());
    place
        .documents("Posts.xml --text-field title,answer --threshold 0.6")
        .exits(0);
    place
        .run("threads Posts.xml --out other --fields title,reply")
        .fails_with(&["\"reply\"", "--fields"]);
}

/// Kills a run once it has a checkpoint.
fn interrupt(place: &Place, arguments: &str) {
    let arguments = format!("threads --out out --quiet --checkpoint-every 0 {arguments}");
    let is_saved = |saved: &str| !saved.contains("\"signed\":null");
    kill::interrupt(place, &arguments, is_saved);
}

#[test]
fn a_killed_run_on_a_dump_continues_and_a_refused_one_leaves_it_alone() {
    let dump = posts(&many_threads(15_000, 8));
    let undisturbed = Place::new();
    undisturbed.write("Posts.xml", &dump);
    undisturbed.threads("Posts.xml").exits(0);
    let expected = bytes(&undisturbed.path("out"));
    for (first, then) in [
        ("", ""),
        ("", "--work-dir work"),
        ("--work-dir work", ""),
        ("--work-dir work", "--work-dir work"),
    ] {
        let place = Place::new();
        place.write("Posts.xml", &dump);
        place.write("Other.xml", posts(&questions()));
        interrupt(&place, &format!("Posts.xml {first}"));
        let before = tree(place.root());
        assert!(before.keys().any(|name| name.ends_with(".threads")));
        for work in [first, then] {
            place
                .threads(&format!("Other.xml {work}"))
                .fails_with(&["unfinished run", "--restart"]);
            assert!(
                tree(place.root()).keys().eq(before.keys()),
                "a refused run changes nothing"
            );
        }
        place.threads(&format!("Posts.xml {then}")).exits(0);
        assert!(bytes(&place.path("out")) == expected, "{first:?} {then:?}");
        assert!(!place.path("out/.lookalike").exists());
        assert!(
            !place.path("work").exists() || place.names("work").is_empty(),
            "{first:?} {then:?}"
        );
    }
}

/// A question with so many answers, each with another score.
fn question(id: u64, body: &str, answers: &[&str]) -> String {
    let mut rows = format!(
        "<row Id=\"{id}\" PostTypeId=\"1\" Score=\"1\" Title=\"How do I mount a rear rack on a carbon frame?\" Body=\"{}\" />\n",
        html(body)
    );
    for (number, answer) in answers.iter().enumerate() {
        let _ = writeln!(
            rows,
            "<row Id=\"{}\" PostTypeId=\"2\" ParentId=\"{id}\" Score=\"{}\" Body=\"{}\" />",
            100 * id + number as u64,
            9 - number,
            html(answer)
        );
    }
    rows
}

#[test]
fn a_question_with_answers_stays_where_answers_are_not_compared() {
    let place = Place::new();
    let body = "I have a carbon frame without eyelets 车架.";
    let clamp = "Use a rack that clamps to the seat post.";
    let rows = question(1, body, &[]) + &question(2, body, &[clamp]);
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    for fields in ["title,body", "title", "title,body,answer"] {
        let clean = format!("Posts.xml --fields {fields} --deduplicated clean.xml --restart");
        let ran = place.threads(&clean).exits(0);
        let clean = place.read("clean.xml");
        assert!(
            clean.contains("Id=\"200\"") && !clean.contains("<row Id=\"1\""),
            "{clean}"
        );
        assert!(!ran.out.contains("lost answers"), "{}", ran.out);
    }
    // What is asked for is done, and what is lost by it is said with the remedy.
    let ran = place
        .threads("Posts.xml --fields title,body --keep first --restart")
        .exits(0);
    let line = "  lost answers    1 answer that was not compared, removed with 1 thread: 2 (kept: 1); --keep answers keeps";
    assert!(ran.out.contains(line), "{}", ran.out);
    assert!(
        ran.out
            .contains("identical to an earlier record in everything that is compared\n"),
        "{}",
        ran.out
    );
    assert_eq!(
        place.summary()["lost_answers"]["not_compared"],
        json!({"threads": 1, "answers": 1, "first": [{"id": 2, "kept": 1}]})
    );
}

#[test]
fn of_threads_that_say_as_much_the_one_with_more_answers_stays() {
    let place = Place::new();
    let body = "I have a carbon frame without eyelets 车架.";
    let (clamp, bag) = (
        "Use a rack that clamps to the seat post.",
        "Or buy a bag for the saddle.",
    );
    let rows = question(1, body, &[clamp])
        + &question(2, body, &[clamp, bag])
        + &question(3, body, &[clamp, bag, "Or ride without luggage."]);
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    let ran = place.threads("Posts.xml").exits(0);
    let removed = place.read("out/removed.jsonl");
    assert!(
        removed.contains("\"id\":1,\"kept\":3") && removed.contains("\"id\":2,\"kept\":3"),
        "{removed}"
    );
    let line =
        "  lost answers    1 answer that was not compared, removed with 1 thread: 2 (kept: 3)";
    assert!(ran.out.contains(line), "{}", ran.out);
    // A longer answer says more than two.
    let longer =
        format!("{clamp} Such racks carry ten kilograms at most, so weigh your luggage before.");
    let rows = question(1, body, &[&longer]) + &question(2, body, &[clamp, bag]);
    place.write("Posts.xml", format!("<posts>\n{rows}</posts>\n"));
    place.threads("Posts.xml --restart").exits(0);
    assert!(
        place
            .read("out/removed.jsonl")
            .contains("\"id\":2,\"kept\":1")
    );
    place
        .run("recluster out --threshold 0.6 --out again")
        .exits(0);
    assert!(
        place
            .read("again/removed.jsonl")
            .contains("\"id\":2,\"kept\":1")
    );
}
