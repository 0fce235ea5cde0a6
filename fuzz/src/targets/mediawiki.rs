//! Dumps of MediaWiki, and the wikitext of their pages.
use crate::{check, options};
use lookalike_io::InputOptions;

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    let options = options(*first);
    // So that it is neither compressed nor of another root.
    let dump = [b"<mediawiki>", content].concat();
    check("wiki.xml", &dump, &options).expect("any bytes can be read as pages");
    if let Ok(wikitext) = str::from_utf8(content) {
        check_wikitext(wikitext, options);
    }
}

/// Whatever the wikitext, the page is one article, and its text is lines without white space around them.
fn check_wikitext(wikitext: &str, options: InputOptions) {
    if wikitext.contains('\0') || wikitext.trim_start().starts_with(['#', '＃']) {
        return;
    }
    let escaped = wikitext
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    let dump = format!(
        "<mediawiki><page><title>a</title><id>1</id><revision><text>{escaped}</text></revision></page></mediawiki>"
    );
    let options = options.with(|options| options.max_record = 1 << 20);
    let outcomes = check("wiki.xml", dump.as_bytes(), &options).expect("a dump");
    let [Ok((1, text))] = outcomes.as_slice() else {
        panic!("one article, not {outcomes:?}");
    };
    for line in text.lines() {
        assert!(!line.is_empty() && line.trim() == line, "{line:?}");
    }
}
