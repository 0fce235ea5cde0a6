//! A run that locates passages: from what was signed to documents that share parts, and where these are.
//!
//! Sentences propose pairs of documents; each such pair is then aligned as a whole, so that what is found of it does not
//! depend on how it was proposed.

use lookalike_pair::RecordPair;
use lookalike_pair::assemble::alignment::Aligner;
use lookalike_pair::spill::Shuffle;

use crate::Error;
use crate::bits::Bits;
use crate::find::propose_candidates;
use crate::listed::Listed;
use crate::observe::Stage;
use crate::rank::Ranks;
use crate::records::Records;
use crate::resume::Work;
use crate::stages::{
    self, Candidates, Classes, Context, Gathered, Groups, HotBuckets, Located, Signed, Texts, Units,
};
use lookalike_kernel::Recall;

/// What documents share.
pub(crate) struct FoundPassages {
    pub(crate) located: Located,
    /// The texts of all documents that were aligned.
    pub(crate) texts: Texts,
    /// The sentences that are boilerplate.
    pub(crate) common: Bits,
    pub(crate) classes: Classes,
    pub(crate) hot: HotBuckets,
    pub(crate) recall: Recall,
}

/// Finds and locates the passages.
pub(crate) fn find_passages(
    context: &Context<'_>,
    (signed, groups, ranks): (&mut Signed, &Groups, &Ranks),
    listed: Option<Listed>,
    work: &mut Work<'_>,
    seconds: &mut Vec<(&'static str, f64)>,
) -> Result<FoundPassages, Error> {
    let aligner = context.kernel.aligner()?;
    let is_listed = listed.is_some();
    let mut candidates = match work.manifest.candidates.clone() {
        Some(saved) => Candidates::new(context, signed.units()).restore(saved)?,
        None if is_listed => Candidates::new(context, signed.units()),
        None => {
            let units = Units {
                signed,
                groups,
                ranks,
            };
            propose_candidates(context, units, seconds)?
        }
    };
    signed.forget_keys();
    if work.is_due() {
        work.save_joined(signed, &mut candidates)?;
        work.checkpoint()?;
    }
    let gathered = context.timed(Stage::Gather, 0, seconds, || {
        let units = Units {
            signed,
            groups,
            ranks,
        };
        let listed = listed.map(|listed| listed.pairs);
        stages::gather(context, units, &candidates.pairs, listed)
    })?;
    let texts = context.timed(Stage::Describe, context.corpus.bytes(), seconds, || {
        let records = in_pairs(signed.counts.records as usize, &gathered.pairs)?;
        Texts::read(context, signed, records)
    })?;
    let located = context.timed(Stage::Align, gathered.pairs.total(), seconds, || {
        let joined = (signed, &mut candidates);
        locate(context, joined, (&gathered, &texts), &aligner, work)
    })?;
    gathered.pairs.clear();
    Ok(FoundPassages {
        located,
        texts,
        common: gathered.common,
        classes: gathered.classes,
        recall: candidates.recall(context.kernel),
        hot: candidates.hot,
    })
}

/// Aligns the documents, continuing where the manifest of `work` ends.
fn locate(
    context: &Context<'_>,
    (signed, candidates): (&mut Signed, &mut Candidates),
    (gathered, texts): (&Gathered, &Texts),
    aligner: &Aligner,
    work: &mut Work<'_>,
) -> Result<Located, Error> {
    let mut located = Located::new(context);
    if let Some(saved) = work.manifest.located.clone() {
        located = located.restore(saved)?;
    }
    // What was signed is saved while documents are aligned.
    let records = std::mem::replace(&mut signed.records, Records::Whole);
    let save = |located: &mut Located| {
        if work.is_due() {
            work.save_joined(signed, candidates)?;
            work.manifest.located = Some(located.save()?);
            work.checkpoint()?;
        }
        Ok(())
    };
    let aligned = stages::align(
        context,
        (&records, gathered, texts),
        aligner,
        &mut located,
        save,
    );
    signed.records = records;
    aligned.map(|()| located)
}

/// All records that are in a pair.
fn in_pairs(records: usize, pairs: &Shuffle<RecordPair>) -> Result<Bits, Error> {
    let mut members = Bits::new(records);
    pairs.for_each(|pair| {
        members.insert(pair.lo().get());
        members.insert(pair.hi().get());
        Ok::<_, Error>(())
    })?;
    Ok(members)
}
