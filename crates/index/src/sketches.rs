//! The sketches of a segment, 16 bytes per document. A lookup needs hundreds, from anywhere, so they stay in memory once they
//! were read.

use std::sync::OnceLock;

use lookalike_kernel::sign::keys::Sketch;

use crate::Error;
use crate::chunks::{Chunks, Pass, Reading};
use crate::store::{CHUNK, Kind, Section, Snapshot};

/// The bytes of a sketch.
const SKETCH: usize = size_of::<Sketch>();
const IN_CHUNK: usize = CHUNK / SKETCH;

/// The sketches of a segment.
pub(crate) struct Sketches {
    stored: Chunks,
    read: Vec<OnceLock<Box<[Sketch]>>>,
}

impl Sketches {
    pub(crate) fn new(segment: u32, documents: usize) -> Self {
        let kind = Kind::Sketches;
        let stored = Chunks::new(Section { segment, kind }, documents * SKETCH);
        let read = (0..stored.len()).map(|_| OnceLock::new()).collect();
        Sketches { stored, read }
    }

    /// The sketch of a document.
    #[inline]
    pub(crate) fn get(&self, document: u32, reading: Reading<'_>) -> Result<Sketch, Error> {
        let (number, within) = (document as usize / IN_CHUNK, document as usize % IN_CHUNK);
        let known = self.read.get(number).and_then(OnceLock::get);
        match known.and_then(|sketches| sketches.get(within)) {
            Some(sketch) => Ok(*sketch),
            None => self.read(number, within, reading),
        }
    }

    #[cold]
    fn read(
        &self,
        number: usize,
        within: usize,
        (snapshot, _): Reading<'_>,
    ) -> Result<Sketch, Error> {
        let sketches = self.stored.pass(number, snapshot, sketches_in)?;
        let sketch = sketches.get(within).copied();
        if let Some(read) = self.read.get(number) {
            // Where another thread was faster, it read the same.
            let _ = read.set(sketches);
        }
        sketch.ok_or_else(|| {
            let problem = "a key is of a document that there is not";
            Error::damaged(snapshot.folder(), problem)
        })
    }

    /// All of them, one after the other.
    pub(crate) fn pass<'s>(&'s self, snapshot: &'s Snapshot) -> Pass<'s> {
        Pass::new(&self.stored, snapshot)
    }

    /// Where the sketch of a document is among the bytes of all.
    pub(crate) fn range(document: usize) -> std::ops::Range<usize> {
        document * SKETCH..(document + 1) * SKETCH
    }
}

fn sketches_in(bytes: &[u8]) -> Box<[Sketch]> {
    let sketches = bytes.chunks_exact(SKETCH);
    let sketches = sketches.map(|bytes| bytes.try_into().map_or(0, Sketch::from_le_bytes));
    sketches.collect()
}
