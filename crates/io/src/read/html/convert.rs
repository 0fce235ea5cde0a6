//! From the pieces of HTML to its text and to what its head says.

use super::attributes;
use super::blocks::Blocks;
use super::entities;
use super::open::Open;
use super::scan::{Piece, Scanner, StartTag};
use super::tag::Tag;
use super::text::{Gap, Text};
use lookalike_kernel::CodeBlocks;

/// How HTML is read.
#[derive(Clone, Copy)]
pub(super) struct Settings {
    pub(super) code: CodeBlocks,
    pub(super) cells: Cells,
    /// What says that it is hidden is read all the same.
    pub(super) hidden: bool,
    /// The blocks are wanted.
    pub(super) blocks: bool,
}

/// What a cell of a table is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Part of the row's line.
    AreWords,
    /// A line.
    AreBlocks,
}

/// What a page says of itself.
#[derive(Default)]
pub(super) struct Head {
    title: Option<String>,
    /// The first heading of the first level.
    heading: Option<String>,
    pub(super) language: Option<String>,
    pub(super) url: Option<String>,
    /// Whether `url` is the canonical link, which is better than what the page tells social networks.
    canonical: bool,
}

impl Head {
    pub(super) fn title(&self) -> String {
        let title = self.title.as_ref().filter(|title| !title.is_empty());
        title.or(self.heading.as_ref()).cloned().unwrap_or_default()
    }

    fn meta(&mut self, attributes: &str) {
        let property = attributes::find(attributes, "property");
        if self.url.is_none() && property.is_some_and(|property| property == "og:url") {
            self.url = address(attributes::find(attributes, "content"));
        }
    }

    fn link(&mut self, attributes: &str) {
        let canonical = |rel: &str| rel.split_ascii_whitespace().any(|word| word == "canonical");
        if !self.canonical && attributes::find(attributes, "rel").is_some_and(|rel| canonical(&rel))
        {
            self.canonical = true;
            self.url = address(attributes::find(attributes, "href")).or(self.url.take());
        }
    }
}

fn address(value: Option<std::borrow::Cow<'_, str>>) -> Option<String> {
    let value = value?.trim().replace('\0', "");
    (!value.is_empty()).then_some(value)
}

/// HTML being converted.
pub(super) struct Converter<'h, 'o> {
    scanner: Scanner<'h>,
    text: Text<'o>,
    open: Open,
    head: Head,
    /// Where the first heading begins.
    heading: Option<usize>,
    blocks: Option<Blocks>,
    settings: Settings,
    /// In XML, `<p/>` is a whole element.
    is_xml: bool,
}

impl<'h, 'o> Converter<'h, 'o> {
    /// Prepares to append the text of `html` to `out`.
    pub(super) fn new(html: &'h str, settings: Settings, out: &'o mut String) -> Self {
        Converter {
            scanner: Scanner::new(html),
            text: Text::new(out),
            open: Open::new(),
            head: Head::default(),
            heading: None,
            blocks: settings.blocks.then(Blocks::new),
            settings,
            is_xml: html.trim_start().starts_with("<?xml"),
        }
    }

    /// Converts all of it.
    pub(super) fn run(mut self) -> (Head, Option<Blocks>) {
        while let Some(piece) = self.scanner.next() {
            match piece {
                Piece::Text(run) => self.add(run),
                Piece::Reference(characters) => {
                    for c in characters.into_iter().flatten() {
                        self.add(c.encode_utf8(&mut [0; 4]));
                    }
                }
                Piece::Start(tag) => self.start(tag),
                Piece::End(tag) => self.end(tag),
            }
        }
        self.end_block();
        self.text.finish();
        if let Some(blocks) = &mut self.blocks {
            // White space at the end of the text is no part of its last block.
            blocks.cut(self.text.out.len());
        }
        (self.head, self.blocks)
    }

    fn add(&mut self, run: &str) {
        if self.open.is_unseen() {
            return;
        }
        let before = self.text.out.len();
        if self.open.holds(Tag::Preformatted) {
            self.text.add_preformatted(run);
        } else {
            self.text.add(run);
        }
        if let Some(blocks) = &mut self.blocks {
            blocks.added(before, self.text.out.len());
        }
    }

    fn start(&mut self, start: StartTag<'h>) {
        let tag = start.tag;
        self.separate(tag);
        self.open.make_room(tag);
        match tag {
            Tag::Html => self.head.language = self.language(start),
            Tag::Meta => self.head.meta(start.attributes),
            Tag::Link => self.head.link(start.attributes),
            Tag::Anchor => self.link(attributes::find(start.attributes, "href").is_some()),
            Tag::Heading if self.head.heading.is_none() && !self.open.is_unseen() => {
                self.heading = Some(self.text.out.len());
            }
            _ => {}
        }
        let whole =
            start.is_self_closing() && (self.is_xml || tag == Tag::Unseen || self.open.is_unseen());
        if !tag.is_void() && !whole {
            self.enter(start);
        }
    }

    /// Goes into an element.
    fn enter(&mut self, start: StartTag<'h>) {
        let tag = start.tag;
        if let Some(name) = tag.unread() {
            self.scanner.skip_element(name);
            return;
        }
        match tag {
            Tag::Title if self.head.title.is_none() && !self.open.is_unseen() => {
                let mut title = String::new();
                entities::unescape(self.scanner.take_element("title"), &mut title);
                self.head.title = Some(one_line(&title));
                return;
            }
            Tag::Preformatted
                if self.settings.code == CodeBlocks::Drop && self.scanner.at_code() =>
            {
                self.scanner.skip_element("pre");
                return;
            }
            Tag::Preformatted => self.scanner.skip_line_end(),
            _ => {}
        }
        let unseen = tag == Tag::Title
            // Without an end, the rest of the page would be in it.
            || tag == Tag::Unseen && self.scanner.has_end(start.name)
            || !self.settings.hidden && is_hidden(tag, start.attributes);
        // Inline elements mean nothing but where they or what they are in is not shown.
        if tag.is_block() || unseen || self.open.is_unseen() {
            let parent = self.open.innermost().map_or(0, |element| element.node);
            let node = match &mut self.blocks {
                Some(blocks) if tag.is_block() => blocks.enter(parent, start),
                _ => parent,
            };
            self.open.start(tag, unseen, node);
        }
    }

    fn end(&mut self, tag: Tag) {
        self.separate(tag);
        match tag {
            Tag::Anchor => self.link(false),
            Tag::Heading => self.end_heading(),
            _ => {}
        }
        self.open.end(tag);
    }

    /// What a tag puts between what is before and after it.
    fn separate(&mut self, tag: Tag) {
        if self.open.is_unseen() {
            return;
        }
        let gap = match tag {
            Tag::Cell if self.settings.cells == Cells::AreWords => Gap::Space,
            Tag::Break => Gap::Line,
            Tag::Button => Gap::Space,
            _ if tag.is_block() => Gap::Line,
            _ => Gap::None,
        };
        if tag.is_block() {
            self.end_block();
        }
        self.text.separate(gap);
    }

    fn end_block(&mut self) {
        if let Some(blocks) = &mut self.blocks {
            let innermost = self.open.innermost();
            let node = innermost.map_or(0, |element| element.node);
            blocks.end(node, innermost.map(|element| element.tag));
        }
    }

    fn end_heading(&mut self) {
        let Some(begin) = self.heading.take() else {
            return;
        };
        let heading = one_line(&self.text.out[begin..]);
        if !heading.is_empty() {
            self.head.heading = Some(heading);
        }
    }

    fn link(&mut self, begins: bool) {
        if let Some(blocks) = &mut self.blocks {
            blocks.in_link = begins;
        }
    }

    fn language(&mut self, start: StartTag<'_>) -> Option<String> {
        let named = |name| attributes::find(start.attributes, name);
        let said = named("lang").or_else(|| named("xml:lang"));
        self.head.language.take().or_else(|| address(said))
    }
}

/// Whether an element's attributes say that it is not shown.
fn is_hidden(tag: Tag, attributes: &str) -> bool {
    if tag == Tag::Dialog {
        return attributes::find(attributes, "open").is_none();
    }
    // Most have nothing of the kind, which is quickly seen: hidden, none, in any case.
    let bytes = attributes.as_bytes();
    let has = |small: u8, capital: u8| memchr::memchr2(small, capital, bytes).is_some();
    if !has(b'h', b'H') && !has(b'n', b'N') {
        return false;
    }
    attributes::of(attributes).any(|(name, value)| {
        if name.eq_ignore_ascii_case("hidden") {
            return !value.eq_ignore_ascii_case("until-found");
        }
        if !name.eq_ignore_ascii_case("style") {
            return false;
        }
        let style: String = value.split_ascii_whitespace().collect();
        let style = style.to_ascii_lowercase();
        style.contains("display:none") || style.contains("visibility:hidden")
    })
}

/// Text with all white space as one space.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut out = Text::new(&mut line);
    out.add(text);
    out.finish();
    line
}
