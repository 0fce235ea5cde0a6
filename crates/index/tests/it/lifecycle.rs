//! Texts come, are replaced, expire and go.

use lookalike_index::kernel::SeedSpec;
use lookalike_index::{
    CheckOptions, CreateOptions, Document, Error, Id, Index, OpenOptions, Reader, Text,
};

use crate::support::*;

const FERRY: &str = "The ferry leaves the old harbour at nine and comes back in the evening.";
const BAKER: &str = "The baker of the upper village sells rye bread on Tuesdays and Fridays only.";

fn document(id: &str, text: &str) -> Document {
    Document::new(id.into(), Text::whole(text))
}

#[test]
fn a_known_id_is_replaced_also_within_one_call() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = create(&folder.path().join("index"), &minhash());
    let first = vec![
        document("a", BAKER),
        document("b", BAKER),
        document("a", FERRY),
    ];
    let added = add(&mut index, first, &at(1));
    assert_eq!((added.added, added.replaced), (3, 1));
    assert_eq!(ids(index.view(), BAKER), ["\"b\""]);
    assert_eq!(ids(index.view(), FERRY), ["\"a\""]);
    let added = add(&mut index, vec![document("b", FERRY)], &at(2));
    assert_eq!((added.added, added.replaced), (1, 1));
    assert_eq!(ids(index.view(), BAKER), Vec::<String>::new());
    assert_eq!(ids(index.view(), FERRY), ["\"a\"", "\"b\""]);
    assert_eq!(index.view().len(), 2);
    // A number is not the string of its digits.
    let number = Document {
        id: Id::from(7),
        ..document("7", BAKER)
    };
    add(&mut index, vec![number, document("7", BAKER)], &at(3));
    assert_eq!(ids(index.view(), BAKER), ["\"7\"", "7"]);
}

#[test]
fn many_small_commits_become_few_segments_and_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = create(&folder.path().join("index"), &minhash());
    let texts = corpus(40, 1, 30);
    for (number, text) in texts.iter().enumerate() {
        let document = Document::new(Id::from(number as u64), Text::whole(text.clone()));
        add(&mut index, vec![document], &at(number as u64));
    }
    let stats = index.view().stats(None).unwrap();
    assert_eq!(stats.documents, 80);
    assert!(stats.segments < 16, "{}", stats.segments);
    for (number, text) in texts.iter().enumerate() {
        let found = matches(index.view(), text, &CheckOptions::default());
        // The original and its copy, the earlier one first.
        let wanted = [number / 2 * 2, number / 2 * 2 + 1].map(|id| Id::from(id as u64));
        assert_eq!([found[0].id.clone(), found[1].id.clone()], wanted);
        assert_eq!(found[1].added, number as u64 / 2 * 2 + 1);
    }
}

#[test]
fn texts_go_by_id_by_label_and_by_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = create(&path, &minhash());
    let label = |label: &str| {
        let label = Some(label.to_string());
        at(100).with(|options| options.label = label)
    };
    add(
        &mut index,
        vec![document("a", FERRY), document("b", BAKER)],
        &label("spam"),
    );
    add(&mut index, vec![document("c", FERRY)], &label("ham"));
    let soon = at(100).with(|options| options.expires = Some(200));
    add(&mut index, vec![document("d", FERRY)], &soon);
    assert_eq!(ids(index.view(), FERRY), ["\"a\"", "\"c\"", "\"d\""]);
    let later = CheckOptions::all().with(|options| options.now = Some(200));
    assert_eq!(matches(index.view(), FERRY, &later).len(), 2);
    let only = CheckOptions::all().with_label(index.view(), "ham");
    assert_eq!(matches(index.view(), FERRY, &only)[0].id, Id::from("c"));
    let unknown = CheckOptions::all().with_label(index.view(), "eggs");
    assert!(matches(index.view(), FERRY, &unknown).is_empty());
    assert_eq!(
        index.remove([&Id::from("c"), &Id::from("nobody")]).unwrap(),
        1
    );
    assert_eq!(index.remove_label("spam").unwrap(), 2);
    assert_eq!(index.remove_label("spam").unwrap(), 0);
    assert_eq!(ids(index.view(), FERRY), ["\"d\""]);
    let compacted = index.compact(Some(150)).unwrap();
    assert_eq!((compacted.removed, compacted.expired), (3, 0));
    let compacted = index.compact(Some(200)).unwrap();
    assert_eq!((compacted.removed, compacted.expired), (0, 1));
    assert!(index.view().is_empty());
    add(&mut index, vec![document("e", FERRY)], &at(300));
    drop(index);
    let index = Index::open(&path, &OpenOptions::default()).unwrap();
    assert_eq!(ids(index.view(), FERRY), ["\"e\""]);
}

#[test]
fn indexes_with_the_same_settings_are_merged_with_labels_and_times() {
    let folder = tempfile::tempdir().unwrap();
    let [mut one, mut two] =
        ["one", "two"].map(|name| create(&folder.path().join(name), &minhash()));
    let spam = at(5).with(|options| options.label = Some("spam".to_string()));
    add(&mut one, vec![document("a", FERRY)], &at(1));
    add(
        &mut two,
        vec![document("a", BAKER), document("b", BAKER)],
        &spam,
    );
    let added = one.merge(two.view()).unwrap();
    assert_eq!((added.added, added.replaced), (2, 1));
    let found = matches(one.view(), BAKER, &CheckOptions::all());
    assert_eq!(found.len(), 2);
    assert_eq!(
        (found[0].added, found[0].label.as_deref()),
        (5, Some("spam"))
    );
    assert!(ids(one.view(), FERRY).is_empty());
    let mut other = minhash();
    other.threshold = Some(0.7);
    let other = create(&folder.path().join("three"), &other);
    let error = one.merge(other.view()).unwrap_err();
    assert!(matches!(error, Error::Different { .. }), "{error}");
}

#[test]
fn a_short_text_is_not_listed_and_says_what_it_matches_by() {
    let folder = tempfile::tempdir().unwrap();
    let options = CreateOptions::default().with(|options| options.least_characters = 10);
    let path = folder.path().join("index");
    let mut index = Index::create(&path, &minhash(), &options).unwrap();
    let added = add(
        &mut index,
        vec![document("t", "test"), document("f", FERRY)],
        &at(1),
    );
    assert_eq!((added.added, added.too_short), (1, 1));
    assert!(ids(index.view(), "test").is_empty());
    let explain = CheckOptions::default().with(|options| options.explain = true);
    let found = matches(index.view(), FERRY, &explain);
    let explanation = found[0].explanation.as_ref().unwrap();
    assert_eq!(explanation.common, explanation.stored);
    assert_eq!(explanation.queried, explanation.stored);
    assert_eq!(explanation.stored_text, FERRY);
}

#[test]
fn a_bounded_lookup_says_that_it_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = create(&folder.path().join("index"), &minhash());
    let copies = (0..20)
        .map(|number| document(&number.to_string(), FERRY))
        .collect();
    add(&mut index, copies, &at(1));
    let mut checker = index.view().checker().unwrap();
    let text = Text::whole(FERRY);
    let few = CheckOptions::default().with(|options| options.candidates = Some(5));
    let found = checker.check(index.view(), &text, &few).unwrap();
    assert!(found.cut && found.matches.len() == 5);
    let found = checker
        .check(index.view(), &text, &CheckOptions::default())
        .unwrap();
    assert!(found.cut && found.matches.len() == 10);
    let found = checker
        .check(index.view(), &text, &CheckOptions::all())
        .unwrap();
    assert!(!found.cut && found.matches.len() == 20);
}

#[test]
fn readers_see_commits_and_a_second_writer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut index = create(&path, &minhash());
    let reader = Reader::open(&path, &OpenOptions::default()).unwrap();
    let before = reader.view().unwrap();
    add(&mut index, vec![document("a", FERRY)], &at(1));
    assert!(ids(&before, FERRY).is_empty(), "a view does not change");
    let view = reader.view().unwrap();
    assert_eq!(ids(&view, FERRY), ["\"a\""]);
    let error = Index::open(&path, &OpenOptions::default()).err().unwrap();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    index.remove([&Id::from("a")]).unwrap();
    index.compact(None).unwrap();
    assert_eq!(
        ids(&view, FERRY),
        ["\"a\""],
        "nor is what it sees taken away"
    );
    assert!(ids(&reader.view().unwrap(), FERRY).is_empty());
}

#[test]
fn what_is_no_index_is_told_and_what_is_there_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let error = Index::create(folder.path(), &minhash(), &CreateOptions::default());
    assert!(matches!(error.err().unwrap(), Error::Occupied { .. }));
    let error = Reader::open(folder.path(), &OpenOptions::default());
    assert!(matches!(error.err().unwrap(), Error::NoIndex { .. }));
}

#[test]
fn a_secret_seed_is_not_in_the_index_and_must_be_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let mut spec = minhash();
    spec.seed = SeedSpec::secret("over the hills");
    let mut index = create(&path, &spec);
    add(&mut index, vec![document("a", FERRY)], &at(1));
    assert!(index.view().settings().contains("seed = \"secret\""));
    drop(index);
    let open = |seed: Option<SeedSpec>| {
        Reader::open(
            &path,
            &OpenOptions::default().with(|options| options.seed = seed),
        )
    };
    for wrong in [
        None,
        Some(SeedSpec::secret("far away")),
        Some(SeedSpec::Open(1)),
    ] {
        assert!(matches!(open(wrong).err().unwrap(), Error::Seed { .. }));
    }
    let reader = open(Some(SeedSpec::secret("over the hills"))).unwrap();
    assert_eq!(ids(&reader.view().unwrap(), FERRY), ["\"a\""]);
}
