//! What the job `sentences` is told beside what all jobs are.

use std::ops::Not;

use lookalike_pair::assemble::Kind;
use lookalike_text::SentenceOptions;
use serde::{Deserialize, Serialize};

/// What the job `sentences` is told beside what all jobs are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[non_exhaustive]
pub struct SentencesSpec {
    /// How a text is cut into sentences, and how long they may be.
    pub split: SentenceOptions,
    /// How many sentences in a row are compared as one.
    pub window: u32,
    /// Pairs are also at least this similar in their letters: 1 − distance / longer length.
    pub edit_similarity: f64,
    /// Sentences of one article are compared with each other, too.
    pub within_article: bool,
    /// Only pairs of these kinds are listed; none stands for all kinds.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "super::one_or_more"
    )]
    pub kinds: Vec<Kind>,
    /// Earlier revisions of the articles tell when the sentences of a factual drift parted.
    #[serde(skip_serializing_if = "Not::not")]
    pub history: bool,
    /// The field with the title of the article.
    pub title_field: String,
    /// The field with the date of the article, which pairs tell where it is there.
    pub date_field: String,
    /// The field with lists of references, whose sentences are marked as such.
    pub reference_field: String,
}

impl Default for SentencesSpec {
    fn default() -> Self {
        SentencesSpec {
            split: SentenceOptions::default(),
            window: 1,
            edit_similarity: 0.75,
            within_article: false,
            kinds: Vec::new(),
            history: false,
            title_field: "title".to_string(),
            date_field: "date".to_string(),
            reference_field: "references".to_string(),
        }
    }
}
