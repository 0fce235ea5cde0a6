//! Looks up what an index has that is similar to a text.

use std::sync::Arc;

use lookalike_kernel::Scorer;
use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::Key;
use serde::Serialize;

use crate::Error;
use crate::document::Text;
use crate::frozen::{Frozen, Keyer};
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
    /// The order in which texts were added.
    #[serde(skip)]
    pub(crate) place: Place,
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
    other: Vec<u64>,
    places: Vec<Place>,
    buffer: Vec<u8>,
}

impl Checker {
    pub(crate) fn new(frozen: &Arc<Frozen>) -> Result<Self, Error> {
        Ok(Checker {
            keyer: frozen.keyer()?,
            scorer: frozen.kernel.scorer()?,
            frozen: Arc::clone(frozen),
            keys: Vec::new(),
            kept: Vec::new(),
            other: Vec::new(),
            places: Vec::new(),
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
                problem: "an index of passages tells what texts share, not how similar they are"
                    .to_string(),
                remedy: "ask it for passages".to_string(),
            });
        }
        self.sign(text)?;
        self.look_up(view, options)
    }

    /// Signs a text: its keys and what is kept of it are known then.
    pub(crate) fn sign(&mut self, text: &Text) -> Result<(), Error> {
        self.keys.clear();
        self.kept.clear();
        if self.frozen.is_long_enough(text.as_str()) {
            let unit = text.unit();
            self.keyer.keys(&unit, &mut self.keys);
            self.keyer.signer.keep(&unit, &mut self.kept)?;
        }
        Ok(())
    }

    /// Adds the keys under which a text is stored beside those it is found by.
    pub(crate) fn stored_keys(&mut self, text: &Text, keys: &mut Vec<Key>) {
        if self.frozen.kernel.spec().job.suggests() {
            self.keyer.stored_keys(&text.unit(), keys);
        }
    }

    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys
    }

    pub(crate) fn kept(&self) -> &[u64] {
        &self.kept
    }

    /// Signs a text for its keys alone.
    pub(crate) fn sign_keys(&mut self, text: &Text) {
        self.keys.clear();
        if self.frozen.is_long_enough(text.as_str()) {
            self.keyer.keys(&text.unit(), &mut self.keys);
        }
    }

    /// How similar two kept texts are; none if not enough.
    pub(crate) fn score_kept(&mut self, a: &[u64], b: &[u64]) -> Result<Option<f64>, Error> {
        let score = self.scorer.score(a, b)?;
        Ok(score.map(|score| score.similarity))
    }

    /// What is similar to the text signed last.
    pub(crate) fn look_up(
        &mut self,
        view: &View,
        options: &CheckOptions,
    ) -> Result<Checked, Error> {
        let mut checked = Checked {
            cut: self.find_places(view, options)?,
            ..Checked::default()
        };
        for place in std::mem::take(&mut self.places) {
            let row = view.row(place)?;
            if !options.allows(&row) {
                continue;
            }
            if let Some(found) = self.compare(view, (place, &row), options)? {
                checked.matches.push(found);
            }
        }
        checked.matches.sort_by(|a, b| {
            let similarity = |found: &Match| found.similarity.unwrap_or(0.0);
            let by_similarity = similarity(b).total_cmp(&similarity(a));
            by_similarity.then_with(|| a.place.cmp(&b.place))
        });
        checked.cut |= checked.matches.len() > options.top;
        checked.matches.truncate(options.top);
        Ok(checked)
    }

    /// Where the documents are that share a key with the text, each once; and whether some were left out.
    fn find_places(&mut self, view: &View, options: &CheckOptions) -> Result<bool, Error> {
        let mut cut = false;
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        for &key in &self.keys {
            cut |= find_key(view, key, options, &mut places)?;
        }
        places.sort_unstable();
        places.dedup();
        self.places = places;
        Ok(cut)
    }

    /// Where the documents with a key are, and whether some were left out.
    pub(crate) fn places_of(
        &self,
        view: &View,
        key: Key,
        options: &CheckOptions,
    ) -> Result<(Vec<Place>, bool), Error> {
        let mut places = Vec::new();
        let cut = find_key(view, key, options, &mut places)?;
        Ok((places, cut))
    }

    fn compare(
        &mut self,
        view: &View,
        (place, row): (Place, &Row),
        options: &CheckOptions,
    ) -> Result<Option<Match>, Error> {
        let document = view.document(place, row, &mut self.buffer)?;
        self.other.clear();
        let unit = document.text.unit();
        self.keyer.signer.keep(&unit, &mut self.other)?;
        let Some(score) = self.scorer.score(&self.kept, &self.other)? else {
            return Ok(None);
        };
        let explanation = options.explain.then(|| self.explain(&document.text));
        Ok(Some(Match {
            id: document.id,
            similarity: (!score.similarity.is_nan()).then_some(score.similarity),
            verified: self.frozen.kernel.plan().verified,
            label: view.label(row.label).map(str::to_string),
            added: row.added,
            expires: (row.expires != 0).then_some(row.expires),
            explanation,
            place,
        }))
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

/// Appends where the documents with a key are, and says whether some were left out.
fn find_key(
    view: &View,
    key: Key,
    options: &CheckOptions,
    places: &mut Vec<Place>,
) -> Result<bool, Error> {
    let most = options.candidates.unwrap_or(usize::MAX);
    let (mut found, mut cut) = (0, false);
    for (segment, number) in view.segments.iter().zip(0..) {
        let reading = (&view.snapshot, &*view.room);
        segment.keys.find(key, reading, &mut |document| {
            if segment.removed.has(document) {
                return true;
            }
            if found == most {
                cut = true;
                return false;
            }
            found += 1;
            places.push(Place {
                segment: number,
                document,
            });
            true
        })?;
    }
    Ok(cut)
}
