//! What is left of HTML.

use proptest::prelude::*;

use super::*;

fn text(html: &str) -> String {
    let mut out = String::new();
    to_text(html, CodeBlocks::Keep, &mut out);
    out
}

fn without_code(html: &str) -> String {
    let mut out = String::new();
    to_text(html, CodeBlocks::Drop, &mut out);
    out
}

#[test]
fn blocks_are_lines_and_white_space_is_one_space() {
    let html = "\n<h2>Kopf</h2>\n\n<p>Ein   <em>be</em>tonter\nSatz.</p><p>二<br/>三</p>\n<ul>\n<li>x</li><li> y </li></ul> \n";
    assert_eq!(text(html), "Kopf\nEin betonter Satz.\n二\n三\nx\ny");
    assert_eq!(
        text("<table><tr><td>a</td><td>b</td></tr><tr><td>c"),
        "a b\nc"
    );
    assert_eq!(text(" \n "), "");
}

#[test]
fn text_is_appended_to_what_is_there() {
    let mut out = "vorher ".to_owned();
    to_text("<p> nachher </p>", CodeBlocks::Keep, &mut out);
    assert_eq!(out, "vorher nachher");
}

#[test]
fn references_are_characters() {
    assert_eq!(
        text("&lt;b&gt; &amp;amp; caf&eacute;&#8217;s &#x4e00;&nosuch; AT&T"),
        "<b> &amp; café’s 一&nosuch; AT&T"
    );
    assert_eq!(text("a&#10;&#32; b"), "a b");
}

#[test]
fn code_keeps_its_white_space_or_is_dropped() {
    let html = "<p>Run <code>ls  -l</code>:</p>\n\n<pre class=\"lang-sh\"><code>if a; then\n    b &gt; c\nfi\n</code></pre>\n\n<p>Done.</p>";
    assert_eq!(text(html), "Run ls -l:\nif a; then\n    b > c\nfi\nDone.");
    assert_eq!(without_code(html), "Run ls -l:\nDone.");
    assert_eq!(without_code("<PRE>\n a\n  b</PRE>c"), " a\n  b\nc");
    assert_eq!(without_code("a<pre> <CODE>b</pre>c"), "a\nc");
    assert_eq!(without_code("a<pre><code>b"), "a");
}

#[test]
fn scripts_styles_comments_and_declarations_have_no_text() {
    let html = "<!DOCTYPE html><?php x ?>a<script>if (a < b) \"</p>\" </scripts></SCRIPT >b<style>p > q</style>c<!-- <p>no</p> -->d<!-->e</>f";
    assert_eq!(text(html), "abcdef");
    assert_eq!(text("a<script>b"), "a");
    assert_eq!(text("a<!-- b"), "a");
}

#[test]
fn what_is_no_tag_is_text() {
    assert_eq!(text("1 < 2 <3 <"), "1 < 2 <3 <");
    assert_eq!(text("a <b"), "a");
    assert_eq!(text("<a title=\"x > y\" alt='>'>z</a>"), "z");
    assert_eq!(text("<a it's>z</a>"), "z");
}

#[test]
fn what_never_ends_does_not_take_the_rest_with_it() {
    assert_eq!(text("<a href=\"x>z"), "z");
    assert_eq!(
        text("<p>一<!-- oops <p>Candles<!-- again <b>for</b> sale"),
        "一Candlesfor sale"
    );
    for element in ["script", "STYLE", "textarea", "noframes", "iframe"] {
        let html = format!(
            "<p>a</p><{element}>var b = 1; <p>Quite another page</p><{element}>c</{element}>d"
        );
        assert_eq!(text(&html), "a\nd", "it ends at the next end");
        let html = format!("<p>a</p><{element}>var b = 1; <i>c <p>Quite another page");
        assert_eq!(text(&html), "a\nQuite another page");
    }
    for element in ["select", "svg", "noscript"] {
        assert_eq!(
            text(&format!("a <{element}>b</{element}> c <{element}><p>d")),
            "a c\nd"
        );
    }
    assert_eq!(
        text("<ruby>漢<rt>kan</rt></ruby>字<ruby>典<rt>ten</ruby>"),
        "漢字典ten"
    );
}

fn whole(html: &str) -> Page {
    page(
        html,
        PageOptions {
            code: CodeBlocks::Keep,
            main_content: false,
        },
    )
}

fn article(html: &str) -> String {
    page(
        html,
        PageOptions {
            code: CodeBlocks::Keep,
            main_content: true,
        },
    )
    .text
}

#[test]
fn a_page_has_a_title_a_language_and_an_address() {
    let html = "<!DOCTYPE html><HTML lang=zh-CN><head><title> 标题 &amp; \n mehr</title>\
        <meta property=og:url content=https://example.org/other>\
        <link href='https://example.org/?a=1&amp;b=2' rel='alternate canonical'></head><body><h1>Kopf</h1>eins</body></html>";
    let expected = Page {
        title: "标题 & mehr".to_owned(),
        text: "Kopf\neins".to_owned(),
        language: Some("zh-CN".to_owned()),
        url: Some("https://example.org/?a=1&b=2".to_owned()),
    };
    assert_eq!(whole(html), expected);
    assert_eq!(
        whole("<title></title><p>a<h1>Der <b>Ti</b>tel &amp;amp;</h1>b<h1>c</h1>").title,
        "Der Titel &amp;"
    );
    assert_eq!(whole("<title>never closed<p>text").title, "never closed");
    assert_eq!(whole("<title>never closed<p>text").text, "text");
    assert_eq!(
        whole("<svg><title>Icon</title></svg><title>Page</title>").title,
        "Page"
    );
    assert_eq!(whole(""), Page::default());
}

#[test]
fn what_is_not_shown_is_not_read() {
    let hidden = [
        "<script>var a = '<p>x</p>' </script>",
        "<style>p { x: y }</style>",
        "<template><p>x<template>y</template>z</template>",
        "<noscript><img src=a>x</noscript>",
        "<svg><g><text>x</text></g><desc/></svg>",
        "<div hidden><div>x</div><p>y</div>",
        "<span style='color: red; display : none'>x<span>y</span>z<img></span>",
        "<p hidden>x",
        "<select><option>x<option>y</select>",
        "<textarea>x</p></textarea>",
        "<dialog>x</dialog>",
        "<iframe><p>x</iframe>",
        "<ruby><rp>(</rp><rt>x</rt></ruby>",
        "<table><tr hidden><td>x<tr><td></table>",
        "<svg/>",
        "<title>x</title><title>y</title>",
    ];
    for html in hidden {
        let page = whole(&format!("a<p>b{html}<p>c</p>"));
        assert_eq!(page.text, "a\nb\nc", "{html}");
    }
    assert_eq!(whole("<body hidden><p>a<p>b").text, "a\nb");
    assert_eq!(
        whole("a<input type=hidden value=x>b<wbr>c<img alt=d>e").text,
        "abce"
    );
}

#[test]
fn blocks_of_a_page_are_lines() {
    let cases = [
        ("<table><tr><td>a<td>b<tr><th>c</table>d", "a\nb\nc\nd"),
        (
            "<dl><dt>a<dd>b</dl><ul><li>c<ul><li>d</ul>e</ul>",
            "a\nb\nc\nd\ne",
        ),
        ("a<br>b<br/>c</br>d", "a\nb\nc\nd"),
        ("a<hr>b<button>c</button>d", "a\nb c d"),
        ("<p>&nbsp;</p><p>\u{3000}\u{3000}一\u{a0}二</p>", "一 二"),
        ("<pre>\r\n a\r\n  b\rc\0</pre>\0d\0e", " a\n  b\nc\nde"),
        (
            "<?xml version='1.0'?><html><script src='a'/><p/>b<title/>c</html>",
            "b\nc",
        ),
        ("<div><table><td></div>a</table><p>b", "a\nb"),
        ("in<i>li<b>ne</i>s</b>", "inlines"),
        ("Wort&shy;teil \u{ad} x\u{ad}", "Wortteil x"),
    ];
    for (html, text) in cases {
        assert_eq!(whole(html).text, text, "{html}");
    }
}

/// A sentence of about a hundred letters.
const SENTENCE: &str = "The keeper of the old lighthouse walked down to the harbour every morning, bought two fresh loaves of bread and went home.";
const SATZ: &str = "灯塔的看守人每天早晨都走到港口去，买两个新鲜的面包，然后沿着海边的小路慢慢走回家，从来没有改变过。";

#[test]
fn the_article_stays_and_what_is_around_it_goes() {
    let around = "<header><a href=/>Home</a> Site of the year</header><nav><ul><li><a href=/a>First</a><li><a href=/b>Second</a></ul></nav>";
    let below = "<div class=related-posts><p>Another story that is long enough to be taken for prose, if it were not for its class.</p></div>\
        <div id=cookieBanner>We and our partners use cookies to make this page better for you, which you may accept.</div>\
        <footer>Copyright of the publisher, all rights reserved, and a long line about nothing in particular.</footer>";
    for sentence in [SENTENCE, SATZ] {
        for (open, close) in [
            ("<article>", "</article>"),
            ("<div class=post>", "</div>"),
            ("<main><div>", "</div></main>"),
        ] {
            let html = format!(
                "<body>{around}{open}<h1>Der Titel</h1><p>{sentence}</p><h2>Teil</h2><p>Kurz.</p><p>{sentence}</p><ul><li>eins<li>zwei</ul><p>{sentence}<p>{sentence}{close}{below}"
            );
            let text = format!(
                "Der Titel\n{sentence}\nTeil\nKurz.\n{sentence}\neins\nzwei\n{sentence}\n{sentence}"
            );
            assert_eq!(article(&html), text, "{open}");
        }
    }
}

#[test]
fn what_leads_from_the_title_to_the_article_stays() {
    let html = format!(
        "<header><h1>Site</h1></header><h1>Der Titel</h1><p>{SATZ}</p><a href=x>Teilen</a><p>Von A. B.</p>\
         <div><p>{SENTENCE}</p>{}</div><p>Ende</p>",
        format!("<p>{SENTENCE}</p>").repeat(11)
    );
    let text = article(&html);
    assert!(
        text.starts_with(&format!("Der Titel\n{SATZ}\n{SENTENCE}\n")),
        "{text}"
    );
    assert!(text.ends_with(SENTENCE));
}

#[test]
fn a_page_without_an_article_stays_whole() {
    let html = "<nav><a href=/>Home</a></nav><p>Kurz.</p><a href=/b>Link</a>";
    assert_eq!(article(html), whole(html).text);
    // The class of the whole page says nothing.
    let html = format!("<body class=sidebar><form><p>{SENTENCE}</p><p>{SATZ}</p></form>");
    assert_eq!(article(&html), format!("{SENTENCE}\n{SATZ}"));
}

#[test]
fn deep_and_long_markup_takes_linear_time() {
    for piece in [
        "<div>",
        "<pre>",
        "</pre>",
        "<a b=\"",
        "&",
        "&#",
        "<",
        "</",
        "<!-",
        "\"'=  ",
        "<script></",
        "<!--",
        "<div></p><b>",
        "<div hidden><span hidden>",
        "<table><td>",
        "</table></td></div></p>",
        "<li><ul>",
        "<a href=x>",
        "<title>",
        "<svg><title>",
        "<h1>",
        "<p style=display:none>",
        "<meta charset=",
        "<body class=\"footer",
        "\0",
        "\r",
        "&nbsp;",
    ] {
        let _ = text(&piece.repeat(10_000));
        let _ = text(&format!("<a {}", piece.repeat(10_000)));
        let _ = text(&format!("<script>{}", piece.repeat(10_000)));
        let _ = article(&piece.repeat(10_000));
    }
}

proptest! {
    #[test]
    fn any_text_is_read(html in "(<|>|&|;|#|\"|'|=|/|!|-|[a-z]|pre|code|script| |\n|é|一|&lt;|<p>|</pre>){0,60}") {
        for read in [text(&html), without_code(&html)] {
            prop_assert_eq!(read.trim_end_matches(|c: char| c.is_ascii_whitespace()), &read);
        }
    }

    #[test]
    fn any_page_is_read(html in "(<|>|&|;|\"|=|/|[a-z]| |\n|\r|\0|\u{a0}|一|<p>|</p>|<div|</div>|<a href=x>|</a>|<table>|<td>|<tr>|</table>|<li>|<ul>|</ul>|<svg>|</svg>|<span hidden>|</span>| hidden|<h1>|</h1>|<title>|<br>|<nav>|</nav>|long words of prose, ){0,80}") {
        let page = whole(&html);
        prop_assert!(!page.text.contains('\0') && !page.title.contains('\0'));
        for line in page.text.lines() {
            prop_assert!(!line.is_empty() && line.trim() == line, "{:?}", line);
        }
        let article = article(&html);
        prop_assert!(article.lines().all(|line| page.text.contains(line)), "{:?} of {:?}", article, page.text);
    }

    #[test]
    fn escaped_text_comes_back(words in prop::collection::vec("[a-z<>&\"'é一;#]{1,8}", 0..20)) {
        let escaped = words.join(" ").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        prop_assert_eq!(text(&format!("<p>{escaped}</p>")), words.join(" "));
    }
}

#[test]
fn a_page_that_ends_in_white_space_has_an_article() {
    for end in [
        "<pre>\nprose, and more of it.   \n\n</pre>",
        "<pre>   </pre>",
        "<p> \n</p><pre> x \n </pre>",
    ] {
        let page = format!(
            "<p>{}</p>{end}",
            "A sentence, of some length, that is prose. ".repeat(8)
        );
        let found = article(&page);
        assert!(found.starts_with("A sentence"), "{found:?}");
    }
}
