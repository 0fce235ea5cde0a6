//! Every table comes back from every format as it was.

use std::fs;

use super::*;

const PAIRS: &str = r#"{"a":7,"b":12,"similarity":0.9333333333333333}
{"a":7,"b":-3,"similarity":null,"verified":false}
"#;

const THREADS: &str = r#"{"a":"甲,\"1\"","b":2,"similarity":0.75,"fields":{"title":0.5,"题 \"q\"":null,"answer":5e-5},"more":"b","kind":"wording","changed":[["3.","4."],["","五"]]}
{"a":"zwei\nZeilen","b":" x ","similarity":1.0,"fields":{},"more":null,"kind":"same","changed":[]}
"#;

const SENTENCES: &str = r#"{"a":{"id":"é","title":"Titel \"q\"","sentence":0,"text":"Am 3. Mai."},"b":{"id":"2","title":null,"sentence":17,"text":"Am\t4. Mai."},"similarity":0.9,"edit_similarity":0.8888888888888888,"kind":"factual-drift","confidence":0.75,"changed":[["3.","4."],["","五"]]}
"#;

const PASSAGES: &str = r#"{"a":{"id":1,"begin":0,"end":4,"first_sentence":0,"sentences":1,"text":"Ein \"文"},"b":{"id":2,"begin":7,"end":9,"first_sentence":1,"sentences":1,"text":"文。"},"sentences":1,"similarity":0.5}
"#;

const CLUSTERS: &str = r#"{"cluster":"b","size":3,"members":["a","7","b"],"texts":["一","","x,y"]}
"#;

const RECORDS: &str = r#"{"id":"甲","order":3,"rank":-0.5,"length":120,"bytes":340,"source":"页.jsonl","line":7,"title":"题","origin":"站"}
{"id":"b","order":1,"rank":null,"length":0,"bytes":0,"source":"a/b.txt","line":null,"copy_of":"c","against":true}
"#;

const REJECTED: &str = r#"{"source":"页.jsonl","line":null,"reason":"field \"text\" is missing"}
"#;

const TABLES: [(Table, &str); 7] = [
    (Table::Pairs, PAIRS),
    (Table::Pairs, THREADS),
    (Table::Pairs, SENTENCES),
    (Table::Passages, PASSAGES),
    (Table::Clusters, CLUSTERS),
    (Table::Records, RECORDS),
    (Table::Rejected, REJECTED),
];

/// The lines as values, without what is said by being left out, and with ids of one type.
fn values(lines: &str, ids: Ids) -> Vec<serde_json::Value> {
    let values = lines.lines().map(|line| {
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
        let row = value.as_object_mut().unwrap();
        let said = |name: &str| row.get(name).cloned();
        for (name, unsaid) in [
            ("verified", serde_json::Value::Bool(true)),
            ("against", false.into()),
            ("copy_of", serde_json::Value::Null),
        ] {
            if said(name) == Some(unsaid) {
                row.remove(name);
                break;
            }
        }
        let may_lack = ["copy_of", "title", "origin"];
        row.retain(|name, value| !(may_lack.contains(&name.as_str()) && value.is_null()));
        row.retain(|name, value| !(name == "against" && value == false));
        if let (Some(b), Ids::Texts) = (row.get_mut("b").filter(|b| b.is_number()), ids) {
            *b = b.to_string().into();
        }
        value
    });
    values.collect()
}

#[test]
fn a_table_of_any_shape_comes_back_from_any_format() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (table, lines)) in TABLES.into_iter().enumerate() {
        let from = folder.path().join(format!("{number}.jsonl"));
        fs::write(&from, lines).unwrap();
        let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        let names: Vec<&str> = first
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let own: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| *name != "texts")
            .collect();
        let shape = Shape::recognise(table, &own).unwrap();
        let mut columns = shape.columns().to_vec();
        columns.extend(texts::columns_of(shape));
        let number_ids = has_number_ids(&columns, &from).unwrap();
        assert_eq!(number_ids, [PAIRS, PASSAGES, REJECTED].contains(&lines));
        let ids = match number_ids {
            true => Ids::Numbers,
            false => Ids::Texts,
        };
        let columns = Columns { columns, ids };
        for format in [TableFormat::Csv, TableFormat::Parquet] {
            let to = folder.path().join(format!("{number}.{}", format.name()));
            convert(format, &columns, &from, &to).unwrap();
            let back = folder.path().join("back.jsonl");
            let form = TablesForm {
                format: format.name().to_string(),
                number_ids,
            };
            restore_table(table, &form, &to, &back).unwrap();
            let mut restored = values(&fs::read_to_string(&back).unwrap(), ids);
            for row in &mut restored {
                // Texts and dates that were not there are null.
                let row = row.as_object_mut().unwrap();
                let may_lack = ["text", "since_a", "since_b", "parted"];
                row.retain(|name, value| {
                    !(value.is_null() && may_lack.iter().any(|lacked| name.starts_with(lacked)))
                });
                for side in ["a", "b"] {
                    if let Some(side) = row.get_mut(side).and_then(|side| side.as_object_mut()) {
                        side.retain(|name, value| !(name == "date" && value.is_null()));
                    }
                }
            }
            assert_eq!(restored, values(lines, ids), "{}", format.name());
        }
    }
}

#[test]
fn nested_values_are_json_in_a_cell() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in"), folder.path().join("out"));
    fs::write(&from, THREADS).unwrap();
    let columns = Columns {
        columns: Shape::ThreadPairs.columns().to_vec(),
        ids: Ids::Texts,
    };
    convert(TableFormat::Csv, &columns, &from, &to).unwrap();
    let written = fs::read_to_string(&to).unwrap();
    let mut lines = written.lines();
    assert_eq!(
        lines.next(),
        Some("a,b,similarity,verified,fields,more,kind,changed")
    );
    assert_eq!(
        lines.next(),
        Some(
            r#""甲,""1""",2,0.75,true,"{""title"":0.5,""题 \""q\"""":null,""answer"":5e-5}",b,wording,"[[""3."",""4.""],["""",""五""]]""#
        )
    );
}

#[test]
fn a_damaged_table_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("in"), folder.path().join("out"));
    for (format, bytes) in [("csv", "a,b\n1"), ("csv", ""), ("parquet", "PAR1 文 PAR1")] {
        fs::write(&from, bytes).unwrap();
        let form = TablesForm {
            format: format.to_string(),
            number_ids: true,
        };
        assert!(
            restore_table(Table::Pairs, &form, &from, &to).is_err(),
            "{bytes}"
        );
    }
}
