//! Where a corpus is written.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use xxhash_rust::xxh3::Xxh3;

/// The corpus, which gets its name once it is whole, and what stands beside it.
pub struct Files<'p> {
    path: &'p Path,
    corpus: File,
    planted: BufWriter<File>,
    bytes: usize,
    copies: usize,
    hash: Xxh3,
}

pub struct Written {
    pub bytes: usize,
    pub planted: usize,
    pub hash: u64,
}

impl<'p> Files<'p> {
    pub fn create(path: &'p Path) -> Result<Self> {
        Ok(Files {
            path,
            corpus: File::create(path.with_extension("unfinished"))?,
            planted: BufWriter::new(File::create(path.with_extension("planted.jsonl"))?),
            bytes: 0,
            copies: 0,
            hash: Xxh3::new(),
        })
    }

    pub fn write(&mut self, texts: &[u8], pairs: &[u8]) -> Result<()> {
        self.bytes += texts.len();
        self.copies += pairs.iter().filter(|&&byte| byte == b'\n').count();
        self.hash.update(texts);
        self.corpus.write_all(texts)?;
        self.planted.write_all(pairs)?;
        Ok(())
    }

    /// Blocks of so many records, made on all cores and written in order.
    pub fn write_blocks(
        &mut self,
        records: usize,
        block: usize,
        make: impl Fn(Range<usize>) -> Result<(Vec<u8>, Vec<u8>)> + Sync,
    ) -> Result<()> {
        let threads = std::thread::available_parallelism()?.get();
        let make = &make;
        for start in (0..records).step_by(block * threads) {
            let blocks = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads)
                    .map(|worker| {
                        let from = (start + worker * block).min(records);
                        let range = from..(from + block).min(records);
                        scope.spawn(move || make(range))
                    })
                    .collect();
                workers
                    .into_iter()
                    .map(|worker| worker.join().expect("a worker panicked"))
                    .collect::<Result<Vec<_>>>()
            })?;
            for (texts, pairs) in blocks {
                self.write(&texts, &pairs)?;
            }
        }
        Ok(())
    }

    pub fn written(&self) -> Written {
        Written {
            bytes: self.bytes,
            planted: self.copies,
            hash: self.hash.digest(),
        }
    }

    pub fn finish(mut self, facts: &str) -> Result<()> {
        self.planted.flush()?;
        fs::write(self.path.with_extension("json"), format!("{facts}\n"))?;
        fs::rename(self.path.with_extension("unfinished"), self.path)?;
        println!("{facts}");
        Ok(())
    }
}
