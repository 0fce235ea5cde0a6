//! Articles with sentences in common.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::id::{Id, IdRef};
use super::pair_rows::owned;

/// Two articles with sentences in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ArticleRow<'r, I = Id> {
    /// The earlier article.
    pub a: I,
    /// The later one.
    pub b: I,
    /// The title of the earlier one, where it has one.
    pub title_a: Option<Cow<'r, str>>,
    /// The title of the later one, where it has one.
    pub title_b: Option<Cow<'r, str>>,
    /// Sentences of one with a similar one in the other, counted in the article that has fewer of them.
    pub shared_sentences: u32,
    /// The number of the chain of articles that both are in.
    pub chain: Option<u32>,
}

impl ArticleRow<'_, IdRef<'_>> {
    /// The same with ids and titles of its own.
    pub fn to_owned(&self) -> ArticleRow<'static> {
        ArticleRow {
            a: self.a.to_owned(),
            b: self.b.to_owned(),
            title_a: self.title_a.as_deref().map(owned),
            title_b: self.title_b.as_deref().map(owned),
            shared_sentences: self.shared_sentences,
            chain: self.chain,
        }
    }
}
