//! What each of several thresholds would remove, from the pairs of one finished result.

use std::path::Path;

use lookalike_kernel::rows::Summary;

use super::{ReclusterOptions, Records, clusters, read_pairs, settings};
use crate::Error;
use crate::finished::Finished;

/// What a result made of the pairs of this one leaves open, if anything.
pub fn left_open(summary: &Summary) -> Option<String> {
    let pairs = summary.hot_buckets.pairs_not_compared;
    (pairs > 0).then(|| {
        format!(
            "up to {pairs} pairs among variants of a few texts were not compared, so a few of these may be kept that a new run \
             would remove"
        )
    })
}

/// What a threshold would remove.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// The threshold.
    pub threshold: f64,
    /// How many records it would remove.
    pub removed: u64,
    /// The pairs that only this threshold has, and not the next one.
    pub pairs: u64,
    /// The least similar of these.
    pub example: Option<ExamplePair>,
}

/// A pair to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct ExamplePair {
    /// The ids of its records, as JSON.
    pub ids: [String; 2],
    /// The numbers of its records in the input, from 1.
    pub numbers: [u64; 2],
    /// How similar they are.
    pub similarity: f64,
}

/// What each of these thresholds, in ascending order, would remove, from the pairs of a finished result.
///
/// # Errors
/// If the result does not say what must be known.
pub fn outlook(result: &Path, thresholds: &[f64]) -> Result<Vec<Outlook>, Error> {
    let result = &Finished::open(result)?;
    let summary = result.summary.clone();
    settings(&summary, &ReclusterOptions::new(""))?;
    let records = Records::read(result, &summary.parameters.keep)?;
    let (mut outlooks, mut spec) = (Vec::new(), summary.parameters);
    for (number, &threshold) in thresholds.iter().enumerate() {
        spec.threshold = Some(threshold);
        let pairs = read_pairs(result, &records, &spec)?;
        let next = thresholds.get(number + 1).copied().unwrap_or(f64::INFINITY);
        let own = pairs.iter().filter(|pair| pair.similarity < next);
        let example = own
            .clone()
            .min_by(|a, b| a.similarity.total_cmp(&b.similarity));
        let place = |rank: u32| records.by_rank[rank as usize] as usize;
        let example = example.map(|pair| {
            let places = [place(pair.first), place(pair.second)];
            ExamplePair {
                ids: places.map(|place| records.ids[place].clone()),
                numbers: places.map(|place| records.rows[place].order),
                similarity: pair.similarity,
            }
        });
        outlooks.push(Outlook {
            threshold,
            removed: clusters(&records, &pairs).len() as u64,
            pairs: own.count() as u64,
            example,
        });
    }
    Ok(outlooks)
}
