//! The corpus without what was removed, or could not be read at all.

use lookalike_text::RecordId;

use crate::Error;
use crate::bits::Bits;
use crate::number::Number;
use crate::source::{Block, CleanCorpus};
use crate::stages::{Context, Signed};

/// Writes it, and says how many records it has.
pub(super) fn write_clean(
    context: &Context<'_>,
    signed: &Signed,
    removed: &Bits<RecordId>,
    clean: &dyn CleanCorpus,
) -> Result<u64, Error> {
    let mut writer = clean.begin()?;
    let mut pass = context.corpus.loose_pass();
    let mut block = Block::default();
    let mut records = 0;
    for mark in signed
        .blocks
        .read_all()?
        .iter()
        .take_while(|mark| mark.part() == 0)
    {
        pass.read_again(mark, &mut block)?;
        let mut rejected = Vec::new();
        block.decode(&mut |_| true, &mut |slot, record| {
            if record.is_err() {
                rejected.push(slot);
            }
        })?;
        let stays = |slot| {
            slot < mark.records
                && !removed.contains(mark.first.plus(slot))
                && rejected.binary_search(&slot).is_err()
        };
        records += (0..mark.records).filter(|slot| stays(*slot)).count() as u64;
        writer.write(&block, &mut |slot| stays(slot))?;
    }
    context.corpus.check_unchanged()?;
    writer.finish()?;
    Ok(records)
}
