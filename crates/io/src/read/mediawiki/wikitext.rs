//! Wikitext as plain text. In comes the source of a page, out come its prose, its references and its headings, a line a
//! block each.
//!
//! The page is looked at twice, both times from front to back. [`marks`] finds what is closed, and where; [`walk`] then
//! knows at every opening whether it is one and where it ends, so it needs no second try. Both keep what is open on a
//! stack of their own. The time is linear in the length of the page, whatever is in it.
//!
//! | part | where |
//! |---|---|
//! | templates | [`templates`]; which ones are text: [`rules`]; made of several parameters: [`values`], [`citation`] |
//! | links | [`links`] |
//! | lines, lists, tables, headings | [`lines`] |
//! | tags | [`elements`], [`tags`] |
//! | quotes, references, magic words | [`inline`] |
//! | what is written | [`sink`] |

mod ahead;
mod citation;
mod elements;
mod inline;
mod lines;
mod links;
mod marks;
mod rules;
mod scan;
mod sections;
mod sink;
mod tags;
mod templates;
#[cfg(test)]
mod tests;
mod values;
mod walk;

use super::site::Site;
use lookalike_kernel::CodeBlocks;

/// What a page comes to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Article {
    pub(super) text: String,
    pub(super) references: String,
    pub(super) headings: String,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Options {
    pub(super) code: CodeBlocks,
}

/// Reads the wikitext of the page with that title.
pub(super) fn read(wikitext: &str, title: &str, site: &Site, options: Options) -> Article {
    walk::Walker::new(wikitext, title, site, options).run()
}
