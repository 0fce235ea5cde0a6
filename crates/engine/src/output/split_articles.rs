//! Articles that two sites split into pages at different places.
//!
//! No page holds all of it there: the end of one is the beginning of another, and so on. A page counts if it begins or ends
//! like that, and other pages make up nearly all of it. Such pages, and those that lie in them or are the same, are laid out
//! in a line; where every pair says the same of it and they tell one story, they are its pages.

use std::collections::{BTreeMap, BTreeSet};

use bytemuck::{Pod, Zeroable};
use lookalike_pair::assemble::alignment::Relation;
use lookalike_pair::assemble::is_one_story;
use lookalike_pair::spill::{Item, Shuffle};
use lookalike_text::RecordId;

use super::document_groups::{MAKES_UP, insert_place};
use super::located_passages::for_each_shared;
use crate::Error;
use crate::bits::Bits;
use crate::find_passages::FoundPassages;
use crate::stages::{Context, LocatedPassage, SharedPair, for_each_group};

/// No article has more pages.
const MOST_PAGES: usize = 500;

/// Two pages lie this share of their length, taken together, further apart or nearer than other pairs say, at most.
const OUT_OF_LINE: f64 = 0.1;

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

/// Two pages of what may be an article, and how far the second begins after the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
#[repr(C)]
struct Link {
    /// The first page of all that are linked.
    article: RecordId,
    a: RecordId,
    b: RecordId,
    length_a: u32,
    length_b: u32,
    shift: i32,
}

impl Item for Link {
    fn place(&self) -> u32 {
        self.article.get()
    }
}

/// What a pair says about its pages.
#[derive(Clone, Copy)]
enum Joint {
    /// One goes on where the other ends.
    GoesOn,
    /// They are nearly the same,
    Same,
    /// the second lies in the first,
    Holds,
    /// or the first in the second.
    LiesIn,
}

impl Joint {
    fn of(pair: &SharedPair) -> Option<Self> {
        match pair.relation() {
            Relation::Quotes if pair.goes_on() => Some(Joint::GoesOn),
            Relation::NearDuplicate => Some(Joint::Same),
            Relation::Contains => Some(Joint::Holds),
            Relation::Contained => Some(Joint::LiesIn),
            _ => None,
        }
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
    for_each_shared(&found.located, |pair, passages| match Joint::of(pair) {
        Some(joint) => each(pair, passages, joint),
        None => Ok(()),
    })
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
            let mut places = Vec::new();
            for stretch in of_page {
                insert_place(&mut places, (stretch.begin, stretch.end));
            }
            let covered: u32 = places.iter().map(|(begin, end)| end - begin).sum();
            if f64::from(covered) >= MAKES_UP * f64::from(of_page[0].length) {
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
    let longest = passages.iter().max_by_key(|p| p.a.end - p.a.begin);
    let shift = |passage: &LocatedPassage| passage.a.begin as i32 - passage.b.begin as i32;
    Link {
        article,
        a: pair.a,
        b: pair.b,
        length_a: pair.own_a,
        length_b: pair.own_b,
        shift: longest.map_or(0, shift),
    }
}

/// A page of an article, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Placed {
    begin: i64,
    record: RecordId,
    length: u32,
}

/// The pages in the order in which they are read; none if pairs contradict each other.
fn in_line(links: &[Link]) -> Option<Vec<Placed>> {
    let mut beside: BTreeMap<RecordId, Vec<(RecordId, i64, u32)>> = BTreeMap::new();
    for link in links {
        let shift = i64::from(link.shift);
        let of_a = beside.entry(link.a).or_default();
        of_a.push((link.b, shift, link.length_b));
        let of_b = beside.entry(link.b).or_default();
        of_b.push((link.a, -shift, link.length_a));
    }
    if beside.len() > MOST_PAGES {
        return None;
    }
    let first = links.first()?;
    let mut begins = BTreeMap::from([(first.a, (0, first.length_a))]);
    let mut waiting = vec![first.a];
    while let Some(page) = waiting.pop() {
        let (begin, _) = begins[&page];
        for &(other, shift, length) in &beside[&page] {
            begins.entry(other).or_insert_with(|| {
                waiting.push(other);
                (begin + shift, length)
            });
        }
    }
    let is_in_line = |link: &Link| {
        let ((a, of_a), (b, of_b)) = (begins[&link.a], begins[&link.b]);
        let out = (b - a - i64::from(link.shift)).unsigned_abs();
        out as f64 <= OUT_OF_LINE * (f64::from(of_a) + f64::from(of_b))
    };
    if begins.len() != beside.len() || !links.iter().all(is_in_line) {
        return None;
    }
    let pages = begins.into_iter();
    let mut pages: Vec<Placed> = pages
        .map(|(record, (begin, length))| Placed {
            begin,
            record,
            length,
        })
        .collect();
    pages.sort_unstable();
    Some(pages)
}

/// Whether pages that follow each other tell one story.
fn is_told(found: &FoundPassages, pages: &[Placed]) -> Result<bool, Error> {
    let (mut texts, mut end) = (Vec::new(), i64::MIN);
    for page in pages {
        // Two that are mostly at one place are one.
        if end <= page.begin + i64::from(page.length / 2) {
            texts.push(found.texts.get(page.record)?.text);
            end = page.begin + i64::from(page.length);
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    Ok(is_one_story(&texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: u32, b: u32, shift: i32) -> Link {
        Link {
            article: RecordId::from(0),
            a: RecordId::from(a),
            b: RecordId::from(b),
            length_a: 100,
            length_b: 100,
            shift,
        }
    }

    fn order(links: &[Link]) -> Option<Vec<u32>> {
        let pages = in_line(links)?;
        Some(pages.iter().map(|page| page.record.get()).collect())
    }

    #[test]
    fn pages_are_read_in_the_order_of_their_places() {
        let links = [
            link(0, 4, 60),
            link(1, 4, -30),
            link(0, 3, -40),
            link(1, 5, 40),
        ];
        assert_eq!(order(&links), Some(vec![3, 0, 4, 1, 5]));
    }

    #[test]
    fn pages_in_a_circle_are_no_article() {
        let line = [link(0, 1, 50), link(1, 2, 50), link(0, 2, 90)];
        assert_eq!(order(&line), Some(vec![0, 1, 2]));
        assert_eq!(order(&[line[0], line[1], link(2, 0, 50)]), None);
    }
}
