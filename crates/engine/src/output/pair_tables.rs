//! The tables of a run that finds pairs of records or sentences.

use std::collections::BTreeMap;

use lookalike_kernel::rows::{HotBuckets, Numbers, SimilarityBin, SuggestionsSummary, Summary};
use lookalike_kernel::{Pairs, Spec};
use lookalike_pair::Scored;
use lookalike_pair::assemble::Difference;
use lookalike_pair::spill::Shuffle;
use lookalike_text::UnitId;

use super::audited_pairs::write_audited;
use super::clean_corpus::write_clean;
use super::differing_pairs::DifferingPairs;
use super::listed_clusters::{write_clusters, write_removed};
use super::listed_pairs::{Listing, PairCounts, write_pairs};
use super::listed_records::{records_in_pairs, write_records, write_repeated};
use super::listed_templates::write_templates;
use super::lost_sources::{Losses, losses};
use super::named_units::UnitRows;
use super::rejections::{unreadable, write_rejected};
use super::sentence_quotes::Quotes;
use super::shared_articles::write_articles;
use super::summary_numbers::{largest_clusters, numbers_read, sentences_summary};
use super::thread_details::Details;
use crate::Error;
use crate::audit::Audited;
use crate::bits::Bits;
use crate::find_pairs::Found;
use crate::sink::Sink;
use crate::source::CleanCorpus;
use crate::stages::{
    Assembled, Context, RecordTexts, Signed, Store, Units, Verified, assemble_variants,
    units_in_pairs,
};

/// What was found.
pub(crate) struct PairTables<'r> {
    pub(crate) units: Units<'r>,
    pub(crate) found: Found,
    pub(crate) assembled: &'r Assembled,
    pub(crate) audit: Option<Audited>,
    pub(crate) suggestions: Option<SuggestionsSummary>,
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
    let mut rows = unit_rows(context, units, scored, (found.store, found.texts))?;
    let listing = Listing {
        units,
        scored,
        assembled,
    };
    let pairs = write_pairs(context, listing, &mut *rows, sink)?;
    let whole = context.corpus.is_whole();
    let mut removed = Bits::new(signed.counts.records as usize);
    if whole {
        let remove = |record| removed.insert(record);
        write_removed(context, (signed, assembled), sink, remove)?;
    }
    let of = (assembled, signed.first_unit_against());
    let clusters = write_clusters(context, &*rows, of, sink)?;
    let lost_answers = rows.lost_answers(assembled)?;
    let templates = if context.spec().job.finds_templates() {
        let variants = assemble_variants(context, units, scored)?;
        Some(write_templates(
            (context, units),
            rows.texts(),
            &variants,
            sink,
        )?)
    } else {
        None
    };
    let sentences = if whole {
        None
    } else {
        let articles = write_articles(context, units, scored, sink)?;
        Some(sentences_summary(signed, &pairs, &clusters, articles))
    };
    let mut members = records_in_pairs(context, units, scored)?;
    if let Some(audit) = &tables.audit {
        write_audited(context, units, &audit.pairs, sink)?;
        for pair in &audit.pairs {
            members.insert(signed.records.of(pair.a));
            members.insert(signed.records.of(pair.b));
        }
    }
    write_records(context, signed, Some(units), &members, sink)?;
    let repeated_ids = write_repeated(context, signed, sink)?;
    let first_rejections = write_rejected(context, signed, sink)?;
    let clean = clean.map(|clean| write_clean(context, signed, &removed, clean));
    let losses = match whole {
        true => losses(context, signed, &removed)?,
        false => Losses::default(),
    };
    let counts = &signed.counts;
    // A rejected record is a unit only where records are units.
    let rejected_units = if whole { counts.input_rejected } else { 0 };
    let (parameters, notes) = settings(context, signed)?;
    Ok(Summary {
        counts: Numbers {
            repeated_ids,
            identical_copies: identical_copies(context, units, assembled)?,
            candidate_pairs: verified.counts.candidates,
            assumed_pairs: assumed_pairs(context, verified, &pairs),
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
        kinds: counted_by_name(&pairs.differences),
        templates,
        similarities: SimilarityBin::all(&pairs.similarities),
        largest_clusters: largest_clusters(context, signed, &clusters.largest)?,
        first_rejections,
        unreadable: unreadable(context, signed),
        cleaned_records: clean.transpose()?,
        lost_answers,
        sources: losses.all,
        lost_sources: losses.lost,
        audit: tables.audit.map(|audit| audit.result),
        suggestions: tables.suggestions,
        parameters,
        notes,
        ..Summary::default()
    })
}

/// The settings, and what should be known of them. Where records differ in what the source tells them apart by, it is as if
/// that field had been chosen.
fn settings(context: &Context<'_>, signed: &Signed) -> Result<(Spec, Vec<String>), Error> {
    let (mut spec, mut notes) = (context.spec().resolved()?, Vec::new());
    if let (Some(field), None) = (context.corpus.apart_by(), &spec.keep_per)
        && signed
            .columns
            .keep_per
            .read_all()?
            .iter()
            .any(|&hash| hash != 0)
    {
        notes.push(format!(
            "records whose {field} differ are listed as pairs, but not removed for each other"
        ));
        spec.keep_per = Some(field.to_string());
    }
    Ok((spec, notes))
}

/// The pairs that were assumed: those listed, with all copies where all are listed, or where none are, those there are.
fn assumed_pairs(context: &Context<'_>, verified: &Verified, pairs: &PairCounts) -> u64 {
    match context.spec().pairs {
        Pairs::Auto | Pairs::All if context.plan().verified => pairs.unverified,
        _ => verified.counts.assumed,
    }
}

/// What is said of pairs and clusters in this job.
fn unit_rows<'r>(
    context: &'r Context<'r>,
    units: Units<'r>,
    scored: &Shuffle<Scored>,
    (store, texts): (Option<Store<UnitId, u64>>, Option<RecordTexts>),
) -> Result<Box<dyn UnitRows + 'r>, Error> {
    if !context.corpus.is_whole() {
        drop(store);
        return Ok(Box::new(Quotes::read(context, units, scored)?));
    }
    // Which answers are lost is told of threads also where no pairs are listed.
    let is_silent = context.spec().pairs == Pairs::None && context.plan().model.is_none();
    if is_silent || !context.spec().job.tells_differences() {
        return Ok(Box::new(units));
    }
    let texts = match texts {
        Some(texts) => texts,
        None => RecordTexts::read(context, units, &units_in_pairs(units, scored)?)?,
    };
    if context.spec().compared_fields().is_empty() {
        return Ok(Box::new(DifferingPairs {
            context,
            units,
            texts,
        }));
    }
    Ok(Box::new(Details::new(
        context,
        units,
        scored,
        (store, texts),
    )?))
}

fn counted_by_name(differences: &BTreeMap<Difference, u64>) -> BTreeMap<String, u64> {
    let named = differences.iter();
    named
        .map(|(difference, &count)| (difference.name().to_string(), count))
        .collect()
}

/// How many records are the same as an earlier one. With `--against` it is those removed that are the same as one of the
/// corpus, or as an earlier one where the input is compared with itself, too.
fn identical_copies(
    context: &Context<'_>,
    units: Units<'_>,
    assembled: &Assembled,
) -> Result<u64, Error> {
    let groups = units.groups;
    if !context.corpus.is_against() {
        return Ok(groups.copies().len() as u64);
    }
    let within = context.corpus.compares_input();
    let is_copy = |unit: UnitId| groups.has_twin(unit) || (within && !groups.is_first(unit));
    if !context.corpus.is_whole() {
        let input = (0..units.signed.first_unit_against().get()).map(UnitId::from);
        return Ok(input.filter(|&unit| is_copy(unit)).count() as u64);
    }
    let mut copies = 0;
    assembled.removed.for_each(|removed| {
        copies += u64::from(is_copy(removed.unit()));
        Ok::<_, Error>(())
    })?;
    Ok(copies)
}
