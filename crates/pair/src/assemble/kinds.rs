//! What kind of change is between two similar statements? Two sentences of an encyclopedia come in, each with the title
//! of its article; out goes whether they are the same, edited, in conflict, about different subjects, or citations
//! (Ayhan et al., Similar Sentence Detection, section 6.1), and which words differ. `docs/kinds.md` has the rules in order.
//!
//! ```
//! use lookalike_pair::assemble::{Comparer, Kind, Statement};
//!
//! let mut comparer = Comparer::new();
//! let a = Statement::new("Obama had an approval rating of 56% by the end of his term in 2012.");
//! let b = Statement::new("Obama had an approval rating of 46% by the end of his term in 2012.");
//! let change = comparer.compare(a, b);
//! assert_eq!(change.kind, Kind::FactualDrift);
//! assert_eq!(change.changed, [("56%".to_owned(), "46%".to_owned())]);
//! ```

mod align;
mod capitals;
mod citation;
mod classify;
mod codes;
mod difference;
mod editions;
mod evidence;
mod exchange;
mod han;
mod identical;
mod links;
mod moves;
mod names;
mod numbers;
mod questions;
mod shape;
mod signs;
mod subject;
#[cfg(test)]
mod tests;
mod titles;
mod tokens;
mod words;

use std::sync::Arc;

use lookalike_text::hash::{Seed, hash64, mix64};
use lookalike_text::{Tokenizer, policy};
use serde::{Deserialize, Serialize};

use self::align::Diff;
use self::classify::{Classifier, Findings, Side};
pub use self::difference::{Difference, RecordChange, RecordComparer};
use self::evidence::{Compared, Evidence};
use self::identical::Sameness;
use self::subject::Subject;
use self::tokens::{Class, Recent, Tokens};

policy!(
    /// What kind of change is between two similar statements.
    #[derive(PartialOrd, Ord)]
    Kind, "kind", "identical, copy-edit, factual-drift, template, reference or other",
    /// The same text, up to Unicode forms, white space and the glyphs of quotes and dashes.
    Identical = "identical",
    /// The same statement in other words; what both state is the same.
    CopyEdit = "copy-edit",
    /// The same statement with another number, date, name or opposite.
    FactualDrift = "factual-drift",
    /// The same frame about another subject.
    Template = "template",
    /// Citations.
    Reference = "reference",
    /// Similar letters, but no statements: headings, lists, formulae, markup.
    Other = "other",
);

/// A sentence and where it stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement<'a> {
    /// The sentence.
    pub text: &'a str,
    /// The title of its article, if known.
    pub title: Option<&'a str>,
    /// Whether it is from a list of references or external links.
    pub in_references: bool,
}

impl<'a> Statement<'a> {
    /// A sentence of which nothing else is known.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

/// What is between two statements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What kind of change it is,
    pub kind: Kind,
    /// and how certain that is, from 0 to 1, in hundredths.
    pub confidence: f64,
    /// The differing words as they are written, in order, first those of the first statement; `""` where words were
    /// inserted or deleted. What differs in case, script, punctuation or the writing of a number only is not listed.
    pub changed: Vec<(String, String)>,
}

/// What the other statements of a corpus say of two of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Seen {
    /// Nothing is known of others.
    #[default]
    Alone,
    /// A corpus was looked through.
    Among {
        /// Whether what both have in common stands in three or more articles of different titles, with other facts in each.
        is_frame: bool,
        /// Whether their articles also say the same of different subjects elsewhere.
        are_siblings: bool,
    },
}

/// What two statements tell of others, for [`Seen`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outline {
    /// Whether they state different facts in articles about different subjects,
    pub is_elsewhere: bool,
    /// and name different subjects.
    pub has_subjects: bool,
    /// A number for the names and numbers of each that the other one does not have.
    pub fillings: [u64; 2],
}

/// Compares statements, in buffers that are used again: make one for each thread.
pub struct Comparer {
    tokenizer: Tokenizer,
    sameness: Sameness,
    recent: Recent<Tokens>,
    recent_forms: Recent<Form>,
    texts: [Arc<Tokens>; 2],
    forms: [Arc<Form>; 2],
    titles: [Arc<Tokens>; 2],
    diff: Diff,
}

/// What a statement is by itself.
#[derive(Debug, Default)]
struct Form {
    /// See [`citation::signs`].
    signs: u32,
    is_code: bool,
    is_fragment: bool,
    subject: Subject,
}

impl Form {
    fn of(text: &str, tokens: &Tokens) -> Self {
        Form {
            signs: citation::signs(text, tokens),
            is_code: shape::is_code(text, tokens),
            is_fragment: shape::is_fragment(text, tokens),
            subject: Subject::of(tokens),
        }
    }
}

impl Default for Comparer {
    fn default() -> Self {
        Self::new()
    }
}

impl Comparer {
    /// A comparer.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tokenizer: tokens::tokenizer(),
            sameness: Sameness::default(),
            recent: Recent::default(),
            recent_forms: Recent::default(),
            texts: Default::default(),
            forms: Default::default(),
            titles: Default::default(),
            diff: Diff::default(),
        }
    }

    /// What is between two statements that are known to be similar. The other way round, the kind is the same and
    /// what changed is mirrored.
    pub fn compare(&mut self, a: Statement<'_>, b: Statement<'_>) -> Change {
        self.compare_seen(a, b, Seen::Alone)
    }

    /// The same, where it is known what others of the corpus say.
    pub fn compare_seen(&mut self, a: Statement<'_>, b: Statement<'_>, seen: Seen) -> Change {
        // An alignment is one of several that are as good; one order makes it the same both ways.
        if a <= b {
            return self.compare_in_order(a, b, seen);
        }
        let mut change = self.compare_in_order(b, a, seen);
        for (from, to) in &mut change.changed {
            std::mem::swap(from, to);
        }
        change
    }

    /// What two similar statements tell of others; none if they state no different facts.
    pub fn outline(&mut self, a: Statement<'_>, b: Statement<'_>) -> Option<Outline> {
        if a > b {
            let mut outline = self.outline(b, a)?;
            outline.fillings.reverse();
            return Some(outline);
        }
        if self.sameness.are_identical(a.text, b.text) {
            return None;
        }
        self.read(a, b);
        let known = self.known(a, b);
        let Known::Facts(findings, evidence) = known else {
            return None;
        };
        let [left, right] = &self.texts;
        let stretches = &self.diff.stretches;
        let of_a = stretches.iter().flat_map(|stretch| stretch.a.clone());
        let of_b = stretches.iter().flat_map(|stretch| stretch.b.clone());
        Some(Outline {
            is_elsewhere: evidence.unrelated,
            has_subjects: findings.subject,
            fillings: [filling(left, of_a), filling(right, of_b)],
        })
    }

    fn read(&mut self, a: Statement<'_>, b: Statement<'_>) {
        let mut tokens = |text: &str| {
            let tokenizer = &mut self.tokenizer;
            self.recent.get(text, || Tokens::of(tokenizer, text))
        };
        self.texts = [a, b].map(|statement| tokens(statement.text));
        self.titles = [a, b].map(|statement| tokens(statement.title.unwrap_or_default()));
        let [left, right] = &self.texts;
        self.forms = [(a.text, left), (b.text, right)].map(|(text, tokens)| {
            let form = || Form::of(text, tokens);
            self.recent_forms.get(text, form)
        });
        self.diff.find(left, right);
    }

    fn compare_in_order(&mut self, a: Statement<'_>, b: Statement<'_>, seen: Seen) -> Change {
        if self.sameness.are_identical(a.text, b.text) {
            return Change {
                kind: Kind::Identical,
                confidence: 1.0,
                changed: Vec::new(),
            };
        }
        self.read(a, b);
        let (kind, confidence) = self.known(a, b).decide(seen);
        Change {
            kind,
            confidence,
            changed: self.changed(a.text, b.text),
        }
    }

    /// What the rules for the form of statements leave: the first that applies decides.
    fn known(&self, a: Statement<'_>, b: Statement<'_>) -> Known {
        let [left, right] = &self.forms;
        if are_references((a, left), (b, right)) {
            return Known::References;
        }
        if left.is_code && right.is_code {
            return Known::NoStatements;
        }
        let subjects = [&left.subject, &right.subject];
        let side = |at: usize| Side {
            tokens: &self.texts[at],
            title: &self.titles[at],
            subject: subjects[at],
        };
        let classifier = Classifier {
            a: side(0),
            b: side(1),
            stretches: &self.diff.stretches,
        };
        let findings = classifier.find();
        if left.is_fragment && right.is_fragment && findings.facts() + findings.wordings > 0 {
            return Known::NoStatements;
        }
        let is_same = findings.facts() == 0 || findings.is_reworded();
        if is_same && !findings.subject {
            return Known::Wording(findings.wordings);
        }
        let compared = Compared {
            texts: &self.texts,
            titles: &self.titles,
            subjects,
            stretches: &self.diff.stretches,
            findings: &findings,
        };
        let evidence = compared.evidence();
        Known::Facts(findings, evidence)
    }

    fn changed(&self, a: &str, b: &str) -> Vec<(String, String)> {
        let [left, right] = &self.texts;
        let says = |tokens: &Tokens, range: &std::ops::Range<usize>| {
            tokens.all[range.clone()]
                .iter()
                .any(|token| token.class != Class::Mark)
        };
        let stretches = self.diff.stretches.iter();
        stretches
            .filter(|stretch| says(left, &stretch.a) || says(right, &stretch.b))
            .map(|stretch| {
                let from = written(left, &stretch.a, a);
                (from.to_owned(), written(right, &stretch.b, b).to_owned())
            })
            .collect()
    }
}

/// What two statements are by themselves.
enum Known {
    References,
    NoStatements,
    /// So many stretches of other words, and the same facts.
    Wording(usize),
    Facts(Findings, Evidence),
}

impl Known {
    /// The kind and how certain it is.
    fn decide(self, seen: Seen) -> (Kind, f64) {
        match self {
            Known::References => (Kind::Reference, 0.9),
            Known::NoStatements => (Kind::Other, 0.8),
            Known::Wording(stretches) => {
                let fewer = hundredths(0.95 - 0.05 * stretches as f64);
                (Kind::CopyEdit, fewer.max(0.5))
            }
            Known::Facts(findings, evidence) => evidence.decide(&findings, seen),
        }
    }
}

fn hundredths(share: f64) -> f64 {
    (100.0 * share).round() / 100.0
}

/// A number for the names and numbers among some tokens; an ideograph may be part of a name.
fn filling(tokens: &Tokens, among: impl Iterator<Item = usize>) -> u64 {
    let states = |at: &usize| {
        let token = &tokens.all[*at];
        match token.class {
            Class::Number | Class::Ideograph => true,
            Class::Word => token.capital && !token.holds_together,
            Class::Mark | Class::Link => false,
        }
    };
    let stated = among.filter(states);
    stated.fold(hash64(b"", Seed(0)), |all, at| {
        mix64(all ^ tokens.all[at].id)
    })
}

/// Some neighbours as they are written in their text.
fn written<'t>(tokens: &Tokens, range: &std::ops::Range<usize>, text: &'t str) -> &'t str {
    let of = tokens.all.get(range.clone()).unwrap_or_default();
    let source = of
        .first()
        .zip(of.last())
        .and_then(|(first, last)| text.get(first.source.start..last.source.end));
    source.unwrap_or_default()
}

fn are_references((a, left): (Statement<'_>, &Form), (b, right): (Statement<'_>, &Form)) -> bool {
    if a.in_references && b.in_references {
        return true;
    }
    let (x, y) = (left.signs, right.signs);
    let either = a.in_references || b.in_references;
    (x.max(y) >= citation::CLEARLY && x.min(y) > 0) || (either && x.max(y) >= citation::CLEARLY)
}
