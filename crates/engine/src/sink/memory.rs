//! Rows kept in memory.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{IdRef, Row, Shape, Summary, Table};

use super::{Chunk, Encoder, Sink, TableSink};
use crate::source::Failure;

/// Keeps the rows of a result.
///
/// ```
/// use lookalike_engine::MemorySink;
/// use lookalike_kernel::rows::Table;
/// let sink = MemorySink::default();
/// assert!(sink.rows(Table::Pairs).is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MemorySink {
    tables: BTreeMap<Table, Vec<Row<'static>>>,
    summary: Option<Summary>,
}

impl MemorySink {
    /// The rows of a table, in its order.
    pub fn rows(&self, table: Table) -> &[Row<'static>] {
        self.tables.get(&table).map_or(&[], Vec::as_slice)
    }

    /// The tables there are.
    pub fn tables(&self) -> impl Iterator<Item = Table> {
        self.tables.keys().copied()
    }

    /// What was done, found, promised and spent; none before the run is finished.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }
}

impl Sink for MemorySink {
    fn table(&mut self, shape: Shape) -> Result<Box<dyn TableSink + '_>, Failure> {
        let rows = self.tables.entry(shape.table()).or_default();
        rows.clear();
        Ok(Box::new(MemoryTable { rows }))
    }

    fn finish(&mut self, summary: &mut Summary) -> Result<(), Failure> {
        self.summary = Some(summary.clone());
        Ok(())
    }
}

struct MemoryTable<'s> {
    rows: &'s mut Vec<Row<'static>>,
}

impl TableSink for MemoryTable<'_> {
    fn encoder(&self) -> Box<dyn Encoder> {
        Box::new(Vec::<Row<'static>>::new())
    }

    fn append(&mut self, chunk: Chunk) -> Result<(), Failure> {
        let mut rows: Box<Vec<Row<'static>>> = chunk
            .downcast()
            .map_err(|_| "a chunk in memory is not of rows")?;
        self.rows.append(&mut rows);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(())
    }
}

impl Encoder for Vec<Row<'static>> {
    fn encode(&mut self, row: &Row<'_, IdRef<'_>>) -> Result<(), Failure> {
        self.push(row.to_owned());
        Ok(())
    }

    fn bytes_held(&self) -> usize {
        size_of_val(self.as_slice())
    }

    fn take(&mut self) -> Chunk {
        Box::new(std::mem::take(self))
    }
}
