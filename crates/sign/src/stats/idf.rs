//! Normalised inverse document frequency, log(N / df) / log(N): 1 for a word of one document, 0 for a word of all.
//!
//! Everything is in units of 2⁻¹⁶, from logarithms that `libm` computes in software: the C libraries of different
//! machines differ in the last bit.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The idf of a word that occurs in one document.
pub const IDF_ONE: u32 = 1 << 16;

/// The weight of a word that the lexicon does not know: above all that it knows and outside of every [`IdfRange`].
pub const UNKNOWN_IDF: u32 = IDF_ONE + 1;

/// The idf of a word of `document_frequency` out of `documents`.
#[must_use]
pub fn idf(document_frequency: u32, documents: u64) -> u32 {
    if u64::from(document_frequency) >= documents {
        return 0;
    }
    let share = libm::log(f64::from(document_frequency.max(1))) / libm::log(documents as f64);
    libm::round((1.0 - share) * f64::from(IDF_ONE)) as u32
}

/// An idf multiplied by 1 + ln(tf), where tf ≥ 1 is how often the word occurs in the unit. At most `u32::MAX`.
#[must_use]
pub fn tf_idf(idf: u32, term_frequency: u32) -> u32 {
    if term_frequency <= 1 {
        return idf;
    }
    let factor = 1.0 + libm::log(f64::from(term_frequency));
    libm::round(f64::from(idf) * factor) as u32
}

/// The words that are neither too common nor too rare; written `[0.2, 0.8]`, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "[f64; 2]", into = "[f64; 2]")]
pub struct IdfRange {
    min: f64,
    max: f64,
}

impl IdfRange {
    /// The range from `min` to `max`, or what is wrong with it.
    pub fn new(min: f64, max: f64) -> Result<Self, String> {
        if 0.0 <= min && min <= max && max <= 1.0 {
            return Ok(IdfRange { min, max });
        }
        Err(format!(
            "the idf range [{min}, {max}] is not two numbers from 0 to 1 in ascending order; try [0.2, 0.8]"
        ))
    }

    /// The lower end.
    #[must_use]
    pub fn min(self) -> f64 {
        self.min
    }

    /// The upper end.
    #[must_use]
    pub fn max(self) -> f64 {
        self.max
    }

    /// Whether an idf in units of 2⁻¹⁶ is in the range.
    #[must_use]
    pub fn contains(self, idf: u32) -> bool {
        let idf = f64::from(idf) / f64::from(IDF_ONE);
        self.min <= idf && idf <= self.max
    }
}

impl TryFrom<[f64; 2]> for IdfRange {
    type Error = String;

    fn try_from([min, max]: [f64; 2]) -> Result<Self, String> {
        IdfRange::new(min, max)
    }
}

impl From<IdfRange> for [f64; 2] {
    fn from(range: IdfRange) -> Self {
        [range.min, range.max]
    }
}

impl fmt::Display for IdfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.min, self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_one_document_has_idf_one_and_a_word_of_all_zero() {
        for documents in [2, 3, 10, 1000, u64::from(u32::MAX) + 9] {
            assert_eq!(idf(1, documents), IDF_ONE);
        }
        assert_eq!(idf(1000, 1000), 0);
        assert_eq!(idf(1, 1), 0);
        assert_eq!(idf(10, 100), IDF_ONE / 2);
        assert_eq!(idf(10, 1000), 43691);
    }

    #[test]
    fn rarer_words_never_have_a_lower_idf() {
        let all: Vec<u32> = (1..=500).map(|frequency| idf(frequency, 500)).collect();
        assert!(all.is_sorted_by(|rarer, commoner| rarer >= commoner));
    }

    #[test]
    fn repeats_raise_the_weight_by_the_logarithm_and_never_overflow() {
        assert_eq!(tf_idf(IDF_ONE, 1), IDF_ONE);
        assert_eq!(tf_idf(IDF_ONE, 2), 110_962);
        assert_eq!(tf_idf(0, 1000), 0);
        assert_eq!(tf_idf(u32::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn a_range_includes_its_ends_and_never_unknown_words() {
        let range = IdfRange::new(0.5, 1.0).unwrap();
        assert!(range.contains(IDF_ONE / 2) && range.contains(IDF_ONE));
        assert!(!range.contains(IDF_ONE / 2 - 1) && !range.contains(UNKNOWN_IDF));
    }

    #[test]
    fn an_impossible_range_is_refused_with_the_remedy() {
        for [min, max] in [[0.8, 0.2], [-0.1, 0.5], [0.5, 1.5], [f64::NAN, 1.0]] {
            let message = IdfRange::new(min, max).unwrap_err();
            assert!(message.contains("try [0.2, 0.8]"), "{message}");
        }
    }
}
