//! A shuffle: items go in in any order from any thread, and come out by partition, each partition sorted.
//!
//! Items wait in memory; beyond the limit all of them are written as one *run*, a file with a sorted segment a
//! partition. A partition is read back by merging its segments of every run and what is still in memory, so it needs
//! no more memory however large it is. What a checkpoint writes stays in memory, too, as long as there is room. Since it comes out sorted by the items' total order, neither the order of arrival
//! nor the moments of spilling can be seen.

use std::io::{self, Write};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytemuck::Pod;

use super::folder::{Error, Folder, Opened};
use super::sorted::{READ_ITEMS, Run, Sorted};
use super::{SavedFile, SavedFiles, Spill};

/// What a shuffle carries: plain bytes with a total order.
pub trait Item: Pod + Ord + Send + Sync {
    /// Equal items are merged into one.
    const MERGE_EQUAL: bool = false;

    /// What decides on the partition. Items of one group must have one place; ascending places make ascending
    /// partitions.
    fn place(&self) -> u32;
}

/// Room for so many items is reserved at once.
const LEAST_RESERVED: usize = 64;

/// How places are spread over partitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partitions {
    count: usize,
    places: Places,
}

/// Which places there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Places {
    /// All of 32 bits.
    Hashes,
    /// Those below a number.
    Below(u64),
}

impl Partitions {
    /// `count` partitions of places that use all 32 bits evenly (hashes).
    pub fn of_hashes(count: usize) -> Self {
        Partitions {
            count: count.max(1),
            places: Places::Hashes,
        }
    }

    /// `count` partitions of places from 0 to `units` (dense numbers).
    pub fn of_units(count: usize, units: usize) -> Self {
        Partitions {
            count: count.max(1),
            places: Places::Below((units as u64).max(1)),
        }
    }

    fn of(self, place: u32) -> usize {
        let scaled = u64::from(place) * self.count as u64;
        let partition = match self.places {
            // Postings are many: a shift, not a division.
            Places::Hashes => scaled >> 32,
            Places::Below(end) => scaled / end,
        };
        (partition as usize).min(self.count - 1)
    }
}

/// Items go in in any order from any thread, and come out by partition, each partition sorted.
#[derive(Debug)]
pub struct Shuffle<T> {
    kind: &'static str,
    folder: Arc<Folder>,
    partitions: Partitions,
    memory: usize,
    inner: RwLock<Inner<T>>,
}

#[derive(Debug)]
struct Inner<T> {
    held: Vec<Vec<T>>,
    held_bytes: usize,
    runs: Vec<Arc<Run>>,
    /// What the last so many runs have, still in memory.
    kept: Vec<Vec<T>>,
    kept_bytes: usize,
    kept_runs: usize,
}

impl<T> Inner<T> {
    /// The runs of which nothing is in memory.
    fn on_disk(&self) -> &[Arc<Run>] {
        &self.runs[..self.runs.len() - self.kept_runs]
    }

    /// Keeps what is held, of which a run was just written.
    fn keep(&mut self) {
        for (kept, held) in self.kept.iter_mut().zip(&mut self.held) {
            if kept.is_empty() {
                *kept = std::mem::take(held);
            } else {
                // No more room than is counted.
                kept.reserve_exact(held.len());
                kept.append(held);
                *held = Vec::new();
            }
        }
        self.kept_bytes += std::mem::take(&mut self.held_bytes);
        self.kept_runs += 1;
    }

    /// Gives up what is kept: it is on disk, too.
    fn let_go(&mut self) {
        self.kept.iter_mut().for_each(|kept| *kept = Vec::new());
        (self.kept_bytes, self.kept_runs) = (0, 0);
    }

    fn add(&mut self, file: Opened, counts: Vec<u64>) {
        let saved = SavedFile {
            hash: file.hash(),
            name: file.name,
            counts,
        };
        self.runs.push(Arc::new(Run::new(saved)));
    }
}

/// So many small runs of about one size are merged into one.
const RUNS_MERGED: usize = 8;

impl<T: Item> Shuffle<T> {
    /// An empty shuffle that holds up to `memory` bytes and spills into `folder`.
    pub fn new(
        kind: &'static str,
        folder: &Arc<Folder>,
        partitions: Partitions,
        memory: usize,
    ) -> Self {
        Shuffle {
            kind,
            folder: Arc::clone(folder),
            partitions,
            memory,
            inner: RwLock::new(Inner {
                held: (0..partitions.count).map(|_| Vec::new()).collect(),
                held_bytes: 0,
                runs: Vec::new(),
                kept: (0..partitions.count).map(|_| Vec::new()).collect(),
                kept_bytes: 0,
                kept_runs: 0,
            }),
        }
    }

    /// Adds items.
    pub fn extend(&self, items: impl IntoIterator<Item = T>) -> Result<(), Error> {
        let mut inner = self.write();
        for item in items {
            let held = &mut inner.held[self.partitions.of(item.place())];
            let before = held.capacity();
            if held.len() == before {
                // By a quarter: what is reserved counts, and twice as much would be spilled twice as soon.
                held.reserve_exact((before / 4).max(LEAST_RESERVED));
            }
            held.push(item);
            let grown = held.capacity() - before;
            inner.held_bytes += grown * size_of::<T>();
            if grown > 0 {
                self.fit(&mut inner)?;
            }
        }
        Ok(())
    }

    /// Holds no more than it may.
    fn fit(&self, inner: &mut Inner<T>) -> Result<(), Error> {
        if inner.held_bytes + inner.kept_bytes > self.memory {
            inner.let_go();
        }
        if inner.held_bytes > self.memory {
            self.spill(inner)?;
        }
        Ok(())
    }

    /// How many partitions there are.
    pub fn partitions(&self) -> usize {
        self.partitions.count
    }

    /// How many items are in a partition, equal ones perhaps counted more than once.
    pub fn len(&self, partition: usize) -> u64 {
        let inner = self.read();
        let on_disk: u64 = inner
            .runs
            .iter()
            .map(|run| run.saved.counts[partition])
            .sum();
        on_disk + inner.held[partition].len() as u64
    }

    /// How many items there are in all, equal ones perhaps counted more than once.
    pub fn total(&self) -> u64 {
        (0..self.partitions.count)
            .map(|partition| self.len(partition))
            .sum()
    }

    /// Replaces `out` by the items of a partition that `want` accepts, unsorted, equal ones not merged.
    pub fn load(
        &self,
        partition: usize,
        mut want: impl FnMut(&T) -> bool,
        out: &mut Vec<T>,
    ) -> Result<(), Error> {
        out.clear();
        self.visit(partition, |items| {
            out.extend(items.iter().filter(|item| want(item)));
        })
    }

    /// Tells the items of a partition some at a time, unsorted, equal ones not merged.
    pub fn visit(&self, partition: usize, mut each: impl FnMut(&[T])) -> Result<(), Error> {
        let inner = self.read();
        each(&inner.held[partition]);
        each(&inner.kept[partition]);
        let mut buffer: Vec<T> = Vec::new();
        for run in inner.on_disk() {
            if run.saved.counts[partition] == 0 {
                continue;
            }
            let file = self.folder.read(&run.saved.name)?;
            let (mut at, mut left) = (run.begins[partition], run.saved.counts[partition] as usize);
            while left > 0 {
                buffer.resize(left.min(READ_ITEMS), T::zeroed());
                let offset = at * size_of::<T>() as u64;
                file.read_at(bytemuck::cast_slice_mut(&mut buffer), offset)?;
                each(&buffer);
                at += buffer.len() as u64;
                left -= buffer.len();
            }
        }
        Ok(())
    }

    /// The items of a partition in order, equal ones merged where the type says so.
    pub fn sorted(&self, partition: usize) -> Sorted<T> {
        let inner = self.read();
        let mut held = [inner.held[partition].as_slice(), &inner.kept[partition]].concat();
        sort(&mut held);
        Sorted::new(held, inner.on_disk(), &self.folder, partition)
    }

    /// Passes on every item of all partitions in order.
    pub fn for_each<E: From<Error>>(
        &self,
        mut each: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        for partition in 0..self.partitions.count {
            let mut sorted = self.sorted(partition);
            while let Some(item) = sorted.next()? {
                each(item)?;
            }
        }
        Ok(())
    }

    /// Removes all items and the files.
    pub fn clear(&self) {
        let mut inner = self.write();
        for run in inner.runs.drain(..) {
            self.folder.remove(&run.saved.name);
        }
        inner.held.iter_mut().for_each(|held| *held = Vec::new());
        inner.held_bytes = 0;
        inner.let_go();
    }

    /// Writes what is held, of which nothing stays in memory.
    fn spill(&self, inner: &mut Inner<T>) -> Result<(), Error> {
        self.write_run(inner)?;
        inner.held.iter_mut().for_each(|held| *held = Vec::new());
        inner.held_bytes = 0;
        Ok(())
    }

    /// Writes what is held as a run, if that is anything.
    fn write_run(&self, inner: &mut Inner<T>) -> Result<bool, Error> {
        if inner.held_bytes == 0 {
            return Ok(false);
        }
        let mut counts = Vec::with_capacity(inner.held.len());
        let file = self.folder.write(self.kind, |out| -> io::Result<()> {
            for held in &mut inner.held {
                sort(held);
                counts.push(held.len() as u64);
                out.write_all(bytemuck::cast_slice(held))?;
            }
            Ok(())
        })?;
        inner.add(file, counts);
        Ok(true)
    }

    /// Merges runs that checkpoints wrote before the memory was full, as often as there are many of one size: reading a
    /// partition opens all of its runs, and a checkpoint lists them.
    fn merge_small(&self, inner: &mut Inner<T>) -> Result<(), Error> {
        let class = |run: &Run| {
            let bytes = run.bytes::<T>();
            (bytes < self.memory / RUNS_MERGED).then(|| bytes.max(1).ilog(RUNS_MERGED))
        };
        loop {
            let last = inner.runs.last().and_then(|run| class(run));
            let alike = |run: &Arc<Run>| last.is_some() && class(run) == last;
            if inner.runs.iter().filter(|run| alike(run)).count() < RUNS_MERGED {
                return Ok(());
            }
            inner.let_go();
            let (small, runs) = inner.runs.drain(..).partition::<Vec<_>, _>(alike);
            inner.runs = runs;
            let mut counts = Vec::with_capacity(self.partitions.count);
            let file = self.folder.write(self.kind, |out| -> io::Result<()> {
                for partition in 0..self.partitions.count {
                    let mut merged = Sorted::<T>::new(Vec::new(), &small, &self.folder, partition);
                    let mut count = 0;
                    while let Some(item) = merged.next().map_err(io::Error::other)? {
                        out.write_all(bytemuck::bytes_of(&item))?;
                        count += 1;
                    }
                    counts.push(count);
                }
                Ok(())
            })?;
            inner.add(file, counts);
            small
                .iter()
                .for_each(|run| self.folder.remove(&run.saved.name));
        }
    }

    // A panic elsewhere ends the run; what is held is still consistent.
    fn read(&self) -> RwLockReadGuard<'_, Inner<T>> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inner<T>> {
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Item> Spill for Shuffle<T> {
    fn save(&mut self) -> Result<SavedFiles, Error> {
        let mut inner = self.write();
        if self.write_run(&mut inner)? {
            inner.keep();
        }
        self.merge_small(&mut inner)?;
        let runs = inner.runs.iter().map(|run| run.saved.clone());
        Ok(SavedFiles(runs.collect()))
    }

    /// Under the same partitions.
    fn restore(&mut self, saved: SavedFiles) -> Result<(), Error> {
        let mut inner = self.write();
        for file in saved.0 {
            file.open::<T>(&self.folder)?;
            inner.runs.push(Arc::new(Run::new(file)));
        }
        Ok(())
    }

    fn shrink(&mut self, share: f64) -> Result<(), Error> {
        self.memory = (self.memory as f64 * share) as usize;
        self.fit(&mut self.write())
    }

    fn clear(&mut self) {
        Shuffle::clear(self);
    }
}

fn sort<T: Item>(items: &mut Vec<T>) {
    items.sort_unstable();
    if T::MERGE_EQUAL {
        items.dedup();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, bytemuck::Pod, bytemuck::Zeroable,
    )]
    #[repr(C)]
    struct Number(u32);

    impl Item for Number {
        const MERGE_EQUAL: bool = true;
        fn place(&self) -> u32 {
            self.0
        }
    }

    fn all(shuffle: &Shuffle<Number>) -> Vec<u32> {
        let mut out = Vec::new();
        let collect = |number: Number| {
            out.push(number.0);
            Ok::<_, Error>(())
        };
        shuffle.for_each(collect).unwrap();
        out
    }

    proptest! {
        #[test]
        fn what_comes_out_is_the_sorted_set_whatever_the_memory_and_partitions(
            numbers in prop::collection::vec(0u32..500, 0..400),
            memory in 0usize..2000,
            count in 1usize..9,
            saves in any::<bool>(),
        ) {
            let place = tempfile::tempdir().unwrap();
            let folder = Arc::new(Folder::new(place.path().join("work"), 0));
            let partitions = Partitions::of_units(count, 500);
            let mut shuffle = Shuffle::new("numbers", &folder, partitions, memory);
            for part in numbers.chunks(37) {
                shuffle.extend(part.iter().map(|&n| Number(n))).unwrap();
                if saves {
                    shuffle.save().unwrap();
                }
            }
            shuffle.shrink(0.5).unwrap();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(all(&shuffle), expected.clone());

            let saved = shuffle.save().unwrap();
            drop(shuffle);
            let mut restored = Shuffle::new("numbers", &folder, partitions, memory);
            restored.restore(saved).unwrap();
            prop_assert_eq!(all(&restored), expected);
        }
    }

    /// Names and sizes of what is in a folder.
    fn files(folder: &Folder) -> usize {
        std::fs::read_dir(folder.path()).unwrap().count()
    }

    #[test]
    fn many_checkpoints_leave_few_files_and_all_items() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let partitions = Partitions::of_units(3, 600);
        let mut shuffle = Shuffle::new("numbers", &folder, partitions, 1 << 20);
        for number in 0..600 {
            shuffle.extend([Number(number)]).unwrap();
            let saved = shuffle.save().unwrap();
            folder.keep_listed(saved.names().map(str::to_string).collect());
        }
        assert!(files(&folder) <= 7 * 4, "{}", files(&folder));
        assert_eq!(all(&shuffle), (0..600).collect::<Vec<_>>());
    }

    #[test]
    fn a_byte_that_changed_on_disk_is_found() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let empty = || Shuffle::new("numbers", &folder, Partitions::of_units(3, 100), 1 << 20);
        let mut shuffle = empty();
        shuffle.extend((0..100).map(Number)).unwrap();
        let saved = shuffle.save().unwrap();
        let path = folder.path().join(saved.names().next().unwrap());
        let whole = std::fs::read(&path).unwrap();
        for at in [0, 200, 399] {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            std::fs::write(&path, &bytes).unwrap();
            let error = empty().restore(saved.clone()).unwrap_err();
            assert!(error.is_of_checkpoint(), "{error}");
        }
        std::fs::write(&path, &whole[..399]).unwrap();
        assert!(
            empty()
                .restore(saved.clone())
                .unwrap_err()
                .is_of_checkpoint()
        );
        std::fs::write(&path, &whole).unwrap();
        empty().restore(saved).unwrap();
    }

    #[test]
    fn nothing_is_written_while_it_fits_and_all_of_it_once_it_does_not() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let mut shuffle = Shuffle::new("numbers", &folder, Partitions::of_hashes(4), 1 << 20);
        let all = 2 * READ_ITEMS as u32;
        shuffle.extend((0..all).map(Number)).unwrap();
        assert!(!folder.path().exists());
        shuffle.shrink(1e-3).unwrap();
        assert_eq!(files(&folder), 1);
        let mut seen = 0;
        let see = |some: &[Number]| {
            // However many there are, only a few are read at a time.
            assert!(some.len() <= READ_ITEMS);
            seen += some.len() as u32;
        };
        shuffle.visit(0, see).unwrap();
        assert_eq!(seen, all);
    }

    #[test]
    fn what_is_saved_stays_in_memory_as_long_as_there_is_room() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path().join("work"), 0));
        let mut shuffle = Shuffle::new("numbers", &folder, Partitions::of_hashes(2), 4000);
        shuffle.extend((0..400).map(Number)).unwrap();
        shuffle.save().unwrap();
        shuffle.extend((400..500).map(Number)).unwrap();
        shuffle.save().unwrap();
        assert_eq!(shuffle.total(), 500);
        let in_memory = |shuffle: &Shuffle<Number>| shuffle.read().on_disk().is_empty();
        assert!(in_memory(&shuffle));
        assert_eq!(all(&shuffle), (0..500).collect::<Vec<_>>());
        shuffle.extend((500..1000).map(Number)).unwrap();
        assert!(!in_memory(&shuffle));
        assert_eq!(shuffle.total(), 1000);
        assert_eq!(all(&shuffle), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn an_unwritable_folder_is_named_with_the_remedy() {
        let place = tempfile::tempdir().unwrap();
        let blocked = place.path().join("file");
        std::fs::write(&blocked, "in the way").unwrap();
        let folder = Arc::new(Folder::new(blocked.join("work"), 0));
        let shuffle = Shuffle::new("numbers", &folder, Partitions::of_hashes(4), 16);
        let error = shuffle
            .extend((0..100).map(Number))
            .unwrap_err()
            .to_string();
        assert!(error.contains("cannot write"), "{error}");
    }
}
