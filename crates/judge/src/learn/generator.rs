use lookalike_text::Seed;
use lookalike_text::hash::mix64;

/// SplitMix64: the same numbers for the same seed everywhere.
#[derive(Debug)]
pub(crate) struct Generator {
    state: u64,
}

impl Generator {
    pub(crate) fn new(seed: Seed) -> Self {
        Generator { state: seed.0 }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix64(self.state)
    }

    /// Below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }
}

#[cfg(test)]
impl Generator {
    /// From 0 to below 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Rows of random similarities, each labelled as a near-duplicate with the probability that `truth` gives.
#[cfg(test)]
pub(crate) fn drawn<const N: usize>(
    count: usize,
    seed: u64,
    truth: impl Fn([f64; N]) -> f64,
) -> Vec<super::Example> {
    let mut random = Generator::new(Seed(seed));
    let row = |_| {
        let values: [f64; N] = std::array::from_fn(|_| random.unit());
        super::Example::new(&values, random.unit() < truth(values))
    };
    (0..count).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut generator = Generator::new(Seed(0));
        assert_eq!(generator.next(), 0xE220_A839_7B1D_CDAF);
        assert_eq!(generator.next(), 0x6E78_9E6A_A1B9_65F4);
    }

    #[test]
    fn every_number_below_the_limit_comes_about_equally_often() {
        let mut generator = Generator::new(Seed(5));
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[generator.below(7)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
    }
}
