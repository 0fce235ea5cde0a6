//! What was copied from traditional to simplified Chinese characters.

use serde_json::{Value, json};

use crate::support::Place;

const SIMPLIFIED: &str = "桐岭大桥于1931年建成通车，全长812米，是当时全省最长的公路桥。";
const TRADITIONAL: &str = "桐嶺大橋於1932年建成通車，全長812米，是當時全省最長的公路橋。";

fn articles(place: &Place) {
    let lines = [
        json!({"id": 1, "title": "桐岭", "text": SIMPLIFIED}),
        json!({"id": 2, "title": "桐嶺大橋", "text": TRADITIONAL}),
        json!({"id": 3, "title": "渡口", "text": "渡口旁边有一家卖鱼汤的小店，每天清晨五点开门营业。"}),
    ];
    place.write(
        "articles.jsonl",
        lines.map(|line| line.to_string() + "\n").concat(),
    );
}

#[test]
fn a_sentence_in_traditional_characters_has_drifted_from_a_simplified_one() {
    let place = Place::new();
    articles(&place);
    place
        .run("sentences articles.jsonl --out out -q --no-report")
        .exits(0);
    let pairs = place.read("out/pairs.jsonl");
    let pair: Value = serde_json::from_str(pairs.trim()).unwrap();
    assert_eq!(pair["kind"], "factual-drift");
    assert_eq!(pair["changed"], json!([["1931", "1932"]]));
    // The texts are quoted as they are written.
    assert_eq!(pair["b"]["text"], TRADITIONAL);

    place
        .run("sentences articles.jsonl --out written --han as-written -q --no-report")
        .exits(0);
    assert_eq!(place.read("written/pairs.jsonl"), "");
}

#[test]
fn a_passage_in_traditional_characters_is_found_where_it_stands() {
    let place = Place::new();
    let own = "我们家每年夏天都去那里玩。";
    let more =
        "橋頭有一座石獅，據說是清朝工匠留下的。每逢端午節，兩岸的居民都會在橋上觀看龍舟比賽。";
    let simplified =
        "桥头有一座石狮，据说是清朝工匠留下的。每逢端午节，两岸的居民都会在桥上观看龙舟比赛。";
    let a = format!("{own}{SIMPLIFIED}{simplified}");
    let b = format!("{TRADITIONAL}{more}");
    let lines = [("a", &a), ("b", &b)].map(|(id, text)| json!({"id": id, "text": text}));
    place.write(
        "pages.jsonl",
        lines.map(|line| line.to_string() + "\n").concat(),
    );
    place
        .run("passages pages.jsonl --out out -q --no-report")
        .exits(0);
    let passages = place.read("out/passages.jsonl");
    let passage: Value = serde_json::from_str(passages.trim()).unwrap();
    let span = |side: &str, of: &str| {
        let at = |name: &str| passage[side][name].as_u64().unwrap() as usize;
        of.chars()
            .skip(at("begin"))
            .take(at("end") - at("begin"))
            .collect::<String>()
    };
    assert_eq!(span("a", &a), format!("{SIMPLIFIED}{simplified}"));
    assert_eq!(span("b", &b), b);
}

#[test]
fn a_message_in_traditional_characters_is_the_same() {
    let place = Place::new();
    let lines = "您的快遞已到驛站，請憑取件碼領取\n您的快递已到驿站，请凭取件码领取\n明天下午三点在公司会议室开会，请准时参加\n";
    place.write("sms.txt", lines);
    place
        .run("messages sms.txt --out out -q --no-report")
        .exits(0);
    let pair: Value = serde_json::from_str(place.read("out/pairs.jsonl").trim()).unwrap();
    assert_eq!(
        (&pair["kind"], &pair["similarity"]),
        (&json!("same"), &json!(1.0))
    );
}
