//! The tags of wikitext: HTML and the extensions of MediaWiki.

/// Attributes longer than that are not ones.
const LONGEST: usize = 1000;

/// Elements whose content is not wikitext.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Opaque {
    /// Text in which nothing is markup.
    Plain,
    Preformatted,
    Code,
    Formula,
    /// No text.
    Dropped,
}

/// Name, end tag, and what the content is.
pub(super) const OPAQUE: [(&str, &str, Opaque); 20] = [
    ("ce", "</ce", Opaque::Formula),
    ("chem", "</chem", Opaque::Formula),
    ("graph", "</graph", Opaque::Dropped),
    ("hiero", "</hiero", Opaque::Dropped),
    ("imagemap", "</imagemap", Opaque::Dropped),
    ("includeonly", "</includeonly", Opaque::Dropped),
    ("inputbox", "</inputbox", Opaque::Dropped),
    ("mapframe", "</mapframe", Opaque::Dropped),
    ("maplink", "</maplink", Opaque::Dropped),
    ("math", "</math", Opaque::Formula),
    ("nowiki", "</nowiki", Opaque::Plain),
    ("pre", "</pre", Opaque::Preformatted),
    ("score", "</score", Opaque::Dropped),
    ("script", "</script", Opaque::Dropped),
    ("source", "</source", Opaque::Code),
    ("style", "</style", Opaque::Dropped),
    ("syntaxhighlight", "</syntaxhighlight", Opaque::Code),
    ("templatedata", "</templatedata", Opaque::Dropped),
    ("timeline", "</timeline", Opaque::Dropped),
    ("templatestyles", "</templatestyles", Opaque::Dropped),
];

/// What another tag means for the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Inline,
    Space,
    Block,
    Heading,
    Gallery,
}

/// The number in [`OPAQUE`] of the element of that name.
pub(super) fn opaque(name: &str) -> Option<usize> {
    OPAQUE
        .iter()
        .position(|(known, _, _)| known.eq_ignore_ascii_case(name))
}

/// The letters that `tag`, without its `<` or `</`, starts with.
pub(super) fn name(tag: &str) -> &str {
    let len = tag
        .bytes()
        .take_while(u8::is_ascii_alphanumeric)
        .take(LONGEST)
        .count();
    match tag.as_bytes().get(len) {
        Some(b' ' | b'\t' | b'\n' | b'/' | b'>') => &tag[..len],
        _ => "",
    }
}

/// Where the tag at `at` ends.
pub(super) fn end(text: &str, at: usize) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    let end = memchr::memchr(b'>', &rest[..rest.len().min(LONGEST)])?;
    Some(at + end + 1)
}

/// What the tag of that name means; none if there is no such tag.
pub(super) fn of_name(name: &str) -> Option<Tag> {
    let mut lower = [0; 20];
    let lower = lower.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"br" => Tag::Space,
        b"gallery" => Tag::Gallery,
        b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" => Tag::Heading,
        b"blockquote" | b"caption" | b"center" | b"dd" | b"div" | b"dl" | b"dt" | b"figcaption"
        | b"figure" | b"hr" | b"li" | b"ol" | b"p" | b"poem" | b"references" | b"section"
        | b"table" | b"tbody" | b"td" | b"tfoot" | b"th" | b"thead" | b"tr" | b"ul" => Tag::Block,
        b"abbr" | b"b" | b"bdi" | b"bdo" | b"big" | b"categorytree" | b"cite" | b"code"
        | b"data" | b"del" | b"dfn" | b"em" | b"font" | b"i" | b"indicator" | b"ins" | b"kbd"
        | b"langconvert" | b"mark" | b"noinclude" | b"onlyinclude" | b"q" | b"rb" | b"ref"
        | b"rp" | b"rt" | b"rtc" | b"ruby" | b"s" | b"samp" | b"small" | b"span" | b"strike"
        | b"strong" | b"sub" | b"sup" | b"time" | b"translate" | b"tt" | b"tvar" | b"u"
        | b"var" | b"wbr" => Tag::Inline,
        _ => opaque(name).map(|_| Tag::Inline)?,
    })
}
