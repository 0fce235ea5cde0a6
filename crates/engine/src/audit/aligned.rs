//! The same for passages: the sampled documents are aligned with every other one.

use std::collections::BTreeSet;

use lookalike_kernel::rows::AuditResult;
use lookalike_pair::RecordPair;
use lookalike_pair::assemble::alignment::Relation;
use lookalike_pair::spill::Shuffle;
use lookalike_text::RecordId;

use super::{choose, share};
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::output::for_each_shared;
use crate::stages::{self, Alignment, Context, Gathered, Located, Texts, Units, record_pairs};

/// Measures on `count` sampled documents. Of near-identical documents that are listed as a star, the first stands for all.
pub(crate) fn audit_passages(
    context: &Context<'_>,
    units: Units<'_>,
    found: &FoundPassages,
    count: u64,
) -> Result<AuditResult, Error> {
    let counts = &units.signed.counts;
    let chosen: Vec<RecordId> = choose(context, counts.input_records as u32, count);
    let every = every_pair(context, units, &chosen)?;
    let gathered = Gathered {
        pairs: every,
        common: found.common.clone(),
        classes: stages::Classes::default(),
    };
    let records = &units.signed.records;
    let read = Bits::of(counts.records as usize, |record| records.has_units(record));
    let texts = Texts::read(context, units.signed, &read)?;
    let aligner = context.kernel.aligner()?;
    let mut exhaustive = Located::new(context);
    let alignment = Alignment {
        records,
        gathered: &gathered,
        texts: &texts,
        aligner: &aligner,
    };
    stages::align(context, &alignment, &mut exhaustive, |_| Ok(()))?;
    gathered.pairs.clear();
    let truth = pairs_of(&exhaustive, &chosen)?;
    let reported = pairs_of(&found.located, &chosen)?;
    let all_reported = pairs_of(&found.located, &[])?;
    let is_found = |pair: &RecordPair| {
        let (a, b) = (pair.lo(), pair.hi());
        let (x, y) = (found.classes.leader(a), found.classes.leader(b));
        let is_reported = |a: RecordId, b: RecordId| {
            RecordPair::new(a, b).is_none_or(|pair| all_reported.contains(&pair))
        };
        is_reported(a, b) || is_reported(a, x) && is_reported(b, y) && is_reported(x, y)
    };
    let found_pairs = truth.iter().filter(|pair| is_found(pair)).count() as u64;
    let right_pairs = reported.intersection(&truth).count() as u64;
    Ok(AuditResult {
        sampled: chosen.len() as u64,
        true_pairs: truth.len() as u64,
        found_pairs,
        recall: share(found_pairs, truth.len() as u64),
        reported_pairs: reported.len() as u64,
        right_pairs,
        precision: share(right_pairs, reported.len() as u64),
    })
}

/// The chosen documents with every other one they are compared with.
fn every_pair(
    context: &Context<'_>,
    units: Units<'_>,
    chosen: &[RecordId],
) -> Result<Shuffle<RecordPair>, Error> {
    let signed = units.signed;
    let pairs = record_pairs(context, units);
    let first = (!context.corpus.compares_input()).then(|| signed.first_record_against());
    let has_text = |record: &RecordId| signed.records.has_units(*record);
    for &record in chosen.iter().filter(|record| has_text(record)) {
        let others = signed.all_records().filter(has_text);
        let others = others.filter(|&other| first.is_none_or(|first| other >= first));
        pairs.extend(others.filter_map(|other| RecordPair::new(record, other)))?;
    }
    Ok(pairs)
}

/// The pairs with a passage and one of these documents; all pairs if none is named.
fn pairs_of(located: &Located, chosen: &[RecordId]) -> Result<BTreeSet<RecordPair>, Error> {
    let mut pairs = BTreeSet::new();
    let is_chosen = |record: RecordId| chosen.is_empty() || chosen.binary_search(&record).is_ok();
    for_each_shared(located, |pair, _| {
        if pair.relation() != Relation::Boilerplate && (is_chosen(pair.a) || is_chosen(pair.b)) {
            pairs.extend(RecordPair::new(pair.a, pair.b));
        }
        Ok(())
    })?;
    Ok(pairs)
}
