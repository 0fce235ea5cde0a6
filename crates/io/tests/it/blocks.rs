//! Blocks are the same in every pass, and hold every record once, whatever their size.

use crate::support::*;
use lookalike_io::InputOptions;
use proptest::prelude::*;

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => ("[a-z一二三éü\u{1f600} \n\"]{0,40}", any::<u16>()).prop_map(|(text, id)| {
            serde_json::json!({ "id": id, "text": text, "rest": [1, { "text": 2 }] }).to_string()
        }),
        1 => Just(String::new()),
        1 => Just("  \t".to_owned()),
        1 => "[^\r\n\u{feff}]{0,20}",
    ]
}

fn options(block_bytes: usize) -> InputOptions {
    InputOptions::default().with(|options| options.block_bytes = block_bytes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lines_are_read_the_same_under_any_compression_and_block_size(
        lines in prop::collection::vec(line(), 0..20), block_bytes in 1_usize..300, crlf in any::<bool>(), last_end in any::<bool>(), mark in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut content = lines.join(end);
        if last_end { content += end }
        if mark && !content.starts_with('\u{feff}') { content.insert(0, '\u{feff}') }

        let mut expected = Vec::new();
        for (number, line) in (1_u64..).zip(&lines) {
            if line.bytes().all(|byte| byte.is_ascii_whitespace()) { continue }
            let parsed: Option<serde_json::Value> = serde_json::from_str(line).ok();
            let text = parsed.as_ref().and_then(|parsed| parsed["text"].as_str());
            expected.push(text.map(|text| (number, text.to_owned())));
        }
        for (ending, bytes) in compressed(content.as_bytes()) {
            let pass = read_content(&format!("pages.jsonl{ending}"), &bytes, &options(block_bytes)).unwrap();
            let found: Vec<_> = pass.outcomes().into_iter()
                .map(|outcome| outcome.ok().map(|(line, values)| (line, values[0].clone()))).collect();
            prop_assert_eq!(&found, &expected);
            prop_assert!(pass.cut_away.is_empty());
        }
    }

    #[test]
    fn every_block_is_found_again(lines in prop::collection::vec(line(), 0..20), block_bytes in 1_usize..300) {
        let folder = tempfile::tempdir().unwrap();
        for (number, (ending, bytes)) in compressed(lines.join("\n").as_bytes()).into_iter().enumerate() {
            let path = write(folder.path(), &format!("{number}.jsonl{ending}"), bytes);
            assert_repeatable(&resolve(&path, &options(block_bytes)).unwrap(), &wanted());
        }
    }

    #[test]
    fn csv_blocks_are_found_again(cells in prop::collection::vec("[a-z一,\"\n]{0,30}", 0..20), block_bytes in 1_usize..200) {
        let folder = tempfile::tempdir().unwrap();
        let quoted = |cell: &String| format!("\"{}\",7\n", cell.replace('"', "\"\""));
        let content = format!("text,id\n{}", cells.iter().map(quoted).collect::<String>());
        for (number, (ending, bytes)) in compressed(content.as_bytes()).into_iter().enumerate() {
            let path = write(folder.path(), &format!("{number}.csv{ending}"), bytes);
            let input = resolve(&path, &options(block_bytes)).unwrap();
            assert_eq!(read(&input, &wanted()).unwrap().texts(), cells);
            assert_repeatable(&input, &wanted());
        }
    }
}

#[test]
fn blocks_are_found_again_across_sources_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..50 {
        write(
            folder.path(),
            &format!("texts/{number}.txt"),
            "文本".repeat(number),
        );
        write(
            folder.path(),
            &format!("pages-{number}.jsonl"),
            "{\"text\": \"x\"}\n".repeat(number),
        );
    }
    let input = resolve(folder.path(), &options(200)).unwrap();
    assert_eq!(
        read(&input, &wanted()).unwrap().outcomes().len(),
        50 + 49 * 25
    );
    assert_repeatable(&input, &wanted());
}

#[test]
fn lines_in_utf16_are_read_as_those_in_utf8() {
    let content = "{\"id\": 1, \"text\": \"é 一 😀\"}\r\n\nno\n{\"text\": \"b\"}";
    let utf8 = read_content("a.jsonl", content.as_bytes(), &options(20)).unwrap();
    assert_eq!(utf8.texts(), ["é 一 😀", "b"]);
    let marked = format!("\u{feff}{content}");
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf16: Vec<u8> = marked.encode_utf16().flat_map(unit).collect();
        for (ending, bytes) in compressed(&utf16) {
            let name = format!("a.jsonl{ending}");
            let pass = read_content(&name, &bytes, &options(20)).unwrap();
            assert_eq!(pass.texts(), utf8.texts());
            assert_eq!(pass.reasons(), utf8.reasons());
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &name, bytes);
            assert_repeatable(&resolve(&path, &options(20)).unwrap(), &wanted());
        }
    }
}
