//! Threads of questions and answers: how to run the program on them, what it says of pairs, and a corpus of many.

use std::path::Path;

use serde_json::{Value, json};

use super::corpus::{Language, Random};
use super::{Place, Ran};

impl Place {
    /// `lookalike threads` on these arguments, into the folder `out`.
    pub(crate) fn threads(&self, arguments: &str) -> Ran {
        self.run(&format!("threads --out out {arguments}"))
    }

    /// The pairs of a run that must have been clean.
    #[track_caller]
    pub(crate) fn thread_pairs(&self, arguments: &str) -> Vec<ThreadPair> {
        self.threads(arguments).exits(0);
        thread_pairs(&self.path("out"))
    }

    /// The summary of the run in `out`.
    pub(crate) fn summary(&self) -> Value {
        serde_json::from_str(&self.read("out/summary.json")).unwrap()
    }
}

/// A line of `pairs.jsonl`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ThreadPair {
    pub(crate) a: Value,
    pub(crate) b: Value,
    pub(crate) similarity: f64,
    pub(crate) fields: Value,
    pub(crate) more: Value,
}

impl ThreadPair {
    /// The similarity of a field.
    pub(crate) fn field(&self, name: &str) -> Option<f64> {
        self.fields[name].as_f64()
    }
}

pub(crate) fn thread_pairs(out: &Path) -> Vec<ThreadPair> {
    let text = std::fs::read_to_string(out.join("pairs.jsonl")).unwrap();
    let pair = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        assert_eq!(line.as_object().unwrap().len(), 7, "{line}");
        ThreadPair {
            a: line["a"].clone(),
            b: line["b"].clone(),
            similarity: line["similarity"].as_f64().unwrap(),
            fields: line["fields"].clone(),
            more: line["more"].clone(),
        }
    };
    text.lines().map(pair).collect()
}

/// A thread as it goes into a file.
pub(crate) fn thread(id: impl Into<Value>, [title, body, answer]: [&str; 3]) -> Value {
    json!({"id": id.into(), "title": title, "body": body, "answer": answer})
}

/// Records as JSON Lines.
pub(crate) fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// Many threads with numbers as ids; a third ask again what one before them asked, some have no body or no answer.
pub(crate) fn many_threads(records: usize, seed: u64) -> Vec<Value> {
    let mut random = Random(seed);
    let mut threads: Vec<(Language, [Vec<String>; 3])> = Vec::new();
    for _ in 0..records {
        let again = (threads.len() > 50 && random.one_in(3)).then(|| random.below(threads.len()));
        let thread = match again {
            Some(earlier) => {
                let (language, mut fields) = threads[earlier].clone();
                let changed = &mut fields[random.below(3)];
                if let Some(last) = changed.last_mut() {
                    *last = language.word(&mut random);
                }
                (language, fields)
            }
            None => {
                let language = if random.one_in(3) {
                    Language::Chinese
                } else {
                    Language::English
                };
                let lengths = [
                    4 + random.below(5),
                    random.below(3) * 7,
                    if random.one_in(6) {
                        0
                    } else {
                        6 + random.below(14)
                    },
                ];
                let words = |length| (0..length).map(|_| language.word(&mut random)).collect();
                (language, lengths.map(words))
            }
        };
        threads.push(thread);
    }
    let record = |(number, (language, fields)): (usize, &(Language, [Vec<String>; 3]))| {
        let [title, body, answer] = fields.each_ref().map(|words| language.text(words));
        thread(number + 1, [&title, &body, &answer])
    };
    threads.iter().enumerate().map(record).collect()
}

/// The threads of the literature, and others about other people.
pub(crate) fn birthdays() -> Vec<Value> {
    vec![
        thread(
            "jay",
            [
                "When is the birthday of Jay?",
                "The birthday of Jay.",
                "January 18th, 1979",
            ],
        ),
        thread(
            "jay again",
            [
                "Who can tell me what's the Jay's birthday?",
                "Jay \"male, top R&B singer\", I want to know when he was born.",
                "18/1/1979",
            ],
        ),
        thread(
            "mara",
            [
                "When is the birthday of Mara?",
                "The birthday of Mara.",
                "March 3rd, 1981",
            ],
        ),
        thread(
            "leon",
            [
                "Who can tell me what's the Leon's birthday?",
                "Leon \"male, top R&B singer\", I want to know when he was born.",
                "7/5/1984",
            ],
        ),
        thread(
            "ines",
            ["Does anybody know the birthday of Ines?", "", "2 June 1990"],
        ),
        thread(
            "杰",
            ["周杰的生日是哪一天？", "周杰的生日。", "1979年1月18日"],
        ),
        thread(
            "又杰",
            [
                "谁能告诉我周杰的生日是什么时候？",
                "很红的男歌手周杰，我想知道他是哪天出生的。",
                "1979-01-18",
            ],
        ),
        thread(
            "菲",
            ["王菲菲的生日是哪一天？", "王菲菲的生日。", "1969年8月8日"],
        ),
        thread(
            "林",
            [
                "谁能告诉我林木的生日是什么时候？",
                "很红的男歌手林木，我想知道他是哪天出生的。",
                "1981-03-27",
            ],
        ),
    ]
}

/// Questions of which one has an answer that says more.
pub(crate) fn kettles() -> Vec<Value> {
    let question = [
        "How do I descale a kettle?",
        "There is chalk at the bottom of my kettle.",
    ];
    let wall = ["墙上的洞怎么补？", "租的房子要退了。"];
    vec![
        thread(
            "short",
            [
                question[0],
                question[1],
                "Boil water with citric acid in it.",
            ],
        ),
        thread(
            "long",
            [
                "How can I descale a kettle?",
                question[1],
                "Boil water with citric acid in it, wait for an hour, and rinse it twice.",
            ],
        ),
        thread(
            "长",
            [
                wall[0],
                wall[1],
                "先用石膏把洞填平，干了以后用砂纸磨，再刷一层漆。",
            ],
        ),
        thread("短", [wall[0], wall[1], "先用石膏把洞填平。"]),
        thread(
            "oven",
            [
                "How do I clean an oven?",
                "There is fat at the bottom of my oven.",
                "With soda.",
            ],
        ),
    ]
}

/// A place with these threads in `threads.jsonl`.
pub(crate) fn with(records: &[Value]) -> Place {
    let place = Place::new();
    place.write("threads.jsonl", lines(records));
    place
}

/// The ids of pairs.
pub(crate) fn ids(pairs: &[ThreadPair]) -> Vec<(&str, &str)> {
    pairs
        .iter()
        .map(|pair| (pair.a.as_str().unwrap(), pair.b.as_str().unwrap()))
        .collect()
}

/// The ids of removed threads.
pub(crate) fn removed(place: &Place) -> Vec<String> {
    let text = place.read("out/removed.jsonl");
    let id = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["id"].as_str().unwrap().to_string()
    };
    text.lines().map(id).collect()
}
