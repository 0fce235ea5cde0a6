//! The examples of the paper, and what must hold for any two texts.

use proptest::prelude::*;

use super::*;

fn kind(a: &str, b: &str) -> Kind {
    Comparer::new()
        .compare(Statement::new(a), Statement::new(b))
        .kind
}

const BUSH: &str = "Bush had an approval rating of 22% by the end of his term in 2008.";
const OBAMA: &str = "Obama had an approval rating of 56% by the end of his term in 2012.";

#[test]
fn the_examples_of_the_paper_have_their_kinds() {
    assert_eq!(kind(BUSH, BUSH), Kind::Identical);
    assert_eq!(kind(BUSH, OBAMA), Kind::Template);
    let edited =
        "Bush, a US President, had an approval rating of 22% by the end of his term in 2008.";
    assert_eq!(kind(BUSH, edited), Kind::CopyEdit);
    let drifted = "Obama had an approval rating of 46% by the end of his term in 2012.";
    assert_eq!(kind(OBAMA, drifted), Kind::FactualDrift);
    assert_eq!(
        kind(
            "Neotropical Ichthyology 11 (1): 73-80.",
            "Neotropical Ichthyology 10 (2): 245-253."
        ),
        Kind::Reference
    );
}

#[test]
fn white_space_and_the_glyphs_of_quotes_and_dashes_do_not_count() {
    assert_eq!(
        kind("the “old”  mill – 5 km", " the \"old\" mill - 5 km"),
        Kind::Identical
    );
    assert_eq!(kind("建于 1998 年。", "建于1998年。"), Kind::Identical);
    assert_eq!(kind("the Old mill", "the old mill"), Kind::CopyEdit);
}

#[test]
fn names_of_kinds_are_read_back_and_unknown_ones_refused_with_the_known() {
    for &kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
    }
    let refused = "drift".parse::<Kind>().unwrap_err().to_string();
    assert!(
        Kind::ALL.iter().all(|kind| refused.contains(kind.name())),
        "{refused}"
    );
}

#[test]
fn changed_words_are_listed_as_written() {
    let change = Comparer::new().compare(Statement::new(BUSH), Statement::new(OBAMA));
    let expected = [("Bush", "Obama"), ("22%", "56%"), ("2008", "2012")];
    assert_eq!(
        change.changed,
        expected.map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
}

/// The kind of two statements of articles with these titles in a corpus that has nothing like them.
fn kind_among(titles: [&str; 2], a: &str, b: &str) -> Kind {
    seen(titles, [a, b], false, false).kind
}

fn seen(titles: [&str; 2], texts: [&str; 2], is_frame: bool, are_siblings: bool) -> Change {
    let statement = |side: usize| Statement {
        text: texts[side],
        title: Some(titles[side]),
        in_references: false,
    };
    let seen = Seen::Among {
        is_frame,
        are_siblings,
    };
    Comparer::new().compare_seen(statement(0), statement(1), seen)
}

#[test]
fn what_the_corpus_says_decides_where_a_subject_is_implied() {
    let titles = ["Aken", "Bell"];
    let texts = [
        "The older part of the harbour was closed by the dyke board of the province in 1871, after two heavy storms had broken the northern mole.",
        "The older part of the harbour was closed by the dyke board of the province in 1891, after two heavy storms had broken the northern mole.",
    ];
    let alone = |side: usize| Statement {
        text: texts[side],
        title: Some(titles[side]),
        in_references: false,
    };
    assert_eq!(
        Comparer::new().compare(alone(0), alone(1)).kind,
        Kind::Template
    );
    assert_eq!(kind_among(titles, texts[0], texts[1]), Kind::FactualDrift);
    assert_eq!(seen(titles, texts, true, false).kind, Kind::Template);
    assert_eq!(seen(titles, texts, false, true).kind, Kind::Template);
    // In one article nothing of that matters.
    assert_eq!(
        seen(["Aken", "Aken"], texts, true, true).kind,
        Kind::FactualDrift
    );
}

#[test]
fn what_points_at_the_subject_of_its_article_is_about_that() {
    for (a, b) in [
        (
            "该镇区总面积为42.1平方公里。",
            "该镇区总面积为57.3平方公里。",
        ),
        (
            "She was elected to the council in 1957.",
            "She was elected to the council in 1963.",
        ),
        (
            "快车在此站只停早上三班，其余时间不停。",
            "快车在此站只停早上五班，其余时间不停。",
        ),
    ] {
        assert_eq!(
            kind_among(["Aken", "Bell"], a, b),
            Kind::Template,
            "{a} | {b}"
        );
    }
}

#[test]
fn titles_that_stand_for_each_other_make_a_template() {
    for (titles, a, b) in [
        (
            ["青河站", "白石站"],
            "大堂没有月台，与南岭站不同（白石站亦同）。",
            "大堂没有月台，与南岭站不同（青河站亦同）。",
        ),
        (
            ["Aken", "Bell"],
            "Like Bell, the town has no port since 1900.",
            "Like Aken, the town has no port since 1900.",
        ),
        (
            ["云海传4", "云海传4外传"],
            "《云海传4》于2007年12月19日发行。",
            "《云海传4外传》于2008年7月2日发行。",
        ),
    ] {
        assert_eq!(kind_among(titles, a, b), Kind::Template, "{a} | {b}");
    }
}

#[test]
fn other_ways_to_write_a_name_or_a_number_are_no_drift() {
    for (a, b) in [
        (
            "The Roman Catholic Church of the county has ten parishes.",
            "The Catholic Church of the county has ten parishes.",
        ),
        (
            "The set has the characters 0x20 to 0x5F of the table.",
            "The set has the characters 20h to 5Fh of the table.",
        ),
        (
            "The list was made by the WHO for poorer countries.",
            "The list was made by the World Health Organization for poorer countries.",
        ),
        (
            "Most rain falls in Lankaran near the sea.",
            "Most rain falls in Lenkeran near the sea.",
        ),
    ] {
        assert_eq!(kind(a, b), Kind::CopyEdit, "{a} | {b}");
    }
}

#[test]
fn a_drift_is_more_certain_the_more_both_state_alike() {
    let certain = |titles, a, b| {
        let change = seen(titles, [a, b], false, false);
        assert_eq!(change.kind, Kind::FactualDrift, "{a} | {b}");
        change.confidence
    };
    let long = certain(
        ["Marlow", "History of Marlow"],
        "The bridge at Marlow was built by monks of Hurley in 1408 and has seven arches of grey stone.",
        "The bridge at Marlow was built by monks of Hurley in 1480 and has seven arches of grey stone.",
    );
    let short = certain(
        ["Marlow", "History of Marlow"],
        "Marlow had 12 mills.",
        "Marlow had 14 mills.",
    );
    assert!(
        long > short && (0.0..=1.0).contains(&long),
        "{long} {short}"
    );
}

#[test]
fn particles_and_numerals_of_one_letter_state_something() {
    for (a, b) in [
        (
            "The price of bread went up in 1912 and stayed there.",
            "The price of bread went down in 1912 and stayed there.",
        ),
        (
            "The bridge was built after World War I by the army.",
            "The bridge was built after World War II by the army.",
        ),
        (
            "The abbey was given to the monks by Henry I of England.",
            "The abbey was given to the monks by Henry V of England.",
        ),
        (
            "该桥于1912年向公众开放，从此没有收费。",
            "该桥于1912年向公众开放，从此有收费。",
        ),
    ] {
        assert_eq!(kind(a, b), Kind::FactualDrift, "{a} | {b}");
    }
}

#[test]
fn articles_of_one_kind_say_the_same_of_their_own_subjects() {
    let kind = |titles, a, b| seen(titles, [a, b], false, false).kind;
    let halls = [
        "一楼为站厅层，设有进出站大厅、售票室、自动售票区、值班室、旅客服务区和卫生间。",
        "二楼为站厅层，设有进出站大厅、售票室、自动售票区、值班室、旅客服务区和卫生间。",
    ];
    assert_eq!(
        kind(["樟林东站", "惠溪站"], halls[0], halls[1]),
        Kind::Template
    );
    assert_eq!(
        kind(["樟林东站", "黑茶"], halls[0], halls[1]),
        Kind::FactualDrift
    );
    // The second part of a game is another game.
    let games = [
        "本游戏于1998年12月18日在日本地区发行。",
        "本游戏于1999年12月17日在日本地区发行。",
    ];
    assert_eq!(
        kind(["海狸派对", "海狸派对2"], games[0], games[1]),
        Kind::Template
    );
    assert_eq!(
        kind(["海狸派对", "海狸派对列表"], games[0], games[1]),
        Kind::FactualDrift
    );
    let towns = [
        "欧文镇涵盖面积，境内设有一座城市：米德。",
        "欧文镇涵盖面积，境内设有一座城市：麦恩。",
    ];
    let namesakes = ["欧文镇 (艾伦县)", "欧文镇 (克劳县)"];
    assert_eq!(kind(namesakes, towns[0], towns[1]), Kind::Template);
}

#[test]
fn what_one_article_names_is_what_the_other_points_at() {
    let flood = seen(
        ["Kettlebridge", "River Wend"],
        [
            "In February 1784 ice dammed the River Wend below Holloway Cross and carried away nine houses.",
            "In February 1784 ice dammed the river below Holloway Cross and carried away eleven houses.",
        ],
        false,
        false,
    );
    assert_eq!(flood.kind, Kind::FactualDrift);
}

#[test]
fn a_list_of_others_leaves_out_what_its_article_is_about() {
    let plants = seen(
        ["Dornsaurus", "Belsaurus"],
        [
            "Animals known from the Marl Formation include the grazers Camarus, Brachius and Torvus.",
            "Animals known from the Marl Formation include the grazers Dornsaurus, Brachius and Torvus.",
        ],
        false,
        false,
    );
    assert_eq!(plants.kind, Kind::Template);
    // Also where the titles are inflected.
    let authors = seen(
        ["Oskars Seiksts", "Valentins Lukasevics"],
        [
            "Its first volume (1995, with Valentinu Lukasevicu) brought new themes to the poetry of the land.",
            "Its first volume (1995, with Oskaru Seikstu) brought new themes to the poetry of the land.",
        ],
        false,
        false,
    );
    assert_eq!(authors.kind, Kind::Template);
}

#[test]
fn other_ways_to_point_at_the_same_are_no_drift() {
    let same = |titles, a, b| {
        let change = seen(titles, [a, b], false, false);
        assert_eq!(change.kind, Kind::CopyEdit, "{a} | {b}");
    };
    let titles = ["山上站", "里克站"];
    same(
        titles,
        "2014年8月，陈大文宣布将打造超级汽车以及汽车互联网生态系统。",
        "同年8月，陈大文宣布将打造超级汽车以及汽车互联网生态系统。",
    );
    same(
        titles,
        "艾尔以北的客运业务终结，自此服务山上站的国铁列车最远只达艾尔斯伯里。",
        "艾尔以北的客运业务终结，自此服务本站的国铁列车最远只达艾尔斯伯里。",
    );
    same(
        titles,
        "北线列车于1940年4月14日起扩展服务至高巴内特站。",
        "北线列车于1940年4月14日起扩展服务至高巴尼特站。",
    );
    same(
        ["Air defence vehicle", "Fighting vehicle"],
        "An air defence vehicle, also known as a self-propelled air weapon (SPA), is a mobile vehicle.",
        "An air defence vehicle, also known as a self-propelled air gun (SPAG), is a mobile vehicle.",
    );
}

#[test]
fn another_word_without_capitals_is_no_other_subject() {
    let kind = |a: (&str, &str), b: (&str, &str)| {
        let statement = |(text, title)| Statement {
            title: Some(title),
            ..Statement::new(text)
        };
        Comparer::new().compare(statement(a), statement(b)).kind
    };
    let title = "قلعة حلب";
    let built = "قام السلطان ببناء القلعة في وسط المدينة القديمة عام 1210";
    let erected = "قام السلطان بتشييد القلعة في وسط المدينة القديمة عام 1210";
    assert_eq!(kind((built, title), (erected, title)), Kind::CopyEdit);
    let later = "قام السلطان ببناء القلعة في وسط المدينة القديمة عام 1230";
    assert_eq!(kind((built, title), (later, title)), Kind::FactualDrift);
    // What each title says is a name in every script.
    let (seoul, busan) = (
        "서울 시청은 1926 년에 지은 건물이다",
        "부산 시청은 1926 년에 지은 건물이다",
    );
    assert_eq!(
        kind((seoul, "서울 시청"), (busan, "부산 시청")),
        Kind::Template
    );
}

/// Sentences that differ a little, and any characters at all.
fn any_text() -> impl Strategy<Value = String> {
    let words = vec![
        "Bush",
        "Obama",
        "the",
        "He",
        "had",
        "22%",
        "5 km",
        "3.1 miles",
        "May 2008",
        ",",
        "(",
        ")",
        ":",
        "-",
        "\"",
        "not",
        "north",
        "south",
        "张",
        "三",
        "是",
        "位于",
        "1998年3月",
        "，",
        "。",
        "é",
        "ß",
        "\u{0}",
        "👍🏽",
        "Press",
        "ISBN",
        "een",
        "“Long titles in quotes.”",
        "「",
        "《",
        "¥",
        "한국",
        "ไทย",
        "12",
        "twelve",
        "ﷺ",
        "{{",
        "=",
    ];
    let words =
        prop::collection::vec(prop::sample::select(words), 0..14).prop_map(|words| words.join(" "));
    prop_oneof![words, any::<String>()]
}

proptest! {
    #[test]
    fn a_change_is_the_same_both_ways(a in any_text(), b in any_text(), x in any_text(), y in any_text(), refs in any::<bool>()) {
        let mut comparer = Comparer::new();
        let a = Statement { text: &a, title: Some(&x), in_references: refs };
        let b = Statement { text: &b, title: Some(&y), in_references: false };
        let there = comparer.compare(a, b);
        let back = comparer.compare(b, a);
        prop_assert_eq!(there.kind, back.kind);
        prop_assert_eq!(there.confidence, back.confidence);
        prop_assert!((0.0..=1.0).contains(&there.confidence));
        let seen = Seen::Among { is_frame: refs, are_siblings: !refs };
        prop_assert_eq!(comparer.compare_seen(a, b, seen).kind, comparer.compare_seen(b, a, seen).kind);
        let outlines = (comparer.outline(a, b), comparer.outline(b, a));
        prop_assert_eq!(outlines.0.map(|o| o.fillings[0]), outlines.1.map(|o| o.fillings[1]));
        let mirrored: Vec<_> = back.changed.into_iter().map(|(from, to)| (to, from)).collect();
        prop_assert_eq!(there.changed, mirrored);
        prop_assert_eq!(comparer.compare(a, a).kind, Kind::Identical);
        prop_assert!(comparer.compare(b, b).changed.is_empty());
    }
}
