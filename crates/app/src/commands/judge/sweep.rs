//! `judge --sweep`: many methods on the same labelled pairs, each at its best threshold.

use std::path::Path;

use anyhow::Context;
use lookalike::Spec;
use lookalike::judge::sweep::{Point, Sweep};
use lookalike::judge::{NamedMethod, PairScorer, built_in_methods, read_methods};
use lookalike::kernel::Column;
use serde_json::{Value, json};

use super::labelled::{COUNTED, Pairs, best_point};
use super::report::{Report, add_counts, field_object, in_words, shares};
use super::{Judge, refused};
use crate::screen::table;

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

        let mut report = Report::new(&pairs.labels());
        report.line("counted", COUNTED);
        report.page.push('\n');
        report.page += &table_of_methods(&rows, &self.thresholds);
        if let Some(best) = rows.first() {
            add_counts(&mut report.json, &best.best.counts);
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

        let mut report = Report::new(&pairs.labels());
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
            let NamedMethod { name, measure, .. } = method;
            let Point { threshold, counts } = &points[number];
            let best = format!("{name}, {measure} at {threshold:.4} {}", in_words(counts));
            report.line(&format!("best in {field} "), best);
        }
        let objects = rows.iter().map(|(method, points)| {
            let of_fields = fields.iter().zip(points);
            let of_fields = of_fields.map(|(field, point)| field_object(field, point));
            let of_fields: Vec<Value> = of_fields.collect();
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
        add_counts(&mut object, &row.best.counts);
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

/// A header with more columns after those that say the method.
fn header<'a>(others: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let names = ["features", "measure"].into_iter().chain(others);
    names.map(str::to_string).collect()
}

fn named(method: &NamedMethod) -> Vec<String> {
    vec![method.name.clone(), method.measure.clone()]
}

fn table_of_methods(rows: &[Row], thresholds: &[f64]) -> String {
    let mut cells = vec![header(["threshold", "precision", "recall", "F1"])];
    let name = |at: &f64| format!("{:>8}", format!("F1@{at}"));
    cells[0].extend(thresholds.iter().map(name));
    for row in rows {
        let mut line = named(&row.method);
        let (at, thresholds) = match row.method.has_similarity() {
            true => (format!("{:.4}", row.best.threshold), thresholds),
            false => ("none".to_string(), &[][..]),
        };
        line.push(at);
        line.extend(shares(&row.best.counts));
        let f1 = |&at: &f64| format!("{:.4}", row.sweep.at(at).f1());
        line.extend(thresholds.iter().map(f1));
        cells.push(line);
    }
    table(2, &cells)
}

/// F1 of each method in each field.
fn table_of_fields(rows: &[(NamedMethod, Vec<Point>)], fields: &[String]) -> String {
    let mut cells = vec![header(fields.iter().map(String::as_str))];
    for (method, points) in rows {
        let mut row = named(method);
        let f1 = |point: &Point| format!("{:.4}", point.counts.f1());
        row.extend(points.iter().map(f1));
        cells.push(row);
    }
    table(2, &cells)
}
