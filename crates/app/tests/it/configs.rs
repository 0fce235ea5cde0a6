//! `--config`: settings are for the job that they were written for.

use serde_json::json;

use crate::support::Place;

fn place() -> Place {
    let place = Place::new();
    let line = |id: u32, text: &str| {
        let record = json!({"id": id, "title": text, "body": text, "answer": text, "text": text});
        format!("{record}\n")
    };
    let lines = line(1, "How do I fly a kite?") + &line(2, "风筝怎么放");
    place.write("in.jsonl", lines);
    place
}

#[test]
fn a_configuration_of_another_job_is_refused_with_the_remedy() {
    let place = place();
    for job in ["documents", "threads", "sentences", "passages", "messages"] {
        let printed = place.run(&format!("{job} --print-config")).exits(0).out;
        place.write(&format!("{job}.toml"), printed);
    }
    for (written_for, job) in [
        ("threads", "documents"),
        ("documents", "messages"),
        ("messages", "threads"),
        ("sentences", "passages"),
    ] {
        let config = format!("{written_for}.toml");
        let run = format!("{job} in.jsonl --config {config} --out out");
        let expected = format!("{config} was written for {written_for}, not for {job}");
        let remedy = format!(
            "run lookalike {written_for}, or make one with: lookalike {job} --print-config"
        );
        place.run(&run).refused_with(&[&expected, &remedy]);
        assert!(!place.path("out").exists());
        place
            .run(&format!(
                "{written_for} in.jsonl --config {config} --out out --quiet"
            ))
            .exits(0);
        std::fs::remove_dir_all(place.path("out")).unwrap();
    }
    place
        .run("index create seen --job messages --config threads.toml")
        .refused_with(&["written for threads, not for messages"]);
    place
        .run("index create seen --config documents.toml --quiet")
        .exits(0);
}

#[test]
fn a_configuration_that_names_no_job_is_for_any() {
    let place = place();
    place.write("any.toml", "threshold = 0.95\n");
    for job in ["documents", "messages"] {
        place
            .run(&format!(
                "{job} in.jsonl --config any.toml --out out --restart --quiet"
            ))
            .exits(0);
        assert_eq!(place.summary()["parameters"]["job"], job);
        assert_eq!(place.summary()["parameters"]["threshold"], 0.95);
    }
}
