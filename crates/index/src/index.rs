//! An index that is written to: one process at a time does.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use lookalike_kernel::pair::workers::{Pulled, in_order};
use lookalike_kernel::rows::Id;
use lookalike_kernel::{SeedSpec, Spec};
use serde::Serialize;

use crate::Error;
use crate::adding::{Adding, Signed, Worker};
use crate::chunks::Room;
use crate::document::{Compressor, Document};
use crate::fresh::Times;
use crate::frozen::{CreateOptions, Frozen};
use crate::merging;
use crate::segment::{Removed, Row};
use crate::store::Store;
use crate::view::{Place, State, View};

/// How an index is opened.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The seed, where it is a secret and so not in the index.
    pub seed: Option<SeedSpec>,
    /// How many bytes of keys are kept in memory.
    pub memory: usize,
}

impl Default for OpenOptions {
    fn default() -> Self {
        OpenOptions {
            seed: None,
            memory: 512 << 20,
        }
    }
}

impl OpenOptions {
    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }
}

/// How texts are added.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AddOptions {
    /// The label of all of them.
    pub label: Option<String>,
    /// When they are added, in seconds since 1970.
    pub added: u64,
    /// From when on they do not match any more, in seconds since 1970.
    pub expires: Option<u64>,
    /// How many threads sign texts.
    pub threads: usize,
    /// How many texts are committed together.
    pub commit_every: usize,
}

impl AddOptions {
    /// Without a label, for ever, with one thread.
    pub fn new(added: u64) -> Self {
        AddOptions {
            label: None,
            added,
            expires: None,
            threads: 1,
            commit_every: 100_000,
        }
    }

    /// These options but for what `change` changes.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    pub(crate) fn times(&self) -> Times {
        Times {
            added: self.added,
            expires: self.expires,
        }
    }

    /// The same at another time; what expires does so as long after it.
    pub(crate) fn move_to(&mut self, now: u64) {
        let lasts = self.expires.map(|end| end.saturating_sub(self.added));
        self.added = now;
        self.expires = lasts.map(|lasts| now.saturating_add(lasts));
    }
}

/// What became of texts that were added.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Added {
    /// Taken up.
    pub added: u64,
    /// Of these, how many took the place of one with the same id.
    pub replaced: u64,
    /// Not taken up, since the same text is there under the name that this one would get.
    pub already_there: u64,
    /// Not taken up, since they are shorter than the index wants.
    pub too_short: u64,
    /// Taken up, but with nothing to be found by: too little is in them.
    pub without_keys: u64,
}

/// What was given back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Compacted {
    /// Texts that had been removed or replaced.
    pub removed: u64,
    /// Texts whose time is over.
    pub expired: u64,
}

/// An index that is written to.
pub struct Index {
    pub(crate) store: Store,
    frozen: Arc<Frozen>,
    room: Arc<Room>,
    pub(crate) view: Arc<View>,
}

impl Index {
    /// Makes an index in a folder that is empty or not there.
    ///
    /// # Errors
    /// If the settings cannot be followed one text at a time, or the folder cannot be written to.
    pub fn create(folder: &Path, spec: &Spec, options: &CreateOptions) -> Result<Self, Error> {
        let frozen = Frozen::new(spec, options)?;
        let store = Store::create(folder)?;
        Index::begin(store, frozen)
    }

    /// The same in other storage than a file; for tests of what survives a crash.
    #[doc(hidden)]
    pub fn create_in(
        storage: impl redb::StorageBackend,
        spec: &Spec,
        options: &CreateOptions,
    ) -> Result<Self, Error> {
        let frozen = Frozen::new(spec, options)?;
        Index::begin(Store::in_storage(storage, Path::new("memory"))?, frozen)
    }

    /// Opens what [`Index::create_in`] made.
    #[doc(hidden)]
    pub fn open_in(storage: impl redb::StorageBackend) -> Result<Self, Error> {
        let store = Store::in_storage(storage, Path::new("memory"))?;
        Index::of(store, &OpenOptions::default())
    }

    fn begin(store: Store, frozen: Frozen) -> Result<Self, Error> {
        store.write(|writing| {
            frozen.write(writing)?;
            State::default().write(writing)
        })?;
        let (frozen, room) = (
            Arc::new(frozen),
            Arc::new(Room::new(OpenOptions::default().memory)),
        );
        let view = Arc::new(View::open(&store, &frozen, &room, None)?);
        Ok(Index {
            store,
            frozen,
            room,
            view,
        })
    }

    /// Opens an index to write to it.
    ///
    /// # Errors
    /// If there is none, another process writes to it, or it is damaged.
    pub fn open(folder: &Path, options: &OpenOptions) -> Result<Self, Error> {
        Index::of(Store::open(folder)?, options)
    }

    fn of(store: Store, options: &OpenOptions) -> Result<Self, Error> {
        let frozen = Arc::new(Frozen::read(&store.snapshot()?, options.seed)?);
        let room = Arc::new(Room::new(options.memory));
        let view = Arc::new(View::open(&store, &frozen, &room, None)?);
        Ok(Index {
            store,
            frozen,
            room,
            view,
        })
    }

    /// What is committed.
    pub fn view(&self) -> &Arc<View> {
        &self.view
    }

    /// Adds texts. What is committed, every so many texts, is there for good; `committed` is told how many texts of the
    /// input that are.
    ///
    /// # Errors
    /// If a text cannot be read or signed, or the index cannot be written to. What was committed stays.
    pub fn add<E: From<Error> + Send>(
        &mut self,
        documents: impl Iterator<Item = Result<Document, E>> + Send,
        options: &AddOptions,
        committed: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Added, E> {
        /// Texts that a thread signs at once.
        const TOGETHER: usize = 64;
        let frozen = Arc::clone(&self.frozen);
        let mut documents = documents;
        let mut adding = Adding::new(self, options);
        let mut taken = 0;
        let new_worker = || {
            Ok(Worker {
                keyer: frozen.keyer().map_err(E::from)?,
                compressor: Compressor::default(),
                documents: Vec::new(),
            })
        };
        let pull = |worker: &mut Worker| {
            worker.documents.clear();
            for document in documents.by_ref().take(TOGETHER) {
                worker.documents.push(document?);
            }
            Ok(match worker.documents.is_empty() {
                true => Pulled::Nothing,
                false => Pulled::Item,
            })
        };
        let work = |worker: &mut Worker| {
            let Worker {
                keyer,
                compressor,
                documents,
            } = worker;
            let sign = |document: Document| Signed::new(&frozen, document, (keyer, compressor));
            Ok(documents.drain(..).map(sign).collect::<Vec<_>>())
        };
        in_order(options.threads.max(1), new_worker, pull, work, |signed| {
            for signed in signed {
                taken += 1;
                adding.take(signed)?;
                if adding.is_full() {
                    adding.commit()?;
                    committed(taken);
                }
            }
            Ok::<(), E>(())
        })?;
        adding.commit()?;
        committed(taken);
        Ok(adding.added)
    }

    /// Adds texts that are signed already and have names of their own, each with its own times instead of those of the
    /// options.
    pub(crate) fn add_signed(
        &mut self,
        signed: impl IntoIterator<Item = (Signed, Times)>,
        options: &AddOptions,
    ) -> Result<Added, Error> {
        let mut adding = Adding::new(self, options);
        for (signed, times) in signed {
            adding.take_at(signed, times);
            if adding.is_full() {
                adding.commit()?;
            }
        }
        adding.commit()?;
        Ok(adding.added)
    }

    /// Removes texts by their ids, and says how many were there.
    ///
    /// # Errors
    /// If the index is damaged or cannot be written to.
    pub fn remove<'a>(&mut self, ids: impl IntoIterator<Item = &'a Id>) -> Result<u64, Error> {
        let mut places = Vec::new();
        for id in ids {
            places.extend(self.view.find(id)?);
        }
        self.remove_places(places)
    }

    /// Removes all texts under a label, and says how many these were.
    ///
    /// # Errors
    /// If the index is damaged or cannot be written to.
    pub fn remove_label(&mut self, label: &str) -> Result<u64, Error> {
        let known = self
            .view
            .state
            .labels
            .iter()
            .position(|known| known == label);
        let Some(number) = known.map(|place| place as u32 + 1) else {
            return Ok(0);
        };
        let mut places = Vec::new();
        for (segment, place) in self.view.segments.iter().zip(0..) {
            let rows = (0..).zip(segment.rows(&self.view.snapshot)?);
            let labelled = rows.filter(|(_, row)| row.label == number);
            places.extend(labelled.map(|(document, _)| Place {
                segment: place,
                document,
            }));
        }
        self.remove_places(places)
    }

    fn remove_places(&mut self, places: Vec<Place>) -> Result<u64, Error> {
        let mut state = self.view.state.clone();
        let removed = mark_removed(&self.view, &mut state, places);
        if removed.is_empty() {
            return Ok(0);
        }
        let count = removed.iter().map(|(_, _, count)| u64::from(*count)).sum();
        state.commits += 1;
        self.store.write(|writing| {
            for (segment, removed, _) in &removed {
                removed.write(*segment, writing)?;
            }
            state.write(writing)
        })?;
        self.refresh()?;
        Ok(count)
    }

    /// Adds all texts of another index that was made with the same settings, with their labels and times. A text whose id
    /// both have is replaced by the other's.
    ///
    /// # Errors
    /// If the settings are others, or one of the two is damaged.
    pub fn merge(&mut self, other: &View) -> Result<Added, Error> {
        if self.frozen.fingerprint() != other.frozen.fingerprint() {
            let problem = match self.frozen.settings() == other.frozen.settings() {
                true => {
                    "it was created with other word counts, another seed or another minimum length"
                }
                false => "it was created with other settings",
            };
            return Err(Error::Different {
                path: other.snapshot.folder().to_path_buf(),
                problem: problem.to_string(),
            });
        }
        let mut keyer = self.frozen.keyer()?;
        let mut buffer = Vec::new();
        let options = AddOptions::new(0);
        let mut state = self.view.state.clone();
        let mut adding = Adding::new(self, &options);
        other.for_each_row(|segment, _, row| {
            segment.stored(row, &other.snapshot, &mut buffer)?;
            let document = crate::document::decode(&buffer).ok_or_else(|| {
                Error::damaged(other.snapshot.folder(), "one of its texts cannot be read")
            })?;
            let mut keys = Vec::new();
            let sketch = keyer.stored_keys(&document.text.unit(), &mut keys);
            let signed = Signed {
                stored: buffer.clone(),
                keys,
                sketch,
                id: document.id,
                named_by_place: false,
                too_short: false,
            };
            let label = state.label_number(other.label(row.label));
            adding.take_with(signed, Row { label, ..*row });
            if adding.is_full() {
                adding.commit_with(&state.labels)?;
            }
            Ok(())
        })?;
        adding.commit_with(&state.labels)?;
        Ok(adding.added)
    }

    /// Writes everything anew without what was removed, and without what is expired at `now`, and gives the room back.
    ///
    /// # Errors
    /// If the index is damaged or cannot be written to.
    pub fn compact(&mut self, now: Option<u64>) -> Result<Compacted, Error> {
        let before = self.view.state.segments.iter();
        let removed = before.map(|segment| u64::from(segment.removed)).sum();
        let left = self.view.len();
        if !self.view.segments.is_empty() {
            self.merge_last(self.view.segments.len(), now)?;
        }
        // No room is given back as long as somebody looks at what was there.
        self.view = Arc::new(self.view.closed());
        let shrunk = self.store.shrink();
        self.refresh()?;
        shrunk?;
        Ok(Compacted {
            removed,
            expired: left - self.view.len(),
        })
    }

    /// Makes one of the last so many segments.
    pub(crate) fn merge_last(&mut self, count: usize, now: Option<u64>) -> Result<(), Error> {
        let mut state = self.view.state.clone();
        let first = state.segments.len() - count;
        let number = state.next_segment;
        state.next_segment += 1;
        state.commits += 1;
        self.store.write(|writing| {
            let merged = &self.view.segments[first..];
            let reading = (&self.view.snapshot, &mut *writing);
            let described = merging::merge(merged, number, now, reading)?;
            state.segments.truncate(first);
            match described.documents {
                0 => crate::segment::remove(number, writing)?,
                _ => state.segments.push(described),
            }
            state.write(writing)
        })?;
        self.refresh()
    }

    pub(crate) fn refresh(&mut self) -> Result<(), Error> {
        let view = View::open(&self.store, &self.frozen, &self.room, Some(&self.view))?;
        self.view = Arc::new(view);
        Ok(())
    }
}

/// Marks documents as removed in a state that is to be written: of each segment the marks, and how many are new.
pub(crate) fn mark_removed(
    view: &View,
    state: &mut State,
    places: Vec<Place>,
) -> Vec<(u32, Removed, u32)> {
    let mut by_segment: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for place in places {
        by_segment
            .entry(place.segment)
            .or_default()
            .push(place.document);
    }
    let mut marked = Vec::new();
    for (place, documents) in by_segment {
        let place = place as usize;
        let mut removed = Removed::clone(&view.segments[place].removed);
        let mut count = 0;
        for document in documents {
            count += u32::from(removed.insert(document));
        }
        if count > 0 {
            let described = &mut state.segments[place];
            described.removed += count;
            marked.push((described.number, removed, count));
        }
    }
    marked
}
