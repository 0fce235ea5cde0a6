//! The S-curve of MinHash bands: which similarity is found with which probability.

use std::fmt;

use crate::Error;

/// `bands` keys, each of `rows` minima: a pair of similarity s shares a key with probability 1−(1−s^rows)^bands.
///
/// More bands find more (a looser sieve); more rows in a band find less (a stricter one).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Curve {
    /// How many keys a unit gets.
    pub bands: u32,
    /// How many minima make a key.
    pub rows: u32,
}

/// What a unit may cost at the most; beyond it an exact join is the better choice.
const MOST_HASHES: u32 = 4096;

/// What comparing a unit with all that are unrelated to it would cost, in keys: few texts are so, most not even a
/// quarter as similar as the threshold. With this weight the choice was the fastest, or next to it, for long and for
/// short texts, and no choice proposes many pairs needlessly.
const UNRELATED_PAIRS: f64 = 500.0;

impl Curve {
    /// The cheapest curve of at most `hashes` minima that finds a pair at `threshold` with probability `recall`.
    ///
    /// Fewer rows need fewer bands, so fewer keys; more rows propose fewer pairs that are not similar. The cost weighs
    /// the keys of a unit against the pairs proposed at a quarter of the threshold, where unrelated texts are.
    ///
    /// ```
    /// use lookalike_sign::keys::Curve;
    /// let curve = Curve::choose(0.8, 0.95, 128)?;
    /// assert_eq!((curve.bands, curve.rows), (8, 5));
    /// assert!(curve.recall(0.8) >= 0.95);
    /// # Ok::<(), lookalike_sign::Error>(())
    /// ```
    pub fn choose(threshold: f64, recall: f64, hashes: u32) -> Result<Self, Error> {
        check_share("threshold", threshold)?;
        if !(recall > 0.0 && recall < 1.0) {
            return Err(impossible(
                "recall",
                recall,
                format!(
                    "recall {recall} is not between 0 and 1 (both excluded); MinHash cannot promise 1"
                ),
            ));
        }
        if !(1..=MOST_HASHES).contains(&hashes) {
            return Err(impossible(
                "hashes",
                hashes,
                format!("{hashes} hashes are not between 1 and {MOST_HASHES}"),
            ));
        }
        (1..=hashes)
            .rev()
            .map(|rows| Curve {
                bands: bands_for(threshold, recall, rows),
                rows,
            })
            .filter(|curve| u64::from(curve.bands) * u64::from(curve.rows) <= u64::from(hashes))
            .min_by(|a, b| a.cost(threshold).total_cmp(&b.cost(threshold)))
            .ok_or_else(|| {
                let needed = bands_for(threshold, recall, 1);
                impossible("recall", recall, format!(
                    "recall {recall} at threshold {threshold} needs {needed} hashes, more than {hashes}; \
                     try `keys=minhash:{needed}`, a lower `recall=` or a higher `threshold=`"
                ))
            })
    }

    /// The curve of bands and rows given by the user.
    pub fn new(bands: u32, rows: u32) -> Result<Self, Error> {
        let hashes = u64::from(bands) * u64::from(rows);
        if !(1..=u64::from(MOST_HASHES)).contains(&hashes) {
            return Err(impossible(
                "bands",
                bands,
                format!(
                    "{bands} bands of {rows} rows make {hashes} hashes; at least 1 and at most {MOST_HASHES} are possible"
                ),
            ));
        }
        Ok(Curve { bands, rows })
    }

    /// What a unit costs, in keys.
    fn cost(self, threshold: f64) -> f64 {
        f64::from(self.bands) + UNRELATED_PAIRS * self.recall(threshold / 4.0)
    }

    /// How many minima a unit needs.
    pub fn hashes(self) -> u32 {
        self.bands * self.rows
    }

    /// The probability that a pair of this similarity shares a key.
    pub fn recall(self, similarity: f64) -> f64 {
        1.0 - (1.0 - similarity.powi(self.rows as i32)).powi(self.bands as i32)
    }

    /// The similarity found with this probability: where the curve crosses it.
    pub fn similarity_at(self, recall: f64) -> f64 {
        let in_a_band = 1.0 - (1.0 - recall).powf(1.0 / f64::from(self.bands));
        in_a_band.powf(1.0 / f64::from(self.rows))
    }
}

fn check_share(name: &'static str, value: f64) -> Result<(), Error> {
    if value > 0.0 && value <= 1.0 {
        return Ok(());
    }
    let problem = format!("{name} {value} is not above 0 and at most 1");
    Err(impossible(name, value, problem))
}

fn impossible(what: &'static str, value: impl fmt::Display + Copy, problem: String) -> Error {
    let value = value.to_string();
    Error::Curve {
        what,
        value,
        problem,
    }
}

fn bands_for(threshold: f64, recall: f64, rows: u32) -> u32 {
    let in_a_band = threshold.powi(rows as i32);
    if in_a_band >= 1.0 {
        return 1;
    }
    let bands = ((1.0 - recall).ln() / (-in_a_band).ln_1p()).ceil();
    // Saturates: a threshold near 0 needs more bands than any budget allows.
    bands.max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_reaches_the_recall_within_the_hashes() {
        for threshold in [0.3, 0.5, 0.65, 0.7, 0.8, 0.9, 0.95, 1.0] {
            for recall in [0.5, 0.9, 0.95, 0.99] {
                let curve = Curve::choose(threshold, recall, 128).unwrap();
                assert!(
                    curve.recall(threshold) >= recall,
                    "{threshold} {recall} {curve:?}"
                );
                assert!(curve.hashes() <= 128);
            }
        }
    }

    #[test]
    fn a_low_threshold_gets_more_rows_than_the_fewest_keys_would_have() {
        let low = Curve::choose(0.5, 0.95, 128).unwrap();
        assert_eq!((low.bands, low.rows), (23, 3));
        let high = Curve::choose(0.7, 0.95, 128).unwrap();
        assert_eq!((high.bands, high.rows), (11, 4));
    }

    #[test]
    fn impossible_wishes_name_the_remedy() {
        let message = Curve::choose(0.01, 0.95, 128).unwrap_err().to_string();
        assert!(message.contains("`keys=minhash:299`"), "{message}");
        assert!(Curve::choose(0.8, 1.0, 128).is_err());
        assert!(Curve::choose(0.0, 0.9, 128).is_err());
        assert!(Curve::choose(f64::NAN, 0.9, 128).is_err());
        assert!(Curve::new(0, 4).is_err());
        assert!(Curve::new(100_000, 100_000).is_err());
    }

    #[test]
    fn similarity_at_inverts_recall() {
        let curve = Curve { bands: 16, rows: 8 };
        for share in [0.1, 0.5, 0.9] {
            let back = curve.recall(curve.similarity_at(share));
            assert!((back - share).abs() < 1e-9);
        }
    }
}
