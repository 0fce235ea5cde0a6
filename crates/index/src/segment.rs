//! A segment: some documents that were added together, with their keys. It never changes once it is written, but for which
//! of its documents were removed.

use std::sync::Arc;

use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::Key;
use lookalike_kernel::text::Seed;
use lookalike_kernel::text::hash::hash64;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::adding::Signed;
use crate::chunks::{Chunks, Pass, Reading, Room};
use crate::document::{self, Document};
use crate::postings::{Posting, Postings, PostingsWriter};
use crate::sketches::Sketches;
use crate::store::{CHUNK, Kind, Section, Snapshot, Writing};

/// What the file says of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Described {
    pub(crate) number: u32,
    pub(crate) documents: u32,
    pub(crate) removed: u32,
    pub(crate) keys: u64,
    pub(crate) text_bytes: u64,
    /// Whether there is a sketch of each document.
    #[serde(default)]
    pub(crate) sketches: bool,
}

/// What is known of a document beside its text: 32 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Row {
    /// Where its stored form begins.
    pub(crate) offset: u64,
    pub(crate) length: u32,
    /// A number in the list of labels; 0 for none.
    pub(crate) label: u32,
    /// Seconds since 1970.
    pub(crate) added: u64,
    /// Seconds since 1970; 0 for never.
    pub(crate) expires: u64,
}

impl Row {
    pub(crate) const BYTES: usize = 32;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.offset.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.length.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.label.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.added.to_le_bytes());
        bytes[24..].copy_from_slice(&self.expires.to_le_bytes());
        bytes
    }

    fn of_bytes(bytes: &[u8]) -> Row {
        let long = |at: usize| {
            let bytes = bytes
                .get(at..at + 8)
                .and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(0, u64::from_le_bytes)
        };
        let middle = long(8);
        Row {
            offset: long(0),
            length: middle as u32,
            label: (middle >> 32) as u32,
            added: long(16),
            expires: long(24),
        }
    }

    /// Whether it counts as removed at a time.
    pub(crate) fn is_expired(&self, now: Option<u64>) -> bool {
        self.expires != 0 && now.is_some_and(|now| self.expires <= now)
    }
}

/// What an id is looked up by.
pub(crate) fn id_key(id: &Id) -> Key {
    hash64(id.to_string().as_bytes(), Seed(0x1d))
}

/// Documents to be written as a segment.
#[derive(Default)]
pub(crate) struct Builder {
    rows: Vec<Row>,
    keys: Vec<Posting>,
    ids: Vec<Posting>,
    texts: Vec<u8>,
    /// One a document, or none at all.
    sketches: Vec<u8>,
    /// Those that were replaced by a later one.
    removed: Vec<u32>,
}

impl Builder {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// About how many bytes it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.len() * 64 + self.keys.len() * 16 + self.texts.len() + self.sketches.len()
    }

    /// Adds a document in its stored form. What the row says of its place is set here.
    pub(crate) fn add(&mut self, signed: &Signed, row: Row) {
        let (number, stored) = (self.rows.len() as u32, &signed.stored);
        self.rows.push(Row {
            offset: self.texts.len() as u64,
            length: stored.len() as u32,
            ..row
        });
        self.keys
            .extend(signed.keys.iter().map(|&key| (key, number)));
        self.ids.push((id_key(&signed.id), number));
        self.texts.extend_from_slice(stored);
        if let Some(sketch) = signed.sketch {
            self.sketches.extend_from_slice(&sketch.to_le_bytes());
        }
    }

    /// A document as it was added.
    pub(crate) fn stored(&self, document: u32) -> (&[u8], Row) {
        let row = self.rows[document as usize];
        let begin = row.offset as usize;
        (&self.texts[begin..begin + row.length as usize], row)
    }

    /// A later document takes the place of this one.
    pub(crate) fn remove(&mut self, document: u32) {
        self.removed.push(document);
    }

    /// What each document is looked up by, sorted, with its number.
    pub(crate) fn ids(&mut self) -> &[Posting] {
        self.ids.sort_unstable();
        &self.ids
    }

    pub(crate) fn write(
        mut self,
        number: u32,
        writing: &mut Writing<'_>,
    ) -> Result<Described, Error> {
        self.keys.sort_unstable();
        self.ids.sort_unstable();
        let rows: Vec<u8> = self.rows.iter().flat_map(|row| row.to_bytes()).collect();
        let section = |kind| Section {
            segment: number,
            kind,
        };
        for (postings, kind, first) in [
            (&self.keys, Kind::Keys, Kind::FirstKeys),
            (&self.ids, Kind::Ids, Kind::FirstIds),
        ] {
            let mut writer = PostingsWriter::new((number, kind, first));
            for &posting in postings {
                writer.push(posting, writing)?;
            }
            writer.finish(writing)?;
        }
        writing.put(section(Kind::Rows), &rows)?;
        writing.put(section(Kind::Texts), &self.texts)?;
        writing.put(section(Kind::Sketches), &self.sketches)?;
        let mut removed = Removed::new(self.rows.len());
        for &document in &self.removed {
            removed.insert(document);
        }
        Ok(Described {
            number,
            documents: self.rows.len() as u32,
            removed: removed.write(number, writing)?,
            keys: self.keys.len() as u64,
            text_bytes: self.texts.len() as u64,
            sketches: !self.sketches.is_empty(),
        })
    }
}

/// Which documents of a segment were removed: a bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removed {
    bits: Vec<u64>,
    count: u32,
}

impl Removed {
    pub(crate) fn new(documents: usize) -> Self {
        Removed {
            bits: vec![0; documents.div_ceil(64)],
            count: 0,
        }
    }

    pub(crate) fn has(&self, document: u32) -> bool {
        let word = self.bits.get(document as usize / 64).copied();
        word.unwrap_or_default() >> (document % 64) & 1 == 1
    }

    /// Whether it was not removed before.
    pub(crate) fn insert(&mut self, document: u32) -> bool {
        let Some(word) = self.bits.get_mut(document as usize / 64) else {
            return false;
        };
        let bit = 1 << (document % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        self.count += u32::from(is_new);
        is_new
    }

    fn bytes(&self) -> Vec<u8> {
        self.bits
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect()
    }

    pub(crate) fn write(&self, segment: u32, writing: &mut Writing<'_>) -> Result<u32, Error> {
        let section = Section {
            segment,
            kind: Kind::Removed,
        };
        writing.put(section, &self.bytes())?;
        Ok(self.count)
    }
}

/// A segment that is read.
#[derive(Clone)]
pub(crate) struct Segment {
    pub(crate) described: Described,
    pub(crate) keys: Arc<Postings>,
    pub(crate) ids: Arc<Postings>,
    pub(crate) removed: Arc<Removed>,
    rows: Arc<Chunks>,
    texts: Arc<Chunks>,
    sketches: Option<Arc<Sketches>>,
}

impl Segment {
    pub(crate) fn open(described: &Described, snapshot: &Snapshot) -> Result<Self, Error> {
        let number = described.number;
        let keys = (number, Kind::Keys, Kind::FirstKeys);
        let ids = (number, Kind::Ids, Kind::FirstIds);
        let documents = described.documents as usize;
        let chunks = |kind, length| {
            let section = Section {
                segment: number,
                kind,
            };
            Arc::new(Chunks::new(section, length))
        };
        Ok(Segment {
            rows: chunks(Kind::Rows, documents * Row::BYTES),
            texts: chunks(Kind::Texts, described.text_bytes as usize),
            sketches: described
                .sketches
                .then(|| Arc::new(Sketches::new(number, documents))),
            keys: Arc::new(Postings::open(keys, described.keys as usize, snapshot)?),
            ids: Arc::new(Postings::open(ids, documents, snapshot)?),
            removed: Arc::new(read_removed(described, snapshot)?),
            described: described.clone(),
        })
    }

    /// The same segment as the file describes it now.
    pub(crate) fn again(&self, described: &Described, snapshot: &Snapshot) -> Result<Self, Error> {
        let mut again = self.clone();
        if again.described != *described {
            again.removed = Arc::new(read_removed(described, snapshot)?);
            again.described = described.clone();
        }
        Ok(again)
    }

    /// Gives back the memory of what was read.
    pub(crate) fn forget(&self, room: &Room) {
        self.keys.forget(room);
        self.ids.forget(room);
        self.rows.forget(room);
    }

    pub(crate) fn row(&self, document: u32, reading: Reading<'_>) -> Result<Row, Error> {
        const IN_CHUNK: usize = CHUNK / Row::BYTES;
        let (number, within) = (document as usize / IN_CHUNK, document as usize % IN_CHUNK);
        self.rows.with(number, reading, |chunk| {
            Row::of_bytes(chunk.get(within * Row::BYTES..).unwrap_or_default())
        })
    }

    /// The sketches of its documents; none where the segment was written without.
    #[inline]
    pub(crate) fn sketches(&self) -> Option<&Sketches> {
        self.sketches.as_deref()
    }

    /// All stored texts, one after the other.
    pub(crate) fn texts<'s>(&'s self, snapshot: &'s Snapshot) -> Pass<'s> {
        Pass::new(&self.texts, snapshot)
    }

    /// All rows in their order.
    pub(crate) fn rows(&self, snapshot: &Snapshot) -> Result<Vec<Row>, Error> {
        let mut bytes = Vec::new();
        let length = self.described.documents as usize * Row::BYTES;
        snapshot.bytes(self.section(Kind::Rows), 0..length, &mut bytes)?;
        Ok(bytes.chunks_exact(Row::BYTES).map(Row::of_bytes).collect())
    }

    /// The stored form of a document.
    pub(crate) fn stored(
        &self,
        row: &Row,
        snapshot: &Snapshot,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let begin = row.offset as usize;
        let range = begin..begin.saturating_add(row.length as usize);
        snapshot.bytes(self.section(Kind::Texts), range, out)
    }

    pub(crate) fn document(
        &self,
        row: &Row,
        snapshot: &Snapshot,
        buffer: &mut Vec<u8>,
    ) -> Result<Document, Error> {
        self.stored(row, snapshot, buffer)?;
        document::decode(buffer).ok_or_else(|| {
            let problem = format!("a text in segment {} cannot be read", self.described.number);
            Error::damaged(snapshot.folder(), problem)
        })
    }

    fn section(&self, kind: Kind) -> Section {
        Section {
            segment: self.described.number,
            kind,
        }
    }
}

fn read_removed(described: &Described, snapshot: &Snapshot) -> Result<Removed, Error> {
    let words = (described.documents as usize).div_ceil(64);
    let section = Section {
        segment: described.number,
        kind: Kind::Removed,
    };
    let mut bytes = Vec::new();
    snapshot.bytes(section, 0..8 * words, &mut bytes)?;
    let bits = bytes.chunks_exact(8);
    let bits: Vec<u64> = bits
        .map(|word| word.try_into().map_or(0, u64::from_le_bytes))
        .collect();
    let count: u32 = bits.iter().map(|word| word.count_ones()).sum();
    if count != described.removed {
        let problem = format!("segment {} has {count} removed texts", described.number);
        return Err(Error::damaged(snapshot.folder(), problem));
    }
    Ok(Removed { bits, count })
}

/// Removes all that is stored of a segment.
pub(crate) fn remove(number: u32, writing: &mut Writing<'_>) -> Result<(), Error> {
    for kind in Kind::ALL {
        writing.remove(Section {
            segment: number,
            kind,
        })?;
    }
    Ok(())
}
