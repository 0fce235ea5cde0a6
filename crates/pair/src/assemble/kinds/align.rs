//! Which tokens of two statements correspond, and which were replaced, inserted or deleted.

use std::ops::Range;

use super::super::difference::{Differ, Stretch};
use super::han;
use super::tokens::{Class, Token, Tokens};

#[derive(Debug, Default)]
pub(super) struct Diff {
    pub(super) stretches: Vec<Stretch>,
    differ: Differ,
}

impl Diff {
    pub(super) fn find(&mut self, a: &Tokens, b: &Tokens) {
        let same = |x: &Token, y: &Token| x.id == y.id;
        self.differ
            .find((&a.all, &b.all), same, &mut self.stretches);
        self.join_names(a, b);
    }

    /// A hyphen or a lone ideograph that two names happen to share does not part them.
    fn join_names(&mut self, a: &Tokens, b: &Tokens) {
        let mut joined: usize = 0;
        for at in 0..self.stretches.len() {
            let next = self.stretches[at].clone();
            if at > 0 {
                let last = &mut self.stretches[joined];
                let gap = last.a.end..next.a.start;
                let replaced = last.is_replacement() && next.is_replacement();
                let ideographs = |of: &Range<usize>| a.class(of.start) == Some(Class::Ideograph);
                let joins = gap.len() == 1
                    && next.b.start - last.b.end == 1
                    && match a.class(gap.start) {
                        Some(Class::Mark) => replaced && matches!(a.form(gap.start), "-" | "'"),
                        Some(Class::Ideograph) => {
                            !han::is_function(a.form(gap.start))
                                && ideographs(&last.a)
                                && ideographs(&next.a)
                                && (replaced || b.class(last.b.start) == Some(Class::Ideograph))
                        }
                        _ => false,
                    };
                if joins {
                    last.a.end = next.a.end;
                    last.b.end = next.b.end;
                    continue;
                }
                joined += 1;
            }
            self.stretches[joined] = next;
        }
        if !self.stretches.is_empty() {
            self.stretches.truncate(joined + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Tokens, tokenizer};
    use super::*;

    fn changed(a: &str, b: &str) -> Vec<(String, String)> {
        let [left, right] = [a, b].map(|text| Tokens::of(&mut tokenizer(), text));
        let mut diff = Diff::default();
        diff.find(&left, &right);
        let of = |stretch: &Stretch| {
            (
                left.forms_of(&stretch.a).to_owned(),
                right.forms_of(&stretch.b).to_owned(),
            )
        };
        diff.stretches.iter().map(of).collect()
    }

    #[test]
    fn replaced_inserted_and_deleted_words_are_told_apart() {
        let found = changed("the old red house in Bonn", "the red barn in the Bonn");
        let expected = [("old", ""), ("house", "barn"), ("", "the")];
        assert_eq!(found, expected.map(|(x, y)| (x.to_owned(), y.to_owned())));
    }

    #[test]
    fn an_ideograph_that_two_names_share_does_not_part_them() {
        let found = changed("张大明是诗人", "李大华是诗人");
        assert_eq!(found, [("张大明".to_owned(), "李大华".to_owned())]);
    }

    #[test]
    fn beyond_the_cap_everything_between_the_ends_is_one_stretch() {
        let words =
            |from: usize| -> String { (from..from + 900).map(|n| format!("w{n} ")).collect() };
        let found = changed(
            &format!("a {} z", words(0)),
            &format!("a {} z", words(5000)),
        );
        assert_eq!(found.len(), 1);
    }
}
