//! Mail: files, mailboxes in all their variants, and Maildirs.

use std::fs;
use std::path::Path;

use crate::support::*;
use lookalike_io::{Block, CleanWriter, Field, Input, InputOptions, Reader, Wanted};

const ENVELOPE: &str = "From anna@example.org Sat Jan  3 01:05:34 1998\n";

fn fields() -> Wanted {
    let optional = ["subject", "body", "from", "to", "date", "message-id", "id"];
    let optional = optional.map(Field::optional);
    Wanted::new([Field::text("text")].into_iter().chain(optional))
}

fn mail(subject: &str, body: &str) -> String {
    format!(
        "Message-ID: <{subject}@example.org>\nFrom: Anna Bär <anna@example.org>\nTo: b@example.org, c@example.org\n\
         Date: Sat, 3 Jan 1998 01:05:34 +0100\nSubject: {subject}\n\n{body}\n"
    )
}

fn mailbox(mails: &[String]) -> String {
    mails
        .iter()
        .map(|mail| format!("{ENVELOPE}{mail}\n"))
        .collect()
}

fn texts(name: &str, content: &str) -> Vec<String> {
    let pass = read_content(name, content.as_bytes(), &InputOptions::default()).unwrap();
    assert_eq!(pass.reasons(), Vec::<String>::new());
    pass.texts()
}

#[test]
fn a_mail_has_its_subject_its_body_and_both_as_its_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        "a.eml",
        mail("Hello", "你好, world").as_bytes(),
    );
    let input = resolve(&path, &InputOptions::default()).unwrap();
    assert_repeatable(&input, &fields());
    let outcome = read(&input, &fields())
        .unwrap()
        .outcomes()
        .remove(0)
        .unwrap();
    let wanted = [
        "Hello\n你好, world",
        "Hello",
        "你好, world",
        "Anna Bär <anna@example.org>",
        "b@example.org, c@example.org",
        "1998-01-03T01:05:34+01:00",
        "Hello@example.org",
        "missing",
    ];
    assert_eq!(outcome.1, wanted);
}

#[test]
fn quoted_envelopes_in_a_mailbox_are_lines_of_the_mail() {
    let quoted = mail(
        "quoted",
        ">From here on\n\n>>From anna Sat Jan 3 01:05:34 1998\n\nFrom now on, at 10:30",
    );
    let found = texts("a.mbox", &mailbox(&[quoted, mail("two", "二")]));
    assert_eq!(
        found,
        [
            "quoted\nFrom here on\n\n>From anna Sat Jan 3 01:05:34 1998\n\nFrom now on, at 10:30",
            "two\n二"
        ]
    );
}

#[test]
fn a_stated_length_is_believed_where_a_mail_ends_there() {
    let body = format!("one\n\n{ENVELOPE}still the first\n");
    let with_length = |length: usize| {
        let first = format!("Subject: a\nContent-Length: {length}\n\n{body}");
        texts("a.mbox", &mailbox(&[first, mail("b", "text")]))
    };
    let right = with_length(body.len());
    assert_eq!(right.len(), 2, "{right:?}");
    assert!(right[0].ends_with("still the first"));
    for wrong in [3, body.len() + 7, 1_000_000] {
        let found = with_length(wrong);
        assert_eq!(found[0], "a\none");
        assert_eq!(found.last().unwrap(), "b\ntext");
        assert_eq!(found.len(), 3);
    }
}

#[test]
fn a_mailbox_is_the_same_in_blocks_of_any_size() {
    let mails: Vec<String> = (0..9)
        .map(|number| {
            mail(
                &format!("mail {number}"),
                &"some words of text\n".repeat(number * 3),
            )
        })
        .collect();
    let content = mailbox(&mails).replace('\n', "\r\n");
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.mbox", content.as_bytes());
    let whole = read_file(&path, &InputOptions::default())
        .unwrap()
        .outcomes();
    assert_eq!(whole.len(), 9);
    for size in [1, 7, 50, 333, 1000] {
        let options = InputOptions::default().with(|options| options.block_bytes = size);
        let input = resolve(&path, &options).unwrap();
        assert_repeatable(&input, &wanted());
        assert_eq!(read(&input, &wanted()).unwrap().outcomes(), whole, "{size}");
        let small = options.with(|options| options.max_record = 400);
        let pass = read_file(&path, &small).unwrap();
        assert_eq!(pass.texts().len() + pass.reasons().len(), 9, "{size}");
        assert!(pass.texts().len() > 2 && pass.reasons().len() > 2);
    }
}

#[test]
fn a_cleaned_mailbox_has_the_other_mails_as_they_were() {
    let content = mailbox(&["a", "b", "c"].map(|name| mail(name, ">From text")));
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.mbox", content.as_bytes());
    let clean = folder.path().join("clean.mbox");
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let replaceable = earlier_result(&clean);
    let mut writer = CleanWriter::new(&input, &clean, &replaceable).unwrap();
    let none = Wanted::default();
    let (mut reader, mut block) = (Reader::new(&input, &none), Block::default());
    while reader.next_block(&mut block).unwrap() {
        writer.write(&block, &mut |slot| slot != 1).unwrap();
    }
    writer.finish().unwrap();
    let wanted = mailbox(&["a", "c"].map(|name| mail(name, ">From text")));
    assert_eq!(fs::read_to_string(clean).unwrap(), wanted);
}

#[test]
fn a_maildir_has_its_mails_and_those_of_its_folders() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("Mail");
    for maildir in [root.clone(), root.join(".Sent")] {
        for part in ["cur", "new", "tmp"] {
            fs::create_dir_all(maildir.join(part)).unwrap();
        }
    }
    let put = |path: &str, text: &str| fs::write(root.join(path), text).unwrap();
    put("cur/17.M1P2.host:2,S", &mail("read", "text"));
    put("new/18.M1P2.host.txt", &mail("unread", "text"));
    put("tmp/19.M1P2.host", &mail("unfinished", "te"));
    put(".Sent/cur/20.M1P2.host:2,S", &mail("sent", "text"));
    put("dovecot-uidlist", "3 V1\n");
    put(".hidden", "no");
    let input = resolve(&root, &InputOptions::default()).unwrap();
    let mut texts = read(&input, &wanted()).unwrap().texts();
    texts.sort();
    assert_eq!(texts, ["read\ntext", "sent\ntext", "unread\ntext"]);
}

#[test]
fn mail_without_a_name_is_known_by_its_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| write(folder.path(), name, text.as_bytes());
    let one = put("00001.7c53", &mail("one", "a"));
    let inbox = put("Inbox", &mailbox(&[mail("two", "b"), mail("three", "c")]));
    put("notes", "From now on no mail.");
    let read_all = |path: &Path| {
        let input = resolve(path, &InputOptions::default()).unwrap();
        read(&input, &wanted()).unwrap().texts()
    };
    assert_eq!(read_all(&one), ["one\na"]);
    assert_eq!(read_all(&inbox), ["two\nb", "three\nc"]);
    let all = ["one\na", "two\nb", "three\nc", "From now on no mail."];
    assert_eq!(read_all(folder.path()), all);
    let lines = InputOptions::default().with(|options| options.text_is_lines = true);
    let input: Input = resolve(&inbox, &lines).unwrap();
    assert_eq!(read(&input, &wanted()).unwrap().texts().len(), 2);
}

#[test]
fn what_is_no_mail_is_rejected_and_a_missing_field_is_named() {
    let pass = read_content("a.eml", b"%PDF-1.4", &InputOptions::default()).unwrap();
    assert_eq!(pass.reasons(), ["-: this is a PDF file, not a mail"]);
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a.eml", b"Subject: x\n\ny");
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let from = Wanted::new([Field::text("from")]);
    let reasons = read(&input, &from).unwrap().reasons();
    let wanted = "-: field \"from\" is missing; the record has: subject, body, text";
    assert_eq!(reasons, [wanted]);
}
