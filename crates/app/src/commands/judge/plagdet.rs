//! Judging the passages that a run located: PlagDet and what it is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lookalike::judge::Error as JudgeError;
use lookalike::judge::FinishedResult;
use lookalike::judge::gold::{Id, Sides, SpanGold};
use lookalike::judge::metrics::{Average, PassageScores, PassageSummary, Quiet, judge_passages};
use lookalike::{Request, lengths_of_ids};
use serde_json::{Map, Value, json};

use super::Judge;
use super::report::Report;
use crate::screen::{safe, thousands};

impl Judge {
    pub(super) fn result_passages(
        &self,
        result: &FinishedResult,
        gold: &SpanGold,
    ) -> anyhow::Result<Report> {
        let found = result.passages()?;
        let unchecked = self.check_places(result, gold)?;
        let counting = self.counting().unwrap_or(gold.counting());
        let verdict = judge_passages(gold, found, counting);
        let all = &verdict.all;

        let mut report = Report::new(&described(all));
        report.counting("the passages located in the result", counting);
        if let Some(why) = unchecked {
            report.line("ids", format!("not checked: {why}"));
        }
        let [detected, cases, located] =
            [all.scores.detected, all.scores.cases, all.scores.detections].map(thousands);
        let detected = match all.scores.detections {
            0 => format!("none of {cases}: nothing reported"),
            _ => format!("{detected} of {cases} in the gold; {located} were located"),
        };
        report.line("detected", detected);
        if all.quiet.pairs > 0 {
            report.line("false alarms", alarms(all.quiet));
        }
        let unlisted = thousands(verdict.unlisted.len() as u64);
        if verdict.unlisted_pairs > 0 {
            let pairs = thousands(verdict.unlisted_pairs);
            let apart = format!("{unlisted} located in {pairs} pairs, which do not count");
            report.line("not in the gold", apart);
        }
        report.page.push('\n');
        report.page += &table(all, &verdict.kinds);
        add_scores(&mut report.json, &all.scores);
        add_numbers(&mut report.json, all);
        report.field("unlisted_pairs", verdict.unlisted_pairs);
        report.field("unlisted_detections", verdict.unlisted.len());
        let kinds = verdict.kinds.iter();
        let kinds: Map<String, Value> = kinds
            .map(|(kind, summary)| (kind.clone(), kind_object(summary)))
            .collect();
        report.field("kinds", kinds);
        self.list_mistakes(&mut report, &verdict.mistakes, &verdict.unlisted)?;
        Ok(report)
    }

    /// Refuses gold about records that the corpus does not have, or about characters after their ends. Returns why
    /// that could not be done, if so.
    fn check_places(
        &self,
        result: &FinishedResult,
        gold: &SpanGold,
    ) -> anyhow::Result<Option<String>> {
        let lengths = match lengths(result, gold) {
            Ok(lengths) => lengths,
            Err(why) => return Ok(Some(why)),
        };
        for ((a, b), pair) in gold.pairs() {
            let line = |problem: String| JudgeError::Line {
                name: self.gold.display().to_string(),
                line: pair.line,
                problem,
            };
            let last_of_a = pair.spans.iter().map(|span| span.a.end).max();
            let last_of_b = pair.spans.iter().map(|span| span.b.end).max();
            check_side(a, lengths[0].get(a), last_of_a).map_err(line)?;
            check_side(b, lengths[1].get(b), last_of_b).map_err(line)?;
        }
        Ok(None)
    }
}

fn check_side(id: &Id, length: Option<&u64>, last: Option<u32>) -> Result<(), String> {
    let Some(&length) = length else {
        return Err(format!(
            "the corpus of this result has no record {id}; judge the result of the corpus that the gold is about"
        ));
    };
    match last {
        Some(end) if u64::from(end) > length => Err(format!(
            "a span ends at {end}, but {id} has {length} characters; count characters (code points), not bytes, of the text as it was read"
        )),
        _ => Ok(()),
    }
}

/// How many characters each record of the gold has that is in the corpus, on either side; or why that is not known.
fn lengths(result: &FinishedResult, gold: &SpanGold) -> Result<[BTreeMap<Id, u64>; 2], String> {
    let (mut of_a, mut of_b) = (BTreeSet::new(), BTreeSet::new());
    for ((a, b), _) in gold.pairs() {
        of_a.insert(a.clone());
        of_b.insert(b.clone());
    }
    let summary = &result.summary;
    match gold.sides() {
        Sides::Interchangeable => {
            of_a.append(&mut of_b);
            let lengths = lengths_in(result, &summary.inputs, &of_a)?;
            Ok([lengths.clone(), lengths])
        }
        Sides::Distinct => Ok([
            lengths_in(result, &summary.inputs, &of_a)?,
            lengths_in(result, &summary.against, &of_b)?,
        ]),
    }
}

fn lengths_in(
    result: &FinishedResult,
    inputs: &[String],
    wanted: &BTreeSet<Id>,
) -> Result<BTreeMap<Id, u64>, String> {
    if inputs.iter().any(|input| input == "-") {
        return Err("the corpus was read from standard input".to_string());
    }
    let mut spec = result.summary.parameters.clone();
    if inputs == result.summary.against {
        spec.limit = None;
    }
    let work = tempfile::tempdir().map_err(|error| error.to_string())?;
    let request = Request::new(spec, inputs);
    lengths_of_ids(&request, wanted, work.path()).map_err(|error| error.to_string())
}

fn described(all: &PassageSummary) -> String {
    format!(
        "{} pairs with {} passages; {} pairs have none",
        thousands(all.pairs),
        thousands(all.scores.cases),
        thousands(all.quiet.pairs)
    )
}

fn alarms(quiet: Quiet) -> String {
    let with = quiet.pairs - quiet.quiet;
    let pairs = thousands(quiet.pairs);
    format!("in {} of {pairs} pairs without a passage", thousands(with))
}

const HEADER: &str = "precision  recall      F1  granularity  plagdet";

/// Every passage counts the same, then every character, then the kinds.
fn table(all: &PassageSummary, kinds: &BTreeMap<String, PassageSummary>) -> String {
    let kinds = kinds.iter().map(|(kind, summary)| (safe(kind), summary));
    let kinds: Vec<(String, &PassageSummary)> = kinds.collect();
    let longest = kinds.iter().map(|(kind, _)| kind.chars().count() + 2).max();
    let width = longest.unwrap_or_default().max(18);
    let mut page = format!("{:<width$}{HEADER}\n", "");
    let mut row = |name: &str, values: &str| {
        let _ = writeln!(page, "{name:<width$}{values}");
    };
    let [by_passage, by_character] = rows(&all.scores);
    row("by passage", &by_passage);
    row("by character", &by_character);
    for (kind, summary) in kinds {
        let values = if summary.scores.cases > 0 {
            rows(&summary.scores)[0].clone()
        } else {
            format!("false alarms {}", alarms(summary.quiet))
        };
        row(&kind, &values);
    }
    page
}

fn rows(scores: &PassageScores) -> [String; 2] {
    [scores.by_passage, scores.by_character].map(|average| {
        format!(
            "{:>9.4}  {:>6.4}  {:>6.4}  {:>11.4}  {:>7.4}",
            average.precision,
            average.recall,
            average.f1(),
            scores.granularity,
            scores.plagdet(average)
        )
    })
}

/// Adds the scores to an object.
fn add_scores(object: &mut Value, scores: &PassageScores) {
    let add = |object: &mut Value, average: Average| {
        object["precision"] = json!(average.precision);
        object["recall"] = json!(average.recall);
        object["f1"] = json!(average.f1());
        object["plagdet"] = json!(scores.plagdet(average));
    };
    add(object, scores.by_passage);
    object["granularity"] = json!(scores.granularity);
    add(&mut object["micro"], scores.by_character);
}

/// Adds what the scores are made of.
fn add_numbers(object: &mut Value, summary: &PassageSummary) {
    let PassageSummary {
        pairs,
        scores,
        quiet,
    } = summary;
    object["pairs"] = json!(pairs);
    object["spans"] = json!(scores.cases);
    object["detected_spans"] = json!(scores.detected);
    object["detections"] = json!(scores.detections);
    object["pairs_without_spans"] = json!(quiet.pairs);
    if quiet.pairs > 0 {
        object["without_detection"] = json!(quiet.quiet as f64 / quiet.pairs as f64);
    }
}

/// What is known of a kind; it has scores only if there is something to find.
fn kind_object(summary: &PassageSummary) -> Value {
    let mut object = json!({});
    add_numbers(&mut object, summary);
    if summary.scores.cases > 0 {
        add_scores(&mut object, &summary.scores);
    }
    object
}
