//! A stream of texts, each checked against an index, and with learning against what of the stream is new before it.
//!
//! Texts come in batches, as they arrive. The texts of a batch are signed and looked up in the index on all threads; then,
//! one after the other, each is compared with what was learnt since the last commit. So the verdict of a text depends on
//! the texts before it and on nothing else. A text that matches something is not learnt: what is in the index are texts of
//! which none was called a duplicate of another.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::Key;
use serde::Serialize;

use crate::Error;
use crate::adding::Signed;
use crate::checker::{CheckOptions, Checker};
use crate::document::{Compressor, Document, Text, encode};
use crate::index::{AddOptions, Index};
use crate::view::View;

/// What is said of a text of a stream.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether the index has, or the stream had, a text that is similar enough.
    pub duplicate: bool,
    /// The most similar one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Id>,
    /// How similar it is; none where a common digest alone makes duplicates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// Whether the two were compared, where they were not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
    /// The label of the one in the index.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether candidates were left out, where none or only a less similar one was found.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The text whose cluster this one would join; itself where it is new. Only if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Id>,
}

/// How a stream is filtered.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FilterOptions {
    /// How texts are looked up; of the matches the best counts.
    pub check: CheckOptions,
    /// How many threads look texts up.
    pub threads: usize,
    /// Whether verdicts have a cluster.
    pub assign: bool,
}

impl Default for FilterOptions {
    fn default() -> Self {
        FilterOptions {
            check: CheckOptions::default().with(|check| check.top = 1),
            threads: 1,
            assign: false,
        }
    }
}

impl FilterOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// Checks the texts of a stream.
pub struct Filter<'i> {
    options: FilterOptions,
    checkers: Vec<Checker>,
    view: Arc<View>,
    learning: Option<Learning<'i>>,
}

/// What was learnt and is not yet committed.
struct Learning<'i> {
    index: &'i mut Index,
    add: AddOptions,
    commit_after: Duration,
    begun: Instant,
    compressor: Compressor,
    waiting: Vec<Waiting>,
    /// By key, the texts that have it.
    by_key: BTreeMap<Key, Vec<u32>>,
    bytes: usize,
}

struct Waiting {
    signed: Signed,
    kept: Vec<u64>,
}

/// A commit is made at the latest when so many texts, or so many bytes, wait for it.
const MOST_WAITING: usize = 50_000;
const MOST_BYTES: usize = 64 << 20;

/// A text that was looked up.
struct LookedUp {
    verdict: Verdict,
    keys: Vec<Key>,
    kept: Vec<u64>,
}

impl<'i> Filter<'i> {
    /// Checks texts against what an index holds now.
    ///
    /// # Errors
    /// If the settings cannot be followed.
    pub fn new(view: &Arc<View>, options: &FilterOptions) -> Result<Self, Error> {
        if view.frozen.locates_passages() {
            return Err(Error::Unsuited {
                problem: "an index of passages tells what texts share, not whether they are new"
                    .to_string(),
                remedy: "use an index of documents, threads or messages".to_string(),
            });
        }
        let checkers = (0..options.threads.max(1)).map(|_| view.checker());
        Ok(Filter {
            checkers: checkers.collect::<Result<_, _>>()?,
            options: options.clone(),
            view: Arc::clone(view),
            learning: None,
        })
    }

    /// The same, and what is new is added to the index. A crash loses what came after the last commit; one is made after
    /// this time at the latest, and at the end.
    ///
    /// # Errors
    /// If the settings cannot be followed.
    pub fn learning(
        index: &'i mut Index,
        options: &FilterOptions,
        add: AddOptions,
        commit_after: Duration,
    ) -> Result<Self, Error> {
        let mut filter = Filter::new(&Arc::clone(index.view()), options)?;
        filter.learning = Some(Learning {
            index,
            add,
            commit_after,
            begun: Instant::now(),
            compressor: Compressor::default(),
            waiting: Vec::new(),
            by_key: BTreeMap::new(),
            bytes: 0,
        });
        Ok(filter)
    }

    /// The verdicts of the next texts of the stream, in their order.
    ///
    /// # Errors
    /// If the index is damaged or cannot be written to.
    pub fn check(&mut self, batch: Vec<Document>) -> Result<Vec<Verdict>, Error> {
        let looked_up = self.look_up(&batch)?;
        let mut verdicts = Vec::with_capacity(batch.len());
        for (document, found) in batch.into_iter().zip(looked_up) {
            let mut verdict = found.verdict.clone();
            if let Some(learning) = &mut self.learning {
                learning.learn(&document, found, &mut verdict, &mut self.checkers[0])?;
            }
            if self.options.assign {
                verdict.cluster = Some(verdict.of.clone().unwrap_or(document.id));
            }
            verdicts.push(verdict);
        }
        if let Some(learning) = &mut self.learning
            && learning.is_due()
        {
            learning.commit()?;
            self.view = Arc::clone(learning.index.view());
        }
        Ok(verdicts)
    }

    /// Commits what was learnt.
    ///
    /// # Errors
    /// If the index cannot be written to.
    pub fn finish(mut self) -> Result<(), Error> {
        match &mut self.learning {
            Some(learning) => learning.commit(),
            None => Ok(()),
        }
    }

    /// The texts signed and looked up in the index, on all threads.
    fn look_up(&mut self, batch: &[Document]) -> Result<Vec<LookedUp>, Error> {
        /// Fewer are not worth a thread.
        const LEAST: usize = 16;
        let size = batch.len().div_ceil(self.checkers.len()).max(LEAST);
        let (view, options) = (&self.view, &self.options.check);
        let keeps = self.learning.is_some();
        let work = |checker: &mut Checker, part: &[Document]| {
            let look_up =
                |document: &Document| look_up(checker, view, &document.text, options, keeps);
            part.iter().map(look_up).collect::<Result<Vec<_>, Error>>()
        };
        if batch.len() <= LEAST || self.checkers.len() == 1 {
            return work(&mut self.checkers[0], batch);
        }
        let parts = std::thread::scope(|scope| {
            let parts = batch.chunks(size).zip(&mut self.checkers);
            let threads: Vec<_> = parts
                .map(|(part, checker)| scope.spawn(move || work(checker, part)))
                .collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(Error::Internal("a thread failed".to_string())))
            };
            threads.into_iter().map(join).collect::<Vec<_>>()
        });
        let mut all = Vec::with_capacity(batch.len());
        for part in parts {
            all.extend(part?);
        }
        Ok(all)
    }
}

fn look_up(
    checker: &mut Checker,
    view: &View,
    text: &Text,
    options: &CheckOptions,
    keeps: bool,
) -> Result<LookedUp, Error> {
    checker.sign(text)?;
    let checked = checker.look_up(view, options)?;
    let mut verdict = Verdict {
        cut: checked.cut && checked.matches.is_empty(),
        ..Verdict::default()
    };
    if let Some(best) = checked.matches.into_iter().next() {
        verdict = Verdict {
            duplicate: true,
            of: Some(best.id),
            similarity: best.similarity,
            verified: (!best.verified).then_some(false),
            label: best.label,
            ..verdict
        };
    }
    let (keys, kept) = match keeps {
        true => (checker.keys().to_vec(), checker.kept().to_vec()),
        false => (Vec::new(), Vec::new()),
    };
    Ok(LookedUp {
        verdict,
        keys,
        kept,
    })
}

impl Learning<'_> {
    /// Compares a text with what waits, and adds it to that if it is new.
    fn learn(
        &mut self,
        document: &Document,
        found: LookedUp,
        verdict: &mut Verdict,
        checker: &mut Checker,
    ) -> Result<(), Error> {
        let LookedUp { keys, kept, .. } = found;
        let mut candidates: Vec<u32> = Vec::new();
        for key in &keys {
            candidates.extend(self.by_key.get(key).into_iter().flatten());
        }
        candidates.sort_unstable();
        candidates.dedup();
        for candidate in candidates {
            let other = &self.waiting[candidate as usize];
            let Some(similarity) = checker.score_kept(&kept, &other.kept)? else {
                continue;
            };
            // What is in the index was there before.
            let best = verdict.similarity.unwrap_or(0.0);
            if !verdict.duplicate || similarity > best {
                verdict.duplicate = true;
                verdict.of = Some(other.signed.id.clone());
                verdict.similarity = (!similarity.is_nan()).then_some(similarity);
                verdict.verified = similarity.is_nan().then_some(false);
                verdict.label.clone_from(&self.add.label);
            }
        }
        let index = self.index.frozen();
        if verdict.duplicate || !index.is_long_enough(document.text.as_str()) {
            return Ok(());
        }
        let number = self.waiting.len() as u32;
        for &key in &keys {
            self.by_key.entry(key).or_default().push(number);
        }
        let (mut stored, mut keys) = (Vec::new(), keys);
        checker.stored_keys(&document.text, &mut keys);
        encode(document, &mut self.compressor, &mut stored);
        self.bytes += stored.len() + 8 * kept.len() + 40 * keys.len();
        self.waiting.push(Waiting {
            signed: Signed {
                stored,
                keys,
                id: document.id.clone(),
                too_short: false,
            },
            kept,
        });
        Ok(())
    }

    fn is_due(&self) -> bool {
        let much = self.waiting.len() >= MOST_WAITING || self.bytes >= MOST_BYTES;
        much || (!self.waiting.is_empty() && self.begun.elapsed() >= self.commit_after)
    }

    fn commit(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        self.by_key.clear();
        self.bytes = 0;
        let signed = waiting.into_iter().map(|waiting| waiting.signed);
        self.index.add_signed(signed, &self.add)?;
        self.begun = Instant::now();
        Ok(())
    }
}
