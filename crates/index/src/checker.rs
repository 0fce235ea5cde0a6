//! Looks up what an index has that is similar to a text.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use lookalike_kernel::Scorer;
use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::{Key, Sketch};
use serde::Serialize;

use crate::Error;
use crate::document::Text;
use crate::frozen::{Frozen, Keyer};
use crate::recent::Recent;
use crate::segment::{Row, Segment};
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
    keys: Vec<Key>,
    kept: Vec<u64>,
    sketch: Option<Sketch>,
    /// Of each key, how many texts with it were looked at.
    looked_at: Vec<usize>,
    /// All of these in a segment, and their sketches.
    documents: Vec<u32>,
    sketches: Vec<Sketch>,
    candidates: Vec<Candidate>,
    recent: Recent,
    buffer: Vec<u8>,
}

/// A document that shares a key with a text, and may be similar by its sketch.
#[derive(Clone, Copy)]
struct Candidate {
    place: Place,
    sketch: Option<Sketch>,
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
            frozen: Arc::clone(frozen),
            keys: Vec::new(),
            kept: Vec::new(),
            sketch: None,
            looked_at: Vec::new(),
            documents: Vec::new(),
            sketches: Vec::new(),
            candidates: Vec::new(),
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
        self.sign(text)?;
        let mut cut = self.find_candidates(view, options, &BTreeSet::new())?;
        let mut scored = Vec::new();
        for candidate in std::mem::take(&mut self.candidates) {
            scored.extend(self.compare(view, candidate, options, 0.0)?);
        }
        scored.sort_by(Scored::order);
        cut |= scored.len() > options.top;
        scored.truncate(options.top);
        let matches = scored
            .iter()
            .map(|scored| self.found(view, scored, options));
        Ok(Checked {
            matches: matches.collect::<Result<_, _>>()?,
            cut,
        })
    }

    /// The most similar text to the one signed last, and whether candidates were left out. What is hidden does not count.
    pub(crate) fn best(
        &mut self,
        view: &View,
        options: &CheckOptions,
        hidden: &BTreeSet<Place>,
    ) -> Result<(Option<Match>, bool), Error> {
        let cut = self.find_candidates(view, options, hidden)?;
        let mut candidates = std::mem::take(&mut self.candidates);
        // Texts with the same features have the same sketch: then nothing is more similar.
        let own = self.sketch;
        candidates.sort_by_key(|candidate| candidate.sketch.is_some() && candidate.sketch != own);
        let mut best: Option<Scored> = None;
        for &candidate in &candidates {
            let floor = best.map_or(0.0, |best| best.similarity);
            if best.is_some() && !self.admits(own, candidate.sketch, floor) {
                continue;
            }
            let Some(scored) = self.compare(view, candidate, options, floor)? else {
                continue;
            };
            if best.is_none_or(|best| scored.order(&best) == Ordering::Less) {
                best = Some(scored);
            }
            if scored.similarity.is_nan() || scored.similarity >= 1.0 {
                break;
            }
        }
        self.candidates = candidates;
        let found = best.map(|best| self.found(view, &best, options));
        Ok((found.transpose()?, cut))
    }

    /// Signs a text: its keys and what is kept of it are known then.
    pub(crate) fn sign(&mut self, text: &Text) -> Result<(), Error> {
        self.keys.clear();
        self.kept.clear();
        self.sketch = None;
        if self.frozen.is_long_enough(text.as_str()) {
            let (keys, kept) = (&mut self.keys, &mut self.kept);
            self.sketch = self.keyer.keys_and_kept(&text.unit(), keys, kept)?;
        }
        Ok(())
    }

    /// The keys under which the text signed last is stored: also those by which it is suggested.
    pub(crate) fn stored_keys(&mut self, text: &Text) -> Vec<Key> {
        let mut keys = self.keys.clone();
        if self.frozen.kernel.spec().job.suggests() {
            self.keyer.stored_keys(&text.unit(), &mut keys);
        }
        keys
    }

    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub(crate) fn kept(&self) -> &[u64] {
        &self.kept
    }

    pub(crate) fn sketch(&self) -> Option<Sketch> {
        self.sketch
    }

    /// Of each key, how many texts with it were looked at.
    pub(crate) fn looked_at(&self) -> &[usize] {
        &self.looked_at
    }

    /// Signs a text for its keys alone.
    pub(crate) fn sign_keys(&mut self, text: &Text) {
        self.keys.clear();
        if self.frozen.is_long_enough(text.as_str()) {
            self.keyer.keys(&text.unit(), &mut self.keys);
        }
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

    /// Where the documents are that share a key with the text and may be similar to it, each once; and whether some were
    /// left out.
    fn find_candidates(
        &mut self,
        view: &View,
        options: &CheckOptions,
        hidden: &BTreeSet<Place>,
    ) -> Result<bool, Error> {
        let mut cut = false;
        self.candidates.clear();
        self.looked_at.clear();
        self.looked_at.resize(self.keys.len(), 0);
        for (segment, number) in view.segments.iter().zip(0..) {
            for &key in &self.keys {
                std::hint::black_box(segment.keys.touch(key));
            }
            let lookup = Lookup::new((segment, number), view, options, hidden);
            self.documents.clear();
            for (&key, looked_at) in self.keys.iter().zip(&mut self.looked_at) {
                cut |= lookup.find(key, looked_at, &mut self.documents)?;
            }
            self.sift(view, (segment, number))?;
        }
        let candidates = &mut self.candidates;
        candidates.sort_unstable_by_key(|candidate| candidate.place);
        candidates.dedup_by_key(|candidate| candidate.place);
        Ok(cut)
    }

    /// Makes candidates of the documents of a segment that may be similar by their sketches.
    fn sift(&mut self, view: &View, (segment, number): (&Segment, u32)) -> Result<(), Error> {
        let candidate = |document: u32, sketch| Candidate {
            place: Place {
                segment: number,
                document,
            },
            sketch,
        };
        let (Some(sieve), Some(own), Some(stored)) =
            (self.frozen.sieve, self.sketch, segment.sketches())
        else {
            let all = self.documents.iter();
            self.candidates
                .extend(all.map(|&document| candidate(document, None)));
            return Ok(());
        };
        // All sketches, one after the other, before any is looked at: that is quicker by far.
        self.sketches.clear();
        for &document in &self.documents {
            self.sketches.push(stored.get(document, view.reading())?);
        }
        for (&document, &sketch) in self.documents.iter().zip(&self.sketches) {
            if sieve.admits(own, sketch) {
                self.candidates.push(candidate(document, Some(sketch)));
            }
        }
        Ok(())
    }

    /// Whether texts with these sketches may be at least so similar.
    #[inline]
    pub(crate) fn admits(&self, a: Option<Sketch>, b: Option<Sketch>, similarity: f64) -> bool {
        match (self.frozen.sieve, a, b) {
            (Some(sieve), Some(a), Some(b)) => sieve.at_least(similarity).admits(a, b),
            _ => true,
        }
    }

    /// Where the documents with a key are, and whether some were left out.
    pub(crate) fn places_of(
        &self,
        view: &View,
        key: Key,
        options: &CheckOptions,
    ) -> Result<(Vec<Place>, bool), Error> {
        let (mut places, mut documents) = (Vec::new(), Vec::new());
        let (mut cut, mut looked_at) = (false, 0);
        let hidden = BTreeSet::new();
        for (segment, number) in view.segments.iter().zip(0..) {
            documents.clear();
            let lookup = Lookup::new((segment, number), view, options, &hidden);
            cut |= lookup.find(key, &mut looked_at, &mut documents)?;
            places.extend(documents.iter().map(|&document| Place {
                segment: number,
                document,
            }));
        }
        Ok((places, cut))
    }

    /// How similar a document is, if at least so much.
    fn compare(
        &mut self,
        view: &View,
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
            kept,
            ..
        } = self;
        let segment = view.segments[place.segment as usize].described.number;
        let other = recent.get((segment, place.document), |other| {
            let document = view.document(place, &view.row(place)?, buffer)?;
            Ok(keyer.signer.keep(&document.text.unit(), other)?)
        })?;
        let score = scorer.score_from(kept, other, floor)?;
        Ok(score.map(|score| Scored {
            similarity: score.similarity,
            place,
        }))
    }

    fn found(
        &mut self,
        view: &View,
        scored: &Scored,
        options: &CheckOptions,
    ) -> Result<Match, Error> {
        let row = view.row(scored.place)?;
        let document = view.document(scored.place, &row, &mut self.buffer)?;
        let explanation = options.explain.then(|| self.explain(&document.text));
        Ok(Match {
            id: document.id,
            similarity: (!scored.similarity.is_nan()).then_some(scored.similarity),
            verified: self.frozen.kernel.plan().verified,
            label: view.label(row.label).map(str::to_string),
            added: row.added,
            expires: (row.expires != 0).then_some(row.expires),
            explanation,
        })
    }

    fn explain(&mut self, stored: &Text) -> Explanation {
        let mut keys = Vec::new();
        self.keyer.keys(&stored.unit(), &mut keys);
        let hex = |keys: &[Key]| keys.iter().map(|key| format!("{key:016x}")).collect();
        let common: Vec<Key> = keys
            .iter()
            .copied()
            .filter(|key| self.keys.binary_search(key).is_ok())
            .collect();
        let spec = self.frozen.kernel.spec();
        let verified = self.frozen.kernel.plan().verified;
        Explanation {
            method: spec.keys.method.clone(),
            measure: spec.verify.measure.clone().filter(|_| verified),
            threshold: verified.then_some(self.frozen.kernel.plan().threshold),
            common: hex(&common),
            queried: hex(&self.keys),
            stored: hex(&keys),
            stored_text: stored.as_str().to_string(),
        }
    }
}

/// Looks up keys in a segment.
struct Lookup<'l> {
    segment: &'l Segment,
    number: u32,
    view: &'l View,
    hidden: &'l BTreeSet<Place>,
    /// The most documents that are looked at a key, in all segments together.
    most: usize,
}

impl<'l> Lookup<'l> {
    fn new(
        (segment, number): (&'l Segment, u32),
        view: &'l View,
        options: &CheckOptions,
        hidden: &'l BTreeSet<Place>,
    ) -> Self {
        Lookup {
            segment,
            number,
            view,
            hidden,
            most: options.candidates.unwrap_or(usize::MAX),
        }
    }

    /// Appends the documents with a key, in the order in which they were added, counts them, and says whether some were left
    /// out.
    fn find(
        &self,
        key: Key,
        looked_at: &mut usize,
        documents: &mut Vec<u32>,
    ) -> Result<bool, Error> {
        let mut cut = false;
        let has_gone = self.segment.described.removed > 0 || !self.hidden.is_empty();
        self.segment
            .keys
            .find(key, self.view.reading(), |document| {
                if has_gone && self.is_gone(document) {
                    return true;
                }
                if *looked_at == self.most {
                    cut = true;
                    return false;
                }
                *looked_at += 1;
                documents.push(document);
                true
            })?;
        Ok(cut)
    }

    fn is_gone(&self, document: u32) -> bool {
        let place = Place {
            segment: self.number,
            document,
        };
        self.segment.removed.has(document) || self.hidden.contains(&place)
    }
}
