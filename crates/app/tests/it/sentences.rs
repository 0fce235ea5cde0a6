//! `lookalike sentences` as its users run it.

use std::collections::BTreeMap;
use std::io::Write;

use crate::support::Place;
use crate::support::corpus::Random;
use crate::support::kill::Moments;
use serde_json::{Value, json};

const FILES: [&str; 4] = [
    "pairs.jsonl",
    "clusters.jsonl",
    "articles.jsonl",
    "rejected.jsonl",
];

fn results(place: &Place) -> BTreeMap<&'static str, String> {
    place.files(FILES)
}

fn sentences(place: &Place, arguments: &str) -> Vec<Value> {
    let ran = place.run(&format!("sentences --out out {arguments}"));
    ran.exits(0);
    place.lines("pairs.jsonl")
}

/// One article a text, as JSON Lines.
fn articles(texts: &[(&str, &str)]) -> String {
    let line = |(id, (title, text)): (usize, &(&str, &str))| {
        json!({"id": id, "title": title, "text": text}).to_string() + "\n"
    };
    texts.iter().enumerate().map(line).collect()
}

fn page(id: usize, title: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<page><title>{title}</title><ns>0</ns><id>{id}</id><revision><id>{id}</id>\
         <timestamp>2020-01-01T00:00:00Z</timestamp><text xml:space=\"preserve\">{text}</text></revision></page>\n"
    )
}

pub(crate) fn dump(pages: &[String]) -> String {
    format!(
        "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\" xml:lang=\"en\">\n\
         <siteinfo><sitename>Test</sitename></siteinfo>\n{}</mediawiki>\n",
        pages.concat()
    )
}

/// Pages of generated sentences, a tenth of which stand in other pages, too, most of them changed.
pub(crate) fn generated(pages: usize, seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let mut seen: Vec<String> = Vec::new();
    let page_of = |id: usize| {
        let mut text = String::from("{{Infobox|name=x}}\n");
        for _ in 0..1 + random.below(12) {
            let said = if !seen.is_empty() && random.one_in(10) {
                let copied = seen[random.below(seen.len())].clone();
                copied.replace("in 19", ["in 19", "in 18", "about 19"][random.below(3)])
            } else {
                let words: Vec<String> = (0..8).map(|_| word(&mut random)).collect();
                format!(
                    "The '''{}''' of [[{}|{}]] was built by {} and {} in 19{:02}. ",
                    words[0],
                    words[1],
                    words[2],
                    words[3],
                    words[4..].join(" "),
                    random.below(100)
                )
            };
            text.push_str(&said);
            seen.push(said);
        }
        page(id + 1, &format!("Página {id}"), &text)
    };
    (0..pages).map(page_of).collect()
}

fn word(random: &mut Random) -> String {
    const SYLLABLES: [&str; 12] = [
        "ba", "ce", "di", "fo", "gu", "lé", "mo", "na", "ро", "sti", "tru", "水",
    ];
    (0..2 + random.below(3))
        .map(|_| SYLLABLES[random.below(SYLLABLES.len())])
        .collect()
}

#[test]
fn the_examples_of_the_paper_are_of_the_kinds_it_says() {
    let bush = "Bush had an approval rating of 22% by the end of his term in 2008.";
    let obama = "Obama had an approval rating of 56% by the end of his term in 2012.";
    let explained =
        "Bush, a US President, had an approval rating of 22% by the end of his term in 2008.";
    let drifted = "Obama had an approval rating of 46% by the end of his term in 2012.";
    let cited = [
        "Neotropical Ichthyology 11 (1): 73-80.",
        "Neotropical Ichthyology 10 (2): 245-253.",
    ];
    let cases = [
        (bush, obama, "template"),
        (bush, explained, "copy-edit"),
        (obama, drifted, "factual-drift"),
        (cited[0], cited[1], "reference"),
        (bush, bush, "identical"),
    ];
    for (a, b, kind) in cases {
        let place = Place::new();
        place.write("two.jsonl", articles(&[("", a), ("", b)]));
        let pairs = sentences(&place, "two.jsonl");
        assert_eq!(pairs.len(), 1, "{a} {b}");
        assert_eq!(pairs[0]["kind"], kind, "{a} {b}");
    }
    let place = Place::new();
    place.write("two.jsonl", articles(&[("", obama), ("", drifted)]));
    let pairs = sentences(&place, "two.jsonl --kinds factual-drift,template");
    assert_eq!(pairs[0]["changed"], json!([["56%", "46%"]]));
}

#[test]
fn a_pair_says_where_both_sentences_stand_and_what_they_say() {
    let place = Place::new();
    let copied = "The old bridge over the river was built by monks in 1408.";
    let first = format!("A short one. {copied} Nothing else is known about it at all.");
    let second = format!(
        "It is a quiet place far from everything. {}",
        copied.replace("1408", "1480")
    );
    place.write(
        "articles.jsonl",
        articles(&[("Bridge", &first), ("石桥", &second)]),
    );
    let pairs = sentences(&place, "articles.jsonl");
    assert_eq!(pairs.len(), 1);
    let expected = json!({"id": 0, "title": "Bridge", "sentence": 1, "text": copied});
    assert_eq!(pairs[0]["a"], expected);
    assert_eq!(pairs[0]["b"]["title"], "石桥");
    assert_eq!(pairs[0]["b"]["sentence"], 1);
    assert_eq!(pairs[0]["kind"], "factual-drift");
    assert_eq!(pairs[0]["changed"], json!([["1408", "1480"]]));
    // Two letters are exchanged.
    let length = copied.chars().count() as f64;
    let edit = pairs[0]["edit_similarity"].as_f64().unwrap();
    assert!((edit - (length - 2.0) / length).abs() < 1e-12);
    let article = json!({"a": 0, "b": 1, "title_a": "Bridge", "title_b": "石桥", "shared_sentences": 1, "chain": null});
    assert_eq!(place.lines("articles.jsonl"), [article]);
    let cluster = &place.lines("clusters.jsonl")[0];
    assert_eq!(
        (&cluster["cluster"], &cluster["size"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(cluster["members"][0], expected);
    assert!(!place.path("out/removed.jsonl").exists());
}

#[test]
fn articles_that_share_large_parts_are_a_chain() {
    let place = Place::new();
    let shared = |from: usize, count: usize| -> String {
        let said = |n: usize| {
            let own = [
                "harbour", "market", "theatre", "library", "railway", "garden", "museum", "castle",
            ][n % 8];
            format!("The {own} was opened to everyone after the {n}th meeting of the council. ")
        };
        (from..from + count).map(said).collect()
    };
    let texts = [
        shared(0, 4),
        shared(2, 5),
        shared(5, 4),
        "Nothing of this is said anywhere else in the corpus.".to_string(),
    ];
    let named: Vec<(&str, &str)> = texts.iter().map(|text| ("", text.as_str())).collect();
    place.write("articles.jsonl", articles(&named));
    sentences(&place, "articles.jsonl --edit-similarity 1");
    let found: Vec<(u64, u64, u64)> = place
        .lines("articles.jsonl")
        .iter()
        .map(|line| {
            let number = |name: &str| line[name].as_u64().unwrap();
            (number("a"), number("b"), number("shared_sentences"))
        })
        .collect();
    assert_eq!(found, [(0, 1, 2), (1, 2, 2)]);
    sentences(&place, "articles.jsonl --kinds identical --pairs all");
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["sentences"]["articles"]["pairs"], 3);
}

#[test]
fn sentences_of_one_article_are_compared_only_if_asked_for() {
    let place = Place::new();
    let text = "The tower of the old church is 45 metres high. The tower of the new church is 54 metres high.";
    place.write("one.jsonl", articles(&[("Towers", text)]));
    assert!(sentences(&place, "one.jsonl").is_empty());
    let pairs = sentences(&place, "one.jsonl --within-article");
    assert_eq!(pairs.len(), 1);
    assert_eq!(
        (&pairs[0]["a"]["sentence"], &pairs[0]["b"]["sentence"]),
        (&json!(0), &json!(1))
    );
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["sentences"]["articles"]["pairs"], 0);
}

#[test]
fn windows_compare_runs_of_sentences() {
    let place = Place::new();
    let [one, two, three] = [
        "The mill was built beside the stream in 1720.",
        "Its wheel drove a saw for more than a century.",
        "Today it is a small museum of the valley.",
    ];
    let other = "The owner sold it to the town, which had it repaired.";
    place.write(
        "articles.jsonl",
        articles(&[
            ("", &format!("{one} {two} {three}")),
            ("", &format!("{other} {one} {two}")),
        ]),
    );
    let pairs = sentences(&place, "articles.jsonl --window 2");
    assert_eq!(pairs.len(), 1);
    assert_eq!(pairs[0]["a"]["text"], format!("{one} {two}"));
    assert_eq!(pairs[0]["b"]["sentence"], 1);
}

#[test]
fn a_dump_gives_the_same_bytes_however_it_is_compressed_and_whatever_the_resources() {
    let place = Place::new();
    let pages = generated(300, 7);
    let (first, second) = pages.split_at(100);
    let whole = dump(&pages);
    let head = whole.find("<page>").unwrap();
    let cut = head + first.concat().len();
    let bzip2 = |bytes: &str| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        encoder.write_all(bytes.as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    assert!(whole[cut..].starts_with(&second[0]));
    place.write("wiki.xml", &whole);
    place.write("single.xml.bz2", bzip2(&whole));
    place.write(
        "multi.xml.bz2",
        [
            bzip2(&whole[..head]),
            bzip2(&whole[head..cut]),
            bzip2(&whole[cut..]),
        ]
        .concat(),
    );
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(whole.as_bytes()).unwrap();
    place.write("wiki.xml.gz", gzip.finish().unwrap());
    place.write(
        "wiki.xml.zst",
        zstd::encode_all(whole.as_bytes(), 1).unwrap(),
    );
    place.run("sentences wiki.xml --out out").exits(0);
    let expected = results(&place);
    assert!(expected["pairs.jsonl"].lines().count() > 50);
    for arguments in [
        "wiki.xml --threads 1",
        "wiki.xml --threads 3 --memory 90MB",
        "single.xml.bz2 --threads 3",
        "multi.xml.bz2 --threads 2",
        "multi.xml.bz2 --threads 1",
        "wiki.xml.gz",
        "wiki.xml.zst",
    ] {
        place
            .run(&format!("sentences {arguments} --out out"))
            .exits(0);
        assert!(results(&place) == expected, "{arguments}");
    }
}

#[test]
fn a_run_killed_again_and_again_ends_in_the_same_bytes() {
    let mut moments = Moments::new();
    let arguments = "sentences wiki.xml --out out --quiet --checkpoint-every 0 --threads 2 --memory 90MB --keys minhash";
    let write = |place: &Place| place.write("wiki.xml", dump(&generated(2000, 8)));
    let undisturbed = Place::new();
    write(&undisturbed);
    undisturbed.run(arguments).exits(0);
    let expected = results(&undisturbed);
    let (rounds, kills) = (2, 3);
    let mut killed = 0;
    for _ in 0..rounds {
        let place = Place::new();
        write(&place);
        for _ in 0..kills {
            killed += u32::from(moments.kill(&place, place.command(arguments)));
        }
        place
            .run(&arguments.replace("--threads 2 --memory 90MB", "--threads 3"))
            .exits(0);
        assert!(results(&place) == expected);
    }
    assert!(killed > 0, "no run was killed");
}

#[test]
fn wrong_choices_are_refused_with_the_remedy() {
    let place = Place::new();
    place.write(
        "one.jsonl",
        articles(&[("", "Only one sentence is in this article.")]),
    );
    let refused =
        |arguments: &str| place.run(&format!("sentences one.jsonl --out out {arguments}"));
    let unknown = refused("--kinds drift").exits(2);
    assert!(
        unknown.errors.contains("factual-drift"),
        "{}",
        unknown.errors
    );
    refused("--edit-similarity 1.5").exits(2);
    refused("--preset papers").refused_with(&["paper-precise"]);
    refused("--deduplicated clean.jsonl").refused_with(&["removes nothing", "documents"]);
    refused("--keep more").refused_with(&["sentences", "longest"]);
    refused("--keys imatch --unverified").refused_with(&["leave --unverified out"]);
    refused("--least-characters 200 --most-characters 100").refused_with(&["200", "smaller"]);
    assert!(refused("--window 0").exits(2).errors.contains("window"));
}

#[test]
fn presets_have_the_settings_of_the_paper() {
    let place = Place::new();
    for (preset, features, keys) in [
        ("paper", "shingles:chars:10", "signatures:10:8"),
        ("paper-precise", "shingles:chars:12", "signatures:10:10"),
    ] {
        let printed = place
            .run(&format!("sentences --preset {preset} --print-config"))
            .exits(0)
            .out;
        assert!(printed.contains(&format!("\"{features}\"")), "{printed}");
        assert!(printed.contains(&format!("\"{keys}\"")), "{printed}");
        place.write("config.toml", &printed);
        place.write("wiki.xml", dump(&generated(200, 9)));
        let by_preset = sentences(&place, &format!("wiki.xml --preset {preset}"));
        assert!(!by_preset.is_empty());
        assert_eq!(
            sentences(&place, "wiki.xml --config config.toml"),
            by_preset
        );
    }
    assert!(!sentences(&place, "wiki.xml --keys signatures:20:3").is_empty());
    let printed = place.run("sentences --print-config").exits(0).out;
    place.write("config.toml", &printed);
    let by_default = sentences(&place, "wiki.xml");
    assert_eq!(
        sentences(&place, "wiki.xml --config config.toml"),
        by_default
    );
}

#[test]
fn what_is_not_an_article_or_not_whole_costs_only_itself() {
    let place = Place::new();
    let said = "The annual fair has been held on the meadow since 1653.";
    let mut pages = vec![page(1, "Fair", said), page(2, "Meadow", said)];
    pages.push(page(3, "Talk:Fair", said).replace("<ns>0</ns>", "<ns>1</ns>"));
    pages.push(
        page(4, "Fairs", "#REDIRECT [[Fair]]")
            .replace("<revision>", "<redirect title=\"Fair\" /><revision>"),
    );
    let whole = dump(&pages);
    place.write("wiki.xml", &whole);
    assert_eq!(sentences(&place, "wiki.xml").len(), 1);
    assert_eq!(sentences(&place, "wiki.xml --namespaces all").len(), 2);
    assert_eq!(sentences(&place, "wiki.xml --namespaces 1").len(), 0);
    place.write("cut.xml", &whole[..whole.find("Talk").unwrap()]);
    place.run("sentences cut.xml --out out").exits(3);
    assert_eq!(place.lines("pairs.jsonl").len(), 1);
    assert_eq!(place.lines("rejected.jsonl").len(), 1);
}

#[test]
fn a_dump_damaged_at_its_beginning_is_called_damaged() {
    let place = Place::new();
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    let whole = dump(&generated(30, 4));
    encoder.write_all(whole.as_bytes()).unwrap();
    let mut bytes = encoder.finish().unwrap();
    let middle = bytes.len() / 2;
    place.write("cut.xml.bz2", &bytes[..middle]);
    bytes[middle] ^= 0xff;
    place.write("bad.xml.bz2", bytes);
    for (name, problem) in [("cut.xml.bz2", "cut short"), ("bad.xml.bz2", "damaged")] {
        let ran = place.run(&format!("sentences {name} --out out"));
        ran.fails_with(&[name, "bzip2", problem]);
    }
}

#[test]
fn citations_of_a_dump_are_marked_and_taken_whole() {
    let place = Place::new();
    let cited = |pages: &str| {
        format!(
            "Something is said here that no other article says {pages}.<ref>{{{{cite journal|last=Ames|first=J.|title=On Fairs. A History|journal=Annals of Meadows|volume=3|pages={pages}|year=1998}}}}</ref>"
        )
    };
    place.write(
        "wiki.xml",
        dump(&[
            page(1, "A", &cited("12–15")),
            page(
                2,
                "B",
                &cited("22–25").replace("Something", "Whatever it was that"),
            ),
        ]),
    );
    let pairs = sentences(&place, "wiki.xml --kinds reference");
    assert_eq!(pairs.len(), 1, "{pairs:?}");
    let text = pairs[0]["a"]["text"].as_str().unwrap();
    assert!(text.contains("Ames") && text.contains("12–15"), "{text}");
}

#[test]
fn words_are_as_similar_as_in_documents() {
    let place = Place::new();
    let said = [
        "The old bridge, which is of stone, was built in 1,408 by monks.",
        "The old bridge which is of stone was built in 1408 by the monks!",
        "The new bridge (which is of steel) was built in 1908 by nobody.",
        "桥很老，是石头造的，由僧人们在1408年建成，至今仍在使用。",
        "桥很老，是石头造的，由僧人在1408年建成，今天仍在使用。",
    ];
    let named: Vec<(&str, &str)> = said.iter().map(|text| ("", *text)).collect();
    place.write("said.jsonl", articles(&named));
    for options in [
        "--features shingles:words:1 --punctuation drop",
        "--features shingles:words:2 --whitespace drop",
        "--features shingles:words:2 --numbers canonical",
        "--features shingles:chars:3",
        "--features shingles:letters:5 --keys every",
        "--features terms --measure cosine --keys every",
    ] {
        let options = format!("said.jsonl --threshold 0.2 {options}");
        place.documents(&options).exits(0);
        let expected: Vec<(Value, Value, Value)> = place
            .lines("pairs.jsonl")
            .into_iter()
            .map(|line| {
                (
                    line["a"].clone(),
                    line["b"].clone(),
                    line["similarity"].clone(),
                )
            })
            .collect();
        let found: Vec<(Value, Value, Value)> =
            sentences(&place, &format!("{options} --edit-similarity 0"))
                .into_iter()
                .map(|line| {
                    (
                        line["a"]["id"].clone(),
                        line["b"]["id"].clone(),
                        line["similarity"].clone(),
                    )
                })
                .collect();
        assert!(!found.is_empty(), "{options}");
        assert_eq!(found, expected, "{options}");
    }
}

#[test]
fn a_field_can_be_for_several_things() {
    let place = Place::new();
    let said = "The annual fair has been held on the meadow since 1653.";
    place.write("two.jsonl", articles(&[("Fair", said), ("Meadow", said)]));
    let pairs = sentences(&place, "two.jsonl --id-field title");
    assert_eq!(
        (&pairs[0]["a"]["id"], &pairs[0]["b"]["title"]),
        (&json!("Fair"), &json!("Meadow"))
    );
    let pairs = sentences(&place, "two.jsonl --text-field title,text");
    assert_eq!(
        (&pairs[0]["a"]["title"], &pairs[0]["a"]["sentence"]),
        (&json!("Fair"), &json!(1))
    );
    assert_eq!(
        sentences(&place, "two.jsonl --reference-field text").len(),
        1
    );
}

#[test]
fn every_link_is_listed_and_runs_do_not_match_themselves() {
    let place = Place::new();
    let said = |metres: u32| {
        format!("The tower of the old church beside the river is {metres} metres high.")
    };
    let twice = format!("{} {}", said(121), said(120));
    place.write("two.jsonl", articles(&[("A", &twice), ("B", &said(120))]));
    let links = sentences(&place, "two.jsonl --pairs links");
    let clusters = place.lines("clusters.jsonl");
    assert_eq!(clusters.len(), 1);
    assert_eq!(
        links.len() as u64 + 1,
        clusters[0]["size"].as_u64().unwrap()
    );
    let text = "It was an uneventful year. A very long sentence about the fair, the meadow, the people who came to \
                it and the weather they had is repeated here word for word. He went home at night.";
    place.write("one.jsonl", articles(&[("A", text)]));
    assert!(
        sentences(
            &place,
            "one.jsonl --within-article --window 2 --edit-similarity 0.5"
        )
        .is_empty()
    );
}

#[test]
fn a_frame_does_not_make_pairs_of_articles() {
    let place = Place::new();
    let mut random = Random(5);
    let texts: Vec<String> = (0..200)
        .map(|number| format!("Village number {number} is a village in the county of Orrin, with {} inhabitants in 2011.", random.below(900)))
        .collect();
    let named: Vec<(&str, &str)> = texts.iter().map(|text| ("", text.as_str())).collect();
    place.write("villages.jsonl", articles(&named));
    assert!(sentences(&place, "villages.jsonl").len() > 1000);
    assert!(place.lines("articles.jsonl").len() < 500);
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert!(summary["sentences"]["articles"]["frames"].as_u64().unwrap() > 100);
}

#[test]
fn a_sentence_similar_to_two_others_is_in_a_cluster_with_both() {
    let place = Place::new();
    let said = |by: &str, metres: &str| {
        format!("The tower of the old church, built by {by}, is {metres} metres high and open.")
    };
    // The first and the last are too different from each other.
    let texts = [
        said("monks", "120"),
        said("soldiers", "120"),
        said("soldiers of Bonn", "9"),
    ];
    let all: Vec<(&str, &str)> = ["A", "B", "C"]
        .into_iter()
        .zip(texts.iter().map(String::as_str))
        .collect();
    place.write("three.jsonl", articles(&all));
    let sizes = |options: &str| -> Vec<u64> {
        sentences(&place, &format!("three.jsonl {options}"));
        let clusters = place.lines("clusters.jsonl");
        clusters
            .iter()
            .map(|cluster| cluster["size"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(sizes("--edit-similarity 0.85"), [3]);
    assert_eq!(sizes("--edit-similarity 0.85 --clusters stars"), [2]);
    assert_eq!(
        sentences(&place, "three.jsonl --edit-similarity 0.85 --pairs links").len(),
        2
    );
    for job in ["documents", "threads", "messages", "passages"] {
        place
            .run(&format!(
                "{job} three.jsonl --out none --clusters components"
            ))
            .refused_with(&["components", "use sentences"]);
    }
}

#[test]
fn pairs_tell_when_both_articles_were_changed() {
    let place = Place::new();
    let line = |id: u32, date: &str, year: u32| {
        let text = format!("The Marlow bridge over the river was built by monks in {year}.");
        json!({"id": id, "title": format!("Article {id}"), "date": date, "text": text}).to_string()
            + "\n"
    };
    place.write(
        "dated.jsonl",
        line(1, "2013-05-01T08:00:00Z", 1408) + &line(2, "2019-01-01", 1480),
    );
    let pairs = sentences(&place, "dated.jsonl");
    assert_eq!(pairs[0]["a"]["date"], "2013-05-01T08:00:00Z");
    assert_eq!(pairs[0]["b"]["date"], "2019-01-01");
    let shown = place.run("show out").exits(0).out;
    assert!(
        shown.contains("Article 1 (2013-05-01) – Article 2 (2019-01-01)"),
        "{shown}"
    );
    let other = sentences(&place, "dated.jsonl --date-field title");
    assert_eq!(other[0]["a"]["date"], "Article 1");
}

#[test]
fn what_three_articles_say_with_other_facts_is_a_template() {
    let place = Place::new();
    let said = |sacks: u32| {
        format!(
            "After the flood the older households of the upper valley received {sacks} sacks of grain from the duke, and \
             the bakers of Dorn sent fresh bread by boat for a month."
        )
    };
    let texts: Vec<String> = [311, 472, 158].map(said).to_vec();
    let named: Vec<(&str, &str)> = ["Aken", "Bell", "Corve"]
        .into_iter()
        .zip(texts.iter().map(String::as_str))
        .collect();
    place.write("two.jsonl", articles(&named[..2]));
    let two = sentences(&place, "two.jsonl");
    assert_eq!(two[0]["kind"], "factual-drift");
    assert!((0.4..=1.0).contains(&two[0]["confidence"].as_f64().unwrap()));
    place.write("three.jsonl", articles(&named));
    let three = sentences(&place, "three.jsonl");
    assert_eq!(three.len(), 3);
    assert!(three.iter().all(|pair| pair["kind"] == "template"));
    // Copies of one statement are no frame.
    let copied = [named[0], named[1], ("Corve", texts[1].as_str())];
    place.write("copied.jsonl", articles(&copied));
    let kinds = sentences(&place, "copied.jsonl --kinds factual-drift");
    assert!(!kinds.is_empty());
}
