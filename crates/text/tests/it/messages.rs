//! The policies for short messages, case by case.

use crate::support::{normalise, words};
use lookalike_text::hash::{Seed, hash64};
use lookalike_text::{
    Case, Characters, Chinese, Digits, Emoji, LookAlikes, Numbers, Punctuation, Repeats,
    SpacedLetters, StopWords, TextOptions, Tokenizer, Unicode, ZeroWidth,
};

fn joined(text: &str, options: TextOptions) -> String {
    let words: Vec<String> = words(text, options)
        .into_iter()
        .map(|(word, _)| word)
        .collect();
    words.join("|")
}

/// Words and their hashes.
fn check(options: TextOptions, cases: &[(&str, &str)]) {
    for &(text, expected) in cases {
        assert_eq!(joined(text, options), expected, "{text}");
        let mut hashes = Vec::new();
        Tokenizer::new(options).word_hashes(text, Seed(3), &mut hashes);
        let of_words: Vec<u64> = words(text, options)
            .iter()
            .map(|(word, _)| hash64(word.as_bytes(), Seed(3)))
            .collect();
        assert_eq!(hashes, of_words, "{text}");
    }
}

fn look_alikes(policy: LookAlikes) -> TextOptions {
    TextOptions::default().with(|options| options.look_alikes = Some(policy))
}

fn spaced() -> TextOptions {
    TextOptions::default().with(|options| options.spaced_letters = Some(SpacedLetters::Join))
}

fn zero_width() -> TextOptions {
    TextOptions::default().with(|options| options.zero_width = Some(ZeroWidth::Remove))
}

fn chinese() -> TextOptions {
    TextOptions::default().with(|options| options.chinese = Some(Chinese::Words))
}

fn keeping_punctuation(options: TextOptions) -> TextOptions {
    options.with(|options| options.punctuation = Some(Punctuation::Keep))
}

#[test]
fn chinese_is_cut_into_words_of_the_dictionary() {
    check(
        chinese(),
        &[
            ("我们明天去银行办理贷款", "我们|明天|去|银行|办理|贷款"),
            ("我们，明天", "我们|明天"),
            ("银 行", "银|行"),
            ("银\u{AD}行", "银行"),
            ("银\u{200B}行", "银|行"),
            ("打开App看新闻3次", "打开|app|看|新闻|3|次"),
            ("銀行", "銀|行"),
            ("齉龘", "齉|龘"),
            ("银", "银"),
            ("カタ仮名", "カ|タ|仮|名"),
            ("", ""),
        ],
    );
    let found = words("我去银\u{AD}行。", chinese());
    assert_eq!(found.last(), Some(&("银行".to_owned(), 6..14)));
}

#[test]
fn chinese_words_go_with_numbers_and_stop_words() {
    let options = chinese().with(|options| {
        options.numbers = Numbers::Canonical;
        options.stop_words = "zh".parse::<StopWords>().unwrap();
    });
    check(options, &[("我在银行有三百元", "银行|300|元")]);
}

#[test]
fn letters_of_mixed_words_are_those_they_look_like() {
    check(
        look_alikes(LookAlikes::Mixed),
        &[
            ("Viаgrа", "viagra"),
            ("рaypal ρaypal", "paypal|paypal"),
            ("ІNVОІCЕ", "invoice"),
            ("frёe", "frëe"),
            ("вuy нello", "buy|hello"),
            ("ϲαѕһ", "cash"),
            ("Ｐауpal", "paypal"),
            ("wіn\u{AD}nеr1", "winner1"),
            // Wholly in one script.
            ("сор а он", "сор|а|он"),
            ("привет κόσμε Ελλάδα naïve", "привет|κόσμε|ελλάδα|naïve"),
            ("ԁома", "ԁома"),
            ("Việt łódź", "việt|łódź"),
            ("kt는 רpython", "kt는|רpython"),
            // Digits between letters, but not those of numbers, codes and words without a vowel.
            (
                "W1n c4sh pr1zes m0ney fr33ze",
                "win|cash|prizes|money|freeze",
            ),
            (
                "10am 4th mp3 w1 l8r h2o a1b2c3d4e5f",
                "10am|4th|mp3|w1|l8r|h2o|a1b2c3d4e5f",
            ),
            ("ск1дка ä1b a1ä", "ск1дка|ä1b|a1ä"),
            // A Cyrillic word with Latin letters.
            ("пpивeт cкидкa", "привет|скидка"),
            ("МОСКВA Москвa", "mockba|москва"),
        ],
    );
}

#[test]
fn letters_of_all_words_are_those_they_look_like() {
    check(
        look_alikes(LookAlikes::All),
        &[
            ("v1agra fr33 c@sh", "viagra|free|cash"),
            ("$ave m0ney", "save|money"),
            ("сор", "cop"),
            ("ꜰʀᴇᴇ ɢɪꜰᴛ", "free|gift"),
            ("1234 5 a1 @bob bob@", "1234|5|a1|bob|bob"),
            ("order 12345x67y", "order|12345x67y"),
            ("ØRSTED łódź þing", "ørsted|łódź|þing"),
            ("ｆｒ３３", "free"),
        ],
    );
}

#[test]
fn letters_that_are_written_apart_are_joined() {
    check(
        spaced(),
        &[
            ("f r e e", "free"),
            ("F.R.E.E", "free"),
            ("get F.R.E.E. now", "get|free|now"),
            ("w-i-n-s", "wins"),
            ("w_i_n_s", "wins"),
            ("w*i*n*s w|i|n|s w·i·n·s", "wins|wins|wins"),
            ("ｆ　ｒ　ｅ　ｅ", "free"),
            ("f\u{A0}r e\u{3000}e", "free"),
            ("с у п е р", "супер"),
            ("무 료 배 송", "무료배송"),
            ("c\u{301} a f e\u{301}", "ćafé"),
            ("U.S.A. is", "usa|is"),
            ("W.i.n c.a.s.h at 9 a.m. today", "win|cash|at|9|a.m|today"),
            ("in a/b/c or i c u", "in|abc|or|i|c|u"),
            ("a b c", "a|b|c"),
            ("a-b c d e", "a|bcde"),
            ("a.b c d e", "a.b|c|d|e"),
            ("1 2 3 4 5", "1|2|3|4|5"),
            ("a 1 b 2 c 3 d", "a|1|b|2|c|3|d"),
            ("f  r  e  e", "f|r|e|e"),
            ("f\nr\ne\ne", "f|r|e|e"),
            ("don't a b c d", "don't|abcd"),
            ("f r e e's", "f|r|e|e's"),
            ("so f r e e to", "so|free|to"),
            ("f.r.e.e.com", "free.com"),
            ("it is a fair day", "it|is|a|fair|day"),
        ],
    );
    let text = "say f.r.e.e!";
    assert_eq!(words(text, spaced())[1], ("free".to_owned(), 4..11));
    let long = format!("{} f r e e", "word ".repeat(11));
    for cut in 0..long.len() {
        assert!(joined(&long[cut..], spaced()).ends_with("free") || cut > long.len() - 7);
    }
}

#[test]
fn han_characters_that_are_written_apart_are_joined() {
    let options = spaced().with(|options| options.chinese = Some(Chinese::Words));
    check(
        options,
        &[
            ("加 微 信", "加|微信"),
            ("微 信", "微|信"),
            ("银*行*卡", "银行卡"),
            ("银 行 卡号", "银|行|卡号"),
        ],
    );
    assert_eq!(normalise("加 微 信 号", options), "加微信号");
}

#[test]
fn what_cannot_be_seen_is_removed() {
    let as_is = zero_width().with(|options| options.unicode = Unicode::AsIs);
    for options in [zero_width(), as_is] {
        check(
            options,
            &[
                ("fr\u{200B}ee", "free"),
                ("f\u{200B}r\u{2060}e\u{AD}\u{200B}e", "free"),
                ("\u{FEFF}a\u{200B} b", "a|b"),
                ("\u{200B}", ""),
                ("👨\u{200D}👩", "👨\u{200D}👩"),
            ],
        );
    }
    assert_eq!(
        words("fr\u{200B}ee\u{200B}", zero_width()),
        [("free".to_owned(), 0..7)]
    );
}

#[test]
fn emoji_are_dropped_unless_there_is_nothing_else() {
    let options = TextOptions::default().with(|options| options.emoji = Some(Emoji::Drop));
    check(
        options,
        &[
            ("win👍🏽now 😀", "win|now"),
            ("👨\u{200D}👩 🇩🇪 ok", "ok"),
            ("😀!!!", "😀"),
            ("👍🏽", "👍🏽"),
            ("© 2024", "2024"),
        ],
    );
    assert_eq!(normalise("win 👍🏽 now", options), "win now");
}

#[test]
fn runs_of_marks_and_letters_are_shortened() {
    let with = |repeats| TextOptions::default().with(|options| options.repeats = Some(repeats));
    check(
        keeping_punctuation(with(Repeats::Punctuation)),
        &[
            ("win!!! now", "win|!|now"),
            ("wait… what...", "wait|.|what|."),
            ("so？！！", "so|?|!"),
            ("! !", "!|!"),
            ("a..b", "a|.|b"),
            ("____ a__b", "_|a__b"),
            ("freeeee", "freeeee"),
        ],
    );
    check(
        with(Repeats::Punctuation),
        &[("win!!! now", "win|now"), ("a..b", "a|b"), ("???", "?")],
    );
    check(
        with(Repeats::Letters),
        &[
            ("freeeee FREEEeee", "free|free"),
            ("soooo sooo", "soo|soo"),
            ("ee\u{AD}eee", "ee"),
            ("哈哈哈哈", "哈|哈"),
            ("11111", "11111"),
            ("good", "good"),
            ("e\u{301}é\u{C9} éée\u{301}e", "éé|éée"),
            ("\u{1100}\u{1161}가가가", "가가"),
            // What becomes several letters is each of them.
            ("Fußsohle sß ßß", "fussohle|ss|ss"),
            ("ﬁ ffﬁ ﬀﬁ ﬀf\u{301}", "fi|ffi|ffi|fff\u{301}"),
        ],
    );
    let seen_through =
        with(Repeats::Letters).with(|options| options.look_alikes = Some(LookAlikes::Mixed));
    check(seen_through, &[("ßѕ", "ss")]);
    let options = with(Repeats::Letters);
    assert_eq!(normalise("Yesss!!! nooo...", options), "yess! noo.");
}

#[test]
fn digits_of_codes_are_all_the_same() {
    let with = |digits| TextOptions::default().with(|options| options.digits = Some(digits));
    check(
        with(Digits::Codes),
        &[
            ("code 483920", "code|000000"),
            ("code ４８３９２０", "code|000000"),
            ("1,250,000 of 2024", "0,000,000|of|2024"),
            ("a1b2c3d4e5", "a0b0c0d0e0"),
            ("+49 170 123-4567", "49|170|123|4567"),
            ("١٢٣٤٥", "00000"),
        ],
    );
    check(
        with(Digits::All),
        &[("room 5 at 18:30", "room|0|at|00|00"), ("none", "none")],
    );
    let canonical = with(Digits::Codes).with(|options| options.numbers = Numbers::Canonical);
    check(
        canonical,
        &[("1,250,000", "0000000"), ("two hundred thousand", "000000")],
    );
    assert_eq!(words("no. 48392!", with(Digits::Codes))[1].1, 4..9);
    assert_eq!(normalise("No. 48392!", with(Digits::Codes)), "no. 00000!");
}

#[test]
fn disguises_are_seen_through_together() {
    let options = spaced()
        .with(|options| options.look_alikes = Some(LookAlikes::Mixed))
        .for_messages();
    let text = "f\u{200B} r е e: рrі\u{200B}zes";
    let found = words(text, options);
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].0.as_str(), &text[found[0].1.clone()]),
        ("free", "f\u{200B} r е e")
    );
    assert_eq!(
        (found[1].0.as_str(), &text[found[1].1.clone()]),
        ("prizes", "рrі\u{200B}zes")
    );
    let graphemes = options.with(|options| {
        options.characters = Characters::Grapheme;
        options.case = Case::Keep;
    });
    assert_eq!(normalise(text, graphemes), "free: prizes");
}

/// Words of Chinese where single letters are joined.
fn han(text: &str) -> String {
    joined(
        text,
        spaced().with(|options| options.chinese = Some(Chinese::Words)),
    )
}

#[test]
fn what_parts_the_characters_of_a_disguised_text_is_taken_out() {
    let plain = han("您好我是平安信贷，办理无抵押贷款，请联系李经理");
    for disguised in [
        "您★好我★是平★安信★贷，办★理无抵★押贷款，请联★系李经★理",
        "您 好 我是平 安信 贷，办理无抵.押贷.款，请联系李 经理",
        "您*好我是平*安信贷，办*理无*抵押贷款，请联系李经理",
        "您 好 我 是平安信贷，办 理无抵押贷款，请 联系李经理",
    ] {
        assert_eq!(han(disguised), plain, "{disguised}");
    }
}

#[test]
fn marks_and_spaces_of_honest_chinese_still_part_words() {
    for text in [
        "时间：周六下午 地点：人民公园 联系人：王老师",
        "北京-上海 往返机票 特价",
        "首页|新闻|体育",
        "红色/绿色/蓝色 三种颜色可选，欢迎新老顾客光临本店选购",
    ] {
        let parts = text.split(|c: char| !c.is_alphanumeric());
        let apart: Vec<String> = parts.filter(|part| !part.is_empty()).map(han).collect();
        assert_eq!(han(text), apart.join("|"), "{text}");
    }
}
