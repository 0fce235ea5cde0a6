//! A damaged file is told as such: no panic, and no answer that is wrong.

use std::fs;

use lookalike_index::{CheckOptions, Error, Id, Index, OpenOptions, Reader, Text};

use crate::support::*;

/// What an index answers, or that it is damaged.
fn answers(folder: &std::path::Path, texts: &[String]) -> Result<Vec<Vec<Id>>, Error> {
    let reader = Reader::open(folder, &OpenOptions::default())?;
    let view = reader.view()?;
    let mut checker = view.checker()?;
    let answer = |text: &String| {
        let found = checker.check(&view, &Text::whole(text.clone()), &CheckOptions::all())?;
        Ok(found.matches.into_iter().map(|found| found.id).collect())
    };
    texts.iter().map(answer).collect()
}

#[test]
fn flipped_bytes_and_cut_files_are_errors_and_never_wrong_answers() {
    // What the storage panics with is caught.
    std::panic::set_hook(Box::new(|_| {}));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let texts = corpus(12, 2, 20);
    let mut index = create(&path, &minhash());
    add(
        &mut index,
        documents(&texts),
        &at(1).with(|options| options.commit_every = 9),
    );
    index.remove([&Id::from(3)]).unwrap();
    drop(index);
    let file = path.join(lookalike_index::FILE);
    let whole = fs::read(&file).unwrap();
    let right = answers(&path, &texts).unwrap();
    assert!(right.iter().all(|found| !found.is_empty()));
    let mut numbers = Numbers(7);
    let (mut errors, mut harmless) = (0, 0);
    let mut try_with = |bytes: &[u8], what: &str| {
        fs::write(&file, bytes).unwrap();
        match answers(&path, &texts) {
            Ok(found) => {
                assert_eq!(found, right, "{what}");
                harmless += 1;
            }
            Err(error) => {
                let is_told = matches!(
                    error,
                    Error::Damaged { .. } | Error::Storage { .. } | Error::Version { .. }
                );
                assert!(is_told, "{what}: {error}");
                errors += 1;
            }
        }
    };
    for _ in 0..400 {
        let mut bytes = whole.clone();
        let place = numbers.below(bytes.len());
        bytes[place] ^= 1 << numbers.below(8);
        try_with(&bytes, &format!("byte {place}"));
    }
    for _ in 0..60 {
        // A page of other bytes.
        let mut bytes = whole.clone();
        let place = numbers.below(bytes.len() / 512) * 512;
        bytes[place..place + 512].fill(numbers.below(256) as u8);
        try_with(&bytes, &format!("bytes {place} to {}", place + 512));
    }
    for _ in 0..40 {
        let length = numbers.below(whole.len());
        try_with(&whole[..length], &format!("cut to {length}"));
    }
    let _ = std::panic::take_hook();
    // Most of a new file is empty pages.
    assert!(errors > 60, "{errors} errors, {harmless} harmless");
    fs::write(&file, &whole).unwrap();
    assert!(Index::open(&path, &OpenOptions::default()).is_ok());
}
