//! A new result from the pairs of a finished one: another threshold, another rule of what is kept, without reading the corpus.
//!
//! In: a folder with `pairs.jsonl` and `records.jsonl`. Out: another folder with the pairs that reach the new threshold, the
//! clusters they make by the one rule, and what these remove. All pairs are held in memory, 24 bytes each.

mod outlook;
mod ranked;
mod written;

use std::path::{Path, PathBuf};
use std::time::Instant;

use lookalike_io::TableFormat;
use lookalike_kernel::pair::assemble::Difference;
use lookalike_kernel::rows::Summary;
use lookalike_kernel::{Error as KernelError, Keep, Pairs, Setting, Spec};

use self::ranked::{Records, clusters, read_pairs};
use self::written::{Made, write};
use crate::Error;
use crate::finished::{Finished, unusable};
use crate::report::ReportOptions;
pub use outlook::{ExamplePair, Outlook, left_open, outlook};

/// What is to be another than before.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReclusterOptions {
    /// The folder of the new result.
    pub out: PathBuf,
    /// The threshold, not below the one before; by default the same.
    pub threshold: Option<f64>,
    /// What is kept; by default as before.
    pub keep: Option<Keep>,
    /// What the tables are written as; by default as before.
    pub format: Option<TableFormat>,
    /// By what two records may differ of which one is removed; by default as before.
    pub remove_kinds: Option<Vec<Difference>>,
    /// Replace files that no earlier run wrote.
    pub force: bool,
    /// What is in the page that shows the result, if there is to be one.
    pub report: Option<ReportOptions>,
}

impl ReclusterOptions {
    /// The same again, in another folder.
    pub fn new(out: impl Into<PathBuf>) -> Self {
        ReclusterOptions {
            out: out.into(),
            threshold: None,
            keep: None,
            format: None,
            remove_kinds: None,
            force: false,
            report: Some(ReportOptions::default()),
        }
    }
}

/// Makes a new result of a finished one.
///
/// # Errors
/// If the finished one does not say what must be known, or the new one cannot be written.
pub fn recluster(result: &Path, options: &ReclusterOptions) -> Result<Summary, Error> {
    let begun = Instant::now();
    let result = &Finished::open(result)?;
    let mut summary = result.summary.clone();
    let spec = settings(&summary, options)?;
    check_not_replaced(result.folder(), &options.out)?;
    let records = Records::read(result, &spec.keep)?;
    let pairs = read_pairs(result, &records, &spec)?;
    let taken = clusters(&records, &pairs);
    // A secret seed is not stored, so there may be no plan; the recall at a lower threshold is no higher.
    let mut searched = summary.parameters.clone();
    searched.keys.bands = summary.recall.bands.or(searched.keys.bands);
    searched.keys.rows = summary.recall.rows.or(searched.keys.rows);
    if let (Some(threshold), Ok(plan)) = (spec.threshold, searched.plan()) {
        summary.recall = summary.recall.at(threshold, &plan);
    }
    // Another field was counted.
    if spec.keep != summary.parameters.keep {
        summary.counts.keep_dates = 0;
        summary.counts.without_keep_value = 0;
    }
    summary.parameters = spec;
    let made = Made {
        records,
        taken,
        begun,
    };
    write(result, options, summary, &made)
}

/// Ends with an error if the new result would be written where the finished one is.
fn check_not_replaced(result: &Path, out: &Path) -> Result<(), Error> {
    let same = |path: &Path| path.canonicalize().ok();
    match same(out).is_some() && same(out) == same(result) {
        true => Err(unusable(
            out,
            "the new result would replace the one it is made of; choose another `out=`",
        )),
        false => Ok(()),
    }
}

/// The settings of the new result.
fn settings(summary: &Summary, options: &ReclusterOptions) -> Result<Spec, Error> {
    let before = &summary.parameters;
    let mut spec = before.clone();
    let refused = |setting: Setting, problem: String, remedy: &str| {
        Err(KernelError::refused(setting, problem, remedy).into())
    };
    if !before.job.removes_records(before) {
        let problem = format!(
            "{} removes nothing, so no other threshold could remove more or less",
            before.job.name()
        );
        return refused(
            Setting::Input,
            problem,
            "use a result of documents, threads or messages",
        );
    }
    if let Some(field) = &before.keep_per {
        let problem = format!(
            "the result has no values of {field}, so it cannot tell which records may be removed for each other"
        );
        return refused(Setting::KeepPer, problem, "run the job again");
    }
    if !summary.against.is_empty() {
        let problem = "the result compares its input with another corpus".to_string();
        return refused(Setting::Against, problem, "run the job again");
    }
    if !matches!(before.pairs, Pairs::Auto | Pairs::All) {
        let problem = format!(
            "the result does not list all pairs, but {}",
            before.pairs.name()
        );
        return refused(
            Setting::Pairs,
            problem,
            "run the job again with `pairs=auto`",
        );
    }
    let least = before.threshold.unwrap_or_default();
    if let Some(threshold) = options.threshold {
        if !(least..=1.0).contains(&threshold) {
            let problem = format!(
                "the result holds pairs from {least} up, so its threshold cannot be {threshold}"
            );
            return refused(
                Setting::Threshold,
                problem,
                "for a lower one, run the job again",
            );
        }
        spec.threshold = Some(threshold);
    }
    if let Some(keep) = options.keep.as_ref().filter(|keep| **keep != Keep::Auto) {
        let is_stored =
            matches!(keep, Keep::First | Keep::Last | Keep::Longest) || *keep == before.keep;
        if !is_stored {
            let (name, before) = (
                String::from(keep.clone()),
                String::from(before.keep.clone()),
            );
            let problem = format!(
                "the result has no values of {name} to keep by; it was made with `keep={before}`"
            );
            return refused(
                Setting::Keep,
                problem,
                "use first, last or longest, or run the job again",
            );
        }
        // Only what is part of a longer text was removed; a shorter one cannot stand for it.
        let is_contained = before.verify.measure.as_deref() == Some("containment")
            && before.threshold == Some(1.0)
            && before.keep == Keep::Longest;
        if is_contained && *keep != Keep::Longest {
            let problem = format!(
                "the result removes what is part of a longer text; `keep={}` would remove the longer one",
                String::from(keep.clone())
            );
            return refused(Setting::Keep, problem, "leave it out");
        }
        spec.keep = keep.clone();
    }
    if let Some(kinds) = &options.remove_kinds {
        spec.remove_kinds = Some(kinds.clone());
        spec.plan()?;
    }
    Ok(spec)
}
