//! What is written of the records themselves: the cleaned corpus, the rejections, a line of the largest clusters.

use crate::source::{Block, CleanCorpus};
use lookalike_kernel::record::Rejection;
use lookalike_kernel::rows::ClusterSummary;

use super::OutputFile;
use crate::Error;
use crate::bits::Bits;
use crate::error::place;
use crate::stages::{Context, Signed, text_of};

/// Copies the rejections into their file and returns the first few as text.
pub(crate) fn write_rejected(file: &mut OutputFile, signed: &Signed) -> Result<Vec<String>, Error> {
    const SHOWN: usize = 3;
    const PIECE: usize = 1 << 16;
    let mut first = Vec::new();
    let mut piece = vec![0; PIECE];
    let (mut at, end) = (0, signed.rejected.len());
    while at < end {
        piece.truncate((end - at) as usize);
        signed.rejected.read_at(&mut piece, at)?;
        if at == 0 {
            let lines = piece.split(|&byte| byte == b'\n').take(SHOWN);
            let rejections =
                lines.filter_map(|line| serde_json::from_slice::<Rejection>(line).ok());
            first = rejections
                .map(|rejection| format!("{}: {}", place(&rejection), rejection.reason))
                .collect();
        }
        file.write_bytes(&piece)?;
        at += piece.len() as u64;
    }
    Ok(first)
}

/// The input without what was removed or rejected.
pub(crate) fn write_clean(
    context: &Context<'_>,
    signed: &Signed,
    removed: &Bits,
    clean: &dyn CleanCorpus,
) -> Result<(), Error> {
    let mut writer = clean.begin()?;
    let mut pass = context.corpus.pass();
    let mut block = Block::default();
    for mark in signed
        .blocks
        .read_all()?
        .iter()
        .take_while(|mark| mark.part() == 0)
    {
        pass.read_again(mark, &mut block)?;
        let (mut rejected, mut id) = (Vec::new(), Vec::new());
        let source = block.place.part;
        block.decode(&mut |_| true, &mut |slot, record| {
            id.clear();
            let has_id = |record| context.corpus.id(&record, 0, source, &mut id).is_ok();
            if !record.is_ok_and(has_id) {
                rejected.push(slot);
            }
        })?;
        let stays = &mut |slot| {
            slot < mark.records
                && !removed.contains(mark.first + slot)
                && rejected.binary_search(&slot).is_err()
        };
        writer.write(&block, stays)?;
    }
    Ok(writer.finish()?)
}

/// The largest clusters with the beginning of their kept text.
pub(crate) fn largest_clusters(
    context: &Context<'_>,
    signed: &Signed,
    largest: &[(u32, u64)],
) -> Result<Vec<ClusterSummary>, Error> {
    const SHOWN: usize = 100;
    let marks = signed.blocks.read_all()?;
    let (mut lookup, records) = (signed.ids(), &signed.records);
    let mut clusters = Vec::new();
    for &(kept, size) in largest {
        let text = text_of(context, &marks, kept)?;
        let text: String = text.chars().take(20 * SHOWN).map(printable).collect();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        clusters.push(ClusterSummary {
            cluster: serde_json::from_str(lookup.id(records.of(kept))?).unwrap_or_default(),
            size,
            text: line.chars().take(SHOWN).collect(),
        });
    }
    Ok(clusters)
}

/// What a terminal may be given: text can hold anything, control sequences too.
fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}
