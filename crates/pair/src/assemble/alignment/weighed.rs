//! How much does it say that a word of one text is in the other? Two pages come in; out go the weight of each word, its
//! partner (what the same word is called in the other page) and what two stretches of words share.
//!
//! A weight is a logarithm of odds. Say that of a copied passage half of the words are kept, and that a word is among
//! 250 others by chance with a probability q that follows from how often both texts have it. Then a word that is there
//! speaks with log₂(½ + ½/q) bits for a copy, and one that is not with 1 bit against it.

use super::groups::Area;
use super::page::{Index, Page};
use super::shared::{ALONE, Both, join};

/// Weights are in units of 2⁻⁸ bits.
pub(super) const BIT: u32 = 256;

/// How many words a word is looked for in: as many as a passage and its margins have.
const WINDOW: u64 = 250;

/// How many words of other texts are imagined beside the two, none of which is the word: short texts alone do not tell
/// which words are rare.
const ELSEWHERE: u64 = 2000;

/// However long the texts, no word is rarer than one in so many.
const RAREST: u64 = 4000;

/// How much half a word says at least if it is in a run.
const LEAST_IN_RUN: u32 = BIT / 4;

/// How much speaks against what is left of a piece beside a copy: one rare word that is there by chance must not spoil
/// the end of the copy.
const FRAGMENT: i64 = 2 * BIT as i64;

/// How much half a word counts in shares of the whole at least: even the commonest words are some of it.
const LEAST_SHARE: u32 = BIT / 4;

/// Of a word that is repeated, so many places are looked at.
const MOST_PLACES: usize = 16;

/// The words of one page, seen from the other.
#[derive(Debug, Default)]
pub(super) struct Side {
    pub weights: Vec<u32>,
    partners: Vec<u32>,
    /// Whether the word is in a long run. Such words match only what they are copied from.
    pub copied: Vec<bool>,
    /// Where the word is copied from, in the group of matches that is looked at.
    sources: Vec<u32>,
}

/// The words of two pages.
#[derive(Debug, Default)]
pub(super) struct Weighed {
    /// The terms that both have.
    pub both: Vec<Both>,
    table: Vec<u32>,
    pub a: Side,
    pub b: Side,
}

/// What a stretch shares with one of the other page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Overlap {
    pub shared: u64,
    /// The part of it that is in sentences that are not common.
    pub special: u64,
    pub all: u64,
}

impl Weighed {
    /// Weighs the words of two pages.
    pub(super) fn weigh(&mut self, a: &Page, b: &Page) {
        let words = (a.words.len() + b.words.len()) as u64;
        join(a.terms(), b.terms(), &mut self.both);
        self.fill_table(words);
        self.a.fill_alone(a, &self.table);
        self.b.fill_alone(b, &self.table);
        for both in &self.both {
            let in_a = a.terms().places(both.a as usize);
            let in_b = b.terms().places(both.b as usize);
            let often = in_a.len() + in_b.len() - 1;
            let weight = self.table.get(often).copied().unwrap_or(0);
            self.a.fill_shared(a, in_a, weight, both.b);
            self.b.fill_shared(b, in_b, weight, both.a);
        }
    }

    /// The weights of terms by how often they occur, as far as there are any.
    fn fill_table(&mut self, words: u64) {
        self.table.clear();
        self.table.push(weight(1, words));
        let weights = (1..).map(|often| weight(often, words));
        self.table.extend(weights.take_while(|&weight| weight > 0));
    }

    /// Says that the words of a long run are copied from each other.
    pub(super) fn link(&mut self, run: Area) {
        for (a, b) in (run.a[0]..run.a[1]).zip(run.b[0]..) {
            self.a.sources[a as usize] = b;
            self.b.sources[b as usize] = a;
        }
    }

    /// Takes that back.
    pub(super) fn unlink(&mut self, run: Area) {
        self.a.sources[run.a[0] as usize..run.a[1] as usize].fill(ALONE);
        self.b.sources[run.b[0] as usize..run.b[1] as usize].fill(ALONE);
    }

    /// What both sides of an area share with each other.
    pub(super) fn overlap(&self, a: &Page, b: &Page, area: Area) -> [Overlap; 2] {
        [
            View::new(&self.a, a, &self.b, b).overlap(area.a, area.b),
            View::new(&self.b, b, &self.a, a).overlap(area.b, area.a),
        ]
    }
}

impl Side {
    fn fill_alone(&mut self, page: &Page, table: &[u32]) {
        self.partners.clear();
        self.partners.resize(page.words.len(), ALONE);
        self.copied.clear();
        self.copied.resize(page.words.len(), false);
        self.sources.clear();
        self.sources.resize(page.words.len(), ALONE);
        self.weights.clear();
        let weights = page
            .counts
            .iter()
            .zip(&page.lengths)
            .zip(&page.lengths[1..]);
        self.weights.extend(weights.map(|((&often, begin), end)| {
            let weight = table.get(often as usize).copied().unwrap_or(0);
            weight * (end - begin) / 2
        }));
    }

    /// Marks the words of a run. However common, each says something: it is in its place.
    pub(super) fn copy(&mut self, page: &Page, [begin, end]: [u32; 2]) {
        for place in begin..end {
            let least = page.length([place, place + 1]) * LEAST_IN_RUN;
            let weight = &mut self.weights[place as usize];
            *weight = (*weight).max(least);
            self.copied[place as usize] = true;
        }
    }

    fn fill_shared(&mut self, page: &Page, places: &[u32], weight: u32, partner: u32) {
        for &place in places {
            self.weights[place as usize] = weight * page.length([place, place + 1]) / 2;
            self.partners[place as usize] = partner;
        }
    }
}

/// Where words are looked for in the other page: what is copied in a stretch, other words also in its margins.
#[derive(Debug, Clone, Copy)]
pub(super) struct There {
    pub stretch: [u32; 2],
    pub margins: [u32; 2],
}

/// One page with what the other says about it.
pub(super) struct View<'a> {
    side: &'a Side,
    page: &'a Page,
    other: &'a Side,
    terms: &'a Index,
    /// How many words the other page has.
    pub other_words: u32,
}

impl<'a> View<'a> {
    pub(super) fn new(
        side: &'a Side,
        page: &'a Page,
        other: &'a Side,
        other_page: &'a Page,
    ) -> Self {
        Self {
            side,
            page,
            other,
            terms: other_page.terms(),
            other_words: other_page.words.len() as u32,
        }
    }

    /// How much the words of a cell speak for it being a copy of something in a stretch of the other page.
    pub(super) fn gain(&self, here: [u32; 2], there: &There) -> i64 {
        let gain = |place| match self.is_in(place, there) {
            true => i64::from(self.side.weights[place as usize]),
            false => -i64::from(BIT / 2 * self.page.length([place, place + 1])),
        };
        let gain: i64 = (here[0]..here[1]).map(gain).sum();
        match self.is_fragment(here) {
            true => gain - FRAGMENT,
            false => gain,
        }
    }

    /// Whether a cell is a part of a piece, the rest of which is copied.
    fn is_fragment(&self, [begin, end]: [u32; 2]) -> bool {
        let piece = &self.page.pieces[self.page.piece_of[begin as usize] as usize];
        !self.side.copied[begin as usize] && (piece.begin, piece.end) != (begin, end)
    }

    fn overlap(&self, here: [u32; 2], there: [u32; 2]) -> Overlap {
        let there = &There {
            stretch: there,
            margins: there,
        };
        let mut overlap = Overlap::default();
        for place in here[0]..here[1] {
            let least = LEAST_SHARE * self.page.length([place, place + 1]);
            let weight = u64::from(self.side.weights[place as usize].max(least));
            overlap.all += weight;
            if self.is_in(place, there) {
                overlap.shared += weight;
                if !self.is_common(place) {
                    overlap.special += weight;
                }
            }
        }
        overlap
    }

    fn is_common(&self, place: u32) -> bool {
        self.page.has_common && {
            let sentence = self.page.sentence_of(place) as usize;
            self.page.sentences[sentence].common
        }
    }

    /// Whether the word at `place` is in a stretch of the other page.
    #[inline]
    fn is_in(&self, place: u32, there: &There) -> bool {
        let partner = self.side.partners[place as usize];
        if partner == ALONE {
            return false;
        }
        if self.side.copied[place as usize] {
            let [begin, end] = there.stretch;
            return (begin..end).contains(&self.side.sources[place as usize]);
        }
        let [begin, end] = there.margins;
        let places = self.terms.places(partner as usize);
        let first = places.partition_point(|&place| place < begin);
        let near = places[first..].iter().take(MOST_PLACES);
        near.take_while(|&&place| place < end)
            .any(|&place| !self.other.copied[place as usize])
    }
}

/// The weight of a term that occurs so `often` among so many `words`.
fn weight(often: u64, words: u64) -> u32 {
    let rarity = ((words + ELSEWHERE) / often.max(1)).min(RAREST);
    let odds = (rarity * u64::from(BIT) / WINDOW).max(u64::from(BIT));
    log(u64::from(BIT).midpoint(odds))
}

/// The logarithm of a number in units of 2⁻⁸, linear between powers of two: the same on every machine.
fn log(number: u64) -> u32 {
    let whole = number.ilog2();
    let fraction = (number << 8 >> whole) as u32 - BIT;
    (whole - 8) * BIT + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_exact_at_powers_of_two_and_grows_between() {
        for power in 0..20 {
            assert_eq!(log(u64::from(BIT) << power), power * BIT);
        }
        assert!((256..5000).all(|number| log(number) <= log(number + 1)));
    }

    #[test]
    fn rare_words_weigh_more_and_words_that_are_everywhere_nothing() {
        assert!(weight(1, 800) > weight(2, 800));
        assert!(weight(1, 8000) > weight(1, 800));
        assert_eq!(weight(100, 800), 0);
    }
}
