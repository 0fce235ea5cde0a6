//! Where do texts come from and go? Readers and writers, one file per format.
//!
//! In come names of files, folders, globs or `-`; out go [`Record`]s, and, for a cleaned corpus, the same bytes
//! without the records that were removed.
//!
//! The input is a sequence of [`Block`]s in input order. *Cutting* it into blocks of whole records is sequential and
//! cheap, so threads take turns at the one [`Reader`]. *Decoding* a block reads nothing but the block and runs on any
//! thread. Blocks are the same in every pass, whatever the threads and the memory, so a record can be found again by
//! the [`BlockPlace`] of its block and its *slot* in it: the slots of a block are its records in order, counted from 0,
//! good and bad ones alike.
//!
//! ```
//! use lookalike_io::{Block, Field, Input, InputOptions, Reader, Wanted};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("pages.jsonl");
//! std::fs::write(&file, "{\"id\": 7, \"text\": \"Ein Satz.\"}\n{\"id\": 8, \"text\": \"一句话。\"}\nnot JSON\n")?;
//!
//! let input = Input::resolve(&[file.to_string_lossy()], &InputOptions::default(), folder.path())?;
//! let wanted = Wanted::new([Field::text("text"), Field::optional("id")]);
//! let mut reader = Reader::new(&input, &wanted);
//! let mut block = Block::default();
//! let mut texts = Vec::new();
//! let mut rejected = Vec::new();
//! while reader.next_block(&mut block)? {
//!     rejected.append(&mut block.rejections);
//!     block.decode(&mut |_slot| true, &mut |_slot, record| match record {
//!         Ok(record) => texts.extend(record.values[0].text().map(str::to_owned)),
//!         Err(rejection) => rejected.push(rejection),
//!     })?;
//! }
//! assert_eq!(texts, ["Ein Satz.", "一句话。"]);
//! assert_eq!(rejected[0].line, Some(3));
//! # Ok(())
//! # }
//! ```

mod arrow;
mod block;
mod error;
mod format;
mod input;
mod read;
mod reader;
mod source;
mod tables;
mod whole;
mod write;

pub use arrow::{ArrowRecords, read_batch, write_batch};
pub use block::{Block, BlockPlace};
pub use error::Error;
pub use format::Format;
pub use input::{Input, InputOptions, Source, nearest_name, stands_for};
pub use lookalike_kernel::CodeBlocks;
pub use lookalike_kernel::record::{Field, Need, Record, Rejection, Value, Wanted};
pub use read::parquet_table::silence_caught_panics;
pub use reader::Reader;
pub use source::CleanFile;
pub use tables::texts::RecordTexts;
pub use tables::{TableBatches, TableFormat, columns_of_file, has_number_ids, restore_table};
pub use whole::{Whole, WholeRecords, WholeRow};
pub use write::CleanWriter;
pub use write::annotated::{Annotate, AnnotatedFile, append_annotated, append_line_end};
pub use write::output_file::{OutputFile, is_standard_output};
pub use write::partial::is_cleaned;
pub use write::replaceable::Replaceable;
pub use write::results::{
    FolderSink, MakePage, check_apart, check_replaceable, replace_page, result_files,
};
