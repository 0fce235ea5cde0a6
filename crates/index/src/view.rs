//! What an index holds at a moment: all that was committed before, and nothing after it.

use std::sync::Arc;

use lookalike_kernel::rows::Id;
use lookalike_kernel::{Kernel, Spec};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::checker::Checker;
use crate::chunks::{Reading, Room};
use crate::document::Document;
use crate::frozen::Frozen;
use crate::segment::{Described, Row, Segment, id_key};
use crate::store::{Snapshot, Store, Writing};

const STATE: &str = "state";

/// What changes with every commit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// How many commits there were.
    pub(crate) commits: u64,
    pub(crate) next_segment: u32,
    /// By their numbers, from 1.
    pub(crate) labels: Vec<String>,
    /// In the order in which their documents were added.
    pub(crate) segments: Vec<Described>,
}

impl State {
    pub(crate) fn write(&self, writing: &mut Writing<'_>) -> Result<(), Error> {
        let bytes = serde_json::to_vec(self);
        writing.set(
            STATE,
            &bytes.map_err(|error| Error::Internal(error.to_string()))?,
        )
    }

    fn read(snapshot: &Snapshot) -> Result<Self, Error> {
        let folder = snapshot.folder();
        let bytes = snapshot.value(STATE)?;
        let bytes =
            bytes.ok_or_else(|| Error::damaged(folder, "its list of segments is missing"))?;
        serde_json::from_slice(&bytes).map_err(|error| Error::damaged(folder, error.to_string()))
    }

    /// The number of a label, which gets one if it has none.
    pub(crate) fn label_number(&mut self, label: Option<&str>) -> u32 {
        let Some(label) = label else {
            return 0;
        };
        let place = self.labels.iter().position(|known| known == label);
        let place = place.unwrap_or_else(|| {
            self.labels.push(label.to_string());
            self.labels.len() - 1
        });
        place as u32 + 1
    }
}

/// What an index holds at a moment. It can be looked at from any number of threads.
pub struct View {
    pub(crate) frozen: Arc<Frozen>,
    pub(crate) room: Arc<Room>,
    pub(crate) snapshot: Snapshot,
    pub(crate) state: State,
    pub(crate) segments: Vec<Segment>,
}

/// Where a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) segment: u32,
    pub(crate) document: u32,
}

/// What `index stats` shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Texts that can be found.
    pub documents: u64,
    /// Texts that were removed or replaced, and whose room is not given back yet.
    pub removed: u64,
    /// Texts whose time is over at the time that was asked for.
    pub expired: u64,
    /// Texts under each label; those without one are under the empty name.
    pub labels: std::collections::BTreeMap<String, u64>,
    /// Parts of the index that are looked up one after the other.
    pub segments: usize,
    /// Keys in all.
    pub keys: u64,
    /// Bytes of the stored texts.
    pub text_bytes: u64,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Commits since it was made.
    pub commits: u64,
    /// The job.
    pub job: String,
    /// What texts are found by.
    pub keys_method: String,
    /// Of the settings and statistics: equal ones can be merged.
    pub fingerprint: String,
    /// The format of the file.
    pub format: u32,
    /// Texts of fewer characters are not taken up.
    pub least_characters: usize,
}

impl View {
    pub(crate) fn open(
        store: &Store,
        frozen: &Arc<Frozen>,
        room: &Arc<Room>,
        before: Option<&View>,
    ) -> Result<Self, Error> {
        let snapshot = store.snapshot()?;
        let state = State::read(&snapshot)?;
        let known = before.map_or(&[][..], |before| &before.segments);
        let mut segments = Vec::with_capacity(state.segments.len());
        for described in &state.segments {
            let same = |segment: &&Segment| segment.described.number == described.number;
            segments.push(match known.iter().find(same) {
                Some(segment) => segment.again(described, &snapshot)?,
                None => Segment::open(described, &snapshot)?,
            });
        }
        let is_gone = |segment: &&Segment| {
            let mut left = state.segments.iter();
            !left.any(|described| described.number == segment.described.number)
        };
        for segment in known.iter().filter(is_gone) {
            segment.forget(room);
        }
        Ok(View {
            frozen: Arc::clone(frozen),
            room: Arc::clone(room),
            snapshot,
            state,
            segments,
        })
    }

    /// The same without what is stored, so that the room of it can be given back.
    pub(crate) fn closed(&self) -> Self {
        View {
            frozen: Arc::clone(&self.frozen),
            room: Arc::clone(&self.room),
            snapshot: self.snapshot.closed(),
            state: self.state.clone(),
            segments: self.segments.clone(),
        }
    }

    /// The settings with which the index was made.
    pub fn spec(&self) -> &Spec {
        self.frozen.kernel.spec()
    }

    /// The settings, as a configuration file.
    pub fn settings(&self) -> &str {
        self.frozen.settings()
    }

    /// How common words are, as `lexicon build` writes it, where the settings need to know.
    pub fn vocabulary(&self) -> Option<&[u8]> {
        self.frozen.vocabulary()
    }

    /// What signs and compares texts.
    pub fn kernel(&self) -> &Kernel {
        &self.frozen.kernel
    }

    /// How many texts can be found.
    pub fn len(&self) -> u64 {
        let left =
            |segment: &Segment| u64::from(segment.described.documents - segment.described.removed);
        self.segments.iter().map(left).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What looks texts up: one a thread.
    ///
    /// # Errors
    /// If the settings cannot be followed.
    pub fn checker(&self) -> Result<Checker, Error> {
        Checker::new(&self.frozen)
    }

    /// The stored text of an id.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn get(&self, id: &Id) -> Result<Option<Document>, Error> {
        let Some(place) = self.find(id)? else {
            return Ok(None);
        };
        let row = self.row(place)?;
        self.document(place, &row, &mut Vec::new()).map(Some)
    }

    /// Tells every text that can be found, in the order in which they were added.
    ///
    /// # Errors
    /// If the index is damaged, or `each` fails.
    pub fn for_each(
        &self,
        mut each: impl FnMut(Document, Option<&str>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut buffer = Vec::new();
        self.for_each_row(|segment, _, row| {
            let document = segment.document(row, &self.snapshot, &mut buffer)?;
            each(document, self.label(row.label))
        })
    }

    pub(crate) fn for_each_row(
        &self,
        mut each: impl FnMut(&Segment, u32, &Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for segment in &self.segments {
            for (document, row) in (0..).zip(segment.rows(&self.snapshot)?) {
                if !segment.removed.has(document) {
                    each(segment, document, &row)?;
                }
            }
        }
        Ok(())
    }

    /// Where the document with an id is.
    pub(crate) fn find(&self, id: &Id) -> Result<Option<Place>, Error> {
        let key = id_key(id);
        let mut buffer = Vec::new();
        for (number, segment) in self.segments.iter().enumerate().rev() {
            let mut found = Vec::new();
            segment.ids.find(key, self.reading(), |documents| {
                found.extend_from_slice(documents);
                true
            })?;
            for document in found {
                if segment.removed.has(document) {
                    continue;
                }
                let row = segment.row(document, self.reading())?;
                if segment.document(&row, &self.snapshot, &mut buffer)?.id == *id {
                    return Ok(Some(Place {
                        segment: number as u32,
                        document,
                    }));
                }
            }
        }
        Ok(None)
    }

    pub(crate) fn row(&self, place: Place) -> Result<Row, Error> {
        self.segments[place.segment as usize].row(place.document, self.reading())
    }

    /// What segments are read from.
    pub(crate) fn reading(&self) -> Reading<'_> {
        (&self.snapshot, &self.room)
    }

    pub(crate) fn document(
        &self,
        place: Place,
        row: &Row,
        buffer: &mut Vec<u8>,
    ) -> Result<Document, Error> {
        self.segments[place.segment as usize].document(row, &self.snapshot, buffer)
    }

    pub(crate) fn label(&self, number: u32) -> Option<&str> {
        let place = (number as usize).checked_sub(1)?;
        self.state.labels.get(place).map(String::as_str)
    }

    /// The labels under which texts were added, in the order in which they came up.
    pub fn labels(&self) -> &[String] {
        &self.state.labels
    }

    /// What there is, and at `now` is not any more.
    ///
    /// # Errors
    /// If the index is damaged.
    pub fn stats(&self, now: Option<u64>) -> Result<Stats, Error> {
        let mut labels = std::collections::BTreeMap::new();
        let mut expired = 0;
        self.for_each_row(|_, _, row| {
            let label = self.label(row.label).unwrap_or_default();
            *labels.entry(label.to_string()).or_insert(0) += 1;
            expired += u64::from(row.is_expired(now));
            Ok(())
        })?;
        let spec = self.spec();
        let sum = |of: fn(&Described) -> u64| self.state.segments.iter().map(of).sum();
        let file = self.snapshot.folder().join(crate::store::FILE);
        Ok(Stats {
            documents: self.len(),
            removed: sum(|segment| u64::from(segment.removed)),
            expired,
            labels,
            segments: self.segments.len(),
            keys: sum(|segment| segment.keys),
            text_bytes: sum(|segment| segment.text_bytes),
            file_bytes: std::fs::metadata(file).map_or(0, |about| about.len()),
            commits: self.state.commits,
            job: spec.job.name().to_string(),
            keys_method: spec.keys.method.clone(),
            fingerprint: format!("{:032x}", self.frozen.fingerprint()),
            format: crate::FORMAT,
            least_characters: self.frozen.least_characters(),
        })
    }
}
