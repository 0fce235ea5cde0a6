//! What cannot be seen. Where it is goes out, except what makes an emoji.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Edits;
use crate::class::{Class, ZERO_WIDTH_JOINER, ZERO_WIDTH_SPACE, is_ignorable};
use crate::options::Unicode;

static ZERO_WIDTH_SPACES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\u{200B}"));

pub(super) fn find(text: &str, unicode: Unicode, edits: &mut Edits) {
    if unicode != Unicode::AsIs {
        // The rest is removed when a text is normalised.
        for at in ZERO_WIDTH_SPACES.find_iter(text.as_bytes()) {
            edits.delete(at..at + ZERO_WIDTH_SPACE.len_utf8());
        }
        return;
    }
    let mut in_emoji = false;
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
        let range = at..at + c.len_utf8();
        if c == ZERO_WIDTH_SPACE || (is_ignorable(c) && !(in_emoji && makes_emoji(c))) {
            edits.delete(range);
        } else {
            let class = Class::of(c);
            in_emoji = class.is_pictograph() || (in_emoji && class.extends());
        }
    }
}

/// The joiner, the emoji style and the tags that make a flag.
fn makes_emoji(c: char) -> bool {
    matches!(
        c,
        ZERO_WIDTH_JOINER | '\u{FE0F}' | '\u{E0020}'..='\u{E007F}'
    )
}
