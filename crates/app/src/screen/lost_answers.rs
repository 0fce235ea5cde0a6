//! Removed threads whose answers say something that the kept ones do not, or were not compared.

use lookalike::kernel::rows::{LostAnswer, LostAnswers, OtherAnswers};
use lookalike::{Keep, Summary};

use super::{counted, line, plain, thousands};

/// So many threads are named that lose an answer.
const ANSWERS_NAMED: usize = 3;

/// Says which answers are lost, if any.
pub(super) fn show(page: &mut String, summary: &Summary) {
    let lost = summary.lost_answers.as_ref();
    if let Some(lost) = lost.filter(|lost| lost.threads > 0) {
        compared(page, lost);
    }
    if let Some(others) = not_compared(summary) {
        other_answers(page, others, &summary.parameters.keep);
    }
}

/// Answers that were not compared and are removed with their threads, if there are any.
pub(super) fn not_compared(summary: &Summary) -> Option<&OtherAnswers> {
    let others = summary.lost_answers.as_ref()?.not_compared.as_ref();
    others.filter(|others| others.threads > 0)
}

fn compared(page: &mut String, lost: &LostAnswers) {
    let (threads, named) = (thousands(lost.threads), named(&lost.first, lost.threads));
    let lost = format!("{threads}, removed with something the kept thread does not say: {named}");
    line(page, "  lost answers", lost);
}

fn other_answers(page: &mut String, others: &OtherAnswers, keep: &Keep) {
    let answers = counted(others.answers, "answer");
    let were = if others.answers == 1 { "was" } else { "were" };
    let (threads, named) = (
        counted(others.threads, "thread"),
        named(&others.first, others.threads),
    );
    // Where nobody chose otherwise, it is the rule already.
    let remedy = match keep {
        Keep::Field(field) if field == "answers" => "",
        _ => "; --keep answers keeps the threads with most answers",
    };
    let lost =
        format!("{answers} that {were} not compared, removed with {threads}: {named}{remedy}");
    line(page, "  lost answers", lost);
}

/// The first threads that lose an answer, each with the one kept for it.
fn named(first: &[LostAnswer], all: u64) -> String {
    let first = first.iter().take(ANSWERS_NAMED);
    let first = first.map(|lost| format!("{} (kept: {})", plain(&lost.id), plain(&lost.kept)));
    let mut named: Vec<String> = first.collect();
    if all > ANSWERS_NAMED as u64 {
        named.push("…".to_string());
    }
    named.join(", ")
}
