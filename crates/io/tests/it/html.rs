//! Files of HTML: a file is a record, in any encoding and under any compression.

use std::fs;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Error, Field, Input, InputOptions, Reader, Wanted};
use lookalike_kernel::CodeBlocks;

const PAGE: &str = "<!DOCTYPE html><html lang=de><head><title>Käse</title><link rel=canonical href=http://a.example/k></head>\
    <body><p>Brot &amp; Käse<br>und 面包</p><pre><code>a  b</code></pre></body></html>";

fn wanted_fields() -> Wanted {
    Wanted::new(
        ["text", "title"]
            .map(Field::text)
            .into_iter()
            .chain(["language", "url", "date"].map(Field::optional)),
    )
}

#[test]
fn a_page_is_a_record_under_any_compression() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (ending, bytes)) in compressed(PAGE.as_bytes()).into_iter().enumerate() {
        let path = write(folder.path(), &format!("{number}.html{ending}"), bytes);
        let input = resolve(&path, &InputOptions::default()).unwrap();
        assert_eq!(input.sources[0].format.name(), "html");
        let pass = read(&input, &wanted_fields()).unwrap();
        let values = [
            "Brot & Käse\nund 面包\na  b",
            "Käse",
            "de",
            "http://a.example/k",
            "missing",
        ];
        assert_eq!(
            pass.outcomes(),
            [Ok((1, values.map(str::to_owned).to_vec()))]
        );
        assert_repeatable(&input, &wanted_fields());
    }
}

#[test]
fn code_can_be_left_out() {
    let options = InputOptions::default().with(|options| options.code = CodeBlocks::Drop);
    let pass = read_content("a.htm", PAGE.as_bytes(), &options).unwrap();
    assert_eq!(pass.texts(), ["Brot & Käse\nund 面包"]);
}

#[test]
fn pages_in_a_folder_are_found_by_name_and_others_by_their_root() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.html", "b.HTM", "c.xhtml", "d.xml"] {
        let page = format!("<?xml version=\"1.0\"?>\n<HTML xmlns=\"x\"><p>{name}</p></HTML>");
        write(folder.path(), name, page);
    }
    let input = resolve(folder.path(), &InputOptions::default()).unwrap();
    assert_eq!(input.sources.len(), 1);
    assert_eq!(
        read(&input, &wanted()).unwrap().texts(),
        ["a.html", "b.HTM", "c.xhtml", "d.xml"]
    );
}

#[test]
fn encodings_are_told_by_the_page() {
    let (bytes, _, _) =
        encoding_rs::GBK.encode("<meta charset=gb2312><p>我们在山脚下的小村庄里住了三天");
    let pass = read_content("a.html", &bytes, &InputOptions::default()).unwrap();
    assert_eq!(pass.texts(), ["我们在山脚下的小村庄里住了三天"]);
}

#[test]
fn what_cannot_be_read_is_rejected() {
    let reason = |content: &[u8], options: &InputOptions| {
        read_content("a.html", content, options).unwrap().reasons()
    };
    let options = InputOptions::default().with(|options| options.max_record = 20);
    assert_eq!(reason(PAGE.as_bytes(), &options).len(), 1);
    assert_eq!(
        reason(b"%PDF-1.7 x", &options),
        ["-: this is a PDF file, not a page"]
    );
    let cut = gzip(PAGE.as_bytes());
    let reasons = reason(&cut[..cut.len() - 12], &InputOptions::default());
    assert!(reasons[0].contains("the file was cut short"), "{reasons:?}");

    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.html", PAGE);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let error = input
        .check(&Wanted::new([Field::text("body")]))
        .unwrap_err();
    assert!(matches!(error, Error::MissingColumn { .. }));
    // A page need not say its language.
    let pass = read(
        &resolve(
            &write(folder.path(), "b.html", "<p>x"),
            &InputOptions::default(),
        )
        .unwrap(),
        &Wanted::new([Field::text("language")]),
    );
    assert_eq!(
        pass.unwrap().reasons(),
        ["-: field \"language\" is missing; the record has: title, text"]
    );
}

#[test]
fn the_kept_pages_are_copied_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["pages/a.html", "pages/b.html", "pages/c/d.htm.gz"] {
        write(folder.path(), name, gzip(format!("<p>{name}").as_bytes()));
    }
    let (from, to) = (folder.path().join("pages"), folder.path().join("clean"));
    let input = Input::resolve(
        &[from.to_string_lossy()],
        &InputOptions::default(),
        folder.path(),
    )
    .unwrap();
    let mut reader = Reader::new(&input, &Wanted::default());
    let replaceable = crate::support::earlier_result(&to);
    let mut writer = CleanWriter::new(&input, &to, &replaceable).unwrap();
    let mut block = Block::default();
    while reader.next_block(&mut block).unwrap() {
        writer.write(&block, &mut |slot| slot != 1).unwrap();
    }
    writer.finish().unwrap();
    assert_eq!(
        fs::read(to.join("c/d.htm.gz")).unwrap(),
        fs::read(from.join("c/d.htm.gz")).unwrap()
    );
    assert_eq!(
        fs::read_to_string(to.join("a.html")).unwrap(),
        "<p>pages/a.html"
    );
    assert!(!to.join("b.html").exists());
}
