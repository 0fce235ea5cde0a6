//! In which encoding a page is. In go its bytes and what was said of them elsewhere, out comes its text.
//!
//! As browsers do it: a byte order mark, then what the HTTP header says, then `<meta>`, then an XML declaration, then a
//! guess by the bytes themselves. Beyond that, a page that claims to be UTF-8 and is mostly not is guessed, too. Bytes
//! that are no text in the encoding become U+FFFD.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use super::attributes;
use super::scan::{Piece, Scanner};
use super::tag::Tag;

/// Where a declaration is looked for.
const DECLARED_WITHIN: usize = 4096;
/// What is guessed from: more would not make it better.
const GUESSED_FROM: usize = 256 << 10;

/// The text of a page. `label` is the name that the HTTP header gives its encoding.
pub(crate) fn decode<'a>(bytes: &'a [u8], label: Option<&str>) -> Cow<'a, str> {
    let start = &bytes[..bytes.len().min(DECLARED_WITHIN)];
    decode_stated(bytes, label.and_then(known).or_else(|| declared(start)))
}

/// The same of plain text, which declares nothing.
pub(crate) fn decode_plain<'a>(bytes: &'a [u8], label: Option<&str>) -> Cow<'a, str> {
    decode_stated(bytes, label.and_then(known))
}

fn decode_stated<'a>(bytes: &'a [u8], stated: Option<&'static Encoding>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return with(encoding, &bytes[mark..]);
    }
    match stated {
        Some(encoding) if encoding != UTF_8 => with(encoding, bytes),
        _ => utf8_or_guessed(bytes, stated.is_some()),
    }
}

fn with<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Cow<'a, str> {
    if encoding == UTF_8
        && let Ok(text) = simdutf8::basic::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    encoding.decode_without_bom_handling(bytes).0
}

/// The encoding of that name, if text can be in it.
fn known(label: &str) -> Option<&'static Encoding> {
    Encoding::for_label(label.trim().as_bytes()).filter(|encoding| *encoding != REPLACEMENT)
}

fn utf8_or_guessed(bytes: &[u8], stated: bool) -> Cow<'_, str> {
    // ISO-2022-JP is written in ASCII.
    let escapes = !stated && memmem::find(bytes, b"\x1b$").is_some();
    if let Ok(text) = simdutf8::basic::from_utf8(bytes)
        && !escapes
    {
        return Cow::Borrowed(text);
    }
    if stated && is_mostly_utf8(bytes) {
        return with(UTF_8, bytes);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(GUESSED_FROM)], true);
    // A page that is cut short or has a stray byte is still UTF-8.
    let utf8 = if is_mostly_utf8(bytes) {
        Utf8Detection::Allow
    } else {
        Utf8Detection::Deny
    };
    let guessed = detector.guess(None, utf8);
    if utf8 == Utf8Detection::Allow && guessed == WINDOWS_1252 {
        return with(UTF_8, bytes);
    }
    with(or_western(guessed, bytes), bytes)
}

/// The guess; Windows-1252 where all that is no ASCII are signs there, of which few letters of another alphabet would be made: a
/// pound sign before a price is no Polish letter.
fn or_western(guessed: &'static Encoding, bytes: &[u8]) -> &'static Encoding {
    // Quotation marks, dashes, currencies, degrees and the like.
    let is_sign = |byte: u8| {
        byte.is_ascii()
            || matches!(byte, 0x80 | 0x82..=0x89 | 0x8B | 0x91..=0x99 | 0x9B | 0xA0..=0xBF)
    };
    match guessed.is_single_byte() && bytes.iter().all(|&byte| is_sign(byte)) {
        true => WINDOWS_1252,
        false => guessed,
    }
}

/// The name of the encoding that bytes are most likely in which are not UTF-8.
pub(crate) fn guessed_encoding(bytes: &[u8]) -> &'static str {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[..bytes.len().min(GUESSED_FROM)], true);
    detector.guess(None, Utf8Detection::Deny).name()
}

/// Whether of what is not ASCII more is UTF-8 than is not.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    valid > 2 * invalid
}

/// The encoding that the start of a page declares.
fn declared(start: &[u8]) -> Option<&'static Encoding> {
    match start {
        [b'<', 0, second, 0, ..] if second.is_ascii() => return Some(UTF_16LE),
        [0, b'<', 0, second, ..] if second.is_ascii() => return Some(UTF_16BE),
        _ => {}
    }
    // What declares an encoding is ASCII whatever the encoding.
    let (text, _, _) = WINDOWS_1252.decode(start);
    let found = of_meta(&text).or_else(|| of_xml(&text))?;
    // It was just read, so it cannot be this.
    Some(match found {
        utf16 if utf16 == UTF_16LE || utf16 == UTF_16BE => UTF_8,
        user if user == X_USER_DEFINED => WINDOWS_1252,
        other => other,
    })
}

fn of_meta(start: &str) -> Option<&'static Encoding> {
    let mut scanner = Scanner::new(start);
    while let Some(piece) = scanner.next() {
        match piece {
            Piece::Start(start) if start.tag == Tag::Meta => {
                let found = of_meta_tag(start.attributes);
                if found.is_some() {
                    return found;
                }
            }
            Piece::Start(start) => {
                if let Some(name) = start.tag.unread() {
                    scanner.skip_element(name);
                }
            }
            _ => {}
        }
    }
    None
}

fn of_meta_tag(attributes: &str) -> Option<&'static Encoding> {
    if let Some(charset) = attributes::find(attributes, "charset") {
        return known(&charset);
    }
    let equivalent = attributes::find(attributes, "http-equiv")?;
    if !equivalent.eq_ignore_ascii_case("content-type") {
        return None;
    }
    let content = attributes::find(attributes, "content")?;
    known(parameter(&content)?)
}

/// The encoding that a content type has: `text/html; charset="utf-8"`.
pub(crate) fn parameter(content_type: &str) -> Option<&str> {
    const NAME: &str = "charset";
    let found = content_type
        .as_bytes()
        .windows(NAME.len())
        .position(|name| name.eq_ignore_ascii_case(NAME.as_bytes()))?;
    let value = content_type[found + NAME.len()..].trim_start();
    let value = value.strip_prefix('=')?.trim_start();
    let value = value.trim_start_matches(['"', '\'']);
    let end = value.find(|c: char| matches!(c, '"' | '\'' | ';' | ',') || c.is_whitespace());
    Some(&value[..end.unwrap_or(value.len())])
}

fn of_xml(start: &str) -> Option<&'static Encoding> {
    let declaration = start.trim_start().strip_prefix("<?xml")?;
    let declaration = &declaration[..memmem::find(declaration.as_bytes(), b"?>")?];
    known(&attributes::find(declaration, "encoding")?)
}

#[cfg(test)]
mod tests;
