//! Bodies in chunks and compressed, and those that only say so.

use std::io::Write;

use super::*;

const LIMITS: Limits = Limits {
    most: 1000,
    truncated: false,
};

fn content(header: &str, body: &[u8], limits: Limits) -> Result<String, String> {
    let bytes = [
        format!("HTTP/1.1 200 OK\r\n{header}\r\n\r\n").as_bytes(),
        body,
    ]
    .concat();
    let response = response(&bytes).unwrap();
    response
        .content(limits)
        .map(|content| String::from_utf8_lossy(&content).into_owned())
}

type Compress = fn(&[u8]) -> Vec<u8>;

fn zstd(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 3).unwrap()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder =
        flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn zlib(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Brotli without compression: the window of 16 bits, a block of raw bytes, the last empty block.
fn brotli(content: &[u8]) -> Vec<u8> {
    assert!(content.len() <= 1 << 16);
    // WBITS 16 is the bit 0; then ISLAST 0, MNIBBLES 0 (two bits), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1.
    let bits = (content.len() as u32 - 1) << 4 | 1 << 20;
    let mut bytes = bits.to_le_bytes()[..3].to_vec();
    bytes.extend(content);
    bytes.push(3);
    bytes
}

#[test]
fn a_response_has_a_status_and_a_body() {
    let bytes = b"\r\nHTTP/1.0 404 Not Found\nA: b\n\nbody";
    let found = response(bytes).unwrap();
    assert_eq!((found.status, found.body), (404, &b"body"[..]));
    assert_eq!(found.header.get("a"), Some("b"));
    assert_eq!(response(b"HTTP/1.1 200\r\nA: b").unwrap().body, b"");
    for bytes in [
        &b""[..],
        b"HTTP/1.1",
        b"HTTP/1.1 OK",
        b"<html>",
        b"HTTP/1.1 99999999 x",
    ] {
        assert!(response(bytes).is_none());
    }
}

#[test]
fn chunks_are_joined() {
    let chunked = "Transfer-Encoding: Chunked";
    let whole = |body: &str| content(chunked, body.as_bytes(), LIMITS);
    assert_eq!(
        whole("3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n").unwrap(),
        "abcdefg"
    );
    assert_eq!(whole("3\nabc\n").unwrap(), "abc");
    assert_eq!(whole("<p>not in chunks").unwrap(), "<p>not in chunks");
    assert_eq!(whole("").unwrap(), "");
    assert!(whole("3\r\nabc\r\nxyz\r\n").unwrap_err().contains("byte 9"));
    assert!(whole("ff\r\nabc").unwrap_err().contains("3 of 255"));
    let truncated = Limits {
        truncated: true,
        ..LIMITS
    };
    assert_eq!(
        content(chunked, b"3\r\nabc\r\nff\r\nde", truncated).unwrap(),
        "abcde"
    );
}

#[test]
fn bodies_are_expanded() {
    let page = "<p>Käse 一</p>";
    let codecs: [(&str, Compress); 7] = [
        ("gzip", gzip),
        ("X-GZIP", gzip),
        ("deflate", deflate),
        ("deflate", zlib),
        ("br", brotli),
        ("zstd", zstd),
        ("identity", <[u8]>::to_vec),
    ];
    for (name, compress) in codecs {
        let header = format!("Content-Encoding: {name}");
        let body = compress(page.as_bytes());
        assert_eq!(content(&header, &body, LIMITS).unwrap(), page, "{name}");
        // The header is of what the server sent, the body of what it means.
        assert_eq!(
            content(&header, page.as_bytes(), LIMITS).unwrap(),
            page,
            "{name}"
        );
        let both = format!("{header}\r\nTransfer-Encoding: chunked");
        let chunks = [
            format!("{:x}\r\n", body.len()).as_bytes(),
            &body[..],
            b"\r\n0\r\n\r\n",
        ]
        .concat();
        assert_eq!(content(&both, &chunks, LIMITS).unwrap(), page, "{name}");
    }
    let twice = gzip(&deflate(page.as_bytes()));
    assert_eq!(
        content("Content-Encoding: deflate, gzip", &twice, LIMITS).unwrap(),
        page
    );
}

#[test]
fn what_cannot_be_expanded_is_an_error() {
    let body = gzip("Käse ".repeat(30).as_bytes());
    let cut = &body[..body.len() - 12];
    let reason = content("Content-Encoding: gzip", cut, LIMITS).unwrap_err();
    assert!(
        reason.contains("cannot be decompressed as gzip"),
        "{reason}"
    );
    let truncated = Limits {
        truncated: true,
        ..LIMITS
    };
    assert!(
        content("Content-Encoding: gzip", cut, truncated)
            .unwrap()
            .starts_with("Käse")
    );
    let large = gzip(&[b'a'; 2000]);
    let reason = content("Content-Encoding: gzip", &large, LIMITS).unwrap_err();
    assert!(reason.contains("larger than 1000"), "{reason}");
}
