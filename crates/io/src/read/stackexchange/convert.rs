//! A dump made into a file of whole threads, in the order of the questions, a line each.
//!
//! Answers stand anywhere in a dump, so this is a join. The first pass ([`Choice`]) finds the answer of each question; the
//! second writes questions and chosen answers to [`Parts`] by the slot of the question; then each part is sorted in
//! memory and appended to the result. That has its name only once it is whole, so a run that was killed finds it again.
//!
//! | line | cells, with tabs between |
//! |---|---|
//! | a thread | line, `id`, `score`, `views`, `date`, `tags`, `title`, `body`, `answers`, `accepted`, `answer`; texts as the dump has them, that is, escaped |
//! | a rejection | `!`, line, reason |

use std::fmt::{Display, Write as _};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::super::Preparing;
use super::choose::Choice;
use super::parts::{Kind, Parts};
use super::posts::{self, Content, Question};
use crate::error::Error;
use crate::input::{InputOptions, Source};
use crate::read::converted::{self, REJECTION};

const PART_BYTES: u64 = 24 << 20;

/// The end of a line without an answer.
const NO_ANSWER: &[u8] = b"\t0\t0\t";

/// Converts the dump, unless it is there already.
pub(crate) fn prepare(preparing: &Preparing<'_>) -> Result<PathBuf, Error> {
    converted::prepare(preparing, ("threads", &[]), |path| {
        convert(preparing.source, preparing.options, path, PART_BYTES)
    })
}

/// Writes the threads of a dump to `path`.
pub(super) fn convert(
    source: &Source,
    options: &InputOptions,
    path: &Path,
    part_bytes: u64,
) -> Result<(), Error> {
    let choice = Choice::make(source, options, part_bytes)?;
    let mut parts = Parts::create(&path.with_extension("parts"), choice.parts())?;
    fill(source, options, &choice, &mut parts)?;
    let count = choice.parts();
    drop(choice);
    converted::write(path, |out, partial| {
        (0..count).try_for_each(|part| append(&mut parts, part, out, partial))
    })
}

/// The second pass.
fn fill(
    source: &Source,
    options: &InputOptions,
    choice: &Choice,
    parts: &mut Parts,
) -> Result<(), Error> {
    let mut chosen = choice.chosen.iter().peekable();
    posts::for_each(source, options, |piece| {
        let line = piece.line;
        match piece.content {
            Content::Question(question, slot) => {
                parts.add(choice.part_of(slot), (slot, Kind::Question), |out| {
                    write_question(line, &question, out);
                })
            }
            Content::Answer(answer, number) => {
                while let Some(chosen) = chosen.next_if(|chosen| chosen.answer == number) {
                    let slot = chosen.slot;
                    parts.add(choice.part_of(slot), (slot, Kind::Answer), |out| {
                        write_cell(chosen.of, out);
                        write_cell(u8::from(chosen.accepted), out);
                        write_text(answer.body, out);
                    })?;
                }
                Ok(())
            }
            Content::Rejected(reason, slot) => {
                parts.add(choice.part_of(slot), (slot, Kind::Rejection), |out| {
                    out.extend_from_slice(REJECTION.as_bytes());
                    out.extend_from_slice(line.to_string().as_bytes());
                    write_text(&reason, out);
                })
            }
            Content::Other => Ok(()),
        }
    })
}

fn write_question(line: u64, question: &Question<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(line.to_string().as_bytes());
    write_cell(question.id, out);
    for number in [question.score, question.views] {
        match number {
            Some(number) => write_cell(number, out),
            None => out.push(b'\t'),
        }
    }
    for text in [question.date, question.tags, question.title, question.body] {
        write_text(text, out);
    }
}

fn write_cell(number: impl Display, out: &mut Vec<u8>) {
    let mut cell = String::new();
    // Writing to a string cannot fail.
    let _ = write!(cell, "\t{number}");
    out.extend_from_slice(cell.as_bytes());
}

/// Tabs and line ends in a value mean a space in XML, unless they are references.
fn write_text(text: &str, out: &mut Vec<u8>) {
    out.push(b'\t');
    let mut rest = text.as_bytes();
    while let Some(at) = memchr::memchr3(b'\t', b'\n', b'\r', rest) {
        out.extend_from_slice(&rest[..at]);
        out.push(b' ');
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// Appends the lines of a part.
fn append(parts: &mut Parts, part: usize, out: &mut impl Write, path: &Path) -> Result<(), Error> {
    let part = parts.take(part)?;
    let mut entries = part.entries().peekable();
    while let Some((slot, kind, bytes)) = entries.next() {
        let answer = entries.next_if(|(other, kind, _)| *other == slot && *kind == Kind::Answer);
        let end = match (kind, answer) {
            (Kind::Question, Some((_, _, answer))) => answer,
            (Kind::Question, None) => NO_ANSWER,
            (Kind::Rejection | Kind::Answer, _) => b"",
        };
        out.write_all(bytes)
            .and_then(|()| out.write_all(end))
            .and_then(|()| out.write_all(b"\n"))
            .map_err(Error::file("write", path))?;
    }
    Ok(())
}
