//! Dumps of Stack Exchange, and the HTML of their texts.
use crate::{check_field, options};
use lookalike_io::{CodeBlocks, InputOptions};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    let options = options(*first).with(|options| {
        options.code = if first % 2 == 0 {
            CodeBlocks::Keep
        } else {
            CodeBlocks::Drop
        }
    });
    // So that it is neither compressed nor of another root.
    let dump = [b"<posts>", content].concat();
    check_field("body", "Posts.xml", &dump, &options).expect("any bytes can be read as rows");
    if let Ok(html) = str::from_utf8(content) {
        check_html(html, options);
    }
}

/// Whatever the HTML, the row is one thread; and text without markup keeps its words.
fn check_html(html: &str, options: InputOptions) {
    if html.contains('\0') {
        return;
    }
    let escaped = html
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;");
    let dump = format!("<posts><row Id=\"1\" PostTypeId=\"1\" Body=\"{escaped}\"/></posts>");
    let options = options.with(|options| options.max_record = 1 << 20);
    let outcomes = check_field("body", "Posts.xml", dump.as_bytes(), &options).expect("a dump");
    let [Ok((1, text))] = outcomes.as_slice() else {
        panic!("one thread, not {outcomes:?}");
    };
    if !html.contains(['<', '&']) {
        // White space of any kind is one space, and a soft hyphen is none of the word.
        let plain = html.replace('\u{ad}', "");
        assert!(plain.split_whitespace().eq(text.split_whitespace()));
    }
}
