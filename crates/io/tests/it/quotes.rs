//! A quote that is not closed costs the line it is in, not the rest of the table.

use crate::support::*;
use lookalike_io::InputOptions;

/// The texts and the rejections of a table, which are the same for all sizes of blocks and under every compression.
fn read_csv(content: &str, max_record: u64) -> (Vec<String>, Vec<String>) {
    let mut found = None;
    for block_bytes in [1, 7, 16, 50, 1000, 1 << 20] {
        for (ending, bytes) in compressed(content.as_bytes()) {
            let options = InputOptions::default().with(|options| {
                options.block_bytes = block_bytes;
                options.max_record = max_record;
            });
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &format!("a.csv{ending}"), bytes);
            let input = resolve(&path, &options).unwrap();
            let pass = read(&input, &wanted()).unwrap();
            let mut reasons = pass.reasons();
            reasons.sort();
            let read = (pass.texts(), reasons);
            assert_eq!(
                *found.get_or_insert_with(|| read.clone()),
                read,
                "blocks of {block_bytes}{ending}"
            );
            assert_repeatable(&input, &wanted());
        }
    }
    found.unwrap()
}

#[test]
fn a_quote_open_at_the_end_costs_its_line_and_what_is_no_row() {
    let unclosed = "a quote is not closed up to the end of the file";
    let cases = [
        ("1,a\n2,\"open\n3,c\n4,二\n", vec!["a", "c", "二"], 3),
        (
            "1,a\n2,\"open\nno row\nnor, this, one\n\n3,\"\"\"\"\r\n4,d",
            vec!["a", "\"", "d"],
            3,
        ),
        ("1,\"a\nb\"\n2,\"open", vec!["a\nb"], 4),
        ("1,\"open\n2,\"\"\n", vec![""], 2),
        ("1,\"open\nopen\n", vec![], 2),
    ];
    for (rows, texts, line) in cases {
        let (found, reasons) = read_csv(&format!("id,text\n{rows}"), 1000);
        assert_eq!(found, texts, "{rows}");
        assert_eq!(reasons, [format!("{line}: {unclosed}")], "{rows}");
    }
}

#[test]
fn a_quote_open_beyond_the_largest_record_costs_its_line() {
    let rows: String = (0..40)
        .map(|row| format!("{row},Zeile {row} 行\n"))
        .collect();
    let content = format!("id,text\n1,\"a\nb\"\n2,\"open\n{rows}3,\"c\nd\"\n");
    let (texts, reasons) = read_csv(&content, 100);
    assert_eq!(texts.len(), 42);
    assert_eq!((texts[0].as_str(), texts[41].as_str()), ("a\nb", "c\nd"));
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].starts_with("4: the record is larger than 100 bytes"));
}

#[test]
fn rows_of_the_largest_size_are_read_and_larger_ones_are_not() {
    let row = |size: usize| format!("1,{}\n", "x".repeat(size - 2));
    let content = format!("id,text\n{}{}{}2,b", row(50), row(51), row(50));
    let (texts, reasons) = read_csv(&content, 50);
    assert_eq!(texts.len(), 3);
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].starts_with("3: the record is larger than 50 bytes"));
}

#[test]
fn a_line_before_the_names_says_what_parts_cells() {
    for first in ["sep=;", "SEP=|", "sep=\t"] {
        let delimiter = &first[4..];
        let content =
            format!("{first}\r\nid,no{delimiter}text\r\n1{delimiter}渡轮, boat\r\n2{delimiter}b");
        let (texts, reasons) = read_csv(&content, 1000);
        assert_eq!(
            (texts, reasons),
            (vec!["渡轮, boat".to_owned(), "b".to_owned()], vec![])
        );
    }
}
