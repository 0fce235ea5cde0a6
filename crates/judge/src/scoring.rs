//! How alike are the two texts of each labelled pair, under any spec?
//!
//! Labelled pairs of texts come in. Every pair is described and scored exactly; keys play no role. Out go the
//! similarities, in the order of the pairs, however many threads there are.
//!
//! ```
//! use lookalike_judge::PairScorer;
//! use lookalike_judge::gold::read_text_pairs;
//! use lookalike_kernel::Spec;
//!
//! let line = r#"{"a": "red green blue", "b": "red green grey", "label": 1}"#;
//! let pairs = read_text_pairs("pairs.jsonl", line.as_bytes())?;
//! let mut spec = Spec::default();
//! spec.features.method = Some("shingles:words:1".to_string());
//! let mut scorer = PairScorer::new(&pairs);
//! assert_eq!(scorer.score(&spec)?, [Some(0.5)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod view;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lookalike_kernel::{Column, Kernel, Plan, Spec, Statistics};
use lookalike_pair::verify::{Combination, Kept, Part};
use lookalike_sign::stats::{Counter, Lexicon, Vocabulary};
use lookalike_sign::weights::{TermCounts, TermTable, TermWeights};
use lookalike_text::{Seed, TextOptions, Tokenizer, Unit, UnitId};
use rayon::prelude::*;

use crate::Error;
use crate::gold::LabelledTexts;
use crate::sweep::Sweep;
use view::{Look, View, Viewed};

/// How alike are the two texts of each labelled pair, under any spec?
#[derive(Debug)]
pub struct PairScorer<'p> {
    pairs: &'p [LabelledTexts],
    /// Those that a whole text has; none for all that a pair has.
    fields: Vec<String>,
    views: BTreeMap<Look, View>,
    /// Of the texts themselves, by what counts as the same word.
    lexicons: Vec<((Look, TextOptions, Seed), Arc<Lexicon>)>,
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

/// What a measure keeps of each text.
type Described = Vec<Vec<u64>>;

impl<'p> PairScorer<'p> {
    /// For these pairs.
    pub fn new(pairs: &'p [LabelledTexts]) -> Self {
        PairScorer {
            pairs,
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
    pub(crate) fn labels(&self) -> impl Iterator<Item = bool> {
        self.pairs.iter().map(|pair| pair.same)
    }

    /// All thresholds of these scores of the pairs, 0 where there is none.
    ///
    /// # Errors
    /// If a score is not finite, or if no pair has label 1.
    pub fn sweep(&self, scores: &[Option<f64>]) -> Result<Sweep, Error> {
        let scores = scores.iter().map(|score| score.unwrap_or(0.0));
        Sweep::new(scores.zip(self.labels()))
    }

    /// The similarity of each pair, as a run finds it: none where neither text has anything to compare. Where the spec
    /// has none, as unverified I-Match, it is 1 if the two have a digest in common, else 0. A lexicon that the spec needs and
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
        match spec.job.model(&spec)? {
            Some(model) => self.score_model(&spec, &model.combination()),
            None => Ok(PairScores {
                all: self.column(&Column { field: None, spec })?,
                fields: Vec::new(),
            }),
        }
    }

    fn score_model(&mut self, spec: &Spec, combination: &Combination) -> Result<PairScores, Error> {
        let names = spec.compared_fields();
        let look = Look::Whole(names.clone());
        let kernel = self.kernel(spec, &look)?;
        let plan = kernel.plan();
        let Some(model) = plan.model.clone() else {
            return Err(Error::internal("a model was planned as none"));
        };
        let view = self.view(&look);
        let described = describe(&view.texts, &kernel)?;
        let mut fields = Vec::new();
        for (number, name) in (0u16..).zip(names) {
            let is_of_field = |part: &Part| part.field == Some(number);
            let counts: Vec<bool> = model.combined().iter().map(is_of_field).collect();
            if !counts.contains(&true) {
                continue;
            }
            let alone = score_pairs(&view.pairs, &described, || {
                let (mut scorer, counts) = (model.part_scorer(&plan.background)?, &counts);
                Ok(move |a: &Kept, b: &Kept| {
                    if a.is_empty() || b.is_empty() {
                        return Some(0.0);
                    }
                    let mut row = scorer.similarities(a, b);
                    let others = row.iter_mut().zip(counts).filter(|(_, counts)| !**counts);
                    others.for_each(|(similarity, _)| *similarity = None);
                    let something = row.iter().any(Option::is_some);
                    something.then(|| combination.score(&row))
                })
            })?;
            fields.push((name, alone));
        }
        let all = similarities(&view.pairs, &described, plan)?;
        Ok(PairScores { all, fields })
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
        let whole = Look::Whole(self.fields.clone());
        let mut kernel = self.kernel(&column.spec, &whole)?;
        if kernel.needs().term_weights {
            let weights = weigh(&self.view(&whole).texts, &kernel)?;
            kernel = kernel.with(Statistics::of_weights(weights))?;
        }
        let (spec, plan) = (kernel.spec(), kernel.plan());
        let look = column.field.clone().map_or(whole, Look::Field);
        self.view(&look);
        let view = &self.views[&look];
        let key = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            column.field,
            spec.features,
            plan.background.text,
            spec.terms,
            spec.seed,
            spec.imatch,
            spec.weights
        );
        let are_sets = plan.measure.of_sets().is_some();
        let described = match &self.last_sets {
            Some((known, described)) if are_sets && *known == key => Arc::clone(described),
            _ => Arc::new(describe(&view.texts, &kernel)?),
        };
        if are_sets {
            self.last_sets = Some((key, Arc::clone(&described)));
        }
        similarities(&view.pairs, &described, plan)
    }

    /// The kernel of a spec. A lexicon that it needs and that the spec does not name is counted from what is looked at.
    fn kernel(&mut self, spec: &Spec, look: &Look) -> Result<Kernel, Error> {
        let mut kernel = Kernel::new(spec)?.with_saved_lexicon(|path| std::fs::read(path))?;
        for text in kernel.needs().lexicons {
            let lexicon = self.lexicon(look, text, spec.seed.seed())?;
            kernel = kernel.with(Statistics::of_lexicon(lexicon))?;
        }
        Ok(kernel)
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
        let key = (look.clone(), text, seed);
        if let Some((_, lexicon)) = self.lexicons.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(lexicon));
        }
        let lexicon = Arc::new(count(&self.view(look).texts, text, seed)?);
        self.lexicons.push((key, Arc::clone(&lexicon)));
        Ok(lexicon)
    }
}

fn count(texts: &[Viewed], options: TextOptions, seed: Seed) -> Result<Lexicon, Error> {
    // It never writes: the texts are in memory, and so are their words.
    let mut counter = Counter::new(Path::new(""), usize::MAX);
    let mut tokenizer = Tokenizer::new(options);
    for text in texts {
        let counted = counter.add_document(|words| tokenizer.words(&text.text, words));
        counted.map_err(Error::internal)?;
    }
    let vocabulary = Vocabulary::count(vec![counter], options);
    let vocabulary = vocabulary.map_err(Error::internal)?;
    Ok(vocabulary.lexicon(seed)?)
}

/// What the words of the texts weigh.
fn weigh(texts: &[Viewed], kernel: &Kernel) -> Result<TermWeights, Error> {
    let mut table = TermTable::default();
    let mut signer = kernel.signer()?;
    for text in texts {
        signer.describe(0, &Unit::whole(UnitId::from(0), &text.text));
        signer.set().iter().for_each(|&term| table.count(term));
    }
    let counts = TermCounts::new(vec![table]);
    let collection = kernel.plan().background.collection.clone();
    Ok(TermWeights::new(
        kernel.spec().weights.unwrap_or_default(),
        counts,
        collection,
    ))
}

/// What is made of a list, a piece of it on each thread, in the order of the list. Of several errors it is always the
/// first.
fn in_pieces<T: Sync, R: Send>(
    list: &[T],
    make: impl Fn(&[T]) -> Result<Vec<R>, Error> + Sync + Send,
) -> Result<Vec<R>, Error> {
    let size = list.len().div_ceil(rayon::current_num_threads());
    let pieces: Vec<Result<Vec<R>, Error>> = list.par_chunks(size.max(1)).map(make).collect();
    let pieces: Result<Vec<Vec<R>>, Error> = pieces.into_iter().collect();
    Ok(pieces?.into_iter().flatten().collect())
}

fn describe(texts: &[Viewed], kernel: &Kernel) -> Result<Described, Error> {
    in_pieces(texts, |texts| {
        let mut signer = kernel.signer()?;
        let keep = |text: &Viewed| {
            let fields = text.fields();
            let unit = Unit {
                fields: &fields,
                ..Unit::whole(UnitId::from(0), &text.text)
            };
            let mut kept = Vec::new();
            signer.keep(&unit, &mut kept)?;
            Ok(kept)
        };
        texts.iter().map(keep).collect()
    })
}

fn similarities(
    pairs: &[[usize; 2]],
    described: &[Vec<u64>],
    plan: &Plan,
) -> Result<Vec<Option<f64>>, Error> {
    score_pairs(pairs, described, || {
        let mut scorer = plan.measure.scorer(&plan.background)?;
        Ok(move |a: &Kept, b: &Kept| {
            // A run takes copies as such, whatever a model says of them.
            if plan.verified && std::ptr::eq(a, b) {
                return Some(1.0);
            }
            let similarity = scorer.score(a, b, 0.0).unwrap_or(0.0);
            // Not a number: duplicates by definition.
            Some(if similarity.is_nan() { 1.0 } else { similarity })
        })
    })
}

/// What a rule, one a thread, says about each pair of which one text or both have something to compare.
fn score_pairs<S: FnMut(&Kept, &Kept) -> Option<f64>>(
    pairs: &[[usize; 2]],
    described: &[Vec<u64>],
    rule: impl Fn() -> Result<S, Error> + Sync + Send,
) -> Result<Vec<Option<f64>>, Error> {
    in_pieces(pairs, |pairs| {
        let mut score = rule()?;
        let score = |&[a, b]: &[usize; 2]| match [a, b].map(|text| described[text].as_slice()) {
            [[], []] => None,
            [a, b] => score(a, b),
        };
        Ok(pairs.iter().map(score).collect())
    })
}

#[cfg(test)]
mod tests;
