//! Nothing of the user's is overwritten, followed or deleted, whatever is named as an output.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};

use crate::support::corpus::short_texts;
use crate::support::{Place, bytes, kill, ran, tree};

const TWO: &str =
    "{\"id\": 1, \"text\": \"eins zwei drei\"}\n{\"id\": 2, \"text\": \"Eins zwei drei.\"}\n";

fn place() -> Place {
    let place = Place::new();
    place.write("pages.jsonl", TWO);
    place.write("notes.jsonl", "{\"id\": 9, \"text\": \"a note of mine\"}\n");
    place
}

/// Runs what must be refused, and checks that it changed nothing at all.
#[track_caller]
fn refuses(place: &Place, arguments: &str, parts: &[&str]) {
    let before = tree(place.root());
    place.run(arguments).fails_with(parts);
    assert_eq!(tree(place.root()), before, "{arguments}");
}

#[test]
fn a_cleaned_corpus_replaces_nothing_that_no_run_wrote() {
    let place = place();
    place.write("config.toml", "threshold = 0.9\n");
    for (arguments, part) in [
        ("pages.jsonl --deduplicated pages.jsonl", "is also an input"),
        (
            "pages.jsonl --deduplicated ./pages.jsonl",
            "pages.jsonl, which is an input",
        ),
        ("pages.jsonl --deduplicated notes.jsonl", "move it away"),
        (
            "pages.jsonl --against notes.jsonl --deduplicated notes.jsonl",
            "is also an input",
        ),
        (
            "pages.jsonl --config config.toml --deduplicated config.toml",
            "config.toml",
        ),
        (
            "pages.jsonl --deduplicated out/.lookalike/clean.jsonl",
            ".lookalike",
        ),
    ] {
        refuses(
            &place,
            &format!("documents --quiet --out out {arguments}"),
            &[part],
        );
    }
}

#[test]
fn nothing_that_is_read_is_replaced_even_by_force() {
    let place = place();
    place.write("config.toml", "threshold = 0.9\n");
    place.write("secret", "pier\n");
    place.run("lexicon build pages.jsonl -q -o words").exits(0);
    for reading in [
        "pages.jsonl",
        "pages.jsonl --against notes.jsonl",
        "pages.jsonl --config config.toml",
        "pages.jsonl --seed-file secret",
        "pages.jsonl --features terms --measure cosine --idf 0.1,0.9 --lexicon words",
    ] {
        let read = reading.rsplit(' ').next().unwrap();
        for writing in ["deduplicated", "annotate"] {
            let arguments =
                format!("documents --quiet --out out --force {reading} --{writing} {read}");
            refuses(&place, &arguments, &["is also an input"]);
        }
    }
}

#[test]
fn a_cleaned_corpus_of_the_same_results_is_replaced_until_somebody_changes_it() {
    let place = place();
    let again = "documents pages.jsonl --quiet --out out --deduplicated clean.jsonl";
    for _ in 0..2 {
        place.run(again).exits(0);
    }
    let clean = place.read("clean.jsonl");
    place.write(
        "clean.jsonl",
        format!("{clean}{{\"text\": \"added by hand\"}}\n"),
    );
    refuses(&place, again, &["clean.jsonl", "move it away"]);
    // Nor is one of another run, whose results stay.
    place.write("clean.jsonl", clean);
    refuses(
        &place,
        &again.replace("--out out", "--out other"),
        &["clean.jsonl"],
    );
}

#[test]
fn devices_and_pipes_are_written_to_and_stay_what_they_are() {
    let place = place();
    symlink("/dev/null", place.path("null")).unwrap();
    for name in ["null", "/dev/null"] {
        place
            .run(&format!(
                "documents pages.jsonl --quiet --out out --deduplicated {name}"
            ))
            .exits(0);
        place
            .run(&format!("lexicon build pages.jsonl --quiet -o {name}"))
            .exits(0);
    }
    let null = |path: &std::path::Path| fs::metadata(path).unwrap().file_type().is_char_device();
    assert!(null(std::path::Path::new("/dev/null")) && null(&place.path("null")));
    assert!(
        fs::symlink_metadata(place.path("null"))
            .unwrap()
            .is_symlink()
    );
    let ran = place
        .run("documents pages.jsonl --quiet --out out --deduplicated /dev/stdout")
        .exits(0);
    assert_eq!(ran.out, TWO.lines().next().unwrap().to_string() + "\n");
    // The summary does not mix with the corpus.
    let ran = place
        .run("documents pages.jsonl --out out --deduplicated /dev/stdout")
        .exits(0);
    assert_eq!(ran.out, TWO.lines().next().unwrap().to_string() + "\n");
    assert!(ran.errors.contains("duplicates"), "{}", ran.errors);
}

#[test]
fn no_command_writes_over_what_it_reads_or_what_it_did_not_write() {
    let place = place();
    place.write(
        "pairs.jsonl",
        "{\"a\": \"eins zwei\", \"b\": \"eins zwei\", \"label\": true}\n{\"a\": \"x\", \"b\": \"y\", \"label\": false}\n",
    );
    for (arguments, part) in [
        (
            "lexicon build pages.jsonl -o pages.jsonl",
            "is also an input",
        ),
        ("lexicon build pages.jsonl -o notes.jsonl", "something else"),
        ("tune pairs.jsonl --output pairs.jsonl", "is also an input"),
        ("tune pairs.jsonl --output notes.jsonl", "something else"),
        (
            "judge --gold pairs.jsonl --errors pairs.jsonl",
            "is also an input",
        ),
        (
            "judge --gold pairs.jsonl --errors notes.jsonl",
            "something else",
        ),
    ] {
        refuses(&place, arguments, &[part]);
    }
    for _ in 0..2 {
        place
            .run("lexicon build pages.jsonl -q -o words.tsv")
            .exits(0);
        place
            .run("judge --gold pairs.jsonl --threshold 1.0 --features shingles:words:2 --errors wrong.jsonl")
            .exits(0);
    }
}

#[test]
fn a_page_replaces_nothing_that_it_is_made_of_and_a_manual_page_no_other() {
    let place = place();
    place
        .run("documents pages.jsonl --quiet --out out")
        .exits(0);
    for name in ["out/pairs.jsonl", "out/summary.json", "pages.jsonl"] {
        let report = format!("report out --force --out {name}");
        refuses(&place, &report, &["is also an input"]);
    }
    refuses(&place, "report out -o notes.jsonl", &["something else"]);
    place.write("in/pages.jsonl", TWO);
    place.run("documents in --quiet --out out").exits(0);
    let report = "report out --force -o in/pages.jsonl";
    refuses(&place, report, &["is also an input"]);
    place.write("man/lookalike-report.1", "mine");
    refuses(&place, "man man", &["lookalike-report.1", "something else"]);
    fs::remove_file(place.path("man/lookalike-report.1")).unwrap();
    for _ in 0..2 {
        place.run("man man").exits(0);
    }
}

#[test]
fn a_file_is_known_by_any_of_its_names() {
    let place = place();
    fs::hard_link(place.path("pages.jsonl"), place.path("same.jsonl")).unwrap();
    for writing in ["deduplicated", "annotate"] {
        let run = format!("documents pages.jsonl --quiet --out out --force --{writing} same.jsonl");
        refuses(&place, &run, &["pages.jsonl, which is an input"]);
    }
}

#[test]
fn a_finished_result_gives_no_licence_over_other_files() {
    let place = place();
    place.run("documents pages.jsonl --quiet --out .").exits(0);
    // A name that only another job would write.
    place.write("articles.jsonl", TWO);
    place
        .run("documents articles.jsonl --quiet --out .")
        .exits(0);
    assert_eq!(place.read("articles.jsonl"), TWO);
    refuses(
        &place,
        "sentences articles.jsonl --quiet --out .",
        &["articles.jsonl"],
    );
    place.write("removed.jsonl", "{\"mine\": 1}\n");
    refuses(
        &place,
        "documents articles.jsonl --quiet --out .",
        &["removed.jsonl"],
    );
}

#[test]
fn what_is_known_is_known_where_it_was_written() {
    let place = place();
    // A cleaned corpus with the very bytes of its input.
    let first = "documents notes.jsonl --quiet --out out --deduplicated clean.jsonl";
    place.run(first).exits(0);
    assert_eq!(place.read("clean.jsonl"), place.read("notes.jsonl"));
    let other = "documents pages.jsonl --quiet --out out --deduplicated notes.jsonl";
    refuses(&place, other, &["notes.jsonl", "move it away"]);
}

#[test]
fn a_result_does_not_replace_what_it_is_made_of() {
    let place = place();
    place
        .run("documents pages.jsonl --quiet --out out")
        .exits(0);
    for arguments in [
        "documents out/removed.jsonl --text-field id --quiet --out out",
        "documents pages.jsonl --against out/pairs.jsonl --quiet --out out",
        "passages pages.jsonl --pair-list out/pairs.jsonl --quiet --out out",
        "documents out/*.jsonl --text-field id --quiet --out ./out",
    ] {
        refuses(&place, arguments, &["an input; choose"]);
    }
    fs::rename(place.path("out/summary.json"), place.path("kept.json")).unwrap();
    symlink(place.path("kept.json"), place.path("out/summary.json")).unwrap();
    let again = "documents pages.jsonl --quiet --out out";
    refuses(&place, again, &["summary.json"]);
}

#[test]
fn a_cleaned_folder_with_anything_else_in_it_stays() {
    let place = place();
    let run = "documents pages.jsonl notes.jsonl --quiet --out out --deduplicated clean";
    for _ in 0..2 {
        place.run(run).exits(0);
    }
    place.write("clean/mine/notes.txt", "kept");
    refuses(&place, run, &["clean", "notes.txt"]);
    fs::remove_dir_all(place.path("clean/mine")).unwrap();
    symlink(place.path("clean"), place.path("link")).unwrap();
    refuses(
        &place,
        &run.replace(" clean", " link"),
        &["link", "name the folder itself"],
    );
    place.write("clean/notes.jsonl", "edited");
    refuses(&place, run, &["clean", "notes.jsonl"]);
}

#[test]
fn two_runs_do_not_write_one_cleaned_corpus() {
    let place = place();
    let path = place.path(".lookalike-lock-clean.jsonl");
    let other = lookalike::engine::try_lock(&path).unwrap().unwrap();
    place
        .run("documents pages.jsonl --quiet --out out --deduplicated clean.jsonl")
        .fails_with(&["clean.jsonl", "another run is writing it"]);
    drop(other);
    place
        .run("documents pages.jsonl --quiet --out out --deduplicated clean.jsonl")
        .exits(0);
    assert_eq!(
        place.names("."),
        ["clean.jsonl", "notes.jsonl", "out", "pages.jsonl"]
    );
}

#[test]
fn a_hidden_folder_of_somebody_else_is_left_alone() {
    let run = "documents pages.jsonl --quiet --restart --out out";
    let theirs: [fn(&Place); 5] = [
        |place| {
            place.write("elsewhere/backup-20240101", "mine");
            place.write("out/.lookalike/lock", "lookalike works here for me\n");
            symlink(place.path("elsewhere"), place.path("out/.lookalike/spill")).unwrap();
        },
        |place| place.write("out/.lookalike/diary.txt", "mine"),
        |place| place.write("out/.lookalike/lock", "not a mark"),
        |place| {
            fs::create_dir_all(place.path("out/.lookalike")).unwrap();
            symlink(place.path("notes.jsonl"), place.path("out/.lookalike/lock")).unwrap();
        },
        |place| {
            place.write("elsewhere/diary.txt", "mine");
            fs::create_dir_all(place.path("out")).unwrap();
            symlink(place.path("elsewhere"), place.path("out/.lookalike")).unwrap();
        },
    ];
    for make in theirs {
        let place = place();
        make(&place);
        refuses(&place, run, &[".lookalike", "not made by this program"]);
        let within = run.replace("--out out", "--out out/.lookalike");
        refuses(&place, &within, &[".lookalike", "not made by this program"]);
    }
}

/// A run that was killed with a checkpoint.
fn unfinished(options: &str) -> (Place, String) {
    let place = Place::new();
    place.write("pages.jsonl", short_texts(20_000, 1));
    let run = format!(
        "documents pages.jsonl --out out --quiet --memory 80MB --checkpoint-every 0 --bands 60 --rows 2 {options}"
    );
    kill::interrupt(&place, &run, |saved| saved.contains("postings-"));
    (place, run)
}

#[test]
fn a_manifest_that_leads_elsewhere_deletes_nothing() {
    let (place, run) = unfinished("");
    place.write("lookalike-mine/diary.txt", "mine");
    let manifest = place.read("out/.lookalike/manifest.json");
    let spill = place.path("out/.lookalike/spill");
    let elsewhere = place.path("lookalike-mine");
    let led = manifest.replace(spill.to_str().unwrap(), elsewhere.to_str().unwrap());
    assert_ne!(led, manifest);
    place.write("out/.lookalike/manifest.json", led);
    place.run(&run).fails_with(&["manifest.json", "--restart"]);
    place.run(&format!("{run} --restart")).exits(0);
    assert_eq!(place.read("lookalike-mine/diary.txt"), "mine");
}

#[test]
fn temporary_files_have_a_folder_nobody_can_foresee() {
    let (place, run) = unfinished("--work-dir work");
    let names = place.names("work");
    assert_eq!(names.len(), 1, "{names:?}");
    fs::remove_dir_all(place.path("out")).unwrap();
    // Another run there has another folder, and leaves this one.
    place.run(&run).exits(0);
    assert_eq!(place.names("work"), names);
}

#[test]
fn damage_to_a_checkpoint_is_told() {
    let (place, run) = unfinished("");
    let whole = tree(&place.path("out/.lookalike"));
    let (other, _) = unfinished("");
    other.run(&run).exits(0);
    let expected = bytes(&other.path("out"));
    let hidden = place.path("out/.lookalike");
    for (name, content) in &whole {
        let path = hidden.join(name);
        if content.is_empty() || name.ends_with("lock") {
            continue;
        }
        for at in [0, content.len() / 2, content.len() - 1] {
            let mut damaged = content.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            let ran = place.run(&run);
            // A file that no checkpoint lists is not read.
            if ran.code == 0 {
                panic!("{name} was damaged at {at} and nothing said so");
            }
            ran.fails_with(&["--restart"]);
        }
        fs::write(&path, &content[..content.len() / 2]).unwrap();
        place.run(&run).fails_with(&["--restart"]);
        fs::write(&path, content).unwrap();
    }
    place.run(&format!("{run} --restart")).exits(0);
    assert!(bytes(&place.path("out")) == expected);
}

#[test]
fn names_that_clash_are_told_before_anything_is_read() {
    let place = place();
    for name in [
        "out",
        "out/pairs.jsonl",
        "./out/../out/summary.json",
        "out/removed.jsonl/clean",
    ] {
        let before = tree(place.root());
        for writing in ["--deduplicated", "--annotate"] {
            place
                .run(&format!(
                    "documents missing.jsonl --out out {writing} {name}"
                ))
                .refused_with(&[writing, name, "is where the results go, to out"]);
        }
        assert_eq!(tree(place.root()), before);
    }
    for names in [
        "one ./one",
        "- /dev/stdout",
        "folder folder/one",
        "folder/one folder",
    ] {
        let (clean, annotated) = names.split_once(' ').unwrap();
        place
            .run(&format!(
                "documents missing.jsonl --out out --deduplicated {clean} --annotate {annotated}"
            ))
            .refused_with(&["--annotate", annotated, "where the cleaned corpus goes"]);
    }
    // A rejected record would end the run, if it came to that.
    place.write("in/pages.jsonl", "nothing\n");
    place.write("pages/deep/pages.jsonl", TWO);
    place.write("in/pages", TWO);
    let run = |inputs: &str, parts: &[&str]| {
        let root = place.path("in").display().to_string();
        let mut command = place.command(&format!(
            "documents {inputs} --strict --quiet --out {root}/out --deduplicated {root}/clean"
        ));
        ran(command.current_dir(root)).fails_with(parts);
        assert!(!place.path("in/clean").exists());
    };
    let both = "pages.jsonl and ../pages.jsonl would both be pages.jsonl";
    run("pages.jsonl ../pages.jsonl", &[both]);
    let both = "pages and ../pages/deep/pages.jsonl would both be pages in it";
    run("--format jsonl pages ../pages/deep/pages.jsonl", &[both]);
}
