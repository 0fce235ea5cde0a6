//! Texts on their way into an index: signed, compressed, and written as a segment.

use std::collections::BTreeMap;
use std::sync::Arc;

use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::{Key, Sketch};

use crate::Error;
use crate::document::{Compressor, Document, Text, decode, encode};
use crate::fresh::Times;
use crate::frozen::{Frozen, Keyer};
use crate::index::{AddOptions, Added, Index, mark_removed};
use crate::merging;
use crate::naming;
use crate::segment::{Builder, Row};
use crate::view::Place;

/// A commit is made at the latest when so much is waiting for it.
const PENDING_BYTES: usize = 128 << 20;

/// What a thread signs with.
pub(crate) struct Worker {
    pub(crate) keyer: Keyer,
    pub(crate) compressor: Compressor,
    pub(crate) documents: Vec<Document>,
}

/// A text that is ready to be stored.
pub(crate) struct Signed {
    pub(crate) stored: Vec<u8>,
    pub(crate) keys: Vec<Key>,
    /// Where candidates are sifted by such.
    pub(crate) sketch: Option<Sketch>,
    pub(crate) id: Id,
    /// Whether the id only says where the text was read.
    pub(crate) named_by_place: bool,
    pub(crate) too_short: bool,
}

impl Signed {
    pub(crate) fn new(
        frozen: &Frozen,
        document: Document,
        (keyer, compressor): (&mut Keyer, &mut Compressor),
    ) -> Self {
        let (mut stored, mut keys, mut sketch) = (Vec::new(), Vec::new(), None);
        let too_short = !frozen.is_long_enough(document.text.as_str());
        if !too_short {
            sketch = keyer.stored_keys(&document.text.unit(), &mut keys);
            encode(&document, compressor, &mut stored);
        }
        Signed {
            stored,
            keys,
            sketch,
            id: document.id,
            named_by_place: document.named_by_place,
            too_short,
        }
    }

    /// Gives a text whose stored form is known a name of its own.
    pub(crate) fn rename(&mut self, id: Id, text: Text, compressor: &mut Compressor) {
        self.named_by_place = false;
        if id != self.id {
            self.stored.clear();
            self.id = id.clone();
            encode(&Document::new(id, text), compressor, &mut self.stored);
        }
    }
}

/// Texts on their way into an index.
pub(crate) struct Adding<'i> {
    index: &'i mut Index,
    options: &'i AddOptions,
    label: u32,
    builder: Builder,
    /// The number of each id that waits.
    ids: BTreeMap<Id, u32>,
    compressor: Compressor,
    pub(crate) added: Added,
}

impl<'i> Adding<'i> {
    pub(crate) fn new(index: &'i mut Index, options: &'i AddOptions) -> Self {
        let mut state = index.view().state.clone();
        Adding {
            label: state.label_number(options.label.as_deref()),
            index,
            options,
            builder: Builder::default(),
            ids: BTreeMap::new(),
            compressor: Compressor::default(),
            added: Added::default(),
        }
    }

    pub(crate) fn take(&mut self, mut signed: Signed) -> Result<(), Error> {
        if signed.named_by_place && !signed.too_short && self.name(&mut signed)? {
            self.added.already_there += 1;
            return Ok(());
        }
        self.take_at(signed, self.options.times());
        Ok(())
    }

    /// Takes a text that has a name of its own.
    pub(crate) fn take_at(&mut self, signed: Signed, times: Times) {
        let row = Row {
            label: self.label,
            added: times.added,
            expires: times.expires.unwrap_or(0),
            ..Row::default()
        };
        self.take_with(signed, row);
    }

    /// Gives a text a name that no other one has. Returns whether the very same is there already, as it would be added.
    fn name(&mut self, signed: &mut Signed) -> Result<bool, Error> {
        if self.holder(&signed.id)?.is_none() {
            return Ok(false);
        }
        let Some(Document { text, .. }) = decode(&signed.stored) else {
            return Ok(false);
        };
        for id in naming::names(&signed.id, &text) {
            let is_same = match self.holder(&id)? {
                None => false,
                Some((other, _)) if other != text => continue,
                Some((_, row)) => {
                    let expires = self.options.expires.unwrap_or(0);
                    row.label == self.label && row.expires == expires
                }
            };
            signed.rename(id, text, &mut self.compressor);
            return Ok(is_same);
        }
        Ok(false)
    }

    /// The text that has this name, here or in the index.
    fn holder(&self, id: &Id) -> Result<Option<(Text, Row)>, Error> {
        if let Some(&number) = self.ids.get(id) {
            let (stored, row) = self.builder.stored(number);
            return Ok(decode(stored).map(|document| (document.text, row)));
        }
        let view = &self.index.view;
        let Some(place) = view.find(id)? else {
            return Ok(None);
        };
        let row = view.row(place)?;
        let document = view.document(place, &row, &mut Vec::new())?;
        Ok(Some((document.text, row)))
    }

    pub(crate) fn take_with(&mut self, signed: Signed, row: Row) {
        if signed.too_short {
            self.added.too_short += 1;
            return;
        }
        self.added.added += 1;
        self.added.without_keys += u64::from(signed.keys.is_empty());
        let number = self.builder.len() as u32;
        self.builder.add(&signed, row);
        if let Some(earlier) = self.ids.insert(signed.id, number) {
            self.builder.remove(earlier);
            self.added.replaced += 1;
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.builder.len() >= self.options.commit_every || self.builder.bytes() >= PENDING_BYTES
    }

    pub(crate) fn commit(&mut self) -> Result<(), Error> {
        let mut state = self.index.view.state.clone();
        state.label_number(self.options.label.as_deref());
        self.commit_with(&state.labels)
    }

    /// Writes what waits as a segment, in one commit with the removal of what it replaces.
    pub(crate) fn commit_with(&mut self, labels: &[String]) -> Result<(), Error> {
        if self.builder.len() == 0 {
            return Ok(());
        }
        let replaced = self.replaced()?;
        let builder = std::mem::take(&mut self.builder);
        self.ids.clear();
        let index = &mut *self.index;
        let mut state = index.view.state.clone();
        let marked = mark_removed(&index.view, &mut state, replaced);
        let number = state.next_segment;
        state.next_segment += 1;
        state.commits += 1;
        state.labels = labels.to_vec();
        index.store.write(|writing| {
            for (segment, removed, _) in &marked {
                removed.write(*segment, writing)?;
            }
            state.segments.push(builder.write(number, writing)?);
            state.write(writing)
        })?;
        let replaced = marked.iter().map(|(_, _, count)| u64::from(*count));
        self.added.replaced += replaced.sum::<u64>();
        index.refresh()?;
        loop {
            let segments = index.view.segments.iter();
            let Some(last) = merging::how_many(segments.map(|one| one.described.documents)) else {
                return Ok(());
            };
            index.merge_last(last, None)?;
        }
    }

    /// Where the documents are that have an id of one that waits.
    fn replaced(&mut self) -> Result<Vec<Place>, Error> {
        let view = Arc::clone(&self.index.view);
        let mut possible = Vec::new();
        for (segment, place) in view.segments.iter().zip(0..) {
            // In the order of their hashes, so that each chunk is met once.
            for &(key, _) in self.builder.ids() {
                segment.ids.find(key, view.reading(), |documents| {
                    let there = documents.iter().filter(|one| !segment.removed.has(**one));
                    possible.extend(there.map(|&document| Place {
                        segment: place,
                        document,
                    }));
                    true
                })?;
            }
        }
        let mut buffer = Vec::new();
        let mut places = Vec::new();
        for place in possible {
            let document = view.document(place, &view.row(place)?, &mut buffer)?;
            if self.ids.contains_key(&document.id) {
                places.push(place);
            }
        }
        Ok(places)
    }
}
