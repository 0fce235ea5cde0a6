//! A file that is exchanged between a killed run and its continuation is told, though its size and time are the same.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use serde_json::Value;

use crate::support::corpus::short_texts;
use crate::support::kill::interrupt;
use crate::support::{Place, bytes};

const SLOW: &str = "--memory 80MB --threads 2 --checkpoint-every 0 --bands 60 --rows 2";

/// In a record that resembles no other, so that nothing but the first pass reads it.
const BEFORE: &str = "quagga zebra okapi exchanged000 gnu tapir 斑驴";
const AFTER: &str = "quagga zebra okapi exchanged111 gnu tapir 斑驴";

/// Texts, the first of which is exchanged.
fn texts(count: usize) -> Vec<String> {
    let first = BEFORE.to_string();
    let lines = short_texts(count, 1);
    let texts = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).unwrap();
        record["text"].as_str().unwrap().to_string()
    });
    [first].into_iter().chain(texts).collect()
}

/// Writes the texts as they are named: JSON Lines, a table, a folder of files, a dump of a wiki. Returns the file that has the
/// first of them, in which its bytes stand as they are.
fn write(place: &Place, name: &str) -> String {
    match name {
        "pages.jsonl" => {
            let lines = texts(30_000).into_iter().enumerate();
            let lines = lines.map(|(id, text)| format!("{{\"id\":{id},\"text\":\"{text}\"}}\n"));
            place.write(name, lines.collect::<String>());
        }
        "pages.parquet" => {
            let column: ArrayRef = Arc::new(StringArray::from(texts(30_000)));
            let batch = RecordBatch::try_from_iter([("text", column)]).unwrap();
            let plain = WriterProperties::builder()
                .set_dictionary_enabled(false)
                .build();
            let file = File::create(place.path(name)).unwrap();
            let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(plain)).unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
        }
        "pages.xml" => {
            let pages = texts(30_000).into_iter().enumerate().map(|(id, text)| {
                format!(
                    "<page><title>{id}</title><ns>0</ns><id>{}</id>\
                     <revision><text>{text}</text></revision></page>\n",
                    id + 1
                )
            });
            let pages: String = pages.collect();
            place.write(name, format!("<mediawiki>\n{pages}</mediawiki>\n"));
        }
        _ => {
            fs::create_dir(place.path(name)).unwrap();
            for (number, text) in texts(12_000).into_iter().enumerate() {
                place.write(&format!("{name}/{number:05}.txt"), text);
            }
            return format!("{name}/00000.txt");
        }
    }
    name.to_string()
}

/// Writes a file anew with as many bytes and the same time.
fn exchange(file: &Path, after: &str) {
    let modified = fs::metadata(file).unwrap().modified().unwrap();
    let mut content = fs::read(file).unwrap();
    let at = content
        .windows(BEFORE.len())
        .position(|bytes| bytes == BEFORE.as_bytes())
        .unwrap();
    content[at..at + after.len()].copy_from_slice(after.as_bytes());
    fs::write(file, content).unwrap();
    let file = File::options().write(true).open(file).unwrap();
    file.set_modified(modified).unwrap();
}

fn killed(name: &str) -> (Place, String, String) {
    let place = Place::new();
    let file = write(&place, name);
    let arguments = format!("documents {name} --out out {SLOW}");
    let is_saved = |saved: &str| saved.contains("postings-");
    interrupt(&place, &format!("{arguments} --quiet"), is_saved);
    (place, file, arguments)
}

fn other_content_is_told(name: &str) {
    let (place, file, arguments) = killed(name);
    exchange(&place.path(&file), AFTER);
    place
        .run(&format!("{arguments} --quiet"))
        .fails_with(&[name, "changed while it was read; run again"]);
    assert!(!place.path("out/summary.json").exists());
    place.run(&arguments).exits(0);
    let continued = bytes(&place.path("out"));
    place.run(&format!("{arguments} --restart")).exits(0);
    assert!(bytes(&place.path("out")) == continued);
}

fn the_same_content_is_continued(name: &str) {
    let (place, file, arguments) = killed(name);
    exchange(&place.path(&file), BEFORE);
    let ran = place.run(&arguments).exits(0);
    let told = "continuing an interrupted run";
    assert!(ran.errors.contains(told), "{}", ran.errors);
    assert!(
        ran.errors.contains("compared with what was read"),
        "{}",
        ran.errors
    );
    let continued = bytes(&place.path("out"));
    place.run(&format!("{arguments} --restart")).exits(0);
    assert!(bytes(&place.path("out")) == continued);
}

macro_rules! formats {
    ($($module:ident: $name:literal),*) => {
        $(
            mod $module {
                #[test]
                fn other_content_is_told() {
                    super::other_content_is_told($name);
                }

                #[test]
                fn the_same_content_is_continued() {
                    super::the_same_content_is_continued($name);
                }
            }
        )*
    };
}

formats!(lines: "pages.jsonl", table: "pages.parquet", folder: "pages", dump: "pages.xml");

#[test]
fn a_file_that_nobody_touched_is_not_compared() {
    let (place, _, arguments) = killed("pages.parquet");
    let ran = place.run(&arguments).exits(0);
    assert!(
        ran.errors.contains("continuing an interrupted run"),
        "{}",
        ran.errors
    );
    assert!(!ran.errors.contains("compared with"), "{}", ran.errors);
}
