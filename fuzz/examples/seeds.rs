//! Writes the inputs that fuzzing starts from: `cargo run --package lookalike-fuzz --example seeds`.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use lz4_flex::frame::{FrameEncoder, FrameInfo};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

const LINES: &str = r#"{"id": 1, "text": "One text.\nAnd \"another\"."}

{"text": "一句话。", "id": "b", "rest": [1, -2.5e3, {"deep": [true, false, null]}]}
{"text": "\u00e9\ud83d\ude00 😀", "text": "again"}
{"id": 4}
{"text": 5}
not JSON
"#;
const MESSAGES: &[u8] =
    b"\xef\xbb\xbfsee you at 8\r\n\n \t\r\n\xe4\xb8\x80\xe4\xbc\x9a\xe5\x84\xbf\xe8\xa7\x81\na\rb\nn\0l\nl\xe4tin\n\xf0\x9f\x98\x80\nlast";
const ROWS: &str =
    "id,text\n1,plain\n2,\"quoted, with \"\"quotes\"\"\nand a line end\"\n3,一句话\n4\n5,a\"b\n";
const POSTS: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<posts>
  <row Id="2" PostTypeId="2" ParentId="1" Score="3" Body="&lt;p&gt;Answer &amp;amp; more.&lt;/p&gt;" />
  <row Id="1" PostTypeId="1" AcceptedAnswerId="2" Score="-1" Body="&lt;pre&gt;&lt;code&gt;a&#xA;  b&lt;/code&gt;&lt;/pre&gt;" Title="一句话" Tags="|a|b|" />
  <row Id="x" PostTypeId="1" />
  <row Id="4" PostTypeId="1" Body="open />
  <row Id="5" PostTypeId="4" Body='' />
</posts>
"#;
const HTML: &str = "<!DOCTYPE html><h1 class=\"a > b\">One &eacute;&#233;&notit;</h1><script>1 < 2</script><!-- no --><pre>\n a  b</pre>1 < 2<td>x";
const PAGE: &str = "<!DOCTYPE html><html lang=de><head><meta charset=gbk><title>A &amp; b</title><link rel=canonical href='x'></head><body class=page><nav><a href=/>Home</a></nav><article><h1>Head</h1><p>A long paragraph of prose, with a comma, that is much longer than eighty letters in all.<p hidden>no<table><tr><td>a<td style='display:none'>b</table><ul><li>c<li>d</ul><svg><title>no</title></svg><noscript>no</noscript><select><option>no</select></article><div id=cookie-bar>We use cookies, as does everybody else these days.</div><footer>Foot";
const RESPONSES: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n5\r\n<p>on\r\n1\r\ne\r\n0\r\n\r\n";
const RECORDS: &str = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\na: b\r\n\r\nWARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\none\r\n\r\nWARC/0.18\nWARC-Type: resource\nContent-Type: text/html\nContent-Length: 9\n\n<p>short\r\n\r\nWARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: 60\r\n\r\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\ntext of sixty\r\n\r\n";

const MAIL: &str = "From a@example.org Sat Jan  3 01:05:34 1998\nReceived: from b\n\tby c; Sat, 3 Jan 1998 01:05:34 +0100\nMessage-ID: <1@b>\nFrom: \"A, b\" <a@example.org>\nTo: undisclosed:;\nSubject: =?iso-8859-1?Q?caf=E9?= =?utf-8?B?5L2g5aW9?=\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"x\"\n\npreamble\n--x\nContent-Type: multipart/alternative; boundary=y\n\n--y\nContent-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: quoted-printable\n\n=C4=E3=BA=C3 =\nsoft\n>From quoted\n--y\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\nPGI+aGk8L2I+\n--y--\n--x\nContent-Type: message/rfc822\n\nSubject: inner\nContent-Length: 5\n\ntext\n--x\nContent-Type: image/png\nContent-Disposition: attachment; filename=a.png\n\nno\n--x--\n\n";

const PROSE: &str = "\u{1}* Dr. Ames left at 5 p.m. “Why?” she asked. (See p. 3.)\n\n1. 他说：“好。”然后走了。《走！》 “…and so on.”[1] \
    J. R. Stone vs. U.S. He won 3.5. Am 3. Oktober... ไทย ไทย है। هل؟";
const PAGES: &str = r#"
  <siteinfo><namespaces><namespace key="6">Файл</namespace></namespaces></siteinfo>
  <page><title>A &amp; b</title><ns>0</ns><id>1</id>
    <revision><timestamp>2020-01-02T03:04:05Z</timestamp><text bytes="9">'''A'''&lt;ref&gt;b&lt;/ref&gt;</text></revision></page>
  <page><title>二</title><id>2</id><redirect title="A" /><revision><text /></revision></page>
  <page><title>Talk:A</title><id>3</id><revision><text>talk</text></revision>
  <page><id>4</id></page>
</mediawiki>
"#;
const WIKITEXT: &str = "{{Infobox|a={{b}}}}\n'''A''' [[b|c]]s [[File:x.jpg|thumb|d [[e]]]] {{lang|fr|f}} {{convert|5|km}} &nbsp;-{zh-hans:甲;zh-hant:乙}-<ref name=a>{{cite web|title=g|last=h}}</ref><ref name=a/>\n== i ==\n* j\n; k : l\n{| class=x\n|+ m\n! n !! o\n|-\n| style=y | p || q\n|}\n<gallery>\nr.jpg|s\n</gallery>\n<math>\\frac{t}{u}</math> <nowiki>[[v]]</nowiki> [http://w x] {{{y|z}}}__TOC__\n== References ==\n<references/>";

fn main() {
    // The first byte is the size of a block.
    seed("jsonl", "lines", &[&[40], LINES.as_bytes()].concat());
    seed(
        "jsonl",
        "crlf",
        &[&[200], LINES.replace('\n', "\r\n").as_bytes()].concat(),
    );
    seed("lines", "messages", &[&[9], MESSAGES].concat());
    seed("csv", "rows", &[&[20], ROWS.as_bytes()].concat());
    seed(
        "csv",
        "tabs",
        &[&[20], ROWS.replace(',', "\t").as_bytes()].concat(),
    );
    let halves = LINES.as_bytes().split_at(60);
    type Codec = fn(&[u8]) -> Vec<u8>;
    let codecs: [(&str, Codec); 4] = [("gz", gzip), ("zst", zstd), ("bz2", bzip2), ("lz4", lz4)];
    for (name, compress) in codecs {
        seed(
            "compression",
            name,
            &[&[100], &compress(LINES.as_bytes())[..]].concat(),
        );
        let members = [vec![100], compress(halves.0), compress(halves.1)].concat();
        seed("compression", &format!("{name}-members"), &members);
        seed(
            "compression",
            &format!("{name}-cut"),
            &members[..members.len() - 20],
        );
    }
    seed(
        "stackexchange",
        "posts",
        &[&[40], POSTS.as_bytes()].concat(),
    );
    seed("stackexchange", "html", &[&[200], HTML.as_bytes()].concat());
    seed("html", "page", &[&[40], PAGE.as_bytes()].concat());
    seed("warc", "records", &[&[200], RECORDS.as_bytes()].concat());
    seed("warc", "response", &[&[40], RESPONSES.as_bytes()].concat());
    let split = RECORDS.find("WARC/0").unwrap_or(0);
    let members = [
        &[90],
        &gzip(&RECORDS.as_bytes()[..split])[..],
        &gzip(&RECORDS.as_bytes()[split..]),
    ]
    .concat();
    seed("warc", "members", &members);
    let frames = [
        &[90],
        &lz4(&RECORDS.as_bytes()[..split])[..],
        &lz4(&RECORDS.as_bytes()[split..]),
    ]
    .concat();
    seed("warc", "frames", &frames);
    seed("mail", "parts", &[&[90], MAIL.as_bytes()].concat());
    seed(
        "mail",
        "mailbox",
        &[&[20], MAIL.as_bytes(), MAIL.as_bytes()].concat(),
    );
    seed(
        "mail",
        "crlf",
        &[&[200], MAIL.replace('\n', "\r\n").as_bytes()].concat(),
    );
    seed("sentences", "prose", PROSE.as_bytes());
    seed("mediawiki", "pages", &[&[40], PAGES.as_bytes()].concat());
    seed(
        "mediawiki",
        "wikitext",
        &[&[201], WIKITEXT.as_bytes()].concat(),
    );
    seed("parquet", "plain", &parquet(Compression::UNCOMPRESSED));
    seed("parquet", "snappy", &parquet(Compression::SNAPPY));
}

fn seed(target: &str, name: &str, content: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("seeds")
        .join(target);
    fs::create_dir_all(&folder).expect("make the folder");
    fs::write(folder.join(name), content).expect("write the seed");
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(content).expect("compress");
    encoder.finish().expect("compress")
}

fn zstd(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 3).expect("compress")
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
    encoder.write_all(content).expect("compress");
    encoder.finish().expect("compress")
}

fn lz4(content: &[u8]) -> Vec<u8> {
    let info = FrameInfo::new()
        .block_checksums(true)
        .content_checksum(true);
    let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(content).expect("compress");
    encoder.finish().expect("compress")
}

fn parquet(compression: Compression) -> Vec<u8> {
    let columns: [(&str, ArrayRef); 2] = [
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        (
            "text",
            Arc::new(StringArray::from(vec![Some("one"), None, Some("三")])),
        ),
    ];
    let batch = RecordBatch::try_from_iter(columns).expect("a table");
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .build();
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("write");
    writer.close().expect("write");
    bytes
}
