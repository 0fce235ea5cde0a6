//! Pages of HTML, whole and the article alone.
use crate::{Outcome, check, options};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    // So that it is neither compressed nor an image.
    let page = [b" ", content].concat();
    let options = options(*first).with(|options| options.max_record = 1 << 20);
    let whole = text(check("page.html", &page, &options).expect("any bytes are a page"));
    assert!(!whole.contains('\0'));
    let article = options.with(|options| options.main_content = true);
    let article = text(check("page.html", &page, &article).expect("any bytes are a page"));
    assert!(article.len() <= whole.len());
    let words = |text: &str| text.split_whitespace().map(str::len).sum::<usize>();
    assert!(words(&article) <= words(&whole));
    for line in article.lines().map(str::trim) {
        assert!(whole.contains(line), "{line:?}");
    }
}

fn text(outcomes: Vec<Outcome>) -> String {
    match outcomes.as_slice() {
        [Ok((1, text))] => text.clone(),
        other => panic!("one page, not {other:?}"),
    }
}
