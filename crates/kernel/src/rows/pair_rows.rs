//! Pairs: which records, sentences or documents are alike, and how much.

use std::borrow::Cow;

use lookalike_pair::assemble::alignment::Relation;
use lookalike_pair::assemble::{Difference, Kind};
use lookalike_pair::verify::More;
use serde::{Deserialize, Serialize};

use super::cluster_rows::DocumentGroup;
use super::id::{Id, IdRef};

/// Two records, the first of them earlier in the input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordPair<I = Id> {
    /// The earlier record.
    pub a: I,
    /// The later one, or that of the other corpus.
    pub b: I,
    /// The exact similarity; none where nothing verified it.
    pub similarity: Option<f64>,
    /// Whether the similarity was computed; in JSON only where it was not.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
}

/// Two threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ThreadPair<'r, I = Id> {
    /// The earlier thread.
    pub a: I,
    /// The later one.
    pub b: I,
    /// The exact similarity; none where nothing verified it.
    pub similarity: Option<f64>,
    /// Whether the similarity was computed; in JSON only where it was not.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
    /// How similar each field is, in the order in which the fields are named; in JSON an object.
    #[serde(with = "by_name")]
    pub fields: Cow<'r, [FieldSimilarity<'r>]>,
    /// Whose text has additional information.
    pub more: Option<More>,
    /// In what they differ.
    pub kind: Difference,
    /// The words that differ, from and to, field by field.
    pub changed: Cow<'r, [(String, String)]>,
}

/// Two messages and in what they differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MessagePair<'r, I = Id> {
    /// The earlier message.
    pub a: I,
    /// The later one.
    pub b: I,
    /// The exact similarity; none where nothing verified it.
    pub similarity: Option<f64>,
    /// Whether the similarity was computed; in JSON only where it was not.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
    /// In what they differ.
    pub kind: Difference,
    /// The words that differ, from and to.
    pub changed: Cow<'r, [(String, String)]>,
}

/// How similar a field of two threads is; none where one has none.
pub type FieldSimilarity<'r> = (Cow<'r, str>, Option<f64>);

/// Two sentences and what changed from one to the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentencePair<'r, I = Id> {
    /// The earlier sentence.
    pub a: QuotedSentence<'r, I>,
    /// The later one.
    pub b: QuotedSentence<'r, I>,
    /// The exact similarity; none where nothing verified it.
    pub similarity: Option<f64>,
    /// Whether the similarity was computed; in JSON only where it was not.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub verified: bool,
    /// The share of letters that stay.
    pub edit_similarity: f64,
    /// What kind of change it is,
    pub kind: Kind,
    /// and how certain that is, from 0 to 1.
    pub confidence: f64,
    /// The words that differ, from and to.
    pub changed: Cow<'r, [(String, String)]>,
    /// Since when the first article has had its sentence as it is, where its history is known; in JSON only then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_a: Option<Cow<'r, str>>,
    /// The same for the second one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_b: Option<Cow<'r, str>>,
    /// When one of two sentences that had been the same was changed; in JSON only where they had been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parted: Option<Cow<'r, str>>,
}

/// A sentence with where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QuotedSentence<'r, I = Id> {
    /// The article.
    pub id: I,
    /// Its title, where it has one.
    pub title: Option<Cow<'r, str>>,
    /// The number of the sentence in the article.
    pub sentence: u32,
    /// What it says.
    pub text: Cow<'r, str>,
    /// When the article was last changed, where that is known; in JSON only then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<Cow<'r, str>>,
}

/// Two documents with passages in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentPair<I = Id> {
    /// The earlier document.
    pub a: I,
    /// The later one.
    pub b: I,
    /// How similar the passages are.
    pub similarity: f64,
    /// The share of the first that is in the second.
    pub covered_a: f64,
    /// The share of the second that is in the first.
    pub covered_b: f64,
    /// What they are to each other.
    pub relation: Relation,
    /// How many passages they have in common.
    pub passages: u32,
    /// What they are part of.
    pub group: Option<DocumentGroup>,
}

impl RecordPair<IdRef<'_>> {
    /// The same with ids of its own.
    pub fn to_owned(&self) -> RecordPair {
        RecordPair {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            verified: self.verified,
        }
    }
}

impl ThreadPair<'_, IdRef<'_>> {
    /// The same with ids and names of its own.
    pub fn to_owned(&self) -> ThreadPair<'static> {
        let fields = self.fields.iter();
        ThreadPair {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            verified: self.verified,
            fields: fields
                .map(|(name, similarity)| (owned(name), *similarity))
                .collect(),
            more: self.more,
            kind: self.kind,
            changed: Cow::Owned(self.changed.to_vec()),
        }
    }
}

impl MessagePair<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> MessagePair<'static> {
        MessagePair {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            verified: self.verified,
            kind: self.kind,
            changed: Cow::Owned(self.changed.to_vec()),
        }
    }
}

impl SentencePair<'_, IdRef<'_>> {
    /// The same with ids and texts of its own.
    pub fn to_owned(&self) -> SentencePair<'static> {
        SentencePair {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            verified: self.verified,
            edit_similarity: self.edit_similarity,
            kind: self.kind,
            confidence: self.confidence,
            changed: Cow::Owned(self.changed.to_vec()),
            since_a: self.since_a.as_deref().map(owned),
            since_b: self.since_b.as_deref().map(owned),
            parted: self.parted.as_deref().map(owned),
        }
    }
}

impl QuotedSentence<'_, IdRef<'_>> {
    /// The same with an id and a text of its own.
    pub fn to_owned(&self) -> QuotedSentence<'static> {
        QuotedSentence {
            id: self.id.to_owned(),
            title: self.title.as_deref().map(owned),
            sentence: self.sentence,
            text: owned(&self.text),
            date: self.date.as_deref().map(owned),
        }
    }
}

impl DocumentPair<IdRef<'_>> {
    /// The same with ids of its own.
    pub fn to_owned(&self) -> DocumentPair {
        DocumentPair {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            similarity: self.similarity,
            covered_a: self.covered_a,
            covered_b: self.covered_b,
            relation: self.relation,
            passages: self.passages,
            group: self.group,
        }
    }
}

pub(super) fn owned(text: &str) -> Cow<'static, str> {
    Cow::Owned(text.to_string())
}

pub(super) fn yes() -> bool {
    true
}

pub(super) fn is_true(value: &bool) -> bool {
    *value
}

/// Fields as an object that keeps their order.
pub(super) mod by_name {
    use std::borrow::Cow;
    use std::fmt;

    use serde::de::{MapAccess, Visitor};
    use serde::{Deserializer, Serializer};

    use super::FieldSimilarity;

    pub(in crate::rows) fn serialize<S: Serializer>(
        fields: &[FieldSimilarity<'_>],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(fields.iter().map(|(name, similarity)| (name, similarity)))
    }

    pub(in crate::rows) fn deserialize<'de, 'r, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Cow<'r, [FieldSimilarity<'r>]>, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Vec<(String, Option<f64>)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of similarities")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(fields)
            }
        }

        let fields = deserializer.deserialize_map(Fields)?.into_iter();
        Ok(fields
            .map(|(name, similarity)| (Cow::Owned(name), similarity))
            .collect())
    }
}
