//! The second half of a run that locates passages: from what was signed to the result files.

use super::{Request, RunOptions, summary};
use crate::Error;
use crate::audit::audit_passages;
use crate::listed;
use crate::observe::Stage;
use crate::output::{self, DocumentGroups, Group, ResultFiles};
use crate::passages::find_passages;
use crate::resume::Work;
use crate::stages::{Context, UnitsMut};
use lookalike_kernel::rows::{HotBuckets, Numbers, Summary};

/// The rest of a run that locates passages.
pub(super) fn passages_and_output(
    context: &Context<'_>,
    (request, options): (&Request<'_>, &RunOptions<'_>),
    mut all: UnitsMut<'_>,
    work: &mut Work,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<Summary, Error> {
    let listed = match &request.pair_list {
        Some(list) => Some(listed::read(context, all.units(), list)?),
        None => None,
    };
    let rejected = listed
        .as_ref()
        .map_or(Vec::new(), |listed| listed.rejected.clone());
    let found = find_passages(context, &mut all, listed, work, seconds)?;
    let audit = match options.audit {
        Some(count) => {
            let bytes = context.corpus.bytes();
            Some(context.timed(Stage::Audit, bytes, seconds, || {
                audit_passages(context, all.units(), &found, count)
            })?)
        }
        None => None,
    };
    let signed = all.signed;
    context.timed(Stage::Write, 0, seconds, || {
        signed.reject(&rejected)?;
        let mut files = ResultFiles::new(work.new_written_folder()?);
        let documents = DocumentGroups::new(context, signed, &found)?;
        let mut passages = files.write("pairs.jsonl", |file| {
            output::write_shared(file, (signed, &found), &documents)
        })?;
        passages.collections = documents.count(Group::Collection);
        passages.multi_page = documents.count(Group::MultiPage);
        files.write("passages.jsonl", |file| {
            output::write_passages(file, signed, &found)
        })?;
        let clusters = files.write("clusters.jsonl", |file| documents.write(file, signed))?;
        let first_rejections = files.write("rejected.jsonl", |file| {
            output::write_rejected(file, signed)
        })?;
        Ok(Summary {
            counts: Numbers {
                candidate_pairs: found.located.compared,
                pairs: found.located.pairs.len(),
                clusters,
                kept: signed.counts.input_records - signed.counts.input_rejected,
                ..output::numbers_read(&signed.counts)
            },
            hot_buckets: HotBuckets {
                buckets: found.candidates.hot.count(),
                pairs_not_compared: found.candidates.searched.left_out,
                records: found.candidates.hot.units(signed.units())?.count(),
                linked: 0,
            },
            recall: found.candidates.recall(context.kernel),
            passages: Some(passages),
            first_rejections,
            audit,
            files: files.written,
            ..summary(context, request, options)?
        })
    })
}
