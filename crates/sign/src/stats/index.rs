//! Where is this hash? A sorted list of hashes, found by their leading bits.
//!
//! The hashes are uniform, so that a bucket of equal leading bits holds one or two of them. Within a bucket the search
//! is binary: hashes that are not uniform cost time, never more than a binary search of all.

/// Distinct hashes, each with its place in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct HashIndex {
    hashes: Vec<u64>,
    /// The place of the first hash of each bucket, and the number of hashes at the end.
    begins: Vec<u32>,
    bucket_bits: u32,
}

impl HashIndex {
    /// An index of ascending distinct hashes, fewer than `u32::MAX`.
    pub(crate) fn of_sorted(hashes: Vec<u64>) -> Self {
        debug_assert!(hashes.windows(2).all(|pair| pair[0] < pair[1]));
        let bucket_bits = hashes.len().checked_ilog2().unwrap_or(0);
        let mut begins = Vec::with_capacity((1 << bucket_bits) + 1);
        for (place, &hash) in hashes.iter().enumerate() {
            let bucket = bucket(hash, bucket_bits);
            while begins.len() <= bucket {
                begins.push(place as u32);
            }
        }
        begins.resize((1 << bucket_bits) + 1, hashes.len() as u32);
        HashIndex {
            hashes,
            begins,
            bucket_bits,
        }
    }

    pub(crate) fn hashes(&self) -> &[u64] {
        &self.hashes
    }

    #[inline]
    pub(crate) fn place(&self, hash: u64) -> Option<usize> {
        let bucket = bucket(hash, self.bucket_bits);
        let begin = *self.begins.get(bucket)? as usize;
        let end = *self.begins.get(bucket + 1)? as usize;
        let within = self.hashes.get(begin..end)?.binary_search(&hash).ok()?;
        Some(begin + within)
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        8 * self.hashes.capacity() + 4 * self.begins.capacity()
    }
}

#[inline]
fn bucket(hash: u64, bits: u32) -> usize {
    hash.checked_shr(64 - bits).unwrap_or(0) as usize
}

#[cfg(test)]
mod tests {
    use lookalike_text::hash::mix64;

    use super::*;

    fn assert_finds_all(mut hashes: Vec<u64>) {
        hashes.sort_unstable();
        hashes.dedup();
        let index = HashIndex::of_sorted(hashes.clone());
        for (place, &hash) in hashes.iter().enumerate() {
            assert_eq!(index.place(hash), Some(place));
            for other in [hash.wrapping_add(1), hash.wrapping_sub(1)] {
                assert_eq!(index.place(other), hashes.binary_search(&other).ok());
            }
        }
    }

    #[test]
    fn every_hash_is_found_at_its_place_and_no_other() {
        for count in [1, 2, 3, 7, 8, 1000] {
            assert_finds_all((1..=count).map(mix64).collect());
        }
    }

    #[test]
    fn hashes_that_are_not_uniform_are_found_too() {
        assert_finds_all((0..100).collect());
        assert_finds_all((0..100).map(|low| u64::MAX - low).collect());
        assert_finds_all(vec![0, 1, u64::MAX]);
    }

    #[test]
    fn an_empty_index_has_nothing() {
        assert_eq!(HashIndex::of_sorted(Vec::new()).place(0), None);
        assert_eq!(HashIndex::default().place(7), None);
    }
}
