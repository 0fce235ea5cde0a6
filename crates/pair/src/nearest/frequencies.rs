//! In how many texts a term occurs.

use std::sync::atomic::{AtomicU32, Ordering};

use lookalike_sign::stats::idf;

/// A counter a term, which a few terms share: the room that they take follows from the number of texts and nothing else. Any
/// number of threads count at once.
#[derive(Debug)]
pub struct Frequencies {
    counts: Vec<AtomicU32>,
    shift: u32,
}

impl Frequencies {
    /// Counters a text: several times as many as there are different terms in any but the smallest corpora.
    const A_TEXT: usize = 4;

    /// Bytes of counters a text.
    pub const BYTES: u64 = (Self::A_TEXT * size_of::<AtomicU32>()) as u64 * 2;

    /// For so many texts.
    pub fn new(texts: usize) -> Self {
        let counters = (texts * Self::A_TEXT)
            .next_power_of_two()
            .clamp(1 << 16, 1 << 28);
        Frequencies {
            counts: (0..counters).map(|_| AtomicU32::new(0)).collect(),
            shift: u32::BITS - counters.trailing_zeros(),
        }
    }

    /// How many counters there are.
    pub fn places(&self) -> usize {
        self.counts.len()
    }

    /// Which of them counts a term.
    #[inline]
    pub fn place(&self, term: u32) -> usize {
        (term >> self.shift) as usize
    }

    /// Counts a term that another text has.
    #[inline]
    pub fn count(&self, term: u32) {
        self.counts[self.place(term)].fetch_add(1, Ordering::Relaxed);
    }

    /// How many texts have a term: never too few.
    #[inline]
    pub fn of(&self, term: u32) -> u32 {
        self.counts[self.place(term)].load(Ordering::Relaxed)
    }

    /// Begins again.
    pub fn reset(&mut self) {
        for count in &mut self.counts {
            *count.get_mut() = 0;
        }
    }
}

/// How rare each term is, once all are counted.
#[derive(Debug)]
pub struct Idf<'f> {
    pub(super) frequencies: &'f Frequencies,
    texts: u64,
    /// That of terms which few texts have.
    of_few: Vec<u32>,
}

impl<'f> Idf<'f> {
    const FEW: u32 = 1 << 12;

    /// Of so many texts.
    pub fn new(frequencies: &'f Frequencies, texts: u64) -> Self {
        // One more: a word that all texts have still weighs something, or two texts would have nothing in common.
        let texts = texts + 1;
        Idf {
            frequencies,
            texts,
            of_few: (0..Self::FEW).map(|count| idf(count, texts)).collect(),
        }
    }

    pub(super) fn of(&self, term: u32) -> u32 {
        let frequency = self.frequencies.of(term);
        match self.of_few.get(frequency as usize) {
            Some(&idf) => idf,
            None => idf(frequency, self.texts),
        }
    }
}
