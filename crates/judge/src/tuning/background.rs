//! A corpus to expect something of: its own texts, or those of the labelled pairs.
//!
//! What of it is like what is found by [neighbours](super::neighbours). Where the texts of the labelled pairs stand for a
//! corpus, pairs that are labelled are left out: they were chosen, and a corpus has fewer of their kind.

use lookalike_kernel::{Spec, jobs};

use super::expectation::{PrevalenceFrom, Sampled, Scores};
use super::linked::LinkedTexts;
use super::neighbours::{Neighbourhood, nearest};
use crate::Error;
use crate::gold::{LabelledTexts, Text};
use crate::learn::Generator;
use crate::scoring::PairScorer;

/// Texts to compare labelled pairs with.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    /// Some of its records, or all.
    pub texts: Vec<Text>,
    /// How many records it has.
    pub records: u64,
}

/// From this share of labelled texts in a corpus on the labels are about it.
const ABOUT_IT: f64 = 0.5;

/// A corpus to expect something of: its own texts, or those of the labelled pairs.
pub(super) struct Background<'p> {
    /// Each once.
    texts: Vec<&'p Text>,
    records: u64,
    /// The share of records that are copies of others.
    copies: f64,
    /// For each text the group of those labelled as near-duplicates, if it has any.
    group_of: Vec<Option<usize>>,
    /// Pairs of texts that are labelled as no near-duplicates, sorted, the earlier first.
    told_apart: Vec<[usize; 2]>,
    /// Whether labelled pairs are those of a list, and not of the corpus.
    is_list: bool,
    /// The share of texts that are labelled as having a near-duplicate, where that says something.
    prevalence: Option<f64>,
}

/// The pairs of sampled texts with what is nearest to them.
pub(super) struct Near {
    pub(super) pairs: Vec<LabelledTexts>,
    /// How many pairs each sampled text has.
    counts: Vec<usize>,
    /// For each text that was searched so many records.
    records_a_text: f64,
    /// How many texts were searched.
    pub(super) texts: usize,
}

impl Near {
    /// How many texts were sampled.
    pub(super) fn sampled(&self) -> usize {
        self.counts.len()
    }
}

impl<'p> Background<'p> {
    pub(super) fn new(
        corpus: Option<&'p Corpus>,
        (linked, pairs): (&LinkedTexts<'p>, &[LabelledTexts]),
    ) -> Self {
        let groups = linked.groups(|pair| pairs[pair].same);
        let mut background = Background {
            texts: linked.texts.clone(),
            records: linked.texts.len() as u64,
            copies: 0.0,
            group_of: groups.iter().copied().map(Some).collect(),
            told_apart: Vec::new(),
            is_list: true,
            // Pairs are chosen, and many of those chosen are near-duplicates.
            prevalence: None,
        };
        if let Some(corpus) = corpus {
            background.take(corpus, linked, &groups);
        }
        let apart = linked
            .pairs
            .iter()
            .zip(pairs)
            .filter(|(_, pair)| !pair.same);
        let place = |text: usize| background.texts.binary_search(&linked.texts[text]).ok();
        let apart = apart.filter_map(|(&[a, b], _)| Some([place(a)?, place(b)?]));
        let mut apart: Vec<[usize; 2]> = apart.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        apart.sort_unstable();
        background.told_apart = apart;
        background
    }

    /// Labels of a sample do not tell how many records have a near-duplicate.
    pub(super) fn do_not_count(&mut self) {
        self.prevalence = None;
    }

    /// A corpus instead of the texts of the list.
    fn take(&mut self, corpus: &'p Corpus, linked: &LinkedTexts<'p>, groups: &[usize]) {
        let mut texts: Vec<&Text> = corpus.texts.iter().collect();
        texts.sort_unstable();
        texts.dedup();
        let place = |text: &&Text| linked.texts.binary_search(text).ok();
        let group_of = texts.iter().map(|text| Some(groups[place(text)?]));
        self.group_of = group_of.collect();
        let known = self.group_of.iter().flatten().count();
        let is_labelled = known as f64 >= ABOUT_IT * linked.texts.len() as f64;
        let distinct = texts.len().max(1) as f64;
        self.prevalence = is_labelled.then(|| with_another(&self.group_of) as f64 / distinct);
        self.records = corpus.records;
        self.copies = 1.0 - distinct / corpus.texts.len().max(1) as f64;
        self.is_list = false;
        self.texts = texts;
    }

    /// The pairs of a sample of the texts with what is nearest to them.
    pub(super) fn nearest(&self, spec: &Spec) -> Near {
        let mut near = Near {
            pairs: Vec::new(),
            counts: Vec::new(),
            records_a_text: (1.0 - self.copies) * self.records as f64
                / self.texts.len().max(1) as f64,
            texts: self.texts.len(),
        };
        for Neighbourhood { text, neighbours } in self.neighbourhoods(spec, |_| true) {
            let before = near.pairs.len();
            for other in neighbours {
                if !self.is_list || !self.is_labelled(text, other) {
                    near.pairs.push(self.pair(text, other));
                }
            }
            near.counts.push(near.pairs.len() - before);
        }
        near
    }

    /// What a model, given as a spec, says of them. With it come the scores of labelled pairs that the model has not seen.
    pub(super) fn scores(
        &self,
        near: &Near,
        (spec, prevalence): (&Spec, Option<f64>),
        labelled: &[(f64, bool)],
    ) -> Result<Scores, Error> {
        let scores = PairScorer::new(&near.pairs)
            .with_fields(&spec.input.fields)
            .score(spec)?;
        let mut scores = scores.into_iter().map(|score| score.unwrap_or(0.0));
        let counts = near.counts.iter();
        let neighbours = counts.map(|&count| scores.by_ref().take(count).collect());
        let sampled = Sampled {
            neighbours: neighbours.collect(),
            records_a_text: near.records_a_text,
            copies: self.copies,
            records: self.records,
        };
        let given = prevalence.map(|share| (share, PrevalenceFrom::Given));
        let counted = || {
            self.prevalence
                .map(|share| (share, PrevalenceFrom::Counted))
        };
        let prevalence = given.or_else(counted);
        Ok(Scores::new(sampled, labelled, prevalence))
    }

    /// What is nearest to a sample of the texts that are wanted.
    fn neighbourhoods(&self, spec: &Spec, is_wanted: impl Fn(usize) -> bool) -> Vec<Neighbourhood> {
        let fields = &spec.input.fields;
        let whole: Vec<String> = self.texts.iter().map(|text| joined(text, fields)).collect();
        let whole: Vec<&str> = whole.iter().map(String::as_str).collect();
        let wanted = (0..whole.len()).filter(|&text| is_wanted(text)).collect();
        let options = jobs::text_of_question(spec.text);
        nearest(&whole, wanted, (options, spec.seed.seed()))
    }

    /// Whether two texts are labelled as near-duplicates, directly or by way of others, or as none.
    fn is_labelled(&self, a: usize, b: usize) -> bool {
        let are_same = self.group_of[a].is_some() && self.group_of[a] == self.group_of[b];
        are_same || self.told_apart.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }

    fn pair(&self, a: usize, b: usize) -> LabelledTexts {
        LabelledTexts {
            a: self.texts[a].clone(),
            b: self.texts[b].clone(),
            same: false,
        }
    }
}

/// Pairs of a corpus that nobody has linked, to learn from beside pairs that are all near-duplicates: for each of their texts
/// the strangers that are nearest, and as many pairs by chance.
pub fn sample_strangers(
    pairs: &[LabelledTexts],
    corpus: &Corpus,
    spec: &Spec,
) -> Vec<LabelledTexts> {
    /// Of each text.
    const NEAREST: usize = 3;
    let linked = LinkedTexts::new(pairs);
    let background = Background::new(Some(corpus), (&linked, pairs));
    let mut random = Generator::new(spec.seed.seed());
    let mut sampled = Vec::new();
    let has_link = |text: usize| background.group_of[text].is_some();
    for Neighbourhood { text, neighbours } in background.neighbourhoods(spec, has_link) {
        let is_stranger = |other: usize| other != text && !background.is_labelled(text, other);
        let strangers = neighbours.into_iter().filter(|&other| is_stranger(other));
        for other in strangers.take(NEAREST) {
            sampled.push(background.pair(text, other));
            let chosen = random.below(background.texts.len());
            if is_stranger(chosen) {
                sampled.push(background.pair(text, chosen));
            }
        }
    }
    sampled
}

/// How many are in a group with another.
fn with_another(group_of: &[Option<usize>]) -> usize {
    let mut groups: Vec<usize> = group_of.iter().flatten().copied().collect();
    groups.sort_unstable();
    let groups = groups.chunk_by(|one, two| one == two);
    groups.map(<[usize]>::len).filter(|&size| size > 1).sum()
}

/// The fields that are compared, or all of them.
fn joined(text: &Text, fields: &[String]) -> String {
    match text {
        Text::Whole(text) => text.clone(),
        Text::Fields(own) if fields.is_empty() => own
            .values()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n"),
        Text::Fields(own) => {
            let there = fields.iter().filter_map(|name| own.get(name));
            there.map(String::as_str).collect::<Vec<_>>().join("\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::Whole(text.to_string())
    }

    fn pair(a: &str, b: &str, same: bool) -> LabelledTexts {
        LabelledTexts {
            a: text(a),
            b: text(b),
            same,
        }
    }

    fn counts(corpus: Option<&Corpus>, pairs: &[LabelledTexts]) -> Vec<usize> {
        let linked = LinkedTexts::new(pairs);
        let near = Background::new(corpus, (&linked, pairs)).nearest(&Spec::default());
        let mut counts = near.counts;
        counts.sort_unstable();
        counts
    }

    #[test]
    fn labelled_pairs_of_a_list_are_left_out() {
        let pairs = [
            pair("red kettle", "red kettle boils", true),
            pair("blue kettle", "grün kettle", false),
        ];
        // Everybody has a kettle; the red ones know each other, and so do the others.
        assert_eq!(counts(None, &pairs), [2; 4]);
    }

    #[test]
    fn a_corpus_that_the_labels_are_about_tells_how_many_have_a_near_duplicate() {
        let pairs = [
            pair("渡轮几点开", "渡轮几点走", true),
            pair("x", "y", false),
        ];
        let linked = LinkedTexts::new(&pairs);
        let texts = ["渡轮几点开", "渡轮几点走", "渡轮在哪", "y", "y"].map(text);
        let corpus = Corpus {
            texts: texts.to_vec(),
            records: 50,
        };
        let background = Background::new(Some(&corpus), (&linked, &pairs));
        assert_eq!(background.prevalence, Some(0.5));
        assert!((background.copies - 0.2).abs() < 1e-12);
        assert_eq!(background.nearest(&Spec::default()).records_a_text, 10.0);
        assert_eq!(counts(Some(&corpus), &pairs), [0, 2, 2, 2]);
        let other = Corpus {
            texts: ["渡轮几点开", "a", "b"].map(text).to_vec(),
            records: 3,
        };
        let other = Background::new(Some(&other), (&linked, &pairs));
        assert_eq!(other.prevalence, None);
    }

    #[test]
    fn pairs_sampled_beside_links_are_linked_by_none() {
        let pairs = [pair("red kettle", "red kettle boils", true)];
        let texts = [
            "red kettle",
            "red kettle boils",
            "blue kettle",
            "渡轮几点走",
        ]
        .map(text);
        let corpus = Corpus {
            texts: texts.to_vec(),
            records: 4,
        };
        let sampled = sample_strangers(&pairs, &corpus, &Spec::default());
        assert!(sampled.len() >= 2, "{sampled:?}");
        let is_red = |side: &Text| texts[..2].contains(side);
        assert!(
            sampled
                .iter()
                .all(|pair| !pair.same && is_red(&pair.a) && !is_red(&pair.b))
        );
    }
}
