//! `lookalike passages` on pages as sites have them: long ones, framed ones, split ones.

use crate::passages::{Writer, pages, passages, relation, slice};
use crate::support::Place;
use serde_json::{Value, json};

#[test]
fn passages_are_listed_with_what_they_say() {
    let mut writer = Writer::new(31);
    let (quoted, own) = (writer.sentences(4).join(" "), writer.sentences(8));
    let texts = [
        (
            "a",
            format!("标题：灯塔。\n{quoted}\n{}", own[..4].join(" ")),
        ),
        ("b", format!("{} „Früher“: {quoted}", own[4..].join(" "))),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    passages(&place, "pages.jsonl");
    let found = place.lines("passages.jsonl");
    for side in ["a", "b"] {
        assert_eq!(found[0][side]["text"], quoted);
        assert_eq!(found[0][side]["text"], slice(&texts, &found[0][side]));
    }
    passages(&place, "pages.jsonl --no-text");
    let without = place.lines("passages.jsonl");
    assert_eq!(without[0]["a"]["text"], Value::Null);
    assert_eq!(without[0]["a"]["begin"], found[0]["a"]["begin"]);
}

#[test]
fn a_long_page_holds_hundreds_of_others_wherever_it_stands() {
    let mut writer = Writer::new(32);
    let parts: Vec<String> = (0..800).map(|_| writer.sentences(4).join(" ")).collect();
    let long = parts.join("\n\n");
    assert!(long.len() > 256 << 10);
    let ids: Vec<String> = (0..parts.len()).map(|n| n.to_string()).collect();
    let mut texts: Vec<(&str, String)> = ids.iter().map(|id| &**id).zip(parts.clone()).collect();
    for place_of_long in [0, 400, parts.len()] {
        texts.insert(place_of_long, ("long", long.clone()));
        let place = Place::new();
        place.write("pages.jsonl", pages(&texts));
        for align in ["words", "sentences"] {
            let pairs = passages(&place, &format!("pages.jsonl --align {align}"));
            assert_eq!(pairs.len(), parts.len(), "{align}");
            for passage in place.lines("passages.jsonl") {
                let [of_long, of_part] = match passage["a"]["id"] == "long" {
                    true => [&passage["a"], &passage["b"]],
                    false => [&passage["b"], &passage["a"]],
                };
                let number: usize = of_part["id"].as_str().unwrap().parse().unwrap();
                assert_eq!(of_long["text"], parts[number], "{align}");
                assert_eq!(of_part["text"], parts[number], "{align}");
                assert_eq!(slice(&texts, of_long), parts[number]);
            }
        }
        texts.remove(place_of_long);
    }
}

/// A page of a site with what all its pages say around the article.
fn html(title: &str, article: &[String]) -> String {
    let paragraphs: String = article
        .iter()
        .map(|text| format!("<p>{text}</p>"))
        .collect();
    let menu: String = (0..12)
        .map(|n| {
            format!("<li><a href='/{n}'>Read what the editors of part {n} have to say</a></li>")
        })
        .collect();
    format!(
        "<html><head><title>{title}</title></head><body><nav><ul>{menu}</ul></nav>\
         <article><h1>{title}</h1>{paragraphs}</article>\
         <footer><p>We and our partners use cookies to measure how this page is read, to show what fits you, \
         and to find out what others liked. You may change your mind at any time. 本站保留一切权利。</p></footer></body></html>"
    )
}

#[test]
fn of_web_pages_the_article_is_compared_unless_the_whole_page_is_asked_for() {
    let mut writer = Writer::new(33);
    let place = Place::new();
    for name in ["one", "two"] {
        let article: Vec<String> = (0..6).map(|_| writer.sentences(3).join(" ")).collect();
        place.write(&format!("site/{name}.html"), html(name, &article));
    }
    assert_eq!(passages(&place, "site").len(), 0);
    assert_eq!(passages(&place, "site --main-content").len(), 0);
    assert_eq!(passages(&place, "site --whole-page").len(), 1);
    place
        .run("passages site --whole-page --main-content --out out")
        .exits(2);
    // Other jobs read all of it.
    let text = |arguments: &str| {
        let run = format!("sentences --out out --threshold 0.9 {arguments}");
        place.run(&run).exits(0);
        place.lines("pairs.jsonl").len()
    };
    assert!(text("site") > 0);
    assert_eq!(text("site --main-content"), 0);
}

/// So many pages of a site: other articles in the same frame.
fn framed(writer: &mut Writer, count: usize) -> Vec<(String, String)> {
    let header = writer.sentences(3).join("\n");
    let footer = writer.sentences(4).join("\n");
    (0..count)
        .map(|number| {
            let article = writer.sentences(14 + number % 5).join(" ");
            let id = format!("page-{number}");
            (id, format!("标题 {number}\n{header}\n{article}\n{footer}"))
        })
        .collect()
}

fn borrowed(texts: &[(String, String)]) -> Vec<(&str, String)> {
    let texts = texts.iter();
    texts.map(|(id, text)| (&**id, text.clone())).collect()
}

#[test]
fn the_frame_of_a_small_site_is_boilerplate() {
    for count in [4, 5, 10, 30] {
        let mut writer = Writer::new(34);
        let mut texts = framed(&mut writer, count);
        let quoted = writer.sentences(5).join(" ");
        for (_, text) in &mut texts[..2] {
            let at = text.match_indices(". ").nth(6).unwrap().0 + 2;
            text.insert_str(at, &format!("{quoted} "));
        }
        let place = Place::new();
        place.write("pages.jsonl", pages(&borrowed(&texts)));
        let pairs = passages(&place, "pages.jsonl");
        assert_eq!(pairs.len(), 1, "{count}: {pairs:?}");
        assert_eq!(relation(&pairs, "page-0", "page-1"), "quotes");
        assert_eq!(place.lines("passages.jsonl")[0]["a"]["text"], quoted);
        // A limit that is given holds as it is.
        let pairs = passages(&place, "pages.jsonl --common-limit 50");
        assert_eq!(pairs.len(), count * (count - 1) / 2);
    }
}

#[test]
fn the_frames_of_several_small_sites_are_boilerplate() {
    // No site has more than a sixth of the pages; the last collection has 300.
    for (sites, count) in [(12, 4), (6, 5), (50, 6)] {
        let mut writer = Writer::new(38);
        let mut texts = Vec::new();
        for site in 0..sites {
            let of_site = framed(&mut writer, count).into_iter();
            texts.extend(of_site.map(|(id, text)| (format!("site-{site}-{id}"), text)));
        }
        let place = Place::new();
        place.write("pages.jsonl", pages(&borrowed(&texts)));
        let pairs = passages(&place, "pages.jsonl");
        assert_eq!(pairs.len(), 0, "{sites} sites: {pairs:?}");
    }
}

#[test]
fn what_some_documents_begin_with_or_end_with_is_no_frame() {
    // Five essays of thirty begin with what a source begins with, five others end with what another one ends with; all have
    // the same last line.
    let mut writer = Writer::new(39);
    let quoted = [writer.sentences(5), writer.sentences(5)];
    let last = writer.sentences(1);
    let texts: Vec<(String, String)> = (0..30)
        .map(|number| {
            let own = writer.sentences(14);
            let page = match number {
                0..5 => [&quoted[0][..], &own, &last].concat(),
                5..10 => [&own[..], &quoted[1], &last].concat(),
                _ => [&own[..], &last].concat(),
            };
            (number.to_string(), page.join(" "))
        })
        .collect();
    let place = Place::new();
    place.write("pages.jsonl", pages(&borrowed(&texts)));
    assert_eq!(passages(&place, "pages.jsonl").len(), 10 + 10);
}

#[test]
fn what_some_of_a_small_class_copy_is_no_frame() {
    // A paragraph at the end of a quarter of the essays, and of most of those that all begin with the assignment.
    for (essays, copying, has_assignment) in [(16, 4, false), (15, 3, false), (12, 7, true)] {
        let mut writer = Writer::new(42);
        let [assignment, copied] = [3, 5].map(|count| writer.sentences(count));
        let texts: Vec<(String, String)> = (0..essays)
            .map(|number| {
                let own = writer.sentences(14);
                let top: &[String] = if has_assignment { &assignment } else { &[] };
                let end: &[String] = if number < copying { &copied } else { &[] };
                (number.to_string(), [top, &own, end].concat().join(" "))
            })
            .collect();
        let place = Place::new();
        place.write("pages.jsonl", pages(&borrowed(&texts)));
        let ran = place.run("passages pages.jsonl --out out").exits(0);
        let pairs = place.lines("pairs.jsonl");
        assert_eq!(
            pairs.len(),
            copying * (copying - 1) / 2,
            "{copying} of {essays}"
        );
        for passage in place.lines("passages.jsonl") {
            assert_eq!(passage["a"]["text"], copied.join(" "));
        }
        let said = "boilerplate       36 sentences in 12 documents, left out; --common-limit 50";
        assert_eq!(ran.out.contains(said), has_assignment, "{}", ran.out);
    }
}

#[test]
fn the_menu_of_a_part_of_a_small_collection_is_boilerplate() {
    let mut writer = Writer::new(43);
    let words = writer.sentences(2).join(" ").replace('.', "");
    let words: Vec<&str> = words.split_whitespace().collect();
    let menu: Vec<String> = words.chunks(2).map(|words| words.join(" ")).collect();
    assert!(menu.len() > 10);
    let texts: Vec<(String, String)> = (0..16)
        .map(|number| {
            let own = writer.sentences(14).join(" ");
            let menu = if number < 8 {
                menu.join("\n")
            } else {
                String::new()
            };
            (number.to_string(), format!("{own}\n{menu}"))
        })
        .collect();
    let place = Place::new();
    place.write("pages.jsonl", pages(&borrowed(&texts)));
    assert_eq!(passages(&place, "pages.jsonl").len(), 0);
    assert_eq!(
        passages(&place, "pages.jsonl --common-limit 50").len(),
        8 * 7 / 2
    );
}

#[test]
fn what_many_quote_is_no_frame() {
    let mut writer = Writer::new(35);
    let quoted = writer.sentences(5);
    // In three of five at their beginning, and in eight of ten anywhere.
    for (count, quoting) in [(5, 3), (10, 8)] {
        let texts: Vec<(String, String)> = (0..count)
            .map(|number| {
                let mut page = writer.sentences(12);
                if number < quoting {
                    let at = if count == 5 { 0 } else { 2 + number };
                    page.splice(at..at, quoted.clone());
                }
                (number.to_string(), page.join(" "))
            })
            .collect();
        let place = Place::new();
        place.write("pages.jsonl", pages(&borrowed(&texts)));
        let pairs = passages(&place, "pages.jsonl");
        assert_eq!(pairs.len(), quoting * (quoting - 1) / 2, "{count}");
    }
}

#[test]
fn what_a_class_copies_from_a_source_is_no_boilerplate() {
    // At the beginning of the source or at its end, by few or by more than the limit.
    for (essays, copying, at_end) in [(12, 3, false), (12, 5, true), (60, 55, false)] {
        let mut writer = Writer::new(40);
        let copied = writer.sentences(4);
        let mut page = |is_copy: bool| {
            let own = writer.sentences(14);
            match (is_copy, at_end) {
                (false, _) => own,
                (true, false) => [&copied[..], &own].concat(),
                (true, true) => [&own[..], &copied].concat(),
            }
            .join(" ")
        };
        let source = [("source".to_string(), page(true))];
        let class = (0..essays).map(|number| (number.to_string(), page(number < copying)));
        let class: Vec<(String, String)> = class.collect();
        let place = Place::new();
        place.write("class.jsonl", pages(&borrowed(&class)));
        place.write("source.jsonl", pages(&borrowed(&source)));
        let pairs = passages(&place, "class.jsonl --against source.jsonl");
        assert_eq!(pairs.len(), copying, "{copying} of {essays}");
    }
}

#[test]
fn all_essays_like_a_source_are_in_its_cluster() {
    let mut writer = Writer::new(41);
    let text = writer.sentences(20).join(" ");
    let mut essay = |id| (id, format!("{text} {}", writer.sentences(1)[0]));
    let essays = [essay("anna"), essay("ben"), essay("carl")];
    let place = Place::new();
    place.write("essays.jsonl", pages(&essays));
    place.write("source.jsonl", pages(&[("wiki", text.clone())]));
    for within in ["", "--within"] {
        passages(
            &place,
            &format!("essays.jsonl --against source.jsonl {within}"),
        );
        let clusters = place.lines("clusters.jsonl");
        assert_eq!(clusters.len(), 1, "{clusters:?}");
        assert_eq!(clusters[0]["cluster"], "wiki");
        let members = serde_json::json!(["wiki", "anna", "ben", "carl"]);
        assert_eq!(clusters[0]["members"], members);
    }
}

/// An article whose sentences are about the same few things.
fn story(writer: &mut Writer, about: &str, sentences: usize) -> Vec<String> {
    let say = |sentence: String| format!("{about} {}", sentence.to_lowercase());
    writer.sentences(sentences).into_iter().map(say).collect()
}

#[test]
fn an_article_that_two_sites_split_differently_is_one_group() {
    let mut writer = Writer::new(36);
    let article = story(
        &mut writer,
        "Zinmo and the lamp of Korvel in the harbour",
        40,
    );
    let other = story(&mut writer, "The tram of Wexgu at its last stop", 40);
    let cut = |from: usize, to: usize| article[from..to].join(" ");
    let texts = [
        ("b3", cut(28, 40)),
        ("a1", cut(0, 20)),
        ("b1", cut(0, 13)),
        ("a2", cut(20, 40)),
        ("b2", cut(13, 28)),
        // Another article begins with what the first page of this one ends with: that makes it no part of it.
        ("other", [&article[36..], &other[..]].concat().join(" ")),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    let pairs = passages(&place, "pages.jsonl");
    let groups = place.lines("clusters.jsonl");
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!(groups[0]["relation"], "multi-page");
    let members = groups[0]["members"].as_array().unwrap().iter();
    let members: Vec<&str> = members.map(|id| id.as_str().unwrap()).collect();
    assert_eq!(members, ["a1", "b1", "b2", "a2", "b3"]);
    let grouped = pairs.iter().filter(|pair| pair["group"] == "multi-page");
    assert_eq!(grouped.count(), 4);
    let other = pairs.iter().filter(|pair| pair["b"] == "other");
    assert!(other.clone().count() > 0 && other.clone().all(|pair| pair["group"].is_null()));
}

#[test]
fn pages_that_lie_mostly_in_another_and_go_on_join_the_parts_of_an_article() {
    let mut writer = Writer::new(37);
    let article = story(&mut writer, "Orvelle and the glass mill by the weir", 64);
    let cut = |from: usize, to: usize| article[from..to].join(" ");
    // The third page of b lies in the first of a but for four sentences, and the fourth in the second.
    let texts = [
        ("b4", cut(43, 64)),
        ("a1", cut(0, 39)),
        ("b1", cut(0, 13)),
        ("b3", cut(21, 43)),
        ("a2", cut(39, 64)),
        ("b2", cut(13, 21)),
    ];
    let place = Place::new();
    place.write("pages.jsonl", pages(&texts));
    passages(&place, "pages.jsonl");
    let groups = place.lines("clusters.jsonl");
    let split: Vec<_> = groups
        .iter()
        .filter(|group| group["relation"] == "multi-page")
        .collect();
    assert_eq!(split.len(), 1, "{groups:?}");
    assert_eq!(
        split[0]["members"],
        json!(["a1", "b1", "b2", "b3", "a2", "b4"])
    );
}
