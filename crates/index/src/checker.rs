//! Looks up what an index has that is similar to a text.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use lookalike_kernel::Scorer;
use lookalike_kernel::pair::assemble::{Difference, RecordComparer};
use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::{Key, Sketch};
use serde::Serialize;

use crate::Error;
use crate::candidates::{Candidate, Finder, Query};
use crate::document::Text;
use crate::frozen::{Frozen, Keyer};
use crate::recent::Recent;
use crate::segment::Row;
use crate::view::{Place, View};

/// How thoroughly a text is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The most matches that are told.
    pub top: usize,
    /// The most candidates that are looked at a key; none for all.
    pub candidates: Option<usize>,
    /// What is expired at this time, in seconds since 1970, does not match.
    pub now: Option<u64>,
    /// Only texts under this label match; a number that [`CheckOptions::with_label`] looks up.
    label: Option<u32>,
    /// Whether it is told what matched.
    pub explain: bool,
}

/// A key that more texts have says little.
const CANDIDATES: usize = 128;

impl Default for CheckOptions {
    fn default() -> Self {
        CheckOptions {
            top: 10,
            candidates: Some(CANDIDATES),
            now: None,
            label: None,
            explain: false,
        }
    }
}

impl CheckOptions {
    /// Every match there is.
    pub fn all() -> Self {
        CheckOptions {
            top: usize::MAX,
            candidates: None,
            ..CheckOptions::default()
        }
    }

    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Whether not every document may match.
    fn is_choosy(&self) -> bool {
        self.label.is_some() || self.now.is_some()
    }

    /// Whether a document may match.
    pub(crate) fn allows(&self, row: &Row) -> bool {
        self.label.is_none_or(|label| row.label == label) && !row.is_expired(self.now)
    }

    /// Only texts under this label match.
    #[must_use]
    pub fn with_label(mut self, view: &View, label: &str) -> Self {
        let known = view.state.labels.iter().position(|known| known == label);
        self.label = Some(known.map_or(u32::MAX, |place| place as u32 + 1));
        self
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Checked {
    /// The most similar first; of equally similar ones the one that was added first.
    pub matches: Vec<Match>,
    /// Whether there may be more: candidates were left out, or matches beyond those asked for.
    pub cut: bool,
}

/// A text of the index that is similar to the one looked up.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Match {
    /// Its name.
    pub id: Id,
    /// Exact; none where a common digest alone makes duplicates.
    pub similarity: Option<f64>,
    /// In what the two differ, where the job tells that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Difference>,
    /// Whether the two were compared.
    pub verified: bool,
    /// The label under which it was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it was added, in seconds since 1970.
    pub added: u64,
    /// From when on it does not match any more, in seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
    /// What matched, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// By what a text was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The method of the keys.
    pub method: String,
    /// The measure by which the two were compared; none where they were not.
    pub measure: Option<String>,
    /// What it must reach.
    pub threshold: Option<f64>,
    /// The keys that both have, in hexadecimal.
    pub common: Vec<String>,
    /// All keys of the text that was looked up.
    pub queried: Vec<String>,
    /// All keys of the text that was found.
    pub stored: Vec<String>,
    /// What the stored text says.
    pub stored_text: String,
}

/// Looks up what an index has that is similar to a text. It owns the buffers that it reuses, so there is one a thread.
pub struct Checker {
    frozen: Arc<Frozen>,
    keyer: Keyer,
    scorer: Scorer,
    /// Where the job tells in what texts differ.
    comparer: Option<RecordComparer>,
    finder: Finder,
    recent: Recent,
    buffer: Vec<u8>,
}

/// A document that is similar to a text.
#[derive(Clone, Copy)]
struct Scored {
    /// Not a number where a common digest alone makes duplicates.
    similarity: f64,
    place: Place,
}

impl Scored {
    /// The most similar first; of equally similar ones the one that was added first.
    fn order(&self, other: &Scored) -> Ordering {
        let similarity = |scored: &Scored| match scored.similarity.is_nan() {
            true => 0.0,
            false => scored.similarity,
        };
        let by_similarity = similarity(other).total_cmp(&similarity(self));
        by_similarity.then_with(|| self.place.cmp(&other.place))
    }
}

impl Checker {
    pub(crate) fn new(frozen: &Arc<Frozen>) -> Result<Self, Error> {
        Ok(Checker {
            keyer: frozen.keyer()?,
            scorer: frozen.kernel.scorer()?,
            comparer: match frozen.kernel.spec().job.tells_differences() {
                true => Some(frozen.kernel.record_comparer()),
                false => None,
            },
            frozen: Arc::clone(frozen),
            finder: Finder::default(),
            recent: Recent::new(),
            buffer: Vec::new(),
        })
    }

    /// The texts of an index that are similar to this one.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn check(
        &mut self,
        view: &View,
        text: &Text,
        options: &CheckOptions,
    ) -> Result<Checked, Error> {
        if self.frozen.locates_passages() {
            return Err(Error::Unsuited {
                problem: "an index of passages shows what texts share, not how similar they are"
                    .to_string(),
                remedy: "ask it for passages".to_string(),
            });
        }
        let mut query = Query::default();
        self.sign(text, &mut query)?;
        self.find(view, std::slice::from_mut(&mut query), options)?;
        let mut scored = Vec::new();
        for &candidate in &query.candidates {
            scored.extend(self.compare(view, &query, candidate, options, 0.0)?);
        }
        scored.sort_by(Scored::order);
        let cut = query.cut || scored.len() > options.top;
        scored.truncate(options.top);
        let matches = scored
            .iter()
            .map(|scored| self.found(view, (&query, text), scored, options));
        Ok(Checked {
            matches: matches.collect::<Result<_, _>>()?,
            cut,
        })
    }

    /// Signs a text: its keys and what is kept of it are known then.
    pub(crate) fn sign(&mut self, text: &Text, query: &mut Query) -> Result<(), Error> {
        query.keys.clear();
        query.kept.clear();
        query.sketch = None;
        if self.frozen.is_long_enough(text.as_str()) {
            let (keys, kept) = (&mut query.keys, &mut query.kept);
            query.sketch = self.keyer.keys_and_kept(&text.unit(), keys, kept)?;
        }
        Ok(())
    }

    /// Signs a text for its keys alone.
    pub(crate) fn keys_of(&mut self, text: &Text) -> Vec<Key> {
        let mut keys = Vec::new();
        if self.frozen.is_long_enough(text.as_str()) {
            self.keyer.keys(&text.unit(), &mut keys);
        }
        keys
    }

    /// The keys under which a signed text is stored: also those by which it is suggested.
    pub(crate) fn stored_keys(&mut self, text: &Text, found_by: &[Key]) -> Vec<Key> {
        let mut keys = found_by.to_vec();
        if self.frozen.kernel.spec().job.suggests() {
            self.keyer.stored_keys(&text.unit(), &mut keys);
        }
        keys
    }

    /// Finds the candidates of signed texts.
    fn find(
        &mut self,
        view: &View,
        queries: &mut [Query],
        options: &CheckOptions,
    ) -> Result<(), Error> {
        self.find_unhidden(view, queries, options, &BTreeSet::new())
    }

    /// The same, where what is hidden does not count.
    pub(crate) fn find_unhidden(
        &mut self,
        view: &View,
        queries: &mut [Query],
        options: &CheckOptions,
        hidden: &BTreeSet<Place>,
    ) -> Result<(), Error> {
        let asked = (view, self.frozen.sieve);
        self.finder.find(queries, asked, options, hidden)
    }

    /// The most similar of the candidates that were found for a text.
    pub(crate) fn best(
        &mut self,
        view: &View,
        (query, text): (&mut Query, &Text),
        options: &CheckOptions,
    ) -> Result<Option<Match>, Error> {
        // Texts with the same features have the same sketch: then nothing is more similar.
        let own = query.sketch;
        let candidates = &mut query.candidates;
        candidates.sort_by_key(|candidate| candidate.sketch.is_some() && candidate.sketch != own);
        let mut best: Option<Scored> = None;
        for &candidate in &query.candidates {
            let floor = best.map_or(0.0, |best| best.similarity);
            if best.is_some() && !self.admits(own, candidate.sketch, floor) {
                continue;
            }
            let Some(scored) = self.compare(view, query, candidate, options, floor)? else {
                continue;
            };
            if best.is_none_or(|best| scored.order(&best) == Ordering::Less) {
                best = Some(scored);
            }
            if scored.similarity.is_nan() || scored.similarity >= 1.0 {
                break;
            }
        }
        let asked = (&*query, text);
        let found = best.map(|best| self.found(view, asked, &best, options));
        found.transpose()
    }

    /// In what two similar texts differ, where the job tells that: in the fields that the first has.
    pub(crate) fn kind(&mut self, text: &Text, stored: &Text) -> Option<Difference> {
        let comparer = self.comparer.as_mut()?;
        let parts = |text: &Text| text.fields().count();
        if parts(text) == 0 || parts(stored) == 0 {
            return Some(comparer.kind(&[text.as_str()], &[stored.as_str()]));
        }
        let fields: Vec<&str> = text.fields().collect();
        let stored: Vec<&str> = stored.fields().take(fields.len()).collect();
        Some(comparer.kind(&fields, &stored))
    }

    /// How similar two kept texts are; none if not enough.
    pub(crate) fn score_kept(
        &mut self,
        a: &[u64],
        b: &[u64],
        floor: f64,
    ) -> Result<Option<f64>, Error> {
        let score = self.scorer.score_from(a, b, floor)?;
        Ok(score.map(|score| score.similarity))
    }

    /// Whether texts with these sketches may be at least so similar.
    #[inline]
    pub(crate) fn admits(&self, a: Option<Sketch>, b: Option<Sketch>, similarity: f64) -> bool {
        match (self.frozen.sieve, a, b) {
            // What a model calls similar is no similarity of features.
            (Some(sieve), Some(a), Some(b)) if self.frozen.kernel.plan().model.is_some() => {
                sieve.admits(a, b)
            }
            (Some(sieve), Some(a), Some(b)) => sieve.at_least(similarity).admits(a, b),
            _ => true,
        }
    }

    /// How similar a document is, if at least so much.
    fn compare(
        &mut self,
        view: &View,
        query: &Query,
        candidate: Candidate,
        options: &CheckOptions,
        floor: f64,
    ) -> Result<Option<Scored>, Error> {
        let place = candidate.place;
        if options.is_choosy() && !options.allows(&view.row(place)?) {
            return Ok(None);
        }
        let Checker {
            keyer,
            scorer,
            recent,
            buffer,
            ..
        } = self;
        let segment = view.segments[place.segment as usize].described.number;
        let other = recent.get((segment, place.document), |other| {
            let document = view.document(place, &view.row(place)?, buffer)?;
            Ok(keyer.signer.keep(&document.text.unit(), other)?)
        })?;
        let score = scorer.score_from(&query.kept, other, floor)?;
        Ok(score.map(|score| Scored {
            similarity: score.similarity,
            place,
        }))
    }

    fn found(
        &mut self,
        view: &View,
        (query, text): (&Query, &Text),
        scored: &Scored,
        options: &CheckOptions,
    ) -> Result<Match, Error> {
        let row = view.row(scored.place)?;
        let document = view.document(scored.place, &row, &mut self.buffer)?;
        let explanation = options.explain.then(|| self.explain(query, &document.text));
        Ok(Match {
            kind: self.kind(text, &document.text),
            id: document.id,
            similarity: (!scored.similarity.is_nan()).then_some(scored.similarity),
            verified: self.frozen.kernel.plan().verified,
            label: view.label(row.label).map(str::to_string),
            added: row.added,
            expires: (row.expires != 0).then_some(row.expires),
            explanation,
        })
    }

    fn explain(&mut self, query: &Query, stored: &Text) -> Explanation {
        let mut keys = Vec::new();
        self.keyer.keys(&stored.unit(), &mut keys);
        let hex = |keys: &[Key]| keys.iter().map(|key| format!("{key:016x}")).collect();
        let common: Vec<Key> = keys
            .iter()
            .copied()
            .filter(|key| query.keys.binary_search(key).is_ok())
            .collect();
        let spec = self.frozen.kernel.spec();
        let verified = self.frozen.kernel.plan().verified;
        Explanation {
            method: spec.keys.method.clone(),
            measure: spec.verify.measure.clone().filter(|_| verified),
            threshold: verified.then_some(self.frozen.kernel.plan().threshold),
            common: hex(&common),
            queried: hex(&query.keys),
            stored: hex(&keys),
            stored_text: stored.as_str().to_string(),
        }
    }
}
