//! Large zeroed memory that is visited at random.
//!
//! In large pages where the system has them: with small pages finding the page can take longer than the visit.

use bytemuck::Pod;
use memmap2::MmapMut;

/// Numbers in large pages, all zero at first.
#[derive(Debug)]
pub struct Pages<T> {
    memory: Memory<T>,
    len: usize,
}

#[derive(Debug)]
enum Memory<T> {
    Mapped(MmapMut),
    /// Where nothing can be mapped.
    Held(Vec<T>),
}

impl<T: Pod> Pages<T> {
    /// So many zeros.
    pub fn zeroed(len: usize) -> Self {
        let bytes = len.max(1) * size_of::<T>();
        let memory = match MmapMut::map_anon(bytes) {
            Ok(mapped) => {
                #[cfg(target_os = "linux")]
                // Only a wish.
                let _ = mapped.advise(memmap2::Advice::HugePage);
                Memory::Mapped(mapped)
            }
            Err(_) => Memory::Held(vec![T::zeroed(); len]),
        };
        Pages { memory, len }
    }

    /// The numbers.
    #[inline]
    pub fn get(&self) -> &[T] {
        match &self.memory {
            // Mapped memory begins with a page, so it is aligned for every number.
            Memory::Mapped(mapped) => bytemuck::cast_slice(&mapped[..self.len * size_of::<T>()]),
            Memory::Held(held) => held,
        }
    }

    /// The numbers, to be changed.
    #[inline]
    pub fn get_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Mapped(mapped) => {
                bytemuck::cast_slice_mut(&mut mapped[..self.len * size_of::<T>()])
            }
            Memory::Held(held) => held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_hold_as_many_zeros_as_asked_for_and_what_is_put_into_them() {
        for len in [0, 1, 5, 100_000] {
            let mut pages: Pages<u64> = Pages::zeroed(len);
            assert_eq!(pages.get(), vec![0; len]);
            pages
                .get_mut()
                .iter_mut()
                .zip(1..)
                .for_each(|(place, n)| *place = n);
            assert_eq!(pages.get().last().copied(), (len > 0).then_some(len as u64));
        }
    }
}
