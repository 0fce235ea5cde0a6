//! Dumps of MediaWiki: articles, schema versions, damaged dumps, the cleaned dump.

use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Error, Field, Input, InputOptions, Reader, Wanted};

const HEAD: &str = "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.10/\" version=\"0.10\" xml:lang=\"ru\">
  <siteinfo>
    <namespaces>
      <namespace key=\"0\" case=\"first-letter\" />
      <namespace key=\"1\" case=\"first-letter\">Обсуждение</namespace>
      <namespace key=\"6\" case=\"first-letter\">Файл</namespace>
    </namespaces>
  </siteinfo>
";

fn page(title: &str, id: &str, rest: &str) -> String {
    format!("  <page>\n    <title>{title}</title>\n    <id>{id}</id>\n{rest}  </page>\n")
}

fn revision(date: &str, text: &str) -> String {
    format!(
        "    <revision>\n      <id>9</id>\n      <timestamp>{date}</timestamp>\n      <contributor><id>3</id></contributor>\n      {text}\n    </revision>\n"
    )
}

/// A page with references, one of two revisions, a talk page, two redirects, an empty one.
fn dump() -> String {
    let pages = [
        page(
            "Rain &amp; snow",
            "1",
            &format!(
                "    <ns>0</ns>\n{}",
                revision(
                    "2020-01-02T03:04:05Z",
                    "<text bytes=\"3\" xml:space=\"preserve\">'''Rain''' is\nwet.&lt;ref&gt;A book.&lt;/ref&gt;\n== Use ==\n&amp;nbsp;下雨。</text>",
                )
            ),
        ),
        page(
            "Снег",
            "2",
            &[
                revision("2001-01-01T00:00:00Z", "<text>old</text>"),
                revision(
                    "2002-01-01T00:00:00Z",
                    "<text>Снег [[Файл:a.jpg|бел]]белый.</text>",
                ),
                revision("2003-01-01T00:00:00Z", "<text deleted=\"deleted\" />"),
            ]
            .concat(),
        ),
        page(
            "Обсуждение:Снег",
            "3",
            &revision("2004-01-01T00:00:00Z", "<text>talk</text>"),
        ),
        page(
            "Hail",
            "4",
            &format!(
                "    <redirect title=\"Rain\" />\n{}",
                revision("", "<text>x</text>")
            ),
        ),
        page(
            "Sleet",
            "5",
            &revision("", "<text>#ПЕРЕНАПРАВЛЕНИЕ [[Снег]]</text>"),
        ),
        page(
            "ثلج",
            "6",
            &revision("2005-01-01T00:00:00Z", "<text sha1=\"x\" />"),
        ),
    ];
    format!("{HEAD}{}</mediawiki>\n", pages.concat())
}

fn wanted() -> Wanted {
    Wanted::new(["text", "title", "references", "headings", "date"].map(Field::text))
}

fn resolve(path: &Path, options: &InputOptions) -> Result<Input, Error> {
    let spool = path.parent().unwrap().join("spool");
    Input::resolve(&[path.to_string_lossy()], options, &spool)
}

fn read_dump(content: impl AsRef<[u8]>, ending: &str, options: &InputOptions) -> Pass {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), &format!("wiki.xml{ending}"), content);
    let input = resolve(&path, options).unwrap();
    assert_eq!(input.sources[0].format.name(), "mediawiki");
    assert_repeatable(&input, &wanted());
    read(&input, &wanted()).unwrap()
}

#[test]
fn an_article_is_a_record_under_every_compression() {
    let expected = [
        (
            9,
            [
                "Rain is wet.\n下雨。",
                "Rain & snow",
                "A book.",
                "Use",
                "2020-01-02T03:04:05Z",
            ],
        ),
        (
            23,
            ["Снег белый.\nбел", "Снег", "", "", "2002-01-01T00:00:00Z"],
        ),
        (76, ["", "ثلج", "", "", "2005-01-01T00:00:00Z"]),
    ]
    .map(|(line, texts)| Ok((line, texts.map(str::to_owned).to_vec())));
    for (ending, bytes) in compressed(dump().as_bytes()) {
        for (block_bytes, threads) in [(1, 1), (300, 3), (1 << 20, 2)] {
            let options = InputOptions::default().with(|options| {
                options.block_bytes = block_bytes;
                options.threads = threads;
            });
            let pass = read_dump(&bytes, ending, &options);
            assert_eq!(pass.outcomes(), expected, "{ending} {block_bytes}");
        }
    }
}

#[test]
fn dumps_in_utf_16_and_with_a_byte_order_mark_are_read() {
    let plain = read_dump(dump(), "", &InputOptions::default());
    let little = format!("\u{feff}{}", dump())
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect::<Vec<_>>();
    let big = format!("\u{feff}{}", dump())
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect::<Vec<_>>();
    for content in [
        little.clone(),
        big,
        format!("\u{feff}{}", dump()).into_bytes(),
    ] {
        let pass = read_dump(content, "", &InputOptions::default());
        assert_eq!(pass.outcomes(), plain.outcomes());
    }
    let pass = read_dump(bzip2(&little), ".bz2", &InputOptions::default());
    assert_eq!(pass.outcomes(), plain.outcomes());
}

#[test]
fn namespaces_are_chosen_and_numbers_are_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "wiki.xml", dump());
    let optional = Wanted::new(["text", "namespace", "id", "nosuch"].map(Field::optional));
    let values = |namespaces: Vec<i32>| {
        let options = InputOptions::default().with(|options| options.namespaces = namespaces);
        let input = resolve(&path, &options).unwrap();
        let pass = read(&input, &optional).unwrap();
        pass.outcomes()
            .into_iter()
            .map(|outcome| outcome.unwrap().1)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        values(vec![1]),
        [["talk", "number 1", "number 3", "missing"]]
    );
    assert_eq!(values(vec![]).len(), 4);
    assert_eq!(values(vec![0, 1]).len(), 4);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let message = input
        .check(&Wanted::new([Field::text("body")]))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no column \"body\"; its columns are: id, namespace"),
        "{message}"
    );
}

#[test]
fn every_version_of_the_schema_is_read() {
    for version in [
        "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.10", "0.11",
    ] {
        let slot = if version == "0.11" {
            "<origin>1</origin><text bytes=\"4\" sha1=\"x\" xml:space=\"preserve\">main</text><content><role>x</role><text>slot</text></content>"
        } else {
            "<text xml:space=\"preserve\">main</text>"
        };
        let content = format!(
            "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-{version}/\" version=\"{version}\">{}{}</mediawiki>",
            page("A", "1", &revision("2001-01-01T00:00:00Z", slot)),
            page("Talk:A", "2", &revision("2001-01-01T00:00:00Z", slot)),
        );
        let pass = read_dump(content, "", &InputOptions::default());
        assert_eq!(pass.texts(), ["main"], "{version}");
    }
}

#[test]
fn each_malformed_page_has_its_reason_and_the_rest_is_read() {
    let good = page("Good", "7", &revision("", "<text>gut</text>"));
    let large = page(
        "Large",
        "8",
        &revision("", &format!("<text>{}</text>", "长".repeat(2000))),
    );
    let cases: [(&[u8], &str); 7] = [
        (b"<page><title>a</title></page>\n", "has no <id>"),
        (b"<page><id>1</id></page>\n", "has no <title>"),
        (
            b"<page><title>a</title><id>x</id></page>\n",
            "\"x\" is not a number",
        ),
        (
            b"<page><title>a</title><id>1</id><ns>y</ns></page>\n",
            "namespace \"y\"",
        ),
        (
            b"<page><title>\xff</title><id>1</id></page>\n",
            "invalid UTF-8",
        ),
        (b"<page><title>a</title><id>1</id>\n", "does not end before"),
        (large.trim_start().as_bytes(), "larger than 2000 bytes"),
    ];
    for (bad, reason) in cases {
        for block_bytes in [1, 100, 1 << 20] {
            let options = InputOptions::default().with(|options| {
                options.block_bytes = block_bytes;
                options.max_record = 2000;
            });
            let content = [
                HEAD.as_bytes(),
                good.as_bytes(),
                bad,
                good.as_bytes(),
                b"</mediawiki>",
            ]
            .concat();
            let pass = read_dump(content, "", &options);
            assert_eq!(pass.texts(), ["gut", "gut"], "{reason}");
            let reasons = pass.reasons();
            assert_eq!(reasons.len(), 1, "{reasons:?}");
            assert!(
                reasons[0].starts_with("19: ") && reasons[0].contains(reason),
                "{reasons:?}"
            );
        }
    }
}

#[test]
fn of_a_dump_that_was_cut_short_the_whole_pages_are_used() {
    let content = dump();
    let end = content.find("Обсуждение:Снег").unwrap();
    let pass = read_dump(&content[..end], "", &InputOptions::default());
    assert_eq!(pass.texts().len(), 2);
    assert_eq!(pass.reasons().len(), 1);
    // So short an archive may have nothing left that says what it is.
    let options =
        InputOptions::default().with(|options| options.format = Some("mediawiki".parse().unwrap()));
    for (ending, bytes) in compressed(content.as_bytes()).into_iter().skip(1) {
        let pass = read_dump(&bytes[..bytes.len() - 30], ending, &options);
        assert!(pass.reasons().len() <= 1, "{ending} {:?}", pass.reasons());
    }
}

#[test]
fn a_cleaned_dump_is_the_dump_without_the_pages() {
    let folder = tempfile::tempdir().unwrap();
    let content = dump();
    let path = write(folder.path(), "wiki.xml", &content);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let clean = folder.path().join("clean.xml");
    let replaceable = crate::support::earlier_result(&clean);
    let mut writer = CleanWriter::new(&input, &clean, &replaceable).unwrap();
    let mut reader = Reader::new(&input, &wanted());
    let mut block = Block::default();
    while reader.next_block(&mut block).unwrap() {
        writer.write(&block, &mut |slot| slot != 1).unwrap();
    }
    writer.finish().unwrap();
    let begin = content.find("<page>\n    <title>Снег").unwrap();
    let end = content.find("<page>\n    <title>Обсуждение").unwrap();
    let expected = [&content[..begin], &content[end..]].concat();
    assert_eq!(fs::read_to_string(&clean).unwrap(), expected);
}
