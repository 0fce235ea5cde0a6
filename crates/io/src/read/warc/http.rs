//! HTTP responses as crawlers store them. In come the bytes of a response, out come its status, header and body, and of
//! that what the server had compressed or sent in chunks.
//!
//! Crawlers differ: some store what came over the line, some what it means, and leave the header as it was. So a body that
//! should be in chunks or compressed, and by its first bytes is not, is taken as it is.

use std::borrow::Cow;
use std::io::Read;

use super::header::{self, Header};

/// A response, as stored.
pub(super) struct Response<'a> {
    pub(super) status: u16,
    pub(super) header: Header<'a>,
    pub(super) body: &'a [u8],
}

/// How a body is read.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The most bytes it may have.
    pub(super) most: u64,
    /// The record says that it is not whole.
    pub(super) truncated: bool,
}

/// Splits a response.
pub(super) fn response(bytes: &[u8]) -> Option<Response<'_>> {
    let bytes = bytes.trim_ascii_start();
    let status = bytes.strip_prefix(b"HTTP/")?;
    let line = status.split(|&byte| byte == b'\n').next()?;
    let mut words = line.split(u8::is_ascii_whitespace).skip(1);
    let status = words.find(|word| !word.is_empty())?;
    // A response without a body may lack the empty line.
    let length = header::length(bytes).unwrap_or(bytes.len());
    Some(Response {
        status: str::from_utf8(status).ok()?.parse().ok()?,
        header: Header::new(&bytes[..length]),
        body: &bytes[length..],
    })
}

impl<'a> Response<'a> {
    /// The body as the server meant it, or why that cannot be told.
    pub(super) fn content(&self, limits: Limits) -> Result<Cow<'a, [u8]>, String> {
        let transfer = self.header.get("Transfer-Encoding").unwrap_or_default();
        let content = self.header.get("Content-Encoding").unwrap_or_default();
        let mut body = Cow::Borrowed(self.body);
        // What was done last is undone first.
        for encoding in transfer.rsplit(',').chain(content.rsplit(',')) {
            let encoding = encoding.trim();
            let undone = if encoding.eq_ignore_ascii_case("chunked") {
                join_chunks(&body, limits.truncated)?
            } else {
                expand(&body, encoding, limits)?
            };
            if let Some(undone) = undone {
                body = Cow::Owned(undone);
            }
        }
        Ok(body)
    }
}

/// The chunks of a body, one after the other; none if it is not in chunks.
fn join_chunks(body: &[u8], truncated: bool) -> Result<Option<Vec<u8>>, String> {
    let mut joined = Vec::with_capacity(body.len());
    let mut rest = body;
    loop {
        let Some((length, after)) = chunk_length(rest) else {
            return match rest.len() == body.len() {
                true => Ok(None),
                // Some servers close the connection instead of sending the last chunk.
                false if truncated || rest.trim_ascii().is_empty() => Ok(Some(joined)),
                false => Err(format!(
                    "the body is not in chunks as its header says (byte {} of the body)",
                    body.len() - rest.len() + 1
                )),
            };
        };
        if length == 0 {
            return Ok(Some(joined));
        }
        if after.len() < length {
            joined.extend_from_slice(after);
            return match truncated {
                true => Ok(Some(joined)),
                false => Err(format!(
                    "a chunk of the body ends after {} of {length} bytes",
                    after.len()
                )),
            };
        }
        let (chunk, after) = after.split_at(length);
        joined.extend_from_slice(chunk);
        rest = after.strip_prefix(b"\r").unwrap_or(after);
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
}

/// The length of the chunk that `bytes` start with, and what follows its line.
fn chunk_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    const LONGEST: usize = 1000;
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(LONGEST)])?;
    let line = str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    Some((usize::from_str_radix(digits, 16).ok()?, &bytes[end + 1..]))
}

/// What a compressed body expands to; none if it is not compressed.
fn expand(body: &[u8], encoding: &str, limits: Limits) -> Result<Option<Vec<u8>>, String> {
    let reader: Box<dyn Read + '_> = match encoding.to_ascii_lowercase().as_str() {
        "gzip" | "x-gzip" if body.starts_with(&[0x1f, 0x8b]) => {
            Box::new(flate2::read::GzDecoder::new(body))
        }
        // Both are sent by that name.
        "deflate" if is_zlib(body) => Box::new(flate2::read::ZlibDecoder::new(body)),
        "deflate" => Box::new(flate2::read::DeflateDecoder::new(body)),
        "br" => Box::new(brotli_decompressor::Decompressor::new(body, BROTLI_BUFFER)),
        "zstd" if body.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => {
            let decoder = zstd::stream::read::Decoder::with_buffer(body);
            Box::new(decoder.map_err(|error| error.to_string())?)
        }
        _ => return Ok(None),
    };
    let mut plain = Vec::new();
    let result = reader.take(limits.most + 1).read_to_end(&mut plain);
    if plain.len() as u64 > limits.most {
        return Err(crate::read::records::too_large(limits.most));
    }
    match result {
        Ok(_) => Ok(Some(plain)),
        Err(_) if limits.truncated && !plain.is_empty() => Ok(Some(plain)),
        Err(_) if looks_plain(body) => Ok(None),
        Err(error) => Err(format!(
            "the body cannot be decompressed as {encoding} ({error})"
        )),
    }
}

const BROTLI_BUFFER: usize = 16 << 10;

fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [method, flags, ..]
        if method & 0x0f == 8 && (u16::from(*method) << 8 | u16::from(*flags)) % 31 == 0)
}

/// Whether a body is markup or other text already.
fn looks_plain(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<") || str::from_utf8(body).is_ok()
}

#[cfg(test)]
mod tests;
