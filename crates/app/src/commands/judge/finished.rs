//! Judging the result of a finished run.

use std::collections::BTreeSet;
use std::path::Path;

use lookalike::judge::FinishedResult;
use lookalike::judge::gold::{self, Clusters, Gold, PairGold};
use lookalike::judge::metrics::{judge_clusters, judge_pairs};
use serde::Serialize;

use super::report::{Report, labels};
use super::{Judge, open_gold, refused};
use crate::screen::thousands;

impl Judge {
    pub(super) fn judge_result(&self, folder: &Path) -> anyhow::Result<Report> {
        let result = FinishedResult::open(folder)?;
        let name = self.gold.display().to_string();
        match gold::read(&name, open_gold(&self.gold)?, result.sides())? {
            Gold::Pairs(gold) => self.result_pairs(&result, &gold),
            Gold::Passages(gold) => self.result_passages(&result, &gold),
            Gold::Clusters(gold) => self.result_clusters(&result, &gold),
        }
    }

    fn result_pairs(&self, result: &FinishedResult, gold: &PairGold) -> anyhow::Result<Report> {
        if gold.pairs().next().is_none() {
            return Err(lookalike::judge::Error::NoPairs.into());
        }
        let counting = self.counting().unwrap_or(gold.counting());
        let verdict = judge_pairs(gold, result.found(gold, counting)?, counting);
        let mut report = Report::new(&labels(gold.positives(), gold.negatives()));
        report.counting("the pairs listed in the result", counting);
        report.counts(&verdict.counts);
        self.list_mistakes(&mut report, &verdict.mistakes)?;
        Ok(report)
    }

    /// Writes the file of `--errors`, an object a line.
    pub(super) fn list_mistakes(
        &self,
        report: &mut Report,
        mistakes: &[impl Serialize],
    ) -> anyhow::Result<()> {
        let Some(file) = self.errors_file()? else {
            return Ok(());
        };
        let lines = mistakes.iter().map(serde_json::to_string);
        let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
        file.write(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
        let count = thousands(lines.len() as u64);
        let path = file.path().display();
        report.line("errors", format!("{count}, listed in {path}"));
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
        let verdict = judge_clusters(&result.clusters()?, gold, records)?;
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
