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
    assert_eq!(text("<a href=\"x>z"), "");
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
    ] {
        let _ = text(&piece.repeat(200_000));
        let _ = text(&format!("<a {}", piece.repeat(200_000)));
        let _ = text(&format!("<script>{}", piece.repeat(200_000)));
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
    fn escaped_text_comes_back(words in prop::collection::vec("[a-z<>&\"'é一;#]{1,8}", 0..20)) {
        let escaped = words.join(" ").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        prop_assert_eq!(text(&format!("<p>{escaped}</p>")), words.join(" "));
    }
}
