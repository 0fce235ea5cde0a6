//! `judge --sweep`: many methods on the same labelled pairs, each at its best threshold.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context;
use lookalike::Spec;
use lookalike::judge::sweep::{Point, Sweep};
use lookalike::judge::{NamedMethod, PairScorer, built_in_methods, read_methods};
use lookalike::kernel::Column;
use serde_json::{Value, json};

use super::labelled::{COUNTED, Pairs, best_point};
use super::report::{Report, fields as counts_as_fields};
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
        let base = self.spec()?;
        let methods = methods(list, &base)?;
        let pairs = self.read_pairs(&base)?;
        let fields = base.compared_fields();
        if !fields.is_empty() {
            return self.judge_methods_by_field(methods, &pairs, &fields);
        }
        let mut scorer = PairScorer::new(&pairs.texts);
        let mut rows = Vec::new();
        for method in methods {
            let scores = scorer.score(&method.spec)?;
            let sweep = scorer.sweep(&scores)?;
            let best = best_point(&sweep);
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
            for (name, value) in counts_as_fields(&best.best.counts) {
                report.field(name, value);
            }
        }
        let methods: Vec<Value> = rows.iter().map(|row| self.object(row)).collect();
        report.field("methods", methods);
        Ok(report)
    }

    /// Each method in each field, each at its best threshold.
    fn judge_methods_by_field(
        &self,
        methods: Vec<NamedMethod>,
        pairs: &Pairs,
        fields: &[String],
    ) -> anyhow::Result<Report> {
        if !self.thresholds.is_empty() {
            return Err(refused(
                "--thresholds is for whole texts; with --fields every method is shown at its best threshold in each field",
            ));
        }
        let mut scorer = PairScorer::new(&pairs.texts).with_fields(fields);
        let mut rows = Vec::new();
        for method in methods {
            let of_field = |field: &String| {
                let column = Column::direct(Some(field.clone()), &method.spec);
                let scores = scorer.matrix(&[column])?;
                let scores: Vec<Option<f64>> = scores.into_iter().flatten().collect();
                Ok(best_point(&scorer.sweep(&scores)?))
            };
            let points: anyhow::Result<Vec<Point>> = fields.iter().map(of_field).collect();
            rows.push((method, points?));
        }
        let sum = |points: &[Point]| points.iter().map(|point| point.counts.f1()).sum::<f64>();
        // Stable: what is equally good stays in the order of the list.
        rows.sort_by(|(_, one), (_, two)| sum(two).total_cmp(&sum(one)));

        let mut report = Report::new();
        report.line("gold", &pairs.labels());
        report.line("counted", COUNTED);
        report.page.push('\n');
        report.page += &table_of_fields(&rows, fields);
        report.page.push('\n');
        for (number, field) in fields.iter().enumerate() {
            let f1 = |row: &(NamedMethod, Vec<Point>)| row.1[number].counts.f1();
            // The first of the best.
            let best = rows
                .iter()
                .reduce(|best, row| if f1(row) > f1(best) { row } else { best });
            let Some((method, points)) = best else {
                continue;
            };
            let (point, counts) = (&points[number], &points[number].counts);
            let best = format!(
                "{}, {} at {:.4} with precision {:.4}, recall {:.4}, F1 {:.4}",
                method.name,
                method.measure,
                point.threshold,
                counts.precision(),
                counts.recall(),
                counts.f1()
            );
            report.line(&format!("best in {field} "), &best);
        }
        let objects = rows.iter().map(|(method, points)| {
            let of_field = |(field, point): (&String, &Point)| {
                let mut object = json!({"field": field, "threshold": point.threshold});
                for (name, value) in counts_as_fields(&point.counts) {
                    object[name] = value;
                }
                object
            };
            let of_fields: Vec<Value> = fields.iter().zip(points).map(of_field).collect();
            json!({"features": method.name, "measure": method.measure, "fields": of_fields})
        });
        report.field("methods", objects.collect::<Vec<Value>>());
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
        for (name, value) in counts_as_fields(&row.best.counts) {
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
    let Some(path) = list else {
        return Ok(built_in_methods(base)?);
    };
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the list of methods {}", path.display()))?;
    Ok(read_methods(&path.display().to_string(), &text, base)?)
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

/// F1 of each method in each field.
fn table_of_fields(rows: &[(NamedMethod, Vec<Point>)], fields: &[String]) -> String {
    let width = |name: fn(&NamedMethod) -> &str, header: &str| {
        let longest = rows.iter().map(|(method, _)| name(method).chars().count());
        longest.max().unwrap_or_default().max(header.len())
    };
    let names = width(|method| &method.name, "features");
    let measures = width(|method| &method.measure, "measure");
    let mut page = format!("{:<names$}  {:<measures$}", "features", "measure");
    for field in fields {
        let _ = write!(page, "  {field:>6}");
    }
    page.push('\n');
    for (method, points) in rows {
        let _ = write!(
            page,
            "{:<names$}  {:<measures$}",
            method.name, method.measure
        );
        for (field, point) in fields.iter().zip(points) {
            let width = field.chars().count().max(6);
            let _ = write!(page, "  {:>width$.4}", point.counts.f1());
        }
        page.push('\n');
    }
    page
}
