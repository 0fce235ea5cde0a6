//! Where the rows of a result go.
//!
//! A run gives its tables to a [`Sink`] one after the other, and the summary last, when all of them are complete. Into a table
//! rows go by way of encoders: every worker thread has an [`Encoder`] of its own, which turns rows into a [`Chunk`], whatever
//! that is to the sink (bytes of JSON, a batch of Arrow columns, the rows themselves). Chunks are appended in the order of
//! the table, by one thread at a time. So what costs time runs in parallel, and what is written does not depend on it.
//!
//! A row is borrowed and lives as long as the call that encodes it. All rows of a table are of the shape it was begun with,
//! which knows the columns.
//!
//! Dispatch is dynamic once a row: two nanoseconds beside the hundreds that its numbers and texts take to encode.

mod memory;

use std::any::Any;
use std::sync::{Mutex, PoisonError};

use lookalike_kernel::rows::{IdRef, Row, Shape, Summary};

pub use memory::MemorySink;

use crate::Error;
use crate::source::Failure;

/// What an encoder made of some rows. Its own sink knows what is in it.
pub type Chunk = Box<dyn Any + Send>;

/// Where the rows of a result go.
pub trait Sink: Send {
    /// Begins a table. The one before it is finished.
    ///
    /// # Errors
    /// If it cannot be written.
    fn table(&mut self, shape: Shape) -> Result<Box<dyn TableSink + '_>, Failure>;

    /// Completes the result, all tables of which are finished. The sink says in the summary which files it wrote, if any.
    ///
    /// # Errors
    /// If that fails.
    fn finish(&mut self, summary: &mut Summary) -> Result<(), Failure>;
}

/// A table being written.
pub trait TableSink: Send {
    /// An encoder for a thread.
    fn encoder(&self) -> Box<dyn Encoder>;

    /// Appends what an encoder of this table made.
    ///
    /// # Errors
    /// If it cannot be written.
    fn append(&mut self, chunk: Chunk) -> Result<(), Failure>;

    /// Completes the table.
    ///
    /// # Errors
    /// If that fails.
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// Turns rows into chunks.
pub trait Encoder: Send {
    /// Adds a row.
    ///
    /// # Errors
    /// If it has no form in this sink.
    fn encode(&mut self, row: &Row<'_, IdRef<'_>>) -> Result<(), Failure>;

    /// About how many bytes the rows added so far take.
    fn bytes_held(&self) -> usize;

    /// All rows added since the last time.
    fn take(&mut self) -> Chunk;
}

/// The encoders of a table, one a thread. Made before the threads begin, since the table is appended to meanwhile.
pub(crate) struct Encoders(Mutex<Vec<Box<dyn Encoder>>>);

impl Encoders {
    pub(crate) fn of(table: &dyn TableSink, threads: usize) -> Self {
        let encoders = (0..threads).map(|_| table.encoder());
        Encoders(Mutex::new(encoders.collect()))
    }

    /// That of another thread.
    pub(crate) fn take(&self) -> Result<Box<dyn Encoder>, Error> {
        let mut encoders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = || Error::Internal("there are more workers than encoders".to_string());
        encoders.pop().ok_or_else(missing)
    }
}

/// A table into which one thread writes row by row.
pub(crate) struct TableWriter<'s> {
    table: Box<dyn TableSink + 's>,
    encoder: Box<dyn Encoder>,
}

impl<'s> TableWriter<'s> {
    /// Rows are handed on when they take so many bytes.
    const CHUNK_BYTES: usize = 1 << 17;

    pub(crate) fn begin(sink: &'s mut dyn Sink, shape: Shape) -> Result<Self, Error> {
        let table = sink.table(shape).map_err(Error::Sink)?;
        let encoder = table.encoder();
        Ok(TableWriter { table, encoder })
    }

    pub(crate) fn write(&mut self, row: &Row<'_, IdRef<'_>>) -> Result<(), Error> {
        self.write_with(|encoder| encoder.encode(row).map_err(Error::Sink))
    }

    /// The same for a row that something else encodes.
    pub(crate) fn write_with<T>(
        &mut self,
        encode: impl FnOnce(&mut dyn Encoder) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = encode(&mut *self.encoder)?;
        if self.encoder.bytes_held() >= Self::CHUNK_BYTES {
            self.hand_on()?;
        }
        Ok(result)
    }

    fn hand_on(&mut self) -> Result<(), Error> {
        let chunk = self.encoder.take();
        self.table.append(chunk).map_err(Error::Sink)
    }

    pub(crate) fn finish(mut self) -> Result<(), Error> {
        self.hand_on()?;
        self.table.finish().map_err(Error::Sink)
    }
}
