//! An index of the first format, as it was written then: it can always be read.

use std::fs;
use std::path::Path;

use lookalike_index::{CheckOptions, Document, FILE, Id, Index, OpenOptions, Reader, Text};

use crate::support::*;

const FERRY: &str = "The ferry leaves the old harbour at nine and comes back in the evening.";

fn kept() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1.redb")
}

/// Writes the file; run by hand when the format changes, under another name.
#[test]
#[ignore = "writes the file that the other test reads"]
fn write_an_index_of_this_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = create(&path, &minhash());
    let texts = corpus(10, 2, 20);
    let label = at(1_700_000_000).with(|options| {
        options.label = Some("letters".to_string());
        options.expires = Some(1_800_000_000);
    });
    add(&mut index, documents(&texts), &label);
    let ferry = Document::new("ferry".into(), Text::whole(FERRY));
    add(&mut index, vec![ferry], &at(1_700_000_001));
    index.remove([&Id::from(4)]).unwrap();
    index.compact(None).unwrap();
    index.remove([&Id::from(5)]).unwrap();
    drop(index);
    fs::copy(path.join(FILE), kept()).unwrap();
}

#[test]
fn an_index_of_the_first_format_is_read_and_written_to() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(kept(), folder.path().join(FILE)).unwrap();
    let view = Reader::open(folder.path(), &OpenOptions::default())
        .unwrap()
        .view()
        .unwrap();
    assert_eq!(view.len(), 29);
    let found = matches(&view, FERRY, &CheckOptions::default());
    assert_eq!(
        (found[0].similarity, found[0].added),
        (Some(1.0), 1_700_000_001)
    );
    let texts = corpus(10, 2, 20);
    let found = matches(&view, &texts[0], &CheckOptions::default());
    assert_eq!(found[0].id, Id::from(0));
    assert_eq!(found[0].label.as_deref(), Some("letters"));
    assert_eq!(found[0].expires, Some(1_800_000_000));
    let stats = view.stats(None).unwrap();
    assert_eq!(
        stats.fingerprint, "470589ff34336f46384a39d7d3666ef8",
        "settings and hashes are what they were"
    );
    drop(view);
    let mut index = Index::open(folder.path(), &OpenOptions::default()).unwrap();
    add(&mut index, documents(&texts[..6]), &at(1_700_000_002));
    assert_eq!(index.view().len(), 31);
}
