//! How alike are the two texts of each labelled pair, under any spec?
//!
//! Labelled pairs of texts come in. Every pair is described and scored exactly; keys play no role. Out go the
//! similarities, in the order of the pairs, however many threads there are.
//!
//! ```
//! use lookalike::judge::gold::read_text_pairs;
//! use lookalike::{PairScorer, Spec};
//!
//! let line = r#"{"a": "red green blue", "b": "red green grey", "label": 1}"#;
//! let pairs = read_text_pairs("pairs.jsonl", line.as_bytes())?;
//! let mut spec = Spec::default();
//! spec.features.method = Some("shingles:words:1".to_string());
//! let mut scorer = PairScorer::new(&pairs, 1);
//! assert_eq!(scorer.score(&spec)?, [Some(0.5)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use lookalike_judge::gold::{LabelledTexts, Text};
use lookalike_pair::verify::{Combination, Kept, Part};
use lookalike_sign::Features;
use lookalike_sign::stats::{Counter, Lexicon, Vocabulary};
use lookalike_text::{Seed, TextOptions, Tokenizer, Unit, UnitId};

use crate::Error;
use crate::jobs;
use crate::plan::Plan;
use crate::run::plan_with_lexicon;
use crate::spec::{Column, Spec};
use crate::stages::counting_failed;

/// See the [module](self).
#[derive(Debug)]
pub struct PairScorer<'p> {
    pairs: &'p [LabelledTexts],
    threads: usize,
    /// Those that a whole text has; none for all that a pair has.
    fields: Vec<String>,
    views: BTreeMap<Look, View>,
    /// Of the texts themselves, by what counts as the same word.
    lexicons: Vec<(Look, TextOptions, Seed, Arc<Lexicon>)>,
    /// The sets of features of the last method, which several measures use.
    last_sets: Option<(String, Arc<Described>)>,
}

/// How alike pairs are under a spec.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PairScores {
    /// The similarity of each pair.
    pub all: Vec<Option<f64>>,
    /// The same by each field alone that the spec compares: as if the texts had no others.
    pub fields: Vec<(String, Vec<Option<f64>>)>,
}

/// What of a text is looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    /// These fields in their order, or all of them in the order of their names.
    Whole(Vec<String>),
    /// One field.
    Field(String),
}

/// What is looked at in the texts of the pairs, each distinct one once.
#[derive(Debug, Default)]
struct View {
    texts: Vec<Viewed>,
    pairs: Vec<[usize; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Viewed {
    text: String,
    /// Where the fields that are looked at end; a line break stands between them.
    ends: Vec<usize>,
}

impl View {
    fn new(pairs: &[LabelledTexts], look: &Look) -> Self {
        let mut places = BTreeMap::new();
        let mut view = View::default();
        for pair in pairs {
            let place = [&pair.a, &pair.b].map(|side| {
                let viewed = Viewed::new(side, look);
                *places.entry(viewed).or_insert_with_key(|viewed| {
                    view.texts.push(viewed.clone());
                    view.texts.len() - 1
                })
            });
            view.pairs.push(place);
        }
        view
    }
}

impl Viewed {
    fn new(text: &Text, look: &Look) -> Self {
        let whole = |text: &String| Viewed {
            text: text.clone(),
            ends: Vec::new(),
        };
        match (text, look) {
            (Text::Whole(text), Look::Whole(names)) if !names.is_empty() => {
                Viewed::joined(names.iter().map(|_| text.as_str()))
            }
            (Text::Whole(text), _) => whole(text),
            (Text::Fields(fields), Look::Field(name)) => {
                whole(fields.get(name).unwrap_or(&String::new()))
            }
            (Text::Fields(fields), Look::Whole(names)) if names.is_empty() => {
                let texts: Vec<&str> = fields.values().map(String::as_str).collect();
                whole(&texts.join("\n"))
            }
            (Text::Fields(fields), Look::Whole(names)) => {
                let field = |name: &String| fields.get(name).map_or("", String::as_str);
                Viewed::joined(names.iter().map(field))
            }
        }
    }

    /// As a run reads a record of several fields.
    fn joined<'t>(fields: impl Iterator<Item = &'t str>) -> Self {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for field in fields {
            if !ends.is_empty() {
                text.push('\n');
            }
            text.push_str(field);
            ends.push(text.len());
        }
        Viewed { text, ends }
    }

    fn fields(&self) -> Vec<Range<usize>> {
        let begins = std::iter::once(0).chain(self.ends.iter().map(|end| end + 1));
        begins
            .zip(&self.ends)
            .map(|(begin, &end)| begin..end)
            .collect()
    }
}

/// What a measure keeps of each text.
#[derive(Debug, Default)]
struct Described {
    kept: Vec<u64>,
    /// Where the words of each text end.
    ends: Vec<usize>,
}

impl Described {
    fn of(&self, text: usize) -> &Kept {
        let begin = text.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.kept[begin..self.ends[text]]
    }
}

impl<'p> PairScorer<'p> {
    /// For these pairs, on so many threads.
    pub fn new(pairs: &'p [LabelledTexts], threads: usize) -> Self {
        PairScorer {
            pairs,
            threads: threads.max(1),
            fields: Vec::new(),
            views: BTreeMap::new(),
            lexicons: Vec::new(),
            last_sets: None,
        }
    }

    /// The same, where a whole text is these fields and words are counted in no others.
    #[must_use]
    pub fn with_fields(self, fields: &[String]) -> Self {
        PairScorer {
            fields: fields.to_vec(),
            ..self
        }
    }

    /// The labels of the pairs.
    pub fn labels(&self) -> impl Iterator<Item = bool> {
        self.pairs.iter().map(|pair| pair.same)
    }

    /// The similarity of each pair, as a run finds it: none where neither text has anything to compare. Where the spec
    /// has no measure, as I-Match, it is 1 if the two have a digest in common, else 0. A lexicon that the spec needs and
    /// does not name is counted from the texts of all pairs.
    ///
    /// # Errors
    /// If the choices of the spec do not go together, or its lexicon cannot be used.
    pub fn score(&mut self, spec: &Spec) -> Result<Vec<Option<f64>>, Error> {
        Ok(self.score_fields(spec)?.all)
    }

    /// The same, and by each field alone where the spec compares fields.
    ///
    /// # Errors
    /// As [`PairScorer::score`].
    pub fn score_fields(&mut self, spec: &Spec) -> Result<PairScores, Error> {
        let mut spec = spec.clone();
        spec.compared_directly();
        match jobs::model(&spec)? {
            Some(model) => self.score_model(&spec, &model.combination()),
            None => Ok(PairScores {
                all: self.column(&Column { field: None, spec })?,
                fields: Vec::new(),
            }),
        }
    }

    fn score_model(&mut self, spec: &Spec, combination: &Combination) -> Result<PairScores, Error> {
        let (spec, mut plan) = plan_with_lexicon(spec)?;
        let names = jobs::field_names(&spec);
        let look = Look::Whole(names.clone());
        for text in plan.lexicons_missing() {
            plan.add_lexicon(self.lexicon(&look, text, Seed(spec.seed))?);
        }
        let Some(model) = plan.model.clone() else {
            return Err(Error::Internal("a model was planned as none".to_string()));
        };
        let threads = self.threads;
        let view = self.view(&look);
        let described = describe(&view.texts, &plan, threads)?;
        let of_field = |number: usize| {
            let is_of_field = |part: &Part| part.field == Some(number as u16);
            let counts: Vec<bool> = model.combined().iter().map(is_of_field).collect();
            let score = |a: &Kept, b: &Kept| {
                if a.is_empty() || b.is_empty() {
                    return Some(0.0);
                }
                let mut row = model.similarities(a, b);
                let others = row.iter_mut().zip(&counts).filter(|(_, counts)| !**counts);
                others.for_each(|(similarity, _)| *similarity = None);
                let something = row.iter().any(Option::is_some);
                something.then(|| combination.score(&row))
            };
            score_pairs(&view.pairs, &described, threads, score)
        };
        let is_compared = |number: usize| {
            let parts = model.combined().iter();
            parts
                .map(|part| part.field)
                .any(|field| field == Some(number as u16))
        };
        let fields = names.iter().enumerate();
        let fields = fields.filter(|(number, _)| is_compared(*number));
        Ok(PairScores {
            all: similarities(&view.pairs, &described, &plan, threads),
            fields: fields
                .map(|(number, name)| (name.clone(), of_field(number)))
                .collect(),
        })
    }

    /// The similarities of each pair under several specs.
    ///
    /// # Errors
    /// As [`PairScorer::score`].
    pub fn matrix(&mut self, columns: &[Column]) -> Result<Vec<Vec<Option<f64>>>, Error> {
        let mut rows = vec![Vec::with_capacity(columns.len()); self.pairs.len()];
        for column in columns {
            for (row, similarity) in rows.iter_mut().zip(self.column(column)?) {
                row.push(similarity);
            }
        }
        Ok(rows)
    }

    fn column(&mut self, column: &Column) -> Result<Vec<Option<f64>>, Error> {
        let (spec, mut plan) = plan_with_lexicon(&column.spec)?;
        let whole = Look::Whole(self.fields.clone());
        for text in plan.lexicons_missing() {
            plan.add_lexicon(self.lexicon(&whole, text, Seed(spec.seed))?);
        }
        let look = column.field.clone().map_or(whole, Look::Field);
        self.view(&look);
        let view = &self.views[&look];
        let key = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            column.field, spec.features, spec.text, spec.terms, spec.seed, spec.imatch
        );
        let are_sets = plan.measure.of_sets().is_some();
        let described = match &self.last_sets {
            Some((known, described)) if are_sets && *known == key => Arc::clone(described),
            _ => Arc::new(describe(&view.texts, &plan, self.threads)?),
        };
        if are_sets {
            self.last_sets = Some((key, Arc::clone(&described)));
        }
        Ok(similarities(&view.pairs, &described, &plan, self.threads))
    }

    fn view(&mut self, look: &Look) -> &View {
        let pairs = self.pairs;
        self.views
            .entry(look.clone())
            .or_insert_with_key(|look| View::new(pairs, look))
    }

    fn lexicon(
        &mut self,
        look: &Look,
        text: TextOptions,
        seed: Seed,
    ) -> Result<Arc<Lexicon>, Error> {
        let known = self
            .lexicons
            .iter()
            .find(|(of, by, known, _)| of == look && *by == text && *known == seed);
        if let Some((_, _, _, lexicon)) = known {
            return Ok(Arc::clone(lexicon));
        }
        let lexicon = Arc::new(count(&self.view(look).texts, text, seed)?);
        let known = (look.clone(), text, seed, Arc::clone(&lexicon));
        self.lexicons.push(known);
        Ok(lexicon)
    }
}

fn count(texts: &[Viewed], options: TextOptions, seed: Seed) -> Result<Lexicon, Error> {
    // It never writes: the texts are in memory, and so are their words.
    let mut counter = Counter::new(Path::new(""), usize::MAX);
    let mut tokenizer = Tokenizer::new(options);
    for text in texts {
        let counted = counter.add_document(|words| tokenizer.words(&text.text, words));
        counted.map_err(counting_failed)?;
    }
    let vocabulary = Vocabulary::count(vec![counter], options).map_err(counting_failed)?;
    Ok(vocabulary.lexicon(seed)?)
}

fn describe(texts: &[Viewed], plan: &Plan, threads: usize) -> Result<Described, Error> {
    let parts = in_parallel(texts, threads, |texts| {
        let features = plan.features.as_ref();
        let describer = features.map(|features| features.describer(&plan.background));
        let mut describer = describer.transpose()?;
        let mut keeper = plan.measure.keeper(&plan.background)?;
        let mut features = Features::default();
        let mut part = Described::default();
        for text in texts {
            let fields = text.fields();
            let unit = Unit {
                fields: &fields,
                ..Unit::whole(UnitId::from(0), &text.text)
            };
            // A model describes what it compares itself.
            let to_keep = describer.as_mut().is_none_or(|describer| {
                describer.describe(&unit, &mut features);
                !features.is_empty()
            });
            if to_keep {
                keeper.keep(&unit, &mut features, &mut part.kept);
            }
            part.ends.push(part.kept.len());
        }
        Ok::<_, Error>(part)
    });
    let mut all = Described::default();
    for part in parts {
        let part = part?;
        let begin = all.kept.len();
        all.kept.extend(part.kept);
        all.ends
            .extend(part.ends.into_iter().map(|end| begin + end));
    }
    Ok(all)
}

fn similarities(
    pairs: &[[usize; 2]],
    described: &Described,
    plan: &Plan,
    threads: usize,
) -> Vec<Option<f64>> {
    score_pairs(pairs, described, threads, |a, b| {
        // A run takes copies as such, whatever a model says of them.
        if plan.verified && std::ptr::eq(a, b) {
            return Some(1.0);
        }
        let similarity = plan.measure.score(a, b, 0.0).unwrap_or(0.0);
        // Not a number: duplicates by definition.
        Some(if similarity.is_nan() { 1.0 } else { similarity })
    })
}

/// What a rule says about each pair of which one text or both have something to compare.
fn score_pairs(
    pairs: &[[usize; 2]],
    described: &Described,
    threads: usize,
    score: impl Fn(&Kept, &Kept) -> Option<f64> + Sync,
) -> Vec<Option<f64>> {
    let score = |&[a, b]: &[usize; 2]| match (described.of(a), described.of(b)) {
        ([], []) => None,
        (a, b) => score(a, b),
    };
    let parts = in_parallel(pairs, threads, |pairs| {
        pairs.iter().map(score).collect::<Vec<_>>()
    });
    parts.concat()
}

/// Cuts a list into a piece a thread, and gives what `work` makes of each, in order.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    list: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let pieces = list.chunks(list.len().div_ceil(threads).max(1));
    thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = pieces
            .map(|piece| scope.spawn(move || work(piece)))
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, R>| match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        running.into_iter().map(join).collect()
    })
}

#[cfg(test)]
mod tests {
    use lookalike_judge::gold::read_text_pairs;

    use super::*;

    const PAIRS: &str = r#"{"a": {"question": "where is the ferry", "answer": "at the pier"}, "b": {"question": "where is the ferry", "answer": "渡轮在港口"}}
{"a": {"question": "where is the ferry", "answer": "at the pier"}, "b": {"question": "where is the ferry", "answer": "at the pier"}}
{"a": {"question": "where is the ferry"}, "b": {"question": "where is a ferry"}}
{"a": {"question": "where is the ferry", "answer": "x"}, "b": {"question": "where is a ferry"}}
{"a": {"question": " ", "answer": ""}, "b": {"question": ""}}
"#;

    fn scores(model: &str) -> PairScores {
        let pairs = read_text_pairs("pairs.jsonl", PAIRS.as_bytes()).unwrap();
        let spec = format!("job = \"threads\"\ninput.fields = [\"question\", \"answer\"]\n{model}");
        let spec: Spec = toml::from_str(&spec).unwrap();
        PairScorer::new(&pairs, 2).score_fields(&spec).unwrap()
    }

    const WORDS: &str = "[model]\nkind = \"linear\"\n[[model.part]]\nfield = \"question\"\nfeatures = \"shingles:words:1\"\nmeasure = \"jaccard\"\nweight = 0.5\n[[model.part]]\nfield = \"answer\"\nfeatures = \"shingles:words:1\"\nmeasure = \"jaccard\"\nweight = 0.5\n";

    #[test]
    fn fields_are_scored_together_and_alone() {
        let scores = scores(WORDS);
        let [(question, alone), (answer, of_answers)] = scores.fields.as_slice() else {
            panic!("{scores:?}");
        };
        assert_eq!((question.as_str(), answer.as_str()), ("question", "answer"));
        assert_eq!(
            scores.all,
            [Some(0.5), Some(1.0), Some(0.6), Some(0.3), None]
        );
        assert_eq!(*alone, [Some(1.0), Some(1.0), Some(0.6), Some(0.6), None]);
        assert_eq!(*of_answers, [Some(0.0), Some(1.0), None, Some(0.0), None]);
    }

    #[test]
    fn what_is_absent_counts_as_the_model_says() {
        let left_out = scores(&format!("{WORDS}[model.absent]\nin-one = \"left-out\"\n"));
        assert_eq!(left_out.all[3], Some(0.6));
        let different = scores(&format!("{WORDS}[model.absent]\nin-both = \"different\"\n"));
        assert_eq!(different.all[2], Some(0.3));
    }

    #[test]
    fn threads_without_a_model_are_scored_by_that_of_the_job() {
        let scores = scores("");
        assert_eq!(scores.all[1], Some(1.0));
        assert_eq!(scores.fields.len(), 2);
    }
}
