//! Dumps of Stack Exchange: threads, malformed rows, folders of a dump, the cleaned dump.

use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Error, Field, Input, InputOptions, Reader, Wanted};
use lookalike_kernel::CodeBlocks;
use proptest::prelude::*;

/// An answer before its question, tags in both styles, a post of another kind, a row over several lines.
const POSTS: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r
<posts>\r
  <row Id=\"3\" PostTypeId=\"2\" ParentId=\"1\" Score=\"9\" Body=\"&lt;p&gt;Nimm &amp;lt;b&amp;gt;.&lt;/p&gt;&#xA;\" />\r
  <row Id=\"1\" PostTypeId=\"1\" AcceptedAnswerId=\"4\" CreationDate=\"2011-08-17T20:18:56.507\" Score=\"-2\" ViewCount=\"295\" Body=\"&lt;p&gt;Wie geht   das?&lt;/p&gt;&#xA;&#xA;&lt;pre&gt;&lt;code&gt;a\u{20}\u{20}b&lt;/code&gt;&lt;/pre&gt;&#xA;\" Title=\"Fett &amp; &quot;kursiv&quot;\" Tags=\"&lt;html&gt;&lt;c++&gt;\" AnswerCount=\"2\" />\r
  <row Id=\"2\" PostTypeId=\"1\" Score=\"5\" Body=\"\" Title=\"没有回答\" Tags=\"|a|b-c|\" />\r
  <row Id=\"6\" PostTypeId=\"5\" Body=\"wiki\" />\r
  <row\r
    Id=\"4\" PostTypeId=\"2\" ParentId='1'\r
    Body=\"angenommen\" Score=\"0\" />\r
  <row Id=\"5\" PostTypeId=\"1\" Body=\"x &lt; y &amp;amp;&amp;amp; z\" Title=\"\" />\r
</posts>";

fn fields(names: &[&str]) -> Wanted {
    Wanted::new(names.iter().map(|name| Field::text(*name)))
}

/// The spool lies beside the file.
fn resolve(path: &Path, options: &InputOptions) -> Result<Input, Error> {
    let spool = path.parent().unwrap().join("spool");
    Input::resolve(&[path.to_string_lossy()], options, &spool)
}

fn read_posts(content: impl AsRef<[u8]>, options: &InputOptions) -> Pass {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "Posts.xml", content);
    let input = resolve(&path, options).unwrap();
    let wanted = fields(&["title", "body", "answer"]);
    assert_repeatable(&input, &wanted);
    read(&input, &wanted).unwrap()
}

fn dump(rows: &[&str]) -> String {
    format!("<posts>\n{}\n</posts>\n", rows.join("\n"))
}

const GOOD: &str = "<row Id=\"1\" PostTypeId=\"1\" Title=\"gut\" Body=\"\" />";

#[test]
fn a_converted_dump_that_was_damaged_is_converted_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "Posts.xml", POSTS);
    let (options, wanted) = (
        InputOptions::default(),
        fields(&["title", "body", "answer"]),
    );
    let all = |input: &Input| read(input, &wanted).unwrap();
    let first = all(&resolve(&path, &options).unwrap());
    let spool = fs::read_dir(folder.path().join("spool")).unwrap();
    let converted = spool.map(|entry| entry.unwrap().path());
    let converted = converted.filter(|path| path.extension().is_some_and(|end| end == "threads"));
    let [converted] = converted.collect::<Vec<_>>().try_into().unwrap();
    let whole = fs::read(&converted).unwrap();
    for damage in [0, whole.len() / 2, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[damage] ^= 1;
        fs::write(&converted, &bytes).unwrap();
        assert_eq!(all(&resolve(&path, &options).unwrap()), first);
        assert_eq!(fs::read(&converted).unwrap(), whole);
    }
    let changed = fs::metadata(&converted).unwrap().modified().unwrap();
    resolve(&path, &options).unwrap();
    let unchanged = fs::metadata(&converted).unwrap().modified().unwrap();
    assert_eq!(changed, unchanged, "what is whole is used again");
}

#[test]
fn a_thread_is_a_question_with_its_accepted_or_best_answer() {
    for (ending, bytes) in compressed(POSTS.as_bytes()) {
        for block_bytes in [1, 50, 300, 1 << 20] {
            let folder = tempfile::tempdir().unwrap();
            let path = write(folder.path(), &format!("Posts.xml{ending}"), &bytes);
            let options = InputOptions::default().with(|options| options.block_bytes = block_bytes);
            let input = resolve(&path, &options).unwrap();
            assert_eq!(input.sources[0].format.name(), "stackexchange");
            let wanted = fields(&["title", "body", "answer"]);
            input.check(&wanted).unwrap();
            let expected = [
                (
                    4,
                    ["Fett & \"kursiv\"", "Wie geht das?\na  b", "angenommen"],
                ),
                (5, ["没有回答", "", ""]),
                (10, ["", "x < y && z", ""]),
            ]
            .map(|(line, texts)| Ok((line, texts.map(str::to_owned).to_vec())));
            assert_eq!(read(&input, &wanted).unwrap().outcomes(), expected);
            assert_repeatable(&input, &wanted);
        }
    }
}

#[test]
fn further_fields_are_numbers_and_texts_or_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "Posts.xml", POSTS);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let names = [
        "id", "score", "views", "answers", "accepted", "date", "tags", "answer", "nosuch",
    ];
    let optional = Wanted::new(names.map(Field::optional));
    let values = |pass: Pass, at: usize| pass.outcomes()[at].clone().unwrap().1;
    assert_eq!(
        values(read(&input, &optional).unwrap(), 0),
        [
            "number 1",
            "number -2",
            "number 295",
            "number 2",
            "number 1",
            "2011-08-17T20:18:56.507",
            "html c++",
            "angenommen",
            "missing"
        ]
    );
    assert_eq!(
        values(read(&input, &optional).unwrap(), 1),
        [
            "number 2", "number 5", "missing", "number 0", "number 0", "missing", "a b-c",
            "missing", "missing"
        ]
    );
    let texts = fields(&["score", "accepted", "views"]);
    assert_eq!(values(read(&input, &texts).unwrap(), 1), ["5", "0", ""]);
    let message = input.check(&fields(&["text"])).unwrap_err().to_string();
    assert!(
        message.contains("no column \"text\"; its columns are: id, score, views"),
        "{message}"
    );
}

#[test]
fn blocks_of_code_can_be_left_out() {
    let options = InputOptions::default().with(|options| options.code = CodeBlocks::Drop);
    let pass = read_posts(POSTS, &options);
    assert_eq!(pass.outcomes()[0].as_ref().unwrap().1[1], "Wie geht das?");
}

#[test]
fn each_malformed_row_has_its_reason_and_the_rest_is_read() {
    let long = format!(
        "<row Id=\"9\" PostTypeId=\"1\" Body=\"{}\" />",
        "长".repeat(500)
    );
    let cases: &[(&[u8], &str)] = &[
        (b"<row PostTypeId=\"1\" />", "the row has no Id"),
        (b"<row Id=\"\" PostTypeId=\"1\" />", "the row has no Id"),
        (b"<row Id=\"9\" />", "the row has no PostTypeId"),
        (
            b"<row Id=\"9\" PostTypeId=\"2\" />",
            "the row has no ParentId",
        ),
        (
            b"<row Id=\"x\" PostTypeId=\"1\" />",
            "Id \"x\" is not a number",
        ),
        (
            b"<row Id=\"-1\" PostTypeId=\"1\" />",
            "Id -1 is not between 0 and 4294967295",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Score=\"viel\" />",
            "Score \"viel\" is not a number",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Body=\"\xff\" />",
            "invalid UTF-8 (byte 34 of the record); convert the file to UTF-8 (`iconv -f WINDOWS-1252 -t UTF-8`, if it is from Windows)",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Body=\"a\0b\" />",
            "invalid XML: a NUL character",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Body=\"offen />",
            "invalid XML: a quote is not closed before the next < or the end",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Body=\"a <b> c\" />",
            "invalid XML: a quote is not closed before the next < or the end",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\"",
            "invalid XML: the element is not closed before the next < or the end",
        ),
        (
            b"<row Id=\"9\" PostTypeId=\"1\" Body=\"a\">b\" />",
            "invalid XML: text after the element; is a quote or > in a value not escaped?",
        ),
        (
            long.as_bytes(),
            "the record is larger than 1000 bytes, which is the limit; raise it with `max-record=`",
        ),
    ];
    for (row, reason) in cases {
        for block_bytes in [16, 100, 1 << 20] {
            let options = InputOptions::default().with(|options| {
                options.max_record = 1000;
                options.block_bytes = block_bytes;
            });
            let content = [
                b"<posts>\n",
                GOOD.as_bytes(),
                b"\n",
                row,
                b"\n",
                GOOD.as_bytes(),
                b"\n</posts>",
            ]
            .concat();
            let pass = read_posts(&content, &options);
            assert_eq!(pass.reasons(), [format!("3: {reason}")]);
            assert_eq!(pass.texts(), ["gut", "gut"]);
            assert!(
                matches!(&pass.outcomes()[1], Err(rejection) if rejection.source.ends_with("Posts.xml"))
            );
        }
    }
}

#[test]
fn a_question_whose_answer_is_malformed_has_none() {
    let answer = "<row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" Body=\"x\"y\" />";
    let pass = read_posts(dump(&[GOOD, answer]), &InputOptions::default());
    assert_eq!(pass.reasons().len(), 1);
    assert_eq!(pass.outcomes()[0].as_ref().unwrap().1, ["gut", "", ""]);
}

#[test]
fn a_damaged_archive_gives_what_came_before_and_one_rejection() {
    let rows: Vec<String> = (0..3000_u32)
        .map(|id| {
            let noise = id.wrapping_mul(2_654_435_761);
            format!("<row Id=\"{id}\" PostTypeId=\"1\" Title=\"{noise:x}\" Body=\"文{noise}\" />")
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let bytes = gzip(dump(&rows).as_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "Posts.xml.gz", &bytes[..bytes.len() / 2]);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let pass = read(&input, &fields(&["title"])).unwrap();
    let reasons = pass.reasons();
    assert_eq!(reasons.len(), 1);
    assert!(reasons[0].contains("cut short"), "{reasons:?}");
    assert!(
        (1000..2000).contains(&pass.texts().len()),
        "{}",
        pass.texts().len()
    );
    assert_repeatable(&input, &fields(&["title"]));
}

#[test]
fn files_without_posts_have_no_threads() {
    for content in [
        "<posts/>",
        "<posts></posts>",
        "<posts>\n<row Id=\"1\" PostTypeId=\"4\" />\n</posts>",
    ] {
        let pass = read_posts(content, &InputOptions::default());
        assert!(pass.outcomes().is_empty(), "{content}");
    }
}

#[test]
fn xml_of_another_kind_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let message = |content: &str| {
        let path = write(folder.path(), "a.xml", content);
        resolve(&path, &InputOptions::default())
            .unwrap_err()
            .to_string()
    };
    let users = message("<?xml version=\"1.0\"?><users><row Id=\"1\" /></users>");
    assert!(
        users.contains("a.xml: its root element is <users>"),
        "{users}"
    );
    assert!(users.contains("stackexchange (<posts>)"), "{users}");
    assert!(message("kein XML").contains("does not start with an element"));
}

#[test]
fn of_a_folder_with_a_dump_only_the_posts_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    write(&input, "dump/Posts.xml.gz", gzip(POSTS.as_bytes()));
    write(&input, "dump/Users.xml", "<users><row Id=\"1\" /></users>");
    write(
        &input,
        "dump/PostLinks.xml",
        "\u{feff}<?xml version=\"1.0\"?>\n<postlinks></postlinks>",
    );
    write(&input, "dump/notes.xml", "<notes>text</notes>");
    write(&input, "other/users.xml", "<users>text</users>");
    let input = resolve(&input, &InputOptions::default()).unwrap();
    let names: Vec<_> = input
        .sources
        .iter()
        .map(|source| {
            format!(
                "{} {}",
                source.format,
                source.name.rsplit('/').next().unwrap()
            )
        })
        .collect();
    // The last two are one source.
    assert_eq!(names, ["stackexchange Posts.xml.gz", "text notes.xml"]);
}

#[test]
fn a_dump_is_converted_once_and_anew_when_it_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "Posts.xml", POSTS);
    let spool = folder.path().join("spool");
    let threads = || {
        let mut files: Vec<_> = fs::read_dir(&spool)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_none_or(|kind| kind != "seal"))
            .collect();
        files.sort();
        files
    };
    resolve(&path, &InputOptions::default()).unwrap();
    let before = threads();
    assert_eq!(before.len(), 1);
    let changed = || fs::metadata(&before[0]).unwrap().modified().unwrap();
    let time = changed();
    // What a killed run left half done is in nobody's way.
    write(
        &spool,
        before[0].with_extension("partial").to_str().unwrap(),
        "x",
    );
    write(
        &spool,
        &format!("{}/0", before[0].with_extension("parts").display()),
        "x",
    );
    let code = InputOptions::default().with(|options| options.code = CodeBlocks::Drop);
    resolve(&path, &code).unwrap();
    assert_eq!(changed(), time);
    fs::remove_file(&before[0]).unwrap();
    resolve(&path, &InputOptions::default()).unwrap();
    assert_eq!(threads(), before);
    write(
        folder.path(),
        "Posts.xml",
        POSTS.replace("angenommen", "geändert"),
    );
    let input = resolve(&path, &InputOptions::default()).unwrap();
    assert_eq!(threads().len(), 2);
    let pass = read(&input, &fields(&["answer"])).unwrap();
    assert_eq!(pass.texts()[0], "geändert");
}

/// Writes the cleaned dump, keeping the slots whose number is wanted.
fn clean(path: &Path, destination: &Path, keep: impl Fn(u32) -> bool) -> Result<(), Error> {
    let options = InputOptions::default().with(|options| options.block_bytes = 64);
    let input = resolve(path, &options)?;
    let mut reader = Reader::new(&input, &Wanted::default());
    let replaceable = crate::support::earlier_result(destination);
    let mut writer = CleanWriter::new(&input, destination, &replaceable)?;
    let mut block = Block::default();
    let mut first = 0;
    while reader.next_block(&mut block)? {
        writer.write(&block, &mut |slot| keep(first + slot))?;
        first += block.decode(&mut |_| false, &mut |_, _| {})?;
    }
    writer.finish()
}

#[test]
fn the_cleaned_dump_is_the_dump_without_the_rows_of_removed_threads() {
    let folder = tempfile::tempdir().unwrap();
    for (ending, bytes) in compressed(POSTS.as_bytes()) {
        let input = write(folder.path(), &format!("in/Posts.xml{ending}"), &bytes);
        let output = folder.path().join("clean.xml");
        clean(&input, &output, |_| true).unwrap();
        assert_eq!(fs::read_to_string(&output).unwrap(), POSTS);

        // The first question and both its answers go, with their lines.
        clean(&input, &output, |slot| slot != 0).unwrap();
        let lines: Vec<&str> = POSTS.split_inclusive('\n').collect();
        let expected = [&lines[..2], &lines[4..6], &lines[9..]].concat().concat();
        assert_eq!(fs::read_to_string(&output).unwrap(), expected);

        clean(&input, &output, |_| false).unwrap();
        let expected = [&lines[..2], &lines[5..6], &lines[10..]].concat().concat();
        assert_eq!(fs::read_to_string(&output).unwrap(), expected);
    }
    let input = write(folder.path(), "in/Posts.xml", POSTS);
    let packed = folder.path().join("clean.xml.zst");
    clean(&input, &packed, |_| true).unwrap();
    assert!(fs::read(&packed).unwrap().starts_with(&[0x28, 0xb5]));
    let message = clean(&input, &folder.path().join("clean.jsonl"), |_| true).unwrap_err();
    assert!(
        message.to_string().contains("its name says jsonl"),
        "{message}"
    );
}

#[test]
fn answers_without_a_question_stay_and_malformed_rows_go_when_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let orphan = "<row Id=\"8\" PostTypeId=\"2\" ParentId=\"77\" Body=\"\" />";
    let bad = "<row Id=\"9\" PostTypeId=\"1\" Body=\"a\"b\" />";
    let input = write(folder.path(), "Posts.xml", dump(&[orphan, bad, GOOD]));
    let output = folder.path().join("clean.xml");
    clean(&input, &output, |slot| slot == 1).unwrap();
    assert_eq!(fs::read_to_string(&output).unwrap(), dump(&[orphan, GOOD]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_are_read_the_same_in_every_pass(
        pieces in prop::collection::vec("(<|>|/>|\"|=|\n| |row |<row Id=\"1\" PostTypeId=\"[12]\" |Body=\"[a-z]{0,9}\"|ParentId=\"1\"|一|<row |&lt;pre&gt;){0,8}", 0..20),
        block_bytes in 1_usize..200,
    ) {
        let options = InputOptions::default().with(|options| {
            options.block_bytes = block_bytes;
            options.max_record = 100;
        });
        read_posts(format!("<posts>{}", pieces.concat()), &options);
    }
}
