//! What names resolve to.

use std::fs;

use super::*;

fn resolve(folder: &Path, names: &[&str], piped: &[u8]) -> Result<Input, Error> {
    resolve_with(folder, names, piped, &InputOptions::default())
}

fn resolve_with(
    folder: &Path,
    names: &[&str],
    piped: &[u8],
    options: &InputOptions,
) -> Result<Input, Error> {
    let below = |name: &&str| {
        if *name == "-" {
            "-".to_owned()
        } else {
            folder.join(name).display().to_string()
        }
    };
    let names: Vec<String> = names.iter().map(below).collect();
    Input::resolve_from(&names, options, &folder.join("spool"), &mut &piped[..])
}

fn folder(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, file).unwrap();
    }
    folder
}

/// Formats and paths, the files of a source in brackets.
fn listed(folder: &Path, input: &Input) -> Vec<String> {
    let relative = |file: &SourceFile| {
        file.path
            .strip_prefix(folder)
            .unwrap()
            .display()
            .to_string()
    };
    let files = |source: &Source| {
        source
            .files
            .iter()
            .map(relative)
            .collect::<Vec<_>>()
            .join(" ")
    };
    input
        .sources
        .iter()
        .map(|source| format!("{} [{}]", source.format, files(source)))
        .collect()
}

#[test]
fn folders_are_walked_in_order_of_path_and_hidden_files_are_left_out() {
    let folder = folder(&[
        "b.csv",
        "a/二.txt",
        "a/x.unknown",
        "a/.hidden",
        ".git/x.txt",
        "a/b.jsonl.gz",
        "a/z.MD",
        "c.pq",
    ]);
    let input = resolve(folder.path(), &["."], b"").unwrap();
    let expected = [
        "jsonl [a/b.jsonl.gz]",
        "text [a/x.unknown a/z.MD a/二.txt]",
        "csv [b.csv]",
        "unreadable [c.pq]",
    ];
    assert_eq!(listed(folder.path(), &input), expected);
    assert!(!input.single);
    assert_eq!(
        input.relative(&folder.path().join("./a/z.MD")),
        Path::new("a/z.MD")
    );
}

#[test]
fn patterns_are_expanded_in_order_and_files_named_twice_are_read_once() {
    let folder = folder(&["b.jsonl", "a.jsonl", "c[1].jsonl"]);
    let input = resolve(folder.path(), &["b.jsonl", "*.jsonl"], b"").unwrap();
    assert_eq!(
        listed(folder.path(), &input),
        ["jsonl [b.jsonl]", "jsonl [a.jsonl]", "jsonl [c[1].jsonl]"]
    );
    let bracket = resolve(folder.path(), &["c[1].jsonl"], b"").unwrap();
    assert!(bracket.single);
}

#[test]
fn standard_input_is_copied_and_known_by_its_content() {
    let folder = folder(&["a.jsonl"]);
    let input = resolve(
        folder.path(),
        &["a.jsonl", "-"],
        "{\"text\": \"é\"}".as_bytes(),
    )
    .unwrap();
    assert_eq!(
        listed(folder.path(), &input),
        ["jsonl [a.jsonl]", "jsonl [spool/stdin]"]
    );
    assert_eq!(input.sources[1].name, "stdin");
    assert_eq!(
        fs::read_to_string(folder.path().join("spool/stdin")).unwrap(),
        "{\"text\": \"é\"}"
    );

    let print = |piped: &[u8]| resolve(folder.path(), &["-"], piped).unwrap().fingerprint();
    assert_eq!(print(b"a"), print(b"a"));
    assert_ne!(print(b"a"), print(b"b"));
    let table = resolve(folder.path(), &["-"], b"PAR1....").unwrap();
    assert_eq!(table.sources[0].format.name(), "parquet");
    let warc = b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    let compressed = zstd::encode_all(&warc[..], 3).unwrap();
    for piped in [&warc[..], &compressed] {
        let input = resolve(folder.path(), &["-"], piped).unwrap();
        assert_eq!(input.sources[0].format.name(), "warc");
    }
    let page = resolve(folder.path(), &["-"], b"<!DOCTYPE html>\n<HTML>").unwrap();
    assert_eq!(page.sources[0].format.name(), "html");
}

#[test]
fn a_dump_can_be_piped_in_and_other_xml_is_refused() {
    let folder = folder(&[]);
    let posts = b"<?xml version=\"1.0\"?>\n<posts>\n<row Id=\"1\" PostTypeId=\"1\" />\n</posts>";
    let input = resolve(folder.path(), &["-"], posts).unwrap();
    assert_eq!(
        listed(folder.path(), &input),
        ["stackexchange [spool/stdin]"]
    );
    let threads = fs::read_to_string(&input.sources[0].prepared.as_ref().unwrap().path).unwrap();
    assert_eq!(threads, "3\t1\t\t\t\t\t\t\t0\t0\t\n");
    let message = resolve(folder.path(), &["-"], b"<feed/>")
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("stdin: its root element is <feed>"),
        "{message}"
    );
}

#[test]
fn standard_input_is_not_read_when_another_file_is_missing() {
    let folder = folder(&[]);
    assert!(resolve(folder.path(), &["-", "missing.jsonl"], b"x").is_err());
    assert!(!folder.path().join("spool").exists());
}

#[test]
fn the_fingerprint_changes_with_names_and_content() {
    let folder = folder(&["a.jsonl", "b.jsonl"]);
    let print = |names: &[&str]| resolve(folder.path(), names, b"").unwrap().fingerprint();
    let before = print(&["a.jsonl"]);
    assert_eq!(before, print(&["a.jsonl"]));
    assert_ne!(before, print(&["b.jsonl"]));
    assert_ne!(before, print(&["a.jsonl", "b.jsonl"]));
    fs::write(folder.path().join("a.jsonl"), "more than before").unwrap();
    assert_ne!(before, print(&["a.jsonl"]));
}

#[test]
fn text_is_read_as_lines_where_that_is_asked_for() {
    let folder = folder(&["a.txt", "b.md.gz", "c.lines", "d.csv", "e.unknown", "f/g"]);
    fs::write(folder.path().join("h.log"), "\u{feff} {\"text\": \"x\"}").unwrap();
    fs::write(folder.path().join("i"), "<!DOCTYPE html><html>").unwrap();
    fs::write(folder.path().join("j.xml"), "<feed/>").unwrap();
    let lines = InputOptions {
        text_is_lines: true,
        ..InputOptions::default()
    };
    let input = resolve_with(folder.path(), &["."], b"", &lines).unwrap();
    let expected = [
        "lines [a.txt]",
        "lines [b.md.gz]",
        "lines [c.lines]",
        "csv [d.csv]",
        "lines [e.unknown]",
        "lines [f/g]",
        "jsonl [h.log]",
        "html [i]",
        "lines [j.xml]",
    ];
    assert_eq!(listed(folder.path(), &input), expected);
    let named = ["a.txt", "e.unknown", "h.log", "i"];
    let input = resolve_with(folder.path(), &named, b"", &lines).unwrap();
    let formats: Vec<&str> = input
        .sources
        .iter()
        .map(|source| source.format.name())
        .collect();
    assert_eq!(formats, ["lines", "lines", "jsonl", "html"]);
    assert!(resolve_with(folder.path(), &["j.xml"], b"", &lines).is_err());
    assert!(resolve(folder.path(), &["e.unknown"], b"").is_err());
    let input = resolve(folder.path(), &["a.txt", "c.lines"], b"").unwrap();
    assert_eq!(
        listed(folder.path(), &input),
        ["text [a.txt]", "lines [c.lines]"]
    );

    let text = InputOptions {
        format: Some("text".parse().unwrap()),
        ..lines
    };
    let input = resolve_with(folder.path(), &["a.txt"], b"", &text).unwrap();
    assert_eq!(listed(folder.path(), &input), ["text [a.txt]"]);
}

#[test]
fn piped_messages_are_lines_unless_they_are_something_else() {
    let folder = folder(&[]);
    let lines = InputOptions {
        text_is_lines: true,
        ..InputOptions::default()
    };
    let cases: [(&[u8], &str); 12] = [
        (b"", "lines"),
        ("你好\n".as_bytes(), "lines"),
        (b"<alice> hello", "lines"),
        (b"<3 you", "lines"),
        (b"[12:30] hello", "lines"),
        (b"{nothing} of this is JSON", "lines"),
        (b"\n{ \"text\": 1}", "jsonl"),
        (b"{}\n", "jsonl"),
        // Whose rejection says what to do about it.
        (b"[\n  {\n    \"text\": 1", "jsonl"),
        (b"PAR1....", "parquet"),
        (b"WARC/1.0\r\n", "warc"),
        (b"<?xml version=\"1.0\"?><posts></posts>", "stackexchange"),
    ];
    for (piped, format) in cases {
        let input = resolve_with(folder.path(), &["-"], piped, &lines).unwrap();
        assert_eq!(input.sources[0].format.name(), format);
    }
}
