//! An index finds what comparing everything finds.

use lookalike_index::kernel::text::TextOptions;
use lookalike_index::kernel::{Kernel, Spec, jobs};
use lookalike_index::{CheckOptions, CreateOptions, Document, Id, Index, Text};

use crate::support::*;

/// Every pair of a text and a stored one that shares a key and is similar enough, by comparing all of them.
fn brute_force(kernel: &Kernel, stored: &[String], text: &str) -> Vec<(Id, Option<f64>)> {
    let (mut signer, mut scorer) = (kernel.signer().unwrap(), kernel.scorer().unwrap());
    let mut sign = |text: &str| {
        let text = Text::whole(text);
        let unit = lookalike_index::kernel::text::Unit::whole(0.into(), text.as_str());
        let mut kept = Vec::new();
        signer.keep(&unit, &mut kept).unwrap();
        signer.describe(0, &unit);
        let keys = match kernel.plan().probes[0].keys {
            Some(_) => signer.keys(0).0.to_vec(),
            None => signer.set().to_vec(),
        };
        (kept, keys)
    };
    let (kept, keys) = sign(text);
    let mut found = Vec::new();
    for (number, other) in stored.iter().enumerate() {
        let (other, others) = sign(other);
        if keys.iter().any(|key| others.contains(key))
            && let Some(score) = scorer.score(&kept, &other).unwrap()
        {
            let similarity = (!score.similarity.is_nan()).then_some(score.similarity);
            found.push((Id::from(number as u64), similarity));
        }
    }
    found
}

fn with(job: &str, change: impl FnOnce(&mut Spec)) -> Spec {
    let mut spec = Spec::of_job(jobs::named(job).unwrap());
    change(&mut spec);
    spec
}

#[test]
fn check_of_all_finds_what_comparing_everything_finds() {
    let texts = corpus(12, 6, 40);
    let (stored, asked) = texts.split_at(60);
    let specs = [
        with("documents", |spec| spec.keys.method = "minhash".to_string()),
        with("documents", |_| {}),
        with("documents", |spec| spec.keys.method = "every".to_string()),
        with("documents", |spec| {
            spec.keys.method = "simhash:64:6".to_string();
            spec.verify.measure = Some("hamming".to_string());
        }),
        with("documents", |spec| {
            spec.keys.method = "imatch:10".to_string();
            spec.threshold = Some(0.6);
        }),
        with("documents", |spec| {
            spec.keys.method = "imatch:10".to_string();
            spec.verify.unverified = true;
        }),
        with("messages", |_| {}),
    ];
    for spec in specs {
        let words = spec.resolved().unwrap().text;
        let needs = Kernel::new(&spec).unwrap().needs();
        let is_needed = needs.term_weights || !needs.lexicons.is_empty();
        let vocabulary = is_needed.then(|| vocabulary(&texts, words));
        let options = CreateOptions::default().with(|options| options.vocabulary = vocabulary);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index");
        let mut index = Index::create(&path, &spec, &options).unwrap();
        // Several segments, and texts that were replaced.
        let mut all = documents(stored);
        for document in &mut all[..5] {
            document.text = Text::whole("something else entirely that is replaced");
        }
        add(
            &mut index,
            all,
            &at(1).with(|options| options.commit_every = 13),
        );
        add(&mut index, documents(&stored[..5]), &at(2));
        let view = index.view();
        let mut checker = view.checker().unwrap();
        let mut found_any = 0;
        for text in asked.iter().chain(&stored[..20]) {
            let found = checker.check(view, &Text::whole(text.clone()), &CheckOptions::all());
            let found = found.unwrap();
            assert!(!found.cut);
            let mut found: Vec<(Id, Option<f64>)> = found
                .matches
                .into_iter()
                .map(|found| (found.id, found.similarity))
                .collect();
            let mut expected = brute_force(view.kernel(), stored, text);
            found_any += expected.len();
            let by_id = |a: &(Id, Option<f64>), b: &(Id, Option<f64>)| a.0.cmp(&b.0);
            found.sort_by(by_id);
            expected.sort_by(by_id);
            assert_eq!(found, expected, "{}", view.settings());
        }
        assert!(found_any > 10, "{found_any}: {}", view.settings());
    }
}

#[test]
fn threads_are_found_field_by_field() {
    let folder = tempfile::tempdir().unwrap();
    let spec = Spec::of_job(jobs::THREADS);
    let mut index = create(&folder.path().join("index"), &spec);
    let thread = |id: &str, fields: [&str; 3]| Document::new(id.into(), Text::of_fields(&fields));
    let long =
        "Tickets are sold at the kiosk by the pier from eight until noon, and on the boat itself.";
    let stored = vec![
        thread("ferry", ["When does the ferry leave?", "", long]),
        thread(
            "bus",
            [
                "How much is the bus to the airport?",
                "",
                "Four crowns, exact change only please.",
            ],
        ),
    ];
    add(&mut index, stored, &at(1));
    let view = index.view();
    let mut checker = view.checker().unwrap();
    let asked = Text::of_fields(&["when does the ferry leave", "", long]);
    let found = checker
        .check(view, &asked, &CheckOptions::default())
        .unwrap();
    assert_eq!(found.matches.len(), 1);
    assert_eq!(found.matches[0].id, Id::from("ferry"));
}

#[test]
fn statistics_are_required_where_they_are_needed_and_refused_where_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index");
    let none = CreateOptions::default();
    let refused = |spec: &Spec, options: &CreateOptions| {
        Index::create(&path, spec, options)
            .err()
            .unwrap()
            .to_string()
    };
    let problem = refused(&Spec::of_job(jobs::MESSAGES), &none);
    assert!(
        problem.contains("`lexicon=`") && problem.contains("`sample=`"),
        "{problem}"
    );
    let vocabulary = vocabulary(&["one word".to_string()], TextOptions::default());
    let options = none.with(|options| options.vocabulary = Some(vocabulary));
    let problem = refused(&minhash(), &options);
    assert!(problem.contains("not needed"), "{problem}");
    let sentences = refused(&Spec::of_job(jobs::SENTENCES), &CreateOptions::default());
    assert!(sentences.contains("no index for sentences"), "{sentences}");
    assert!(!path.exists());
}
