//! Lines of text are read as they stand, whatever the blocks, and bad ones cost no more than themselves.

use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, InputOptions, Reader, Wanted};
use proptest::prelude::*;

fn options(block_bytes: usize) -> InputOptions {
    InputOptions::default().with(|options| options.block_bytes = block_bytes)
}

/// Reads `content` as a file of lines.
fn read_lines(content: &[u8], options: &InputOptions) -> Pass {
    read_content("a.lines", content, options).unwrap()
}

/// The text of each line as the standard library tells lines, but a last CR is always that of a line end, and blank
/// ones are empty.
fn reference(content: &str) -> Vec<String> {
    let content = content.strip_prefix('\u{feff}').unwrap_or(content);
    let text = |line: &str| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let blank = line.chars().all(char::is_whitespace);
        if blank {
            String::new()
        } else {
            line.to_owned()
        }
    };
    content.split_terminator('\n').map(text).collect()
}

/// Copies the lines whose number, counted from 0, is to stay.
fn clean(input: &Path, options: &InputOptions, output: &Path, keep: impl Fn(u64) -> bool) {
    let input = resolve(input, options).unwrap();
    let mut reader = Reader::new(&input, &Wanted::default());
    let replaceable = crate::support::earlier_result(output);
    let mut writer = CleanWriter::new(&input, output, &replaceable).unwrap();
    let mut block = Block::default();
    while reader.next_block(&mut block).unwrap() {
        let first = block.place.line - 1;
        writer
            .write(&block, &mut |slot| keep(first + u64::from(slot)))
            .unwrap();
    }
    writer.finish().unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_are_those_of_the_standard_library_in_any_blocks(
        content in "(\u{feff})?[a-c一é\u{1f600} \t\r\n\n\u{3000}]{0,200}", block_bytes in 1_usize..100,
    ) {
        let expected = reference(&content);
        for (ending, bytes) in compressed(content.as_bytes()) {
            let pass = read_content(&format!("a.lines{ending}"), &bytes, &options(block_bytes)).unwrap();
            prop_assert_eq!(&pass.texts(), &expected);
            prop_assert!(pass.reasons().is_empty());
            let lines = pass.outcomes().into_iter().flatten().map(|(line, _)| line);
            prop_assert!(lines.eq(1..=expected.len() as u64));
        }
    }

    #[test]
    fn blocks_of_any_bytes_are_found_again(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 0..20), block_bytes in 1_usize..100,
    ) {
        // A text first, so that the file is not taken for a binary one.
        let content = [vec![b'x'; 2000], lines.join(&b'\n')].join(&b'\n');
        let folder = tempfile::tempdir().unwrap();
        for (number, (ending, bytes)) in compressed(&content).into_iter().enumerate() {
            let path = write(folder.path(), &format!("{number}.lines{ending}"), bytes);
            assert_repeatable(&resolve(&path, &options(block_bytes)).unwrap(), &wanted());
        }
    }

    #[test]
    fn kept_lines_are_the_bytes_they_were(
        content in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(0xff), any::<u8>()], 0..200),
        kept in any::<u64>(), block_bytes in 1_usize..100,
    ) {
        let content = [vec![b'x'; 2000], content].join(&b'\n');
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.txt");
        let keep = |number: u64| kept >> (number % 64) & 1 == 1;
        clean(&write(folder.path(), "in.lines", &content), &options(block_bytes), &output, keep);
        let expected: Vec<&[u8]> = (0..).zip(content.split_inclusive(|byte| *byte == b'\n'))
            .filter(|(number, _)| keep(*number))
            .map(|(_, line)| line)
            .collect();
        prop_assert_eq!(fs::read(output).unwrap(), expected.concat());
    }
}

#[test]
fn a_bad_line_costs_that_line_and_keeps_the_count() {
    let content = b"\xef\xbb\xbfeins\r\n\n\xfcbel\nzw\0ei\n\xe4\xb8\x89\xe4\xb8\x89\n";
    for block_bytes in [1, 5, 1 << 20] {
        let pass = read_lines(content, &options(block_bytes));
        assert_eq!(pass.texts(), ["eins", "", "zw\0ei", "三三"]);
        let reasons = [
            "3: invalid UTF-8 (byte 1 of the record); convert the file to UTF-8 (`iconv -f WINDOWS-1252 -t UTF-8`, if it is from Windows)",
        ];
        assert_eq!(pass.reasons(), reasons);
        let last = pass.outcomes().pop().unwrap().unwrap();
        assert_eq!(last, (5, vec!["三三".to_owned(), "missing".to_owned()]));
    }
}

#[test]
fn a_line_over_the_limit_is_passed_over_without_being_held() {
    let long = "长".repeat(4000);
    let content = format!("a\n{long}\n\nb\n{long}");
    for block_bytes in [16, 100, 5000, 1 << 20] {
        let options = options(block_bytes).with(|options| options.max_record = 500);
        let pass = read_lines(content.as_bytes(), &options);
        assert_eq!(pass.texts(), ["a", "", "b"]);
        let mut reasons = pass.reasons();
        reasons.sort();
        let reason =
            "the record is larger than 500 bytes, which is the limit; raise it with `max-record=`";
        assert_eq!(reasons, [format!("2: {reason}"), format!("5: {reason}")]);
    }
}

#[test]
fn a_file_that_is_no_text_is_rejected_once() {
    let utf16 =
        |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let cases = [
        (utf16("\u{feff}你好\n再见\n"), "UTF-16"),
        (utf16("hello\nbye\n"), "UTF-16"),
        (b"PK\x03\x04 more \0 of it\n".repeat(9), "a ZIP archive"),
        (b"\xfd7zXZ\0 more of it\n".repeat(9), "an xz archive"),
        (
            [&[b'a'; 100][..], &[0; 157], b"ustar\0 more\n"].concat(),
            "a tar archive",
        ),
        (
            [b"\n\0\0\0\0".repeat(50), vec![0xff]].concat(),
            "binary file",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (content, reason) in cases {
        for (ending, bytes) in compressed(&content) {
            let path = write(folder.path(), &format!("a.lines{ending}"), bytes);
            let input = resolve(&path, &InputOptions::default()).unwrap();
            let pass = read(&input, &wanted()).unwrap();
            assert!(pass.outcomes().is_empty());
            let [rejection] = pass.cut_away.as_slice() else {
                panic!("{:?}", pass.cut_away);
            };
            assert_eq!(rejection.line, None);
            assert!(rejection.reason.contains(reason), "{}", rejection.reason);
            assert_repeatable(&input, &wanted());
        }
    }
    // The files beside it are read.
    write(folder.path(), "b.lines", "gut\n");
    let pass = read_file(folder.path(), &InputOptions::default()).unwrap();
    assert_eq!(pass.texts(), ["gut"]);
}

#[test]
fn a_damaged_archive_gives_all_whole_lines() {
    let content: String = (0..20_000_u64)
        .map(|number| format!("{:x} 文\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let archive = gzip(content.as_bytes());
    let pass = read_content(
        "a.lines.gz",
        &archive[..archive.len() / 2],
        &InputOptions::default(),
    )
    .unwrap();
    let texts = pass.texts();
    assert!(texts.len() > 5000);
    assert!(content.lines().take(texts.len()).eq(&texts));
    assert_eq!(pass.cut_away[0].line, Some(texts.len() as u64 + 1));
    assert!(pass.cut_away[0].reason.contains("cut short"));
}

#[test]
fn text_files_are_lines_on_request_and_are_cleaned_under_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(folder.path(), "in.txt", "\u{feff}eins\r\n\n二\n  drei");
    let read = |options: &InputOptions| read_file(&input, options).unwrap().texts();
    assert_eq!(read(&InputOptions::default()).len(), 1);
    let asked = options(4).with(|options| options.text_is_lines = true);
    let named = options(4).with(|options| options.format = Some("lines".parse().unwrap()));
    for options in [asked, named] {
        assert_eq!(read(&options), ["eins", "", "二", "  drei"]);
        let output = folder.path().join("out.txt");
        clean(&input, &options, &output, |number| number != 2);
        let expected = "\u{feff}eins\r\n\n  drei";
        assert_eq!(fs::read_to_string(&output).unwrap(), expected);
    }
}
