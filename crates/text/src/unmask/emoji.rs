//! Emoji. Where they are goes out; nothing if a text has no letters or numbers besides.

use super::Edits;
use crate::chars::CharTable;
use crate::class::{Break, Class};

pub(super) fn find(text: &str, table: &CharTable, edits: &mut Edits) {
    let mut chars = text.char_indices().peekable();
    let mut has_letters = false;
    while let Some((begin, c)) = chars.next() {
        let class = table.class(c);
        if !is_emoji(class) {
            has_letters |= class.is_content();
            continue;
        }
        let mut end = begin + c.len_utf8();
        while let Some((at, c)) = chars.next_if(|&(_, c)| goes_on(table.class(c))) {
            end = at + c.len_utf8();
        }
        edits.replace(begin..end, " ");
    }
    if !has_letters {
        edits.clear();
    }
}

fn is_emoji(class: Class) -> bool {
    class.is_pictograph() || class.breaks == Break::RegionalIndicator
}

/// Another emoji, or what belongs to one.
fn goes_on(class: Class) -> bool {
    is_emoji(class) || class.extends() || class.is_invisible()
}
