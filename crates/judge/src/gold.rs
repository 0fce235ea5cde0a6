//! What is right: labelled pairs or clusters, one JSON object per line, or the links of a Stack Exchange data dump.
//!
//! | line | means |
//! |---|---|
//! | `{"a": id, "b": id, "label": 1}` | a pair of records, [`read_id_pairs`] |
//! | `{"a": "text", "b": "text", "label": 0}` | a pair of texts, [`read_text_pairs`]; a text may have fields: `"a": {"title": "…", "body": "…"}` |
//! | `{"a": id, "b": id, "kind": "…", "spans": [{"a_begin", "a_end", "b_begin", "b_end"}, …]}` | a pair of records with the passages they have in common, in characters, [`read_spans`] |
//! | `{"cluster": id, "members": [id, …]}` or `{"id": id, "cluster": id}` | clusters of records, [`read_clusters`] |
//! | `<row PostId="7" RelatedPostId="4" LinkTypeId="3" />` of a `PostLinks.xml` | a pair of records with label 1, [`read_post_links`]; links of other types are passed over |
//!
//! A label is 1, 0, true or false (the digits also in quotes), and 1 where it is missing; it may be called
//! `is_duplicate`. Blank lines and all other keys are passed over. The names of the two sides are those of the
//! public data sets, see [`ID_NAMES`] and [`TEXT_NAMES`].
//!
//! ```
//! use lookalike_judge::gold::{Text, read_text_pairs};
//! let line = r#"{"question1": "怎么开证明？", "question2": "证明怎么开？", "is_duplicate": 1}"#;
//! let pairs = read_text_pairs("questions.jsonl", line.as_bytes())?;
//! assert_eq!(pairs[0].b, Text::Whole("证明怎么开？".to_string()));
//! assert!(pairs[0].same);
//! # Ok::<(), lookalike_judge::Error>(())
//! ```

mod clusters;
mod lines;
mod links;
mod pairs;
mod spans;
mod texts;

use std::io::BufRead;

pub use clusters::{Clusters, read_clusters};
pub use links::{is_xml, read_post_links};
pub use lookalike_kernel::rows::Id;
pub use pairs::{Counting, ID_NAMES, PairGold, Sides, read_id_pairs};
pub use spans::{Span, SpanGold, SpanPair, Stretch, read_spans};
pub use texts::{LabelledTexts, TEXT_NAMES, Text, read_text_pairs};

use crate::Error;

/// Gold about the records of a corpus.
#[derive(Debug, Clone, PartialEq)]
pub enum Gold {
    /// Labelled pairs of ids.
    Pairs(PairGold),
    /// Pairs of ids with passages.
    Passages(SpanGold),
    /// Clusters of ids.
    Clusters(Clusters),
}

/// Reads pairs of ids or clusters: clusters if the first line has the key `cluster`, pairs with passages if it has
/// the key `spans`, links if it starts with XML.
///
/// # Errors
/// As [`read_id_pairs`], [`read_spans`], [`read_clusters`] and [`read_post_links`].
pub fn read(name: &str, mut input: impl BufRead, sides: Sides) -> Result<Gold, Error> {
    let (start, first) = lines::peek(name, &mut input)?;
    let all = std::io::Read::chain(start.as_slice(), input);
    let is_clusters = first
        .as_ref()
        .is_some_and(|object| object.contains_key("cluster"));
    let is_passages = first.as_ref().is_some_and(spans::has_spans);
    if links::begins_xml(&start) {
        read_post_links(name, all, sides).map(Gold::Pairs)
    } else if is_clusters {
        read_clusters(name, all).map(Gold::Clusters)
    } else if is_passages {
        read_spans(name, all, sides).map(Gold::Passages)
    } else {
        read_id_pairs(name, all, sides).map(Gold::Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_is_not_blank_tells_pairs_from_clusters() {
        let read = |text: &str| read("gold", text.as_bytes(), Sides::Interchangeable).unwrap();
        let clusters = read("\n\n{\"cluster\": \"甲\", \"members\": [\"甲\", \"乙\"]}\n");
        assert!(matches!(clusters, Gold::Clusters(clusters) if clusters.len() == 2));
        let pairs = read("\n{\"a\": \"甲\", \"b\": \"乙\"}\n{\"a\": 1, \"b\": 2}");
        assert!(matches!(pairs, Gold::Pairs(pairs) if pairs.positives() == 2));
        let passages = read("\n{\"a\": \"甲\", \"b\": 2, \"spans\": []}");
        assert!(matches!(passages, Gold::Passages(gold) if gold.pairs().count() == 1));
    }

    #[test]
    fn xml_is_read_as_links() {
        let text = "<?xml version=\"1.0\"?>\n<postlinks>\n<row PostId=\"2\" RelatedPostId=\"1\" LinkTypeId=\"3\" />\n<row />";
        let error = read("gold", text.as_bytes(), Sides::Interchangeable).unwrap_err();
        assert!(error.to_string().starts_with("gold, line 4: "), "{error}");
        let text = text.replace("<row />", "</postlinks>");
        let links = read("gold", text.as_bytes(), Sides::Interchangeable).unwrap();
        assert!(matches!(links, Gold::Pairs(pairs) if pairs.positives() == 1));
    }

    #[test]
    fn lines_are_counted_from_the_start_of_the_file() {
        let text = "\n{\"a\": 1, \"b\": 2}\n{\"a\": 1}";
        let error = read("gold", text.as_bytes(), Sides::Interchangeable).unwrap_err();
        assert!(error.to_string().starts_with("gold, line 3: "), "{error}");
    }
}
