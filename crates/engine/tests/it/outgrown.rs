//! More records than the size of the input lets expect, as in an archive of one line over and over.

use lookalike_engine::{
    Block, BlockPlace, Destination, Error, Failure, MemorySink, MemorySource, ReadBlocks, Request,
    RunOptions, Source, Unobserved, WorkOptions, Workspace, run,
};
use lookalike_kernel::record::Wanted;
use lookalike_kernel::rows::{Row, Table};
use lookalike_kernel::{Kernel, Spec};

/// Records that take next to nothing until they are read.
#[derive(Debug)]
struct Packed(MemorySource);

impl Source for Packed {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        Box::new(Unpacked(self.0.pass(wanted)))
    }

    fn bytes(&self) -> u64 {
        1
    }

    fn fingerprint(&self) -> u64 {
        self.0.fingerprint()
    }

    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    fn part_name(&self, part: u32) -> &str {
        self.0.part_name(part)
    }
}

struct Unpacked<'s>(Box<dyn ReadBlocks + 's>);

impl ReadBlocks for Unpacked<'_> {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure> {
        self.0.next_block(block)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Failure> {
        self.0.seek(place)
    }

    fn bytes_read(&self) -> u64 {
        1
    }
}

const RECORDS: u32 = 100_000;

fn records(count: u32, text: impl Fn(u32) -> String) -> MemorySource {
    let record = |number: u32| vec![("text", text(number))];
    MemorySource::new("notes", (0..count).map(record))
}

fn clusters(source: &dyn Source, memory: u64) -> Result<Vec<Row<'static>>, Error> {
    let place = tempfile::tempdir().unwrap();
    let request = Request::new(Kernel::new(&Spec::default()).unwrap(), source);
    let workspace = Workspace::claim(&WorkOptions::new(place.path().join("work"))).unwrap();
    let mut sink = MemorySink::default();
    let destination = Destination::new(workspace, &mut sink);
    let mut options = RunOptions::default();
    (options.threads, options.memory) = (1, memory);
    run(&request, destination, &options, &Unobserved)?;
    Ok(sink.rows(Table::Clusters).to_vec())
}

/// Room for some ten thousand records, and for all of them.
const TOO_LITTLE: u64 = 61_000_000;
const ENOUGH: u64 = 64_000_000;

#[test]
fn what_does_not_fit_is_refused_with_what_all_records_need() {
    let source = Packed(records(RECORDS, |number| format!("note {number}")));
    match clusters(&source, TOO_LITTLE) {
        Err(Error::Budget {
            needed, records, ..
        }) => {
            assert_eq!(records, u64::from(RECORDS));
            assert!((TOO_LITTLE..=ENOUGH).contains(&needed), "{needed}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_result_is_that_of_a_run_that_knew_how_many_there_are() {
    let known = records(RECORDS, |number| format!("the note of day {}", number / 2));
    let expected = clusters(&known, 2_000_000_000).unwrap();
    assert_eq!(expected.len(), RECORDS as usize / 2);
    assert_eq!(clusters(&Packed(known), ENOUGH).unwrap(), expected);
}

#[test]
fn a_cluster_that_is_too_large_for_one_row_is_refused_before_it_is_written() {
    let (count, memory) = (300_000_u32, 68_000_000);
    let same = records(count, |_| "the same note".to_string());
    match clusters(&same, memory) {
        Err(Error::LargeCluster { members, needed }) => {
            assert_eq!(members, u64::from(count));
            assert!(needed > memory);
        }
        other => panic!("{other:?}"),
    }
}
