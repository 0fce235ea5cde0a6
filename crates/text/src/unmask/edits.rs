//! Changes of a text and the way back. What to replace by what comes in; the changed text goes
//! out, and for any part of it the bytes it comes from.

use std::ops::Range;

/// What to replace in a text, in ascending order and without overlaps.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    list: Vec<Edit>,
    replacements: String,
}

#[derive(Debug)]
struct Edit {
    from: Range<usize>,
    /// In `replacements`.
    to: Range<usize>,
}

impl Edits {
    pub(crate) fn replace(&mut self, from: Range<usize>, to: &str) {
        let begin = self.replacements.len();
        self.replacements.push_str(to);
        self.list.push(Edit {
            from,
            to: begin..self.replacements.len(),
        });
    }

    pub(crate) fn delete(&mut self, from: Range<usize>) {
        self.replace(from, "");
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.replacements.clear();
    }
}

/// A changed text.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    pub(crate) text: String,
    changes: Vec<Change>,
}

/// What was replaced, in the text before, and where what replaced it is in the text after.
#[derive(Debug)]
struct Change {
    from: Range<usize>,
    to: Range<usize>,
}

impl Layer {
    /// Becomes `text` with the edits.
    pub(crate) fn write(&mut self, text: &str, edits: &Edits) {
        self.text.clear();
        self.changes.clear();
        let mut at = 0;
        for edit in &edits.list {
            self.text.push_str(&text[at..edit.from.start]);
            let begin = self.text.len();
            self.text.push_str(&edits.replacements[edit.to.clone()]);
            at = edit.from.end;
            self.changes.push(Change {
                from: edit.from.clone(),
                to: begin..self.text.len(),
            });
        }
        self.text.push_str(&text[at..]);
    }

    /// Where a part of the text that is not empty was before. What has a byte of a replacement has
    /// the whole of what that replaced; what was deleted at its ends does not belong to it.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        let before_start = self.changes.partition_point(|c| c.to.start <= range.start);
        let start = match self.changes[..before_start].last() {
            None => range.start,
            Some(change) if range.start < change.to.end => change.from.start,
            Some(change) => range.start - change.to.end + change.from.end,
        };
        let before_end = self.changes.partition_point(|c| c.to.start < range.end);
        let end = match self.changes[..before_end].last() {
            None => range.end,
            Some(change) if range.end < change.to.end => change.from.end,
            Some(change) => range.end - change.to.end + change.from.end,
        };
        start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_the_changed_text_lead_back() {
        let mut edits = Edits::default();
        edits.delete(0..1);
        edits.replace(3..4, "XYZ");
        edits.delete(5..6);
        edits.delete(6..7);
        let mut layer = Layer::default();
        layer.write("-ab+c--d-", &edits);
        assert_eq!(layer.text, "abXYZcd-");
        let cases = [
            ("a", 0..1, 1..2),
            ("ab", 0..2, 1..3),
            ("X", 2..3, 3..4),
            ("YZc", 3..6, 3..5),
            ("c", 5..6, 4..5),
            ("cd", 5..7, 4..8),
            ("d", 6..7, 7..8),
            ("abXYZcd-", 0..8, 1..9),
        ];
        for (part, range, source) in cases {
            assert_eq!(&layer.text[range.clone()], part);
            assert_eq!(layer.source(range), source, "{part}");
        }
    }
}
