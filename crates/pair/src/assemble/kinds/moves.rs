//! What only moved? Tokens that stand in one stretch of the first statement and in another of the second state nothing
//! new, unless two of them changed places: then who did what to whom, or how many of what, is another statement.

use std::ops::Range;

use super::super::difference::Stretch;
use super::tokens::{Class, Tokens};
use super::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    A,
    B,
}

impl Of {
    fn range(self, stretch: &Stretch) -> Range<usize> {
        match self {
            Self::A => stretch.a.clone(),
            Self::B => stretch.b.clone(),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Moves<'a> {
    pub(super) a: &'a Tokens,
    pub(super) b: &'a Tokens,
    pub(super) stretches: &'a [Stretch],
}

impl Moves<'_> {
    /// The tokens of one side of a stretch that did not move.
    pub(super) fn left(&self, stretch: usize, of: Of) -> Vec<usize> {
        let (mine, _, range) = self.sides(stretch, of);
        let stays = |at: &usize| !self.is_moved(stretch, mine.all[*at].id, of);
        range.filter(stays).collect()
    }

    fn sides(&self, stretch: usize, of: Of) -> (&Tokens, &Tokens, Range<usize>) {
        let range = of.range(&self.stretches[stretch]);
        match of {
            Of::A => (self.a, self.b, range),
            Of::B => (self.b, self.a, range),
        }
    }

    fn is_moved(&self, stretch: usize, id: u64, of: Of) -> bool {
        let (mine, other, _) = self.sides(stretch, of);
        let opposite = if of == Of::A { Of::B } else { Of::A };
        let stands = |tokens: &Tokens, range: Range<usize>| {
            tokens.all[range].iter().any(|token| token.id == id)
        };
        let here = &self.stretches[stretch];
        if stands(other, opposite.range(here)) {
            return true;
        }
        self.stretches.iter().enumerate().any(|(at, there)| {
            if at == stretch || !stands(other, opposite.range(there)) {
                return false;
            }
            // Where another number now stands, the number was not moved but replaced.
            let has_number = |tokens: &Tokens, range: &Range<usize>| {
                let all = &tokens.all[range.clone()];
                all.iter().any(|token| token.class == Class::Number)
            };
            let renumbered = has_number(self.a, &here.a) && has_number(self.b, &here.b);
            let exchanged = here.is_replacement()
                && (there.is_replacement() || renumbered)
                && !stands(mine, of.range(there));
            !exchanged || self.is_list(at.min(stretch), at.max(stretch)) || self.is_turned()
        })
    }

    /// Whether what one side of a stretch has in ideographs, the other side has in another stretch.
    pub(super) fn has_moved(&self, stretch: usize, a: &str, b: &str) -> bool {
        self.stretches.iter().enumerate().any(|(at, other)| {
            let moved =
                ideographs_of(self.b, &other.b) == a || ideographs_of(self.a, &other.a) == b;
            let placed =
                || !other.is_replacement() || self.is_list(at.min(stretch), at.max(stretch));
            at != stretch && moved && placed()
        })
    }

    /// Whether nothing but commas, conjunctions and other names stands between two stretches.
    fn is_list(&self, first: usize, second: usize) -> bool {
        let mut between = self.stretches[first].a.end..self.stretches[second].a.start;
        between.all(|at| {
            let joins = matches!(
                self.a.form(at),
                "," | "、"
                    | ";"
                    | "&"
                    | "and"
                    | "or"
                    | "the"
                    | "und"
                    | "y"
                    | "et"
                    | "e"
                    | "и"
                    | "和"
                    | "与"
                    | "及"
            );
            let token = &self.a.all[at];
            let is_name =
                token.capital && token.class == Class::Word && !words::is_verb(self.a.form(at), at);
            joins || is_name || self.stretches.iter().any(|stretch| stretch.a.contains(&at))
        })
    }

    /// Whether the statement was turned from active to passive: "by" or "被" comes or goes.
    fn is_turned(&self) -> bool {
        let signs = ["by", "被", "由", "von", "par", "por", "da"];
        let has = |tokens: &Tokens, range: &Range<usize>| {
            range.clone().any(|at| signs.contains(&tokens.form(at)))
        };
        let turned = |stretch: &Stretch| has(self.a, &stretch.a) != has(self.b, &stretch.b);
        self.stretches.iter().any(turned)
    }
}

pub(super) fn ideographs_of(tokens: &Tokens, range: &Range<usize>) -> String {
    let ideographs = range
        .clone()
        .filter(|&at| tokens.class(at) == Some(Class::Ideograph));
    ideographs.map(|at| tokens.form(at)).collect()
}
