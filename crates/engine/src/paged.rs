//! Values of a spool, read a page at a time: neighbours cost next to nothing.

use bytemuck::Pod;
use lookalike_pair::spill::Spool;

use crate::Error;

/// Values in a page.
const PAGE: u64 = 1 << 10;

/// Values of a spool, read a page at a time: neighbours cost next to nothing.
pub(crate) struct Paged<'s, T> {
    spool: &'s Spool<T>,
    page: Option<u64>,
    values: Vec<T>,
}

impl<'s, T: Pod> Paged<'s, T> {
    pub(crate) fn new(spool: &'s Spool<T>) -> Self {
        Paged {
            spool,
            page: None,
            values: Vec::new(),
        }
    }

    /// The value at a place.
    pub(crate) fn at(&mut self, place: u32) -> Result<T, Error> {
        let (page, within) = (u64::from(place) / PAGE, u64::from(place) % PAGE);
        if self.page != Some(page) {
            let begin = page * PAGE;
            let count = PAGE.min(self.spool.len().saturating_sub(begin));
            self.values.resize(count as usize, T::zeroed());
            self.spool.read_at(&mut self.values, begin)?;
            self.page = Some(page);
        }
        let value = self.values.get(within as usize).copied();
        value.ok_or_else(|| Error::Internal(format!("there is no value {place}")))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_pair::spill::Folder;

    use super::*;

    #[test]
    fn every_value_is_found_and_none_beyond_the_last() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path(), 0));
        for memory in [0, 1 << 20] {
            let mut spool = Spool::new("numbers", &folder, memory);
            spool.append(&(0..2500).collect::<Vec<u32>>()).unwrap();
            let mut paged = Paged::new(&spool);
            for number in [0, 1023, 1024, 2499, 7] {
                assert_eq!(paged.at(number).unwrap(), number);
            }
            assert!(paged.at(2500).is_err());
        }
    }
}
