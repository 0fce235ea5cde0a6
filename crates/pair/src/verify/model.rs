//! Several measures as one: a combination whose weights were chosen or learnt from labelled pairs.
//!
//! Each part describes the unit, or one of its fields, in its own way. Kept: for each part the number of its words, then
//! the words. All combinations are monotone, so a pair is given up as soon as the parts that are left cannot make up for
//! those compared, even if they were as similar as their sizes allow.

mod combination;
mod short_answers;

use std::sync::Arc;

use lookalike_sign::features::{Background, Describe, Method};
use lookalike_sign::{Error, Features};
use lookalike_text::Unit;

use super::sets::common;
use super::{Keep, Kept, Score, Verify};
pub use combination::{Absence, Absent, Combination, Tree, filled};
pub use short_answers::ShortAnswers;

/// One of the similarities.
#[derive(Debug, Clone)]
pub struct Part {
    /// Only this field of the unit; by default all of it.
    pub field: Option<u16>,
    /// How the text is described.
    pub features: Arc<dyn Method>,
    /// How two descriptions are compared.
    pub measure: Arc<dyn Verify>,
    /// What describing needs to know; seed and lexicon are those of the run.
    pub background: Background,
}

impl Part {
    /// What describing needs to know in a run: its own, with the seed and the lexicon of the run.
    pub fn background(&self, run: &Background) -> Background {
        Background {
            seed: run.seed,
            lexicon: run.lexicon_for(&self.background.text),
            ..self.background.clone()
        }
    }

    /// Whether words have to be counted before units can be described.
    pub fn needs_statistics(&self) -> bool {
        self.features.needs_statistics(&self.background) || self.measure.needs_statistics()
    }
}

/// When one text is said to have more than the other: it contains the other and is not contained in it.
#[derive(Debug, Clone)]
pub struct MoreRule {
    /// What is looked at; its measure must be one of sets.
    pub part: Part,
    /// A text contains another if it has this share of its features.
    pub contains: f64,
}

/// Which of two texts has more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum More {
    /// The first.
    A,
    /// The second.
    B,
}

/// Several measures as one: a combination whose weights were chosen or learnt from labelled pairs.
#[derive(Debug, Clone)]
pub struct Model {
    /// Those that are combined, and last what the rule about more looks at.
    parts: Vec<Part>,
    combination: Combination,
    absence: Absence,
    /// How alike two texts must be in each part that both have, or nothing else counts; empty where that is asked of none.
    least: Vec<f64>,
    /// The same in the only part that counts, where the two have nothing in any other.
    least_alone: Vec<f64>,
    /// What answers count as that are too short for their features.
    short: Option<ShortAnswers>,
    /// The share, where there is such a rule.
    more_contains: Option<f64>,
}

impl Model {
    /// A combination of as many similarities as it has weights.
    pub fn new(parts: Vec<Part>, combination: Combination) -> Self {
        Model {
            parts,
            combination,
            absence: Absence::default(),
            least: Vec::new(),
            least_alone: Vec::new(),
            short: None,
            more_contains: None,
        }
    }

    /// The same with another treatment of what texts lack.
    #[must_use]
    pub fn with_absence(self, absence: Absence) -> Self {
        Model { absence, ..self }
    }

    /// The same, for which two texts must be at least so much alike in each part that both have.
    #[must_use]
    pub fn with_least(self, least: Vec<f64>) -> Self {
        Model { least, ..self }
    }

    /// The same, for which two texts must be at least so much alike in a part if it is the only one that counts.
    #[must_use]
    pub fn with_least_alone(self, least_alone: Vec<f64>) -> Self {
        Model {
            least_alone,
            ..self
        }
    }

    /// The same with a rule for short answers, whose words are those that the rule about more looks at.
    #[must_use]
    pub fn with_short_answers(self, short: Option<ShortAnswers>) -> Self {
        Model { short, ..self }
    }

    /// The same, able to say which text has more.
    #[must_use]
    pub fn with_more(mut self, rule: MoreRule) -> Self {
        self.parts.push(rule.part);
        self.more_contains = Some(rule.contains);
        self
    }

    /// The parts that are combined.
    pub fn combined(&self) -> &[Part] {
        &self.parts[..self.parts.len() - usize::from(self.more_contains.is_some())]
    }

    /// What the rule about more looks at, if there is one.
    pub fn more_part(&self) -> Option<&Part> {
        self.more_contains.and_then(|_| self.parts.last())
    }

    /// All parts, also those that are only looked at.
    pub fn all_parts(&self) -> &[Part] {
        &self.parts
    }

    /// What scores pairs by this model and tells what each part says.
    ///
    /// # Errors
    /// If the background lacks what a part needs of it.
    pub fn part_scorer(&self, background: &Background) -> Result<ModelScorer, Error> {
        let scorer = |part: &Part| part.measure.scorer(&part.background(background));
        let scorers = self.combined().iter().map(scorer);
        Ok(ModelScorer {
            scorers: scorers.collect::<Result<_, Error>>()?,
            model: self.clone(),
        })
    }

    /// Which of the two has more, if that is asked for and one of them contains the other.
    pub fn more(&self, a: &Kept, b: &Kept) -> Option<More> {
        match self.contained(a, b)? {
            [false, true] => Some(More::A),
            [true, false] => Some(More::B),
            _ => None,
        }
    }

    /// Whether the first says something that the second does not, where that is asked for.
    pub fn says_more(&self, a: &Kept, b: &Kept) -> bool {
        self.contained(a, b).is_some_and(|[a_in_b, _]| !a_in_b)
    }

    /// Whether what the rule about more looks at in the first is contained in the second, and the other way round.
    fn contained(&self, a: &Kept, b: &Kept) -> Option<[bool; 2]> {
        let least = self.more_contains?;
        let last = self.parts.len() - 1;
        let (a, b) = (parts(a).nth(last)?, parts(b).nth(last)?);
        let common = common(a, b, 0).unwrap_or_default();
        Some([a, b].map(|set| common as f64 >= least * set.len() as f64))
    }
}

/// Only what is clearly below is given up; the exact comparison decides.
const SLACK: f64 = 1e-9;

/// Scores pairs by a model; one per thread.
pub struct ModelScorer {
    model: Model,
    /// One a part that is combined.
    scorers: Vec<Box<dyn Score>>,
}

impl ModelScorer {
    /// The similarity of each part that is combined: none where it does not count.
    pub fn similarities(&mut self, a: &Kept, b: &Kept) -> Vec<Option<f64>> {
        let absence = self.model.absence;
        let short = self.model.short_answer(a, b);
        let both = self.scorers.iter_mut().zip(parts(a).zip(parts(b)));
        both.enumerate()
            .map(|(place, (scorer, (a, b)))| {
                absence
                    .counts(!a.is_empty(), !b.is_empty())
                    .then(|| lifted(scorer.score(a, b, 0.0).unwrap_or(0.0), place, short))
            })
            .collect()
    }

    /// Whether the weighted mean of what counts can reach `floor`: stops as soon as it cannot.
    fn mean_can_reach(&mut self, a: &Kept, b: &Kept, floor: f64) -> bool {
        let Combination::Linear { weights } = &self.model.combination else {
            return true;
        };
        // Short answers may count more than their features say.
        if self.model.short_answer(a, b).is_some() {
            return true;
        }
        let (mut sum, mut left) = (0.0, 0.0);
        let each = || self.model.combined().iter().zip(parts(a).zip(parts(b)));
        let mut total = 0.0;
        for ((part, (a, b)), weight) in each().zip(weights) {
            if self.model.absence.counts(!a.is_empty(), !b.is_empty()) {
                total += weight;
                left += weight * most_similar(part, a, b);
            }
        }
        let needed = floor * total - SLACK;
        let scorers = self.scorers.iter_mut();
        for (((part, (a, b)), &weight), scorer) in each().zip(weights).zip(scorers) {
            if weight == 0.0 || a.is_empty() || b.is_empty() {
                continue;
            }
            if sum + left < needed {
                return false;
            }
            left -= weight * most_similar(part, a, b);
            let least = ((needed - sum - left) / weight).max(0.0);
            match scorer.score(a, b, least) {
                Some(similarity) => sum += weight * similarity,
                None => return false,
            }
        }
        sum >= needed
    }
}

impl ModelScorer {
    /// The combination of what counts, unless it is below `floor`: stops as soon as it must be.
    fn combined(&mut self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        let absence = self.model.absence;
        let most = |(part, (a, b)): (&Part, (&Kept, &Kept))| {
            let counts = absence.counts(!a.is_empty(), !b.is_empty());
            counts.then(|| most_similar(part, a, b))
        };
        let both = || parts(a).zip(parts(b));
        let mut row: Vec<Option<f64>> =
            self.model.combined().iter().zip(both()).map(most).collect();
        let mut most = self.model.combination.score(&row);
        let short = self.model.short_answer(a, b);
        for (place, (scorer, (a, b))) in self.scorers.iter_mut().zip(both()).enumerate() {
            if most < floor - SLACK {
                return None;
            }
            if row[place].is_some() {
                let similarity = lifted(scorer.score(a, b, 0.0).unwrap_or(0.0), place, short);
                let least = self.model.least.get(place).copied().unwrap_or(0.0);
                if similarity < least && !a.is_empty() && !b.is_empty() {
                    return None;
                }
                row[place] = Some(similarity);
                most = self.model.combination.score(&row);
            }
        }
        (most >= floor && self.is_enough_alone(&row)).then_some(most)
    }

    /// Whether the only part that counts is alike enough, if there is only one.
    fn is_enough_alone(&self, row: &[Option<f64>]) -> bool {
        let mut counted = row.iter().zip(&self.model.least_alone);
        let mut next = || counted.find_map(|(similarity, least)| Some(((*similarity)?, *least)));
        match (next(), next()) {
            (Some((similarity, least)), None) => similarity >= least,
            _ => true,
        }
    }
}

impl Score for ModelScorer {
    fn score(&mut self, a: &Kept, b: &Kept, floor: f64) -> Option<f64> {
        if a.is_empty() || b.is_empty() || !self.mean_can_reach(a, b, floor) {
            return None;
        }
        self.combined(a, b, floor)
    }
}

/// A similarity, or more where that is what a short answer counts as.
fn lifted(similarity: f64, place: usize, short: Option<(usize, f64)>) -> f64 {
    match short {
        Some((answer, counts)) if answer == place => similarity.max(counts),
        _ => similarity,
    }
}

/// How similar the two can be, judged by their sizes.
fn most_similar(part: &Part, a: &Kept, b: &Kept) -> f64 {
    match part.measure.of_sets() {
        _ if a.is_empty() || b.is_empty() => 0.0,
        Some(of_sets) => of_sets.similarity(a.len().min(b.len()), a.len(), b.len()),
        None => 1.0,
    }
}

struct KeepParts {
    parts: Vec<KeepPart>,
    features: Features,
}

struct KeepPart {
    field: Option<u16>,
    describe: Box<dyn Describe>,
    keeper: Box<dyn Keep>,
    /// An earlier part that reads the same words.
    reads_as: Option<usize>,
}

impl Keep for KeepParts {
    fn keep(&mut self, unit: &Unit<'_>, _: &mut Features, out: &mut Vec<u64>) {
        let begin = out.len();
        for place in 0..self.parts.len() {
            let count_at = out.len();
            out.push(0);
            let (before, rest) = self.parts.split_at_mut(place);
            let part = &mut rest[0];
            let unit = unit.field(part.field);
            let known = part
                .reads_as
                .and_then(|other| before.get(other)?.describe.words());
            let is_done =
                known.is_some_and(|words| part.describe.describe_words(words, &mut self.features));
            if !is_done {
                part.describe.describe(&unit, &mut self.features);
            }
            if !self.features.is_empty() {
                part.keeper.keep(&unit, &mut self.features, out);
            }
            out[count_at] = (out.len() - count_at - 1) as u64;
        }
        if out[begin..].iter().all(|&word| word == 0) {
            out.truncate(begin);
        }
    }
}

/// What was kept for each part.
fn parts(mut kept: &Kept) -> impl Iterator<Item = &Kept> {
    std::iter::from_fn(move || {
        let (&count, rest) = kept.split_first()?;
        let (part, others) = rest.split_at(count as usize);
        kept = others;
        Some(part)
    })
}

impl Verify for Model {
    fn keeper(&self, background: &Background) -> Result<Box<dyn Keep>, Error> {
        let part = |(place, part): (usize, &Part)| {
            let background = part.background(background);
            let mut earlier = self.parts[..place].iter();
            let reads_the_same = |other: &Part| {
                other.field == part.field && other.background.text == part.background.text
            };
            Ok(KeepPart {
                field: part.field,
                describe: part.features.describer(&background)?,
                keeper: part.measure.keeper(&background)?,
                reads_as: earlier.position(reads_the_same),
            })
        };
        let parts = self.parts.iter().enumerate().map(part);
        Ok(Box::new(KeepParts {
            parts: parts.collect::<Result<_, Error>>()?,
            features: Features::default(),
        }))
    }

    fn scorer(&self, background: &Background) -> Result<Box<dyn Score>, Error> {
        Ok(Box::new(self.part_scorer(background)?))
    }

    fn needs_statistics(&self) -> bool {
        self.parts.iter().any(Part::needs_statistics)
    }
}

#[cfg(test)]
mod tests {
    use lookalike_sign::features;
    use lookalike_text::UnitId;
    use proptest::prelude::*;

    use super::*;
    use crate::verify::measure;

    fn part(form: &str, name: &str) -> Part {
        Part {
            field: None,
            features: features::method(form).unwrap(),
            measure: measure(name).unwrap(),
            background: Background::default(),
        }
    }

    fn linear(weights: &[f64]) -> Combination {
        Combination::Linear {
            weights: weights.to_vec(),
        }
    }

    fn score(model: &Model, a: &str, b: &str) -> Option<f64> {
        let background = Background::default();
        let mut keeper = model.keeper(&background).unwrap();
        let mut kept = |text| {
            let mut out = Vec::new();
            let unit = Unit::whole(UnitId::from(0), text);
            keeper.keep(&unit, &mut Features::default(), &mut out);
            out
        };
        scorer(model).score(&kept(a), &kept(b), 0.0)
    }

    fn scorer(model: &Model) -> ModelScorer {
        model.part_scorer(&Background::default()).unwrap()
    }

    #[test]
    fn a_combination_is_the_weighted_mean_of_its_parts() {
        let parts = vec![
            part("shingles:words:1", "jaccard"),
            part("shingles:words:1", "containment"),
        ];
        let model = Model::new(parts, linear(&[0.25, 0.75]));
        // Two of four words, and two of three of the shorter text.
        let expected = (0.25 * 0.5 + 0.75 * (2.0 / 3.0)) / 1.0;
        assert_eq!(score(&model, "红 绿 蓝", "红 绿 灰"), Some(expected));
        assert_eq!(score(&model, "red green", "red green"), Some(1.0));
        assert_eq!(score(&model, "", "red green"), None);
    }

    #[test]
    fn where_nothing_else_counts_more_may_be_asked() {
        // Spot signatures need function words.
        let parts = vec![
            part("shingles:words:1", "jaccard"),
            part("spotsigs:50:1:2", "jaccard"),
        ];
        let model = Model::new(parts, linear(&[0.5, 0.5])).with_least_alone(vec![0.9, 0.0]);
        assert_eq!(score(&model, "green tea 茶", "green tea 水"), None);
        assert_eq!(score(&model, "green tea 茶", "tea green 茶"), Some(1.0));
        let both = "the way to the old mill is the one that is by the river";
        assert!(score(&model, both, &both.replace("river", "lake")).is_some());
    }

    #[test]
    fn what_neither_text_has_does_not_count() {
        // Spot signatures need function words, which neither text has.
        let parts = vec![
            part("spotsigs:50:1:2", "jaccard"),
            part("shingles:words:1", "jaccard"),
        ];
        let model = Model::new(parts, linear(&[0.5, 0.5]));
        assert_eq!(score(&model, "green tea", "green tea"), Some(1.0));
    }

    fn kept(model: &Model, fields: &[&str]) -> Vec<u64> {
        let text = fields.join("\n");
        let mut begin = 0;
        let mut ranges = Vec::new();
        for field in fields {
            ranges.push(begin..begin + field.len());
            begin += field.len() + 1;
        }
        let unit = Unit {
            fields: &ranges,
            ..Unit::whole(UnitId::from(0), &text)
        };
        let mut out = Vec::new();
        let mut keeper = model.keeper(&Background::default()).unwrap();
        keeper.keep(&unit, &mut Features::default(), &mut out);
        out
    }

    fn of_field(field: u16, form: &str, name: &str) -> Part {
        Part {
            field: Some(field),
            ..part(form, name)
        }
    }

    fn thread_model() -> Model {
        let parts = vec![
            of_field(0, "shingles:words:1", "cosine"),
            of_field(1, "shingles:chars:2", "jaccard"),
            of_field(2, "shingles:words:1", "containment"),
            of_field(2, "shingles:words:1", "edit"),
        ];
        Model::new(parts, linear(&[0.4, 0.2, 0.3, 0.1]))
    }

    #[test]
    fn what_texts_lack_counts_as_the_rule_says() {
        let absences = [
            (Absent::LeftOut, Absent::Different, Some(0.5)),
            (Absent::LeftOut, Absent::LeftOut, Some(1.0)),
            (Absent::Different, Absent::Different, Some(0.5 * 2.0 / 3.0)),
            (Absent::Different, Absent::LeftOut, Some(0.5)),
        ];
        for (in_both, in_one, expected) in absences {
            let parts = (0..3).map(|field| of_field(field, "shingles:words:1", "jaccard"));
            let model = Model::new(parts.collect(), linear(&[1.0, 1.0, 1.0]))
                .with_absence(Absence { in_both, in_one });
            // The same, one side only, neither.
            let (a, b) = (
                kept(&model, &["甲", "乙", ""]),
                kept(&model, &["甲", "", ""]),
            );
            let score = scorer(&model).score(&a, &b, 0.0).unwrap();
            assert!(
                (score - expected.unwrap()).abs() < 1e-12,
                "{in_both:?} {in_one:?} {score}"
            );
        }
    }

    #[test]
    fn a_text_that_contains_the_other_has_more() {
        let model = thread_model().with_more(MoreRule {
            part: of_field(2, "shingles:words:1", "jaccard"),
            contains: 0.9,
        });
        let more = |a: &str, b: &str| {
            let side = |answer| kept(&model, &["frage", "", answer]);
            model.more(&side(a), &side(b))
        };
        assert_eq!(
            more("am 18. Januar 1979 in Taipeh", "18. Januar 1979"),
            Some(More::A)
        );
        assert_eq!(
            more("18. Januar 1979", "am 18. Januar 1979 in Taipeh"),
            Some(More::B)
        );
        assert_eq!(more("", "18. Januar"), Some(More::B));
        assert_eq!(more("heute", "heute"), None);
        assert_eq!(more("heute nicht", "heute schon"), None);
        assert_eq!(more("", ""), None);
        assert_eq!(model.combined().len(), 4);
        let says_more = |a: &str, b: &str| {
            let side = |answer| kept(&model, &["frage", "", answer]);
            model.says_more(&side(a), &side(b))
        };
        assert!(says_more("heute nicht", "heute schon") && says_more("heute", ""));
        assert!(!says_more("heute", "heute schon") && !says_more("", "heute"));
    }

    fn some_text() -> impl Strategy<Value = String> {
        let word = prop::sample::select(vec!["a", "b", "c", "d", "红", "绿"]);
        prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn a_mean_is_given_up_only_below_the_floor(
            a in prop::array::uniform3(some_text()),
            b in prop::array::uniform3(some_text()),
            floor in 0.01f64..=1.0,
        ) {
            let model = thread_model();
            let (a, b) = (kept(&model, &a.each_ref().map(String::as_str)), kept(&model, &b.each_ref().map(String::as_str)));
            let mut scorer = scorer(&model);
            if a.is_empty() || b.is_empty() {
                prop_assert_eq!(scorer.score(&a, &b, floor), None);
                return Ok(());
            }
            let exact = model.combination.score(&scorer.similarities(&a, &b));
            prop_assert_eq!(scorer.score(&a, &b, floor), (exact >= floor).then_some(exact));
            prop_assert_eq!(scorer.score(&a, &b, exact), Some(exact));
        }
    }
}
