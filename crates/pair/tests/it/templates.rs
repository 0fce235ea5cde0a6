//! Templates say what variants have in common, and nothing that does not hold of all of them.

use std::convert::Infallible;

use lookalike_pair::assemble::{Template, Templates};
use lookalike_text::TextOptions;
use proptest::prelude::*;

fn templates_of(texts: &[String], copies: &[u64], kept: usize) -> Vec<Template> {
    let mut found = Vec::new();
    let read = |number: usize, text: &mut String| {
        text.push_str(&texts[number]);
        Ok::<(), Infallible>(())
    };
    let each = |template| {
        found.push(template);
        Ok(())
    };
    let options = TextOptions::default().for_messages();
    let Ok(()) = Templates::new(options).find(copies, kept, read, each);
    found
}

fn of(texts: &[&str]) -> Vec<Template> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    templates_of(&texts, &vec![1; texts.len()], 0)
}

fn values(template: &Template) -> Vec<Vec<(&str, u64)>> {
    let slots = template.slots.iter();
    slots
        .map(|slot| {
            let values = slot.values.iter();
            values
                .map(|value| (value.text.as_str(), value.count))
                .collect()
        })
        .collect()
}

#[test]
fn values_come_with_counts_the_most_frequent_first() {
    let found = of(&[
        "Hi Ann, your code is 17. Do not share it!",
        "Hi Bob, your code is 42. Do not share it!",
        "Hi Ann, your code is 99. Do not share it!",
        "hi, your code is 42 - do NOT share it",
    ]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].text, "Hi {1}, your code is {2}. Do not share it!");
    assert_eq!(
        values(&found[0]),
        [
            vec![("Ann", 2), ("Bob", 1), ("", 1)],
            vec![("42", 2), ("17", 1), ("99", 1)],
        ]
    );
    assert_eq!(found[0].variants, [0, 1, 2, 3]);
}

#[test]
fn chinese_is_cut_where_the_texts_differ_and_not_where_words_end() {
    let found = of(&[
        "【建行】您尾号4711的账户支出100元，余额2000元。",
        "【建行】您尾号0815的账户支出99.5元，余额13元。",
        "【建行】您尾号0815的账户收入7元，余额20元。",
    ]);
    assert_eq!(found[0].text, "【建行】您尾号{1}的账户{2}元，余额{3}元。");
    assert_eq!(
        values(&found[0])[1],
        [("支出100", 1), ("支出99.5", 1), ("收入7", 1)]
    );
}

#[test]
fn thai_and_emoji_have_slots_too() {
    let found = of(&["รหัสของคุณคือ 1234 🎉 ขอบคุณ", "รหัสของคุณคือ 9876 😀 ขอบคุณ"]);
    assert_eq!(found[0].text, "รหัสของคุณคือ {1} ขอบคุณ");
    assert_eq!(values(&found[0]), [[("1234 🎉", 1), ("9876 😀", 1)]]);
}

#[test]
fn copies_count_as_often_as_they_are_there() {
    let texts = ["win 100 now", "win 200 now"].map(str::to_owned);
    let found = templates_of(&texts, &[1, 7], 1);
    assert_eq!(found[0].text, "win {1} now");
    assert_eq!(values(&found[0]), [[("200", 7), ("100", 1)]]);
}

#[test]
fn identical_messages_are_a_template_without_slots_and_one_alone_is_none() {
    let found = templates_of(&["hello there".to_owned()], &[3], 0);
    assert_eq!(found[0].text, "hello there");
    assert!(found[0].slots.is_empty());
    assert!(of(&["hello there"]).is_empty());
    assert!(of(&["", "…"]).is_empty());
}

#[test]
fn one_that_lacks_half_of_the_frame_does_not_take_it_from_the_others() {
    let mut texts: Vec<String> = (0..20)
        .map(|code| format!("Your parcel {code} waits at the counter, pick it up until Friday"))
        .collect();
    texts.push("Your parcel waits".to_owned());
    texts.push("Your parcel 77 waits".to_owned());
    let found = templates_of(&texts, &[1; 22], 0);
    let expected = "Your parcel {1} waits at the counter, pick it up until Friday";
    assert_eq!(found[0].text, expected);
    assert_eq!(found[0].variants.len(), 20);
    assert_eq!(found[1].text, "Your parcel {1} waits");
    assert_eq!(found[1].variants, [20, 21]);
}

#[test]
fn braces_of_the_texts_are_doubled() {
    let found = of(&["set {x} to 1 please", "set {x} to 2 please"]);
    assert_eq!(found[0].text, "set {{x}} to {1} please");
}

/// Every way to fill the slots of a template, as words.
fn filled(template: &Template) -> Vec<Vec<String>> {
    let mut texts = vec![template.text.clone()];
    for (number, slot) in (1..).zip(&template.slots) {
        let place = format!("{{{number}}}");
        texts = texts
            .iter()
            .flat_map(|text| {
                let values = slot.values.iter();
                values.map(|value| text.replace(&place, &value.text))
            })
            .collect();
    }
    let words = |text: &String| text.split_whitespace().map(str::to_owned).collect();
    texts.iter().map(words).collect()
}

proptest! {
    /// By brute force: every member is the frame with values, each value is counted once a member, nobody is in two.
    #[test]
    fn every_member_is_its_frame_filled(
        texts in prop::collection::vec(prop::collection::vec("aa|bb|cc|码", 1..7), 1..6),
        copies in prop::collection::vec(1u64..4, 6),
        kept in 0usize..6,
    ) {
        let texts: Vec<String> = texts.iter().map(|words| words.join(" ")).collect();
        let (copies, kept) = (&copies[..texts.len()], kept % texts.len());
        let found = templates_of(&texts, copies, kept);
        let mut seen = vec![0; texts.len()];
        for template in &found {
            let size: u64 = template.variants.iter().map(|&variant| copies[variant as usize]).sum();
            prop_assert!(size > 1);
            for slot in &template.slots {
                prop_assert_eq!(slot.values.iter().map(|value| value.count).sum::<u64>(), size);
                prop_assert!(slot.values.is_sorted_by(|a, b| a.count >= b.count));
            }
            let possible = filled(template);
            for &variant in &template.variants {
                seen[variant as usize] += 1;
                let words: Vec<&str> = texts[variant as usize].split_whitespace().collect();
                prop_assert!(possible.iter().any(|filled| *filled == words), "{} {:?}", template.text, words);
            }
        }
        prop_assert!(seen.iter().all(|&times| times < 2));
        prop_assert_eq!(&found, &templates_of(&texts, copies, kept));
    }
}
