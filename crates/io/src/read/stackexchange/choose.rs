//! The first pass over a dump: which answer goes with which question, and how the threads are shared out to parts that
//! fit in memory. Resident are 20 bytes per answer and 36 per question.

use std::cmp::Reverse;

use super::posts::{self, Content};
use crate::error::Error;
use crate::input::{InputOptions, Source};

/// About what a thread takes beside its texts.
const SLOT_BYTES: u32 = 100;

/// What the first pass found out.
pub(super) struct Choice {
    /// In the order of the answers.
    pub(super) chosen: Vec<Chosen>,
    /// The first slot of every part but the first.
    bounds: Vec<u32>,
}

/// An answer that goes with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Chosen {
    /// Its number among the answers.
    pub(super) answer: u32,
    /// The slot of the question.
    pub(super) slot: u32,
    /// By who asked.
    pub(super) accepted: bool,
    /// How many answers the question has.
    pub(super) of: u32,
}

struct Question {
    id: u32,
    accepted: Option<u32>,
    slot: u32,
}

struct Answer {
    parent: u32,
    /// Best first.
    score: Reverse<i32>,
    id: u32,
    number: u32,
    bytes: u32,
}

impl Choice {
    /// Reads the dump once. A part has about `part_bytes`.
    pub(super) fn make(
        source: &Source,
        options: &InputOptions,
        part_bytes: u64,
    ) -> Result<Choice, Error> {
        let mut questions = Vec::new();
        let mut answers = Vec::new();
        let mut slot_bytes = Vec::new();
        posts::for_each(source, options, |piece| {
            let bytes = u32::try_from(piece.bytes.len()).unwrap_or(u32::MAX);
            match piece.content {
                Content::Question(question, slot) => {
                    slot_bytes.push(bytes.saturating_add(SLOT_BYTES));
                    questions.push(Question {
                        id: question.id,
                        accepted: question.accepted,
                        slot,
                    });
                }
                Content::Answer(answer, number) => answers.push(Answer {
                    parent: answer.parent,
                    score: Reverse(answer.score.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
                    id: answer.id,
                    number,
                    bytes,
                }),
                Content::Rejected(..) => slot_bytes.push(SLOT_BYTES),
                Content::Other => {}
            }
            Ok(())
        })?;
        let chosen = choose(questions, answers, &mut slot_bytes);
        Ok(Choice {
            chosen,
            bounds: bounds(&slot_bytes, part_bytes),
        })
    }

    /// How many parts there are.
    pub(super) fn parts(&self) -> usize {
        self.bounds.len() + 1
    }

    /// The part a slot belongs to.
    pub(super) fn part_of(&self, slot: u32) -> usize {
        self.bounds.partition_point(|&first| first <= slot)
    }
}

/// For every question the accepted answer, else the one with the best score; of several such the one with the smallest
/// id. Should two questions have one id, the answers are the first one's.
fn choose(
    mut questions: Vec<Question>,
    mut answers: Vec<Answer>,
    slot_bytes: &mut [u32],
) -> Vec<Chosen> {
    questions.sort_unstable_by_key(|question| (question.id, question.slot));
    answers.sort_unstable_by_key(|answer| (answer.parent, answer.score, answer.id, answer.number));
    let mut chosen = Vec::new();
    let mut answers = answers.iter().peekable();
    for question in &questions {
        while answers
            .next_if(|answer| answer.parent < question.id)
            .is_some()
        {}
        let (mut best, mut accepted, mut count) = (None, None, 0);
        while let Some(answer) = answers.next_if(|answer| answer.parent == question.id) {
            count += 1;
            best = best.or(Some(answer));
            accepted = accepted.or((Some(answer.id) == question.accepted).then_some(answer));
        }
        if let Some(answer) = accepted.or(best) {
            let bytes = &mut slot_bytes[question.slot as usize];
            *bytes = bytes.saturating_add(answer.bytes);
            chosen.push(Chosen {
                answer: answer.number,
                slot: question.slot,
                accepted: accepted.is_some(),
                of: count,
            });
        }
    }
    chosen.sort_unstable();
    chosen
}

fn bounds(slot_bytes: &[u32], part_bytes: u64) -> Vec<u32> {
    let mut bounds = Vec::new();
    let mut held = 0;
    for (slot, &bytes) in (0..).zip(slot_bytes) {
        if held > 0 && held + u64::from(bytes) > part_bytes {
            bounds.push(slot);
            held = 0;
        }
        held += u64::from(bytes);
    }
    bounds
}
