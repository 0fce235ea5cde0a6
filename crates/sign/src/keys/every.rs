//! Every feature is a key: the inverted index.

use super::{Method, Search};

pub(super) const METHOD: Method = Method::new("every", "every", |given, _| {
    given.no_parameters().map(|()| Search::Every)
});
