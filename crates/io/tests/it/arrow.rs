//! Arrow record batches as records: in place and copied to a file they are the same.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Int64Array, RecordBatch, RecordBatchIterator, StringArray,
    StringViewArray, StructArray,
};
use arrow_schema::{DataType, Field as Column};
use lookalike_engine::{Block, Source};
use lookalike_io::{ArrowRecords, Field, Wanted};

fn batches() -> Vec<RecordBatch> {
    let batch = |first: i64, texts: Vec<Option<&str>>| {
        let ids: Int64Array = (first..).take(texts.len()).map(Some).collect();
        let kinds: DictionaryArray<Int8Type> =
            texts.iter().map(|text| text.map(|_| "新闻")).collect();
        let inner: ArrayRef = Arc::new(StringViewArray::from(texts.clone()));
        let nested = StructArray::from(vec![(
            Arc::new(Column::new("text", DataType::Utf8View, true)),
            inner,
        )]);
        let columns: [(&str, ArrayRef); 4] = [
            ("id", Arc::new(ids)),
            ("text", Arc::new(StringArray::from(texts))),
            ("kind", Arc::new(kinds)),
            ("doc", Arc::new(nested)),
        ];
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
            .unwrap()
    };
    vec![
        batch(1, vec![Some("Ein Satz."), None, Some("")]),
        batch(4, vec![]),
        batch(4, vec![Some("一句话。"); 5000]),
    ]
}

/// The ids, texts, kinds and nested texts of all records, or why they are rejected.
fn read(records: &ArrowRecords) -> Vec<String> {
    let wanted = Wanted::new([
        Field::text("text"),
        Field::optional("id"),
        Field::optional("kind"),
        Field::optional("doc.text"),
        Field::optional("nowhere"),
    ]);
    let (mut pass, mut block, mut found) = (records.pass(&wanted), Block::default(), Vec::new());
    let mut places = Vec::new();
    while pass.next_block(&mut block).unwrap() {
        places.push((block.place, found.len()));
        block
            .decode(&mut |_| true, &mut |_, record| {
                found.push(match record {
                    Ok(record) => format!("{} {:?}", record.line, record.values),
                    Err(rejection) => format!("{:?} {}", rejection.line, rejection.reason),
                });
            })
            .unwrap();
    }
    // Every block is found again.
    for (place, first) in places.into_iter().rev() {
        pass.seek(place).unwrap();
        assert!(pass.next_block(&mut block).unwrap());
        let mut again = None;
        let mut each = |_, record: Result<lookalike_io::Record<'_>, _>| {
            again.get_or_insert(record.map(|record| record.line).ok());
        };
        block.decode(&mut |slot| slot == 0, &mut each).unwrap();
        let line = again.flatten();
        assert!(line.is_none_or(|line| line == first as u64 + 1));
    }
    found
}

#[test]
fn batches_in_place_and_copied_are_the_same_records() {
    let (batches, folder) = (batches(), tempfile::tempdir().unwrap());
    let schema = batches[0].schema();
    let in_place = ArrowRecords::in_place("data", Arc::clone(&schema), batches.clone(), true);
    let stream = RecordBatchIterator::new(batches.clone().into_iter().map(Ok), Arc::clone(&schema));
    let copied = ArrowRecords::spooled("data", stream, folder.path()).unwrap();
    let found = read(&in_place);
    assert_eq!(found.len(), 5003);
    assert_eq!(
        found[0],
        "1 [Text(\"Ein Satz.\"), Number(\"1\"), Text(\"新闻\"), Text(\"Ein Satz.\"), Missing]"
    );
    assert_eq!(found[1], "Some(2) field \"text\" is null, not a string");
    assert_eq!(read(&copied), found);
    assert_eq!((copied.rows(), in_place.rows()), (5003, 5003));
    let again: usize = copied
        .batches()
        .map(|batch| batch.unwrap().num_rows())
        .sum();
    assert_eq!(again, 5003);
    // Nothing is left where the copy was.
    drop(copied);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_is_read_tells_other_data_apart() {
    let (batches, schema) = (batches(), batches()[0].schema());
    let print = |batches: &[RecordBatch], looks: bool| {
        ArrowRecords::in_place("data", Arc::clone(&schema), batches.to_vec(), looks).fingerprint()
    };
    let mut others = batches.clone();
    let texts = StringArray::from(vec![Some("Ein Satz!"), None, Some("")]);
    let mut columns = batches[0].columns().to_vec();
    columns[1] = Arc::new(texts);
    others[0] = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    assert_ne!(print(&batches, true), print(&others, true));
    assert_eq!(print(&batches, true), print(&batches, true));
    assert_ne!(print(&batches, false), print(&batches[..1], false));
}

#[test]
fn a_column_that_is_not_there_is_an_error_and_a_large_record_a_rejection() {
    let batches = batches();
    let records = ArrowRecords::in_place("data", batches[0].schema(), batches, false);
    let error = records
        .check(&Wanted::new([Field::text("body")]))
        .unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no column \"body\"; its columns are: id, text, kind")
    );
    let found = read(&records.with_largest(10));
    assert!(found[0].contains("larger than 10 bytes"), "{}", found[0]);
    assert_eq!(
        found.iter().filter(|line| line.contains("larger")).count(),
        5001
    );
}
