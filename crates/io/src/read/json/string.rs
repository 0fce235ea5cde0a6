//! Strings within a JSON line: finding their end 32 bytes at a time, and unescaping the wanted ones.

use wide::u8x16;

use super::cursor::{Cursor, Fault};

/// Where a string lies.
#[derive(Clone, Copy)]
pub(super) enum Quoted {
    /// As it is, in these bytes of the line.
    InLine(usize, usize),
    /// Unescaped, in these bytes of the buffer.
    InBuffer(usize, usize),
}

/// Unescaped strings, one after the other. Zeroed once, not for every line.
#[derive(Default)]
pub(super) struct Unescaped {
    pub(super) bytes: Vec<u8>,
    used: usize,
}

impl Unescaped {
    /// Makes room for all the strings of a line.
    pub(super) fn restart(&mut self, line: &str) {
        self.used = 0;
        let most = line.len() + CHUNK;
        if self.bytes.len() < most {
            self.bytes.resize(most, 0);
        }
    }
}

impl Quoted {
    pub(super) fn bytes<'a>(self, line: &'a str, strings: &'a Unescaped) -> &'a [u8] {
        match self {
            Quoted::InLine(start, end) => &line.as_bytes()[start..end],
            Quoted::InBuffer(start, end) => &strings.bytes[start..end],
        }
    }
}

/// How many bytes are looked at together: two vectors of the smallest kind that every machine has.
const CHUNK: usize = 32;

/// One bit for each byte that a string cannot simply hold: quotes, backslashes, control characters.
fn specials(chunk: &[u8; CHUNK]) -> u32 {
    let (halves, _) = chunk.as_chunks();
    half_specials(halves[0]) | half_specials(halves[1]) << 16
}

fn half_specials(half: [u8; 16]) -> u32 {
    let half = u8x16::from(half);
    let control = half.min(u8x16::splat(0x1f)).simd_eq(half);
    let quote = half.simd_eq(u8x16::splat(b'"'));
    let backslash = half.simd_eq(u8x16::splat(b'\\'));
    (control | quote | backslash).to_bitmask()
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The character of `\uXXXX` or `\uXXXX\uXXXX`, and how many bytes that takes.
fn unicode_escape(escape: &[u8]) -> Option<(char, usize)> {
    let first = hexadecimal(escape.get(2..6)?)?;
    if !(0xd800..0xdc00).contains(&first) {
        return Some((char::from_u32(first)?, 6));
    }
    if escape.get(6..8)? != b"\\u" {
        return None;
    }
    let second = hexadecimal(escape.get(8..12)?)?;
    if !(0xdc00..0xe000).contains(&second) {
        return None;
    }
    let character = char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00))?;
    Some((character, 12))
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| {
        Some(value << 4 | char::from(digit).to_digit(16)?)
    })
}

impl Cursor<'_> {
    /// Passes over a string, checking its escapes but not that surrogates come in pairs.
    pub(super) fn skip_string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            self.find_special();
            match self.peek() {
                Some(b'"') => break self.at += 1,
                Some(b'\\') => self.at += self.escape_len()?,
                Some(_) => return self.fault("a control character in a string"),
                None => return self.fault("the object ends within a string"),
            }
        }
        Ok(())
    }

    /// Goes to the next byte that a string cannot simply hold.
    fn find_special(&mut self) {
        let (chunks, rest) = self.bytes[self.at..].as_chunks();
        for chunk in chunks {
            let mask = specials(chunk);
            if mask != 0 {
                self.at += mask.trailing_zeros() as usize;
                return;
            }
            self.at += CHUNK;
        }
        self.at += rest.iter().take_while(|byte| !is_special(**byte)).count();
    }

    /// The length of the escape here, if it is one.
    fn escape_len(&self) -> Result<usize, Fault> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
            Some(b'u') => {
                let digits = self.bytes.get(self.at + 2..self.at + 6);
                if digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
                    Ok(6)
                } else {
                    self.fault("\\u without four hexadecimal digits")
                }
            }
            _ => self.fault("an unknown escape"),
        }
    }

    /// Reads a string; if it has escapes, into the buffer.
    pub(super) fn string(&mut self, strings: &mut Unescaped) -> Result<Quoted, Fault> {
        let start = self.at + 1;
        self.at = start;
        self.find_special();
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Quoted::InLine(start, self.at - 1));
        }
        let buffer_start = strings.used;
        let mut used = buffer_start + (self.at - start);
        strings.bytes[buffer_start..used].copy_from_slice(&self.bytes[start..self.at]);
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => {
                    let character = self.unescape()?;
                    used += character.encode_utf8(&mut strings.bytes[used..]).len();
                }
                Some(_) => return self.fault("a control character in a string"),
                None => return self.fault("the object ends within a string"),
            }
            used += self.copy_to_special(&mut strings.bytes[used..]);
        }
        self.at += 1;
        strings.used = used;
        Ok(Quoted::InBuffer(buffer_start, used))
    }

    /// As `find_special`, copying what lies between; how much that is. A whole chunk is copied even where less counts.
    fn copy_to_special(&mut self, out: &mut [u8]) -> usize {
        let start = self.at;
        let (chunks, rest) = self.bytes[start..].as_chunks();
        for (chunk, copy) in chunks.iter().zip(out.as_chunks_mut().0) {
            *copy = *chunk;
            let mask = specials(chunk);
            if mask != 0 {
                self.at += mask.trailing_zeros() as usize;
                return self.at - start;
            }
            self.at += CHUNK;
        }
        let copied = self.at - start;
        let plain = rest.iter().take_while(|byte| !is_special(**byte)).count();
        out[copied..copied + plain].copy_from_slice(&rest[..plain]);
        self.at += plain;
        copied + plain
    }

    /// The character of the escape here, which is passed over.
    fn unescape(&mut self) -> Result<char, Fault> {
        let len = self.escape_len()?;
        let (character, len) = match self.bytes[self.at + 1] {
            b'n' => ('\n', len),
            b't' => ('\t', len),
            b'r' => ('\r', len),
            b'b' => ('\u{8}', len),
            b'f' => ('\u{c}', len),
            b'u' => match unicode_escape(&self.bytes[self.at..]) {
                Some(found) => found,
                None => return self.fault("half of a surrogate pair"),
            },
            other => (char::from(other), len),
        };
        self.at += len;
        Ok(character)
    }
}
