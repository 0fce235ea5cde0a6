//! How the body of a mail was made fit to send, undone. In come the bytes of a part as they stand in the mail, out come those that
//! were meant, where the rules of the encoding were broken: a part that keeps them is decoded by the parser.
//!
//! Mail breaks them in a few ways: a mailing list adds a footer in plain text to base64, and a program says that text is
//! quoted-printable and leaves its equals signs as they are.

use mail_parser::decoders::base64::base64_decode;

/// What quoted-printable stands for. An equals sign that begins neither a byte nor the end of a line stands for itself. None
/// where there is no such sign.
pub(super) fn flawed_quoted_printable(raw: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(raw.len());
    let mut is_flawed = false;
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_end();
        let (text, is_joined) = match text.strip_suffix(b"=") {
            // Of two at the end of a line one is meant.
            Some(before) => (before, true),
            None => (text, false),
        };
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'=', rest) {
            out.extend_from_slice(&rest[..at]);
            let coded = rest.get(at + 1..at + 3).and_then(byte);
            is_flawed |= coded.is_none();
            out.push(coded.unwrap_or(b'='));
            rest = &rest[at + if coded.is_some() { 3 } else { 1 }..];
        }
        out.extend_from_slice(rest);
        if !is_joined && line.ends_with(b"\n") {
            out.push(b'\n');
        }
    }
    is_flawed.then_some(out)
}

/// Two hexadecimal digits.
fn byte(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    Some((digit(0)? << 4 | digit(1)?) as u8)
}

/// What base64 stands for, with what follows it as it is: from the first line on that is none. None where there is no such line,
/// or nothing before it.
pub(super) fn flawed_base64(raw: &[u8]) -> Option<Vec<u8>> {
    let (mut end, mut is_padded) = (0, false);
    for line in raw.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        if text.is_empty() {
            end += line.len();
            continue;
        }
        let is_code = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        let coded = text.iter().take_while(|byte| is_code(byte)).count();
        let padding = memchr::memchr(b'=', &text[..coded]);
        if padding.is_some() && coded < text.len() {
            // The end, and something behind it.
            let begin = line.len() - line.trim_ascii_start().len();
            end += begin + coded;
            break;
        }
        if is_padded || coded < text.len() {
            break;
        }
        is_padded = padding.is_some();
        end += line.len();
    }
    let (coded, after) = raw.split_at(end);
    if coded.trim_ascii().is_empty() || after.trim_ascii().is_empty() {
        return None;
    }
    let mut out = base64_decode(coded)?;
    out.push(b'\n');
    out.extend_from_slice(after);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_signs_that_mean_nothing_stand_for_themselves() {
        for (given, meant) in [
            ("a==\n3D5", "a=3D5"),
            ("id=9\nend", "id=9\nend"),
            ("size=4\r\nbananas", "size=4\nbananas"),
            ("?c=8\n\nPAR=\nQUE", "?c=8\n\nPARQUE"),
            ("100 = hundred, caf=C3=A9=", "100 = hundred, café"),
            ("=", ""),
        ] {
            let read = flawed_quoted_printable(given.as_bytes());
            let read = read.map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(read.as_deref().unwrap_or(""), meant, "{given}");
        }
        for kept in ["caf=C3=A9", "one =\r\nline", "no sign", "end=", ""] {
            assert_eq!(flawed_quoted_printable(kept.as_bytes()), None, "{kept}");
        }
    }

    #[test]
    fn a_footer_after_base64_stays() {
        for (given, meant) in [
            (
                "aGVsbG8gd29ybGQ=\n\n____\nlist\n",
                "hello world\n____\nlist\n",
            ),
            ("aGVsbG8g\nd29ybGQh\n-- \nlist", "hello world!\n-- \nlist"),
            ("aGVsbG8gd29ybGQ=!!\nlist", "hello world\n!!\nlist"),
            // What follows the end of the code is no code, even if it could be.
            ("aGVsbG8gd29ybGQ=\nlist\n", "hello world\nlist\n"),
        ] {
            let read =
                flawed_base64(given.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap());
            assert_eq!(read.as_deref(), Some(meant), "{given}");
        }
        for kept in ["aGVsbG8gd29ybGQ=\r\n", "aGVs\nbG8=", "", "no code at all"] {
            assert_eq!(flawed_base64(kept.as_bytes()), None, "{kept}");
        }
    }
}
