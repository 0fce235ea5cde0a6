//! CSV against the `csv` crate's parser, and Parquet with all it can hold.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::*;
use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, BooleanArray, Date32Array, DictionaryArray,
    Float64Array, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray,
    StringViewArray,
};
use arrow_schema::{Field as ArrowField, Schema};
use lookalike_io::{Block, CleanWriter, Field, Input, InputOptions, Reader, Wanted};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use proptest::prelude::*;

/// The rows of a CSV file as `csv-core` sees them.
fn reference(content: &[u8]) -> Vec<Vec<String>> {
    let mut parser = csv_core::ReaderBuilder::new()
        .terminator(csv_core::Terminator::Any(b'\n'))
        .build();
    let (mut rows, mut rest) = (Vec::new(), content);
    let (mut output, mut ends) = (vec![0; content.len() + 1], vec![0; content.len() + 2]);
    let (mut written, mut cells) = (0, 0);
    loop {
        let (result, read, wrote, ended) =
            parser.read_record(rest, &mut output[written..], &mut ends[cells..]);
        rest = &rest[read..];
        written += wrote;
        cells += ended;
        match result {
            csv_core::ReadRecordResult::Record => {
                let starts = [0].into_iter().chain(ends[..cells].iter().copied());
                let row = starts.zip(&ends[..cells]);
                rows.push(
                    row.map(|(from, &to)| String::from_utf8(output[from..to].to_vec()).unwrap())
                        .collect(),
                );
                (written, cells) = (0, 0);
            }
            csv_core::ReadRecordResult::End => return rows,
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn csv_is_read_as_the_csv_crate_reads_it(body in "([a一\",\n]|\"\"|\",\"|\n\"){0,40}", block_bytes in 1_usize..60) {
        let content = format!("text,id\n{body}");
        let expected: Vec<_> = reference(content.as_bytes()).into_iter().skip(1).collect();
        // With an open quote, what follows is no row of its own.
        let followed = reference(format!("{content}\na").as_bytes());
        prop_assume!(followed.len() == expected.len() + 2);
        let options = InputOptions::default().with(|options| options.block_bytes = block_bytes);
        let found = read_content("a.csv", content.as_bytes(), &options).unwrap().outcomes();
        prop_assert_eq!(found.len(), expected.len());
        for (found, expected) in found.into_iter().zip(expected) {
            match found {
                Err(_) => prop_assert_ne!(expected.len(), 2),
                Ok((_, values)) => {
                    let id = if expected[1].is_empty() { "missing" } else { &expected[1] };
                    prop_assert_eq!(values, [expected[0].as_str(), id]);
                }
            }
        }
    }
}

#[test]
fn tsv_and_carriage_returns_are_fine() {
    let pass = read_content(
        "a.tsv",
        "id\ttext\r\n1\ta, b\r\n\r\n2\t\"二\tc\"\r\n".as_bytes(),
        &InputOptions::default(),
    );
    assert_eq!(pass.unwrap().texts(), ["a, b", "二\tc"]);
}

const ROWS: usize = 3000;

/// A column of every kind, and one that is nested.
fn batch() -> RecordBatch {
    let texts: Vec<Option<String>> = (0..ROWS)
        .map(|row| (row % 100 != 50).then(|| format!("Zeile {row} 行 {}", "x".repeat(row % 70))))
        .collect();
    let mut tags = ListBuilder::new(StringBuilder::new());
    for row in 0..ROWS {
        (0..row % 3).for_each(|tag| tags.values().append_value(format!("标签 {tag}")));
        tags.append(true);
    }
    let numbers = (0..ROWS as i64).collect::<Vec<_>>();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from(numbers.clone()))),
        ("text", Arc::new(StringArray::from(texts.clone()))),
        ("large", Arc::new(LargeStringArray::from(texts.clone()))),
        ("view", Arc::new(StringViewArray::from(texts.clone()))),
        (
            "dictionary",
            Arc::new(
                texts
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
        ),
        (
            "binary",
            Arc::new(BinaryArray::from_iter(texts.iter().map(Option::as_ref))),
        ),
        (
            "large binary",
            Arc::new(LargeBinaryArray::from_iter(
                texts.iter().map(Option::as_ref),
            )),
        ),
        (
            "binary view",
            Arc::new(BinaryViewArray::from_iter(texts.iter().map(Option::as_ref))),
        ),
        ("tags", Arc::new(tags.finish())),
        (
            "date",
            Arc::new(Date32Array::from_iter_values(
                numbers.iter().map(|number| *number as i32),
            )),
        ),
        (
            "score",
            Arc::new(Float64Array::from_iter_values(
                numbers.iter().map(|number| *number as f64 / 4.0),
            )),
        ),
        (
            "good",
            Arc::new(BooleanArray::from_iter(
                numbers.iter().map(|number| Some(number % 2 == 0)),
            )),
        ),
    ];
    let fields: Vec<ArrowField> = columns
        .iter()
        .map(|(name, array)| ArrowField::new(*name, array.data_type().clone(), true))
        .collect();
    let metadata = [("origin".to_owned(), "自己".to_owned())].into();
    let schema = Schema::new(fields).with_metadata(metadata);
    RecordBatch::try_new(
        Arc::new(schema),
        columns.into_iter().map(|(_, array)| array).collect(),
    )
    .unwrap()
}

fn write_parquet(folder: &Path, compression: Compression) -> PathBuf {
    let path = folder.join("table.parquet");
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_max_row_group_row_count(Some(1024))
        .set_data_page_row_count_limit(100)
        .build();
    let batch = batch();
    let mut writer = ArrowWriter::try_new(
        File::create(&path).unwrap(),
        batch.schema(),
        Some(properties),
    )
    .unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

fn read_parquet(path: &Path) -> RecordBatch {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<RecordBatch> = builder.build().unwrap().map(Result::unwrap).collect();
    arrow_select::concat::concat_batches(&schema, &batches).unwrap()
}

fn small_blocks() -> InputOptions {
    InputOptions::default().with(|options| options.block_bytes = 4000)
}

#[test]
fn every_kind_of_text_column_is_read_and_nulls_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        zstd,
        Compression::LZ4_RAW,
    ] {
        let path = write_parquet(folder.path(), compression);
        let input = resolve(&path, &small_blocks()).unwrap();
        for column in [
            "text",
            "large",
            "view",
            "dictionary",
            "binary",
            "large binary",
            "binary view",
        ] {
            let wanted = Wanted::new([
                Field::text(column),
                Field::optional("id"),
                Field::optional("none"),
            ]);
            let pass = read(&input, &wanted).unwrap();
            let outcomes = pass.outcomes();
            assert_eq!(outcomes.len(), ROWS);
            assert!(pass.blocks.len() > 10);
            assert_eq!(outcomes[51].as_ref().unwrap().0, 52);
            assert_eq!(
                outcomes[2].as_ref().unwrap().1,
                ["Zeile 2 行 xx", "number 2", "missing"]
            );
            assert_eq!(pass.reasons().len(), ROWS / 100);
            assert_eq!(
                pass.reasons()[0],
                format!("51: field \"{column}\" is null, not a string")
            );
        }
        assert_repeatable(&input, &wanted());
    }
}

#[test]
fn binary_that_is_no_text_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let texts: ArrayRef = Arc::new(BinaryArray::from_iter_values([&b"\xff"[..], b"gut"]));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    let path = folder.path().join("bytes.parquet");
    let mut writer =
        ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let pass = read_file(&path, &InputOptions::default()).unwrap();
    assert_eq!(pass.texts(), ["gut"]);
    let reason = "1: field \"text\" is invalid UTF-8, not a string";
    assert_eq!(pass.reasons(), [reason]);
}

/// Writes a table of so many rows that have one of three long texts, which a dictionary holds once.
fn write_repeated(folder: &Path, rows: usize, statistics: EnabledStatistics) -> PathBuf {
    let texts = ["一", "b", "c"].map(|part| part.repeat(300_000));
    let texts = (0..rows).map(|row| texts[row % 3].as_str());
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_dictionary_page_size_limit(1 << 24)
        .set_statistics_enabled(statistics)
        .build();
    let path = folder.join(format!("repeated {rows}.parquet"));
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    path
}

#[test]
fn a_text_that_many_rows_have_counts_for_each_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_repeated(folder.path(), 100, EnabledStatistics::Page);
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let (wanted, mut block) = (wanted(), Block::default());
    let mut reader = Reader::new(&input, &wanted);
    let mut rows = 0;
    while reader.next_block(&mut block).unwrap() {
        assert!(block.bytes_held() <= 5 << 20, "{}", block.bytes_held());
        let mut bytes = 0;
        let slots = block.decode(&mut |_| true, &mut |_, record| {
            bytes += record.unwrap().values[0].text().unwrap().len();
        });
        rows += slots.unwrap();
        assert!(bytes <= block.bytes_held() * 2);
    }
    assert_eq!(rows, 100);
}

#[test]
fn a_few_huge_texts_are_in_blocks_of_few_rows() {
    let folder = tempfile::tempdir().unwrap();
    let text = |row: usize| {
        "一".repeat(if (100..106).contains(&row) {
            1_000_000
        } else {
            1
        })
    };
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..300).map(text)));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_write_batch_size(1)
        .build();
    let path = folder.path().join("huge.parquet");
    let file = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let input = resolve(&path, &InputOptions::default()).unwrap();
    let mut bytes_and_texts = Vec::new();
    let (wanted, mut block) = (wanted(), Block::default());
    let mut reader = Reader::new(&input, &wanted);
    while reader.next_block(&mut block).unwrap() {
        let mut bytes = 0;
        let slots = block.decode(&mut |_| true, &mut |_, record| {
            bytes += record.unwrap().values[0].text().unwrap().len();
        });
        bytes_and_texts.push((block.bytes_held(), bytes, slots.unwrap()));
    }
    let rows: u32 = bytes_and_texts.iter().map(|(.., rows)| rows).sum();
    assert_eq!(rows, 300);
    for (held, bytes, _) in bytes_and_texts {
        // The first of them shares a page with rows before it.
        assert!(
            bytes <= 12_000_000 && bytes <= 2 * held + 1000,
            "{bytes} of {held}"
        );
    }
}

#[test]
fn a_dictionary_that_expands_without_end_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let options = InputOptions::default().with(|options| {
        options.max_expansion = 10;
        options.expansion_floor = 1_000_000;
    });
    for statistics in [EnabledStatistics::Page, EnabledStatistics::None] {
        let few = write_repeated(folder.path(), 1, statistics);
        assert_eq!(read_file(&few, &options).unwrap().texts().len(), 1);
        let many = write_repeated(folder.path(), 30, statistics);
        let message = read_file(&many, &options).unwrap_err().to_string();
        assert!(
            message.contains("repeated 30.parquet expands to more than 10 times"),
            "{message}"
        );
    }
}

#[test]
fn optional_columns_are_values_that_sort() {
    let folder = tempfile::tempdir().unwrap();
    let input = resolve(
        &write_parquet(folder.path(), Compression::SNAPPY),
        &InputOptions::default(),
    )
    .unwrap();
    let names = ["date", "score", "good", "tags"];
    let pass = read(&input, &Wanted::new(names.map(Field::optional))).unwrap();
    assert_eq!(
        pass.outcomes()[2].as_ref().unwrap().1,
        ["1970-01-03", "number 0.5", "a boolean", "an array"]
    );
}

#[test]
fn a_parquet_file_without_the_column_is_an_error_that_lists_them() {
    let folder = tempfile::tempdir().unwrap();
    let input = resolve(
        &write_parquet(folder.path(), Compression::SNAPPY),
        &InputOptions::default(),
    )
    .unwrap();
    let wanted = Wanted::new([Field::text("body")]);
    let message = input.check(&wanted).unwrap_err().to_string();
    assert!(
        message.contains("no column \"body\"; its columns are: id, text, large"),
        "{message}"
    );
    let reasons = read(&input, &wanted).unwrap().reasons();
    assert!(reasons[0].contains("field \"body\" is missing; the record has: id, text"));
}

#[test]
fn damaged_pages_cost_the_rows_of_their_block() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_parquet(folder.path(), Compression::SNAPPY);
    let mut scrambled = std::fs::read(&path).unwrap();
    scrambled[100..30_000]
        .iter_mut()
        .for_each(|byte| *byte ^= 0x5a);
    let path = write(folder.path(), "scrambled.parquet", scrambled);
    let input = resolve(&path, &small_blocks()).unwrap();
    let pass = read(&input, &wanted()).unwrap();
    assert_eq!(pass.outcomes().len(), ROWS);
    let damaged = |reason: &&String| reason.contains("cannot be read as parquet");
    let lost = pass.reasons().iter().filter(damaged).count();
    assert!((1..=1024).contains(&lost), "{lost} rows");
    assert_repeatable(&input, &wanted());
}

#[test]
fn a_parquet_file_cut_short_or_compressed_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(write_parquet(folder.path(), Compression::SNAPPY)).unwrap();
    for (bad, hint) in [
        (&whole[..whole.len() / 2], "complete?"),
        (&whole[..3], "complete?"),
        (&[], "complete?"),
        (&gzip(&whole), "decompress it first"),
    ] {
        let message = read_content("bad.parquet", bad, &InputOptions::default())
            .unwrap_err()
            .to_string();
        assert!(
            message.contains("bad.parquet") && message.contains(hint),
            "{message}"
        );
    }
}

#[test]
fn a_cleaned_table_keeps_every_column_and_the_metadata() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_parquet(folder.path(), Compression::SNAPPY);
    let clean = folder.path().join("clean.parquet");
    let options = small_blocks();
    let input = Input::resolve(&[path.to_string_lossy()], &options, folder.path()).unwrap();
    let mut reader = Reader::new(&input, &Wanted::default());
    let replaceable = crate::support::earlier_result(&clean);
    let mut writer = CleanWriter::new(&input, &clean, &replaceable).unwrap();
    let mut block = Block::default();
    let mut first = 0;
    while reader.next_block(&mut block).unwrap() {
        let slots = block.decode(&mut |_| false, &mut |_, _| {}).unwrap();
        writer
            .write(&block, &mut |slot| (first + slot) % 3 != 1)
            .unwrap();
        first += slots;
    }
    writer.finish().unwrap();

    let original = read_parquet(&path);
    let kept: BooleanArray = (0..ROWS).map(|row| Some(row % 3 != 1)).collect();
    let expected = arrow_select::filter::filter_record_batch(&original, &kept).unwrap();
    let written = read_parquet(&clean);
    assert_eq!(written, expected);
    assert_eq!(
        written
            .schema()
            .metadata()
            .get("origin")
            .map(String::as_str),
        Some("自己")
    );
}
