//! Mailboxes: one mail after the other, each after a line `From sender date`. In comes a file, out come the fields of each
//! mail.
//!
//! Programs quote such lines within a mail in different ways: by a `>` before some of them (mboxo) or before all of them
//! and those quoted already (mboxrd), which is taken back here; or not at all, and the header says how long the body is
//! (mboxcl2), or both (mboxcl). A stated length is believed if a mail ends there. Where it is wrong or there is none, a mail
//! ends before the next line `From ` with a time and a year in it.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memmem};

use super::mail::{ATTACHMENTS, Mails};
use super::records::{RecordCutter, RecordEnds, outcome, too_large};
use super::{Cut, Decode, Each, Opening, Want};
use crate::block::Block;
use crate::error::Error;
use crate::format::Entry;
use crate::write;

pub(crate) static FORMAT: Entry = Entry {
    extensions: &["mbox", "mbx"],
    begins: Some(begins_mailbox),
    apart_by: Some(ATTACHMENTS),
    ..Entry::new("mbox", open, write::raw::start)
};

/// Opens a mailbox.
pub(crate) fn open(opening: &Opening<'_>) -> Result<Box<dyn Cut>, Error> {
    let decoder = Mailbox {
        name: opening.source.name.clone(),
        mails: Mails::new(opening),
        max_record: opening.options.max_record,
    };
    let mut cutter = RecordCutter::open(opening, MailEnds)?;
    cutter.decode_with(Arc::new(decoder));
    Ok(Box::new(cutter))
}

struct Mailbox {
    name: String,
    mails: Mails,
    max_record: u64,
}

impl Decode for Mailbox {
    fn decode(&self, block: &Block, want: Want<'_>, each: Each<'_>) -> Result<u32, Error> {
        let mut slots = 0;
        let (mut line, bytes) = (block.place.line, block.bytes.as_slice());
        for mail in mails(bytes) {
            let mail = &bytes[mail];
            let begin = line;
            line += memchr_iter(b'\n', mail).count() as u64;
            if is_blank(mail) {
                continue;
            }
            let slot = slots;
            slots += 1;
            if !want(slot) {
                continue;
            }
            let told = if mail.len() as u64 > self.max_record {
                Err(too_large(self.max_record))
            } else {
                self.mails.read(&without_quotes(mail), &mut |values| {
                    each(slot, outcome(&self.name, begin, Ok(values)));
                })
            };
            if let Err(reason) = told {
                each(slot, outcome(&self.name, begin, Err(reason)));
            }
        }
        Ok(slots)
    }

    fn fields(&self, _: &Block, _: &mut u32) -> Option<Vec<String>> {
        Some(Mails::fields())
    }

    fn raw<'b>(&self, block: &'b Block) -> Box<dyn Iterator<Item = (bool, &'b [u8])> + 'b> {
        let bytes = block.bytes.as_slice();
        Box::new(mails(bytes).map(|mail| (!is_blank(&bytes[mail.clone()]), &bytes[mail])))
    }
}

fn is_blank(mail: &[u8]) -> bool {
    mail.iter().all(u8::is_ascii_whitespace)
}

/// Where the mails of a block are, which begins and ends with whole ones.
fn mails(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut begin = 0;
    std::iter::from_fn(move || {
        if begin == bytes.len() {
            return None;
        }
        let rest = &bytes[begin..];
        let length = stated_end(rest).end();
        let length = length
            .or_else(|| next_envelope(rest, 1))
            .unwrap_or(rest.len());
        let mail = begin..begin + length;
        begin = mail.end;
        Some(mail)
    })
}

/// A mail without the `>` that was put before lines which begin like an envelope, one of each.
fn without_quotes(mail: &[u8]) -> Cow<'_, [u8]> {
    let mut quotes = memmem::find_iter(mail, b"From ")
        .filter(|&at| {
            let before = &mail[..at];
            let quotes = before
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'>')
                .count();
            quotes > 0 && (quotes == at || before[at - quotes - 1] == b'\n')
        })
        .peekable();
    if quotes.peek().is_none() {
        return Cow::Borrowed(mail);
    }
    let mut plain = Vec::with_capacity(mail.len());
    let mut copied = 0;
    for at in quotes {
        plain.extend_from_slice(&mail[copied..at - 1]);
        copied = at;
    }
    plain.extend_from_slice(&mail[copied..]);
    Cow::Owned(plain)
}

/// Where mails end.
struct MailEnds;

/// An envelope is no longer.
const MOST_ENVELOPE: usize = 1000;
/// What is looked at again where more bytes come: the line that the others end in may be an envelope.
const LOOKED_BACK: usize = MOST_ENVELOPE + b"\nFrom ".len();

impl RecordEnds for MailEnds {
    fn restart(&mut self) {}

    fn looks_back(&self) -> usize {
        LOOKED_BACK
    }

    /// Of a mail larger than these bytes, what its header says of its length is not looked at.
    fn next_end(&mut self, bytes: &[u8]) -> Option<usize> {
        next_envelope(bytes, 1)
    }

    fn last_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut last = None;
        loop {
            let rest = &bytes[last.unwrap_or(0)..];
            let end = match stated_end(rest) {
                Stated::End(end) => Some(end),
                // It may be where nobody can see it yet: then the mail begins the next block.
                Stated::Beyond if last.is_some() => None,
                _ => next_envelope(rest, 1),
            };
            match end {
                Some(end) => last = Some(last.unwrap_or(0) + end),
                None => return last,
            }
        }
    }

    fn skip(&mut self, bytes: &[u8], _at_end: bool) -> Result<usize, usize> {
        next_envelope(bytes, 1).ok_or(bytes.len().saturating_sub(LOOKED_BACK))
    }
}

/// Where a mail ends by what its header says.
enum Stated {
    /// There, and another begins.
    End(usize),
    /// After the bytes that there are.
    Beyond,
    /// It does not say, or what it says is wrong.
    Nowhere,
}

impl Stated {
    fn end(&self) -> Option<usize> {
        match self {
            Stated::End(end) => Some(*end),
            _ => None,
        }
    }
}

/// Where the mail that these bytes begin with ends by its `Content-Length`.
fn stated_end(bytes: &[u8]) -> Stated {
    let Some((length, body)) = content_length(bytes) else {
        return Stated::Nowhere;
    };
    let Some(end) = body.checked_add(length) else {
        return Stated::Nowhere;
    };
    let Some(rest) = bytes.get(end..) else {
        return Stated::Beyond;
    };
    // Some count the blank line before the next envelope, some do not.
    let blank = rest
        .iter()
        .take_while(|byte| matches!(byte, b'\n' | b'\r'))
        .count();
    let line = &rest[blank..];
    let is_after_line = blank > 0 || bytes.get(end - 1) == Some(&b'\n');
    match memchr(b'\n', line) {
        None if line.len() < MOST_ENVELOPE => Stated::Beyond,
        Some(at) if is_after_line && is_envelope(&line[..=at]) => Stated::End(end + blank),
        _ => Stated::Nowhere,
    }
}

/// What a header says of the length of the body, and where this begins.
fn content_length(bytes: &[u8]) -> Option<(usize, usize)> {
    const NAME: &[u8] = b"content-length:";
    /// Headers are no longer.
    const MOST_HEADER: usize = 64 << 10;
    let (mut at, mut length) = (0, None);
    while at < MOST_HEADER {
        let line = &bytes[at..];
        let end = memchr(b'\n', line)?;
        let text = line[..end].trim_ascii();
        at += end + 1;
        if text.is_empty() {
            return Some((length?, at));
        }
        let is_it = text
            .get(..NAME.len())
            .is_some_and(|name| name.eq_ignore_ascii_case(NAME));
        if is_it {
            let number = std::str::from_utf8(&text[NAME.len()..]).ok()?;
            length = number.trim().parse().ok();
        }
    }
    None
}

/// Where the next line begins that is an envelope, at `from` or after it; the bytes begin a line.
fn next_envelope(bytes: &[u8], from: usize) -> Option<usize> {
    let begins = memmem::find_iter(&bytes[from.saturating_sub(1)..], b"\nFrom ");
    let begins = begins.map(|at| from.saturating_sub(1) + at + 1);
    let mut lines = begins.filter_map(|at| {
        let end = memchr(b'\n', &bytes[at..])?;
        Some((at, &bytes[at..=at + end]))
    });
    lines.find(|(_, line)| is_envelope(line)).map(|(at, _)| at)
}

/// Whether a line is `From`, a sender and a date. Sentences that begin so have no time and year in them.
fn is_envelope(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    if rest.len() > MOST_ENVELOPE {
        return false;
    }
    let words = || rest.split(u8::is_ascii_whitespace);
    let is_time = |word: &[u8]| {
        let mut parts = word.split(|&byte| byte == b':');
        let is_number =
            |part: &[u8]| (1..=2).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
        let count = parts.clone().count();
        (2..=3).contains(&count) && parts.all(is_number)
    };
    let is_year = |word: &[u8]| {
        word.len() == 4 && word.iter().all(u8::is_ascii_digit) && matches!(word[0], b'1' | b'2')
    };
    words().any(is_time) && words().any(is_year)
}

/// Whether these are the first bytes of a mailbox.
fn begins_mailbox(first: &[u8]) -> bool {
    let end = memchr(b'\n', first).map_or(first.len(), |at| at + 1);
    is_envelope(&first[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_has_a_sender_and_a_date() {
        for line in [
            "From alice@example.org Sat Jan  3 01:05:34 1996\n",
            "From - Tue Apr 29 08:21:45 2003\r\n",
            "From 1234@xxx Thu Jan 01 00:00:00 +0000 2014\n",
            "From alice at example.org  Thu Feb  6 10:01 2020\n",
        ] {
            assert!(is_envelope(line.as_bytes()), "{line}");
        }
        for line in [
            "From now on we meet at 10:30.\n",
            "From 2001 on\n",
            "from a 1:00 2001\n",
        ] {
            assert!(!is_envelope(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_quote_is_taken_back_from_lines_that_begin_like_an_envelope() {
        let plain = |text: &str| String::from_utf8(without_quotes(text.as_bytes()).into()).unwrap();
        assert_eq!(
            plain("a\n>From b\n>>From c\n> From d\ne >From f\n"),
            "a\nFrom b\n>From c\n> From d\ne >From f\n"
        );
        assert_eq!(plain(">From x"), "From x");
    }
}
