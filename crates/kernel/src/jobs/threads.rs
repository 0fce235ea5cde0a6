//! `threads`: a question with its description and its answer, compared field by field.
//!
//! The similarity of two threads is the weighted mean of the similarities of their fields. The first field is what is
//! asked: there the words count that carry meaning, whatever their order and form. All others are running text, of which
//! copies share stretches of words. Of the weights the first field and the last, the answer, have 0.4 each, and what stands
//! between them shares 0.2.
//!
//! One answer may have more than the other, so answers are compared by containment. The same answer to another question, and
//! another answer to the same question, make no duplicate: both must be alike.

use std::collections::BTreeMap;

use lookalike_pair::verify::{Absence, Absent};
use lookalike_text::{Language, Languages, Numbers, Stemming, StopWords, TextOptions};

use super::{Job, Preset, THREADS};
use crate::Error;
use crate::setting::Setting;
use crate::spec::{Keep, ModelKind, ModelSpec, MoreSpec, PartSpec, Spec};

/// A question with its description and its answer, compared field by field.
#[derive(Debug)]
pub(super) struct Threads;

const FIELDS: [&str; 3] = ["title", "body", "answer"];

/// Where four of five labelled pairs of questions are right, in English and in Chinese; at 0.5 half of them are removed.
const SINGLE_FIELD: f64 = 0.9;

/// A single field of running text is a document.
const SINGLE_TEXT: f64 = 0.8;

/// How a field is described and compared by default.
const QUESTION: (&str, &str) = ("shingles:words:1", "cosine");
const RUNNING_TEXT: (&str, &str) = ("shingles:words:3", "jaccard");
const ANSWER: (&str, &str) = ("shingles:words:3", "containment");

/// How alike questions and answers must be by default, whatever the mean: half of the words that carry meaning, and of the
/// shorter answer about what is left of its stretches of three words where a third of its words were replaced.
const LEAST_QUESTION: f64 = 0.5;
const LEAST_ANSWER: f64 = 0.25;

impl Job for Threads {
    fn name(&self) -> &'static str {
        "threads"
    }

    /// Pairs at least this similar are near-duplicates.
    fn threshold(&self) -> f64 {
        0.5
    }

    /// A single question has few words, and one of them makes it another question.
    fn threshold_of(&self, spec: &Spec) -> f64 {
        match self.compared_fields(spec).as_slice() {
            [_] if is_text(spec) => SINGLE_TEXT,
            [_] => SINGLE_FIELD,
            _ => self.threshold(),
        }
    }

    fn features(&self) -> &'static str {
        "shingles:words:5"
    }

    fn presets(&self) -> Vec<Preset> {
        let everywhere = |choice: &str| BTreeMap::from([(None, choice.to_string())]);
        // The setting of the paper: word 3-shingles and Jaccard similarity in every field.
        let choices = FieldChoices {
            features: everywhere("shingles:words:3"),
            measures: everywhere("jaccard"),
            plain_text: true,
            ..FieldChoices::default()
        };
        // "Bigger than τ".
        vec![Preset::of_fields(THREADS, "paper", 0.5, choices).exclusive()]
    }

    fn tells_differences(&self) -> bool {
        true
    }

    fn what_it_does(&self) -> &'static str {
        "compares threads field by field"
    }

    fn suggests(&self) -> bool {
        true
    }

    fn compared_fields(&self, spec: &Spec) -> Vec<String> {
        if spec.input.fields.is_empty() {
            FIELDS.map(str::to_string).to_vec()
        } else {
            spec.input.fields.clone()
        }
    }

    /// The one that is given, else that of the fields.
    fn model(&self, spec: &Spec) -> Result<Option<ModelSpec>, Error> {
        match &spec.model {
            Some(model) => Ok(Some(model.clone())),
            None => FieldChoices::default().model(spec).map(Some),
        }
    }

    fn compares_answers(&self, spec: &Spec) -> bool {
        spec.more.is_some() || answer(spec).is_some()
    }

    /// The most information, where answers are compared.
    fn keep(&self, spec: &Spec) -> Keep {
        match self.compares_answers(spec) && self.more(spec).is_some() {
            true => Keep::More,
            false => Keep::First,
        }
    }

    fn looks_at_field(&self, spec: &Spec) -> bool {
        let is_single = self.compared_fields(spec).len() == 1;
        is_single && spec.model.is_none() && spec.input.running_text.is_none()
    }

    /// By default the last of several fields.
    fn more(&self, spec: &Spec) -> Option<MoreSpec> {
        let by_default = || match self.compared_fields(spec).as_slice() {
            [_, .., last] => Some(MoreSpec::of_field(last)),
            _ => None,
        };
        spec.more.clone().or_else(by_default)
    }
}

/// Whether the only field is running text.
fn is_text(spec: &Spec) -> bool {
    spec.input.running_text == Some(true)
}

/// Which of the fields is the answer: the one that tells who has more, else the last of three or more, or of two the one that
/// is called so.
fn answer(spec: &Spec) -> Option<usize> {
    let fields = spec.compared_fields();
    let last = fields.len().checked_sub(1).filter(|&last| last > 0)?;
    if let Some(more) = &spec.more {
        let named = fields.iter().position(|field| *field == more.field);
        return named.filter(|&place| place > 0);
    }
    let is_called_so = fields[last].to_lowercase().contains("answer");
    (last >= 2 || is_called_so).then_some(last)
}

/// What is chosen for some fields, the rest being as by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldChoices {
    /// Features by field, and under no name those of all other fields.
    pub features: BTreeMap<Option<String>, String>,
    /// Measures by field, and under no name those of all other fields.
    pub measures: BTreeMap<Option<String>, String>,
    /// The weights of the fields in their order, or none for the default.
    pub weights: Vec<f64>,
    /// How alike threads must be in fields that both have, whatever the mean, and under no name in all other fields.
    pub least: BTreeMap<Option<String>, f64>,
    /// What fields count as that both threads lack, where something is chosen.
    pub empty_in_both: Option<Absent>,
    /// What fields count as that one of them lacks.
    pub empty_in_one: Option<Absent>,
    /// What counts as the same text, where something is chosen.
    pub text: TextChoices,
    /// Whether texts are compared just as the spec says, without what this job does by default: dates and numbers in one
    /// form, and of the first field the words that carry meaning.
    pub plain_text: bool,
}

/// What is chosen of that which this job does otherwise than the rest.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TextChoices {
    /// By default canonical.
    pub numbers: Option<Numbers>,
    /// By default those of English and Chinese are dropped in the first field.
    pub stop_words: Option<StopWords>,
    /// By default English in the first field.
    pub stemming: Option<Stemming>,
}

impl FieldChoices {
    /// Whether anything is chosen.
    pub fn is_empty(&self) -> bool {
        *self == FieldChoices::default()
    }

    /// The weighted mean over the fields of a spec.
    ///
    /// # Errors
    /// If a field is named that there is not, or if the weights are not one per field, at least 0 and 1 in all.
    pub fn model(&self, spec: &Spec) -> Result<ModelSpec, Error> {
        let fields = spec.compared_fields();
        self.check(&fields)?;
        let weights = if self.weights.is_empty() {
            default_weights(fields.len())
        } else {
            self.weights.clone()
        };
        let answer = answer(spec);
        let part = |(place, (field, weight)): (usize, (&String, f64))| {
            let usual = match place {
                0 if !(is_text(spec) && fields.len() == 1) => QUESTION,
                place if Some(place) == answer => ANSWER,
                _ => RUNNING_TEXT,
            };
            let features = chosen(&self.features, field).map_or(usual.0, String::as_str);
            let measure = chosen(&self.measures, field).map_or(usual.1, String::as_str);
            // What is asked by default is asked of what is compared by default.
            let least = match usual {
                usual if usual != (features, measure) || answer.is_none() || self.plain_text => 0.0,
                QUESTION => LEAST_QUESTION,
                ANSWER => LEAST_ANSWER,
                _ => 0.0,
            };
            // Where only the questions can be compared, they are as good as a single field.
            let is_question_alone = usual == QUESTION && least > 0.0 && fields.len() > 1;
            let least_alone = match (is_question_alone, chosen(&self.least, field)) {
                (true, None) => SINGLE_FIELD,
                _ => 0.0,
            };
            let is_question = usual == QUESTION && features == QUESTION.0;
            let text = self.text.of_field(spec.text, is_question);
            PartSpec {
                field: Some(field.clone()),
                measure: measure.to_string(),
                weight,
                least: chosen(&self.least, field).copied().unwrap_or(least),
                least_alone,
                mean: 0.0,
                text: (!self.plain_text && text != spec.text).then_some(text),
                terms: None,
                features: features.to_string(),
            }
        };
        let parts = fields.iter().zip(weights).enumerate().map(part);
        let usual = Absence::default();
        Ok(ModelSpec {
            absent: Absence {
                in_both: self.empty_in_both.unwrap_or(usual.in_both),
                in_one: self.empty_in_one.unwrap_or(usual.in_one),
            },
            ..ModelSpec::new(ModelKind::Linear, parts.collect())
        })
    }

    fn check(&self, fields: &[String]) -> Result<(), Error> {
        let named = self.features.keys().chain(self.measures.keys());
        let named = named.chain(self.least.keys()).flatten();
        for name in named {
            if !fields.contains(name) {
                return Err(Error::refused(
                    Setting::Fields.given(name),
                    format!("there is no field \"{name}\" to choose something for"),
                    format!("the fields are {}", fields.join(", ")),
                ));
            }
        }
        if self.weights.is_empty() {
            return Ok(());
        }
        let sum: f64 = self.weights.iter().sum();
        if self.weights.len() != fields.len() {
            let (weights, count) = (self.weights.len(), fields.len());
            return Err(Error::refused(
                Setting::Model,
                format!(
                    "there are {weights} weights for {count} fields ({})",
                    fields.join(", ")
                ),
                "give one per field",
            ));
        }
        let is_weight = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if let Some(wrong) = self.weights.iter().find(|weight| !is_weight(weight)) {
            return Err(Error::refused(
                Setting::Model,
                format!("{wrong} is not a weight"),
                "weights are at least 0 and 1 in all, as in 0.4,0.2,0.4",
            ));
        }
        if (sum - 1.0).abs() > 1e-6 {
            return Err(Error::refused(
                Setting::Model,
                format!("the weights add up to {sum}"),
                "they must be 1 in all, as in 0.4,0.2,0.4",
            ));
        }
        Ok(())
    }
}

/// What is chosen for a field, else for all.
fn chosen<'c, T>(of: &'c BTreeMap<Option<String>, T>, field: &str) -> Option<&'c T> {
    let own = of.get(&Some(field.to_string()));
    own.or_else(|| of.get(&None))
}

impl TextChoices {
    /// What counts as the same text in a field, where nothing is chosen: a date is the same however it is written, and of
    /// a question the words count that carry meaning.
    fn of_field(self, given: TextOptions, is_question: bool) -> TextOptions {
        // Every printed configuration says what is plain, so in a spec that is no choice.
        let plain = TextOptions::default();
        let mut text =
            given.with(|options| options.numbers = self.numbers.unwrap_or(Numbers::Canonical));
        if is_question && given.stop_words == plain.stop_words {
            let languages = Languages::from(Language::English).and(Language::Chinese);
            text.stop_words = self.stop_words.unwrap_or(StopWords::Drop(languages));
        }
        if is_question && given.stemming == plain.stemming {
            text.stemming = self.stemming.unwrap_or(Stemming::English);
        }
        text
    }
}

/// What counts as the same text where a question is compared by the words that carry meaning.
pub fn text_of_question(given: TextOptions) -> TextOptions {
    TextChoices::default().of_field(given, true)
}

fn default_weights(fields: usize) -> Vec<f64> {
    match fields {
        0 => Vec::new(),
        1 => vec![1.0],
        2 => vec![0.5, 0.5],
        _ => {
            let between = 0.2 / (fields - 2) as f64;
            let mut weights = vec![between; fields];
            (weights[0], weights[fields - 1]) = (0.4, 0.4);
            weights
        }
    }
}
