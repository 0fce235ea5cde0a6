//! Labelled pairs of questions in two languages, and threads with them, for what is tuned and judged.

use serde_json::{Value, json};

use super::Place;

const SUBJECTS: [(&str, &str); 8] = [
    ("ferry", "渡轮"),
    ("train", "火车"),
    ("museum", "博物馆"),
    ("bakery", "面包店"),
    ("library", "图书馆"),
    ("harbour", "港口"),
    ("school", "学校"),
    ("airport", "机场"),
];

/// The same question in other words, and another question about the same subject, in two languages.
pub(crate) fn pairs() -> Vec<(String, String, u8)> {
    let mut pairs = Vec::new();
    for (english, chinese) in SUBJECTS {
        for hour in 1..4 {
            pairs.push((
                format!("When does the {english} open at {hour} on Sunday?"),
                format!("When does the {english} open on Sunday at {hour}"),
                1,
            ));
            pairs.push((
                format!("When does the {english} open at {hour} on Sunday?"),
                format!("Who built the {english} in town {hour}?"),
                0,
            ));
            pairs.push((
                format!("{chinese}星期天{hour}点开门吗？"),
                format!("星期天{hour}点{chinese}开门吗"),
                1,
            ));
            pairs.push((
                format!("{chinese}星期天{hour}点开门吗？"),
                format!("谁建了{hour}号的{chinese}"),
                0,
            ));
        }
    }
    pairs
}

/// The labelled pairs as `pairs.jsonl`.
pub(crate) fn place() -> Place {
    let place = Place::new();
    let lines: String = pairs()
        .iter()
        .map(|(a, b, label)| format!("{}\n", json!({"a": a, "b": b, "label": label})))
        .collect();
    place.write("pairs.jsonl", lines);
    place
}

/// What `lookalike judge` answers.
pub(crate) fn judged(place: &Place, arguments: &str) -> Value {
    let ran = place.run(&format!("judge --json {arguments}")).exits(0);
    serde_json::from_str(&ran.out).unwrap()
}

/// Threads of two fields with an id each, all different, and labelled pairs of these ids.
pub(crate) fn threads() -> Place {
    let place = Place::new();
    let mut ids: Vec<String> = Vec::new();
    let mut id = |text: &str| {
        let known = ids.iter().position(|other| other == text);
        known.unwrap_or_else(|| {
            ids.push(text.to_string());
            ids.len() - 1
        })
    };
    let line = |(a, b, label): &(String, String, u8)| {
        format!("{}\n", json!({"a": id(a), "b": id(b), "label": label}))
    };
    let gold: String = pairs().iter().map(line).collect();
    let record = |(id, title): (usize, &String)| {
        let body = match id % 3 {
            0 => Value::Null,
            1 => json!(format!("Please tell me on {} May. 谢谢", id % 28 + 1)),
            _ => json!(format!("{title} I have to know it.")),
        };
        format!("{}\n", json!({"id": id, "title": title, "body": body}))
    };
    let records: String = ids.iter().enumerate().map(record).collect();
    place.write("gold.jsonl", gold);
    place.write("corpus.jsonl", records);
    place
}
