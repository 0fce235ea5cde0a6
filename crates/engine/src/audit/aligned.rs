//! The same for passages: the sampled documents are aligned with every other one.

use std::collections::BTreeSet;

use lookalike_pair::RecordPair;
use lookalike_pair::assemble::alignment::Relation;
use lookalike_text::RecordId;

use super::{choose, share};
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::output::for_each_shared;
use crate::stages::{self, Alignment, Context, Gathered, Located, Texts, Units, record_pairs};
use lookalike_kernel::rows::AuditResult;

/// Measures on `count` sampled documents. Of near-identical documents that are listed as a star, the first stands for all.
pub(crate) fn audit_passages(
    context: &Context<'_>,
    units: Units<'_>,
    found: &FoundPassages,
    count: u64,
) -> Result<AuditResult, Error> {
    let counts = &units.signed.counts;
    let chosen = choose(context, counts.input_records as u32, count);
    let every = every_pair(context, units, &chosen)?;
    let gathered = Gathered {
        pairs: every,
        common: found.common.clone(),
        classes: stages::Classes::default(),
    };
    let records = &units.signed.records;
    let mut read = Bits::new(counts.records as usize);
    (0..counts.records as u32)
        .filter(|&record| !records.range_of(record).is_empty())
        .for_each(|record| read.insert(record));
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
    let is_found = |&(a, b): &(u32, u32)| {
        let (x, y) = (found.classes.leader(a), found.classes.leader(b));
        let is_reported = |a: u32, b: u32| a == b || all_reported.contains(&(a.min(b), a.max(b)));
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
    chosen: &[u32],
) -> Result<lookalike_pair::spill::Shuffle<RecordPair>, Error> {
    let counts = &units.signed.counts;
    let pairs = record_pairs(context, units);
    let first = if context.corpus.is_against() {
        counts.input_records as u32
    } else {
        0
    };
    let has_text = |record: &u32| !units.signed.records.range_of(*record).is_empty();
    for &record in chosen.iter().filter(|record| has_text(record)) {
        let others = (first..counts.records as u32).filter(has_text);
        let others = others.map(RecordId::from);
        pairs.extend(others.filter_map(|other| RecordPair::new(record.into(), other)))?;
    }
    Ok(pairs)
}

/// The pairs with a passage and one of these documents; all pairs if none is named.
fn pairs_of(located: &Located, chosen: &[u32]) -> Result<BTreeSet<(u32, u32)>, Error> {
    let mut pairs = BTreeSet::new();
    let is_chosen = |record: u32| chosen.is_empty() || chosen.binary_search(&record).is_ok();
    for_each_shared(located, |pair, _| {
        if pair.relation() != Relation::Boilerplate && (is_chosen(pair.a) || is_chosen(pair.b)) {
            pairs.insert((pair.a, pair.b));
        }
        Ok(())
    })?;
    Ok(pairs)
}
