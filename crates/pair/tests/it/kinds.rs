//! The kinds of changes on `testdata/kinds.toml`. A hash of each pair puts it into one of two halves; the rules were
//! written with the errors of the working half in view, never those of the half held out.

use std::fmt::Write;

use lookalike_pair::assemble::{Comparer, Kind, Statement};
use lookalike_text::hash::{Seed, hash64};

#[derive(serde::Deserialize)]
struct Labelled {
    pair: Vec<LabelledPair>,
}

#[derive(serde::Deserialize)]
struct LabelledPair {
    language: String,
    kind: Kind,
    a: String,
    b: String,
    titles: Option<[String; 2]>,
    #[serde(default)]
    references: bool,
}

impl LabelledPair {
    fn is_held_out(&self) -> bool {
        hash64(format!("{}\n{}", self.a, self.b).as_bytes(), Seed(6)) & 1 == 1
    }

    fn found(&self, comparer: &mut Comparer) -> Kind {
        let title = |side: usize| {
            let titles = self.titles.as_ref();
            titles.map(|titles| titles[side].as_str())
        };
        let statement = |text, side| Statement {
            text,
            title: title(side),
            in_references: self.references,
        };
        comparer
            .compare(statement(&self.a, 0), statement(&self.b, 1))
            .kind
    }
}

fn labelled() -> Vec<LabelledPair> {
    let read: Labelled = toml::from_str(include_str!("../../../../testdata/kinds.toml")).unwrap();
    read.pair
}

#[derive(Debug, Default)]
struct Figures {
    pairs: usize,
    right: usize,
    drift: usize,
    drift_found: usize,
    drift_right: usize,
}

impl Figures {
    fn count(&mut self, kind: Kind, found: Kind) {
        self.pairs += 1;
        self.right += usize::from(kind == found);
        self.drift += usize::from(kind == Kind::FactualDrift);
        self.drift_found += usize::from(found == Kind::FactualDrift);
        self.drift_right += usize::from(kind == found && kind == Kind::FactualDrift);
    }

    fn accuracy(&self) -> f64 {
        self.right as f64 / self.pairs as f64
    }

    fn drift_precision(&self) -> f64 {
        self.drift_right as f64 / self.drift_found as f64
    }

    fn drift_recall(&self) -> f64 {
        self.drift_right as f64 / self.drift as f64
    }

    fn show(&self, name: &str) -> String {
        let (accuracy, precision, recall) =
            (self.accuracy(), self.drift_precision(), self.drift_recall());
        format!(
            "{name}: {} of {} right ({accuracy:.3}); factual drift: precision {precision:.3}, recall {recall:.3}\n",
            self.right, self.pairs
        )
    }
}

#[test]
fn nine_of_ten_labelled_changes_have_their_kind() {
    let mut comparer = Comparer::new();
    let (mut all, mut working, mut held_out) =
        (Figures::default(), Figures::default(), Figures::default());
    let mut report = String::new();
    for pair in labelled() {
        let found = pair.found(&mut comparer);
        all.count(pair.kind, found);
        let half = if pair.is_held_out() {
            &mut held_out
        } else {
            &mut working
        };
        half.count(pair.kind, found);
        if found != pair.kind && !pair.is_held_out() {
            writeln!(
                report,
                "{}, not {found}: {}\n    {}\n    {}",
                pair.kind, pair.language, pair.a, pair.b
            )
            .unwrap();
        }
    }
    report += &working.show("working half");
    report += &held_out.show("held-out half");
    report += &all.show("all");
    println!("{report}");
    assert!(all.accuracy() >= 0.90, "{report}");
    assert!(all.drift_precision() >= 0.85, "{report}");
    assert!(all.drift_recall() >= 0.85, "{report}");
}

#[test]
fn every_kind_and_both_main_languages_are_labelled() {
    let pairs = labelled();
    let count =
        |wanted: &dyn Fn(&LabelledPair) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
    assert!(pairs.len() >= 320);
    for &kind in Kind::ALL {
        assert!(count(&|pair| pair.kind == kind) >= 10, "{kind}");
    }
    assert!(count(&|pair| pair.language == "en") >= 200);
    assert!(count(&|pair| pair.language == "zh") >= 100);
    assert!(count(&|pair| pair.language != "en" && pair.language != "zh") >= 20);
}
