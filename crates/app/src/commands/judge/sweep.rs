//! `judge --sweep`: many methods on the same labelled pairs, each at its best threshold.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context;
use lookalike::judge::sweep::{Point, Sweep};
use lookalike::{KeysSpec, NamedMethod, PairScorer, Spec, built_in_methods, read_methods};
use serde_json::{Value, json};

use super::labelled::{COUNTED, sweep_of};
use super::report::{Report, fields};
use super::{Judge, refused};

struct Row {
    method: NamedMethod,
    sweep: Sweep,
    best: Point,
}

impl Judge {
    pub(super) fn judge_methods(&self, list: Option<&Path>) -> anyhow::Result<Report> {
        if let Some(threshold) = self.thresholds.iter().find(|t| !(0.0..=1.0).contains(*t)) {
            return Err(refused(&format!(
                "threshold {threshold} in --thresholds is not from 0 to 1; write, say, 0.3,0.5,0.7"
            )));
        }
        let base = self.options.apply(Spec::default())?;
        let methods = methods(list, &base)?;
        let pairs = self.read_pairs(&base)?;
        let mut scorer = PairScorer::new(&pairs.texts, self.threads.count());
        let mut rows = Vec::new();
        for method in methods {
            let scores = scorer.score(&method.spec)?;
            let scores: Vec<f64> = scores.into_iter().map(|s| s.unwrap_or(0.0)).collect();
            let sweep = sweep_of(&scores, &pairs.texts)?;
            // Where nothing has a similarity above 0, nothing is found.
            let nothing = Point {
                threshold: 1.0,
                counts: sweep.at(1.0),
            };
            let best = sweep.best_above_zero().unwrap_or(nothing);
            rows.push(Row {
                method,
                sweep,
                best,
            });
        }
        // Stable: what is equally good stays in the order of the list.
        rows.sort_by(|one, two| two.best.counts.f1().total_cmp(&one.best.counts.f1()));

        let mut report = Report::new();
        report.line("gold", &pairs.labels());
        report.line("counted", COUNTED);
        report.page.push('\n');
        report.page += &table(&rows, &self.thresholds);
        if let Some(best) = rows.first() {
            for (name, value) in fields(&best.best.counts) {
                report.field(name, value);
            }
        }
        let methods: Vec<Value> = rows.iter().map(|row| self.object(row)).collect();
        report.field("methods", methods);
        Ok(report)
    }

    fn object(&self, row: &Row) -> Value {
        let mut object = json!({
            "features": row.method.name,
            "measure": row.method.measure,
        });
        if row.method.has_similarity() {
            object["threshold"] = json!(row.best.threshold);
        }
        for (name, value) in fields(&row.best.counts) {
            object[name] = value;
        }
        if !self.thresholds.is_empty() && row.method.has_similarity() {
            let at = |&threshold: &f64| json!({"threshold": threshold, "f1": row.sweep.at(threshold).f1()});
            object["at"] = self.thresholds.iter().map(at).collect();
        }
        object
    }
}

fn methods(list: Option<&Path>, base: &Spec) -> anyhow::Result<Vec<NamedMethod>> {
    // Of the options, what counts as the same text holds for all methods; each has its own features and measure.
    let mut base = base.clone();
    base.model = None;
    base.keys = KeysSpec::default();
    base.features.method = None;
    base.verify.measure = None;
    let Some(path) = list else {
        return Ok(built_in_methods(&base)?);
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the list of methods {}", path.display()))?;
    Ok(read_methods(&path.display().to_string(), &text, &base)?)
}

fn table(rows: &[Row], thresholds: &[f64]) -> String {
    let width = |name: fn(&Row) -> &str, header: &str| {
        let longest = rows.iter().map(|row| name(row).chars().count()).max();
        longest.unwrap_or_default().max(header.len())
    };
    let names = width(|row| &row.method.name, "features");
    let measures = width(|row| &row.method.measure, "measure");
    let mut page = format!(
        "{:<names$}  {:<measures$}  threshold  precision  recall      F1",
        "features", "measure"
    );
    for threshold in thresholds {
        let _ = write!(page, "  {:>8}", format!("F1@{threshold}"));
    }
    page.push('\n');
    for row in rows {
        let counts = &row.best.counts;
        let has_similarity = row.method.has_similarity();
        let threshold = if has_similarity {
            format!("{:.4}", row.best.threshold)
        } else {
            "none".to_string()
        };
        let _ = write!(
            page,
            "{:<names$}  {:<measures$}  {threshold:>9}  {:>9.4}  {:>6.4}  {:>6.4}",
            row.method.name,
            row.method.measure,
            counts.precision(),
            counts.recall(),
            counts.f1()
        );
        for &threshold in thresholds.iter().filter(|_| has_similarity) {
            let _ = write!(page, "  {:>8.4}", row.sweep.at(threshold).f1());
        }
        page.push('\n');
    }
    page
}
