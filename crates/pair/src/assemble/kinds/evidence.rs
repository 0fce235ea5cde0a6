//! How certain is it that two statements are about the same? What speaks for it and what against is counted here: what
//! both state alike, what they state differently, and what their titles say.

use std::sync::Arc;

use super::classify::Findings;
use super::subject::Subject;
use super::tokens::{Class, Tokens};
use super::{Kind, Seen, han, hundredths, titles};
use crate::assemble::difference::Stretch;

/// From so many words in common on, a statement with another fact is the same statement even where its subject is only
/// implied, if nothing else in the corpus says the same of others;
const SPECIFIC: f64 = 7.0;
/// and from so many if it points at the subject of its article ("It", "该镇").
const VERY_SPECIFIC: f64 = 10.0;

/// A word has about two ideographs.
const IDEOGRAPH: f64 = 0.5;

/// What is less certain is not believed.
const LEAST_CERTAIN: f64 = 0.4;

/// What is known of two statements that state something differently.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Evidence {
    /// Numbers, names and opposites that differ.
    pub(super) facts: usize,
    /// Stretches of other words.
    pub(super) wordings: usize,
    /// Numbers that both state,
    pub(super) common_numbers: usize,
    /// names, other than those of the titles,
    pub(super) common_names: usize,
    /// and all words but those that hold a sentence together. Two ideographs count as a word.
    pub(super) common_words: f64,
    /// The share of all words that both have.
    pub(super) common_share: f64,
    /// Whether each names what its article is about in full, and not what the other's is.
    pub(super) own_subjects: bool,
    /// Whether the titles are those of different subjects,
    pub(super) unrelated: bool,
    /// or of different parts of one.
    pub(super) siblings: bool,
    /// Whether both mention what one of the articles is about,
    pub(super) mentioned: bool,
    /// or neither has any word of a title.
    pub(super) names_none: bool,
    /// Whether the subject of both is implied.
    pub(super) implied: bool,
    /// Whether both point at the subject of their article: "It", "该镇", "此站".
    pub(super) points: bool,
    /// Whether both say 本站, which is the subject of their own article.
    pub(super) says_own: bool,
    /// Whether both begin with the same name.
    pub(super) common_head: bool,
    /// Whether each is about what its article is about.
    pub(super) of_articles: bool,
    /// Another place or time at the beginning.
    pub(super) setting: bool,
}

impl Evidence {
    /// Whether the facts are those of one subject or of two.
    pub(super) fn decide(&self, findings: &Findings, seen: Seen) -> (Kind, f64) {
        if findings.subject || self.own_subjects {
            return (Kind::Template, 0.95);
        }
        let (is_frame, are_siblings) = match seen {
            Seen::Alone => (false, false),
            Seen::Among {
                is_frame,
                are_siblings,
            } => (is_frame, are_siblings),
        };
        if is_frame && self.unrelated {
            return (Kind::Template, 0.9);
        }
        // What 本站 is said of is not what both mention.
        let elsewhere = self.unrelated && (!self.mentioned || self.says_own);
        let is_other_item = findings.item && (self.facts > 1 || elsewhere);
        // A list of others names in each article those that it is not about.
        let is_among_others = findings.crossed || findings.titled;
        if elsewhere && (findings.designation || is_among_others) {
            return (Kind::Template, 0.8);
        }
        let by_article = self.of_articles
            || self.points
            || (!self.common_head && (self.names_none || self.facts >= 3 || self.siblings));
        let set_elsewhere = self.setting && findings.names > 0 && self.facts > 1 && self.implied;
        if is_other_item || set_elsewhere {
            return (Kind::Template, 0.7);
        }
        if elsewhere && by_article && (are_siblings || !self.is_specific(seen)) {
            return (Kind::Template, if are_siblings { 0.8 } else { 0.6 });
        }
        let confidence = self.confidence(are_siblings);
        if confidence < LEAST_CERTAIN {
            return (Kind::Template, 0.5);
        }
        (Kind::FactualDrift, confidence)
    }

    /// Whether two statements that share so much are one, whatever it is about. Of a pair without a corpus that cannot be
    /// told: a frame may be long.
    fn is_specific(&self, seen: Seen) -> bool {
        let least = match (self.facts, self.points) {
            (1, false) => SPECIFIC,
            (1, true) => VERY_SPECIFIC,
            _ => return false,
        };
        let is_reworded = self.wordings > 1;
        seen != Seen::Alone && !self.siblings && !is_reworded && self.common_words >= least
    }

    /// How certain it is that both are about the same and state it differently.
    fn confidence(&self, are_siblings: bool) -> f64 {
        let mut certain = 0.45;
        if self.mentioned {
            certain += 0.3;
        } else if !self.unrelated {
            certain += 0.2;
        } else if self.common_head {
            certain += 0.1;
        }
        certain += 0.02 * (self.common_words - 6.0).clamp(-6.0, 10.0);
        certain += 0.03 * self.common_numbers.min(2) as f64;
        certain += 0.02 * self.common_names.min(4) as f64;
        certain -= 0.08 * self.facts.saturating_sub(1).min(4) as f64;
        certain -= 0.03 * self.wordings.saturating_sub(1).min(5) as f64;
        if self.unrelated && !self.mentioned {
            certain -= if self.implied || self.siblings {
                0.1
            } else {
                0.0
            };
            certain -= if are_siblings { 0.2 } else { 0.0 };
        }
        hundredths(certain.clamp(0.05, 0.99))
    }
}

/// What evidence is drawn from.
pub(super) struct Compared<'a> {
    pub(super) texts: &'a [Arc<Tokens>; 2],
    pub(super) titles: &'a [Arc<Tokens>; 2],
    pub(super) subjects: [&'a Subject; 2],
    pub(super) stretches: &'a [Stretch],
    pub(super) findings: &'a Findings,
}

impl Compared<'_> {
    pub(super) fn evidence(&self) -> Evidence {
        let [a, b] = self.titles;
        let [left, right] = self.texts;
        let mentioned = |title: &Tokens| {
            let mut texts = self.texts.iter();
            title.len() > 0 && texts.all(|text| text.forms().contains(title.forms()))
        };
        let has = |at: usize, title: &Tokens| {
            title.len() > 0 && self.texts[at].forms().contains(title.forms())
        };
        // Also "X 4 was released" in X 4, "X 4 Special was released" in X 4 Special: the latter does not mention X 4.
        let is_part = |inner: &Tokens, outer: &Tokens| outer.forms().contains(inner.forms());
        let own_subjects = titles::are_namesakes(a, b)
            || a.forms() != b.forms()
                && has(0, a)
                && has(1, b)
                && (!has(0, b) || is_part(b, a))
                && (!has(1, a) || is_part(a, b));
        let named = |at: usize| titles::is_named(self.subjects[at], &self.texts[at], self.titles);
        let heads = [0, 1].map(|at: usize| self.texts[at].forms_of(&self.subjects[at].head));
        let word_of = |title: &Tokens| {
            let mut texts = self.texts.iter();
            texts.any(|text| titles::has_word_of(text, title))
        };
        let mut evidence = Evidence {
            facts: self.findings.facts(),
            wordings: self.findings.wordings,
            setting: self.findings.setting,
            own_subjects,
            unrelated: titles::are_unrelated(a, b),
            siblings: titles::are_siblings(a, b),
            mentioned: mentioned(a) || mentioned(b),
            names_none: !word_of(a) && !word_of(b),
            implied: self.subjects.iter().all(|subject| subject.implied),
            points: [0, 1]
                .iter()
                .all(|&at| self.subjects[at].points(&self.texts[at])),
            says_own: self.texts.iter().all(|text| Subject::says_own(text)),
            common_head: named(0) && named(1) && heads[0] == heads[1],
            of_articles: titles::is_of_article(self.subjects[0], left, a, b)
                && titles::is_of_article(self.subjects[1], right, b, a),
            ..Evidence::default()
        };
        self.count_common(&mut evidence);
        evidence
    }

    /// Counts what stands in no stretch that differs.
    fn count_common(&self, evidence: &mut Evidence) {
        let [left, right] = self.texts;
        let mut at = 0;
        let mut names: Vec<u64> = Vec::new();
        let weight = |class: Class| match class {
            Class::Ideograph => IDEOGRAPH,
            Class::Mark => 0.0,
            Class::Word | Class::Number | Class::Link => 1.0,
        };
        let weigh = |tokens: &Tokens| -> f64 {
            let all = tokens.all.iter();
            all.map(|token| weight(token.class)).sum()
        };
        let mut common = 0.0;
        let ends = self.stretches.iter().map(|stretch| stretch.a.clone());
        for stretch in ends.chain(std::iter::once(left.len()..left.len())) {
            for token in &left.all[at.min(stretch.start)..stretch.start] {
                common += weight(token.class);
                let is_function = match token.class {
                    Class::Ideograph => han::is_function(left.form(at)),
                    _ => token.holds_together,
                };
                if !is_function {
                    evidence.common_words += weight(token.class);
                }
                match token.class {
                    Class::Number => evidence.common_numbers += 1,
                    Class::Word if token.capital && at > 0 && !is_function => {
                        let titled = self.titles.iter().any(|title| title.has(token.id));
                        if !titled && !names.contains(&token.id) {
                            names.push(token.id);
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            at = stretch.end;
        }
        evidence.common_names = names.len();
        let all = weigh(left).max(weigh(right));
        evidence.common_share = if all > 0.0 { common / all } else { 0.0 };
    }
}
