//! Which record a unit is part of.

use std::ops::Range;

use lookalike_pair::spill::Spool;

use crate::Error;
use crate::bits::{Bits, Numbered};

/// See the [module](self).
#[derive(Debug)]
pub(crate) enum Records {
    /// Every record is a unit.
    Whole,
    /// Records are split into any number of units: a bit a unit, and four bytes a record, stay resident.
    Split {
        /// The first units of the records that have any.
        starts: Numbered,
        /// These records.
        records: Vec<u32>,
        /// The number of units.
        units: u32,
    },
}

impl Records {
    /// From how many units each record has.
    pub(crate) fn of_counts(counts: &Spool<u32>) -> Result<Self, Error> {
        let counts = counts.read_all()?;
        let units: u32 = counts.iter().sum();
        let mut starts = Bits::new(units as usize + 1);
        let (mut records, mut unit) = (Vec::new(), 0);
        for (&count, record) in counts.iter().zip(0..) {
            if count > 0 {
                starts.insert(unit);
                records.push(record);
                unit += count;
            }
        }
        Ok(Records::Split {
            starts: Numbered::new(starts),
            records,
            units,
        })
    }

    /// The record of a unit.
    pub(crate) fn of(&self, unit: u32) -> u32 {
        match self {
            Records::Whole => unit,
            Records::Split {
                starts, records, ..
            } => records[starts.number(unit + 1) - 1],
        }
    }

    /// Whether two units are of one record.
    pub(crate) fn same(&self, first: u32, second: u32) -> bool {
        match self {
            Records::Whole => first == second,
            Records::Split { starts, .. } => !starts.bits().any(first + 1, second - first),
        }
    }

    /// How many units a record is split into.
    pub(crate) fn units_of(&self, record: u32) -> u32 {
        let units = self.range_of(record);
        units.end - units.start
    }

    /// The units of a record.
    pub(crate) fn range_of(&self, record: u32) -> Range<u32> {
        match self {
            Records::Whole => record..record + 1,
            Records::Split {
                starts,
                records,
                units,
            } => match records.binary_search(&record) {
                Ok(place) => {
                    let begin = |place: usize| starts.member(place).unwrap_or(*units);
                    begin(place)..begin(place + 1)
                }
                Err(_) => 0..0,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use lookalike_pair::spill::Folder;

    use super::*;

    #[test]
    fn a_unit_knows_its_record_also_behind_records_without_units() {
        let place = tempfile::tempdir().unwrap();
        let folder = Arc::new(Folder::new(place.path(), 0));
        let counts = [0, 3, 1, 0, 0, 130, 2, 0];
        let mut spool = Spool::new("counts", &folder, 0);
        spool.append(&counts).unwrap();
        let records = Records::of_counts(&spool).unwrap();
        let expected: Vec<u32> = (0u32..)
            .zip(counts)
            .flat_map(|(record, count)| std::iter::repeat_n(record, count as usize))
            .collect();
        let found: Vec<u32> = (0..136).map(|unit| records.of(unit)).collect();
        assert_eq!(found, expected);
        for a in 0..136 {
            for b in a..136 {
                let same = expected[a as usize] == expected[b as usize];
                assert_eq!(records.same(a, b), same, "{a} {b}");
            }
        }
        let units: Vec<u32> = (0..8).map(|record| records.units_of(record)).collect();
        assert_eq!(units, counts);
    }
}
