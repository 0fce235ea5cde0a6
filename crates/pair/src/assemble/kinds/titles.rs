//! What do the titles say? Whether two articles have different subjects, and whether a statement is about that of its own.

use std::sync::Arc;

use super::han;
use super::subject::{Subject, is_name};
use super::tokens::{Class, Token, Tokens};

/// Whether the statement is about the subject of its article: it is implied, or the head has words of the title that
/// the other title does not have.
pub(super) fn is_of_article(
    subject: &Subject,
    tokens: &Tokens,
    title: &Tokens,
    other: &Tokens,
) -> bool {
    let titled = subject.head.clone().any(|at| {
        let token = &tokens.all[at];
        token.class != Class::Mark
            && !token.holds_together
            && title.has(token.id)
            && !other.has(token.id)
    });
    subject.implied || titled
}

/// Whether the head has a name: a capital after its first word, or a word of a title; but ideographs that both titles have
/// only say of what kind the articles are.
pub(super) fn is_named(subject: &Subject, tokens: &Tokens, titles: &[Arc<Tokens>; 2]) -> bool {
    subject.head.clone().any(|at| {
        let token = &tokens.all[at];
        let says = token.class != Class::Mark && !token.holds_together;
        let titled = [0, 1].map(|side| titles[side].has(token.id));
        let named = is_name(tokens, at, subject.head.start) || titled.contains(&true);
        let is_kind = token.class == Class::Ideograph && titled == [true, true];
        says && named && !is_kind
    })
}

/// Whether a text has any word of a title but those that say nothing.
pub(super) fn has_word_of(text: &Tokens, title: &Tokens) -> bool {
    title
        .all
        .iter()
        .any(|token| token.class != Class::Mark && !token.holds_together && text.has(token.id))
}

/// Whether two titles are of different things of one kind: they differ in a part only ("Economy of Angola", "Economy of
/// Armenia"), or have the form of one kind (白乐站, 东白乐站).
pub(super) fn are_siblings(a: &Tokens, b: &Tokens) -> bool {
    let words = |title: &Tokens| {
        let says = |token: &&Token| token.class != Class::Mark && !token.holds_together;
        title
            .all
            .iter()
            .filter(says)
            .map(|token| token.id)
            .collect::<Vec<_>>()
    };
    let (x, y) = (words(a), words(b));
    let common = x.iter().filter(|id| y.contains(id)).count();
    let differ_in_part = x.len().min(y.len()) >= 2 && 2 * common >= x.len().min(y.len());
    are_unrelated(a, b) && (differ_in_part || Title::of(a).is_of_kind(&Title::of(b)))
}

/// Whether the titles are those of two things of one name, told apart in brackets: "Mercury (planet)", "Mercury (element)".
pub(super) fn are_namesakes(a: &Tokens, b: &Tokens) -> bool {
    let (a, b) = (Title::of(a), Title::of(b));
    let told = !a.qualifier.is_empty() && !b.qualifier.is_empty();
    told && a.name == b.name && a.qualifier != b.qualifier
}

/// A title without what stands in brackets after it.
struct Title<'t> {
    name: &'t str,
    /// What stands in brackets.
    qualifier: &'t str,
}

impl<'t> Title<'t> {
    fn of(title: &'t Tokens) -> Self {
        let (name, qualifier) = title.forms().split_once('(').unwrap_or((title.forms(), ""));
        Title { name, qualifier }
    }

    /// Whether the other has the same last ideograph, where Chinese has the kind of a thing, the same first two, where it has
    /// the place; whether both begin with a year, or are those of people.
    fn is_of_kind(&self, other: &Title<'_>) -> bool {
        let ideographs = |text: &str| text.chars().filter(|&c| han::is_unspaced(c)).count();
        if ideographs(self.name).min(ideographs(other.name)) < 2 {
            return false;
        }
        let last = |text: &str| text.chars().last().filter(|&c| han::is_unspaced(c));
        let begins = |title: &Title<'_>| title.name.starts_with(|c: char| c.is_ascii_digit());
        last(self.name).is_some_and(|c| Some(c) == last(other.name))
            || self.name.chars().take(2).eq(other.name.chars().take(2))
            || (!self.qualifier.is_empty() && self.qualifier == other.qualifier)
            || (begins(self) && begins(other))
            || (self.is_person() && other.is_person())
    }

    /// Whether it is a foreign name in its syllables, or a surname with a given name.
    fn is_person(&self) -> bool {
        let length = self.name.chars().count();
        let surname = self.name.chars().next().is_some_and(han::is_surname);
        self.name.contains('·') || (surname && (2..=3).contains(&length))
    }
}

/// What articles about a part of a subject are called after it: 爆笑超市集数列表.
const ASPECTS: [&str; 16] = [
    "列表", "历史", "经济", "地理", "政治", "文化", "人口", "交通", "教育", "军事", "角色", "音乐",
    "作品", "人物", "宗教", "年表",
];

/// Whether the titles are those of articles about different subjects: neither has all words of the other.
pub(super) fn are_unrelated(a: &Tokens, b: &Tokens) -> bool {
    let within = |inner: &Tokens, outer: &Tokens| {
        let words = inner.all.iter().filter(|token| token.class != Class::Mark);
        words.clone().count() > 0 && words.clone().all(|token| outer.has(token.id))
    };
    // 白乐站 is part of 东白乐站, and another station: what an ideograph means depends on its neighbours.
    // So is 古惑狼赛车 another game than 古惑狼, but 爆笑超市集数列表 is about 爆笑超市.
    let begins = |inner: &Tokens, outer: &Tokens| {
        let has_ideographs = |title: &Tokens| {
            let mut all = title.all.iter();
            all.any(|token| token.class == Class::Ideograph)
        };
        let name = Title::of(outer).name;
        let more = name.strip_prefix(Title::of(inner).name);
        let is_aspect = |more: &str| ASPECTS.iter().any(|aspect| more.ends_with(aspect));
        !has_ideographs(inner) || more.is_some_and(|more| more.is_empty() || is_aspect(more))
    };
    // "Mario Party 2" is another game than "Mario Party".
    let is_numbered = |inner: &Tokens, outer: &Tokens| {
        let named = outer.all.iter().enumerate();
        let mut named = named.take_while(|(at, _)| outer.form(*at) != "(");
        named.any(|(_, token)| token.class == Class::Number && !inner.has(token.id))
    };
    let is_part = |inner: &Tokens, outer: &Tokens| {
        within(inner, outer) && begins(inner, outer) && !is_numbered(inner, outer)
    };
    a.len() > 0 && b.len() > 0 && !is_part(a, b) && !is_part(b, a)
}
