//! WARC and WET files: which records are pages, and what becomes of damaged ones.

use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Field, Input, InputOptions, Reader, Wanted};
use proptest::prelude::*;

type Compress = fn(&[u8]) -> Vec<u8>;

/// A record with such a header and content.
fn record(header: &str, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let header = format!("WARC/1.0\r\n{header}\r\nContent-Length: {length}\r\n\r\n");
    [header.as_bytes(), content, b"\r\n\r\n"].concat()
}

/// A response with a page.
fn page(id: usize, text: &str) -> Vec<u8> {
    let header = format!(
        "WARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nWARC-Target-URI: http://a.example/{id}\r\n\
         WARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response"
    );
    let content = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<title>T{id}</title><p>{text}</p>"
    );
    record(&header, content.as_bytes())
}

fn other(kind: &str) -> Vec<u8> {
    record(
        &format!("WARC-Type: {kind}\r\nContent-Type: application/warc-fields"),
        b"software: x\r\n",
    )
}

/// What crawlers write: other records between the pages.
fn crawl(texts: &[&str]) -> Vec<Vec<u8>> {
    let mut records = vec![other("warcinfo")];
    for (id, text) in texts.iter().enumerate() {
        records.extend([other("request"), page(id, text), other("metadata")]);
    }
    records
}

fn fields() -> Wanted {
    let optional = ["id", "url", "date", "language"].map(Field::optional);
    Wanted::new(
        ["text", "title"]
            .map(Field::text)
            .into_iter()
            .chain(optional),
    )
}

fn read_warc(content: &[u8], options: &InputOptions) -> Pass {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "crawl.warc", content);
    let input = resolve(&path, options).unwrap();
    assert_repeatable(&input, &fields());
    read(&input, &fields()).unwrap()
}

fn texts_and_reasons(content: &[u8]) -> (Vec<String>, Vec<String>) {
    let pass = read_warc(content, &InputOptions::default());
    (pass.texts(), pass.reasons())
}

#[test]
fn pages_are_records_and_all_else_is_passed_over() {
    let http = "WARC-Type: response\r\nContent-Type: application/http";
    let response =
        |head: &str, body: &str| record(http, format!("HTTP/1.1 {head}\r\n\r\n{body}").as_bytes());
    let records = [
        other("warcinfo"),
        page(7, "eins &amp; 二"),
        response("404 Not Found\r\nContent-Type: text/html", "<p>no"),
        response("200 OK\r\nContent-Type: image/png", "no"),
        response("200 OK", "{}"),
        response(
            "203 OK\r\nContent-Type: application/xhtml+xml; charset=x",
            "<p>zwei",
        ),
        response("200 OK", "\n<p>drei"),
        record(
            "WARC-Type: revisit\r\nContent-Type: application/http",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
        ),
        record(
            "WARC-Type: resource\r\nContent-Type: text/plain\r\nWARC-Target-URI: <metadata://x>",
            b"no",
        ),
        record(
            "WARC-Type: resource\r\nContent-Type: text/plain; charset=gbk\r\nWARC-Target-URI: <file://x>",
            b"a  b\r\n\xd2\xbb\0\r\n",
        ),
        record(
            "WARC-Type: conversion\r\nContent-Type: text/plain\r\nWARC-Identified-Content-Language: zho\r\nWARC-Record-ID: <urn:uuid:w>",
            "一\n二".as_bytes(),
        ),
    ];
    let pass = read_warc(&records.concat(), &InputOptions::default());
    let missing = "missing";
    let expected = [
        (
            2,
            [
                "eins & 二",
                "T7",
                "7",
                "http://a.example/7",
                "2020-01-02T03:04:05Z",
                missing,
            ],
        ),
        (6, ["zwei", "", missing, missing, missing, missing]),
        (7, ["drei", "", missing, missing, missing, missing]),
        (10, ["a  b\n一", "", missing, "file://x", missing, missing]),
        (11, ["一\n二", "", "w", missing, missing, "zho"]),
    ];
    let expected = expected.map(|(line, values)| Ok((line, values.map(str::to_owned).to_vec())));
    assert_eq!(pass.outcomes(), expected);
    assert!(pass.cut_away.is_empty());
}

#[test]
fn the_records_are_the_same_under_any_compression() {
    let records = crawl(&["eins", "二", "drei"]);
    let content = records.concat();
    let members = |compress: fn(&[u8]) -> Vec<u8>| {
        records.iter().flat_map(|record| compress(record)).collect()
    };
    let mut files = compressed(&content);
    files.extend([
        (".gz", members(gzip)),
        (".zst", members(zstd)),
        (".bz2", members(bzip2)),
        (".lz4", members(lz4)),
    ]);
    let folder = tempfile::tempdir().unwrap();
    for (number, (ending, bytes)) in files.into_iter().enumerate() {
        let path = write(folder.path(), &format!("{number}.warc.wet{ending}"), bytes);
        for block_bytes in [1, 200, 1 << 20] {
            let options = InputOptions::default().with(|options| options.block_bytes = block_bytes);
            let input = resolve(&path, &options).unwrap();
            assert_eq!(input.sources[0].format.name(), "warc");
            let pass = read(&input, &fields()).unwrap();
            assert_eq!(pass.texts(), ["eins", "二", "drei"]);
            assert_eq!(pass.reasons(), [""; 0]);
            assert_repeatable(&input, &fields());
        }
    }
}

#[test]
fn a_damaged_record_is_rejected_and_the_next_one_read() {
    let (good, last) = (page(1, "eins"), page(2, "zwei"));
    let http = "WARC-Type: response\r\nContent-Type: application/http";
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let length = |to: &str| {
        let bad = text(page(9, "drei"));
        let (before, after) = bad.split_once("Content-Length: ").unwrap();
        let after = &after[after.find('\r').unwrap()..];
        format!("{before}Content-Length: {to}{after}")
    };
    let cases = [
        (length("10"), "no record ends after the 10 bytes"),
        (length("100000"), "the file ends within the record"),
        (length("150"), "no record ends after the 150 bytes"),
        (length("99999999999999999999999"), "Content-Length is not a number"),
        (length("9999999999"), "larger than 64000000 bytes"),
        (length("many"), "Content-Length is not a number"),
        (text(page(9, "x")).replace("Content-Length", "Content-Size"), "the record has no Content-Length"),
        (text(page(9, "x")).replace("WARC-Type", "Type"), "the record has no WARC-Type"),
        ("WARC/1.0\r\nWARC-Type: response\r\n".to_owned(), "the header of the record has no end"),
        ("\0\u{1}garbage\r\nWARC/x\r\n\r\n".to_owned(), "bytes are not a WARC record"),
        (text(record(http, b"<p>no header")), "the response has no HTTP header"),
        (
            text(record(http, b"HTTP/1.1 200 OK\nContent-Type: text/html\nTransfer-Encoding: chunked\n\n3\r\nabc\r\nzz\r\n")),
            "the body is not in chunks",
        ),
        (
            text(record(http, b"HTTP/1.1 200 OK\nContent-Type: text/html\n\n%PDF-1.5")),
            "this is a PDF file",
        ),
    ];
    for (bad, reason) in cases {
        let content = [&good, bad.as_bytes(), &last].concat();
        let (texts, reasons) = texts_and_reasons(&content);
        assert_eq!(texts, ["eins", "zwei"], "{reason}");
        assert!(
            reasons.len() == 1 && reasons[0].contains(reason),
            "{reasons:?} {reason}"
        );
        assert!(reasons[0].starts_with("2: "), "{reasons:?}");
    }
}

#[test]
fn quirks_of_old_crawlers_are_no_damage() {
    let first = String::from_utf8(page(1, "eins")).unwrap();
    let (first, last) = (first.as_str(), String::from_utf8(page(2, "zwei")).unwrap());
    let cases = [
        // No empty lines between, one too few, too many.
        format!("{}{last}", first.trim_end()),
        format!("{}\n{last}", first.trim_end()),
        format!("{first}{}{last}", "\r\n".repeat(500)),
        format!("\n\n{first}{}", last.trim_end()),
        format!("{first}{last}").replace("\r\n\r\nHTTP", "\n\nHTTP"),
        format!("{first}{last}")
            .replace("WARC/1.0", "WARC/0.18")
            .replace("WARC-Type", "warc-type"),
    ];
    for content in cases {
        let (texts, reasons) = texts_and_reasons(content.as_bytes());
        assert_eq!(
            (texts, reasons),
            (vec!["eins".to_owned(), "zwei".to_owned()], vec![]),
            "{content}"
        );
    }
}

#[test]
fn a_file_cut_short_gives_what_is_whole() {
    let records = crawl(&["eins", "二", "drei"]);
    let content = records.concat();
    let members: Vec<Vec<u8>> = records.iter().map(|record| gzip(record)).collect();
    let archive = members.concat();
    let ends = |parts: &[Vec<u8>]| -> Vec<usize> {
        parts
            .iter()
            .scan(0, |end, part| {
                *end += part.len();
                Some(*end)
            })
            .collect()
    };
    let (plain_ends, member_ends) = (ends(&records), ends(&members));
    // What comes last in a record, empty lines or a checksum, says nothing that is missed.
    for (content, ends, last) in [(content, plain_ends, 4), (archive, member_ends, 12)] {
        for cut in (0..content.len()).step_by(17) {
            let (texts, reasons) = texts_and_reasons(&content[..cut]);
            // The pages are every third record from the third.
            let pages = || ends.iter().skip(2).step_by(3);
            let whole = pages().filter(|&&end| end <= cut).count();
            let most = pages().filter(|&&end| end <= cut + last).count();
            assert!((whole..=most).contains(&texts.len()), "{cut}");
            assert_eq!(texts, ["eins", "二", "drei"][..texts.len()], "{cut}");
            assert!(reasons.len() <= 1, "{cut} {reasons:?}");
            let at_end = cut == 0 || ends.iter().any(|&end| (end - last..=end).contains(&cut));
            assert!(at_end || reasons.len() == 1, "{cut}");
        }
    }
}

#[test]
fn a_damaged_member_costs_its_record_alone() {
    for compress in [gzip, lz4] {
        damage_each_member(compress);
    }
}

fn damage_each_member(compress: Compress) {
    // Of different sizes, and what cannot be compressed.
    let noise: String = (0..40_000_u32)
        .map(|n| char::from(b'!' + (n.wrapping_mul(2_654_435_761) >> 25) as u8 % 20))
        .collect();
    let texts = ["eins", noise.as_str(), "二", "drei", &noise[..3000]];
    let members: Vec<Vec<u8>> = texts
        .iter()
        .enumerate()
        .map(|(id, text)| compress(&page(id, text)))
        .collect();
    for damaged in 0..members.len() {
        for at in [
            0,
            3,
            11,
            40,
            members[damaged].len() / 2,
            members[damaged].len() - 5,
        ] {
            let mut members = members.clone();
            members[damaged][at] ^= 0x55;
            // By itself the file must still look compressed.
            let archive = [compress(&other("warcinfo")), members.concat()].concat();
            let (found, reasons) = texts_and_reasons(&archive);
            let good: Vec<usize> = (0..texts.len())
                .filter(|number| *number != damaged)
                .collect();
            assert!(
                good.iter()
                    .all(|&number| found.iter().any(|text| text == texts[number])),
                "{damaged} {at} {reasons:?}"
            );
            assert!(
                found.len() == 5 || reasons.iter().any(|reason| reason.contains("damaged")),
                "{damaged} {at} {reasons:?}"
            );
        }
    }
}

#[test]
fn what_is_beyond_the_limit_is_not_held() {
    let long = "x".repeat(5000);
    let image = record(
        "WARC-Type: response\r\nContent-Type: application/http",
        format!("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n{long}").as_bytes(),
    );
    let content = [page(1, "eins"), page(2, &long), image, page(3, "zwei")].concat();
    for block_bytes in [1, 300, 1 << 20] {
        let options = InputOptions::default().with(|options| {
            options.max_record = 1000;
            options.block_bytes = block_bytes;
        });
        let pass = read_warc(&content, &options);
        assert_eq!(pass.texts(), ["eins", "zwei"]);
        assert_eq!(
            pass.reasons(),
            [
                "2: the record is larger than 1000 bytes, which is the limit; raise it with `max-record=`"
            ]
        );
        assert_eq!(pass.outcomes().last().unwrap().as_ref().unwrap().0, 4);
    }
}

fn clean(from: &Path, to: &Path, keep: impl Fn(u32) -> bool) {
    let input = Input::resolve(
        &[from.to_string_lossy()],
        &InputOptions::default(),
        Path::new("/nonexistent"),
    )
    .unwrap();
    let mut reader = Reader::new(&input, &Wanted::default());
    let replaceable = crate::support::earlier_result(to);
    let mut writer = CleanWriter::new(&input, to, &replaceable).unwrap();
    let mut block = Block::default();
    while reader.next_block(&mut block).unwrap() {
        writer.write(&block, &mut |slot| keep(slot)).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn a_cleaned_file_is_the_file_without_the_removed_pages() {
    let records = crawl(&["eins", "二", "drei"]);
    let folder = tempfile::tempdir().unwrap();
    let from = write(folder.path(), "a.warc", records.concat());
    let to = folder.path().join("b.warc");
    clean(&from, &to, |slot| slot != 1);
    let mut kept = records.clone();
    kept.remove(5);
    assert_eq!(fs::read(&to).unwrap(), kept.concat());
    // Compressed, every record is a member.
    let to = folder.path().join("b.warc.gz");
    clean(&from, &to, |_| true);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert_eq!(fs::read(&to).unwrap(), members);
    assert_eq!(
        read_file(&to, &InputOptions::default()).unwrap().texts(),
        ["eins", "二", "drei"]
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pages_come_back(texts in prop::collection::vec("[a-zé一]{1,8}( [a-zé一]{1,8}){0,9}", 0..12), block_bytes in 1_usize..2000) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let options = InputOptions::default().with(|options| options.block_bytes = block_bytes);
        let pass = read_warc(&crawl(&texts).concat(), &options);
        prop_assert_eq!(pass.texts(), texts);
        prop_assert!(pass.reasons().is_empty());
    }

    #[test]
    fn whatever_is_damaged_the_pages_before_and_after_are_read(
        bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0_usize..200, removed in 0_usize..60, block_bytes in 1_usize..2000, compress in prop::option::of(prop_oneof![Just(gzip as Compress), Just(lz4 as Compress)]),
    ) {
        let mut damaged = page(2, "wird anders");
        let at = at.min(damaged.len());
        damaged.splice(at..(at + removed).min(damaged.len()), bytes);
        let mut records = vec![page(0, "eins"), page(1, "二"), damaged, page(3, "drei"), page(4, "vier")];
        if let Some(compress) = compress {
            records = records.iter().map(|record| compress(record)).collect();
        }
        let options = InputOptions::default().with(|options| options.block_bytes = block_bytes);
        let texts = read_warc(&records.concat(), &options).texts();
        for text in ["eins", "二", "vier"] {
            prop_assert!(texts.iter().any(|found| found == text), "{} of {:?}", text, texts);
        }
    }

    #[test]
    fn any_bytes_are_read(pieces in prop::collection::vec(prop_oneof![
        Just("WARC/1.0\r\n".to_owned()), Just("WARC-Type: resource\r\nContent-Type: text/plain\r\n".to_owned()), Just("\r\n".to_owned()),
        (0_u32..100).prop_map(|length| format!("Content-Length: {length}\r\n\r\n")), "[a-z\n]{0,30}",
    ], 0..40), block_bytes in 1_usize..200, max_record in 1_u64..200) {
        let options = InputOptions::default().with(|options| {
            options.block_bytes = block_bytes;
            options.max_record = max_record;
        });
        read_warc(pieces.concat().as_bytes(), &options);
    }
}
