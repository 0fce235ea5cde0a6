//! `lookalike threads`: what is a near-duplicate thread by default and by the preset.

use crate::support::bytes;
use crate::support::threads::{
    birthdays, ids, kettles, lines, many_threads, removed, thread, with,
};
use serde_json::{Value, json};

#[test]
fn one_birthday_asked_for_in_two_ways_is_found_and_other_birthdays_are_not() {
    let place = with(&birthdays());
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("jay", "jay again"), ("杰", "又杰")]);
    for pair in &pairs {
        assert_eq!(
            pair.field("answer"),
            Some(1.0),
            "dates in two forms are one"
        );
        let [title, body] = ["title", "body"].map(|name| pair.field(name).unwrap());
        assert!((pair.similarity - (0.4 * title + 0.2 * body + 0.4)).abs() < 1e-12);
        assert_eq!(pair.more, Value::Null);
    }
    // As they are written the answers have nothing in common.
    assert!(
        place
            .thread_pairs("threads.jsonl --numbers as-written")
            .is_empty()
    );
}

#[test]
fn more_tells_whose_answer_says_more_and_can_decide_which_thread_stays() {
    let place = with(&kettles());
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("short", "long"), ("长", "短")]);
    assert_eq!([&pairs[0].more, &pairs[1].more], ["b", "a"]);
    assert_eq!(removed(&place), ["short", "短"]);
    assert_eq!(place.summary()["parameters"]["keep"], "more");
    place.threads("threads.jsonl --keep first").exits(0);
    assert_eq!(removed(&place), ["long", "短"]);
    // Of the bodies none has more.
    for pair in place.thread_pairs("threads.jsonl --more-field body") {
        assert_eq!(pair.more, Value::Null);
    }
}

#[test]
fn a_date_in_another_form_is_not_more() {
    let place = with(&[
        thread("a", ["When was the bridge built?", "", "18/1/1979"]),
        thread("b", ["When was the bridge built?", "", "1979年1月18日"]),
        thread(
            "c",
            [
                "When was the bridge built?",
                "",
                "January 18th, 1979, by the railway",
            ],
        ),
    ]);
    let pairs = place.thread_pairs("threads.jsonl");
    assert_eq!(ids(&pairs), [("a", "b"), ("a", "c"), ("b", "c")]);
    let more: Vec<&Value> = pairs.iter().map(|pair| &pair.more).collect();
    assert_eq!(more, [&Value::Null, &json!("b"), &json!("b")]);
}

#[test]
fn the_same_question_with_wholly_different_answers_is_no_duplicate() {
    let question = [
        "Where can I park near the old harbour?",
        "We come with a caravan.",
    ];
    let wall = "墙上的钉子孔怎么补？";
    let place = with(&[
        thread(
            "a",
            [
                question[0],
                question[1],
                "Behind the fish market, after six in the evening.",
            ],
        ),
        thread(
            "b",
            [
                question[0],
                question[1],
                "Nobody may stop there since they closed the quay to cars.",
            ],
        ),
        thread("c", [wall, "", "用补墙膏填平，再刷漆。"]),
        thread("d", [wall, "", "请找房东帮忙处理吧！"]),
        // The same answer to another question is none either.
        thread(
            "e",
            [
                "Can I take my dog on the ferry?",
                "",
                "Yes, on a lead, but not on Sundays.",
            ],
        ),
        thread(
            "f",
            [
                "May children swim in the reservoir?",
                "",
                "Yes, on a lead, but not on Sundays.",
            ],
        ),
    ]);
    assert!(place.thread_pairs("threads.jsonl").is_empty());
    let all = place.thread_pairs("threads.jsonl --min-similarity 0");
    assert_eq!(ids(&all), [("a", "b"), ("c", "d"), ("e", "f")]);
    let answers = place.thread_pairs("threads.jsonl --min-similarity title=0");
    assert_eq!(ids(&answers), [("e", "f")]);
    // The paper asks for more than its threshold: equal titles alone are just at it.
    let by_paper = place.thread_pairs("threads.jsonl --preset paper");
    assert_eq!(ids(&by_paper), [("a", "b")]);
    place
        .threads("threads.jsonl --min-similarity answer=high")
        .refused_with(&["\"high\" is no similarity", "answer=0.5"]);
    place
        .threads("threads.jsonl --min-similarity reply=0.5")
        .refused_with(&["no field \"reply\"", "title, body, answer"]);
}

#[test]
fn a_short_answer_within_a_longer_one_makes_a_pair_and_the_longer_one_stays() {
    let title = "When was the bridge over the Arle opened?";
    let place = with(&[
        thread("year", [title, "", "1887"]),
        thread(
            "day",
            [
                title,
                "",
                "It was opened in May 1887 by the mayor of Netherby.",
            ],
        ),
        thread("other", [title, "", "1893"]),
    ]);
    let pairs = place.thread_pairs("threads.jsonl --numbers as-written");
    assert_eq!(ids(&pairs), [("year", "day")]);
    assert_eq!(
        (pairs[0].field("answer"), pairs[0].more.as_str()),
        (Some(0.3), Some("b"))
    );
    assert_eq!(removed(&place), ["year"]);
}

#[test]
fn the_preset_of_the_paper_is_what_it_spells_out() {
    let spelled = "--features shingles:words:3 --measure jaccard --weights 0.4,0.2,0.4 --threshold 0.5 --exclusive --remove-kinds all";
    let records: Vec<Value> = kettles().into_iter().chain(many_threads(300, 5)).collect();
    let place = with(&records);
    place.threads("threads.jsonl --preset paper").exits(0);
    let by_preset = bytes(&place.path("out"));
    assert!(by_preset["pairs.jsonl"].lines().count() > 50);
    place.threads(&format!("threads.jsonl {spelled}")).exits(0);
    assert_eq!(bytes(&place.path("out")), by_preset);
    // With dates and numbers, which the paper compares as they are written.
    place.write("threads.jsonl", lines(&birthdays()));
    let by_preset = place.thread_pairs("threads.jsonl --preset paper --threshold 0.05");
    let written = format!("threads.jsonl {spelled} --numbers as-written --threshold 0.05");
    assert_eq!(
        place.thread_pairs(&written.replacen(" --threshold 0.5", "", 1)),
        by_preset
    );
    assert_eq!(by_preset[0].field("answer"), Some(0.0));
}

#[test]
fn printed_settings_of_threads_read_back_are_the_same_settings() {
    let place = with(&birthdays());
    for options in [
        "",
        "--preset paper",
        "--fields title,answer --weights 0.3,0.7 --stop-words keep --code-blocks drop",
    ] {
        let printed = place
            .run(&format!("threads --print-config {options}"))
            .exits(0)
            .out;
        place.write("settings.toml", &printed);
        let again = place
            .run("threads --print-config --config settings.toml")
            .exits(0)
            .out;
        assert_eq!(again, printed);
        place.threads(&format!("threads.jsonl {options}")).exits(0);
        let by_options = bytes(&place.path("out"));
        place
            .threads("threads.jsonl --config settings.toml")
            .exits(0);
        assert_eq!(bytes(&place.path("out")), by_options);
    }
}
