//! Which texts have one form, and which are left as written.

use super::*;
use crate::{Tokenizer, Unicode};

fn canonical() -> TextOptions {
    TextOptions {
        numbers: Numbers::Canonical,
        ..TextOptions::default()
    }
}

fn words_with(text: &str, options: TextOptions) -> String {
    let mut found: Vec<String> = Vec::new();
    let mut sink = |word: &str, _: Range<usize>| found.push(word.to_owned());
    Tokenizer::new(options).words(text, &mut sink);
    found.join(" ")
}

fn words(text: &str) -> String {
    words_with(text, canonical())
}

/// Each of the texts, with something before and after, has this form.
fn assert_form(texts: &[&str], form: &str) {
    for text in texts {
        assert_eq!(words(text), form, "{text}");
        assert_eq!(words(&format!("({text}).")), form, "({text}).");
        assert_eq!(
            words(&format!("born {text} x")),
            format!("born {form} x"),
            "{text}"
        );
        assert_eq!(words(&text.to_uppercase()), form, "{text}");
    }
}

/// None of the texts is changed.
fn assert_left(texts: &[&str]) {
    for text in texts {
        let written = words_with(text, TextOptions::default());
        assert_eq!(words(text), written, "{text}");
    }
}

#[test]
fn a_date_has_one_form() {
    let texts = [
        "January 18th, 1979",
        "January 18, 1979",
        "January the 18th, 1979",
        "January eighteenth, 1979",
        "Jan. 18 1979",
        "18 January 1979",
        "18 January, 1979",
        "18th of January, 1979",
        "18th January\n1979",
        "18-Jan-1979",
        "18/1/1979",
        "1/18/1979",
        "18.1.1979",
        "18.01.1979",
        "18-01-1979",
        "1979-01-18",
        "1979/1/18",
        "1979.1.18",
        "1979年1月18日",
        "1979 年 1 月 18 日",
        "1979年1月18号",
        "一九七九年一月十八日",
        "１９７９年１月１８日",
        "１９７９/１/１８",
        "18. Januar 1979",
        "18. Jänner 1979",
        "18 janvier 1979",
        "18 de enero de 1979",
        "18 gennaio 1979",
        "18 de janeiro de 1979",
        "18 januari 1979",
    ];
    assert_form(&texts, "1979-01-18");
}

#[test]
fn months_of_seven_languages_are_known() {
    let first = [
        "1er août 2020",
        "1º de agosto de 2020",
        "1° agosto 2020",
        "1 augustus 2020",
    ];
    assert_form(&first, "2020-08-01");
    let march = [
        "5. März 2020",
        "5. Ma\u{308}rz 2020",
        "5 mars 2020",
        "5 de março de 2020",
    ];
    assert_form(&march, "2020-03-05");
    assert_form(
        &["5 mei 2020", "5 May 2020", "5 maggio 2020", "5 mayo 2020"],
        "2020-05-05",
    );
    assert_form(
        &["2 set 2020", "2 settembre 2020", "2 de setiembre de 2020"],
        "2020-09-02",
    );
    assert_form(
        &["24 décembre 2020", "24. Dezember 2020", "24 dic. 2020"],
        "2020-12-24",
    );
}

#[test]
fn dates_without_day_or_year_have_a_form() {
    let texts = [
        "January 1979",
        "Jan. 1979",
        "January, 1979",
        "January of 1979",
        "1979年1月",
    ];
    assert_form(&texts, "1979-01");
    assert_form(
        &["enero de 1979", "janvier 1979", "一九七九年一月"],
        "1979-01",
    );
    let texts = [
        "January 18th",
        "January 18",
        "18 January",
        "18th of January",
        "1月18日",
    ];
    assert_form(&texts, "--01-18");
    assert_form(&["一月十八日", "the 18th of January"][..1], "--01-18");
    assert_form(&["first of May", "May 1st", "1st May", "May 1"], "--05-01");
    assert_form(&["February 29"], "--02-29");
}

#[test]
fn dates_that_can_be_read_in_two_ways_follow_the_policy() {
    let month_first = TextOptions {
        dates: Dates::MonthFirst,
        ..canonical()
    };
    assert_eq!(words("3/4/1979"), "1979-04-03");
    assert_eq!(words_with("3/4/1979", month_first), "1979-03-04");
    assert_eq!(words_with("18/4/1979", month_first), "1979-04-18");
    assert_eq!(words_with("1979/3/4", month_first), "1979-03-04");
}

#[test]
fn what_is_no_date_is_left() {
    let texts = [
        "31/2/1979",
        "45/1/1979",
        "29/2/1979",
        "18/1/79",
        "18/1/1979/5",
        "5-18/1/1979",
        "1979-13-01",
        "1/2/3",
        "0018/1/1979",
        "10.0.0.1",
        "all 5 may enter",
        "you may go",
        "set 5 plates",
        "Mars 5 landed",
        "10 mars bars",
        "march on",
        "1979-01",
        "at 5 set out",
    ];
    assert_left(&texts);
    assert_eq!(words("February 30, 1979"), "february 30 1979");
    assert_eq!(words("18-20 January 1979"), "18 20 1979-01");
    assert_eq!(words("January 18-20, 1979"), "january 18 20 1979");
    assert_eq!(words("1979年2月31日"), "1979 年 2 月 31 日");
}

#[test]
fn grouped_digits_are_one_number() {
    let texts = [
        "1,000,000",
        "1.000.000",
        "1'000'000",
        "1’000’000",
        "1\u{A0}000\u{A0}000",
        "1\u{202F}000\u{2009}000",
        "1000000",
        "１，０００，０００",
        "1000k",
        "1 million",
        "one million",
        "1,000 thousand",
        "100万",
        "一百万",
        "1百万",
    ];
    assert_form(&texts, "1000000");
    assert_form(&["1,000", "one thousand", "1k", "一千", "1千"], "1000");
    assert_form(
        &["1,234.50", "1.234,5", "1\u{A0}234,5", "1234.5", "1234,50"],
        "1234.5",
    );
    let left = [
        "1.000",
        "1,00,000",
        "192.168.100.200",
        "1,2,3",
        "3.5.1",
        "1;2",
        "007",
        "0,000,1",
    ];
    assert_left(&left);
}

#[test]
fn decimals_have_a_point_and_no_zeros_that_say_nothing() {
    assert_form(&["3.5", "3.50", "3,5", "3,50"], "3.5");
    assert_form(&["5", "5.00", "5,0"], "5");
    assert_form(&["0.5", "0,5", "0.500", "零点五"], "0.5");
}

#[test]
fn ordinals_are_their_number() {
    assert_form(&["18th", "eighteenth"], "18");
    assert_form(&["21st", "twenty-first"], "21");
    assert_form(&["1st", "first"], "1");
    assert_form(&["112th"], "112");
    assert_left(&["1th", "2st", "11st", "21th", "second", "5x", "x5th"]);
}

#[test]
fn english_number_words_are_digits() {
    assert_form(&["twenty-five", "twenty five", "TWENTY‑FIVE"], "25");
    assert_form(&["two hundred", "2 hundred"], "200");
    assert_form(&["two hundred and five", "two hundred five"], "205");
    assert_form(&["two thousand and five", "two thousand five"], "2005");
    assert_form(&["fifteen hundred"], "1500");
    assert_form(
        &["three million two hundred thousand", "3.2 million"],
        "3200000",
    );
    assert_form(&["one hundred and twenty-three million four"], "123000004");
    assert_form(&["zero"], "0");
    assert_eq!(words("five five"), "5 5");
    assert_eq!(
        words("between two hundred and three hundred"),
        "between 200 and 300"
    );
    assert_eq!(words("two thousand three million"), "2000 3000000");
    assert_eq!(words("a twenty-year-old"), "a 20 year old");
    let left = [
        "one",
        "no one",
        "one second",
        "the second",
        "twenty-second",
        "hundreds",
        "a million",
        "thousand",
        "two's",
        "two.three",
        "twofold",
        "often",
        "x_two",
        "éone two\u{301}",
        "tw\u{AD}o",
    ];
    assert_left(&left);
}

#[test]
fn powers_of_ten_are_written_out() {
    assert_form(
        &[
            "10k",
            "10 thousand",
            "10,000",
            "ten thousand",
            "1万",
            "一万",
        ],
        "10000",
    );
    assert_form(&["1.5 million", "1.5mn", "150万", "一百五十万"], "1500000");
    assert_form(&["1.5亿", "1.5億", "一点五亿", "150 million"], "150000000");
    assert_form(&["2万亿", "2 trillion", "两万亿"], "2000000000000");
    assert_form(&["3千万", "三千万"], "30000000");
    assert_eq!(words("3 万元"), "30000 元");
    assert_left(&["10kg", "5m", "3千克", "3万5千", "在2019 百度", "3万分之1"]);
}

#[test]
fn chinese_numerals_are_digits_where_it_is_safe() {
    for (text, expected) in [
        ("二十五", "25"),
        ("三百二十", "320"),
        ("一百零五", "105"),
        ("一千零五十", "1050"),
        ("两百", "200"),
        ("十五", "15"),
        ("一百一十五", "115"),
        ("两万五千", "25000"),
        ("一万零五百", "10500"),
        ("一亿两千万", "120000000"),
        ("三個", "3 個"),
        ("十年", "10 年"),
        ("两块", "2 块"),
        ("第一个", "第 1 个"),
        ("二〇二四年", "2024 年"),
        ("三点二十五", "3 点 25"),
        ("二十几", "20 几"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
    let left = [
        "十分",
        "万一",
        "一样",
        "一起",
        "千万",
        "三星",
        "一点",
        "一块",
        "几十个",
        "七八十",
        "三百五",
        "二百五",
        "一五一十",
        "三三两两",
        "七八岁",
        "星期三",
        "百年",
        "三七二十一",
        "一",
        "一千克",
        "数十万",
        "千千万万",
        "零零",
        "百分百",
    ];
    assert_left(&left);
}

#[test]
fn shares_have_one_form() {
    let texts = [
        "5%",
        "5 %",
        "5％",
        "5\u{A0}%",
        "5 percent",
        "5 per cent",
        "five percent",
        "百分之五",
        "百分之5",
        "5 Prozent",
        "5 pour cent",
        "5 por ciento",
        "5.0%",
    ];
    assert_form(&texts, "5%");
    assert_form(&["3.5%", "3,5 %", "百分之三点五"], "3.5%");
    assert_form(
        &["百分之百", "百分之一百", "100%", "one hundred percent"],
        "100%",
    );
    assert_form(&["1%", "one percent"], "1%");
    assert_left(&["5%20", "% 5", "百分之几"]);
}

#[test]
fn forms_do_not_depend_on_the_other_options() {
    let options = TextOptions {
        unicode: Unicode::AsIs,
        case: crate::Case::Keep,
        ..canonical()
    };
    assert_eq!(
        words_with("１９７９ JANUARY １８th, 1979", options),
        "1979 1979-01-18"
    );
    let keep = TextOptions {
        punctuation: Some(crate::Punctuation::Keep),
        ..canonical()
    };
    assert_eq!(
        words_with("On Jan. 18, 1979, 5%.", keep),
        "on 1979-01-18 , 5% ."
    );
}

#[test]
fn a_form_stands_for_the_whole_of_what_it_replaces() {
    let text = "é: January 18th, 1979 was 5 % of １，０００.";
    let mut found = Vec::new();
    let mut sink = |word: &str, source: Range<usize>| found.push((word.to_owned(), &text[source]));
    Tokenizer::new(canonical()).words(text, &mut sink);
    let expected = [
        ("é", "é"),
        ("1979-01-18", "January 18th, 1979"),
        ("was", "was"),
        ("5%", "5 %"),
        ("of", "of"),
        ("1000", "１，０００"),
    ];
    assert_eq!(
        found,
        expected.map(|(word, source)| (word.to_owned(), source))
    );
}

#[test]
fn characters_have_the_forms_too() {
    let mut normalised = String::new();
    let mut tokenizer = Tokenizer::new(canonical());
    tokenizer.normalise(
        " On the  18th of January, 1979 at 5 percent!",
        &mut normalised,
    );
    assert_eq!(normalised, "on the 1979-01-18 at 5%!");
}
