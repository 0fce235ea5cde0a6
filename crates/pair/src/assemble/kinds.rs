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
mod citation;
mod classify;
mod han;
mod identical;
mod moves;
mod names;
mod numbers;
mod shape;
mod subject;
#[cfg(test)]
mod tests;
mod titles;
mod tokens;
mod words;

use lookalike_text::{Tokenizer, policy};
use serde::{Deserialize, Serialize};

use self::align::Diff;
use self::classify::{Classifier, Findings, Side};
use self::identical::Sameness;
use self::subject::Subject;
use self::tokens::{Class, Tokens};

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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What kind of change it is.
    pub kind: Kind,
    /// The differing words as they are written, in order, first those of the first statement; `""` where words were
    /// inserted or deleted. What differs in case, script, punctuation or the writing of a number only is not listed.
    pub changed: Vec<(String, String)>,
}

/// Compares statements, in buffers that are used again: make one for each thread.
pub struct Comparer {
    tokenizer: Tokenizer,
    sameness: Sameness,
    texts: [Tokens; 2],
    titles: [Tokens; 2],
    diff: Diff,
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
            texts: Default::default(),
            titles: Default::default(),
            diff: Diff::default(),
        }
    }

    /// What is between two statements that are known to be similar. The other way round, the kind is the same and
    /// what changed is mirrored.
    pub fn compare(&mut self, a: Statement<'_>, b: Statement<'_>) -> Change {
        // An alignment is one of several that are as good; one order makes it the same both ways.
        if a <= b {
            return self.compare_in_order(a, b);
        }
        let mut change = self.compare_in_order(b, a);
        for (from, to) in &mut change.changed {
            std::mem::swap(from, to);
        }
        change
    }

    fn compare_in_order(&mut self, a: Statement<'_>, b: Statement<'_>) -> Change {
        if self.sameness.are_identical(a.text, b.text) {
            return Change {
                kind: Kind::Identical,
                changed: Vec::new(),
            };
        }
        for (side, statement) in [a, b].into_iter().enumerate() {
            self.texts[side].read(&mut self.tokenizer, statement.text);
            self.titles[side].read(&mut self.tokenizer, statement.title.unwrap_or_default());
        }
        let [left, right] = &self.texts;
        self.diff.find(left, right);
        Change {
            kind: self.kind(a, b),
            changed: self.changed(a.text, b.text),
        }
    }

    /// The rules, in order: the first that applies decides.
    fn kind(&self, a: Statement<'_>, b: Statement<'_>) -> Kind {
        let [left, right] = &self.texts;
        if are_references(a, left, b, right) {
            return Kind::Reference;
        }
        if shape::is_code(a.text, left) && shape::is_code(b.text, right) {
            return Kind::Other;
        }
        let subjects = [Subject::of(left), Subject::of(right)];
        let side = |at: usize| Side {
            tokens: &self.texts[at],
            title: &self.titles[at],
            subject: &subjects[at],
        };
        let classifier = Classifier {
            a: side(0),
            b: side(1),
            stretches: &self.diff.stretches,
        };
        let findings = classifier.find();
        if shape::is_fragment(a.text, left)
            && shape::is_fragment(b.text, right)
            && findings.facts() + findings.wordings > 0
        {
            return Kind::Other;
        }
        if self.is_template(&findings, &subjects) {
            return Kind::Template;
        }
        if findings.facts() > 0 {
            return Kind::FactualDrift;
        }
        Kind::CopyEdit
    }

    fn is_template(&self, findings: &Findings, subjects: &[Subject; 2]) -> bool {
        let [a, b] = &self.titles;
        let implied = subjects.iter().all(|subject| subject.implied);
        // What both mention, both are about.
        let mentioned = |title: &Tokens| {
            self.texts
                .iter()
                .all(|text| text.forms().contains(title.forms()))
        };
        let elsewhere =
            findings.facts() > 0 && titles::are_unrelated(a, b) && !mentioned(a) && !mentioned(b);
        let named = |at: usize| titles::is_named(&subjects[at], &self.texts[at], &self.titles);
        let common = named(0) && named(1) && self.has_common_head(subjects);
        let of_articles = titles::is_of_article(&subjects[0], &self.texts[0], a, b)
            && titles::is_of_article(&subjects[1], &self.texts[1], b, a);
        let names_none = || {
            let texts = self.texts.iter();
            texts
                .flat_map(|text| [(text, a), (text, b)])
                .all(|(text, title)| !titles::has_word_of(text, title))
        };
        findings.subject
            || (elsewhere && of_articles)
            || (elsewhere && !common && names_none())
            || (elsewhere && !common && (findings.facts() >= 3 || titles::are_siblings(a, b)))
            || (findings.setting && findings.names > 0 && findings.facts() > 1 && implied)
    }

    /// Whether both statements begin with the same subject.
    fn has_common_head(&self, [a, b]: &[Subject; 2]) -> bool {
        self.texts[0].forms_of(&a.head) == self.texts[1].forms_of(&b.head)
    }

    fn changed(&self, a: &str, b: &str) -> Vec<(String, String)> {
        let [left, right] = &self.texts;
        let says = |tokens: &Tokens, range: &std::ops::Range<usize>| {
            tokens.all[range.clone()]
                .iter()
                .any(|token| token.class != Class::Mark)
        };
        let written = |tokens: &Tokens, range: &std::ops::Range<usize>, text: &str| {
            let of = &tokens.all[range.clone()];
            let source = of
                .first()
                .zip(of.last())
                .and_then(|(first, last)| text.get(first.source.start..last.source.end));
            source.unwrap_or_default().to_owned()
        };
        let stretches = self.diff.stretches.iter();
        stretches
            .filter(|stretch| says(left, &stretch.a) || says(right, &stretch.b))
            .map(|stretch| (written(left, &stretch.a, a), written(right, &stretch.b, b)))
            .collect()
    }
}

fn are_references(a: Statement<'_>, left: &Tokens, b: Statement<'_>, right: &Tokens) -> bool {
    if a.in_references && b.in_references {
        return true;
    }
    let (x, y) = (
        citation::signs(a.text, left),
        citation::signs(b.text, right),
    );
    let either = a.in_references || b.in_references;
    (x.max(y) >= citation::CLEARLY && x.min(y) > 0) || (either && x.max(y) >= citation::CLEARLY)
}
