//! WARC files, plain and compressed, and the responses in them.
use crate::{check, options};

pub(crate) fn target(data: &[u8]) {
    let Some((first, content)) = data.split_first() else {
        return;
    };
    // A bomb is refused.
    let _ = check("crawl.warc", content, &options(*first));
    let options = options(*first).with(|options| options.max_record = 1 << 20);
    // Whatever a server sends costs no more than its own record.
    let records = [
        response(content),
        response(b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>last"),
    ]
    .concat();
    let outcomes = check("crawl.warc", &records, &options).expect("records");
    assert!((1..=2).contains(&outcomes.len()));
    let last = outcomes.last().expect("a record");
    assert_eq!(last, &Ok((2, "last".to_owned())));
}

fn response(content: &[u8]) -> Vec<u8> {
    let header = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n",
        content.len()
    );
    [header.as_bytes(), content, b"\r\n\r\n"].concat()
}
