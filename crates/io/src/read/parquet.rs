//! Parquet. In comes a range of rows, out come the cells of the wanted columns.
//!
//! A block holds only which rows are in it; they are read when it is decoded, the wanted ones alone, a few hundred at a
//! time. So cutting costs nothing, decompression runs on all threads, and no row group is ever held as a whole.

use std::sync::Arc;

use super::arrow_cells::{Cells, ColumnPlace};
use super::parquet_table::Table;
use super::records::{outcome, too_large};
use super::{Cut, Decode, Each, Opening, Want, places};
use crate::block::{Block, BlockPlace};
use crate::error::Error;
use crate::format::Entry;
use crate::write;
use lookalike_kernel::record::{Need, Value, Wanted, missing_field};

/// A block is larger than in other formats, as each has to read its row group's dictionaries again.
const BLOCK_FACTOR: u64 = 4;
const MOST_BLOCK_ROWS: u64 = 1 << 16;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["parquet", "pq"],
    magic: b"PAR1",
    compresses_within: true,
    ..Entry::new("parquet", open, write::parquet::start)
};

/// Opens a Parquet file.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let (source, options) = (opening.source, opening.options);
    let table = Arc::new(Table::open(source, options)?.with_views());
    let places = column_places(opening, &table);
    let text_bytes = table.text_bytes(places.iter().flatten().map(|place| place.column));
    let most_bytes = options.most_expanded(source.bytes());
    let decoder = Rows {
        table: Arc::clone(&table),
        wanted: Arc::clone(opening.wanted),
        places,
        max_record: options.max_record,
        max_expansion: options.max_expansion,
        most_bytes,
    };
    decoder.check_expansion(
        text_bytes
            .iter()
            .fold(0, |sum, bytes| bytes.saturating_add(sum)),
    )?;
    Ok(Box::new(RowCutter {
        source: opening.number,
        file_bytes: source.bytes(),
        block_bytes: options.block_bytes as u64 * BLOCK_FACTOR,
        next: 0,
        table,
        text_bytes,
        decoder: Arc::new(decoder),
    }))
}

/// The places of the wanted fields.
fn column_places(opening: &Opening<'_>, table: &Table) -> Vec<Option<ColumnPlace>> {
    let fields = table.fields();
    let numbers = places(opening, &fields);
    let place = |number: Option<usize>| ColumnPlace::named(&fields[number?], &table.columns());
    numbers.into_iter().map(place).collect()
}

struct RowCutter {
    table: Arc<Table>,
    /// See [`Table::text_bytes`].
    text_bytes: Vec<u64>,
    source: u32,
    file_bytes: u64,
    block_bytes: u64,
    /// The next row.
    next: u64,
    decoder: Arc<dyn Decode>,
}

impl Cut for RowCutter {
    fn next_block(&mut self, block: &mut Block) -> Result<bool, Error> {
        let place = BlockPlace {
            part: self.source,
            offset: self.next,
            line: self.next + 1,
        };
        block.begin(place, Some(Arc::clone(&self.decoder)));
        let group = self.table.group_of(self.next);
        let Some(&end) = self.table.starts.get(group + 1) else {
            return Ok(false);
        };
        let rows = end - self.table.starts[group];
        let bytes = self
            .table
            .metadata
            .metadata()
            .row_group(group)
            .total_byte_size();
        let bytes = u64::try_from(bytes).unwrap_or(0);
        let row_bytes = bytes.max(self.text_bytes[group]) / rows.max(1);
        let mut block_rows = (self.block_bytes / row_bytes.max(1)).clamp(1, MOST_BLOCK_ROWS);
        let bytes = loop {
            block.rows = self.next..end.min(self.next + block_rows);
            let bytes = self.table.page_bytes(group, &block.rows);
            if bytes <= 2 * self.block_bytes || block_rows == 1 {
                break bytes.max(row_bytes * (block.rows.end - block.rows.start));
            }
            block_rows /= 2;
        };
        block.named_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        self.next = block.rows.end;
        Ok(true)
    }

    fn seek(&mut self, place: BlockPlace) -> Result<(), Error> {
        self.next = place.offset;
        Ok(())
    }

    fn bytes_read(&self) -> u64 {
        let rows = self.table.starts.last().copied().unwrap_or(0).max(1);
        (u128::from(self.file_bytes) * u128::from(self.next) / u128::from(rows)) as u64
    }
}

struct Rows {
    table: Arc<Table>,
    wanted: Arc<Wanted>,
    /// The column of each wanted field.
    places: Vec<Option<ColumnPlace>>,
    max_record: u64,
    max_expansion: u64,
    /// How large all texts may be.
    most_bytes: u64,
}

impl Decode for Rows {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let slots = (block.rows.end - block.rows.start) as u32;
        let wanted: Vec<bool> = (0..slots).map(want).collect();
        let mut wanted_slots = (0..slots).filter(|&slot| wanted[slot as usize]);
        let places = self.places.iter().flatten();
        let columns: Vec<usize> = places.map(|place| place.column).collect();
        if columns.is_empty() {
            let values = vec![Value::Missing; self.places.len()];
            let checked = self.check(&values, 0);
            let told = || checked.clone().map(|()| values.as_slice());
            wanted_slots.for_each(|slot| self.tell(block, slot, told(), each));
            return Ok(slots);
        }
        if !wanted.contains(&true) {
            return Ok(slots);
        }
        let read = self.read(block, &wanted, &columns, &mut wanted_slots, each);
        // What follows a damage within the block is lost.
        if let Err(error) = read {
            let Error::Damaged { .. } = error else {
                return Err(error);
            };
            let reason = error.reason()?;
            wanted_slots.for_each(|slot| self.tell(block, slot, Err(reason.clone()), each));
        }
        Ok(slots)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        Some(self.table.fields())
    }
}

impl Rows {
    /// Tells the rows of the slots that are wanted, up to a damage.
    fn read(
        &self,
        block: &Block,
        wanted: &[bool],
        columns: &[usize],
        slots: &mut impl Iterator<Item = u32>,
        each: Each<'_>,
    ) -> Result<(), Error> {
        let schema = self.table.metadata.schema();
        let mut told = 0;
        for batch in self.table.read(block.rows.clone(), wanted, Some(columns))? {
            let batch = batch?;
            let column = |place: &Option<ColumnPlace>| {
                let place = place.as_ref()?;
                let column = batch.column_by_name(schema.field(place.column).name())?;
                place.cells(column)
            };
            let arrays: Vec<Option<Cells>> = self.places.iter().map(column).collect();
            for (row, slot) in (0..batch.num_rows()).zip(&mut *slots) {
                let mut printed = vec![String::new(); arrays.len()];
                let values: Vec<Value<'_>> = arrays
                    .iter()
                    .zip(&mut printed)
                    .map(|(array, printed)| match array {
                        Some(cells) => cells.value(row, printed),
                        None => Value::Missing,
                    })
                    .collect();
                let bytes: usize = values.iter().filter_map(Value::text).map(str::len).sum();
                told += bytes as u64;
                self.check_expansion(told)?;
                let result = self.check(&values, bytes).map(|()| values.as_slice());
                self.tell(block, slot, result, each);
            }
        }
        Ok(())
    }

    /// As for archives: a few values may be those of all rows.
    fn check_expansion(&self, bytes: u64) -> Result<(), Error> {
        if bytes <= self.most_bytes {
            return Ok(());
        }
        Err(Error::Expansion {
            name: self.table.name.clone(),
            limit: self.max_expansion,
        })
    }

    fn check(&self, values: &[Value<'_>], bytes: usize) -> Result<(), String> {
        for (value, field) in values.iter().zip(&self.wanted.fields) {
            if *value == Value::Missing && field.need == Need::Text {
                return Err(missing_field(&field.name, &self.table.fields()));
            }
            value.check(field)?;
        }
        if bytes as u64 > self.max_record {
            Err(too_large(self.max_record))
        } else {
            Ok(())
        }
    }

    fn tell(&self, block: &Block, slot: u32, values: Result<&[Value<'_>], String>, each: Each<'_>) {
        let line = block.rows.start + u64::from(slot) + 1;
        each(slot, outcome(&self.table.name, line, values));
    }
}
