//! A sixth job is one type that answers what all jobs are asked; nothing in the kernel or the engine has to know of it.

use lookalike_engine::{
    Destination, MemorySink, MemorySource, Request, RunOptions, Unobserved, WorkOptions, Workspace,
    run,
};
use lookalike_kernel::jobs::{Job, Preset};
use lookalike_kernel::rows::{Row, Table};
use lookalike_kernel::{Kernel, Spec};

/// Headlines of news, alike if most of their words are.
#[derive(Debug)]
struct Headlines;

const HEADLINES: &dyn Job = &Headlines;

impl Job for Headlines {
    fn name(&self) -> &'static str {
        "headlines"
    }

    fn threshold(&self) -> f64 {
        0.6
    }

    fn features(&self) -> &'static str {
        "shingles:words:1"
    }

    fn what_it_does(&self) -> &'static str {
        "compares headlines"
    }

    fn presets(&self) -> Vec<Preset> {
        vec![Preset::new(HEADLINES, "strict", 0.9, |spec| {
            spec.keys.method = "every".to_string();
        })]
    }
}

fn pairs(spec: &Spec) -> Vec<(String, String)> {
    let place = tempfile::tempdir().unwrap();
    let headlines = [
        ("a", "Ferry leaves the old harbour at nine"),
        ("b", "Ferry leaves the new harbour at nine"),
        ("c", "渡轮早上九点离开旧码头"),
        ("d", "Council builds a pier"),
    ];
    let records = headlines.map(|(id, text)| vec![("id", id), ("text", text)]);
    let source = MemorySource::new("news", records);
    let request = Request::new(Kernel::new(spec).unwrap(), &source);
    let workspace = Workspace::claim(&WorkOptions::new(place.path().join("work"))).unwrap();
    let mut sink = MemorySink::default();
    let destination = Destination::new(workspace, &mut sink);
    let summary = run(&request, destination, &RunOptions::default(), &Unobserved).unwrap();
    assert_eq!(summary.parameters.job.name(), "headlines");
    let names = |row: &Row<'_>| match row {
        Row::RecordPair(pair) => (pair.a.to_string(), pair.b.to_string()),
        other => panic!("{other:?}"),
    };
    sink.rows(Table::Pairs).iter().map(names).collect()
}

#[test]
fn a_sixth_job_runs_without_a_line_anywhere_else() {
    let found = pairs(&Spec::of_job(HEADLINES));
    assert_eq!(found, [("\"a\"".to_string(), "\"b\"".to_string())]);
    let strict = Preset::named(HEADLINES, "strict").unwrap();
    assert!(pairs(&strict.spec(&[]).unwrap()).is_empty());
    let unknown = Preset::named(HEADLINES, "loose").unwrap_err().to_string();
    assert!(
        unknown.contains("headlines has no preset \"loose\"; there is: strict"),
        "{unknown}"
    );
}
