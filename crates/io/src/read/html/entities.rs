//! Character references of HTML, named and numeric.

use std::sync::LazyLock;

use memchr::memchr;

use crate::read::xml;

/// One or two characters.
pub(crate) type Characters = [Option<char>; 2];

/// Every name of the HTML standard with its characters, in the order of the names. Those that are read without a
/// semicolon, too, stand there twice.
static NAMES: LazyLock<Vec<(&str, Characters)>> = LazyLock::new(|| {
    let characters = |codes: &str| {
        let mut codes = codes
            .split(' ')
            .map(|code| u32::from_str_radix(code, 16).ok().and_then(char::from_u32));
        [codes.next().flatten(), codes.next().flatten()]
    };
    include_str!("entities.txt")
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, codes)| (name, characters(codes)))
        .collect()
});

/// The longest name, with its semicolon.
const LONGEST: usize = 32;
/// The longest name without a semicolon.
const LONGEST_OPEN: usize = 6;

/// What numbers from 0x80 on mean: on the web they are Windows-1252.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The characters of the reference that `text` starts with, and its length.
pub(crate) fn reference(text: &str) -> Option<(Characters, usize)> {
    if text.starts_with("&#") {
        let (number, len) = xml::numeric(text)?;
        let closed = text.as_bytes().get(len) == Some(&b';');
        return Some(([Some(numbered(number)), None], len + usize::from(closed)));
    }
    let name = text.get(1..)?;
    let len = name
        .bytes()
        .take(LONGEST)
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    if name.as_bytes().get(len) == Some(&b';')
        && let Some(characters) = named(&name[..=len])
    {
        return Some((characters, len + 2));
    }
    (2..=len.min(LONGEST_OPEN))
        .rev()
        .find_map(|len| Some((named(&name[..len])?, len + 1)))
}

/// Appends `text` with characters for its references.
pub(crate) fn unescape(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some((characters, len)) = reference(rest) else {
            out.push('&');
            rest = &rest[1..];
            continue;
        };
        out.extend(characters.into_iter().flatten());
        rest = &rest[len..];
    }
    out.push_str(rest);
}

fn named(name: &str) -> Option<Characters> {
    let at = NAMES.binary_search_by_key(&name, |(name, _)| name).ok()?;
    Some(NAMES[at].1)
}

fn numbered(number: u32) -> char {
    match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9f => WINDOWS[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<(String, usize)> {
        let (characters, len) = reference(text)?;
        Some((characters.into_iter().flatten().collect(), len))
    }

    #[test]
    fn the_table_is_sorted_and_complete() {
        assert_eq!(NAMES.len(), 2231);
        assert!(NAMES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(NAMES.iter().all(|(_, characters)| characters[0].is_some()));
        let longest = |open: bool| {
            let names = NAMES.iter().map(|(name, _)| name);
            names
                .filter(|name| name.ends_with(';') != open)
                .map(|name| name.len())
                .max()
        };
        assert_eq!(longest(false), Some(LONGEST));
        assert_eq!(longest(true), Some(LONGEST_OPEN));
    }

    #[test]
    fn names_and_numbers_are_decoded() {
        let cases = [
            ("&amp;lt;", "&", 5),
            ("&AMP x", "&", 4),
            ("&notit;", "¬", 4),
            ("&notin;", "∉", 7),
            ("&nbsp;", "\u{a0}", 6),
            ("&NotEqualTilde;", "≂\u{338}", 15),
            ("&CounterClockwiseContourIntegral;", "∳", 33),
            ("&#233;", "é", 6),
            ("&#x4E00;", "一", 8),
            ("&#x1F600 ", "😀", 8),
            ("&#150;", "–", 6),
            ("&#0;", "\u{fffd}", 4),
            ("&#xD800;", "\u{fffd}", 8),
            ("&#99999999999999;", "\u{fffd}", 17),
        ];
        for (text, expected, len) in cases {
            assert_eq!(decoded(text), Some((expected.to_owned(), len)), "{text}");
        }
        for text in [
            "&", "& ", "&;", "&#;", "&#x;", "&é;", "&nosuch;", "&a", "&alpha",
        ] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
