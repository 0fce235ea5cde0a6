//! What a record of a WARC file is. In come its bytes, out comes a page with what is said of it, or that it is none.

use super::header::{self, Header};
use super::http::{self, Limits, Response};
use crate::read::html::{self, Page, PageOptions};
use crate::read::web::not_binary;

/// A record that holds a page.
pub(super) struct Record<'a> {
    header: Header<'a>,
    markup: Markup,
    charset: Option<&'a str>,
    body: Body<'a>,
}

enum Body<'a> {
    Http(Response<'a>),
    Plain(&'a [u8]),
}

/// In what a text is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Markup {
    Html,
    None,
}

/// How pages are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) page: PageOptions,
    pub(super) max_record: u64,
}

/// The page of a record; none if it has none, as most records do; or why it cannot be read. `bytes` need not have more of
/// the content than the header of the response.
pub(super) fn page(bytes: &[u8]) -> Option<Result<Record<'_>, String>> {
    let length = header::length(bytes)?;
    let header = Header::new(&bytes[..length]);
    let content = &bytes[length..];
    let stated = header
        .get("Content-Length")
        .and_then(|length| length.parse().ok());
    let content = &content[..content.len().min(stated.unwrap_or(0))];
    let Some(kind) = header.get("WARC-Type") else {
        return Some(Err("the record has no WARC-Type".to_owned()));
    };
    let content_type = header.get("Content-Type").unwrap_or_default();
    let is_http = essence(content_type).eq_ignore_ascii_case("application/http");
    match kind.to_ascii_lowercase().as_str() {
        "response" if is_http => of_response(header, content),
        // What a crawler says of itself is no page.
        "response" | "resource" | "conversion" if !uri(&header).starts_with("metadata:") => {
            let markup = Markup::of(content_type)?;
            Some(Ok(Record {
                header,
                markup,
                charset: html::charset_of(content_type),
                body: Body::Plain(content),
            }))
        }
        _ => None,
    }
}

fn of_response<'a>(header: Header<'a>, content: &'a [u8]) -> Option<Result<Record<'a>, String>> {
    let Some(response) = http::response(content) else {
        return Some(Err("the response has no HTTP header".to_owned()));
    };
    if !(200..300).contains(&response.status) {
        return None;
    }
    let content_type = response.header.get("Content-Type").unwrap_or_default();
    let markup = match content_type {
        "" if response.body.trim_ascii_start().starts_with(b"<") => Markup::Html,
        _ => Markup::of(content_type)?,
    };
    Some(Ok(Record {
        header,
        markup,
        charset: html::charset_of(content_type),
        body: Body::Http(response),
    }))
}

impl Markup {
    /// Of a type of content that is text.
    fn of(content_type: &str) -> Option<Markup> {
        match essence(content_type).to_ascii_lowercase().as_str() {
            "text/html" | "application/xhtml+xml" => Some(Markup::Html),
            "text/plain" => Some(Markup::None),
            _ => None,
        }
    }
}

/// A type of content without its parameters.
fn essence(content_type: &str) -> &str {
    content_type
        .split([';', ','])
        .next()
        .unwrap_or_default()
        .trim()
}

fn uri<'a>(header: &Header<'a>) -> &'a str {
    // Some crawlers put brackets around it.
    let uri = header.get("WARC-Target-URI").unwrap_or_default();
    uri.trim_start_matches('<').trim_end_matches('>')
}

impl<'a> Record<'a> {
    /// Its id, without what all have.
    pub(super) fn id(&self) -> Option<&'a str> {
        let id = self.header.get("WARC-Record-ID")?;
        let id = id.trim_start_matches('<').trim_end_matches('>');
        Some(id.strip_prefix("urn:uuid:").unwrap_or(id)).filter(|id| !id.is_empty())
    }

    pub(super) fn url(&self) -> Option<&'a str> {
        Some(uri(&self.header)).filter(|uri| !uri.is_empty())
    }

    pub(super) fn date(&self) -> Option<&'a str> {
        self.header.get("WARC-Date")
    }

    /// The page, or why it cannot be read.
    pub(super) fn read(&self, reading: Reading) -> Result<Page, String> {
        let content = match &self.body {
            Body::Plain(content) => std::borrow::Cow::Borrowed(*content),
            Body::Http(response) => response.content(Limits {
                most: reading.max_record,
                truncated: self.header.get("WARC-Truncated").is_some(),
            })?,
        };
        not_binary(&content)?;
        let mut page = match self.markup {
            Markup::Html => html::page(&html::decode(&content, self.charset), reading.page),
            Markup::None => Page {
                text: lines(&html::decode_plain(&content, self.charset)),
                ..Page::default()
            },
        };
        let language = self.header.get("WARC-Identified-Content-Language");
        page.language = page.language.or_else(|| language.map(str::to_owned));
        Ok(page)
    }
}

/// Text with one kind of line end and without NUL characters.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "")
        .trim_end()
        .to_owned()
}
