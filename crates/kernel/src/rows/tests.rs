//! Every shape of row: its bytes, its way back, its columns.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::*;

/// A line of every shape, as the files of a result have had them from the beginning.
const LINES: [(Shape, &str); 24] = [
    (
        Shape::RecordPairs,
        r#"{"a":"文-1","b":12345678901234567890123,"similarity":1.0}"#,
    ),
    (
        Shape::RecordPairs,
        r#"{"a":1,"b":"1","similarity":null,"verified":false}"#,
    ),
    (
        Shape::ThreadPairs,
        r#"{"a":1,"b":2,"similarity":0.75,"fields":{"title":0.5,"题 \"q\"":null,"answer":5e-5},"more":"b","kind":"other-number","changed":[["3","4"],["","五"]]}"#,
    ),
    (
        Shape::ThreadPairs,
        r#"{"a":1,"b":2,"similarity":null,"verified":false,"fields":{},"more":null,"kind":"same","changed":[]}"#,
    ),
    (
        Shape::MessagePairs,
        r#"{"a":1,"b":"二","similarity":0.75,"kind":"other-name","changed":[["甲","乙"]]}"#,
    ),
    (
        Shape::SentencePairs,
        r#"{"a":{"id":"é","title":"Titel \"q\"","sentence":0,"text":"Am 3. Mai."},"b":{"id":2.50,"title":null,"sentence":17,"text":"Am\t4. Mai.","date":"2013-05-01T08:00:00Z"},"similarity":0.9,"edit_similarity":0.8888888888888888,"kind":"factual-drift","confidence":0.75,"changed":[["3.","4."],["","五"]],"since_a":"2013-04-01T08:00:00Z","parted":"2013-05-01T08:00:00Z"}"#,
    ),
    (
        Shape::DocumentPairs,
        r#"{"a":"x","b":"y","similarity":1e-7,"covered_a":0.0,"covered_b":1.0,"relation":"near-duplicate","passages":3,"group":"multi-page"}"#,
    ),
    (
        Shape::DocumentPairs,
        r#"{"a":"x","b":"y","similarity":0.3,"covered_a":0.1,"covered_b":0.2,"relation":"quotes","passages":1,"group":null}"#,
    ),
    (
        Shape::RecordClusters,
        r#"{"cluster":"b","size":3,"members":["a",7,"b"]}"#,
    ),
    (
        Shape::SentenceClusters,
        r#"{"cluster":"b","sentence":4,"size":2,"members":[{"id":"a","title":null,"sentence":0,"text":"Я."},{"id":"b","title":"T","sentence":4,"text":"я"}]}"#,
    ),
    (
        Shape::DocumentClusters,
        r#"{"cluster":9,"size":2,"members":[9,"p"],"relation":"collection"}"#,
    ),
    (
        Shape::Removed,
        r#"{"id":"a","kept":"b","similarity":0.9333333333333333}"#,
    ),
    (
        Shape::Removed,
        r#"{"id":"a","kept":"b","similarity":null,"verified":false}"#,
    ),
    (
        Shape::Templates,
        r#"{"template":"您的验证码是{1}。","slots":[["4711","08 15",""]],"counts":[[5,1,1]],"size":7,"members":[1,2,3,4,5,"六",7]}"#,
    ),
    (
        Shape::Suggestions,
        r#"{"id":"a","similar":[{"id":7,"similarity":0.5,"fields":{"title":1.0,"答":null}}]}"#,
    ),
    (
        Shape::Passages,
        r#"{"a":{"id":1,"begin":0,"end":40,"first_sentence":0,"sentences":2},"b":{"id":"z","begin":7,"end":49,"first_sentence":1,"sentences":3},"sentences":3,"similarity":0.5}"#,
    ),
    (
        Shape::Passages,
        r#"{"a":{"id":1,"begin":0,"end":4,"first_sentence":0,"sentences":1,"text":"Ein \"文"},"b":{"id":2,"begin":7,"end":9,"first_sentence":1,"sentences":1,"text":"文。"},"sentences":1,"similarity":0.5}"#,
    ),
    (
        Shape::Articles,
        r#"{"a":1,"b":2,"title_a":"Ä","title_b":null,"shared_sentences":5,"chain":1}"#,
    ),
    (
        Shape::Audited,
        r#"{"a":1,"b":"二","similarity":0.75,"missed":false}"#,
    ),
    (
        Shape::Audited,
        r#"{"a":1,"b":2,"similarity":0.9,"missed":true,"sentence_a":0,"sentence_b":7,"text_a":"Ein Satz.","text_b":"一句。"}"#,
    ),
    (
        Shape::Records,
        r#"{"id":"甲","order":3,"rank":-0.5,"length":120,"bytes":340,"source":"页.jsonl","line":7,"title":"题","origin":"站"}"#,
    ),
    (
        Shape::Records,
        r#"{"id":1,"order":1,"rank":null,"length":0,"bytes":0,"source":"a/b.txt","line":null,"copy_of":"b","against":true}"#,
    ),
    (
        Shape::Repeated,
        r#"{"id":7,"name":"7#2","source":"页.jsonl","line":9}"#,
    ),
    (
        Shape::Rejected,
        r#"{"source":"页.jsonl","line":null,"reason":"field \"text\" is missing"}"#,
    ),
];

fn read<T: DeserializeOwned>(line: &str) -> T {
    serde_json::from_str(line).unwrap()
}

fn row(shape: Shape, line: &str) -> Row<'static> {
    match shape {
        Shape::RecordPairs => Row::RecordPair(read(line)),
        Shape::ThreadPairs => Row::ThreadPair(read(line)),
        Shape::MessagePairs => Row::MessagePair(read(line)),
        Shape::SentencePairs => Row::SentencePair(read(line)),
        Shape::DocumentPairs => Row::DocumentPair(read(line)),
        Shape::RecordClusters => Row::RecordCluster(read(line)),
        Shape::SentenceClusters => Row::SentenceCluster(read(line)),
        Shape::DocumentClusters => Row::DocumentCluster(read(line)),
        Shape::Removed => Row::Removed(read(line)),
        Shape::Templates => Row::Template(read(line)),
        Shape::Suggestions => Row::Suggestion(read(line)),
        Shape::Passages => Row::Passage(read(line)),
        Shape::Articles => Row::Article(read(line)),
        Shape::Audited => Row::Audited(read(line)),
        Shape::Records => Row::Record(read(line)),
        Shape::Repeated => Row::Repeated(read(line)),
        Shape::Rejected => Row::Rejected(Cow::Owned(read(line))),
    }
}

fn written(row: &Row<'_, impl Clone + serde::Serialize>) -> String {
    let mut line = Vec::new();
    write_line(row, &mut line).unwrap();
    String::from_utf8(line).unwrap()
}

#[test]
fn a_line_of_every_shape_is_read_and_written_again_byte_for_byte() {
    for (shape, line) in LINES {
        let row = row(shape, line);
        assert_eq!(row.shape(), shape);
        assert_eq!(written(&row), format!("{line}\n"));
    }
    let tried: BTreeSet<Shape> = LINES.iter().map(|(shape, _)| *shape).collect();
    assert_eq!(tried, Shape::ALL.into_iter().collect());
}

#[test]
fn the_columns_are_the_fields_of_the_rows_in_their_order() {
    for (shape, line) in LINES {
        has_columns(line, shape.columns());
    }
}

/// Checks the fields of an object, given as JSON.
fn has_columns(line: &str, columns: &[Column]) {
    let object: Value = read(line);
    let mut at = 0;
    for column in columns {
        let name = format!("\"{}\":", column.name);
        let Some(value) = object.get(column.name) else {
            // Those that are nearly always the same are left out then, and what only sentences or a history have.
            let mut may_lack = vec!["verified", "copy_of", "against", "title", "origin"];
            may_lack.extend(["since_a", "since_b", "parted"]);
            may_lack.extend(["sentence_a", "sentence_b", "text_a", "text_b"]);
            assert!(may_lack.contains(&column.name), "{line}");
            continue;
        };
        at += line[at..]
            .find(&name)
            .unwrap_or_else(|| panic!("{name} is out of order in {line}"));
        if value.is_null() {
            assert!(column.optional, "{name} is null in {line}");
        } else {
            is_of_kind(value, column.kind);
        }
    }
    let known = |name: &String| columns.iter().any(|column| column.name == name);
    assert!(object.as_object().unwrap().keys().all(known), "{line}");
}

fn is_of_kind(value: &Value, kind: ColumnKind) {
    let fits = match kind {
        ColumnKind::Id => value.is_string() || value.is_number(),
        ColumnKind::Text => value.is_string(),
        ColumnKind::Integer => value.is_u64(),
        ColumnKind::Real => value.is_f64(),
        ColumnKind::Boolean => value.is_boolean(),
        ColumnKind::List(kind) => {
            let list = value.as_array().unwrap();
            list.iter().for_each(|value| is_of_kind(value, *kind));
            true
        }
        ColumnKind::ByName(kind) => {
            let fields = value.as_object().unwrap().values();
            let there = fields.filter(|value| !value.is_null());
            there.for_each(|value| is_of_kind(value, *kind));
            true
        }
        ColumnKind::Nested(columns) => {
            let object = value.as_object().unwrap();
            let known = |name: &String| columns.iter().any(|column| column.name == name);
            let mut needed = columns.iter().filter(|column| !column.optional);
            object.keys().all(known) && needed.all(|column| object.contains_key(column.name))
        }
    };
    assert!(fits, "{value} is no {kind:?}");
}

#[test]
fn a_borrowed_row_is_the_same_when_it_is_owned() {
    let [a, b] = ["\"法\"", "-1.50"].map(|json| IdRef::from_json(json).unwrap());
    let quote = |id, text| QuotedSentence {
        id,
        title: Some(Cow::Borrowed("题")),
        sentence: 3,
        text: Cow::Borrowed(text),
        date: Some(Cow::Borrowed("2013-05-01")),
    };
    let place = |id| PassagePlace {
        id,
        begin: 1,
        end: 9,
        first_sentence: 0,
        sentences: 2,
        text: Some(Cow::Borrowed("题")),
    };
    let rejection: Rejection = read(LINES[LINES.len() - 1].1);
    let (fields, members) = ([(Cow::Borrowed("title"), Some(0.5))], [a, b]);
    let (quotes, changed) = (
        [quote(a, "eins"), quote(b, "zwei")],
        [("1".to_string(), "2".to_string())],
    );
    let rows: [Row<'_, IdRef<'_>>; 17] = [
        Row::RecordPair(RecordPair {
            a,
            b,
            similarity: None,
            verified: false,
        }),
        Row::ThreadPair(ThreadPair {
            a,
            b,
            similarity: Some(0.1),
            verified: true,
            fields: Cow::Borrowed(&fields),
            more: None,
            kind: lookalike_pair::assemble::Difference::Edition,
            changed: Cow::Borrowed(&changed),
        }),
        Row::MessagePair(MessagePair {
            a,
            b,
            similarity: Some(0.1),
            verified: true,
            kind: lookalike_pair::assemble::Difference::Wording,
            changed: Cow::Borrowed(&changed),
        }),
        Row::SentencePair(SentencePair {
            a: quote(a, "eins"),
            b: quote(b, "zwei"),
            similarity: Some(0.1),
            verified: true,
            edit_similarity: 0.25,
            kind: lookalike_pair::assemble::Kind::Other,
            confidence: 0.5,
            changed: Cow::Borrowed(&changed),
            since_a: Some(Cow::Borrowed("2013-05-01")),
            since_b: None,
            parted: Some(Cow::Borrowed("2014-05-01")),
        }),
        Row::DocumentPair(DocumentPair {
            a,
            b,
            similarity: 0.5,
            covered_a: 0.25,
            covered_b: 0.125,
            relation: lookalike_pair::assemble::alignment::Relation::Boilerplate,
            passages: 2,
            group: Some(DocumentGroup::Collection),
        }),
        Row::RecordCluster(RecordCluster {
            cluster: b,
            size: 2,
            members: Cow::Borrowed(&members),
        }),
        Row::SentenceCluster(SentenceCluster {
            cluster: b,
            sentence: 3,
            size: 2,
            members: Cow::Borrowed(&quotes),
        }),
        Row::DocumentCluster(DocumentCluster {
            cluster: b,
            size: 2,
            members: Cow::Borrowed(&members),
            relation: DocumentGroup::NearDuplicate,
        }),
        Row::Removed(RemovedRow {
            id: a,
            kept: b,
            similarity: Some(1.0),
            verified: true,
        }),
        Row::Template(TemplateRow {
            template: Cow::Borrowed("题 {1}"),
            slots: vec![vec![Cow::Borrowed("eins"), Cow::Borrowed("")]],
            counts: vec![vec![1, 1]],
            size: 2,
            members: Cow::Borrowed(&members),
        }),
        Row::Suggestion(SuggestionRow {
            id: a,
            similar: vec![Suggested {
                id: b,
                similarity: 0.5,
                fields: Cow::Borrowed(&fields),
            }],
        }),
        Row::Passage(PassageRow {
            a: place(a),
            b: place(b),
            sentences: 2,
            similarity: 0.75,
        }),
        Row::Article(ArticleRow {
            a,
            b,
            title_a: None,
            title_b: Some(Cow::Borrowed("题")),
            shared_sentences: 2,
            chain: None,
        }),
        Row::Audited(AuditedRow {
            a,
            b,
            similarity: 0.5,
            missed: true,
            sentence_a: Some(1),
            sentence_b: None,
            text_a: Some(Cow::Borrowed("题")),
            text_b: None,
        }),
        Row::Record(RecordRow {
            id: a,
            order: 7,
            rank: Some(0.5),
            length: 12,
            bytes: 30,
            source: Cow::Borrowed("页.jsonl"),
            line: None,
            title: Some(Cow::Borrowed("题")),
            origin: None,
            copy_of: Some(b),
            against: true,
        }),
        Row::Repeated(RepeatedRow {
            id: b,
            name: a,
            source: Cow::Borrowed("页.jsonl"),
            line: Some(3),
        }),
        Row::Rejected(Cow::Borrowed(&rejection)),
    ];
    for (borrowed, shape) in rows.iter().zip(Shape::ALL) {
        let (owned, line) = (borrowed.to_owned(), written(borrowed));
        assert_eq!((owned.shape(), &written(&owned)), (shape, &line));
        assert_eq!(row(shape, &line), owned);
    }
}

#[test]
fn relations_and_kinds_have_one_name() {
    use lookalike_pair::assemble::Kind;
    use lookalike_pair::assemble::alignment::Relation;
    for relation in Relation::ALL {
        assert_eq!(serde_json::to_value(relation).unwrap(), relation.name());
    }
    for kind in Kind::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
    }
}
