//! Texts that were learnt and are not yet in the index, found by their keys as those in it are.

use std::collections::BTreeMap;

use lookalike_kernel::rows::Id;
use lookalike_kernel::sign::keys::Key;
use lookalike_kernel::text::hash::{Slot, Table};

use crate::adding::Signed;

/// Since when a text is known, and until when, in seconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Times {
    pub(crate) added: u64,
    /// None for ever.
    pub(crate) expires: Option<u64>,
}

impl Times {
    /// Whether a text does not match any more; never where nobody says what time it is.
    pub(crate) fn are_over(self, now: Option<u64>) -> bool {
        let over = |expires: u64| now.is_some_and(|now| expires <= now);
        self.expires.is_some_and(over)
    }
}

/// A text that was learnt.
pub(crate) struct FreshText {
    pub(crate) signed: Signed,
    /// The keys by which it is found, of those under which it is stored.
    pub(crate) keys: Vec<Key>,
    pub(crate) kept: Vec<u64>,
    pub(crate) times: Times,
    /// Whether a later one took its place.
    pub(crate) is_replaced: bool,
}

/// The texts with a key, in their order.
#[derive(Debug, Clone, Default)]
struct List {
    key: Key,
    /// Places in `links`; how many there are is 0 in a free slot.
    first: u32,
    last: u32,
    count: u32,
}

impl Slot for List {
    fn is_free(&self) -> bool {
        self.count == 0
    }
}

/// A text of a list, and the place of the next one.
#[derive(Debug, Clone, Copy)]
struct Link {
    text: u32,
    next: u32,
}

const NO_MORE: u32 = u32::MAX;

/// Texts that were learnt and are not yet in the index.
#[derive(Default)]
pub(crate) struct Fresh {
    pub(crate) texts: Vec<FreshText>,
    lists: Table<List>,
    links: Vec<Link>,
    by_id: BTreeMap<Id, u32>,
    pub(crate) bytes: usize,
}

impl Fresh {
    /// Adds a text. One with the same id is replaced; returns whether there is such.
    pub(crate) fn push(&mut self, text: FreshText) -> bool {
        let number = self.texts.len() as u32;
        for &key in &text.keys {
            self.link(key, number);
        }
        let signed = &text.signed;
        self.bytes += signed.stored.len() + 8 * text.kept.len() + 48 * signed.keys.len();
        let earlier = self.by_id.insert(signed.id.clone(), number);
        self.texts.push(text);
        if let Some(earlier) = earlier {
            self.texts[earlier as usize].is_replaced = true;
        }
        earlier.is_some()
    }

    fn link(&mut self, key: Key, text: u32) {
        let place = self.links.len() as u32;
        self.links.push(Link {
            text,
            next: NO_MORE,
        });
        let list = List {
            key,
            first: place,
            last: place,
            count: 1,
        };
        self.lists.make_room(|list| list.key);
        let (list, is_new) = self.lists.get_or_put(key, |list| list.key == key, list);
        if !is_new {
            self.links[list.last as usize].next = place;
            list.last = place;
            list.count += 1;
        }
    }

    /// The stored form of the text with an id.
    pub(crate) fn stored(&self, id: &Id) -> Option<&[u8]> {
        let number = *self.by_id.get(id)?;
        Some(&self.texts[number as usize].signed.stored)
    }

    /// Replaces the text with an id by a later one elsewhere; returns whether there is such.
    pub(crate) fn replace(&mut self, id: &Id) -> bool {
        let Some(number) = self.by_id.remove(id) else {
            return false;
        };
        self.texts[number as usize].is_replaced = true;
        true
    }

    /// Tells the texts with a key, in their order, until `each` has enough.
    #[inline]
    pub(crate) fn find(&self, key: Key, mut each: impl FnMut(&FreshText, u32) -> bool) {
        let list = self.lists.get(key, |list| list.key == key);
        let mut next = list.map_or(NO_MORE, |list| list.first);
        while next != NO_MORE {
            let link = self.links[next as usize];
            let text = &self.texts[link.text as usize];
            if !text.is_replaced && !each(text, link.text) {
                return;
            }
            next = link.next;
        }
    }

    /// Takes over all texts of another, which are later ones.
    pub(crate) fn append(&mut self, later: &mut Fresh) {
        for text in std::mem::take(later).texts {
            let is_replaced = text.is_replaced;
            let number = self.texts.len();
            self.push(text);
            self.texts[number].is_replaced |= is_replaced;
        }
    }
}
