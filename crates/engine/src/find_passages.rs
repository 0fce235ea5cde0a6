//! A run that locates passages: from what was signed to documents that share parts, and where these are.
//!
//! Sentences propose pairs of documents; each such pair is then aligned as a whole, so that what is found of it does not
//! depend on how it was proposed.

use lookalike_pair::RecordPair;
use lookalike_pair::spill::Shuffle;
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::bits::Bits;
use crate::find_pairs::propose_candidates;
use crate::observe::Stage;
use crate::records::Records;
use crate::resume::{Checkpointed, Work};
use crate::stages::{
    self, Alignment, Candidates, Classes, Context, Located, Signed, Texts, UnitsMut,
};

/// What documents share.
pub(crate) struct FoundPassages {
    pub(crate) located: Located,
    /// The texts of all documents that were aligned.
    pub(crate) texts: Texts,
    /// The sentences that are boilerplate.
    pub(crate) common: Bits<UnitId>,
    pub(crate) classes: Classes,
    /// What they were found among, and how.
    pub(crate) candidates: Candidates,
}

/// Finds and locates the passages.
pub(crate) fn find_passages(
    context: &Context<'_>,
    all: &mut UnitsMut<'_>,
    listed: Option<Shuffle<RecordPair>>,
    work: &mut Work<'_>,
) -> Result<FoundPassages, Error> {
    let aligner = context.kernel.aligner()?;
    let mut candidates = Candidates::new(context, all.signed.units());
    if let Some(saved) = work.manifest.candidates.clone() {
        candidates = candidates.restore(saved)?;
    } else if listed.is_none() {
        candidates = propose_candidates(context, all.units())?;
    }
    all.signed.forget_keys();
    if work.is_due() {
        work.save_joined(all.signed, &mut candidates)?;
        work.checkpoint()?;
    }
    let gathered = context.timed(Stage::Gather, 0, || {
        stages::gather(context, all.units(), &candidates.pairs, listed)
    })?;
    if context.plan().near.is_some() && candidates.searched.neighbours.is_none() {
        let search = || stages::search(context, all.units(), &gathered, &candidates.documents);
        candidates.searched.neighbours = Some(context.timed(Stage::Search, 0, search)?);
        all.signed.forget_words();
        if work.is_due() {
            work.save_joined(all.signed, &mut candidates)?;
            work.checkpoint()?;
        }
    }
    let proposed = &candidates.documents;
    proposed.for_each(|pair| gathered.pairs.extend([pair]))?;
    let texts = context.timed(Stage::Describe, context.corpus.bytes(), || {
        let records = in_pairs(all.signed.counts.records as usize, &gathered.pairs)?;
        Texts::read(context, all.signed, &records)
    })?;
    // What was signed is saved while documents are aligned.
    let records = std::mem::replace(&mut all.signed.records, Records::Whole);
    let located = context.timed(Stage::Align, gathered.pairs.total(), || {
        let alignment = Alignment {
            records: &records,
            gathered: &gathered,
            texts: &texts,
            aligner: &aligner,
        };
        locate(context, &alignment, (all.signed, &mut candidates), work)
    });
    all.signed.records = records;
    gathered.pairs.clear();
    Ok(FoundPassages {
        located: located?,
        texts,
        common: gathered.common,
        classes: gathered.classes,
        candidates,
    })
}

/// Aligns the documents, continuing where the manifest of `work` ends.
fn locate(
    context: &Context<'_>,
    alignment: &Alignment<'_>,
    (signed, candidates): (&mut Signed, &mut Candidates),
    work: &mut Work<'_>,
) -> Result<Located, Error> {
    let mut located = Located::new(context);
    if let Some(saved) = work.manifest.located.clone() {
        located = located.restore(saved)?;
    }
    stages::align(context, alignment, &mut located, |located| {
        if work.is_due() {
            work.save_joined(signed, candidates)?;
            work.manifest.located = Some(located.save()?);
            work.checkpoint()?;
        }
        Ok(())
    })?;
    Ok(located)
}

/// All records that are in a pair.
fn in_pairs(records: usize, pairs: &Shuffle<RecordPair>) -> Result<Bits<RecordId>, Error> {
    let mut members = Bits::new(records);
    pairs.for_each(|pair| {
        members.insert(pair.lo());
        members.insert(pair.hi());
        Ok::<_, Error>(())
    })?;
    Ok(members)
}
