//! A stream of texts, each checked against an index, and with learning against what of the stream is new before it.
//!
//! Texts come in batches, as they arrive. The texts of a batch are signed and looked up on all threads, in the index and in
//! what was learnt since the last commit; then, one after the other, each is compared with what of its batch was learnt. So
//! the verdict of a text depends on the texts before it and on nothing else, not on when something is committed. A text that
//! matches something is not learnt: what is in the index are texts of which none was called a duplicate of another.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lookalike_kernel::pair::assemble::Difference;
use lookalike_kernel::rows::Id;
use serde::Serialize;

use crate::Error;
use crate::adding::Signed;
use crate::candidates::Query;
use crate::checker::{CheckOptions, Checker};
use crate::document::{Compressor, Document, encode};
use crate::fresh::FreshText;
use crate::index::{AddOptions, Index};
use crate::learning::{Known, Learning, Learnt};
use crate::reader::Reader;
use crate::view::{Place, View};

/// What is said of a text of a stream.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Verdict {
    /// Whether the index has, or the stream had, a text that is similar enough, and of a kind by which the job would remove
    /// this one.
    pub duplicate: bool,
    /// The most similar one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<Id>,
    /// How similar it is; none where a common digest alone makes duplicates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// In what the two differ, where the job tells that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Difference>,
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
    /// Which differences still make a duplicate, where the job tells them; none for those of the index.
    pub remove_kinds: Option<Vec<Difference>>,
    /// What tells the time, in seconds since 1970. It is asked for every batch: what is learnt is added at that time and expires
    /// as long after it as the first would, and where `check` has a time, what is expired by then does not match. None where
    /// the time stays what it is at the beginning.
    pub clock: Option<fn() -> u64>,
}

impl Default for FilterOptions {
    fn default() -> Self {
        FilterOptions {
            check: CheckOptions::default().with(|check| check.top = 1),
            threads: 1,
            assign: false,
            remove_kinds: None,
            clock: None,
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
    checkers: Vec<Worker>,
    view: Arc<View>,
    /// What tells what others commit meanwhile, and when it was asked last.
    follows: Option<(&'i Reader, Instant)>,
    learning: Option<Learning<'i>>,
}

/// What others commit is seen after this time.
const SEEN_AFTER: Duration = Duration::from_millis(500);

/// The differences by which a text is removed for another.
#[derive(Debug, Clone)]
pub(crate) struct RemovedKinds(Vec<Difference>);

impl RemovedKinds {
    fn new(view: &View, given: Option<&Vec<Difference>>) -> Result<Self, Error> {
        let mut spec = view.spec().clone();
        if given.is_some() {
            spec.remove_kinds = given.cloned();
            spec.plan()?;
        }
        let all = Difference::ALL.iter().copied();
        Ok(RemovedKinds(
            all.filter(|&kind| spec.removes(kind)).collect(),
        ))
    }

    /// Whether a text that differs from another in this is a duplicate of it: always where the job does not tell.
    pub(crate) fn takes(&self, kind: Option<Difference>) -> bool {
        kind.is_none_or(|kind| self.0.contains(&kind))
    }
}

/// What a thread looks texts up with.
pub(crate) struct Worker {
    pub(crate) checker: Checker,
    pub(crate) compressor: Compressor,
    pub(crate) removed: RemovedKinds,
    queries: Vec<Query>,
}

/// A text that was looked up.
pub(crate) struct LookedUp {
    pub(crate) verdict: Verdict,
    pub(crate) learnt: Option<Learnt>,
}

impl<'i> Filter<'i> {
    /// Checks texts against what an index holds now.
    ///
    /// # Errors
    /// If the settings cannot be followed.
    pub fn new(view: &Arc<View>, options: &FilterOptions) -> Result<Self, Error> {
        if view.frozen.locates_passages() {
            return Err(Error::Unsuited {
                problem: "an index of passages shows what texts share, not whether they are new"
                    .to_string(),
                remedy: "use an index of documents, threads or messages".to_string(),
            });
        }
        let removed = RemovedKinds::new(view, options.remove_kinds.as_ref())?;
        let checkers = (0..options.threads.max(1)).map(|_| {
            Ok::<_, Error>(Worker {
                checker: view.checker()?,
                compressor: Compressor::default(),
                removed: removed.clone(),
                queries: Vec::new(),
            })
        });
        Ok(Filter {
            checkers: checkers.collect::<Result<_, _>>()?,
            options: options.clone(),
            view: Arc::clone(view),
            follows: None,
            learning: None,
        })
    }

    /// The same, and what another process commits while the stream comes counts within a second.
    ///
    /// # Errors
    /// If the settings cannot be followed, or the index is damaged.
    pub fn following(reader: &'i Reader, options: &FilterOptions) -> Result<Self, Error> {
        let mut filter = Filter::new(&reader.view()?, options)?;
        filter.follows = Some((reader, Instant::now()));
        Ok(filter)
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
        filter.learning = Some(Learning::new(index, add, commit_after));
        Ok(filter)
    }

    /// The verdicts of the next texts of the stream, in their order.
    ///
    /// # Errors
    /// If the index is damaged or cannot be written to.
    pub fn check(&mut self, batch: Vec<Document>) -> Result<Vec<Verdict>, Error> {
        if let Some((reader, asked)) = &mut self.follows
            && asked.elapsed() >= SEEN_AFTER
        {
            self.view = reader.view()?;
            *asked = Instant::now();
        }
        if let Some(clock) = self.options.clock {
            self.move_to(clock());
        }
        let looked_up = self.look_up(&batch)?;
        let mut verdicts = Vec::with_capacity(batch.len());
        for (mut document, mut found) in batch.into_iter().zip(looked_up) {
            if let Some(learning) = &mut self.learning {
                let worker = &mut self.checkers[0];
                if learning.is_outdated {
                    let asked = (&*self.view, Some((&learning.known, &learning.add)));
                    let alone = std::slice::from_ref(&document);
                    let mut again = worker.look_up(asked, alone, &self.options.check)?;
                    found = again.pop().unwrap_or(found);
                }
                let options = &self.options.check;
                let renamed = learning.learn(&mut found, &document, worker, options)?;
                document.id = renamed.unwrap_or(document.id);
            }
            let mut verdict = found.verdict;
            if self.options.assign {
                let of = verdict.of.clone().filter(|_| verdict.duplicate);
                verdict.cluster = Some(of.unwrap_or(document.id));
            }
            verdicts.push(verdict);
        }
        if let Some(learning) = &mut self.learning
            && learning.end_batch()?
        {
            self.view = Arc::clone(learning.index.view());
        }
        Ok(verdicts)
    }

    fn move_to(&mut self, now: u64) {
        let time = &mut self.options.check.now;
        *time = time.map(|_| now);
        if let Some(learning) = &mut self.learning {
            learning.add.move_to(now);
        }
    }

    /// How long the stream may stay silent before something that was learnt must be committed; none if nothing waits.
    pub fn commit_due_in(&self) -> Option<Duration> {
        self.learning.as_ref()?.due_in()
    }

    /// Commits what was learnt.
    ///
    /// # Errors
    /// If the index cannot be written to.
    pub fn commit(&mut self) -> Result<(), Error> {
        if let Some(learning) = &mut self.learning {
            learning.commit()?;
            self.view = Arc::clone(learning.index.view());
        }
        Ok(())
    }

    /// How many texts of the index, or learnt before, a later one with the same id replaced.
    pub fn replaced(&self) -> u64 {
        self.learning
            .as_ref()
            .map_or(0, |learning| learning.replaced)
    }

    /// The texts signed and looked up in the index, and in what was learnt before this batch, on all threads.
    fn look_up(&mut self, batch: &[Document]) -> Result<Vec<LookedUp>, Error> {
        /// A thread takes so many at a time; fewer in all are not worth another one.
        const AT_ONCE: usize = 512;
        let (view, options) = (&*self.view, &self.options.check);
        let learning = self.learning.as_ref();
        let asked = (
            view,
            learning.map(|learning| (&learning.known, &learning.add)),
        );
        let parts = Mutex::new(batch.chunks(AT_ONCE).enumerate());
        let work = |worker: &mut Worker| {
            let mut done = Vec::new();
            loop {
                let next = parts.lock().map_or(None, |mut parts| parts.next());
                let Some((number, part)) = next else {
                    return Ok(done);
                };
                done.push((number, worker.look_up(asked, part, options)?));
            }
        };
        let threads = batch.len().div_ceil(AT_ONCE).max(1);
        let (first, others) = match self.checkers.split_first_mut() {
            Some((first, others)) => (first, others.iter_mut().take(threads - 1)),
            None => return Err(Error::Internal("there is no thread".to_string())),
        };
        let mut done: Vec<(usize, Vec<LookedUp>)> = std::thread::scope(|scope| {
            let work = &work;
            let others = others.map(|worker| scope.spawn(move || work(worker)));
            let others: Vec<_> = others.collect();
            let mut done: Vec<_> = work(first)?;
            for thread in others {
                let failed = |_| Err(Error::Internal("a thread failed".to_string()));
                done.extend(thread.join().unwrap_or_else(failed)?);
            }
            Ok::<_, Error>(done)
        })?;
        done.sort_unstable_by_key(|(number, _)| *number);
        Ok(done.into_iter().flat_map(|(_, part)| part).collect())
    }
}

/// What texts are looked up in: an index, and where it learns what was learnt since, with how it is added.
type LookedIn<'l> = (&'l View, Option<(&'l Known, &'l AddOptions)>);

impl Worker {
    fn look_up(
        &mut self,
        (view, known): LookedIn<'_>,
        documents: &[Document],
        options: &CheckOptions,
    ) -> Result<Vec<LookedUp>, Error> {
        static NOTHING: BTreeSet<Place> = BTreeSet::new();
        let mut queries = std::mem::take(&mut self.queries);
        queries.resize_with(documents.len().max(queries.len()), Query::default);
        let asked = &mut queries[..documents.len()];
        for (document, query) in documents.iter().zip(&mut *asked) {
            self.checker.sign(&document.text, query)?;
        }
        let hidden = known.map_or(&NOTHING, |(known, _)| &known.hidden);
        self.checker.find_unhidden(view, asked, options, hidden)?;
        let each = documents.iter().zip(asked);
        let each =
            each.map(|(document, query)| self.judge((view, known), document, query, options));
        let looked_up = each.collect();
        self.queries = queries;
        looked_up
    }

    /// What is said of a text whose candidates were found.
    fn judge(
        &mut self,
        (view, known): LookedIn<'_>,
        document: &Document,
        query: &mut Query,
        options: &CheckOptions,
    ) -> Result<LookedUp, Error> {
        let checker = &mut self.checker;
        let text = &document.text;
        let mut verdict = Verdict::default();
        if let Some(best) = checker.best(view, (&mut *query, text), options)? {
            verdict = Verdict {
                duplicate: self.removed.takes(best.kind),
                of: Some(best.id),
                similarity: best.similarity,
                kind: best.kind,
                verified: (!best.verified).then_some(false),
                label: best.label,
                ..verdict
            };
        }
        verdict.cut = query.cut && !verdict.duplicate;
        let Some((known, add)) = known else {
            return Ok(LookedUp {
                verdict,
                learnt: None,
            });
        };
        let mut learnt = Learnt {
            looked_at: query.looked_at.clone(),
            cut: query.cut,
            replaces: None,
            text: FreshText {
                signed: Signed {
                    stored: Vec::new(),
                    keys: Vec::new(),
                    sketch: query.sketch,
                    id: document.id.clone(),
                    named_by_place: document.named_by_place,
                    // An empty text matches nothing, and no earlier one with its id gives way to it.
                    too_short: !view.frozen.is_long_enough(text.as_str())
                        || text.as_str().trim().is_empty(),
                },
                keys: query.keys.clone(),
                kept: query.kept.clone(),
                times: add.times(),
                is_replaced: false,
            },
        };
        let compared = (checker, &self.removed);
        learnt.compare(&known.fresh, text, &mut verdict, compared, (add, options))?;
        if !verdict.duplicate {
            self.ready(view, document, &mut learnt)?;
        }
        Ok(LookedUp {
            verdict,
            learnt: Some(learnt),
        })
    }

    /// Makes what is needed to learn a text.
    pub(crate) fn ready(
        &mut self,
        view: &View,
        document: &Document,
        learnt: &mut Learnt,
    ) -> Result<(), Error> {
        let FreshText { signed, keys, .. } = &mut learnt.text;
        if !signed.too_short && signed.stored.is_empty() {
            signed.keys = self.checker.stored_keys(&document.text, keys);
            encode(document, &mut self.compressor, &mut signed.stored);
            learnt.replaces = view.find(&document.id)?;
        }
        Ok(())
    }
}
