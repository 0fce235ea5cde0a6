//! Traditional Chinese characters. Where they are goes out, each with the simplified one that stands for it.

use std::sync::LazyLock;

use super::Edits;

/// Traditional characters on the first line, the simplified ones in the same order on the second: the pairs of the
/// official list as OpenCC has them, as far as they are in Big5 and GB 2312.
static SIMPLIFIED: &str = include_str!("simplified.txt");

const FIRST: char = '\u{4E00}';
const LAST: char = '\u{9FFF}';

/// For each character of the block, the simplified one; 0 where it is one itself.
static TABLE: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut table = vec![0; LAST as usize - FIRST as usize + 1];
    let (from, to) = SIMPLIFIED.trim().split_once('\n').unwrap_or_default();
    for (from, to) in from.chars().zip(to.chars()) {
        let place = (from as usize).wrapping_sub(FIRST as usize);
        if let (Some(place), Ok(to)) = (table.get_mut(place), u16::try_from(to as u32)) {
            *place = to;
        }
    }
    table
});

/// The simplified form of a traditional character; any other is itself.
#[must_use]
pub fn simplified(c: char) -> char {
    let place = (c as usize).wrapping_sub(FIRST as usize);
    match TABLE.get(place) {
        Some(&to) if to != 0 => char::from_u32(u32::from(to)).unwrap_or(c),
        _ => c,
    }
}

pub(super) fn find(text: &str, edits: &mut Edits) {
    let mut bytes = [0; 4];
    // The characters of the block begin with one of six bytes.
    let begins = |(_, byte): &(usize, u8)| matches!(byte, 0xE4..=0xE9);
    for (at, _) in text.bytes().enumerate().filter(begins) {
        if let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
            let to = simplified(c);
            if to != c {
                edits.replace(at..at + c.len_utf8(), to.encode_utf8(&mut bytes));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traditional_characters_have_their_simplified_form() {
        assert_eq!(SIMPLIFIED.lines().count(), 2);
        let lengths: Vec<usize> = SIMPLIFIED
            .lines()
            .map(|line| line.chars().count())
            .collect();
        assert_eq!(lengths[0], lengths[1]);
        let of = |text: &str| -> String { text.chars().map(simplified).collect() };
        assert_eq!(
            of("桐嶺大橋於1932年建成通車 é"),
            "桐岭大桥于1932年建成通车 é"
        );
        // What is simplified stays.
        assert_eq!(of(&of("當時全省最長")), "当时全省最长");
    }
}
