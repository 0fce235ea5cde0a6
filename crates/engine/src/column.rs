//! Columns: what is kept of every unit, or of every record, by its number.
//!
//! In: what each block of the corpus adds, in input order. Out: the values of all, in memory or on disk. The columns of a
//! run are registered in one place, by [`columns!`]: each with its share of the memory and when it is kept. All else is
//! the same for all of them and follows from the kind of column: adding a block, saving it, taking it up again, and
//! leaving out what `--limit` cuts off.

use bytemuck::Pod;
use lookalike_pair::join::{Posting, RecordPosting};
use lookalike_pair::spill::{Item, Shuffle, Spill, Spool};
use lookalike_text::{RecordId, UnitId};

use crate::Error;
use crate::number::Number;

/// What is kept of every unit, or of every record, by its number.
pub(crate) trait Column<I> {
    /// What a block of the corpus adds.
    type Block: OfBlock;

    /// Adds a block whose first unit or record has this number.
    fn append(&mut self, block: &Self::Block, first: I) -> Result<(), Error>;

    /// What it consists of.
    fn spilled(&mut self) -> Vec<&mut dyn Spill>;

    /// Removes all that is kept.
    fn forget(&mut self) {
        self.spilled().into_iter().for_each(Spill::clear);
    }
}

/// What a block of the corpus adds to a column.
pub(crate) trait OfBlock {
    /// Makes room for another unit or record, of which nothing is known yet.
    fn open(&mut self);

    /// Leaves out all but the first so many units or records.
    fn cut(&mut self, count: u32);
}

/// One value a unit or record.
impl<I, T: Pod> Column<I> for Spool<T> {
    type Block = Values<T>;

    fn append(&mut self, block: &Values<T>, _: I) -> Result<(), Error> {
        Ok(Spool::append(self, &block.values)?)
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        vec![self]
    }
}

/// One value each for the units or records of a block.
#[derive(Debug)]
pub(crate) struct Values<T> {
    is_kept: bool,
    pub(crate) values: Vec<T>,
}

impl<T> Values<T> {
    /// None yet; none at all, unless they are kept.
    pub(crate) fn kept_if(is_kept: bool) -> Self {
        Values {
            is_kept,
            values: Vec::new(),
        }
    }

    /// The value of the last one.
    pub(crate) fn set(&mut self, value: T) {
        if let Some(last) = self.values.last_mut() {
            *last = value;
        }
    }
}

impl<T: Pod> OfBlock for Values<T> {
    fn open(&mut self) {
        if self.is_kept {
            self.values.push(T::zeroed());
        }
    }

    fn cut(&mut self, count: u32) {
        self.values.truncate(count as usize);
    }
}

/// Any number of values a unit or record, one after the other.
#[derive(Debug)]
pub(crate) struct ListColumn<T> {
    /// Perhaps none, though they are counted.
    pub(crate) items: Spool<T>,
    /// How many each has.
    pub(crate) sizes: Spool<u32>,
}

impl<I, T: Pod> Column<I> for ListColumn<T> {
    type Block = Lists<T>;

    fn append(&mut self, block: &Lists<T>, _: I) -> Result<(), Error> {
        self.items.append(&block.items)?;
        Ok(self.sizes.append(&block.sizes)?)
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        vec![&mut self.items, &mut self.sizes]
    }
}

/// Any number of values each for the units or records of a block.
#[derive(Debug)]
pub(crate) struct Lists<T> {
    is_kept: bool,
    pub(crate) items: Vec<T>,
    pub(crate) sizes: Vec<u32>,
}

impl<T> Lists<T> {
    /// None yet; none at all, unless they are kept.
    pub(crate) fn kept_if(is_kept: bool) -> Self {
        Lists {
            is_kept,
            items: Vec::new(),
            sizes: Vec::new(),
        }
    }

    /// Lets the last list be added to.
    pub(crate) fn fill<R>(&mut self, fill: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let before = self.items.len();
        let filled = fill(&mut self.items);
        self.count(self.items.len() - before);
        filled
    }

    /// So many more values of the last list, which are not kept themselves.
    pub(crate) fn count(&mut self, more: usize) {
        if let Some(last) = self.sizes.last_mut() {
            *last += more as u32;
        }
    }

    /// The last list.
    pub(crate) fn last(&self) -> &[T] {
        let size = self.sizes.last().map_or(0, |&size| size as usize);
        &self.items[self.items.len().saturating_sub(size)..]
    }

    /// All of them in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[T]> {
        let mut rest = self.items.as_slice();
        self.sizes.iter().map(move |&size| {
            let (list, after) = rest.split_at(size as usize);
            rest = after;
            list
        })
    }
}

impl<T> OfBlock for Lists<T> {
    fn open(&mut self) {
        if self.is_kept {
            self.sizes.push(0);
        }
    }

    fn cut(&mut self, count: u32) {
        self.sizes.truncate(count as usize);
        let items = self.sizes.iter().map(|&size| size as usize).sum();
        self.items.truncate(items);
    }
}

/// What is kept of some units or records, with the number of each.
pub(crate) trait Numbered: Copy {
    /// Units, or records.
    type Of: Number;

    /// The number.
    fn number(self) -> Self::Of;

    /// The same under another number.
    fn renumbered(self, number: Self::Of) -> Self;

    /// What has this number in a block, numbered in the whole corpus.
    fn in_corpus(self, first: Self::Of) -> Self {
        self.renumbered(first.plus(self.number().get()))
    }
}

impl Numbered for UnitId {
    type Of = UnitId;

    fn number(self) -> UnitId {
        self
    }

    fn renumbered(self, number: UnitId) -> Self {
        number
    }
}

impl Numbered for Posting {
    type Of = UnitId;

    fn number(self) -> UnitId {
        self.unit()
    }

    fn renumbered(self, unit: UnitId) -> Self {
        Posting::new(self.key(), unit)
    }
}

impl Numbered for RecordPosting {
    type Of = RecordId;

    fn number(self) -> RecordId {
        self.record()
    }

    fn renumbered(self, record: RecordId) -> Self {
        RecordPosting::new(self.key(), record)
    }
}

impl<T: Numbered> OfBlock for Vec<T> {
    fn open(&mut self) {}

    fn cut(&mut self, count: u32) {
        self.retain(|item| item.number().get() < count);
    }
}

/// Any number of items a unit or record, sorted.
impl<T: Item + Numbered> Column<T::Of> for Shuffle<T> {
    type Block = Vec<T>;

    fn append(&mut self, block: &Vec<T>, first: T::Of) -> Result<(), Error> {
        Ok(self.extend(block.iter().map(|item| item.in_corpus(first)))?)
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        vec![self]
    }
}

/// Some of the units.
#[derive(Debug)]
pub(crate) struct Marked(pub(crate) Spool<UnitId>);

impl Column<UnitId> for Marked {
    type Block = Vec<UnitId>;

    fn append(&mut self, block: &Vec<UnitId>, first: UnitId) -> Result<(), Error> {
        let units: Vec<UnitId> = block.iter().map(|unit| unit.in_corpus(first)).collect();
        Ok(self.0.append(&units)?)
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        vec![&mut self.0]
    }
}

/// Several columns of one kind, or what a block adds to them.
pub(crate) struct Several<C>(pub(crate) Vec<C>);

impl<I: Number, C: Column<I>> Column<I> for Several<C> {
    type Block = Several<C::Block>;

    fn append(&mut self, block: &Several<C::Block>, first: I) -> Result<(), Error> {
        let mut columns = self.0.iter_mut().zip(&block.0);
        columns.try_for_each(|(column, block)| column.append(block, first))
    }

    fn spilled(&mut self) -> Vec<&mut dyn Spill> {
        self.0.iter_mut().flat_map(C::spilled).collect()
    }
}

impl<B: OfBlock> OfBlock for Several<B> {
    fn open(&mut self) {
        self.0.iter_mut().for_each(B::open);
    }

    fn cut(&mut self, count: u32) {
        self.0.iter_mut().for_each(|block| block.cut(count));
    }
}

/// Registers columns, each as its name and kind, how it is made, and what a block has of it before anything is read. The
/// expressions see the context under the name given.
macro_rules! columns {
    (
        $(#[$doc:meta])*
        $columns:ident, $block:ident, $context:ident;
        $(of $of:ident by $id:ident, $open:ident {
            $($(#[$about:meta])* $name:ident: $column:ty = $new:expr, $empty:expr;)*
        })*
    ) => {
        $(#[$doc])*
        pub(crate) struct $columns {
            $($($(#[$about])* pub(crate) $name: $column,)*)*
        }

        #[doc = concat!("What a block adds to [`", stringify!($columns), "`]; numbers count from its first unit or record.")]
        pub(crate) struct $block {
            $($(pub(crate) $name: <$column as Column<$id>>::Block,)*)*
        }

        impl $columns {
            pub(crate) fn new($context: &Context<'_>) -> Self {
                $columns { $($($name: $new,)*)* }
            }

            /// Adds a block, before which there were so many records and units.
            pub(crate) fn append(&mut self, block: &$block, before: Tally) -> Result<(), Error> {
                $($(Column::append(&mut self.$name, &block.$name, $id::from(before.$of))?;)*)*
                Ok(())
            }

            /// What they consist of.
            pub(crate) fn spilled(&mut self) -> impl Iterator<Item = &mut dyn Spill> {
                std::iter::empty()$($(.chain(Column::<$id>::spilled(&mut self.$name)))*)*
            }
        }

        impl $block {
            pub(crate) fn new($context: &Context<'_>) -> Self {
                $block { $($($name: $empty,)*)* }
            }

            $(
                /// Makes room for another of which nothing is known yet.
                pub(crate) fn $open(&mut self) {
                    $(OfBlock::open(&mut self.$name);)*
                }
            )*

            /// Leaves out all but the first so many.
            pub(crate) fn cut(&mut self, count: Tally) {
                $($(OfBlock::cut(&mut self.$name, count.$of);)*)*
            }
        }
    };
}
pub(crate) use columns;

#[cfg(test)]
mod tests {
    use super::*;

    /// Unit n has the values below n, and the key n if it is even.
    fn block(units: u32) -> (Lists<u32>, Values<u32>, Vec<Posting>) {
        let (mut lists, mut values) = (Lists::kept_if(true), Values::kept_if(true));
        let mut postings = Vec::new();
        for unit in 0..units {
            lists.open();
            lists.fill(|list| list.extend(0..unit));
            values.open();
            values.set(unit);
            if unit % 2 == 0 {
                postings.push(Posting::new(unit.into(), unit.into()));
            }
        }
        (lists, values, postings)
    }

    #[test]
    fn a_block_that_is_cut_is_the_block_of_the_first_units() {
        for count in 0..9 {
            let (mut lists, mut values, mut postings) = block(9);
            lists.cut(count);
            values.cut(count);
            postings.cut(count);
            let expected = block(count);
            assert!(lists.iter().eq(expected.0.iter()));
            assert_eq!(lists.items, expected.0.items);
            assert_eq!((values.values, postings), (expected.1.values, expected.2));
        }
    }

    #[test]
    fn what_is_not_kept_takes_no_room() {
        let (mut lists, mut values) = (Lists::<u32>::kept_if(false), Values::kept_if(false));
        lists.open();
        lists.count(3);
        values.open();
        values.set(3);
        assert!(lists.last().is_empty() && lists.sizes.is_empty() && values.values.is_empty());
    }
}
