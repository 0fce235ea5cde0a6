//! The blocks of a page: which part of its text each is, how much of that is links, and what it is in.

use super::marks::{self, Mark};
use super::scan::StartTag;
use super::tag::Tag;

/// A block of text.
pub(super) struct Block {
    /// Where in the text.
    pub(super) begin: usize,
    pub(super) end: usize,
    /// Bytes of it that are links.
    pub(super) link_bytes: usize,
    /// The element it is in.
    pub(super) node: u32,
    pub(super) is_heading: bool,
    /// A heading of the first level.
    pub(super) is_title: bool,
}

/// An element that can hold blocks.
pub(super) struct Node {
    /// The element it is in; its number is smaller.
    pub(super) parent: u32,
    pub(super) mark: Mark,
}

/// All blocks of a page, in order, and the elements they are in.
pub(super) struct Blocks {
    /// The first is the page.
    pub(super) nodes: Vec<Node>,
    pub(super) blocks: Vec<Block>,
    pub(super) in_link: bool,
    /// Where the current block begins, once it has text.
    begin: Option<usize>,
    end: usize,
    link_bytes: usize,
}

impl Blocks {
    /// Leaves out what is beyond the end of the text.
    pub(super) fn cut(&mut self, end: usize) {
        self.blocks.retain_mut(|block| {
            block.end = block.end.min(end);
            block.begin < block.end
        });
    }

    pub(super) fn new() -> Self {
        let page = Node {
            parent: 0,
            mark: Mark::None,
        };
        Blocks {
            nodes: vec![page],
            blocks: Vec::new(),
            in_link: false,
            begin: None,
            end: 0,
            link_bytes: 0,
        }
    }

    /// Text was added.
    pub(super) fn added(&mut self, begin: usize, end: usize) {
        if begin == end {
            return;
        }
        self.begin.get_or_insert(begin);
        self.end = end;
        if self.in_link {
            self.link_bytes += end - begin;
        }
    }

    /// An element begins. Returns its number.
    pub(super) fn enter(&mut self, parent: u32, start: StartTag<'_>) -> u32 {
        self.nodes.push(Node {
            parent,
            mark: marks::of(start),
        });
        self.nodes.len() as u32 - 1
    }

    /// The current block ends, in such an element.
    pub(super) fn end(&mut self, node: u32, tag: Option<Tag>) {
        let link_bytes = std::mem::take(&mut self.link_bytes);
        let Some(begin) = self.begin.take() else {
            return;
        };
        self.blocks.push(Block {
            begin,
            end: self.end,
            link_bytes,
            node,
            is_heading: matches!(tag, Some(Tag::Heading | Tag::Subheading)),
            is_title: tag == Some(Tag::Heading),
        });
    }
}
