//! Header fields, as WARC and HTTP have them: `Name: value`, a line each, up to an empty line.

use memchr::{memchr, memchr_iter};

/// The lines of a header.
#[derive(Clone, Copy)]
pub(super) struct Header<'a> {
    lines: &'a [u8],
}

impl<'a> Header<'a> {
    pub(super) fn new(lines: &'a [u8]) -> Self {
        Header { lines }
    }

    /// The value of the first field of that name that can be read as text. Of a value that goes on in the next line, the
    /// first line.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let fields = self.lines.split(|&byte| byte == b'\n');
        fields
            .filter_map(|line| {
                let (found, value) = line.split_at(memchr(b':', line)?);
                let is_it = found.trim_ascii().eq_ignore_ascii_case(name.as_bytes());
                is_it.then_some(&value[1..])
            })
            .find_map(|value| str::from_utf8(value).ok())
            .map(str::trim)
    }
}

/// The length of the header that `bytes` start with, with its empty line.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|at| match &bytes[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name() {
        let bytes = b"WARC/1.0\r\nwarc-type: response\r\nX: 1\nWARC-Target-URI : http://a.example/?a:b \r\n\r\nY: 2";
        let len = length(bytes).unwrap();
        assert!(bytes[len..].starts_with(b"Y: 2"));
        let header = Header::new(&bytes[..len]);
        assert_eq!(header.get("WARC-Type"), Some("response"));
        assert_eq!(header.get("WARC-Target-URI"), Some("http://a.example/?a:b"));
        assert_eq!(header.get("x"), Some("1"));
        assert_eq!(header.get("Y"), None);
        assert_eq!(length(b"a: b\n\nc"), Some(6));
        assert_eq!(length(b"a: b\r\nc: d\r\n"), None);
    }
}
