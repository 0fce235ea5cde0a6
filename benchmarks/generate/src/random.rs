//! SplitMix64: small, fixed for ever, and cheap to start anew for every record.

pub struct Random(u64);

impl Random {
    /// One independent stream for each (seed, record, purpose).
    pub fn for_record(seed: u64, record: u64, purpose: u64) -> Self {
        let mut random = Random(
            seed ^ record.wrapping_mul(0xd1b5_4a32_d192_ed03)
                ^ purpose.wrapping_mul(0xaef1_7502_108e_f2d9),
        );
        random.next();
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Uniform in [0, 1).
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
