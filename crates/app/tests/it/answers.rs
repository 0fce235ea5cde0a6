//! `--json`: what every command answers, for programs.

use serde_json::Value;

use crate::support::Place;

fn answer(place: &Place, arguments: &str) -> Value {
    let ran = place.run(&format!("{arguments} --json")).exits(0);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{arguments}: {}", ran.out))
}

#[test]
fn every_command_answers_in_json() {
    let place = Place::new();
    place.write(
        "a.txt",
        "Die Fähre legt um neun Uhr am alten Hafen ab. 渡轮九点离开老港口。",
    );
    place.write(
        "b.txt",
        "Die Fähre legt um zehn Uhr am alten Hafen ab. 渡轮九点离开老港口。",
    );
    let compared = answer(&place, "compare a.txt b.txt");
    assert!(compared["measures"]["jaccard"].as_f64().unwrap() > 0.0);
    assert_eq!(compared["features"]["method"], "shingles:words:5");
    let shared = answer(&place, "compare a.txt a.txt --passages --min-words 5");
    let passage = &shared["passages"][0]["a"];
    assert_eq!(
        (&passage["begin"], &shared["covered_a"]),
        (&0.into(), &1.0.into())
    );
    assert!(passage["text"].as_str().unwrap().starts_with("Die Fähre"));
    let params = answer(&place, "params -t 0.7");
    assert!(params["recall"].as_f64().unwrap() >= 0.95);
    assert_eq!(params["curve"].as_array().unwrap().len(), 20);
    let built = answer(&place, "lexicon build a.txt b.txt -o words.tsv");
    assert_eq!(built["documents"], 2);
    let listed = answer(&place, "lexicon show words.tsv --top 1");
    assert_eq!(listed["most_frequent"][0]["documents"], 2);
    assert_eq!(listed["terms"], built["terms"]);
    place.run("messages a.txt b.txt --format text").exits(0);
    let made = answer(&place, "report lookalike-out -o page.html");
    assert_eq!(made["report"], "page.html");
    assert!(place.read("page.html").contains("Fähre"));
}

#[test]
fn short_help_fits_on_a_page_of_any_command() {
    let place = Place::new();
    let page = |command: &str| {
        let mut help = place.command(&format!("{command} -h"));
        let ran = crate::support::ran(help.env("COLUMNS", "80")).exits(0);
        let lines = ran.out.lines().count();
        assert!(lines <= 40, "{command}: {lines} lines");
        ran.out
    };
    for command in [
        "",
        "documents",
        "threads",
        "sentences",
        "passages",
        "messages",
        "index",
        "lexicon",
        "show",
        "report",
        "params",
        "compare",
        "recluster",
        "judge",
        "tune",
        "completions",
    ] {
        let help = page(command);
        let examples = help.split("Examples:\n").nth(1).unwrap_or_default();
        assert_eq!(examples.lines().count(), 3, "{command}: {help}");
    }
    for command in ["man", "lexicon build", "lexicon show"] {
        page(command);
    }
    for command in [
        "create", "add", "check", "filter", "remove", "merge", "compact", "stats",
    ] {
        page(&format!("index {command}"));
    }
    let help = place.run("passages -h").exits(0).out;
    assert!(
        !help.contains("--deduplicated") && help.contains("--against"),
        "{help}"
    );
}
