//! The second half of a run that locates passages: from what was signed to the result files.

use super::{Request, RunOptions, summary};
use crate::Error;
use crate::audit::audit_passages;
use crate::listed;
use crate::observe::Stage;
use crate::output::{self, DocumentGroups, Group, ResultFiles};
use crate::passages::find_passages;
use crate::rank::Ranks;
use crate::resume::Work;
use crate::stages::{Context, Groups, Signed, Units};
use lookalike_kernel::rows::{HotBuckets, Numbers, Summary};

/// The rest of a run that locates passages.
pub(super) fn passages_and_output(
    context: &Context<'_>,
    (request, options): (&Request<'_>, &RunOptions<'_>),
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    work: &mut Work<'_>,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<Summary, Error> {
    let listed = match &request.pair_list {
        Some(list) => {
            let units = Units {
                signed,
                groups,
                ranks,
            };
            Some(listed::read(context, units, list)?)
        }
        None => None,
    };
    let rejected = listed
        .as_ref()
        .map_or(Vec::new(), |listed| listed.rejected.clone());
    let found = find_passages(context, (signed, groups, ranks), listed, work, seconds)?;
    let audit = match options.audit {
        Some(count) => {
            let bytes = context.corpus.bytes();
            let units = Units {
                signed,
                groups,
                ranks,
            };
            Some(context.timed(Stage::Audit, bytes, seconds, || {
                audit_passages(context, units, &found, count)
            })?)
        }
        None => None,
    };
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
                buckets: found.hot.count(),
                pairs_not_compared: found.hot.left_out(),
                records: found.hot.units(signed.units())?.count(),
                linked: 0,
            },
            recall: found.recall,
            passages: Some(passages),
            first_rejections,
            audit,
            files: files.written,
            ..summary(context, request, options)?
        })
    })
}
