//! Articles that two sites split into pages at different places.
//!
//! No page holds all of it there: the end of one is the beginning of another, and so on. A page counts if it begins or ends
//! like that, and other pages make up nearly all of it. Such pages, and those that lie in them or are the same, are laid out
//! in a line; where every pair says the same of it and they tell one story, they are its pages.

use std::collections::{BTreeMap, BTreeSet};

use bytemuck::{Pod, Zeroable};
use lookalike_pair::assemble::{
    Joint, Link, Placed, are_nearly_all, in_line, is_one_story, shift, told_by,
};
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_text::RecordId;

use super::located_passages::for_each_shared;
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::stages::{Context, LocatedPassage, SharedPair, for_each_group};

/// A stretch of a page that others make up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Stretch {
    page: RecordId,
    begin: u32,
    end: u32,
    /// How long the page is.
    length: u32,
}

impl Item for Stretch {
    fn place(&self) -> u32 {
        self.page.get()
    }
}

/// Finds the pages of every such article, in the order in which they are read. `wholes` are the pages that hold a story of
/// several others, which may be a part of a longer one.
pub(super) fn split_articles(
    context: &Context<'_>,
    records: usize,
    found: &FoundPassages,
    wholes: impl Iterator<Item = RecordId>,
) -> Result<Vec<Vec<RecordId>>, Error> {
    let going_on = pages_that_go_on(records, found)?;
    if going_on.count() == 0 {
        return Ok(Vec::new());
    }
    let mut made_up = made_up(context, records, &going_on, found)?;
    made_up.extend(wholes);
    let articles = Articles::of(&made_up, found)?;
    let links = context.by_number("links", records, 8);
    for_each_joint(found, |pair, passages, joint| {
        let article = match joint {
            Joint::GoesOn => articles.of_both(pair.a, pair.b),
            Joint::Same => articles.of_page(pair.a).or(articles.of_page(pair.b)),
            Joint::Holds => articles.of_page(pair.a),
            Joint::LiesIn => articles.of_page(pair.b),
        };
        Ok(links.extend(article.map(|article| link(article, pair, passages)))?)
    })?;
    let mut split = Vec::new();
    for_each_group(
        &links,
        |link| link.article,
        |links| {
            if let Some(pages) = in_line(links)
                && is_told(found, &pages)?
            {
                split.push(pages.iter().map(|page| page.record).collect());
            }
            Ok(())
        },
    )?;
    links.clear();
    Ok(split)
}

fn for_each_joint(
    found: &FoundPassages,
    mut each: impl FnMut(&SharedPair, &[LocatedPassage], Joint) -> Result<(), Error>,
) -> Result<(), Error> {
    for_each_shared(&found.located, |pair, passages| match joint(pair) {
        Some(joint) => each(pair, passages, joint),
        None => Ok(()),
    })
}

fn joint(pair: &SharedPair) -> Option<Joint> {
    Joint::of(pair.relation(), pair.goes_on())
}

fn pages_that_go_on(records: usize, found: &FoundPassages) -> Result<Bits<RecordId>, Error> {
    let mut pages = Bits::new(records);
    // Also where most of one lies in the other.
    for_each_joint(found, |pair, _, _| {
        if pair.goes_on() {
            pages.insert(pair.a);
            pages.insert(pair.b);
        }
        Ok(())
    })?;
    Ok(pages)
}

/// Those of the pages that others make up.
fn made_up(
    context: &Context<'_>,
    records: usize,
    going_on: &Bits<RecordId>,
    found: &FoundPassages,
) -> Result<BTreeSet<RecordId>, Error> {
    let stretches: Shuffle<Stretch> = context.by_number("stretches", records, 8);
    for_each_joint(found, |pair, passages, _| {
        let of_a = passages.iter().map(|passage| Stretch {
            page: pair.a,
            begin: passage.a.begin,
            end: passage.a.end,
            length: pair.own_a,
        });
        let of_b = passages.iter().map(|passage| Stretch {
            page: pair.b,
            begin: passage.b.begin,
            end: passage.b.end,
            length: pair.own_b,
        });
        if going_on.contains(pair.a) {
            stretches.extend(of_a)?;
        }
        if going_on.contains(pair.b) {
            stretches.extend(of_b)?;
        }
        Ok(())
    })?;
    let mut made_up = BTreeSet::new();
    for_each_group(
        &stretches,
        |stretch| stretch.page,
        |of_page| {
            let stretches = of_page.iter().map(|stretch| (stretch.begin, stretch.end));
            if are_nearly_all(stretches, of_page[0].length) {
                made_up.insert(of_page[0].page);
            }
            Ok(())
        },
    )?;
    stretches.clear();
    Ok(made_up)
}

/// Pages that others make up and that have to do with each other, each with an earlier one.
struct Articles(BTreeMap<RecordId, RecordId>);

impl Articles {
    fn of(made_up: &BTreeSet<RecordId>, found: &FoundPassages) -> Result<Self, Error> {
        let mut articles = Articles(BTreeMap::new());
        for_each_joint(found, |pair, _, _| {
            if made_up.contains(&pair.a) && made_up.contains(&pair.b) {
                let (a, b) = (articles.first(pair.a), articles.first(pair.b));
                articles.0.insert(a, a.min(b));
                articles.0.insert(b, a.min(b));
            }
            Ok(())
        })?;
        Ok(articles)
    }

    fn first(&mut self, mut page: RecordId) -> RecordId {
        while let Some(&earlier) = self.0.get(&page).filter(|&&earlier| earlier != page) {
            let next = self.0.get(&earlier).copied().unwrap_or(earlier);
            self.0.insert(page, next);
            page = earlier;
        }
        page
    }

    /// The first page of the article that a page is of.
    fn of_page(&self, mut page: RecordId) -> Option<RecordId> {
        let mut earlier = *self.0.get(&page)?;
        while earlier != page {
            page = earlier;
            earlier = self.0.get(&page).copied().unwrap_or(page);
        }
        Some(page)
    }

    fn of_both(&self, a: RecordId, b: RecordId) -> Option<RecordId> {
        let article = self.of_page(a)?;
        (self.of_page(b) == Some(article)).then_some(article)
    }
}

fn link(article: RecordId, pair: &SharedPair, passages: &[LocatedPassage]) -> Link {
    let places = passages.iter();
    let places = places.map(|passage| (passage.a.begin, passage.a.end, passage.b.begin));
    Link {
        article,
        a: pair.a,
        b: pair.b,
        length_a: pair.own_a,
        length_b: pair.own_b,
        shift: shift(places),
    }
}

/// Whether pages that follow each other tell one story.
fn is_told(found: &FoundPassages, pages: &[Placed]) -> Result<bool, Error> {
    let mut texts = Vec::new();
    for record in told_by(pages) {
        texts.push(found.texts.get(record)?.text);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(is_one_story(&texts))
}
