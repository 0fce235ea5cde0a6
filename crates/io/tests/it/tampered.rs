//! The Parquet library can panic on a table that was tampered with. That is caught, and costs the rows of the table.

use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::support::*;
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use lookalike_io::{InputOptions, silence_caught_panics};
use parquet::arrow::ArrowWriter;

/// Panics of this test that would have been printed.
static PRINTED: AtomicUsize = AtomicUsize::new(0);

/// A table in which a number has as many bits as there are none of.
fn tampered() -> Vec<u8> {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a table", "a row"]));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let end_of_dictionary = memchr::memmem::find(&bytes, b"a row").unwrap() + 5;
    let width = bytes[end_of_dictionary..]
        .windows(2)
        .position(|two| two == [1, 3]);
    bytes[end_of_dictionary + width.unwrap()] = 0xff;
    bytes
}

#[test]
fn only_panics_that_are_not_caught_are_printed() {
    let printed = || PRINTED.swap(0, Ordering::SeqCst);
    let read = || {
        let pass = read_content("bad.parquet", &tampered(), &InputOptions::default()).unwrap();
        let reasons = pass.reasons();
        assert_eq!(reasons.len(), 2);
        assert!(
            reasons[0].contains("its content makes no sense"),
            "{reasons:?}"
        );
    };
    let (usual, here) = (take_hook(), thread::current().id());
    set_hook(Box::new(move |panic| {
        if thread::current().id() == here {
            PRINTED.fetch_add(1, Ordering::SeqCst);
        } else {
            usual(panic);
        }
    }));
    read();
    let before = printed();
    silence_caught_panics();
    read();
    let caught = printed();
    let _ = catch_unwind(|| panic!("of another kind"));
    let real = printed();
    let _ = take_hook();
    assert_eq!((before, caught, real), (1, 0, 1));
}
