//! Streams, passages and suggestions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lookalike_index::kernel::{Spec, jobs};
use lookalike_index::{
    CheckOptions, CreateOptions, Document, Filter, FilterOptions, Id, Index, Text, Verdict,
};

use crate::support::*;

/// What a stream is told, however it comes and whenever it is committed: what one lookup after the other tells.
fn learns_as_one_by_one(
    spec: &Spec,
    options: &CreateOptions,
    (names, by_place): (usize, bool),
) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let texts = corpus(30, 5, 25);
    let stored = documents(&texts[..12]);
    let mut stream = documents(&texts);
    for (number, document) in stream.iter_mut().enumerate() {
        document.id = Id::from(format!("{}", number % names).as_str());
        document.named_by_place = by_place;
    }
    let create = |name: &str| {
        let mut index = Index::create(&folder.path().join(name), spec, options).unwrap();
        add(&mut index, stored.clone(), &at(1));
        index
    };
    // Each is looked up in an index to which it is added if it is new.
    let mut slow = create("slow");
    let mut expected = Vec::new();
    for document in &stream {
        let found = matches(
            slow.view(),
            document.text.as_str(),
            &CheckOptions::default(),
        );
        let best = found.first();
        expected.push(best.map(|found| (found.id.clone(), found.similarity, found.kind)));
        let is_held = |kind| !spec.removes(kind);
        if best.is_none_or(|best| best.kind.is_some_and(is_held)) {
            add(&mut slow, vec![document.clone()], &at(2));
        }
    }
    for (threads, batch, seconds) in [(1, 1000, 1000), (3, 40, 1000), (2, 7, 0)] {
        let mut index = create(&format!("{threads}-{batch}"));
        let options = FilterOptions::default().with(|options| options.threads = threads);
        let after = Duration::from_secs(seconds);
        let mut filter = Filter::learning(&mut index, &options, at(2), after).unwrap();
        let mut verdicts: Vec<Verdict> = Vec::new();
        for batch in stream.chunks(batch) {
            verdicts.extend(filter.check(batch.to_vec()).unwrap());
        }
        filter.commit().unwrap();
        let found: Vec<_> = verdicts
            .into_iter()
            .map(|verdict| verdict.of.map(|of| (of, verdict.similarity, verdict.kind)))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(index.view().len(), slow.view().len());
    }
    slow.view().len()
}

#[test]
fn with_learning_a_line_is_checked_against_all_new_lines_before_it() {
    learns_as_one_by_one(&minhash(), &CreateOptions::default(), (usize::MAX, false));
    let messages = Spec::of_job(jobs::MESSAGES);
    let words = messages.resolved().unwrap().text;
    let vocabulary = vocabulary(&corpus(10, 1, 25), words);
    let options = CreateOptions::default().with(|options| options.vocabulary = Some(vocabulary));
    learns_as_one_by_one(&messages, &options, (usize::MAX, false));
    learns_as_one_by_one(&messages, &options, (9, true));
}

#[test]
fn a_line_that_a_later_one_with_its_id_replaced_does_not_match_whenever_that_is_committed() {
    learns_as_one_by_one(&minhash(), &CreateOptions::default(), (9, false));
}

#[test]
fn lines_that_are_named_by_their_place_replace_nothing_whenever_they_are_committed() {
    let learnt = |names| learns_as_one_by_one(&minhash(), &CreateOptions::default(), names);
    assert_eq!(learnt((9, true)), learnt((usize::MAX, true)));
}

#[test]
fn what_a_stream_learns_expires_by_the_clock_whenever_it_is_committed() {
    static CLOCK: AtomicU64 = AtomicU64::new(0);
    let texts = documents(&corpus(1, 1, 25));
    let verdicts = |seconds: u64| {
        let folder = tempfile::tempdir().unwrap();
        let mut index = create(&folder.path().join("index"), &minhash());
        CLOCK.store(100, Ordering::Relaxed);
        let options = FilterOptions::default().with(|options| {
            options.check.now = Some(100);
            options.clock = Some(|| CLOCK.fetch_add(2, Ordering::Relaxed));
        });
        let add = at(100).with(|add| add.expires = Some(105));
        let after = Duration::from_secs(seconds);
        let mut filter = Filter::learning(&mut index, &options, add, after).unwrap();
        let mut duplicates = Vec::new();
        for number in 0..6 {
            let mut document = texts[0].clone();
            document.id = Id::from(format!("{number}").as_str());
            let verdict = filter.check(vec![document]).unwrap();
            duplicates.push(verdict[0].duplicate);
        }
        filter.commit().unwrap();
        let found = matches(index.view(), texts[0].text.as_str(), &CheckOptions::all());
        let times: Vec<_> = found.iter().map(|one| (one.added, one.expires)).collect();
        (duplicates, times)
    };
    let expected = (
        vec![false, true, true, false, true, true],
        vec![(100, Some(105)), (106, Some(111))],
    );
    assert_eq!(verdicts(1000), expected);
    assert_eq!(verdicts(0), expected);
}

#[test]
fn passages_are_found_where_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = create(&folder.path().join("index"), &Spec::of_job(jobs::PASSAGES));
    let quoted = "The ferry leaves the old harbour at nine every morning. The crossing takes forty minutes in calm weather. \
                  Dogs travel free of charge on all boats.";
    let page = format!("It was raining when we arrived. {quoted} Nobody else came along that day.");
    let stored = vec![
        Document::new("page".into(), Text::whole(page.clone())),
        Document::new(
            "other".into(),
            Text::whole(
                "A recipe for bread. Take flour, water and salt. Wait for a day before you bake it.",
            ),
        ),
    ];
    add(&mut index, stored, &at(1));
    let view = index.view();
    let mut checker = view.checker().unwrap();
    let asked = Text::whole(format!("As I have read somewhere: {quoted}"));
    let found = checker
        .passages(view, &asked, &CheckOptions::default())
        .unwrap();
    assert_eq!(found.texts.len(), 1);
    assert_eq!(found.texts[0].id, Id::from("page"));
    let passage = &found.texts[0].passages[0];
    let part = |text: &str, begin: u32, end: u32| -> String {
        text.chars()
            .skip(begin as usize)
            .take((end - begin) as usize)
            .collect()
    };
    let [here, there] = [
        part(asked.as_str(), passage.begin, passage.end),
        part(&page, passage.stored_begin, passage.stored_end),
    ];
    assert_eq!(here, there);
    assert!(here.contains("forty minutes"));
    assert!(
        checker
            .check(view, &asked, &CheckOptions::default())
            .is_err()
    );
}

#[test]
fn questions_are_suggested_while_one_types() {
    let folder = tempfile::tempdir().unwrap();
    let mut index = create(&folder.path().join("index"), &Spec::of_job(jobs::THREADS));
    let thread = |id: &str, title: &str| {
        Document::new(
            id.into(),
            Text::of_fields(&[title, "", "An answer that says something."]),
        )
    };
    let stored = vec![
        thread(
            "ferry",
            "When does the ferry to the island leave in winter?",
        ),
        thread("bus", "How much is the bus to the airport?"),
        thread("dog", "May I take a dog on the ferry?"),
        thread("bread", "Where can I buy rye bread?"),
    ];
    add(&mut index, stored, &at(1));
    let view = index.view();
    let mut checker = view.checker().unwrap();
    let top = CheckOptions::default().with(|options| options.top = 2);
    let typed = Text::of_fields(&["ferry in winter"]);
    let found = checker.suggest(view, &typed, &top).unwrap();
    let ids: Vec<String> = found.iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, ["\"ferry\"", "\"dog\""]);
    assert!(found[0].similarity > found[1].similarity && found[0].similarity < 1.0);
    assert!(found[0].title.starts_with("When does the ferry"));
}
