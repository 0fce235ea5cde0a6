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
use std::path::Path;
use std::sync::Arc;
use std::thread;

use lookalike_judge::gold::{LabelledTexts, Text};
use lookalike_pair::verify::{Kept, Verify};
use lookalike_sign::Features;
use lookalike_sign::stats::{Counter, Lexicon, Vocabulary};
use lookalike_text::{Seed, TextOptions, Tokenizer, Unit, UnitId};

use crate::Error;
use crate::plan::Plan;
use crate::run::plan_with_lexicon;
use crate::spec::{Column, Spec};
use crate::stages::counting_failed;

/// See the [module](self).
#[derive(Debug)]
pub struct PairScorer<'p> {
    pairs: &'p [LabelledTexts],
    threads: usize,
    views: BTreeMap<Option<String>, View>,
    /// Of the texts themselves, by what counts as the same word.
    lexicons: Vec<(TextOptions, Seed, Arc<Lexicon>)>,
    /// The sets of features of the last method, which several measures use.
    last_sets: Option<(String, Arc<Described>)>,
}

/// The texts of the pairs, or one field of them, each distinct one once.
#[derive(Debug, Default)]
struct View {
    texts: Vec<String>,
    pairs: Vec<[usize; 2]>,
}

impl View {
    fn new(pairs: &[LabelledTexts], field: Option<&str>) -> Self {
        let mut places = BTreeMap::new();
        let mut view = View::default();
        for pair in pairs {
            let place = [&pair.a, &pair.b].map(|side| {
                let text = text_of(side, field);
                *places.entry(text).or_insert_with_key(|text| {
                    view.texts.push(text.clone());
                    view.texts.len() - 1
                })
            });
            view.pairs.push(place);
        }
        view
    }
}

/// A field of a text, or all of it: its fields in the order of their names, a line each.
fn text_of(text: &Text, field: Option<&str>) -> String {
    match (text, field) {
        (Text::Whole(text), _) => text.clone(),
        (Text::Fields(fields), Some(name)) => fields.get(name).cloned().unwrap_or_default(),
        (Text::Fields(fields), None) => {
            let texts: Vec<&str> = fields.values().map(String::as_str).collect();
            texts.join("\n")
        }
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
            views: BTreeMap::new(),
            lexicons: Vec::new(),
            last_sets: None,
        }
    }

    /// The labels of the pairs.
    pub fn labels(&self) -> impl Iterator<Item = bool> {
        self.pairs.iter().map(|pair| pair.same)
    }

    /// The similarity of each pair: none where neither text has anything to compare. Where the spec has no measure, as
    /// I-Match, it is 1 if the two have a digest in common, else 0. A lexicon that the spec needs and does not name is
    /// counted from the texts of all pairs.
    ///
    /// # Errors
    /// If the choices of the spec do not go together, or its lexicon cannot be used.
    pub fn score(&mut self, spec: &Spec) -> Result<Vec<Option<f64>>, Error> {
        let Some(model) = &spec.model else {
            let mut spec = spec.clone();
            spec.compared_directly();
            return self.column(&Column { field: None, spec });
        };
        model.check()?;
        let columns = model.columns(spec);
        let combination = model.combination();
        let rows = self.matrix(&columns)?;
        let score = |row: Vec<Option<f64>>| {
            // A pair without anything to compare is similar by no model.
            let something = row.iter().any(Option::is_some);
            something.then(|| combination.score(&row))
        };
        Ok(rows.into_iter().map(score).collect())
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
        for text in plan.lexicons_missing() {
            plan.add_lexicon(self.lexicon(text, Seed(spec.seed))?);
        }
        self.view(column.field.as_deref());
        let view = &self.views[&column.field];
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
        Ok(similarities(
            &view.pairs,
            &described,
            &*plan.measure,
            self.threads,
        ))
    }

    fn view(&mut self, field: Option<&str>) -> &View {
        let pairs = self.pairs;
        self.views
            .entry(field.map(str::to_string))
            .or_insert_with(|| View::new(pairs, field))
    }

    fn lexicon(&mut self, text: TextOptions, seed: Seed) -> Result<Arc<Lexicon>, Error> {
        let known = self
            .lexicons
            .iter()
            .find(|(known, by, _)| *known == text && *by == seed);
        if let Some((_, _, lexicon)) = known {
            return Ok(Arc::clone(lexicon));
        }
        let counted = count(&self.view(None).texts, text, seed)?;
        let lexicon = Arc::new(counted);
        self.lexicons.push((text, seed, Arc::clone(&lexicon)));
        Ok(lexicon)
    }
}

fn count(texts: &[String], options: TextOptions, seed: Seed) -> Result<Lexicon, Error> {
    // It never writes: the texts are in memory, and so are their words.
    let mut counter = Counter::new(Path::new(""), usize::MAX);
    let mut tokenizer = Tokenizer::new(options);
    for text in texts {
        let counted = counter.add_document(|words| tokenizer.words(text, words));
        counted.map_err(counting_failed)?;
    }
    let vocabulary = Vocabulary::count(vec![counter], options).map_err(counting_failed)?;
    Ok(vocabulary.lexicon(seed)?)
}

fn describe(texts: &[String], plan: &Plan, threads: usize) -> Result<Described, Error> {
    let parts = in_parallel(texts, threads, |texts| {
        let features = plan.features.as_ref();
        let features =
            features.ok_or_else(|| Error::Internal("a model was scored whole".to_string()))?;
        let mut describe = features.describer(&plan.background)?;
        let mut keeper = plan.measure.keeper(&plan.background)?;
        let mut features = Features::default();
        let mut part = Described::default();
        for text in texts {
            let unit = Unit::whole(UnitId::from(0), text);
            describe.describe(&unit, &mut features);
            if !features.is_empty() {
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
    measure: &dyn Verify,
    threads: usize,
) -> Vec<Option<f64>> {
    let score = |&[a, b]: &[usize; 2]| match (described.of(a), described.of(b)) {
        ([], []) => None,
        (a, b) => {
            let similarity = measure.score(a, b, 0.0).unwrap_or(0.0);
            // Not a number: duplicates by definition.
            Some(if similarity.is_nan() { 1.0 } else { similarity })
        }
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
