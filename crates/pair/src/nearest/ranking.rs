//! How similar two vectors are.

use std::cmp::Ordering;

use lookalike_sign::stats::tf_idf;

use super::frequencies::Idf;
use super::term::{FieldTerm, Lead};

/// What each field counts for, relative to the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    shares: Vec<u32>,
}

/// The weighed terms of a text, as they are stored: the length of the vector comes first.
#[derive(Debug, Clone, Copy)]
pub struct Vector<'v> {
    length: f64,
    terms: &'v [FieldTerm],
}

impl<'v> Vector<'v> {
    /// How long it is.
    pub fn length(self) -> f64 {
        self.length
    }

    /// What [`Ranking::weigh`] wrote.
    pub fn of(stored: &'v [u64]) -> Self {
        match stored.split_first() {
            Some((&length, terms)) => Vector {
                length: f64::from_bits(length),
                terms: bytemuck::cast_slice(terms),
            },
            None => Vector {
                length: 0.0,
                terms: &[],
            },
        }
    }
}

/// A vector spread out in a table, so that the weight of a term is found at once.
#[derive(Debug, Default)]
pub struct Spread {
    length: f64,
    /// Terms at places that their lowest bits tell, or after these; a weight of 0 where there is none.
    places: Vec<(u32, f64)>,
    /// A bit for the highest bits of each term: most terms of other vectors have none, which a processor soon foresees.
    may_have: Vec<u64>,
}

impl Spread {
    /// As many bits for the highest bits of a term: of a text of some hundred terms few others share one.
    const FILTER_BITS: u32 = 13;

    /// Where the bit of a term is.
    #[inline]
    fn bit(term: u32) -> (usize, u64) {
        let bit = term >> (u32::BITS - Self::FILTER_BITS);
        ((bit >> 6) as usize, 1 << (bit & 63))
    }

    /// Whether there may be such a term.
    #[inline]
    fn may_have(&self, term: u32) -> bool {
        let (word, bit) = Self::bit(term);
        self.may_have.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Takes up another vector.
    pub fn set(&mut self, ranking: &Ranking, vector: Vector<'_>) {
        let places = (2 * vector.terms.len()).next_power_of_two().max(2);
        self.places.clear();
        self.places.resize(places, (0, 0.0));
        self.may_have.clear();
        self.may_have.resize(1 << (Self::FILTER_BITS - 6), 0);
        self.length = vector.length;
        for (term, weight) in ranking.joint(vector) {
            let place = self.place(term);
            self.places[place] = (term, weight);
            let (word, bit) = Self::bit(term);
            self.may_have[word] |= bit;
        }
    }

    #[inline]
    fn weight(&self, term: u32) -> f64 {
        let last = self.places.len() - 1;
        let mut place = term as usize & last;
        loop {
            let (there, weight) = self.places[place];
            if there == term || weight == 0.0 {
                return weight;
            }
            place = (place + 1) & last;
        }
    }

    /// Where a term is, or would be.
    #[inline]
    fn place(&self, term: u32) -> usize {
        let last = self.places.len() - 1;
        let mut place = term as usize & last;
        while self.places[place].1 != 0.0 && self.places[place].0 != term {
            place = (place + 1) & last;
        }
        place
    }
}

/// What the terms of one field come to: the squares of either text, and what both have.
#[derive(Debug, Clone, Copy, Default)]
struct FieldSums {
    own: f64,
    other: f64,
    common: f64,
}

fn cosine(common: f64, lengths: f64) -> f64 {
    if common == 0.0 {
        return 0.0;
    }
    (common / lengths).min(1.0)
}

impl Ranking {
    /// A text is described by this many terms of its fields, the heaviest ones.
    pub const MOST_TERMS: usize = 1024;
    /// It is found by this many.
    pub const MOST_LEADS: usize = 256;

    /// By what each field counts for.
    pub fn new(shares: Vec<u32>) -> Self {
        Ranking { shares }
    }

    /// Weighs counted terms, sorted, and appends the vector.
    pub fn weigh(&self, counted: &[FieldTerm], idf: &Idf<'_>, out: &mut Vec<u64>) {
        let begin = out.len();
        out.push(0);
        for same in counted.chunk_by(|a, b| a.term() == b.term()) {
            let idf = idf.of(same[0].term());
            for term in same {
                let weight = tf_idf(idf, term.number());
                if weight > 0 {
                    out.push(FieldTerm::new(term.term(), term.field(), weight).get());
                }
            }
        }
        let terms: &mut [FieldTerm] = bytemuck::cast_slice_mut(&mut out[begin + 1..]);
        if terms.len() > Self::MOST_TERMS {
            terms.select_nth_unstable_by_key(Self::MOST_TERMS, |term| {
                (std::cmp::Reverse(self.of_one(*term)), *term)
            });
            terms[..Self::MOST_TERMS].sort_unstable();
            out.truncate(begin + 1 + Self::MOST_TERMS);
        }
        let (_, terms) = out[begin..].split_at(1);
        let squares = self.weights(bytemuck::cast_slice(terms));
        let square: f64 = squares.map(|(_, weight)| weight * weight).sum();
        out[begin] = square.sqrt().to_bits();
    }

    /// The heaviest terms of a text that others have, too, the heaviest first.
    pub fn leads(&self, vector: Vector<'_>, idf: &Idf<'_>, out: &mut Vec<Lead>) {
        let begin = out.len();
        let shared = self
            .joint(vector)
            .filter(|(term, _)| idf.frequencies.of(*term) > 1);
        out.extend(shared.map(|(term, weight)| Lead {
            term,
            weight: (weight / vector.length * f64::from(1u32 << 16)) as u32,
        }));
        out[begin..].sort_unstable_by_key(|lead| (std::cmp::Reverse(lead.weight), lead.term));
        out.truncate(begin + Self::MOST_LEADS);
    }

    /// Each term of a vector with what it weighs in all fields.
    pub fn joint<'t>(&'t self, vector: Vector<'t>) -> impl Iterator<Item = (u32, f64)> + 't {
        self.weights(vector.terms)
    }

    /// The cosine of two vectors: 0 of texts without a common term.
    pub fn similarity(&self, a: Vector<'_>, b: Vector<'_>) -> f64 {
        cosine(self.sum_common(a.terms, b.terms), a.length * b.length)
    }

    /// The same of a vector that is compared with many.
    pub fn similarity_to(&self, a: &Spread, b: Vector<'_>) -> f64 {
        // As `joint` says it, but without what its generality costs: this is where the time goes.
        let (mut common, mut rest) = (0.0, b.terms);
        while let [first, after @ ..] = rest {
            let term = first.term();
            rest = after;
            if !a.may_have(term) {
                continue;
            }
            let mut weight = self.of_one(*first);
            while let [next, after @ ..] = rest
                && next.term() == term
            {
                weight += self.of_one(*next);
                rest = after;
            }
            common += a.weight(term) * weight as f64;
        }
        cosine(common, a.length * b.length)
    }

    /// The cosine of each field; none where one of the texts has nothing in it.
    pub fn of_fields(&self, a: Vector<'_>, b: Vector<'_>) -> Vec<Option<f64>> {
        let mut sums = vec![FieldSums::default(); self.shares.len()];
        let mut add = |term: &FieldTerm, to: fn(&mut FieldSums) -> &mut f64, weight: f64| {
            if let Some(of_field) = sums.get_mut(usize::from(term.field())) {
                *to(of_field) += weight;
            }
        };
        let weight = |term: &FieldTerm| self.of_one(*term) as f64;
        for term in a.terms {
            add(term, |sums| &mut sums.own, weight(term) * weight(term));
        }
        for term in b.terms {
            add(term, |sums| &mut sums.other, weight(term) * weight(term));
        }
        let (mut own, mut other) = (a.terms, b.terms);
        while let ([one, after @ ..], [two, others @ ..]) = (own, other) {
            let order = (one.term(), one.field()).cmp(&(two.term(), two.field()));
            if order == Ordering::Equal {
                add(one, |sums| &mut sums.common, weight(one) * weight(two));
            }
            if order != Ordering::Greater {
                own = after;
            }
            if order != Ordering::Less {
                other = others;
            }
        }
        let cosine = |sums: FieldSums| {
            let length = (sums.own * sums.other).sqrt();
            (length > 0.0).then(|| (sums.common / length).min(1.0))
        };
        sums.into_iter().map(cosine).collect()
    }

    #[inline]
    fn of_one(&self, term: FieldTerm) -> u64 {
        u64::from(term.number()) * self.share(term.field())
    }

    #[inline]
    fn share(&self, field: u8) -> u64 {
        u64::from(self.shares.get(usize::from(field)).copied().unwrap_or(0))
    }

    fn weights<'t>(&'t self, terms: &'t [FieldTerm]) -> impl Iterator<Item = (u32, f64)> + 't {
        let same = terms.chunk_by(|a, b| a.term() == b.term());
        same.map(|same| (same[0].term(), self.weight(same)))
    }

    #[inline]
    fn weight(&self, same: &[FieldTerm]) -> f64 {
        same.iter().map(|&term| self.of_one(term)).sum::<u64>() as f64
    }

    /// What common terms come to.
    fn sum_common(&self, mut a: &[FieldTerm], mut b: &[FieldTerm]) -> f64 {
        let mut sum = 0.0;
        while let ([one, ..], [two, ..]) = (a, b) {
            let (term, other) = (one.term(), two.term());
            if term < other {
                a = &a[1..];
            } else if other < term {
                b = &b[1..];
            } else {
                let split = |terms: &[FieldTerm]| {
                    let ends = terms.iter().position(|next| next.term() != term);
                    ends.unwrap_or(terms.len())
                };
                let (of_a, of_b) = (split(a), split(b));
                sum += self.weight(&a[..of_a]) * self.weight(&b[..of_b]);
                (a, b) = (&a[of_a..], &b[of_b..]);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::Frequencies;
    use super::*;

    /// Texts of two fields, of words that are numbers; what a title has counts twice.
    fn vectors(texts: &[[&[u32]; 2]]) -> Vec<Vec<u64>> {
        let frequencies = Frequencies::new(texts.len());
        let counted: Vec<Vec<u64>> = texts
            .iter()
            .map(|text| {
                let mut counted = Vec::new();
                for (field, words) in (0..).zip(text) {
                    let spread = |&word: &u32| u64::from(word.wrapping_mul(0x9E37_79B1)) << 32;
                    let mut terms: Vec<u64> = words.iter().map(spread).collect();
                    FieldTerm::count(&mut terms, field, &mut counted);
                }
                counted.sort_unstable();
                let terms: &[FieldTerm] = bytemuck::cast_slice(&counted);
                for same in terms.chunk_by(|a, b| a.term() == b.term()) {
                    frequencies.count(same[0].term());
                }
                counted
            })
            .collect();
        let idf = Idf::new(&frequencies, texts.len() as u64);
        let weigh = |counted: &Vec<u64>| {
            let mut out = Vec::new();
            Ranking::new(vec![2, 1]).weigh(bytemuck::cast_slice(counted), &idf, &mut out);
            out
        };
        counted.iter().map(weigh).collect()
    }

    fn similarity(a: &[u64], b: &[u64]) -> f64 {
        Ranking::new(vec![2, 1]).similarity(Vector::of(a), Vector::of(b))
    }

    #[test]
    fn a_rare_common_word_counts_for_more_than_a_common_one() {
        let all: [[&[u32]; 2]; 4] = [
            [&[1, 9], &[3]],
            [&[1, 8], &[4]],
            [&[2, 8], &[9]],
            [&[5, 8], &[6]],
        ];
        let vectors = vectors(&all);
        assert!(similarity(&vectors[0], &vectors[1]) > similarity(&vectors[1], &vectors[2]));
        assert!((similarity(&vectors[0], &vectors[0]) - 1.0).abs() < 1e-12);
        assert_eq!(similarity(&vectors[0], &vectors[3]), 0.0);
        let (ranking, mut spread) = (Ranking::new(vec![2, 1]), Spread::default());
        for a in &vectors {
            spread.set(&ranking, Vector::of(a));
            for b in &vectors {
                assert_eq!(
                    ranking.similarity_to(&spread, Vector::of(b)),
                    similarity(a, b)
                );
            }
        }
    }

    #[test]
    fn a_word_of_one_title_is_found_in_the_other_body() {
        let vectors = vectors(&[[&[1], &[2]], [&[3], &[1]], [&[4], &[5]]]);
        assert!(similarity(&vectors[0], &vectors[1]) > 0.0);
        let fields = Ranking::new(vec![2, 1]);
        let fields = fields.of_fields(Vector::of(&vectors[0]), Vector::of(&vectors[1]));
        assert_eq!(fields, [Some(0.0), Some(0.0)]);
    }

    #[test]
    fn nothing_is_said_of_a_field_that_one_lacks() {
        let vectors = vectors(&[[&[1], &[]], [&[1], &[2]]]);
        let fields = Ranking::new(vec![2, 1]);
        let fields = fields.of_fields(Vector::of(&vectors[0]), Vector::of(&vectors[1]));
        assert_eq!(fields, [Some(1.0), None]);
    }

    #[test]
    fn of_many_terms_the_heaviest_are_kept() {
        let common: Vec<u32> = (0..1100).collect();
        let mine: Vec<u32> = (0..1101).collect();
        let all: [[&[u32]; 2]; 3] = [[&mine, &[]], [&common, &[]], [&common, &[]]];
        let vectors = vectors(&all);
        let kept = Vector::of(&vectors[0]).terms;
        assert_eq!(kept.len(), Ranking::MOST_TERMS);
        assert!(kept.is_sorted());
        let heaviest = 1100u32.wrapping_mul(0x9E37_79B1);
        assert!(kept.iter().any(|term| term.term() == heaviest));
    }
}
