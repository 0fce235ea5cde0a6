//! A bad record does not end the run; what makes the run impossible is an error that says what to do.

use crate::support::*;
use lookalike_io::{Error, Format, Input, InputOptions};
use std::path::Path;

fn reasons(content: impl AsRef<[u8]>) -> Vec<String> {
    read_content("pages.jsonl", content.as_ref(), &InputOptions::default())
        .unwrap()
        .reasons()
}

fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn each_bad_line_has_its_reason() {
    let good = "{\"text\": \"gut\"}";
    let cases: &[(&[u8], &str)] = &[
        (
            b"{\"id\": 1, \"body\": \"x\"}",
            "field \"text\" is missing; the record has: id, body",
        ),
        (b"{}", "field \"text\" is missing; the record has no fields"),
        (b"{\"text\": 5}", "field \"text\" is a number, not a string"),
        (b"{\"text\": null}", "field \"text\" is null, not a string"),
        (
            b"{\"text\": [\"x\"]}",
            "field \"text\" is an array, not a string",
        ),
        (
            b"{\"text\": \"a\0b\"}",
            "invalid JSON: a control character in a string (byte 12 of the line)",
        ),
        (
            b"{\"text\": \"\\ud800\"}",
            "invalid JSON: half of a surrogate pair (byte 11 of the line)",
        ),
        (
            b"{\"text\": \"x",
            "invalid JSON: the object ends within a string (byte 12 of the line)",
        ),
        (
            b"{\"text\": \"x\"",
            "invalid JSON: the object ends early (byte 13 of the line)",
        ),
        (
            b"{\"text\": \"\xff\"}",
            "invalid UTF-8 (byte 11 of the record); convert the file to UTF-8 (`iconv -f WINDOWS-1252 -t UTF-8`, if it is from Windows)",
        ),
        (
            b"[1]",
            "invalid JSON: an array, not an object (`jq -c '.[]'` makes JSON Lines of it) (byte 1 of the line)",
        ),
    ];
    for (line, reason) in cases {
        let content = [good.as_bytes(), b"\n\n", line, b"\n", good.as_bytes()].concat();
        let pass = read_content("pages.jsonl", &content, &InputOptions::default()).unwrap();
        assert_eq!(pass.reasons(), [format!("3: {reason}")]);
        assert_eq!(pass.texts().len(), 2);
    }
}

#[test]
fn blank_lines_and_empty_texts_are_fine() {
    assert!(reasons("\n \n{\"text\": \"\"}\r\n\r\n").is_empty());
    assert!(reasons("").is_empty());
}

#[test]
fn a_record_over_the_limit_is_passed_over_without_being_held() {
    let long = format!("{{\"text\": \"{}\"}}", "长".repeat(4000));
    let content = format!("{{\"text\": \"a\"}}\n{long}\n{{\"text\": \"b\"}}\n{long}");
    for block_bytes in [16, 100, 5000, 1 << 20] {
        for (ending, bytes) in compressed(content.as_bytes()) {
            let options = InputOptions::default().with(|options| {
                options.max_record = 500;
                options.block_bytes = block_bytes;
            });
            let pass = read_content(&format!("pages.jsonl{ending}"), &bytes, &options).unwrap();
            assert_eq!(pass.texts(), ["a", "b"]);
            let mut reasons = pass.reasons();
            reasons.sort();
            let reason = "the record is larger than 500 bytes, which is the limit; raise it with `max-record=`";
            assert_eq!(reasons, [format!("2: {reason}"), format!("4: {reason}")]);
        }
    }
}

#[test]
fn a_csv_row_over_the_limit_is_passed_over() {
    let content = format!("id,text\n1,\"{}\"\n2,b\n", "x\n,,\"\"".repeat(4000));
    for block_bytes in [16, 100, 1 << 20] {
        let options = InputOptions::default().with(|options| {
            options.max_record = 500;
            options.block_bytes = block_bytes;
        });
        let pass = read_content("a.csv", content.as_bytes(), &options).unwrap();
        assert_eq!(pass.texts(), ["b"]);
        assert_eq!(pass.reasons().len(), 1);
    }
}

/// Text that compresses badly, so that archives are long.
fn lines(count: u64) -> String {
    let mut state = 7_u64;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        format!("{:x}", state >> 20)
    };
    (0..count)
        .map(|number| {
            format!(
                "{{\"id\": {number}, \"text\": \"{} 文 {}\"}}\n",
                word(),
                word()
            )
        })
        .collect()
}

#[test]
fn a_damaged_archive_gives_all_that_came_before_and_one_rejection() {
    let content = lines(12_000);
    let whole = read_content("pages.jsonl", content.as_bytes(), &InputOptions::default())
        .unwrap()
        .texts();
    for (ending, bytes) in compressed(content.as_bytes()).into_iter().skip(1) {
        for damage in ["cut", "flip"] {
            let mut bytes = bytes.clone();
            match damage {
                "cut" => bytes.truncate(bytes.len() * 6 / 10),
                _ => {
                    let middle = bytes.len() * 6 / 10;
                    bytes[middle..middle + 4000]
                        .iter_mut()
                        .for_each(|byte| *byte ^= 0xff);
                }
            }
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &format!("pages.jsonl{ending}"), bytes);
            let options = InputOptions::default().with(|options| options.block_bytes = 200_000);
            let pass = read_file(&path, &options).unwrap();
            let texts = pass.texts();
            let in_large_blocks = read_file(&path, &InputOptions::default()).unwrap();
            assert_eq!(in_large_blocks.texts(), texts, "{ending} {damage}");
            assert!(
                pass.cut_away.len() == 1,
                "{ending} {damage}: {:?}",
                pass.cut_away
            );
            assert!(texts.len() < whole.len());
            // A flipped byte can make a few wrong characters before it is noticed.
            let same = texts.iter().zip(&whole).take_while(|(a, b)| a == b).count();
            assert!(same + 2000 >= texts.len(), "{ending} {damage}");
            // A block of Zstandard (128 KB) or bzip2 (100 KB here) is whole or lost.
            assert!(same >= 4000, "{ending} {damage}: {same} of {}", texts.len());
            if damage == "cut" {
                assert_eq!(same, texts.len());
                assert_eq!(pass.cut_away[0].line, Some(texts.len() as u64 + 1));
                assert!(
                    pass.cut_away[0].reason.contains("cut short"),
                    "{}",
                    pass.cut_away[0].reason
                );
            }
            assert_repeatable(&resolve(&path, &options).unwrap(), &wanted());
        }
    }
}

#[test]
fn an_archive_that_expands_without_end_is_an_error() {
    let options = InputOptions::default().with(|options| {
        options.max_expansion = 10;
        options.expansion_floor = 10_000;
    });
    let small = "{\"text\": \"x\"}\n".repeat(100);
    let large = "{\"text\": \"x\"}\n".repeat(10_000);
    for (ending, _) in compressed(b"").into_iter().skip(1) {
        let archive = |content: &str| match ending {
            ".gz" => gzip(content.as_bytes()),
            ".zst" => zstd(content.as_bytes()),
            ".lz4" => lz4(content.as_bytes()),
            _ => bzip2(content.as_bytes()),
        };
        let name = format!("a.jsonl{ending}");
        assert_eq!(
            read_content(&name, &archive(&small), &options)
                .unwrap()
                .texts()
                .len(),
            100
        );
        let message = message(read_content(&name, &archive(&large), &options));
        assert!(
            message.contains("more than 10 times") && message.contains("`max-expansion=`"),
            "{message}"
        );
    }
}

#[test]
fn a_csv_row_of_another_width_is_rejected() {
    let content = "id,text\n1,a\n2\n3,c,d\n\n4,\"一\n二\"\n5,e\n";
    let pass = read_content("a.csv", content.as_bytes(), &InputOptions::default()).unwrap();
    assert_eq!(pass.texts(), ["a", "一\n二", "e"]);
    assert_eq!(
        pass.reasons()[0],
        "3: the row has 1 cell, but the header has 2 columns; is a quote missing?"
    );
    assert_eq!(pass.reasons().len(), 2);
    let lines: Vec<u64> = pass
        .outcomes()
        .into_iter()
        .flatten()
        .map(|(line, _)| line)
        .collect();
    assert_eq!(lines, [2, 6, 8]);
}

#[test]
fn a_csv_file_without_the_column_is_an_error_that_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.csv", "id,\"the body\"\n1,2\n");
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let message = message(input.check(&wanted()));
    assert!(
        message.contains("no column \"text\"; its columns are: id, the body"),
        "{message}"
    );
    // Beside another file, it costs its rows.
    write(folder.path(), "b.csv", "id,text\n1,2\n");
    let input = resolve(folder.path(), &InputOptions::default()).unwrap();
    input.check(&wanted()).unwrap();
    let reasons = read(&input, &wanted()).unwrap().reasons();
    let missing = "2: field \"text\" is missing; the record has: id, the body";
    assert_eq!(reasons, [missing]);
    assert!(
        read_content("a.csv", b"", &InputOptions::default())
            .unwrap()
            .outcomes()
            .is_empty()
    );
}

#[test]
fn text_files_that_are_no_text_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", "\u{feff}gut 好");
    write(folder.path(), "b.txt", b"\x80\x81\x05\x8d and so on");
    write(folder.path(), "c.bin", b"a\0b");
    write(folder.path(), "d.txt.gz", gzip("gepackt".as_bytes()));
    write(
        folder.path(),
        "e.txt.gz",
        &gzip(lines(100).as_bytes())[..200],
    );
    write(folder.path(), "f.txt", "");
    write(folder.path(), ".hidden", "no");
    let pass = read_file(folder.path(), &InputOptions::default()).unwrap();
    // A NUL is white space.
    assert_eq!(pass.texts(), ["gut 好", "a\0b", "gepackt", ""]);
    assert_eq!(pass.reasons().len(), 2);
}

#[test]
fn text_files_in_other_encodings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(bytes).collect()
    };
    let (old, chinese) = (
        "Größe und Würde – für „alle“",
        "渡轮每天早上九点从旧港出发，天气好的时候四十分钟就到对岸。",
    );
    write(
        folder.path(),
        "a.txt",
        &encoding_rs::WINDOWS_1252.encode(old).0,
    );
    write(folder.path(), "b.txt", &encoding_rs::GBK.encode(chinese).0);
    write(
        folder.path(),
        "c.txt",
        utf16("Größe 好 😀", u16::to_le_bytes),
    );
    write(
        folder.path(),
        "d.txt",
        utf16("Größe 好 😀", u16::to_be_bytes),
    );
    write(folder.path(), "e.txt", b"%PDF-1.4 in ASCII alone");
    let pass = read_file(folder.path(), &InputOptions::default()).unwrap();
    assert_eq!(pass.texts(), [old, chinese, "Größe 好 😀", "Größe 好 😀"]);
    assert_eq!(pass.reasons().len(), 1);
    assert!(pass.reasons()[0].contains("a PDF file"));
}

#[test]
fn what_cannot_be_found_is_named_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let known = write(folder.path(), "a.jsonl", "");
    let resolve = |names: &[&str]| {
        let names: Vec<String> = names
            .iter()
            .map(|name| folder.path().join(name).display().to_string())
            .collect();
        message(Input::resolve(
            &names,
            &InputOptions::default(),
            folder.path(),
        ))
    };
    assert!(resolve(&["a.jsonl", "b.jsonl"]).contains("b.jsonl"));
    assert!(resolve(&["*.parquet"]).contains("no files found"));
    write(folder.path(), "a.xyz", "");
    let unknown = resolve(&["a.xyz"]);
    assert!(
        unknown.contains("`format=`, one of: jsonl, text, csv, tsv, parquet"),
        "{unknown}"
    );
    assert!(message("xml".parse::<Format>()).contains("jsonl"));
    assert!(
        message(Input::resolve(
            &["-", "-"],
            &InputOptions::default(),
            Path::new("/")
        ))
        .contains("only once")
    );
    assert!(resolve(&["/dev/null"]).contains("name it -"));
    assert!(known.exists());
}
