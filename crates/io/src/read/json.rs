//! The wanted fields of one JSON object, found without building anything.
//!
//! In goes a line, out come the wanted values. The whole line is checked to be valid JSON, as a truncated record must
//! not pass for a short one, but only strings that are wanted are unescaped, in the pass that finds their end. Strings
//! are looked through 16 bytes at a time, which pays where escapes are frequent (`benches/jsonl.rs`).

use wide::u8x16;

use crate::record::{Field, Value};

/// What is wrong with a line, and at which byte of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) what: &'static str,
    pub(crate) at: usize,
}

/// A value found in a line.
#[derive(Clone, Copy)]
enum Raw {
    Missing,
    Null,
    Bool(bool),
    Array,
    Object,
    /// Bytes `start..end` of the line.
    Number(usize, usize),
    Text(Quoted),
}

/// Where a string lies.
#[derive(Clone, Copy)]
enum Quoted {
    /// As it is, in these bytes of the line.
    InLine(usize, usize),
    /// Unescaped, in these bytes of the buffer.
    InBuffer(usize, usize),
}

/// Buffers for reading objects, reused from line to line.
#[derive(Default)]
pub(crate) struct Scratch {
    found: Vec<Raw>,
    strings: Unescaped,
    /// The brackets that are open, for nested values.
    open: Vec<u8>,
}

/// Unescaped strings, one after the other. Zeroed once, not for every line.
#[derive(Default)]
struct Unescaped {
    bytes: Vec<u8>,
    used: usize,
}

impl Unescaped {
    /// Makes room for all the strings of a line.
    fn restart(&mut self, line: &str) {
        self.used = 0;
        let most = line.len() + LANES;
        if self.bytes.len() < most {
            self.bytes.resize(most, 0);
        }
    }
}

impl Scratch {
    /// Finds the wanted fields of the object in `line`. Of fields with one name the last counts.
    pub(crate) fn read<'a>(
        &'a mut self,
        line: &'a str,
        fields: &[Field],
    ) -> Result<Vec<Value<'a>>, Fault> {
        self.found.clear();
        self.found.resize(fields.len(), Raw::Missing);
        self.strings.restart(line);
        let mut cursor = Cursor {
            bytes: line.as_bytes(),
            at: 0,
            open: &mut self.open,
        };
        let (found, strings) = (&mut self.found, &mut self.strings);
        cursor.object(strings, |key, cursor, strings| {
            match fields
                .iter()
                .position(|field| field.name.as_bytes() == key.bytes(line, strings))
            {
                Some(wanted) => found[wanted] = cursor.wanted_value(strings)?,
                None => cursor.skip_value()?,
            }
            Ok(())
        })?;
        let Scratch { found, strings, .. } = self;
        found.iter().map(|raw| raw.value(line, strings)).collect()
    }
}

/// The names of an object's fields, for messages.
pub(crate) fn field_names(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut open, mut strings) = (Vec::new(), Unescaped::default());
    strings.restart(line);
    let mut cursor = Cursor {
        bytes: line.as_bytes(),
        at: 0,
        open: &mut open,
    };
    // A fault would have been found before anyone asks for the names.
    let _ = cursor.object(&mut strings, |key, cursor, strings| {
        names.push(String::from_utf8_lossy(key.bytes(line, strings)).into_owned());
        cursor.skip_value()
    });
    names
}

impl Raw {
    fn value<'a>(self, line: &'a str, strings: &'a Unescaped) -> Result<Value<'a>, Fault> {
        Ok(match self {
            Raw::Missing => Value::Missing,
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Array => Value::Other("an array"),
            Raw::Object => Value::Other("an object"),
            Raw::Number(start, end) => Value::Number(&line[start..end]),
            Raw::Text(Quoted::InLine(start, end)) => Value::Text(&line[start..end]),
            Raw::Text(Quoted::InBuffer(start, end)) => {
                let text = simdutf8::basic::from_utf8(&strings.bytes[start..end]);
                Value::Text(text.map_err(|_| Fault {
                    what: "a string that is not UTF-8",
                    at: 0,
                })?)
            }
        })
    }
}

impl Quoted {
    fn bytes<'a>(self, line: &'a str, strings: &'a Unescaped) -> &'a [u8] {
        match self {
            Quoted::InLine(start, end) => &line.as_bytes()[start..end],
            Quoted::InBuffer(start, end) => &strings.bytes[start..end],
        }
    }
}

const LANES: usize = 16;

/// One bit for each byte that a string cannot simply hold: quotes, backslashes, control characters.
fn specials(chunk: &[u8; LANES]) -> u32 {
    let chunk = u8x16::from(*chunk);
    let control = chunk.min(u8x16::splat(0x1f)).simd_eq(chunk);
    let quote = chunk.simd_eq(u8x16::splat(b'"'));
    let backslash = chunk.simd_eq(u8x16::splat(b'\\'));
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

/// A position in a line.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    open: &'a mut Vec<u8>,
}

impl Cursor<'_> {
    fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { what, at: self.at })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// Reads an object with nothing after it. `field` is told each key and must read the value.
    fn object(
        &mut self,
        strings: &mut Unescaped,
        mut field: impl FnMut(Quoted, &mut Self, &mut Unescaped) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => self.at += 1,
            Some(b'[') => {
                return self
                    .fault("an array, not an object (`jq -c '.[]'` makes JSON Lines of it)");
            }
            _ => return self.fault("not a JSON object"),
        }
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
        } else {
            loop {
                let key = self.key(|cursor| cursor.string(strings))?;
                field(key, self, strings)?;
                self.skip_space();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break self.at += 1,
                    None => return self.fault("the object ends early"),
                    Some(_) => return self.fault("expected , or }"),
                }
            }
        }
        self.skip_space();
        if self.at < self.bytes.len() {
            self.fault("something after the object")
        } else {
            Ok(())
        }
    }

    /// Reads `"key" :` and the space around it; `string` reads the key.
    fn key<T>(&mut self, string: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        self.skip_space();
        let key = match self.peek() {
            Some(b'"') => string(self)?,
            None => return self.fault("the object ends early"),
            Some(_) => return self.fault("expected a key in quotes"),
        };
        self.skip_space();
        match self.peek() {
            Some(b':') => self.at += 1,
            None => return self.fault("the object ends early"),
            Some(_) => return self.fault("expected :"),
        }
        self.skip_space();
        Ok(key)
    }

    /// Reads a value, unescaping it if it is a string.
    fn wanted_value(&mut self, strings: &mut Unescaped) -> Result<Raw, Fault> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => return self.string(strings).map(Raw::Text),
            Some(b'{' | b'[') => self.skip_nested()?,
            _ => self.skip_scalar()?,
        }
        Ok(match self.bytes[start] {
            b'{' => Raw::Object,
            b'[' => Raw::Array,
            b't' => Raw::Bool(true),
            b'f' => Raw::Bool(false),
            b'n' => Raw::Null,
            _ => Raw::Number(start, self.at),
        })
    }

    /// Passes over any value.
    fn skip_value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'{' | b'[') => self.skip_nested(),
            _ => self.skip_scalar(),
        }
    }

    fn skip_scalar(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            Some(b't') => self.skip_word(b"true"),
            Some(b'f') => self.skip_word(b"false"),
            Some(b'n') => self.skip_word(b"null"),
            None => self.fault("the object ends early"),
            Some(_) => self.fault("expected a value"),
        }
    }

    fn skip_word(&mut self, word: &[u8]) -> Result<(), Fault> {
        if self.bytes[self.at..].starts_with(word) {
            self.at += word.len();
            Ok(())
        } else {
            self.fault("expected a value")
        }
    }

    /// Passes over an array or object. Not recursive, so that no depth of brackets can overflow the stack.
    fn skip_nested(&mut self) -> Result<(), Fault> {
        self.open.clear();
        loop {
            // Before a value.
            self.skip_space();
            match self.peek() {
                Some(b'[') => {
                    self.at += 1;
                    self.open.push(b']');
                    self.skip_space();
                    if self.peek() != Some(b']') {
                        continue;
                    }
                }
                Some(b'{') => {
                    self.at += 1;
                    self.open.push(b'}');
                    self.skip_space();
                    if self.peek() != Some(b'}') {
                        self.key(Self::skip_string)?;
                        continue;
                    }
                }
                _ => self.skip_scalar()?,
            }
            // After a value: close what ends here.
            loop {
                self.skip_space();
                let Some(&close) = self.open.last() else {
                    return Ok(());
                };
                match self.peek() {
                    Some(byte) if byte == close => {
                        self.at += 1;
                        self.open.pop();
                        if self.open.is_empty() {
                            return Ok(());
                        }
                    }
                    Some(b',') => {
                        self.at += 1;
                        if close == b'}' {
                            self.key(Self::skip_string)?;
                        }
                        break;
                    }
                    None => return self.fault("the object ends early"),
                    Some(_) => return self.fault("expected , or a closing bracket"),
                }
            }
        }
    }

    fn skip_number(&mut self) -> Result<(), Fault> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let leading_zero = self.peek() == Some(b'0');
        let digits = self.digits()?;
        if leading_zero && digits > 1 {
            return self.fault("a number with a leading zero");
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Passes over at least one digit.
    fn digits(&mut self) -> Result<usize, Fault> {
        let count = self.bytes[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.at += count;
        if count == 0 {
            self.fault("a number without digits")
        } else {
            Ok(count)
        }
    }

    /// Passes over a string, checking its escapes but not that surrogates come in pairs.
    fn skip_string(&mut self) -> Result<(), Fault> {
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
        while let Some(chunk) = self.bytes[self.at..].first_chunk() {
            let mask = specials(chunk);
            if mask != 0 {
                self.at += mask.trailing_zeros() as usize;
                return;
            }
            self.at += LANES;
        }
        while self.peek().is_some_and(|byte| !is_special(byte)) {
            self.at += 1;
        }
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
    fn string(&mut self, strings: &mut Unescaped) -> Result<Quoted, Fault> {
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
                Some(b'\\') => used += self.unescape(&mut strings.bytes[used..])?,
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
        while let Some(chunk) = self.bytes[self.at..].first_chunk() {
            let copied = self.at - start;
            out[copied..copied + LANES].copy_from_slice(chunk);
            let mask = specials(chunk);
            if mask != 0 {
                self.at += mask.trailing_zeros() as usize;
                return self.at - start;
            }
            self.at += LANES;
        }
        while let Some(byte) = self.peek().filter(|byte| !is_special(*byte)) {
            out[self.at - start] = byte;
            self.at += 1;
        }
        self.at - start
    }

    /// Writes the character of the escape here and passes over it; the number of bytes written.
    fn unescape(&mut self, out: &mut [u8]) -> Result<usize, Fault> {
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
        Ok(character.encode_utf8(out).len())
    }
}

#[cfg(test)]
mod tests;
