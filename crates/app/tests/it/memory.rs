//! Records in memory and rows in memory: the same result as from file to folder.

use std::fs;
use std::path::Path;

use lookalike::engine::{self, Destination, MemorySink, MemorySource, WorkOptions, Workspace};
use lookalike::kernel::rows::{Row, Table, write_line};
use lookalike::{Kernel, Pairs, Request, RunOptions, Spec, Unobserved, jobs, run};
use serde_json::{Map, Value};

type Record = Vec<(&'static str, String)>;

const SENTENCES: [&str; 8] = [
    "The ferry leaves the old harbour at nine and the crossing takes forty minutes in calm weather.",
    "Since the bridge was closed in 1987 nobody has crossed the river by car or on a bicycle.",
    "渡轮每天早上九点从旧港出发，天气好的时候四十分钟就到对岸，票价十五元。",
    "Паром отходит от старой пристани в девять часов утра каждый день кроме воскресенья.",
    "The council \"decided\" in May to build a new pier beside the market, which was finished within a year.",
    "Die Fähre legt um neun Uhr vom alten Hafen ab und braucht bei ruhigem Wetter vierzig Minuten.",
    "Fishermen still sell their catch on the quay every morning, long before the first tourists arrive.",
    "A lighthouse was built on the northern cape in 1902 and has been without a keeper since 1974.",
];

/// Articles that quote each other, some in other words; what is no article comes last.
fn records() -> Vec<Record> {
    let article = |number: usize| -> Record {
        let mut text = String::new();
        for (place, sentence) in SENTENCES.iter().enumerate() {
            if (number * 7 + place * 5) % 11 < 6 || number.is_multiple_of(5) {
                text.push_str(sentence);
                text.push('\n');
            }
        }
        match number % 4 {
            1 => text = text.replace("1987", "1988").replace("nine", "ten"),
            2 => text = text.replace("old harbour", "new harbour"),
            _ => {}
        }
        vec![
            ("id", format!("文-{}", number / 2 * 10 + number)),
            ("title", format!("Harbour {}", number % 3)),
            ("body", text.chars().take(200).collect()),
            ("answer", text.chars().skip(100).collect()),
            ("text", text),
        ]
    };
    let mut records: Vec<Record> = (0..24).map(article).collect();
    records.push(vec![("id", "no text".to_string())]);
    records
}

fn specs() -> Vec<Spec> {
    let mut specs: Vec<Spec> = jobs::JOBS.iter().map(|&job| Spec::of_job(job)).collect();
    let mut all = Spec {
        pairs: Pairs::All,
        threshold: Some(0.2),
        ..Spec::default()
    };
    all.features.method = Some("shingles:words:1".to_string());
    specs.push(all);
    specs.push(Spec {
        pairs: Pairs::None,
        ..Spec::of_job(jobs::THREADS)
    });
    specs
}

fn to_folder(spec: &Spec, folder: &Path) {
    let input = folder.join("records.jsonl");
    let line = |record: &Record| {
        let fields = record.iter();
        let fields = fields.map(|(name, text)| ((*name).to_string(), Value::from(text.as_str())));
        format!("{}\n", Value::from(fields.collect::<Map<_, _>>()))
    };
    fs::write(&input, records().iter().map(line).collect::<String>()).unwrap();
    let mut options = RunOptions::new(folder.join("out"));
    options.threads = 2;
    let request = Request::new(spec.clone(), [input.to_str().unwrap()]);
    run(&request, &options, &Unobserved).unwrap();
}

fn to_memory(spec: &Spec, folder: &Path) -> MemorySink {
    let source = MemorySource::new("records", records());
    let request = engine::Request::new(Kernel::new(spec).unwrap(), &source);
    let workspace = Workspace::claim(&WorkOptions::new(folder.join("work"))).unwrap();
    let mut sink = MemorySink::default();
    let destination = Destination::new(workspace, &mut sink);
    let mut options = engine::RunOptions::default();
    options.threads = 3;
    let summary = engine::run(&request, destination, &options, &Unobserved).unwrap();
    assert_eq!(sink.summary(), Some(&summary));
    sink
}

#[test]
fn rows_in_memory_are_those_of_the_files() {
    for spec in specs() {
        let folder = tempfile::tempdir().unwrap();
        to_folder(&spec, folder.path());
        let sink = to_memory(&spec, folder.path());
        let job = spec.job.name();
        let mut rows = 0;
        for table in Table::ALL {
            let file = folder.path().join("out").join(format!("{table}.jsonl"));
            let there = sink.tables().any(|other| other == table);
            assert_eq!(file.exists(), there, "{table} of {job}");
            // What is wrong with a record is said in other words, and where it stands is another place.
            if !there || matches!(table, Table::Rejected | Table::Records) {
                continue;
            }
            let mut lines = Vec::new();
            for row in sink.rows(table) {
                assert_eq!(row.shape().table(), table);
                write_line(row, &mut lines).unwrap();
            }
            assert_eq!(
                String::from_utf8(lines).unwrap(),
                fs::read_to_string(file).unwrap(),
                "{table} of {job}"
            );
            rows += sink.rows(table).len();
        }
        assert!(rows > 3, "{job} found next to nothing");
        let [Row::Rejected(rejection)] = sink.rows(Table::Rejected) else {
            panic!("{job}: {:?}", sink.rows(Table::Rejected));
        };
        assert_eq!(rejection.line, Some(25));
    }
}
