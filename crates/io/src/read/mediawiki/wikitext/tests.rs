//! Wikitext and what it comes to.

use proptest::prelude::*;

use super::*;

fn article(wikitext: &str) -> Article {
    read(wikitext, "Title", &Site::default(), Options::default())
}

fn text(wikitext: &str) -> String {
    article(wikitext).text
}

fn assert_texts(cases: &[(&str, &str)]) {
    for (wikitext, expected) in cases {
        assert_eq!(text(wikitext), *expected, "{wikitext}");
    }
}

#[test]
fn a_paragraph_is_a_line() {
    assert_texts(&[
        (
            "One\nline.\n\n\nAnother\u{a0} one.",
            "One line.\nAnother one.",
        ),
        ("河水\n很深。\n\n山很高。", "河水 很深。\n山很高。"),
        ("Река\n{{clear}}\nтечёт.", "Река\nтечёт."),
        ("a\n<!-- b -->\nc", "a c"),
        ("a<br />b", "a b"),
        (" preformatted\n text", "preformatted text"),
        ("a\n----\nb", "a\nb"),
    ]);
}

#[test]
fn quotes_entities_and_magic_words_are_no_text() {
    assert_texts(&[
        (
            "'''bold''' ''italic'' '''''both''''' l'eau",
            "bold italic both l'eau",
        ),
        (
            "a&nbsp;b &lt;c&gt; &amp;amp; &unknown; &",
            "a b <c> &amp; &unknown; &",
        ),
        ("__NOTOC__a __b__ c", "a __b__ c"),
        ("a ]] b }} c {{ d [[ e", "a b c d e"),
        ("x < y, y > z <nosuch>", "x < y, y > z <nosuch>"),
    ]);
}

#[test]
fn links_are_their_labels() {
    assert_texts(&[
        ("[[cat]]s and [[dog|dogs]]", "cats and dogs"),
        (
            "[[Paris (Texas)|]] [[:Category:Towns]]",
            "Paris Category:Towns",
        ),
        ("a[[Category:Towns|x]][[de:Stadt]] b", "a b"),
        ("[[كتاب|الكتاب]] و[[قلم]]", "الكتاب وقلم"),
        (
            "[http://example.org the site] [http://example.org] http://example.org",
            "the site http://example.org",
        ),
        ("[[a|[http://example.org b]]] [c]", "b [c]"),
        ("[[wikt:word|word]]", "word"),
    ]);
}

#[test]
fn a_caption_is_a_line_after_its_paragraph() {
    assert_texts(&[
        (
            "Before [[File:a.jpg|thumb|left|120px|alt=no|A [[river|wide river]] in spring]] after.\n\nNext.",
            "Before after.\nA wide river in spring\nNext.",
        ),
        ("[[Файл:a.jpg|мини|Река]]\nТекст.", "Река\nТекст."),
        ("[[File:a.jpg|Caption|thumb]]", "Caption"),
        ("[[File:a.jpg|thumb]]", ""),
        (
            "<gallery>\nFile:a.jpg|One ''lake''\nb.jpg\nc.jpg|两个湖\n</gallery>",
            "One lake\n两个湖",
        ),
    ]);
}

#[test]
fn list_items_and_definitions_are_lines() {
    assert_texts(&[
        ("* a\n** b\n# c\n:: d", "a\nb\nc\nd"),
        ("; term : meaning\n: more", "term\nmeaning\nmore"),
        ("<ul><li>a</li><li>b</li></ul>", "a\nb"),
        ("<blockquote>a</blockquote>b", "a\nb"),
    ]);
}

#[test]
fn every_cell_of_a_table_is_a_line() {
    assert_texts(&[
        (
            "{| class=\"wikitable\"\n|+ style=\"x\" | Caption\n! scope=\"col\" | A !! B\n|-\n| 1 || align=right | 2\n|\n* 3\n|}\nafter",
            "Caption\nA\nB\n1\n2\n3\nafter",
        ),
        ("{|\n| a\n{|\n| b\n|}\n| c\n|}", "a\nb\nc"),
        ("<table><tr><td>a</td><th>b</th></tr></table>", "a\nb"),
        ("{|\n|- {{style|\na=b}}\n| [[x|y]] || z", "y\nz"),
    ]);
}

#[test]
fn templates_are_dropped_unless_their_value_is_prose() {
    assert_texts(&[
        ("a {{Infobox\n| x = {{y|z}}\n}} b", "a b"),
        (
            "{{lang|fr|eau}} {{nowrap|1 m}} {{lang-ru|вода}} {{small|{{abbr|a|b}}}}",
            "eau 1 m вода a",
        ),
        (
            "{{convert|5|km|mi}} {{convert|2|-|3|m}} {{cvt|5|x|6|km2}}",
            "5 km 2–3 m 5 × 6 km²",
        ),
        (
            "{{circa|1500}} {{birth date|1950|3|4}} {{as of|2010|lc=y}}",
            "c. 1500 March 4, 1950 as of 2010",
        ),
        (
            "a{{snd}}b{{ndash}}c {{frac|1|2}} {{val|5|u=km}} {{formatnum:1234}}",
            "a – b–c 1/2 5 km 1234",
        ),
        (
            "{{ill|Lake|de|See}} {{transl|ar|ALA|nahr}} {{sic|teh}}",
            "Lake nahr teh",
        ),
        (
            "a {{quote|text=Words\nof one.|by=x}} b",
            "a\nWords of one.\nb",
        ),
        (
            "{{PAGENAME}} {{#if:a|b|c}} {{{x|default}}} {{unknown|a}}",
            "Title default",
        ),
        (
            "-{zh-hant:軟體;zh-hans:软件}- -{H|zh:a}--{原文}-",
            "软件 原文",
        ),
    ]);
}

#[test]
fn extensions_keep_a_sentence_whole() {
    assert_texts(&[
        (
            "Energy is <math>E = \\frac{m}{2}</math>, so",
            "Energy is E = frac m 2, so",
        ),
        ("<nowiki>[[a]] &amp; ''b''</nowiki>", "[[a]] & ''b''"),
        (
            "a <syntaxhighlight lang=\"c\">int\n x;</syntaxhighlight> b",
            "a\nint x;\nb",
        ),
        (
            "H<sub>2</sub>O <code>x</code> <span style=\"a\">y</span>",
            "H2O x y",
        ),
        ("a<timeline>x</timeline><score>y</score>b", "ab"),
        ("<poem>\na\nb\n</poem>", "a b"),
    ]);
    let options = Options {
        code: CodeBlocks::Drop,
    };
    let article = read("a <source>x</source>b", "", &Site::default(), options);
    assert_eq!(article.text, "a b");
}

#[test]
fn references_stand_apart() {
    let article = article(
        "Rain.<ref>A ''note''.</ref> Snow.<ref name=\"a\" /><ref name=b>{{cite book|last=Li|first=Wei|last2=Khan|year=2001\
         |title=Weather|publisher=Press|pages=1–2}}</ref>{{efn|Mostly.}}\n\
         {{Infobox|a=1<ref>In a box.</ref>}}\n== History ==\nHail.\n== References ==\n<references />\n* A [[book]].\n\
         === Weblinks ===\n* [http://example.org Site]\n== Later ==\nFog.",
    );
    assert_eq!(article.text, "Rain. Snow.\nHail.\nFog.");
    assert_eq!(
        article.references,
        "A note.\nLi, Wei; Khan (2001). \"Weather\". 1–2. Press.\nMostly.\nIn a box.\nA book.\nSite"
    );
    assert_eq!(article.headings, "History\nReferences\nWeblinks\nLater");
}

#[test]
fn citations_in_other_languages_are_lines_of_the_references() {
    let article = article(
        "{{Literatur|Autor=A. Berg|Titel=Der Fluss|Jahr=1999}} {{книга|автор=Б. Лес|заглавие=Река|год=2003|том=2|номер=3}}",
    );
    assert_eq!(article.text, "");
    assert_eq!(
        article.references,
        "A. Berg (1999). \"Der Fluss\".\nБ. Лес (2003). \"Река\". 2 (3)."
    );
}

#[test]
fn what_is_not_closed_takes_nothing_with_it() {
    assert_texts(&[
        ("{{Infobox | a\n\nText.", "Infobox | a\nText."),
        ("[[a|b\n\nText.", "a|b\nText."),
        ("a <ref>b\n\nText.", "a\nText."),
        ("{| class=x\n| a\n\nText.", "a\nText."),
        ("== a ==\n<math>b", "b"),
        ("<ref>{{cite</ref> a", "a"),
    ]);
}

/// The time must be that of a page ten times as short, ten times; and a hundred times that still is no square.
#[test]
fn the_time_grows_with_the_length_whatever_is_repeated() {
    let units = [
        "{{",
        "}}",
        "{{{",
        "[[",
        "]]",
        "<ref>",
        "</ref>",
        "<ref",
        "{|\n",
        "\n|}",
        "'''",
        "''a",
        "{{a|",
        "[[a|",
        "[[File:a|",
        "\n=",
        "\n=a=",
        "<!--",
        "-->",
        "<nowiki>",
        "<math>",
        "&",
        "&amp",
        "-{",
        "}-",
        "__",
        "\n*;:",
        "\n|a||",
        "|",
        "<b",
        "<h2>",
        "{{small|",
        "{{cite|a=",
        "{{convert|",
        "[http://a ",
        "<gallery>\n",
        "{{a}}",
        "[[a]]",
        "<ref>a</ref>",
        "{{small|a}}",
        "{{{a|b}}}",
        "{{#if:",
        "<ref name=a/>",
        "; a : b\n",
        "{{efn|",
        "<pre>",
    ];
    let seconds = |unit: &str, bytes: usize| {
        let page = unit.repeat(bytes / unit.len());
        let begin = std::time::Instant::now();
        article(&page);
        begin.elapsed().as_secs_f64()
    };
    for unit in units {
        let (short, long) = (seconds(unit, 100_000), seconds(unit, 1_000_000));
        assert!(long < short * 60.0 + 0.5, "{unit:?}: {short} s, {long} s");
    }
}

#[test]
fn deep_nesting_is_no_recursion() {
    for (open, close) in [
        ("{{small|", "}}"),
        ("[[a|", "]]"),
        ("{{a|", "}}"),
        ("{{cite|title=", "}}"),
        ("{{{a|", "}}}"),
    ] {
        let depth = 100_000;
        article(&format!("{}x{}", open.repeat(depth), close.repeat(depth)));
    }
}

fn is_lines(text: &str) -> bool {
    text.is_empty()
        || text
            .split('\n')
            .all(|line| !line.is_empty() && line.trim() == line && !line.contains("  "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_page_comes_to_lines(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{{", "}}", "{{{", "}}}", "[[", "]]", "{|", "|}", "|-", "|", "||", "!", "!!", "\n", "\n\n", " ", "=", "==", "'''", "''",
            "<ref>", "</ref>", "<ref name=a />", "<!--", "-->", "<nowiki>", "</nowiki>", "<math>", "</math>", "<br>", "<gallery>",
            "</gallery>", "<h2>", "</h2>", "&amp;", "&#160;", "-{", "}-", "zh:", ";", ":", "*", "#", "File:", "Category:", "http://",
            "lang|", "cite web|", "title=", "convert|5|km", "quote|", "efn|", "a", "b c", "字", "я", "ل", "é", "\u{3000}", "__TOC__", "_",
            "<pre>", "</pre>", "<div>", "<", ">", "/", "[", "]", "{", "}", "thumb", "---- ", "small|", "#REDIRECT", "References",
        ]), 0..60),
    ) {
        let article = article(&parts.concat());
        for field in [&article.text, &article.references, &article.headings] {
            prop_assert!(is_lines(field), "{field:?}");
        }
    }
}
