//! `lookalike passages` as its users run it.

use std::collections::BTreeMap;

use crate::support::Place;
use crate::support::corpus::Random;
use crate::support::kill::Moments;
use serde_json::{Value, json};

const FILES: [&str; 4] = [
    "pairs.jsonl",
    "passages.jsonl",
    "clusters.jsonl",
    "rejected.jsonl",
];

fn results(place: &Place) -> BTreeMap<&'static str, String> {
    place.files(FILES)
}

/// The pairs of a run that must be clean.
#[track_caller]
pub(crate) fn passages(place: &Place, arguments: &str) -> Vec<Value> {
    place
        .run(&format!("passages --out out {arguments}"))
        .exits(0);
    place.lines("pairs.jsonl")
}

/// Sentences of invented words, all different.
pub(crate) struct Writer {
    random: Random,
    /// The ending of all words.
    topic: &'static str,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        Writer {
            random: Random(seed),
            topic: "",
        }
    }

    fn word(&mut self) -> String {
        const PARTS: [&str; 20] = [
            "ba", "cor", "del", "fin", "gu", "har", "jo", "kel", "lim", "mo", "nar", "pol", "qui",
            "ros", "sen", "tam", "vul", "wex", "yar", "zin",
        ];
        let parts = 2 + self.random.below(2);
        let parts = (0..parts).map(|_| PARTS[self.random.below(PARTS.len())]);
        parts.collect::<String>() + self.topic
    }

    fn sentence(&mut self) -> String {
        let count = 12 + self.random.below(6);
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        let (first, rest) = words[0].split_at(1);
        format!("{}{rest} {}.", first.to_uppercase(), words[1..].join(" "))
    }

    pub(crate) fn sentences(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.sentence()).collect()
    }
}

/// One page a text, as JSON Lines.
pub(crate) fn pages(texts: &[(&str, String)]) -> String {
    let line = |(id, text): &(&str, String)| json!({"id": id, "text": text}).to_string() + "\n";
    texts.iter().map(line).collect()
}

/// The characters of a page that a side of a passage names.
pub(crate) fn slice(texts: &[(&str, String)], side: &Value) -> String {
    let (_, text) = texts.iter().find(|(id, _)| side["id"] == **id).unwrap();
    let [begin, end] = ["begin", "end"].map(|name| side[name].as_u64().unwrap() as usize);
    text.chars().skip(begin).take(end - begin).collect()
}

pub(crate) fn relation<'v>(pairs: &'v [Value], a: &str, b: &str) -> &'v str {
    let pair = pairs.iter().find(|pair| pair["a"] == a && pair["b"] == b);
    pair.unwrap_or_else(|| panic!("no {a}, {b} in {pairs:?}"))["relation"]
        .as_str()
        .unwrap()
}

#[test]
fn a_quotation_is_located_on_both_sides() {
    let mut writer = Writer::new(1);
    let (article, own) = (writer.sentences(12), writer.sentences(9));
    let quoted = article[3..7].join(" ");
    let texts = [
        ("article", article.join(" ")),
        (
            "page",
            format!(
                "Überschrift – 标题\n{}\n{quoted}\n{}",
                own[..4].join(" "),
                own[4..].join(" ")
            ),
        ),
        ("other", writer.sentences(10).join(" ")),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    assert_eq!(pairs.len(), 1);
    assert_eq!(relation(&pairs, "article", "page"), "quotes");
    let found = place.lines("passages.jsonl");
    assert_eq!(found.len(), 1);
    let passage = &found[0];
    assert_eq!(slice(&texts, &passage["a"]), quoted);
    assert_eq!(slice(&texts, &passage["b"]), quoted);
    assert_eq!(passage["sentences"], 4);
    assert_eq!(passage["a"]["first_sentence"], 3);
    assert_eq!(passage["similarity"], 1.0);
    let covered = pairs[0]["covered_a"].as_f64().unwrap();
    let words = |text: &str| text.split_whitespace().count() as f64;
    assert_eq!(covered, words(&quoted) / words(&texts[0].1));
    assert_eq!(pairs[0]["passages"], 1);
}

#[test]
fn a_passage_survives_changed_inserted_deleted_split_and_merged_sentences() {
    let mut writer = Writer::new(2);
    let article = writer.sentences(16);
    let mut copied = article[4..12].to_vec();
    copied[1] = copied[1].replacen(' ', " formerly ", 2);
    copied.remove(3);
    copied.insert(5, writer.sentence());
    copied[0] = copied[0].replacen('.', ", and", 1);
    let place = Place::new();
    let own = writer.sentences(12);
    let page = [&own[..6], &copied, &own[6..]].concat().join(" ");
    let texts = [("article", article.join(" ")), ("page", page)];
    place.write("pages.jsonl", pages(&texts));
    passages(&place, "pages.jsonl");
    let found = place.lines("passages.jsonl");
    assert_eq!(found.len(), 1, "{found:?}");
    let said = slice(&texts, &found[0]["a"]);
    assert_eq!(said, article[4..12].join(" "));
}

#[test]
fn what_stands_between_copied_sentences_is_not_covered() {
    let mut writer = Writer::new(7);
    let (article, own) = (writer.sentences(14), writer.sentences(8));
    // Every second sentence of the page is copied, one after the other.
    let mixed: Vec<String> = (0..8)
        .map(|place| match place % 2 {
            0 => article[3 + place / 2].clone(),
            _ => own[place].clone(),
        })
        .collect();
    let words = |sentences: &[String]| sentences.join(" ").split(' ').count() as f64;
    let share = words(&article[3..7]) / words(&mixed);
    let place = Place::new();
    let texts = [("page", mixed.join(" ")), ("article", article.join(" "))];
    place.write("pages.jsonl", pages(&texts));
    for options in ["", "--gap 0 --min-sentences 1"] {
        let pairs = passages(&place, &format!("pages.jsonl {options}"));
        assert_eq!(relation(&pairs, "page", "article"), "quotes");
        let covered = pairs[0]["covered_a"].as_f64().unwrap();
        assert!((covered - share).abs() < 1e-9, "{covered} {share}");
        let covered = pairs[0]["covered_b"].as_f64().unwrap();
        let share = words(&article[3..7]) / words(&article);
        assert!((covered - share).abs() < 1e-9, "{covered} {share}");
    }
    // The passage itself reaches from the first to the last.
    passages(&place, "pages.jsonl");
    let found = place.lines("passages.jsonl");
    assert_eq!(found.len(), 1);
    assert_eq!(slice(&texts, &found[0]["a"]), mixed[..7].join(" "));
    for (number, text) in texts.iter().enumerate() {
        place.write(&format!("{number}.txt"), &text.1);
    }
    let compared = place.run("compare 0.txt 1.txt --passages").exits(0);
    assert!(!compared.out.contains("contained"), "{}", compared.out);
}

#[test]
fn copies_behind_letters_that_look_alike_and_invisible_ones_are_found() {
    let mut writer = Writer::new(8);
    let (article, own) = (writer.sentences(14), writer.sentences(24));
    let copied = article[4..10].join(" ");
    let cyrillic = copied.replace('a', "а").replace('o', "о").replace('e', "е");
    let invisible: String = copied
        .split(' ')
        .map(|word| format!("{}\u{200B}{} ", &word[..2], &word[2..]))
        .collect();
    let page = |said: &str, own: &[String]| {
        format!("{} {} {}", own[0], said.trim_end(), own[1..].join(" "))
    };
    let texts = [
        ("article", article.join(" ")),
        ("cyrillic", page(&cyrillic, &own[..12])),
        ("invisible", page(&invisible, &own[12..])),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    assert_eq!(relation(&pairs, "article", "cyrillic"), "quotes");
    assert_eq!(relation(&pairs, "article", "invisible"), "quotes");
    for passage in place.lines("passages.jsonl") {
        for side in ["a", "b"] {
            let said = slice(&texts, &passage[side]);
            assert_eq!(passage[side]["text"], said);
            let expected = match passage[side]["id"].as_str().unwrap() {
                "article" => &copied,
                "cyrillic" => &cyrillic,
                _ => invisible.trim_end(),
            };
            assert_eq!(said, *expected);
        }
        assert_eq!(passage["similarity"], 1.0);
    }
    let as_written = "pages.jsonl --look-alikes as-written --zero-width separate";
    assert_eq!(passages(&place, as_written).len(), 0);
}

#[test]
fn documents_are_told_what_they_are_to_each_other() {
    let mut writer = Writer::new(3);
    let mut article = |topic| {
        writer.topic = topic;
        writer.sentences(12).join(" ")
    };
    let articles = ["", "us", "ash", "ot"].map(&mut article);
    let reprint = articles[0].replacen(". ", " indeed. ", 2);
    let collection = articles.join("\n\n");
    let texts = [
        ("one", articles[0].clone()),
        ("two", articles[1].clone()),
        ("collection", collection),
        ("three", articles[2].clone()),
        ("reprint", reprint),
        ("four", articles[3].clone()),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    assert_eq!(relation(&pairs, "one", "reprint"), "near-duplicate");
    assert_eq!(relation(&pairs, "one", "collection"), "contained");
    assert_eq!(relation(&pairs, "collection", "three"), "contains");
    assert_eq!(pairs.len(), 6, "{pairs:?}");
    let clusters = place.lines("clusters.jsonl");
    let duplicates = json!({"cluster": "one", "size": 2, "members": ["one", "reprint"], "relation": "near-duplicate"});
    assert!(clusters.contains(&duplicates), "{clusters:?}");
    let collections: Vec<&Value> = clusters
        .iter()
        .filter(|cluster| cluster["relation"] == "collection")
        .collect();
    assert_eq!(collections.len(), 1);
    // Of two at one place the first counts.
    assert_eq!(
        collections[0]["members"],
        json!(["collection", "one", "two", "three", "four"])
    );
    let grouped = pairs.iter().find(|pair| pair["a"] == "two").unwrap();
    assert_eq!(grouped["group"], "collection");
}

#[test]
fn a_footer_is_boilerplate_and_a_reprint_is_not() {
    let mut writer = Writer::new(4);
    let footer = writer.sentences(4).join(" ");
    let article = writer.sentences(14);
    let place = Place::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    for number in 0..30 {
        let own = writer.sentences(9).join(" ");
        texts.push((format!("site-{number}"), format!("{own}\n{footer}")));
    }
    for number in 0..30 {
        let own = writer.sentence();
        texts.push((
            format!("print-{number}"),
            format!("{own} {}", article.join(" ")),
        ));
    }
    let quoting = format!(
        "{} {}",
        writer.sentences(8).join(" "),
        article[2..7].join(" ")
    );
    texts.push(("quoting".to_string(), quoting));
    let texts: Vec<(&str, String)> = texts
        .iter()
        .map(|(id, text)| (&**id, text.clone()))
        .collect();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl --common-limit 10");
    let with_site = |pair: &&Value| pair["a"].as_str().unwrap().starts_with("site");
    assert_eq!(pairs.iter().filter(with_site).count(), 0);
    // A star around the first print, and the page that quotes it.
    assert_eq!(relation(&pairs, "print-0", "print-29"), "near-duplicate");
    assert_eq!(relation(&pairs, "print-0", "quoting"), "quotes");
    assert_eq!(pairs.len(), 30, "{pairs:?}");
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["passages"]["boilerplate_sentences"], 30 * 4);

    // Two of these pages, asked for, share boilerplate and nothing else.
    place.write("list.jsonl", "{\"a\": \"site-3\", \"b\": \"site-1\"}\n");
    let pairs = passages(
        &place,
        "pages.jsonl --common-limit 10 --pair-list list.jsonl",
    );
    assert_eq!(relation(&pairs, "site-1", "site-3"), "boilerplate");
    assert_eq!(pairs[0]["passages"], 0);
    assert_eq!(place.read("out/passages.jsonl"), "");

    let all = passages(&place, "pages.jsonl --common-limit 10 --pairs all");
    assert_eq!(all.len(), 30 * 29 / 2 + 30);
}

#[test]
fn pages_of_one_repeated_sentence_are_found() {
    let place = Place::new();
    let repeated = "All work and no play makes Jack a dull boy. ".repeat(30);
    let texts = [("a", repeated.clone()), ("b", repeated)];
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    assert_eq!(relation(&pairs, "a", "b"), "near-duplicate");
}

#[test]
fn a_list_names_the_pairs_and_what_it_names_in_vain_is_rejected() {
    let mut writer = Writer::new(5);
    let article = writer.sentences(9).join(" ");
    let place = Place::new();
    let texts = ["a", "b", "c"].map(|id| (id, article.clone()));
    place.write("pages.jsonl", pages(&texts));
    // As gold has it: other keys are passed over.
    place.write(
        "list.jsonl",
        "{\"a\": \"c\", \"b\": \"a\", \"kind\": \"x\", \"spans\": []}\n\n",
    );
    let pairs = passages(&place, "pages.jsonl --pair-list list.jsonl");
    assert_eq!(pairs.len(), 1);
    assert_eq!(relation(&pairs, "a", "c"), "near-duplicate");
    let run = |list: &str, more: &str| {
        place.write("list.jsonl", list);
        place.run(&format!(
            "passages --out out pages.jsonl --pair-list list.jsonl {more}"
        ))
    };
    run("{\"a\": \"a\", \"b\": \"b\"}\n{\"a\": \"a\", \"b\": 7}\n{\"a\": \"b\", \"b\": \"b\"}\n{\"b\": 1}\n", "").exits(3);
    let reasons: Vec<String> = place
        .lines("rejected.jsonl")
        .iter()
        .map(|line| {
            format!(
                "{}:{} {}",
                line["source"].as_str().unwrap(),
                line["line"],
                line["reason"]
            )
        })
        .collect();
    assert_eq!(reasons.len(), 3);
    assert!(
        reasons[0].contains("list.jsonl:2") && reasons[0].contains("no record with the id 7"),
        "{reasons:?}"
    );
    assert!(
        reasons[1].contains("paired with itself") && reasons[2].contains("not a pair"),
        "{reasons:?}"
    );
    assert_eq!(place.lines("pairs.jsonl").len(), 1);
    run("{\"b\": 1}\n", "--strict").fails_with(&["list.jsonl:1", "--strict"]);
    place
        .run("passages --out other pages.jsonl --pair-list missing.jsonl")
        .refused_with(&["missing.jsonl"]);
    place
        .run("documents --out other pages.jsonl --pair-list list.jsonl")
        .exits(2);
}

#[test]
fn suspicious_documents_are_compared_with_sources_only() {
    let mut writer = Writer::new(6);
    let source = writer.sentences(12);
    let copied = |writer: &mut Writer| {
        format!(
            "{} {}",
            writer.sentences(6).join(" "),
            source[4..9].join(" ")
        )
    };
    let place = Place::new();
    let suspicious = [("x", copied(&mut writer)), ("y", copied(&mut writer))];
    place.write("suspicious.jsonl", pages(&suspicious));
    // Ids of the two sides have nothing to do with each other.
    let sources = [
        ("x", source.join(" ")),
        ("z", writer.sentences(9).join(" ")),
    ];
    place.write("sources.jsonl", pages(&sources));
    let pairs = passages(&place, "suspicious.jsonl --against sources.jsonl");
    assert_eq!(pairs.len(), 2);
    assert_eq!(relation(&pairs, "x", "x"), "quotes");
    assert_eq!(relation(&pairs, "y", "x"), "quotes");
    place.write("list.jsonl", "{\"a\": \"x\", \"b\": \"y\"}\n");
    let pairs = passages(
        &place,
        "suspicious.jsonl --against sources.jsonl --pair-list list.jsonl",
    );
    assert_eq!(relation(&pairs, "y", "x"), "quotes");
    assert_eq!(pairs.len(), 1);
}

#[test]
fn the_settings_of_the_paper_find_what_was_copied_word_for_word() {
    let mut writer = Writer::new(7);
    let place = Place::new();
    let texts: Vec<String> = (0..40).map(|_| writer.sentences(8).join(" ")).collect();
    let copied: Vec<&str> = texts[0].split_inclusive(". ").collect();
    let mut all: Vec<(String, String)> = (0..)
        .map(|n: u32| n.to_string())
        .zip(texts.clone())
        .collect();
    all.push((
        "copy".to_string(),
        format!("{} {}", texts[39], copied[2..6].concat()),
    ));
    let all: Vec<(&str, String)> = all.iter().map(|(id, text)| (&**id, text.clone())).collect();
    place.write("pages.jsonl", pages(&all));
    for preset in [
        "paper-shingles",
        "paper-imatch",
        "paper-spotsigs",
        "paper-spotsigs-chinese",
    ] {
        let pairs = passages(&place, &format!("pages.jsonl --preset {preset}"));
        assert_eq!(relation(&pairs, "0", "copy"), "quotes", "{preset}");
        let found = place.lines("passages.jsonl");
        let passage = found
            .iter()
            .find(|passage| passage["a"]["id"] == "0")
            .unwrap();
        assert_eq!(passage["sentences"], 4, "{preset}");
        // More than three, as the listing of the paper has it; and more than there are.
        for (least, count) in [(4, 1), (5, 0)] {
            let pairs = passages(
                &place,
                &format!("pages.jsonl --preset {preset} --min-sentences {least}"),
            );
            let quoting = pairs.iter().filter(|pair| pair["a"] == "0");
            assert_eq!(quoting.count(), count, "{preset} {least}");
        }
    }
}

#[test]
fn every_script_is_located_to_the_character() {
    let chinese = [
        "清晨的雾气笼罩着河谷里的村庄。",
        "老渔夫把小船推进了平静的水面。",
        "他的孙女坐在船尾数着飞过的白鹭。",
        "岸边的柳树在风里轻轻地摇摆。",
        "集市上的人们正在搬运新鲜的蔬菜。",
        "教堂的钟声从山坡上传了下来。",
    ];
    let other = [
        "会议在下午三点钟准时开始。",
        "主席宣读了上一年度的财务报告。",
        "代表们对预算提出了许多问题。",
        "表决的结果将在明天公布。",
    ];
    let arabic = "في الصباح الباكر خرج الصياد العجوز إلى النهر. كانت حفيدته تجلس في مؤخرة القارب وتعد الطيور البيضاء. ثم عاد الجميع إلى القرية قبل غروب الشمس.";
    let texts = [
        ("zh-1", chinese.concat()),
        (
            "zh-2",
            format!(
                "{}{}{}",
                other[..2].concat(),
                chinese[1..5].concat(),
                other[2..].concat()
            ),
        ),
        ("ar-1", format!("{arabic} هذا نص آخر لا علاقة له بما سبق.")),
        ("ar-2", format!("مقدمة قصيرة عن الكتاب. {arabic}")),
        (
            "nul",
            format!(
                "a page\u{0} with a character that is none. {}",
                chinese.concat()
            ),
        ),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    relation(&pairs, "zh-1", "zh-2");
    relation(&pairs, "ar-1", "ar-2");
    relation(&pairs, "zh-1", "nul");
    let found = place.lines("passages.jsonl");
    let of = |id: &str| {
        found
            .iter()
            .find(|passage| passage["a"]["id"] == id)
            .unwrap()
    };
    let said = chinese[1..5].concat();
    assert_eq!(slice(&texts, &of("zh-1")["a"]), said);
    assert_eq!(slice(&texts, &of("zh-1")["b"]), said);
    assert_eq!(slice(&texts, &of("ar-1")["b"]), arabic);
}

/// Pages a third of which took a run of sentences from an earlier one, a few with a word changed.
pub(crate) fn generated(count: usize, seed: u64) -> String {
    let mut writer = Writer::new(seed);
    let mut written: Vec<Vec<String>> = Vec::new();
    for _ in 0..count {
        let own = 4 + writer.random.below(12);
        let mut page = writer.sentences(own);
        if !written.is_empty() && writer.random.one_in(3) {
            let source = &written[writer.random.below(written.len())];
            let first = writer.random.below(source.len());
            let mut copied = source[first..source.len().min(first + 5)].to_vec();
            if writer.random.one_in(2) {
                copied[0] = copied[0].replacen(' ', " newly ", 1);
            }
            let at = writer.random.below(page.len());
            page.splice(at..at, copied);
        }
        written.push(page);
    }
    let line = |(id, page): (usize, &Vec<String>)| {
        json!({"id": id, "text": page.join(" ") + "\nAll rights are with the printers of Zinmo."})
            .to_string()
            + "\n"
    };
    written.iter().enumerate().map(line).collect()
}

#[test]
fn threads_and_memory_do_not_change_a_byte() {
    let place = Place::new();
    place.write("pages.jsonl", generated(1500, 8));
    let mut expected = None;
    for (threads, memory) in [(1, "2GB"), (2, "90MB"), (3, "300MB")] {
        passages(
            &place,
            &format!("pages.jsonl --threads {threads} --memory {memory}"),
        );
        let found = results(&place);
        assert!(found["pairs.jsonl"].lines().count() > 300);
        assert_eq!(*expected.get_or_insert(found.clone()), found);
    }
}

#[test]
fn a_killed_run_continues_to_the_same_bytes() {
    let mut moments = Moments::new();
    let place = Place::new();
    place.write("pages.jsonl", generated(6000, 9));
    passages(&place, "pages.jsonl");
    let expected = results(&place);
    std::fs::remove_dir_all(place.path("out")).unwrap();
    let arguments = "passages pages.jsonl --out out --checkpoint-every 0 --quiet --threads 2";
    let (rounds, kills) = (2, 3);
    let killed = (0..rounds * kills)
        .take_while(|_| moments.kill(&place, place.command(arguments)))
        .count();
    assert!(killed > 0, "no run was killed");
    passages(&place, "pages.jsonl --memory 100MB");
    assert_eq!(results(&place), expected);
    assert_eq!(place.names("out").len(), FILES.len() + 4);
}

#[test]
fn wrong_settings_are_refused_with_the_remedy() {
    let place = Place::new();
    place.write("pages.jsonl", "{\"id\": 1, \"text\": \"x\"}\n");
    for (arguments, parts) in [
        ("--min-sentences 0", ["--min-sentences 1", "0"]),
        ("--min-words 0", ["--min-words 1", "0"]),
        ("--common-limit 1", ["common-limit 1", "2 or more"]),
        ("--pairs links", ["--pairs auto", "links"]),
        ("--keep last", ["--keep", "leave"]),
        ("--measure cosine", ["cosine", "leave --measure out"]),
        ("--keys imatch", ["imatch", "paper-imatch"]),
        ("--keys every --join unit", ["--join", "leave"]),
        (
            "--deduplicated clean.jsonl",
            ["passages removes nothing", "documents"],
        ),
        ("--preset paper", ["no preset \"paper\"", "paper-shingles"]),
    ] {
        place
            .run(&format!("passages --out out pages.jsonl {arguments}"))
            .refused_with(&parts);
    }
    place.run("passages pages.jsonl --align letters").exits(2);
    assert!(!place.path("out").exists());
}

#[test]
fn short_texts_match_where_they_are_identical_and_empty_ones_never() {
    let place = Place::new();
    let texts = ["", "Yes.", "Yes.", "…", "No."].map(str::to_string);
    let texts: Vec<(&str, String)> = ["a", "b", "c", "d", "e"].into_iter().zip(texts).collect();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl --audit 5");
    assert_eq!(pairs.len(), 1);
    assert_eq!(relation(&pairs, "b", "c"), "near-duplicate");
    let summary: Value = serde_json::from_str(&place.read("out/summary.json")).unwrap();
    assert_eq!(summary["audit"]["recall"], 1.0);
}

#[test]
fn a_sentence_is_as_common_as_it_is_on_both_sides() {
    let mut writer = Writer::new(11);
    let frame = writer.sentences(4).join(" ");
    let place = Place::new();
    let page = |writer: &mut Writer, id: usize| {
        json!({"id": id, "text": format!("{frame}\n{}", writer.sentences(9).join(" "))}).to_string()
            + "\n"
    };
    let corpus: String = (0..30).map(|id| page(&mut writer, id)).collect();
    place.write("corpus.jsonl", corpus);
    place.write("input.jsonl", page(&mut writer, 0));
    assert!(
        passages(
            &place,
            "input.jsonl --against corpus.jsonl --common-limit 10"
        )
        .is_empty()
    );
    place.write("list.jsonl", "{\"a\": 0, \"b\": 7}\n");
    let pairs = passages(
        &place,
        "input.jsonl --against corpus.jsonl --common-limit 10 --pair-list list.jsonl",
    );
    assert_eq!(pairs[0]["relation"], "boilerplate");
    assert_eq!(place.read("out/passages.jsonl"), "");
}

#[test]
fn copies_of_one_sentence_are_a_star_beyond_the_limit() {
    let place = Place::new();
    let said = Writer::new(12).sentence() + " " + &Writer::new(13).sentence();
    let line = |id: usize| json!({"id": id, "text": said}).to_string() + "\n";
    place.write("pages.jsonl", (0..30).map(line).collect::<String>());
    let pairs = passages(&place, "pages.jsonl --common-limit 10 --audit 30");
    assert_eq!(pairs.len(), 29);
    assert!(
        pairs
            .iter()
            .all(|pair| pair["a"] == 0 && pair["relation"] == "near-duplicate")
    );
    assert_eq!(
        passages(&place, "pages.jsonl --gap 4294967295").len(),
        30 * 29 / 2
    );
}

#[test]
fn a_numbered_record_that_was_rejected_shares_nothing() {
    let place = Place::new();
    let text = Writer::new(14).sentences(6).join(" ");
    let line = json!({"text": text}).to_string();
    place.write("pages.jsonl", format!("{line}\n{{broken\n{line}\n"));
    place.write("list.jsonl", "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 1}\n");
    place
        .run("passages --out out pages.jsonl --ids number --pair-list list.jsonl")
        .exits(3);
    let pairs = place.lines("pairs.jsonl");
    assert_eq!(
        (pairs.len(), &pairs[0]["a"], &pairs[0]["b"]),
        (1, &json!(1), &json!(3))
    );
}
