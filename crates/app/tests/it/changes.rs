//! An input that somebody writes to while it is read is told as that: no result mixes what it was and what it is.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use lookalike::{
    CountOptions, Observer, Request, RunOptions, Stage, Unobserved, count_words, jobs, run,
};

use crate::stop::{corpus, spec};

/// Changes a file when so many stages have begun.
struct Changes<'t> {
    file: &'t Path,
    change: fn(&Path),
    begun: AtomicUsize,
    at: usize,
}

impl Observer for Changes<'_> {
    fn begin(&self, _: Stage, _: u64) {
        if self.begun.fetch_add(1, Ordering::Relaxed) == self.at {
            (self.change)(self.file);
        }
    }
    fn done(&self, _: u64) {}
    fn note(&self, _: &str) {}
}

fn append(file: &Path) {
    let more = fs::read_to_string(file).unwrap()
        + "{\"id\": \"new\", \"title\": \"t\", \"text\": \"new\"}\n";
    fs::write(file, more).unwrap();
}

fn cut(file: &Path) {
    let bytes = fs::read(file).unwrap();
    fs::write(file, &bytes[..bytes.len() / 3]).unwrap();
}

fn rewrite(file: &Path) {
    let text = fs::read_to_string(file).unwrap();
    fs::write(
        file,
        text.replace("harbour", "ha.rb.r")
            .replace("ferry", "fe\\nr"),
    )
    .unwrap();
}

/// As long as it was, and dated back: neither size nor time tell.
fn exchange(file: &Path) {
    let modified = fs::metadata(file).unwrap().modified().unwrap();
    let text = fs::read_to_string(file).unwrap();
    fs::write(file, text.replace("harbour", "hamburg")).unwrap();
    let file = File::options().write(true).open(file).unwrap();
    file.set_modified(modified).unwrap();
}

fn remove(file: &Path) {
    fs::remove_file(file).unwrap();
}

/// An hour old, so that any change changes its time.
fn write_input(file: &Path) {
    fs::write(file, corpus()).unwrap();
    let hour_ago = SystemTime::now() - Duration::from_secs(3600);
    File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_modified(hour_ago)
        .unwrap();
}

#[test]
fn a_change_before_any_stage_of_any_job_is_told() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("corpus.jsonl");
    for (number, &job) in jobs::JOBS.iter().enumerate() {
        let request = Request::new(spec(job), [file.to_string_lossy()]);
        let mut options = RunOptions::new(place.path().join("out"));
        options.checkpoint_every = Duration::ZERO;
        options.audit = Some(20);
        if job.removes_records(&request.spec) {
            options.deduplicated = Some(place.path().join("clean.jsonl"));
        }
        for at in 0.. {
            write_input(&file);
            let change = [append, cut, rewrite, exchange, remove][(number + at) % 5];
            let observer = Changes {
                file: &file,
                change,
                begun: AtomicUsize::new(0),
                at,
            };
            let ran = run(&request, &options, &observer);
            if observer.begun.into_inner() <= at {
                assert!(ran.is_ok() && at > 3, "{}", job.name());
                break;
            }
            let told = ran.err().map(|error| error.to_string()).unwrap_or_default();
            let expected = format!("{} changed while it was read; run again", file.display());
            assert_eq!(told, expected, "{} at {at}", job.name());
            assert!(!options.out.join("summary.json").exists());
            assert!(!place.path().join("clean.jsonl").exists());
        }
        fs::remove_dir_all(&options.out).unwrap();
        let _ = fs::remove_file(place.path().join("clean.jsonl"));
    }
}

#[test]
fn a_change_of_what_is_compared_with_or_counted_is_told() {
    let place = tempfile::tempdir().unwrap();
    let [file, other] = ["corpus.jsonl", "other.jsonl"].map(|name| place.path().join(name));
    write_input(&file);
    write_input(&other);
    let mut request = Request::new(spec(jobs::DOCUMENTS), [file.to_string_lossy()]);
    request.against = vec![other.to_string_lossy().into_owned()];
    let changes = |file, change| Changes {
        file,
        change,
        begun: AtomicUsize::new(0),
        at: 0,
    };
    let options = RunOptions::new(place.path().join("out"));
    let told = run(&request, &options, &changes(&other, append)).unwrap_err();
    assert!(
        told.to_string()
            .contains("other.jsonl changed while it was read"),
        "{told}"
    );
    run(&request, &options, &Unobserved).unwrap();

    let options = CountOptions::new(2, 1 << 30, place.path());
    let told = count_words(&request, &options, &changes(&file, append))
        .err()
        .unwrap();
    assert!(
        told.to_string()
            .contains("corpus.jsonl changed while it was read"),
        "{told}"
    );
}

#[test]
fn a_change_of_a_file_in_a_folder_is_told() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("in");
    fs::create_dir(&folder).unwrap();
    let files: Vec<PathBuf> = (corpus().lines().enumerate())
        .map(|(number, line)| {
            let file = folder.join(format!("{number:03}.txt"));
            fs::write(&file, line).unwrap();
            file
        })
        .collect();
    let file = &files[files.len() / 2];
    let content = fs::read(file).unwrap();
    let request = Request::new(spec(jobs::DOCUMENTS), [folder.to_string_lossy()]);
    let mut options = RunOptions::new(place.path().join("out"));
    options.deduplicated = Some(place.path().join("clean"));
    for at in 0.. {
        fs::write(file, &content).unwrap();
        // Systems tell times some milliseconds apart.
        sleep(Duration::from_millis(20));
        let observer = Changes {
            file,
            change: [append, cut, exchange, remove][at % 4],
            begun: AtomicUsize::new(0),
            at,
        };
        let ran = run(&request, &options, &observer);
        if observer.begun.into_inner() <= at {
            assert!(ran.is_ok() && at > 3);
            break;
        }
        let told = ran.err().map(|error| error.to_string()).unwrap_or_default();
        let expected = format!("{} changed while it was read; run again", file.display());
        assert_eq!(told, expected, "at {at}");
        assert!(!place.path().join("clean").exists());
    }
}
