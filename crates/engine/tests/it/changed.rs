//! A source that gives other records when it is read again is told as that, though its size and its name are the same.

use std::sync::atomic::{AtomicUsize, Ordering};

use lookalike_engine::{
    Block, BlockContent, BlockPlace, Destination, Each, Error, Failure, MemorySink, ReadBlocks,
    Request, RunOptions, Source, Unobserved, Want, WorkOptions, Workspace, run,
};
use lookalike_kernel::record::{Need, Record, Value, Wanted};
use lookalike_kernel::{Kernel, Spec};

const TEXT: &str = "the ferry leaves the old harbour at nine, 渡轮早上九点离开旧码头";

/// Two records; the second is another one from some pass on.
#[derive(Debug)]
struct Changing {
    passes: AtomicUsize,
    changes_at: usize,
}

impl Source for Changing {
    fn pass<'s>(&'s self, wanted: &Wanted) -> Box<dyn ReadBlocks + 's> {
        let pass = self.passes.fetch_add(1, Ordering::Relaxed);
        Box::new(Pass {
            is_changed: pass >= self.changes_at,
            is_read: false,
            needs: wanted.fields.iter().map(|field| field.need).collect(),
        })
    }

    fn bytes(&self) -> u64 {
        2 * TEXT.len() as u64
    }

    fn fingerprint(&self) -> u64 {
        7
    }

    fn names(&self) -> Vec<String> {
        vec!["notes".to_string()]
    }

    fn part_name(&self, _: u32) -> &str {
        "notes"
    }
}

struct Pass {
    is_changed: bool,
    is_read: bool,
    needs: Vec<Need>,
}

impl ReadBlocks for Pass {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Failure> {
        block.place = BlockPlace::default();
        block.rejections.clear();
        *block.content_mut() = Content {
            is_changed: self.is_changed,
            needs: self.needs.clone(),
        };
        Ok(!std::mem::replace(&mut self.is_read, true))
    }

    fn seek(&mut self, _: BlockPlace) -> Result<(), Failure> {
        self.is_read = false;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        0
    }
}

#[derive(Default)]
struct Content {
    is_changed: bool,
    needs: Vec<Need>,
}

impl BlockContent for Content {
    fn decode(&self, want: Want<'_>, each: Each<'_>) -> Result<u32, Failure> {
        let changed = TEXT.replace("old", "new");
        for slot in 0..2 {
            let text = if slot == 1 && self.is_changed {
                &changed
            } else {
                TEXT
            };
            let value = |need: &Need| match need {
                Need::Text => Value::Text(text),
                Need::Optional => Value::Missing,
            };
            let values: Vec<Value<'_>> = self.needs.iter().map(value).collect();
            if want(slot) {
                let record = Record {
                    line: u64::from(slot) + 1,
                    values: &values,
                    name: None,
                };
                each(slot, Ok(record));
            }
        }
        Ok(2)
    }

    fn bytes_held(&self) -> usize {
        2 * TEXT.len()
    }

    fn fingerprint(&self) -> Option<u64> {
        Some(u64::from(self.is_changed))
    }
}

/// What a run comes to where the source changes at this pass, and how many passes there were.
fn run_on(changes_at: usize) -> (Result<(), Error>, usize) {
    let place = tempfile::tempdir().unwrap();
    let source = Changing {
        passes: AtomicUsize::new(0),
        changes_at,
    };
    let mut spec = Spec::default();
    // One that reads candidates again.
    spec.verify.measure = Some("edit".to_string());
    spec.keys.method = "every".to_string();
    let request = Request::new(Kernel::new(&spec).unwrap(), &source);
    let workspace = Workspace::claim(&WorkOptions::new(place.path().join("work"))).unwrap();
    let mut sink = MemorySink::default();
    let destination = Destination::new(workspace, &mut sink);
    let ran = run(&request, destination, &RunOptions::default(), &Unobserved);
    (ran.map(|_| ()), source.passes.into_inner())
}

#[test]
fn a_block_that_is_another_one_when_it_is_read_again_ends_the_run() {
    let (ran, passes) = run_on(usize::MAX);
    assert!(ran.is_ok() && passes > 1, "{ran:?} {passes}");
    // The first passes look at how large records are; the one that signs decides what is right from then on.
    let (ran, _) = run_on(passes - 1);
    let told = ran.unwrap_err().to_string();
    assert_eq!(told, "notes changed while it was read; run again");
}
