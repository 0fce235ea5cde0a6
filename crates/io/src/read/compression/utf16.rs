//! UTF-16 as UTF-8, for streams that begin with a byte order mark of it.

/// A stream being decoded.
#[derive(Default)]
pub(super) struct Utf16 {
    encoding: Encoding,
    /// Bytes read and not yet decoded: half a character at most, once the encoding is known.
    raw: Vec<u8>,
    /// Decoded, or as read; given out from `given` on.
    ready: Vec<u8>,
    given: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Encoding {
    #[default]
    Unknown,
    Other,
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// Takes more bytes of the stream; none at its end.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        self.raw.extend_from_slice(bytes);
        if self.encoding == Encoding::Unknown && (self.raw.len() > 1 || bytes.is_empty()) {
            self.encoding = match self.raw.as_slice() {
                [0xff, 0xfe, ..] => Encoding::LittleEndian,
                [0xfe, 0xff, ..] => Encoding::BigEndian,
                _ => Encoding::Other,
            };
            if self.encoding != Encoding::Other {
                self.raw.drain(..2);
            }
        }
        match self.encoding {
            Encoding::Unknown => {}
            Encoding::Other => self.ready.append(&mut self.raw),
            Encoding::LittleEndian => self.decode(u16::from_le_bytes, bytes.is_empty()),
            Encoding::BigEndian => self.decode(u16::from_be_bytes, bytes.is_empty()),
        }
    }

    fn decode(&mut self, unit: fn([u8; 2]) -> u16, at_end: bool) {
        let mut whole = self.raw.len() / 2 * 2;
        let last = self.raw[..whole].last_chunk().map(|&bytes| unit(bytes));
        // The other half of the character is still to come.
        if !at_end && last.is_some_and(|last| (0xd800..0xdc00).contains(&last)) {
            whole -= 2;
        }
        let units = self.raw[..whole]
            .chunks_exact(2)
            .map(|pair| unit([pair[0], pair[1]]));
        for c in char::decode_utf16(units) {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            self.ready
                .extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.raw.drain(..whole);
    }

    /// Gives out what is ready.
    pub(super) fn take(&mut self, out: &mut [u8]) -> usize {
        let ready = &self.ready[self.given..];
        let count = ready.len().min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.given += count;
        if self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_are_decoded_in_parts_of_any_size() {
        let text = "a é 一 😀 b";
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let cases = [
            [&[0xff, 0xfe], &little[..]].concat(),
            [&[0xfe, 0xff], &big[..]].concat(),
            text.as_bytes().to_vec(),
        ];
        for bytes in cases {
            for size in 1..=bytes.len() {
                let mut utf16 = Utf16::default();
                let mut out = Vec::new();
                for part in bytes.chunks(size).chain([&[][..]]) {
                    utf16.put(part);
                    let mut buffer = [0; 100];
                    let count = utf16.take(&mut buffer);
                    out.extend_from_slice(&buffer[..count]);
                }
                assert_eq!(String::from_utf8(out).unwrap(), text, "parts of {size}");
            }
        }
    }
}
