//! Judging the passages that a run located: PlagDet and what it is made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lookalike::judge::Error as JudgeError;
use lookalike::judge::FinishedResult;
use lookalike::judge::gold::{Id, Sides, SpanGold, Stretch};
use lookalike::judge::metrics::{PassageScores, PassageSummary, Quiet, judge_passages};
use lookalike::{Request, lengths_of_ids};
use serde_json::{Map, Value, json};

use super::Judge;
use super::report::Report;
use crate::screen::thousands;

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

        let mut report = Report::new();
        report.line("gold", &described(all));
        report.counting("the passages located in the result", counting);
        if let Some(why) = unchecked {
            report.line("ids", &format!("not checked: {why}"));
        }
        let detected = format!(
            "{} of {}, by {} located",
            thousands(all.scores.detected),
            thousands(all.scores.cases),
            thousands(all.scores.detections)
        );
        report.line("detected", &detected);
        if all.quiet.pairs > 0 {
            report.line("false alarms", &alarms(all.quiet));
        }
        report.page.push('\n');
        report.page += &table(all, &verdict.kinds);
        for (name, value) in scores(&all.scores).into_iter().chain(numbers(all)) {
            report.field(name, value);
        }
        let kinds = verdict.kinds.iter();
        let kinds: Map<String, Value> = kinds
            .map(|(kind, summary)| (kind.clone(), kind_object(summary)))
            .collect();
        report.field("kinds", kinds);
        self.list_mistakes(
            &mut report,
            verdict.mistakes.iter().map(serde_json::to_string),
        )?;
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
            let [of_a, of_b] = &lengths;
            let spans = &pair.spans;
            let sides: [(&Id, &BTreeMap<Id, u64>, Vec<Stretch>); 2] = [
                (a, of_a, spans.iter().map(|span| span.a).collect()),
                (b, of_b, spans.iter().map(|span| span.b).collect()),
            ];
            for (id, lengths, stretches) in sides {
                check_side(id, lengths.get(id), &stretches).map_err(line)?;
            }
        }
        Ok(None)
    }
}

fn check_side(id: &Id, length: Option<&u64>, stretches: &[Stretch]) -> Result<(), String> {
    let Some(&length) = length else {
        return Err(format!(
            "the corpus of this result has no record {id}; judge the result of the corpus that the gold is about"
        ));
    };
    let last = stretches.iter().map(|stretch| u64::from(stretch.end)).max();
    match last {
        Some(end) if end > length => Err(format!(
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
    let longest = kinds.keys().map(|kind| kind.chars().count() + 2).max();
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
        row(kind, &values);
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

/// The scores as fields of an object.
fn scores(scores: &PassageScores) -> Vec<(&'static str, Value)> {
    let macro_average = scores.by_passage;
    let micro_average = scores.by_character;
    let micro = json!({
        "precision": micro_average.precision,
        "recall": micro_average.recall,
        "f1": micro_average.f1(),
        "plagdet": scores.plagdet(micro_average),
    });
    vec![
        ("precision", json!(macro_average.precision)),
        ("recall", json!(macro_average.recall)),
        ("f1", json!(macro_average.f1())),
        ("granularity", json!(scores.granularity)),
        ("plagdet", json!(scores.plagdet(macro_average))),
        ("micro", micro),
    ]
}

/// What the scores are made of.
fn numbers(summary: &PassageSummary) -> Vec<(&'static str, Value)> {
    let mut numbers = vec![
        ("pairs", json!(summary.pairs)),
        ("spans", json!(summary.scores.cases)),
        ("detected_spans", json!(summary.scores.detected)),
        ("detections", json!(summary.scores.detections)),
        ("pairs_without_spans", json!(summary.quiet.pairs)),
    ];
    if summary.quiet.pairs > 0 {
        let share = summary.quiet.quiet as f64 / summary.quiet.pairs as f64;
        numbers.push(("without_detection", json!(share)));
    }
    numbers
}

/// What is known of a kind; it has scores only if there is something to find.
fn kind_object(summary: &PassageSummary) -> Value {
    let mut fields = numbers(summary);
    if summary.scores.cases > 0 {
        fields.extend(scores(&summary.scores));
    }
    let fields = fields.into_iter();
    fields
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}
