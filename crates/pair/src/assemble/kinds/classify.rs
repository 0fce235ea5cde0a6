//! What does a differing stretch change? The tokens of two statements and the stretches in which they differ come in;
//! out goes what is stated differently: a number, a name, one of several opposites, or only the wording.

use std::ops::Range;

use super::super::difference::Stretch;
use super::moves::{Moves, Of, ideographs_of};
use super::names::{self, cancel, is_code, is_name, names_edition, numbers_item};
use super::subject::Subject;
use super::tokens::{Class, Tokens, id_of};
use super::{han, numbers, questions, words};

/// One of the two statements, taken apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) tokens: &'a Tokens,
    pub(super) title: &'a Tokens,
    pub(super) subject: &'a Subject,
}

/// What two statements state differently.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Findings {
    /// Another subject.
    pub(super) subject: bool,
    /// Another place or time at the beginning: "In Bonn,".
    pub(super) setting: bool,
    /// Another item of a series: "season 2", "第4季".
    pub(super) item: bool,
    /// What one states where the other names the subject of its own article,
    pub(super) titled: bool,
    /// or where it names the other's, and the other something else instead.
    pub(super) crossed: bool,
    /// Another code: `75As`, `TY18`.
    pub(super) designation: bool,
    /// Numbers, dates and quantities that differ.
    pub(super) numbers: usize,
    /// Of the names, those of ideographs, which may be words.
    pub(super) han_names: usize,
    /// Names that differ.
    pub(super) names: usize,
    /// Opposites, negations and the like.
    pub(super) contrasts: usize,
    /// Stretches of other words.
    pub(super) wordings: usize,
}

impl Findings {
    pub(super) fn facts(&self) -> usize {
        self.numbers + self.names + self.contrasts
    }

    /// Whether nothing but ideographs that may be names differs, and the statement was reworded all over.
    pub(super) fn is_reworded(&self) -> bool {
        self.facts() == self.han_names && self.wordings >= 3
    }
}

/// Up to so many tokens a text is short: all it says counts.
pub(super) const SHORT_TEXT: usize = 24;

/// What is counted over all stretches before it can be judged.
#[derive(Default)]
struct Tally {
    /// Numbers without one to differ from in their stretch.
    lone: [Vec<u64>; 2],
    negations: [usize; 2],
    /// Whether words of the own title, and not of the other, came or went,
    titled: [bool; 2],
    /// or words of the other title.
    crossed: [bool; 2],
}

/// The numbers of a stretch.
#[derive(Default)]
struct Compared {
    differ: usize,
    lone: [Vec<u64>; 2],
    /// Whether a quantity stands in another unit.
    converted: bool,
}

pub(super) struct Classifier<'a> {
    pub(super) a: Side<'a>,
    pub(super) b: Side<'a>,
    pub(super) stretches: &'a [Stretch],
}

impl Classifier<'_> {
    pub(super) fn find(&self) -> Findings {
        let moves = Moves {
            a: self.a.tokens,
            b: self.b.tokens,
            stretches: self.stretches,
        };
        let mut findings = Findings::default();
        let mut tally = Tally::default();
        for (at, stretch) in self.stretches.iter().enumerate() {
            let (a, b) = (moves.left(at, Of::A), moves.left(at, Of::B));
            let compared = self.numbers(&a, &b, &mut findings);
            findings.numbers += compared.differ;
            for (all, more) in tally.lone.iter_mut().zip(&compared.lone) {
                all.extend(more);
            }
            let adds_sentence = self.adds_sentence(stretch);
            if !adds_sentence {
                tally.negations[0] += self.negations(self.a.tokens, &stretch.a);
                tally.negations[1] += self.negations(self.b.tokens, &stretch.b);
            }
            let titles = [self.a.title, self.b.title];
            tally.titled[0] |= is_titled(self.a, titles, &a, &stretch.a);
            tally.titled[1] |= is_titled(self.b, [titles[1], titles[0]], &b, &stretch.b);
            let crossed = [
                is_titled(self.a, [titles[1], titles[0]], &a, &stretch.a),
                is_titled(self.b, titles, &b, &stretch.b),
            ];
            tally.crossed[0] |= crossed[0];
            tally.crossed[1] |= crossed[1];
            // "the River Wend" is what "the river" is in the article River Wend.
            findings.crossed |= (crossed[0] && says_something(self.b.tokens, &b))
                || (crossed[1] && says_something(self.a.tokens, &a));
            if adds_sentence {
                findings.wordings += 1;
            } else if self.ranks(stretch) {
                findings.contrasts += 1;
            } else if !compared.converted {
                self.words(stretch, &a, &b, &mut findings);
                self.ideographs(stretch, &mut findings, |x, y| moves.has_moved(at, x, y));
            }
        }
        // Numbers that the alignment put on both sides of a common word.
        let [lone_a, mut lone_b] = tally.lone;
        let mut left = lone_a.len();
        for id in lone_a {
            // It only moved.
            if let Some(at) = lone_b.iter().position(|&other| other == id) {
                lone_b.swap_remove(at);
                left -= 1;
            }
        }
        findings.numbers += left.min(lone_b.len());
        findings.contrasts += usize::from(tally.negations[0] != tally.negations[1]);
        if findings.facts() == 0 && self.are_short() {
            let asks_otherwise = questions::differ(self.a.tokens, self.b.tokens);
            findings.contrasts = usize::from(asks_otherwise);
        }
        // Each names its own subject, or each the other's: "as is Aken" in Bell, "as is Bell" in Aken.
        findings.subject |= tally.titled == [true, true] || tally.crossed == [true, true];
        findings.titled = tally.titled.contains(&true);
        findings
    }

    fn numbers(&self, a: &[usize], b: &[usize], findings: &mut Findings) -> Compared {
        // "World War I" has a numeral where there is another one in its place.
        let is_roman = |side: Side<'_>, at: usize| names::is_roman(side.tokens, at);
        let are_roman =
            a.iter().any(|&x| is_roman(self.a, x)) && b.iter().any(|&y| is_roman(self.b, y));
        let of = |side: Side<'_>, all: &[usize]| -> Vec<usize> {
            let is_number = |at: &usize| {
                side.tokens.class(*at) == Some(Class::Number) || (are_roman && is_roman(side, *at))
            };
            all.iter().copied().filter(is_number).collect()
        };
        let (mut in_a, mut in_b) = (of(self.a, a), of(self.b, b));
        let mut compared = Compared::default();
        in_a.retain(|&x| {
            let (left, right) = (self.a.tokens, self.b.tokens);
            let same = in_b.iter().position(|&y| {
                let converted = numbers::are_converted(left, x, right, y);
                compared.converted |= converted && left.form(x) != right.form(y);
                converted
                    || numbers::are_compatible(left.form(x), right.form(y))
                    || numbers::are_in_one_year((left, x), (right, y))
                    || numbers::are_rounded(left, x, right, y)
            });
            if let Some(at) = same {
                in_b.remove(at);
            }
            same.is_none()
        });
        compared.differ = in_a.len().min(in_b.len());
        let ids = |side: Side<'_>, all: &[usize]| -> Vec<u64> {
            let lone = all.iter().skip(compared.differ);
            lone.map(|&at| side.tokens.all[at].id).collect()
        };
        compared.lone = [ids(self.a, &in_a), ids(self.b, &in_b)];
        for (&x, &y) in in_a.iter().zip(&in_b) {
            findings.designation |= is_code(self.a.tokens, x) && is_code(self.b.tokens, y);
            findings.subject |= names_edition(self.a, x) && names_edition(self.b, y);
            findings.item |= numbers_item(self.a.tokens, x) && numbers_item(self.b.tokens, y);
            findings.setting |=
                self.a.subject.setting.contains(&x) && self.b.subject.setting.contains(&y);
        }
        compared
    }

    /// How often a stretch denies something. A longer stretch of ideographs is a clause: what it denies is not what both state,
    /// unless they are short.
    fn negations(&self, tokens: &Tokens, range: &Range<usize>) -> usize {
        let is_clause = range.len() > 4 && !self.are_short();
        let denies = |&at: &usize| match tokens.class(at) {
            Some(Class::Word) => words::is_negation(tokens.form(at)),
            Some(Class::Ideograph) => !is_clause && han::negates(tokens, at),
            _ => false,
        };
        range.clone().filter(denies).count()
    }

    fn are_short(&self) -> bool {
        self.a.tokens.len().max(self.b.tokens.len()) <= SHORT_TEXT
    }

    /// Whether one of them has a sentence more, or all it says: what that denies is not what both state.
    fn adds_sentence(&self, stretch: &Stretch) -> bool {
        let (side, range, other) = match stretch.a.is_empty() {
            true => (self.b, &stretch.b, self.a),
            false => (self.a, &stretch.a, self.b),
        };
        if stretch.is_replacement() || other.tokens.len() == 0 {
            return !stretch.is_replacement();
        }
        let tokens = side.tokens;
        let ends = |at: usize| matches!(tokens.form(at), "." | "!" | "?" | "！" | "？" | "…");
        let is_last = range.end == tokens.len();
        let opens = range.start == 0 || ends(range.start - 1);
        let closes = is_last || ends(range.end - 1);
        // The mark at the end may be the one of the sentence before.
        let is_between = ends(range.start) && (is_last || ends(range.end));
        // "No." may deny the rest.
        range.len() > 3 && ((opens && closes) || is_between)
    }

    /// Whether a rank comes or goes: "the second largest", "第二大" for "最大".
    fn ranks(&self, stretch: &Stretch) -> bool {
        let ranks =
            |side: Side<'_>, range: &Range<usize>, other: Side<'_>, replaced: &Range<usize>| {
                let next = side.tokens.form(range.end);
                let number = range
                    .clone()
                    .any(|at| side.tokens.class(at) == Some(Class::Number));
                let superlative = range.len() == 1
                    && replaced.is_empty()
                    && (next.ends_with("est") && next.len() > 4 || next == "most");
                number && (superlative || replaced.clone().any(|at| other.tokens.form(at) == "最"))
            };
        ranks(self.a, &stretch.a, self.b, &stretch.b)
            || ranks(self.b, &stretch.b, self.a, &stretch.a)
    }

    fn words(&self, stretch: &Stretch, a: &[usize], b: &[usize], findings: &mut Findings) {
        let of = |side: Side<'_>, all: &[usize], wanted: &dyn Fn(usize) -> bool| -> Vec<usize> {
            let is_word = |at: usize| side.tokens.class(at) == Some(Class::Word);
            all.iter()
                .copied()
                .filter(|&at| is_word(at) && wanted(at))
                .collect()
        };
        let mut names_a = of(self.a, a, &|at| is_name(self.a, self.b, at));
        let mut names_b = of(self.b, b, &|at| is_name(self.b, self.a, at));
        cancel(self.a.tokens, &mut names_a, self.b.tokens, &mut names_b);
        // A name with a number in it is a number, too, but not where a name stands in its place.
        let numbered = |side: Side<'_>, all: &[usize]| {
            let mut all = all.iter().copied();
            all.find(|&at| names::is_numbered(side.tokens, at))
        };
        if names_a.is_empty() && !names_b.is_empty() {
            names_a.extend(numbered(self.a, a));
        } else if names_b.is_empty() && !names_a.is_empty() {
            names_b.extend(numbered(self.b, b));
        }
        if !names_a.is_empty() && !names_b.is_empty() {
            findings.names += 1;
            let within = |side: Side<'_>, names: &[usize]| {
                !side.subject.implied && names.iter().any(|at| side.subject.head.contains(at))
            };
            // Two names that changed places are the same two subjects.
            let stays = |side: Side<'_>, names: &[usize], other: Side<'_>| {
                names
                    .iter()
                    .all(|&at| other.tokens.has(side.tokens.all[at].id))
            };
            let exchanged = stays(self.a, &names_a, self.b) && stays(self.b, &names_b, self.a);
            findings.subject |= !exchanged && within(self.a, &names_a) && within(self.b, &names_b);
            let set = |side: Side<'_>, names: &[usize]| {
                names.iter().any(|at| side.subject.setting.contains(at))
            };
            findings.setting |= set(self.a, &names_a) && set(self.b, &names_b);
        }
        let others_a = of(self.a, a, &|at| !names_a.contains(&at));
        let others_b = of(self.b, b, &|at| !names_b.contains(&at));
        // "first" is the number 1, which "last" excludes.
        let numbered = |side: Side<'_>, all: &[usize], others: &[usize]| -> Vec<usize> {
            let stated = |at: &&usize| side.tokens.class(**at) == Some(Class::Number);
            let numbers = all.iter().filter(stated);
            numbers.chain(others).copied().collect()
        };
        let (stated_a, stated_b) = (
            numbered(self.a, a, &others_a),
            numbered(self.b, b, &others_b),
        );
        findings.contrasts += usize::from(self.contrast(stretch, &stated_a, &stated_b));
        let content = |side: Side<'_>, all: &[usize]| {
            all.iter().any(|&at| !side.tokens.all[at].holds_together)
        };
        let spelt = match (others_a.as_slice(), others_b.as_slice()) {
            (&[x], &[y]) => words::are_one(self.a.tokens.form(x), self.b.tokens.form(y)),
            _ => false,
        };
        findings.wordings +=
            usize::from(!spelt && (content(self.a, &others_a) || content(self.b, &others_b)));
    }

    /// Whether a word was replaced by one that excludes it, or qualified by one that makes something else of it.
    fn contrast(&self, stretch: &Stretch, a: &[usize], b: &[usize]) -> bool {
        // In a longer stretch, "in" and "out" belong to different words.
        let is_long = stretch.a.len().max(stretch.b.len()) > 2;
        let contrast = |x: usize, y: usize| {
            let (of_x, of_y) = (self.a.tokens.all[x].id, self.b.tokens.all[y].id);
            words::contrasts().share(of_x, of_y)
                && !words::synonyms().share(of_x, of_y)
                && !(is_long && words::is_particle(self.a.tokens.form(x)))
        };
        let qualifies = |side: Side<'_>, range: &Range<usize>| {
            let is_qualifier = |at| words::is_qualifier(side.tokens.form(at));
            range.len() <= 2 && range.clone().any(is_qualifier)
        };
        let marks = stretch.a.len() == 1
            && stretch.b.len() == 1
            && self.a.tokens.class(stretch.a.start) == Some(Class::Mark);
        let has_contrasts = |&&x: &&usize| words::contrasts().contains(self.a.tokens.all[x].id);
        a.iter()
            .filter(has_contrasts)
            .any(|&x| b.iter().any(|&y| contrast(x, y)))
            || (marks && contrast(stretch.a.start, stretch.b.start))
            || (!stretch.is_replacement()
                && (qualifies(self.a, &stretch.a) || qualifies(self.b, &stretch.b)))
    }

    fn ideographs(
        &self,
        stretch: &Stretch,
        findings: &mut Findings,
        has_moved: impl Fn(&str, &str) -> bool,
    ) {
        let x = ideographs_of(self.a.tokens, &stretch.a);
        let y = ideographs_of(self.b.tokens, &stretch.b);
        if x.is_empty() && y.is_empty() {
            return;
        }
        findings.wordings += 1;
        if x.is_empty() || y.is_empty() {
            findings.contrasts += usize::from(x == "副" || y == "副");
            return;
        }
        if has_moved(&x, &y) {
            return;
        }
        let relation = self.relation(stretch, &x, &y);
        let longer = x.chars().count().max(y.chars().count());
        match relation {
            Relation::Same => return,
            Relation::Contrast => findings.contrasts += 1,
            Relation::Name => {
                findings.names += 1;
                findings.han_names += 1;
            }
        }
        let (a, b) = (self.a.subject, self.b.subject);
        let overlap = |x: &Range<usize>, y: &Range<usize>| x.start < y.end && y.start < x.end;
        // One ideograph is a name in a short head only: 王朝末年 and 王朝末期 are no names.
        let is_named =
            longer > 1 || (relation == Relation::Name && a.head.len().min(b.head.len()) <= 3);
        let within = overlap(&stretch.a, &a.head) && overlap(&stretch.b, &b.head);
        findings.subject |= within && is_named && !a.implied && !b.implied;
        findings.setting |= overlap(&stretch.a, &a.setting) && overlap(&stretch.b, &b.setting);
    }

    /// Whether one side has a pronoun where the other has the title of the article.
    fn names_the_subject(&self, x: &str, y: &str) -> bool {
        let titled = |text: &str, side: Side<'_>| {
            let title = side.title.forms();
            let mut runs = (0..text.len()).filter_map(|at| text.get(at..(at + 6).min(text.len())));
            !title.is_empty() && runs.any(|run| run.len() == 6 && title.contains(run))
        };
        let pronoun = |text: &str| text.contains(['他', '她', '它', '该', '其', '此']);
        (titled(x, self.a) && pronoun(y)) || (titled(y, self.b) && pronoun(x))
    }

    /// Whether a foreign name is spelt with another syllable: 高巴内特, 高巴尼特.
    fn are_one_syllable(&self, stretch: &Stretch) -> bool {
        let spells = |tokens: &Tokens, range: &Range<usize>| {
            let is_syllable = |at: usize| han::is_syllable(tokens.form(at));
            let before = (range.start.saturating_sub(2)..range.start).rev();
            let after = range.end..range.end + 2;
            let around = before.take_while(|&at| is_syllable(at)).count()
                + after.take_while(|&at| is_syllable(at)).count();
            range.len() == 1 && is_syllable(range.start) && around >= 2
        };
        spells(self.a.tokens, &stretch.a) && spells(self.b.tokens, &stretch.b)
    }

    fn relation(&self, stretch: &Stretch, x: &str, y: &str) -> Relation {
        let (a, b) = (self.a.tokens, self.b.tokens);
        // Words are longer than what differs of them: 坐落 and 位 differ before 于.
        let widened = |(before, after): (usize, usize)| {
            let of = |tokens: &Tokens, range: &Range<usize>| {
                let range =
                    range.start.saturating_sub(before)..(range.end + after).min(tokens.len());
                id_of(tokens.forms_of(&range))
            };
            (of(a, &stretch.a), of(b, &stretch.b))
        };
        let all = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)].map(widened);
        let between = |tokens: &Tokens, range: &Range<usize>, marks: [(&str, &str); 2]| {
            let opens = range.start.checked_sub(1).map_or("", |at| tokens.form(at));
            marks.contains(&(opens, tokens.form(range.end)))
        };
        let quotes = [("\"", "\""), ("'", "'")];
        if between(a, &stretch.a, quotes) && between(b, &stretch.b, quotes) {
            return Relation::Name;
        }
        if han::are_variants(x, y)
            || self.are_one_syllable(stretch)
            || han::is_pointing(x)
            || han::is_pointing(y)
            || all.iter().any(|&(x, y)| han::synonyms().share(x, y))
        {
            return Relation::Same;
        }
        if all.iter().any(|&(x, y)| han::contrasts().share(x, y)) {
            return Relation::Contrast;
        }
        // The title of a work is a name, whatever its words.
        let titles = [("《", "》"), ("〈", "〉")];
        if between(a, &stretch.a, titles) && between(b, &stretch.b, titles) {
            return Relation::Name;
        }
        // Of other scripts without spaces nothing is known by which a name could be told from a word.
        if !han::is_han(x) || !han::is_han(y) {
            return Relation::Same;
        }
        let (long_x, long_y) = (x.chars().count(), y.chars().count());
        let shorter = long_x.min(long_y);
        let rephrased = long_x.abs_diff(long_y) >= 5 && shorter <= 2
            || self.names_the_subject(x, y)
            || share_out_of_place(x, y);
        let ordinary = han::is_ordinary(x) && han::is_ordinary(y);
        let joining = shorter <= 2 && (han::is_all_function(x) || han::is_all_function(y));
        if rephrased || ordinary || joining {
            return Relation::Same;
        }
        Relation::Name
    }
}

/// Whether two stretches of different lengths share an ideograph elsewhere than at the same place: 文献 and 存世文件 do, as
/// synonyms often do; 张大明 and 李大华 do not.
fn share_out_of_place(x: &str, y: &str) -> bool {
    let (long_x, long_y) = (x.chars().count(), y.chars().count());
    let mut pairs = x.chars().enumerate().flat_map(|(at, c)| {
        y.chars()
            .enumerate()
            .map(move |(there, d)| (at, c, there, d))
    });
    long_x != long_y
        && long_x.max(long_y) <= 12
        && pairs.any(|(at, c, there, d)| c == d && at != there)
}

/// How two stretches of ideographs relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Contrast,
    Name,
}

/// Whether any of the tokens is more than a pronoun or a word that holds a sentence together.
fn says_something(tokens: &Tokens, left: &[usize]) -> bool {
    left.iter().any(|&at| {
        let token = &tokens.all[at];
        token.class != Class::Mark && !token.holds_together && !words::is_pronoun(tokens.form(at))
    })
}

/// Whether the tokens are of the first title and not of the second.
fn is_titled(side: Side<'_>, of: [&Tokens; 2], left: &[usize], range: &Range<usize>) -> bool {
    let [title, other] = of;
    if title.len() == 0 || other.len() == 0 {
        return false;
    }
    let is_own = |at: usize| {
        let token = &side.tokens.all[at];
        let says = matches!(token.class, Class::Word | Class::Number) && !token.holds_together;
        // Also where it is inflected.
        let named = |title: &Tokens| {
            let is_it = |of: usize| words::are_one_name(title.form(of), side.tokens.form(at));
            title.has(token.id) || (token.class == Class::Word && (0..title.len()).any(is_it))
        };
        says && named(title) && !named(other)
    };
    let ideographs = ideographs_of(side.tokens, range);
    // Without the hyphens that part the syllables of foreign names.
    let in_title = |title: &Tokens| {
        let all = ideographs_of(title, &(0..title.len()));
        // Also with a word before it: 北宋张小娘子.
        let more = ideographs
            .chars()
            .count()
            .saturating_sub(all.chars().count());
        let is_within = all.chars().count() >= 2 && more <= 2 && ideographs.contains(&all);
        all.contains(&ideographs) || is_within
    };
    left.iter().any(|&at| is_own(at))
        || (!ideographs.is_empty() && in_title(title) && !in_title(other))
}
