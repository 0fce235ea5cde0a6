//! An observer stops a run, and the same request continues it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lookalike::{
    Error, Job, Observer, Request, RunOptions, Spec, Stage, Tolerance, Unobserved, engine, jobs,
    run,
};

/// Stops a run when it was asked so many times.
struct StopsAfter {
    asked: AtomicU64,
    limit: u64,
}

impl Observer for StopsAfter {
    fn begin(&self, _: Stage, _: u64) {}
    fn done(&self, _: u64) {}
    fn note(&self, _: &str) {}
    fn is_stopped(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.limit
    }
}

fn results(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(out).unwrap().flatten();
    entries
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "jsonl"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// Records whose texts repeat each other in part, in English and Chinese.
pub(crate) fn corpus() -> String {
    let words = [
        "harbour", "ferry", "the", "old", "nine", "码头", "渡轮", "leaves", "at", "morning",
    ];
    let text = |number: usize| {
        let sentence = |start: usize| {
            let said: Vec<&str> = (0..12)
                .map(|at| words[(start * 7 + at * at) % words.len()])
                .collect();
            format!("{} {}.", said.join(" "), start % 40)
        };
        let sentences: Vec<String> = (0..6).map(|at| sentence(number / 3 + at)).collect();
        sentences.join(" ")
    };
    let line = |number: usize| {
        let text = text(number);
        format!(
            "{}\n",
            serde_json::json!({"id": number, "title": text, "text": text})
        )
    };
    (0..400).map(line).collect()
}

/// The job on the fields that the corpus has.
pub(crate) fn spec(job: &'static dyn Job) -> Spec {
    let mut spec = Spec::of_job(job);
    if !spec.compared_fields().is_empty() {
        spec.input.fields = vec!["title".to_string(), "text".to_string()];
    }
    spec
}

#[test]
fn what_was_rejected_before_a_stop_counts_where_nothing_may_be() {
    let place = tempfile::tempdir().unwrap();
    let input = place.path().join("corpus.jsonl");
    std::fs::write(&input, corpus() + "{\"id\": \"none\"}\nnothing\n").unwrap();
    for job in jobs::JOBS {
        let request = Request::new(spec(*job), [input.to_string_lossy()]);
        let mut options = RunOptions::new(place.path().join(job.name()));
        let (asked, limit) = (AtomicU64::new(0), 0);
        let stopped = run(&request, &options, &StopsAfter { asked, limit });
        assert!(stopped.unwrap_err().to_string().contains("was stopped"));
        options.tolerance = Tolerance::Strict;
        let refused = run(&request, &options, &Unobserved)
            .unwrap_err()
            .to_string();
        assert!(refused.contains("corpus.jsonl:401: "), "{refused}");
        options.tolerance = Tolerance::Usual;
        let summary = run(&request, &options, &Unobserved).unwrap();
        assert_eq!(summary.counts.rejected, 2);
    }
}

#[test]
fn a_stopped_run_of_every_job_continues_to_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let input = place.path().join("corpus.jsonl");
    std::fs::write(&input, corpus()).unwrap();
    for job in jobs::JOBS {
        let request = Request::new(spec(*job), [input.to_string_lossy()]);
        let options = |name: &str| {
            let out = place.path().join(format!("{}-{name}", job.name()));
            let mut options = RunOptions::new(out);
            options.checkpoint_every = Duration::ZERO;
            options
        };
        let never = StopsAfter {
            asked: AtomicU64::new(0),
            limit: u64::MAX,
        };
        run(&request, &options("whole"), &never).unwrap();
        assert!(never.asked.load(Ordering::Relaxed) > 2, "{}", job.name());
        let (mut stops, mut limit) = (0, 0);
        loop {
            let observer = StopsAfter {
                asked: AtomicU64::new(0),
                limit,
            };
            match run(&request, &options("stopped"), &observer) {
                Ok(_) => break,
                Err(Error::Engine(engine::Error::Stopped)) => stops += 1,
                Err(other) => panic!("{}: {other}", job.name()),
            }
            limit += 1;
        }
        assert!(stops > 0, "{}", job.name());
        let [whole, stopped] = ["whole", "stopped"].map(|name| results(&options(name).out));
        assert!(whole.len() > 2 && whole == stopped, "{}", job.name());
    }
}
