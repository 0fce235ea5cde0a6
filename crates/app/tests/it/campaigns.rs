//! Campaigns of short messages: a link of its own for every message, marks within words. And what a program reads of a run.

use serde_json::{Value, json};

use crate::support::Place;

/// Messages that have nothing to do with each other.
const OTHERS: &str = "\
明天下午三点在公司会议室开会，请准时参加
周末一起去爬山吧，天气预报说是晴天
图书馆的书已经到期，请尽快归还
昨晚的球赛真精彩，最后一分钟进球了
";

/// How many messages are left of these.
fn kept(messages: &[String]) -> usize {
    let place = Place::new();
    place.write("sms.txt", OTHERS.to_string() + &messages.join("\n") + "\n");
    place
        .run("messages sms.txt --out out --deduplicated clean.txt -q --no-report")
        .exits(0);
    place.read("clean.txt").lines().count() - OTHERS.lines().count()
}

#[test]
fn one_campaign_is_one_message_whatever_the_letters_of_its_links() {
    let links = [
        "nd/mgp/10GpVQ",
        "np/mgD/Pxpw2",
        "nd/mgp/VCUxh",
        "np/mgD/77Kd9",
        "t.cn/RuxKpL",
        "t.cn/4Zb2014",
    ];
    let messages = links.map(|link| {
        format!(
            "尊敬的会员您好，本店春季新品全场五折清仓大甩卖，欢迎新老顾客光临选购，满三百元再送精美礼品一份，活动仅限本周末两天，详情点击 {link} 退订回复"
        )
    });
    assert_eq!(kept(&messages), 1);
}

#[test]
fn marks_and_spaces_within_chinese_words_are_seen_through() {
    let messages = [
        "您好我是平安信贷，办理无抵押贷款，利息低放款快，请联系李经理",
        "您★好我★是平★安信★贷，办★理无抵★押贷款，利息★低放款快，请联★系李经★理",
        "您 好 我是平 安信 贷，办理无抵.押贷.款，利 息低放 款快，请联系李 经理",
        "您*好我是平*安信*贷，办*理无*抵押贷*款，利息低放款快，请联系李经理",
    ];
    assert_eq!(kept(&messages.map(str::to_string)), 1);
}

#[test]
fn a_summary_on_standard_error_is_all_there_is() {
    let place = Place::new();
    let rows: String = (0..3)
        .map(|id| {
            format!(
                "{}\n",
                json!({"id": id, "content": "The ferry leaves the old harbour at nine."})
            )
        })
        .collect();
    place.write("pages.jsonl", rows);
    // Without --json it is told there which field is read.
    let ran = place
        .documents("pages.jsonl --deduplicated - --no-report")
        .exits(0);
    assert!(ran.errors.contains("\"content\""), "{}", ran.errors);
    let ran = place
        .documents("pages.jsonl --deduplicated - --json --no-report")
        .exits(0);
    let summary: Value = serde_json::from_str(&ran.errors).unwrap();
    assert_eq!(summary["counts"]["records"], 3, "{summary}");
    assert_eq!(ran.out.lines().count(), 1);
}
