//! How much does it say that a word of one text is in the other? Two pages come in; out go the weight of each word, its
//! partner (what the same word is called in the other page) and what two stretches of words share.
//!
//! A weight is a logarithm of odds. Say that of a copied passage half of the words are kept, and that a word is among
//! 250 others by chance with a probability q that follows from how often both texts have it. Then a word that is there
//! speaks with log₂(½ + ½/q) bits for a copy, and one that is not with 1 bit against it.

use super::groups::Area;
use super::page::{Index, Page, Piece};
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

/// The weights of terms that occur less often are looked up, those of others computed: the weights of all would take longer
/// than the words of a short page that is compared with a very long one.
const SELDOM: u64 = 32;

/// The words of one page, seen from the other. What is not set for the pair in hand is as if it were not there: so a pair
/// costs what the pages share, and not what they are.
#[derive(Debug, Default)]
struct Side {
    /// By the rank of a term.
    shared: Vec<Shared>,
    /// By the place of a word.
    copied: Vec<Copied>,
}

/// What is said of a term that both pages have.
#[derive(Debug, Clone, Copy, Default)]
struct Shared {
    pair: u32,
    /// Its rank in the other page.
    partner: u32,
    weight: u32,
}

/// A word in a long run. Such words match only what they are copied from.
#[derive(Debug, Clone, Copy, Default)]
struct Copied {
    pair: u32,
    /// Where it is copied from, in the group of matches that is looked at.
    source: u32,
}

/// The words of two pages.
#[derive(Debug, Default)]
pub(super) struct Weighed {
    /// Which pair of pages it is, counted from 1.
    pair: u32,
    /// The terms that both have.
    pub both: Vec<Both>,
    /// How many words they have.
    words: u64,
    /// The weights of terms that occur seldom.
    table: Vec<u32>,
    a: Side,
    b: Side,
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
        self.begin_pair(a, b);
        self.words = (a.words.len() + b.words.len()) as u64;
        join(&a.terms, &b.terms, &mut self.both);
        self.table.clear();
        let seldom = (0..SELDOM).map(|often| weight(often, self.words));
        self.table.extend(seldom);
        for both in &self.both {
            let in_a = a.terms.places(both.a as usize);
            let in_b = b.terms.places(both.b as usize);
            let often = in_a.len() + in_b.len() - 1;
            let weight = self.weight_of(often);
            let shared = |partner| Shared {
                pair: self.pair,
                partner,
                weight,
            };
            self.a.shared[both.a as usize] = shared(both.b);
            self.b.shared[both.b as usize] = shared(both.a);
        }
    }

    fn begin_pair(&mut self, a: &Page, b: &Page) {
        if self.pair == u32::MAX {
            (self.a, self.b, self.pair) = Default::default();
        }
        self.pair += 1;
        for (side, page) in [(&mut self.a, a), (&mut self.b, b)] {
            let terms = side.shared.len().max(page.terms.hashes.len());
            side.shared.resize(terms, Shared::default());
            let words = side.copied.len().max(page.words.len());
            side.copied.resize(words, Copied::default());
        }
    }

    /// The weight of a term that occurs so often.
    #[inline]
    fn weight_of(&self, often: usize) -> u32 {
        let known = self.table.get(often).copied();
        known.unwrap_or_else(|| weight(often as u64, self.words))
    }

    /// Marks the words of a long run.
    pub(super) fn copy(&mut self, run: Area) {
        for (side, [begin, end]) in [(&mut self.a, run.a), (&mut self.b, run.b)] {
            side.copied[begin as usize..end as usize].fill(Copied {
                pair: self.pair,
                source: ALONE,
            });
        }
    }

    /// Says that the words of a long run are copied from each other.
    pub(super) fn link(&mut self, run: Area) {
        for (a, b) in (run.a[0]..run.a[1]).zip(run.b[0]..) {
            self.a.copied[a as usize].source = b;
            self.b.copied[b as usize].source = a;
        }
    }

    /// Takes that back.
    pub(super) fn unlink(&mut self, run: Area) {
        self.copy(run);
    }

    /// Each page as the other sees it.
    pub(super) fn views<'w>(&'w self, a: &'w Page, b: &'w Page) -> [View<'w>; 2] {
        let view = |side, page, other, other_page: &'w Page| View {
            weighed: self,
            side,
            page,
            other,
            terms: &other_page.terms,
            other_words: other_page.words.len() as u32,
        };
        [view(&self.a, a, &self.b, b), view(&self.b, b, &self.a, a)]
    }

    /// What both sides of an area share with each other.
    pub(super) fn overlap(&self, a: &Page, b: &Page, area: Area) -> [Overlap; 2] {
        let [in_a, in_b] = self.views(a, b);
        [in_a.overlap(area.a, area.b), in_b.overlap(area.b, area.a)]
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
    weighed: &'a Weighed,
    side: &'a Side,
    page: &'a Page,
    other: &'a Side,
    terms: &'a Index,
    /// How many words the other page has.
    pub other_words: u32,
}

impl View<'_> {
    /// What the term at a place says. However common, one in a long run says something: it is in its place.
    pub(super) fn weight(&self, place: u32) -> u32 {
        let rank = self.page.ranks[place as usize] as usize;
        let weight = match self.side.shared[rank] {
            Shared { pair, weight, .. } if pair == self.weighed.pair => weight,
            _ => {
                let often = self.page.terms.places(rank).len();
                self.weighed.weight_of(often)
            }
        };
        let length = self.page.length([place, place + 1]);
        let weight = weight * length / 2;
        match self.is_copied(place) {
            true => weight.max(length * LEAST_IN_RUN),
            false => weight,
        }
    }

    /// Whether the word at a place is in a long run.
    pub(super) fn is_copied(&self, place: u32) -> bool {
        self.side.copied[place as usize].pair == self.weighed.pair
    }

    /// The weight of all terms of a piece.
    pub(super) fn total(&self, piece: &Piece) -> u64 {
        let places = piece.begin..piece.end;
        places.map(|place| u64::from(self.weight(place))).sum()
    }

    /// How much the words of a cell speak for it being a copy of something in a stretch of the other page.
    pub(super) fn gain(&self, here: [u32; 2], there: &There) -> i64 {
        let gain = |place| match self.is_in(place, there) {
            true => i64::from(self.weight(place)),
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
        !self.is_copied(begin) && (piece.begin, piece.end) != (begin, end)
    }

    fn overlap(&self, here: [u32; 2], there: [u32; 2]) -> Overlap {
        let there = &There {
            stretch: there,
            margins: there,
        };
        let mut overlap = Overlap::default();
        for place in here[0]..here[1] {
            let least = LEAST_SHARE * self.page.length([place, place + 1]);
            let weight = u64::from(self.weight(place).max(least));
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
        self.page.common_words > 0 && {
            let sentence = self.page.sentence_of(place) as usize;
            self.page.sentences[sentence].common
        }
    }

    /// Whether the word at `place` is in a stretch of the other page.
    #[inline]
    fn is_in(&self, place: u32, there: &There) -> bool {
        let shared = self.side.shared[self.page.ranks[place as usize] as usize];
        if shared.pair != self.weighed.pair {
            return false;
        }
        if self.is_copied(place) {
            let [begin, end] = there.stretch;
            return (begin..end).contains(&self.side.copied[place as usize].source);
        }
        let [begin, end] = there.margins;
        let places = self.terms.places(shared.partner as usize);
        let first = places.partition_point(|&place| place < begin);
        let near = places[first..].iter().take(MOST_PLACES);
        near.take_while(|&&place| place < end)
            .any(|&place| self.other.copied[place as usize].pair != self.weighed.pair)
    }
}

/// The weight of a term that occurs so `often` among so many `words`.
pub(super) fn weight(often: u64, words: u64) -> u32 {
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
