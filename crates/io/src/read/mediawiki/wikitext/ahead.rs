//! The next place of something in a text, found once and remembered: asked with growing positions, all answers together
//! cost one look at the text.

use memchr::{memchr, memmem};

/// Where a string occurs next.
pub(super) struct Ahead {
    needle: &'static [u8],
    /// The answer for every position from `from` up to it.
    from: usize,
    found: Option<usize>,
    asked: bool,
}

impl Ahead {
    pub(super) fn of(needle: &'static str) -> Ahead {
        Ahead {
            needle: needle.as_bytes(),
            from: 0,
            found: None,
            asked: false,
        }
    }

    /// The first place at or after `from`.
    pub(super) fn find(&mut self, text: &str, from: usize) -> Option<usize> {
        let known = self.asked && from >= self.from && self.found.is_none_or(|at| at >= from);
        if !known {
            let rest = text.as_bytes().get(from..).unwrap_or_default();
            let found = match *self.needle {
                [byte] => memchr(byte, rest),
                _ => memmem::find(rest, self.needle),
            };
            self.found = found.map(|at| from + at);
            self.from = from;
            self.asked = true;
        }
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_place_is_found_from_anywhere() {
        let text = "ab ab b";
        let mut ahead = Ahead::of("ab");
        let found = [0, 1, 3, 4, 0, 9].map(|from| ahead.find(text, from));
        assert_eq!(found, [Some(0), Some(3), Some(3), None, Some(0), None]);
    }
}
