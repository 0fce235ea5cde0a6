//! Judging a method on labelled pairs: each is compared, whatever its keys.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

use anyhow::bail;
use lookalike::judge::gold::{Gold, Id, LabelledTexts, Sides, Text, read, read_text_pairs};
use lookalike::judge::metrics::MistakeKind;
use lookalike::judge::sweep::{LabelledScore, Sweep};
use lookalike::{NamedMethod, PairScorer, Request, Spec, texts_of_ids};
use serde_json::{Value, json};

use super::report::{Report, labels};
use super::{Judge, open_gold, refused};
use crate::screen::thousands;
use crate::whole::write_whole;

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
            return Pairs::of_texts(&self.gold);
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
        let spec = self.options.apply(Spec::default())?;
        let method = NamedMethod::new(spec.clone())?;
        let pairs = self.read_pairs(&spec)?;
        let mut scorer = PairScorer::new(&pairs.texts, self.threads.count());
        let scores = scorer.score(&spec)?;
        let scores: Vec<f64> = scores.into_iter().map(|s| s.unwrap_or(0.0)).collect();
        let sweep = sweep_of(&scores, &pairs.texts)?;
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
        if let Some(path) = &self.errors {
            let mistakes = pairs.mistakes(&scores, threshold)?;
            write_whole(path, |out| {
                mistakes.iter().try_for_each(|line| writeln!(out, "{line}"))
            })?;
            let count = thousands(mistakes.len() as u64);
            report.line("errors", &format!("{count}, listed in {}", path.display()));
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

/// All thresholds of these scores.
pub(super) fn sweep_of(
    scores: &[f64],
    pairs: &[LabelledTexts],
) -> Result<Sweep, lookalike::judge::Error> {
    let labelled = scores.iter().zip(pairs);
    Sweep::new(labelled.map(|(&score, pair)| LabelledScore {
        score,
        same: pair.same,
    }))
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

    /// Labelled pairs of ids, with the texts of a corpus.
    pub(crate) fn of_ids(gold: &Path, corpus: &[String], spec: &Spec) -> anyhow::Result<Self> {
        let name = gold.display().to_string();
        let labelled = match read(&name, open_gold(gold)?, Sides::Interchangeable)? {
            Gold::Pairs(pairs) => pairs,
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
            a: Text::Whole(texts[a].clone()),
            b: Text::Whole(texts[b].clone()),
            same,
        });
        Ok(Pairs {
            texts: pairs.collect(),
            ids: Some(labelled.pairs().map(|(pair, _)| pair.clone()).collect()),
        })
    }

    /// Labelled pairs of ids, with some fields of the records of a corpus.
    pub(crate) fn of_ids_with_fields(
        gold: &Path,
        corpus: &[String],
        spec: &Spec,
        fields: &[String],
    ) -> anyhow::Result<Self> {
        if corpus.iter().any(|input| input == "-") {
            return Err(refused(
                "standard input (-) can be read once only; for several --fields name a file with --corpus",
            ));
        }
        let mut all: Option<Pairs> = None;
        for field in fields {
            let mut spec = spec.clone();
            spec.input.text_field = vec![field.clone()];
            let of_field = Pairs::of_ids(gold, corpus, &spec)?;
            let mut pairs = all.take().unwrap_or_else(|| Pairs {
                texts: of_field.texts.iter().map(without_fields).collect(),
                ids: of_field.ids.clone(),
            });
            for (pair, new) in pairs.texts.iter_mut().zip(&of_field.texts) {
                insert(&mut pair.a, field, &new.a);
                insert(&mut pair.b, field, &new.b);
            }
            all = Some(pairs);
        }
        all.ok_or_else(|| refused("--fields names no field"))
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

fn without_fields(pair: &LabelledTexts) -> LabelledTexts {
    LabelledTexts {
        a: Text::Fields(BTreeMap::new()),
        b: Text::Fields(BTreeMap::new()),
        same: pair.same,
    }
}

fn insert(text: &mut Text, field: &str, value: &Text) {
    if let (Text::Fields(fields), Text::Whole(value)) = (text, value) {
        fields.insert(field.to_string(), value.clone());
    }
}

fn shown(text: &Text) -> Value {
    match text {
        Text::Whole(text) => json!(text),
        Text::Fields(fields) => json!(fields),
    }
}
