//! The open elements: what a piece of HTML is in.
//!
//! In go the start and end tags that matter, in any order; out comes what is open. An end tag closes the last open
//! element of its kind with all in it, but never a table from within a cell; without such an element it does nothing. A
//! paragraph, an item, a cell end where the next begins. Every step takes constant time but for what it closes, so all
//! together take linear time.

use super::tag::Tag;

/// Deeper elements are taken for part of the one they are in.
const DEEPEST: usize = 1000;

/// No element: its index is above none.
const NONE: u32 = 0;

/// An open element.
pub(super) struct Element {
    pub(super) tag: Tag,
    /// It and all in it are not shown.
    unseen: bool,
    /// What the caller knows of it.
    pub(super) node: u32,
    /// The one of the same kind before it, counted from 1.
    before: u32,
}

/// The open elements, outermost first.
pub(super) struct Open {
    elements: Vec<Element>,
    /// The last of each kind, counted from 1.
    last: [u32; Tag::COUNT],
    unseen: usize,
}

impl Open {
    pub(super) fn new() -> Self {
        Open {
            elements: Vec::new(),
            last: [NONE; Tag::COUNT],
            unseen: 0,
        }
    }

    /// Whether something is open that is not shown.
    pub(super) fn is_unseen(&self) -> bool {
        self.unseen > 0
    }

    /// Whether such an element is open.
    pub(super) fn holds(&self, tag: Tag) -> bool {
        self.last(tag) > NONE
    }

    /// The innermost element.
    pub(super) fn innermost(&self) -> Option<&Element> {
        self.elements.last()
    }

    /// Opens an element, after what its start tag closes was closed.
    pub(super) fn start(&mut self, tag: Tag, unseen: bool, node: u32) {
        if self.elements.len() == DEEPEST {
            return;
        }
        self.elements.push(Element {
            tag,
            unseen,
            node,
            before: self.last(tag),
        });
        self.last[tag as usize] = self.elements.len() as u32;
        self.unseen += usize::from(unseen);
    }

    /// Closes what ends where `tag` starts.
    pub(super) fn make_room(&mut self, tag: Tag) {
        // What is in a template ends nothing around it.
        let unseen = self.last(Tag::Unseen);
        let cell = self.cell().max(unseen);
        let table = self.last(Tag::Table).max(unseen);
        if tag.is_block() {
            self.close_above(Tag::Paragraph, cell);
        }
        match tag {
            Tag::Item => self.close_above(Tag::Item, cell.max(self.last(Tag::List))),
            Tag::Term => self.close_above(Tag::Term, cell.max(self.last(Tag::Terms))),
            Tag::Cell => self.close_above(Tag::Cell, table),
            Tag::Row => {
                self.close_above(Tag::Row, table);
                self.close_above(Tag::Cell, table);
            }
            Tag::Rows => self.close_above(Tag::Rows, table),
            _ => {}
        }
    }

    /// Closes the element that an end tag is for.
    pub(super) fn end(&mut self, tag: Tag) {
        let outer = match tag {
            Tag::Table => NONE,
            Tag::Rows | Tag::Row | Tag::Cell | Tag::Caption => self.last(Tag::Table),
            // What is left of a page does not end where it says that it does.
            Tag::Html => return,
            _ => self.cell(),
        };
        self.close_above(tag, outer);
    }

    /// Closes the last `tag` with all in it, if it is within the element `outer`.
    fn close_above(&mut self, tag: Tag, outer: u32) {
        let found = self.last(tag);
        if found <= outer {
            return;
        }
        for element in self.elements.drain(found as usize - 1..).rev() {
            self.last[element.tag as usize] = element.before;
            self.unseen -= usize::from(element.unseen);
        }
    }

    /// The table or cell that an end tag of anything else cannot close.
    fn cell(&self) -> u32 {
        let outer = self.last(Tag::Cell).max(self.last(Tag::Caption));
        outer.max(self.last(Tag::Table))
    }

    fn last(&self, tag: Tag) -> u32 {
        self.last[tag as usize]
    }
}
