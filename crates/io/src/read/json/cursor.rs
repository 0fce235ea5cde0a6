//! Walking through the syntax of one JSON object.

use super::string::{Quoted, Unescaped};

/// What is wrong with a line, and at which byte of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) what: &'static str,
    pub(crate) at: usize,
}

/// A value found in a line.
#[derive(Clone, Copy)]
pub(super) enum Raw {
    Missing,
    Null,
    Bool(bool),
    Array,
    Object,
    /// Bytes `start..end` of the line.
    Number(usize, usize),
    Text(Quoted),
}

/// A position in a line.
pub(super) struct Cursor<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) open: &'a mut Vec<u8>,
}

impl Cursor<'_> {
    pub(super) fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { what, at: self.at })
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    /// Reads an object with nothing after it. `field` is told each key and must read the value.
    pub(super) fn object(
        &mut self,
        strings: &mut Unescaped,
        field: &mut dyn FnMut(Quoted, &mut Self, &mut Unescaped) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.skip_space();
        match self.peek() {
            Some(b'{') => {}
            Some(b'[') => {
                return self
                    .fault("an array, not an object (`jq -c '.[]'` makes JSON Lines of it)");
            }
            _ => return self.fault("not a JSON object"),
        }
        self.members(strings, field)?;
        self.skip_space();
        if self.at < self.bytes.len() {
            self.fault("something after the object")
        } else {
            Ok(())
        }
    }

    /// Reads an object, which begins here, the same way; anything may come after it.
    pub(super) fn members(
        &mut self,
        strings: &mut Unescaped,
        field: &mut dyn FnMut(Quoted, &mut Self, &mut Unescaped) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.at += 1;
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
        Ok(())
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
    pub(super) fn wanted_value(&mut self, strings: &mut Unescaped) -> Result<Raw, Fault> {
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
    pub(super) fn skip_value(&mut self) -> Result<(), Fault> {
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
}
