//! Lines of text, held against those of the standard library.
use crate::{Outcome, check, options};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    // A bomb is refused.
    let _ = check("fuzz.lines", content, &options(*first));

    // After a beginning that is neither compressed nor binary there is a record for every line. A line that is too
    // large is one or is passed over, depending on the blocks.
    let beginning = ("text ".repeat(200) + "\n").repeat(4);
    let content = [beginning.as_bytes(), content].concat();
    let options = options(*first);
    let outcomes = check("fuzz.lines", &content, &options).expect("any bytes are lines");
    let is_told = |outcome: &Outcome| !matches!(outcome, Err(reason) if reason.contains("larger"));
    let mut outcomes = outcomes.into_iter().filter(is_told);
    let content = content.strip_suffix(b"\n").unwrap_or(&content);
    for (number, line) in (1..).zip(content.split(|byte| *byte == b'\n')) {
        if line.len() as u64 > options.max_record {
            continue;
        }
        let outcome = outcomes.next().expect("a record for every line");
        match std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)) {
            Ok(text) if text.trim().is_empty() => assert_eq!(outcome, Ok((number, String::new()))),
            Ok(text) => assert_eq!(outcome, Ok((number, text.to_owned()))),
            Err(_) => assert!(outcome.is_err()),
        }
    }
    assert_eq!(outcomes.next(), None);
}
