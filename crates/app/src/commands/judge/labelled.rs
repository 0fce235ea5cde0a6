//! Judging a method on labelled pairs: each is compared, whatever its keys.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;
use lookalike::judge::gold::{Gold, Id, LabelledTexts, Sides, Text, read, read_text_pairs};
use lookalike::judge::metrics::MistakeKind;
use lookalike::judge::sweep::{Point, Sweep};
use lookalike::judge::{NamedMethod, PairScorer, PairScores};
use lookalike::{Request, Spec, texts_of_ids};
use serde_json::{Value, json};

use super::report::{Report, fields as counts_as_fields, labels};
use super::{Judge, open_gold, refused};

/// Labelled pairs of texts, and their ids if they have any.
pub(crate) struct Pairs {
    pub(crate) texts: Vec<LabelledTexts>,
    ids: Option<Vec<(Id, Id)>>,
}

impl Judge {
    pub(super) fn read_pairs(&self, spec: &Spec) -> anyhow::Result<Pairs> {
        if self.complete {
            return Err(refused(
                "--complete is for the RESULT_DIR of a run; a method is judged on the labelled pairs alone",
            ));
        }
        if self.corpus.is_empty() {
            let pairs = Pairs::of_texts(&self.gold)?;
            pairs.check_fields(&self.gold, &spec.compared_fields())?;
            return Ok(pairs);
        }
        let pairs = Pairs::of_ids(&self.gold, &self.corpus, spec)?;
        if pairs.texts.iter().all(|pair| pair.same) && !self.listed {
            bail!(
                "{}: all labelled pairs are near-duplicates, which says nothing about precision; judge the RESULT_DIR \
                 of a run, or say --listed to judge these pairs alone",
                self.gold.display()
            );
        }
        Ok(pairs)
    }

    pub(super) fn judge_method(&self) -> anyhow::Result<Report> {
        let spec = self.spec()?;
        let method = NamedMethod::new(spec.clone())?;
        let pairs = self.read_pairs(&spec)?;
        let mut scorer = PairScorer::new(&pairs.texts);
        let PairScores { all, fields } = scorer.score_fields(&spec)?;
        let scores: Vec<f64> = all.iter().map(|s| s.unwrap_or(0.0)).collect();
        let sweep = scorer.sweep(&all)?;
        let threshold = method.threshold()?;

        let mut report = Report::new();
        report.line("gold", &pairs.labels());
        let at = if method.has_similarity() {
            format!(", at {threshold} or more")
        } else {
            String::new()
        };
        report.line(
            "method",
            &format!("{}, {}{at}", method.name, method.measure),
        );
        report.line("counted", COUNTED);
        report.counts(&sweep.at(threshold));
        report.field("counting", "listed");
        report.field("features", method.name.as_str());
        report.field("measure", method.measure.as_str());
        if method.has_similarity() {
            report.field("threshold", threshold);
            if spec.threshold.is_none() {
                best_threshold(&mut report, &sweep);
            }
        }
        if !fields.is_empty() {
            let of_field = |(name, scores): (String, Vec<Option<f64>>)| {
                let best = best_point(&scorer.sweep(&scores)?);
                Ok((name, best))
            };
            let fields: anyhow::Result<Vec<(String, Point)>> =
                fields.into_iter().map(of_field).collect();
            field_table(&mut report, &fields?, best_point(&sweep));
        }
        if self.errors.is_some() {
            let mistakes = pairs.mistakes(&scores, threshold)?;
            let lines = mistakes.iter().map(|mistake| Ok(mistake.to_string()));
            self.list_mistakes(&mut report, lines)?;
        }
        Ok(report)
    }
}

/// What is counted where a method is judged.
pub(super) const COUNTED: &str = "the labelled pairs, each compared exactly; keys play no role";

fn best_threshold(report: &mut Report, sweep: &Sweep) {
    let Some(best) = sweep.best_above_zero() else {
        return;
    };
    report.line(
        "best threshold",
        &format!(
            "{} with precision {:.4}, recall {:.4}, F1 {:.4}",
            best.threshold,
            best.counts.precision(),
            best.counts.recall(),
            best.counts.f1()
        ),
    );
    report.field("best_threshold", best.threshold);
    report.field("best_f1", best.counts.f1());
}

/// The best threshold; where nothing has a similarity above 0, nothing is found.
pub(super) fn best_point(sweep: &Sweep) -> Point {
    let nothing = || Point {
        threshold: 1.0,
        counts: sweep.at(1.0),
    };
    sweep.best_above_zero().unwrap_or_else(nothing)
}

/// How good each field is alone and all are together, each at its best threshold.
fn field_table(report: &mut Report, fields: &[(String, Point)], all: Point) {
    let rows = fields.iter().map(|(name, point)| (name.as_str(), point));
    let rows: Vec<(&str, &Point)> = rows.chain([("all fields", &all)]).collect();
    let width = rows.iter().map(|(name, _)| name.chars().count()).max();
    let width = width.unwrap_or_default().max(18);
    let _ = writeln!(
        report.page,
        "\n{:<width$}threshold  precision  recall      F1  (each at its best threshold)",
        "field alone"
    );
    for (name, point) in &rows {
        let counts = &point.counts;
        let _ = writeln!(
            report.page,
            "{name:<width$}{:>9.4}  {:>9.4}  {:>6.4}  {:>6.4}",
            point.threshold,
            counts.precision(),
            counts.recall(),
            counts.f1()
        );
    }
    let object = |(name, point): &(String, Point)| {
        let mut object = json!({"field": name, "threshold": point.threshold});
        for (name, value) in counts_as_fields(&point.counts) {
            object[name] = value;
        }
        object
    };
    let objects: Vec<Value> = fields.iter().map(object).collect();
    report.field("fields", objects);
    report.field("best_threshold", all.threshold);
    report.field("best_f1", all.counts.f1());
}

impl Pairs {
    /// Labelled pairs of texts, as they are in the file.
    pub(crate) fn of_texts(gold: &Path) -> anyhow::Result<Self> {
        let name = gold.display().to_string();
        let texts = read_text_pairs(&name, open_gold(gold)?).map_err(|error| {
            anyhow::anyhow!("{error} (where the file holds ids, --corpus names the texts)")
        })?;
        Ok(Pairs { texts, ids: None })
    }

    /// Labelled pairs of ids, with the texts of a corpus, or with the fields that the spec compares.
    pub(crate) fn of_ids(gold: &Path, corpus: &[String], spec: &Spec) -> anyhow::Result<Self> {
        let name = gold.display().to_string();
        let labelled = match read(&name, open_gold(gold)?, Sides::Interchangeable)? {
            Gold::Pairs(pairs) => pairs,
            Gold::Passages(_) => bail!(
                "{name} has passages (\"spans\"), with which the RESULT_DIR of lookalike passages can be judged; a method is \
                 judged on labelled pairs without spans"
            ),
            Gold::Clusters(_) => bail!(
                "{name} has clusters, with which a RESULT_DIR can be judged; give labelled pairs with --corpus"
            ),
        };
        let both = |((a, b), _): (&(Id, Id), bool)| [a.clone(), b.clone()];
        let wanted: BTreeSet<Id> = labelled.pairs().flat_map(both).collect();
        let work = tempfile::tempdir()?;
        let texts = texts_of_ids(&Request::new(spec.clone(), corpus), &wanted, work.path())?;
        let missing: Vec<&Id> = wanted.iter().filter(|id| !texts.contains_key(id)).collect();
        if let Some(first) = missing.first() {
            let more = match missing.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            bail!(
                "{name} has the id {first}{more} that the corpus has not; name the whole corpus, or the field with the \
                 ids with --id-field"
            );
        }
        let pairs = labelled.pairs().map(|((a, b), same)| LabelledTexts {
            a: texts[a].clone(),
            b: texts[b].clone(),
            same,
        });
        Ok(Pairs {
            texts: pairs.collect(),
            ids: Some(labelled.pairs().map(|(pair, _)| pair.clone()).collect()),
        })
    }

    /// Refuses texts without fields where fields are to be compared.
    pub(crate) fn check_fields(&self, file: &Path, fields: &[String]) -> anyhow::Result<()> {
        let Some(first) = fields.first() else {
            return Ok(());
        };
        let whole = |text: &Text| matches!(text, Text::Whole(_));
        let mut pairs = self.texts.iter();
        if let Some(place) = pairs.position(|pair| whole(&pair.a) || whole(&pair.b)) {
            bail!(
                "pair {} of {} has a text without fields; write {{\"a\": {{\"{first}\": \"…\"}}, …}}, or do without --fields",
                place + 1,
                file.display()
            );
        }
        Ok(())
    }

    /// How many pairs have each label.
    pub(crate) fn labels(&self) -> String {
        let positives = self.texts.iter().filter(|pair| pair.same).count();
        labels(positives, self.texts.len() - positives)
    }

    /// What is wrongly found and what is missed, as JSON, the clearest mistakes first.
    fn mistakes(&self, scores: &[f64], threshold: f64) -> anyhow::Result<Vec<Value>> {
        let mut wrong: Vec<(MistakeKind, usize)> = Vec::new();
        for (place, (pair, &score)) in self.texts.iter().zip(scores).enumerate() {
            match (score >= threshold, pair.same) {
                (true, false) => wrong.push((MistakeKind::FalsePositive, place)),
                (false, true) => wrong.push((MistakeKind::FalseNegative, place)),
                _ => {}
            }
        }
        wrong.sort_by(|&(kind, place), &(other_kind, other)| {
            kind.cmp(&other_kind).then_with(|| match kind {
                MistakeKind::FalsePositive => scores[other].total_cmp(&scores[place]),
                MistakeKind::FalseNegative => scores[place].total_cmp(&scores[other]),
            })
        });
        let line = |(kind, place): (MistakeKind, usize)| {
            let pair = &self.texts[place];
            let mut line = json!({
                "mistake": kind,
                "pair": place + 1,
                "similarity": scores[place],
                "text_a": shown(&pair.a),
                "text_b": shown(&pair.b),
            });
            if let Some(ids) = &self.ids {
                line["a"] = serde_json::to_value(&ids[place].0)?;
                line["b"] = serde_json::to_value(&ids[place].1)?;
            }
            Ok(line)
        };
        wrong.into_iter().map(line).collect()
    }
}

fn shown(text: &Text) -> Value {
    match text {
        Text::Whole(text) => json!(text),
        Text::Fields(fields) => json!(fields),
    }
}
