//! The tables of a run that finds pairs of records or sentences.

use lookalike_kernel::Pairs;
use lookalike_kernel::rows::{AuditResult, HotBuckets, Numbers, Summary};
use lookalike_pair::Scored;
use lookalike_pair::spill::Shuffle;
use lookalike_text::UnitId;

use super::clean_corpus::write_clean;
use super::listed_clusters::{write_clusters, write_removed};
use super::listed_pairs::{Listing, write_pairs};
use super::named_units::UnitRows;
use super::rejections::write_rejected;
use super::sentence_quotes::Quotes;
use super::shared_articles::write_articles;
use super::summary_numbers::{largest_clusters, numbers_read, sentences_summary};
use super::thread_details::Details;
use crate::Error;
use crate::bits::Bits;
use crate::find_pairs::Found;
use crate::sink::Sink;
use crate::source::CleanCorpus;
use crate::stages::{Assembled, Context, Store, Units};

/// What was found.
pub(crate) struct PairTables<'r> {
    pub(crate) units: Units<'r>,
    pub(crate) found: Found,
    pub(crate) assembled: &'r Assembled,
    pub(crate) audit: Option<AuditResult>,
}

/// Writes the tables, and the corpus without what was removed, and says what is in them.
pub(crate) fn write_pair_tables(
    context: &Context<'_>,
    tables: PairTables<'_>,
    sink: &mut dyn Sink,
    clean: Option<&dyn CleanCorpus>,
) -> Result<Summary, Error> {
    let (units, found, assembled) = (tables.units, tables.found, tables.assembled);
    let (signed, verified) = (units.signed, &found.verified);
    let scored = &verified.scored;
    let rows = unit_rows(context, units, scored, found.store)?;
    let listing = Listing {
        units,
        scored,
        assembled,
    };
    let pairs = write_pairs(context, listing, &*rows, sink)?;
    let whole = context.corpus.is_whole();
    let mut removed = Bits::new(signed.counts.records as usize);
    if whole {
        write_removed(sink, signed, assembled, |record| removed.insert(record))?;
    }
    let clusters = write_clusters(sink, &*rows, assembled)?;
    let sentences = if whole {
        None
    } else {
        let articles = write_articles(context, units, scored, sink)?;
        Some(sentences_summary(signed, &pairs, &clusters, articles))
    };
    let first_rejections = write_rejected(sink, signed)?;
    if let Some(clean) = clean {
        write_clean(context, signed, &removed, clean)?;
    }
    let counts = &signed.counts;
    // A rejected record is a unit only where records are units.
    let rejected_units = if whole { counts.input_rejected } else { 0 };
    Ok(Summary {
        counts: Numbers {
            identical_copies: units.groups.copies().len() as u64,
            candidate_pairs: verified.counts.candidates,
            assumed_pairs: verified.counts.assumed,
            pairs: pairs.listed,
            clusters: clusters.count,
            removed: clusters.removed,
            kept: counts.input_units - rejected_units - clusters.removed,
            removed_share: if counts.input_units == 0 {
                0.0
            } else {
                clusters.removed as f64 / counts.input_units as f64
            },
            ..numbers_read(counts)
        },
        recall: found.candidates.recall(context.kernel),
        hot_buckets: HotBuckets {
            buckets: found.candidates.hot.count(),
            pairs_not_compared: found.candidates.searched.left_out,
            records: verified.counts.hot_units,
            linked: verified.counts.hot_linked,
        },
        sentences,
        largest_clusters: largest_clusters(context, signed, &clusters.largest)?,
        first_rejections,
        audit: tables.audit,
        parameters: context.spec().resolved()?,
        ..Summary::default()
    })
}

/// What is said of pairs and clusters in this job.
fn unit_rows<'r>(
    context: &'r Context<'r>,
    units: Units<'r>,
    scored: &Shuffle<Scored>,
    store: Option<Store<UnitId, u64>>,
) -> Result<Box<dyn UnitRows + 'r>, Error> {
    if !context.corpus.is_whole() {
        drop(store);
        return Ok(Box::new(Quotes::read(context, units, scored)?));
    }
    if context.spec().pairs != Pairs::None
        && let Some(details) = Details::new(context, units, scored, store)?
    {
        return Ok(Box::new(details));
    }
    Ok(Box::new(units))
}
