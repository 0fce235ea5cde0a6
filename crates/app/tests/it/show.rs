//! Looking at a result: pairs side by side, clusters, passages.

use serde_json::json;

use crate::support::{Place, Ran};

const FERRY: &str = "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail and the bread";

fn place() -> Place {
    let place = Place::new();
    let texts = [
        FERRY.to_string(),
        FERRY.replace("nine", "ten"),
        FERRY.replace("ferry", "渡轮").replace("bread", "面包"),
        FERRY.to_string(),
        "Nobody knows who painted the ceiling of the hall before it was found under a layer of lime".to_string(),
        "Nobody knows who painted the ceiling of the hall before it was found under a layer of soot".to_string(),
    ];
    let lines: String = (1..)
        .zip(&texts)
        .map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})))
        .collect();
    place.write("pages.jsonl", lines);
    place
        .documents("pages.jsonl --threshold 0.3 --features shingles:words:2 --quiet")
        .exits(0);
    place
}

fn show(place: &Place, arguments: &str) -> Ran {
    place.run(&format!("show out {arguments}")).exits(0)
}

/// The headings of the pairs shown.
fn shown(ran: &Ran) -> Vec<&str> {
    let headings = ran
        .out
        .lines()
        .filter_map(|line| line.split_once("  (pages.jsonl:"));
    headings
        .map(|(heading, _)| heading.split_once("  ").unwrap().1)
        .collect()
}

#[test]
fn a_pair_is_shown_side_by_side_with_its_differences_marked() {
    let place = place();
    let ran = show(&place, "--id 2 --limit 1");
    let expected = "\
0.818  1 – 2  (pages.jsonl:1, pages.jsonl:2)
The ferry leaves the old harbour at [-nine-]     │ The ferry leaves the old harbour at {+ten+}
every morning and comes back at noon with the    │ every morning and comes back at noon with the
mail and the bread                               │ mail and the bread

1 more; --limit N shows N of them
";
    assert_eq!(ran.out, expected);
    let mut narrow = place.command("show out --id 2 --limit 1");
    let narrow = crate::support::ran(narrow.env("COLUMNS", "50")).exits(0);
    assert!(
        narrow.out.contains("\nA:\n") && narrow.out.contains("\nB:\n"),
        "{}",
        narrow.out
    );
}

#[test]
fn pairs_are_chosen_by_similarity_sample_id_and_cluster() {
    let place = place();
    let all = show(&place, "");
    assert_eq!(shown(&all).len(), 5, "{}", all.out);
    assert_eq!(shown(&all)[0], "1 – 2");
    let least = show(&place, "--sort similarity --limit 2");
    // One of each cluster.
    assert_eq!(shown(&least), ["2 – 3", "5 – 6"]);
    let near = show(&place, "--near 1 --limit 1");
    assert_eq!(shown(&near), ["1 – 4"]);
    let sample = show(&place, "--sample 3");
    assert_eq!(shown(&sample).len(), 3);
    assert_eq!(show(&place, "--sample 3").out, sample.out);
    assert_eq!(shown(&show(&place, "--id 6")), ["5 – 6"]);
    let cluster = show(&place, "--cluster 3");
    assert_eq!(shown(&cluster), ["1 – 2", "1 – 3", "1 – 4"]);
    let largest = show(&place, "--sort size");
    assert!(
        largest
            .out
            .starts_with("4 members, 1 kept\n  1  The ferry leaves"),
        "{}",
        largest.out
    );
    let rows = show(&place, "--json --id 6").out;
    assert_eq!(
        rows,
        format!(
            "{}\n",
            place.read("out/pairs.jsonl").lines().last().unwrap()
        )
    );
    place
        .run("show out --id 99")
        .fails_with(&["no record in out has the id 99"]);
    place
        .run("show out --cluster 99")
        .fails_with(&["99", "--sort size"]);
}

#[test]
fn a_large_cluster_does_not_hide_the_others() {
    let place = Place::new();
    let mut texts: Vec<String> = (0..30)
        .map(|number| format!("{FERRY} and letter {number} of the year"))
        .collect();
    for text in [
        "Nobody knows who painted the ceiling before it was found under",
        "Bread is baked at night while snow falls on a village of",
        "许多人住在河边 他们不知道 灯为什么亮 谁也没有问 只有",
    ] {
        texts.extend(["lime", "soot"].map(|last| format!("{text} {last}")));
    }
    let lines = (0..).zip(&texts);
    let lines = lines.map(|(id, text)| format!("{}\n", json!({"id": id, "text": text})));
    place.write("pages.jsonl", lines.collect::<String>());
    place
        .documents("pages.jsonl --threshold 0.5 --features shingles:words:2 --quiet")
        .exits(0);
    assert!(place.results().pairs.len() > 100);
    for how in ["--sample 4", "--limit 4", "--limit 4 --sort similarity"] {
        let ran = show(&place, how);
        let shown = shown(&ran);
        for pair in ["30 – 31", "32 – 33", "34 – 35"] {
            assert!(shown.contains(&pair), "{how}: {shown:?}");
        }
        assert_eq!(shown.len(), 4);
        assert_eq!(show(&place, how).out, ran.out);
    }
    // What is left after one of each is filled up.
    assert_eq!(shown(&show(&place, "--sample 9")).len(), 9);
    assert_eq!(shown(&show(&place, "--id 3 --limit 9")).len(), 9);
}

#[test]
fn a_record_without_a_pair_is_told_from_one_that_does_not_exist() {
    let place = place();
    place.write(
        "pages.jsonl",
        place.read("pages.jsonl") + "{\"id\": \"面\", \"text\": \"bread is baked at night\"}\n",
    );
    let documents = "pages.jsonl --threshold 0.3 --features shingles:words:2 --quiet";
    place.documents(documents).exits(0);
    let ran = show(&place, "--id 面");
    assert_eq!(
        ran.out,
        "The record 面 is in no pair; the result has 5 pairs.\n"
    );
    place
        .run("show out --id 12")
        .fails_with(&["no record in out has the id 12 (did you mean 1?)"]);
    std::fs::remove_file(place.path("pages.jsonl")).unwrap();
    place
        .run("show out --id 面")
        .fails_with(&["no pair in out has a record with the id 面"]);
}

#[test]
fn texts_are_read_again_only_if_they_are_the_same() {
    let place = place();
    place.write(
        "pages.jsonl",
        place.read("pages.jsonl") + "{\"id\": 9, \"text\": \"new\"}\n",
    );
    place.run("show out").fails_with(&[
        "pages.jsonl changed since the result was made",
        "--with-text",
    ]);
    place
        .run("show nowhere")
        .fails_with(&["nowhere holds no finished result"]);
    place
        .documents_from(
            b"{\"text\": \"a b c\"}\n{\"text\": \"a b c\"}\n",
            "- --quiet",
        )
        .exits(0);
    place
        .run("show out")
        .fails_with(&["standard input", "--with-text"]);
}

#[test]
fn a_file_that_came_into_the_folder_later_does_not_hide_the_texts() {
    let place = place();
    let lines = place.read("pages.jsonl");
    std::fs::create_dir(place.path("shards")).unwrap();
    place.write("shards/b.jsonl", &lines);
    place.documents("shards --threshold 0.3 --quiet").exits(0);
    let before = show(&place, "").out;
    assert!(before.contains("shards/b.jsonl:1"), "{before}");
    place.write("shards/a.jsonl", &lines);
    place.write("shards/c.csv", "id,text\n1,new\n");
    assert_eq!(show(&place, "").out, before);
    // What was read must be as it was.
    place.write("shards/b.jsonl", lines.repeat(2));
    place
        .run("show out")
        .fails_with(&["shards changed since the result was made"]);
}

#[test]
fn sentences_and_passages_are_shown_with_what_changed() {
    let place = Place::new();
    let harbour = "Barges reached Marlstone from the sea until 1892, when the railway took over the trade in grain.";
    let article = |id: u32, title: &str, text: &str| {
        format!(
            "{}\n",
            json!({"id": id, "title": title, "text": format!("{title} is a place. {text} {}", "It rains a lot in the valley of the Yarrel, and the mills stand still in summer. The bridge was built by the canal company and is still in use by farmers.")})
        )
    };
    place.write(
        "pages.jsonl",
        article(1, "Marlstone", harbour) + &article(2, "河", &harbour.replace("1892", "1890")),
    );
    let ran = place
        .run("sentences pages.jsonl --out out --kinds factual-drift")
        .exits(0);
    assert!(
        ran.out.contains("Marlstone → 河: 1892 → 1890\n"),
        "{}",
        ran.out
    );
    let ran = show(&place, "--kind factual-drift");
    assert!(
        ran.out
            .contains("Marlstone – 河  (pages.jsonl:1, pages.jsonl:2)  factual-drift (0."),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("[-1892-], when") && ran.out.contains("{+1890+}, when"),
        "{}",
        ran.out
    );
    place.run("passages pages.jsonl --out out --quiet").exits(0);
    let ran = show(&place, "");
    assert!(
        ran.out.contains("[-1892-]") && ran.out.contains("{+1890+}"),
        "{}",
        ran.out
    );
}

#[test]
fn what_does_not_exist_is_answered_with_what_does() {
    let place = place();
    let ran = place.run("show out --near 85").exits(2);
    assert!(ran.errors.contains("from 0 to 1"), "{}", ran.errors);
    let ran = show(&place, "--kind wording");
    assert_eq!(ran.out, "No pair is wording: this result has no kinds.\n");
    place
        .run("show out --id nobody --json")
        .fails_with(&["no record in out has the id nobody"]);
    place
        .run("show out --kind nonsense")
        .fails_with(&["No pair is nonsense: this result has no kinds"]);
    place.write(
        "chat.txt",
        "Call me at nine, please, on the old line\nCall me at ten, please, on the old line\n",
    );
    place.run("messages chat.txt --out kinds --quiet").exits(0);
    place
        .run("show kinds --kind wordng")
        .fails_with(&["No pair is wordng; the kinds in this result are: other-number"]);
    let ran = place.run("show kinds --kind wording").exits(0);
    let expected = "No pair is wording; the kinds in this result are: other-number.\n";
    assert_eq!(ran.out, expected);
    // What is a title and no id.
    let articles = [
        (
            "1",
            "April",
            "The month has thirty days, and it rains a lot.",
        ),
        (
            "2",
            "May",
            "The month has thirty-one days, and it rains less.",
        ),
    ];
    let lines = articles.map(|(id, title, text)| {
        format!("{{\"id\": \"{id}\", \"title\": \"{title}\", \"text\": \"{text}\"}}\n")
    });
    place.write("articles.jsonl", lines.concat());
    place
        .run("sentences articles.jsonl --out months --quiet --no-report")
        .exits(0);
    place.run("show months --id April").fails_with(&[
        "no record in months has the id April; the record with that title has the id 1",
    ]);
}

#[test]
fn where_lines_break_is_no_difference() {
    let place = Place::new();
    place.write("a.txt", FERRY);
    place.write(
        "b.txt",
        FERRY.replace(" old ", "\nold  ").replace("nine", "ten"),
    );
    place
        .documents("a.txt b.txt --threshold 0.3 --quiet")
        .exits(0);
    let page = show(&place, "").out;
    assert_eq!(page.matches("{+").count(), 1, "{page}");
    assert!(page.contains("{+ten+}"), "{page}");
}

#[test]
fn every_summary_ends_with_the_line_to_type_next() {
    let place = Place::new();
    place.write(
        "pages.jsonl",
        "{\"text\": \"a b c\"}\n{\"text\": \"a b c\"}\n",
    );
    for (out, next) in [
        ("", "lookalike show"),
        ("--out out", "lookalike show out"),
        ("--out o%t", "lookalike show 'o%t'"),
    ] {
        let ran = place.run(&format!("documents pages.jsonl {out}")).exits(0);
        let last = ran.out.lines().last().unwrap();
        assert_eq!(
            last,
            format!("next              {next}   (look at the pairs)")
        );
    }
    // What cannot be read again is in the report, unless it is stored.
    let copies = b"{\"text\": \"a b c\"}\n{\"text\": \"a b c\"}\n";
    for (options, next) in [
        ("", "open the report in a browser"),
        ("--no-report", "lookalike documents … --with-text"),
        ("--with-text", "lookalike show out"),
        ("--with-text --output-format csv", "lookalike show out"),
    ] {
        let ran = place
            .documents_from(copies, &format!("- {options}"))
            .exits(0);
        let last = ran.out.lines().last().unwrap();
        assert!(
            last.starts_with(&format!("next              {next}")),
            "{last}"
        );
    }
    place.write(
        "other.jsonl",
        "{\"text\": \"a b c\"}\n{\"text\": \"d e f\"}\n",
    );
    let ran = place.run("passages other.jsonl --no-report").exits(0);
    assert!(!ran.out.contains("report"), "{}", ran.out);
    place.write(
        "forum.jsonl",
        "{\"title\": \"How do I fly?\", \"body\": \"Quickly\"}\n{\"title\": \"Where is the station?\"}\n",
    );
    let ran = place
        .run("threads forum.jsonl --fields title,body")
        .exits(0);
    let last = ran.out.lines().last().unwrap();
    assert!(last.contains("--top 5"), "{last}");
    let words = ["search  ", "seconds", "peak memory"];
    let plain = place.run("documents pages.jsonl").exits(0);
    assert!(
        words.iter().all(|word| !plain.out.contains(word)),
        "{}",
        plain.out
    );
    let verbose = place.run("documents pages.jsonl -v").exits(0);
    assert!(
        words.iter().all(|word| verbose.out.contains(word)),
        "{}",
        verbose.out
    );
    let json = place.run("documents pages.jsonl --json").exits(0);
    let summary: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(summary["counts"]["removed"], 1);
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let place = Place::new();
    place.run("man pages").exits(0);
    let names = place.names("pages");
    for name in [
        "lookalike",
        "lookalike-documents",
        "lookalike-lexicon-build",
    ] {
        assert!(names.contains(&format!("{name}.1")), "{names:?}");
    }
    // Options have their help, also those that are on no short page, and commands are called as they are typed.
    let page = place.read("pages/lookalike-documents.1");
    assert!(
        page.contains("\\-\\-annotate")
            && page.contains("Also write the whole input as JSON Lines")
    );
    assert!(page.contains("lookalike documents"), "{page}");
}

#[test]
fn records_are_called_by_their_titles() {
    let place = Place::new();
    let text = "The ferry leaves the old harbour at nine every morning and comes back at noon with the mail. \
                Nobody waits for it in winter. In summer the quay is full of people who want to see the seals.";
    let line =
        |id: u32, title: &str| format!("{}\n", json!({"id": id, "title": title, "text": text}));
    place.write("pages.jsonl", line(7, "渡船") + &line(8, "The ferry"));
    for job in ["documents", "passages"] {
        place
            .run(&format!("{job} pages.jsonl --out {job} --quiet"))
            .exits(0);
        let shown = place.run(&format!("show {job}")).exits(0).out;
        assert!(
            shown.contains("  渡船 (7) – The ferry (8)  (pages.jsonl:1"),
            "{job}: {shown}"
        );
        let records = place.read(&format!("{job}/records.jsonl"));
        assert!(records.contains("\"title\":\"渡船\""), "{records}");
    }
    let summary = place
        .run("passages pages.jsonl --out passages")
        .exits(0)
        .out;
    assert!(summary.contains("  渡船 – The ferry\n"), "{summary}");
}

#[test]
fn a_new_threshold_needs_no_new_run() {
    let place = Place::new();
    let words = |change: usize| -> String {
        let word = |at: usize| match at % 11 < change {
            true => format!("变{at} "),
            false => format!("w{at} "),
        };
        (0..60).map(word).collect()
    };
    let texts: Vec<String> = (0..8).map(|number| words(number % 5)).collect();
    let lines: String = (1..)
        .zip(&texts)
        .map(|(id, text)| {
            format!(
                "{}\n",
                json!({"id": id, "text": text, "year": 2000 + id % 3})
            )
        })
        .collect();
    place.write("pages.jsonl", lines);
    let settings = "--features shingles:words:1 --keep year";
    let run = |threshold: &str, keep: &str, out: &str| {
        place
            .run(&format!("documents pages.jsonl --features shingles:words:1 --threshold {threshold} --keep {keep} --quiet --out {out}"))
            .exits(0);
    };
    run("0.3", "year", "low");
    let read = |out: &str, name: &str| place.read(&format!("{out}/{name}"));
    for (threshold, keep) in [
        ("0.3", "year"),
        ("0.5", "year"),
        ("0.8", "first"),
        ("0.6", "last"),
        ("0.4", "longest"),
    ] {
        run(threshold, keep, "whole");
        place
            .run(&format!(
                "recluster low --threshold {threshold} --keep {keep} --out again --quiet"
            ))
            .exits(0);
        for name in ["pairs.jsonl", "clusters.jsonl", "removed.jsonl"] {
            assert_eq!(
                read("again", name),
                read("whole", name),
                "{name} at {threshold}, {keep} kept ({settings})"
            );
        }
    }
    let summary: serde_json::Value = serde_json::from_str(&read("again", "summary.json")).unwrap();
    let largest = summary["largest_clusters"].as_array().unwrap();
    let begins = |cluster: &serde_json::Value| !cluster["text"].as_str().unwrap().is_empty();
    assert!(
        !largest.is_empty() && largest.iter().all(begins),
        "{summary}"
    );
    assert_eq!(summary["parameters"]["threshold"], 0.4);
    place
        .run("recluster low --threshold 0.2 --out x")
        .refused_with(&["from 0.3 up", "0.2"]);
    place
        .run("recluster low --keep date --out x")
        .refused_with(&["no values of date", "--keep year"]);
    place
        .run("recluster low --out low")
        .fails_with(&["would replace", "--out"]);
    place
        .run("recluster nowhere")
        .fails_with(&["nowhere holds no finished result"]);
    assert!(!place.path("x").exists());
}
