//! The file of a lexicon: text that people can read and compare, see [`Vocabulary::write`](super::Vocabulary::write).

use std::io::{self, BufRead, Read, Write};
use std::str::FromStr;

use lookalike_text::{Seed, TextOptions};
use serde::{Deserialize, Serialize};

use super::{IdfRange, Lexicon, LexiconBuilder, TermCount};
use crate::Error;

pub(super) const VERSION: u32 = 1;

/// Words are far shorter: the tokenizer cuts them. A file without line breaks is not to fill the memory.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) lexicon: u32,
    pub(super) documents: u64,
    pub(super) terms: u64,
    pub(super) text: TextOptions,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) idf: Option<IdfRange>,
}

/// What the first line of every version has.
#[derive(Deserialize)]
struct AnyHeader {
    lexicon: u32,
}

impl Lexicon {
    /// A lexicon from a file, for features of this seed. It keeps the hashes of the terms only.
    ///
    /// # Errors
    /// If the file cannot be read or is not a lexicon: which line, and why.
    pub fn read(reader: impl BufRead, seed: Seed) -> Result<Self, Error> {
        let mut builder = LexiconBuilder::new(seed);
        let header = read(reader, |term| builder.add(term))?;
        let lexicon = builder.finish(header.documents, header.text)?;
        Ok(lexicon.with_idf_range(header.idf))
    }
}

pub(super) fn write_header(out: &mut impl Write, header: &Header) -> io::Result<()> {
    serde_json::to_writer(&mut *out, header)?;
    out.write_all(b"\n")
}

pub(super) fn write_term(out: &mut impl Write, term: TermCount<'_>) -> io::Result<()> {
    let TermCount {
        term,
        documents,
        occurrences,
    } = term;
    if !is_term(term) {
        let problem = format!(
            "the term \"{}\" is empty or has control characters",
            term.escape_debug()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    writeln!(out, "{documents}\t{occurrences}\t{term}")
}

fn is_term(term: &str) -> bool {
    !term.is_empty() && term.bytes().all(|byte| byte >= b' ')
}

/// Gives the terms of a file to `take`, in the order of the file, which is checked.
pub(super) fn read(
    reader: impl BufRead,
    mut take: impl FnMut(TermCount<'_>),
) -> Result<Header, Error> {
    let mut lines = Lines {
        reader,
        line: Vec::new(),
        number: 0,
    };
    let header = match lines.next()? {
        Some(line) => parse_header(line),
        None => {
            Err("the file is empty; build a lexicon with `lookalike lexicon build`".to_string())
        }
    };
    let header = header.map_err(|problem| lines.error(problem))?;
    let mut before = Before::default();
    let mut terms = 0;
    while let Some(line) = lines.next()? {
        let parsed = parse_term(line, header.documents).and_then(|term| {
            before.check(term)?;
            Ok(term)
        });
        match parsed {
            Ok(term) => take(term),
            Err(problem) => return Err(lines.error(problem)),
        }
        terms += 1;
    }
    if terms != header.terms {
        let problem = format!(
            "the file ends after {terms} terms and its first line says {}: copy it again, or correct the first line",
            header.terms
        );
        return Err(lines.error(problem));
    }
    Ok(header)
}

fn parse_header(line: &str) -> Result<Header, String> {
    let remedy = "the first line of a lexicon is like {\"lexicon\":1,\"documents\":9,\"terms\":20,\"text\":{}}";
    match serde_json::from_str::<AnyHeader>(line) {
        Ok(AnyHeader { lexicon: VERSION }) => {
            serde_json::from_str(line).map_err(|error| format!("{error}; {remedy}"))
        }
        Ok(AnyHeader { lexicon }) => Err(format!(
            "a lexicon of version {lexicon}, but this program reads version {VERSION}; build it again"
        )),
        Err(error) => Err(format!("not a lexicon ({error}); {remedy}")),
    }
}

fn parse_term(line: &str, all_documents: u64) -> Result<TermCount<'_>, String> {
    let shown = || {
        line.chars()
            .take(60)
            .collect::<String>()
            .escape_debug()
            .to_string()
    };
    let mut fields = line.splitn(3, '\t');
    let (Some(documents), Some(occurrences), Some(term)) =
        (fields.next(), fields.next(), fields.next())
    else {
        return Err(format!(
            "\"{}\" is not a document frequency, a number of occurrences and a term with tabs between",
            shown()
        ));
    };
    let (Some(documents), Some(occurrences)) =
        (number::<u32>(documents), number::<u64>(occurrences))
    else {
        return Err(format!(
            "\"{}\" does not begin with two numbers and tabs",
            shown()
        ));
    };
    if documents == 0 || u64::from(documents) > all_documents || occurrences < u64::from(documents)
    {
        return Err(format!(
            "\"{}\" cannot be: a term is in 1 to {all_documents} documents, and occurs in each of them",
            shown()
        ));
    }
    if !is_term(term) {
        return Err(format!(
            "the term of \"{}\" is empty or has control characters; remove the line",
            shown()
        ));
    }
    Ok(TermCount {
        term,
        documents,
        occurrences,
    })
}

/// A number in the one form in which it is written.
fn number<T: FromStr>(digits: &str) -> Option<T> {
    let leading = *digits.as_bytes().first()?;
    let plain = leading.is_ascii_digit() && (leading != b'0' || digits.len() == 1);
    plain.then(|| digits.parse().ok())?
}

/// The term before, for the order of the file.
#[derive(Default)]
struct Before {
    documents: u32,
    term: String,
}

impl Before {
    fn check(&mut self, term: TermCount<'_>) -> Result<(), String> {
        let first = self.term.is_empty();
        let fewer = term.documents < self.documents;
        let as_many = term.documents == self.documents && *term.term > *self.term;
        if !(first || fewer || as_many) {
            return Err(format!(
                "\"{}\" is not in order after \"{}\": sort the terms by descending document frequency, then by their bytes, each once",
                term.term, self.term
            ));
        }
        self.documents = term.documents;
        self.term.clear();
        self.term.push_str(term.term);
        Ok(())
    }
}

struct Lines<R> {
    reader: R,
    line: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<&str>, Error> {
        self.number += 1;
        self.line.clear();
        let limited = &mut self.reader.by_ref().take(MAX_LINE_BYTES);
        if let Err(error) = limited.read_until(b'\n', &mut self.line) {
            return Err(Error::UnreadableLexicon {
                line: self.number,
                problem: error.to_string(),
            });
        }
        if self.line.is_empty() {
            return Ok(None);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
            // As editors on Windows leave it.
            if self.line.last() == Some(&b'\r') {
                self.line.pop();
            }
        } else if self.line.len() as u64 == MAX_LINE_BYTES {
            return Err(self.error(format!(
                "more than {MAX_LINE_BYTES} bytes without a line break; this is not a lexicon"
            )));
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) => Ok(Some(line)),
            Err(error) => Err(Error::Lexicon {
                line: self.number,
                problem: format!("not UTF-8 ({error}); save the file as UTF-8"),
            }),
        }
    }

    fn error(&self, problem: String) -> Error {
        Error::Lexicon {
            line: self.number,
            problem,
        }
    }
}
