//! Judging a method on labelled pairs: each is compared, whatever its keys.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;
use lookalike::judge::gold::{Gold, Id, LabelledTexts, Sides, Text, is_xml, read, read_text_pairs};
use lookalike::judge::metrics::MistakeKind;
use lookalike::judge::sweep::{Point, Sweep};
use lookalike::judge::{Corpus, NamedMethod, PairScorer, PairScores, sample_strangers};
use lookalike::{Request, Spec, texts_of_corpus, texts_of_ids};
use serde_json::{Value, json};

use super::finished::{in_corpus, other_form};
use super::report::{Report, field_object, in_words, labels, shares};
use super::{Judge, open_gold, refused};
use crate::screen::{counted, table, thousands};

/// Labelled pairs of texts, and their ids if they have any.
#[derive(Default)]
pub(crate) struct Pairs {
    pub(crate) texts: Vec<LabelledTexts>,
    ids: Option<Vec<(Id, Id)>>,
    /// Links that were left out, since an end of them is not in the corpus.
    missing: usize,
    pub(crate) are_links: bool,
    /// Pairs that nobody has labelled: the last ones.
    sampled: usize,
}

/// The ids of a gold are those of the corpus, but numbers for strings or strings for numbers.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct OtherForm(String);

impl Judge {
    pub(super) fn read_pairs(&self, spec: &Spec) -> anyhow::Result<Pairs> {
        if self.complete {
            return Err(refused(
                "--complete is for the RESULT_DIR of a run; a method is judged on the labelled pairs alone",
            ));
        }
        let mut pairs = Pairs::read(&self.gold, &self.corpus, spec)?;
        if pairs.are_links && !self.listed {
            pairs.sample(&corpus_of(&self.corpus, spec)?, spec);
        }
        let only_positives = pairs.texts.iter().all(|pair| pair.same);
        if !self.corpus.is_empty() && only_positives && !self.listed {
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

        let mut report = Report::new(&pairs.labels());
        let at = match method.has_similarity() {
            true => format!(", at {threshold} or more"),
            false => String::new(),
        };
        report.line("method", format!("{}, {}{at}", method.name, method.measure));
        report.line("counted", COUNTED);
        report.counts(&sweep.at(threshold));
        report.field("counting", "listed");
        report.field("features", method.name.as_str());
        report.field("measure", method.measure.as_str());
        if method.has_similarity() {
            report.field("threshold", threshold);
            if let (None, Some(best)) = (spec.threshold, sweep.best_above_zero()) {
                let found = format!("{} {}", best.threshold, in_words(&best.counts));
                report.line("best threshold", found);
                report.best(&best);
            }
        }
        if !fields.is_empty() {
            let of_field = |(name, scores): (String, Vec<Option<f64>>)| {
                let best = best_point(&scorer.sweep(&scores)?);
                Ok((name, best))
            };
            let fields: anyhow::Result<Vec<(String, Point)>> =
                fields.into_iter().map(of_field).collect();
            field_table(&mut report, &fields?, &best_point(&sweep));
        }
        if self.errors.is_some() {
            self.list_mistakes(&mut report, &pairs.mistakes(&scores, threshold)?, &[])?;
        }
        Ok(report)
    }
}

/// What is counted where a method is judged.
pub(super) const COUNTED: &str = "the labelled pairs, each compared exactly; keys play no role";

/// The best threshold; where nothing has a similarity above 0, nothing is found.
pub(super) fn best_point(sweep: &Sweep) -> Point {
    let nothing = || Point {
        threshold: 1.0,
        counts: sweep.at(1.0),
    };
    sweep.best_above_zero().unwrap_or_else(nothing)
}

/// How good each field is alone and all are together, each at its best threshold.
fn field_table(report: &mut Report, fields: &[(String, Point)], all: &Point) {
    const HEADER: [&str; 6] = [
        // At least as wide as the names above.
        "field alone     ",
        "threshold",
        "precision",
        "recall",
        "F1",
        "(each at its best threshold)",
    ];
    let mut rows = vec![HEADER.map(str::to_string).to_vec()];
    let each = fields.iter().map(|(name, point)| (name.as_str(), point));
    for (name, point) in each.chain([("all fields", all)]) {
        let threshold = format!("{:.4}", point.threshold);
        let row = [name.to_string(), threshold].into_iter();
        rows.push(row.chain(shares(&point.counts)).collect());
    }
    report.page.push('\n');
    report.page += &table(1, &rows);
    let object = |(name, point): &(String, Point)| field_object(name, point);
    let objects: Vec<Value> = fields.iter().map(object).collect();
    report.field("fields", objects);
    report.best(all);
}

impl Pairs {
    /// Labelled pairs of texts, as they are in the file, or of ids, where a corpus has the texts.
    pub(crate) fn read(gold: &Path, corpus: &[String], spec: &Spec) -> anyhow::Result<Self> {
        if !corpus.is_empty() {
            return Pairs::of_ids(gold, corpus, spec);
        }
        let name = gold.display().to_string();
        if is_xml(open_gold(gold)?)? {
            bail!(
                "{name} has links between posts, not texts; name the Posts.xml with the texts: --corpus Posts.xml"
            );
        }
        let texts = read_text_pairs(&name, open_gold(gold)?).map_err(|error| {
            anyhow::anyhow!("{error} (where the file holds ids, --corpus names the texts)")
        })?;
        check_fields(&texts, gold, &spec.compared_fields())?;
        Ok(Pairs {
            texts,
            ..Pairs::default()
        })
    }

    /// The same, where a corpus may also be one that the labelled pairs are not of.
    pub(crate) fn read_beside(gold: &Path, corpus: &[String], spec: &Spec) -> anyhow::Result<Self> {
        let of_ids = match corpus {
            [] => None,
            _ => Some(Pairs::of_ids(gold, corpus, spec)),
        };
        match of_ids {
            Some(Ok(pairs)) => Ok(pairs),
            Some(Err(problem)) if problem.is::<OtherForm>() => Err(problem),
            // Texts in quotes look like ids, but none is one.
            Some(Err(problem)) => Pairs::read(gold, &[], spec).map_err(|_| problem),
            None => Pairs::read(gold, &[], spec),
        }
    }

    /// Labelled pairs of ids, with the texts of a corpus, or with the fields that the spec compares.
    fn of_ids(gold: &Path, corpus: &[String], spec: &Spec) -> anyhow::Result<Self> {
        let name = gold.display().to_string();
        let mut labelled = match read(&name, open_gold(gold)?, Sides::Interchangeable)? {
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
        let is_there = |a: &Id, b: &Id| texts.contains_key(a) && texts.contains_key(b);
        let skipped = match labelled.are_links() {
            true => labelled.keep(is_there),
            false => 0,
        };
        if labelled.pairs().next().is_none() && skipped > 0 {
            bail!(
                "{name}: none of its {skipped} links is between two records of the corpus; name the corpus it belongs to"
            );
        }
        let mut missing = wanted.iter().filter(|id| !texts.contains_key(id));
        let missing: Vec<&Id> = match labelled.are_links() {
            true => Vec::new(),
            false => missing.by_ref().collect(),
        };
        if let Some(first) = missing.first() {
            let more = match missing.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let turned: BTreeSet<Id> = missing.iter().copied().filter_map(other_form).collect();
            let there = texts_of_ids(&Request::new(spec.clone(), corpus), &turned, work.path())?;
            if let Some(id) = there.keys().next() {
                let first = missing
                    .iter()
                    .find(|one| other_form(one).as_ref() == Some(id));
                let problem = format!(
                    "{name} has the id {} that the corpus does not have{}; write them in the gold as they are in the corpus",
                    first.unwrap_or(&id),
                    in_corpus(id)
                );
                return Err(OtherForm(problem).into());
            }
            bail!(
                "{name} has the id {first}{more} that the corpus does not have; name the whole corpus, or the field with the \
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
            missing: skipped,
            are_links: labelled.are_links(),
            sampled: 0,
        })
    }

    /// Adds pairs of a corpus that nobody has linked, as pairs that are not near-duplicates.
    pub(crate) fn sample(&mut self, corpus: &Corpus, spec: &Spec) {
        let sampled = sample_strangers(&self.texts, corpus, spec);
        self.sampled = sampled.len();
        self.texts.extend(sampled);
        // The sampled ones are shown by their texts.
        self.ids = None;
    }

    /// How many pairs have each label, and where they come from.
    pub(crate) fn labels(&self) -> String {
        let positives = self.texts.iter().filter(|pair| pair.same).count();
        let mut line = labels(positives, self.texts.len() - positives);
        if self.sampled > 0 {
            let sampled = thousands(self.sampled as u64);
            let _ = write!(line, " ({sampled} sampled among pairs that are not linked)");
        }
        if self.missing > 0 {
            let missing = counted(self.missing as u64, "link");
            let _ = write!(line, "; {missing} to records that are not there skipped");
        }
        line
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

/// The texts of a corpus.
pub(crate) fn corpus_of(inputs: &[String], spec: &Spec) -> anyhow::Result<Corpus> {
    let work = tempfile::tempdir()?;
    Ok(texts_of_corpus(
        &Request::new(spec.clone(), inputs),
        work.path(),
    )?)
}

/// Refuses texts without fields where fields are to be compared, and fields that no text has.
fn check_fields(pairs: &[LabelledTexts], file: &Path, fields: &[String]) -> anyhow::Result<()> {
    let Some(first) = fields.first() else {
        return Ok(());
    };
    let whole = |text: &Text| matches!(text, Text::Whole(_));
    if let Some(place) = pairs
        .iter()
        .position(|pair| whole(&pair.a) || whole(&pair.b))
    {
        bail!(
            "pair {} of {} has a text without fields; write {{\"a\": {{\"{first}\": \"…\"}}, …}}, or do without --fields",
            place + 1,
            file.display()
        );
    }
    let mut there = BTreeSet::new();
    for text in pairs.iter().flat_map(|pair| [&pair.a, &pair.b]) {
        if let Text::Fields(fields) = text {
            there.extend(fields.keys().map(String::as_str));
        }
    }
    if let Some(missing) = fields.iter().find(|field| !there.contains(field.as_str())) {
        let there: Vec<&str> = there.into_iter().collect();
        bail!(
            "no text of {} has the field \"{missing}\"; their fields: {}",
            file.display(),
            there.join(", ")
        );
    }
    Ok(())
}

fn shown(text: &Text) -> Value {
    match text {
        Text::Whole(text) => json!(text),
        Text::Fields(fields) => json!(fields),
    }
}
