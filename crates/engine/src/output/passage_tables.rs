//! The tables of a run that locates passages.

use lookalike_kernel::rows::{AuditResult, DocumentGroup, HotBuckets, Numbers, Summary};

use super::document_groups::DocumentGroups;
use super::listed_records::{write_records, write_repeated};
use super::located_passages::{for_each_shared, write_passages, write_shared};
use super::rejections::{unreadable, write_rejected};
use super::summary_numbers::numbers_read;
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::sink::Sink;
use crate::stages::{Context, Signed};

/// What was found.
pub(crate) struct PassageTables<'r> {
    pub(crate) signed: &'r Signed,
    pub(crate) found: FoundPassages,
    pub(crate) audit: Option<AuditResult>,
}

/// Writes the tables and says what is in them.
pub(crate) fn write_passage_tables(
    context: &Context<'_>,
    tables: PassageTables<'_>,
    sink: &mut dyn Sink,
) -> Result<Summary, Error> {
    let (signed, found) = (tables.signed, tables.found);
    let groups = DocumentGroups::new(context, signed, &found)?;
    let mut passages = write_shared(sink, signed, &found, &groups)?;
    passages.collections = groups.count(DocumentGroup::Collection);
    passages.multi_page = groups.count(DocumentGroup::MultiPage);
    let texts = context.spec().passages.text.then_some(&found.texts);
    write_passages(sink, signed, &found, texts)?;
    let clusters = groups.write(sink, signed)?;
    let mut members = Bits::new(signed.counts.records as usize);
    for_each_shared(&found.located, |pair, _| {
        members.insert(pair.a);
        members.insert(pair.b);
        Ok(())
    })?;
    write_records(context, signed, None, &members, sink)?;
    let repeated_ids = write_repeated(context, signed, sink)?;
    let candidates = &found.candidates;
    Ok(Summary {
        counts: Numbers {
            candidate_pairs: found.located.compared,
            pairs: found.located.pairs.len(),
            clusters,
            repeated_ids,
            kept: signed.counts.input_records - signed.counts.input_rejected,
            ..numbers_read(&signed.counts)
        },
        recall: candidates.recall(context.kernel),
        hot_buckets: HotBuckets {
            buckets: candidates.hot.count(),
            pairs_not_compared: candidates.searched.left_out,
            records: candidates.hot.units(signed.units())?.count(),
            linked: 0,
        },
        passages: Some(passages),
        first_rejections: write_rejected(context, signed, sink)?,
        unreadable: unreadable(context, signed),
        audit: tables.audit,
        parameters: context.spec().resolved()?,
        ..Summary::default()
    })
}
