//! What the elements of HTML mean for their text.

/// An element, by what it means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Tag {
    /// Anything that means nothing.
    Inline,
    /// A link, maybe.
    Anchor,
    /// A line end within a block.
    Break,
    /// A line between blocks.
    Rule,
    /// Another that has no content, and no end tag.
    Void,
    Html,
    Meta,
    Link,
    Title,
    Paragraph,
    /// Of the first level.
    Heading,
    Subheading,
    Div,
    /// A block without a meaning of its own.
    Block,
    List,
    Item,
    Terms,
    Term,
    Table,
    Rows,
    Row,
    Cell,
    Caption,
    Preformatted,
    Main,
    Article,
    Navigation,
    Header,
    Footer,
    Aside,
    Form,
    Button,
    Dialog,
    /// Not shown, up to its end.
    Unseen,
    Script,
    Style,
    Frame,
    NoFrames,
    TextArea,
}

impl Tag {
    /// How many there are.
    pub(super) const COUNT: usize = Tag::TextArea as usize + 1;

    /// By its name.
    pub(super) fn of(name: &str) -> Tag {
        let mut lower = [0; 10];
        let Some(lower) = lower.get_mut(..name.len()) else {
            return Tag::Inline;
        };
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        match &*lower {
            b"a" => Tag::Anchor,
            b"br" => Tag::Break,
            b"hr" => Tag::Rule,
            b"area" | b"base" | b"col" | b"embed" | b"img" | b"input" | b"param" | b"source"
            | b"track" | b"wbr" => Tag::Void,
            b"div" => Tag::Div,
            b"p" => Tag::Paragraph,
            b"li" => Tag::Item,
            b"ul" | b"ol" | b"menu" | b"dir" => Tag::List,
            b"h1" => Tag::Heading,
            b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Tag::Subheading,
            b"td" | b"th" => Tag::Cell,
            b"tr" => Tag::Row,
            b"tbody" | b"thead" | b"tfoot" => Tag::Rows,
            b"table" => Tag::Table,
            b"caption" => Tag::Caption,
            b"dl" => Tag::Terms,
            b"dt" | b"dd" => Tag::Term,
            b"pre" | b"listing" => Tag::Preformatted,
            b"html" => Tag::Html,
            b"meta" => Tag::Meta,
            b"link" => Tag::Link,
            b"title" => Tag::Title,
            b"main" => Tag::Main,
            b"article" => Tag::Article,
            b"nav" => Tag::Navigation,
            b"header" => Tag::Header,
            b"footer" => Tag::Footer,
            b"aside" => Tag::Aside,
            b"form" => Tag::Form,
            b"button" => Tag::Button,
            b"dialog" => Tag::Dialog,
            b"script" => Tag::Script,
            b"style" => Tag::Style,
            b"iframe" => Tag::Frame,
            b"noframes" => Tag::NoFrames,
            b"textarea" => Tag::TextArea,
            b"audio" | b"canvas" | b"datalist" | b"noscript" | b"object" | b"rp" | b"rt"
            | b"select" | b"svg" | b"template" | b"video" => Tag::Unseen,
            b"address" | b"blockquote" | b"body" | b"center" | b"details" | b"fieldset"
            | b"figcaption" | b"figure" | b"head" | b"hgroup" | b"legend" | b"option"
            | b"search" | b"section" | b"summary" => Tag::Block,
            _ => Tag::Inline,
        }
    }

    /// Whether its start and end are those of a block.
    pub(super) fn is_block(self) -> bool {
        !matches!(
            self,
            Tag::Inline
                | Tag::Anchor
                | Tag::Break
                | Tag::Void
                | Tag::Meta
                | Tag::Link
                | Tag::Unseen
                | Tag::Button
        ) && self.unread().is_none()
    }

    /// Whether it has no content.
    pub(super) fn is_void(self) -> bool {
        matches!(
            self,
            Tag::Break | Tag::Rule | Tag::Void | Tag::Meta | Tag::Link
        )
    }

    /// Its name, where what it holds is no HTML and not shown.
    pub(super) fn unread(self) -> Option<&'static str> {
        match self {
            Tag::Script => Some("script"),
            Tag::Style => Some("style"),
            Tag::Frame => Some("iframe"),
            Tag::NoFrames => Some("noframes"),
            Tag::TextArea => Some("textarea"),
            _ => None,
        }
    }
}
