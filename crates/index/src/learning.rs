//! What a stream teaches: new texts, compared with the later ones as if they were in the index already, and added to it from
//! time to time.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use lookalike_kernel::rows::Id;

use crate::Error;
use crate::checker::{CheckOptions, Checker};
use crate::document::{Compressor, Document, Text, decode};
use crate::filter::{LookedUp, RemovedKinds, Verdict, Worker};
use crate::fresh::{Fresh, FreshText};
use crate::index::{AddOptions, Index};
use crate::naming;
use crate::view::Place;

/// What was learnt and is not yet committed.
pub(crate) struct Learning<'i> {
    pub(crate) index: &'i mut Index,
    pub(crate) add: AddOptions,
    commit_after: Duration,
    begun: Instant,
    pub(crate) known: Known,
    /// The texts of this batch that were learnt.
    batch: Fresh,
    /// Whether a text that others may have been found to match was replaced in this batch.
    pub(crate) is_outdated: bool,
    /// How many texts were replaced by a later one with the same id.
    pub(crate) replaced: u64,
}

/// What a batch is looked up in, beside the index.
#[derive(Default)]
pub(crate) struct Known {
    /// The texts of earlier batches that were learnt.
    pub(crate) fresh: Fresh,
    /// Documents of the index that a text with the same id replaced.
    pub(crate) hidden: BTreeSet<Place>,
}

/// A commit is made at the latest when so many texts, or so many bytes, wait for it.
const MOST_WAITING: usize = 50_000;
const MOST_BYTES: usize = 64 << 20;

/// What is needed to learn a text.
pub(crate) struct Learnt {
    pub(crate) text: FreshText,
    /// Of each key, how many texts with it were looked at.
    pub(crate) looked_at: Vec<usize>,
    /// Whether some were left out.
    pub(crate) cut: bool,
    /// A document of the index with the same id.
    pub(crate) replaces: Option<Place>,
}

impl Learnt {
    /// Compares a text with some that were learnt. What was there before stays the match unless one is more similar.
    pub(crate) fn compare(
        &mut self,
        fresh: &Fresh,
        text: &Text,
        verdict: &mut Verdict,
        (checker, removed): (&mut Checker, &RemovedKinds),
        (add, options): (&AddOptions, &CheckOptions),
    ) -> Result<(), Error> {
        let most = options.candidates.unwrap_or(usize::MAX);
        let sketch = self.text.signed.sketch;
        let mut candidates: Vec<u32> = Vec::new();
        for (&key, looked_at) in self.text.keys.iter().zip(&mut self.looked_at) {
            fresh.find(key, |other, number| {
                if *looked_at == most {
                    self.cut = true;
                    return false;
                }
                *looked_at += 1;
                if checker.admits(sketch, other.signed.sketch, 0.0) {
                    candidates.push(number);
                }
                true
            });
        }
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|&number| {
            let other = &fresh.texts[number as usize];
            !other.times.are_over(options.now)
        });
        let mut matched = None;
        for candidate in candidates {
            let other = &fresh.texts[candidate as usize];
            let best = verdict.similarity.unwrap_or(0.0);
            if !checker.admits(sketch, other.signed.sketch, best) {
                continue;
            }
            let kept = (&self.text.kept, &other.kept);
            let Some(similarity) = checker.score_kept(kept.0, kept.1, best)? else {
                continue;
            };
            if verdict.of.is_none() || similarity > best {
                matched = Some(other);
                verdict.of = Some(other.signed.id.clone());
                verdict.similarity = (!similarity.is_nan()).then_some(similarity);
                verdict.verified = similarity.is_nan().then_some(false);
                verdict.label.clone_from(&add.label);
            }
        }
        if let Some(stored) = matched.and_then(|other| decode(&other.signed.stored)) {
            verdict.kind = checker.kind(text, &stored.text);
            verdict.duplicate = removed.takes(verdict.kind);
        }
        verdict.cut = self.cut && !verdict.duplicate;
        Ok(())
    }
}

impl<'i> Learning<'i> {
    pub(crate) fn new(index: &'i mut Index, add: AddOptions, commit_after: Duration) -> Self {
        Learning {
            index,
            add,
            commit_after,
            begun: Instant::now(),
            known: Known::default(),
            batch: Fresh::default(),
            is_outdated: false,
            replaced: 0,
        }
    }

    /// Compares a text with what of this batch was learnt, and learns it if it is new. Returns the name that it got, if it
    /// had none of its own.
    pub(crate) fn learn(
        &mut self,
        found: &mut LookedUp,
        document: &Document,
        worker: &mut Worker,
        options: &CheckOptions,
    ) -> Result<Option<Id>, Error> {
        let Some(mut learnt) = found.learnt.take() else {
            return Ok(None);
        };
        let verdict = &mut found.verdict;
        let (text, compared) = (&document.text, (&mut worker.checker, &worker.removed));
        learnt.compare(&self.batch, text, verdict, compared, (&self.add, options))?;
        if verdict.duplicate || learnt.text.signed.too_short {
            return Ok(None);
        }
        // Something of this batch may be more similar and yet no reason to remove it.
        worker.ready(self.index.view(), document, &mut learnt)?;
        let mut renamed = None;
        if learnt.text.signed.named_by_place {
            self.name(&mut learnt, &mut worker.compressor)?;
            learnt.text.signed.named_by_place = false;
            renamed = Some(learnt.text.signed.id.clone());
        }
        let of_index = learnt
            .replaces
            .is_some_and(|place| self.known.hidden.insert(place));
        let of_stream = self.known.fresh.replace(&learnt.text.signed.id);
        self.is_outdated |= of_index || of_stream;
        let of_batch = self.batch.push(learnt.text);
        self.replaced += u64::from(of_index || of_stream || of_batch);
        Ok(renamed)
    }

    /// Gives a text that is new a name that no other one has; the very same one, which may be expired, is replaced.
    fn name(&self, learnt: &mut Learnt, compressor: &mut Compressor) -> Result<(), Error> {
        let signed = &mut learnt.text.signed;
        let fresh = [&self.batch, &self.known.fresh];
        let is_fresh = |id: &Id| fresh.iter().any(|fresh| fresh.stored(id).is_some());
        if learnt.replaces.is_none() && !is_fresh(&signed.id) {
            return Ok(());
        }
        let Some(Document { text, .. }) = decode(&signed.stored) else {
            return Ok(());
        };
        let view = self.index.view();
        for id in naming::names(&signed.id, &text) {
            let waiting = fresh.iter().find_map(|fresh| fresh.stored(&id));
            let (holder, place) = match waiting.and_then(decode) {
                Some(document) => (Some(document), None),
                None => match view.find(&id)? {
                    Some(place) => {
                        let document = view.document(place, &view.row(place)?, &mut Vec::new())?;
                        (Some(document), Some(place))
                    }
                    None => (None, None),
                },
            };
            if holder.is_none_or(|holder| holder.text == text) {
                signed.rename(id, text, compressor);
                learnt.replaces = place;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Counts the texts of this batch as learnt; returns whether everything was committed.
    pub(crate) fn end_batch(&mut self) -> Result<bool, Error> {
        self.known.fresh.append(&mut self.batch);
        self.is_outdated = false;
        let is_due = self.is_due();
        if is_due {
            self.commit()?;
        }
        Ok(is_due)
    }

    fn is_due(&self) -> bool {
        let fresh = &self.known.fresh;
        let much = fresh.texts.len() >= MOST_WAITING || fresh.bytes >= MOST_BYTES;
        much || self.due_in().is_some_and(|left| left.is_zero())
    }

    /// How long what was learnt may still wait; none if nothing does.
    pub(crate) fn due_in(&self) -> Option<Duration> {
        let is_waiting = !self.known.fresh.texts.is_empty();
        is_waiting.then(|| self.commit_after.saturating_sub(self.begun.elapsed()))
    }

    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        let known = std::mem::take(&mut self.known);
        let texts = known.fresh.texts.into_iter();
        let signed = texts.map(|text| (text.signed, text.times));
        self.index.add_signed(signed, &self.add)?;
        self.begun = Instant::now();
        Ok(())
    }
}
