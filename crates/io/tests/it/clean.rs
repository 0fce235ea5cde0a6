//! The cleaned corpus is the input without what was removed, and appears whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Error, Input, InputOptions, Reader, Wanted};

/// Writes the cleaned corpus, keeping the slots whose number in the whole input is wanted.
fn clean(arguments: &[&Path], destination: &Path, keep: impl Fn(u32) -> bool) -> Result<(), Error> {
    let names: Vec<String> = arguments
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let options = InputOptions::default().with(|options| options.block_bytes = 64);
    let input = Input::resolve(&names, &options, Path::new("/nonexistent"))?;
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

/// All files below a folder, with their content; hidden ones too.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            files.extend(
                tree(&path)
                    .into_iter()
                    .map(|(below, content)| (format!("{name}/{below}"), content)),
            );
        } else {
            files.insert(name, fs::read(&path).unwrap());
        }
    }
    files
}

const LINES: &str = "{\"id\":1,  \"text\": \"\\u4e00\", \"x\": [1.0]}\n\n{\"id\":2}\r\nnot JSON\n{\"id\":3, \"text\": \"二\"}";

#[test]
fn lines_are_kept_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(folder.path(), "in.jsonl", LINES);
    let output = folder.path().join("out.jsonl");
    clean(&[&input], &output, |slot| slot != 2).unwrap();
    let expected = LINES.replace("not JSON\n", "");
    assert_eq!(fs::read_to_string(output).unwrap(), expected);
    // Nothing else is left behind but the journal, which goes with the run.
    let names: Vec<String> = tree(folder.path()).into_keys().collect();
    assert_eq!(names, ["in.jsonl", "out.jsonl", "out/replaceable.json"]);
}

#[test]
fn rows_are_kept_with_their_header() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(
        folder.path(),
        "in.csv",
        "\u{feff}id,\"text\"\r\n1,\"a\n\"\"b\"\r\n\r\n2,c\r\n3,d",
    );
    let output = folder.path().join("out.csv");
    clean(&[&input], &output, |slot| slot != 1).unwrap();
    assert_eq!(
        fs::read_to_string(output).unwrap(),
        "\u{feff}id,\"text\"\r\n1,\"a\n\"\"b\"\r\n\r\n3,d"
    );
}

#[test]
fn a_file_of_which_nothing_is_removed_is_copied_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let lines = format!("\u{feff}\r\n{LINES}\n \n\n");
    for (name, content) in [
        ("in.jsonl", lines.as_str()),
        ("in.lines", &lines),
        ("in.txt", &lines),
        ("in.csv", "\u{feff}id,text\n\n1,\"a\n\"\r\n\r\n  \n2,b"),
        ("in.tsv", "id\ttext"),
        ("mark.jsonl", "\u{feff}"),
        ("blank.jsonl", "\n\n"),
        ("told.csv", "\u{feff}sep=;\r\nid;text\r\n1;a,b\r\n2;b\r\n"),
        ("empty.csv", ""),
    ] {
        let input = write(folder.path(), name, content);
        let output = folder.path().join(format!("out.{name}"));
        clean(&[&input], &output, |_| true).unwrap();
        assert_eq!(fs::read_to_string(&output).unwrap(), content, "{name}");
    }
}

#[test]
fn the_output_is_compressed_as_its_name_says() {
    let folder = tempfile::tempdir().unwrap();
    for ending in ["", ".gz", ".zst", ".bz2", ".lz4"] {
        let input = write(folder.path(), "in.jsonl.gz", gzip(LINES.as_bytes()));
        let output = folder.path().join(format!("out.jsonl{ending}"));
        clean(&[&input], &output, |_| true).unwrap();
        assert_eq!(
            fs::read(&output).unwrap().starts_with(b"{"),
            ending.is_empty()
        );
        let pass = read_file(&output, &InputOptions::default()).unwrap();
        assert_eq!(pass.texts(), ["一", "二"]);
    }
}

#[test]
fn a_folder_becomes_a_folder_of_the_same_names() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    write(&input, "a.jsonl", "{\"id\":1}\n{\"id\":2}\n");
    write(&input, "b/c.txt", "c");
    write(&input, "b/d.txt", "d");
    write(&input, "b/empty.csv", "");
    let output = folder.path().join("out");
    for _ in 0..2 {
        // The second time it replaces its own work.
        clean(&[&input], &output, |slot| slot != 0 && slot != 3).unwrap();
        let mut files = tree(&output);
        files.remove(".lookalike-cleaned").unwrap();
        let expected = [
            ("a.jsonl", "{\"id\":2}\n"),
            ("b/c.txt", "c"),
            ("b/empty.csv", ""),
        ];
        assert_eq!(
            files,
            expected
                .map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()))
                .into()
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}

#[test]
fn several_files_become_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = write(folder.path(), "x/in.jsonl", "{\"id\":1}\n");
    let second = write(folder.path(), "y/in.jsonl", "{\"id\":2}\n");
    let output = folder.path().join("out");
    clean(&[&first, &second, &first], &output, |_| true).unwrap();
    let files = tree(&output);
    assert_eq!(files["x/in.jsonl"], b"{\"id\":1}\n");
    assert_eq!(files["y/in.jsonl"], b"{\"id\":2}\n");
}

#[test]
fn what_is_not_finished_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(folder.path(), "in/in.jsonl", LINES);
    for (argument, output) in [
        (input.as_path(), "out.jsonl"),
        (input.parent().unwrap(), "out"),
    ] {
        let output = folder.path().join(output);
        let options = InputOptions::default();
        let resolved = resolve(argument, &options).unwrap();
        let mut reader = Reader::new(&resolved, &Wanted::default());
        let replaceable = crate::support::earlier_result(&output);
        let mut writer = CleanWriter::new(&resolved, &output, &replaceable).unwrap();
        let mut block = Block::default();
        assert!(reader.next_block(&mut block).unwrap());
        writer.write(&block, &mut |_| true).unwrap();
        assert!(!output.exists());
        drop(writer);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

#[test]
fn places_that_would_lose_something_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = write(folder.path(), "in/in.jsonl", LINES);
    let parent = input.parent().unwrap();
    let other = write(folder.path(), "other/notes.txt", "keep me");
    let refused = |arguments: &[&Path], output: &Path, hint: &str| {
        let message = clean(arguments, output, |_| true).unwrap_err().to_string();
        assert!(message.contains(hint), "{message}");
    };
    refused(&[&input], &input, "it is also an input");
    refused(&[parent], folder.path(), "which is an input");
    refused(&[parent], other.parent().unwrap(), "holds notes.txt");
    refused(&[parent], &other, "name a new folder");
    refused(&[&input], other.parent().unwrap(), "name a file");
    refused(
        &[&input],
        &folder.path().join("out.csv"),
        "its name says csv, but the input is jsonl",
    );
    assert_eq!(fs::read_to_string(other).unwrap(), "keep me");
    assert_eq!(fs::read_to_string(input).unwrap(), LINES);
}
