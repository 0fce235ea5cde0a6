//! Judging the result of a finished run.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use anyhow::bail;
use lookalike::judge::FinishedResult;
use lookalike::judge::gold::{self, Clusters, Counting, Gold, Id, PairGold};
use lookalike::judge::metrics::{judge_clusters, judge_pairs};
use lookalike::{ReadableResult, Request, lengths_of_ids};
use serde::Serialize;

use super::report::{Report, labels};
use super::{Judge, open_gold, refused};
use crate::screen::{counted, thousands};

impl Judge {
    pub(super) fn judge_result(&self, folder: &Path) -> anyhow::Result<Report> {
        let readable = ReadableResult::open(folder)?;
        let result = FinishedResult::open(readable.folder())?;
        let name = self.gold.display().to_string();
        match gold::read(&name, open_gold(&self.gold)?, result.sides())? {
            Gold::Pairs(gold) => self.result_pairs(&result, gold),
            Gold::Passages(gold) => self.result_passages(&result, &gold),
            Gold::Clusters(gold) => self.result_clusters(&result, &gold),
        }
    }

    fn result_pairs(&self, result: &FinishedResult, mut gold: PairGold) -> anyhow::Result<Report> {
        let skipped = match gold.are_links() {
            true => skip_missing(result, &mut gold)?,
            false => 0,
        };
        if gold.pairs().next().is_none() && skipped > 0 {
            bail!(
                "{}: none of its {skipped} links is between two records of the result; name the links that belong to its input",
                self.gold.display()
            );
        }
        if gold.pairs().next().is_none() {
            return Err(lookalike::judge::Error::NoPairs.into());
        }
        let counting = self.counting().unwrap_or(gold.counting());
        let mut verdict = judge_pairs(&gold, result.found(&gold, counting)?, counting);
        if verdict.counts.true_positives == 0 {
            let ids = gold.pairs().flat_map(|((a, b), _)| [a, b]);
            self.check_ids(result, &ids.cloned().collect())?;
        }
        let unknown = match gold.are_links() || verdict.counts.false_negatives == 0 {
            true => None,
            false => skip_unknown(result, &mut gold),
        };
        if let Some(unknown) = &unknown {
            if gold.pairs().next().is_none() {
                bail!("{}: {unknown}; no other pair is left", self.gold.display());
            }
            verdict = judge_pairs(&gold, result.found(&gold, counting)?, counting);
        }
        let mut report = Report::new(&labels(gold.positives(), gold.negatives()));
        if let Some(unknown) = unknown {
            report.line("skipped", &unknown);
            report.field("skipped_pairs", unknown.pairs);
        }
        if gold.are_links() {
            let skipped = counted(skipped as u64, "link");
            report.line(
                "skipped",
                format!("{skipped} to records that are not in the input"),
            );
        }
        if result.repeated_ids() > 0 {
            let repeated = counted(result.repeated_ids(), "record");
            report.line(
                "warning",
                format!("{repeated} had the id of an earlier one, which is the one that the labels mean; judge one source at a time"),
            );
            report.field("repeated_ids", result.repeated_ids());
        }
        report.counting("the pairs listed in the result", counting);
        let has_precision = counting == Counting::Complete || gold.negatives() > 0;
        match has_precision {
            true => report.counts(&verdict.counts),
            false => report.recall_only(&verdict.counts),
        }
        self.list_mistakes(&mut report, &verdict.mistakes, &[])?;
        Ok(report)
    }

    /// Writes the file of `--errors`, an object per line: the mistakes, and after them what may be one.
    pub(super) fn list_mistakes<T: Serialize>(
        &self,
        report: &mut Report,
        mistakes: &[T],
        perhaps: &[T],
    ) -> anyhow::Result<()> {
        let Some(file) = self.errors_file()? else {
            return Ok(());
        };
        let all = mistakes.iter().chain(perhaps);
        let lines = all.map(serde_json::to_string);
        let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
        file.write(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        let count = thousands(mistakes.len() as u64);
        let apart = match perhaps.len() as u64 {
            0 => String::new(),
            apart => format!(", after them {} not in the gold", thousands(apart)),
        };
        let path = file.path().display();
        report.line("errors", format!("{count}, listed in {path}{apart}"));
        Ok(())
    }

    /// Ends with an error if the input of a result, as far as it can be read again, has none of the ids of the gold.
    fn check_ids(&self, result: &FinishedResult, ids: &BTreeSet<Id>) -> anyhow::Result<()> {
        let Some(first) = ids.first() else {
            return Ok(());
        };
        let turned = ids.iter().filter_map(other_form);
        let wanted: BTreeSet<Id> = ids.iter().cloned().chain(turned).collect();
        let Ok(there) = ids_there(result, &wanted) else {
            return Ok(());
        };
        if there.is_empty() || !ids.iter().any(|id| there.contains(id)) {
            let shown: String = first.to_string().chars().take(60).collect();
            let instead = there.first().map_or(
                "; a gold of texts is for judge without a RESULT_DIR",
                in_corpus,
            );
            bail!(
                "no id in {} is one of the input of the result, such as {shown}{instead}",
                self.gold.display()
            );
        }
        Ok(())
    }

    fn result_clusters(&self, result: &FinishedResult, gold: &Clusters) -> anyhow::Result<Report> {
        if self.listed {
            return Err(refused(
                "--listed is for labelled pairs, and the gold is clusters, in which a record that is not listed is alone",
            ));
        }
        if self.errors.is_some() {
            return Err(refused(
                "--errors lists pairs, and the gold is clusters; give labelled pairs as gold",
            ));
        }
        let records = u32::try_from(result.records()).unwrap_or(u32::MAX);
        let found = result.clusters()?;
        if !gold.keys().any(|id| found.contains_key(id)) {
            self.check_ids(result, &gold.keys().cloned().collect())?;
        }
        let verdict = judge_clusters(&found, gold, records)?;
        let clusters: BTreeSet<_> = gold.values().collect();
        let mut report = Report::new(&format!(
            "{} clusters of {} records; all other records are alone",
            thousands(clusters.len() as u64),
            thousands(gold.len() as u64)
        ));
        let records = thousands(result.records());
        let counted = format!("the pairs of {records} records that are in one cluster");
        report.line("counted", counted);
        report.counts(&verdict.counts);
        report.line("ARI", format!("{:.4}", verdict.adjusted_rand_index));
        report.field("ari", verdict.adjusted_rand_index);
        report.field("counting", "complete");
        Ok(report)
    }
}

/// The same digits as a number instead of a string, or the other way round.
pub(super) fn other_form(id: &Id) -> Option<Id> {
    match id {
        Id::Number(number) => Some(Id::Text(number.clone())),
        Id::Text(text) => Id::from_json(text).filter(|id| matches!(id, Id::Number(_))),
    }
}

/// Where the corpus has an id in its other form: what that is.
pub(super) fn in_corpus(id: &Id) -> &'static str {
    match id {
        Id::Number(_) => "; there ids are numbers, in the gold strings",
        Id::Text(_) => "; there ids are strings, in the gold numbers",
    }
}

/// Those of these ids that the input of a result, or the corpus that it was compared with, has.
fn ids_there(result: &FinishedResult, wanted: &BTreeSet<Id>) -> anyhow::Result<BTreeSet<Id>> {
    let summary = &result.summary;
    let inputs = summary.inputs.iter().chain(&summary.against).cloned();
    let request = Request::new(summary.parameters.clone(), inputs);
    let work = tempfile::tempdir()?;
    Ok(lengths_of_ids(&request, wanted, work.path())?
        .into_keys()
        .collect())
}

/// Pairs of a gold that were left out, since the input of the result lacks one of their ids.
struct Unknown {
    pairs: usize,
    /// One of these ids,
    id: Id,
    /// and the same digits as the input has them, if it does.
    in_other_form: Option<Id>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = counted(self.pairs as u64, "gold pair");
        let name = if self.pairs == 1 { "names" } else { "name" };
        let id: String = self.id.to_string().chars().take(60).collect();
        let instead = self.in_other_form.as_ref().map_or("", in_corpus);
        write!(
            f,
            "{pairs} {name} ids that are not in the input, such as {id}{instead}"
        )
    }
}

/// Leaves out pairs with ids that the input of a result has not, as far as it can be read again; none if there are none.
fn skip_unknown(result: &FinishedResult, gold: &mut PairGold) -> Option<Unknown> {
    let ids: BTreeSet<Id> = (gold.pairs().flat_map(|((a, b), _)| [a, b]).cloned()).collect();
    let turned = ids.iter().filter_map(other_form);
    let wanted = ids.iter().cloned().chain(turned).collect();
    let there = ids_there(result, &wanted).ok()?;
    // The second record with an id has another name.
    let is_there = |id: &Id| {
        let is_renamed = |text: &str| {
            text.rsplit_once('#')
                .is_some_and(|(_, number)| number.parse::<u64>().is_ok())
        };
        there.contains(id) || matches!(id, Id::Text(text) if is_renamed(text))
    };
    let id = ids.iter().find(|id| !is_there(id))?.clone();
    let pairs = gold.keep(|a, b| is_there(a) && is_there(b));
    Some(Unknown {
        pairs,
        in_other_form: other_form(&id).filter(|other| there.contains(other)),
        id,
    })
}

/// Leaves out links to records that the input of a result has not, and says how many.
fn skip_missing(result: &FinishedResult, gold: &mut PairGold) -> anyhow::Result<usize> {
    let both = |((a, b), _): (&(Id, Id), bool)| [a.clone(), b.clone()];
    let wanted: BTreeSet<Id> = gold.pairs().flat_map(both).collect();
    let there = ids_there(result, &wanted)?;
    Ok(gold.keep(|a, b| there.contains(a) && there.contains(b)))
}
