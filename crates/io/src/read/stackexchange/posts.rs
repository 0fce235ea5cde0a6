//! The rows of a `Posts.xml`, in order.

use super::super::records::{BYTE_ORDER_MARK, RecordCutter, invalid_utf8, too_large};
use super::super::xml::{self, Markup};
use super::super::{Cut, open_pieces};
use crate::block::Block;
use crate::error::Error;
use crate::input::{InputOptions, Source};

/// A piece of the file: markup with the space after it.
pub(crate) struct Piece<'a> {
    /// The line it begins in.
    pub(crate) line: u64,
    /// Nothing where it was too large to be held, or could not be decompressed.
    pub(crate) bytes: &'a [u8],
    pub(crate) content: Content<'a>,
}

/// What a piece is. Questions and malformed rows are numbered as they come; these are the *slots* of a dump, and a
/// line each in what is made of it.
pub(crate) enum Content<'a> {
    /// The row of a question, and its slot.
    Question(Question<'a>, u32),
    /// The row of an answer, and its number among the answers.
    Answer(Answer<'a>, u32),
    /// A malformed row with the reason, and its slot.
    Rejected(String, u32),
    /// A row of another kind of post, or no row at all.
    Other,
}

/// Values are as written in the file.
pub(crate) struct Question<'a> {
    pub(crate) id: u32,
    pub(crate) accepted: Option<u32>,
    pub(crate) score: Option<i64>,
    pub(crate) views: Option<i64>,
    pub(crate) date: &'a str,
    pub(crate) tags: &'a str,
    pub(crate) title: &'a str,
    pub(crate) body: &'a str,
}

/// The body is as written in the file.
pub(crate) struct Answer<'a> {
    pub(crate) id: u32,
    /// The question.
    pub(crate) parent: u32,
    pub(crate) score: i64,
    pub(crate) body: &'a str,
}

/// Tells all pieces of a dump in order. Those that are held are the whole file.
pub(crate) fn for_each(
    source: &Source,
    options: &InputOptions,
    mut each: impl FnMut(Piece<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut cutter = open_pieces(source, options, |opening| {
        RecordCutter::open(opening, Markup::default())
    })?;
    let mut block = Block::default();
    let mut is_first = true;
    let (mut slots, mut answers) = (0, 0);
    while cutter.next_block(&mut block)? {
        if std::mem::take(&mut is_first) && block.place.offset > 0 {
            each(Piece {
                line: 1,
                bytes: BYTE_ORDER_MARK,
                content: Content::Other,
            })?;
        }
        for (line, bytes) in xml::pieces(&block) {
            let content = match Post::read(bytes, options.max_record) {
                Ok(Post::Question(question)) => {
                    Content::Question(question, next(&mut slots, source)?)
                }
                Ok(Post::Answer(answer)) => Content::Answer(answer, next(&mut answers, source)?),
                Ok(Post::Other) => Content::Other,
                Err(reason) => Content::Rejected(reason, next(&mut slots, source)?),
            };
            each(Piece {
                line,
                bytes,
                content,
            })?;
        }
        for rejection in block.rejections.drain(..) {
            each(Piece {
                line: rejection.line.unwrap_or(1),
                bytes: b"",
                content: Content::Rejected(rejection.reason, next(&mut slots, source)?),
            })?;
        }
    }
    Ok(())
}

fn next(count: &mut u32, source: &Source) -> Result<u32, Error> {
    let number = *count;
    *count = number.checked_add(1).ok_or_else(|| Error::Damaged {
        name: source.name.clone(),
        format: super::FORMAT.name,
        cause: format!("it has more than {} posts; split it", u32::MAX),
    })?;
    Ok(number)
}

/// What a piece says.
enum Post<'a> {
    Question(Question<'a>),
    Answer(Answer<'a>),
    Other,
}

/// The attributes of a row that matter.
#[derive(Default)]
struct Row<'a> {
    id: &'a str,
    kind: &'a str,
    parent: &'a str,
    accepted: &'a str,
    score: &'a str,
    views: &'a str,
    date: &'a str,
    tags: &'a str,
    title: &'a str,
    body: &'a str,
}

impl<'a> Post<'a> {
    fn read(piece: &'a [u8], max_record: u64) -> Result<Post<'a>, String> {
        if !piece.starts_with(b"<row") {
            return Ok(Post::Other);
        }
        if piece.trim_ascii_end().len() as u64 > max_record {
            return Err(too_large(max_record));
        }
        let piece = simdutf8::basic::from_utf8(piece).map_err(|_| invalid_utf8(piece))?;
        let Some(attributes) = xml::element(piece, "row") else {
            return Ok(Post::Other);
        };
        if memchr::memchr(0, piece.as_bytes()).is_some() {
            return Err("invalid XML: a NUL character".to_owned());
        }
        let mut row = Row::default();
        for attribute in attributes {
            let (name, value) = attribute?;
            row.set(name, value);
        }
        row.post()
    }
}

impl<'a> Row<'a> {
    fn set(&mut self, name: &str, value: &'a str) {
        let field = match name {
            "Id" => &mut self.id,
            "PostTypeId" => &mut self.kind,
            "ParentId" => &mut self.parent,
            "AcceptedAnswerId" => &mut self.accepted,
            "Score" => &mut self.score,
            "ViewCount" => &mut self.views,
            "CreationDate" => &mut self.date,
            "Tags" => &mut self.tags,
            "Title" => &mut self.title,
            "Body" => &mut self.body,
            _ => return,
        };
        *field = value;
    }

    fn post(self) -> Result<Post<'a>, String> {
        let id = required("Id", id("Id", self.id)?)?;
        match required("PostTypeId", number("PostTypeId", self.kind)?)? {
            1 => Ok(Post::Question(Question {
                id,
                accepted: self::id("AcceptedAnswerId", self.accepted)?,
                score: number("Score", self.score)?,
                views: number("ViewCount", self.views)?,
                date: self.date,
                tags: self.tags,
                title: self.title,
                body: self.body,
            })),
            2 => Ok(Post::Answer(Answer {
                id,
                parent: required("ParentId", self::id("ParentId", self.parent)?)?,
                score: number("Score", self.score)?.unwrap_or(0),
                body: self.body,
            })),
            _ => Ok(Post::Other),
        }
    }
}

fn required<T>(name: &str, value: Option<T>) -> Result<T, String> {
    value.ok_or_else(|| format!("the row has no {name}"))
}

/// Ids are of 32 bits in Stack Exchange's tables.
fn id(name: &str, value: &str) -> Result<Option<u32>, String> {
    match number(name, value)?.map(u32::try_from) {
        Some(Err(_)) => Err(format!("{name} {value} is not between 0 and {}", u32::MAX)),
        Some(Ok(id)) => Ok(Some(id)),
        None => Ok(None),
    }
}

fn number(name: &str, value: &str) -> Result<Option<i64>, String> {
    if value.is_empty() {
        return Ok(None);
    }
    value.parse().map(Some).map_err(|_| {
        let shown: String = value.chars().take(40).collect();
        format!("{name} \"{shown}\" is not a number")
    })
}
