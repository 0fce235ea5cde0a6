//! The `PostLinks.xml` of a Stack Exchange data dump: which question was found to be a duplicate of which.

use std::collections::BTreeMap;
use std::io::BufRead;

use super::pairs::{Label, PairGold, Sides};
use super::{Id, lines};
use crate::Error;

/// The kind of link between duplicates; others are passed over.
const DUPLICATE: &str = "3";

/// Whether gold is XML, as links are.
///
/// # Errors
/// If it cannot be read.
pub fn is_xml(mut input: impl BufRead) -> std::io::Result<bool> {
    Ok(begins_xml(input.fill_buf()?))
}

/// Whether gold that starts so is XML.
pub(super) fn begins_xml(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    start.trim_ascii_start().starts_with(b"<")
}

/// Reads the links between duplicates as pairs with label 1; `name` is for messages. A post linked to itself is no pair.
///
/// # Errors
/// If the input cannot be read or a row is malformed.
pub fn read_post_links(
    name: &str,
    mut input: impl BufRead,
    sides: Sides,
) -> Result<PairGold, Error> {
    let mut gold = PairGold::of_links(sides);
    let mut line = 1;
    let mut piece = Vec::new();
    // In XML a < begins markup and nothing else.
    while lines::read_until(name, &mut input, b'<', &mut piece)? > 0 {
        add(&piece, line, &mut gold).map_err(|problem| Error::Line {
            name: name.to_string(),
            line,
            problem,
        })?;
        line += piece.iter().filter(|&&byte| byte == b'\n').count() as u64;
        piece.clear();
    }
    Ok(gold)
}

/// Adds the pair of a piece of XML, if it is the row of a duplicate. A piece is what stands between two `<`.
fn add(piece: &[u8], line: u64, gold: &mut PairGold) -> Result<(), String> {
    let piece = str::from_utf8(piece).map_err(|_| "not UTF-8; convert the file to UTF-8")?;
    let row = piece.strip_suffix('<').unwrap_or(piece);
    let Some(row) = row
        .strip_prefix("row")
        .filter(|row| row.starts_with(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>'))
    else {
        return Ok(());
    };
    let attributes = attributes(row)?;
    let attribute = |name: &str| {
        let value = attributes.get(name).copied();
        value.ok_or_else(|| {
            format!(
                "the row has no {name}; a PostLinks.xml has PostId, RelatedPostId and LinkTypeId"
            )
        })
    };
    let number = |name: &str| {
        let value = attribute(name)?;
        let number: Result<u64, _> = value.parse();
        number.map_err(|_| format!("{name} \"{value}\" is not a number"))
    };
    if attribute("LinkTypeId")? != DUPLICATE {
        return Ok(());
    }
    let (a, b) = (number("PostId")?, number("RelatedPostId")?);
    if a == b {
        return Ok(());
    }
    gold.insert((Id::from(a), Id::from(b)), Label { same: true, line })
}

/// The attributes of an element from after its name on, without references: all that is read here are numbers.
fn attributes(element: &str) -> Result<BTreeMap<&str, &str>, String> {
    const NOT_CLOSED: &str = "invalid XML: the row is not closed; is the file cut short?";
    let mut attributes = BTreeMap::new();
    let mut rest = element.trim();
    while !matches!(rest, "/>" | ">") {
        let (name, value) = rest.split_once('=').ok_or(NOT_CLOSED)?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
        let quote = quote.ok_or("invalid XML: an attribute without a quoted value")?;
        let (value, after) = value[1..].split_once(quote).ok_or(NOT_CLOSED)?;
        attributes.insert(name.trim(), value);
        rest = after.trim_start();
    }
    Ok(attributes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::Counting;

    const LINKS: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\r
<postlinks>\r
  <row Id=\"1\" CreationDate=\"2018-03-12T17:28:16.093\" PostId=\"7\" RelatedPostId=\"3\" LinkTypeId=\"1\" />\r
  <row Id=\"2\" PostId=\"7\" RelatedPostId=\"4\" LinkTypeId=\"3\" />\r
  <row Id=\"3\" PostId='4'\r
    RelatedPostId = \"7\" LinkTypeId=\"3\"></row>\r
  <row Id=\"4\" PostId=\"5\" RelatedPostId=\"5\" LinkTypeId=\"3\" />\r
  <row Id=\"5\" PostId=\"8\" RelatedPostId=\"7\" LinkTypeId=\"3\"/>\r
</postlinks>";

    fn problem(rows: &str) -> String {
        let text = format!("<postlinks>\n\n{rows}\n</postlinks>");
        read_post_links("PostLinks.xml", text.as_bytes(), Sides::Interchangeable)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn duplicate_links_are_pairs_of_numbers_that_count_once() {
        let gold =
            read_post_links("PostLinks.xml", LINKS.as_bytes(), Sides::Interchangeable).unwrap();
        let pairs: Vec<_> = gold
            .pairs()
            .map(|((a, b), same)| format!("{a} {b} {same}"))
            .collect();
        assert_eq!(pairs, ["4 7 true", "7 8 true"]);
        assert_eq!(gold.counting(), Counting::Listed);
    }

    #[test]
    fn xml_is_known_by_its_first_character() {
        for text in ["\u{feff}<?xml version=\"1.0\"?>", "\n <postlinks/>"] {
            assert!(begins_xml(text.as_bytes()), "{text}");
        }
        assert!(!begins_xml(b"{\"a\": 1}"));
        assert!(!begins_xml(b""));
    }

    #[test]
    fn a_malformed_row_is_named_with_its_line() {
        assert_eq!(
            problem("<row PostId=\"1\" RelatedPostId=\"二\" LinkTypeId=\"3\" />"),
            "PostLinks.xml, line 3: RelatedPostId \"二\" is not a number"
        );
        assert_eq!(
            problem("<row PostId=\"1\" LinkTypeId=\"3\" />"),
            "PostLinks.xml, line 3: the row has no RelatedPostId; a PostLinks.xml has PostId, RelatedPostId and \
             LinkTypeId"
        );
        let cases = [
            ("<row PostId=\"1\" RelatedPostId=\"2", "is not closed"),
            ("<row PostId=\"1\"", "is not closed"),
            ("<row PostId=1 />", "without a quoted value"),
            ("<row Id=\"1\" PostTypeId=\"1\" />", "has no LinkTypeId"),
        ];
        for (row, reason) in cases {
            let problem = problem(row);
            assert!(problem.contains(reason), "{row}: {problem}");
        }
    }
}
